/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Code: line, disassembled around the instruction that trapped. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/report/report.h"
#include "core/image/dis.h"

#define CODE_MAX 512
#define BEFORE 6 /* instructions shown before the trapping one */
#define AFTER 4

/* How an architecture's Code: line is written. */
struct spelling {
	const char *arch;
	bool words;  /* of four bytes, or halfwords of two: not single bytes */
	bool big;    /* whoever disassembles it takes a word's highest byte first */
	bool narrow; /* addresses have 32 bits */
	bool mixed;  /* an instruction is one word, or more */
};
static const struct spelling spellings[] = {
	{ "x86_64", false, false, false }, { "i386", false, false, true },
	{ "aarch64", true, false, false }, { "arm", true, false, true },
	{ "ppc64", true, false, false },   { "ppc", true, true, true },
	{ "mips", true, true, true },      { "riscv64", true, false, false, true },
};

static const struct spelling *spelling_of(const struct report *r)
{
	if (!r->has_code || r->user_code || !r->arch)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (!strcmp(spellings[i].arch, r->arch))
			return &spellings[i];
	return NULL;
}

struct code {
	uint8_t bytes[CODE_MAX];
	size_t n;
	size_t mark;     /* where the marked word begins */
	size_t mark_len; /* bytes of it; 0: no mark */
	unsigned digits; /* of a word: 2, 4, 8 */
};

/* "48 8b <48> c7", "f9000bf3 (f9001001)" */
static bool code_parse(const char *s, bool big, struct code *c)
{
	memset(c, 0, sizeof(*c));
	while (*s) {
		bool marked = *s == '<' || *s == '(';
		const char *word = s + marked;
		uint64_t v;
		unsigned digits;

		s = word;
		if (!number_take(&s, NULL, 16, &v))
			break;
		digits = (unsigned)(s - word);
		if (digits != 2 && digits != 4 && digits != 8)
			break;
		if (!c->digits)
			c->digits = digits;
		if (c->n + digits / 2 > CODE_MAX)
			break;
		if (marked) {
			c->mark = c->n;
			c->mark_len = digits / 2;
		}
		for (unsigned i = 0; i < digits / 2; i++)
			c->bytes[c->n++] = (uint8_t)(v >> 8 * (big ? digits / 2 - 1 - i : i));
		s += *s == '>' || *s == ')';
		while (*s == ' ')
			s++;
	}
	return c->n != 0;
}

size_t report_code(const struct report *r, uint8_t *bytes, size_t max, size_t *mark)
{
	const struct spelling *sp = spelling_of(r);
	struct code c;

	if (!sp || !code_parse(r->code, sp->big, &c) || !c.mark_len || c.n > max)
		return 0;
	memcpy(bytes, c.bytes, c.n);
	*mark = c.mark;
	return c.n;
}

/* The Code: line with a decoder that is open for it. */
struct code_listing {
	const struct report *r;
	struct code c;
	const struct spelling *spelling;
	struct arena arena;
	struct dis *dis;
	size_t start;  /* from where the instructions fall on the marked one */
	uint64_t base; /* the address that the first byte is taken to have */
	bool relative; /* addresses are told from where the function begins, */
	uint64_t func; /* which is here */
};

static void decode(struct code_listing *l, size_t at, struct insn *ret)
{
	dis_one(l->dis, SPAN(l->c.bytes + at, l->c.n - at), l->base + at, ret);
}

/* Where in it the function begins that pc is in, with an instruction; what lies before is
 * another's. 0: before it, or unknown. */
static size_t function_start(const struct report *r, const struct code *c)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	return pc && pc->func && pc->has_off && pc->off <= c->mark ? c->mark - (size_t)pc->off : 0;
}

/* What the trapping instruction's memory operand came to, from the registers of the report. */
static void operand(const struct code_listing *l, struct buf *b)
{
	const struct report *r = l->r;
	uint64_t base_v = 0, index_v = 0, addr;
	struct dis_memory m;
	struct buf t = { 0 };

	if (!dis_memory(l->dis, &m) || !m.base || !report_reg(r, m.base, &base_v) ||
	    (m.index && !report_reg(r, m.index, &index_v)))
		return;
	addr = base_v + index_v * m.scale + (uint64_t)m.disp;
	if (l->spelling->narrow)
		addr &= UINT32_MAX;
	buf_printf(b, "%12s: %s = 0x%" PRIx64, "OPERAND", m.base, base_v);
	if (m.index)
		buf_printf(b, ", %s = 0x%" PRIx64, m.index, index_v);
	buf_printf(b, ", so the address was 0x%" PRIx64, addr);
	if (base_v >= 4096 && address_meaning(base_v, r->arch, &t))
		buf_printf(b, "; %s is %s", m.base, t.s);
	buf_release(&t);
	buf_char(b, '\n');
}

