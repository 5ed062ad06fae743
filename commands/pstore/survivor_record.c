/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of pstore as obit's own records. */
#include <string.h>

#include "core/base/buf.h"
#include "commands/pstore/survivor_record.h"
#include "core/image/target.h"

enum {
	N,
	TYPE,
	TIME_NS,
	TIME_HOW,
	REASON,
	COUNT,
	PART,
	STORED,
	SIZE,
	CODEC,
	ECC_SIZE,
	CORRECTED,
	LOST,
	DOUBTFUL,
	EMPTY,
	STALE,
	BACKEND,
	ID,
	FILE_NAME,
	OFFSET,
	ROOM,
	DAMAGE,
	HEADLINE,
	KERNEL_OFFSET,
	TEXT
};

/* What a record tells of. */
struct survivor_of {
	const struct survivor *s;
	bool text;        /* JSON has the text, too */
	const char *file; /* that it was written to; NULL: to none */
};

/* What error correction did. */
static void form_ecc(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	const struct survivor_of *of = r->of;
	const struct survivor *s = of->s;

	(void)k, (void)cell;
	if ((!s->ecc && !s->ecc_said) || (!s->corrected && !s->lost && s->empty))
		buf_char(b, '-');
	else if (!s->corrected && !s->lost)
		buf_str(b, "no errors");
	else
		buf_printf(b, "%u fixed, %u lost", s->corrected, s->lost);
}

static void form_state(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	bool damaged = r->cells[DAMAGE].kind == CELL_STR;

	(void)k;
	if (cell->b)
		buf_str(b, damaged ? "damaged" : "empty");
	else
		buf_str(b, r->cells[STALE].b ? "erased" : damaged ? "damaged" : "whole");
}

static const struct record_field fields[] = {
	[N] = { "n", "N", CELL_UINT, FIELD_RIGHT, "the record's number, for show" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "dmesg, console, pmsg, ftrace, mce, unknown" },
	[TIME_NS] = { "wall_ns", "TIME", CELL_DATE, 0,
		      "time of the crash in nanoseconds since 1970, UTC" },
	[TIME_HOW] = { "time_how", NULL, CELL_STR, FIELD_JSON,
		       "where that is from: header, id, or the file's mtime" },
	[REASON] = { "reason", NULL, CELL_STR, 0, "why the kernel wrote it: Panic, Oops, ..." },
	[COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "which one since boot" },
	[PART] = { "part", NULL, CELL_UINT, FIELD_RIGHT, "part of the log; 1 is the newest text" },
	[STORED] = { "stored", NULL, CELL_UINT, FIELD_JSON, "bytes as they were stored" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes of text" },
	[CODEC] = { "compression", "PACKED", CELL_STR, 0, "codec that was found by trial" },
	[ECC_SIZE] = { "ecc_size", "ECC", CELL_UINT, 0, "bytes of parity a block of 128; 0 none",
		       .text = form_ecc },
	[CORRECTED] = { "corrected", NULL, CELL_UINT, FIELD_JSON, "bytes corrected" },
	[LOST] = { "lost_blocks", NULL, CELL_UINT, FIELD_JSON, "blocks with too many errors" },
	[DOUBTFUL] = { "doubtful_blocks", NULL, CELL_UINT, FIELD_JSON,
		       "blocks corrected at the limit, perhaps wrongly" },
	[EMPTY] = { "empty", "STATE", CELL_BOOL, 0, "a zone without a record", .text = form_state },
	[STALE] = { "stale", NULL, CELL_BOOL, FIELD_JSON, "the kernel had erased it" },
	[BACKEND] = { "backend", NULL, CELL_STR, 0, "where it was kept: ramoops, efi, ..." },
	[ID] = { "id", NULL, CELL_UINT, FIELD_JSON, "the backend's number of it" },
	[FILE_NAME] = { "file", NULL, CELL_STR, FIELD_JSON, "file that it is of; null: the dump" },
	[OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "of its zone in there" },
	[ROOM] = { "room", NULL, CELL_UINT, FIELD_JSON, "bytes of its zone; 0: a file of its own" },
	[DAMAGE] = { "damage", NULL, CELL_STR, FIELD_JSON, "what is missing, and why" },
	[HEADLINE] = { "headline", NULL, CELL_STR, FIELD_JSON, "the line that names the crash" },
	[KERNEL_OFFSET] = { "kernel_offset", NULL, CELL_HEX, FIELD_JSON,
			    "how far the kernel's text was moved (KASLR)" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_JSON, "all of it; only with show" },
};

/* What is found by reading the text. */
static void survivor_complete(struct record *r)
{
	const struct survivor_of *of = r->of;
	struct survivor_line line;
	uint64_t offset;

	if (survivor_headline(of->s, &line))
		record_strn(r, HEADLINE, line.text, line.n);
	if (survivor_kernel_offset(of->s, &offset))
		record_uint(r, KERNEL_OFFSET, offset);
	if (of->text && of->s->text)
		record_strn(r, TEXT, of->s->text, of->s->n);
}

const struct record_kind survivor_kind = {
	.name = "pstore_record",
	.doc = "One record that survived.",
	.layout = LAYOUT_TABLE,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.complete = survivor_complete,
};

static void file_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct survivor_of *of = r->of;

	(void)k, (void)cell;
	buf_plain(b, of->file, strlen(of->file));
	buf_char(b, '\n');
}

