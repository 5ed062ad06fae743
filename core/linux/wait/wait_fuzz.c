/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the graph of waits, on stacks, lists and locks that are overwritten. */
#include "core/base/bytes.h"
#include "core/linux/wait/wait_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_all(struct wait_fake *f, bool heads)
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

/* Where a change goes: a lock, a task, or the waiter of a task. */
static uint64_t place(uint8_t kind, uint8_t off)
{
	const int i = kind >> 2 & 7;

	switch (kind & 3) {
	case 0:
		return WAIT_LOCK(i) + (off & 0x38);
	case 1:
		return WAIT_TASK(i) + (off & 0x38);
	default:
		return WAIT_WAITER(i) + (off & 0x38);
	}
}

/* Byte 0: with heads or without; then changes of four bytes each: where, and the place whose
 * address is put there, with low bits. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const functions[] = { "__mutex_lock",    "__mutex_lock",
						 "__mutex_lock",    "rwsem_down_write",
						 "rwsem_down_read", "wait_for_completion",
						 "__down_common",   "do_wait" };
	struct wait_fake *f;

	if (!size)
		return 0;
	f = xrealloc(NULL, sizeof(*f));
	wait_fake_init(f, data[0] & 1);
	put_all(f, data[0] & 1);
	for (data++, size--; size >= 4; data += 4, size -= 4)
		put64(&f->k, place(data[0], data[1]),
		      data[2] == 0xff ? data[3] : place(data[2], data[3]) | (data[3] & 7));
	for (int i = 0; i < WAIT_TASKS; i++)
		(void)wait_fake_look(f, i, functions[i]);
	wait_paths(&f->g);
	wait_fake_release(f);
	free(f);
	return 0;
}
