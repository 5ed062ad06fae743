/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device tree: as it was alive in the kernel, and as the firmware handed it over at boot. */
#ifndef OBIT_OF_H
#define OBIT_OF_H

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/base/guard.h"
#include "core/image/target.h"

/* What a tree from a corrupt dump may cost. */
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
	struct span value; /* big-endian cells, or text; p is NULL where it cannot be read */
	enum err_code why; /* why it cannot */
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
	struct map by_phandle;       /* the same for the first node that claims one */
	VEC(struct err) notes;       /* what could not be read, or is broken */
	size_t bytes;
	bool devices_read;            /* devices_of_tree() was there */
	struct of_overlays *overlays; /* of the live one; NULL: not looked for */
};

/* ---- of.c */
/* The tree under of_root, read once; in the target's arena. Damage is in its notes. */
bool of_live(struct target *t, struct of_tree **ret, struct err *err) MUST_CHECK;
/* A node of the live tree by its struct device_node, once the tree was read; NULL: none. */
struct of_node *of_by_addr(struct target *t, uint64_t addr);
/* One struct property of the node at path, and the address of the next. A name (NULL) or a value
 * that cannot be read is noted in the tree. */
bool of_property_read(struct target *t, struct of_tree *tree, uint64_t addr, const char *path,
		      struct of_property *ret, uint64_t *next, struct err *err) MUST_CHECK;

/* ---- of_tree.c */
void of_tree_init(struct of_tree *tree, struct arena *a);
void of_tree_release(struct of_tree *tree);
void of_overlays_release(struct of_overlays *o);
/* A node below parent (NULL: the root). ERR_LIMIT. The name is copied. */
bool of_tree_add(struct of_tree *tree, struct of_node *parent, const char *name,
		 struct of_node **ret, struct err *err) MUST_CHECK;
/* Counts bytes that the tree needs. ERR_LIMIT. */
bool of_tree_charge(struct of_tree *tree, size_t n, struct err *err) MUST_CHECK;
void of_tree_note(struct of_tree *tree, const struct err *why);
/* When all nodes and properties are there: who has which phandle. */
void of_tree_index(struct of_tree *tree);
const struct of_property *of_property(const struct of_node *node, const char *name);
/* Its first cell; false: it has none. */
bool of_number(const struct of_node *node, const char *name, uint32_t *ret);
/* Its first string, or NULL. */
const char *of_string(const struct of_property *p);
/* "okay" where it says nothing. */
const char *of_status(const struct of_node *node);
struct of_node *of_by_phandle(const struct of_tree *tree, uint32_t phandle);
/* By path, alias, label of __symbols__, both also in front of a path, or a name that is the only
 * one. ERR_NOTFOUND. */
bool of_find(const struct of_tree *tree, const char *word, struct of_node **ret,
	     struct err *err) MUST_CHECK;

