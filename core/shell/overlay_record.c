/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlays of the device tree, and what each changed, as records. */
#include <string.h>

#include "core/shell/node_record.h"
#include "core/shell/tree_record.h"

static const struct record_field overlay_fields[] = {
	[0] = { "overlay", NULL, CELL_UINT, 0, "its number, as of_overlay_fdt_apply() gave it" },
	[1] = { "state", NULL, CELL_STR, 0,
		"applied; or where it got stuck: being applied, being removed, ..." },
	[2] = { "targets", NULL, CELL_STRS, 0, "the nodes that its fragments are for" },
	[3] = { "nodes", NULL, CELL_UINT, 0, "nodes that it added or removed" },
	[4] = { "properties", NULL, CELL_UINT, 0, "properties that it added, removed or changed" },
	[5] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "its struct overlay_changeset" },
};
const struct record_kind overlay_kind = {
	"dt_overlay",
	"an overlay (dt overlays)",
	LAYOUT_LINE,
	"overlay {overlay}: {state}, on {targets}: {nodes} nodes, {properties} properties",
	overlay_fields,
	ARRAY_SIZE(overlay_fields)
};

static const struct record_field edit_fields[] = {
	[0] = { "sign", NULL, CELL_STR, FIELD_TEXT, "+ added, - removed, ~ changed" },
	[1] = { "change", NULL, CELL_STR, FIELD_JSON, "added, removed, changed, or unknown" },
	[2] = { "path", NULL, CELL_STR, 0, "of the node" },
	[3] = { "name", NULL, CELL_STR, 0, "of the property; null for a node as a whole" },
	[4] = { "before", NULL, CELL_STR, 0, "the value that it took the place of" },
	[5] = { "arrow", NULL, CELL_STR, FIELD_TEXT, "between the two" },
	[6] = { "after", NULL, CELL_STR, 0, "the overlay's value, as DTS writes it" },
	[7] = { "stale", NULL, CELL_STR, FIELD_TEXT, "where the live tree says otherwise" },
	[8] = { "in_tree", NULL, CELL_BOOL, FIELD_JSON, "the live tree is as the overlay made it" },
	[9] = { "overlay", NULL, CELL_UINT, FIELD_JSON, "its number" },
};
const struct record_kind overlay_edit_kind = {
	"dt_edit",
	"what an overlay changed (dt overlays)",
	LAYOUT_LINE,
	"  {sign} {path}{?name:: {name}}{?before: = {before}}{arrow}{?after:{after}}{stale}",
	edit_fields,
	ARRAY_SIZE(edit_fields)
};

static const struct record_field all_fields[] = {
	[0] = { "overlays", NULL, CELL_UINT, 0, "overlays" },
	[1] = { "changes", NULL, CELL_UINT, 0, "that they made" },
	[2] = { "suspect", NULL, CELL_BOOL, FIELD_JSON,
		"the kernel could neither apply one nor undo what it had done of it" },
	[3] = { "warning", NULL, CELL_STR, FIELD_TEXT, "the same in words" },
};
const struct record_kind overlays_kind = {
	"dt_overlays", "how many overlays are applied (dt overlays)",
	LAYOUT_LINE,   "{overlays} overlays, {changes} changes{?warning:: {warning}}",
	all_fields,    ARRAY_SIZE(all_fields)
};

static void emit_overlay(struct ctx *c, const struct of_overlay *o)
{
	const char **targets = ARENA_ARRAY(c->arena, const char *, o->n_targets + 1);
	uint64_t nodes = 0;
	struct record r;

	for (size_t i = 0; i < o->n_targets; i++)
		targets[i] = o->targets[i] ? o->targets[i]->path : "?";
	for (size_t i = 0; i < o->n_edits; i++)
		nodes += !o->edits[i].has_prop;
	record_init(&r, &overlay_kind);
	record_uint(&r, 0, o->id);
	record_str(&r, 1, o->state);
	record_strs(&r, 2, targets, o->n_targets);
	record_uint(&r, 3, nodes);
	record_uint(&r, 4, o->n_edits - nodes);
	record_uint(&r, 5, o->addr);
	emit(c, &r);
}

static const char *change_name(char sign)
{
	return sign == '+'   ? "added"
	       : sign == '-' ? "removed"
	       : sign == '~' ? "changed"
			     : "unknown";
}

static void emit_edit(struct ctx *c, const struct of_tree *tree, const struct of_overlay *o,
		      const struct of_edit *e)
{
	bool gone = e->sign == '-', applied = !strcmp(o->state, "applied");
	const char *now = NULL, *old = NULL;
	struct record r;

	if (e->has_prop)
		now = property_text(c, tree, e->node, &e->now);
	if (e->old.name)
		old = property_text(c, tree, e->node, &e->old);
	record_init(&r, &overlay_edit_kind);
	record_str(&r, 0, arena_printf(c->arena, "%c", e->sign));
	record_str(&r, 1, change_name(e->sign));
	record_str(&r, 2, e->node->path);
	record_str(&r, 3, e->has_prop ? e->now.name : NULL);
	record_str(&r, 4, gone ? now : old);
	record_str(&r, 5, e->sign == '~' ? " -> " : now && !gone ? " = " : "");
	record_str(&r, 6, gone ? NULL : now ? now : e->sign == '~' ? "" : NULL);
	record_str(&r, 7, applied && !e->in_tree ? " (no longer so)" : "");
	record_bool(&r, 8, e->in_tree);
	record_uint(&r, 9, o->id);
	emit(c, &r);
}

static void emit_count(struct ctx *c, uint64_t overlays, uint64_t changes, bool suspect,
		       const char *warning)
{
	struct record r;

	record_init(&r, &overlays_kind);
	record_uint(&r, 0, overlays);
	record_uint(&r, 1, changes);
	record_bool(&r, 2, suspect);
	record_str(&r, 3, warning);
	emit(c, &r);
}

bool emit_overlays(struct ctx *c, struct err *err)
{
	const struct of_overlays *all;
	struct of_tree *live;
	uint64_t changes = 0;

	if (!of_live(c->t, &live, err))
		return false;
	if (!of_overlays_read(c->t, live, &all, err)) {
		if (err->code != ERR_NOTFOUND)
			return false;
		emit_count(c, 0, 0, false, "this kernel takes none, CONFIG_OF_OVERLAY is not set");
		return true;
	}
	for (size_t i = 0; i < all->all.n; i++) {
		const struct of_overlay *o = &all->all.p[i];

		emit_overlay(c, o);
		for (size_t k = 0; k < o->n_edits; k++) {
			if (!interrupt_check(err))
				return false;
			emit_edit(c, live, o, &o->edits[k]);
		}
		changes += o->n_edits;
	}
	emit_count(c, all->all.n, changes, all->suspect,
		   all->suspect ? "one could neither be applied nor undone, and the kernel no "
				  "longer vouches for its tree"
				: NULL);
	note_tree(c, live);
	return true;
}
