/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym: names of addresses, and addresses of names. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/linux/memory/struct_page.h"
#include "core/shell/forms.h"
#include "core/shell/stage.h"

enum {
	ADDR,
	TYPE,
	NAME,
	OFFSET,
	MODULE,
	SIZE,
	FILE_,
	LINE,
	STATE
};

/* "panic+32" */
static void form_where(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	buf_add(b, cell->str.s, cell->str.n);
	if (r->cells[OFFSET].u)
		buf_printf(b, "+%" PRIu64, r->cells[OFFSET].u);
}

static const struct record_field fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, 0, "its address; a per-CPU symbol's is an offset" },
	[TYPE] = { "type", NULL, CELL_STR, 0,
		   "the letter nm and kallsyms print: T, t, D, ...; data is never called text" },
	[NAME] = { "name", NULL, CELL_STR, 0, "symbol", .text = form_where },
	[OFFSET] = { "offset", NULL, CELL_UINT, 0, "of the address asked for" },
	[MODULE] = { "module", NULL, CELL_STR, 0, "module, null for the kernel" },
	[SIZE] = { "size", NULL, CELL_UINT, 0, "bytes; null when not known" },
	[FILE_] = { "file", NULL, CELL_STR, 0, "source file, where a single address was asked for",
		    .text = form_source },
	[LINE] = { "line", NULL, CELL_UINT, 0, "line in it" },
	[STATE] = { "state", NULL, CELL_STR, 0,
		    "\"given back after boot\": its page holds something else now; asked of single ones" },
};
static const struct record_kind symbol_kind = {
	.name = "symbol",
	.doc = "a name and its address",
	.layout = LAYOUT_LINE,
	.line = "{addr} ({type}) {name}{?module: [{module}]}{?file: {file}}{?state:  ({state})}",
	.fields = fields,
	.n_fields = sizeof(fields) / sizeof(fields[0]),
};

struct sym_opts {
	bool all, modules, next, previous;
	const char *module, *query;
};
static const struct option opts[] = {
	{ "l", NULL, OPTION_FLAG, offsetof(struct sym_opts, all), "every symbol" },
	{ "M", NULL, OPTION_FLAG, offsetof(struct sym_opts, modules),
	  "every symbol of every module" },
	{ "m", "module", OPTION_STR, offsetof(struct sym_opts, module),
	  "every symbol of a module" },
	{ "q", "text", OPTION_STR, offsetof(struct sym_opts, query),
	  "every symbol whose name has the text" },
	{ "p", NULL, OPTION_FLAG, offsetof(struct sym_opts, previous),
	  "the symbol before as well" },
	{ "n", NULL, OPTION_FLAG, offsetof(struct sym_opts, next), "the symbol behind as well" },
};

struct sym_listing {
	struct ctx *c;
	bool modules_only;
	const char *query;
	uint64_t addr; /* neighbours of which are sought */
	struct symbol before, after;
	bool has_before, has_after;
	struct symbol match;
	uint64_t matches;
};

static void emit_symbol(struct ctx *c, const struct symbol *s, uint64_t offset, bool lines)
{
	const struct line *l;
	struct record r;
	struct err err;
	size_t n;

	record_init(&r, &symbol_kind);
	record_uint(&r, ADDR, s->addr + offset);
	record_strn(&r, TYPE, &s->type, 1);
	record_str(&r, NAME, s->name);
	record_uint(&r, OFFSET, offset);
	record_str(&r, MODULE, s->module);
	if (s->size)
		record_uint(&r, SIZE, s->size);
	if (lines && strchr("tTwW", s->type) && line_find(c->t, s->addr + offset, &l, &n, &err) &&
	    n && l[0].file) {
		record_str(&r, FILE_, l[0].file);
		record_uint(&r, LINE, l[0].line);
	}
	if (lines && kernel_image_freed(c->t, s->addr + offset))
		record_str(&r, STATE, "given back after boot");
	emit(c, &r);
}

static bool list_one(const struct symbol *s, void *arg)
{
	struct sym_listing *k = arg;

	if ((k->modules_only && !s->module) || (k->query && !strstr(s->name, k->query)))
		return true;
	k->matches++;
	emit_symbol(k->c, s, 0, false);
	return !interrupted;
}

static bool list(struct ctx *c, const char *module, bool modules_only, const char *query,
		 struct err *err)
{
	struct sym_listing k = { .c = c, .modules_only = modules_only, .query = query };

