/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What checks say of what they found, and whom they blame, in memory that is made up. */
#include "core/base/test.h"
#include "core/linux/io/rpc_fake.h"
#include "core/linux/machine_fake.h"
#include "core/verdict/oom.h"
#include "core/verdict/sick_fake.h"

#define SECOND SICK_SECOND

extern const struct checkup check_cpus, check_timers, check_ipi, check_runq, check_io,
	check_workqueues, check_hung, check_deadlock, check_irqs, check_stacks, check_hardware,
	check_taints, check_memory, check_dump, check_walks;

static void no_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

static enum check_state ask(struct triage *g, struct finding *f, const struct checkup *c)
{
	struct err err;

	g->note = no_note;
	*f = (struct finding){ .check = c, .state = CHECK_UNKNOWN };
	f->why.code = ERR_OK;
	if (!c->look(g, f, &err)) {
		f->why = err;
		f->state = CHECK_UNKNOWN;
	}
	CHECK(!f->claim || verdict_has_word(f->claim->kind, strlen(f->claim->kind)));
	return f->state;
}

static enum check_state look(struct sick_fake *f, const struct checkup *c)
{
	/* triage has the graph itself, not a pointer to one */
	memcpy(&f->g.graph, &f->w.g, sizeof(f->g.graph));
	return ask(&f->g, &f->f, c);
}

/* An object that task `holder` has (-1: nobody is known), and the task that waits for it. */
static struct wait_edge *put_wait(struct sick_fake *f, int i, int holder, const char *type,
				  uint64_t waited)
{
	const struct wait_object o = { .type = type,
				       .addr = WAIT_LOCK(i),
				       .holder = holder < 0 ? NULL : &f->w.tasks[holder],
				       .holder_by =
					       holder < 0 ? WAIT_BY_NOTHING : WAIT_BY_OWNER_WORD,
				       .n = 1 };

	return sick_fake_wait(f, i, o, waited);
}

/* Who spins is the victim of who has the lock; where that is a guess, it is no more than possible.
 */
TEST(a_cpu_that_spins_for_a_lock)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	put64(&f.w.k, SICK_PERCPU(0) + SICK_TOUCH, (SICK_NOW - 30 * SECOND) >> 30);
	put_wait(&f, 0, 3, "spinlock", UINT64_MAX)->cpu = 0;
	REQUIRE(look(&f, &check_cpus) == CHECK_FAIL);
	CHECK_U64((uint64_t)f.f.claim->pid, 103);
	CHECK_U64((uint64_t)(f.f.claim->cpu + 1), 0);
	CHECK_U64(f.f.claim->sure, SURE_LIKELY);
	CHECK_CONTAINS(f.f.claim->sentence, "task[100] on CPU 0 spun for ");
	CHECK_CONTAINS(f.f.claim->sentence, "; task[103] keeps it waiting");
	f.w.g.objects.p[0].holder_by = WAIT_BY_CANDIDATE;
	REQUIRE(look(&f, &check_cpus) == CHECK_FAIL);
	CHECK_U64(f.f.claim->sure, SURE_POSSIBLE);
	CHECK_CONTAINS(f.f.claim->sentence, "; task[103] may have it");
	/* that another CPU spins says nothing of this one */
	f.w.g.edges.p[0].cpu = 1;
	REQUIRE(look(&f, &check_cpus) == CHECK_FAIL);
	CHECK_U64((uint64_t)f.f.claim->pid, 100);
	CHECK_CONTAINS(f.f.claim->sentence, "task[100] kept CPU 0 for ");
	sick_fake_release(&f);
}

