/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sbitmapq: which numbers of a sbitmap_queue are taken, and what they stand for. */
#include "core/obit.h"
#include "core/linux/io/sbitmap_queue.h"
#include "core/shell/forms.h"
#include "core/shell/stage.h"
#include "core/records/print_type.h"
#include "commands/device/sbitmapq_record.h"

struct sbitmapq_opts {
	const char *show, *array;
	bool pointers, verbose, hex, dec;
};
static const struct option opts[] = {
	OPT_STR("s", "type", struct sbitmapq_opts, show,
		"what each number that is taken stands for: a struct, or members of one"),
	OPT_STR("a", "array", struct sbitmapq_opts, array,
		"where those structs are, one behind the other; a disk has its requests"),
	OPT_FLAG("p", struct sbitmapq_opts, pointers, "the array is one of pointers to them"),
	OPT_FLAG("v", struct sbitmapq_opts, verbose, "their members, not their addresses alone"),
	OPT_FLAG("x", struct sbitmapq_opts, hex, "with -v: numbers in hexadecimal"),
	OPT_FLAG("d", struct sbitmapq_opts, dec, "with -v: numbers in decimal"),
};

static const struct record_field number_fields[] = {
	{ "index", NULL, CELL_UINT, 0, "the number that is taken" },
	{ "address", NULL, CELL_HEX, 0, "of the struct that it stands for" },
	{ "queue", NULL, CELL_ADDR, FIELD_JSON, "address of the struct sbitmap_queue" },
};
static const struct record_kind number_kind = { "sbitmap_number", "a number that is taken",
						LAYOUT_LINE,      "{index}: {address}",
						number_fields,    ARRAY_SIZE(number_fields) };

struct sbitmapq {
	struct ctx *c;
	struct stage_entries e; /* with -s */
	uint64_t array;
	bool pointers;
	const struct io_tags *tags;        /* whose requests the numbers stand for; NULL: array's */
	const struct sbitmap_queue *queue; /* at hand */
	const char *head;                  /* said before its first number; NULL: nothing */
	struct err *err;
	bool ok;
};

static void sbitmapq_flaw(const struct err *e, void *arg)
{
	const struct sbitmapq *w = arg;

	note(w->c, e);
}

static bool number_show(uint64_t n, void *arg)
{
	const struct sbitmapq_opts *o;
	struct sbitmapq *w = arg;
	uint64_t addr, word = w->c->t->arch->word;
	struct record r;
	struct err why;

	o = w->c->opts;
	addr = w->array + n * (w->pointers ? word : w->e.type->size);
	if (w->tags ? !io_tags_request(w->c->t, w->tags, n, &addr, &why)
		    : w->pointers && !mem_ptr(w->c->t, addr, &addr, &why)) {
		err_wrap(&why, "pointer %llu", (unsigned long long)n);
		note(w->c, &why);
		return true;
	}
	if (piped(w->c)) {
		w->ok = !addr || yield(w->c, value_ref(w->e.type, addr), w->err);
		return w->ok;
	}
	if (w->head)
		emit_heading(w->c, w->head);
	w->head = NULL;
	record_init(&r, &number_kind);
	record_uint(&r, 0, n);
	record_uint(&r, 1, addr);
	record_uint(&r, 2, w->queue->addr);
	emit(w->c, &r);
	if (o->verbose && addr)
		w->ok = w->e.shown.cmd->each(&w->e.shown, value_ref(w->e.type, addr), w->err);
	return w->ok;
}

static bool one_queue(struct sbitmapq *w, uint64_t addr, const struct io_tags *tags,
		      struct err *err)
{
	struct walk_plan plan = {
		.what = "sbitmap", .number = number_show, .flaw = sbitmapq_flaw, .arg = w
	};
	struct sbitmap_queue q;

