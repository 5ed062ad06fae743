/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What died on this machine: a list of it, and the choice of one. */
#include "core/shell/fleet/deaths.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/shell/output.h"

#define ANSWER_LINE 64u  /* the longest line that is taken for a number */
#define KERNEL_WIDTH 32u /* longer releases do not widen the column of all */
#define INDENT 5u        /* of a second line */
#define LINES_BESIDES 5u /* of the screen, for what is no row of the list */

/* What came of one. */
struct death_told {
	const struct death_left *left;
	const char *title, *kind, *kernel, *missing;
	bool no_report;
	bool has_when;
	int64_t when_s;
	const char *when_from;
	size_t kernel_width; /* of the longest release in the list, for people */
};

/* ---- records */

enum {
	D_NUMBER,
	D_WHEN,
	D_KERNEL,
	D_TITLE,
	D_WHERE,
	D_WHEN_FROM,
	D_KIND,
	D_MISSING,
	D_FILES,
	D_FIELDS
};

/* The date in local time; "~" stands before that of a file, which was written later. */
static void add_when(struct buf *b, const struct death_told *d)
{
	time_t at = (time_t)d->when_s;
	char text[32] = "-";
	struct tm tm;

	if (d->has_when && localtime_r(&at, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
	buf_printf(b, "%c%-16s", d->when_from && !strcmp(d->when_from, "file") ? '~' : ' ', text);
}

/* Two blanks and a word, on a line of its own where the terminal has no room for it. */
static void add_part(struct buf *b, const struct sink *k, size_t *line, const struct buf *part)
{
	if (k->width && b->n - *line + 2 + part->n > k->width) {
		buf_char(b, '\n');
		*line = b->n;
		buf_pad(b, ' ', INDENT);
	} else {
		buf_str(b, "  ");
	}
	buf_add(b, buf_text(part), part->n);
}

/* N WHEN KERNEL WHAT WHERE */
static void death_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct death_told *d = r->of;
	const char *kernel = d->kernel ? d->kernel : "-", *path = d->left->crash.name;
	struct buf part = { 0 };
	size_t line = b->n;

	(void)cell;
	buf_printf(b, "%3llu ", (unsigned long long)r->cells[D_NUMBER].u);
	add_when(b, d);
	buf_plain(&part, kernel, strlen(kernel));
	buf_pad(&part, ' ', part.n < d->kernel_width ? d->kernel_width - part.n : 0);
	add_part(b, k, &line, &part);
	buf_reset(&part);
	if (d->title)
		buf_plain(&part, d->title, strlen(d->title));
	if (d->missing) {
		buf_str(&part, d->title ? " (" : "(");
		buf_plain(&part, d->missing, strlen(d->missing));
		buf_char(&part, ')');
	}
	add_part(b, k, &line, &part);
	buf_reset(&part);
	buf_plain(&part, path, strlen(path));
	add_part(b, k, &line, &part);
	buf_char(b, '\n');
	buf_release(&part);
}

static const struct record_field death_fields[D_FIELDS] = {
	[D_NUMBER] = { "number", NULL, CELL_UINT, 0, "which it is, the newest being 1" },
	[D_WHEN] = { "when_ns", NULL, CELL_DATE, 0, "when it died; null: nothing tells" },
	[D_KERNEL] = { "kernel", NULL, CELL_STR, 0, "its release" },
	[D_TITLE] = { "title", NULL, CELL_STR, 0, "as the record crash has it; null: see missing" },
	[D_WHERE] = { "path", NULL, CELL_STR, 0, "the dump, the text, or the folder" },
	[D_WHEN_FROM] = { "when_from", NULL, CELL_STR, 0,
			  "what tells when: dump (or a record of pstore), name (of a folder or file), or "
			  "file (its date, which is later)" },
	[D_KIND] = { "kind", NULL, CELL_STR, 0, "of what killed it, as the verdict has it" },
	[D_MISSING] = { "missing", NULL, CELL_STR, 0,
			"why there is no title, or what of it cannot be read; null: nothing is "
			"missing" },
	[D_FILES] = { "files", NULL, CELL_STRS, 0, "what is left of it" },
};
const struct record_kind death_kind = {
	.name = "death",
	.doc = "Something that died on this machine.",
	.layout = LAYOUT_OWN,
	.fields = death_fields,
	.n_fields = D_FIELDS,
	.text = death_text,
};

enum {
	P_PATH,
	P_STATE,
	P_ERROR,
	P_COUNT,
	P_FIELDS
};
static const struct record_field place_fields[P_FIELDS] = {
	[P_PATH] = { "path", NULL, CELL_STR, 0, "a folder where systems keep what a crash left" },
	[P_STATE] = { "state", NULL, CELL_STR, 0,
		      "read, absent (there is no such folder), or closed (it cannot be read)" },
	[P_ERROR] = { "error", NULL, CELL_STR, 0, "why it cannot be read; null: it was" },
	[P_COUNT] = { "deaths", NULL, CELL_UINT, 0,
		      "what is left of so many crashes; null: it was not read" },
};

/* One that was read and had something has its rows in the list. */
static void place_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct death_place *p = r->of;

	(void)k, (void)cell;
	if (!strcmp(p->state, "read") && p->n)
		return;
	buf_plain(b, p->path, strlen(p->path));
	if (!strcmp(p->state, "read"))
		buf_str(b, ": nothing of a crash\n");
	else if (!strcmp(p->state, "absent"))
		buf_str(b, ": there is no such folder\n");
	else
		buf_printf(b, ": not read: %s\n", p->why);
}

