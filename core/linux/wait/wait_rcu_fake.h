/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: RCU of two CPUs, whose root has two leaves, and an srcu_struct of three ages. */
#ifndef OBIT_WAIT_RCU_FAKE_H
#define OBIT_WAIT_RCU_FAKE_H

#include "core/linux/wait/wait_fake.h"

#define RCU_NODE(i) (WAIT_RCU + (uint64_t)(i)*0x100)
#define RCU_ENTRY(i) (WAIT_TASK(i) + WO_RCU_ENTRY)
#define SRCU_AT (KERNEL_BASE + 0xb000)
#define SRCU_DATA (KERNEL_BASE + 0xb100) /* of CPU 0 */

/* Offsets of the fake's own. */
enum {
	WO_RCU_ENTRY = 0x80,
	RN_QSMASK = 0,
	RN_EXPMASK = 8,
	RN_GRPLO = 16,
	RN_GRPHI = 20,
	RN_LEVEL = 24,
	RN_BLKD = 32,
	RN_GP_TASKS = 48,
	RN_EXP_TASKS = 56,
	RN_EXP_WQ = 64,
	RS_GP_SEQ = 0x300,
	RS_EXP_SEQ = 0x308,
	RS_KTHREAD = 0x310,
	RS_BARRIER = 0x320,
	RS_BARRIER_COUNT = 0x340,
	RS_EXP_WQ = 0x350,
	SYNC_HEAD = 0, /* rcu_synchronize: the callback, then the completion */
	SYNC_DONE = 16,
	SR_INDEX = 0, /* srcu_struct: srcu_idx, or srcu_ctrp */
	SR_SDA = 8,
	SD_SSP = 0, /* srcu_data */
	SD_CALLBACKS = 8,
	SD_COUNTS = 16, /* locks and unlocks of both indices */
	SD_CPU = 48
};

static inline void rcu_types(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	const struct type *list = wait_fake_type(f, "list_head");
	const struct type *completion = wait_fake_type(f, "completion");
	struct type *s, *node, *swait = INNER(k, "lock");

	kernel_member(wait_fake_type(f, "task_struct"), "rcu_node_entry", list, WO_RCU_ENTRY);
	node = kernel_struct(k, "rcu_node", 0x100);
	kernel_member(node, "qsmask", &k->u64, RN_QSMASK);
	kernel_member(node, "expmask", &k->u64, RN_EXPMASK);
	kernel_member(node, "grplo", &k->s32, RN_GRPLO);
	kernel_member(node, "grphi", &k->s32, RN_GRPHI);
	kernel_member(node, "level", &k->u8, RN_LEVEL);
	kernel_member(node, "blkd_tasks", list, RN_BLKD);
	kernel_member(node, "gp_tasks", &k->ptr, RN_GP_TASKS);
	kernel_member(node, "exp_tasks", &k->ptr, RN_EXP_TASKS);
	s = kernel_struct(k, "rcu_state", 0x400);
	kernel_member(s, "node", kernel_array(k, node, 3), 0);
	kernel_member(s, "gp_seq", &k->u64, RS_GP_SEQ);
	kernel_member(s, "expedited_sequence", &k->u64, RS_EXP_SEQ);
	kernel_member(s, "gp_kthread", &k->ptr, RS_KTHREAD);
	kernel_member(s, "barrier_completion", completion, RS_BARRIER);
	kernel_member(s, "barrier_cpu_count", INNER(k, "counter"), RS_BARRIER_COUNT);
	kernel_member(swait, "task_list", list, 8);
	kernel_member(s, "expedited_wq", swait, RS_EXP_WQ);
	s = kernel_struct(k, "swait_queue_head", 24);
	kernel_member(s, "task_list", list, 8);
	s = kernel_struct(k, "rcu_synchronize", 48);
	kernel_member(s, "head", INNER(k, "next", "func"), SYNC_HEAD);
	kernel_member(s, "completion", completion, SYNC_DONE);
}

