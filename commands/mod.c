/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mod: the modules that were loaded. */
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/module/module.h"
#include "core/types/value.h"

enum {
	ADDR,
	NAME,
	TEXT,
	SIZE,
	FILE_,
	BASE,
	TEXT_SIZE,
	REFCNT,
	STATE,
	TAINTS,
	VERIFIED,
	DEBUG
};
static void file_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k, (void)r;
	buf_str(b, cell->kind == CELL_STR ? cell->str.s : "(not loaded)");
}

static const struct record_field fields[] = {
	[ADDR] = { "addr", "MODULE", CELL_ADDR, 0, "address of its struct module" },
	[NAME] = { "name", NULL, CELL_STR, 0, "name" },
	[TEXT] = { "text_base", "TEXT_BASE", CELL_ADDR, 0, "where its code starts" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT,
		   "bytes in all, as /proc/modules counts them" },
	[FILE_] = { "file", "OBJECT FILE", CELL_STR, 0, "the file of it that is loaded; null: none",
		    .text = file_text },
	[BASE] = { "base", NULL, CELL_ADDR, FIELD_JSON, "as /proc/modules prints it" },
	[TEXT_SIZE] = { "text_size", NULL, CELL_UINT, FIELD_JSON, "bytes of code" },
	[REFCNT] = { "refcnt", NULL, CELL_INT, FIELD_JSON, "references others hold" },
	[STATE] = { "state", NULL, CELL_STR, FIELD_JSON, "Live, Loading, Unloading or Unformed" },
	[TAINTS] = { "taints", NULL, CELL_STR, FIELD_JSON,
		     "letters in parentheses: (P) proprietary, (O) out of tree, (E) unsigned, ..." },
	[VERIFIED] = { "verified", NULL, CELL_BOOL, FIELD_JSON,
		       "the file has the build-id or srcversion of the loaded module" },
	[DEBUG] = { "debug", NULL, CELL_BOOL, FIELD_JSON, "the file has debug info" },
};
static const struct record_kind module_kind = { "module", "one module", LAYOUT_TABLE,
						NULL,     fields,       ARRAY_SIZE(fields) };
enum {
	TAINT_NAME,
	TAINT_LETTERS,
	TAINT_MASK
};
static const struct record_field taint_fields[] = {
	[TAINT_NAME] = { "name", NULL, CELL_STR, 0, "name" },
	[TAINT_LETTERS] = { "taints", NULL, CELL_STR, 0, "letters, as in `mod`" },
	[TAINT_MASK] = { "mask", NULL, CELL_HEX, FIELD_JSON, "the same as bits" },
};
static const struct record_kind taint_kind = {
	"module_taint", "a module that taints the kernel (-t)",
	LAYOUT_TABLE,   NULL,
	taint_fields,   ARRAY_SIZE(taint_fields)
};

enum {
	PARAM_MODULE,
	PARAM_NAME,
	PARAM_VALUE,
	PARAM_KIND,
	PARAM_ADDR,
	PARAM_PERM,
	PARAM_FREED
};

/* So many bytes of a value people are shown; JSON has all. */
#define SHOWN_VALUE 60

static void param_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	if (cell->kind == CELL_STR)
		buf_printf(b, "%.*s%s", SHOWN_VALUE, cell->str.s,
			   cell->str.n > SHOWN_VALUE ? "..." : "");
	else if (cell->kind == CELL_ABSENT)
		buf_printf(b, "<%s>", err_absent_text(cell->absent.why));
	else if (cell->kind == CELL_UNKNOWN)
		buf_printf(b, "(unknown: %s)", cell->unknown->msg);
	else
		buf_str(b, r->cells[PARAM_FREED].b ? "(freed after the start)" : "-");
}

