/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of a CTF trace as the kernel's ring buffer would have them: each shape that an event is
 * met in is a format. Used by the process that reads the trace. */
#ifndef OBIT_CTFSHAPE_H
#define OBIT_CTFSHAPE_H

#include "core/base/arena.h"
#include "core/base/buf.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "readers/ctf/babeltrace.h"

/* Limits: fields of an event, its bytes, bytes of one string, elements of an array that are kept,
 * how deep fields nest, and formats. What is beyond them is left out. */
#define SHAPE_FIELDS_MAX 256u
#define SHAPE_BYTES_MAX 60000u
#define SHAPE_STRING_MAX 8192u
#define SHAPE_ELEMENTS_MAX 1024u
#define SHAPE_DEPTH_MAX 8u
#define SHAPES_MAX 30000u
#define SHAPE_COMM \
	16u /* bytes of a task's name, which stands in its place as in the kernel's events */

/* One field as an event has it. */
struct ctf_field {
	const char *name;
	uint32_t size, align; /* size 4 of what stands behind the fields */
	bool is_signed;
	bool is_string; /* behind the fields where is_array, too, else in its place */
	bool is_array;
	uint32_t element; /* bytes of an array's elements */
};

struct ctf_shape {
	const char *system, *name;
	uint16_t id;
	struct ctf_field *fields;
	size_t n;
	struct ctf_shape *next; /* of the same hash */
};

/* An event that is put together. */
struct ctf_event {
	const char *system, *name;
	struct buf fixed, tail; /* the fields, and what those of no fixed size point to */
	VEC(struct ctf_field) fields;
	VEC(uint32_t) places; /* of words in `fixed` that lead into `tail` */
	struct arena a;       /* of this event's names */
	/* what the fields say of the task and the place, when they do */
	int32_t cpu, pid, tgid;
	uint8_t flags, preempt;
	bool is_tracepoint; /* it has the common fields of ftrace */
	const char *comm;
	VEC(uint64_t) chain;
};

struct ctf_shapes {
	const struct babeltrace *bt;
	struct arena a;
	struct map by_hash; /* to struct ctf_shape * */
	unsigned n;
	bool lttng; /* the trace is of LTTng's modules: their names become the kernel's */
	struct ctf_event ev;
};

/* Where a field stands: what it says of the event depends on that. */
enum shape_scope {
	SCOPE_PACKET,
	SCOPE_CONTEXT,
	SCOPE_PAYLOAD
};

/* Begins an event of this name, takes the fields below a structure, and ends it: *shape is its
 * format, and *isnew whether it is met for the first time. NULL field: there is none. False: there
 * are too many shapes. */
void shape_begin(struct ctf_shapes *s, const char *name);
void shape_take(struct ctf_shapes *s, const bt_field *field, enum shape_scope scope);
bool shape_end(struct ctf_shapes *s, const struct ctf_shape **ret, bool *isnew);
/* Appends the text of a shape's format, as tracefs has it. */
void shape_text(struct buf *b, const struct ctf_shape *shape);

#endif
