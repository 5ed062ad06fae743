/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a frame's arguments and locals. */
#include "core/base/buf.h"
#include "core/types/frame_info.h"
#include "core/types/value.h"
#include "core/records/print_type.h"
#include "commands/bt/variable_record.h"

enum {
	V_PID,
	V_CPU,
	V_N,
	V_FUNC,
	V_KIND,
	V_NAME,
	V_TYPE,
	V_ADDR,
	V_VALUE,
	V_REASON
};
static const struct record_field fields[] = {
	[V_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[V_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU of the task" },
	[V_N] = { "n", NULL, CELL_UINT, 0, "number of the frame" },
	[V_FUNC] = { "func", NULL, CELL_STR, 0,
		     "function it belongs to, perhaps one inlined there" },
	[V_KIND] = { "kind", NULL, CELL_STR, 0, "arg or local" },
	[V_NAME] = { "name", NULL, CELL_STR, 0, "its name" },
	[V_TYPE] = { "type", NULL, CELL_STR, 0, "its type" },
	[V_ADDR] = { "addr", NULL, CELL_HEX, 0, "where it is in memory; null: nowhere" },
	[V_VALUE] = { "value", NULL, CELL_VALUE, 0, "the value; null: it is not known" },
	[V_REASON] = { "reason", NULL, CELL_STR, 0, "why not, else null" },
};
const struct record_kind frame_variable_kind = {
	.name = "variable",
	.doc = "an argument or local of a frame",
	.layout = LAYOUT_TREE,
	.line = "        {kind} {name} = {?reason:<{reason}>}{?value:{value}}",
	.fields = fields,
	.n_fields = sizeof(fields) / sizeof(fields[0]),
};

/* Levels of two blanks before a variable, which stands below its frame's line. */
#define INDENT 4

static void emit_variable(struct ctx *c, const struct variables_of *of, const struct variable *var)
{
	struct value_style old = c->s->sink.style;
	struct value v;
	struct record r;

	record_init(&r, &frame_variable_kind);
	if (of->has_pid)
		record_int(&r, V_PID, of->pid);
	if (of->cpu >= 0)
		record_int(&r, V_CPU, of->cpu);
	record_uint(&r, V_N, of->n);
	record_str(&r, V_FUNC, of->func);
	record_str(&r, V_KIND, var->argument ? "arg" : "local");
	record_str(&r, V_NAME, var->name);
	record_str(&r, V_TYPE, type_name(c, var->value.type));
	if (var->known) {
		v = value_load(c->t, var->value);
		value_damage(c, v);
		if (v.addr)
			record_uint(&r, V_ADDR, v.addr);
		record_value(&r, V_VALUE, v);
	} else {
		record_str(&r, V_REASON, arena_strdup(c->arena, var->why.msg));
		if (err_is_absent(var->why.code))
			c->damaged |= err_is_damage(var->why.code);
	}
	c->s->sink.style.labelled = true;
	c->s->sink.style.indent = INDENT;
	emit(c, &r);
	c->s->sink.style = old;
}

void emit_variables(struct ctx *c, const struct variables_of *of, const struct variable *all,
		    size_t n, unsigned level)
{
	for (int argument = 1; argument >= 0; argument--)
		for (size_t i = 0; i < n; i++)
			if (all[i].level == level && all[i].argument == (argument == 1))
				emit_variable(c, of, &all[i]);
}