static void line(struct buf *b, const struct report *r, const struct code *c, uint64_t at,
		 const char *text, const char *args)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;
	bool here = c->mark_len && at == c->mark;
	struct buf t = { 0 };

	if (pc && pc->func && pc->has_off && c->mark_len)
		buf_printf(&t, "+0x%" PRIx64, pc->off + at - c->mark);
	else
		buf_printf(&t, "%" PRIu64, at);
	buf_printf(b, "%12s%s %s%s%s\n", buf_text(&t), here ? ":=>" : ":  ", text, *args ? " " : "",
		   args);
	buf_release(&t);
}

/* The instruction's operands; where a branch goes as the lines are labelled, "+0x1a", and out of
 * the function "func-0x60". */
static void operands(const struct code_listing *l, const struct insn *in, struct buf *b)
{
	const struct report_frame *pc = l->relative ? &l->r->frames.p[l->r->pc] : NULL;
	uint64_t to = in->target - l->func;
	char number[24];
	const char *at;

	if (l->spelling->narrow)
		to = (uint64_t)(int64_t)(int32_t)to;
	snprintf(number, sizeof(number), "0x%" PRIx64, in->target);
	at = in->has_target && in->branch && pc ? strstr(in->operands, number) : NULL;
	if (!at) {
		buf_str(b, in->operands);
		return;
	}
	buf_add(b, in->operands,
		(size_t)(at - in->operands) - (at > in->operands && at[-1] == '#'));
	if (to >> 63 || (pc->size && to >= pc->size))
		buf_str(b, pc->func);
	buf_printf(b, "%s0x%" PRIx64 "%s", to >> 63 ? "-" : "+", to >> 63 ? -to : to,
		   at + strlen(number));
}

/* From l->start on; what cannot be decoded is shown as bytes. */
static void listing(struct code_listing *l, struct buf *b)
{
	const struct code *c = &l->c;
	size_t at = l->start, first = l->start, starts[CODE_MAX], n = 0;
	unsigned after = 0;
	struct insn in;

	/* where the instructions before the mark begin, to show only the last of them */
	for (; c->mark_len && at < c->mark; at += in.n) {
		starts[n++] = at;
		decode(l, at, &in);
	}
	if (n > BEFORE)
		first = starts[n - BEFORE];
	for (at = first; at < c->n && after <= AFTER; at += in.n) {
		struct buf text = { 0 };

		after += !c->mark_len || at >= c->mark;
		decode(l, at, &in);
		operands(l, &in, &text);
		line(b, l->r, c, at, in.mnemonic, buf_text(&text));
		if (c->mark_len && at == c->mark && !in.bad)
			operand(l, b);
		buf_release(&text);
	}
}

/* Bytes of one instruction at `at` where nothing here decodes them. RISC-V: parcels of two, the low
 * bits of the first say whether another belongs to it. */
static size_t raw_length(const struct code *c, size_t at)
{
	size_t word = c->digits / 2;

	if (word != 2 || (c->bytes[at] & 3) != 3 || at + 4 > c->n)
		return word;
	return 4;
}

/* Capstone 4 knows neither RISC-V nor LoongArch: where no newer one is installed, their
 * instructions are at least kept apart. */
static void raw_listing(struct buf *b, const struct report *r, const struct code *c)
{
	size_t start = 0, starts[CODE_MAX], n = 0, at;
	unsigned after = 0;

	for (size_t i = function_start(r, c); c->mark_len && i < c->mark; i += c->digits / 2) {
		for (at = i; at < c->mark;)
			at += raw_length(c, at);
		if (at == c->mark) {
			start = i;
			break;
		}
		start = c->mark;
	}
	for (at = start; c->mark_len && at < c->mark; at += raw_length(c, at))
		starts[n++] = at;
	at = n > BEFORE ? starts[n - BEFORE] : start;
	for (; at < c->n && after <= AFTER; at += raw_length(c, at)) {
		size_t k = raw_length(c, at);
		struct buf t = { 0 };
		uint32_t v = 0;

		for (size_t i = k; i-- > 0;)
			v = v << 8 | c->bytes[at + i];
		buf_printf(&t, "0x%0*" PRIx32, (int)k * 2, v);
		line(b, r, c, at, k == 2 ? ".2byte" : ".4byte", buf_text(&t));
		buf_release(&t);
		after += !c->mark_len || at >= c->mark;
	}
}

