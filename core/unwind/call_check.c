/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What x86-64 code says against a frame that a table led to: whether its return address follows a
 * call, and whether that call can have led to the function it is said to have called. */
#include "core/base/vec.h"
#include "core/unwind/orc.h"
#include "core/unwind/step.h"

#define CODE_MAX 16384 /* bytes of a function that are looked at */
#define FUNCTIONS_MAX 24
#define ADJACENT 256 /* a function may run on into one so near behind it */

struct call_search {
	struct target *t;
	uint64_t lo, hi; /* the function that was called */
	uint64_t seen[FUNCTIONS_MAX];
	size_t n;  /* of seen */
	bool open; /* something may lead anywhere */
	struct arena code;
};

static void search_add(struct call_search *s, uint64_t function)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->seen[i] == function)
			return;
	if (s->n == FUNCTIONS_MAX)
		s->open = true;
	else
		s->seen[s->n++] = function;
}

static bool starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* A jump out of a function: to the start of another, or to the one that is sought. */
static void jump_found(struct call_search *s, uint64_t to)
{
	struct symbol sym;
	uint64_t off;
	struct err ignored;

	if (to >= s->lo && to < s->hi) {
		s->open = true;
		return;
	}
	if (!symbol_is_text(s->t, to) || !symbol_at(s->t, to, &sym, &off, &ignored) || off)
		return;
	if (starts(sym.name, "__x86_indirect"))
		s->open = true;
	else if (!starts(sym.name, "__x86_return"))
		search_add(s, to);
}

/* Instructions are not told apart from their operands: what looks like a jump to a function counts
 * as one. That can only hide a contradiction. */
static void jumps_of(struct call_search *s, uint64_t at, const uint8_t *code, size_t n)
{
	for (size_t i = 0; i + 2 <= n && !s->open; i++) {
		uint8_t a = code[i], b = code[i + 1];
		size_t start = a == 0x0f && (b & 0xf0) == 0x80 ? i + 2 : a == 0xe9 ? i + 1 : 0;

		/* jmp *%reg, jmp *mem; int3 may stand for anything */
		if ((a == 0xff && ((b & 0xf8) == 0xe0 || (b & 0xf8) == 0x20)) ||
		    (a == 0xcc && i + 16 < n && b != 0xcc))
			s->open = true;
		else if (a == 0xeb || (a & 0xf0) == 0x70) /* to a neighbour */
			jump_found(s, at + i + 2 + (uint64_t)(int64_t)(int8_t)b);
		else if (start && start + 4 <= n)
			jump_found(s, at + start + 4 +
					      (uint64_t)(int64_t)(int32_t)load_le32(code + start));
	}
}

/* Sets s->open when the function may lead to the one sought, or anywhere. */
static void look_through(struct call_search *s, uint64_t function)
{
	struct symbol sym;
	struct span code;
	uint64_t off;
	struct err ignored;

	if (!symbol_at(s->t, function, &sym, &off, &ignored) || !sym.size || sym.module ||
	    !mem_bytes(s->t, function, sym.size, CODE_MAX, &s->code, &code, &ignored) ||
	    s->lo - (function + sym.size) < ADJACENT) {
		s->open = true;
		return;
	}
	/* a call at its start is a tracer's, which may send it elsewhere: a live patch */
	if (code.p[0] == 0xe8 || (sym.size > 4 && code.p[4] == 0xe8))
		s->open = true;
	else
		jumps_of(s, function, code.p, sym.size);
}

/* Can a call of `function` have led into [lo, hi)? */
static bool may_lead(struct target *t, uint64_t function, uint64_t lo, uint64_t hi)
{
	struct call_search s = { .t = t, .lo = lo, .hi = hi };

	search_add(&s, function);
	for (size_t i = 0; i < s.n && !s.open; i++)
		look_through(&s, s.seen[i]);
	arena_release(&s.code);
	return s.open;
}

/* Code of the start is gone, and a page that a dumper left out may read as zeroes. */
static bool code_before(struct target *t, uint64_t pc, uint8_t code[7])
{
	static const uint8_t zeroes[7];
	struct err ignored;

	return mem_read(t, pc - 7, code, 7, &ignored) && memcmp(code, zeroes, 7) != 0;
}

static bool in_init(struct target *t, uint64_t pc)
{
	uint64_t lo, hi;

	return symbol_addr(t, "_sinittext", &lo) && symbol_addr(t, "_einittext", &hi) && pc >= lo &&
	       pc <= hi;
}

/* The startup code jumps to the first function of a stack and writes its own address there. */
static bool ends_stack(struct target *t, uint64_t pc)
{
	struct err ignored;
	struct orc o;

	return orc_find(t, pc - 1, &o, &ignored) && o.type == ORC_END;
}

bool call_contradicts(struct target *t, uint64_t pc, uint64_t callee)
{
	struct symbol of, to;
	uint64_t off, target;
	struct err ignored;
	uint8_t code[7];

	if (!symbol_is_text(t, pc - 1) || in_init(t, pc) || is_hijacked(t, pc) ||
	    !code_before(t, pc, code))
		return false;
	if (!follows_call(t, pc)) /* a breakpoint hides what it replaced; what starts there was put
				     there by hand */
		return !memchr(code, 0xcc, sizeof(code)) && !ends_stack(t, pc) &&
		       !(symbol_at(t, pc, &of, &off, &ignored) && !off);
	code[2] = code[2] == 0xe8 ? 0x90 : code[2];
	if (t->arch->call_before(SPAN(code, 7), pc) || !mem_read(t, pc - 5, code, 5, &ignored) ||
	    !t->arch->call_target(SPAN(code, 5), pc, &target))
		return false; /* by a pointer */
	if (!symbol_at(t, callee, &of, &off, &ignored) || !of.size || of.module ||
	    !symbol_at(t, target, &to, &off, &ignored) || off || to.module ||
	    !symbol_is_text(t, callee) || !symbol_is_text(t, target))
		return false;
	if (to.addr == of.addr)
		return false;
	return !may_lead(t, target, of.addr, of.addr + of.size);
}
