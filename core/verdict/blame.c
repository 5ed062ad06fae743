/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A claim made of a report of the kernel's: who did what, where, because of what. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <string.h>

#include "core/linux/stack/stack.h"
#include "core/linux/stack/stack_walk.h"

#define STACK_SHOWN 6u
#define TRAIL_MAX 8u

/* What a report of each kind says that somebody did. */
static const char *const deeds[KINDS] = {
	[KIND_GPF] = "used a pointer that is no address (general protection fault)",
	[KIND_STACK_SEGMENT] = "used a stack pointer that is no address",
	[KIND_DIVIDE_ERROR] = "divided by zero, or overflowed a division",
	[KIND_INVALID_OPCODE] = "ran an invalid instruction",
	[KIND_INT3] = "ran into a breakpoint instruction",
	[KIND_DOUBLE_FAULT] = "took a fault while taking a fault",
	[KIND_TRAP] = "took a trap that the kernel did not expect",
	[KIND_REFCOUNT] = "found a reference count that had overflowed or was used after its end",
	[KIND_LIST_CORRUPTION] = "found a list that somebody had corrupted",
	[KIND_DEBUGOBJECTS] = "used an object against its life cycle",
	[KIND_USERCOPY] = "copied more than an object has to or from user space",
	[KIND_FORTIFY] = "wrote or read past the end of a buffer",
	[KIND_KASAN_UAF] = "used memory after it was freed",
	[KIND_KASAN_OOB] = "used memory out of its bounds",
	[KIND_KASAN_INVALID_FREE] = "freed memory that could not be freed",
	[KIND_KASAN_NULL] = "used a NULL pointer",
	[KIND_KASAN_WILD] = "used a wild pointer",
	[KIND_KMSAN] = "used memory that nothing had set",
	[KIND_KCSAN] = "raced for the same memory",
	[KIND_KFENCE] = "used memory against its bounds or its life",
	[KIND_UBSAN] = "did what the language leaves undefined",
	[KIND_LOCKDEP] = "took locks in an order that can deadlock",
	[KIND_SCHED_ATOMIC] = "went to sleep where sleeping is forbidden",
	[KIND_SLEEP_ATOMIC] = "called what may sleep where sleeping is forbidden",
	[KIND_RCU_STALL] = "kept RCU from a grace period",
	[KIND_SOFT_LOCKUP] = "kept its CPU without a pause",
	[KIND_HARD_LOCKUP] = "kept its CPU with interrupts off",
	[KIND_HUNG_TASK] = "waited, and what it waited for did not come,",
	[KIND_WORKQUEUE] = "kept a workqueue from its work",
	[KIND_NETDEV_WAIT] = "waited for a network device that somebody still refers to",
	[KIND_NETDEV_WATCHDOG] = "had a transmit queue that did not send",
	[KIND_KMEMLEAK] = "lost memory that nothing refers to",
	[KIND_SLAB] = "found a slab object that somebody had damaged",
	[KIND_STACK_OVERFLOW] = "used more stack than there is",
	[KIND_BAD_STATE] = "found memory in a state that it may not have",
	[KIND_MCE] = "met an error of the hardware",
	[KIND_SERROR] = "met an error of the hardware (SError)",
	[KIND_INTERNAL_ERROR] = "took an exception that the kernel did not expect",
	[KIND_UNDEFINED] = "ran an undefined instruction",
	[KIND_CFI] = "called a function of another type",
	[KIND_ALIGNMENT] = "used an address that is not aligned",
	[KIND_OOM] = "found no memory left",
	[KIND_PAGE_ALLOC] = "asked for memory that was not to be had",
	[KIND_IRQ] = "left an interrupt that nobody took",
	[KIND_FS_ERROR] = "found a file system damaged",
	[KIND_EDAC_CE] = "met errors of memory that the hardware corrected",
	[KIND_EDAC_UE] = "met an error of memory that nothing could correct",
	[KIND_NMI] = "met an NMI that nobody knew",
	[KIND_RUST] = "panicked in Rust code",
};

