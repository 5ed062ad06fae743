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
	char form;
	bool labelled, flat;
	uint64_t array_max, string_max;
	unsigned nodes; /* values that may still be shown */
	uint64_t bytes; /* of memory that may still be held for them */
};

void render_init(struct render *r, struct buf *b, struct target *t, const struct value_style *style,
		 unsigned array_default);
/* Counts one value. False: enough values were shown, or Ctrl-C was pressed. */
bool render_step(struct render *r);
/* value_load(), until r->bytes were loaded; then v, whose members are read one by one. Damaged
 * types may have a struct that contains itself, and would else take memory without end. */
struct value render_load(struct render *r, struct value v);
/* The address to show of absent memory: where its page begins, or the very address when the kernel
 * could not use it. */
uint64_t absent_place(const struct err *why);
/* The name of the enumerator that has the value n; NULL: none has. */
const char *enum_name(const struct type *type, uint64_t n);

#endif