/* The one at the end of the chain is told, not the one that waits longest. */
TEST(the_end_of_a_chain)
{
	static const struct io_bio bio = { .device = "dm-0",
					   .op = "READ",
					   .sector = 8,
					   .bytes = 512,
					   .where = "suspended device" };
	static struct sick_fake f;

	sick_fake_init(&f);
	put_wait(&f, 2, 3, "mutex", 300 * SECOND);
	put_wait(&f, 3, 4, "rwsem", 200 * SECOND);
	REQUIRE(look(&f, &check_hung) == CHECK_FAIL);
	CHECK_U64((uint64_t)f.f.claim->pid, 103);
	CHECK_CONTAINS(f.f.claim->sentence, "task[103] waited for rwsem 0x");
	CHECK_CONTAINS(
		f.f.claim->sentence,
		" for 3 min, which task[104] has (it sleeps in state D) (2 tasks wait so long)");
	f.w.tasks[4].letter = 'S';
	REQUIRE(look(&f, &check_hung) == CHECK_FAIL);
	CHECK_CONTAINS(f.f.claim->sentence, "which task[104] has (it sleeps)");
	f.w.tasks[4].active = true;
	f.w.g.objects.p[1].holder_by = WAIT_BY_HINT;
	REQUIRE(look(&f, &check_hung) == CHECK_FAIL);
	CHECK_CONTAINS(f.f.claim->sentence, "which task[104] may have (it runs)");
	f.w.g.objects.p[1].holder = NULL;
	REQUIRE(look(&f, &check_hung) == CHECK_FAIL);
	CHECK_CONTAINS(f.f.claim->sentence, ", and nothing says who has it");
	f.w.g.objects.p[1].state = "locked for writing";
	REQUIRE(look(&f, &check_hung) == CHECK_FAIL);
	CHECK_CONTAINS(f.f.claim->sentence, " (locked for writing)");
	f.w.g.objects.p[1].io = (struct wait_io){ .how = "end", .bio = &bio };
	REQUIRE(look(&f, &check_hung) == CHECK_FAIL);
	CHECK_CONTAINS(f.f.claim->sentence,
		       " (READ of 512 bytes at sector 8 of dm-0: suspended device)");
	sick_fake_release(&f);
}

/* Rings of one, two and three, and of more than a sentence has room for. */
TEST(rings_in_words)
{
	static const size_t edges[] = { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1 };
	static const struct {
		size_t n;
		const char *says;
	} rings[] = {
		{ 1, "task[100] waits for what it has itself, for 5.0 s: deadlock of mutex 0x" },
		{ 2,
		  "task[100] and task[101] wait for each other, for 5.0 s: deadlock of mutex 0x" },
		{ 3,
		  "task[100], task[101] and task[102] wait for each other in a ring, for 5.0 s" },
		{ 8, "task[106] and task[107] wait for each other in a ring" },
		{ 10, "task[106], task[107] and 2 more wait for each other in a ring" },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(rings); i++) {
		sick_fake_init(&f);
		for (int k = 0; k < WAIT_TASKS; k++)
			put_wait(&f, k, (k + 1) % WAIT_TASKS, "mutex",
				 (uint64_t)(k ? 9 : 5) * SECOND);
		*vec_push(&f.w.g.cycles) =
			(struct wait_path){ .edges = edges, .n = rings[i].n, .proven = true };
		REQUIRE(look(&f, &check_deadlock) == CHECK_FAIL);
		if (!strstr(f.f.claim->sentence, rings[i].says))
			printf("  %s\n", f.f.claim->sentence);
		CHECK_CONTAINS(f.f.claim->sentence, rings[i].says);
		CHECK_STR(f.f.text, "a ring of tasks that wait for each other");
		/* two of them, and three */
		*vec_push(&f.w.g.cycles) =
			(struct wait_path){ .edges = edges, .n = rings[i].n, .proven = true };
		REQUIRE(look(&f, &check_deadlock) == CHECK_FAIL);
		CHECK_STR(strrchr(f.f.claim->sentence, ';'), "; and 1 more such ring");
		CHECK_STR(f.f.text, "2 rings of tasks that wait for each other");
		*vec_push(&f.w.g.cycles) =
			(struct wait_path){ .edges = edges, .n = rings[i].n, .proven = true };
		REQUIRE(look(&f, &check_deadlock) == CHECK_FAIL);
		CHECK_STR(strrchr(f.f.claim->sentence, ';'), "; and 2 more such rings");
		sick_fake_release(&f);
	}
}

/* A call that is not answered for a second is not chance; after 5 s the kernel's own csd_lock
 * watchdog reports it (kernel/smp.c, CSD_LOCK_TIMEOUT). */
