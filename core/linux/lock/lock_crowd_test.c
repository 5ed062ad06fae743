/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 100,000 tasks behind one lock: what is read grows as the tasks do, and no faster. Their stacks
 * are made up word by word, as they are asked for. */
#include "core/base/test.h"
#include "core/linux/lock/lock_state.h"
#include "core/linux/wait/wait_fake.h"

#define CROWD_STACKS (KERNEL_BASE + 0x100000000u)
#define CROWD_STACK(i) (CROWD_STACKS + (uint64_t)(i)*WAIT_STACK_SIZE)
#define CROWD_WAITER(i) (CROWD_STACK(i) + (WAIT_WAITER(0) - WAIT_STACK(0)))
#define CROWD_TASK(i) (KERNEL_BASE + 0x80000000u + (uint64_t)(i)*0x100)

struct crowd_fake {
	struct wait_fake w;
	struct task *tasks;
	size_t n;
	uint64_t reads;
};

static bool crowd_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu, (void)err;
	*ret = (struct mapping){ .va = va & ~(uint64_t)0xfff,
				 .pa = (va - KERNEL_BASE) & ~(uint64_t)0xfff,
				 .size = 0x1000 };
	return true;
}

/* A word of the stacks: on each lies a waiter, linked with those of its neighbours. */
static uint64_t crowd_word(const struct crowd_fake *f, uint64_t va)
{
	const uint64_t i = (va - CROWD_STACKS) / WAIT_STACK_SIZE;
	const uint64_t head = WAIT_LOCK(0) + WO_LIST;

	if (va == CROWD_WAITER(i))
		return i + 1 < f->n ? CROWD_WAITER(i + 1) : head;
	if (va == CROWD_WAITER(i) + 8)
		return i ? CROWD_WAITER(i - 1) : head;
	if (va == CROWD_WAITER(i) + WO_W_TASK)
		return CROWD_TASK(i);
	return 0;
}

static bool crowd_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct crowd_fake *f = self;
	uint8_t *p = buf;

	f->reads++;
	if (pa + n <= KERNEL_SIZE)
		return kernel_read(&f->w.k, pa, buf, n, err);
	for (size_t k = 0; k < n; k++) {
		const uint64_t va = KERNEL_BASE + pa + k;

		p[k] = va < CROWD_STACKS
			       ? 0
			       : (uint8_t)(crowd_word(f, va & ~(uint64_t)7) >> 8 * (va & 7));
	}
	return true;
}

/* How many reads it takes to make the graph of n tasks that wait for one mutex. */
static uint64_t crowd_reads(size_t n)
{
	struct crowd_fake *f = xrealloc(NULL, sizeof(*f));
	struct wait_state state;
	uint64_t ret;

	memset(f, 0, sizeof(*f));
	wait_fake_init(&f->w, true);
	f->n = n;
	f->tasks = xrealloc(NULL, n * sizeof(*f->tasks));
	f->w.k.arch.walk = crowd_walk;
	f->w.k.t.memory.phys.read = crowd_read;
	f->w.k.t.memory.phys.map = NULL;
	f->w.k.t.memory.phys.self = f;
	put64(&f->w.k, WAIT_LOCK(0) + WO_OWNER, WAIT_TASK(0) | 1);
	put64(&f->w.k, WAIT_LOCK(0) + WO_LIST, CROWD_WAITER(0));
	put64(&f->w.k, WAIT_LOCK(0) + WO_LIST + 8, CROWD_WAITER(n - 1));
	for (size_t i = 0; i < n; i++) {
		f->tasks[i] = (struct task){ .addr = CROWD_TASK(i),
					     .pid = (int)i + 1000,
					     .comm = "task",
					     .state = "UN",
					     .letter = 'D',
					     .stack = CROWD_STACK(i) };
		wait_graph_task(&f->w.g, &f->tasks[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const char *const names[] = { "__schedule", "__mutex_lock", "caller" };
		const uint64_t pcs[] = { 1, 2, 3 };
		uint64_t words[32];
		struct wait_stack s = { .g = &f->w.g,
					.task = &f->tasks[i],
					.lo = CROWD_STACK(i) + WAIT_SP,
					.words = words,
					.n = ARRAY_SIZE(words),
					.names = names,
					.pcs = pcs,
					.n_names = ARRAY_SIZE(names) };
		struct err err;

		if (!mem_words(&f->w.k.t, s.lo, words, s.n, &err) || !wait_stack_look(&s))
			break;
	}
	wait_paths(&f->w.g);
	CHECK_U64(f->w.g.edges.n, n);
	CHECK_U64(f->w.g.objects.n, 1);
	CHECK(f->w.g.objects.p[0].holder == &f->w.tasks[0]);
	CHECK(!f->w.g.objects.p[0].flaw);
	CHECK(wait_state_at(&f->w.g, WAIT_LOCK(0), &state));
	CHECK_U64(state.n, n);
	ret = f->reads;
	wait_fake_release(&f->w);
	free(f->tasks);
	free(f);
	return ret;
}

/* A stack is a page. It is read when it is looked at, when the list of waiters is walked, and when
 * the waiters are counted: thrice, or less often where it is still kept. */
TEST(a_crowd_is_read_once)
{
	static const size_t crowds[] = { 1000, 10000, 100000 };

	for (size_t i = 0; i < ARRAY_SIZE(crowds); i++) {
		const uint64_t reads = crowd_reads(crowds[i]);

		CHECK(reads >= crowds[i]);
		CHECK(reads <= 3 * crowds[i] + 1000);
	}
}

TEST_MAIN
