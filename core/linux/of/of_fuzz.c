/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the device tree: a blob, or the memory that a live one lies in; and what is written of it.
 */
#include <stdlib.h>

#include "core/linux/device/device_node.h"
#include "core/linux/of/of_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool fuzz_change(const struct of_change *change, void *arg)
{
	(void)change;
	*(size_t *)arg += 1;
	return true;
}

static bool fuzz_problem(const struct of_problem *problem, void *arg)
{
	*(size_t *)arg += strlen(problem->text);
	return true;
}

/* Names that cannot be told apart in a blob, or values that are lost, come out otherwise. */
static bool is_clean(const struct of_tree *tree)
{
	if (tree->notes.n || *tree->nodes.p[0]->name)
		return false;
	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct of_node *node = tree->nodes.p[i];

		for (size_t k = 0; k < node->n_props; k++)
			if (of_property(node, node->props[k].name) != &node->props[k])
				return false;
	}
	return true;
}

/* All that commands ask; what is written must read back as the same tree. */
static void fuzz_tree(struct of_tree *tree)
{
	bool clean = is_clean(tree);
	struct buf b = { .max = 16 << 20 };
	struct of_counts counts;
	struct of_tree again;
	struct span blob;
	size_t sum = 0;
	struct err err;

	for (size_t i = 0; i < tree->nodes.n; i++) {
		struct of_node *node, *n = tree->nodes.p[i];

		for (size_t k = 0; k < n->n_props; k++)
			of_value_text(&b, tree, n, &n->props[k]);
		if (*n->name && of_find(tree, n->name, &node, &err))
			sum += strlen(node->path);
	}
	buf_reset(&b);
	of_dts(&b, tree);
	if (!of_check(tree, fuzz_problem, &sum, &counts, &err))
		abort();
	buf_release(&b);
	if (!of_blob_make(tree, &blob, &err))
		return;
	of_tree_init(&again, tree->arena);
	sum = 0;
	if (of_blob_parse(blob, &again, &err)) {
		if (!of_diff(tree, &again, fuzz_change, &sum, &err) || (clean && sum))
			abort();
	} else if (clean) {
		abort();
	}
	of_tree_release(&again);
}

/* Overlays of a live tree, and whom a change is laid to. */
static void fuzz_overlays(struct target *t, struct of_tree *live)
{
	const struct of_overlays *all;
	struct buf b = { .max = 16 << 20 };
	struct err err;

	if (!of_overlays_read(t, live, &all, &err))
		return;
	for (size_t i = 0; i < all->all.n; i++) {
		const struct of_overlay *o = &all->all.p[i];

		for (size_t k = 0; k < o->n_edits; k++) {
			const struct of_edit *e = &o->edits[k];
			struct of_change c = { e->sign, e->node, e->node, NULL, NULL };

			if (e->has_prop) {
				c.p_old = c.p_new = &e->now;
				of_value_text(&b, live, e->node, &e->now);
			}
			(void)of_overlay_of(all, &c);
		}
	}
	buf_release(&b);
}

/* Byte 0: 0 a blob, else memory from KERNEL_BASE on with as many absent pages as the bits of byte 1
 * say. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k;
	struct of_tree tree, *live;
	struct err err;

	if (size < 2 || size - 2 > KERNEL_SIZE)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	of_fake_init(k);
	if (!data[0]) {
		of_tree_init(&tree, &k->scratch);
		if (of_blob_parse(SPAN(data + 2, size - 2), &tree, &err))
			fuzz_tree(&tree);
		of_tree_release(&tree);
	} else {
		memcpy(k->mem, data + 2, size - 2);
		k->holes = (uint64_t)data[1] << 1;
		if (of_live(&k->t, &live, &err)) {
			devices_of_tree(&k->t, live);
			fuzz_overlays(&k->t, live);
			fuzz_tree(live);
		}
		if (of_boot(&k->t, &tree, &err)) {
			fuzz_tree(&tree);
			of_tree_release(&tree);
		}
	}
	kernel_release(k);
	free(k);
	return 0;
}
