/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: what CPUs spin for and the states of locks, on queues, requests and locks that are
 * overwritten. */
#include "core/base/bytes.h"
#include "core/linux/lock/lock_state.h"
#include "core/linux/wait/wait_spin_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* CPU 0 asked the others, 1 and 2 are queued, 3 spins for the owner of a mutex. */
static void put_all(struct spin_fake *f)
{
	struct fake_kernel *k = &f->w.k;

	put_node(f, 1, 0, SPIN_NODE(2, 0));
	put_node(f, 2, 0, 0);
	put32(k, WAIT_LOCK(0), SPIN_WORD(1, true, 2, 0));
	put32(k, WAIT_LOCK(1) + SO_RW_COUNT, 0x3ff);
	put32(k, WAIT_LOCK(1) + SO_RW_LOCK, 1);
	put64(k, WAIT_LOCK(2) + WO_OWNER, WAIT_TASK(0));
	put32(k, WAIT_LOCK(2) + SO_OSQ, 4);
	put_csd(f, SPIN_CSD(1), 0x11, 0);
	put_csd(f, SPIN_CSD(2), 0x11, SPIN_CSD(1));
	put64(k, SPIN_PERCPU(2) + SO_QUEUE, SPIN_CSD(2));
	put64(k, SPIN_VARS + SO_CONSOLE_OWNER, WAIT_TASK(1));
	for (unsigned i = 0; i < SPIN_CPUS; i++) {
		put64(k, SPIN_PERCPU(i) + SO_STOPPER, WAIT_TASK(i));
		put64(k, SPIN_PERCPU(i) + SO_STOPPER + SO_STOP_FN, SPIN_STOP);
		put64(k, SPIN_PERCPU(i) + SO_STOPPER + SO_STOP_ARG, WAIT_LOCK(3));
		spin_register(f, i, WAIT_LOCK(i));
	}
	put32(k, WAIT_LOCK(3) + SO_STOP_THREADS, 3);
	put_mutex(&f->w, 4, 0, (const int[]){ 5, 6 }, 2);
}

/* Where a change goes: a lock, a task, a CPU's own variables, those of the kernel. */
static uint64_t place(uint8_t kind, uint8_t off)
{
	const int i = kind >> 2 & 7;

	switch (kind & 3) {
	case 0:
		return WAIT_LOCK(i) + (off & 0x3c);
	case 1:
		return WAIT_TASK(i) + (off & 0x7c);
	case 2:
		return SPIN_PERCPU(i & 3) + (uint64_t)(off & 0xfc) * 4;
	default:
		return i & 1 ? WAIT_CPUS + (off & 4) : SPIN_VARS + (off & 0x7c);
	}
}

/* Byte 0: how the functions are given to the CPUs; then changes of four bytes each: where, and a
 * number, or the place whose address is put there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const functions[] = { "native_queued_spin_lock_slowpath",
						 "queued_write_lock_slowpath",
						 "queued_read_lock_slowpath",
						 "mutex_spin_on_owner",
						 "rwsem_spin_on_owner",
						 "smp_call_function_many_cond",
						 "smp_call_function_single",
						 "multi_cpu_stop",
						 "vprintk_emit",
						 "osq_lock" };
	struct wait_state state;
	struct spin_fake *f;
	unsigned turn;
	size_t n;

	if (!size)
		return 0;
	turn = data[0];
	f = xrealloc(NULL, sizeof(*f));
	spin_fake_init(f);
	put_all(f);
	for (data++, size--; size >= 4; data += 4, size -= 4)
		if (data[2] >= 0x80)
			put32(&f->w.k, place(data[0], data[1]),
			      (uint32_t)data[3] << 8 * (data[2] & 3));
		else
			put64(&f->w.k, place(data[0], data[1]) & ~(uint64_t)7,
			      place(data[2], data[3]));
	for (unsigned i = 0; i < SPIN_CPUS; i++)
		wait_cpu_add(&f->w.g, i, &f->w.tasks[i], NULL, 0);
	for (int i = 0; i < SPIN_CPUS; i++)
		(void)spin_fake_look(f, i, functions[(turn + (unsigned)i) % ARRAY_SIZE(functions)],
				     functions[(turn >> 4) % ARRAY_SIZE(functions)]);
	(void)wait_fake_look(&f->w, 5, "__mutex_lock");
	wait_suspect_running(&f->w.g);
	wait_held_tell(&f->w.g);
	wait_console_tell(&f->w.g);
	wait_suspects_tell(&f->w.g);
	wait_paths(&f->w.g);
	(void)wait_cpu_states(&f->w.g, &n);
	for (int i = 0; i < 5; i++) {
		(void)wait_state_at(&f->w.g, WAIT_LOCK(i), &state);
		(void)wait_spinlock_words(&f->w.k.t, &f->w.g.impl->mcs, WAIT_LOCK(i));
		(void)wait_rwlock_words(&f->w.k.t, &f->w.g.impl->mcs, WAIT_LOCK(i));
	}
	spin_fake_release(f);
	free(f);
	return 0;
}
