/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mod: the modules that were loaded. */
#include <string.h>

#include "core/obit.h"

enum {
	MODULE,
	NAME,
	TEXT,
	SIZE,
	OBJECT,
	ADDR,
	BASE,
	TEXT_SIZE,
	REFCNT,
	STATE,
	TAINTS
};
static const struct record_field fields[] = {
	[MODULE] = { "module", NULL, CELL_ADDR, FIELD_TEXT, "address of its struct module" },
	[NAME] = { "name", NULL, CELL_STR, 0, "name" },
	[TEXT] = { "text_base", "TEXT_BASE", CELL_ADDR, 0, "where its code starts" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT,
		   "bytes in all, as /proc/modules counts them" },
	[OBJECT] = { "object", "OBJECT FILE", CELL_STR, FIELD_TEXT, "the file with its types" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct module" },
	[BASE] = { "base", NULL, CELL_ADDR, FIELD_JSON, "as /proc/modules prints it" },
	[TEXT_SIZE] = { "text_size", NULL, CELL_UINT, FIELD_JSON, "bytes of code" },
	[REFCNT] = { "refcnt", NULL, CELL_INT, FIELD_JSON, "references others hold" },
	[STATE] = { "state", NULL, CELL_STR, FIELD_JSON, "Live, Loading, Unloading or Unformed" },
	[TAINTS] = { "taints", NULL, CELL_STR, FIELD_JSON,
		     "letters in parentheses: (P) proprietary, (O) out of tree, (E) unsigned, ..." },
};
static const struct record_kind module_kind = { "module", "one module", LAYOUT_TABLE,
						NULL,     fields,       ARRAY_SIZE(fields) };
static const struct record_field taint_fields[] = {
	[0] = { "name", NULL, CELL_STR, 0, "name" },
	[1] = { "taints", NULL, CELL_STR, 0, "letters, as in `mod`" },
	[2] = { "mask", NULL, CELL_HEX, FIELD_JSON, "the same as bits" },
};
static const struct record_kind taint_kind = {
	"module_taint", "a module that taints the kernel (-t)", LAYOUT_TABLE, NULL, taint_fields, 3
};

struct mod_opts {
	bool taints;
};
static const struct option opts[] = {
	{ "t", NULL, OPTION_FLAG, offsetof(struct mod_opts, taints),
	  "only those that taint the kernel, and how" },
};

static void emit_module(struct ctx *c, const struct kmodule *m)
{
	struct record r;

	record_init(&r, &module_kind);
	record_uint(&r, MODULE, m->addr);
	record_uint(&r, ADDR, m->addr);
	record_str(&r, NAME, m->name);
	record_uint(&r, TEXT, m->text_base);
	record_uint(&r, BASE, m->base);
	record_uint(&r, SIZE, m->size);
	record_str(&r, OBJECT, "(not loaded)");
	record_uint(&r, TEXT_SIZE, m->text_size);
	record_int(&r, REFCNT, m->refcnt);
	record_str(&r, STATE, m->state);
	record_str(&r, TAINTS, m->taint_text);
	emit(c, &r);
}

static void emit_taint(struct ctx *c, const struct kmodule *m)
{
	struct record r;

	if (!m->taints)
		return;
	record_init(&r, &taint_kind);
	record_str(&r, 0, m->name);
	record_str(&r, 1, m->taint_text);
	record_uint(&r, 2, m->taints);
	emit(c, &r);
}

static bool show(struct ctx *c, const struct kmodule *m, struct err *err)
{
	const struct mod_opts *o = c->opts;
	const struct type *type;

	if (piped(c))
		return type_find(c->t, "struct module", &type, err) &&
		       yield(c, value_ref(type, m->addr), err);
	if (o->taints)
		emit_taint(c, m);
	else
		emit_module(c, m);
	return true;
}

/* Is this one asked for? Remembers which operands were good for something. */
static bool wanted(const struct ctx *c, const struct kmodule *m, bool *hit)
{
	bool any = c->argc == 0;

	for (int i = 0; i < c->argc; i++) {
		if (strcmp(c->argv[i], m->name) != 0)
			continue;
		any = hit[i] = true;
	}
	return any;
}

static bool mod_run(struct ctx *c, struct err *err)
{
	bool *hit = ARENA_ARRAY(c->arena, bool, (size_t)c->argc + 1);
	const struct kmodule *all;
	struct err missing;
	size_t n;

	if (!modules_all(c->t, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (wanted(c, &all[i], hit) && !show(c, &all[i], err))
			return false;
	for (int i = 0; i < c->argc; i++) {
		if (hit[i])
			continue;
		err_set(&missing, ERR_NOTFOUND, "no module '%s' is loaded", c->argv[i]);
		complain(c, &missing);
	}
	return true;
}

static bool mod_each(struct ctx *c, struct value v, struct err *err)
{
	const struct kmodule *all;
	size_t n;

	if (!modules_all(c->t, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (all[i].addr == v.addr)
			return show(c, &all[i], err);
	return err_set(err, ERR_NOTFOUND, "no module is at 0x%llx", (unsigned long long)v.addr);
}

static const struct record_kind *const emits[] = { &module_kind, &taint_kind, NULL };
static const struct example examples[] = {
	{ "mod", "every module" },
	{ "mod -t", "those that taint the kernel" },
};
const struct command cmd_mod = {
	.name = "mod",
	.group = "system",
	.summary = "loaded modules",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct module",
	.out = "struct module",
	.operands = "[name]...",
	OPTS(opts),
	.opts_size = sizeof(struct mod_opts),
	.emits = emits,
	.completes = COMPLETE_MODULE,
	.help = "Prints the modules in the kernel's order, the last loaded first. SIZE is all that "
		"/proc/modules counts. The symbols of every module come from the dump itself; no object "
		"file is needed for them.",
	EXAMPLES(examples),
	.run = mod_run,
	.each = mod_each,
};
