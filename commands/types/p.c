/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p: the value of an expression. */
#include <ctype.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/expr_hooks.h"
#include "core/records/print_type.h"
#include "core/types/expr.h"

struct p_opts {
	struct style_opts style;
};
static const struct option opts[] = {
	STYLE_OPTIONS(struct p_opts, style),
};

/* Which of several variables of one name it is that a static name stands for. */
static void tell_file(struct ctx *c, const char *expr)
{
	size_t n = 0;
	const char *files;
	struct symbol sym;
	struct err err;

	expr += strspn(expr, "*&( ");
	while (isalnum((unsigned char)expr[n]) || expr[n] == '_')
		n++;
	if (!n || expr_local(c->t, arena_strndup(c->arena, expr, n)) ||
	    !symbol_find(c->t, arena_strndup(c->arena, expr, n), &sym, &err))
		return;
	files = variable_files(c->t, &sym, c->arena);
	if (!files)
		return;
	err_set(&err, ERR_NOTFOUND, "several files have a '%s', of which this is the first: %s",
		sym.name, files);
	note(c, &err);
}

static bool p_show(struct ctx *c, const char *expr, int cpu, struct err *err)
{
	struct shown s = { .expr = expr, .label = expr, .has_cpu = cpu >= 0, .cpu = (unsigned)cpu };

	if (!expr_eval(c->t, expr, &expr_percpu, &s.value, err))
		return false;
	if (type_strip(s.value.type)->kind == TYPE_VOID)
		return err_set(err, ERR_NOTYPE,
			       "the type of '%s' is not known: cast its address, as in "
			       "*(long *)&%s, or give the vmlinux with debug info",
			       expr, expr);
	emit_value(c, &s);
	tell_file(c, expr);
	expr_keep(c->t, s.value);
	return true;
}

/* "runqueues:0-1.nr_running": once for each CPU of the list. */
struct percpu_list {
	struct ctx *c;
	const char *expr, *list, *rest;
	struct err *err;
	bool ok;
};

static bool show_cpu(unsigned cpu, void *arg)
{
	struct percpu_list *l = arg;
	const char *expr = arena_printf(l->c->arena, "%.*s:%u%s", (int)(l->list - l->expr - 1),
					l->expr, cpu, l->rest);

	l->ok = p_show(l->c, expr, (int)cpu, l->err);
	return l->ok;
}

static bool show_list(struct ctx *c, const char *expr, const char *colon, struct err *err)
{
	size_t n = strspn(colon + 1, "0123456789,-al");
	struct percpu_list l = { .c = c, .expr = expr, .list = colon + 1, .err = err, .ok = true };

	/* "->" behind the list is an operator */
	if (n && colon[n] == '-' && colon[n + 1] == '>')
		n--;
	l.rest = colon + 1 + n;
	return parse_cpus(c->t, arena_strndup(c->arena, colon + 1, n), show_cpu, &l, err) && l.ok;
}