	if (!symbol_each(c->t, module, list_one, &k, err))
		return false;
	if (query && !k.matches)
		return err_set(err, ERR_NOSYM, "no symbol has '%s' in its name", query);
	return interrupt_check(err);
}

/* The nearest of another address, on both sides. */
static bool neighbour(const struct symbol *s, void *arg)
{
	struct sym_listing *k = arg;

	if (s->type == 'A' || s->type == 'a')
		return true;
	if (s->addr < k->addr && (!k->has_before || s->addr > k->before.addr)) {
		k->before = *s;
		k->has_before = true;
	}
	if (s->addr > k->addr && (!k->has_after || s->addr < k->after.addr)) {
		k->after = *s;
		k->has_after = true;
	}
	return true;
}

static bool sym_show(struct ctx *c, const struct symbol *s, uint64_t offset, struct err *err)
{
	const struct sym_opts *o = c->opts;
	struct sym_listing k = { .c = c, .addr = s->addr };

	if ((o->previous || o->next) &&
	    !symbol_each(c->t, s->module ? s->module : "", neighbour, &k, err))
		return false;
	if (o->previous && k.has_before)
		emit_symbol(c, &k.before, 0, true);
	emit_symbol(c, s, offset, true);
	if (o->next && k.has_after)
		emit_symbol(c, &k.after, 0, true);
	return true;
}

static bool same_name(const struct symbol *s, void *arg)
{
	struct sym_listing *k = arg;

	if (strcmp(s->name, k->query) == 0) {
		k->matches++;
		emit_symbol(k->c, s, 0, true);
	}
	return true;
}

/* "name", "name+8", "name@module", or an address. */
static bool operand(struct ctx *c, const char *s, struct err *err)
{
	const struct sym_opts *o = c->opts;
	struct symbol sym;
	uint64_t addr, off = 0;
	struct err why;

	if (symbol_find(c->t, s, &sym, err)) {
		/* static functions may share a name: all of them are shown */
		struct sym_listing k = { .c = c, .query = s };

		if (o->previous || o->next || strchr(s, '@'))
			return sym_show(c, &sym, 0, err);
		/* one that was proved to be there is in no table */
		return symbol_each(c->t, NULL, same_name, &k, err) &&
		       (k.matches || sym_show(c, &sym, 0, err));
	}
	if (err->code != ERR_NOSYM)
		return false;
	if (!stage_place(c, s, &addr, &why))
		return false;
	return symbol_at(c->t, addr, &sym, &off, err) && sym_show(c, &sym, off, err);
}

static bool sym_run(struct ctx *c, struct err *err)
{
	const struct sym_opts *o = c->opts;
	bool listed = o->query || o->module || o->modules || o->all;

	if (!listed && !c->argc)
		return err_set(err, ERR_USAGE, "a name or an address is wanted, or -l, -m, -M, -q");
	if ((o->query && !*o->query) || (o->module && !*o->module))
		return err_set(err, ERR_USAGE, "-q and -m want a word; -l lists every symbol");
	if (listed && !list(c, o->module, o->modules, o->query, err))
		return false;
	for (int i = 0; i < c->argc; i++) {
		struct err why;

		if (!operand(c, c->argv[i], &why))
			complain(c, &why);
	}
	return true;
}

static const struct record_kind *const emits[] = { &symbol_kind, NULL };
static const struct example examples[] = {
	{ "sym jiffies", "where a symbol is" },
	{ "sym panic+0x20", "and what is at an address, with its source line where known" },
	{ "sym -q vfs_write", "names that have the text" },
	{ "sym -n -p panic", "with its neighbours" },
};
const struct command cmd_sym = {
	.name = "sym",
	.group = "symbols",
	.summary = "symbols by name or address",
	.needs = NEED_SYMBOLS,
	.operands = "[name | address]...",
	OPTS(opts),
	.opts_size = sizeof(struct sym_opts),
	.emits = emits,
	.none = "no such symbol",
	.completes = COMPLETE_SYMBOL | COMPLETE_MODULE,
	.help = "Translates between names and addresses of the kernel and of its modules. A name is written as the "
		"source has it, name@module asks one module; an address may be hexadecimal or an expression "
		"such as name+0x20. Every symbol of a name is shown, for static ones may share it.\n\n"
		"Symbols come from vmlinux or, without one, from the kernel's own table in the dump.",
	EXAMPLES(examples),
	.run = sym_run,
};