	if (!sbitmap_queue_read(w->c->t, addr, w->c->arena, &q, sbitmapq_flaw, w, err))
		return false;
	if (!w->e.type) {
		emit_sbitmap_queue(w->c, &q, tags);
		return true;
	}
	w->queue = &q;
	plan.head = q.sb;
	return sbitmap_walk(w->c->t, &plan, err);
}

static bool tags_show(const struct io_tags *tags, void *arg)
{
	const struct sbitmapq_opts *o;
	struct sbitmapq *w = arg;
	struct err why;

	o = w->c->opts;
	w->tags = o->array ? NULL : tags;
	w->head = arena_printf(w->c->arena, "%s, hardware queue %u, %s tags:", tags->disk,
			       tags->hctx, tags->of);
	if (!one_queue(w, tags->queue, tags, &why) && w->ok)
		note(w->c, &why);
	return w->ok;
}

static bool sbitmapq_types(struct ctx *c, struct err *err)
{
	const struct sbitmapq_opts *o = c->opts;
	struct sbitmapq *w = ARENA_NEW(c->arena, struct sbitmapq);

	c->state = w;
	w->c = w->e.c = c;
	if (c->argc != 1)
		return err_set(err, ERR_USAGE,
			       "the address of a sbitmap_queue is wanted, or a disk's name");
	if (!o->show && (o->array || o->pointers || o->verbose || piped(c)))
		return err_set(err, ERR_USAGE, "which struct the numbers stand for is wanted: -s");
	return !o->show || stage_entries_init(&w->e, c, o->show, NULL, err);
}

static bool sbitmapq_run(struct ctx *c, struct err *err)
{
	const struct sbitmapq_opts *o = c->opts;
	struct sbitmapq *w = c->state;
	struct io_call call = { .t = c->t, .a = c->arena, .flaw = sbitmapq_flaw, .arg = w };
	struct err why, ignored;
	uint64_t addr;
	bool ok;

	w->err = err;
	w->ok = true;
	w->pointers = o->pointers;
	if (o->array && !stage_place(c, o->array, &w->array, err))
		return false;
	stage_entries_begin(&w->e, o->hex, o->dec);
	ok = io_tags_each(&call, c->argv[0], tags_show, w, &why);
	w->tags = NULL;
	if (!ok && w->ok && stage_place(c, c->argv[0], &addr, &ignored)) {
		ok = !o->show || o->array ||
		     err_set(&why, ERR_USAGE, "where those structs are is wanted: -a");
		ok = ok && one_queue(w, addr, NULL, &why);
	}
	return stage_entries_end(&w->e, w->ok, ok, &why, err);
}

static const struct example examples[] = {
	{ "sbitmapq loop0", "the tags of a disk" },
	{ "sbitmapq loop0 -s request", "its requests that are under way" },
	{ "sbitmapq loop0 -s request | pick tag, __sector", "their members" },
};
const struct command cmd_sbitmapq = {
	.name = "sbitmapq",
	.group = "system",
	.summary = "numbers that a sbitmap_queue handed out",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.types = sbitmapq_types,
	.out = "any",
	.operands = "disk | sbitmap_queue",
	OPTS(opts),
	.opts_size = sizeof(struct sbitmapq_opts),
	.emits = (const struct record_kind *const[]){ &sbitmap_queue_kind, &number_kind,
						      &value_record, NULL },
	.none = "no number is taken",
	.completes = COMPLETE_SYMBOL,
	.help = "Prints a struct sbitmap_queue in the words of debugfs and crash: how many numbers there are, how many "
		"are taken (busy) or given back but not cleared yet, where each CPU looks first, and its wait queues; "
		"then the bits, the lowest byte and bit first. The operand is its address, or a disk's name: the "
		"tags of each of its hardware queues, and those of its scheduler.\n\n"
		"With -s it is what the numbers that are taken stand for: elements of the array that -a names, or of a "
		"disk its requests.",
	EXAMPLES(examples),
	.run = sbitmapq_run,
};
