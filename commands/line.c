/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line: source lines of addresses and of places in functions, inlined calls included. */
#include <inttypes.h>
#include <string.h>

#include "core/base/number.h"
#include "core/obit.h"
#include "core/records/source_record.h"
#include "core/shell/forms.h"

enum {
	ADDR,
	NAME,
	OFFSET,
	SIZE,
	MODULE,
	FUNC,
	FILE_,
	LINE,
	INLINED
};

/* A name that debug info may lack. */
static void form_name(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL)
		buf_str(b, "??");
	else
		buf_add(b, cell->str.s, cell->str.n);
}

static void form_line(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k, (void)r;
	buf_printf(b, "%" PRIu64, cell->kind == CELL_NULL ? 0 : cell->u);
}

static const struct record_field fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "the address asked for" },
	[NAME] = { "name", NULL, CELL_STR, FIELD_JSON, "the symbol it is in" },
	[OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "from the symbol's start" },
	[SIZE] = { "size", NULL, CELL_HEX, FIELD_JSON, "of the symbol, as the kernel prints it" },
	[MODULE] = { "module", NULL, CELL_STR, FIELD_JSON, "null for the kernel" },
	[FUNC] = { "func", NULL, CELL_STR, 0, "function of this line", .text = form_name },
	[FILE_] = { "file", NULL, CELL_STR, 0, "source file", .text = form_name },
	[LINE] = { "line", NULL, CELL_UINT, 0, "line in it", .text = form_line },
	[INLINED] = { "inlined", NULL, CELL_BOOL, 0,
		      "this function was inlined into that of the next record" },
};
static const struct record_kind line_kind = {
	.name = "line",
	.doc = "One source line of an address; the innermost inlined function first.",
	.layout = LAYOUT_LINE,
	.line = "  {func} at {file}:{line}{?inlined: [inline]}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

struct line_opts {
	bool call, source;
};
static const struct option opts[] = {
	{ "r", NULL, OPTION_FLAG, offsetof(struct line_opts, call),
	  "return addresses: the line of the call before them" },
	{ "s", NULL, OPTION_FLAG, offsetof(struct line_opts, source),
	  "the source text around each line as well (obit --source DIR)" },
};

struct ask {
	struct ctx *c;
	const char *word;
	uint64_t off, size;
	bool has_size;
	unsigned names, shown;
};

static void line_show(struct ask *k, const struct symbol *s, uint64_t addr, uint64_t room)
{
	const struct line_opts *o = k->c->opts;
	const struct line *lines;
	struct err err;
	size_t n;

	if (!line_find(k->c->t, addr - o->call, &lines, &n, &err)) {
		err_wrap(&err, "%s", k->word);
		complain(k->c, &err);
		return;
	}
	if (n)
		emit_heading(k->c, arena_printf(k->c->arena, "%s:", k->word));
	for (size_t i = 0; i < n; i++) {
		struct record r;

		record_init(&r, &line_kind);
		record_uint(&r, ADDR, addr);
		if (s) {
			record_str(&r, NAME, s->name);
			record_uint(&r, OFFSET, addr - s->addr);
			record_str(&r, MODULE, s->module);
			if (room)
				record_uint(&r, SIZE, room);
		}
		record_str(&r, FUNC, lines[i].func);
		record_str(&r, FILE_, lines[i].file);
		if (lines[i].line)
			record_uint(&r, LINE, lines[i].line);
		record_bool(&r, INLINED, lines[i].inlined);
		emit(k->c, &r);
		if (o->source && lines[i].file && lines[i].line &&
		    !emit_source(k->c, lines[i].file, lines[i].line, SOURCE_AROUND, SOURCE_AROUND,
				 &err))
			complain(k->c, &err);
	}
	k->shown++;
}

static bool one_symbol(const struct symbol *s, uint64_t room, void *arg)
{
	struct ask *k = arg;

	if (!strchr("tTwWiV", s->type))
		return true;
	k->names++;
	if (k->has_size && room != k->size && s->size != k->size)
		return true;
	if (k->off <= (room ? room : s->size))
		line_show(k, s, s->addr + k->off, room);
	return !interrupted;
}

/* "func+0x1f/0x120 [module]": every function of the name whose size it is. */
static bool by_name(struct ask *k, struct err *err)
{
	const char *word = k->word, *plus = strchr(word, '+'), *at = strchr(word, '@');
	size_t n = plus ? (size_t)(plus - word) : strlen(word);
	char *name, *module = NULL;
	struct symbol found;
	struct err why;

	if (at && at < word + n) {
		module = arena_strndup(k->c->arena, at + 1, (size_t)(word + n - at - 1));
		n = (size_t)(at - word);
	}
	name = arena_strndup(k->c->arena, word, n);
	if (plus) {
		bool ok;

		plus++;
		ok = number_take(&plus, NULL, 0, &k->off);
		if (ok && *plus == '/') {
			plus++;
			ok = k->has_size = number_take(&plus, NULL, 0, &k->size);
		}
		if (!ok || *plus)
			return err_set(err, ERR_USAGE,
				       "'%.80s': func+offset/size is wanted, or an address", word);
	}
	if (!symbol_each_named(k->c->t, name, module, one_symbol, k, err))
		return false;
	if (!k->names && !module && symbol_find(k->c->t, name, &found, &why) && found.module &&
	    !symbol_each_named(k->c->t, name, found.module, one_symbol, k, err))
		return false;
	if (!k->names)
		return err_set(err, ERR_NOSYM, "no function '%.100s'", name);
	if (!k->shown && k->has_size)
		return err_set(err, ERR_MISMATCH,
			       "no '%.100s' has a size of 0x%llx: is this the right vmlinux?", name,
			       (unsigned long long)k->size);
	return true;
}

static bool operand(struct ctx *c, const char *word, struct err *err)
{
	struct ask k = { .c = c, .word = word };
	struct symbol s;
	uint64_t addr, off;
	struct err why;

	if (parse_number(word, true, &addr) && addr > 0xffff) {
		bool named = symbol_at(c->t, addr, &s, &off, &why);

		line_show(&k, named ? &s : NULL, addr, 0);
		return true;
	}
	return by_name(&k, err);
}

static bool line_run(struct ctx *c, struct err *err)
{
	if (!c->argc)
		return err_set(err, ERR_USAGE, "an address is wanted, or func+offset/size");
	for (int i = 0; i < c->argc && !interrupted; i++) {
		struct err why;

		/* " [module]" as the kernel prints it */
		if (c->argv[i][0] == '[')
			continue;
		if (!operand(c, c->argv[i], &why))
			complain(c, &why);
	}
	return true;
}

static const struct record_kind *const emits[] = { &line_kind, &source_line_kind, NULL };
static const struct example examples[] = {
	{ "line panic", "where a function's code begins" },
	{ "line panic+0x20", "and what is at an offset, with what was inlined there" },
	{ "line -r vfs_write+0x20", "the call before a return address" },
};
const struct command cmd_line = {
	.name = "line",
	.group = "symbols",
	.summary = "source lines of addresses",
	.needs = NEED_SYMBOLS | NEED_LINES,
	.operands = "func[@module][+offset[/size]] | address...",
	OPTS(opts),
	.opts_size = sizeof(struct line_opts),
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Prints the source line of each address, and of every call that was inlined there, the "
		"innermost first: what addr2line -i and faddr2line do. Functions that share a name are told "
		"apart by their size, as the kernel prints it behind the slash; without one all are shown.\n\n"
		"Addresses in call traces are those that a call returns to: -r looks up the address before.",
	EXAMPLES(examples),
	.run = line_run,
};
