/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list: the entries of a linked list, as crash has it. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/linux/container/walk.h"
#include "core/records/print_type.h"
#include "core/shell/stage.h"

struct list_opts {
	const char *offset, *end, *show, *show_more, *embedded, *head_offset;
	bool head, outside, back, brent, hex, dec;
};
static const struct option opts[] = {
	{ "o", "offset", OPTION_STR, offsetof(struct list_opts, offset),
	  "where the link is in its struct: a number, or struct.member" },
	{ "e", "end", OPTION_STR, offsetof(struct list_opts, end),
	  "a list that ends at this address" },
	{ "h", NULL, OPTION_FLAG, offsetof(struct list_opts, head),
	  "links are list_heads, and start is the first struct" },
	{ "H", NULL, OPTION_FLAG, offsetof(struct list_opts, outside),
	  "the same, and start is a list_head that is in none of them" },
	{ "s", "struct[.member[,member]]", OPTION_STR, offsetof(struct list_opts, show),
	  "show each entry as this struct, or these members" },
	{ "S", "struct[.member[,member]]", OPTION_STR, offsetof(struct list_opts, show_more),
	  "the same" },
	{ "l", "offset", OPTION_STR, offsetof(struct list_opts, embedded),
	  "the addresses are those of list_heads, at this offset or struct.member of the struct" },
	{ "O", "offset", OPTION_STR, offsetof(struct list_opts, head_offset),
	  "with -h: start is a struct of another kind, with the list's head at this offset or "
	  "struct.member" },
	{ "r", NULL, OPTION_FLAG, offsetof(struct list_opts, back),
	  "with -h or -H: from the last to the first" },
	{ "B", NULL, OPTION_FLAG, offsetof(struct list_opts, brent),
	  "taken for crash's sake: cycles are always found" },
	{ "x", NULL, OPTION_FLAG, offsetof(struct list_opts, hex), "numbers in hexadecimal" },
	{ "d", NULL, OPTION_FLAG, offsetof(struct list_opts, dec), "numbers in decimal" },
};

struct list {
	struct stage_entries e;
	const char *start; /* operand */
	struct err *err;
	bool ok;
};

static bool show(uint64_t addr, void *arg)
{
	struct list *w = arg;

	w->ok = stage_entry(&w->e, addr, w->err);
	return w->ok;
}

static void show_flaw(const struct err *e, void *arg)
{
	const struct list *w = arg;

	note(w->e.c, e);
}

/* Links of list_heads, from head on. */
static bool ring(struct list *w, uint64_t head, bool back, struct err *why)
{
	const struct walk_plan plan = { .what = "list",
					.head = head,
					.link = w->e.offset,
					.node = show,
					.flaw = show_flaw,
					.arg = w };

	return list_walk(w->e.c->t, &plan, back, why);
}

/* -l names the struct too, where neither -s nor the link's offset does. */
static bool embedded(struct list *w, const char *word, struct err *err)
{
	struct ctx *c = w->e.c;

	if (!word)
		return true;
	if (w->e.type || !strchr(word, '.'))
		return stage_offset(c, word, &w->e.embedded, err);
	if (!stage_link(c, word, &w->e.type, &w->e.embedded, err))
		return false;
	c->out_type = w->e.type;
	return true;
}

/* "list task_struct.tasks -h addr": the first of two operands is the offset, as in crash; but
 * "list -H modules module.list" is clear too. */
static bool list_types(struct ctx *c, struct err *err)
{
	const struct list_opts *o = c->opts;
	struct list *w = ARENA_NEW(c->arena, struct list);
	const char *offset = o->offset;
	struct err ignored;
	uint64_t off;
	bool swapped;

	c->state = w;
	if (c->argc < 1 || c->argc > 2 || (c->argc == 2 && offset))
		return err_set(err, ERR_USAGE, "an offset and a start are wanted, or a start");
	swapped = c->argc == 2 && !stage_offset(c, c->argv[0], &off, &ignored) &&
		  strchr(c->argv[1], '.') && stage_offset(c, c->argv[1], &off, &ignored);
	if (c->argc == 2)
		offset = c->argv[swapped];
	w->start = c->argv[c->argc - 1 - swapped];
	return stage_entries_init(&w->e, c, o->show ? o->show : o->show_more, offset, err) &&
	       embedded(w, o->embedded, err);
}