static inline uint32_t of_cell(struct span value, size_t i)
{
	const uint8_t *p = value.p + 4 * i;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* ---- of_kind.c: what a value is, by its name and content */
enum of_kind {
	OF_FLAG,     /* nothing: it is there */
	OF_STRINGS,  /* one or several */
	OF_CELLS,    /* 32-bit numbers */
	OF_PHANDLES, /* cells of which some refer to nodes */
	OF_BYTES,
	OF_ABSENT
};
enum of_kind of_kind(const struct of_node *node, const struct of_property *p);
/* "flag", "string", "strings", "cells", "phandles", "bytes", "absent" */
const char *of_kind_name(const struct of_node *node, const struct of_property *p);

/* What a cell of an OF_PHANDLES property is. */
enum of_role {
	OF_PLAIN,
	OF_REF,      /* a node's phandle */
	OF_DANGLING, /* would be, but no node has it */
	OF_UNKNOWN,  /* a node's phandle; that node does not say how many cells follow */
	OF_FIRST = 8 /* a group of cells starts here */
};
/* roles: one for each cell of the value. */
void of_roles(const struct of_tree *tree, const struct of_node *node, const struct of_property *p,
	      uint8_t *roles);

/* ---- of_text.c: as a DTS shows it */
/* The value as it stands behind "name = "; nothing for a flag. */
void of_value_text(struct buf *b, const struct of_tree *tree, const struct of_node *node,
		   const struct of_property *p);
/* Was it made by the kernel of the node's name? Blobs do not have it. */
bool of_is_made(const struct of_node *node, const struct of_property *p);
/* The whole tree as a source that dtc takes; what it could not take is in tree->notes. */
void of_dts(struct buf *b, struct of_tree *tree);

/* ---- of_blob.c */
/* A flattened tree. The bytes must live as long as the tree. ERR_FORMAT, ERR_LIMIT. */
bool of_blob_parse(struct span blob, struct of_tree *tree, struct err *err) MUST_CHECK;
/* The blob that the kernel booted with, from the dump; in the scratch arena. */
bool of_boot(struct target *t, struct of_tree *tree, struct err *err) MUST_CHECK;
/* The tree as a flattened one, in its arena. */
bool of_blob_make(struct of_tree *tree, struct span *ret, struct err *err) MUST_CHECK;

/* ---- of_diff.c */
struct of_change {
	char sign;                               /* '+' added, '-' removed, '~' changed */
	const struct of_node *before, *after;    /* NULL: it was not there */
	const struct of_property *p_old, *p_new; /* both NULL: the node as a whole */
};
/* What made `after` of `before`; fn returns false to stop. */
bool of_diff(const struct of_tree *before, const struct of_tree *after,
	     bool (*fn)(const struct of_change *change, void *arg), void *arg,
	     struct err *err) MUST_CHECK;

/* ---- of_overlay.c: overlays that are applied, drivers/of/overlay.c */
#define OF_OVERLAYS_MAX 4096u
#define OF_EDITS_MAX 100000u   /* of all overlays */
#define OF_FRAGMENTS_MAX 4096u /* of one overlay */

/* What an overlay did: of_changeset_entry. */
struct of_edit {
	char sign;                   /* '+' added, '-' removed, '~' changed; '?' none of these */
	const struct of_node *node;  /* in the live tree, or put together from the entry */
	bool has_prop;               /* false: the node as a whole */
	struct of_property now, old; /* old.name NULL: it was not there; now of a removed one */
	bool in_tree;                /* is it as the overlay made it? */
};
struct of_overlay {
	uint64_t addr; /* struct overlay_changeset */
	unsigned id;
	const char *state;                    /* "applied"; else how far it was got */
	const struct of_node *const *targets; /* of its fragments; NULL: not in the live tree */
	size_t n_targets;
	const struct of_edit *edits;
	size_t n_edits;
};
struct of_overlays {
	VEC(struct of_overlay) all; /* the first applied first */
	struct map by_addr;         /* struct property or device_node -> index into all, + 1 */
	bool suspect;               /* one failed, and so did undoing it */
};
/* Those of the live tree, read once, and kept with it; what is broken is in its notes.
 * ERR_NOTFOUND: this kernel takes no overlays. */
bool of_overlays_read(struct target *t, struct of_tree *live, const struct of_overlays **ret,
		      struct err *err) MUST_CHECK;
/* The id of the one that made this change; 0: none did. */
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
/* Phandles that several nodes claim, and references to none; then of_check_links(). */
bool of_check(const struct of_tree *tree, bool (*fn)(const struct of_problem *problem, void *arg),
	      void *arg, struct of_counts *ret, struct err *err) MUST_CHECK;

/* ---- of_links.c */
/* Paths in aliases and __symbols__ that lead nowhere, and places in __local_fixups__ and __fixups__
 * that are none, or hold no node's phandle; adds to *counts. */
bool of_check_links(const struct of_tree *tree,
		    bool (*fn)(const struct of_problem *problem, void *arg), void *arg,
		    struct of_counts *counts, struct err *err) MUST_CHECK;
/* Entries of the kernel's own cache of phandles that are no nodes of the live tree, or not where
 * they belong: memory was overwritten, or a node freed. Nothing where there is no such cache. */
void of_check_cache(struct target *t, void (*fn)(const struct err *why, void *arg), void *arg);

#endif
