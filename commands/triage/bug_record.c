/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of what a database of crashes holds. */
#include "commands/triage/bug_record.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define DAY_AND_TIME sizeof("2026-11-23 10:00")

/* To the minute, and so that it sorts: a table of bugs has many of them. */
static void date_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	time_t s = (time_t)(cell->i / 1000000000);
	char text[DAY_AND_TIME + 16];
	struct tm tm;

	(void)k, (void)r;
	if (localtime_r(&s, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm))
		buf_str(b, text);
	else
		buf_printf(b, "%" PRId64, (int64_t)s);
}

/* The first of them, and how many more. */
static void first_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->strs.n)
		buf_plain(b, cell->strs.v[0], strlen(cell->strs.v[0]));
	if (cell->strs.n > 1)
		buf_printf(b, " +%zu", cell->strs.n - 1);
}

enum {
	B_NUMBER,
	B_COUNT,
	B_FIRST,
	B_LAST,
	B_OUTCOME,
	B_KIND,
	B_TITLE,
	B_FUNCTION,
	B_RELEASES,
	B_SIGNATURES,
	B_KNOWN,
	B_VERDICT,
	B_SURE,
	B_PATH,
	B_FIELDS
};
#define BUG_FIELDS                                                                                  \
	{ "bug", NULL, CELL_UINT, FIELD_RIGHT, "its number in the database" },                      \
		{ "count", "CRASHES", CELL_UINT, FIELD_RIGHT, "crashes of it" },                    \
		{ "first_ns", "FIRST", CELL_DATE, 0, "when its first crash happened, or was added", \
		  date_text },                                                                      \
		{ "last_ns", "LAST", CELL_DATE, 0, "when its last one did", date_text },            \
		{ "outcome", NULL, CELL_STR, 0, "of the first one" },                               \
		{ "kind", NULL, CELL_STR, FIELD_JSON, "of what killed them" },                      \
		{ "title", NULL, CELL_STR, 0, "of the first one" },                                 \
		{ "function", NULL, CELL_STR, FIELD_JSON, "that is to blame" },                     \
		{ "releases", NULL, CELL_STRS, 0, "of the kernels that it happened to, in order",   \
		  first_text },                                                                     \
		{ "signatures", NULL, CELL_STRS, FIELD_JSON, "of its crashes" },                    \
		{ "known", NULL, CELL_STR, 0, "the note that --known had for the last one" },       \
		{ "verdict", NULL, CELL_STR, FIELD_JSON, "the sentence of the first one" },         \
		{ "sure", NULL, CELL_STR, FIELD_JSON, "how sure that is" },                         \
	{                                                                                           \
		"path", NULL, CELL_STR, FIELD_JSON, "the name of the first one"                     \
	}

static const struct record_field bug_fields[B_FIELDS] = { BUG_FIELDS };
const struct record_kind bug_kind = {
	.name = "bug",
	.doc = "Crashes of one bug that a database remembers.",
	.layout = LAYOUT_TABLE,
	.fields = bug_fields,
	.n_fields = B_FIELDS,
};

enum {
	X_CHANGE,
	X_AGAINST,
	X_BUG /* here begin those of bug */
};
static const struct record_field change_fields[X_BUG + B_FIELDS] = {
	{ "change", NULL, CELL_STR, 0, "new (--release has it, --against has not), both, or gone" },
	{ "against", NULL, CELL_UINT, FIELD_RIGHT, "crashes of it with --against" },
	BUG_FIELDS
};
const struct record_kind bug_change_kind = {
	.name = "bug_change",
	.doc = "What became of a bug between two releases; count is of --release.",
	.layout = LAYOUT_TABLE,
	.fields = change_fields,
	.n_fields = X_BUG + B_FIELDS,
};

void emit_bug(struct ctx *c, const struct kept_bug *b)
{
	bool compared = b->change != CHANGE_NONE;
	unsigned at = compared ? X_BUG : 0;
	struct record r;

	record_init(&r, compared ? &bug_change_kind : &bug_kind);
	if (compared) {
		record_str(&r, X_CHANGE, bug_change_name(b->change));
		record_uint(&r, X_AGAINST, b->against);
	}
	record_uint(&r, at + B_COUNT, b->n);
	record_uint(&r, at + B_NUMBER, b->number);
	record_int(&r, at + B_FIRST, b->first_ns);
	record_int(&r, at + B_LAST, b->last_ns);
	record_str(&r, at + B_OUTCOME, b->first.outcome);
	record_str(&r, at + B_KIND, b->first.kind);
	record_str(&r, at + B_TITLE, b->first.title);
	record_str(&r, at + B_FUNCTION, b->first.function);
	record_strs(&r, at + B_RELEASES, b->releases.p, b->releases.n);
	record_strs(&r, at + B_SIGNATURES, b->signatures.p, b->signatures.n);
	record_str(&r, at + B_KNOWN, b->known);
	record_str(&r, at + B_VERDICT, b->first.sentence);
	record_str(&r, at + B_SURE, b->first.sure);
	record_str(&r, at + B_PATH, b->first.path);
	emit(c, &r);
}

