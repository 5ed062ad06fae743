/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom to blame: the first function that does something of its own, by what kind of report it is.
 */
#include <string.h>

#include "core/base/number.h"
#include "core/report/report.h"

/* How far a function can be the one to blame, as far as this kind of report is concerned. */
enum guilt {
	GUILT_NONE,
	GUILT_CARRIER, /* carries the work of others: to blame where nobody else is */
	GUILT_OWN,     /* does something of its own */
	GUILT_END      /* calls the function of somebody: behind it nobody is to blame */
};

static const char *plain_of(struct report *r, const struct report_frame *f)
{
	return function_plain(&r->arena, f->func);
}

enum function_class frame_class(struct report *r, const struct report_frame *f)
{
	enum function_class class = function_class(plain_of(r, f));

	/* Of what the classes are made of only libraries and the cores of buses can be modules:
	 * another module's function merely has such a name. */
	if (f->module && class != FUNC_HELPER && class != FUNC_PLUMBER)
		return FUNC_PLAIN;
	return class;
}

static bool begins_with_one_of(const char *name, const char *const *beginnings, size_t n)
{
	for (size_t i = 0; name && i < n; i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* Is it where a task was left that does not run, or whose registers nobody could ask for? Each task
 * that hangs is in the scheduler, and each that slept where it must not is in what sleeps. */
static bool is_left(struct report *r, const struct report_frame *f)
{
	static const char *const scheduler[] = { "schedule", "__schedule", "io_schedule" };
	enum function_class class = frame_class(r, f);
	const char *name = plain_of(r, f);

	return !f->pc &&
	       (!strcmp(name, "__switch_to") ||
		(r->kind == KIND_HUNG_TASK &&
		 begins_with_one_of(name, scheduler, ARRAY_SIZE(scheduler))) ||
		(r->kind == KIND_SCHED_ATOMIC && (class == FUNC_WAIT || class == FUNC_IDLE)));
}

static enum guilt guilt_of(struct report *r, const struct report_frame *f)
{
	/* who asked for memory that nobody gave back is not what hands it out */
	if (r->kind == KIND_KMEMLEAK && (strstr(f->func, "alloc") || strstr(f->func, "dup")))
		return GUILT_CARRIER;
	switch (frame_class(r, f)) {
	case FUNC_PLAIN:
	case FUNC_GATE:
		return GUILT_OWN;
	case FUNC_CORE:
		/* it takes the lock of a device for others */
		return r->kind == KIND_HUNG_TASK ? GUILT_NONE : GUILT_CARRIER;
	case FUNC_PLUMBER:
		/* who waits for a thread to end tells more than what wanted it to */
		return r->kind == KIND_HUNG_TASK ? GUILT_OWN : GUILT_CARRIER;
	case FUNC_WAIT:
		return r->kind == KIND_HUNG_TASK || is_left(r, f) ? GUILT_NONE : GUILT_CARRIER;
	case FUNC_ENTRY:
	case FUNC_DISPATCH:
		return GUILT_END;
	default:
		return GUILT_NONE;
	}
}

/* Is the frame certain, or one of guesses that are all there is? */
static bool sure(const struct report *r, const struct report_frame *f)
{
	return f->reliable || r->guessed;
}

/* The way in is certain to be known, and tells nothing. */
static bool all_guessed(struct report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN || !f->func)
			continue;
		if (f->reliable && (f->pc || frame_class(r, f) != FUNC_ENTRY))
			return false;
		any |= !f->reliable;
	}
	return any;
}

bool frame_counts(const struct report *r, const struct report_frame *f)
{
	/* a return address at a function's start is of a call that never returns, at the end of the
	 * function before it, whose name the text does not say */
	bool before = f->has_off && !f->off && !f->exact;
	/* and a guess at a function's end is a pointer to the function behind it */
	bool behind = !f->reliable && f->size && f->off == f->size;

	if (behind)
		return false;
	return f->func && sure(r, f) && !f->duplicate && !f->src_inlined && !before;
}

