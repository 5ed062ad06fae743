/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the tree behind sysfs. What is expected follows from what kernfs_fake.h lays out. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/fs/kernfs.h"
#include "core/linux/fs/kernfs_fake.h"

static struct fake_kernel k;
static struct buf names;
static unsigned flaws;

static bool name_add(const struct kernfs_node *n, void *arg)
{
	(void)arg;
	buf_printf(&names, "%s:%s ", n->name, n->type);
	return true;
}

static void flaw_count(const struct err *e, void *arg)
{
	(void)e, (void)arg;
	flaws++;
}

static const char *children_of(int node)
{
	struct err err;

	buf_release(&names);
	flaws = 0;
	buf_printf(&names, "%s", "");
	if (!kernfs_children(&k.t, KN_AT(node), &k.scratch, name_add, flaw_count, NULL, &err))
		return arena_strdup(&k.scratch, err.msg);
	return arena_strndup(&k.scratch, names.s, names.n);
}

TEST(a_directory_and_what_is_in_it)
{
	struct kernfs_node n;
	const char *path;
	struct err err;

	for (int newer = 0; newer < 2; newer++) {
		kernfs_fake_init(&k, newer);
		CHECK_STR(children_of(KN_ROOT), "block:DIR ");
		CHECK_STR(children_of(KN_BLOCK), "size:FILE up:LINK ");
		CHECK_U64(flaws, 0);
		REQUIRE_OK(kernfs_read(&k.t, KN_AT(KN_SIZE), &k.scratch, &n, &err), err);
		CHECK(n.parent == KN_AT(KN_BLOCK) && n.mode == 0100444 && n.size == 4096);
		CHECK_U64(n.ino, 0x100000003u);
		CHECK_U64(n.target, 0);
		REQUIRE_OK(kernfs_read(&k.t, KN_AT(KN_UP), &k.scratch, &n, &err), err);
		CHECK_U64(n.target, KN_AT(KN_ROOT));
		CHECK_U64(n.size, 0);
		REQUIRE_OK(kernfs_path(&k.t, KN_AT(KN_SIZE), &k.scratch, &path, &err), err);
		CHECK_STR(path, "/block/size");
		REQUIRE_OK(kernfs_path(&k.t, KN_AT(KN_ROOT), &k.scratch, &path, &err), err);
		CHECK_STR(path, "/");
		kernel_release(&k);
	}
	buf_release(&names);
}

TEST(what_is_no_node_is_refused)
{
	struct kernfs_node n;
	const char *path;
	struct err err;

	kernfs_fake_init(&k, true);
	put64(&k, KN_AT(KN_SIZE) + KN_FLAGS, 8);
	CHECK(!kernfs_read(&k.t, KN_AT(KN_SIZE), &k.scratch, &n, &err));
	CHECK_U64(err.code, ERR_CORRUPT);
	CHECK_STR(children_of(KN_BLOCK), "up:LINK ");
	CHECK_U64(flaws, 1);
	/* a directory that is above itself */
	put64(&k, KN_AT(KN_ROOT) + KN_PARENT, KN_AT(KN_BLOCK));
	CHECK(!kernfs_path(&k.t, KN_AT(KN_UP), &k.scratch, &path, &err));
	kernel_release(&k);
	buf_release(&names);
}

/* A kobject is one that knows its directory; a file is one of its attributes if it has that name.
 */
TEST(what_a_name_stands_for_is_proved)
{
	struct kernfs_object o;
	struct kernfs_node n;
	struct err err;

	kernfs_fake_init(&k, true);
	REQUIRE_OK(kernfs_read(&k.t, KN_AT(KN_SIZE), &k.scratch, &n, &err), err);
	REQUIRE_OK(kernfs_object_read(&k.t, &n, &k.scratch, &o, &err), err);
	CHECK_U64(o.kobject, KN_AT(KN_KOBJECT));
	CHECK_U64(o.attribute, KN_AT(KN_ATTRIBUTE));
	put64(&k, KN_AT(KN_ATTRIBUTE), KN_AT(KN_STRINGS) + KN_UP * 16);
	REQUIRE_OK(kernfs_object_read(&k.t, &n, &k.scratch, &o, &err), err);
	CHECK_U64(o.kobject, KN_AT(KN_KOBJECT));
	CHECK_U64(o.attribute, 0);
	put64(&k, KN_AT(KN_KOBJECT), KN_AT(KN_UP));
	REQUIRE_OK(kernfs_object_read(&k.t, &n, &k.scratch, &o, &err), err);
	CHECK_U64(o.kobject, 0);
	kernel_release(&k);
}

/* 97d06802d10a (v6.13): a binary attribute has its functions in one member or in the other. */
TEST(functions_of_binary_attributes)
{
	static const char *const members[] = { "read", "read_new", "write", "write_new" };
	const uint64_t attribute = KN_AT(KN_ATTRIBUTE);
	struct kernfs_object o;
	struct kernfs_node n;
	struct type *s;
	struct err err;

	kernfs_fake_init(&k, true);
	s = WORDS(&k, "bin_attribute", "attr");
	s->size = 40;
	for (unsigned i = 0; i < ARRAY_SIZE(members); i++)
		kernel_member(s, members[i], &k.u64, 8 + 8 * i);
	kernel_symbol(&k, "sysfs_bin_kfops_rw", KERNEL_BASE + 0x400);
	kernel_symbol(&k, "eeprom_read", KERNEL_BASE + 0x500);
	kernel_symbol(&k, "eeprom_write", KERNEL_BASE + 0x600);
	put64(&k, KN_AT(KN_SIZE) + KN_CHILDREN, KERNEL_BASE + 0x400);
	for (unsigned newer = 0; newer < 2; newer++) {
		put64(&k, attribute + 8 + 8 * newer, KERNEL_BASE + 0x500);
		put64(&k, attribute + 24 + 8 * newer, KERNEL_BASE + 0x600);
		REQUIRE_OK(kernfs_read(&k.t, KN_AT(KN_SIZE), &k.scratch, &n, &err), err);
		REQUIRE_OK(kernfs_object_read(&k.t, &n, &k.scratch, &o, &err), err);
		CHECK_STR(o.attribute_type, "struct bin_attribute");
		CHECK_STR(o.show, "eeprom_read");
		CHECK_STR(o.store, "eeprom_write");
		put64(&k, attribute + 8, 0);
		put64(&k, attribute + 24, 0);
	}
	kernel_release(&k);
}

TEST_MAIN
