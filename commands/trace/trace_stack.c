/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace stack: the deepest stack that the kernel's stack tracer met. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/image/memory.h"
#include "core/image/symbol.h"
#include "core/image/target.h"

/* kernel/trace/trace_stack.c, STACK_TRACE_ENTRIES */
#define ENTRIES_MAX 500u

enum {
	ENTRY,
	DEPTH,
	SIZE,
	LOCATION
};
static const struct record_field stack_fields[] = {
	[ENTRY] = { "n", "#", CELL_UINT, FIELD_RIGHT, "0 is the innermost" },
	[DEPTH] = { "depth", NULL, CELL_UINT, FIELD_RIGHT,
		    "bytes of the stack from its top to this function's frame" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes that it takes itself" },
	[LOCATION] = { "location", NULL, CELL_STR, 0, "where it was" },
};
static const struct record_kind stack_kind = {
	"trace_stack_entry", "A function on the deepest stack.",
	LAYOUT_TABLE,        NULL,
	stack_fields,        ARRAY_SIZE(stack_fields)
};

enum {
	MAX,
	ON
};
static const struct record_field max_fields[] = {
	[MAX] = { "max_size", NULL, CELL_UINT, 0,
		  "bytes, as in tracefs' stack_max_size; 0: it looked at no stack" },
	[ON] = { "enabled", NULL, CELL_BOOL, 0, "was the stack tracer on at the end" },
};
static const struct record_kind max_kind = { "trace_stack", "The deepest stack that was met.",
					     LAYOUT_PAIRS,  NULL,
					     max_fields,    ARRAY_SIZE(max_fields) };

static bool variable(struct target *t, const char *name, bool is_long, uint64_t *ret,
		     struct err *err)
{
	uint64_t at;
	uint32_t v;

	if (!symbol_addr(t, name, &at))
		return err_set(err, ERR_NOSYM, "no symbol '%s': a kernel without STACK_TRACER?",
			       name);
	if (is_long)
		return mem_ptr(t, at, ret, err);
	if (!mem_u32(t, at, &v, err))
		return false;
	*ret = v;
	return true;
}

static bool entry(struct ctx *c, uint64_t i, uint64_t n, uint64_t sites, uint64_t depths,
		  struct err *err)
{
	uint32_t depth, next = 0;
	struct record r;
	uint64_t pc;

	if (!mem_ptr(c->t, sites + i * c->t->arch->word, &pc, err) ||
	    !mem_u32(c->t, depths + i * 4, &depth, err) ||
	    (i + 1 < n && !mem_u32(c->t, depths + (i + 1) * 4, &next, err)))
		return false;
	record_init(&r, &stack_kind);
	record_uint(&r, ENTRY, i);
	record_uint(&r, DEPTH, depth);
	if (depth >= next)
		record_uint(&r, SIZE, depth - next);
	record_str(&r, LOCATION, symbol_text(c->t, pc, c->arena));
	emit(c, &r);
	return true;
}

static bool stack_run(struct ctx *c, struct err *err)
{
	uint64_t max, n = 0, on = 0, sites, depths;
	struct target *t = c->t;
	struct record r;

	if (!variable(t, "stack_trace_max_size", true, &max, err) ||
	    !variable(t, "stack_trace_nr_entries", false, &n, err) ||
	    !variable(t, "stack_tracer_enabled", false, &on, err))
		return false;
	if (!symbol_addr(t, "stack_dump_trace", &sites) ||
	    !symbol_addr(t, "stack_trace_index", &depths))
		return err_set(err, ERR_NOSYM,
			       "no symbols 'stack_dump_trace', 'stack_trace_index'");
	if (n > ENTRIES_MAX)
		return err_set(err, ERR_CORRUPT, "a stack of %" PRIu64 " functions, more than %u",
			       n, ENTRIES_MAX);
	for (uint64_t i = 0; i < n; i++)
		if (!entry(c, i, n, sites, depths, err))
			return false;
	record_init(&r, &max_kind);
	record_uint(&r, MAX, max);
	record_bool(&r, ON, on);
	emit(c, &r);
	return true;
}

static const struct record_kind *const emits[] = { &stack_kind, &max_kind, NULL };
static const struct example examples[] = {
	{ "trace stack", "the deepest stack, as tracefs' stack_trace has it" },
};
const struct command cmd_trace_stack = {
	.name = "trace stack",
	.group = "trace",
	.summary = "the deepest stack that the stack tracer met",
	.operands = "",
	.emits = emits,
	.help = "Where the stack tracer was on (sysctl kernel.stack_tracer_enabled), the kernel looked at "
		"how deep the stack is whenever a function was entered, and kept the deepest one: its "
		"functions, from the innermost on, how deep each lies, and how many bytes each takes.",
	EXAMPLES(examples),
	.run = stack_run,
};
