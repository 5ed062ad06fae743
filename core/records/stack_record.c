/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a stack that many tasks have. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/shell/forms.h"
#include "core/records/stack_record.h"

enum {
	G_COUNT,
	G_STATES,
	G_PIDS,
	G_LONGEST,
	G_PANIC,
	G_COMPLETE,
	G_REASON,
	G_FRAMES,
	G_LINES
};
static const struct record_field group_fields[] = {
	[G_COUNT] = { "count", NULL, CELL_UINT, 0, "tasks that have this stack" },
	[G_STATES] = { "states", NULL, CELL_STRS, FIELD_JSON, "their states, each once" },
	[G_PIDS] = { "pids", NULL, CELL_VALUE, FIELD_JSON, "their pids" },
	[G_LONGEST] = { "longest", NULL, CELL_VALUE, FIELD_JSON,
			"pid and wait_ns of the task that last had a CPU longest ago; null unknown" },
	[G_PANIC] = { "panic", NULL, CELL_BOOL, FIELD_JSON, "the stack that panicked" },
	[G_COMPLETE] = { "complete", NULL, CELL_BOOL, FIELD_JSON, "down to where stacks begin" },
	[G_REASON] = { "reason", NULL, CELL_STR, FIELD_JSON, "why not, else null" },
	[G_FRAMES] = { "frames", NULL, CELL_STRS, FIELD_JSON, "the functions, the newest first" },
	[G_LINES] = { "lines", NULL, CELL_STRS, FIELD_JSON,
		      "with -l: file:line of each function, empty where it is not known" },
};

/* What a record of a group tells of. */
struct group_of {
	struct ctx *c;
	const struct stack_group *g;
	bool lines;
};

static const struct type int_type = {
	.kind = TYPE_INT, .is_signed = true, .name = "int", .size = 4, .filled = true
};
static const struct type u64_type = {
	.kind = TYPE_INT, .name = "unsigned long long", .size = 8, .filled = true
};

static struct value pids_value(struct ctx *c, const struct stack_group *g)
{
	struct type *type = ARENA_NEW(c->arena, struct type);
	uint8_t *p = arena_alloc(c->arena, 4 * g->tasks.n);

	*type = (struct type){ .kind = TYPE_ARRAY,
			       .size = 4 * g->tasks.n,
			       .count = g->tasks.n,
			       .target = &int_type,
			       .filled = true };
	for (size_t i = 0; i < g->tasks.n; i++)
		target_store(c->t, p + 4 * i, 4, (uint32_t)g->tasks.p[i]->pid);
	return value_bytes(type, p, 0);
}

static struct value longest_value(struct ctx *c, const struct stack_group *g)
{
	struct type *type = ARENA_NEW(c->arena, struct type);
	struct member *m = ARENA_ARRAY(c->arena, struct member, 2);
	uint8_t *p = arena_alloc(c->arena, 16);

	m[0] = (struct member){ .name = "pid", .type = &int_type };
	m[1] = (struct member){ .name = "wait_ns", .type = &u64_type, .bit_off = 64 };
	*type = (struct type){
		.kind = TYPE_STRUCT, .size = 16, .members = m, .n_members = 2, .filled = true
	};
	target_store(c->t, p, 4, (uint32_t)g->longest->pid);
	target_store(c->t, p + 8, 8, g->wait_ns);
	return value_bytes(type, p, 0);
}

#define STATES_MAX 16

/* Each state once, and how many tasks are in it. Returns how many states. */
static size_t count_states(const struct stack_group *g, const char *states[STATES_MAX],
			   size_t counts[STATES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < g->tasks.n; i++) {
		size_t k = 0;

		while (k < n && strcmp(states[k], g->tasks.p[i]->state) != 0)
			k++;
		if (k == STATES_MAX)
			continue;
		if (k == n) {
			states[n] = g->tasks.p[i]->state;
			counts[n++] = 0;
		}
		counts[k]++;
	}
	return n;
}

static const char *func_name(struct ctx *c, const struct stack_func *f)
{
	return f->name ? f->name : arena_printf(c->arena, "0x%llx", (unsigned long long)f->addr);
}

