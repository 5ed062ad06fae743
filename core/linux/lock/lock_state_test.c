/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of locks' states in words, of those too that nobody waits for. What is expected follows
 * from what each test lays out. */
#include "core/base/test.h"
#include "core/linux/wait/wait_spin_fake.h"
#include "core/linux/lock/lock_state.h"

#define VARIABLE (KERNEL_BASE + 0x39000)

/* A variable of a struct that has a mutex, an array of two rw_semaphores and a spinlock. */
static struct type *the_holder;

static bool variable_type(struct type_source *s, const char *name, uint64_t addr,
			  const struct type **ret, struct err *err)
{
	(void)s, (void)addr;
	if (strcmp(name, "the_variable") != 0)
		return err_set(err, ERR_NOTYPE, "no variable");
	*ret = the_holder;
	return true;
}

static void more_symbols(struct fake_kernel *k)
{
	spin_fake_symbols(k);
	kernel_symbol(k, "the_variable", VARIABLE);
	k->syms[k->n_syms - 1].size = 256;
}

static void state_fake_init(struct spin_fake *f, bool heads)
{
	struct fake_kernel *k = &f->w.k;

	memset(&f->regs, 0, sizeof(f->regs));
	wait_fake_init_with(&f->w, heads, more_symbols);
	k->t.symbols.tabs.p[0]->hi = KERNEL_BASE + KERNEL_SIZE; /* with the variable */
	spin_fake_types(f);
	spin_fake_vars(f);
	the_holder = kernel_struct(k, "holder", 256);
	kernel_member(the_holder, "first", &k->u64, 0);
	kernel_member(the_holder, "lock", wait_fake_type(&f->w, "mutex"), 8);
	kernel_member(the_holder, "sems", kernel_array(k, wait_fake_type(&f->w, "rw_semaphore"), 2),
		      64);
	kernel_member(the_holder, "raw", f->raw, 192);
	k->source.variable = variable_type;
}

TEST(a_lock_is_told_by_the_type_of_a_variable)
{
	struct spin_fake f;
	struct wait_state s;

	state_fake_init(&f, true);
	put_list(&f.w.k, VARIABLE + 8 + WO_LIST, NULL, 0);
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 8, &s));
	CHECK_STR(s.type, "mutex");
	CHECK_STR(s.name, "the_variable.lock");
	CHECK_STR(s.how, "type");
	CHECK_STR(s.state, "unlocked");
	CHECK(s.counted && !s.n && !s.holder);
	/* the second of the array: two read it, and its owner word has a reader's bit */
	put_list(&f.w.k, VARIABLE + 112 + WO_LIST, NULL, 0);
	put64(&f.w.k, VARIABLE + 112 + WO_RW_COUNT, 0x200);
	put64(&f.w.k, VARIABLE + 112 + WO_RW_OWNER, WAIT_TASK(3) | 1);
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 112, &s));
	CHECK_STR(s.name, "the_variable.sems[1]");
	CHECK_STR(s.state, "read by 2");
	CHECK(s.holder == &f.w.tasks[3]);
	CHECK_U64(s.holder_by, WAIT_BY_HINT);
	put32(&f.w.k, VARIABLE + 192, 1);
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 192, &s));
	CHECK_STR(s.type, "spinlock");
	CHECK_STR(s.state, "locked");
	/* what is no lock, and what lies behind the variable */
	CHECK(!wait_state_at(&f.w.g, VARIABLE, &s));
	CHECK(!wait_state_at(&f.w.g, VARIABLE + 16, &s));
	CHECK(!wait_state_at(&f.w.g, VARIABLE + 512, &s));
	wait_fake_release(&f.w);
}

/* Two wait, one of them first; the word's bits are told. */
TEST(bits_and_waiters_of_a_lock)
{
	const uint64_t nodes[] = { WAIT_WAITER(1), WAIT_WAITER(2) };
	struct spin_fake f;
	struct wait_state s;

	state_fake_init(&f, true);
	put64(&f.w.k, VARIABLE + 8 + WO_OWNER, WAIT_TASK(0) | 3);
	put_list(&f.w.k, VARIABLE + 8 + WO_LIST, nodes, 2);
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 8, &s));
	CHECK(s.holder == &f.w.tasks[0]);
	CHECK_U64(s.holder_by, WAIT_BY_OWNER_WORD);
	CHECK_U64(s.n, 2);
	CHECK(s.counted);
	CHECK_CONTAINS(s.state, "bit 0: there are waiters");
	CHECK_CONTAINS(s.state, "bit 1: the first waiter wants it next");
	/* a list that loops is left, and not counted */
	put64(&f.w.k, WAIT_WAITER(2), WAIT_WAITER(2));
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 8, &s));
	CHECK(!s.counted);
	CHECK_U64(s.why.code, ERR_CORRUPT);
	wait_fake_release(&f.w);
}

/* v7.2: the lock has its first waiter alone. */
TEST(waiters_of_a_lock_without_a_head)
{
	struct spin_fake f;
	struct wait_state s;

	state_fake_init(&f, false);
	put64(&f.w.k, VARIABLE + 8 + WO_OWNER, WAIT_TASK(0) | 1);
	put_ring(&f.w, VARIABLE + 8, (const int[]){ 1, 2, 3 }, 3);
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 8, &s));
	CHECK_U64(s.n, 3);
	put64(&f.w.k, VARIABLE + 8 + WO_LIST, 0);
	put64(&f.w.k, VARIABLE + 8 + WO_OWNER, 0);
	REQUIRE(wait_state_at(&f.w.g, VARIABLE + 8, &s));
	CHECK_STR(s.state, "unlocked");
	CHECK(s.counted && !s.n);
	wait_fake_release(&f.w);
}

/* Nothing says what type it is, but a task waits there. */
TEST(a_lock_is_told_by_who_waits)
{
	struct spin_fake f;
	struct wait_state s;

	state_fake_init(&f, true);
	put_mutex(&f.w, 0, 4, (const int[]){ 1, 2 }, 2);
	CHECK(!wait_state_at(&f.w.g, WAIT_LOCK(0), &s));
	REQUIRE(wait_fake_look(&f.w, 1, "__mutex_lock"));
	REQUIRE(wait_fake_look(&f.w, 2, "__mutex_lock"));
	REQUIRE(wait_state_at(&f.w.g, WAIT_LOCK(0), &s));
	CHECK_STR(s.how, "waiters");
	CHECK_STR(s.type, "mutex");
	CHECK(s.holder == &f.w.tasks[4]);
	CHECK_U64(s.n, 2);
	wait_fake_release(&f.w);
}

TEST_MAIN
