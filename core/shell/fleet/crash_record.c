/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of many crashes: each crash, those that are of one bug, and how many there were. */
#include "core/shell/fleet/crash_record.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define TITLE_WIDTH 60u

enum {
	C_PATH,
	C_FILES,
	C_STATUS,
	C_OUTCOME,
	C_KIND,
	C_TITLE,
	C_FUNCTION,
	C_PLACE,
	C_SIGNATURE,
	C_KNOWN,
	C_ERROR,
	C_WHEN,
	C_TOOK,
	C_IDENTITY,
	C_WRITTEN,
	C_VERDICT,
	C_FIELDS
};
static const struct record_field crash_fields[C_FIELDS] = {
	[C_PATH] = { "path", NULL, CELL_STR, 0, "its name: the dump, the text, or the folder" },
	[C_FILES] = { "files", NULL, CELL_STRS, 0, "what was read of it" },
	[C_STATUS] = { "status", NULL, CELL_UINT, 0,
		       "0 looked at, 3 it could not be, 4 it is damaged, 5 it tells of no crash" },
	[C_OUTCOME] = { "outcome", NULL, CELL_STR, 0,
			"as the verdict has it; null: there is none" },
	[C_KIND] = { "kind", NULL, CELL_STR, 0, "of what killed it, as the verdict has it" },
	[C_TITLE] = { "title", NULL, CELL_STR, 0,
		      "as kernel developers would call it, or else the verdict's sentence" },
	[C_FUNCTION] = { "function", NULL, CELL_STR, 0, "that is to blame" },
	[C_PLACE] = { "place", NULL, CELL_STR, 0, "its file and line" },
	[C_SIGNATURE] = { "signature", NULL, CELL_STR, 0, "the same for the same bug" },
	[C_KNOWN] = { "known", NULL, CELL_STR, 0,
		      "the note that --known has for it; null: it has none" },
	[C_ERROR] = { "error", NULL, CELL_STR, 0,
		      "why it could not be looked at, or what else went wrong" },
	[C_WHEN] = { "when_ns", NULL, CELL_DATE, 0,
		     "when it died, as the dump or a record of pstore says; null: neither does" },
	[C_TOOK] = { "took_ns", NULL, CELL_DURATION, 0, "how long it took" },
	[C_IDENTITY] = { "identity", NULL, CELL_STR, FIELD_JSON,
			 "the same for the same content, wherever it lies and however it is packed" },
	[C_WRITTEN] = { "written_ns", NULL, CELL_DATE, FIELD_JSON,
			"when its file was written last, which is not when it died" },
	[C_VERDICT] = { "verdict", NULL, CELL_FIELDS, FIELD_JSON,
			"the fields of the record verdict; null: there is none" },
};

/* OUTCOME TITLE ... PATH */
static void crash_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct crash_said *c = r->of;
	size_t begin = b->n, width;
	const char *what = c->title ? c->title : c->sentence;

	(void)k, (void)cell;
	if (c->status == EXIT_NOREPORT) {
		buf_str(b, "-      no crash in it");
	} else if (!c->outcome) {
		buf_str(b, "?      ");
		buf_plain(b, c->error ? c->error : "", c->error ? strlen(c->error) : 0);
	} else {
		for (const char *p = c->outcome; *p; p++)
			buf_char(b, (char)toupper((unsigned char)*p));
		buf_pad(b, ' ', b->n - begin < 7 ? 7 - (b->n - begin) : 1);
		buf_plain(b, what ? what : "", what ? strlen(what) : 0);
	}
	width = b->n - begin;
	buf_pad(b, ' ', width < TITLE_WIDTH + 7 ? TITLE_WIDTH + 9 - width : 2);
	buf_plain(b, c->path, strlen(c->path));
	if (c->place) {
		buf_str(b, "  ");
		buf_plain(b, c->place, strlen(c->place));
	}
	if (c->known && *c->known) {
		buf_str(b, "  (");
		buf_plain(b, c->known, strlen(c->known));
		buf_char(b, ')');
	}
	buf_char(b, '\n');
}

const struct record_kind crash_kind = {
	.name = "crash",
	.doc = "One of many crashes.",
	.layout = LAYOUT_OWN,
	.fields = crash_fields,
	.n_fields = C_FIELDS,
	.text = crash_text,
};

void crash_render(const struct sink *k, const struct crash_said *c, struct buf *json,
		  struct buf *text)
{
	struct sink like = *k;
	struct record r;

	record_init(&r, &crash_kind);
	r.of = c;
	record_str(&r, C_PATH, c->path);
	record_strs(&r, C_FILES, c->files, c->n_files);
	record_uint(&r, C_STATUS, c->status);
	record_str(&r, C_OUTCOME, c->outcome);
	record_str(&r, C_KIND, c->kind);
	record_str(&r, C_TITLE, c->title ? c->title : c->sentence);
	record_str(&r, C_FUNCTION, c->function);
	record_str(&r, C_PLACE, c->place);
	record_str(&r, C_SIGNATURE, c->signature);
	record_str(&r, C_KNOWN, c->known);
	record_str(&r, C_ERROR, c->error);
	if (c->has_when)
		record_int(&r, C_WHEN, c->when_ns);
	record_uint(&r, C_TOOK, c->took_ns);
	record_str(&r, C_IDENTITY, c->identity);
	if (c->has_written)
		record_int(&r, C_WRITTEN, c->written_ns);
	if (c->n_verdict)
		record_fields(&r, C_VERDICT, c->verdict, c->n_verdict);
	if (json)
		render_json.make(&like, &r, json);
	if (text)
		render_text.make(&like, &r, text);
}