/* The same of a record that was written to a file, which is what people are told. */
static const struct record_kind file_kind = {
	.name = "pstore_record",
	.layout = LAYOUT_OWN,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.text = file_text,
	.complete = survivor_complete,
};

/* The text of a record as people read it; of calls and of what user space wrote there are records.
 */
static void shown_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct survivor *s = ((const struct survivor_of *)r->of)->s;
	size_t n = s->n;

	(void)k, (void)cell;
	if (s->n_calls || s->pmsg.n)
		return;
	if (s->text) {
		while (n && s->text[n - 1] == '\n')
			n--;
		buf_add(b, s->text, n);
		buf_char(b, '\n');
	} else if (s->empty) {
		buf_printf(b, "note: record %llu is empty\n", (unsigned long long)r->cells[N].u);
	}
}

static const struct record_kind shown_kind = {
	.name = "pstore_record",
	.layout = LAYOUT_OWN,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.text = shown_text,
	.complete = survivor_complete,
};

enum {
	CRASH_NS,
	CRASH_WHAT,
	CRASH_REASON,
	CRASH_COUNT,
	CRASH_KERNEL,
	CRASH_RECORDS
};
static const struct record_field crash_fields[] = {
	[CRASH_NS] = { "wall_ns", "LAST CRASH", CELL_DATE, 0, "nanoseconds since 1970, UTC" },
	[CRASH_WHAT] = { "headline", "WHAT", CELL_STR, 0, "the line that names it" },
	[CRASH_REASON] = { "reason", NULL, CELL_STR, FIELD_JSON, "Panic, Oops, ..." },
	[CRASH_COUNT] = { "count", NULL, CELL_UINT, FIELD_JSON, "which one since boot" },
	[CRASH_KERNEL] = { "kernel", "KERNEL", CELL_STR, 0, "which kernel it was" },
	[CRASH_RECORDS] = { "records", "RECORDS", CELL_UINT, 0, "that hold something" },
};
const struct record_kind survivor_crash_kind = {
	.name = "pstore_crash",
	.doc = "The last crash that the records tell of.",
	.layout = LAYOUT_PAIRS,
	.fields = crash_fields,
	.n_fields = ARRAY_SIZE(crash_fields),
};

/* When it was, where the record says so. */
static void record_time(struct record *r, unsigned field, const struct survivor *s)
{
	if (s->has_time)
		record_date(r, field, s->time_s, s->time_us * INT64_C(1000));
}

