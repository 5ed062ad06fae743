/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Code: line, disassembled around the instruction that trapped. core/target/dis.h is for what
 * dumps hold, three architectures as text; here operands are wanted, of i386, ppc64 and mips too,
 * and the start of an instruction is found by trying: little more than cs_open() would be shared.
 */
#include <capstone/capstone.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/report/report.h"

#define CODE_MAX 512
#define BEFORE 6 /* instructions shown before the trapping one */
#define AFTER 4

/* How an architecture's Code: line is written, and what capstone calls it. */
struct machine {
	const char *arch;
	cs_arch cs;
	cs_mode mode;
	bool words; /* of four bytes, or halfwords of two: not single bytes */
	bool big;   /* a word's first byte is its highest */
};
static const struct machine machines[] = {
	{ "x86_64", CS_ARCH_X86, CS_MODE_64, false, false },
	{ "i386", CS_ARCH_X86, CS_MODE_32, false, false },
	{ "aarch64", CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, true, false },
	{ "arm", CS_ARCH_ARM, CS_MODE_ARM, true, false },
	{ "ppc64", CS_ARCH_PPC, CS_MODE_64 | CS_MODE_BIG_ENDIAN, true, true },
	{ "mips", CS_ARCH_MIPS, CS_MODE_MIPS32 | CS_MODE_BIG_ENDIAN, true, true },
};

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
		uint64_t v = 0;
		unsigned digits = 0;

		s += marked;
		for (; isxdigit((unsigned char)*s) && digits < 9; s++, digits++)
			v = v << 4 | (uint64_t)(*s <= '9' ? *s - '0' : (*s | 0x20) - 'a' + 10);
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
	const struct machine *m = NULL;
	struct code c;

	if (!r->has_code || r->user_code || !r->arch)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(machines) && !m; i++)
		if (!strcmp(machines[i].arch, r->arch))
			m = &machines[i];
	if (!m || !code_parse(r->code, m->big, &c) || !c.mark_len || c.n > max)
		return 0;
	memcpy(bytes, c.bytes, c.n);
	*mark = c.mark;
	return c.n;
}

/* Does decoding from start reach the marked instruction with nothing left over? */
static bool reaches(csh cs, const struct code *c, size_t start, cs_insn *insn)
{
	const uint8_t *p = c->bytes + start;
	size_t left = c->n - start;
	uint64_t addr = start;

	while (addr < c->mark)
		if (!cs_disasm_iter(cs, &p, &left, &addr, insn))
			return false;
	return addr == c->mark;
}

static bool reg_value(const struct report *r, const char *name, uint64_t *ret)
{
	for (size_t i = 0; name && i < r->regs.n; i++)
		if (!strcmp(r->regs.p[i].name, name)) {
			*ret = r->regs.p[i].value;
			return true;
		}
	return false;
}

/* An instruction's operand in memory. */
struct memory_operand {
	const char *base, *index; /* NULL: none */
	uint64_t scale;
	int64_t disp;
	bool writes; /* to memory */
};

static bool memory_operand(csh cs, cs_arch arch, const cs_insn *insn, struct memory_operand *ret)
{
	bool found = false;

	memset(ret, 0, sizeof(*ret));
	ret->scale = 1;
	if (!insn->detail)
		return false;
	for (unsigned i = 0; arch == CS_ARCH_X86 && i < insn->detail->x86.op_count; i++) {
		const cs_x86_op *o = &insn->detail->x86.operands[i];

		if (o->type != X86_OP_MEM || o->mem.segment != X86_REG_INVALID)
			continue;
		ret->base = cs_reg_name(cs, o->mem.base);
		ret->index = cs_reg_name(cs, o->mem.index);
		ret->scale = (uint64_t)o->mem.scale;
		ret->disp = o->mem.disp;
		ret->writes = o->access & CS_AC_WRITE;
		found = true;
	}
	for (unsigned i = 0; arch == CS_ARCH_ARM64 && i < insn->detail->arm64.op_count; i++) {
		const cs_arm64_op *o = &insn->detail->arm64.operands[i];

		if (o->type != ARM64_OP_MEM)
			continue;
		ret->base = cs_reg_name(cs, o->mem.base);
		ret->index = cs_reg_name(cs, o->mem.index);
		ret->disp = o->mem.disp;
		ret->writes = insn->mnemonic[0] == 's';
		found = true;
	}
	for (unsigned i = 0; arch == CS_ARCH_ARM && i < insn->detail->arm.op_count; i++) {
		const cs_arm_op *o = &insn->detail->arm.operands[i];

		if (o->type != ARM_OP_MEM)
			continue;
		ret->base = cs_reg_name(cs, o->mem.base);
		ret->index = cs_reg_name(cs, o->mem.index);
		ret->disp = o->subtracted ? -(int64_t)o->mem.disp : o->mem.disp;
		ret->writes = insn->mnemonic[0] == 's';
		found = true;
	}
	return found;
}