TEST(calls_that_are_not_answered)
{
	static const struct {
		uint64_t silent;
		enum check_state state;
	} calls[] = {
		{ SECOND - 1, CHECK_OK },
		{ SECOND, CHECK_WARN },
		{ 5 * SECOND - 1, CHECK_WARN },
		{ 5 * SECOND, CHECK_FAIL },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		sick_fake_init(&f);
		put64(&f.w.k, SICK_PERCPU(1) + SICK_RQ + SQ_CLOCK, SICK_NOW - calls[i].silent);
		for (unsigned cpu = 0; cpu < 2; cpu++) {
			f.w.tasks[cpu].active = true;
			f.w.tasks[cpu].cpu = (int)cpu;
			wait_cpu_add(&f.w.g, cpu, &f.w.tasks[cpu], NULL, 0);
		}
		put_wait(&f, 0, 1, "ipi", UINT64_MAX)->cpu = 0;
		f.w.g.objects.p[0].name = "CPU 1";
		/* others wait for a lock, and for something that nobody knows */
		put_wait(&f, 2, 3, "mutex", 9 * SECOND);
		put_wait(&f, 4, 5, "ipi", 9 * SECOND)->object = WAIT_NONE;
		CHECK_U64(look(&f, &check_ipi), calls[i].state);
		if (calls[i].state == CHECK_FAIL) {
			CHECK_STR(f.f.text, "1 calls to other CPUs are not answered, and one had "
					    "no tick for 5.0 s");
			CHECK_U64((uint64_t)f.f.claim->pid, 101);
			CHECK_STR(f.f.claim->sentence, "CPU 1 does not answer task[100]: it runs "
						       "task[101], and had no tick for 5.0 s");
			/* the CPU that died answers nobody */
			f.g.death = (struct death){ .way = WAY_OOPS, .pid = 101, .cpu = 1 };
			CHECK_U64(look(&f, &check_ipi), CHECK_OK);
			/* a running CPU whose clock is not known says nothing of when it began */
			f.g.death.way = WAY_LIVE;
			f.w.tasks[1].active = false;
			CHECK_U64(look(&f, &check_ipi), CHECK_OK);
		}
		sick_fake_release(&f);
	}
}

/* A request is old after 5 s; the block layer's own timeout is 30 s (BLK_DEFAULT_SG_TIMEOUT, 30 *
 * HZ for SCSI's). */
TEST(requests_that_grow_old)
{
	static const struct {
		uint64_t age;
		enum death_way way;
		enum check_state state;
	} ages[] = {
		{ 5 * SECOND - 1, WAY_LIVE, CHECK_OK },
		{ 5 * SECOND, WAY_LIVE, CHECK_WARN },
		{ 30 * SECOND - 1, WAY_LIVE, CHECK_WARN },
		{ 30 * SECOND, WAY_LIVE, CHECK_FAIL },
		/* khungtaskd ended it: what is old enough to be noticed is at the end of what waits
		 */
		{ 5 * SECOND, WAY_HUNG_TASK, CHECK_FAIL },
		{ 5 * SECOND - 1, WAY_HUNG_TASK, CHECK_OK },
	};
	static struct fake_kernel k;

	for (size_t i = 0; i < ARRAY_SIZE(ages); i++) {
		struct triage g = { .t = &k.t };
		struct finding f;
		uint64_t rq;

		io_fake_init(&k, false);
		g.a = &k.scratch;
		g.graph_tried = true;
		g.death = (struct death){ .way = ages[i].way, .pid = -1, .cpu = -1 };
		rq = io_fake_put(&k, 0, 5, -1, 1);
		put64(&k, IO_TAGS(0) + IT_RQS_AT + 5 * 8, rq);
		put64(&k, rq + IR_START, IO_NOW - ages[i].age);
		put64(&k, rq + IR_ISSUED, IO_NOW - ages[i].age);
		io_fake_bits(&k, IO_TAGS(0), false, 1 << 3, 0);
		if (ask(&g, &f, &check_io) != ages[i].state)
			printf("  %zu: %s\n", i, f.text ? f.text : f.why.msg);
		CHECK_U64(f.state, ages[i].state);
		CHECK((ages[i].state == CHECK_OK) == !f.claim);
		if (f.claim)
			CHECK_STR(f.claim->kind, "hung-io");
		kernel_release(&k);
	}
}

/* A suspended device has no time of its own, so that of who waits for its bios counts: as old as a
 * request is, and where a request is so old, it is the reason. */
