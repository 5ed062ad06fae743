/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lock is at an address, by the type of what lies there: of a variable, or of a slab's object
 * whose cache is called like a struct of its size and serves nothing else. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/memory/slab.h"
#include "core/linux/lock/lock_impl.h"
#include "core/types/shape.h"

#define DEPTH_MAX 16

/* A place in something whose type is known. */
struct wait_typed_place {
	const struct type *type;
	uint64_t offset; /* of the address in it */
	struct buf path; /* how it is reached: ".sb.s_umount" */
};

/* Goes into the element of an array. */
static bool into_array(struct wait_typed_place *p)
{
	const struct type *of = type_target(p->type);

	if (!of || !type_strip(of)->size)
		return false;
	buf_printf(&p->path, "[%llu]", (unsigned long long)(p->offset / type_strip(of)->size));
	p->offset %= type_strip(of)->size;
	p->type = of;
	return true;
}

/* Goes into the member that the address is in; of a union into the first. */
static bool into_member(struct wait_typed_place *p)
{
	size_t n;
	const struct member *m = type_members(p->type, &n);

	for (size_t i = 0; i < n; i++) {
		const uint64_t off = m[i].bit_off / 8;

		if (m[i].bit_size || p->offset < off ||
		    p->offset - off >= type_strip(m[i].type)->size)
			continue;
		if (m[i].name)
			buf_printf(&p->path, ".%s", m[i].name);
		p->offset -= off;
		p->type = m[i].type;
		return true;
	}
	return false;
}

/* The lock that begins at the address, the outermost one; NULL: there is none. */
static const struct lock_sort *lock_within(struct wait_typed_place *p)
{
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		const struct type *type = p->type;
		const struct lock_sort *sort = NULL;

		/* some locks are typedefs of structs without a name */
		for (unsigned i = 0; type && !p->offset && !sort && i < DEPTH_MAX; i++) {
			sort = lock_sort_of(type);
			if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_CONST &&
			    type->kind != TYPE_VOLATILE)
				break;
			type = type_target(type);
		}
		if (sort)
			return sort;
		p->type = type_strip(p->type);
		if (p->type->kind == TYPE_ARRAY                                   ? !into_array(p)
		    : p->type->kind == TYPE_STRUCT || p->type->kind == TYPE_UNION ? !into_member(p)
										  : true)
			return NULL;
	}
	return NULL;
}

static const struct lock_sort *in_type(struct target *t, const struct type *type, uint64_t offset,
				       const char *what, const char **name)
{
	struct wait_typed_place p = { .type = type, .offset = offset };
	const struct lock_sort *ret = lock_within(&p);

	if (ret)
		*name = arena_printf(t->scratch, "%s%s", what, p.path.n ? buf_text(&p.path) : "");
	buf_release(&p.path);
	return ret;
}

static const struct lock_sort *in_variable(struct target *t, uint64_t addr, const char **name)
{
	const struct type *type;
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	if (!symbol_at(t, addr, &sym, &off, &ignored) ||
	    !type_of_symbol(t, &sym, &type, &ignored) || off >= type_strip(type)->size)
		return NULL;
	return in_type(t, type, off, sym.name, name);
}

/* "dentry" has struct dentry, "inode_cache" struct inode, when the cache was merged with no other
 * one, and the object has the struct's very size. Behind an mm_struct, whose name its cache has,
 * stands what depends on the machine. */
static const struct type *cache_type(struct target *t, const struct slab_cache *cache)
{
	const char *end = strstr(cache->name, "_cache");
	const size_t n = strlen(cache->name);
	const size_t stem = end && !end[6] ? (size_t)(end - cache->name) : n;
	const struct type *type;
	struct err ignored;
	uint64_t users;

	if (!field_u64(t, "struct kmem_cache", cache->addr, "refcount", &users, &ignored) ||
	    users != 1)
		return NULL;
	for (int i = 0; i < 2; i++)
		if (type_find(t,
			      arena_printf(t->scratch, "struct %.*s", (int)(i ? stem : n),
					   cache->name),
			      &type, &ignored) &&
		    (i ? type->size == cache->object_size : type->size <= cache->object_size))
			return type;
	return NULL;
}

static const struct lock_sort *in_object(const struct wait_graph *g, uint64_t addr,
					 const char **name)
{
	struct target *t = g->t;
	struct slab_object o;
	const struct type *type;
	struct err ignored;

	if (!slab_at(t, addr, &o, &ignored) || o.state != SLAB_ALLOCATED)
		return NULL;
	/* on x86 the end of a task_struct is left away where the machine has no use for it */
	if (!wait_task(g, o.addr) || !type_find(t, "struct task_struct", &type, &ignored))
		type = cache_type(t, o.slab.cache);
	if (!type)
		return NULL;
	return in_type(
		t, type, o.offset,
		arena_printf(t->scratch, "%s 0x%llx", type->name, (unsigned long long)o.addr),
		name);
}

const struct lock_sort *lock_sort_at(const struct wait_graph *g, uint64_t addr, const char **name)
{
	const struct lock_sort *ret = in_variable(g->t, addr, name);

	return ret ? ret : in_object(g, addr, name);
}
