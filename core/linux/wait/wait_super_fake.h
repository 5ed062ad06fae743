/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a superblock, its locks, and an inode of it. */
#ifndef OBIT_WAIT_SUPER_FAKE_H
#define OBIT_WAIT_SUPER_FAKE_H

#include "core/linux/wait/wait_fake.h"

#define SUPER_SB (KERNEL_BASE + 0xa000)
#define SUPER_INODE (KERNEL_BASE + 0xa400)
#define SUPER_TYPE (KERNEL_BASE + 0xa500)
#define SUPER_TEXT (KERNEL_BASE + 0xa580)
#define SUPER_DISK (KERNEL_BASE + 0xa600)
#define SUPER_PART (KERNEL_BASE + 0xa700)

/* Offsets of the fake's own. */
enum {
	SB_S_TYPE = 0,
	SB_S_ROOT = 8,
	SB_S_FLAGS = 16,
	SB_S_SUBTYPE = 24,
	SB_S_ID = 32,
	SB_S_LIST = 64,
	SB_S_UMOUNT = 80,
	SB_S_WRITERS = 128, /* frozen, then counts of who froze it, then the semaphores */
	SB_FROZEN = 128,
	SB_KCOUNT = 136,
	SB_UCOUNT = 144,
	SB_RW_SEM = 152,
	RW_SEM_SIZE = 64,
	RW_SEM_WRITER = 8,
	RW_SEM_WAITERS = 16,
	RW_SEM_BLOCK = 48,
	INO_SB = 8,
	INO_RWSEM = 80,
	DISK_PART = 8,
	DISK_MUTEX = 16,
	DISK_NAME = 64
};

static inline const struct type *super_type_named(struct fake_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, name))
			return k->types[i];
	return NULL;
}

static inline void super_types(struct fake_kernel *k)
{
	const struct type *list = super_type_named(k, "list_head");
	const struct type *rwsem = super_type_named(k, "rw_semaphore");
	struct type *s, *percpu, *writers;

	percpu = kernel_struct(k, "percpu_rw_semaphore", RW_SEM_SIZE);
	kernel_member(percpu, "writer", INNER(k, "task"), RW_SEM_WRITER);
	kernel_member(percpu, "waiters", super_type_named(k, "wait_queue_head"), RW_SEM_WAITERS);
	kernel_member(percpu, "block", INNER(k, "counter"), RW_SEM_BLOCK);
	writers = INNER(k, "frozen", "freeze_kcount", "freeze_ucount");
	kernel_member(writers, "rw_sem", kernel_array(k, percpu, 3), SB_RW_SEM - SB_S_WRITERS);
	s = WORDS(k, "super_block", "s_type", "s_root", "s_flags", "s_subtype");
	kernel_member(s, "s_id", kernel_array(k, &k->u8, 32), SB_S_ID);
	kernel_member(s, "s_list", list, SB_S_LIST);
	kernel_member(s, "s_umount", rwsem, SB_S_UMOUNT);
	kernel_member(s, "s_writers", writers, SB_S_WRITERS);
	s->size = 512;
	WORDS(k, "file_system_type", "name");
	s = WORDS(k, "inode", "i_mode", "i_sb", "i_ino", "i_size", "i_nlink", "i_state");
	kernel_member(s, "i_count", INNER(k, "counter"), 48);
	kernel_member(s, "i_dentry", INNER(k, "first"), 56);
	kernel_member(s, "i_rwsem", rwsem, INO_RWSEM);
	s->size = 128;
	s = WORDS(k, "dentry", "d_parent");
	kernel_member(s, "d_alias", INNER(k, "next"), 8);
	s = kernel_struct(k, "gendisk", 128);
	kernel_member(s, "part0", &k->ptr, DISK_PART);
	kernel_member(s, "open_mutex", super_type_named(k, "mutex"), DISK_MUTEX);
	kernel_member(s, "disk_name", kernel_array(k, &k->u8, 32), DISK_NAME);
	WORDS(k, "block_device", "bd_disk");
}

/* An ext4 on vda1, with an inode that has no name, on a disk. */
static inline void put_super(struct wait_fake *f)
{
	const uint64_t node = SUPER_SB + SB_S_LIST;

	put_list(&f->k, WAIT_SUPERS, &node, 1);
	put64(&f->k, SUPER_SB + SB_S_TYPE, SUPER_TYPE);
	put64(&f->k, SUPER_TYPE, SUPER_TEXT);
	put_str(&f->k, SUPER_TEXT, "ext4");
	put_str(&f->k, SUPER_SB + SB_S_ID, "vda1");
	put64(&f->k, SUPER_INODE + INO_SB, SUPER_SB);
	put64(&f->k, SUPER_INODE + 16, 1234);
	put64(&f->k, SUPER_DISK + DISK_PART, SUPER_PART);
	put64(&f->k, SUPER_PART, SUPER_DISK);
	put_str(&f->k, SUPER_DISK + DISK_NAME, "vda");
}

/* Task i waits in the queue of a percpu_rw_semaphore. */
static inline void put_percpu_waiter(struct wait_fake *f, int i, uint64_t sem)
{
	const uint64_t node = WAIT_WAITER(i) + 24;

	put64(&f->k, WAIT_WAITER(i) + 8, WAIT_TASK(i));
	put64(&f->k, WAIT_WAITER(i) + 16, WAIT_WAKE);
	put_list(&f->k, sem + RW_SEM_WAITERS + 8, &node, 1);
	put32(&f->k, sem + RW_SEM_BLOCK, 1);
}

#endif
