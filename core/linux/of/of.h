/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device tree: as it was alive in the kernel, and as the firmware handed it over at boot. */
#ifndef OBIT_OF_H
#define OBIT_OF_H

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/base/guard.h"
#include "core/image/target.h"

/* Limits of what a tree from a corrupt dump may cost. */
#define OF_NODES_MAX 1000000u
#define OF_DEPTH_MAX DEPTH_MAX
#define OF_NAME_MAX 256u
#define OF_PROPERTY_MAX ((size_t)1 << 20)
#define OF_TOTAL_MAX ((size_t)64 << 20) /* bytes of names, paths and values in all */
#define OF_PROPERTIES_MAX 4096u         /* of one node */
#define OF_REFS_MAX 4096u               /* looked at in one property */
#define OF_NOTES_MAX 1000u

struct of_property {
	const char *name;
	uint64_t addr;     /* struct property; 0 in a blob */
	struct span value; /* big-endian cells, or text; p NULL: it cannot be read */
	enum err_code why; /* value.p is NULL: why */
};

struct of_node {
	uint64_t addr;    /* struct device_node; 0 in a blob */
	const char *name; /* "pl011@9000000"; "" for the root */
	const char *path; /* "/soc/pl011@9000000" */
	uint32_t phandle; /* 0: none */
	unsigned depth;
	struct of_node *parent, *child, *last, *next;
	const struct of_property *props;
	size_t n_props;
};

struct of_tree {
	struct arena *arena;
	VEC(struct of_node *) nodes; /* in the order of a listing: parents, then children */
	struct strmap by_path;       /* index into nodes, + 1 */
	struct map by_phandle;       /* the same; of several nodes that claim one the first */
	VEC(struct err) notes;       /* what could not be read, or is broken */
	size_t bytes;
	bool devices_read;            /* devices_of_tree() was called for it */
	struct of_overlays *overlays; /* of the live tree; NULL: nobody has asked yet */
};

/* ---- of.c */
/* Sets *ret to the kernel's live tree, from of_root down. It is read once, into the target's arena.
 * The tree's notes tell what is damaged. */
bool of_live(struct target *t, struct of_tree **ret, struct err *err) MUST_CHECK;
/* The node of the live tree whose struct device_node is at addr, once the tree was read; NULL:
 * there is none. */
struct of_node *of_by_addr(struct target *t, uint64_t addr);
/* Reads the struct property at addr, of the node at path, and sets *next to the address of the
 * next. A name or a value that cannot be read is noted in the tree; the name is NULL then. */
bool of_property_read(struct target *t, struct of_tree *tree, uint64_t addr, const char *path,
		      struct of_property *ret, uint64_t *next, struct err *err) MUST_CHECK;

/* ---- of_tree.c */
void of_tree_init(struct of_tree *tree, struct arena *a);
void of_tree_release(struct of_tree *tree);
void of_overlays_release(struct of_overlays *o);
/* Adds a node below parent, or the root when parent is NULL. The name is copied. ERR_LIMIT. */
bool of_tree_add(struct of_tree *tree, struct of_node *parent, const char *name,
		 struct of_node **ret, struct err *err) MUST_CHECK;
/* Counts n more bytes that the tree needs. ERR_LIMIT: they are too many. */
bool of_tree_charge(struct of_tree *tree, size_t n, struct err *err) MUST_CHECK;
void of_tree_note(struct of_tree *tree, const struct err *why);
/* Finds out which node has which phandle, when all nodes and properties were added. */
void of_tree_index(struct of_tree *tree);
const struct of_property *of_property(const struct of_node *node, const char *name);
/* Sets *ret to the first cell of a node's property. False: the node has no such property, or it has
 * no cell. */
bool of_number(const struct of_node *node, const char *name, uint32_t *ret);
/* The first string of a property; NULL: it has none. */
const char *of_string(const struct of_property *p);
/* The node's status; "okay" when it has no such property. */
const char *of_status(const struct of_node *node);
struct of_node *of_by_phandle(const struct of_tree *tree, uint32_t phandle);
/* Sets *ret to the node that a person's word means: its path, an alias, or a label of __symbols__,
 * each of the latter two also in front of a path, or a name that only one node has. ERR_NOTFOUND.
 */
bool of_find(const struct of_tree *tree, const char *word, struct of_node **ret,
	     struct err *err) MUST_CHECK;