TEST(bios_that_a_suspended_device_keeps)
{
	static const struct io_bio bio = {
		.device = "dm-0", .op = "READ", .sector = 8, .where = "suspended device"
	};
	static const struct {
		uint64_t waited;
		enum check_state state;
	} cases[] = {
		{ 5 * SECOND - 1, CHECK_OK },    { 5 * SECOND, CHECK_WARN },
		{ 30 * SECOND - 1, CHECK_WARN }, { 30 * SECOND, CHECK_FAIL },
		{ UINT64_MAX, CHECK_OK }, /* not known */
	};
	static const struct task task = { .pid = 7, .comm = "reader" };
	static struct fake_kernel k;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct triage g = { .t = &k.t, .graph_tried = true, .graph_ok = true };
		struct finding f;

		io_fake_init(&k, false);
		g.a = &k.scratch;
		g.death = (struct death){ .way = WAY_LIVE, .pid = -1, .cpu = -1 };
		*vec_push(&g.graph.objects) = (struct wait_object){
			.type = "buffer_head", .io = { .how = "end", .bio = &bio }, .n = 1
		};
		*vec_push(&g.graph.edges) = (struct wait_edge){ .task = &task,
								.waited = cases[i].waited,
								.asleep = true,
								.cpu = -1,
								.next = WAIT_NONE };
		CHECK_U64(ask(&g, &f, &check_io), cases[i].state);
		CHECK((cases[i].state == CHECK_OK) == !f.claim);
		if (f.claim)
			CHECK_CONTAINS(f.claim->sentence, "dm-0 is suspended: reader[7] waited ");
		vec_release(&g.graph.objects);
		vec_release(&g.graph.edges);
		kernel_release(&k);
	}
}

/* Whether a server was asked is told by the queue that a call sleeps in: in another than
 * xprt_pending (net/sunrpc/xprt.c) it waits for what is needed to ask. Where calls cannot be read,
 * nobody knows whether one is old. */
TEST(calls_that_are_not_finished)
{
	static const struct {
		const char *queue, *begin;
	} cases[] = {
		{ "xprt_pending", "the nfs server filer has not answered READ for 60" },
		{ "ForeChannel Slot table",
		  "READ of the nfs server filer is not finished after 60" },
	};
	static struct fake_kernel k;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct triage g = { .t = &k.t, .graph_tried = true };
		struct finding f;

		rpc_fake_init(&k);
		g.a = &k.scratch;
		g.death = (struct death){ .way = WAY_LIVE, .pid = -1, .cpu = -1 };
		put64(&k, RPC_SLEEP + 8, io_fake_text(&k, 10, cases[i].queue));
		CHECK_U64(ask(&g, &f, &check_io), CHECK_FAIL);
		CHECK_STR(f.text, "1 of 2 calls of servers older than 5 s");
		if (CHECK(f.claim))
			CHECK(!strncmp(f.claim->sentence, cases[i].begin, strlen(cases[i].begin)));
		put32(&k, RPC_ID, 1000000);
		CHECK_U64(ask(&g, &f, &check_io), CHECK_UNKNOWN);
		CHECK_CONTAINS(f.text, "0 requests in flight, none of them old; calls of servers "
				       "are not known: sunrpc_net_id is 1000000");
		kernel_release(&k);
	}
}

/* What a device has taken is with that, and nothing suspended keeps it. */
TEST(bios_that_a_device_has)
{
	static const struct io_bio bio = {
		.device = "vda", .op = "READ", .sector = 8, .where = "vda's driver"
	};
	static struct fake_kernel k;
	struct triage g = { .t = &k.t, .graph_tried = true, .graph_ok = true };
	struct finding f;

	io_fake_init(&k, false);
	g.a = &k.scratch;
	g.death = (struct death){ .way = WAY_LIVE, .pid = -1, .cpu = -1 };
	*vec_push(&g.graph.objects) = (struct wait_object){ .type = "buffer_head",
							    .io = { .how = "end", .bio = &bio },
							    .n = 1 };
	*vec_push(&g.graph.edges) =
		(struct wait_edge){ .waited = 60 * SECOND, .cpu = -1, .next = WAIT_NONE };
	CHECK_U64(ask(&g, &f, &check_io), CHECK_OK);
	CHECK(!f.claim);
	vec_release(&g.graph.objects);
	vec_release(&g.graph.edges);
	kernel_release(&k);
}

/* kernel/irq/spurious.c disables a line when 99,900 of 100,000 interrupts found no handler. A
 * driver that polls besides leaves half of them unhandled; 9 of 10 are worth a line, of 1000 at
 * least. IRQS_SPURIOUS_DISABLED is 2. */
