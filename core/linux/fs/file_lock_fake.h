/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: locks of files that two CPUs have in their lists, and a request behind one of them. */
#ifndef OBIT_FILE_LOCK_FAKE_H
#define OBIT_FILE_LOCK_FAKE_H

#include "core/linux/fs/vfs_fake.h"

#define LOCK_AT(i) (F_END + 0x1000u + (uint64_t)(i)*0x100u)
#define LOCKS_N 4
#define LOCK_CPU(cpu) (LOCK_AT(LOCKS_N) + (uint64_t)(cpu)*0x100u)
#define LOCK_SYMBOLS LOCK_AT(8)
#define LOCK_LIST 0x10u /* per-CPU address of the lists */

/* Offsets of the fake's own. */
enum {
	LK_BLOCKER = 0,
	LK_LINK = 8,
	LK_REQUESTS = 24,
	LK_REQUEST = 40,
	LK_OWNER = 56,
	LK_FLAGS = 64,
	LK_MODE = 72,
	LK_PID = 80,
	LK_FILE = 88,
	LK_START = 96,
	LK_END = 104
};

/* The members of older kernels are fl_blocker and so on. */
static inline void file_lock_types(struct fake_kernel *k, bool older)
{
	const struct type *node = INNER(k, "next", "pprev"), *list = INNER(k, "next", "prev");
	struct type *s = kernel_struct(k, older ? "file_lock" : "file_lock_core", 112);

	kernel_member(s, older ? "fl_blocker" : "flc_blocker", &k->u64, LK_BLOCKER);
	kernel_member(s, older ? "fl_link" : "flc_link", node, LK_LINK);
	kernel_member(s, older ? "fl_blocked_requests" : "flc_blocked_requests", list, LK_REQUESTS);
	kernel_member(s, older ? "fl_blocked_member" : "flc_blocked_member", list, LK_REQUEST);
	kernel_member(s, older ? "fl_owner" : "flc_owner", &k->u64, LK_OWNER);
	kernel_member(s, older ? "fl_flags" : "flc_flags", &k->u64, LK_FLAGS);
	kernel_member(s, older ? "fl_type" : "flc_type", &k->u8, LK_MODE);
	kernel_member(s, older ? "fl_pid" : "flc_pid", &k->u32, LK_PID);
	kernel_member(s, older ? "fl_file" : "flc_file", &k->u64, LK_FILE);
	if (!older)
		s = kernel_struct(k, "file_lock", 112);
	kernel_member(s, "fl_start", &k->s64, LK_START);
	kernel_member(s, "fl_end", &k->s64, LK_END);
	s = kernel_struct(k, "file_lock_list_struct", 8);
	kernel_member(s, "hlist", INNER(k, "first"), 0);
}

static inline void put_lock(struct fake_kernel *k, int i, uint64_t flags, uint8_t mode,
			    uint32_t pid)
{
	const uint64_t at = LOCK_AT(i);

	put_list(k, at + LK_REQUESTS, NULL, 0);
	put64(k, at + LK_FLAGS, flags);
	put8(k, at + LK_MODE, mode);
	put32(k, at + LK_PID, pid);
	put64(k, at + LK_END, INT64_MAX);
}

/* CPU 0 has lock 0, of bytes 10 to 19, and lock 1, CPU 1 lock 3; request 2 waits for lock 0. */
static inline void file_lock_fake_init(struct fake_kernel *k, bool older)
{
	const uint64_t request = LOCK_AT(2) + LK_REQUEST;

	vfs_fake_init(k);
	file_lock_types(k, older);
	kernel_symbol(k, "file_lock_list", LOCK_LIST);
	kernel_symbol(k, "nr_cpu_ids", LOCK_SYMBOLS);
	kernel_symbol(k, "__cpu_possible_mask", LOCK_SYMBOLS + 8);
	kernel_symbol(k, "__per_cpu_offset", LOCK_SYMBOLS + 16);
	put32(k, LOCK_SYMBOLS, 2);
	put64(k, LOCK_SYMBOLS + 8, 3);
	put64(k, LOCK_SYMBOLS + 16, LOCK_CPU(0));
	put64(k, LOCK_SYMBOLS + 24, LOCK_CPU(1));
	put_lock(k, 0, 1, 0, 41);
	put_lock(k, 1, 1 | 1024, 1, 42);
	put_lock(k, 2, 1, 1, 43);
	put_lock(k, 3, 32 | 256, 1, 44);
	put64(k, LOCK_AT(0) + LK_START, 10);
	put64(k, LOCK_AT(0) + LK_END, 19);
	put64(k, LOCK_AT(2) + LK_BLOCKER, LOCK_AT(0));
	put_list(k, LOCK_AT(0) + LK_REQUESTS, &request, 1);
	put64(k, LOCK_CPU(0) + LOCK_LIST, LOCK_AT(0) + LK_LINK);
	put64(k, LOCK_AT(0) + LK_LINK + 8, LOCK_CPU(0) + LOCK_LIST);
	put64(k, LOCK_AT(0) + LK_LINK, LOCK_AT(1) + LK_LINK);
	put64(k, LOCK_AT(1) + LK_LINK + 8, LOCK_AT(0) + LK_LINK);
	put64(k, LOCK_CPU(1) + LOCK_LIST, LOCK_AT(3) + LK_LINK);
	put64(k, LOCK_AT(3) + LK_LINK + 8, LOCK_CPU(1) + LOCK_LIST);
}

#endif
