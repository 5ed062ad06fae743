/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk itself: frame after frame by whichever strategy knows, and every step checked. */
#include "core/base/guard.h"
#include "core/types/frame_info.h"
#include "core/unwind/orc.h"
#include "core/unwind/step.h"

/* Task, IRQ, NMI, #DB, #MC, #DF ... a chain that changes stacks more often goes in circles. */
#define CROSSINGS_MAX 12
/* Words that a scan looks at behind an early end. */
#define SCAN_WORDS 2048

const struct frame_at *unwind_frames_at(const struct unwind_result *u, struct arena *a)
{
	struct frame_at *all = ARENA_ARRAY(a, struct frame_at, u->n + 1);

	for (size_t i = 0; i < u->n; i++) {
		const struct frame *f = &u->frames[i];

		all[i] = (struct frame_at){
			.pc = f->pc, .exact = f->exact, .has_cfa = f->has_cfa, .cfa = f->cfa
		};
		if (f->known)
			all[i].regs = *f->known;
		if (f->called && i + 1 < u->n && f->sure && f[1].sure)
			all[i].caller = &all[i + 1];
	}
	return all;
}

uint64_t frame_lookup_pc(const struct frame *f)
{
	return f->exact || !f->pc ? f->pc : f->pc - 1;
}

/* ---- stacks */

static bool stack_find(struct unwinder *u, uint64_t sp, struct stack_range *ret)
{
	const struct unwind_hooks *h = u->t->unwind_hooks;

	return h && h->stack_of && h->stack_of(u->t, u->task, u->cpu, sp, ret);
}

/* Within one stack the stack pointer only grows; another stack is entered only where a strategy
 * says so. */
static bool stack_check(struct unwinder *u, const struct step *s, struct err *err)
{
	const struct arch *arch = u->t->arch;
	uint64_t from = unwinder_sp(u), to = s->regs.r[arch->sp];
	struct stack_range r;
	bool found;

	if (u->has_stack && to >= u->stack.lo && to <= u->stack.hi) {
		if (to > from || (s->entry && to >= from) || (to == from && s->leaf))
			return true;
		return err_set_addr(err, ERR_CORRUPT, to,
				    "the stack pointer goes back from %#lx to %#lx",
				    (unsigned long)from, (unsigned long)to);
	}
	found = stack_find(u, to, &r);
	if (!found && !u->has_stack && to > from && to - from < (1u << 16))
		return true; /* nobody knows the stacks: growing is all that can be asked */
	if (u->has_stack && (!s->crosses || (!found && !s->entry)))
		return err_set_addr(err, ERR_CORRUPT, to,
				    "the stack pointer %#lx is outside of the stack",
				    (unsigned long)to);
	if (++u->crossings > CROSSINGS_MAX)
		return err_set_addr(err, ERR_LIMIT, to, "more than %d changes of the stack",
				    CROSSINGS_MAX);
	u->has_stack = found;
	if (found)
		u->stack = r;
	return true;
}

/* ---- return addresses */

/* What function_graph took away is put back; only what is code is a return address. */
static bool pc_check(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t *pc = &s->regs.r[u->t->arch->pc];

	if (s->entry && s->exact)
		return true; /* an interrupted context is where it is, code or not */
	if (is_hijacked(u->t, *pc)) {
		s->exact = false;
		if (u->arch->put_back ? !u->arch->put_back(u, s, err)
				      : !put_back(u, s->slot, s->slot, &u->fgraph, pc, err))
			return false;
		s->how = "fgraph";
	}
	if (symbol_is_text(u->t, *pc - (s->exact ? 0 : 1)))
		return true;
	if (u->t->arch->is_kernel_va(*pc) && follows_call(u->t, *pc))
		return true; /* code made at run time */
	return err_set_addr(err, ERR_CORRUPT, *pc, "the return address %#lx is not in kernel text",
			    (unsigned long)*pc);
}

/* ---- the walk */

static const struct unwind_arch *unwind_arch_of(const struct arch *arch)
{
	static const struct unwind_arch none;

	for (size_t i = 0; unwind_archs[i]; i++)
		if (arch_same(unwind_archs[i]->arch, arch))
			return unwind_archs[i];
	return &none;
}

bool unwind_told_sp(struct target *t, uint64_t slot, uint64_t *ret, struct err *err)
{
	const struct unwind_arch *arch = unwind_arch_of(t->arch);

	if (arch->told_sp)
		return arch->told_sp(t, slot, ret, err);
	*ret = slot + t->arch->word;
	return true;
}

bool unwind_told_fp(struct target *t, uint64_t sp, bool exact, uint64_t *ret)
{
	const struct unwind_arch *arch = unwind_arch_of(t->arch);

	return arch->told_fp && arch->told_fp(t, sp, exact, ret);
}

static enum step_result step_any(struct unwinder *u, struct step *s, struct err *err)
{
	enum step_result r = STEP_BROKEN;

	if (u->arch->step)
		r = u->arch->step(u, s, err);
	else
		err_set(err, ERR_UNSUPPORTED, "no unwinder for '%s'", u->t->arch->name);
	return r == STEP_NONE ? STEP_BROKEN : r;
}

static struct frame *frame_add(struct unwinder *u, struct frame *frames, size_t *n, const char *how)
{
	struct frame *f = &frames[*n];

	*f = (struct frame){ .n = (unsigned)(*n)++,
			     .pc = unwinder_pc(u),
			     .sp = unwinder_sp(u),
			     .how = how,
			     .exact = u->exact,
			     .sure = !u->guess,
			     .stack = u->has_stack ? u->stack.name : NULL };
	return f;
}

