/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what files, mounts and places are called, as /proc/PID/fd and mounts show them, and of
 * what is told when parts of that are lost. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/fs/vfs_fake.h"

static struct fake_kernel k;

#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)
#define INODE F_AT(F_PASSWD_INODE)
#define MOUNT_OF(place) (F_AT(place) + 32) /* its struct vfsmount */

enum {
	D_PARENT = 0,
	D_INODE = 8,
	D_SB = 16,
	D_PPREV = 32,
	D_NAME = 48,
	I_MODE = 0,
	I_NUMBER = 16
};

static const char *path(uint64_t mount, uint64_t dentry)
{
	const char *ret;
	struct err err;

	return vfs_path(&k.t, mount, dentry, &k.scratch, &ret, &err)
		       ? ret
		       : arena_printf(&k.scratch, "(%s)", err.msg);
}

static void type_put(const char *name)
{
	put_str(&k, F_STR(6), name);
}

/* d_path(): these three have names that are made when asked, of their inode's number or name. */
TEST(files_of_no_tree)
{
	static const struct {
		const char *type, *path;
	} kinds[] = { { "pipefs", "pipe:[4242]" },
		      { "sockfs", "socket:[4242]" },
		      { "anon_inodefs", "anon_inode:passwd" },
		      { "ext4", "/etc/passwd" } };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		vfs_fake_init(&k);
		put64(&k, INODE + I_NUMBER, 4242);
		type_put(kinds[i].type);
		CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_PASSWD)), kinds[i].path);
		/* where its inode and name are lost nothing is made up */
		put64(&k, F_AT(F_PASSWD) + D_INODE, NOWHERE);
		put64(&k, F_AT(F_PASSWD) + D_NAME, NOWHERE);
		if (strcmp(kinds[i].type, "ext4") != 0)
			CHECK_CONTAINS(path(MOUNT_OF(F_MOUNT2), F_AT(F_PASSWD)), "not mapped)");
		kernel_release(&k);
	}
}

TEST(paths_that_end_early)
{
	vfs_fake_init(&k);
	CHECK_STR(path(MOUNT_OF(F_MOUNT), F_AT(F_ROOT)), "/");
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_ETC2)), "/etc");
	CHECK_STR(path(0, F_AT(F_PASSWD)), "/passwd");
	/* what is above is lost: the rest is known */
	put64(&k, MOUNT_OF(F_MOUNT2) - 24, NOWHERE); /* mnt_mountpoint */
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_PASSWD)), ".../passwd");
	put64(&k, F_AT(F_PASSWD) + D_SB, NOWHERE);
	CHECK_CONTAINS(path(0, F_AT(F_PASSWD)), "(dentry 0x");
	CHECK_CONTAINS(path(NOWHERE + 32, F_AT(F_LINK)), "(mount 0x");
	kernel_release(&k);
	/* a name that is lost is the whole path */
	vfs_fake_init(&k);
	put64(&k, F_AT(F_PASSWD) + D_NAME, NOWHERE);
	CHECK_CONTAINS(path(MOUNT_OF(F_MOUNT2), F_AT(F_PASSWD)), "(dentry 0x");
	kernel_release(&k);
}

/* Taken out of its directory: it is in no hash any more, which a root never was. A file that has
 * never been in a directory is its own parent, and "/" where nobody knows its name. */
TEST(files_that_were_deleted)
{
	vfs_fake_init(&k);
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_LINK)), "/etc/link");
	put64(&k, F_AT(F_LINK) + D_PPREV, 0);
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_LINK)), "/etc/link (deleted)");
	put64(&k, F_AT(F_ROOT) + D_PPREV, 0);
	CHECK_STR(path(MOUNT_OF(F_MOUNT), F_AT(F_ROOT)), "/");
	put64(&k, F_AT(F_LINK) + D_PARENT, F_AT(F_LINK));
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_LINK)), "/link (deleted)");
	put_str(&k, F_STR(9), "/");
	put64(&k, F_AT(F_LINK) + D_NAME, F_STR(9));
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_LINK)), "(unreachable)/");
	/* the root of its file system is no loose end, mounted or not */
	CHECK_STR(path(MOUNT_OF(F_MOUNT2), F_AT(F_ROOT)), "/");
	kernel_release(&k);
}

