/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what reads interrupts, timers, work, run queues, zones, vmalloc areas, probes and hooks:
 * hostile memory. */
#include <stdlib.h>

#include "core/linux/misc/irq.h"
#include "core/linux/task/runq.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/trace/kprobe.h"
#include "core/linux/machine_fake.h"
#include "core/linux/net/net.h"
#include "core/linux/task/task_impl.h"
#include "core/linux/memory/vmalloc.h"
#include "core/linux/memory/zone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEEN_MAX 2000

static bool more(void *arg)
{
	return ++*(unsigned *)arg < SEEN_MAX;
}

static bool take_irq(const struct irq *irq, void *arg)
{
	if (irq->n_actions > IRQ_ACTIONS_MAX || irq->cpus > CPUS_MAX)
		abort();
	return more(arg);
}

static bool take_work(const struct queued_work *w, void *arg)
{
	if (!w->queue || !w->state)
		abort();
	return more(arg);
}

static bool take_queue(const struct workqueue *q, void *arg)
{
	if (!q->name)
		abort();
	return more(arg);
}

static bool take_zone(const struct zone *z, void *arg)
{
	if (!z->name || z->orders > ZONE_ORDERS_MAX)
		abort();
	return more(arg);
}

static bool take_probe(const struct kprobe *p, void *arg)
{
	(void)p;
	return more(arg);
}

static bool take_hook(const struct ftrace_hook *h, void *arg)
{
	(void)h;
	return more(arg);
}

static bool take_site(const struct ftrace_site *s, void *arg)
{
	(void)s;
	return more(arg);
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* A failure says why. */
static bool held(bool ok, struct err *err)
{
	if (!ok && !*err->msg)
		abort();
	err->msg[0] = '\0';
	return ok;
}

static void fuzz_cpu(struct fake_kernel *k, unsigned cpu, unsigned *n)
{
	const struct ktimer *timers;
	struct arena *a = &k->scratch;
	struct err err = { 0 };
	struct runq q;
	size_t count;

	if (held(timers_of(&k->t, cpu, a, &timers, &count, flaw, n, &err), &err))
		for (size_t i = 1; i < count; i++)
			if (timers[i].base == timers[i - 1].base &&
			    timers[i].expires < timers[i - 1].expires)
				abort();
	held(hrtimers_of(&k->t, cpu, a, &timers, &count, flaw, n, &err), &err);
	held(runq_of(&k->t, cpu, a, &q, flaw, n, &err), &err);
}

/* In their order, and found by any of their addresses where they do not overlap. */
static void check_area(struct fake_kernel *k, const struct vmalloc_area *areas, size_t i)
{
	const struct vmalloc_area *a = &areas[i], *found;

	if (a->start >= a->end || (i && a->start < a[-1].start))
		abort();
	if (vmalloc_at(&k->t, a->end - 1, &found) &&
	    (found->start > a->end - 1 || found->end < a->end))
		abort();
	(void)vmalloc_flags_text(a->flags, &k->scratch);
}

/* Byte 0 absent pages, its highest bit a newer kernel; then 2 bytes of place and 8 of value over a
 * kernel that makes sense. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct task task = { .addr = M_AT(M_TASK_FAIR) };
	const struct vmalloc_area *areas;
	struct task_sched sched;
	uint64_t jiffies;
	struct fake_kernel *k;
	unsigned n = 0;
	size_t count;
	struct err err = { 0 }, why;

	if (!size)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	machine_fake_init(k);
	if (data[0] & 0x80)
		machine_fake_newer(k);
	for (size_t i = 1; i + 10 <= size; i += 10)
		put64(k, KERNEL_BASE + 0x1000 + load_le16(data + i) % ((M_END - M_AT(0)) / 8) * 8u,
		      load_le64(data + i + 2));
	k->holes = (uint64_t)(data[0] & 0x7f) << 1;
	held(irq_each(&k->t, &k->scratch, take_irq, flaw, &n, &err), &err);
	fuzz_cpu(k, 0, &n);
	fuzz_cpu(k, 1, &n);
	held(workqueues(&k->t, &k->scratch, take_work, take_queue, flaw, &n, &err), &err);
	held(zones_each(&k->t, take_zone, flaw, &n, &err), &err);
	held(kprobes_each(&k->t, take_probe, flaw, &n, &err), &err);
	held(ftrace_hooks_each(&k->t, take_hook, &n, &err), &err);
	held(ftrace_sites_each(&k->t, take_site, &n, &err), &err);
	held(jiffies_now(&k->t, &jiffies, &err), &err);
	held(task_sched(&k->t, &task, &sched, &err), &err);
	if (held(vmalloc_areas(&k->t, &areas, &count, &why, &err), &err))
		for (size_t i = 0; i < count; i++)
			check_area(k, areas, i);
	kernel_release(k);
	free(k);
	return 0;
}