/* An exception's way in, behind which stands the code that brought it about. */
static bool is_fault(const struct report_frame *f)
{
	static const char *const names[] = { "asm_exc_", "page_fault", "async_page_fault",
					     "el1_sync", "el1h_64_sync" };

	return begins_with_one_of(f->func, names, ARRAY_SIZE(names));
}

const struct report_frame *report_first_own(struct report *r, size_t from, enum trace_role role)
{
	const struct report_frame *carrier = NULL;

	for (size_t i = from; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];
		enum guilt guilt;

		if (f->role != role || !frame_counts(r, f))
			continue;
		guilt = guilt_of(r, f);
		if (guilt == GUILT_OWN)
			return f;
		if (guilt == GUILT_CARRIER && !carrier)
			carrier = f;
		if (guilt == GUILT_END && carrier)
			break;
	}
	return carrier;
}

/* ---- what does not end */

/* The function that a way in called, of what the interrupt in frames [from, to) came to: stable
 * while its callees change. */
static const struct report_frame *anchor_frame(struct report *r, size_t from, size_t to,
					       bool interrupted)
{
	const struct report_frame *last = NULL, *carrier = NULL;
	size_t start = from;

	while (start < to &&
	       !(sure(r, &r->frames.p[start]) && frame_is_interrupt(&r->frames.p[start])))
		start++;
	if (start == to && interrupted)
		return NULL;
	for (size_t i = start == to ? from : start + 1; i < to; i++) {
		const struct report_frame *f = &r->frames.p[i];
		enum function_class class;
		enum guilt guilt;

		if (!f->func || !sure(r, f))
			continue;
		if (is_fault(f)) {
			last = carrier = NULL;
			continue;
		}
		/* the way in may be several functions */
		if (!frame_counts(r, f) || (!last && !carrier && frame_is_interrupt(f)))
			continue;
		class = frame_class(r, f);
		guilt = guilt_of(r, f);
		if (guilt == GUILT_END || class == FUNC_IDLE || (class == FUNC_GATE && last))
			break;
		if (guilt == GUILT_OWN)
			last = f;
		if (guilt == GUILT_CARRIER && !carrier)
			carrier = f;
	}
	return last ? last : carrier;
}

/* Is that trace of the thread that watches over RCU's grace periods, which is never the one that
 * holds them up? */
static bool watches_rcu(const struct report *r, size_t from, size_t to)
{
	static const char *const names[] = { "rcu_gp_kthread", "rcu_gp_fqs_loop", "rcu_exp_gp" };

	for (size_t i = from; i < to; i++)
		if (begins_with_one_of(r->frames.p[i].func, names, ARRAY_SIZE(names)))
			return true;
	return false;
}

/* Is what the watchdog's interrupt came to behind the end of the text? */
static bool ends_in_watchdog(struct report *r)
{
	static const char *const names[] = { "watchdog_timer_fn", "watchdog_overflow_callback" };
	const struct report_frame *watchdog = NULL;

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN || !f->func || !sure(r, f))
			continue;
		if (frame_is_interrupt(f) || (watchdog && f->where != watchdog->where))
			return false;
		if (begins_with_one_of(plain_of(r, f), names, ARRAY_SIZE(names)))
			watchdog = f;
	}
	return watchdog && r->pc < 0;
}

/* Trace by trace: the first that shows work; before all others those that an interrupt was in. */
static const struct report_frame *stalled(struct report *r, bool interrupted)
{
	for (size_t i = 0; i < r->frames.n;) {
		size_t end = i;
		const struct report_frame *f;

		while (end < r->frames.n && r->frames.p[end].trace == r->frames.p[i].trace)
			end++;
		if (r->frames.p[i].role == TRACE_MAIN && !watches_rcu(r, i, end) &&
		    (f = anchor_frame(r, i, end, interrupted)))
			return f;
		i = end;
	}
	return interrupted ? stalled(r, false) : NULL;
}