const struct record_kind death_place_kind = {
	.name = "death_place",
	.doc = "A folder where deaths were looked for.",
	.layout = LAYOUT_OWN,
	.fields = place_fields,
	.n_fields = P_FIELDS,
	.text = place_text,
};

static void emit_death(struct sink *k, const struct death_told *d, size_t number)
{
	const struct fleet_crash *c = &d->left->crash;
	struct record r;

	record_init(&r, &death_kind);
	r.of = d;
	record_uint(&r, D_NUMBER, number);
	if (d->has_when)
		record_date(&r, D_WHEN, d->when_s, 0);
	record_str(&r, D_WHEN_FROM, d->when_from);
	record_str(&r, D_KERNEL, d->kernel);
	record_str(&r, D_TITLE, d->title);
	record_str(&r, D_KIND, d->kind);
	record_str(&r, D_MISSING, d->missing);
	record_str(&r, D_WHERE, c->name);
	record_strs(&r, D_FILES, c->files, c->n);
	k->ops->record(k, &r);
}

static void emit_place(struct sink *k, const struct death_place *p)
{
	struct record r;

	record_init(&r, &death_place_kind);
	r.of = p;
	record_str(&r, P_PATH, p->path);
	record_str(&r, P_STATE, p->state);
	record_str(&r, P_ERROR, p->why);
	if (!strcmp(p->state, "read"))
		record_uint(&r, P_COUNT, p->n);
	k->ops->record(k, &r);
}

/* ---- what each was */

struct deaths_look {
	struct deaths *d;
	struct death_told *told;
};

static void take(void *arg, size_t i, const char *json, size_t n)
{
	struct deaths_look *l = arg;
	struct death_told *t = &l->told[i];
	struct arena *a = l->d->a;
	const char *at;
	uint64_t when, status = EXIT_NOINPUT;
	size_t len;

	json_member_uint(json, n, "status", &status);
	t->title = json_member_str(a, json, n, "title");
	t->kind = json_member_str(a, json, n, "kind");
	if (json_member(json, n, "verdict", &at, &len))
		t->kernel = json_member_str(a, at, len, "release");
	t->no_report = status == EXIT_NOREPORT;
	t->missing = NULL;
	if (t->no_report) {
		t->title = NULL;
		t->missing = "no report in it";
	} else if (!t->title) {
		t->missing = json_member_str(a, json, n, "error");
	}
	if (json_member_uint(json, n, "when_ns", &when)) {
		t->has_when = true;
		t->when_s = (int64_t)(when / 1000000000);
		t->when_from = "dump";
	}
}

static int by_when(const void *a, const void *b)
{
	const struct death_told *x = a, *y = b;

	if (x->has_when != y->has_when)
		return x->has_when ? -1 : 1;
	if (x->when_s != y->when_s)
		return x->when_s > y->when_s ? -1 : 1;
	return strcmp(x->left->crash.name, y->left->crash.name);
}

/* Those that can be read, of the newest, are looked at. */
static void look(struct deaths *d, struct death_told *told)
{
	struct death_told *some = ARENA_ARRAY(d->a, struct death_told, d->n + 1);
	struct fleet_crash *crashes = ARENA_ARRAY(d->a, struct fleet_crash, d->n + 1);
	size_t *which = ARENA_ARRAY(d->a, size_t, d->n + 1), n = 0;
	const struct fleet_options o = { .seconds = DEATH_SECONDS };
	struct deaths_look l = { d, some };
	struct fleet f = { .o = &o,
			   .crashes = crashes,
			   .open = d->open,
			   .arg = d->arg,
			   .s = d->s,
			   .quick = true,
			   .seconds_all = DEATHS_SECONDS,
			   .take = take,
			   .take_arg = &l };

	for (size_t i = 0; i < d->n; i++) {
		told[i].missing = "not looked at: there are many";
		if (told[i].left->closed) {
			told[i].missing = NULL;
		} else if (n < DEATHS_MAX) {
			told[i].missing = "not looked at: it took too long";
			crashes[n] = told[i].left->crash;
			some[n] = told[i];
			which[n++] = i;
		}
	}
	f.n = n;
	fleet_run(&f);
	for (size_t i = 0; i < n; i++)
		told[which[i]] = some[i];
	for (size_t i = 0; i < d->n; i++) {
		const char *lost = told[i].left->lost, *missing = told[i].missing;

		if (lost)
			told[i].missing =
				missing ? arena_printf(d->a, "%s; %s", missing, lost) : lost;
	}
}