static const char *deed_of_access(struct triage *g, const struct report *r)
{
	const char *access = r->access ? r->access : "", *to;
	struct buf b = { 0 };

	if (r->kind == KIND_NULL_DEREF)
		to = !strcmp(access, "execute") ? "called a function through a NULL pointer"
		     : !strcmp(access, "write") ? "wrote through a NULL pointer"
		     : !strcmp(access, "read")  ? "read through a NULL pointer"
						: "used a NULL pointer";
	else
		to = !strcmp(access, "execute") ? "jumped to what is no code"
		     : !strcmp(access, "write") ? "wrote to an address that is not mapped so"
		     : !strcmp(access, "read")  ? "read from an address that is not mapped"
						: "used an address that is not mapped";
	buf_str(&b, to);
	if (r->has_address && (r->kind != KIND_NULL_DEREF || r->address)) {
		buf_printf(&b, ", 0x%" PRIx64, r->address);
		if (r->kind != KIND_NULL_DEREF) {
			size_t n = b.n;

			buf_str(&b, " (");
			if (address_meaning(r->address, r->arch, &b))
				buf_char(&b, ')');
			else
				buf_shrink(&b, n);
		}
	}
	to = arena_strndup(g->a, buf_text(&b), b.n);
	buf_release(&b);
	return to;
}

/* The function whose frame on the stack was found overwritten: "stack-protector: Kernel stack is
 * corrupted in: F+0x12/0x34". NULL: the report is of something else. */
static const char *smashed(struct triage *g, const struct report *r)
{
	static const char words[] = "Kernel stack is corrupted in: ";
	const char *p = r->panic      ? strstr(r->panic, words)
			: r->headline ? strstr(r->headline, words)
				      : NULL;

	if (!p)
		return NULL;
	p += sizeof(words) - 1;
	return arena_strndup(g->a, p, strcspn(p, "+ "));
}

static const char *deed(struct triage *g, const struct report *r)
{
	switch (r->kind) {
	case KIND_STACK_OVERFLOW:
		if (smashed(g, r))
			return "found its frame on the stack overwritten";
		return deeds[r->kind];
	case KIND_NULL_DEREF:
	case KIND_PAGE_FAULT:
		return deed_of_access(g, r);
	case KIND_BUG:
		return r->where ? arena_printf(g->a, "hit the BUG at %s", r->where) : "hit a BUG";
	case KIND_WARNING:
		return r->where ? arena_printf(g->a, "hit the warning at %s", r->where)
				: "hit a warning";
	case KIND_PANIC:
		if (g->death.way == WAY_HARDWARE)
			return deeds[KIND_MCE];
		return r->subject && *r->subject
			       ? arena_printf(g->a, "called panic(\"%s\")", r->subject)
			       : "called panic()";
	default:
		return deeds[r->kind] ? deeds[r->kind]
		       : r->headline  ? arena_printf(g->a, "met \"%s\"", r->headline)
				      : "met trouble";
	}
}

/* The first frame of the function that is to blame. */
static const struct report_frame *frame_of(const struct report *r, const char *function)
{
	struct arena *a = (struct arena *)&r->arena;

	for (size_t i = 0; function && i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->func && !strcmp(function_plain(a, f->func), function))
			return f;
	}
	return NULL;
}

static const char *subsystem_of(struct triage *g, const char *file)
{
	const char *slash = strrchr(file, '/'), *p = file;

	while (!strncmp(p, "./", 2))
		p += 2;
	return slash && slash > p && *p != '/' ? arena_strndup(g->a, p, (size_t)(slash - p)) : NULL;
}

/* Where the function stands in the source: the place of the function itself in the frame, not of
 * what was inlined into it. */
static void place_claim(struct triage *g, struct claim *c, const struct report_frame *f)
{
	c->module = f->module;
	if (f->n_places && f->places[f->n_places - 1].file) {
		const struct report_place *p = &f->places[f->n_places - 1];

		c->place = arena_printf(g->a, "%s:%u", p->file, p->line);
		c->subsystem = subsystem_of(g, p->file);
	} else if (f->src_file) {
		c->place = arena_printf(g->a, "%s:%u", f->src_file, f->src_line);
		c->subsystem = subsystem_of(g, f->src_file);
	}
}