/* Does a trace show a CPU that an interrupt found idle, while none shows anybody at work? */
static bool idles(struct report *r)
{
	const struct report_frame *idle = NULL;

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN || !frame_counts(r, f) ||
		    (idle && idle->trace == f->trace))
			continue;
		if (guilt_of(r, f) == GUILT_OWN)
			return false;
		if (frame_class(r, f) == FUNC_IDLE)
			idle = f;
	}
	return idle;
}

/* Are all traces of the thread that watches over grace periods? */
static bool only_watches(const struct report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->frames.n;) {
		size_t end = i;

		while (end < r->frames.n && r->frames.p[end].trace == r->frames.p[i].trace)
			end++;
		if (r->frames.p[i].role == TRACE_MAIN && !watches_rcu(r, i, end))
			return false;
		any |= r->frames.p[i].role == TRACE_MAIN;
		i = end;
	}
	return any;
}

static const struct report_frame *named_frame(struct report *r, const char *name)
{
	for (size_t i = 0; name && i < r->frames.n; i++)
		if (r->frames.p[i].func && !r->frames.p[i].src_inlined &&
		    sure(r, &r->frames.p[i]) && r->frames.p[i].role == TRACE_MAIN &&
		    !strcmp(r->frames.p[i].func, name))
			return &r->frames.p[i];
	return NULL;
}

/* "HARDIRQ-safe -> HARDIRQ-unsafe lock order detected": the lock that is safe is taken in the trace
 * that stands first, and that is where interrupts come in. */
static bool is_irq_order(const struct report *r)
{
	return r->kind == KIND_LOCKDEP && r->headline && strstr(r->headline, "-safe -> ");
}

/* "#0: ... at: f+0x1/0x2": who took the lock that the task still has. */
static const char *left_with(struct report *r)
{
	if (r->kind != KIND_LOCKDEP || !r->headline)
		return NULL;
	if (!strstr(r->headline, "still has locks") && !strstr(r->headline, "when returning"))
		return NULL;
	for (size_t i = 0; i < r->n_locks; i++) {
		const char *at = strstr(r->locks[i], "at: "),
			   *address = at ? strstr(at, ">] ") : NULL;

		if (!at)
			continue;
		at = address ? address + 3 : at + 4;
		return arena_strndup(&r->arena, at, strcspn(at, "+ /"));
	}
	return NULL;
}

/* Is a function of that class somebody who took a lock, and not what took it for him? */
static bool took_it(enum function_class class)
{
	return class != FUNC_LOCK && class != FUNC_HELPER && class != FUNC_REPORT;
}

static bool has_main(const struct report *r)
{
	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].role == TRACE_MAIN)
			return true;
	return false;
}

const char *report_named(struct report *r)
{
	const char *left = left_with(r), *name = left;
	enum function_class class;

	if (is_irq_order(r))
		return NULL;
	if (!name)
		name = r->named;
	for (size_t i = 0; r->kind == KIND_LOCKDEP && !name && i < r->chain.n; i++)
		if (r->chain.p[i].role == LOCK_WANTED)
			name = r->chain.p[i].by;
	if (!name)
		return NULL;
	/* a check takes the lock that a fault would take: where no trace tells for whom, it did for
	 * the one who has the other lock */
	if (r->kind == KIND_LOCKDEP && !left && !has_main(r) &&
	    function_class(function_plain(&r->arena, name)) == FUNC_REPORT)
		for (size_t i = 0; i < r->chain.n; i++)
			if (r->chain.p[i].role == LOCK_HELD && r->chain.p[i].by)
				name = r->chain.p[i].by;
	class = function_class(function_plain(&r->arena, name));
	if (left)
		return took_it(class) ? name : NULL;
	return class == FUNC_PLAIN || class == FUNC_GATE ? name : NULL;
}

/* Does the text end with the line of the workqueue? Then what it names may be cut. */
static bool ends_in_work(const struct report *r)
{
	const struct report_line *last = r->lines.n ? &r->lines.p[r->lines.n - 1] : NULL;

	return r->open_end && last && !strncmp(last->text, "Workqueue: ", 11);
}

