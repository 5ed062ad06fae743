/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of interrupts, timers, work, run queues, zones, vmalloc areas, probes and hooks: whole,
 * then broken. */
#include "core/base/buf.h"
#include "core/linux/task/task.h"
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/linux/misc/irq.h"
#include "core/linux/task/runq.h"
#include "core/linux/trace/kprobe.h"
#include "core/linux/machine_fake.h"
#include "core/linux/net/net.h"
#include "core/linux/task/task_impl.h"
#include "core/linux/memory/vmalloc.h"
#include "core/linux/memory/zone.h"

struct seen {
	struct fake_kernel *k;
	struct buf said; /* what was found, a word each */
	unsigned n, flaws;
	struct err flaw; /* the first */
};

static void flaw(const struct err *e, void *arg)
{
	struct seen *s = arg;

	if (!s->flaws++)
		s->flaw = *e;
}

static struct seen *fresh(void)
{
	struct seen *s = xrealloc(NULL, sizeof(*s));

	*s = (struct seen){ .k = xrealloc(NULL, sizeof(*s->k)) };
	machine_fake_init(s->k);
	return s;
}

static void done(struct seen *s)
{
	kernel_release(s->k);
	buf_release(&s->said);
	free(s->k);
	free(s);
}

/* What was found since the last call. */
static const char *found(struct seen *s)
{
	const char *text = arena_strdup(&s->k->scratch, buf_text(&s->said));

	buf_reset(&s->said);
	s->n = 0;
	return text;
}

static bool again(struct seen *s, const char *want, unsigned flaws)
{
	bool ok = CHECK_STR(found(s), want) & CHECK_U64(s->flaws, flaws);

	s->flaws = 0;
	return ok;
}

static bool saw(struct seen *s)
{
	return ++s->n < 1000;
}

/* ---- interrupts */

static bool saw_irq(const struct irq *irq, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%llu %s %llu/%llu", (unsigned long long)irq->nr,
		   irq->chip ? irq->chip : "-", (unsigned long long)irq->counts[0],
		   (unsigned long long)irq->total);
	for (size_t i = 0; i < irq->n_actions; i++)
		buf_printf(&s->said, " %s", irq->actions[i].name);
	buf_char(&s->said, '\n');
	return saw(s);
}

static bool irqs(struct seen *s, struct err *err)
{
	return irq_each(&s->k->t, &s->k->scratch, saw_irq, flaw, s, err);
}

TEST(interrupts_and_their_handlers)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(irqs(s, &err), err);
	again(s, "3 GIC 7/11 uart modem\n5 - 0/0\n", 0);
	/* handlers in a circle: that interrupt is named, the others stay */
	put64(s->k, M_AT(M_ACTION2) + MO_ACTION_NEXT, M_AT(M_ACTION));
	CHECK_OK(irqs(s, &err), err);
	CHECK_ERR(s->flaw, ERR_CORRUPT);
	CHECK_CONTAINS(s->flaw.msg, "interrupt 3, irq_desc 0xffff800000001");
	CHECK_CONTAINS(s->flaw.msg, "actions comes back to");
	again(s, "5 - 0/0\n", 1);
	/* a name outside of memory */
	put64(s->k, M_AT(M_ACTION2) + MO_ACTION_NEXT, 0);
	put64(s->k, M_AT(M_ACTION2) + MO_ACTION_NAME, KERNEL_BASE + KERNEL_SIZE);
	CHECK_OK(irqs(s, &err), err);
	CHECK_ERR(s->flaw, ERR_UNMAPPED);
	again(s, "5 - 0/0\n", 1);
	done(s);
}

static struct seen *fresh_newer(void)
{
	struct seen *s = fresh();

	machine_fake_newer(s->k);
	return s;
}

