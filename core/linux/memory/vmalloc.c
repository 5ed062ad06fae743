/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's areas of virtually contiguous memory. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"
#include "core/linux/memory/vmalloc.h"

#define NODES_MAX 1024u
#define AREAS_MAX 4000000u

enum {
	AREA_START,
	AREA_END,
	AREA_LIST,
	AREA_VM,
	AREA_FIELDS
};
static const struct shape_field area_fields[AREA_FIELDS] = {
	[AREA_START] = FIELD("va_start"),
	[AREA_END] = FIELD("va_end"),
	[AREA_LIST] = FIELD("list"),
	[AREA_VM] = FIELD("vm"),
};
static const struct shape area_shape = SHAPE("struct vmap_area", area_fields);

enum {
	VM_FLAGS,
	VM_CALLER,
	VM_PAGES,
	VM_PHYS,
	VM_FIELDS
};
static const struct shape_field vm_fields[VM_FIELDS] = {
	[VM_FLAGS] = FIELD("flags"),
	[VM_CALLER] = FIELD("caller"),
	[VM_PAGES] = FIELD("nr_pages"),
	[VM_PHYS] = FIELD("phys_addr"),
};
static const struct shape vm_shape = SHAPE("struct vm_struct", vm_fields);

struct vmalloc_state {
	bool tried, ok;
	struct err err; /* why nothing, or what is lost */
	VEC(struct vmalloc_area) areas;
};

static struct vmalloc_state *state_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_VMALLOC];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct vmalloc_state);
	return *cell;
}

void linux_vmalloc_release(struct target *t)
{
	struct vmalloc_state *st = t->linux_state->of[LINUX_VMALLOC];

	if (st)
		vec_release(&st->areas);
}

struct area_walk {
	struct target *t;
	struct vmalloc_state *st;
	bool failed;
};

static void vmalloc_lost(struct area_walk *w, const struct err *why)
{
	if (!w->failed)
		w->st->err = *why;
	w->failed = true;
}

static bool area_read(struct area_walk *w, struct vmalloc_area *a, struct err *err)
{
	struct shaped s;

	if (!shape_read(w->t, &area_shape, a->addr, &s, err) ||
	    !shaped_u64(&s, AREA_START, &a->start, err) ||
	    !shaped_u64(&s, AREA_END, &a->end, err) || !shaped_u64(&s, AREA_VM, &a->vm, err))
		return false;
	return a->start < a->end ||
	       err_set_addr(err, ERR_CORRUPT, a->addr, "it is from 0x%llx to 0x%llx",
			    (unsigned long long)a->start, (unsigned long long)a->end);
}

static bool vm_read(struct area_walk *w, struct vmalloc_area *a, struct err *err)
{
	struct shaped s;

	if (!shape_read(w->t, &vm_shape, a->vm, &s, err) ||
	    !shaped_u64(&s, VM_FLAGS, &a->flags, err) ||
	    !shaped_u64(&s, VM_PAGES, &a->pages, err) || !shaped_u64(&s, VM_PHYS, &a->phys, err))
		return false;
	a->caller = shaped_u64_or(&s, VM_CALLER, 0);
	return true;
}

static bool area_found(uint64_t addr, void *arg)
{
	struct area_walk *w = arg;
	struct vmalloc_area a = { .addr = addr };
	struct err err;

	if (!area_read(w, &a, &err)) {
		err_wrap(&err, "vmap_area 0x%llx", (unsigned long long)addr);
		vmalloc_lost(w, &err);
		return true;
	}
	if (a.vm && !vm_read(w, &a, &err)) {
		err_wrap(&err, "vm_struct 0x%llx", (unsigned long long)a.vm);
		vmalloc_lost(w, &err);
	}
	*vec_push(&w->st->areas) = a;
	if (w->st->areas.n < AREAS_MAX)
		return true;
	err_set_addr(&err, ERR_LIMIT, addr, "stopped after %u, the limit", AREAS_MAX);
	vmalloc_lost(w, &err);
	return false;
}

static bool walk_list(struct area_walk *w, uint64_t head, struct err *err)
{
	uint64_t link;

	return shape_offset(w->t, &area_shape, AREA_LIST, &link, err) &&
	       list_each(w->t, head, link, "vmalloc areas", area_found, w, err);
}

struct one_node {
	uint64_t size, addr; /* of struct vmap_node; 0: none was met */
};

static bool one_node(const struct symbol *sym, uint64_t room, void *arg)
{
	struct one_node *one = arg;

	(void)room;
	if (sym->module || (sym->size && sym->size != one->size))
		return true;
	one->addr = sym->addr;
	return false;
}

