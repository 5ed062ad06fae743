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
/* Words below a return address among which a frame pointer may have been saved, and how far up in
 * its frame one points. */
#define SAVED_WORDS 16u
#define FRAME_MAX 1024u

struct dying_search {
	struct target *t;
	const struct unwind_start *start; /* at the fault; without a pc: it is not known */
	bool (*is_called)(struct target *t, uint64_t ret); /* which functions may be returned to */
	struct unwind_start best; /* of what was found, the one furthest from it */
	size_t depth;             /* frames from there to the fault's entry; 0: none found */
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

/* How many frames, all certain, lead from there to the end of the stack; 0: they do not. */
static size_t leads_to_end(struct dying_search *s, const struct unwind_start *from)
{
	struct unwind_result u;

	unwind_into(s->t, from, s->frames, DEPTH_MAX, &u);
	for (size_t i = 0; i < u.n; i++)
		if (!u.frames[i].sure)
			return 0;
	return u.complete ? u.n : 0;
}

/* Where the frame is found by its frame pointer, which whoever panic() called may have saved below
 * `slot`: a word there that points into the frame is it when it is the only one from which the
 * frames lead to the end. */
static size_t by_saved_fp(struct dying_search *s, uint64_t slot, struct unwind_start *from)
{
	const struct arch *arch = s->t->arch;
	uint64_t words[SAVED_WORDS], taken = 0;
	size_t depth = 0;
	struct err ignored;

	if (slot < sizeof(words) ||
	    !mem_words(s->t, slot - SAVED_WORDS * arch->word, words, SAVED_WORDS, &ignored))
		return 0;
	for (size_t i = 0; i < SAVED_WORDS; i++) {
		struct unwind_start with = *from;
		size_t n;

		if (words[i] <= slot || words[i] - slot > FRAME_MAX || words[i] == taken)
			continue;
		regs_set(&with.regs, arch->fp, words[i]);
		n = leads_to_end(s, &with);
		if (n && depth)
			return 0;
		if (n) {
			depth = n;
			taken = words[i];
		}
	}
	if (depth)
		regs_set(&from->regs, arch->fp, taken);
	return depth;
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
	if (!t->arch->is_kernel_va(word) || !s->is_called(t, word) || ++s->tries > TRIES_MAX)
		return;
	from.how = "return";
	from.exact = from.scan = from.registers = false;
	memset(&from.regs, 0, sizeof(from.regs));
	regs_set(&from.regs, t->arch->pc, word);
	regs_set(&from.regs, t->arch->sp, slot + t->arch->word);
	/* a frame record is the caller's frame pointer and the return address */
	if (t->arch->frame_records && mem_ptr(t, slot - t->arch->word, &fp, &ignored))
		regs_set(&from.regs, t->arch->fp, fp);
	depth = s->start->regs.have ? leads_to_fault(s, &from) : leads_to_end(s, &from);
	if (!depth && !s->start->regs.have && !t->arch->frame_records)
		depth = by_saved_fp(s, slot, &from);
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
			try_slot(s, at + i, target_uint(s->t, page + i, word));
	}
}

void stack_dying(struct target *t, struct unwind_start *start)
{
	const struct unwind_hooks *h = t->unwind_hooks;
	struct dying_search s = { .t = t, .start = start, .is_called = stack_is_death };
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

/*
 * Nobody saved the registers: raw memory has none. panic() never returns, so an address on the
 * stack that returns into it is no leftover of an earlier call, when the frames from there lead to
 * the stack's end. Of what panic() called there is no such proof.
 */
bool stack_panicked(struct target *t, uint64_t stack, struct unwind_start *start)
{
	const struct unwind_hooks *h = t->unwind_hooks;
	struct dying_search s = { .t = t, .start = start, .is_called = stack_is_panic };
	struct stack_range r;
	uint64_t lo, size;

	if (!h || !h->stack_of)
		return false;
	s.frames = ARENA_ARRAY(t->scratch, struct frame, DEPTH_MAX);
	if (h->stack_of(t, start->task, start->cpu, stack, &r))
		search_range(&s, r.lo, r.hi);
	if (!s.depth && start->cpu >= 0 && exception_stacks(t, (unsigned)start->cpu, &lo, &size))
		search_range(&s, lo, lo + size);
	if (!s.depth)
		return false;
	*start = s.best;
	return true;
}
