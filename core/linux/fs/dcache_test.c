/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of superblocks, inodes and names in directories, one by one. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/fs/dcache.h"
#include "core/linux/fs/vfs_fake.h"

static struct fake_kernel k;
static struct buf said;
static unsigned most, flaws;

#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)
#define GROUP_WB F_END /* a control group's writeback to the device */
#define BDI (F_END + 0x100u)

static bool saw_dentry(const struct vfs_dentry *d, void *arg)
{
	(void)arg;
	buf_printf(&said, "%s%s%s ", d->name, d->deleted ? "*" : "", d->inode ? "" : "-");
	return !most || --most;
}

static bool saw_superblock(const struct superblock *s, void *arg)
{
	(void)arg;
	buf_printf(&said, "%s %s %s%s%s; ", s->type, s->id, s->path ? s->path : "-",
		   s->read_only ? " ro" : "", s->mount ? " mounted" : "");
	return !most || --most;
}

static void flaw(const struct err *e, void *arg)
{
	(void)e;
	(void)arg;
	flaws++;
}

static const char *asked(bool ok, const struct err *err)
{
	const char *ret;

	if (!ok)
		buf_printf(&said, "(%s)", err->msg);
	ret = arena_strdup(&k.scratch, buf_text(&said));
	buf_release(&said);
	said = (struct buf){ 0 };
	return ret;
}

static const char *names(uint64_t dir, void (*told)(const struct err *e, void *arg))
{
	struct err err;

	flaws = 0;
	return asked(dentries_each(&k.t, dir, &k.scratch, saw_dentry, told, NULL, &err), &err);
}

static const char *superblocks(void (*told)(const struct err *e, void *arg))
{
	struct err err;

	flaws = 0;
	return asked(superblocks_each(&k.t, &k.scratch, saw_superblock, told, NULL, &err), &err);
}

/* A name without an inode says that there is no such file; one that is in no hash was deleted. */
TEST(names_in_a_directory)
{
	vfs_fake_init(&k);
	CHECK_STR(names(F_AT(F_ETC2), flaw), "passwd link ");
	put64(&k, F_AT(F_PASSWD) + 8, 0);
	put64(&k, F_AT(F_LINK) + 32, 0);
	CHECK_STR(names(F_AT(F_ETC2), flaw), "passwd- link* ");
	most = 1;
	CHECK_STR(names(F_AT(F_ETC2), flaw), "passwd- ");
	/* where somebody reads the directory: fs/libfs.c's cursor, which is called "/" */
	put_str(&k, F_STR(3), "/");
	CHECK_STR(names(F_AT(F_ETC2), flaw), "link* ");
	put64(&k, F_AT(F_PASSWD) + 48, NOWHERE);
	CHECK_STR(names(F_AT(F_ETC2), flaw), "link* ");
	CHECK_U64(flaws, 1);
	CHECK_STR(names(F_AT(F_ETC2), NULL), "link* ");
	kernel_release(&k);
}

/* da549bdd15c2 (v6.8): children are an hlist, whose links have no way back to the head. */
TEST(names_in_a_directory_of_newer_kernels)
{
	const uint64_t passwd = F_AT(F_PASSWD) + 128, link = F_AT(F_LINK) + 128;

	vfs_fake_init(&k);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "dentry")) {
			kernel_member(k.types[i], "d_children", INNER(&k, "first"), 120);
			kernel_member(k.types[i], "d_sib", INNER(&k, "next", "pprev"), 128);
		}
	CHECK_STR(names(F_AT(F_ETC2), flaw), "");
	put64(&k, F_AT(F_ETC2) + 120, link);
	put64(&k, link, passwd);
	put64(&k, link + 8, F_AT(F_ETC2) + 120);
	put64(&k, passwd + 8, link);
	CHECK_STR(names(F_AT(F_ETC2), flaw), "link passwd ");
	CHECK_U64(flaws, 0);
	kernel_release(&k);
}

/* What inode_dirty() says, and in err whether it said why it is not sure. */
static enum inode_dirt dirt_of(enum vfs_fake_place inode, struct err *err)
{
	enum inode_dirt ret = INODE_UNSURE;
	struct vfs_inode i;

	if (CHECK_OK(inode_read(&k.t, F_AT(inode), &i, err), *err) &&
	    inode_dirty(&k.t, &i, &ret, err))
		err->code = ERR_OK;
	return ret;
}

/* The writeback of a control group keeps passwd, which is clean, in one list, and the link, which
 * is dirty, in another (inode_cgwb_move_to_attached() of fs/fs-writeback.c). */
static void put_attached(void)
{
	const uint64_t clean = F_AT(F_PASSWD_INODE) + 88, dirty = F_AT(F_LINK_INODE) + 88;

	vfs_fake_init(&k);
	put_list(&k, GROUP_WB, &clean, 1);
	put_list(&k, GROUP_WB + 16, &dirty, 1);
	put64(&k, GROUP_WB + 32, BDI);
	put64(&k, BDI + 8 + 32, BDI);
	put64(&k, F_AT(F_PASSWD_INODE) + 104, GROUP_WB);
	put64(&k, F_AT(F_LINK_INODE) + 104, GROUP_WB);
}

