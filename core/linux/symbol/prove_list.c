/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heads of lists: of a ring of entries that are allocated, the one node within the kernel's image.
 */
#include "core/linux/container/list.h"
#include "core/linux/symbol/prove_impl.h"
#include "core/types/expr.h"
#include "core/types/shape.h"

/* A list, by one entry of it that exported variables lead to. */
static const struct list_ring {
	const char *name, *type, *member, *entry;
} rings[] = {
	{ "super_blocks", "struct super_block", "s_list", "init_task.fs->root.mnt->mnt_sb" },
	{ "slab_caches", "struct kmem_cache", "list",
	  "((struct kmem_cache **)&kmalloc_caches)[7]" },
	{ "workqueues", "struct workqueue_struct", "list",
	  "*(struct workqueue_struct **)&system_wq" },
	{ "net_namespace_list", "struct net", "list", "&init_net" },
};

/* The image, as far as it is known: from its text to the last variable that is exported. */
struct symbol_range {
	uint64_t lo, hi;
};

static bool image_grow(const struct symbol *sym, void *arg)
{
	struct symbol_range *im = arg;

	if (sym->addr > im->hi)
		im->hi = sym->addr;
	return true;
}

static bool image_of(struct target *t, struct symbol_range *ret)
{
	struct err ignored;

	*ret = (struct symbol_range){ 0, 0 };
	return symbol_addr(t, "_stext", &ret->lo) && symbol_each(t, "", image_grow, ret, &ignored);
}

struct heads {
	struct symbol_range im;
	uint64_t off, head;
	size_t n;
};

static bool head_note(uint64_t entry, void *arg)
{
	struct heads *h = arg;
	uint64_t node = entry + h->off;

	if (node >= h->im.lo && node <= h->im.hi) {
		h->head = node;
		h->n++;
	}
	return true;
}

static bool ring_prove(struct target *t, const struct list_ring *r, struct symbol *ret)
{
	struct heads h = { .n = 0 };
	struct value v;
	uint64_t entry;
	struct err ignored;

	if (!image_of(t, &h.im) || !field_offset(t, r->type, r->member, &h.off, &ignored) ||
	    !expr_eval(t, r->entry, NULL, &v, &ignored) || !value_u64(t, v, &entry, &ignored) ||
	    !entry || !list_each(t, entry + h.off, h.off, r->name, head_note, &h, &ignored) ||
	    h.n != 1)
		return false;
	ret->addr = h.head;
	ret->size = 2 * t->arch->word;
	return true;
}

/* ---- loaded modules: the ring that code uses */

#define REACH 4096u /* that an address with an offset in the instruction spans */

/* A struct module says of itself where it is, in its kobject. */
static bool is_module(struct target *t, uint64_t addr)
{
	uint64_t self;
	struct err ignored;

	return field_u64(t, "struct module", addr, "mkobj.mod", &self, &ignored) && self == addr;
}

static bool is_modules(struct target *t, uint64_t head, uint64_t off)
{
	uint64_t links[2], back, forth;
	struct err ignored;

	return mem_words(t, head, links, 2, &ignored) && links[0] != head &&
	       t->arch->is_kernel_va(links[0]) && t->arch->is_kernel_va(links[1]) &&
	       mem_ptr(t, links[0] + t->arch->word, &back, &ignored) && back == head &&
	       mem_ptr(t, links[1], &forth, &ignored) && forth == head &&
	       is_module(t, links[0] - off) && is_module(t, links[1] - off);
}

/* The compiler may address one variable by its distance from another. */
static bool modules_near(struct target *t, uint64_t base, uint64_t off, uint64_t *ret)
{
	for (uint64_t at = base & ~(uint64_t)(t->arch->word - 1); at < base + REACH;
	     at += t->arch->word)
		if (is_modules(t, at, off)) {
			*ret = at;
			return true;
		}
	return false;
}

static bool modules_prove(struct target *t, struct symbol *ret)
{
	static const char *const users[] = { "print_modules", "find_module_all", "m_start",
					     "module_kallsyms_lookup_name" };
	uint64_t off, base;
	struct err err;

	if (!t->arch->place_next || !field_offset(t, "struct module", "list", &off, &err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		struct symbol fn;
		struct span code;
		size_t from = 0;

		if (!symbol_find(t, users[i], &fn, &err) || !fn.size ||
		    !mem_bytes(t, fn.addr, fn.size, 65536, t->scratch, &code, &err))
			continue;
		while (t->arch->place_next(code, fn.addr, &from, &base))
			if (modules_near(t, base, off, &ret->addr)) {
				ret->size = 2 * t->arch->word;
				return true;
			}
	}
	return false;
}

bool list_prove(struct target *t, const char *name, struct symbol *ret)
{
	if (!strcmp(name, "modules"))
		return modules_prove(t, ret);
	for (size_t i = 0; i < ARRAY_SIZE(rings); i++)
		if (!strcmp(name, rings[i].name))
			return ring_prove(t, &rings[i], ret);
	return false;
}
