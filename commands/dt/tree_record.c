/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the device tree since boot, and which of its references do not hold, as records.
 */
#include <string.h>

#include "core/base/buf.h"
#include "core/records/node_record.h"
#include "commands/dt/tree_record.h"

static const struct {
	char sign;
	const char *name;
} changes[] = { { '+', "added" }, { '-', "removed" }, { '~', "changed" } };

void change_sign_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k, (void)r;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		if (!strcmp(cell->str.s, changes[i].name)) {
			buf_char(b, changes[i].sign);
			return;
		}
	buf_char(b, '?');
}

void change_after_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	if (cell->kind == CELL_NULL)
		return;
	buf_str(b, !strcmp(r->cells[CHANGE_KIND].str.s, "changed") ? " -> " : " = ");
	buf_add(b, cell->str.s, cell->str.n);
}

void record_change(struct record *r, char sign, const char *path, const char *name,
		   const char *before, const char *after)
{
	record_str(r, CHANGE_KIND, "unknown");
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		if (changes[i].sign == sign)
			record_str(r, CHANGE_KIND, changes[i].name);
	record_str(r, CHANGE_PATH, path);
	record_str(r, CHANGE_NAME, name);
	record_str(r, CHANGE_BEFORE, before);
	record_str(r, CHANGE_AFTER, after ? after : sign == '~' ? "" : NULL);
}

enum {
	CHANGE_OVERLAY = CHANGE_FIELDS
};
static const struct record_field change_fields[] = {
	[CHANGE_KIND] = { "change", NULL, CELL_STR, 0, "added, removed, or changed",
			  .text = change_sign_text },
	[CHANGE_PATH] = { "path", NULL, CELL_STR, 0, "of the node" },
	[CHANGE_NAME] = { "name", NULL, CELL_STR, 0,
			  "of the property; null for a node as a whole" },
	[CHANGE_BEFORE] = { "before", NULL, CELL_STR, 0, "the value at boot, as DTS writes it" },
	[CHANGE_AFTER] = { "after", NULL, CELL_STR, 0, "the value at the crash",
			   .text = change_after_text },
	[CHANGE_OVERLAY] = { "overlay", NULL, CELL_UINT, 0,
			     "the overlay that did it; null: none that is known" },
};
const struct record_kind tree_change_kind = {
	"dt_change",
	"what changed since boot (dt diff)",
	LAYOUT_LINE,
	"{change} {path}{?name:: {name}}{?before: = {before}}{after}"
	"{?overlay: (overlay {overlay})}",
	change_fields,
	ARRAY_SIZE(change_fields)
};

enum {
	DIFF_ADDED,
	DIFF_REMOVED,
	DIFF_CHANGED
};
static const struct record_field diff_fields[] = {
	[DIFF_ADDED] = { "added", NULL, CELL_UINT, 0, "nodes and properties that are new" },
	[DIFF_REMOVED] = { "removed", NULL, CELL_UINT, 0, "that are gone" },
	[DIFF_CHANGED] = { "changed", NULL, CELL_UINT, 0, "properties with another value" },
};
const struct record_kind tree_diff_kind = {
	"dt_diff",   "how much changed since boot (dt diff)",
	LAYOUT_LINE, "{added} added, {removed} removed, {changed} changed since boot",
	diff_fields, ARRAY_SIZE(diff_fields)
};

enum {
	PROBLEM_PATH,
	PROBLEM_NAME,
	PROBLEM_PHANDLE,
	PROBLEM_TEXT
};
static const struct record_field problem_fields[] = {
	[PROBLEM_PATH] = { "path", NULL, CELL_STR, 0, "of the node" },
	[PROBLEM_NAME] = { "name", NULL, CELL_STR, 0,
			   "of the property; null for the node's own phandle" },
	[PROBLEM_PHANDLE] = { "phandle", NULL, CELL_HEX, 0,
			      "the number; null where it is about a path" },
	[PROBLEM_TEXT] = { "problem", NULL, CELL_STR, 0, "what is wrong with it" },
};
const struct record_kind tree_problem_kind = {
	"dt_problem",   "a reference that does not hold (dt check)",
	LAYOUT_LINE,    "{path}{?name:: {name}}{?phandle:: phandle {phandle}}: {problem}",
	problem_fields, ARRAY_SIZE(problem_fields)
};

enum {
	CHECK_NODES,
	CHECK_PHANDLES,
	CHECK_REFERENCES,
	CHECK_PROBLEMS
};
static const struct record_field check_fields[] = {
	[CHECK_NODES] = { "nodes", NULL, CELL_UINT, 0, "nodes of the tree" },
	[CHECK_PHANDLES] = { "phandles", NULL, CELL_UINT, 0, "nodes that others can refer to" },
	[CHECK_REFERENCES] = { "references", NULL, CELL_UINT, 0, "references to them" },
	[CHECK_PROBLEMS] = { "problems", NULL, CELL_UINT, 0, "of them that do not hold" },
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
	record_change(&r, change->sign, change->after ? change->after->path : change->before->path,
		      p ? p->name : NULL, before, after);
	if (overlay)
		record_uint(&r, CHANGE_OVERLAY, overlay);
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
	record_uint(&r, DIFF_ADDED, d.added);
	record_uint(&r, DIFF_REMOVED, d.removed);
	record_uint(&r, DIFF_CHANGED, d.changed);
	if (ok)
		emit(c, &r);
	note_tree(c, live);
	return ok;
}

static bool emit_problem(const struct of_problem *p, void *arg)
{
	struct record r;

	record_init(&r, &tree_problem_kind);
	record_str(&r, PROBLEM_PATH, p->node->path);
	record_str(&r, PROBLEM_NAME, p->prop ? p->prop->name : NULL);
	if (p->phandle)
		record_uint(&r, PROBLEM_PHANDLE, p->phandle);
	record_str(&r, PROBLEM_TEXT, p->text);
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
	record_uint(&r, CHECK_NODES, tree->nodes.n);
	record_uint(&r, CHECK_PHANDLES, counts.phandles);
	record_uint(&r, CHECK_REFERENCES, counts.references);
	record_uint(&r, CHECK_PROBLEMS, counts.problems);
	emit(c, &r);
	if (tree->nodes.n && tree->nodes.p[0]->addr)
		of_check_cache(c->t, note_cache, c);
	return true;
}
