/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a kernel that saved its own registers had got to when it died. */
#include <string.h>

#include "core/linux/stack/stack_impl.h"

/*
 * Who oopses hands the registers of the fault to crash_kexec(), which keeps those for the dump, and
 * not its own. Everything that ran after the fault lies on the stack all the same: the exception's
 * entry, which saved these very registers, and whoever called crash_kexec(). An address on the
 * stack that returns into one of these functions is where to begin, when the frames from there lead
 * to an entry that saved the registers that are known. Anything less proves nothing: the words of
 * earlier calls lie there, too.
 */

/* Frames from machine_kexec() to the exception's entry. */
#define DEPTH_MAX 48
/* Addresses that are tried: a hostile stack may be full of them. */
#define TRIES_MAX 64
#define STACK_MAX ((uint64_t)256 << 10)

struct dying_search {
	struct target *t;
	const struct unwind_start *start; /* at the fault */
	struct unwind_start best;         /* of what was found, the one furthest from it */
	size_t depth; /* frames from there to the fault's entry; 0: none found */
	struct frame *frames;
	unsigned tries;
};

/* All that both know is the same, and both know where it was. */
static bool same_regs(const struct arch *arch, const struct regs *a, const struct regs *b)
{
	uint64_t both = a->have & b->have, must = UINT64_C(1) << arch->pc | UINT64_C(1) << arch->sp;

	if ((both & must) != must)
		return false;
	for (unsigned i = 0; i < REGS_MAX; i++)
		if (both >> i & 1 && a->r[i] != b->r[i])
			return false;
	return true;
}

/* How many frames, all certain, lead from there to an entry that saved the fault's registers; 0:
 * they do not. */
static size_t leads_to_fault(struct dying_search *s, const struct unwind_start *from)
{
	struct unwind_result u;

	unwind_into(s->t, from, s->frames, DEPTH_MAX, &u);
	for (size_t i = 0; i < u.n && u.frames[i].sure; i++)
		if (u.frames[i].has_regs)
			return same_regs(s->t->arch, &u.frames[i].regs, &s->start->regs) ? i + 1
											 : 0;
	return 0;
}

/* The address in the stack's word at `slot`. */
static void try_slot(struct dying_search *s, uint64_t slot, uint64_t word)
{
	struct target *t = s->t;
	struct arch_facts facts = target_facts(t);
	struct unwind_start from = *s->start;
	struct err ignored;
	size_t depth;
	uint64_t fp;

	if (t->arch->strip_pac)
		word = t->arch->strip_pac(&facts, word);
	if (!t->arch->is_kernel_va(word) || !stack_is_death(t, word) || ++s->tries > TRIES_MAX)
		return;
	from.how = "return";
	from.exact = from.scan = from.registers = false;
	memset(&from.regs, 0, sizeof(from.regs));
	regs_set(&from.regs, t->arch->pc, word);
	regs_set(&from.regs, t->arch->sp, slot + t->arch->word);
	/* a frame record is the caller's frame pointer and the return address */
	if (t->arch->frame_records && mem_ptr(t, slot - t->arch->word, &fp, &ignored))
		regs_set(&from.regs, t->arch->fp, fp);
	depth = leads_to_fault(s, &from);
	if (depth > s->depth) {
		s->depth = depth;
		s->best = from;
	}
}

static void search_range(struct dying_search *s, uint64_t lo, uint64_t hi)
{
	unsigned word = s->t->arch->word;
	uint8_t page[4096];
	struct err ignored;

	if (hi <= lo || hi - lo > STACK_MAX)
		return;
	for (uint64_t at = lo; at < hi; at += sizeof(page)) {
		uint64_t size = hi - at < sizeof(page) ? hi - at : sizeof(page);
		size_t n = mem_read_some(s->t, at, page, size, &ignored);

		for (size_t i = 0; i + word <= n; i += word)
			try_slot(s, at + i, load_le(page + i, word));
	}
}

void stack_dying(struct target *t, struct unwind_start *start)
{
	const struct unwind_hooks *h = t->unwind_hooks;
	struct dying_search s = { .t = t, .start = start };
	struct stack_range r;
	uint64_t sp, lo, size;

	if (!h || !h->stack_of || !regs_get(&start->regs, t->arch->sp, &sp))
		return;
	s.frames = ARENA_ARRAY(t->scratch, struct frame, DEPTH_MAX);
	if (h->stack_of(t, start->task, start->cpu, sp, &r))
		search_range(&s, r.lo, sp);
	/* an exception may have had a stack of its own */
	if (!s.depth && start->cpu >= 0 && exception_stacks(t, (unsigned)start->cpu, &lo, &size))
		search_range(&s, lo, lo + size);
	if (s.depth) {
		start->how = s.best.how;
		start->exact = false;
		start->regs = s.best.regs;
	}
}
