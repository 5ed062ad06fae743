/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a stack that many tasks have. */
#include <string.h>

#include "core/base/buf.h"
#include "core/shell/stack_record.h"

enum {
	G_GAP,
	G_COUNT,
	G_HEAD,
	G_BODY,
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
	[G_GAP] = { "gap", NULL, CELL_BOOL, FIELD_TEXT, "not the first one" },
	[G_COUNT] = { "count", NULL, CELL_UINT, 0, "tasks that have this stack" },
	[G_HEAD] = { "head", NULL, CELL_STR, FIELD_TEXT, "their states, and who waited longest" },
	[G_BODY] = { "body", NULL, CELL_STR, FIELD_TEXT | FIELD_LINES,
		     "the functions, a line each" },
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
const struct record_kind stack_group_kind = {
	.name = "stack_group",
	.doc = "tasks with the same functions on their stacks",
	.layout = LAYOUT_LINE,
	.line = "{?gap:\n}{count} {head}{body}",
	.fields = group_fields,
	.n_fields = sizeof(group_fields) / sizeof(group_fields[0]),
};

static const struct type int_type = {
	.kind = TYPE_INT, .is_signed = true, .name = "int", .size = 4, .filled = true
};
static const struct type u64_type = {
	.kind = TYPE_INT, .name = "unsigned long long", .size = 8, .filled = true
};

static void put_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

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
		put_le(p + 4 * i, (uint32_t)g->tasks.p[i]->pid, 4);
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
	put_le(p, (uint32_t)g->longest->pid, 4);
	put_le(p + 8, g->wait_ns, 8);
	return value_bytes(type, p, 0);
}

/* "IN 12, UN 3"; and each state once. */
static size_t count_states(struct ctx *c, const struct stack_group *g, struct buf *b,
			   const char ***ret)
{
	enum {
		STATES_MAX = 16
	};
	const char **states = ARENA_ARRAY(c->arena, const char *, STATES_MAX);
	size_t counts[STATES_MAX] = { 0 }, n = 0;

	for (size_t i = 0; i < g->tasks.n; i++) {
		size_t k = 0;

		while (k < n && strcmp(states[k], g->tasks.p[i]->state) != 0)
			k++;
		if (k == STATES_MAX)
			continue;
		if (k == n)
			states[n++] = g->tasks.p[i]->state;
		counts[k]++;
	}
	for (size_t k = 0; k < n; k++)
		buf_printf(b, n > 1 ? "%s%s %zu" : "%s%s", k ? ", " : "", states[k], counts[k]);
	*ret = states;
	return n;
}

static const char *head_text(struct ctx *c, const struct stack_group *g, struct record *r)
{
	const struct task *one = g->longest ? g->longest : g->tasks.p[0];
	const char **states, *text;
	struct buf b = { 0 };
	size_t n;

	buf_str(&b, g->tasks.n == 1 ? "task, " : "tasks, ");
	n = count_states(c, g, &b, &states);
	record_strs(r, G_STATES, states, n);
	if (g->longest)
		buf_printf(&b, "; %s %d \"%s\", %llu.%03u s", g->tasks.n == 1 ? "pid" : "longest",
			   one->pid, one->comm, (unsigned long long)(g->wait_ns / 1000000000),
			   (unsigned)(g->wait_ns / 1000000 % 1000));
	else
		buf_printf(&b, "; pid %d \"%s\"%s", one->pid, one->comm,
			   g->tasks.n > 1 ? " and others"
			   : one->active  ? ", running"
					  : "");
	if (g->panic)
		buf_str(&b, "; it panicked");
	text = arena_strndup(c->arena, buf_text(&b), b.n);
	buf_release(&b);
	return text;
}

/* Below a function its line, above it what was inlined there. Returns the function's own line. */
static const char *place_text(struct ctx *c, const struct stack_func *f, const char *name,
			      struct buf *b)
{
	const struct line *lines;
	const char *place = "";
	struct err err;
	size_t n;

	if (!line_find(c->t, f->pc, &lines, &n, &err))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct line *l = &lines[i];

		place = l->file ? arena_printf(c->arena, "%s:%u", l->file, l->line) : "";
		if (i + 1 == n)
			break;
		buf_printf(b, "\n    [inlined] %s", l->func ? plain(c, l->func) : "(unknown)");
		if (l->file)
			buf_printf(b, "\n        %s: %u", plain(c, l->file), l->line);
	}
	buf_printf(b, f->module ? "\n    %s [%s]" : "\n    %s", plain(c, name),
		   plain(c, f->module));
	if (*place)
		buf_printf(b, "\n        %s: %u", plain(c, lines[n - 1].file), lines[n - 1].line);
	return place;
}

void emit_stack_group(struct ctx *c, const struct stack_group *g, bool lines, bool gap)
{
	const char **names = ARENA_ARRAY(c->arena, const char *, g->n + 1);
	const char **places = ARENA_ARRAY(c->arena, const char *, g->n + 1);
	struct buf b = { 0 };
	struct record r;

	record_init(&r, &stack_group_kind);
	for (size_t i = 0; i < g->n; i++) {
		const struct stack_func *f = g->funcs[i];

		names[i] = f->name ? f->name
				   : arena_printf(c->arena, "0x%llx", (unsigned long long)f->addr);
		if (lines)
			places[i] = place_text(c, f, names[i], &b);
		else
			buf_printf(&b, f->module ? "\n    %s [%s]" : "\n    %s", plain(c, names[i]),
				   plain(c, f->module));
	}
	record_bool(&r, G_GAP, gap);
	record_uint(&r, G_COUNT, g->tasks.n);
	record_str(&r, G_HEAD, head_text(c, g, &r));
	record_strn(&r, G_BODY, arena_strndup(c->arena, buf_text(&b), b.n), b.n);
	record_value(&r, G_PIDS, pids_value(c, g));
	if (g->longest)
		record_value(&r, G_LONGEST, longest_value(c, g));
	record_bool(&r, G_PANIC, g->panic);
	record_bool(&r, G_COMPLETE, g->complete);
	if (!g->complete)
		record_str(&r, G_REASON, arena_strdup(c->arena, g->end.msg));
	record_strs(&r, G_FRAMES, names, g->n);
	if (lines)
		record_strs(&r, G_LINES, places, g->n);
	emit(c, &r);
	buf_release(&b);
	if (!g->complete)
		note(c, &g->end);
}
