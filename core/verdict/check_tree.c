/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the device tree: references that lead nowhere, overlays that were half applied. */
#include "core/verdict/check.h"

#include "core/linux/of/of.h"

struct faults {
	struct triage *g;
	size_t n;
	const char *first;
};

static bool problem_see(const struct of_problem *p, void *arg)
{
	struct faults *w = arg;

	if (!w->n++)
		w->first = arena_printf(w->g->a, "%s%s%s: %s", p->node ? p->node->path : "?",
					p->prop && p->prop->name ? ":" : "",
					p->prop && p->prop->name ? p->prop->name : "", p->text);
	return true;
}

static void cache_see(const struct err *why, void *arg)
{
	struct faults *w = arg;

	if (why->code == ERR_CORRUPT && !w->n++)
		w->first = arena_strdup(w->g->a, why->msg);
}

static bool look_tree(struct triage *g, struct finding *f, struct err *err)
{
	const struct of_overlays *overlays = NULL;
	struct faults w = { .g = g };
	struct of_counts counts;
	struct of_tree *tree;
	struct err ignored;

	if (!of_live(g->t, &tree, err)) {
		if (err->code != ERR_NOTFOUND)
			return false;
		find(g, f, CHECK_OK, "this machine was started without one");
		return true;
	}
	if (!of_check(tree, problem_see, &w, &counts, err))
		return false;
	of_check_cache(g->t, cache_see, &w);
	if (!of_overlays_read(g->t, tree, &overlays, &ignored))
		overlays = NULL;
	if (overlays && overlays->suspect)
		find(g, f, CHECK_WARN, "an overlay could not be applied, nor undone; %zu fault%s",
		     w.n, plural(w.n));
	else if (w.n)
		find(g, f, CHECK_WARN, "%zu fault%s, the first: %s", w.n, plural(w.n), w.first);
	else if (tree->notes.n)
		f->why = tree->notes.p[0],
		find(g, f, CHECK_UNKNOWN, "%zu nodes without a fault; then %s", tree->nodes.n,
		     f->why.msg);
	else
		find(g, f, CHECK_OK, "%zu references in %zu nodes lead somewhere, %zu overlays",
		     counts.references, tree->nodes.n, overlays ? overlays->all.n : 0);
	return true;
}

const struct checkup check_tree = {
	.name = "devicetree",
	.doc = "references in the device tree that lead nowhere, overlays that were half applied",
	.more = "dt check",
	.look = look_tree,
};