/* "read < vfs_read < ksys_read": the functions of the report's own trace. */
static const char *stack_of_report(struct triage *g, const struct report *r)
{
	const char *last = NULL;
	struct buf b = { 0 };
	unsigned n = 0;

	for (size_t i = 0; i < r->frames.n && n < STACK_SHOWN; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (!f->func || !f->reliable || f->duplicate || f->role != TRACE_MAIN ||
		    (last && !strcmp(last, f->func)) ||
		    (!n && function_class(f->func) == FUNC_REPORT))
			continue;
		buf_printf(&b, "%s%s", n++ ? " < " : "", f->func);
		last = f->func;
	}
	last = n ? arena_strndup(g->a, buf_text(&b), b.n) : NULL;
	buf_release(&b);
	return last;
}

/* What led to it, for whoever compares it with others. */
static void trail_of_report(struct triage *g, struct claim *c, struct report *r)
{
	const char *names[TRAIL_MAX];
	const struct report_frame *guilty = report_guilty(r);
	size_t n = report_trail(r, guilty, names, TRAIL_MAX, &c->trail_whole);
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? " < " : "", names[i]);
	c->trail = n ? arena_strndup(g->a, buf_text(&b), b.n) : NULL;
	buf_release(&b);
}

static bool sleeps_in(const char *plain)
{
	enum function_class class = function_class(plain);

	return class == FUNC_WAIT || class == FUNC_LOCK || !strcmp(plain, "__switch_to");
}

/* "read < vfs_read < ksys_read": the functions from a frame on. */
static const char *words_of_frames(struct triage *g, const struct unwind_result *u, size_t first,
				   bool sleeps)
{
	struct buf b = { 0 };
	unsigned n = 0;
	const char *s;

	for (size_t i = first; i < u->n && n < STACK_SHOWN; i++) {
		struct symbol sym;
		uint64_t off;
		struct err err;

		if (!u->frames[i].sure ||
		    !symbol_at(g->t, frame_lookup_pc(&u->frames[i]), &sym, &off, &err))
			continue;
		/* how a task goes to sleep is the same each time */
		if (!n && sleeps && sleeps_in(function_plain(g->a, sym.name)))
			continue;
		buf_printf(&b, "%s%s", n++ ? " < " : "", sym.name);
	}
	s = n ? arena_strndup(g->a, buf_text(&b), b.n) : NULL;
	buf_release(&b);
	return s;
}

const char *stack_words(struct triage *g, const struct task *task)
{
	struct walk_style style = { .scan = false };
	struct unwind_result u;

	task_backtrace(g->t, task, &style, &u);
	return words_of_frames(g, &u, stack_death(g->t, &u), !task->active);
}

/* The frame that the watchdog, or whatever stopped the CPU, interrupted; 0: nothing did. */
static size_t interrupted(const struct unwind_result *u)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->frames[i].has_regs)
			return i + 1;
	return 0;
}

/* Is a function to blame for what a task keeps doing in it? Helpers that anybody calls, and what
 * calls whatever it is told to, are not. */
static bool can_be_guilty(const char *plain)
{
	switch (function_class(plain)) {
	case FUNC_PLAIN:
	case FUNC_PLUMBER:
	case FUNC_CORE:
		return true;
	default:
		return false;
	}
}

void blame_runner(struct triage *g, struct claim *c, const struct task *task)
{
	struct walk_style style = { .scan = false };
	struct unwind_result u;
	size_t first;

	task_backtrace(g->t, task, &style, &u);
	first = interrupted(&u);
	/* a program's own code is none of the kernel's */
	if (first && u.frames[first - 1].user)
		return;
	c->stack = words_of_frames(g, &u, first, false);
	for (size_t i = first; i < u.n && !u.frames[i].has_regs; i++) {
		const struct line *lines;
		struct symbol sym;
		struct err ignored;
		uint64_t off, pc = frame_lookup_pc(&u.frames[i]);
		size_t n;

		if (!u.frames[i].sure || !symbol_at(g->t, pc, &sym, &off, &ignored) ||
		    !can_be_guilty(function_plain(g->a, sym.name)))
			continue;
		c->function = sym.name;
		c->module = sym.module;
		if (!line_find(g->t, pc, &lines, &n, &ignored) || !n || !lines[n - 1].file)
			return;
		c->place = arena_printf(g->a, "%s:%u", lines[n - 1].file, lines[n - 1].line);
		c->subsystem = subsystem_of(g, lines[n - 1].file);
		return;
	}
}

