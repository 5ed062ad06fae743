/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what locks are called by what they lie in, and of file systems that are frozen. */
#include "core/base/test.h"
#include "core/linux/wait/wait_super_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])

static void setup(struct wait_fake *f)
{
	wait_fake_init(f, true);
	super_types(&f->k);
	put_super(f);
}

static void put_rwsem(struct wait_fake *f, int i, uint64_t lock)
{
	put_waiters(f, lock, (const int[]){ i }, 1);
	put64(&f->k, lock + WO_RW_COUNT, 3);
	put64(&f->k, lock + WO_RW_OWNER, WAIT_TASK(7));
}

TEST(a_lock_is_named_by_what_it_lies_in)
{
	struct wait_fake f;

	setup(&f);
	put_rwsem(&f, 0, SUPER_SB + SB_S_UMOUNT);
	put_rwsem(&f, 1, SUPER_INODE + INO_RWSEM);
	put64(&f.k, SUPER_DISK + DISK_MUTEX + WO_OWNER, WAIT_TASK(7) | 1);
	put_waiters(&f, SUPER_DISK + DISK_MUTEX, (const int[]){ 2 }, 1);
	put_rwsem(&f, 3, WAIT_LOCK(3));
	REQUIRE(wait_fake_look(&f, 0, "rwsem_down_read_slowpath"));
	REQUIRE(wait_fake_look(&f, 1, "rwsem_down_read_slowpath"));
	REQUIRE(wait_fake_look(&f, 2, "__mutex_lock"));
	REQUIRE(wait_fake_look(&f, 3, "rwsem_down_read_slowpath"));
	CHECK_STR(OBJECT(&f, 0)->name, "s_umount of ext4 vda1");
	CHECK_STR(OBJECT(&f, 1)->name, "i_rwsem of inode 1234 of ext4 vda1");
	CHECK_STR(OBJECT(&f, 2)->name, "open_mutex of disk vda");
	CHECK(!OBJECT(&f, 3)->name); /* it lies in nothing that is known */
	wait_fake_release(&f);
}

/* A superblock that is not in the kernel's list, and a disk whose device leads elsewhere, are what
 * happens to lie there. */
TEST(what_leads_nowhere_gives_no_name)
{
	struct wait_fake f;

	setup(&f);
	put64(&f.k, SUPER_INODE + INO_SB, SUPER_SB + 8);
	put64(&f.k, SUPER_PART, SUPER_DISK + 8);
	put_rwsem(&f, 1, SUPER_INODE + INO_RWSEM);
	put64(&f.k, SUPER_DISK + DISK_MUTEX + WO_OWNER, WAIT_TASK(7) | 1);
	put_waiters(&f, SUPER_DISK + DISK_MUTEX, (const int[]){ 2 }, 1);
	REQUIRE(wait_fake_look(&f, 1, "rwsem_down_read_slowpath"));
	REQUIRE(wait_fake_look(&f, 2, "__mutex_lock"));
	CHECK(!OBJECT(&f, 1)->name);
	CHECK(!OBJECT(&f, 2)->name);
	wait_fake_release(&f);
}

TEST(what_lies_on_another_s_stack)
{
	struct wait_fake f;

	setup(&f);
	put_completion(&f, 0, WAIT_STACK(2) + 0x80);
	put_completion(&f, 1, WAIT_STACK(1) + 0x80);
	REQUIRE(wait_fake_look(&f, 0, "wait_for_completion"));
	REQUIRE(wait_fake_look(&f, 1, "wait_for_completion"));
	CHECK_STR(OBJECT(&f, 0)->name, "on the stack of 102");
	CHECK_STR(OBJECT(&f, 1)->name, "on the stack of 101");
	wait_fake_release(&f);
}

/* SB_FREEZE_WRITE 1, PAGEFAULT 2, FS 3, COMPLETE 4: include/linux/fs.h. The semaphore of level n is
 * rw_sem[n - 1]. */
TEST(a_frozen_file_system_is_held_by_nobody)
{
	static const char *const said[] = { "not frozen", "keeps writers out", "keeps faults out",
					    "own threads", "no task holds that" };

	for (unsigned frozen = 0; frozen < ARRAY_SIZE(said); frozen++) {
		const uint64_t sem = SUPER_SB + SB_RW_SEM + RW_SEM_SIZE;
		struct wait_fake f;

		setup(&f);
		put64(&f.k, SUPER_SB + SB_FROZEN, frozen);
		put_percpu_waiter(&f, 0, sem);
		REQUIRE(wait_fake_look(&f, 0, "percpu_rwsem_wait"));
		CHECK_STR(OBJECT(&f, 0)->name, "s_writers.rw_sem[1] of ext4 vda1");
		CHECK_CONTAINS(OBJECT(&f, 0)->state, said[frozen]);
		CHECK(!OBJECT(&f, 0)->holder);
		wait_fake_release(&f);
	}
}

TEST(who_froze_it_is_said_where_it_is_noted)
{
	static const char *const said[] = { "is frozen;", "by a program;", "by the kernel;",
					    "by the kernel and by a program;" };

	for (unsigned who = 0; who < 4; who++) {
		struct wait_fake f;

		setup(&f);
		put64(&f.k, SUPER_SB + SB_FROZEN, 4);
		put64(&f.k, SUPER_SB + SB_UCOUNT, who & 1);
		put64(&f.k, SUPER_SB + SB_KCOUNT, who >> 1);
		put_percpu_waiter(&f, 0, SUPER_SB + SB_RW_SEM);
		REQUIRE(wait_fake_look(&f, 0, "__percpu_down_read"));
		CHECK_CONTAINS(OBJECT(&f, 0)->state, said[who]);
		wait_fake_release(&f);
	}
}

/* Who freezes waits for writers that are in: the semaphore has its name. */
TEST(who_is_about_to_freeze_is_named)
{
	struct wait_fake f;

	setup(&f);
	put64(&f.k, SUPER_SB + SB_FROZEN, 1);
	put_percpu_waiter(&f, 0, SUPER_SB + SB_RW_SEM);
	put64(&f.k, SUPER_SB + SB_RW_SEM + RW_SEM_WRITER, WAIT_TASK(5));
	REQUIRE(wait_fake_look(&f, 0, "__percpu_down_read"));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[5]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_OWNER_WORD);
	wait_fake_release(&f);
}

TEST_MAIN