/* S_IFMT of include/uapi/linux/stat.h. */
TEST(types_of_inodes)
{
	CHECK_STR(vfs_type_name(0100644), "REG");
	CHECK_STR(vfs_type_name(0040755), "DIR");
	CHECK_STR(vfs_type_name(0020620), "CHR");
	CHECK_STR(vfs_type_name(0060660), "BLK");
	CHECK_STR(vfs_type_name(0010600), "FIFO");
	CHECK_STR(vfs_type_name(0140777), "SOCK");
	CHECK_STR(vfs_type_name(0120777), "LNK");
	CHECK_STR(vfs_type_name(0000644), "UNKN");
}

struct seen {
	struct buf b;
	unsigned flaws, most;
	struct err flaw;
};

static struct seen seen;

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	seen.flaws++;
	seen.flaw = *e;
}

static bool saw_file(const struct vfs_open *f, void *arg)
{
	(void)arg;
	buf_printf(&seen.b, "%u %s %s %s; ", f->fd, f->type, f->path ? f->path : "-",
		   f->inode ? "inode" : "-");
	return !seen.most || --seen.most;
}

static bool saw_mount(const struct vfs_mount *m, void *arg)
{
	(void)arg;
	buf_printf(&seen.b, "%s %s %s%s; ", m->device, m->path, m->type, m->read_only ? " ro" : "");
	return !seen.most || --seen.most;
}

static const char *asked(bool ok, const struct err *err)
{
	const char *ret;

	if (!ok)
		buf_printf(&seen.b, "(%s)", err->msg);
	ret = arena_strdup(&k.scratch, buf_text(&seen.b));
	buf_release(&seen.b);
	seen.b = (struct buf){ 0 };
	return ret;
}

static const char *files(void)
{
	struct err err;

	seen.flaws = 0;
	return asked(vfs_files(&k.t, F_AT(F_TASK), &k.scratch, saw_file, flaw, NULL, &err), &err);
}

static const char *mounts(void (*told)(const struct err *e, void *arg))
{
	struct err err;

	seen.flaws = 0;
	return asked(vfs_mounts(&k.t, F_AT(F_TASK), &k.scratch, saw_mount, told, NULL, &err), &err);
}

TEST(open_files_by_number)
{
	vfs_fake_init(&k);
	put64(&k, F_AT(F_FDS) + 24, F_AT(F_FILE));
	CHECK_STR(files(), "1 REG /etc/passwd inode; 3 REG /etc/passwd inode; ");
	seen.most = 1;
	CHECK_STR(files(), "1 REG /etc/passwd inode; ");
	put64(&k, F_AT(F_FDTABLE), 3);
	put64(&k, INODE + I_MODE, 0140777);
	CHECK_STR(files(), "1 SOCK /etc/passwd inode; ");
	put64(&k, INODE + I_MODE, 0100644);
	/* a dentry without an inode, and a file that is lost */
	put64(&k, F_AT(F_PASSWD) + D_INODE, 0);
	CHECK_STR(files(), "1 UNKN /etc/passwd -; ");
	CHECK_U64(seen.flaws, 0);
	put64(&k, F_AT(F_FDS) + 16, NOWHERE);
	CHECK_STR(files(), "1 UNKN /etc/passwd -; 2 UNKN - -; ");
	CHECK_U64(seen.flaws, 1);
	CHECK_STR(seen.flaw.msg, "file 2: not mapped");
	put64(&k, F_AT(F_FDTABLE) + 8, NOWHERE);
	CHECK_CONTAINS(files(), "(file 0: ");
	put64(&k, F_AT(F_FILES), NOWHERE);
	CHECK_CONTAINS(files(), "(table of files 0x");
	put64(&k, F_AT(F_TASK), 0); /* a kernel thread, or one that is dead */
	CHECK_STR(files(), "");
	kernel_release(&k);
}