static inline uint32_t of_cell(struct span value, size_t i)
{
	const uint8_t *p = value.p + 4 * i;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* ---- of_kind.c: what a value is, by the property's name and by its content */
enum of_kind {
	OF_FLAG,     /* there is no value: it matters that the property is there */
	OF_STRINGS,  /* one string, or several */
	OF_CELLS,    /* 32-bit numbers */
	OF_PHANDLES, /* cells of which some refer to nodes */
	OF_BYTES,
	OF_ABSENT
};
enum of_kind of_kind(const struct of_node *node, const struct of_property *p);
/* The kind in words: "flag", "string", "strings", "cells", "phandles", "bytes", "absent". */
const char *of_kind_name(const struct of_node *node, const struct of_property *p);

/* What a cell of an OF_PHANDLES property is. */
enum of_role {
	OF_PLAIN,
	OF_REF,      /* it is a node's phandle */
	OF_DANGLING, /* it should be a phandle, but no node has it */
	OF_UNKNOWN,  /* it is a phandle of a node that does not say how many cells follow */
	OF_FIRST = 8 /* ORed: a group of cells begins here */
};
/* Fills roles, which has one for each cell of the value. */
void of_roles(const struct of_tree *tree, const struct of_node *node, const struct of_property *p,
	      uint8_t *roles);

/* ---- of_text.c: as a .dts has it */
/* Appends the value as it stands behind "name = "; nothing for a flag. */
void of_value_text(struct buf *b, const struct of_tree *tree, const struct of_node *node,
		   const struct of_property *p);
/* Did the kernel make this property of the node's name? Blobs do not have it. */
bool of_is_made(const struct of_node *node, const struct of_property *p);
/* Appends the whole tree as a source for dtc. What dtc would not take is left out, and noted in the
 * tree. */
void of_dts(struct buf *b, struct of_tree *tree);

/* ---- of_blob.c */
/* Fills *tree from a flattened tree, whose bytes must live as long as *tree. ERR_FORMAT, ERR_LIMIT.
 */
bool of_blob_parse(struct span blob, struct of_tree *tree, struct err *err) MUST_CHECK;
/* Fills *tree from the blob that the kernel booted with, as the dump has it; in the scratch arena.
 */
bool of_boot(struct target *t, struct of_tree *tree, struct err *err) MUST_CHECK;
/* Sets *ret to the tree in its flattened form, in the tree's arena. */
bool of_blob_make(struct of_tree *tree, struct span *ret, struct err *err) MUST_CHECK;

/* ---- of_diff.c */
struct of_change {
	char sign; /* '+': it was added, '-': it was removed, '~': it was changed */
	const struct of_node *before, *after;    /* NULL: that tree does not have the node */
	const struct of_property *p_old, *p_new; /* both NULL: the change is of the whole node */
};
/* Calls fn for each change that makes `after` of `before`, until fn returns false. */
bool of_diff(const struct of_tree *before, const struct of_tree *after,
	     bool (*fn)(const struct of_change *change, void *arg), void *arg,
	     struct err *err) MUST_CHECK;

/* ---- of_overlay.c: overlays that are applied, drivers/of/overlay.c */
#define OF_OVERLAYS_MAX 4096u
#define OF_EDITS_MAX 100000u   /* of all overlays */
#define OF_FRAGMENTS_MAX 4096u /* of one overlay */

/* One thing that an overlay did, as a struct of_changeset_entry tells it. */
struct of_edit {
	char sign; /* '+': it added, '-': it removed, '~': it changed; '?': it did something else */
	const struct of_node *node; /* of the live tree, or made of what the entry says */
	bool has_prop;              /* it is about a property; else about the whole node */
	/* the property as the overlay made it, for one that it removed as it was; and as it was
	 * before, with old.name NULL when it was not there */
	struct of_property now, old;
	bool in_tree; /* the live tree still has it as the overlay made it */
};
struct of_overlay {
	uint64_t addr; /* struct overlay_changeset */
	unsigned id;
	const char *state; /* "applied", or how far applying it got */
	const struct of_node *const
		*targets; /* one for each fragment; NULL: not in the live tree */
	size_t n_targets;
	const struct of_edit *edits;
	size_t n_edits;
};
struct of_overlays {
	VEC(struct of_overlay) all; /* in the order in which they were applied */
	struct map by_addr;         /* struct property or device_node -> index into all, + 1 */
	bool suspect;               /* one failed, and so did undoing it */
};
/* Sets *ret to the overlays of the live tree, which are read once and kept with it. What is broken
 * is noted in the tree. ERR_NOTFOUND: this kernel takes no overlays. */
bool of_overlays_read(struct target *t, struct of_tree *live, const struct of_overlays **ret,
		      struct err *err) MUST_CHECK;
/* The id of the overlay that made this change; 0: none did. */
unsigned of_overlay_of(const struct of_overlays *o, const struct of_change *change);

struct of_problem {
	const struct of_node *node;
	const struct of_property *prop; /* NULL: the node's own phandle */
	uint32_t phandle;
	const char *text;
};
struct of_counts {
	size_t phandles, references, problems;
};
/* Calls fn for each phandle that several nodes claim and for each reference to a phandle that no
 * node has, then for what of_check_links() finds, until fn returns false. */
bool of_check(const struct of_tree *tree, bool (*fn)(const struct of_problem *problem, void *arg),
	      void *arg, struct of_counts *ret, struct err *err) MUST_CHECK;

/* ---- of_links.c */
/* Calls fn for each path in aliases and __symbols__ that leads nowhere, and for each place in
 * __local_fixups__ and __fixups__ that does not exist or does not hold the phandle of a node. Adds
 * what it looked at to *counts. */
bool of_check_links(const struct of_tree *tree,
		    bool (*fn)(const struct of_problem *problem, void *arg), void *arg,
		    struct of_counts *counts, struct err *err) MUST_CHECK;
/* Calls fn for each entry of the kernel's cache of phandles that is no node of the live tree, or
 * that is not where it belongs: then memory was overwritten, or a node was freed. Older kernels
 * have no such cache. */
void of_check_cache(struct target *t, void (*fn)(const struct err *why, void *arg), void *arg);

#endif
