/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slab cache's parts on NUMA nodes. */
#include "core/linux/memory/slab_impl.h"
#include "core/types/shape.h"
#include "core/types/value.h"

#define NODES_MAX 1024u

/* What stands in an element of the array of nodes: the pointer, or in v7.2 that and the barn's. */
static bool node_read(struct target *t, struct value v, struct slab_node *ret, struct err *err)
{
	static const char both[] = "struct kmem_cache_per_node_ptrs";

	ret->barn = 0;
	if (type_strip(v.type)->kind == TYPE_POINTER)
		return value_u64(t, v, &ret->node, err);
	return field_u64(t, both, v.addr, "node", &ret->node, err) &&
	       field_u64(t, both, v.addr, "barn", &ret->barn, err);
}

/* How many nodes the machine can have: the array of a cache is no longer than that, whatever its
 * type says, and what lies behind it is another object. */
static uint32_t nodes_most(struct target *t)
{
	struct err ignored;
	uint64_t symbol;
	uint32_t n;

	return symbol_addr(t, "nr_node_ids", &symbol) && mem_u32(t, symbol, &n, &ignored) && n &&
			       n < NODES_MAX
		       ? n
		       : NODES_MAX;
}

bool slab_nodes(struct target *t, uint64_t cache,
		bool (*fn)(struct target *t, const struct slab_node *node, void *arg,
			   struct err *err),
		void *arg, struct err *err)
{
	struct value v, nodes;
	const struct type *type;
	uint32_t most = nodes_most(t);
	struct err ignored;

	if (!type_find(t, "struct kmem_cache", &type, err) ||
	    (!value_member(t, value_ref(type, cache), "node", &nodes, err) &&
	     !value_member(t, value_ref(type, cache), "per_node", &nodes, &ignored)))
		return false;
	for (unsigned i = 0; i < most && i < type_strip(nodes.type)->count; i++) {
		struct slab_node node;
		bool ok = value_index(t, nodes, i, &v, err) && node_read(t, v, &node, err);

		if (!i && !ok)
			return false;
		if (!ok || !node.node || !t->arch->is_kernel_va(node.node))
			break;
		/* v6.18 and v6.19 */
		if (!node.barn && !field_u64(t, "struct kmem_cache_node", node.node, "barn",
					     &node.barn, &ignored))
			node.barn = 0;
		if (!fn(t, &node, arg, err))
			return false;
	}
	return true;
}