/* "Workqueue: events foo_work [mod]": the second word. */
const char *report_work(struct report *r, const struct report_frame *guilty)
{
	const char *p = r->workqueue ? strchr(r->workqueue, ' ') : NULL;
	/* a helper where nothing of its own is in a trace does not tell who called it */
	bool alone = guilty && guilt_of(r, guilty) == GUILT_NONE;
	size_t n;

	if (!p || ends_in_work(r) || (guilty && guilt_of(r, guilty) == GUILT_OWN))
		return NULL;
	if (!alone && (guilty || r->named) && r->kind != KIND_HUNG_TASK &&
	    r->kind != KIND_SOFT_LOCKUP && r->kind != KIND_RCU_STALL)
		return NULL;
	n = strcspn(++p, " [(");
	return n ? arena_strndup(&r->arena, p, n) : NULL;
}

#define RECURSION 3 /* times a function is on the stack before it is to blame for its depth */

static const struct report_frame *recursing(struct report *r)
{
	for (size_t i = 0; i < r->frames.n && i < 256; i++) {
		const struct report_frame *f = &r->frames.p[i];
		unsigned times = 0;

		if (f->role != TRACE_MAIN || !frame_counts(r, f) || guilt_of(r, f) != GUILT_OWN)
			continue;
		for (size_t k = i; k < r->frames.n && k < i + 256; k++)
			times += r->frames.p[k].func && !strcmp(r->frames.p[k].func, f->func);
		if (times >= RECURSION)
			return f;
	}
	return NULL;
}

static bool is_at_work(struct report *r, const struct report_frame *f)
{
	enum guilt guilt = guilt_of(r, f);

	return guilt == GUILT_OWN || guilt == GUILT_CARRIER;
}

/* Behind what panic() called, to print and to start the machine again: none of that is to blame for
 * the panic. */
static size_t behind_panic(const struct report *r)
{
	static const char *const names[] = { "panic", "vpanic" };
	size_t behind = 0;

	for (size_t i = 0; i < r->frames.n && r->frames.p[i].trace == r->frames.p[0].trace; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (r->frames.p[i].func && r->frames.p[i].reliable &&
			    !strcmp(r->frames.p[i].func, names[k]))
				behind = i + 1;
	return behind;
}

/* Where the fault's own frames begin: at the program counter, unless what stands before it was at
 * work when the fault came, and the counter is that of what it had interrupted. */
static size_t begin_of(struct report *r)
{
	size_t first = 0;

	if (r->pc < 0)
		return behind_panic(r);
	while (first < (size_t)r->pc && r->frames.p[first].trace != r->frames.p[r->pc].trace)
		first++;
	for (size_t i = first; i < (size_t)r->pc; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role == TRACE_MAIN && frame_counts(r, f) && is_at_work(r, f))
			return first;
	}
	return (size_t)r->pc;
}

/* Waits that all others have to end: who waits is a victim. */
const char *report_wait_for_all(struct report *r, const struct report_frame *guilty)
{
	static const struct {
		const char *beginning, *name;
		bool sleeps; /* a task that waits so sleeps; else its CPU spins */
	} waits[] = {
		/* one grace period under several names, of which a trace shows one or two */
		{ "synchronize_rcu", "synchronize_rcu", true },
		{ "_synchronize_rcu", "synchronize_rcu", true },
		{ "synchronize_sched", "synchronize_rcu", true },
		{ "synchronize_net", "synchronize_rcu", true },
		{ "synchronize_srcu", "synchronize_srcu", true },
		{ "__synchronize_srcu", "synchronize_srcu", true },
		{ "rcu_barrier", "rcu_barrier", true },
		{ "_rcu_barrier", "rcu_barrier", true },
		{ "smp_call_function", "smp_call_function", false },
		{ "on_each_cpu", "smp_call_function", false },
	};
	bool hung = r->kind == KIND_HUNG_TASK;
	size_t end;

	if (!hung && r->kind != KIND_SOFT_LOCKUP && r->kind != KIND_RCU_STALL &&
	    r->kind != KIND_HARD_LOCKUP)
		return NULL;
	end = guilty ? (size_t)(guilty - r->frames.p) + 1 : r->frames.n;
	for (size_t i = 0; i < end; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN || !frame_counts(r, f) ||
		    (guilty && f->trace != guilty->trace))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(waits); k++)
			if (!strncmp(f->func, waits[k].beginning, strlen(waits[k].beginning)) &&
			    hung == waits[k].sleeps)
				return waits[k].name;
	}
	return NULL;
}