/* Texts without a report, which nothing says to be of a crash, are none. Returns how many stay. */
static size_t drop_others(struct deaths *d, struct death_told *told)
{
	size_t to = 0, width = 0;

	for (size_t i = 0; i < d->n; i++)
		if (told[i].left->named || !told[i].no_report)
			told[to++] = told[i];
	for (size_t i = 0; i < to; i++) {
		size_t n = told[i].kernel ? strlen(told[i].kernel) : 0;

		width = n > width && n <= KERNEL_WIDTH ? n : width;
		d->places[told[i].left->place].n++;
	}
	for (size_t i = 0; i < to; i++)
		told[i].kernel_width = width;
	return to;
}

/* ---- the choice */

/* A line of the terminal, without its end; false: there is none, or it is too long for a number. */
static bool read_line(char *line, size_t size)
{
	size_t n = 0;
	ssize_t got;
	char c;

	while ((got = read(STDIN_FILENO, &c, 1)) == 1 && c != '\n')
		if (n + 1 < size)
			line[n++] = c;
	line[n] = '\0';
	return got == 1;
}

static void say_now(struct output *out, const char *text)
{
	output_write(out, text, strlen(text));
	output_flush(out);
}

static const struct fleet_crash *ask(struct output *out, const struct death_told *told, size_t n)
{
	char line[ANSWER_LINE];
	uint64_t number;

	for (;;) {
		say_now(out, "Number to open, Enter to leave: ");
		if (!read_line(line, sizeof(line)) || interrupted) {
			say_now(out, "\n");
			return NULL;
		}
		if (!line[strspn(line, " \t")] || !strcmp(line, "q"))
			return NULL;
		if (number_parse(line, 10, &number) && number && number <= n)
			return &told[number - 1].left->crash;
		say_now(out, "That is no number of the list. ");
	}
}

/* ---- all of it */

static bool any_closed(const struct deaths *d, const struct death_told *told, size_t n)
{
	for (size_t i = 0; i < d->n_places; i++)
		if (!strcmp(d->places[i].state, "closed"))
			return true;
	for (size_t i = 0; i < n; i++)
		if (told[i].missing && !told[i].no_report)
			return true;
	return d->cut;
}

/* What fits on the screen with three lines for each, where somebody is asked. */
static size_t how_many(const struct deaths *d, size_t n, bool asks)
{
	unsigned rows, cols;
	size_t fit;

	if (!asks || !terminal_size(STDOUT_FILENO, &rows, &cols))
		return n;
	fit = rows > 4 * LINES_BESIDES ? (rows - LINES_BESIDES - d->n_places) / 3 : LINES_BESIDES;
	return n < fit ? n : fit;
}

static void tell(struct deaths *d, const struct death_told *told, size_t n, size_t shown)
{
	struct sink *k = &d->s->sink;

	for (size_t i = 0; i < shown; i++)
		emit_death(k, &told[i], i + 1);
	k->ops->flush(k);
	if (shown < n)
		output_diagnose(d->s->out, "%zu older ones: 'obit | less' has all of them",
				n - shown);
	for (size_t i = 0; i < d->n_places; i++)
		if (!n || !k->ops->for_people || strcmp(d->places[i].state, "closed") == 0)
			emit_place(k, &d->places[i]);
	k->ops->flush(k);
	output_flush(d->s->out);
}

enum exit_status deaths_tell(struct deaths *d, const struct fleet_crash **chosen)
{
	struct death_told *told = ARENA_ARRAY(d->a, struct death_told, d->n + 1);
	bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !d->s->silent &&
		    d->s->sink.ops->for_people;
	size_t n;

	*chosen = NULL;
	for (size_t i = 0; i < d->n; i++)
		told[i] = (struct death_told){ .left = &d->v[i],
					       .has_when = d->v[i].has_when,
					       .when_s = d->v[i].when_s,
					       .when_from = d->v[i].when_from };
	if (d->n)
		qsort(told, d->n, sizeof(*told), by_when);
	look(d, told);
	if (interrupted)
		return EXIT_FAILED;
	n = drop_others(d, told);
	if (n)
		qsort(told, n, sizeof(*told), by_when);
	tell(d, told, n, how_many(d, n, asks));
	if (n && asks)
		*chosen = ask(d->s->out, told, n);
	if (!n)
		return any_closed(d, told, 0) ? EXIT_NOINPUT : EXIT_NOREPORT;
	return any_closed(d, told, n) ? EXIT_DAMAGED : EXIT_ANSWERED;
}
