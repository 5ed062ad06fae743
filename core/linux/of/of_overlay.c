/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlays that are applied to the live device tree, and what each did to it. */
#include <string.h>

#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/of/of.h"
#include "core/linux/subsystem.h"

/* drivers/of/overlay.c */
enum {
	OVCS_ID,
	OVCS_STATE,
	OVCS_COUNT,
	OVCS_FRAGMENTS,
	OVCS_ENTRIES,
	OVCS_FIELDS
};
static const struct shape_field ovcs_fields[OVCS_FIELDS] = {
	[OVCS_ID] = FIELD("id"),
	[OVCS_STATE] = FIELD_MAYBE("notify_state"), /* 067c098766c6 (v5.19) */
	[OVCS_COUNT] = FIELD("count"),
	[OVCS_FRAGMENTS] = FIELD("fragments"),
	[OVCS_ENTRIES] = FIELD("cset.entries"),
};
static const struct shape ovcs_shape = SHAPE("struct overlay_changeset", ovcs_fields);

/* include/linux/of.h */
enum {
	ENTRY_ACTION,
	ENTRY_NODE,
	ENTRY_PROP,
	ENTRY_OLD,
	ENTRY_FIELDS
};
static const struct shape_field entry_fields[ENTRY_FIELDS] = {
	[ENTRY_ACTION] = FIELD("action"),
	[ENTRY_NODE] = FIELD("np"),
	[ENTRY_PROP] = FIELD("prop"),
	[ENTRY_OLD] = FIELD("old_prop"),
};
static const struct shape entry_shape = SHAPE("struct of_changeset_entry", entry_fields);

/* OF_RECONFIG_* of the same header */
enum {
	ATTACH_NODE = 1,
	DETACH_NODE,
	ADD_PROPERTY,
	REMOVE_PROPERTY,
	UPDATE_PROPERTY
};

/* devicetree_state_flags: DTSF_APPLY_FAIL, DTSF_REVERT_FAIL */
#define STATE_SUSPECT 3u

struct overlay_walk {
	struct target *t;
	struct of_tree *live;
	struct of_overlays *ret;
	uint64_t entry_link;
	struct map seen; /* overlays and changes: none can be met twice */
	size_t n_edits;
	VEC(struct of_edit) edits;
	bool failed; /* Ctrl-C */
	struct err err;
};

static void of_overlay_lost(struct overlay_walk *w, struct err *why, const char *what)
{
	err_wrap(why, "%s", what);
	of_tree_note(w->live, why);
}

/* A node that is not in the live tree: its name, below what of its parents can be read. */
static const struct of_node *node_apart(struct overlay_walk *w, uint64_t addr, unsigned depth)
{
	struct of_node *node = ARENA_NEW(&w->t->arena, struct of_node);
	const struct of_node *up;
	uint64_t parent = 0;
	struct err e;

	node->addr = addr;
	node->name = node->path = "?";
	if (!subsystem_text(w->t, "struct device_node", addr, "full_name", &node->name, &e) ||
	    !node->name) {
		node->name = "?";
		return node;
	}
	if (strrchr(node->name, '/'))
		node->name = strrchr(node->name, '/') + 1;
	node->name = arena_strdup(&w->t->arena, node->name);
	if (!field_u64(w->t, "struct device_node", addr, "parent", &parent, &e) || !parent ||
	    depth >= OF_DEPTH_MAX) {
		node->path = arena_printf(&w->t->arena, "?/%s", node->name);
		return node;
	}
	up = of_by_addr(w->t, parent);
	if (!up)
		up = node_apart(w, parent, depth + 1);
	node->depth = up->depth + 1;
	node->path = arena_printf(&w->t->arena, "%s/%s", strcmp(up->path, "/") ? up->path : "",
				  node->name);
	return node;
}

static void read_property(struct overlay_walk *w, const struct of_node *node, uint64_t addr,
			  struct of_property *ret)
{
	uint64_t next;
	struct err e;

	*ret = (struct of_property){ .name = "?", .addr = addr, .why = ERR_UNMAPPED };
	if (!addr)
		return;
	if (!of_property_read(w->t, w->live, addr, node->path, ret, &next, &e)) {
		ret->why = e.code;
		of_overlay_lost(w, &e, node->path);
	}
	if (!ret->name)
		ret->name = "?";
}

