/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of dt diff, dt check and dt overlays. */
#ifndef OBIT_TREE_RECORD_H
#define OBIT_TREE_RECORD_H

#include "core/linux/of/of.h"
#include "core/shell/command.h"

extern const struct record_kind tree_change_kind, tree_diff_kind, tree_problem_kind,
	tree_check_kind, overlay_kind, overlay_edit_kind, overlays_kind;

/* The first fields of a change, be it one since boot or one of an overlay. */
enum {
	CHANGE_KIND,
	CHANGE_PATH,
	CHANGE_NAME,
	CHANGE_BEFORE,
	CHANGE_AFTER,
	CHANGE_FIELDS
};
/* Forms of CHANGE_KIND, "+", "-" or "~", and of CHANGE_AFTER, with what joins it to the value that
 * was before. */
void change_sign_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell);
void change_after_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell);
/* Fills these fields: a sign of of.h, the property's name, values as DTS writes them; NULL: none.
 */
void record_change(struct record *r, char sign, const char *path, const char *name,
		   const char *before, const char *after);

/* Every change between the tree at boot and the live one, then how many there were. */
bool emit_tree_diff(struct ctx *c, struct err *err) MUST_CHECK;
/* Every reference that does not hold, then how many there are in all. */
bool emit_tree_check(struct ctx *c, const struct of_tree *tree, struct err *err) MUST_CHECK;
/* ---- overlay_record.c */
/* Every overlay that is applied, with what it changed, then how many there are. */
bool emit_overlays(struct ctx *c, struct err *err) MUST_CHECK;

#endif
