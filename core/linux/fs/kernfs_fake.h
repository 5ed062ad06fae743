/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a root with a directory "block", which has the file "size" and the link "up" to the
 * root. */
#ifndef OBIT_KERNFS_FAKE_H
#define OBIT_KERNFS_FAKE_H

#include "core/linux/container/walk_fake.h"

enum {
	KN_ROOT,
	KN_BLOCK,
	KN_SIZE,
	KN_UP,
	KN_KOBJECT, /* of "block" */
	KN_KTYPE,
	KN_ATTRIBUTE, /* of "size" */
	KN_STRINGS,
	KN_PLACES
};
#define KN_AT(place) (KERNEL_BASE + 0x2000u + (uint64_t)(place)*0x100u)
/* Offsets of the fake's own. */
enum {
	KN_PARENT = 0,
	KN_NAME = 8,
	KN_RB = 16,
	KN_FLAGS = 40,
	KN_MODE = 48,
	KN_ID = 56,
	KN_PRIV = 64,
	KN_CHILDREN = 72, /* of a directory; a link's target, and a file's operations and size */
};

static inline void put_node(struct fake_kernel *k, int node, int parent, const char *name,
			    uint64_t flags, uint64_t mode)
{
	const uint64_t at = KN_AT(node), text = KN_AT(KN_STRINGS) + (uint64_t)node * 16;

	put_str(k, text, name);
	put64(k, at + KN_PARENT, node ? KN_AT(parent) : 0);
	put64(k, at + KN_NAME, text);
	put64(k, at + KN_FLAGS, flags);
	put64(k, at + KN_MODE, mode);
	put64(k, at + KN_ID, 0x100000000u + (uint64_t)node + 1);
}

static inline void kernfs_fake_init(struct fake_kernel *k, bool newer)
{
	struct type *s;

	walk_fake_init(k);
	s = WORDS(k, "kernfs_node", newer ? "__parent" : "parent", "name");
	kernel_member(s, "rb", INNER(k, "__rb_parent_color", "rb_right", "rb_left"), KN_RB);
	kernel_member(s, "flags", &k->u64, KN_FLAGS);
	kernel_member(s, "mode", &k->u64, KN_MODE);
	kernel_member(s, "id", &k->u64, KN_ID);
	kernel_member(s, "priv", &k->u64, KN_PRIV);
	kernel_member(s, "dir", INNER(k, "children"), KN_CHILDREN);
	kernel_member(s, "symlink", INNER(k, "target_kn"), KN_CHILDREN);
	kernel_member(s, "attr", INNER(k, "ops", "size"), KN_CHILDREN);
	s->size = 96;
	WORDS(k, "kobject", "sd", "ktype");
	WORDS(k, "kobj_type", "sysfs_ops");
	WORDS(k, "sysfs_ops", "show");
	WORDS(k, "attribute", "name");
	put_node(k, KN_ROOT, 0, "", 1, 040755);
	put_node(k, KN_BLOCK, KN_ROOT, "block", 1, 040755);
	put_node(k, KN_SIZE, KN_BLOCK, "size", 2, 0100444);
	put_node(k, KN_UP, KN_BLOCK, "up", 4, 0120777);
	put64(k, KN_AT(KN_ROOT) + KN_CHILDREN, KN_AT(KN_BLOCK) + KN_RB);
	put64(k, KN_AT(KN_BLOCK) + KN_CHILDREN, KN_AT(KN_SIZE) + KN_RB);
	/* "up" is right of "size", and names it as its parent */
	put64(k, KN_AT(KN_SIZE) + KN_RB + 8, KN_AT(KN_UP) + KN_RB);
	put64(k, KN_AT(KN_UP) + KN_RB, KN_AT(KN_SIZE) + KN_RB);
	put64(k, KN_AT(KN_UP) + KN_CHILDREN, KN_AT(KN_ROOT));
	put64(k, KN_AT(KN_SIZE) + KN_CHILDREN + 8, 4096);
	put64(k, KN_AT(KN_BLOCK) + KN_PRIV, KN_AT(KN_KOBJECT));
	put64(k, KN_AT(KN_KOBJECT), KN_AT(KN_BLOCK));
	put64(k, KN_AT(KN_KOBJECT) + 8, KN_AT(KN_KTYPE));
	put64(k, KN_AT(KN_SIZE) + KN_PRIV, KN_AT(KN_ATTRIBUTE));
	put64(k, KN_AT(KN_ATTRIBUTE), KN_AT(KN_STRINGS) + KN_SIZE * 16);
}

#endif
