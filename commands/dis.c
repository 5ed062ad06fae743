/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dis: machine code, with names, lines and source. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/obit.h"
#include "core/records/source_record.h"
#include "core/shell/stage.h"
#include "core/image/dis.h"

#define FUNCTION_MAX ((uint64_t)1 << 20) /* bytes of a function */
#define COUNT_MAX 1000000u
#define CODE_BYTES 4096u

enum {
	CURRENT,
	ADDR,
	FUNC,
	OFFSET,
	MODULE,
	BYTES,
	MNEMONIC,
	OPERANDS,
	TARGET,
	TARGET_NAME,
	DECODED
};

struct dis_opts {
	bool lines, source, reverse, forward, hex, decimal;
};

/* What to show: code of [at, end), or `count` instructions of it. */
struct dis_range {
	struct ctx *c;
	struct dis *d;
	uint64_t at, end, asked, count;
	bool marked;      /* the one asked for stands among others */
	const char *file; /* the line shown last */
	unsigned line;
};

/* What a record of an instruction tells of. */
struct insn_of {
	const struct dis_range *range;
	const struct insn *in;
};

static void form_mark(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct insn_of *of = r->of;

	(void)k;
	buf_str(b, cell->b && of->range->marked ? "=>" : "");
}

/* "+8" or "+0x8", as the options and the session want it. */
static void add_offset(struct buf *b, const struct dis_range *g, uint64_t off)
{
	const struct dis_opts *o = g->c->opts;
	bool hex = o->hex || (!o->decimal && g->c->s->radix == 16);

	if (off)
		buf_printf(b, hex ? "+0x%" PRIx64 : "+%" PRIu64, off);
}

static void form_where(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct insn_of *of = r->of;

	(void)k;
	if (cell->kind == CELL_NULL) {
		buf_char(b, '?');
		return;
	}
	buf_add(b, cell->str.s, cell->str.n);
	add_offset(b, of->range, r->cells[OFFSET].u);
}

/* The instruction, with the name of an address that it goes to or takes data from. */
static void form_insn(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct insn_of *of = r->of;
	const struct insn *in = of->in;
	char number[24];

	(void)k, (void)cell;
	if (!*in->operands) {
		buf_str(b, in->mnemonic);
		return;
	}
	buf_printf(b, "%-6s %s", in->mnemonic, in->operands);
	if (r->cells[TARGET_NAME].kind == CELL_NULL)
		return;
	snprintf(number, sizeof(number), "0x%" PRIx64, in->target);
	if (!in->branch || !strstr(in->operands, number))
		buf_printf(b, "  # %s", number);
	buf_printf(b, " <%s>", r->cells[TARGET_NAME].str.s);
}

static const struct record_field fields[] = {
	[CURRENT] = { "current", NULL, CELL_BOOL, 0, "it is at the address asked for",
		      .text = form_mark },
	[ADDR] = { "addr", NULL, CELL_HEX, 0, "address of the instruction" },
	[FUNC] = { "func", NULL, CELL_STR, 0, "function it is in", .text = form_where },
	[OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "from its start" },
	[MODULE] = { "module", NULL, CELL_STR, FIELD_JSON, "null for the kernel" },
	[BYTES] = { "bytes", NULL, CELL_STR, FIELD_JSON, "its bytes in hexadecimal" },
	[MNEMONIC] = { "mnemonic", NULL, CELL_STR, 0, "the operation", .text = form_insn },
	[OPERANDS] = { "operands", NULL, CELL_STR, FIELD_JSON, "its operands" },
	[TARGET] = { "target", NULL, CELL_ADDR, FIELD_JSON,
		     "address it branches to, or of data it names relative to itself" },
	[TARGET_NAME] = { "target_name", NULL, CELL_STR, FIELD_JSON, "what is there" },
	[DECODED] = { "decoded", NULL, CELL_BOOL, FIELD_JSON,
		      "false: its bytes are no instruction known" },
};