TEST(mounts_as_proc_lists_them)
{
	vfs_fake_init(&k);
	CHECK_STR(mounts(flaw), "none / tmpfs; none /etc tmpfs; ");
	put_str(&k, F_STR(9), "/dev/vda1");
	put64(&k, F_AT(F_MOUNT2) + 16, F_STR(9));
	put_str(&k, F_STR(10), "sshfs");
	put64(&k, F_AT(F_SB) + 24, F_STR(10));
	put64(&k, MOUNT_OF(F_MOUNT) + 16, 0x40); /* MNT_READONLY */
	CHECK_STR(mounts(flaw), "none / tmpfs.sshfs ro; /dev/vda1 /etc tmpfs.sshfs; ");
	put64(&k, MOUNT_OF(F_MOUNT) + 16, 0x20); /* MNT_RELATIME */
	put64(&k, F_AT(F_SB) + 16, 1);           /* SB_RDONLY */
	CHECK_STR(mounts(flaw), "none / tmpfs.sshfs ro; /dev/vda1 /etc tmpfs.sshfs ro; ");
	seen.most = 1;
	CHECK_STR(mounts(flaw), "none / tmpfs.sshfs ro; ");
	/* one that is lost is told, or ends it where nobody wants to be told */
	put64(&k, F_AT(F_MOUNT) + 16, NOWHERE);
	CHECK_STR(mounts(flaw), "/dev/vda1 /etc tmpfs.sshfs ro; ");
	CHECK_U64(seen.flaws, 1);
	CHECK_CONTAINS(seen.flaw.msg, "mount 0x");
	CHECK(!strncmp(mounts(NULL), "(mount 0x", 9));
	put64(&k, F_AT(F_PROXY), NOWHERE);
	CHECK_CONTAINS(mounts(flaw), "(mounts");
	put64(&k, F_AT(F_TASK) + 16, 0);
	CHECK_STR(mounts(flaw), "(the task is dead and has no mounts)");
	kernel_release(&k);
}

/* 2eea9ce4310d (v6.8): the mounts of a namespace are a tree by their ids. */
TEST(mounts_in_a_tree)
{
	const uint64_t first = F_AT(F_MOUNT) + 128, second = F_AT(F_MOUNT2) + 128;

	vfs_fake_init(&k);
	for (size_t i = 0; i < k.n_types; i++) {
		if (!strcmp(k.types[i]->name, "mnt_namespace")) {
			k.types[i]->n_members = 0;
			kernel_member(k.types[i], "mounts", INNER(&k, "rb_node"), 8);
		}
		if (!strcmp(k.types[i]->name, "mount"))
			kernel_member(k.types[i], "mnt_node",
				      INNER(&k, "__rb_parent_color", "rb_right", "rb_left"), 128);
	}
	put64(&k, F_AT(F_MNTNS) + 8, second);
	put64(&k, second + 16, first);
	put64(&k, first, second | 1);
	CHECK_STR(mounts(flaw), "none / tmpfs; none /etc tmpfs; ");
	CHECK_U64(seen.flaws, 0);
	kernel_release(&k);
}

TEST(where_a_task_is)
{
	const char *root, *cwd;
	struct err err;

	vfs_fake_init(&k);
	put64(&k, F_AT(F_FS) + 16, MOUNT_OF(F_MOUNT2));
	put64(&k, F_AT(F_FS) + 24, F_AT(F_ETC2));
	REQUIRE_OK(vfs_places(&k.t, F_AT(F_TASK), &k.scratch, &root, &cwd, &err), err);
	CHECK_STR(root, "/");
	CHECK_STR(cwd, "/etc");
	put64(&k, F_AT(F_FS) + 24, NOWHERE);
	CHECK(!vfs_places(&k.t, F_AT(F_TASK), &k.scratch, &root, &cwd, &err));
	CHECK_STR(root, "/");
	put64(&k, F_AT(F_TASK) + 8, 0);
	REQUIRE_OK(vfs_places(&k.t, F_AT(F_TASK), &k.scratch, &root, &cwd, &err), err);
	CHECK(!root && !cwd);
	kernel_release(&k);
}
TEST_MAIN
