/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits in queues: bits, folios, futexes, locks of files, percpu_rw_semaphores. What
 * is expected follows from what each test lays out, as the kernel does. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define OBJ(i) (KERNEL_BASE + 0x8000 + (uint64_t)(i)*0x100)

/* Offsets of the fake's own. */
enum {
	ENTRY = 24,   /* link in struct wait_queue_entry */
	QUEUE = 8,    /* list in struct wait_queue_head */
	WAIT_IN = 16, /* entry in what stands around it: wait_page_queue, wait_bit_queue_entry */
	PER_BLOCK = 48,
	PER_WRITER = 8,
	PER_WAITERS = 16,
	LOCK_FLAGS = 8,
	LOCK_OWNER = 16,
	LOCK_PID = 24,
	LOCK_WAIT = 32,
	Q_NODE = 24, /* of struct futex_q: its list, task and key */
	Q_TASK = 40,
	Q_KEY = 48
};

static const struct type *named(struct fake_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, name))
			return k->types[i];
	return NULL;
}

static void queue_types(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	const struct type *list = named(k, "list_head"), *entry = named(k, "wait_queue_entry");
	const struct type *queue = named(k, "wait_queue_head");
	struct type *s, *key = INNER(k, "flags"), *plist = INNER(k, "prio", "prio_list");

	kernel_member(key, "bit_nr", &k->s32, 8);
	s = kernel_struct(k, "wait_page_queue", 56);
	kernel_member(s, "folio", &k->ptr, 0);
	kernel_member(s, "bit_nr", &k->s32, 8);
	kernel_member(s, "wait", entry, WAIT_IN);
	s = kernel_struct(k, "wait_bit_queue_entry", 56);
	kernel_member(s, "key", key, 0);
	kernel_member(s, "wq_entry", entry, WAIT_IN);
	s = WORDS(k, "buffer_head", "b_page", "b_state");
	s = kernel_struct(k, "percpu_rw_semaphore", 64);
	kernel_member(s, "writer", INNER(k, "task"), PER_WRITER);
	kernel_member(s, "waiters", queue, PER_WAITERS);
	kernel_member(s, "block", INNER(k, "counter"), PER_BLOCK);
	s = kernel_struct(k, "file_lock_core", 64);
	kernel_member(s, "flc_blocker", &k->ptr, 0);
	kernel_member(s, "flc_flags", &k->u32, LOCK_FLAGS);
	kernel_member(s, "flc_owner", &k->ptr, LOCK_OWNER);
	kernel_member(s, "flc_pid", &k->s32, LOCK_PID);
	kernel_member(s, "flc_wait", queue, LOCK_WAIT);
	kernel_member(plist, "node_list", list, Q_NODE);
	key = INNER(k, "unused");
	kernel_member(key, "both", INNER(k, "ptr", "word", "offset"), 0);
	s = kernel_struct(k, "futex_q", 96);
	kernel_member(s, "list", plist, 0);
	kernel_member(s, "task", &k->ptr, Q_TASK);
	kernel_member(s, "key", key, Q_KEY);
}

/* Task i has a wait_queue_entry at that address in the queue whose head is at `head`. */
static void put_entry(struct wait_fake *f, int i, uint64_t entry, uint64_t head)
{
	const uint64_t node = entry + ENTRY;

	put64(&f->k, entry + 8, WAIT_TASK(i));
	put64(&f->k, entry + 16, WAIT_WAKE);
	put_list(&f->k, head + QUEUE, &node, 1);
}

TEST(a_folio_and_a_bit_are_named_by_the_waiter)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	queue_types(&f);
	for (int i = 0; i < 3; i++)
		put_entry(&f, i, WAIT_WAITER(i) + WAIT_IN, OBJ(i));
	put64(&f.k, WAIT_WAITER(0), OBJ(8));
	put32(&f.k, WAIT_WAITER(0) + 8, 5);
	put64(&f.k, WAIT_WAITER(1), OBJ(9) + 8);
	put32(&f.k, WAIT_WAITER(1) + 8, 2);
	put64(&f.k, WAIT_WAITER(2), OBJ(10));
	put32(&f.k, WAIT_WAITER(2) + 8, (uint32_t)-1); /* wait_var_event() */
	REQUIRE(wait_fake_look(&f, 0, "folio_wait_bit_common"));
	REQUIRE(wait_fake_look(&f, 1, "__wait_on_buffer"));
	/* of who waits for it no frame tells, but what wakes it */
	put64(&f.k, WAIT_WAITER(2) + WAIT_IN + 16, WAIT_WAKE_VAR);
	REQUIRE(wait_fake_look(&f, 2, "caller_of_schedule"));
	CHECK_STR(OBJECT(&f, 2)->type, "variable");
	CHECK_STR(OBJECT(&f, 0)->type, "folio");
	CHECK_U64(OBJECT(&f, 0)->addr, OBJ(8));
	CHECK_STR(EDGE(&f, 0)->mode, "bit 5");
	/* b_state is the second word of the buffer head */
	CHECK_STR(OBJECT(&f, 1)->type, "buffer_head");
	CHECK_U64(OBJECT(&f, 1)->addr, OBJ(9));
	CHECK_STR(EDGE(&f, 1)->mode, "bit 2");
	CHECK(!EDGE(&f, 2)->mode);
	wait_fake_release(&f);
}