static bool is_raw(const char *arch)
{
	return !strncmp(arch, "riscv", 5) || !strncmp(arch, "loongarch", 9);
}

/* Does decoding from start reach the marked instruction with nothing left over? */
static bool reaches(struct code_listing *l, size_t start)
{
	size_t at = start;
	struct insn in;

	for (; at < l->c.mark; at += in.n) {
		decode(l, at, &in);
		/* of mixed words the length is known all the same */
		if (in.bad && !l->spelling->mixed)
			return false;
	}
	return at == l->c.mark;
}

/* Instructions have no fixed length: from which byte on do they fall on the marked one? */
static size_t find_start(struct code_listing *l)
{
	size_t first = function_start(l->r, &l->c), step = l->spelling->mixed ? l->c.digits / 2 : 1;

	if (!l->c.mark_len || (l->spelling->words && !l->spelling->mixed))
		return first;
	for (size_t i = first; i < first + 16 && i <= l->c.mark; i += step)
		if (reaches(l, i))
			return i;
	return l->c.mark;
}

/* Addresses are the text's, where it has them; else some that no small number can be taken for. */
static void find_base(struct code_listing *l)
{
	const struct report *r = l->r;
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	if (!pc || !l->c.mark_len)
		return;
	l->relative = pc->func && pc->has_off;
	if (pc->addr)
		l->base = pc->addr - l->c.mark;
	else if (l->relative)
		l->base = 0x40000000;
	if (l->spelling->narrow)
		l->base &= UINT32_MAX;
	l->func = l->base + l->c.mark - pc->off;
}

static bool listing_open(const struct report *r, struct code_listing *l)
{
	struct err ignored;

	memset(l, 0, sizeof(*l));
	l->r = r;
	l->spelling = spelling_of(r);
	if (!l->spelling || !code_parse(r->code, l->spelling->big, &l->c) ||
	    l->spelling->words == (l->c.digits == 2))
		return false;
	if (!dis_open_named(&l->arena, r->arch, l->c.digits == 4, &l->dis, &ignored)) {
		arena_release(&l->arena);
		return false;
	}
	find_base(l);
	l->start = find_start(l);
	return true;
}

static void listing_close(struct code_listing *l)
{
	dis_close(l->dis);
	arena_release(&l->arena);
}

bool report_disassemble(const struct report *r, struct buf *b)
{
	struct code_listing l;
	struct code c;

	if (listing_open(r, &l)) {
		listing(&l, b);
		listing_close(&l);
		return true;
	}
	if (!r->has_code || r->user_code || !r->arch || !is_raw(r->arch) ||
	    !code_parse(r->code, false, &c) || c.digits < 4)
		return false;
	raw_listing(b, r, &c);
	return true;
}

/* Where the base register of the trapping instruction was loaded from, if that was the last that
 * happened to it. */
static void find_load(struct code_listing *l, struct report_operand *ret)
{
	struct insn in;

	for (size_t at = l->start; at < l->c.mark; at += in.n) {
		struct dis_memory from;
		bool load;

		decode(l, at, &in);
		if (in.bad) {
			ret->from = NULL;
			return;
		}
		if (!dis_writes(l->dis, ret->base, &load))
			continue;
		load = load && dis_memory(l->dis, &from) && from.base && !from.index;
		ret->from = load ? from.base : NULL;
		ret->from_disp = load ? from.disp : 0;
		ret->back = l->c.mark - at;
	}
}

bool report_operand(const struct report *r, struct report_operand *ret)
{
	struct code_listing l;
	struct dis_memory m;
	struct insn in;

	memset(ret, 0, sizeof(*ret));
	if (!listing_open(r, &l))
		return false;
	if (l.c.mark_len) {
		decode(&l, l.c.mark, &in);
		if (!in.bad && dis_memory(l.dis, &m) && m.base) {
			ret->base = m.base;
			ret->disp = m.disp;
			ret->indexed = m.index != NULL;
			find_load(&l, ret);
		}
	}
	listing_close(&l);
	return ret->base != NULL;
}