static const struct record_field param_fields[] = {
	[PARAM_MODULE] = { "module", NULL, CELL_STR, 0, "whose it is; null: it is built in" },
	[PARAM_NAME] = { "name", NULL, CELL_STR, 0,
			 "its name, as on the kernel's command line when it is built in" },
	[PARAM_VALUE] = { "value", NULL, CELL_STR, 0,
			  "as its file in /sys/module prints it; null: that takes a function of its own, or it was freed",
			  .text = param_text },
	[PARAM_KIND] = { "kind", NULL, CELL_STR, 0, "int, bool, charp, array of int, ..." },
	[PARAM_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON,
			 "of the variable, or of what leads to it" },
	[PARAM_PERM] = { "perm", NULL, CELL_HEX, FIELD_JSON, "of its file; 0: it has none" },
	[PARAM_FREED] = { "freed", NULL, CELL_BOOL, FIELD_JSON,
			  "it was of the start alone, and its memory was given to others" },
};
static const struct record_kind param_kind = { "module_parameter", "a parameter of a module (-p)",
					       LAYOUT_TABLE,       NULL,
					       param_fields,       ARRAY_SIZE(param_fields) };

enum {
	SECTION_MODULE,
	SECTION_NAME,
	SECTION_ADDR
};
static const struct record_field section_fields[] = {
	[SECTION_MODULE] = { "module", NULL, CELL_STR, 0, "whose it is" },
	[SECTION_NAME] = { "section", NULL, CELL_STR, 0, "its name, as in the module's file" },
	[SECTION_ADDR] = { "addr", NULL, CELL_ADDR, 0, "where it begins" },
};
static const struct record_kind section_kind = {
	"module_section", "a section of a module in memory (-g)",
	LAYOUT_TABLE,     NULL,
	section_fields,   ARRAY_SIZE(section_fields)
};

struct mod_opts {
	bool taints, load_all, params, sections;
	const char *load, *unload;
};
static const struct option opts[] = {
	{ "t", NULL, OPTION_FLAG, offsetof(struct mod_opts, taints),
	  "only those that taint the kernel, and how" },
	OPT_FLAG("p", struct mod_opts, params,
		 "parameters with their values: of modules and of what is built in"),
	OPT_FLAG(
		"g", struct mod_opts, sections,
		"where the sections of modules are, as /sys/module/NAME/sections; with -s and -S of those"),
	{ "s", "name", OPTION_STR, offsetof(struct mod_opts, load),
	  "load the file of a module: the one that follows, or one from --modules DIR" },
	{ "S", NULL, OPTION_FLAG, offsetof(struct mod_opts, load_all),
	  "load the files of all modules, from the folder that follows or from --modules DIR" },
	{ "d", "name", OPTION_STR, offsetof(struct mod_opts, unload),
	  "forget the file of a module" },
};

static void emit_module(struct ctx *c, const struct kmodule *m)
{
	const struct module_debug *d = module_debug_loaded(c->t, m->name);
	struct record r;

	record_init(&r, &module_kind);
	record_uint(&r, ADDR, m->addr);
	record_str(&r, NAME, m->name);
	record_uint(&r, TEXT, m->text_base);
	record_uint(&r, BASE, m->base);
	record_uint(&r, SIZE, m->size);
	if (d) {
		record_str(&r, FILE_, d->path);
		record_bool(&r, VERIFIED, d->verified);
		record_bool(&r, DEBUG, d->lines != NULL);
	}
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
	record_str(&r, TAINT_NAME, m->name);
	record_str(&r, TAINT_LETTERS, m->taint_text);
	record_uint(&r, TAINT_MASK, m->taints);
	emit(c, &r);
}

static void emit_sections(struct ctx *c, const struct kmodule *m)
{
	const struct loaded_module *l;
	struct record r;
	struct err why;

	if (!c->t->modules.hooks.named(c->t, m->name, &l, &why)) {
		note(c, &why);
		return;
	}
	if (!l->n_sections) {
		why = l->why;
		err_wrap(&why, "module '%s'", m->name);
		note(c, &why);
	}
	for (size_t i = 0; i < l->n_sections; i++) {
		record_init(&r, &section_kind);
		record_str(&r, SECTION_MODULE, m->name);
		record_str(&r, SECTION_NAME, l->sections[i].name);
		record_uint(&r, SECTION_ADDR, l->sections[i].addr);
		emit(c, &r);
	}
}

