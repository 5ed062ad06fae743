/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlays of the device tree, and what each changed, as records. */
#include <string.h>

#include "core/base/buf.h"
#include "core/records/node_record.h"
#include "commands/dt/tree_record.h"

enum {
	OVERLAY_ID,
	OVERLAY_STATE,
	OVERLAY_TARGETS,
	OVERLAY_NODES,
	OVERLAY_PROPERTIES,
	OVERLAY_ADDR
};
static const struct record_field overlay_fields[] = {
	[OVERLAY_ID] = { "overlay", NULL, CELL_UINT, 0,
			 "its number, as of_overlay_fdt_apply() gave it" },
	[OVERLAY_STATE] = { "state", NULL, CELL_STR, 0,
			    "applied; or where it got stuck: being applied, being removed, ..." },
	[OVERLAY_TARGETS] = { "targets", NULL, CELL_STRS, 0,
			      "the nodes that its fragments are for" },
	[OVERLAY_NODES] = { "nodes", NULL, CELL_UINT, 0, "nodes that it added or removed" },
	[OVERLAY_PROPERTIES] = { "properties", NULL, CELL_UINT, 0,
				 "properties that it added, removed or changed" },
	[OVERLAY_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "its struct overlay_changeset" },
};
const struct record_kind overlay_kind = {
	"dt_overlay",
	"an overlay (dt overlays)",
	LAYOUT_LINE,
	"overlay {overlay}: {state}, on {targets}: {nodes} nodes, {properties} properties",
	overlay_fields,
	ARRAY_SIZE(overlay_fields)
};

/* r->of: the state of its overlay. One that is being applied or removed is in between. */
static void in_tree_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	(void)k;
	if (!cell->b && !strcmp(r->of, "applied"))
		buf_str(b, " (no longer so)");
}

enum {
	EDIT_IN_TREE = CHANGE_FIELDS,
	EDIT_OVERLAY
};
static const struct record_field edit_fields[] = {
	[CHANGE_KIND] = { "change", NULL, CELL_STR, 0, "added, removed, changed, or unknown",
			  .text = change_sign_text },
	[CHANGE_PATH] = { "path", NULL, CELL_STR, 0, "of the node" },
	[CHANGE_NAME] = { "name", NULL, CELL_STR, 0,
			  "of the property; null for a node as a whole" },
	[CHANGE_BEFORE] = { "before", NULL, CELL_STR, 0, "the value that it took the place of" },
	[CHANGE_AFTER] = { "after", NULL, CELL_STR, 0, "the overlay's value, as DTS writes it",
			   .text = change_after_text },
	[EDIT_IN_TREE] = { "in_tree", NULL, CELL_BOOL, 0, "the live tree is as the overlay made it",
			   .text = in_tree_text },
	[EDIT_OVERLAY] = { "overlay", NULL, CELL_UINT, FIELD_JSON, "its number" },
};
const struct record_kind overlay_edit_kind = {
	"dt_edit",   "what an overlay changed (dt overlays)",
	LAYOUT_LINE, "  {change} {path}{?name:: {name}}{?before: = {before}}{after}{in_tree}",
	edit_fields, ARRAY_SIZE(edit_fields)
};

/* r->of: what there is to say of the overlays as a whole; NULL: nothing. */
static void suspect_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	(void)k, (void)cell;
	if (r->of)
		buf_printf(b, ": %s", (const char *)r->of);
}

enum {
	ALL_OVERLAYS,
	ALL_CHANGES,
	ALL_SUSPECT
};
static const struct record_field all_fields[] = {
	[ALL_OVERLAYS] = { "overlays", NULL, CELL_UINT, 0, "overlays" },
	[ALL_CHANGES] = { "changes", NULL, CELL_UINT, 0, "that they made" },
	[ALL_SUSPECT] = { "suspect", NULL, CELL_BOOL, 0,
			  "the kernel could neither apply one nor undo what it had done of it",
			  .text = suspect_text },
};
const struct record_kind overlays_kind = {
	"dt_overlays", "how many overlays are applied (dt overlays)",
	LAYOUT_LINE,   "{overlays} overlays, {changes} changes{suspect}",
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
	record_uint(&r, OVERLAY_ID, o->id);
	record_str(&r, OVERLAY_STATE, o->state);
	record_strs(&r, OVERLAY_TARGETS, targets, o->n_targets);
	record_uint(&r, OVERLAY_NODES, nodes);
	record_uint(&r, OVERLAY_PROPERTIES, o->n_edits - nodes);
	record_uint(&r, OVERLAY_ADDR, o->addr);
	emit(c, &r);
}

static void emit_edit(struct ctx *c, const struct of_tree *tree, const struct of_overlay *o,
		      const struct of_edit *e)
{
	bool gone = e->sign == '-';
	const char *now = NULL, *old = NULL;
	struct record r;

	if (e->has_prop)
		now = property_text(c, tree, e->node, &e->now);
	if (e->old.name)
		old = property_text(c, tree, e->node, &e->old);
	record_init(&r, &overlay_edit_kind);
	r.of = o->state;
	record_change(&r, e->sign, e->node->path, e->has_prop ? e->now.name : NULL,
		      gone ? now : old, gone ? NULL : now);
	record_bool(&r, EDIT_IN_TREE, e->in_tree);
	record_uint(&r, EDIT_OVERLAY, o->id);
	emit(c, &r);
}

static void emit_count(struct ctx *c, uint64_t overlays, uint64_t changes, bool suspect,
		       const char *warning)
{
	struct record r;

	record_init(&r, &overlays_kind);
	r.of = warning;
	record_uint(&r, ALL_OVERLAYS, overlays);
	record_uint(&r, ALL_CHANGES, changes);
	record_bool(&r, ALL_SUSPECT, suspect);
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