/* CPU n is in leaf n, whose number is n + 1. */
static inline void put_rcu(struct wait_fake *f)
{
	put32(&f->k, WAIT_RCU_LEVELS, 2);
	put32(&f->k, WAIT_RCU_NODES, 3);
	for (uint32_t i = 0; i < 3; i++) {
		put8(&f->k, RCU_NODE(i) + RN_LEVEL, i != 0);
		put32(&f->k, RCU_NODE(i) + RN_GRPLO, i ? i - 1 : 0);
		put32(&f->k, RCU_NODE(i) + RN_GRPHI, i ? i - 1 : 1);
		put_list(&f->k, RCU_NODE(i) + RN_BLKD, NULL, 0);
	}
	put64(&f->k, RCU_NODE(0) + RN_QSMASK, 3);
	/* low bits: one is under way; the kernel begins to count at -300 * 4 */
	put64(&f->k, WAIT_RCU + RS_GP_SEQ, (uint64_t)-303);
	put64(&f->k, WAIT_RCU + RS_EXP_SEQ, 37);
	put64(&f->k, WAIT_RCU + RS_KTHREAD, WAIT_TASK(7));
}

/* Task i waits in synchronize_rcu(), or in that of SRCU. */
static inline uint64_t put_synchronize(struct wait_fake *f, int i)
{
	const uint64_t sync = WAIT_WAITER(i) + 0x20;

	put_completion(f, i, sync + SYNC_DONE);
	return sync;
}

/* Counters are plain numbers (v5.10), atomic ones (v6.12), or in a struct for each index (v7.2). */
enum srcu_age {
	SRCU_PLAIN,
	SRCU_ATOMIC,
	SRCU_CTRS,
	SRCU_AGES
};

static inline void srcu_types(struct wait_fake *f, enum srcu_age age)
{
	struct fake_kernel *k = &f->k;
	const struct type *count = age == SRCU_PLAIN ? &k->u64 : INNER(k, "counter");
	struct type *s = kernel_struct(k, "srcu_data", 64), *ctr;

	kernel_member(s, "ssp", &k->ptr, SD_SSP);
	kernel_member(s, "cpu", &k->s32, SD_CPU);
	kernel_member(s, "srcu_cblist", INNER(k, "head"), SD_CALLBACKS);
	if (age == SRCU_CTRS) {
		ctr = kernel_struct(k, "srcu_ctr", 16);
		kernel_member(ctr, "srcu_locks", count, 0);
		kernel_member(ctr, "srcu_unlocks", count, 8);
		kernel_member(s, "srcu_ctrs", kernel_array(k, ctr, 2), SD_COUNTS);
	} else {
		kernel_member(s, "srcu_lock_count", kernel_array(k, count, 2), SD_COUNTS);
		kernel_member(s, "srcu_unlock_count", kernel_array(k, count, 2), SD_COUNTS + 16);
	}
	s = kernel_struct(k, "srcu_struct", 16);
	kernel_member(s, age == SRCU_CTRS ? "srcu_ctrp" : "srcu_idx", &k->u64, SR_INDEX);
	kernel_member(s, "sda", &k->ptr, SR_SDA);
}

/* CPU's counts of an index. */
static inline void put_srcu_counts(struct wait_fake *f, enum srcu_age age, unsigned cpu,
				   unsigned index, uint64_t locks, uint64_t unlocks)
{
	const uint64_t counts = SRCU_DATA + cpu * WAIT_CPU_SIZE + SD_COUNTS;

	put64(&f->k, counts + (age == SRCU_CTRS ? index * 16 : index * 8), locks);
	put64(&f->k, counts + (age == SRCU_CTRS ? index * 16 + 8 : 16 + index * 8), unlocks);
}

/* Readers come on index 1 now. */
static inline void put_srcu(struct wait_fake *f, enum srcu_age age)
{
	put64(&f->k, SRCU_AT + SR_INDEX, age == SRCU_CTRS ? SRCU_DATA + SD_COUNTS + 16 : 1);
	put64(&f->k, SRCU_AT + SR_SDA, SRCU_DATA);
	put64(&f->k, SRCU_DATA + SD_SSP, SRCU_AT);
	put64(&f->k, SRCU_DATA + WAIT_CPU_SIZE + SD_SSP, SRCU_AT);
	put32(&f->k, SRCU_DATA + WAIT_CPU_SIZE + SD_CPU, 1);
}

#endif