/* Links that are no list_heads point to the next struct's start; they end at NULL, where they
 * began, or at -e. */
static bool follow(struct list *w, uint64_t start, uint64_t end, struct err *why)
{
	struct target *t = w->e.c->t;
	uint64_t at = start, next, n = 0;
	struct guard g;

	guard_init(&g, "list", 0);
	while (at && at != end) {
		if (!guard_step(&g, at, why))
			return false;
		if (!mem_ptr(t, at + w->e.offset, &next, why))
			return err_wrap(why, "list: entry 0x%" PRIx64 ", number %" PRIu64, at, n);
		n++;
		if (!show(at, w) || next == start)
			return true;
		at = next;
	}
	return true;
}

/* From the struct at start around to it again; the list's own head is somewhere among them. */
static bool around(struct list *w, uint64_t start, bool back, struct err *why)
{
	return !show(start, w) || ring(w, start + w->e.offset, back, why);
}

/* gdb's "list FUNC", which is no list of the kernel's. */
static bool is_function(struct ctx *c, const char *word)
{
	struct symbol sym;
	struct err ignored;

	return symbol_find(c->t, word, &sym, &ignored) && strchr("tTwW", sym.type);
}

static bool list_run(struct ctx *c, struct err *err)
{
	const struct list_opts *o = c->opts;
	struct list *w = c->state;
	uint64_t start, end = 0, head = 0;
	struct err why = { 0 };
	bool ok;

	if (is_function(c, w->start))
		return err_set(
			err, ERR_USAGE,
			"'%.60s' is a function, and no list begins there: 'line -s %.60s' says "
			"where its source is, and shows it",
			w->start, w->start);

	if (!stage_place(c, w->start, &start, err) ||
	    (o->end && !stage_place(c, o->end, &end, err)) ||
	    (o->head_offset && !stage_offset(c, o->head_offset, &head, err)))
		return false;
	if (o->head_offset && !o->head)
		return err_set(err, ERR_USAGE, "-O needs -h: start is the struct with the head");
	if (o->back && !o->head && !o->outside)
		return err_set(err, ERR_USAGE, "-r needs -h or -H: other lists lead one way");
	stage_entries_begin(&w->e, o->hex, o->dec);
	w->err = err;
	w->ok = true;
	if (o->outside || o->head_offset)
		ok = ring(w, start + head, o->back, &why);
	else
		ok = o->head ? around(w, start, o->back, &why) : follow(w, start, end, &why);
	return stage_entries_end(&w->e, w->ok, ok, &why, err);
}

static const struct example examples[] = {
	{ "list module.list -H modules", "the addresses of all modules" },
	{ "list task_struct.tasks -s task_struct.pid,comm -h init_task", "processes" },
	{ "list module.list -H modules | pick name", "the same as values" },
	{ "list task_struct.sibling -O task_struct.children -h init_task",
	  "children: their list's head is in another struct" },
};
const struct command cmd_list = {
	.name = "list",
	.group = "types",
	.summary = "the entries of a linked list",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.operands = "[offset] start",
	.types = list_types,
	OPTS(opts),
	.opts_size = sizeof(struct list_opts),
	.emits = (const struct record_kind *const[]){ &link_record, &value_record, NULL },
	.none = "no entry",
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "Prints the address of each entry, start first. Without -h and -H the link is a "
		"pointer to the next entry's start, at the offset, until NULL, start or -e.\n\n"
		"Links that cannot be true end the list with a note of where and why; what was "
		"found stays, and the exit status is 4. For a pipeline, entries have the struct "
		"that the offset or -s names.",
	EXAMPLES(examples),
	.run = list_run,
};