TEST(interrupts_that_nobody_handles)
{
	static const struct {
		uint32_t state, missed, count;
		enum check_state want;
	} irqs[] = {
		{ 0, 900, 1000, CHECK_OK }, { 0, 901, 1000, CHECK_WARN },
		{ 0, 999, 999, CHECK_OK },  { 0, 1000, 1000, CHECK_WARN },
		{ 2, 0, 0, CHECK_FAIL },    { 1, 0, 0, CHECK_OK },
	};
	static struct fake_kernel k;

	for (size_t i = 0; i < ARRAY_SIZE(irqs); i++) {
		struct triage g = { .t = &k.t };
		struct finding f;

		machine_fake_init(&k);
		g.a = &k.scratch;
		for (size_t n = 0; n < k.n_types; n++)
			if (!strcmp(k.types[n]->name, "irq_desc")) {
				struct type *s = k.types[n];

				kernel_member(s, "core_internal_state__do_not_mess_with_it", &k.u32,
					      56);
				kernel_member(s, "irqs_unhandled", &k.u32, 60);
				kernel_member(s, "irq_count", &k.u32, 64);
				s->size = 72;
			}
		put32(&k, M_AT(M_DESC3) + 56, irqs[i].state);
		put32(&k, M_AT(M_DESC3) + 60, irqs[i].missed);
		put32(&k, M_AT(M_DESC3) + 64, irqs[i].count);
		if (ask(&g, &f, &check_irqs) != irqs[i].want)
			printf("  %zu: %s\n", i, f.text ? f.text : f.why.msg);
		CHECK_U64(f.state, irqs[i].want);
		if (irqs[i].missed == 901)
			CHECK_STR(f.text, "nobody handles 90 % of interrupt 3 (uart)");
		if (f.state == CHECK_FAIL) {
			REQUIRE(f.claim);
			CHECK_CONTAINS(f.claim->sentence,
				       "interrupt 3 (uart) came and nobody handled it");
		}
		kernel_release(&k);
	}
}

/* Task 2 is in the list, and its stack ends with that word. */
static void put_stack(struct sick_fake *f, uint32_t word)
{
	const uint64_t link = WAIT_TASK(2) + ST_TASKS, thread = WAIT_TASK(2) + ST_THREAD;

	sick_fake_init(f);
	put_list(&f->w.k, SICK_VARS + SV_INIT_TASK + ST_TASKS, &link, 1);
	put64(&f->w.k, WAIT_TASK(2) + ST_STACK, WAIT_STACK(2));
	put_list(&f->w.k, KERNEL_BASE + 0x8000, &thread, 1);
	put64(&f->w.k, WAIT_TASK(2) + ST_SIGNAL, KERNEL_BASE + 0x8000);
	put64(&f->w.k, WAIT_STACK(2), word);
}

/* The word at a stack's end is include/uapi/linux/magic.h's STACK_END_MAGIC; a stack that cannot be
 * read is no stack that is whole. */
TEST(stacks_and_their_ends)
{
	static struct sick_fake f;

	put_stack(&f, 0x57ac6e9d);
	CHECK_U64(look(&f, &check_stacks), CHECK_OK);
	CHECK_STR(f.f.text, "1 stacks end as they should");
	sick_fake_release(&f);
	put_stack(&f, 0x57ac6e9c);
	CHECK_U64(look(&f, &check_stacks), CHECK_FAIL);
	CHECK_STR(f.f.claim->kind, "stack-overflow");
	CHECK_U64((uint64_t)f.f.claim->pid, 102);
	CHECK_STR(f.f.text, "1 of 1 stacks are overwritten at their end");
	sick_fake_release(&f);
	put_stack(&f, 0x57ac6e9d);
	f.w.k.holes = UINT64_C(1) << ((WAIT_STACK(2) - KERNEL_BASE) / 0x1000);
	CHECK_U64(look(&f, &check_stacks), CHECK_UNKNOWN);
	CHECK_CONTAINS(f.f.text, "1 of 1 cannot be read: ");
	sick_fake_release(&f);
}

/* A page that is not there: then nobody looked, and nothing is well. */
TEST(what_is_not_in_the_dump)
{
	static const struct {
		const struct checkup *check;
		uint64_t at;
	} holes[] = {
		{ &check_timers, SICK_VARS },     { &check_timers, SICK_PERCPU(0) },
		{ &check_cpus, SICK_PERCPU(0) },  { &check_runq, SICK_PERCPU(0) },
		{ &check_workqueues, SICK_POOL }, { &check_workqueues, SICK_VARS },
		{ &check_memory, SICK_ZONES },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(holes); i++) {
		sick_fake_init(&f);
		f.w.k.holes = UINT64_C(3) << ((holes[i].at - KERNEL_BASE) / 0x1000);
		if (look(&f, holes[i].check) != CHECK_UNKNOWN)
			printf("  %s: %s\n", holes[i].check->name, f.f.text);
		CHECK_U64(f.f.state, CHECK_UNKNOWN);
		CHECK(f.f.why.code != ERR_OK);
		sick_fake_release(&f);
	}
}

