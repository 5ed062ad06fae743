/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the graph of waits, on stacks, lists, locks and what ends waits, overwritten. */
#include "core/base/bytes.h"
#include "core/linux/wait/wait_journal_fake.h"
#include "core/linux/wait/wait_rcu_fake.h"
#include "core/linux/wait/wait_super_fake.h"
#include "core/linux/wait/wait_work_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the tasks wait for, and in which functions: their own one, and its caller. */
struct scene {
	void (*put)(struct wait_fake *f, bool heads);
	const char *functions[WAIT_TASKS], *callers[WAIT_TASKS];
	uint64_t places; /* whose words are overwritten besides those of locks, tasks and waiters */
};

static void put_locks(struct wait_fake *f, bool heads)
{
	put_mutex(f, 0, 0, (const int[]){ 1, 2 }, 2);
	put_mutex(f, 1, 1, (const int[]){ 0 }, 1);
	put64(&f->k, WAIT_LOCK(2) + WO_RW_COUNT, 0x102);
	put64(&f->k, WAIT_LOCK(2) + WO_RW_OWNER, WAIT_TASK(4) | 1);
	put_waiters(f, WAIT_LOCK(2), (const int[]){ 3, 4 }, 2);
	if (heads)
		return;
	put_ring(f, WAIT_LOCK(0), (const int[]){ 1, 2 }, 2);
	put_ring(f, WAIT_LOCK(1), (const int[]){ 0 }, 1);
	put_ring(f, WAIT_LOCK(2), (const int[]){ 3, 4 }, 2);
	put64(&f->k, WAIT_TASK(0) + WO_BLOCKED_ON, WAIT_LOCK(1));
	put64(&f->k, WAIT_STACK(1) + WAIT_SP, WAIT_LOCK(0));
}

static void put_works(struct wait_fake *f, bool heads)
{
	(void)heads;
	work_types(&f->k);
	put_worker(f, 0, 3, 0);
	put_worker(f, 1, 4, 0);
	put32(&f->k, WORK_PWQ(0) + PWQ_FLIGHT + 5 * 4, 2);
	put_barrier(f, 0, FLUSHED_BY_WORKER);
	put_barrier(f, 1, FLUSHED_IN_POOL);
	put_barrier(f, 2, FLUSHED_IN_TURN);
	put_flusher(f, 3, FLUSHER_FIRST);
	put_mutex(f, 0, 0, (const int[]){ 4 }, 1);
}

static void put_periods(struct wait_fake *f, bool heads)
{
	const uint64_t readers[] = { RCU_ENTRY(4), RCU_ENTRY(3), RCU_ENTRY(2) };

	rcu_types(f);
	srcu_types(f, heads ? SRCU_CTRS : SRCU_PLAIN);
	put_rcu(f);
	put_srcu(f, heads ? SRCU_CTRS : SRCU_PLAIN);
	put_list(&f->k, RCU_NODE(2) + RN_BLKD, readers, 3);
	put64(&f->k, RCU_NODE(2) + RN_GP_TASKS, RCU_ENTRY(3));
	put64(&f->k, RCU_NODE(2) + RN_QSMASK, 1);
	(void)put_synchronize(f, 0);
	put64(&f->k, SRCU_DATA + SD_CALLBACKS, put_synchronize(f, 1));
	put_srcu_counts(f, heads ? SRCU_CTRS : SRCU_PLAIN, 0, 0, 1, 0);
	put64(&f->k, WAIT_STACK(1) + WAIT_SP, SRCU_AT);
	put64(&f->k, WAIT_STACK(2) + WAIT_SP, SRCU_AT);
	put_completion(f, 5, WAIT_RCU + RS_BARRIER);
	put_mutex(f, 0, 0, (const int[]){ 2 }, 1);
}

static void put_files(struct wait_fake *f, bool heads)
{
	(void)heads;
	journal_types(f);
	super_types(&f->k);
	put_journal(f);
	put_super(f);
	put_handle(f, 3);
	put_journal_waiter(f, 0, J_LOCKED);
	put_journal_waiter(f, 3, J_DONE);
	put_journal_waiter(f, 7, J_UPDATES);
	put_shadow_waiter(f, 1);
	put64(&f->k, SUPER_SB + SB_FROZEN, 4);
	put_percpu_waiter(f, 4, SUPER_SB + SB_RW_SEM);
	put_waiters(f, SUPER_INODE + INO_RWSEM, (const int[]){ 5 }, 1);
	put64(&f->k, SUPER_INODE + INO_RWSEM + WO_RW_COUNT, 3);
}

#define WAITS "wait_for_completion"
static const struct scene scenes[] = {
	{ put_locks,
	  { "__mutex_lock", "__mutex_lock", "__mutex_lock", "rwsem_down_write", "rwsem_down_read",
	    WAITS, "__down_common", "do_wait" },
	  { "", "", "", "", "", "", "", "" },
	  WAIT_LOCK(8) },
	{ put_works,
	  { WAITS, WAITS, WAITS, WAITS, "__mutex_lock", WAITS, WAITS, WAITS },
	  { "__flush_work", "__flush_work", "__flush_work", "__flush_workqueue", "",
	    "kthread_flush_work", "kthread_park", "__kthread_create_on_node" },
	  WORK_AT(0) },
	{ put_periods,
	  { WAITS, WAITS, "__mutex_lock", "do_wait", "do_wait", WAITS, "synchronize_rcu_expedited",
	    WAITS },
	  { "__wait_rcu_gp", "__synchronize_srcu", "", "", "", "rcu_barrier", "",
	    "synchronize_srcu" },
	  WAIT_RCU },
	{ put_files,
	  { "wait_transaction_locked", "__wait_on_bit", "do_wait", "jbd2_log_wait_commit",
	    "percpu_rwsem_wait", "rwsem_down_read", "do_wait", "jbd2_journal_wait_updates" },
	  { "start_this_handle", "do_get_write_access", "", "", "", "", "", "" },
	  JOURNAL },
};

/* Where a change goes: a lock, a task, the waiter of a task, or one of the scene's own objects. */
static uint64_t place(const struct scene *s, uint8_t kind, uint8_t off)
{
	const int i = kind >> 2 & 7;

	switch (kind & 3) {
	case 0:
		return WAIT_LOCK(i) + (off & 0x38);
	case 1:
		return WAIT_TASK(i) + (off & 0xf8);
	case 2:
		return WAIT_WAITER(i) + (off & 0x78);
	default:
		return s->places + (uint64_t)(kind >> 2) * 0x100 + (off & 0xf8);
	}
}

/* Byte 0: with heads or without, and the scene; then changes of four bytes each: where, and the
 * place whose address is put there, with low bits. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct scene *s;
	struct wait_fake *f;

	if (!size)
		return 0;
	s = &scenes[(data[0] >> 1) % ARRAY_SIZE(scenes)];
	f = xrealloc(NULL, sizeof(*f));
	wait_fake_init(f, data[0] & 1);
	s->put(f, data[0] & 1);
	for (data++, size--; size >= 4; data += 4, size -= 4)
		put64(&f->k, place(s, data[0], data[1]),
		      data[2] == 0xff ? data[3] : place(s, data[2], data[3]) | (data[3] & 7));
	for (int i = 0; i < WAIT_TASKS; i++)
		(void)wait_fake_look_from(f, i, s->functions[i], s->callers[i]);
	for (int i = 0; i < WAIT_TASKS; i++)
		wait_fake_search(f, i);
	wait_search_end(&f->g);
	wait_block_end(&f->g);
	wait_paths(&f->g);
	wait_fake_release(f);
	free(f);
	return 0;
}
