/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack of a program: by the frame tables of its files, by frame pointers, and at last by what
 * may be return addresses. */
#include <string.h>

#include "core/base/guard.h"
#include "core/dwarf/dwarf_cfi.h"
#include "core/linux/arch.h"
#include "core/linux/program/program_impl.h"

#define SCAN_BYTES 65536u /* of the stack that are looked at for return addresses */
#define SCAN_FRAMES 32u
#define CALL_BYTES_MAX 16u

struct program_walk {
	struct user_program *p;
	struct program_stack *ret;
	struct program_frame *frames;
	size_t max;
	struct regs regs; /* of the frame that was found last */
	uint64_t low;     /* what its callers have on the stack lies from here on */
	bool exact;       /* its pc is where the program stopped, not a return address */
	bool sure;
};

static uint64_t reg(const struct program_walk *w, unsigned n)
{
	uint64_t v;

	return regs_get(&w->regs, n, &v) ? v : 0;
}

/* Return addresses may be signed in the bits that addresses do not use, or say in one of those that
 * they do what kind of code is there. */
static uint64_t plain_pc(const struct program_walk *w, uint64_t pc)
{
	uint64_t last = w->p->space.end - 1;
	const struct arch *arch = w->p->t->arch;

	if (!arch->signs_returns)
		return arch->word == 4 && arch->strip_pac ? arch->strip_pac(NULL, pc) : pc;
	for (unsigned i = 1; i < 64; i *= 2)
		last |= last >> i;
	return pc & last;
}

enum call_before {
	CALL_NONE,   /* it is no return address */
	CALL_UNSEEN, /* the code is not in the dump */
	CALL_SEEN
};

static enum call_before call_before(struct program_walk *w, uint64_t pc)
{
	const struct arch *arch = w->p->t->arch;
	const struct vma *area = program_area_at(w->p, pc);
	uint8_t code[CALL_BYTES_MAX];
	unsigned n = arch->call_bytes;
	struct err ignored;

	if (!area || area->perms[2] != 'x' || pc - area->start < n || n > sizeof(code))
		return CALL_NONE;
	if (!user_read(&w->p->space, pc - n, code, n, &ignored))
		return CALL_UNSEEN;
	return arch->call_before(SPAN(code, n), pc) ? CALL_SEEN : CALL_NONE;
}

/* What a signal's handler returns to, if that is at pc. */
static const struct signal_return *signal_return_at(struct program_walk *w, uint64_t pc)
{
	const struct linux_arch *arch = linux_arch_of(w->p->t->arch);
	const struct vma *area = program_area_at(w->p, pc);

	for (size_t i = 0; area && area->perms[2] == 'x' && i < arch->n_signal_returns; i++) {
		const struct signal_return *s = &arch->signal_returns[i];
		uint8_t code[SIGNAL_CODE_MAX];
		struct err ignored;

		if (user_read(&w->p->space, pc, code, s->n, &ignored) &&
		    !memcmp(code, s->code, s->n))
			return s;
	}
	return NULL;
}

static void add_frame(struct program_walk *w, const char *how, bool sure, uint64_t pc, uint64_t sp)
{
	const struct vma *area = program_area_at(w->p, pc);
	struct program_frame *f = &w->frames[w->ret->n++];

	*f = (struct program_frame){ .pc = pc, .sp = sp, .how = how, .sure = sure };
	if (!area)
		return;
	f->file = area->name;
	f->has_offset = area->file != 0;
	f->offset = pc - area->start + area->offset;
}

static bool word_at(struct program_walk *w, uint64_t at, uint64_t *ret, struct err *err)
{
	unsigned n = w->p->t->arch->word;
	uint8_t bytes[8];

	if (!user_read(&w->p->space, at, bytes, n, err))
		return err_wrap(err, "stack");
	*ret = target_uint(w->p->t, bytes, n);
	return true;
}

/* ---- by tables */

/* The caller's value of a register. False: it is not known. */
static bool by_rule(struct program_walk *w, const struct cfi_rule *rule, unsigned n, uint64_t cfa,
		    uint64_t *ret)
{
	const struct arch *arch = w->p->t->arch;
	struct err ignored;

	switch (rule->how) {
	case CFI_UNSET:
		/* a return address that was not moved is where the call left it */
		return (arch->callee_saved >> n & 1 || (!arch->call_pushes && w->exact)) &&
		       regs_get(&w->regs, n, ret);
	case CFI_SAME:
		return regs_get(&w->regs, n, ret);
	case CFI_AT:
		return word_at(w, cfa + (uint64_t)rule->n, ret, &ignored);
	case CFI_IS:
		*ret = cfa + (uint64_t)rule->n;
		return true;
	case CFI_REGISTER:
		return regs_get(&w->regs, (unsigned)rule->n, ret);
	default:
		return false;
	}
}

