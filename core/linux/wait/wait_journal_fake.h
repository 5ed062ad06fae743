/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a journal with a transaction that is being committed, and who waits for it. */
#ifndef OBIT_WAIT_JOURNAL_FAKE_H
#define OBIT_WAIT_JOURNAL_FAKE_H

#include "core/linux/wait/wait_fake.h"

#define JOURNAL (KERNEL_BASE + 0xc000)
#define JOURNAL_RUNNING (KERNEL_BASE + 0xc100)
#define JOURNAL_COMMITTING (KERNEL_BASE + 0xc180)
#define JOURNAL_BUFFER (KERNEL_BASE + 0xc200)
#define JOURNAL_HEAD (KERNEL_BASE + 0xc240)
#define JOURNAL_HANDLE(i) (KERNEL_BASE + 0xc400 + (uint64_t)(i)*0x40)

/* Offsets of the fake's own. */
enum {
	WO_JOURNAL_INFO = 0x90,
	J_RUNNING = 0,
	J_COMMITTING = 8,
	J_TASK = 16,
	J_BARRIER_COUNT = 24,
	J_BARRIER = 32,
	J_LOCKED = 80, /* wait queues */
	J_DONE = 104,
	J_UPDATES = 128,
	J_NAME = 152,
	T_JOURNAL = 0,
	T_TID = 8,
	T_STATE = 12,
	T_UPDATES = 16
};

static inline void journal_types(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	const struct type *queue = wait_fake_type(f, "wait_queue_head");
	struct type *s, *key = INNER(k, "flags");

	kernel_member(wait_fake_type(f, "task_struct"), "journal_info", &k->ptr, WO_JOURNAL_INFO);
	s = kernel_struct(k, "journal_s", 192);
	kernel_member(s, "j_running_transaction", &k->ptr, J_RUNNING);
	kernel_member(s, "j_committing_transaction", &k->ptr, J_COMMITTING);
	kernel_member(s, "j_task", &k->ptr, J_TASK);
	kernel_member(s, "j_barrier_count", &k->s32, J_BARRIER_COUNT);
	kernel_member(s, "j_barrier", wait_fake_type(f, "mutex"), J_BARRIER);
	kernel_member(s, "j_wait_transaction_locked", queue, J_LOCKED);
	kernel_member(s, "j_wait_done_commit", queue, J_DONE);
	kernel_member(s, "j_wait_updates", queue, J_UPDATES);
	kernel_member(s, "j_devname", kernel_array(k, &k->u8, 32), J_NAME);
	s = kernel_struct(k, "transaction_s", 32);
	kernel_member(s, "t_journal", &k->ptr, T_JOURNAL);
	kernel_member(s, "t_tid", &k->u32, T_TID);
	kernel_member(s, "t_state", &k->u32, T_STATE);
	kernel_member(s, "t_updates", INNER(k, "counter"), T_UPDATES);
	WORDS(k, "jbd2_journal_handle", "h_transaction");
	WORDS(k, "journal_head", "b_bh", "b_transaction");
	WORDS(k, "buffer_head", "b_state", "b_private");
	kernel_member(key, "bit_nr", &k->s32, 8);
	s = kernel_struct(k, "wait_bit_queue_entry", 56);
	kernel_member(s, "key", key, 0);
	kernel_member(s, "wq_entry", wait_fake_type(f, "wait_queue_entry"), 16);
}

/* Task 7 commits. */
static inline void put_journal(struct wait_fake *f)
{
	const uint64_t transactions[] = { JOURNAL_RUNNING, JOURNAL_COMMITTING };

	put64(&f->k, JOURNAL + J_RUNNING, JOURNAL_RUNNING);
	put64(&f->k, JOURNAL + J_TASK, WAIT_TASK(7));
	put_str(&f->k, JOURNAL + J_NAME, "vda1-8");
	for (uint32_t i = 0; i < 2; i++) {
		put64(&f->k, transactions[i] + T_JOURNAL, JOURNAL);
		put32(&f->k, transactions[i] + T_TID, 42 - i);
		put32(&f->k, transactions[i] + T_STATE, 1); /* T_LOCKED */
		put64(&f->k, transactions[i] + T_UPDATES, 1);
	}
}

/* Task i waits in one of the journal's queues. */
static inline void put_journal_waiter(struct wait_fake *f, int i, uint64_t queue)
{
	const uint64_t node = WAIT_WAITER(i) + 24;

	put64(&f->k, WAIT_WAITER(i) + 8, WAIT_TASK(i));
	put64(&f->k, WAIT_WAITER(i) + 16, WAIT_WAKE);
	put_list(&f->k, JOURNAL + queue + 8, &node, 1);
}

/* Task i has a handle of the running transaction. */
static inline void put_handle(struct wait_fake *f, int i)
{
	put64(&f->k, WAIT_TASK(i) + WO_JOURNAL_INFO, JOURNAL_HANDLE(i));
	put64(&f->k, JOURNAL_HANDLE(i), JOURNAL_RUNNING);
}

/* Task i waits until a buffer of the running transaction is written: BH_Shadow of its state. */
static inline void put_shadow_waiter(struct wait_fake *f, int i)
{
	const uint64_t entry = WAIT_WAITER(i) + 16, node = entry + 24;

	put64(&f->k, JOURNAL_BUFFER + 8, JOURNAL_HEAD);
	put64(&f->k, JOURNAL_HEAD, JOURNAL_BUFFER);
	put64(&f->k, JOURNAL_HEAD + 8, JOURNAL_RUNNING);
	put64(&f->k, WAIT_WAITER(i), JOURNAL_BUFFER);
	put32(&f->k, WAIT_WAITER(i) + 8, 26);
	put64(&f->k, entry + 8, WAIT_TASK(i));
	put64(&f->k, entry + 16, WAIT_WAKE);
	put_list(&f->k, WAIT_LOCK(6) + 8, &node, 1);
}

#endif
