/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the tree behind sysfs: hostile memory. */
#include <stdlib.h>

#include "core/linux/fs/kernfs.h"
#include "core/linux/fs/kernfs_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEEN_MAX 2000

struct seen {
	struct fake_kernel *k;
	unsigned n;
};

static bool take_node(const struct kernfs_node *node, void *arg)
{
	struct seen *s = arg;
	struct kernfs_object o;
	const char *path;
	struct err err = { 0 };

	if (!node->name || !node->type)
		abort();
	if (!kernfs_object_read(&s->k->t, node, &s->k->scratch, &o, &err) && !*err.msg)
		abort();
	if (kernfs_path(&s->k->t, node->addr, &s->k->scratch, &path, &err) && *path != '/')
		abort();
	return ++s->n < SEEN_MAX;
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* Byte 0 a newer kernel; then 2 bytes of place and 8 of value over a tree that makes sense. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen s = { .n = 0 };
	struct err err = { 0 };

	if (!size)
		return 0;
	s.k = xrealloc(NULL, sizeof(*s.k));
	kernfs_fake_init(s.k, data[0] & 1);
	for (size_t i = 1; i + 10 <= size; i += 10)
		put64(s.k, KN_AT(0) + load_le16(data + i) % (KN_PLACES * 0x100 / 8) * 8u,
		      load_le64(data + i + 2));
	for (int node = 0; node < KN_KOBJECT; node++)
		if (!kernfs_children(&s.k->t, KN_AT(node), &s.k->scratch, take_node, flaw, &s,
				     &err) &&
		    !*err.msg)
			abort();
	kernel_release(s.k);
	free(s.k);
	return 0;
}
