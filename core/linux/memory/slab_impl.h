/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the slab allocator share: a cache's parts on nodes, and its sheaves. */
#ifndef OBIT_SLAB_IMPL_H
#define OBIT_SLAB_IMPL_H

#include "core/linux/memory/slab.h"

/* A cache's part of one node. */
struct slab_node {
	uint64_t node; /* struct kmem_cache_node */
	uint64_t barn; /* struct node_barn, 0 before v6.18 and where the cache has no sheaves */
};

/* Calls fn with the part of every node that the machine has, until fn fails. */
bool slab_nodes(struct target *t, uint64_t cache,
		bool (*fn)(struct target *t, const struct slab_node *node, void *arg,
			   struct err *err),
		void *arg, struct err *err) MUST_CHECK;

/* Fills c->kept. percpu is the cache's struct slub_percpu_sheaves of each CPU (0: it has none), and
 * a sheaf has at most capacity objects. What cannot be read is c->kept_err. */
void slab_sheaves_read(struct target *t, struct slab_cache *c, uint64_t percpu, uint64_t capacity);

#endif