/* Where the nodes are. Kernels of 32 bits have one alone, and the compiler has no use for the
 * pointer to it: then it is the variable itself. */
static bool nodes_of(struct target *t, uint64_t *ret, const struct type **type, struct err *err)
{
	struct one_node one = { 0 };
	struct err why;
	uint64_t at;

	if (!type_find(t, "struct vmap_node", type, &why))
		return err_set(err, ERR_NOSYM, "no symbol 'vmap_area_list'");
	if (symbol_addr(t, "vmap_nodes", &at))
		return mem_ptr(t, at, ret, err);
	one.size = (*type)->size;
	if (symbol_each_named(t, "single", NULL, one_node, &one, &why) && one.addr)
		*ret = one.addr;
	else
		err_set(err, ERR_NOSYM, "no symbol 'vmap_nodes', nor 'single'");
	return one.addr;
}

/* d093602919ad (v6.9) spread them over nodes, each with a list of its own. */
static bool walk_nodes(struct area_walk *w, struct err *err)
{
	struct target *t = w->t;
	uint64_t nodes, head, addr;
	const struct type *type;
	uint32_t n = 1;
	struct err why;

	if (!nodes_of(t, &nodes, &type, err) ||
	    !field_offset(t, "struct vmap_node", "busy.head", &head, err))
		return false;
	if (symbol_addr(t, "nr_vmap_nodes", &addr) && !mem_u32(t, addr, &n, err))
		return false;
	if (n > NODES_MAX)
		return err_set_addr(err, ERR_CORRUPT, addr, "nr_vmap_nodes is %u", n);
	for (uint32_t i = 0; i < n; i++) {
		if (walk_list(w, nodes + i * type->size + head, &why))
			continue;
		if (why.code == ERR_INTR)
			return *err = why, false;
		vmalloc_lost(w, &why);
	}
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct vmalloc_area *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static bool read_areas(struct target *t, struct vmalloc_state *st)
{
	struct area_walk w = { .t = t, .st = st };
	uint64_t at;
	struct err err;
	bool ok;

	if (symbol_addr(t, "vmap_area_list", &at) ||
	    vmcoreinfo_hex(t, "SYMBOL(vmap_area_list)", &at))
		ok = walk_list(&w, at, &err);
	else
		ok = walk_nodes(&w, &err);
	if (!ok && err.code == ERR_INTR) {
		/* what Ctrl-C cut short is read again when it is asked for again */
		st->err = err;
		st->tried = false;
		vec_release(&st->areas);
		return false;
	}
	if (!ok)
		vmalloc_lost(&w, &err);
	if (w.failed)
		err_wrap(&st->err, "vmalloc areas");
	if (st->areas.n)
		qsort(st->areas.p, st->areas.n, sizeof(*st->areas.p), by_start);
	return ok || st->areas.n;
}

bool vmalloc_areas(struct target *t, const struct vmalloc_area **ret, size_t *n, struct err *why,
		   struct err *err)
{
	struct vmalloc_state *st = state_of(t);

	if (!st->tried) {
		st->tried = true;
		st->err = (struct err){ 0 };
		st->ok = read_areas(t, st);
	}
	if (!st->ok) {
		*err = st->err;
		return false;
	}
	*ret = st->areas.p;
	*n = st->areas.n;
	*why = st->err;
	return true;
}

bool vmalloc_at(struct target *t, uint64_t addr, const struct vmalloc_area **ret)
{
	const struct vmalloc_area *a;
	struct err ignored;
	size_t lo = 0, hi;

	if (!vmalloc_areas(t, &a, &hi, &ignored, &ignored))
		return false;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (addr < a[mid].start)
			hi = mid;
		else if (addr >= a[mid].end)
			lo = mid + 1;
		else
			return *ret = &a[mid], true;
	}
	return false;
}

/* include/linux/vmalloc.h, those that mm/vmalloc.c: vmalloc_info_show() names */
static const struct {
	uint64_t bit;
	const char *name;
} flag_names[] = {
	{ 1, "ioremap" }, { 2, "vmalloc" }, { 4, "vmap" }, { 8, "user" }, { 0x10, "dma-coherent" },
};

const char *vmalloc_flags_text(uint64_t flags, struct arena *a)
{
	struct buf b = { 0 };
	const char *s;

	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++)
		if (flags & flag_names[i].bit)
			buf_printf(&b, "%s%s", b.n ? "," : "", flag_names[i].name);
	s = arena_strndup(a, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}
