/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References of a device tree that are no phandles at their place: paths in __symbols__ and
 * aliases, the lists of places in __local_fixups__ and __fixups__, and the kernel's own cache of
 * phandles. */
#include <string.h>

#include "core/base/number.h"
#include "core/linux/of/of.h"

struct links_walk {
	const struct of_tree *tree;
	bool (*fn)(const struct of_problem *problem, void *arg);
	void *arg;
	struct of_counts *counts;
};

static bool problem(struct links_walk *w, const struct of_node *node, const struct of_property *p,
		    uint32_t phandle, const char *text)
{
	struct of_problem pr = { node, p, phandle, text };

	w->counts->problems++;
	return w->fn(&pr, w->arg);
}

static struct of_node *by_path(const struct of_tree *tree, const char *path)
{
	const uint64_t *i = strmap_get(&tree->by_path, path);

	return i ? tree->nodes.p[*i - 1] : NULL;
}

/* Properties that hold paths of nodes; an alias may have options behind a colon. */
static bool check_paths(struct links_walk *w, const struct of_node *node)
{
	for (size_t i = 0; i < node->n_props; i++) {
		const struct of_property *p = &node->props[i];
		const char *s = of_string(p), *path;

		if (!s || *s != '/' || !strcmp(p->name, "name"))
			continue;
		path = arena_strndup(w->tree->arena, s, strcspn(s, ":"));
		w->counts->references++;
		if (!by_path(w->tree, path) && !problem(w, node, p, 0, "no node has this path"))
			return false;
	}
	return true;
}

/* Is there a phandle in property `name` of the node at path, at byte `at`? Why not; NULL: it is. */
static const char *place_flaw(const struct of_tree *tree, const char *path, const char *name,
			      uint64_t at, uint32_t *phandle)
{
	const struct of_node *node = by_path(tree, path);
	const struct of_property *p = node ? of_property(node, name) : NULL;

	*phandle = 0;
	if (!node)
		return "it is for a node that is not there";
	if (!p)
		return "it is for a property that is not there";
	if (!p->value.p)
		return NULL; /* noted elsewhere */
	if (at > p->value.n || p->value.n - at < 4)
		return "it is for a place behind the property's end";
	*phandle = (uint32_t)p->value.p[at] << 24 | (uint32_t)p->value.p[at + 1] << 16 |
		   (uint32_t)p->value.p[at + 2] << 8 | p->value.p[at + 3];
	return of_by_phandle(tree, *phandle) ? NULL : "no node has the phandle at its place";
}

/* A node below __local_fixups__ stands for the one at the rest of its path; its properties are
 * lists of offsets. */
static bool check_local(struct links_walk *w, const struct of_node *node, const char *path)
{
	for (size_t i = 0; i < node->n_props; i++) {
		const struct of_property *p = &node->props[i];

		if (!p->value.p || !strcmp(p->name, "name"))
			continue;
		for (size_t k = 0; k < p->value.n / 4; k++) {
			uint32_t phandle;
			const char *flaw = place_flaw(w->tree, *path ? path : "/", p->name,
						      of_cell(p->value, k), &phandle);

			w->counts->references++;
			if (flaw && !problem(w, node, p, phandle, flaw))
				return false;
		}
	}
	return true;
}

/* "path:property:offset", one after the other */
static bool check_fixup(struct links_walk *w, const struct of_node *node,
			const struct of_property *p)
{
	for (size_t i = 0; p->value.p && i < p->value.n;) {
		size_t n = strnlen((const char *)p->value.p + i, p->value.n - i);
		char *s = arena_strndup(w->tree->arena, (const char *)p->value.p + i, n);
		char *last = strrchr(s, ':'), *first;
		const char *flaw = "it is no path:property:offset";
		uint64_t offset;
		uint32_t phandle = 0;

		i += n + 1;
		if (!strcmp(p->name, "name"))
			continue;
		w->counts->references++;
		if (last) {
			*last = 0;
			first = strrchr(s, ':');
			if (first && number_parse(last + 1, 10, &offset)) {
				*first = 0;
				flaw = place_flaw(w->tree, s, first + 1, offset, &phandle);
			}
		}
		if (flaw && !problem(w, node, p, phandle, flaw))
			return false;
	}
	return true;
}

bool of_check_links(const struct of_tree *tree,
		    bool (*fn)(const struct of_problem *problem, void *arg), void *arg,
		    struct of_counts *counts, struct err *err)
{
	static const char local[] = "/__local_fixups__";
	struct links_walk w = { tree, fn, arg, counts };

	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct of_node *node = tree->nodes.p[i];
		const char *path = node->path;
		bool go = true;

		if (!interrupt_check(err))
			return false;
		if (!strcmp(path, "/__symbols__") || !strcmp(path, "/aliases"))
			go = check_paths(&w, node);
		else if (!strncmp(path, local, sizeof(local) - 1) &&
			 (!path[sizeof(local) - 1] || path[sizeof(local) - 1] == '/'))
			go = check_local(&w, node, path + sizeof(local) - 1);
		else if (!strcmp(path, "/__fixups__"))
			for (size_t k = 0; go && k < node->n_props; k++)
				go = check_fixup(&w, node, &node->props[k]);
		if (!go)
			return true;
	}
	return true;
}

/* drivers/of/base.c: phandle_cache of 1 << OF_PHANDLE_CACHE_BITS nodes, each in the place that
 * hash_32() of include/linux/hash.h gives it; 90dc0d1ce890 (v5.6) */
#define CACHE_BITS 7u
#define GOLDEN_RATIO_32 0x61c88647u

void of_check_cache(struct target *t, void (*fn)(const struct err *why, void *arg), void *arg)
{
	uint64_t node;
	struct symbol sym;
	struct err err;

	/* kernels before had a table of another size, behind a pointer */
	if (!symbol_find(t, "phandle_cache", &sym, &err) || sym.size != (uint64_t)t->arch->word
										<< CACHE_BITS)
		return;
	for (uint32_t i = 0; i < 1u << CACHE_BITS; i++) {
		const struct of_node *n;

		if (!mem_ptr(t, sym.addr + (uint64_t)i * t->arch->word, &node, &err)) {
			err_wrap(&err, "phandle_cache");
			fn(&err, arg);
			return;
		}
		n = node ? of_by_addr(t, node) : NULL;
		if (!node ||
		    (n && (uint32_t)(n->phandle * GOLDEN_RATIO_32) >> (32 - CACHE_BITS) == i))
			continue;
		if (n)
			err_set_addr(
				&err, ERR_CORRUPT, node,
				"phandle_cache[%u]: %s does not belong there, its phandle is 0x%x",
				i, n->path, n->phandle);
		else
			err_set_addr(&err, ERR_CORRUPT, node,
				     "phandle_cache[%u]: 0x%llx is no node of the tree", i,
				     (unsigned long long)node);
		fn(&err, arg);
	}
}