/* What the trapping instruction's memory operand came to, from the registers of the report. */
static void operand(const struct report *r, csh cs, cs_arch arch, const cs_insn *insn,
		    struct buf *b)
{
	uint64_t base_v = 0, index_v = 0, addr;
	struct memory_operand m;
	struct buf t = { 0 };

	if (!memory_operand(cs, arch, insn, &m) || !m.base || !reg_value(r, m.base, &base_v) ||
	    (m.index && !reg_value(r, m.index, &index_v)))
		return;
	addr = base_v + index_v * m.scale + (uint64_t)m.disp;
	if (!strcmp(r->arch, "i386") || !strcmp(r->arch, "arm"))
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

static void bytes_line(struct buf *b, const struct report *r, const struct code *c, size_t at,
		       size_t n)
{
	struct buf t = { 0 };

	for (size_t i = 0; i < n && at + i < c->n; i++)
		buf_printf(&t, "%s0x%02x", i ? ", " : "", c->bytes[at + i]);
	line(b, r, c, at, ".byte", buf_text(&t));
	buf_release(&t);
}

/* From `start` on; what cannot be decoded is shown as bytes. */
static void listing(struct buf *b, const struct report *r, csh cs, const struct machine *m,
		    const struct code *c, size_t start)
{
	cs_insn *insn = cs_malloc(cs);
	size_t step = m->words ? c->digits / 2 : 1, at = start, first = start;
	size_t starts[CODE_MAX], n = 0;
	unsigned after = 0;

	if (!insn)
		return;
	/* where the instructions before the mark begin, to show only the last of them */
	for (const uint8_t *p = c->bytes + at; c->mark_len && at < c->mark;) {
		size_t left = c->n - at;
		uint64_t addr = at;

		starts[n++] = at;
		p = c->bytes + at;
		at = cs_disasm_iter(cs, &p, &left, &addr, insn) ? (size_t)addr : at + step;
	}
	if (n > BEFORE)
		first = starts[n - BEFORE];
	for (at = first; at < c->n && after <= AFTER;) {
		const uint8_t *p = c->bytes + at;
		size_t left = c->n - at;
		uint64_t addr = at;

		after += !c->mark_len || at >= c->mark;
		if (cs_disasm_iter(cs, &p, &left, &addr, insn)) {
			line(b, r, c, at, insn->mnemonic, insn->op_str);
			if (c->mark_len && at == c->mark)
				operand(r, cs, m->cs, insn, b);
			at = (size_t)addr;
		} else {
			bytes_line(b, r, c, at, step);
			at += step;
		}
	}
	cs_free(insn, 1);
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

/* Capstone 4 knows neither RISC-V nor LoongArch: their instructions are at least kept apart. */
static void raw_listing(struct buf *b, const struct report *r, const struct code *c)
{
	size_t start = 0, starts[CODE_MAX], n = 0, at;
	unsigned after = 0;

	for (size_t i = 0; c->mark_len && i < c->mark; i += c->digits / 2) {
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

/* The Code: line with a decoder that is open for it. */
struct listing {
	struct code c;
	const struct machine *m;
	csh cs;
	size_t start; /* from where the instructions fall on the marked one */
};

/* Instructions have no fixed length: from which byte on do they fall on the marked one? */
static size_t find_start(const struct listing *l)
{
	cs_insn *insn = l->m->words || !l->c.mark_len ? NULL : cs_malloc(l->cs);
	size_t start = l->c.mark;

	if (!insn)
		return 0;
	for (size_t i = 0; i < 16 && i <= l->c.mark; i++)
		if (reaches(l->cs, &l->c, i, insn)) {
			start = i;
			break;
		}
	cs_free(insn, 1);
	return start;
}

static bool listing_open(const struct report *r, struct listing *l)
{
	cs_mode mode;

	memset(l, 0, sizeof(*l));
	if (!r->has_code || r->user_code || !r->arch)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(machines) && !l->m; i++)
		if (!strcmp(machines[i].arch, r->arch))
			l->m = &machines[i];
	if (!l->m || !code_parse(r->code, l->m->big, &l->c) || (!l->m->words && l->c.digits != 2))
		return false;
	mode = l->m->mode;
	if (!strcmp(r->arch, "arm") && l->c.digits == 4)
		mode = CS_MODE_THUMB;
	if (cs_open(l->m->cs, mode, &l->cs) != CS_ERR_OK)
		return false;
	cs_option(l->cs, CS_OPT_DETAIL, CS_OPT_ON);
	if (l->m->cs == CS_ARCH_X86)
		cs_option(l->cs, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	l->start = find_start(l);
	return true;
}

bool report_disassemble(const struct report *r, struct buf *b)
{
	struct listing l;
	struct code c;

	if (r->has_code && !r->user_code && r->arch && is_raw(r->arch)) {
		if (!code_parse(r->code, false, &c) || c.digits < 4)
			return false;
		raw_listing(b, r, &c);
		return true;
	}
	if (!listing_open(r, &l))
		return false;
	listing(b, r, l.cs, l.m, &l.c, l.start);
	cs_close(&l.cs);
	return true;
}

/* "eax" writes rax, "w0" writes x0. */
static bool same_register(const char *a, const char *b)
{
	if (!a || !b)
		return false;
	if (!strcmp(a, b))
		return true;
	if ((a[0] == 'w' && b[0] == 'x') || (a[0] == 'e' && b[0] == 'r'))
		return !strcmp(a + 1, b + 1);
	return b[0] == 'r' && isdigit((unsigned char)b[1]) && !strncmp(a, b, strlen(b)) &&
	       !isdigit((unsigned char)a[strlen(b)]);
}

/* Does it write that register, and if by a load, from where? */
static bool writes(csh cs, cs_arch arch, const cs_insn *insn, const char *name,
		   struct memory_operand *from, bool *load)
{
	cs_regs read, write;
	uint8_t n_read, n_write;
	bool hit = false;

	*load = false;
	if (cs_regs_access(cs, insn, read, &n_read, write, &n_write) != CS_ERR_OK)
		return true;
	for (uint8_t i = 0; i < n_write; i++)
		hit |= same_register(cs_reg_name(cs, write[i]), name);
	if (hit)
		*load = memory_operand(cs, arch, insn, from) && from->base && !from->index &&
			!from->writes;
	return hit || cs_insn_group(cs, insn, CS_GRP_CALL);
}

bool report_operand(const struct report *r, struct report_operand *ret)
{
	struct memory_operand at = { 0 }, from = { 0 };
	struct listing l;
	cs_insn *insn;
	uint64_t addr;
	const uint8_t *p;
	size_t left;

	memset(ret, 0, sizeof(*ret));
	if (!listing_open(r, &l))
		return false;
	insn = cs_malloc(l.cs);
	p = l.c.bytes + l.c.mark;
	left = l.c.n - l.c.mark;
	addr = l.c.mark;
	if (insn && l.c.mark_len && cs_disasm_iter(l.cs, &p, &left, &addr, insn) &&
	    memory_operand(l.cs, l.m->cs, insn, &at) && at.base) {
		ret->base = at.base;
		ret->disp = at.disp;
		ret->indexed = at.index != NULL;
	}
	for (addr = l.start; insn && ret->base && addr < l.c.mark;) {
		uint64_t here = addr;
		bool load;

		p = l.c.bytes + addr;
		left = l.c.mark - addr;
		if (!cs_disasm_iter(l.cs, &p, &left, &addr, insn)) {
			ret->from = NULL;
			break;
		}
		if (!writes(l.cs, l.m->cs, insn, ret->base, &from, &load))
			continue;
		ret->from = load ? from.base : NULL;
		ret->from_disp = from.disp;
		ret->back = l.c.mark - here;
	}
	if (insn)
		cs_free(insn, 1);
	cs_close(&l.cs);
	return ret->base != NULL;
}
