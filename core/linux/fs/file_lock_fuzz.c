/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes locks of files: hostile memory. */
#include <stdlib.h>

#include "core/linux/fs/file_lock.h"
#include "core/linux/fs/file_lock_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEEN_MAX 2000

static bool take_lock(const struct file_lock *l, void *arg)
{
	if (!l->kind || !l->state || !l->mode)
		abort();
	return ++*(unsigned *)arg < SEEN_MAX;
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* Byte 0 an older kernel; then 2 bytes of place and 8 of value over locks that make sense. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct fake_kernel *k;
	unsigned n = 0;

	if (!size)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	file_lock_fake_init(k, data[0] & 1);
	for (size_t i = 1; i + 10 <= size; i += 10)
		put64(k, LOCK_AT(0) + load_le16(data + i) % (9 * 0x100 / 8) * 8u,
		      load_le64(data + i + 2));
	if (!file_locks_each(&k->t, &k->scratch, take_lock, flaw, &n, &err) && !*err.msg)
		abort();
	kernel_release(k);
	free(k);
	return 0;
}
