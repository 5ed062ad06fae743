/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the slab allocator share: a cache's parts on nodes, and its sheaves. */
#ifndef OBIT_SLAB_IMPL_H
#define OBIT_SLAB_IMPL_H

#include "core/linux/memory/slab.h"

/* What a cache has on one node. */
struct slab_node {
	uint64_t node; /* struct kmem_cache_node */
	uint64_t barn; /* struct node_barn, 0 before v6.18 and where the cache has no sheaves */
};

/* Calls fn with what the cache has on each node of the machine, until fn fails. */
bool slab_nodes(struct target *t, uint64_t cache,
		bool (*fn)(struct target *t, const struct slab_node *node, void *arg,
			   struct err *err),
		void *arg, struct err *err) MUST_CHECK;

/* Fills c->kept. percpu is the per-CPU address of the cache's struct slub_percpu_sheaves, or 0 when
 * it has none; a sheaf has at most `capacity` objects. c->kept_err says what cannot be read. */
void slab_sheaves_read(struct target *t, struct slab_cache *c, uint64_t percpu, uint64_t capacity);

#endif
