/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ptype: gdb's word for a type's definition, also that of an expression's type. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/expr_hooks.h"
#include "core/records/print_type.h"
#include "core/types/expr.h"

/* Only the type counts, so nothing is read. A variable wins over a type of its name, as in C. */
static bool type_meant(struct ctx *c, const char *text, const struct type **ret, struct err *err)
{
	const struct expr_scope scope = { .hooks = &expr_percpu, .dry = true };
	struct err why;
	struct value v;

	if (expr_eval_in(c->t, text, &scope, &v, &why)) {
		*ret = v.type;
		return type_strip(v.type)->kind != TYPE_VOID ||
		       err_set(err, ERR_NOTYPE, "the type of '%.100s' is not known", text);
	}
	if (type_find_deep(c->t, text, ret, err))
		return true;
	if (err->code == ERR_NOTYPE && why.code != ERR_NOSYM)
		*err = why;
	return false;
}

static bool ptype_run(struct ctx *c, struct err *err)
{
	const struct definition d = { .offsets = false };
	const struct type *type, *to;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "a type or an expression is wanted");
	if (!type_meant(c, c->rest, &type, err))
		return false;
	/* of a pointer it is what that leads to that is of interest */
	to = type_strip(type);
	if (to->kind == TYPE_POINTER)
		to = type_strip(type_target(to));
	return emit_type(c, to->kind == TYPE_VOID || to->kind == TYPE_FUNC ? type : to, &d, err);
}

static const struct example examples[] = {
	{ "ptype struct list_head", "a type" },
	{ "ptype init_task.tasks", "that of an expression" },
	{ "ptype pid_t", "what a typedef stands for" },
};
const struct command cmd_ptype = {
	.name = "ptype",
	.group = "types",
	.summary = "gdb's way to define a type",
	.needs = NEED_TYPES,
	.as_typed = true,
	.operands = "type | expression",
	.emits = (const struct record_kind *const[]){ &type_record, &member_record, NULL },
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "The definition of a type, or of the type that an expression has; of a pointer the type that it leads to. "
		"Nothing is read, so no dump is needed. struct shows offsets as well, and values; whatis what a name is "
		"declared as.",
	EXAMPLES(examples),
	.run = ptype_run,
};
