/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the device tree since boot, and which of its references do not hold, as records.
 */
#include "core/shell/node_record.h"
#include "core/shell/tree_record.h"

static const struct record_field change_fields[] = {
	[0] = { "sign", NULL, CELL_STR, FIELD_TEXT, "+ added, - removed, ~ changed" },
	[1] = { "change", NULL, CELL_STR, FIELD_JSON, "added, removed, or changed" },
	[2] = { "path", NULL, CELL_STR, 0, "of the node" },
	[3] = { "name", NULL, CELL_STR, 0, "of the property; null for a node as a whole" },
	[4] = { "before", NULL, CELL_STR, 0, "the value at boot, as DTS writes it" },
	[5] = { "after", NULL, CELL_STR, 0, "the value at the crash" },
	[6] = { "arrow", NULL, CELL_STR, FIELD_TEXT, "between the two" },
	[7] = { "overlay", NULL, CELL_UINT, 0,
		"the overlay that did it; null: none that is known" },
};
const struct record_kind tree_change_kind = {
	"dt_change",
	"what changed since boot (dt diff)",
	LAYOUT_LINE,
	"{sign} {path}{?name:: {name}}{?before: = {before}}{arrow}{?after:{after}}"
	"{?overlay: (overlay {overlay})}",
	change_fields,
	ARRAY_SIZE(change_fields)
};

static const struct record_field diff_fields[] = {
	[0] = { "added", NULL, CELL_UINT, 0, "nodes and properties that are new" },
	[1] = { "removed", NULL, CELL_UINT, 0, "that are gone" },
	[2] = { "changed", NULL, CELL_UINT, 0, "properties with another value" },
};
const struct record_kind tree_diff_kind = {
	"dt_diff",   "how much changed since boot (dt diff)",
	LAYOUT_LINE, "{added} added, {removed} removed, {changed} changed since boot",
	diff_fields, ARRAY_SIZE(diff_fields)
};

static const struct record_field problem_fields[] = {
	[0] = { "path", NULL, CELL_STR, 0, "of the node" },
	[1] = { "name", NULL, CELL_STR, 0, "of the property; null for the node's own phandle" },
	[2] = { "phandle", NULL, CELL_HEX, 0, "the number; null where it is about a path" },
	[3] = { "problem", NULL, CELL_STR, 0, "what is wrong with it" },
};
const struct record_kind tree_problem_kind = {
	"dt_problem",   "a reference that does not hold (dt check)",
	LAYOUT_LINE,    "{path}{?name:: {name}}{?phandle:: phandle {phandle}}: {problem}",
	problem_fields, ARRAY_SIZE(problem_fields)
};

static const struct record_field check_fields[] = {
	[0] = { "nodes", NULL, CELL_UINT, 0, "nodes of the tree" },
	[1] = { "phandles", NULL, CELL_UINT, 0, "nodes that others can refer to" },
	[2] = { "references", NULL, CELL_UINT, 0, "references to them" },
	[3] = { "problems", NULL, CELL_UINT, 0, "of them that do not hold" },
};
const struct record_kind tree_check_kind = {
	"dt_check",
	"what was checked (dt check)",
	LAYOUT_LINE,
	"{nodes} nodes, {phandles} phandles, {references} references: {problems} problems",
	check_fields,
	ARRAY_SIZE(check_fields)
};

struct diffing {
	struct ctx *c;
	const struct of_tree *before, *after;
	const struct of_overlays *overlays; /* NULL: unknown */
	uint64_t added, removed, changed;
};

static bool emit_change(const struct of_change *change, void *arg)
{
	struct diffing *d = arg;
	struct ctx *c = d->c;
	const struct of_property *p = change->p_new ? change->p_new : change->p_old;
	const char *before = NULL, *after = NULL;
	unsigned overlay = d->overlays ? of_overlay_of(d->overlays, change) : 0;
	struct record r;

	if (change->p_old)
		before = property_text(c, d->before, change->before, change->p_old);
	if (change->p_new)
		after = property_text(c, d->after, change->after, change->p_new);
	*(change->sign == '+' ? &d->added : change->sign == '-' ? &d->removed : &d->changed) += 1;
	record_init(&r, &tree_change_kind);
	record_str(&r, 0, arena_printf(c->arena, "%c", change->sign));
	record_str(&r, 1,
		   change->sign == '+'   ? "added"
		   : change->sign == '-' ? "removed"
					 : "changed");
	record_str(&r, 2, change->after ? change->after->path : change->before->path);
	record_str(&r, 3, p ? p->name : NULL);
	record_str(&r, 4, before);
	record_str(&r, 5, after ? after : change->sign == '~' ? "" : NULL);
	record_str(&r, 6, change->sign == '~' ? " -> " : after ? " = " : "");
	if (overlay)
		record_uint(&r, 7, overlay);
	emit(c, &r);
	return true;
}

bool emit_tree_diff(struct ctx *c, struct err *err)
{
	struct of_tree *live, boot;
	struct diffing d = { .c = c };
	struct record r;
	struct err none;
	bool ok;

	if (!of_live(c->t, &live, err) || !of_boot(c->t, &boot, err))
		return false;
	if (!of_overlays_read(c->t, live, &d.overlays, &none))
		d.overlays = NULL;
	d.before = &boot;
	d.after = live;
	ok = of_diff(&boot, live, emit_change, &d, err);
	of_tree_release(&boot);
	record_init(&r, &tree_diff_kind);
	record_uint(&r, 0, d.added);
	record_uint(&r, 1, d.removed);
	record_uint(&r, 2, d.changed);
	if (ok)
		emit(c, &r);
	note_tree(c, live);
	return ok;
}

static bool emit_problem(const struct of_problem *p, void *arg)
{
	struct record r;

	record_init(&r, &tree_problem_kind);
	record_str(&r, 0, p->node->path);
	record_str(&r, 1, p->prop ? p->prop->name : NULL);
	if (p->phandle)
		record_uint(&r, 2, p->phandle);
	record_str(&r, 3, p->text);
	emit(arg, &r);
	return true;
}

static void note_cache(const struct err *why, void *arg)
{
	note(arg, why);
}

bool emit_tree_check(struct ctx *c, const struct of_tree *tree, struct err *err)
{
	struct of_counts counts;
	struct record r;

	if (!of_check(tree, emit_problem, c, &counts, err))
		return false;
	record_init(&r, &tree_check_kind);
	record_uint(&r, 0, tree->nodes.n);
	record_uint(&r, 1, counts.phandles);
	record_uint(&r, 2, counts.references);
	record_uint(&r, 3, counts.problems);
	emit(c, &r);
	if (tree->nodes.n && tree->nodes.p[0]->addr)
		of_check_cache(c->t, note_cache, c);
	return true;
}