TEST(readers_of_a_percpu_semaphore_wait_for_its_writer)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	queue_types(&f);
	put_entry(&f, 0, WAIT_WAITER(0), OBJ(0) + PER_WAITERS);
	put64(&f.k, OBJ(0) + PER_BLOCK, 1);
	put64(&f.k, OBJ(0) + PER_WRITER, WAIT_TASK(1));
	/* the writer waits for readers that are in: the semaphore is a word of its stack */
	put64(&f.k, WAIT_STACK(1) + WAIT_SP + 0x20, OBJ(0));
	REQUIRE(wait_fake_look(&f, 0, "percpu_rwsem_wait"));
	REQUIRE(wait_fake_look(&f, 1, "percpu_down_write"));
	CHECK_STR(OBJECT(&f, 0)->type, "percpu_rwsem");
	CHECK_U64(OBJECT(&f, 0)->addr, OBJ(0));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
	CHECK_STR(EDGE(&f, 0)->mode, "read");
	CHECK_STR(EDGE(&f, 1)->mode, "write");
	CHECK_U64(EDGE(&f, 1)->object, EDGE(&f, 0)->object);
	CHECK(!wait_fake_look(&f, 2, "percpu_rwsem_wait")); /* it is in no queue */
	wait_fake_release(&f);
}

/* The writer waits for readers, whom nobody names: not for itself, though its name is in the lock.
 */
TEST(a_writer_that_drains_readers_is_in_no_deadlock)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	queue_types(&f);
	put64(&f.k, OBJ(0) + PER_BLOCK, 1);
	put64(&f.k, OBJ(0) + PER_WRITER, WAIT_TASK(1));
	put64(&f.k, WAIT_STACK(1) + WAIT_SP + 0x20, OBJ(0));
	REQUIRE(wait_fake_look(&f, 1, "percpu_down_write"));
	wait_paths(&f.g);
	CHECK_U64(f.g.cycles.n, 0);
	wait_fake_release(&f);
}

TEST(a_futex_is_an_address_of_a_program)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	queue_types(&f);
	for (int i = 0; i < 3; i++) {
		const uint64_t node = WAIT_WAITER(i) + Q_NODE;

		put64(&f.k, WAIT_WAITER(i) + Q_TASK, WAIT_TASK(i));
		put_list(&f.k, OBJ(i), &node, 1);
	}
	put64(&f.k, WAIT_WAITER(0) + Q_KEY, 0x1234000); /* the mm */
	put64(&f.k, WAIT_WAITER(0) + Q_KEY + 8, 0x7f0000001000);
	put64(&f.k, WAIT_WAITER(0) + Q_KEY + 16, 0x18);
	put64(&f.k, WAIT_WAITER(1) + Q_KEY, 77); /* the number of an inode, and page 3 of it */
	put64(&f.k, WAIT_WAITER(1) + Q_KEY + 8, 3);
	put64(&f.k, WAIT_WAITER(1) + Q_KEY + 16, 0x20 | 1);
	put64(&f.k, WAIT_WAITER(2) + Q_KEY, 77); /* the very first word of it */
	put64(&f.k, WAIT_WAITER(2) + Q_KEY + 16, 1);
	REQUIRE(wait_fake_look(&f, 0, "futex_wait_queue"));
	REQUIRE(wait_fake_look(&f, 1, "__futex_wait"));
	CHECK_STR(OBJECT(&f, 0)->type, "futex");
	CHECK_U64(OBJECT(&f, 0)->addr, 0x7f0000001018);
	CHECK_U64(OBJECT(&f, 0)->space, 0x1234000);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "no owner");
	CHECK(!OBJECT(&f, 0)->holder);
	CHECK_U64(OBJECT(&f, 1)->addr, 3 * 4096 + 0x20);
	CHECK_STR(EDGE(&f, 1)->mode, "shared");
	REQUIRE(wait_fake_look(&f, 2, "__futex_wait"));
	REQUIRE(EDGE(&f, 2)->object != WAIT_NONE);
	CHECK_STR(OBJECT(&f, 2)->type, "futex");
	CHECK_U64(OBJECT(&f, 2)->addr, 0);
	CHECK_U64(OBJECT(&f, 2)->space, 77);
	wait_fake_release(&f);
}

TEST(a_lock_of_a_file_is_the_one_in_the_way)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	queue_types(&f);
	for (int i = 0; i < 2; i++) {
		put_entry(&f, i, WAIT_WAITER(i), OBJ(i) + LOCK_WAIT);
		put64(&f.k, OBJ(i), OBJ(8 + i)); /* the request names its blocker */
	}
	put32(&f.k, OBJ(0) + LOCK_FLAGS, 2 | 0x80);
	put32(&f.k, OBJ(1) + LOCK_FLAGS, 1 | 0x80);
	REQUIRE(wait_fake_look(&f, 0, "locks_lock_inode_wait"));
	REQUIRE(wait_fake_look(&f, 1, "fcntl_setlk"));
	CHECK_STR(OBJECT(&f, 0)->type, "flock");
	CHECK_U64(OBJECT(&f, 0)->addr, OBJ(8));
	CHECK_STR(OBJECT(&f, 1)->type, "posix_lock");
	CHECK_U64(OBJECT(&f, 1)->addr, OBJ(9));
	wait_fake_release(&f);
}

TEST_MAIN
