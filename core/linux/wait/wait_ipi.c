/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs that have asked other CPUs to call a function, and wait until that is done. */
#include "core/base/buf.h"
#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define CSD_LOCKED 1u /* bits of a request's flags, kernel/smp.c and include/linux/smp_types.h */
#define CSD_SYNC 0x10u
#define QUEUE_MAX 100000u

/* A request that is not done. */
struct ipi_request {
	uint64_t csd;
	unsigned cpu;
	bool known;  /* which CPU it is for */
	bool queued; /* that one has not taken it yet */
};

static bool csd_flags(struct target *t, uint64_t csd, uint64_t *flags)
{
	struct err ignored;

	/* 4b44a21dd640 (v5.8) */
	return field_u64(t, "struct __call_single_data", csd, "node.u_flags", flags, &ignored);
}

/* Is the request still in the queue of a CPU? */
static bool csd_is_queued(struct target *t, uint64_t csd, unsigned cpu)
{
	uint64_t at, node;
	struct err ignored;
	uint64_t off;

	if (!percpu_addr(t, "call_single_queue", cpu, &at, &ignored) ||
	    !field_offset(t, "struct __call_single_data", "node.llist", &off, &ignored))
		return false;
	for (unsigned i = 0; i < QUEUE_MAX && mem_ptr(t, at, &node, &ignored) && node; i++) {
		if (node == csd + off)
			return true;
		at = node;
	}
	return false;
}

/* The requests of a call on several CPUs: each CPU has one for each other CPU. */
static bool many_request(struct target *t, unsigned from, unsigned to, uint64_t *ret)
{
	uint64_t data, csds, off;
	struct err ignored;

	/* "pcpu" from v5.13 to v6.6 (a5aabace5fb8, 94b3f0b5af2c): its first member is the request
	 */
	return percpu_addr(t, "cfd_data", from, &data, &ignored) &&
	       field_u64(t, "struct call_function_data", data, "csd|pcpu", &csds, &ignored) &&
	       csds && percpu_offset(t, to, &off, &ignored) &&
	       (*ret = percpu_sum(t, csds, off)) != 0;
}

/* What the CPUs that have not answered are asked for, and which they are. */
struct ipi_asked {
	const struct wait_stack *s;
	struct ipi_request first; /* the one to wait for: a CPU that has not begun before others */
	struct buf cpus;
	size_t n;
	uint64_t func;
};

static void ipi_add(struct ipi_asked *a, struct ipi_request r)
{
	struct err ignored;

	if (!a->n || (r.queued && !a->first.queued))
		a->first = r;
	if (!a->n++ &&
	    !field_u64(a->s->g->t, "struct __call_single_data", r.csd, "func", &a->func, &ignored))
		a->func = 0;
	if (r.known)
		buf_printf(&a->cpus, "%s%u", a->cpus.n ? " " : "", r.cpu);
}

static void many_find(struct ipi_asked *a)
{
	struct target *t = a->s->g->t;
	uint64_t csd, flags;
	struct err ignored;
	unsigned n;

	if (!cpus_count(t, &n, &ignored))
		return;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if (cpu != a->s->cpu && cpu_is_possible(t, cpu) &&
		    many_request(t, a->s->cpu, cpu, &csd) && csd_flags(t, csd, &flags) &&
		    (flags & CSD_LOCKED))
			ipi_add(a, (struct ipi_request){ .csd = csd,
							 .cpu = cpu,
							 .known = true,
							 .queued = csd_is_queued(t, csd, cpu) });
}

/* The request to one CPU lies on the stack of who waits for it. */
static bool single_is(struct target *t, uint64_t csd)
{
	struct err ignored;
	uint64_t flags, func;

	return csd_flags(t, csd, &flags) && flags == (CSD_LOCKED | CSD_SYNC) &&
	       field_u64(t, "struct __call_single_data", csd, "func", &func, &ignored) &&
	       symbol_is_text(t, func);
}

static void single_put(struct ipi_asked *a, uint64_t csd)
{
	struct ipi_request r = { .csd = csd };
	struct target *t = a->s->g->t;
	struct err ignored;
	unsigned n;

	if (!cpus_count(t, &n, &ignored))
		n = 0;
	for (unsigned cpu = 0; cpu < n && !r.known; cpu++)
		if (cpu_is_possible(t, cpu) && csd_is_queued(t, csd, cpu)) {
			r.known = r.queued = true;
			r.cpu = cpu;
		}
	ipi_add(a, r);
}

#define SINGLE_FRAME_MAX 512u

static void single_find(struct ipi_asked *a)
{
	const struct wait_stack *s = a->s;
	const unsigned word = s->g->t->arch->word;
	uint64_t at = s->sps[s->frame] & ~(uint64_t)(word - 1), end;

	if (s->frame + 1 >= s->n_names)
		return;
	end = s->sps[s->frame + 1];
	for (; at < end && end - at <= SINGLE_FRAME_MAX; at += word)
		if (single_is(s->g->t, at)) {
			single_put(a, at);
			return;
		}
}

static bool ipi_find(const struct wait_stack *s, struct wait_found *ret)
{
	static const char *const single[] = { "smp_call_function_single", NULL };
	struct target *t = s->g->t;
	struct ipi_asked a = { .s = s };
	struct err ignored;
	size_t frame;

	if (wait_has_frame(s, single, &frame))
		single_find(&a);
	else
		many_find(&a);
	if (!a.n) {
		buf_release(&a.cpus);
		return false; /* it does not wait: all have answered, or none was asked yet */
	}
	ret->edge.waiter = a.first.csd;
	ret->object.type = "ipi";
	if (a.first.known) {
		if (!percpu_addr(t, "call_single_queue", a.first.cpu, &ret->object.addr, &ignored))
			ret->object.addr = 0;
		ret->object.name = arena_printf(t->scratch, "CPU %u", a.first.cpu);
		ret->edge.by = WAIT_BY_RULE;
	} else {
		ret->edge.flaw = "a CPU calls the function that was asked for; which one is not "
				 "known";
	}
	ret->edge.mode = arena_printf(t->scratch, "to call %s, not done by CPU %s",
				      symbol_text(t, a.func, t->scratch),
				      a.cpus.n ? buf_text(&a.cpus) : "?");
	buf_release(&a.cpus);
	return true;
}

/* The CPU whose queue it is must take what is there, and call it. */
static void ipi_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct target *t = s->g->t;
	struct err ignored;
	uint64_t addr, head;
	unsigned n;

	if (!cpus_count(t, &n, &ignored))
		return;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(t, cpu) ||
		    !percpu_addr(t, "call_single_queue", cpu, &addr, &ignored) || addr != o->addr)
			continue;
		if (mem_ptr(t, addr, &head, &ignored))
			o->state = head ? "it has not taken what it is asked for, as with "
					  "interrupts off"
					: "it has taken what it is asked for, and is not done";
		o->holder = wait_cpu_task(s->g, cpu);
		if (o->holder)
			o->holder_by = WAIT_BY_RULE;
		return;
	}
}

static const char *const ipi_functions[] = { "smp_call_function_many_cond",
					     "smp_call_function_many", "smp_call_function_single",
					     "csd_lock_wait", NULL };
const struct wait_kind wait_ipi = { ipi_functions, ipi_find, ipi_describe };
