/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of file systems, in memory that is made up. */
#include "core/base/test.h"
#include "core/linux/wait/wait_super_fake.h"
#include "core/verdict/sick_fake.h"

#define SECOND SICK_SECOND
#define SECOND_SB (SUPER_SB + 0x200)
#define EXT4 (KERNEL_BASE + 0x3c000)       /* struct ext4_sb_info */
#define EXT4_SUPER (KERNEL_BASE + 0x3c100) /* struct ext4_super_block */

/* Offsets of the fake's own. */
enum {
	SB_INFO = 400, /* super_block */
	SB_WB_ERR = 408,
};

extern const struct checkup check_fs;

static void no_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

static enum check_state look(struct sick_fake *f)
{
	struct err err;

	f->g.note = no_note;
	/* triage has the graph itself, not a pointer to one */
	memcpy(&f->g.graph, &f->w.g, sizeof(f->g.graph));
	f->f = (struct finding){ .check = &check_fs, .state = CHECK_UNKNOWN };
	f->f.why.code = ERR_OK;
	if (!check_fs.look(&f->g, &f->f, &err))
		f->f.why = err;
	return f->f.state;
}

/* Task i waits for what is called so, a part of the superblock on vda1. */
static void put_wait(struct sick_fake *f, int i, const char *name, uint64_t waited)
{
	const struct wait_object o = {
		.type = "rwsem", .addr = SUPER_SB + SB_FROZEN + 8, .name = name, .n = 1
	};

	sick_fake_wait(f, i, o, waited);
}

/* An ext4 on vda1 that is mounted. */
static void put_mounted(struct sick_fake *f)
{
	sick_fake_init(f);
	super_types(&f->w.k);
	put_super(&f->w);
	put64(&f->w.k, SUPER_SB + SB_S_ROOT, KERNEL_BASE + 0xb000);
}

/* SB_FREEZE_COMPLETE is 4 (include/linux/fs.h). A frozen file system for which nobody waits is one
 * that somebody makes a copy of; one for which tasks wait keeps them from their work. */
TEST(file_systems_that_are_frozen)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	CHECK_U64(look(&f), CHECK_UNKNOWN); /* the list of all is not known */
	super_types(&f.w.k);
	put_super(&f.w);
	put_str(&f.w.k, SUPER_TEXT, "tmpfs");
	put64(&f.w.k, SUPER_SB + SB_S_ROOT, KERNEL_BASE + 0xb000);
	CHECK_U64(look(&f), CHECK_OK);
	CHECK_STR(f.f.text, "1, none frozen, none with an error");
	put64(&f.w.k, SUPER_SB + SB_FROZEN, 4);
	CHECK_U64(look(&f), CHECK_WARN);
	CHECK_STR(f.f.text, "tmpfs vda1 is frozen, 0 tasks wait for it");
	CHECK(!f.f.claim);
	put_wait(&f, 2, "s_writers of tmpfs vda1", 2 * SECOND - 1);
	CHECK_U64(look(&f), CHECK_WARN);
	CHECK_STR(f.f.text, "tmpfs vda1 is frozen, 1 task waits for it, none for long");
	CHECK(!f.f.claim);
	/* khungtaskd ended it, which waits for a second at least (hung_task_timeout_secs): the task
	 * may be this one, unless it waits for less */
	f.g.death.way = WAY_HUNG_TASK;
	CHECK_U64(look(&f), CHECK_FAIL);
	f.w.g.edges.p[0].waited = SECOND - 1;
	CHECK_U64(look(&f), CHECK_WARN);
	f.g.death.way = WAY_LIVE;
	f.w.g.edges.p[0].waited = 2 * SECOND;
	CHECK_U64(look(&f), CHECK_FAIL);
	f.w.g.edges.p[0].waited = 20 * SECOND;
	put_wait(&f, 3, "another lock", 50 * SECOND);
	CHECK_U64(look(&f), CHECK_FAIL);
	CHECK_STR(f.f.text, "tmpfs vda1 is frozen, 1 task waits for it");
	REQUIRE(f.f.claim);
	CHECK_STR(f.f.claim->sentence,
		  "tmpfs vda1 is frozen: task[102] waits for it to be thawed, for 20.0 s");
	/* it waits for another file system, which is just being frozen */
	f.w.g.objects.p[0].addr = SUPER_SB + 0x4000;
	CHECK_U64(look(&f), CHECK_WARN);
	CHECK_STR(f.f.text, "tmpfs vda1 is frozen, 0 tasks wait for it");
	sick_fake_release(&f);
}

