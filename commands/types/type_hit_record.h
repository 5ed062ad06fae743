/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a type that something could be, by its size or by what it has.
 */
#ifndef OBIT_TYPE_HIT_RECORD_H
#define OBIT_TYPE_HIT_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind type_hit_kind;

/* Emits each struct and union of a size ("192", "129-192"; NULL: of any) that has a member of a
 * type, or a pointer to one (NULL: any). */
bool emit_type_hits(struct ctx *c, const char *sizes, const char *member,
		    struct err *err) MUST_CHECK;

#endif
