/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instances of the kernel's tracing, and the names of its options. */
#include <string.h>

#include "core/linux/trace/trace.h"
#include "core/linux/trace/trace_call.h"
#include "core/linux/container/list.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"

/* kernel/trace/trace.h */
enum {
	TR_LIST,
	TR_NAME,
	TR_BUFFER,
	TR_SNAPSHOT,
	TR_ALLOCATED,
	TR_TRACER,
	TR_TRACE_FLAGS,
	TR_CLOCK_ID,
	TR_LATENCY,
	TR_FLAGS,
	TR_TEXT_DELTA,
	TR_DATA_DELTA,
	TR_FIELDS
};
static const struct shape_field tr_fields[TR_FIELDS] = {
	[TR_LIST] = FIELD("list"),
	[TR_NAME] = FIELD("name"),
	[TR_BUFFER] =
		FIELD_ALT("array_buffer.buffer", "trace_buffer.buffer"), /* 1c5eb4481e01 (v5.6) */
	[TR_SNAPSHOT] = FIELD_MAYBE("snapshot_buffer.buffer", "max_buffer.buffer"),
	[TR_ALLOCATED] = FIELD_MAYBE("allocated_snapshot"),
	[TR_TRACER] = FIELD("current_trace"),
	[TR_TRACE_FLAGS] = FIELD("trace_flags"),
	[TR_CLOCK_ID] = FIELD("clock_id"),
	[TR_LATENCY] = FIELD_MAYBE("max_latency"),
	[TR_FLAGS] = FIELD("flags"),
	[TR_TEXT_DELTA] = FIELD_MAYBE("text_delta"), /* 7a1d1e4b9639 (v6.12) */
	[TR_DATA_DELTA] = FIELD_MAYBE("data_delta"),
};
static const struct shape tr_shape = SHAPE("struct trace_array", tr_fields);

#define FLAG_LAST_BOOT 4u /* TRACE_ARRAY_FL_LAST_BOOT */

struct trace_state *trace_state(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_TRACE];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct trace_state);
	return *cell;
}

/* ---- instances */

struct array_gather {
	struct target *t;
	VEC(struct trace_array) found;
};

static const char *tracer_name(struct target *t, uint64_t tracer)
{
	uint64_t name;
	struct err ignored;

	return tracer && field_u64(t, "struct tracer", tracer, "name", &name, &ignored)
		       ? trace_name_at(t, name)
		       : NULL;
}

/* Does the kernel show of this tracer's trace the snapshot? Without TRACER_MAX_TRACE none has the
 * member. */
static bool tracer_shows_max(struct target *t, uint64_t tracer)
{
	struct err ignored;
	uint64_t max;

	return tracer && field_u64(t, "struct tracer", tracer, "print_max", &max, &ignored) && max;
}

static bool array_read(struct target *t, uint64_t addr, struct trace_array *ret, struct err *err)
{
	struct shaped s;
	uint64_t name;

	if (!shape_read(t, &tr_shape, addr, &s, err) || !shaped_u64(&s, TR_NAME, &name, err) ||
	    !shaped_u64(&s, TR_BUFFER, &ret->buffers[0], err))
		return false;
	ret->addr = addr;
	ret->name = trace_name_at(t, name);
	if (name && !ret->name)
		ret->name = "?";
	if (shaped_u64_or(&s, TR_ALLOCATED, 0))
		ret->buffers[1] = shaped_u64_or(&s, TR_SNAPSHOT, 0);
	ret->tracer = tracer_name(t, shaped_u64_or(&s, TR_TRACER, 0));
	ret->shows_max = tracer_shows_max(t, shaped_u64_or(&s, TR_TRACER, 0));
	ret->flags = shaped_u64_or(&s, TR_TRACE_FLAGS, 0);
	ret->max_latency = shaped_u64_or(&s, TR_LATENCY, 0);
	ret->text_delta = (int64_t)shaped_u64_or(&s, TR_TEXT_DELTA, 0);
	ret->previous_boot = ret->text_delta || shaped_u64_or(&s, TR_DATA_DELTA, 0) ||
			     (shaped_u64_or(&s, TR_FLAGS, 0) & FLAG_LAST_BOOT);
	return true;
}

static bool gather_one(uint64_t addr, void *arg)
{
	struct array_gather *g = arg;
	struct trace_array tr = { 0 };
	struct err err;

	if (array_read(g->t, addr, &tr, &err))
		*vec_push(&g->found) = tr;
	else
		target_warn(g->t, err.code, "a tracing instance: %s", err.msg);
	return g->found.n < INSTANCES_MAX;
}

static bool gather(struct target *t, struct trace_state *st, struct err *err)
{
	struct array_gather g = { .t = t };
	uint64_t head, off, n = 0;
	struct symbol sym;

	if (!symbol_find(t, "ftrace_trace_arrays", &sym, err) ||
	    !field_offset(t, "struct trace_array", "list", &off, err))
		return false;
	head = sym.addr;
	if (!list_each(t, head, off, "tracing instances", gather_one, &g, err)) {
		struct err why = *err;

		/* the top one is the list's last, for it was there first */
		if (err->code == ERR_INTR ||
		    (!list_each_back(t, head, off, "tracing instances", gather_one, &g, err) &&
		     !g.found.n)) {
			vec_release(&g.found);
			return false;
		}
		target_warn(t, why.code, "not all tracing instances: %s", why.msg);
	}
	st->arrays = ARENA_ARRAY(&t->arena, struct trace_array, g.found.n + 1);
	for (int top = 1; top >= 0; top--)
		for (size_t i = g.found.n; i-- > 0;) {
			const struct trace_array *tr = &g.found.p[i];
			bool known = false;

			for (size_t j = 0; j < n; j++)
				known |= st->arrays[j].addr == tr->addr;
			if (!known && (tr->name == NULL) == top)
				st->arrays[n++] = *tr;
		}
	st->n_arrays = n;
	vec_release(&g.found);
	return n || err_set(err, ERR_NOTFOUND, "the kernel has no trace buffers");
}

bool trace_arrays(struct target *t, const struct trace_array **ret, size_t *n, struct err *err)
{
	struct trace_state *st = trace_state(t);

	if (!st->tried) {
		struct err why;

		st->ok = gather(t, st, &why);
		if (!st->ok)
			st->err = why;
		st->tried = st->ok || why.code != ERR_INTR;
	}
	if (!st->ok)
		return *err = st->err, false;
	*ret = st->arrays;
	*n = st->n_arrays;
	return true;
}

/* ---- what the kernel calls things */

const char *trace_option_name(struct target *t, unsigned bit)
{
	uint64_t table, name;
	struct err ignored;

	if (bit >= OPTIONS_MAX || !symbol_addr(t, "trace_options", &table) ||
	    !mem_ptr(t, table + (uint64_t)bit * t->arch->word, &name, &ignored))
		return NULL;
	return trace_name_at(t, name);
}