/* A per-CPU variable alone: each CPU's own. */
static const char *all_cpus(struct ctx *c, const char *expr)
{
	struct symbol sym;
	struct err err;

	for (const char *s = expr; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_@$", *s))
			return NULL;
	if (expr_local(c->t, expr) || !symbol_find(c->t, expr, &sym, &err) ||
	    !percpu_is(c->t, &sym))
		return NULL;
	return arena_printf(c->arena, "%s:a", expr);
}

/* The ':' behind the first name, where a list of CPUs stands; NULL: none. Those of "a ? b : c" and
 * of a[2:5] are the expression's. */
static const char *cpu_colon(const char *expr)
{
	size_t n = strcspn(expr, ":?[\"'");

	return expr[n] == ':' ? expr + n : NULL;
}

/* gdb's "/x" in front of the expression; a size behind the letter says nothing to p. */
static bool form_take(struct ctx *c, const char **expr, char *form, struct err *err)
{
	const char *word = c->argv[0];

	*form = 0;
	*expr = c->rest;
	if (*word != '/')
		return true;
	if (!strchr("xduotcazs", word[1]) || !word[1] || (word[2] && word[3]) ||
	    (word[2] && !strchr("bhwg", word[2])))
		return err_set(err, ERR_USAGE,
			       "'%.20s' is no format of p: /x /d /u /o /t /c /a /z /s", word);
	*form = word[1] == 's' ? '\0' : word[1];
	*expr += strlen(word);
	*expr += strspn(*expr, " \t");
	return **expr || err_set(err, ERR_USAGE, "an expression is wanted");
}

static bool p_run(struct ctx *c, struct err *err)
{
	const struct p_opts *o = c->opts;
	const char *expr, *all, *colon;
	struct value_style old;
	char form;
	bool ok;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "an expression is wanted");
	if (!form_take(c, &expr, &form, err))
		return false;
	all = all_cpus(c, expr);
	if (all)
		expr = all;
	colon = cpu_colon(expr);
	old = style_set(c, &o->style);
	if (form)
		c->s->sink.style.form = form;
	ok = colon ? show_list(c, expr, colon, err) : p_show(c, expr, -1, err);
	style_restore(c, old);
	return ok;
}

static const struct example examples[] = {
	{ "p init_uts_ns.name.release", "a member of a variable" },
	{ "p *init_task.parent", "what a pointer points to" },
	{ "p runqueues:a.nr_running", "a member of each CPU's run queue" },
	{ "p $panic->comm", "of the task that panicked" },
	{ "p/x init_task.flags", "in hexadecimal, as gdb has it; /d /u /o /t /c /a /z too" },
	{ "p __per_cpu_offset[0]@2", "two values, from where the first one lies on" },
	{ "p -x ((struct task_struct *)&init_task)->flags", "a cast, in hexadecimal" },
};

const struct command cmd_p = {
	.name = "p",
	.group = "types",
	.summary = "the value of an expression",
	.needs = NEED_SYMBOLS | NEED_TYPES,
	.formats = true,
	.operands = "[/format] expression",
	OPTS(opts),
	.opts_size = sizeof(struct p_opts),
	.emits = (const struct record_kind *const[]){ &value_record, NULL },
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "Expressions are C's, over the dead kernel's variables: members with . and ->, "
		"elements with [], *, &, casts, sizeof, offsetof(type, member), container_of(pointer, "
		"type, member), and arithmetic; numbers may be 0b101, and a[2:5] is a slice: its "
		"elements 2 to 4, and a@3, as in gdb, three values from where a lies on. A dot follows a pointer too. A comparison goes in ( ): < and > by "
		"themselves name files.\n\n"
		"symbol:cpu is a per-CPU variable of that CPU; symbol:0,2-3 and symbol:a show "
		"several, and the bare name all of them; per_cpu(symbol, cpu) takes a CPU that is "
		"computed.\n\n"
		"'file.c'::name is the variable of that name that the file defines, as in gdb; where a name is that of "
		"several, a note says so.\n\n"
		"$1 is the first value that p printed, $ the last, $$ the one before, $$2 the one "
		"before that; '$x = expression', on a line of its own, sets a variable, $_ is the last value that was shown, "
		"in each the one that it is at; $current points to the task that set chose, $panic to the one that "
		"panicked. After frame has chosen one, its arguments and locals are names.\n\n"
		"A format stands behind the name, as in gdb, and is for every number in the value: p/x and p/z (with its zeros) "
		"hexadecimal, p/d and p/u decimal, p/o octal, p/t binary, p/c a character, p/a an address and its symbol.\n\n"
		"A pointer is shown with the symbol that it leads to, or with the name of the "
		"object: <task_struct \"init\">. A struct of one or two pointers stands on a line, "
		"an empty list says so.\n\n"
		"A bare symbol does the same: \"jiffies\" is \"p jiffies\".",
	EXAMPLES(examples),
	.run = p_run,
};