/* Who has the memory: what counts most, and what no counter tells where that is more. */
TEST(who_has_the_memory)
{
	static const struct {
		struct meminfo m[4];
		const char *says;
	} cases[] = {
		{ { { "SUnreclaim", 615, false }, { "AnonPages", 300, false } },
		  "memory ran out here: 60 % of 1 MB are in slabs that cannot be reclaimed" },
		{ { { "AnonPages", 717, false }, { "SUnreclaim", 200, false } },
		  "70 % of 1 MB are in programs' own memory" },
		/* what tmpfs has is counted as cache, too */
		{ { { "Cached", 800, false }, { "Shmem", 717, false } },
		  "70 % of 1 MB are in shared memory and tmpfs" },
		{ { { "Cached", 817, false }, { "Shmem", 100, false } },
		  "70 % of 1 MB are in the page cache" },
		{ { { "PageTables", 513, false }, { "MemFree", 300, false } },
		  "50 % of 1 MB are in page tables" },
		{ { { "KernelStack", 513, false }, { "Buffers", 300, false } },
		  "50 % of 1 MB are in kernel stacks" },
		{ { { "VmallocUsed", 513, false }, { "Percpu", 300, false } },
		  "50 % of 1 MB are in vmalloc" },
		{ { { "Hugetlb", 922, false } },
		  "90 % of 1 MB are in huge pages that were set aside" },
		/* 1024 less 300 that are known */
		{ { { "AnonPages", 200, false }, { "SReclaimable", 100, false } },
		  "70 % of 1 MB are in what no counter tells" },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct claim *c;
		size_t n = 0;

		sick_fake_init(&f);
		while (n < 4 && cases[i].m[n].name)
			n++;
		c = claim_of_counters(&f.g, cases[i].m, n, 1024, " here");
		CHECK_STR(c->kind, "oom");
		CHECK_U64(c->sure, SURE_LIKELY);
		if (!strstr(c->sentence, cases[i].says))
			printf("  %zu: %s\n", i, c->sentence);
		CHECK_CONTAINS(c->sentence, cases[i].says);
		sick_fake_release(&f);
	}
}

/* A counter is evidence where it has more than a tenth of the memory. */
TEST(counters_as_evidence)
{
	static const struct meminfo m[] = { { "MemTotal", 1000, false },
					    { "AnonPages", 101, false },
					    { "SUnreclaim", 100, false },
					    { "CommitLimit", 900, false } };
	static struct sick_fake f;
	const struct claim *c;

	sick_fake_init(&f);
	c = claim_of_counters(&f.g, m, ARRAY_SIZE(m), 1000, "");
	REQUIRE(c->n_evidence == 1);
	CHECK_STR(c->evidence[0].text, "AnonPages 101 kB");
	sick_fake_release(&f);
}

/* Two sources that do not depend on each other: a report names the task and the CPU that memory
 * says panicked. */
TEST(a_report_and_the_memory)
{
	static const struct {
		int pid, cpu;
		bool recorded;
		enum sureness sure;
	} deaths[] = {
		{ 41, 3, true, SURE_CERTAIN },
		{ 42, 3, true, SURE_LIKELY },
		{ 41, 2, true, SURE_LIKELY },
		{ 41, 3, false, SURE_LIKELY },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(deaths); i++) {
		struct report r = { .kind = KIND_NULL_DEREF,
				    .function = "guilty",
				    .comm = "worker",
				    .has_pid = true,
				    .pid = 41,
				    .has_cpu = true,
				    .cpu = 3,
				    .pc = -1,
				    .guilty = -1 };

		sick_fake_init(&f);
		f.g.death = (struct death){ .way = WAY_OOPS,
					    .pid = deaths[i].pid,
					    .cpu = deaths[i].cpu,
					    .task_recorded = deaths[i].recorded };
		CHECK_U64(claim_of_report(&f.g, &r)->sure, deaths[i].sure);
		r.damaged = true;
		CHECK_U64(claim_of_report(&f.g, &r)->sure, SURE_POSSIBLE);
		r.damaged = false;
		r.function = NULL;
		CHECK_U64(claim_of_report(&f.g, &r)->sure, SURE_LIKELY);
		arena_release(&r.arena);
		sick_fake_release(&f);
	}
}