static void insn_complete(struct record *r)
{
	const struct insn_of *of = r->of;
	struct arena *a = of->range->c->arena;
	char *hex = arena_alloc(a, 2 * INSN_BYTES_MAX + 1);

	for (unsigned i = 0; i < of->in->n; i++)
		snprintf(hex + 2 * i, 3, "%02x", of->in->bytes[i]);
	record_strn(r, BYTES, hex, 2 * (size_t)of->in->n);
}

static const struct record_kind insn_kind = {
	.name = "insn",
	.doc = "one machine instruction",
	.layout = LAYOUT_LINE,
	.line = "{current:-2} {addr} <{func}>:  {mnemonic}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.complete = insn_complete,
};
enum {
	PLACE_FILE,
	PLACE_LINE
};
static const struct record_field place_fields[] = {
	[PLACE_FILE] = { "file", NULL, CELL_STR, 0, "source file" },
	[PLACE_LINE] = { "line", NULL, CELL_UINT, 0, "line in it" },
};
static const struct record_kind insn_line_kind = {
	.name = "insn_line",
	.doc = "the source line of the instructions that follow (-l)",
	.layout = LAYOUT_LINE,
	.line = "{file}: {line}",
	.fields = place_fields,
	.n_fields = ARRAY_SIZE(place_fields),
};

static const struct option opts[] = {
	OPT_FLAG("l", struct dis_opts, lines, "source file and line of the instructions"),
	OPT_FLAG("s", struct dis_opts, source,
		 "the source text around the address, and no instructions"),
	OPT_FLAG("r", struct dis_opts, reverse, "from the start of the function to the address"),
	OPT_FLAG("f", struct dis_opts, forward, "from the address to the end of the function"),
	OPT_FLAG("x", struct dis_opts, hex, "offsets in hexadecimal"),
	OPT_FLAG("d", struct dis_opts, decimal, "offsets in decimal"),
};

/* "schedule+8"; NULL: no symbol is there. */
static const char *name_at(const struct dis_range *g, uint64_t addr)
{
	struct buf b = { 0 };
	struct symbol sym;
	const char *name;
	uint64_t off;
	struct err err;

	if (!symbol_at(g->c->t, addr, &sym, &off, &err))
		return NULL;
	buf_str(&b, sym.name);
	add_offset(&b, g, off);
	name = arena_strndup(g->c->arena, b.s, b.n);
	buf_release(&b);
	return name;
}

static void emit_insn_line(struct ctx *c, const struct line *l)
{
	struct record r;

	record_init(&r, &insn_line_kind);
	record_str(&r, PLACE_FILE, l->file);
	record_uint(&r, PLACE_LINE, l->line);
	emit(c, &r);
}

static void show_line(struct dis_range *g, uint64_t addr)
{
	const struct line *l;
	struct err err;
	size_t n;

	if (!line_find(g->c->t, addr, &l, &n, &err) || !l[0].file ||
	    (g->file && !strcmp(g->file, l[0].file) && g->line == l[0].line))
		return;
	g->file = l[0].file;
	g->line = l[0].line;
	emit_insn_line(g->c, &l[0]);
}

static void show_insn(struct dis_range *g, const struct insn *in)
{
	const struct insn_of of = { g, in };
	struct symbol sym;
	struct record r;
	uint64_t off;
	struct err ignored;

	record_init(&r, &insn_kind);
	r.of = &of;
	record_uint(&r, ADDR, in->addr);
	record_bool(&r, CURRENT, g->asked - in->addr < in->n);
	record_bool(&r, DECODED, !in->bad);
	if (in->has_target) {
		record_uint(&r, TARGET, in->target);
		record_str(&r, TARGET_NAME, name_at(g, in->target));
	}
	if (symbol_at(g->c->t, in->addr, &sym, &off, &ignored)) {
		record_str(&r, FUNC, sym.name);
		record_uint(&r, OFFSET, in->addr - sym.addr);
		record_str(&r, MODULE, sym.module);
	}
	record_str(&r, MNEMONIC, in->mnemonic);
	record_str(&r, OPERANDS, in->operands);
	emit(g->c, &r);
}

