/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what file systems remember of their errors. The bits and members are those of
 * fs/ext4/ext4.h, include/linux/jbd2.h, fs/xfs/xfs_mount.h and fs/btrfs/fs.h. */
#include "core/base/test.h"
#include "core/linux/fs/fs_error.h"
#include "core/linux/kernel_fake.h"

#define SB (KERNEL_BASE + 0x1000)
#define INFO (KERNEL_BASE + 0x2000)
#define SUPER (KERNEL_BASE + 0x3000)
#define JOURNAL (KERNEL_BASE + 0x4000)

static struct fake_kernel k;

static void start(void)
{
	struct type *s;

	kernel_init(&k);
	WORDS(&k, "super_block", "s_fs_info");
	put64(&k, SB, INFO);
	WORDS(&k, "ext4_sb_info", "s_es", "s_mount_state", "s_ext4_flags", "s_journal",
	      "s_add_error_count");
	put64(&k, INFO, SUPER);
	s = WORDS(&k, "ext4_super_block", "s_state", "s_error_count");
	kernel_member(s, "s_last_error_func", kernel_array(&k, &k.u8, 32), 16);
	s->size = 48;
	s = WORDS(&k, "journal_s", "j_flags");
	kernel_member(s, "j_errno", &k.s32, 8);
	s->size = 16;
}

/* What is remembered; "-": nothing; "?": it could not be read. */
static const char *said(const char *type)
{
	struct superblock sb = { .addr = SB, .type = type, .id = "vda1" };
	const char *words;
	struct err err;

	if (!superblock_error(&k.t, &sb, &k.scratch, &words, &err))
		return "?";
	return words ? words : "-";
}

TEST(ext4_and_its_journal)
{
	start();
	CHECK_STR(said("ext4"), "-");
	/* a clean superblock says 1, EXT4_VALID_FS */
	put64(&k, SUPER, 1);
	CHECK_STR(said("ext4"), "-");
	put64(&k, SUPER, 3);
	CHECK_STR(said("ext4"), "it is marked as one with errors");
	/* three are written, two are not yet */
	put64(&k, SUPER + 8, 3);
	put64(&k, INFO + 32, 2);
	put_str(&k, SUPER + 16, "ext4_lookup");
	CHECK_STR(said("ext4"), "its count of errors is 5, the last in ext4_lookup()");
	put64(&k, SUPER, 0);
	put64(&k, SUPER + 8, 0);
	put64(&k, INFO + 32, 0);
	/* JBD2_LOADED alone is a journal in use */
	put64(&k, INFO + 24, JOURNAL);
	put64(&k, JOURNAL, 0x10);
	CHECK_STR(said("ext4"), "-");
	put64(&k, JOURNAL, 0x12);
	put32(&k, JOURNAL + 8, (uint32_t)-5);
	CHECK_STR(said("ext4"), "its journal was aborted (errno 5)");
	put64(&k, JOURNAL, 0x10);
	CHECK_STR(said("ext4"), "its journal met errno 5");
	/* EXT4_FLAGS_SHUTDOWN, bit 1; bit 0 is EXT4_FLAGS_RESIZING, which is none */
	put64(&k, INFO + 24, 0);
	put64(&k, INFO + 16, 1);
	CHECK_STR(said("ext4"), "-");
	put64(&k, INFO + 16, 2);
	CHECK_STR(said("ext4"), "it was shut down");
	/* where it cannot be read nobody says that there is no error */
	put64(&k, INFO, KERNEL_BASE + KERNEL_SIZE);
	CHECK_STR(said("ext4"), "?");
	kernel_release(&k);
}

TEST(xfs_in_both_layouts)
{
	start();
	CHECK_STR(said("xfs"), "?");
	WORDS(&k, "xfs_mount", "m_flags");
	put64(&k, INFO, 1 << 3);
	CHECK_STR(said("xfs"), "-");
	put64(&k, INFO, 1 << 4);
	CHECK_STR(said("xfs"), "it was shut down");
	kernel_release(&k);
	start();
	/* there bit 4 is XFS_OPSTATE_READONLY */
	WORDS(&k, "xfs_mount", "m_opstate");
	put64(&k, INFO, 1 << 4);
	CHECK_STR(said("xfs"), "-");
	put64(&k, INFO, 1 << 2);
	CHECK_STR(said("xfs"), "it was shut down");
	kernel_release(&k);
}

TEST(btrfs_in_both_layouts)
{
	start();
	WORDS(&k, "btrfs_fs_info", "fs_state");
	put64(&k, INFO, 1 << 1);
	CHECK_STR(said("btrfs"), "-");
	put64(&k, INFO, 1);
	CHECK_STR(said("btrfs"), "it met an error and takes no more writes");
	kernel_release(&k);
	start();
	WORDS(&k, "btrfs_fs_info", "fs_state", "fs_error");
	put64(&k, INFO, 1);
	CHECK_STR(said("btrfs"), "-");
	put64(&k, INFO + 8, (uint64_t)-28);
	CHECK_STR(said("btrfs"), "it met errno 28 and takes no more writes");
	kernel_release(&k);
}

/* A kind that remembers nothing, and one without a struct of its own. */
TEST(others_remember_nothing)
{
	start();
	CHECK_STR(said("tmpfs"), "-");
	put64(&k, SB, 0);
	CHECK_STR(said("ext4"), "-");
	kernel_release(&k);
}

TEST_MAIN