/* bd83a8bd4f4c (v6.5): the same in a maple tree. */
TEST(interrupts_in_a_maple_tree)
{
	struct seen *s = fresh_newer();
	struct err err;

	CHECK_OK(irqs(s, &err), err);
	again(s, "3 GIC 7/11 uart modem\n5 - 0/0\n", 0);
	/* a range that ends before it begins: the node was overwritten */
	put64(s->k, M_AT(M_MAPLE) + 8 + 8, 4);
	CHECK(!irqs(s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "interrupts: node 0xffff800000006800 has a range from 0x5 to 0x4");
	done(s);
}

TEST(an_interrupt_is_where_its_number_says)
{
	struct seen *s = fresh();
	struct err err;

	for (uint64_t i = 6; i < 64; i++)
		put64(s->k, M_AT(M_IRQ_NODE) + 16 + i * 8, M_AT(M_DESC5));
	CHECK_OK(irqs(s, &err), err);
	CHECK_STR(found(s), "3 GIC 7/11 uart modem\n5 - 0/0\n");
	CHECK_U64(s->flaws, 59); /* the node counts two slots in use */
	done(s);
}

TEST(absurd_numbers_of_cpus_are_refused)
{
	struct seen *s = fresh();
	struct err err;

	put32(s->k, MV_CPUS, 1u << 20);
	CHECK(!irqs(s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "nr_cpu_ids is 1048576");
	done(s);
}

/* ---- timers */

static void say_timers(struct seen *s, const struct ktimer *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(&s->said, "%s %llu\n", all[i].base, (unsigned long long)all[i].expires);
}

static bool wheels(struct seen *s, bool high, struct err *err)
{
	const struct ktimer *all;
	size_t n;

	if (!(high ? hrtimers_of(&s->k->t, 0, &s->k->scratch, &all, &n, flaw, s, err)
		   : timers_of(&s->k->t, 0, &s->k->scratch, &all, &n, flaw, s, err)))
		return false;
	say_timers(s, all, n);
	return true;
}

TEST(timers_come_by_expiry)
{
	struct seen *s = fresh();
	const uint64_t other = MP_TIMERS + MO_BASE_VECTORS;
	uint64_t now;
	struct err err;

	CHECK_OK(wheels(s, false, &err), err);
	again(s, "STD 800\nSTD 900\n", 0);
	CHECK_OK(jiffies_now(&s->k->t, &now, &err), err);
	CHECK_U64(now, 700);
	/* a bucket that leads to itself hides no other */
	put64(s->k, other, other);
	put64(s->k, M_AT(M_TIMER2), M_AT(M_TIMER));
	CHECK_OK(wheels(s, false, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "timers: entry 0xffff800000001210, number 1, is pointed to by");
	CHECK(s->flaws >= 2);
	s->flaws = 0;
	CHECK_CONTAINS(found(s), "STD 800\nSTD 900\n");
	/* poison, as a timer that was freed leaves it */
	put64(s->k, other, 0);
	put64(s->k, M_AT(M_TIMER2), 0x122);
	CHECK_OK(wheels(s, false, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "bucket 2: timers: entry 0xffff80000000");
	CHECK_CONTAINS(s->flaw.msg, "was taken off its list (LIST_POISON2)");
	again(s, "STD 800\nSTD 900\n", 1);
	done(s);
}

TEST(hrtimers_of_a_broken_tree)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(wheels(s, true, &err), err);
	again(s, "MONOTONIC 5000\nMONOTONIC 6000\n", 0);
	put64(s->k, M_AT(M_HRTIMER2), M_AT(M_TIMER));
	CHECK_OK(wheels(s, true, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "CPU 0: hrtimers: node 0xffff80000000");
	CHECK_CONTAINS(s->flaw.msg, "names 0xffff800000002400 its parent");
	again(s, "MONOTONIC 5000\n", 1);
	/* a node that is its own child */
	put64(s->k, M_AT(M_HRTIMER2), M_AT(M_HRTIMER) | 1);
	put64(s->k, M_AT(M_HRTIMER2) + 8, M_AT(M_HRTIMER));
	CHECK_OK(wheels(s, true, &err), err);
	again(s, "MONOTONIC 5000\nMONOTONIC 6000\n", 1);
	done(s);
}

/* ---- work */

static bool saw_work(const struct queued_work *w, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%s %s 0x%llx\n", w->queue, w->state, (unsigned long long)w->function);
	return saw(s);
}

static bool saw_queue(const struct workqueue *q, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%s: %zu %zu %zu\n", q->name, q->running, q->pending, q->inactive);
	return saw(s);
}

static bool queues(struct seen *s, struct err *err)
{
	return workqueues(&s->k->t, &s->k->scratch, saw_work, saw_queue, flaw, s, err);
}

static const char all_work[] = "events running 0x3000\nevents pending 0x1000\n"
			       "events inactive 0x2000\nevents: 1 1 1\nidle: 0 0 0\n";

TEST(work_that_runs_and_waits)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(queues(s, &err), err);
	again(s, all_work, 0);
	/* the list of what waits for its turn comes back: told where, and the next queue follows */
	put64(s->k, M_AT(M_WORK_INACTIVE) + MO_WORK_ENTRY, M_AT(M_WORK_INACTIVE) + MO_WORK_ENTRY);
	CHECK_OK(queues(s, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "inactive work: entry 0xffff80000000");
	CHECK_CONTAINS(s->flaw.msg, "comes back to");
	again(s, all_work, 1);
	/* one whose pool is nowhere */
	put_list(s->k, M_AT(M_PWQ) + MO_PWQ_INACTIVE, NULL, 0);
	put64(s->k, M_AT(M_PWQ), 0x10);
	CHECK_OK(queues(s, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "pool_workqueue 0xffff80000000");
	again(s, "events: 0 0 0\nidle: 0 0 0\n", 1);
	done(s);
}

TEST(a_broken_list_of_work_queues_keeps_those_before)
{
	struct seen *s = fresh();
	struct err err;

	put64(s->k, M_AT(M_WQ) + MO_WQ_LIST, 0x100);
	CHECK(!queues(s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "work queues: entry 0xffff80000000");
	CHECK_CONTAINS(err.msg, "LIST_POISON1");
	CHECK_CONTAINS(found(s), "events: 1 1 1\n");
	done(s);
}

/* ---- run queues */

static void say_tasks(struct seen *s, const char *what, const uint64_t *all, size_t n)
{
	buf_printf(&s->said, "%s", what);
	for (size_t i = 0; i < n; i++)
		buf_printf(&s->said, " %llu",
			   (unsigned long long)((all[i] - M_AT(0)) / 0x200 - M_TASK_FAIR));
	buf_char(&s->said, '\n');
}

static bool runq(struct seen *s, unsigned cpu, struct err *err)
{
	struct runq q;

	if (!runq_of(&s->k->t, cpu, &s->k->scratch, &q, flaw, s, err))
		return false;
	say_tasks(s, "dl", q.dl, q.n_dl);
	say_tasks(s, "rt", q.rt, q.n_rt);
	say_tasks(s, "cfs", q.cfs, q.n_cfs);
	return true;
}

TEST(run_queues_by_class)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(runq(s, 0, &err), err);
	again(s, "dl 2\nrt 1\ncfs 0\n", 0);
	CHECK_OK(runq(s, 1, &err), err);
	again(s, "dl\nrt\ncfs\n", 0);
	CHECK(!runq(s, 2, &err));
	CHECK_CONTAINS(err.msg, "run queue of CPU 2");
	/* an entity of a group is no task: it has a queue of its own, struct sched_rt_entity.my_q
	 */
	put64(s->k, M_AT(M_TASK_RT) + MO_TASK_RT + 16, KERNEL_BASE + 0x100);
	CHECK_OK(runq(s, 0, &err), err);
	again(s, "dl 2\nrt\ncfs 0\n", 0);
	put64(s->k, M_AT(M_TASK_RT) + MO_TASK_RT + 16, 0);
	/* each class breaks by itself */
	put64(s->k, MP_RQ + MO_RQ_DL, 0x1234);
	put64(s->k, MP_RQ + MO_RQ_RT, 0);
	put64(s->k, M_AT(M_TASK_FAIR) + MO_TASK_FAIR, KERNEL_BASE + KERNEL_SIZE + 8);
	CHECK_OK(runq(s, 0, &err), err);
	CHECK_CONTAINS(s->flaw.msg,
		       "deadline queue: root 0xffff800000001348 points to misaligned 0x1234");
	again(s, "dl\nrt 1\ncfs 0\n", 3);
	done(s);
}

TEST(what_is_no_run_queue_is_not_shown_as_one)
{
	struct seen *s = fresh();
	struct err err;

	/* freed memory of the kernel's start is full of int3, 0xcc */
	memset(&s->k->mem[MP_RQ + 0x200 - KERNEL_BASE], 0xcc, 112);
	CHECK(!runq(s, 1, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "run queue of CPU 1: it is not one: its CPU is");
	CHECK_OK(runq(s, 0, &err), err);
	done(s);
}

TEST(a_run_queue_in_a_missing_page)
{
	struct seen *s = fresh();
	struct err err;

	s->k->holes = 1 << 1;
	CHECK(!runq(s, 0, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	done(s);
}

TEST(what_the_scheduler_noted)
{
	struct seen *s = fresh();
	struct task task = { .addr = M_AT(M_TASK_RT), .cpu = 0 };
	struct task_sched sched;
	struct err err;

	CHECK_OK(task_sched(&s->k->t, &task, &sched, &err), err);
	CHECK_U64(sched.policy, 1);
	CHECK_U64(sched.clock, 12345);
	/* a page that the dump lacks is no task that never ran */
	task.addr = KERNEL_BASE + 0x9000;
	s->k->holes = 1 << 9;
	CHECK(!task_sched(&s->k->t, &task, &sched, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "task 0xffff800000009000");
	CHECK_U64(sched.last_run, UINT64_MAX);
	done(s);
}

/* ---- zones and areas */

static bool saw_zone(const struct zone *z, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%s %llu %llu\n", z->name, (unsigned long long)z->managed,
		   (unsigned long long)z->areas[0]);
	return saw(s);
}

static bool zones(struct seen *s, struct err *err)
{
	return zones_each(&s->k->t, saw_zone, flaw, s, err);
}

TEST(zones_of_a_node)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(zones(s, &err), err);
	again(s, "DMA 10 0\nNormal 20 1\n", 0);
	/* a name that is nowhere: the zone is told of, the next follows */
	put64(s->k, M_AT(M_NODE) + MO_ZONES, 8);
	CHECK_OK(zones(s, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "zone 0xffff800000004408");
	again(s, "Normal 20 1\n", 1);
	put32(s->k, M_AT(M_NODE), 0xffffffff);
	CHECK_OK(zones(s, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "node 0 has 4294967295 zones");
	again(s, "", 1);
	/* nobody to tell: the first ends it */
	CHECK(!zones_each(&s->k->t, saw_zone, NULL, s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	done(s);
}

/* The areas are read once: a kernel each. */
static const char *areas(struct seen *s, struct err *why)
{
	const struct vmalloc_area *a;
	struct err err;
	size_t n;

	if (!vmalloc_areas(&s->k->t, &a, &n, why, &err)) {
		*why = err;
		return "none";
	}
	for (size_t i = 0; i < n; i++)
		buf_printf(&s->said, "%llx+%llx %llu\n",
			   (unsigned long long)(a[i].start & 0xffffff),
			   (unsigned long long)(a[i].end - a[i].start),
			   (unsigned long long)a[i].pages);
	return found(s);
}

TEST(areas_come_by_address)
{
	struct seen *s = fresh();
	const struct vmalloc_area *a;
	struct err why;

	CHECK_STR(areas(s, &why), "0+2000 1\n10000+1000 0\n");
	CHECK_ERR(why, ERR_OK);
	CHECK(vmalloc_at(&s->k->t, 0xffffc90000001fffu, &a));
	CHECK_U64(a->vm, M_AT(M_VM));
	CHECK(!vmalloc_at(&s->k->t, 0xffffc90000002000u, &a));
	done(s);
}

/* d093602919ad (v6.9): the same in two lists, the second of which is found from the first's size.
 */
TEST(areas_of_two_nodes)
{
	struct seen *s = fresh_newer();
	struct err why;

	CHECK_STR(areas(s, &why), "0+2000 1\n10000+1000 0\n");
	CHECK_ERR(why, ERR_OK);
	done(s);
	/* one node's list is broken: the other's areas stay */
	s = fresh_newer();
	put64(s->k, M_AT(M_VMAP_NODES) + MO_VMAP_BUSY, KERNEL_BASE + KERNEL_SIZE);
	CHECK_STR(areas(s, &why), "0+2000 1\n");
	CHECK_ERR(why, ERR_UNMAPPED);
	done(s);
	/* as many nodes as there cannot be; one where the kernel does not say */
	s = fresh_newer();
	put32(s->k, MV_VMAP_NODES, 1u << 30);
	CHECK_STR(areas(s, &why), "none");
	CHECK_ERR(why, ERR_CORRUPT);
	CHECK_CONTAINS(why.msg, "nr_vmap_nodes is 1073741824");
	done(s);
	s = fresh_newer();
	kernel_rename(s->k, "nr_vmap_nodes", "none");
	CHECK_STR(areas(s, &why), "10000+1000 0\n");
	CHECK_ERR(why, ERR_OK);
	done(s);
}

/* static struct vmap_node single, *vmap_nodes = &single: where nothing else is ever stored in the
 * pointer, the compiler leaves it out. */
TEST(areas_of_one_node)
{
	struct seen *s = fresh_newer();
	struct err why;

	kernel_rename(s->k, "vmap_nodes", "none");
	kernel_rename(s->k, "nr_vmap_nodes", "none");
	CHECK_STR(areas(s, &why), "none");
	CHECK_ERR(why, ERR_NOSYM);
	CHECK_CONTAINS(why.msg, "no symbol 'vmap_nodes'");
	done(s);
	s = fresh_newer();
	kernel_rename(s->k, "vmap_nodes", "none");
	kernel_rename(s->k, "nr_vmap_nodes", "none");
	kernel_symbol(s->k, "single", M_AT(M_VMAP_NODES));
	CHECK_STR(areas(s, &why), "10000+1000 0\n");
	CHECK_ERR(why, ERR_OK);
	done(s);
}

/* include/linux/vmalloc.h: VM_IOREMAP 1, VM_ALLOC 2, VM_MAP 4. */
TEST(areas_at_their_edges_and_their_flags)
{
	struct seen *s = fresh();
	const struct vmalloc_area *a;

	CHECK(!vmalloc_at(&s->k->t, 0xffffc8ffffffffffu, &a));
	CHECK(vmalloc_at(&s->k->t, 0xffffc90000000000u, &a) && a->addr == M_AT(M_AREA));
	CHECK(!vmalloc_at(&s->k->t, 0xffffc9000000ffffu, &a));
	CHECK(vmalloc_at(&s->k->t, 0xffffc90000010000u, &a) && a->addr == M_AT(M_AREA2));
	CHECK(vmalloc_at(&s->k->t, 0xffffc90000010fffu, &a) && a->addr == M_AT(M_AREA2));
	CHECK(!vmalloc_at(&s->k->t, 0xffffc90000011000u, &a));
	CHECK_STR(vmalloc_flags_text(0, &s->k->scratch), "");
	CHECK_STR(vmalloc_flags_text(1, &s->k->scratch), "ioremap");
	CHECK_STR(vmalloc_flags_text(2 | 4, &s->k->scratch), "vmalloc,vmap");
	done(s);
}

TEST(broken_areas_keep_what_they_had)
{
	struct seen *s = fresh();
	struct err why;

	/* a cycle */
	put64(s->k, M_AT(M_AREA) + MO_AREA_LIST, M_AT(M_AREA) + MO_AREA_LIST);
	CHECK_CONTAINS(areas(s, &why), "0+2000 1\n");
	CHECK_CONTAINS(why.msg, "vmalloc areas comes back to");
	done(s);
	/* from its end to its start */
	s = fresh();
	put64(s->k, M_AT(M_AREA2) + MO_AREA_END, 0xffffc90000000000u);
	CHECK_STR(areas(s, &why), "0+2000 1\n");
	CHECK_CONTAINS(why.msg, "vmap_area 0xffff800000004a00: it is from 0xffffc90000010000 to");
	done(s);
	/* no memory where it says what it is */
	s = fresh();
	put64(s->k, M_AT(M_AREA) + MO_AREA_VM, KERNEL_BASE + KERNEL_SIZE);
	CHECK_STR(areas(s, &why), "0+2000 0\n10000+1000 0\n");
	CHECK_ERR(why, ERR_UNMAPPED);
	CHECK_CONTAINS(why.msg, "vm_struct 0xffff800000040000");
	done(s);
	/* the list itself */
	s = fresh();
	s->k->holes = 1 << 1;
	CHECK_STR(areas(s, &why), "none");
	CHECK_ERR(why, ERR_EXCLUDED);
	done(s);
}

TEST(areas_that_ctrl_c_cut_short_are_read_again)
{
	struct seen *s = fresh();
	struct err why;

	interrupted = 1;
	CHECK_STR(areas(s, &why), "none");
	CHECK_ERR(why, ERR_INTR);
	interrupted = 0;
	CHECK_STR(areas(s, &why), "0+2000 1\n10000+1000 0\n");
	CHECK_ERR(why, ERR_OK);
	done(s);
}

/* ---- probes and hooks */

static bool saw_probe(const struct kprobe *p, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%llx%s\n", (unsigned long long)p->at, p->returns ? " returns" : "");
	return saw(s);
}

static bool probes(struct seen *s, struct err *err)
{
	return kprobes_each(&s->k->t, saw_probe, flaw, s, err);
}

TEST(probes_of_every_bucket)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(probes(s, &err), err);
	again(s, "1111\n2222\n3333 returns\n", 0);
	/* those of one place in a circle that leaves out its head */
	put64(s->k, M_AT(M_KPROBE_A) + MO_KPROBE_LIST, M_AT(M_KPROBE_A) + MO_KPROBE_LIST);
	CHECK_OK(probes(s, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "probes of one place comes back to");
	CHECK_CONTAINS(found(s), "3333 returns\n");
	CHECK_U64(s->flaws, 1);
	s->flaws = 0;
	/* a bucket that leads to what is no address */
	put64(s->k, M_AT(M_KPROBE_TABLE) + 9 * 8, 0x4242424242424240u);
	CHECK_OK(probes(s, &err), err);
	CHECK_CONTAINS(s->flaw.msg, "bucket 9 of kprobe_table: kprobes: entry");
	again(s, "3333 returns\n", 1);
	done(s);
}

static bool saw_hits(const struct kprobe *p, void *arg)
{
	struct seen *s = arg;

	if (p->has_hits)
		buf_printf(&s->said, "%llx %llu\n", (unsigned long long)p->at,
			   (unsigned long long)p->hits);
	return saw(s);
}

/* Of a probe that kprobe_events made, every CPU counts how often it was hit. */
TEST(hits_of_all_cpus)
{
	struct seen *s = fresh_newer();
	struct err err;

	CHECK_OK(kprobes_each(&s->k->t, saw_hits, flaw, s, &err), err);
	again(s, "4444 11\n", 0);
	CHECK_OK(probes(s, &err), err);
	again(s, "1111\n2222\n3333 returns\n4444\n", 0);
	/* counters that are nowhere: no number, rather than 0 */
	put64(s->k, M_AT(M_EVENT) + MO_EVENT_HITS, KERNEL_BASE + KERNEL_SIZE);
	CHECK_OK(kprobes_each(&s->k->t, saw_hits, flaw, s, &err), err);
	again(s, "", 0);
	put64(s->k, M_AT(M_EVENT) + MO_EVENT_HITS, 0);
	CHECK_OK(kprobes_each(&s->k->t, saw_hits, flaw, s, &err), err);
	again(s, "", 0);
	done(s);
}

static bool saw_hook(const struct ftrace_hook *h, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%llu\n", (unsigned long long)h->n_filter);
	return saw(s);
}

TEST(hooks_in_a_circle)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(ftrace_hooks_each(&s->k->t, saw_hook, s, &err), err);
	again(s, "17\n0\n", 0);
	put64(s->k, M_AT(M_OPS2) + MO_OPS_NEXT, M_AT(M_OPS));
	CHECK(!ftrace_hooks_each(&s->k->t, saw_hook, s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "ftrace_ops_list comes back to 0xffff800000005");
	CHECK_CONTAINS(found(s), "17\n0\n");
	put64(s->k, M_AT(M_OPS2) + MO_OPS_NEXT, KERNEL_BASE + KERNEL_SIZE);
	CHECK(!ftrace_hooks_each(&s->k->t, saw_hook, s, &err));
	CHECK_CONTAINS(err.msg, "ftrace_ops 0xffff800000040000");
	CHECK_STR(found(s), "17\n0\n");
	done(s);
}

static bool saw_site(const struct ftrace_site *site, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->said, "%llx %llu\n", (unsigned long long)site->ip,
		   (unsigned long long)site->callers);
	return saw(s);
}

TEST(functions_that_call)
{
	struct seen *s = fresh();
	struct err err;

	CHECK_OK(ftrace_sites_each(&s->k->t, saw_site, s, &err), err);
	again(s, "5000 1\n5001 1\n", 0);
	/* a page of a billion functions */
	put64(s->k, M_AT(M_FTRACE_PAGE2) + MO_PAGE_INDEX, 1u << 30);
	CHECK(!ftrace_sites_each(&s->k->t, saw_site, s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "ftrace_page 0xffff800000006");
	CHECK_CONTAINS(err.msg, "a page of 1073741824 traced functions");
	CHECK_STR(found(s), "5000 1\n5001 1\n");
	/* pages in a circle */
	put64(s->k, M_AT(M_FTRACE_PAGE2) + MO_PAGE_INDEX, 0);
	put64(s->k, M_AT(M_FTRACE_PAGE2), M_AT(M_FTRACE_PAGE2));
	CHECK(!ftrace_sites_each(&s->k->t, saw_site, s, &err));
	CHECK_CONTAINS(err.msg, "ftrace_pages comes back to");
	done(s);
}

TEST_MAIN