TEST(clean_inodes_of_a_control_group)
{
	struct err err;

	put_attached();
	CHECK_U64(dirt_of(F_PASSWD_INODE, &err), INODE_CLEAN);
	CHECK_U64(dirt_of(F_LINK_INODE, &err), INODE_DIRTY);
	CHECK_U64(err.code, ERR_OK);
	/* the device's own writeback has no such list, but two words of zeros */
	put64(&k, F_AT(F_LINK_INODE) + 104, BDI + 8);
	CHECK_U64(dirt_of(F_LINK_INODE, &err), INODE_DIRTY);
	CHECK_U64(err.code, ERR_OK);
	kernel_release(&k);
	/* behind passwd the list is torn: of the others nobody knows, which is said once */
	put_attached();
	put64(&k, F_AT(F_PASSWD_INODE) + 88, NOWHERE);
	CHECK_U64(dirt_of(F_LINK_INODE, &err), INODE_UNSURE);
	CHECK_U64(err.code, ERR_UNMAPPED);
	CHECK_U64(dirt_of(F_LINK_INODE, &err), INODE_UNSURE);
	CHECK_U64(err.code, ERR_OK);
	CHECK_U64(dirt_of(F_PASSWD_INODE, &err), INODE_CLEAN);
	kernel_release(&k);
}

TEST(an_inode_and_its_name)
{
	struct vfs_inode i;
	const char *path;
	struct err err;

	vfs_fake_init(&k);
	put64(&k, F_AT(F_PASSWD_INODE) + 32, 2);
	put64(&k, F_AT(F_PASSWD_INODE) + 40, 0x80);
	put64(&k, F_AT(F_PASSWD_INODE) + 56, 3);
	REQUIRE_OK(inode_read(&k.t, F_AT(F_PASSWD_INODE), &i, &err), err);
	CHECK(i.addr == F_AT(F_PASSWD_INODE) && i.sb == F_AT(F_SB) && i.number == 3);
	CHECK_STR(i.type, "REG");
	CHECK(i.mode == 0100644 && i.size == 4096 && i.links == 2 && i.uses == 3 &&
	      i.state == 0x80);
	CHECK_U64(i.dentry, F_AT(F_PASSWD));
	/* in a list of dirty ones, and then, as list_del_init() leaves it, in none */
	put64(&k, F_AT(F_PASSWD_INODE) + 88, F_AT(F_SB));
	CHECK_U64(dirt_of(F_PASSWD_INODE, &err), INODE_DIRTY);
	put64(&k, F_AT(F_PASSWD_INODE) + 88, F_AT(F_PASSWD_INODE) + 88);
	CHECK_U64(dirt_of(F_PASSWD_INODE, &err), INODE_CLEAN);
	REQUIRE_OK(inode_path(&k.t, &i, F_AT(F_MOUNT2), &k.scratch, &path, &err), err);
	CHECK_STR(path, "/etc/passwd");
	REQUIRE_OK(inode_path(&k.t, &i, 0, &k.scratch, &path, &err), err);
	CHECK_STR(path, "/passwd");
	put64(&k, F_AT(F_PASSWD_INODE) + 64, 0);
	REQUIRE_OK(inode_read(&k.t, F_AT(F_PASSWD_INODE), &i, &err), err);
	CHECK_U64(i.dentry, 0);
	REQUIRE_OK(inode_path(&k.t, &i, F_AT(F_MOUNT2), &k.scratch, &path, &err), err);
	CHECK_STR(path, NULL);
	CHECK(!inode_read(&k.t, NOWHERE, &i, &err));
	CHECK_STR(err.msg, "inode 0xffff800000040000: not mapped");
	kernel_release(&k);
}

TEST(superblocks_and_where_they_are)
{
	vfs_fake_init(&k);
	CHECK_STR(superblocks(flaw), "tmpfs vda1 / mounted; ");
	put64(&k, F_AT(F_SB) + 16, 1); /* SB_RDONLY */
	put_str(&k, F_STR(9), "sshfs");
	put64(&k, F_AT(F_SB) + 24, F_STR(9));
	CHECK_STR(superblocks(flaw), "tmpfs.sshfs vda1 / ro mounted; ");
	put64(&k, F_AT(F_SB) + 16, 0x10);
	put_list(&k, F_AT(F_SB) + 48, NULL, 0); /* the kernel's own */
	CHECK_STR(superblocks(flaw), "tmpfs.sshfs vda1 -; ");
	CHECK_U64(flaws, 0);
	put64(&k, F_AT(F_FSTYPE), NOWHERE);
	CHECK_STR(superblocks(flaw), "");
	CHECK_U64(flaws, 1);
	CHECK_STR(superblocks(NULL), "");
	kernel_release(&k);
}
TEST_MAIN