/* Is the live tree as this edit made it? Another overlay, or the kernel, may have been there since.
 */
static bool holds(struct target *t, const struct of_edit *e)
{
	const struct of_node *live = of_by_addr(t, e->node->addr);
	const struct of_property *p = NULL;

	if (!e->has_prop)
		return e->sign == '-' ? !live : live != NULL;
	if (live)
		p = of_property(live, e->now.name);
	return e->sign == '-' ? !p : p && p->addr == e->now.addr;
}

static void claim(struct overlay_walk *w, uint64_t addr)
{
	if (addr)
		*map_put(&w->ret->by_addr, addr, NULL) = w->ret->all.n;
}

/* The one at addr: it is new, and there is room for it. */
static bool enter(struct overlay_walk *w, uint64_t addr, size_t n, size_t max, const char *what)
{
	struct err why;
	bool isnew;

	w->failed = !interrupt_check(&w->err);
	if (w->failed)
		return false;
	map_put(&w->seen, addr, &isnew);
	if (isnew && n < max && of_tree_charge(w->live, sizeof(struct of_edit), &why))
		return true;
	if (!isnew)
		err_set_addr(&why, ERR_CORRUPT, addr, "0x%llx is there twice",
			     (unsigned long long)addr);
	else if (n >= max)
		err_set_addr(&why, ERR_LIMIT, addr, "more than %zu", max);
	of_overlay_lost(w, &why, what);
	return false;
}

static bool edit_found(uint64_t addr, void *arg)
{
	static const char signs[] = { '?', '+', '-', '+', '-', '~' };
	struct overlay_walk *w = arg;
	uint64_t action, node, old;
	struct of_edit e = { 0 };
	struct shaped s;
	struct err why;

	if (!enter(w, addr, w->n_edits++, OF_EDITS_MAX, "changes of overlays"))
		return false;
	if (!shape_read(w->t, &entry_shape, addr, &s, &why) ||
	    !shaped_u64(&s, ENTRY_ACTION, &action, &why) ||
	    !shaped_u64(&s, ENTRY_NODE, &node, &why)) {
		of_overlay_lost(w, &why, "a change of an overlay");
		return true;
	}
	e.sign = signs[action < sizeof(signs) ? action : 0];
	e.node = of_by_addr(w->t, node);
	if (!e.node)
		e.node = node_apart(w, node, 0);
	e.has_prop = action >= ADD_PROPERTY && action <= UPDATE_PROPERTY;
	if (e.has_prop) {
		read_property(w, e.node, shaped_u64_or(&s, ENTRY_PROP, 0), &e.now);
		old = shaped_u64_or(&s, ENTRY_OLD, 0);
		if (old && action == UPDATE_PROPERTY)
			read_property(w, e.node, old, &e.old);
	}
	if (e.sign == '?') {
		err_set_addr(&why, ERR_CORRUPT, addr, "%s: its action is %llu, which is none",
			     e.node->path, (unsigned long long)action);
		of_overlay_lost(w, &why, "a change of an overlay");
	}
	e.in_tree = holds(w->t, &e);
	claim(w, e.has_prop ? e.now.addr : node);
	*vec_push(&w->edits) = e;
	return true;
}

static void read_targets(struct overlay_walk *w, const struct shaped *s, struct of_overlay *o)
{
	uint64_t n, at, off, node;
	const struct of_node **list;
	const struct type *type;
	struct err why;

	if (!shaped_u64(s, OVCS_COUNT, &n, &why) || !shaped_u64(s, OVCS_FRAGMENTS, &at, &why) ||
	    !type_find(w->t, "struct fragment", &type, &why) ||
	    !field_offset(w->t, "struct fragment", "target", &off, &why)) {
		of_overlay_lost(w, &why, "fragments of an overlay");
		return;
	}
	n = (uint32_t)n;
	if (n > OF_FRAGMENTS_MAX) {
		err_set_addr(&why, ERR_CORRUPT, o->addr, "overlay %u: %llu fragments", o->id,
			     (unsigned long long)n);
		of_tree_note(w->live, &why);
		return;
	}
	list = ARENA_ARRAY(&w->t->arena, const struct of_node *, n + 1);
	for (uint64_t i = 0; i < n; i++) {
		if (!mem_ptr(w->t, at + i * type->size + off, &node, &why)) {
			of_overlay_lost(w, &why, "a fragment of an overlay");
			break;
		}
		list[o->n_targets++] = of_by_addr(w->t, node);
	}
	o->targets = list;
}