/* Code is read in pieces; an instruction that does not fit one begins the next. */
static bool show_range(struct dis_range *g, struct err *err)
{
	const struct dis_opts *o = g->c->opts;
	uint8_t buf[CODE_BYTES];
	uint64_t shown = 0;

	while (g->at < g->end && shown < g->count) {
		struct err why = { 0 };
		size_t n = dis_code(g->c->t, g->at, buf, sizeof(buf), &why), used = 0;

		if (!n) {
			if (!shown) {
				*err = why;
				return false;
			}
			note(g->c, &why);
			return true;
		}
		while (used < n && g->at < g->end && shown < g->count) {
			struct insn in;

			if (n == sizeof(buf) && n - used < INSN_BYTES_MAX)
				break;
			if (!interrupt_check(err))
				return false;
			dis_one(g->d, SPAN(buf + used, n - used), g->at, &in);
			if (o->lines)
				show_line(g, g->at);
			show_insn(g, &in);
			used += in.n;
			g->at += in.n;
			shown++;
		}
	}
	return true;
}

struct symbol_room {
	uint64_t addr, room;
};

static bool same_symbol(const struct symbol *s, uint64_t room, void *arg)
{
	struct symbol_room *e = arg;

	if (s->addr == e->addr)
		e->room = room;
	return s->addr != e->addr;
}

/* Where the function around an address begins and ends. */
static bool function_of(struct target *t, uint64_t addr, uint64_t *lo, uint64_t *hi,
			struct err *err)
{
	struct symbol_room e = { 0 };
	struct symbol sym;
	uint64_t off;
	struct err ignored;

	if (!symbol_at(t, addr, &sym, &off, err))
		return false;
	e.addr = sym.addr;
	if (!sym.size)
		(void)!symbol_each_named(t, sym.name, sym.module, same_symbol, &e, &ignored);
	e.room = sym.size ? sym.size : e.room;
	if (!e.room || e.room > FUNCTION_MAX)
		e.room = FUNCTION_MAX;
	*lo = sym.addr;
	*hi = sym.addr + e.room;
	return true;
}

/* Where the instruction begins that contains the address asked for, in the stream that the
 * function's callers run: decoded from its start at lo. False: bytes before it are absent or no
 * instruction. */
static bool insn_start(const struct dis_range *g, uint64_t lo, uint64_t *ret)
{
	uint8_t buf[CODE_BYTES];
	uint64_t at = lo;
	struct insn in = { 0 };
	struct err ignored;

	while (at <= g->asked) {
		size_t n = dis_code(g->c->t, at, buf, sizeof(buf), &ignored), used = 0;

		if (!n || !interrupt_check(&ignored))
			return false;
		while (used < n && at <= g->asked) {
			if (used && n - used < INSN_BYTES_MAX)
				break;
			dis_one(g->d, SPAN(buf + used, n - used), at, &in);
			if (in.bad)
				return false;
			used += in.n;
			at += in.n;
		}
	}
	*ret = at - in.n;
	return true;
}

/* Says when the address asked for is inside of an instruction; -f begins with that instruction. */
static void align(struct dis_range *g, uint64_t lo)
{
	const struct dis_opts *o = g->c->opts;
	uint64_t start;
	const char *name;
	struct err why;

	if (lo == g->asked || !insn_start(g, lo, &start) || start == g->asked)
		return;
	name = name_at(g, start);
	err_set(&why, ERR_USAGE,
		"0x%" PRIx64 " is inside of an instruction: that of %s begins %u bytes before",
		g->asked, name ? name : "?", (unsigned)(g->asked - start));
	note(g->c, &why);
	if (o->forward)
		g->at = start;
}

/* Says when the address asked for is a variable's. What no symbol names may be code all the same.
 */
static void tell_data(struct dis_range *g)
{
	struct symbol sym;
	uint64_t off;
	struct err why;

	if (!symbol_at(g->c->t, g->asked, &sym, &off, &why) || !strchr("bBdDrR", sym.type))
		return;
	err_set(&why, ERR_USAGE,
		"0x%" PRIx64 " is in the data of %.100s, and these are no instructions", g->asked,
		sym.name);
	note(g->c, &why);
}