enum walk_on {
	WALK_ON,
	WALK_DONE,
	WALK_NOT, /* this way finds nothing */
	WALK_LOST /* and no other one may be tried */
};

/* The stack pointer before the call. Where a frame pointer led here and tells nothing of the stack
 * pointer, as on arm64, it is known by where the function has saved its caller's frame pointer. */
static bool find_cfa(const struct program_walk *w, const struct cfi_rules *r, uint64_t *ret,
		     struct err *err)
{
	const struct arch *arch = w->p->t->arch;
	uint64_t base;

	if (r->cfa.how != CFI_REGISTER)
		return err_set(err, ERR_UNSUPPORTED, "a frame that only an expression describes");
	if (regs_get(&w->regs, arch_dwarf_slot(arch, r->reg), &base))
		*ret = base + (uint64_t)r->cfa.n;
	else if (!w->exact && r->of[arch->fp].how == CFI_AT && regs_get(&w->regs, arch->fp, &base))
		*ret = base - (uint64_t)r->of[arch->fp].n;
	else
		return err_set(err, ERR_NOTFOUND, "a frame whose place is not known");
	return true;
}

static enum walk_on step_tables(struct program_walk *w, struct err *err)
{
	const struct arch *arch = w->p->t->arch;
	uint64_t pc = reg(w, arch->pc) - !w->exact, cfa = 0, ra = 0;
	const struct vma *area = program_area_at(w->p, pc);
	struct regs next = { .have = 0 };
	enum call_before call;
	struct cfi_rules r;
	bool proven;

	if (!area)
		return err_set_addr(err, ERR_BADADDR, pc, "0x%llx is in no area of the program",
				    (unsigned long long)pc),
		       WALK_NOT;
	if (!program_rules(w->p, area, pc, &r, &proven, err))
		return WALK_NOT;
	if (r.of[r.ra].how == CFI_LOST)
		return WALK_DONE;
	if (!find_cfa(w, &r, &cfa, err))
		return WALK_NOT;
	for (unsigned i = 0; i < CFI_REGS; i++) {
		uint64_t v;

		if (i != arch->sp && by_rule(w, &r.of[i], i, cfa, &v))
			regs_set(&next, i, v);
	}
	if (!by_rule(w, &r.of[r.ra], r.ra, cfa, &ra))
		return err_set(err, ERR_NOTFOUND, "a return address that is not known"), WALK_NOT;
	ra = plain_pc(w, ra);
	call = call_before(w, ra);
	if (cfa < w->low || (cfa == w->low && !w->exact) ||
	    (call == CALL_NONE && !r.signal && !signal_return_at(w, ra)))
		return err_set_addr(err, ERR_CORRUPT, ra, "0x%llx is no return address",
				    (unsigned long long)ra),
		       WALK_NOT;
	regs_set(&next, arch->pc, ra);
	regs_set(&next, arch->sp, cfa);
	w->regs = next;
	w->low = cfa;
	w->exact = r.signal;
	w->sure = w->sure && proven && call != CALL_UNSEEN;
	add_frame(w, "cfi", w->sure, ra, cfa);
	return WALK_ON;
}

/* ---- by frame pointers: arm64's calling convention has them, and so has x86 where a program was
 * built for it: then the caller's frame pointer lies below the return address, too */

/* A function that calls none leaves the return address in a register. */
static void guess_link(struct program_walk *w, uint64_t saved)
{
	const struct arch *arch = w->p->t->arch;
	uint64_t pc;

	if (!w->exact || !arch->link || w->ret->n >= w->max)
		return;
	pc = plain_pc(w, reg(w, arch->link));
	if (pc != saved && call_before(w, pc) == CALL_SEEN)
		add_frame(w, "lr", false, pc, reg(w, arch->sp));
}

static enum walk_on step_pointer(struct program_walk *w, struct err *err)
{
	const struct arch *arch = w->p->t->arch;
	uint64_t fp = reg(w, arch->fp), next, pc;
	const struct vma *stack = program_area_at(w->p, w->low);

	if (!(arch->frame_records || arch->call_pushes) || !stack || fp < w->low ||
	    fp % arch->word || fp >= stack->end)
		return err_set_addr(err, ERR_NOTFOUND, fp, "0x%llx is no frame pointer",
				    (unsigned long long)fp),
		       WALK_NOT;
	if (!word_at(w, fp, &next, err) || !word_at(w, fp + arch->word, &pc, err))
		return WALK_NOT;
	pc = plain_pc(w, pc);
	if (!next && !pc)
		return WALK_DONE;
	if ((call_before(w, pc) != CALL_SEEN && !signal_return_at(w, pc)) || (next && next <= fp))
		return err_set_addr(err, ERR_NOTFOUND, pc, "0x%llx is no return address",
				    (unsigned long long)pc),
		       WALK_NOT;
	guess_link(w, pc);
	if (w->ret->n >= w->max)
		return WALK_ON;
	w->regs = (struct regs){ .have = 0 };
	regs_set(&w->regs, arch->pc, pc);
	regs_set(&w->regs, arch->fp, next);
	w->low = fp + 2 * arch->word;
	if (arch->call_pushes) /* the record is the last that a function puts on the stack */
		regs_set(&w->regs, arch->sp, w->low);
	w->exact = false;
	add_frame(w, "fp", w->sure, pc, fp);
	return WALK_ON;
}