static void record_make(struct record *r, const struct record_kind *kind,
			const struct survivor_of *of, size_t n)
{
	const struct survivor *s = of->s;

	record_init(r, kind);
	r->of = of;
	record_uint(r, N, n);
	record_str(r, TYPE, survivor_type_name(s->type));
	record_time(r, TIME_NS, s);
	record_str(r, TIME_HOW, s->has_time ? s->time_how : NULL);
	record_str(r, REASON, s->reason);
	if (s->reason) {
		record_uint(r, COUNT, s->count);
		record_uint(r, PART, s->part);
	}
	record_uint(r, STORED, s->stored.n);
	if (s->text || s->pmsg.n || s->n_calls)
		record_uint(r, SIZE, s->text ? s->n : s->stored.n);
	record_str(r, CODEC, s->codec);
	record_uint(r, ECC_SIZE, s->ecc);
	record_uint(r, CORRECTED, s->corrected);
	record_uint(r, LOST, s->lost);
	record_uint(r, DOUBTFUL, s->doubtful);
	record_str(r, BACKEND, s->backend);
	if (s->id)
		record_uint(r, ID, s->id);
	record_str(r, FILE_NAME, s->path);
	record_uint(r, OFFSET, s->offset);
	record_uint(r, ROOM, s->room);
	record_bool(r, EMPTY, s->empty);
	record_bool(r, STALE, s->stale);
	record_str(r, DAMAGE, s->damage);
}

void emit_survivor(struct ctx *c, const struct survivor *s, size_t n)
{
	const struct survivor_of of = { .s = s };
	struct record r;

	record_make(&r, &survivor_kind, &of, n);
	emit(c, &r);
}

void emit_survivor_shown(struct ctx *c, const struct survivor *s, size_t n)
{
	const struct survivor_of of = { .s = s, .text = true };
	struct record r;

	record_make(&r, &shown_kind, &of, n);
	emit(c, &r);
}

void emit_survivor_file(struct ctx *c, const struct survivor *s, size_t n, const char *file)
{
	const struct survivor_of of = { .s = s, .file = file };
	struct record r;

	record_make(&r, &file_kind, &of, n);
	emit(c, &r);
}

void note_survivor_damage(struct ctx *c, const struct survivor *s, size_t n)
{
	struct err why;

	if (s->doubtful) {
		err_set(&why, ERR_OK,
			"record %zu: %u blocks were corrected at the limit of their parity, some "
			"perhaps wrongly",
			n, s->doubtful);
		note(c, &why);
	}
	if (!s->damage)
		return;
	err_set(&why, s->stale || s->empty ? ERR_OK : ERR_CORRUPT, "record %zu: %s", n, s->damage);
	note(c, &why);
}

void emit_survivor_crash(struct ctx *c, const struct survivor *const *v, size_t n)
{
	const struct survivor *last = NULL, *s = NULL;
	struct survivor_line line;
	const char *banner = NULL;
	size_t banner_n = 0, records = 0;
	struct record r;

	for (size_t i = 0; i < n; i++) {
		records += !v[i]->empty;
		if (v[i]->type != SURVIVOR_DMESG && v[i]->type != SURVIVOR_CONSOLE)
			continue;
		if (!banner || v[i]->type == SURVIVOR_DMESG)
			survivor_banner(v[i], &banner, &banner_n);
		if (survivor_headline(v[i], &line) && (!s || !v[i]->stale))
			s = v[i];
		if (v[i]->reason && !v[i]->stale)
			last = v[i];
	}
	record_init(&r, &survivor_crash_kind);
	if (last) {
		record_time(&r, CRASH_NS, last);
		record_str(&r, CRASH_REASON, last->reason);
		record_uint(&r, CRASH_COUNT, last->count);
	}
	if (s && survivor_headline(s, &line))
		record_strn(&r, CRASH_WHAT, line.text, line.n);
	if (banner)
		record_strn(&r, CRASH_KERNEL, banner, banner_n);
	else if (c->t->survivors.writer)
		record_str(&r, CRASH_KERNEL,
			   arena_printf(c->arena, "Linux %s (says the zones' signature)",
					c->t->survivors.writer));
	record_uint(&r, CRASH_RECORDS, records);
	emit(c, &r);
}