/* What follows the first exception may be its debris, so that nobody is sure of the second one,
 * whatever confirms it; where the first is told of, it was weighed against that. */
TEST(a_second_exception)
{
	struct report first = { .oops_number = 1 }, *told = &first;
	struct report r = { .kind = KIND_NULL_DEREF,
			    .oops_number = 2,
			    .function = "guilty",
			    .has_pid = true,
			    .pid = 41,
			    .has_cpu = true,
			    .cpu = 3,
			    .pc = -1,
			    .guilty = -1 };
	static struct sick_fake f;

	sick_fake_init(&f);
	f.g.death = (struct death){ .way = WAY_OOPS, .pid = 41, .cpu = 3, .task_recorded = true };
	CHECK_U64(claim_of_report(&f.g, &r)->sure, SURE_POSSIBLE);
	*vec_push(&f.g.reports) = told;
	CHECK_U64(claim_of_report(&f.g, &r)->sure, SURE_CERTAIN);
	vec_release(&f.g.reports);
	arena_release(&r.arena);
	sick_fake_release(&f);
}

/* Nobody panicked: panic_cpu is -1; else it is the CPU that won, and its task called panic(). */
TEST(how_memory_tells_of_the_end)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	f.g.from_text = false;
	death_read(&f.g);
	CHECK_U64(f.g.death.way, WAY_LIVE);
	CHECK(f.g.death.standstill);
	CHECK_STR(f.g.death.source, "panic_cpu");
	CHECK(f.g.death.pid == -1 && f.g.death.cpu == -1 && !f.g.death.task_recorded);
	sick_fake_release(&f);
	sick_fake_init(&f);
	put32(&f.w.k, SICK_VARS + SV_PANIC, 1);
	death_read(&f.g);
	/* who panicked is known, and with what words is not */
	CHECK_U64(f.g.death.way, WAY_UNKNOWN);
	CHECK(!f.g.death.standstill);
	CHECK_U64((uint64_t)f.g.death.pid, 101);
	CHECK_U64((uint64_t)f.g.death.cpu, 1);
	CHECK(f.g.death.task_recorded);
	sick_fake_release(&f);
}

/* Bits of tainted_mask, Documentation/admin-guide/tainted-kernels.rst: 4 machine check, 5 bad page,
 * 12 out of tree. */
TEST(what_taints)
{
	static const struct {
		uint64_t mask;
		enum check_state hardware, taints;
	} masks[] = {
		{ 0, CHECK_OK, CHECK_OK },         { 1 << 4, CHECK_WARN, CHECK_WARN },
		{ 1 << 5, CHECK_OK, CHECK_WARN },  /* a page in a bad state is no broken memory */
		{ 1 << 12, CHECK_OK, CHECK_OK },   /* which code is loaded is the modules' line */
		{ 1 << 9, CHECK_OK, CHECK_OK },    /* a warning has its own line */
		{ 1 << 14, CHECK_OK, CHECK_WARN }, /* a lockup, which the log may have lost */
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(masks); i++) {
		sick_fake_init(&f);
		put64(&f.w.k, SICK_VARS + SV_TAINT, masks[i].mask);
		CHECK_U64(look(&f, &check_hardware), masks[i].hardware);
		CHECK_U64(look(&f, &check_taints), masks[i].taints);
		if (!masks[i].mask)
			CHECK_STR(f.f.text, "nothing taints the kernel");
		/* of a death by hardware it explains that */
		f.g.death.way = WAY_HARDWARE;
		if (masks[i].mask == 1 << 4)
			CHECK_U64(look(&f, &check_hardware), CHECK_FAIL);
		sick_fake_release(&f);
	}
}

/* A dump that was cut says how much of it is lost. */
TEST(a_dump_that_ends_early)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	CHECK_U64(look(&f, &check_dump), CHECK_OK);
	f.w.k.t.dump.truncated = true;
	f.w.k.t.dump.missing_pages = 3;
	f.w.k.t.dump.present_pages = 7;
	CHECK_U64(look(&f, &check_dump), CHECK_WARN);
	CHECK_STR(f.f.text, "the file ends early: 3 of 10 pages are lost");
	sick_fake_release(&f);
}

/* Who sent an NMI to a machine that had nothing to do stands outside. Somebody may have pressed the
 * button because of what is broken, where something is. */
