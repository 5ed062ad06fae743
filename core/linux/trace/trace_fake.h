/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel with tracing, whose strings and structs are laid one behind the other.
 */
#ifndef OBIT_TRACE_FAKE_H
#define OBIT_TRACE_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/trace/trace.h"

#define TRACE_VARS (KERNEL_BASE + 0x1000) /* symbols; 16 bytes each */
#define TRACE_TOP (KERNEL_BASE + 0x2000)  /* the top struct trace_array */
#define TRACE_HEAP (KERNEL_BASE + 0x4000)
#define TRACE_VAR(n) (TRACE_VARS + 16 * (uint64_t)(n))

/* Offsets of members as trace_fake_types() has them. */
enum {
	TRACE_TR_NAME = 16,
	TRACE_TR_BUFFER = 32, /* array_buffer.buffer */
	TRACE_TR_EVENTS = 64,
	TRACE_TR_OPS = 80,
	TRACE_TR_PIDS = 88, /* filtered_pids */
	TRACE_TR_NO_PIDS = 96,
	TRACE_CALL_CLASS = 16,
	TRACE_CALL_NAME = 24,
	TRACE_CALL_TYPE = 40,
	TRACE_CALL_PRINT_FMT = 48,
	TRACE_CALL_DATA = 56,
	TRACE_CLASS_SYSTEM = 8,
	TRACE_CLASS_GET = 16,
	TRACE_CLASS_LIST = 24,
	TRACE_FIELD_NAME = 16,
	TRACE_FIELD_TYPE = 24,
	TRACE_FIELD_OFFSET = 32,
	TRACE_FIELD_SIZE = 36,
	TRACE_FIELD_SIGNED = 40,
	TRACE_FIELD_LEN = 44
};

struct trace_fake {
	struct fake_kernel k;
	struct type *list;
	struct type *array; /* struct trace_array, to which a test may add */
	uint64_t heap;      /* what is free */
};

static inline void trace_fake_types(struct trace_fake *f)
{
	struct fake_kernel *k = &f->k;
	const struct type *list = f->list = kernel_list_type(k);
	struct type *s = f->array = kernel_struct(k, "trace_array", 512);

	kernel_member(s, "list", list, 0);
	kernel_member(s, "name", &k->ptr, TRACE_TR_NAME);
	kernel_member(s, "array_buffer", INNER(k, "unused", "buffer"), TRACE_TR_BUFFER - 8);
	kernel_member(s, "events", list, TRACE_TR_EVENTS);
	s = kernel_struct(k, "trace_event_call", 64);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "class", &k->ptr, TRACE_CALL_CLASS);
	kernel_member(s, "name", &k->ptr, TRACE_CALL_NAME);
	kernel_member(s, "event", INNER(k, "unused", "type"), TRACE_CALL_TYPE - 8);
	kernel_member(s, "print_fmt", &k->ptr, TRACE_CALL_PRINT_FMT);
	kernel_member(s, "data", &k->ptr, TRACE_CALL_DATA);
	s = kernel_struct(k, "trace_event_class", 40);
	kernel_member(s, "system", &k->ptr, TRACE_CLASS_SYSTEM);
	kernel_member(s, "get_fields", &k->ptr, TRACE_CLASS_GET);
	kernel_member(s, "fields", list, TRACE_CLASS_LIST);
	WORDS(k, "tracepoint", "name", "unused");
	s = kernel_struct(k, "ftrace_event_field", 48);
	kernel_member(s, "link", list, 0);
	kernel_member(s, "name", &k->ptr, TRACE_FIELD_NAME);
	kernel_member(s, "type", &k->ptr, TRACE_FIELD_TYPE);
	kernel_member(s, "offset", &k->s32, TRACE_FIELD_OFFSET);
	kernel_member(s, "size", &k->s32, TRACE_FIELD_SIZE);
	kernel_member(s, "is_signed", &k->s32, TRACE_FIELD_SIGNED);
	kernel_member(s, "len", &k->s32, TRACE_FIELD_LEN);
}

static inline void trace_fake_init(struct trace_fake *f)
{
	kernel_init(&f->k);
	f->heap = TRACE_HEAP;
	trace_fake_types(f);
	put_list(&f->k, TRACE_TOP + TRACE_TR_EVENTS, NULL, 0);
}

/* n bytes of zeros that nothing else is in. */
static inline uint64_t trace_fake_room(struct trace_fake *f, size_t n)
{
	uint64_t at = f->heap;

	f->heap += (n + 15) / 16 * 16;
	return at;
}

static inline uint64_t trace_fake_text(struct trace_fake *f, const char *s)
{
	uint64_t at = trace_fake_room(f, strlen(s) + 1);

	put_str(&f->k, at, s);
	return at;
}

/* An event of its own class without fields, in no list. */
static inline uint64_t trace_fake_call(struct trace_fake *f, const char *system, const char *name)
{
	uint64_t call = trace_fake_room(f, 80), class = trace_fake_room(f, 40);

	put64(&f->k, call + TRACE_CALL_CLASS, class);
	put64(&f->k, call + TRACE_CALL_NAME, trace_fake_text(f, name));
	put64(&f->k, class + TRACE_CLASS_SYSTEM, trace_fake_text(f, system));
	put_list(&f->k, class + TRACE_CLASS_LIST, NULL, 0);
	return call;
}

#endif