/* A BUG stands in the function that found it, were it an allocator's, unless that function checks
 * what others hand it. */
static const struct report_frame *bug_frame(struct report *r)
{
	static const char *const checkers[] = { "lib/", "mm/sl", "mm/usercopy", "net/core/skbuff",
						"kernel/locking/" };
	const struct report_frame *f = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;
	enum function_class class;

	if (!f || r->kind != KIND_BUG || !r->where || !frame_counts(r, f) ||
	    begins_with_one_of(r->where, checkers, ARRAY_SIZE(checkers)))
		return NULL;
	class = frame_class(r, f);
	return class == FUNC_MEMORY || class == FUNC_PLUMBER || class == FUNC_WAIT ? f : NULL;
}

/* "BUG: using smp_processor_id() in preemptible": the first behind the check, helper or not. */
static const struct report_frame *behind_check(struct report *r)
{
	if (!r->headline || !strstr(r->headline, "BUG: using "))
		return NULL;
	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role == TRACE_MAIN && frame_counts(r, f) && frame_class(r, f) != FUNC_REPORT)
			return f;
	}
	return NULL;
}

/* Who asked a slow bus for a transfer, which may sleep, as all know: that the driver of the bus did
 * is no fault of it. */
static const struct report_frame *behind_bus(struct report *r)
{
	static const char *const transfers[] = {
		"i2c_transfer", "__i2c_transfer", "i2c_smbus_", "__i2c_smbus_",    "spi_sync",
		"__spi_sync",   "mdiobus_",       "__mdiobus_", "usb_control_msg", "usb_bulk_msg"
	};
	const struct report_frame *f;
	size_t behind = 0;

	for (size_t i = 0; i < r->frames.n; i++) {
		f = &r->frames.p[i];
		if (f->role != TRACE_MAIN || !frame_counts(r, f))
			continue;
		if (guilt_of(r, f) == GUILT_END)
			break;
		if (begins_with_one_of(f->func, transfers, ARRAY_SIZE(transfers)) &&
		    frame_class(r, f) == FUNC_PLUMBER)
			behind = i + 1;
	}
	f = behind ? report_first_own(r, behind, TRACE_MAIN) : NULL;
	return f && guilt_of(r, f) == GUILT_OWN ? f : NULL;
}

/* The frame that the report's own words name; else the first of its own behind that. */
static const struct report_frame *from_named(struct report *r)
{
	const struct report_frame *f = named_frame(r, report_named(r));

	if (!f && (f = named_frame(r, r->named)))
		f = report_first_own(r, (size_t)(f - r->frames.p), TRACE_MAIN);
	return f;
}

/* "... Caller 0xffffffffa01e76c2", as XFS named it before it had names: the frame that returns
 * there. */
static const struct report_frame *from_caller(struct report *r)
{
	static const char words[] = "Caller 0x";
	const char *p = r->headline ? strstr(r->headline, words) : NULL;
	uint64_t addr;

	if (!p)
		return NULL;
	p += sizeof(words) - 1;
	if (!number_take(&p, p + strlen(p), 16, &addr))
		return NULL;
	for (size_t i = 0; addr && i < r->frames.n; i++)
		if (r->frames.p[i].addr == addr && r->frames.p[i].role == TRACE_MAIN &&
		    frame_counts(r, &r->frames.p[i]))
			return &r->frames.p[i];
	return NULL;
}