/* In what the CPU was when it happened: the program counter stands in front of the trace, which
 * alone says so. */
static enum frame_where where_of(const struct report *r, const struct report_frame *f)
{
	for (size_t i = 0; f && f->pc && i < r->frames.n; i++)
		if (!r->frames.p[i].pc && r->frames.p[i].role == TRACE_MAIN &&
		    r->frames.p[i].reliable && r->frames.p[i].where != WHERE_EXCEPTION)
			return r->frames.p[i].where;
	return f ? f->where : WHERE_TASK;
}

/* In an interrupt the task that ran is a bystander. */
static const char *actor(struct triage *g, const struct report *r, const struct report_frame *f)
{
	const char *cpu = r->has_cpu ? arena_printf(g->a, " on CPU %" PRId64, r->cpu) : "";
	enum frame_where where = where_of(r, f);

	static const char *const contexts[] = { [WHERE_IRQ] = "an interrupt",
						[WHERE_SOFTIRQ] = "a soft interrupt",
						[WHERE_NMI] = "an NMI" };
	const char *task =
		r->comm || r->has_pid ? who(g, r->comm, r->has_pid ? (int)r->pid : -1) : NULL;

	if (where < ARRAY_SIZE(contexts) && contexts[where])
		return task ? arena_printf(g->a, "%s%s, while %s ran,", contexts[where], cpu, task)
			    : arena_printf(g->a, "%s%s", contexts[where], cpu);
	return arena_printf(g->a, "%s%s", task ? task : "the kernel", cpu);
}

static const char *sentence(struct triage *g, const struct report *r, const struct claim *c,
			    const struct report_frame *f)
{
	struct buf b = { 0 };
	const char *s;
	uint64_t at;

	buf_printf(&b, "%s %s", actor(g, r, f), deed(g, r));
	if (c->function) {
		buf_printf(&b, " in %s", c->function);
		if (f && f->has_off)
			buf_printf(&b, "+0x%" PRIx64, f->off);
		if (c->place || c->module)
			buf_printf(&b, " (%s%s%s%s)", c->place ? c->place : "",
				   c->place && c->module ? ", " : "", c->module ? "module " : "",
				   c->module ? c->module : "");
	} else if (b.n && b.s[b.n - 1] == ',')
		buf_shrink(&b, b.n - 1);
	if (r->member)
		buf_printf(&b, " (%s)", r->member);
	if (report_time(r, &at))
		buf_printf(&b, ", %s after boot", span_words(g, at));
	s = arena_strndup(g->a, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

/* Does a report tell of the first exception of the kernel? */
static bool has_first(const struct triage *g)
{
	for (size_t i = 0; i < g->reports.n; i++)
		if (g->reports.p[i]->oops_number == 1)
			return true;
	return false;
}

/* Two sources that do not depend on each other: the text, and the registers or the panic task that
 * the dump holds. */
static void weigh(struct triage *g, struct claim *c, const struct report *r)
{
	const struct death *d = &g->death;

	if (r->damaged) {
		c->sure = SURE_POSSIBLE;
		c->why_sure = arena_printf(g->a, "the report is damaged: %s",
					   r->damage ? r->damage : "in a way not known");
	} else if (r->oops_number > 1 && report_ends_task(r) && !has_first(g)) {
		c->sure = SURE_POSSIBLE;
		c->why_sure =
			arena_printf(g->a,
				     "it is exception %u of this kernel, and the first, which it "
				     "may follow from, is not told of",
				     r->oops_number);
	} else if (!c->function) {
		c->sure = SURE_LIKELY;
		c->why_sure = "the report says what, and no function in it is to blame";
	} else if (d->task_recorded && r->has_pid && d->pid == r->pid && r->has_cpu &&
		   d->cpu == r->cpu) {
		c->sure = SURE_CERTAIN;
		c->why_sure = "the report and the task that panicked agree";
	} else {
		c->sure = SURE_LIKELY;
		c->why_sure = "the report says so, and nothing else confirms it";
	}
}

/* Is the report's own trace that of the thread that ends RCU's grace periods? */
static bool watches_rcu(const struct report *r)
{
	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].func && r->frames.p[i].role == TRACE_MAIN &&
		    !strncmp(r->frames.p[i].func, "rcu_gp_", 7))
			return true;
	return false;
}