/* Of those that wait the one that has waited for longest is told, wherever it stands, and whatever
 * waits for something else. Of whom nobody knows since when it waits, it may be long. */
TEST(who_waits_for_a_thaw)
{
	static struct sick_fake f;

	put_mounted(&f);
	put64(&f.w.k, SUPER_SB + SB_FROZEN, 4);
	put_wait(&f, 2, NULL, 50 * SECOND);
	put_wait(&f, 3, "s_writers of ext4 vda1", SECOND);
	put_wait(&f, 4, "s_writers of ext4 vda1", 3 * SECOND);
	put_wait(&f, 5, "s_writers of ext4 vda1", SECOND);
	REQUIRE(look(&f) == CHECK_FAIL);
	CHECK_STR(f.f.claim->sentence, "ext4 vda1 is frozen: task[104] waits for it to be thawed, "
				       "for 3.0 s; 3 tasks do");
	f.w.g.edges.p[2].waited = SECOND;
	CHECK_U64(look(&f), CHECK_WARN);
	for (size_t i = 1; i < 4; i++) {
		f.w.g.edges.p[i].waited = UINT64_MAX;
		REQUIRE(look(&f) == CHECK_FAIL);
		CHECK_CONTAINS(f.f.claim->sentence,
			       " waits for it to be thawed, for 1.0 s; 3 tasks do");
		f.w.g.edges.p[i].waited = SECOND;
	}
	for (size_t i = 1; i < 4; i++)
		f.w.g.edges.p[i].waited = UINT64_MAX;
	REQUIRE(look(&f) == CHECK_FAIL);
	CHECK_CONTAINS(f.f.claim->sentence, " waits for it to be thawed; 3 tasks do");
	sick_fake_release(&f);
}

/* Bit 1 of s_state is EXT4_ERROR_FS (fs/ext4/ext4.h). */
TEST(file_systems_that_remember_errors)
{
	static struct sick_fake f;
	const uint64_t both[] = { SUPER_SB + SB_S_LIST, SECOND_SB + SB_S_LIST };
	struct type *s;

	put_mounted(&f);
	s = (struct type *)(uintptr_t)super_type_named(&f.w.k, "super_block");
	kernel_member(s, "s_fs_info", &f.w.k.ptr, SB_INFO);
	kernel_member(s, "s_wb_err", &f.w.k.u32, SB_WB_ERR);
	put64(&f.w.k, SUPER_SB + SB_INFO, EXT4);
	/* without its types nobody can say that there is none */
	CHECK_U64(look(&f), CHECK_UNKNOWN);
	CHECK_CONTAINS(f.f.text, "1, none frozen; one does not tell of its errors: ");
	/* lib/errseq.c: the low 12 bits are an errno, above them is a count */
	put32(&f.w.k, SUPER_SB + SB_WB_ERR, 0x3005);
	CHECK_U64(look(&f), CHECK_WARN);
	CHECK_STR(f.f.text, "ext4 vda1: errno 5 when data was written");
	WORDS(&f.w.k, "ext4_sb_info", "s_es", "s_mount_state", "s_ext4_flags", "s_journal");
	WORDS(&f.w.k, "ext4_super_block", "s_state", "s_error_count");
	put64(&f.w.k, EXT4, EXT4_SUPER);
	put32(&f.w.k, SUPER_SB + SB_WB_ERR, 0x3000);
	CHECK_U64(look(&f), CHECK_OK);
	put64(&f.w.k, EXT4_SUPER, 2);
	CHECK_U64(look(&f), CHECK_WARN);
	CHECK_STR(f.f.text, "ext4 vda1: it is marked as one with errors");
	/* each of two is named, whatever another one could not write before */
	put_list(&f.w.k, WAIT_SUPERS, both, 2);
	put64(&f.w.k, SECOND_SB + SB_S_TYPE, SUPER_TYPE);
	put64(&f.w.k, SECOND_SB + SB_S_ROOT, KERNEL_BASE + 0xb000);
	put_str(&f.w.k, SECOND_SB + SB_S_ID, "vdb1");
	put64(&f.w.k, SECOND_SB + SB_INFO, EXT4);
	put32(&f.w.k, SUPER_SB + SB_WB_ERR, 0x3005);
	CHECK_U64(look(&f), CHECK_WARN);
	CHECK_STR(f.f.text, "ext4 vda1: it is marked as one with errors; "
			    "ext4 vdb1: it is marked as one with errors; 2 met an error");
	sick_fake_release(&f);
}

TEST_MAIN