/* ---- by what the kernel saved before it called a signal's handler */

static enum walk_on step_signal(struct program_walk *w, struct err *err)
{
	const struct linux_arch *arch = linux_arch_of(w->p->t->arch);
	const struct arch *of = w->p->t->arch;
	const struct signal_return *s = w->exact ? NULL : signal_return_at(w, reg(w, of->pc));
	struct regs next = { .have = 0 };
	uint64_t sp, pc, v;

	if (!s)
		return WALK_NOT;
	if (!regs_get(&w->regs, of->sp, &sp)) {
		/* on arm64 the kernel leaves a frame record, whose return address may be an old one
		 */
		w->sure = false;
		return WALK_NOT;
	}
	for (size_t i = 0; i < arch->n_signal_regs; i++) {
		if (!word_at(w, sp + s->regs + i * of->word, &v, err))
			return WALK_LOST;
		regs_set(&next, arch->signal_regs[i], v);
	}
	pc = plain_pc(w, regs_get(&next, of->pc, &v) ? v : 0);
	if (!program_area_at(w->p, pc) || !regs_get(&next, of->sp, &sp))
		return err_set_addr(err, ERR_CORRUPT, pc,
				    "a signal that interrupted 0x%llx, which is nowhere",
				    (unsigned long long)pc),
		       WALK_LOST;
	regs_set(&next, of->pc, pc);
	w->regs = next;
	w->low = sp; /* which may be another stack */
	w->exact = true;
	add_frame(w, "signal", w->sure, pc, sp);
	return WALK_ON;
}

/* ---- by what lies there */

static bool on_page(const struct user_page *page, void *arg)
{
	*(struct user_page *)arg = *page;
	return false;
}

/* Was the page at `at` of an area without a file never touched? Then nothing lies there. The kernel
 * may begin a stack a page or two below the arguments. Sets *next to what follows. */
static bool untouched(struct program_walk *w, const struct vma *area, uint64_t at, uint64_t *next)
{
	struct user_page page = { 0 };
	struct err ignored;

	if (area->file || !user_pages(&w->p->space, at, area->end, on_page, &page, &ignored) ||
	    page.state != USER_NONE)
		return false;
	*next = page.va + page.size;
	return *next > at;
}

static void scan(struct program_walk *w)
{
	const struct arch *arch = w->p->t->arch;
	uint64_t sp = w->low & ~(uint64_t)(arch->word - 1), word, next;
	const struct vma *stack = program_area_at(w->p, sp);
	size_t found = 0;
	struct err why;

	for (uint64_t at = sp; stack && at < stack->end && at - sp < SCAN_BYTES &&
			       found < SCAN_FRAMES && w->ret->n < w->max;
	     at += arch->word) {
		if (!interrupt_check(&why) || !word_at(w, at, &word, &why)) {
			if (why.code == ERR_UNMAPPED && untouched(w, stack, at, &next)) {
				at = next - arch->word;
				continue;
			}
			w->ret->end = why;
			return;
		}
		word = plain_pc(w, word);
		if (call_before(w, word) != CALL_SEEN)
			continue;
		add_frame(w, "scan", false, word, at);
		found++;
	}
}

void program_unwind(struct user_program *p, const struct regs *regs, size_t max,
		    struct program_stack *ret)
{
	const struct arch *arch = p->t->arch;
	struct program_walk w = { .p = p, .ret = ret, .regs = *regs, .exact = true, .sure = true };
	enum walk_on on = WALK_ON;
	struct err why;

	*ret = (struct program_stack){ 0 };
	w.max = !max || max > PROGRAM_FRAMES_MAX ? PROGRAM_FRAMES_MAX : max;
	ret->frames = w.frames = ARENA_ARRAY(p->arena, struct program_frame, w.max + 1);
	w.low = reg(&w, arch->sp);
	add_frame(&w, "regs", true, reg(&w, arch->pc), reg(&w, arch->sp));
	while (on == WALK_ON && ret->n < w.max && interrupt_check(&ret->end)) {
		on = step_signal(&w, &ret->end);
		if (on == WALK_NOT)
			on = step_tables(&w, &why);
		if (on != WALK_NOT) /* the others are for what has no tables */
			continue;
		if (p->sysroot && ret->file.code == ERR_OK)
			ret->file = why;
		on = step_pointer(&w, &ret->end);
	}
	ret->complete = on == WALK_DONE;
	if (on == WALK_NOT || on == WALK_LOST) {
		guess_link(&w, 0);
		scan(&w);
	}
}