/* crash's way: FILE, LINE, and the text around it. */
static bool show_source(struct ctx *c, uint64_t addr, uint64_t count, struct err *err)
{
	const struct line *l;
	size_t n;

	if (!line_find(c->t, addr, &l, &n, err))
		return false;
	if (!l[0].file || !l[0].line)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no line is known for this address");
	emit_insn_line(c, &l[0]);
	return emit_source(c, l[0].file, l[0].line, 2 * SOURCE_AROUND,
			   count ? (unsigned)count : 2 * SOURCE_AROUND, err);
}

static bool dis_run(struct ctx *c, struct err *err)
{
	const struct dis_opts *o = c->opts;
	struct dis_range g = { .c = c, .count = COUNT_MAX };
	uint64_t lo, hi, count = 0;
	struct symbol sym;
	struct err ignored;
	bool whole, ok;

	if (c->argc < 1 || c->argc > 2)
		return err_set(err, ERR_USAGE, "an address or a function is wanted, and a count");
	if (c->argc == 2 &&
	    (!parse_number(c->argv[1], false, &count) || !count || count > COUNT_MAX))
		return err_set(err, ERR_USAGE, "'%.40s' is not a count of 1 to %u", c->argv[1],
			       COUNT_MAX);
	if (!stage_place(c, c->argv[0], &g.asked, err))
		return false;
	if (g.asked == UINT64_MAX)
		return err_set(err, ERR_BADADDR, "0x%llx is the end of all addresses",
			       (unsigned long long)g.asked);
	if (o->source)
		return show_source(c, g.asked, count, err);
	whole = !count && !o->reverse && !o->forward &&
		symbol_find(c->t, c->argv[0], &sym, &ignored);
	if (o->reverse || o->forward || whole) {
		if (!function_of(c->t, g.asked, &lo, &hi, err))
			return false;
		g.at = o->forward ? g.asked : lo;
		g.end = o->reverse && !o->forward ? g.asked + 1 : hi;
		g.marked = !whole;
		g.count = count ? count : COUNT_MAX;
	} else {
		g.at = g.asked;
		g.end = UINT64_MAX;
		g.count = count ? count : 1;
	}
	if (!dis_open(c->arena, c->t->arch, &g.d, err))
		return false;
	tell_data(&g);
	if (!whole && function_of(c->t, g.asked, &lo, &hi, &ignored))
		align(&g, lo);
	ok = show_range(&g, err);
	dis_close(g.d);
	return ok;
}

static const struct record_kind *const emits[] = { &insn_kind, &insn_line_kind, &source_line_kind,
						   NULL };
static const struct example examples[] = {
	{ "dis schedule", "a whole function" },
	{ "dis schedule+8 4", "four instructions from an address on" },
	{ "dis -r schedule+0x20", "from the function's start to the address" },
	{ "dis -f schedule+0x20 | head -3", "and from there to its end" },
};
const struct command cmd_dis = {
	.name = "dis",
	.group = "symbols",
	.summary = "disassembles code",
	.needs = NEED_SYMBOLS,
	.operands = "function | address [count]",
	OPTS(opts),
	.opts_size = sizeof(struct dis_opts),
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Disassembles a function, or count instructions (one, if no count is given) from an address "
		"on, which may be an expression, as p takes it. Code is that of the dump, as the kernel had patched it at run time; without a dump it is "
		"the vmlinux's, as it was linked. What cannot be decoded is shown as .byte.\n\n"
		"-r goes from the start of the function up to the address, -f from the address to the "
		"function's end; both mark the address with =>. Where that is no instruction's first "
		"byte, they mark the instruction it is in; without them its bytes are decoded as asked, and a note "
		"says that the function does not run them so. -l needs debug info, -s also the sources "
		"(obit --source DIR).",
	EXAMPLES(examples),
	.run = dis_run,
};