enum {
	G_COUNT,
	G_WAYS,
	G_NEW,
	G_OUTCOME,
	G_TITLE,
	G_SIGNATURE,
	G_KIND,
	G_FUNCTION,
	G_KNOWN,
	G_FIRST,
	G_FIELDS
};
static const struct record_field group_fields[G_FIELDS] = {
	[G_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many crashes are of it" },
	[G_WAYS] = { "ways", NULL, CELL_UINT, FIELD_RIGHT,
		     "how many of their stacks are unlike each other; null: not known" },
	[G_NEW] = { "new", NULL, CELL_BOOL, FIELD_JSON,
		    "does --known not have it? null: there was no such option" },
	[G_OUTCOME] = { "outcome", NULL, CELL_STR, 0, "of the first one" },
	[G_TITLE] = { "title", NULL, CELL_STR, 0, "of the first one" },
	[G_SIGNATURE] = { "signature", NULL, CELL_STR, 0, "of the first one; null: it has none" },
	[G_KIND] = { "kind", NULL, CELL_STR, FIELD_JSON, "of what killed them" },
	[G_FUNCTION] = { "function", NULL, CELL_STR, FIELD_JSON, "that is to blame" },
	[G_KNOWN] = { "known", NULL, CELL_STR, 0, "the note that --known has for it" },
	[G_FIRST] = { "first", NULL, CELL_STR, 0, "the first crash of it, by name" },
};
const struct record_kind crash_group_kind = {
	.name = "crash_group",
	.doc = "Crashes of one bug.",
	.layout = LAYOUT_TABLE,
	.fields = group_fields,
	.n_fields = G_FIELDS,
};

void emit_crash_group(struct sink *k, const struct crash_group *g, bool judged)
{
	struct record r;

	record_init(&r, &crash_group_kind);
	record_uint(&r, G_COUNT, g->n);
	if (g->ways)
		record_uint(&r, G_WAYS, g->ways);
	if (judged)
		record_bool(&r, G_NEW, !g->known);
	record_str(&r, G_OUTCOME, g->outcome);
	record_str(&r, G_TITLE, g->title);
	record_str(&r, G_SIGNATURE, g->signature);
	record_str(&r, G_KIND, g->kind);
	record_str(&r, G_FUNCTION, g->function);
	record_str(&r, G_KNOWN, g->known);
	record_str(&r, G_FIRST, g->first);
	k->ops->record(k, &r);
}

enum {
	N_CRASHES,
	N_GROUPS,
	N_NEW,
	N_NONE,
	N_FAILED,
	N_DAMAGED,
	N_SKIPPED,
	N_LEFT,
	N_FIELDS
};
static const struct record_field count_fields[N_FIELDS] = {
	[N_CRASHES] = { "crashes", NULL, CELL_UINT, 0, "of which something is said" },
	[N_GROUPS] = { "groups", NULL, CELL_UINT, 0, "bugs that they are of" },
	[N_NEW] = { "new", NULL, CELL_UINT, 0,
		    "crashes that --known does not have; null: there was no such option" },
	[N_NONE] = { "without", NULL, CELL_UINT, 0, "inputs that tell of no crash" },
	[N_FAILED] = { "failed", NULL, CELL_UINT, 0, "that could not be looked at" },
	[N_DAMAGED] = { "damaged", NULL, CELL_UINT, 0, "crashes whose input is damaged" },
	[N_SKIPPED] = { "skipped", NULL, CELL_UINT, 0,
			"that --resume had already; they are counted among the others" },
	[N_LEFT] = { "left", NULL, CELL_UINT, 0, "that are in other shares" },
};

static void counts_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct crash_counts *n = r->of;
	const struct {
		uint64_t n;
		const char *text;
	} more[] = { { n->none, "without a crash" },
		     { n->failed, "not looked at" },
		     { n->damaged, "damaged" },
		     { n->skipped, "done before" },
		     { n->left, "in other shares" } };

	(void)k, (void)cell;
	buf_printf(b, "%" PRIu64 " crash%s of %" PRIu64 " bug%s", n->crashes,
		   n->crashes == 1 ? "" : "es", n->groups, n->groups == 1 ? "" : "s");
	if (r->cells[N_NEW].kind != CELL_NULL)
		buf_printf(b, ", %" PRIu64 " new", n->isnew);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++)
		if (more[i].n)
			buf_printf(b, "; %" PRIu64 " %s", more[i].n, more[i].text);
	buf_char(b, '\n');
}

const struct record_kind crashes_kind = {
	.name = "crashes",
	.doc = "How many crashes there were.",
	.layout = LAYOUT_OWN,
	.fields = count_fields,
	.n_fields = N_FIELDS,
	.text = counts_text,
};

void emit_crash_counts(struct sink *k, const struct crash_counts *n, bool judged)
{
	struct record r;

	record_init(&r, &crashes_kind);
	r.of = n;
	record_uint(&r, N_CRASHES, n->crashes);
	record_uint(&r, N_GROUPS, n->groups);
	if (judged)
		record_uint(&r, N_NEW, n->isnew);
	record_uint(&r, N_NONE, n->none);
	record_uint(&r, N_FAILED, n->failed);
	record_uint(&r, N_DAMAGED, n->damaged);
	record_uint(&r, N_SKIPPED, n->skipped);
	record_uint(&r, N_LEFT, n->left);
	k->ops->record(k, &r);
}