/* Every word that follows a call. Guesses, marked as such. */
static void scan(struct target *t, uint64_t sp, uint64_t hi, const char *stack,
		 struct frame *frames, size_t *n, size_t max)
{
	struct arch_facts facts = target_facts(t);
	uint64_t word;
	struct err err;

	for (unsigned i = 0; i < SCAN_WORDS && sp < hi && *n < max; i++, sp += t->arch->word) {
		if (!interrupt_check(&err) || !mem_ptr(t, sp, &word, &err))
			return;
		if (t->arch->strip_pac)
			word = t->arch->strip_pac(&facts, word);
		if (t->arch->is_kernel_va(word) && symbol_is_text(t, word - 1) &&
		    follows_call(t, word)) {
			frames[*n] = (struct frame){ .n = (unsigned)*n,
						     .pc = word,
						     .sp = sp + t->arch->word,
						     .how = "scan",
						     .stack = stack };
			(*n)++;
		}
	}
}

void unwind_scan(struct target *t, uint64_t lo, uint64_t hi, struct unwind_result *ret)
{
	struct frame *frames = ARENA_ARRAY(t->scratch, struct frame, SCAN_WORDS);

	*ret = (struct unwind_result){ .frames = frames, .complete = true };
	scan(t, lo & ~(uint64_t)(t->arch->word - 1), hi, NULL, frames, &ret->n, SCAN_WORDS);
}

/* What says that the stack ends must be at the end of a stack: pt_regs and a little more may lie
 * above. */
#define END_SLACK 1024

static bool end_check(struct unwinder *u, struct err *err)
{
	uint64_t sp = unwinder_sp(u);

	if (!u->has_stack || u->stack.hi - sp <= END_SLACK)
		return true;
	return err_set_addr(
		err, ERR_CORRUPT, sp,
		"'%s' is said to be the first function of a stack, but %lu bytes of the "
		"stack lie above",
		symbol_text(u->t, unwinder_pc(u), u->t->scratch),
		(unsigned long)(u->stack.hi - sp));
}

/* True while there is a next frame. */
static bool advance(struct unwinder *u, struct frame *f, const char **how,
		    struct unwind_result *ret)
{
	struct step s = { 0 };
	enum step_result r = step_any(u, &s, &ret->end);

	if (u->registers)
		recover(u, r == STEP_FRAME ? &s : NULL, f);
	if (r == STEP_END)
		ret->complete = end_check(u, &ret->end);
	if (r != STEP_FRAME)
		return false;
	if (s.entry) {
		f->has_regs = true;
		f->user = s.user;
		f->regs = s.regs;
	}
	if (s.user) {
		ret->complete = true;
		return false;
	}
	if (!pc_check(u, &s, &ret->end) || !stack_check(u, &s, &ret->end))
		return false;
	f->called = !s.entry && !u->guess && !s.guess;
	u->regs = s.regs;
	u->exact = s.exact;
	u->doubt = s.doubt;
	u->no_sp = s.no_sp;
	u->guess |= s.guess;
	*how = s.how;
	return true;
}

void unwind_into(struct target *t, const struct unwind_start *start, struct frame *frames,
		 size_t max, struct unwind_result *ret)
{
	struct unwinder u = { .t = t,
			      .task = start->task,
			      .cpu = start->cpu,
			      .regs = start->regs,
			      .exact = start->exact,
			      .registers = start->registers,
			      .known = start->regs };
	const char *how = start->how ? start->how : "regs";
	uint64_t pc, sp;
	size_t n = 0;

	*ret = (struct unwind_result){ .frames = frames };
	if (!t->arch || !regs_get(&start->regs, t->arch->pc, &pc) ||
	    !regs_get(&start->regs, t->arch->sp, &sp)) {
		err_set(&ret->end, ERR_NEED, "no registers to start from");
		return;
	}
	if (u.exact && arch_regs_user(t->arch, &start->regs) &&
	    (t->arch->regs_user || !t->arch->is_kernel_va(sp))) {
		frame_add(&u, frames, &n, how); /* it ran in user space: there is no kernel stack */
		ret->n = n;
		ret->complete = true;
		return;
	}
	u.arch = unwind_arch_of(t->arch);
	u.has_stack = stack_find(&u, sp, &u.stack);
	if (start->pc_doubt && u.arch->settle)
		u.arch->settle(&u);
	for (;;) {
		struct frame *f = frame_add(&u, frames, &n, how);

		if (!interrupt_check(&ret->end) || !advance(&u, f, &how, ret))
			break;
		if (n == max) {
			err_set(&ret->end, ERR_LIMIT, "more than %zu frames", max);
			break;
		}
	}
	if (!ret->complete && start->scan && n < max) {
		uint64_t word = t->arch->word, from = (unwinder_sp(&u) + word) & ~(word - 1);

		scan(t, from, u.has_stack ? u.stack.hi : (from | 0x3fff) + 1,
		     u.has_stack ? u.stack.name : NULL, frames, &n, max);
	}
	ret->n = n;
}

void unwind(struct target *t, const struct unwind_start *start, size_t max,
	    struct unwind_result *ret)
{
	VEC(struct frame)
	work = { 0 }; /* more than a small stack of the program's own has room for */
	struct frame *frames;

	vec_reserve(&work, FRAMES_MAX);
	unwind_into(t, start, work.p, max && max < FRAMES_MAX ? max : FRAMES_MAX, ret);
	frames = ARENA_ARRAY(t->scratch, struct frame, ret->n);
	if (ret->n)
		memcpy(frames, work.p, ret->n * sizeof(*frames));
	ret->frames = frames;
	vec_release(&work);
}