TEST(an_nmi_to_cpus_that_are_idle)
{
	struct finding walks = { .check = &check_walks, .state = CHECK_OK, .text = "text" };
	static struct sick_fake f;
	struct verdict v;

	sick_fake_init(&f);
	for (int cpu = 0; cpu < 2; cpu++)
		put32(&f.w.k, WAIT_TASK(cpu) + ST_PID, 0);
	f.g.findings = &walks;
	f.g.n_findings = 1;
	f.g.death.way = WAY_NMI;
	v = (struct verdict){ .outcome = OUTCOME_UNKNOWN };
	judge(&f.g, &v);
	CHECK_U64(v.outcome, OUTCOME_ALIVE);
	CHECK_CONTAINS(v.sentence, "nothing is wrong: an NMI came while every CPU was idle");
	walks.state = CHECK_WARN;
	judge(&f.g, &v);
	CHECK_U64(v.outcome, OUTCOME_ALIVE);
	CHECK_CONTAINS(v.sentence,
		       "no check failed, but not all of memory is as it must be: an NMI");
	sick_fake_release(&f);
}

/* A task that died in an exception left a mutex locked, for which another one waits. */
TEST(a_lock_that_the_dead_have)
{
	struct report r = { .kind = KIND_NULL_DEREF };
	struct claim found = { .report = &r, .sentence = "it died", .why_sure = "it said so" };
	static struct sick_fake f;
	const struct claim *c;

	sick_fake_init(&f);
	put_wait(&f, 2, -1, "mutex", SECOND);
	f.w.g.objects.p[0].name = "frob";
	memcpy(&f.g.graph, &f.w.g, sizeof(f.g.graph));
	CHECK(claim_tie(&f.g, &found) == &found); /* nobody knows who has it */
	f.w.g.objects.p[0].orphan = true;
	c = claim_tie(&f.g, &found);
	CHECK_STR(c->sentence, "it died; mutex frob is left locked, and 1 wait for it");
	f.w.g.objects.p[0].n = 0; /* nobody wants it */
	CHECK(claim_tie(&f.g, &found) == &found);
	sick_fake_release(&f);
}

/* A list of tasks that leads to no memory of the kernel is broken, whatever could be read of it. */
TEST(a_list_that_leads_nowhere)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	CHECK_U64(look(&f, &check_walks), CHECK_OK);
	sick_fake_release(&f);
	sick_fake_init(&f);
	put64(&f.w.k, SICK_VARS + SV_INIT_TASK + ST_TASKS, 8);
	(void)look(&f, &check_stacks); /* walks the tasks */
	CHECK_U64(look(&f, &check_walks), CHECK_WARN);
	CHECK_CONTAINS(f.f.text, "1 led to what cannot be, the first: ");
	sick_fake_release(&f);
}

/* The functions of one address: the code of the first was inlined into the second. */
static bool two_lines(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		      struct err *err)
{
	static const struct line inlined[] = { { "take", "include/linux/frob.h", 7, true },
					       { "frob_take", "drivers/frob/main.c", 12, false } };

	(void)s;
	if (addr != WAIT_WAKE + 3)
		return err_set(err, ERR_NOTFOUND, "not there");
	*ret = inlined;
	*n = ARRAY_SIZE(inlined);
	return true;
}

/* Where a task of a ring asked for its lock, the function's own file says, not that of what was
 * inlined into it. A call ends before the address that it returns to. */
TEST(where_a_lock_was_asked_for)
{
	static const size_t edges[] = { 0 };
	struct line_source lines = { .find = two_lines };
	static struct sick_fake f;

	sick_fake_init(&f);
	lines_add(&f.w.k.t, &lines);
	put_wait(&f, 2, 2, "mutex", SECOND)->at = WAIT_WAKE + 4;
	*vec_push(&f.w.g.cycles) = (struct wait_path){ .edges = edges, .n = 1, .proven = true };
	REQUIRE(look(&f, &check_deadlock) == CHECK_FAIL);
	CHECK_STR(f.f.claim->place, "drivers/frob/main.c:12");
	CHECK_STR(f.f.claim->subsystem, "drivers/frob");
	sick_fake_release(&f);
}

/* What --fail-on takes: kinds of reports, of ways to die and of checks, and outcomes; whole words.
 */
TEST(words_of_a_verdict)
{
	static const char *const words[] = { "oom", "null-deref", "no-root", "deadlock", "stuck" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		CHECK(verdict_has_word(words[i], strlen(words[i])));
		CHECK(!verdict_has_word(words[i], strlen(words[i]) - 1));
	}
	CHECK(!verdict_has_word("", 0));
}

TEST_MAIN