enum {
	C_SEEN,
	C_BY,
	C_ADDED,
	C_BUG,
	C_RELEASE,
	C_ARCH,
	C_OUTCOME,
	C_TITLE,
	C_SIGNATURE,
	C_PLACE,
	C_VERDICT,
	C_SURE,
	C_KNOWN,
	C_PATH,
	C_FIELDS
};
static const struct record_field crash_fields[C_FIELDS] = {
	[C_SEEN] = { "seen_ns", "SEEN", CELL_DATE, 0, "when it happened, or was added", date_text },
	[C_BY] = { "seen_by", "BY", CELL_STR, 0,
		   "what says so: crash (the dump, or a record of pstore), file (it was written "
		   "last), added (nothing does)" },
	[C_ADDED] = { "added_ns", NULL, CELL_DATE, FIELD_JSON, "when it came into the database" },
	[C_BUG] = { "bug", NULL, CELL_UINT, FIELD_JSON, "that it is of" },
	[C_RELEASE] = { "release", NULL, CELL_STR, 0, "of the kernel" },
	[C_ARCH] = { "arch", NULL, CELL_STR, FIELD_JSON, "as uname -m" },
	[C_OUTCOME] = { "outcome", NULL, CELL_STR, 0, "as the verdict has it" },
	[C_TITLE] = { "title", NULL, CELL_STR, FIELD_JSON, "as kernel developers would call it" },
	[C_SIGNATURE] = { "signature", NULL, CELL_STR, 0, "null: it has none" },
	[C_PLACE] = { "place", NULL, CELL_STR, FIELD_JSON, "file and line" },
	[C_VERDICT] = { "verdict", NULL, CELL_STR, FIELD_JSON, "who did what where" },
	[C_SURE] = { "sure", NULL, CELL_STR, FIELD_JSON, "how sure that is" },
	[C_KNOWN] = { "known", NULL, CELL_STR, FIELD_JSON, "the note that --known had for it" },
	[C_PATH] = { "path", NULL, CELL_STR, 0, "its name, as it was given" },
};
const struct record_kind bug_crash_kind = {
	.name = "bug_crash",
	.doc = "A crash that a database remembers.",
	.layout = LAYOUT_TABLE,
	.fields = crash_fields,
	.n_fields = C_FIELDS,
};

void emit_bug_crash(struct ctx *c, const struct kept_crash *k)
{
	struct record r;

	record_init(&r, &bug_crash_kind);
	record_int(&r, C_SEEN, k->seen_ns);
	record_str(&r, C_BY, k->seen_by);
	record_int(&r, C_ADDED, k->added_ns);
	record_uint(&r, C_BUG, k->bug);
	record_str(&r, C_RELEASE, k->release);
	record_str(&r, C_ARCH, k->arch);
	record_str(&r, C_OUTCOME, k->outcome);
	record_str(&r, C_TITLE, k->title);
	record_str(&r, C_SIGNATURE, k->signature);
	record_str(&r, C_PLACE, k->place);
	record_str(&r, C_VERDICT, k->sentence);
	record_str(&r, C_SURE, k->sure);
	record_str(&r, C_KNOWN, k->known);
	record_str(&r, C_PATH, k->path);
	emit(c, &r);
}

enum {
	L_FILES,
	L_ADDED,
	L_AGAIN,
	L_NONE,
	L_FAILED,
	L_BAD,
	L_FIELDS
};
static const struct record_field loaded_fields[L_FIELDS] = {
	[L_FILES] = { "files", NULL, CELL_UINT, 0, "that were read" },
	[L_ADDED] = { "added", NULL, CELL_UINT, 0, "crashes that were not there before" },
	[L_AGAIN] = { "again", NULL, CELL_UINT, 0,
		      "that were: they have the new verdict, and count once" },
	[L_NONE] = { "without", NULL, CELL_UINT, 0, "inputs that tell of no crash" },
	[L_FAILED] = { "failed", NULL, CELL_UINT, 0, "that could not be looked at" },
	[L_BAD] = { "bad_lines", NULL, CELL_UINT, 0, "that are no records of obit's" },
};

static void loaded_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct crashes_loaded *n = r->of;

	(void)k, (void)cell;
	buf_printf(b, "%" PRIu64 " crash%s added, %" PRIu64 " met again", n->added,
		   n->added == 1 ? "" : "es", n->again);
	if (n->none)
		buf_printf(b, "; %" PRIu64 " without a crash", n->none);
	if (n->failed)
		buf_printf(b, "; %" PRIu64 " not looked at", n->failed);
	if (n->bad_lines)
		buf_printf(b, "; %" PRIu64 " bad line%s", n->bad_lines,
			   n->bad_lines == 1 ? "" : "s");
	buf_char(b, '\n');
}

const struct record_kind crashes_loaded_kind = {
	.name = "crashes_loaded",
	.doc = "How many crashes came into a database.",
	.layout = LAYOUT_OWN,
	.fields = loaded_fields,
	.n_fields = L_FIELDS,
	.text = loaded_text,
};

void emit_crashes_loaded(struct ctx *c, const struct crashes_loaded *n)
{
	struct record r;

	record_init(&r, &crashes_loaded_kind);
	r.of = n;
	record_uint(&r, L_FILES, n->files);
	record_uint(&r, L_ADDED, n->added);
	record_uint(&r, L_AGAIN, n->again);
	record_uint(&r, L_NONE, n->none);
	record_uint(&r, L_FAILED, n->failed);
	record_uint(&r, L_BAD, n->bad_lines);
	emit(c, &r);
}