/* Who wants the lock where the text ends before its trace: the chain's "-> #0" has it, too. */
static const struct report_frame *wanting(struct report *r)
{
	if (has_main(r))
		return NULL;
	for (size_t i = 0; i < r->chain.n; i++)
		if (r->chain.p[i].role == LOCK_CHAIN && !r->chain.p[i].number)
			return report_first_own(r, r->chain.p[i].frame, TRACE_HELD);
	return NULL;
}

static const struct report_frame *locking(struct report *r)
{
	const struct report_frame *f = from_named(r);

	/* lockdep's own word counts, whether or not a frame is there */
	if (f || report_named(r))
		return f;
	if (is_irq_order(r))
		return report_first_own(r, 0, TRACE_MAIN);
	return wanting(r);
}

/* Nothing is of its own: the first that is no report's and no entry's; else the counter's. */
static const struct report_frame *first_helper(struct report *r)
{
	/* of guesses one that does nothing of its own tells nothing */
	for (size_t i = r->pc < 0 ? begin_of(r) : 0; i < r->frames.n && !r->guessed; i++) {
		const struct report_frame *f = &r->frames.p[i];

		/* the allocator is what has nothing left to give */
		if (r->kind == KIND_PAGE_ALLOC && f->func && frame_class(r, f) == FUNC_MEMORY)
			continue;
		if (f->role == TRACE_MAIN && frame_counts(r, f) && !is_left(r, f) &&
		    frame_class(r, f) != FUNC_REPORT && frame_class(r, f) != FUNC_ENTRY &&
		    frame_class(r, f) != FUNC_DISPATCH)
			return f;
	}
	if (r->pc >= 0 && r->frames.p[r->pc].func &&
	    frame_class(r, &r->frames.p[r->pc]) == FUNC_DISPATCH)
		return &r->frames.p[r->pc];
	/* alone, even the way in is where it happened */
	if (r->pc >= 0 && r->frames.n == 1 && r->frames.p[r->pc].func &&
	    frame_class(r, &r->frames.p[r->pc]) == FUNC_ENTRY)
		return &r->frames.p[r->pc];
	return NULL;
}

/* Does the text end with a function that takes a lock, in the trace of what does not end? All that
 * wait for that lock are there, and who it is stood behind it. */
static bool ends_in_lock(struct report *r, const struct report_frame *f)
{
	bool stall = r->kind == KIND_RCU_STALL || r->kind == KIND_SOFT_LOCKUP ||
		     r->kind == KIND_HARD_LOCKUP;

	return stall && r->open_end && f && f == &r->frames.p[r->frames.n - 1] &&
	       frame_class(r, f) == FUNC_LOCK;
}

/* Does the report name a function that carries the work of others, which no frame is of, while no
 * frame is of a function of its own? */
static bool named_carrier(struct report *r)
{
	const struct report_frame *f;

	if (!r->named || function_class(function_plain(&r->arena, r->named)) != FUNC_PLUMBER)
		return false;
	f = report_first_own(r, begin_of(r), TRACE_MAIN);
	return !f || guilt_of(r, f) != GUILT_OWN;
}

/* Did init end, by itself or by a signal? Then a program is to blame, and no function is. An oops
 * of the kernel's ends a task, too, but not all its threads. */
static bool init_ended(struct report *r)
{
	static const char died[] = "Attempted to kill init";

	if (r->kind != KIND_PANIC || !r->panic || strncmp(r->panic, died, sizeof(died) - 1) != 0)
		return false;
	for (size_t i = 0; i < r->frames.n; i++) {
		const char *name = r->frames.p[i].func;

		if (name && r->frames.p[i].reliable &&
		    (!strcmp(name, "do_group_exit") ||
		     !strcmp(function_plain(&r->arena, name), "sys_exit")))
			return true;
	}
	return false;
}

/* Of an object that was written to while it was free, who freed it too early tells more than who
 * found it; of one that was written past its end, who made it, where the text has no more. */
static const struct report_frame *of_object(struct report *r, bool found)
{
	bool freed = r->headline && strstr(r->headline, "Poison overwritten");
	bool past = r->headline && strstr(r->headline, "edzone overwritten");

	if (freed)
		return report_first_own(r, 0, TRACE_FREE);
	return past && !found ? report_first_own(r, 0, TRACE_ALLOC) : NULL;
}