/* enum of_overlay_notify_action; kernels without one list those that were applied */
static const char *state_name(const struct shaped *s)
{
	static const char *const names[] = { "init", "being applied", "applied", "being removed",
					     "removed" };
	uint64_t state = shaped_u64_or(s, OVCS_STATE, 2);

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

static bool overlay_found(uint64_t addr, void *arg)
{
	struct overlay_walk *w = arg;
	struct of_overlay *o;
	struct of_edit *kept;
	uint64_t id, off;
	struct shaped s;
	struct err why;

	if (!enter(w, addr, w->ret->all.n, OF_OVERLAYS_MAX, "overlays"))
		return false;
	o = vec_push(&w->ret->all);
	*o = (struct of_overlay){ .addr = addr, .state = "?" };
	if (!shape_read(w->t, &ovcs_shape, addr, &s, &why) || !shaped_u64(&s, OVCS_ID, &id, &why) ||
	    !shape_offset(w->t, &ovcs_shape, OVCS_ENTRIES, &off, &why)) {
		of_overlay_lost(w, &why, "an overlay");
		return true;
	}
	o->id = (unsigned)id;
	o->state = state_name(&s);
	read_targets(w, &s, o);
	w->edits.n = 0;
	if (!list_each(w->t, addr + off, w->entry_link, "changes of an overlay", edit_found, w,
		       &why))
		of_overlay_lost(w, &why, arena_printf(w->t->scratch, "overlay %u", o->id));
	kept = ARENA_ARRAY(&w->t->arena, struct of_edit, w->edits.n + 1);
	if (w->edits.n)
		memcpy(kept, w->edits.p, w->edits.n * sizeof(*kept));
	o->edits = kept;
	o->n_edits = w->edits.n;
	return !w->failed;
}

bool of_overlays_read(struct target *t, struct of_tree *live, const struct of_overlays **ret,
		      struct err *err)
{
	struct overlay_walk w = { .t = t, .live = live };
	uint64_t head, link, at;
	uint32_t flags;
	struct err why;

	if (live->overlays) {
		*ret = live->overlays;
		return true;
	}
	if (!subsystem_symbol(t, "ovcs_list", "device tree overlays", &head, err) ||
	    !field_offset(t, "struct overlay_changeset", "ovcs_list", &link, err) ||
	    !field_offset(t, "struct of_changeset_entry", "node", &w.entry_link, err))
		return false;
	w.ret = ARENA_NEW(&t->arena, struct of_overlays);
	if (!list_each(t, head, link, "overlays", overlay_found, &w, &why))
		of_tree_note(live, &why);
	vec_release(&w.edits);
	map_release(&w.seen);
	if (w.failed) {
		of_overlays_release(w.ret);
		*err = w.err;
		return false;
	}
	if (symbol_addr(t, "devicetree_state_flags", &at) && mem_u32(t, at, &flags, &why))
		w.ret->suspect = flags & STATE_SUSPECT;
	*ret = live->overlays = w.ret;
	return true;
}

/* What is gone has no address in the blob: the last overlay that took it. */
static unsigned remover_of(const struct of_overlays *o, const struct of_change *c)
{
	for (size_t i = o->all.n; i > 0; i--) {
		const struct of_overlay *at = &o->all.p[i - 1];

		for (size_t k = 0; k < at->n_edits; k++) {
			const struct of_edit *e = &at->edits[k];

			if (e->sign == '-' && e->has_prop == (c->p_old != NULL) &&
			    !strcmp(e->node->path, c->before->path) &&
			    (!c->p_old || !strcmp(e->now.name, c->p_old->name)))
				return at->id;
		}
	}
	return 0;
}

unsigned of_overlay_of(const struct of_overlays *o, const struct of_change *c)
{
	const uint64_t *i;

	if (c->sign == '-')
		return remover_of(o, c);
	i = map_get(&o->by_addr, c->p_new ? c->p_new->addr : c->after->addr);
	return i ? o->all.p[*i - 1].id : 0;
}
