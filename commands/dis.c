/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dis: machine code, with names, lines and source. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/obit.h"

#define FUNCTION_MAX ((uint64_t)1 << 20) /* bytes of a function */
#define COUNT_MAX 1000000u
#define CODE_BYTES 4096u

enum {
	MARK,
	ADDR,
	WHERE,
	TEXT,
	FUNC,
	OFFSET,
	MODULE,
	BYTES,
	MNEMONIC,
	OPERANDS,
	TARGET,
	TARGET_NAME,
	CURRENT,
	DECODED
};
static const struct record_field fields[] = {
	[MARK] = { "mark", NULL, CELL_STR, FIELD_TEXT, "=> at the address asked for" },
	[ADDR] = { "addr", NULL, CELL_HEX, 0, "address of the instruction" },
	[WHERE] = { "where", NULL, CELL_STR, FIELD_TEXT, "function and offset" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_TEXT, "the instruction, with names of addresses" },
	[FUNC] = { "func", NULL, CELL_STR, FIELD_JSON, "function it is in" },
	[OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "from its start" },
	[MODULE] = { "module", NULL, CELL_STR, FIELD_JSON, "null for the kernel" },
	[BYTES] = { "bytes", NULL, CELL_STR, FIELD_JSON, "its bytes in hexadecimal" },
	[MNEMONIC] = { "mnemonic", NULL, CELL_STR, FIELD_JSON, "the operation" },
	[OPERANDS] = { "operands", NULL, CELL_STR, FIELD_JSON, "its operands" },
	[TARGET] = { "target", NULL, CELL_ADDR, FIELD_JSON,
		     "address it branches to, or of data it names relative to itself" },
	[TARGET_NAME] = { "target_name", NULL, CELL_STR, FIELD_JSON, "what is there" },
	[CURRENT] = { "current", NULL, CELL_BOOL, FIELD_JSON, "it is at the address asked for" },
	[DECODED] = { "decoded", NULL, CELL_BOOL, FIELD_JSON,
		      "false: its bytes are no instruction known" },
};
static const struct record_kind insn_kind = {
	.name = "insn",
	.doc = "one machine instruction",
	.layout = LAYOUT_LINE,
	.line = "{mark:-2} {addr} <{where}>:  {text}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};
static const struct record_field place_fields[] = {
	[0] = { "file", NULL, CELL_STR, 0, "source file" },
	[1] = { "line", NULL, CELL_UINT, 0, "line in it" },
};
static const struct record_kind insn_line_kind = {
	.name = "insn_line",
	.doc = "the source line of the instructions that follow (-l)",
	.layout = LAYOUT_LINE,
	.line = "{file}: {line}",
	.fields = place_fields,
	.n_fields = ARRAY_SIZE(place_fields),
};

struct dis_opts {
	bool lines, source, reverse, forward, hex, decimal;
};
#define FLAG(letter, member, text)                                                 \
	{                                                                          \
		letter, NULL, OPTION_FLAG, offsetof(struct dis_opts, member), text \
	}
static const struct option opts[] = {
	FLAG("l", lines, "source file and line of the instructions"),
	FLAG("s", source, "the source text around the address, and no instructions"),
	FLAG("r", reverse, "from the start of the function to the address"),
	FLAG("f", forward, "from the address to the end of the function"),
	FLAG("x", hex, "offsets in hexadecimal"),
	FLAG("d", decimal, "offsets in decimal"),
};

/* What to show: code of [at, end), or `count` instructions of it. */
struct range {
	struct ctx *c;
	struct dis *d;
	uint64_t at, end, asked, count;
	bool marked;      /* the one asked for stands among others */
	const char *file; /* the line shown last */
	unsigned line;
};

static const char *name_at(const struct range *g, uint64_t addr, struct symbol *sym, bool *known)
{
	const struct dis_opts *o = g->c->opts;
	bool hex = o->hex || (!o->decimal && g->c->s->radix == 16);
	uint64_t off;
	struct err err;

	*known = symbol_at(g->c->t, addr, sym, &off, &err);
	if (!*known)
		return "?";
	if (!off)
		return sym->name;
	return arena_printf(g->c->arena, hex ? "%s+0x%" PRIx64 : "%s+%" PRIu64, sym->name, off);
}

static const char *insn_text(const struct range *g, const struct insn *in, const char *target)
{
	struct arena *a = g->c->arena;

	if (!*in->operands)
		return in->mnemonic;
	if (!target)
		return arena_printf(a, "%-6s %s", in->mnemonic, in->operands);
	if (in->branch)
		return arena_printf(a, "%-6s %s <%s>", in->mnemonic, in->operands, target);
	return arena_printf(a, "%-6s %s  # 0x%" PRIx64 " <%s>", in->mnemonic, in->operands,
			    in->target, target);
}

static void show_line(struct range *g, uint64_t addr)
{
	const struct line *l;
	struct record r;
	struct err err;
	size_t n;

	if (!line_find(g->c->t, addr, &l, &n, &err) || !l[0].file ||
	    (g->file && !strcmp(g->file, l[0].file) && g->line == l[0].line))
		return;
	g->file = l[0].file;
	g->line = l[0].line;
	record_init(&r, &insn_line_kind);
	record_str(&r, 0, l[0].file);
	record_uint(&r, 1, l[0].line);
	emit(g->c, &r);
}

static void show_insn(struct range *g, const struct insn *in)
{
	struct arena *a = g->c->arena;
	struct symbol sym, to;
	char hex[2 * INSN_BYTES_MAX + 1];
	bool asked = g->asked - in->addr < in->n, known;
	const char *target = NULL;
	struct record r;

	for (unsigned i = 0; i < in->n; i++)
		snprintf(hex + 2 * i, 3, "%02x", in->bytes[i]);
	record_init(&r, &insn_kind);
	record_str(&r, MARK, g->marked && asked ? "=>" : "");
	record_uint(&r, ADDR, in->addr);
	record_bool(&r, CURRENT, asked);
	record_bool(&r, DECODED, !in->bad);
	if (in->has_target) {
		target = name_at(g, in->target, &to, &known);
		record_uint(&r, TARGET, in->target);
		if (known)
			record_str(&r, TARGET_NAME, target);
		else
			target = NULL;
	}
	record_str(&r, WHERE, name_at(g, in->addr, &sym, &known));
	if (known) {
		record_str(&r, FUNC, sym.name);
		record_uint(&r, OFFSET, in->addr - sym.addr);
		record_str(&r, MODULE, sym.module);
	}
	record_strn(&r, BYTES, arena_strdup(a, hex), 2 * (size_t)in->n);
	record_str(&r, MNEMONIC, arena_strdup(a, in->mnemonic));
	record_str(&r, OPERANDS, arena_strdup(a, in->operands));
	record_str(&r, TEXT, arena_strdup(a, insn_text(g, in, target)));
	emit(g->c, &r);
}

/* Code is read in pieces; an instruction that does not fit one begins the next. */
static bool show_range(struct range *g, struct err *err)
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

struct extent {
	uint64_t addr, room;
};

static bool same_symbol(const struct symbol *s, uint64_t room, void *arg)
{
	struct extent *e = arg;

	if (s->addr == e->addr)
		e->room = room;
	return s->addr != e->addr;
}

/* Where the function around an address begins and ends. */
static bool function_of(struct target *t, uint64_t addr, uint64_t *lo, uint64_t *hi,
			struct err *err)
{
	struct extent e = { 0 };
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
static bool insn_start(const struct range *g, uint64_t lo, uint64_t *ret)
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
static void align(struct range *g, uint64_t lo)
{
	const struct dis_opts *o = g->c->opts;
	uint64_t start;
	struct symbol sym;
	struct err why;
	bool known;

	if (lo == g->asked || !insn_start(g, lo, &start) || start == g->asked)
		return;
	err_set(&why, ERR_USAGE,
		"0x%" PRIx64 " is inside of an instruction: that of %s begins %u bytes before",
		g->asked, name_at(g, start, &sym, &known), (unsigned)(g->asked - start));
	note(g->c, &why);
	if (o->forward)
		g->at = start;
}

/* crash's way: FILE, LINE, and the text around it. */
static bool show_source(struct ctx *c, uint64_t addr, uint64_t count, struct err *err)
{
	const struct line *l;
	struct record r;
	size_t n;

	if (!line_find(c->t, addr, &l, &n, err))
		return false;
	if (!l[0].file || !l[0].line)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no line is known for this address");
	record_init(&r, &insn_line_kind);
	record_str(&r, 0, l[0].file);
	record_uint(&r, 1, l[0].line);
	emit(c, &r);
	return emit_source(c, l[0].file, l[0].line, 2 * SOURCE_AROUND,
			   count ? (unsigned)count : 2 * SOURCE_AROUND, err);
}

static bool dis_run(struct ctx *c, struct err *err)
{
	const struct dis_opts *o = c->opts;
	struct range g = { .c = c, .count = COUNT_MAX };
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