/* Did a watchdog find that a CPU with nothing to do had not run for long? Whoever has the machine
 * below, as a hypervisor, took the time, or the clock jumped. */
static bool was_idle(const struct report *r)
{
	return r->has_pid && !r->pid && r->idle;
}

/* Is the function that the report would blame only where something was noticed? An error of the
 * hardware is nobody's, RCU's thread tells of the others that it waits for, and how a task goes to
 * sleep says nothing of what it waits for. */
static bool only_noticed(const struct triage *g, const struct report *r)
{
	switch (r->kind) {
	case KIND_PANIC:
		return g->death.way == WAY_HARDWARE;
	case KIND_MCE:
	case KIND_SERROR:
		return true;
	case KIND_RCU_STALL:
		return watches_rcu(r) && (!r->function || function_class(r->function) == FUNC_WAIT);
	case KIND_SOFT_LOCKUP:
		return was_idle(r);
	case KIND_HUNG_TASK:
		return r->function && function_class(r->function) == FUNC_WAIT;
	default:
		return false;
	}
}

static void rival_of(struct triage *g, struct claim *c, const struct report *r)
{
	if (!c->function && r->function && r->kind != KIND_HUNG_TASK) {
		c->rival = arena_printf(g->a, "%s, where it was noticed", r->function);
		return;
	}
	if (c->function && r->pc_function && strcmp(c->function, r->pc_function) != 0)
		c->rival = arena_printf(g->a, "%s, where it happened", r->pc_function);
}

/* What reached for an address that a module left behind is where it was noticed. */
static void blame_unloaded(struct triage *g, struct claim *c, const struct report *r,
			   const struct report_frame *f, const char *module)
{
	c->rival = c->function ? arena_printf(g->a, "%s, where it was noticed", c->function) : NULL;
	c->function = c->place = c->subsystem = NULL;
	c->module = module;
	c->sentence = arena_printf(g->a, "%s, which had been a module's: %s was unloaded last",
				   sentence(g, r, c, f), module);
	c->sure = SURE_LIKELY;
	c->why_sure = "the address is one of modules, and no module is there any more; which one "
		      "was, only the order of unloading tells";
}

/* The task that the report is about is a bystander: it waits for the others, or is that of a CPU
 * with nothing to do. */
static void blame_nobody(struct triage *g, struct claim *c, const struct report *r)
{
	if (r->kind == KIND_RCU_STALL) {
		c->cpu = -1;
		c->sentence = arena_strdup(
			g->a, "a grace period of RCU did not end: its own thread was not let to "
			      "run, or not woken, and what kept it from that is not told");
	} else {
		c->sentence = arena_printf(
			g->a,
			"CPU %d had nothing to do, and yet did not run for long: a hypervisor took "
			"the time, or the clock jumped",
			c->cpu);
		c->rival = NULL;
	}
	c->pid = -1;
	c->comm = NULL;
}

struct claim *claim_of_report(struct triage *g, struct report *r)
{
	struct claim *c = claim_new(g, report_kind_name(r->kind), SURE_LIKELY, "");
	const char *unloaded = report_unloaded(g, r), *smash = smashed(g, r);
	const struct report_frame *f;

	c->report = r;
	c->pid = r->has_pid ? (int)r->pid : -1;
	c->cpu = r->has_cpu ? (int)r->cpu : -1;
	c->comm = r->comm;
	/* an address where there was no name */
	c->function = smash && *smash > '9' ? smash : only_noticed(g, r) ? NULL : r->function;
	c->title = r->title;
	c->signature = r->signature;
	f = frame_of(r, c->function);
	if (f)
		place_claim(g, c, f);
	if (r->kind == KIND_PANIC && only_noticed(g, r))
		c->kind = death_way_name(WAY_HARDWARE);
	c->stack = stack_of_report(g, r);
	trail_of_report(g, c, r);
	c->sentence = sentence(g, r, c, f);
	rival_of(g, c, r);
	if ((r->kind == KIND_RCU_STALL || r->kind == KIND_SOFT_LOCKUP) && only_noticed(g, r))
		blame_nobody(g, c, r);
	weigh(g, c, r);
	claim_headline(g, c, r);
	if (unloaded)
		blame_unloaded(g, c, r, f, unloaded);
	return c;
}