/* A helper that a sure frame is of did what a caller told it, and the trace has guesses alone for
 * that: the first guess that is somebody's own tells more. A work's function is no guess. */
static const struct report_frame *guess_behind(struct report *r, const struct report_frame *f)
{
	enum function_class class = f ? frame_class(r, f) : FUNC_PLAIN;
	const struct report_frame *own;

	if ((class != FUNC_LOCK && class != FUNC_MEMORY && class != FUNC_HELPER) || r->workqueue)
		return f;
	r->guessed = true;
	own = report_first_own(r, (size_t)(f - r->frames.p) + 1, TRACE_MAIN);
	if (own && own->trace == f->trace && guilt_of(r, own) == GUILT_OWN)
		return own;
	r->guessed = false;
	return f;
}

const struct report_frame *report_blame(struct report *r)
{
	const struct report_frame *f = NULL;

	r->guessed = all_guessed(r);
	switch (r->kind) {
	case KIND_RCU_STALL:
	case KIND_SOFT_LOCKUP:
	case KIND_HARD_LOCKUP:
		if (ends_in_watchdog(r))
			return NULL;
		f = stalled(r, true);
		r->idle = !f && idles(r);
		if (r->idle || (!f && only_watches(r)))
			return NULL;
		break;
	case KIND_STACK_OVERFLOW:
		f = from_named(r);
		if (!f && report_named(r))
			return NULL;
		if (!f)
			f = recursing(r);
		if (!f)
			f = stalled(r, true);
		break;
	case KIND_LOCKDEP:
		f = locking(r);
		if (!f && (report_named(r) || left_with(r) || named_carrier(r)))
			return NULL;
		break;
	case KIND_PANIC:
		if (init_ended(r))
			return NULL;
		break;
	case KIND_KASAN_UAF:
	case KIND_KASAN_OOB:
	case KIND_KASAN_INVALID_FREE:
	case KIND_KASAN_NULL:
	case KIND_KASAN_WILD:
	case KIND_KMSAN:
	case KIND_KFENCE:
		f = from_named(r);
		if (!f && named_carrier(r))
			return NULL;
		break;
	case KIND_NETDEV_WAIT:
	case KIND_OOM:
	case KIND_EDAC_CE:
	case KIND_EDAC_UE:
	case KIND_NMI:
	case KIND_IRQ: /* whoever should have taken it is named, and not in the trace */
		return NULL;
	case KIND_FS_ERROR:
		f = from_named(r);
		if (!f && r->named)
			return NULL;
		if (!f)
			f = from_caller(r);
		break;
	case KIND_REFCOUNT:
		f = from_named(r);
		if (!f && report_named(r))
			return NULL;
		break;
	case KIND_BUG:
		f = bug_frame(r);
		break;
	case KIND_SLAB:
		if (!r->headline)
			return NULL; /* what was wrong is not known, and so whose fault it is */
		f = of_object(r, true);
		break;
	case KIND_SLEEP_ATOMIC:
	case KIND_SCHED_ATOMIC:
		f = behind_bus(r);
		break;
	default:
		break;
	}
	if (!f)
		f = behind_check(r);
	if (!f)
		f = report_first_own(r, begin_of(r), TRACE_MAIN);
	if (!f && r->pc >= 0)
		f = report_first_own(r, 0, TRACE_MAIN);
	if (!f)
		f = guess_behind(r, first_helper(r));
	if (ends_in_lock(r, f))
		return NULL;
	if (!f && r->kind == KIND_SLAB)
		f = of_object(r, false);
	/* who switched preemption off, where the trace is missing */
	if (!f && (r->kind == KIND_SLEEP_ATOMIC || r->kind == KIND_SCHED_ATOMIC))
		f = report_first_own(r, 0, TRACE_HELD);
	return f;
}

const struct report_frame *report_guilty(const struct report *r)
{
	return r->guilty >= 0 ? &r->frames.p[r->guilty] : NULL;
}