static void group_complete(struct record *r)
{
	const struct group_of *of = r->of;
	const struct stack_group *g = of->g;
	struct ctx *c = of->c;
	const char **states = ARENA_ARRAY(c->arena, const char *, STATES_MAX);
	const char **names = ARENA_ARRAY(c->arena, const char *, g->n + 1);
	const char **places = ARENA_ARRAY(c->arena, const char *, g->n + 1);
	size_t counts[STATES_MAX];

	record_strs(r, G_STATES, states, count_states(g, states, counts));
	record_value(r, G_PIDS, pids_value(c, g));
	if (g->longest)
		record_value(r, G_LONGEST, longest_value(c, g));
	for (size_t i = 0; i < g->n; i++) {
		const struct line *l;
		struct err ignored;
		size_t n;

		names[i] = func_name(c, g->funcs[i]);
		places[i] = of->lines && line_find(c->t, g->funcs[i]->pc, &l, &n, &ignored) && n &&
					    l[n - 1].file
				    ? arena_printf(c->arena, "%s:%u", l[n - 1].file, l[n - 1].line)
				    : "";
	}
	record_strs(r, G_FRAMES, names, g->n);
	if (of->lines)
		record_strs(r, G_LINES, places, g->n);
}

/* "2 tasks, IN; longest 112 "napper", 18.687 s": their states, and who waited longest. */
static void add_head(struct buf *b, const struct stack_group *g)
{
	const struct task *one = g->longest ? g->longest : g->tasks.p[0];
	const char *states[STATES_MAX];
	size_t counts[STATES_MAX], n = count_states(g, states, counts);

	buf_printf(b, "%zu %s, ", g->tasks.n, g->tasks.n == 1 ? "task" : "tasks");
	for (size_t k = 0; k < n; k++)
		buf_printf(b, n > 1 ? "%s%s %zu" : "%s%s", k ? ", " : "", states[k], counts[k]);
	buf_printf(b, "; %s %d \"", g->longest && g->tasks.n > 1 ? "longest" : "pid", one->pid);
	buf_plain(b, one->comm, strlen(one->comm));
	if (g->longest)
		buf_printf(b, "\", %llu.%03u s", (unsigned long long)(g->wait_ns / 1000000000),
			   (unsigned)(g->wait_ns / 1000000 % 1000));
	else
		buf_printf(b, "\"%s",
			   g->tasks.n > 1 ? " and others"
			   : one->active  ? ", running"
					  : "");
	buf_str(b, g->panic ? "; it panicked\n" : "\n");
}

static void add_place(struct buf *b, struct ctx *c, const struct line *l)
{
	if (l->file)
		buf_printf(b, "        %s: %u\n", plain(c, l->file), l->line);
}

/* A function; with lines, above it what was inlined there, and its line below. */
static void add_func(struct buf *b, struct ctx *c, const struct stack_func *f, bool with_lines)
{
	const struct line *l;
	struct err ignored;
	size_t n = 0;

	if (with_lines && !line_find(c->t, f->pc, &l, &n, &ignored))
		n = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		buf_printf(b, "    [inlined] %s\n", l[i].func ? plain(c, l[i].func) : "(unknown)");
		add_place(b, c, &l[i]);
	}
	buf_printf(b, f->module ? "    %s [%s]\n" : "    %s\n", plain(c, func_name(c, f)),
		   plain(c, f->module));
	if (n)
		add_place(b, c, &l[n - 1]);
}

static void group_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct group_of *of = r->of;

	(void)k, (void)cell;
	add_head(b, of->g);
	for (size_t i = 0; i < of->g->n; i++)
		add_func(b, of->c, of->g->funcs[i], of->lines);
}

const struct record_kind stack_group_kind = {
	.name = "stack_group",
	.doc = "tasks with the same functions on their stacks",
	.layout = LAYOUT_OWN,
	.fields = group_fields,
	.n_fields = ARRAY_SIZE(group_fields),
	.text = group_text,
	.complete = group_complete,
};

void emit_stack_group(struct ctx *c, const struct stack_group *g, bool lines, bool gap)
{
	const struct group_of of = { c, g, lines };
	struct record r;

	if (gap)
		emit_heading(c, "");
	record_init(&r, &stack_group_kind);
	r.of = &of;
	record_uint(&r, G_COUNT, g->tasks.n);
	record_bool(&r, G_PANIC, g->panic);
	record_bool(&r, G_COMPLETE, g->complete);
	if (!g->complete)
		record_str(&r, G_REASON, g->end.msg);
	emit(c, &r);
	if (!g->complete)
		note(c, &g->end);
}