static bool mod_show(struct ctx *c, const struct kmodule *m, struct err *err)
{
	const struct mod_opts *o = c->opts;
	const struct type *type;

	if (piped(c))
		return type_find(c->t, "struct module", &type, err) &&
		       yield(c, value_ref(type, m->addr), err);
	if (o->taints)
		emit_taint(c, m);
	else if (o->sections)
		emit_sections(c, m);
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

static bool load_one(struct ctx *c, const struct kmodule *m, const char *path, const char *folder,
		     struct err *err)
{
	const struct module_debug *d;

	if (!module_debug_open(c->t, m->name, path, folder, &d, err))
		return false;
	emit_module(c, m);
	if (((const struct mod_opts *)c->opts)->sections)
		emit_sections(c, m);
	if (!d->verified && !c->t->force) { /* what --force took was warned of */
		struct err why;

		err_set(&why, ERR_NEED,
			"'%s' is taken for module '%s' by its name: neither has a build-id to compare",
			d->path, m->name);
		note(c, &why);
	}
	return true;
}

/* -S: what cannot be found is told in the table; a file that does not belong here, in words. */
static bool load_all(struct ctx *c, const struct kmodule *all, size_t n, struct err *err)
{
	for (size_t i = 0; i < n && interrupt_check(err); i++) {
		struct err why;

		if (load_one(c, &all[i], NULL, c->argc ? c->argv[0] : NULL, &why))
			continue;
		if (why.code != ERR_NEED)
			complain(c, &why);
		emit_module(c, &all[i]);
	}
	return interrupt_check(err);
}

static bool files(struct ctx *c, const struct kmodule *all, size_t n, struct err *err)
{
	const struct mod_opts *o = c->opts;
	const char *name = o->load ? o->load : o->unload;

	if (o->load_all)
		return load_all(c, all, n, err);
	name = module_name(c->arena, name, strlen(name));
	for (size_t i = 0; i < n; i++) {
		if (strcmp(all[i].name, name) != 0)
			continue;
		if (o->load)
			return load_one(c, &all[i], c->argc ? c->argv[0] : NULL, NULL, err);
		return module_debug_close(c->t, name) ||
		       err_set(err, ERR_NOTFOUND, "no file of module '%s' is loaded", name);
	}
	return err_set(err, ERR_NOTFOUND, "no module '%s' is loaded", name);
}

/* ---- parameters */

struct mod_params {
	struct ctx *c;
	const struct kmodule *module; /* NULL: the kernel itself */
	bool *hit;                    /* which operands were good for something */
};

/* Does an operand name the parameter: its module, or of one that is built in the prefix or all? */
static bool param_asked(const struct mod_params *w, const struct module_param *p)
{
	const char *of = w->module ? w->module->name : p->name;
	size_t n = w->module ? strlen(of) : strcspn(of, ".");
	bool asked = w->c->argc == 0;

	for (int i = 0; i < w->c->argc; i++) {
		const char *word = w->c->argv[i];

		if ((strncmp(word, of, n) != 0 || word[n]) && strcmp(word, p->name) != 0)
			continue;
		asked = w->hit[i] = true;
	}
	return asked;
}

/* A record keeps no copy of the reason that it gives. */
static const struct err *err_kept(struct ctx *c, const struct err *why)
{
	struct err *e = ARENA_NEW(c->arena, struct err);

	*e = *why;
	return e;
}

static bool emit_param(const struct module_param *p, void *arg)
{
	struct mod_params *w = arg;
	struct record r;

	if (!param_asked(w, p))
		return true;
	record_init(&r, &param_kind);
	record_str(&r, PARAM_MODULE, w->module ? w->module->name : NULL);
	record_str(&r, PARAM_NAME, p->name);
	if (p->why.code == ERR_OK)
		record_str(&r, PARAM_VALUE, p->value);
	else if (err_is_damage(p->why.code))
		record_absent(&r, PARAM_VALUE, &p->why);
	else
		record_unknown(&r, PARAM_VALUE, err_kept(w->c, &p->why));
	record_str(&r, PARAM_KIND, p->kind);
	record_uint(&r, PARAM_ADDR, p->addr);
	record_uint(&r, PARAM_PERM, p->perm);
	record_bool(&r, PARAM_FREED, p->freed);
	emit(w->c, &r);
	return true;
}

static void param_flaw(const struct err *e, void *arg)
{
	const struct mod_params *w = arg;

	note(w->c, e);
}

static bool params(struct ctx *c, const struct kmodule *all, size_t n, struct err *err)
{
	struct mod_params w = { .c = c };
	struct err unread = { .code = ERR_OK };

	w.hit = ARENA_ARRAY(c->arena, bool, (size_t)c->argc + 1);
	for (size_t i = 0; i <= n; i++) {
		struct err why;

		w.module = i < n ? &all[i] : NULL;
		if (module_params_each(c->t, c->arena, w.module, emit_param, param_flaw, &w, &why))
			continue;
		if (why.code == ERR_INTR)
			return *err = why, false;
		unread = why;
		err_wrap(&why, "parameters of %s", i < n ? all[i].name : "the kernel");
		note(c, &why);
	}
	for (int i = 0; i < c->argc; i++) {
		struct err missing;

		if (w.hit[i])
			continue;
		err_set(&missing, ERR_NOTFOUND,
			"no parameter%s is '%s' or of a module of that name",
			unread.code == ERR_OK ? "" : " that could be read", c->argv[i]);
		complain(c, &missing);
	}
	return true;
}

static bool mod_run(struct ctx *c, struct err *err)
{
	bool *hit = ARENA_ARRAY(c->arena, bool, (size_t)c->argc + 1);
	const struct mod_opts *o = c->opts;
	const struct kmodule *all;
	struct err missing;
	size_t n;

	if (!modules_all(c->t, &all, &n, err))
		return false;
	if (o->params &&
	    (o->load || o->load_all || o->unload || o->taints || o->sections || piped(c)))
		return err_set(err, ERR_USAGE, "-p shows parameters, and nothing else");
	if (o->sections && (o->taints || o->unload))
		return err_set(err, ERR_USAGE, "-g excludes -t and -d");
	if (o->params)
		return params(c, all, n, err);
	if (o->load || o->load_all || o->unload)
		return files(c, all, n, err);
	for (size_t i = 0; i < n; i++)
		if (wanted(c, &all[i], hit) && !mod_show(c, &all[i], err))
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
			return mod_show(c, &all[i], err);
	return err_set(err, ERR_NOTFOUND, "no module is at 0x%llx", (unsigned long long)v.addr);
}

static const struct record_kind *const emits[] = { &module_kind, &taint_kind, &section_kind,
						   &param_kind, NULL };
static const struct example examples[] = {
	{ "mod", "every module" },
	{ "mod -g", "where their sections are" },
	{ "mod -t", "those that taint the kernel" },
	{ "mod -p printk", "parameters of what is built in, or of a module" },
};
const struct command cmd_mod = {
	.name = "mod",
	.group = "system",
	.summary = "loaded modules",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct module",
	.out = "struct module",
	.operands = "[name | parameter | file | folder]...",
	OPTS(opts),
	.opts_size = sizeof(struct mod_opts),
	.emits = emits,
	.none = "no such module",
	.completes = COMPLETE_MODULE | COMPLETE_FILE,
	.help = "Prints the modules in the kernel's order, the last loaded first. SIZE is all that "
		"/proc/modules counts. The symbols of every module come from the dump itself; no object "
		"file is needed for them.\n\n"
		"Lines, types and static variables come from a module's file: .ko, .ko.xz, .ko.zst, "
		".ko.gz, or .ko.debug, given as FILE, found by --modules DIR when something in the module "
		"is asked for, or loaded with -s and -S. A file whose build-id is not that of the module in "
		"the dump is refused (obit --force takes it).\n\n"
		"-p shows the values that parameters had at the end, of all modules and of all that is built in, "
		"or of those named: by module, by the word before the dot, or by the whole name. What a driver "
		"prints by a function of its own has an address (--json), and no value.",
	EXAMPLES(examples),
	.run = mod_run,
	.each = mod_each,
};
