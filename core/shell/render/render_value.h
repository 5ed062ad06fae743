/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the two ways a value is written: as C text and as a JSON tree. */
#ifndef OBIT_RENDER_VALUE_H
#define OBIT_RENDER_VALUE_H

#include "core/base/buf.h"
#include "core/types/value.h"
#include "core/shell/record.h"

struct render {
	struct buf *b;
	struct target *t;
	unsigned radix, depth;
	bool labelled, flat;
	uint64_t array_max, string_max;
	unsigned nodes; /* values that may still be shown */
	uint64_t bytes; /* of memory that may still be held for them */
};

void render_init(struct render *r, struct buf *b, struct target *t, const struct value_style *style,
		 unsigned array_default);
/* Counts one value; false when enough was shown, or on Ctrl-C. */
bool render_step(struct render *r);
/* value_load() while the bytes last: a struct that says it contains itself would be held without
 * end. Behind that members are read one by one. */
struct value render_load(struct render *r, struct value v);
/* The address to tell of absent memory: its page's. */
uint64_t absent_place(const struct err *why);
/* NULL: no enumerator has this value. */
const char *enum_name(const struct type *type, uint64_t n);

#endif
