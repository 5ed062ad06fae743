/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One of many crashes, in a process of its own: triage is asked, and the verdict is kept. */
#include <string.h>
#include <time.h>

#include "core/base/guard.h"
#include "core/linux/linux.h"
#include "core/linux/misc/system.h"
#include "core/shell/fleet/fleet.h"
#include "core/shell/fleet/origin.h"
#include "core/shell/output.h"
#include "core/shell/session_run.h"

/* What the sink of the session keeps. */
struct catch
{
	struct arena arena;
	struct named_cell *cells;
	size_t n;
	char error[256]; /* the first thing that could not be read */
	bool has_when;
	int64_t when_ns;
	struct crash_origin origin;
};

static const char *copy_n(struct arena *a, const char *s, size_t n)
{
	return s ? arena_strndup(a, s, n) : NULL;
}

static struct cell copy_cell(struct arena *a, const struct cell *c);

static void copy_records(struct arena *a, const struct cell *from, struct cell *to)
{
	struct record *v = ARENA_ARRAY(a, struct record, from->records.n + 1);

	for (size_t i = 0; i < from->records.n; i++) {
		const struct record *r = &from->records.v[i];

		record_init(&v[i], r->kind);
		for (size_t k = 0; k < r->kind->n_fields && k < RECORD_FIELDS_MAX; k++)
			v[i].cells[k] = copy_cell(a, &r->cells[k]);
	}
	to->records.v = v;
}

/* Strings of a cell live no longer than the command. What has other parts is left out. */
static struct cell copy_cell(struct arena *a, const struct cell *c)
{
	struct cell ret = *c;

	switch (c->kind) {
	case CELL_STR:
		ret.str.s = copy_n(a, c->str.s, c->str.n);
		break;
	case CELL_RECORDS:
		copy_records(a, c, &ret);
		break;
	case CELL_VALUE:
	case CELL_STRS:
	case CELL_FIELDS:
	case CELL_UNKNOWN:
		ret.kind = CELL_NULL;
		break;
	default:
		break;
	}
	return ret;
}

static void catch_record(struct sink *k, const struct record *r)
{
	struct catch *c = k->self;

	if (c->n || strcmp(r->kind->name, "verdict") != 0)
		return;
	c->cells = ARENA_ARRAY(&c->arena, struct named_cell, r->kind->n_fields);
	c->n = r->kind->n_fields < RECORD_FIELDS_MAX ? r->kind->n_fields : RECORD_FIELDS_MAX;
	for (size_t i = 0; i < c->n; i++) {
		c->cells[i].name = r->kind->fields[i].name;
		c->cells[i].cell = copy_cell(&c->arena, &r->cells[i]);
	}
}

static void catch_note(struct sink *k, const struct err *why)
{
	struct catch *c = k->self;

	if (!*c->error)
		memcpy(c->error, why->msg, sizeof(why->msg));
}

static void catch_text(struct sink *k, const char *s)
{
	(void)k, (void)s;
}

static void catch_nothing(struct sink *k)
{
	(void)k;
}

static const struct sink_ops catch_ops = {
	.record = catch_record,
	.note = catch_note,
	.text = catch_text,
	.flush = catch_nothing,
	.release = catch_nothing,
};

static const char *text_of(const struct catch *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->cells[i].name, name))
			return c->cells[i].cell.kind == CELL_STR ? c->cells[i].cell.str.s : NULL;
	return NULL;
}

/* When it died, as the dump's header, a record of pstore or the kernel's clock says; a file's date
 * is not that. */
static void find_when(const struct fleet *f, struct target *t, struct catch *got)
{
	int64_t s = (int64_t)t->dump.crash_time;
	struct system sys;

	for (size_t i = 0; !t->dump.crash_time && i < t->survivors.v.n; i++) {
		const struct survivor *r = &t->survivors.v.p[i];

		if (r->has_time && !r->stale && strcmp(r->time_how, "mtime") != 0 && r->time_s > s)
			s = r->time_s;
	}
	/* the clock is sought in memory, which takes a while */
	if (s <= 0 && !f->quick && mem_loaded(t)) {
		system_read(t, &sys);
		s = sys.errs[SYS_DATE].code == ERR_OK ? (int64_t)sys.date : 0;
	}
	got->has_when = s > 0 && s < INT64_MAX / 1000000000;
	got->when_ns = got->has_when ? s * 1000000000 : 0;
}

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Opens the first n files and asks. False: they cannot be opened. */
static bool ask(const struct fleet *f, const struct fleet_crash *c, size_t n, struct catch *got,
		enum exit_status *status, struct err *err)
{
	struct arena *scratch = ARENA_NEW(&got->arena, struct arena);
	struct target *t = ARENA_NEW(&got->arena, struct target);
	struct session *s = ARENA_NEW(&got->arena, struct session);
	struct output *out = ARENA_NEW(&got->arena, struct output);

	out->fd = 1;
	target_init(t, scratch);
	t->jobs = 1; /* others look at other crashes */
	session_init(s, t, out);
	s->sink.ops->release(&s->sink);
	s->sink.ops = &catch_ops;
	s->sink.self = got;
	s->sink.style = f->s->sink.style;
	if (!f->open(s, c, n, f->arg, err))
		return false;
	session_run(s, "triage");
	*status = session_status(s);
	find_when(f, t, got);
	origin_find(t, c->files[0], &got->origin);
	return true;
}

/* What lies beside the dump is asked alone. False: it tells of no crash, or of one that was asked
 * for, whose cause the dump alone can tell. */
static bool ask_beside(const struct fleet *f, const struct fleet_crash *c, struct catch *got,
		       enum exit_status *status)
{
	const struct fleet_crash beside = { .name = c->name, .files = c->files + 1, .n = c->n - 1 };
	struct err ignored;

	if (ask(f, &beside, beside.n, got, status, &ignored) && *status != EXIT_NOREPORT) {
		const char *outcome = text_of(got, "outcome");

		if (outcome && strcmp(outcome, "unknown") != 0)
			return true;
	}
	got->n = 0;
	*got->error = '\0';
	return false;
}

/* What lies beside a crash may be of another one: then it is looked at alone. */
static bool ask_alone(const struct fleet *f, const struct fleet_crash *c, struct catch *got,
		      enum exit_status *status, struct err *err)
{
	struct err why;

	if (f->quick && c->dump && c->n > 1 && ask_beside(f, c, got, status))
		return true;
	if (ask(f, c, c->n, got, status, err))
		return true;
	if (c->n == 1 || interrupted)
		return false;
	why = *err;
	if (!ask(f, c, 1, got, status, err))
		return false;
	memcpy(got->error, why.msg, sizeof(why.msg));
	return true;
}

void fleet_look(const struct fleet *f, const struct fleet_crash *c, const struct known *known,
		struct buf *json, struct buf *text)
{
	struct crash_said said = { .path = c->name, .files = c->files, .n_files = c->n };
	struct catch got = { 0 };
	uint64_t begin = clock_ns();
	struct err err = { 0 };

	if (ask_alone(f, c, &got, &said.status, &err)) {
		said.error = *got.error ? got.error : NULL;
		said.verdict = got.cells;
		said.n_verdict = got.n;
		said.has_when = got.has_when;
		said.when_ns = got.when_ns;
		said.outcome = said.status == EXIT_NOREPORT ? NULL : text_of(&got, "outcome");
		said.kind = text_of(&got, "kind");
		said.title = text_of(&got, "title");
		said.function = text_of(&got, "function");
		said.module = text_of(&got, "module");
		said.place = text_of(&got, "place");
		said.signature = text_of(&got, "signature");
		said.sentence = text_of(&got, "verdict");
		said.identity = *got.origin.identity ? got.origin.identity : NULL;
		said.has_written = got.origin.has_written;
		said.written_ns = got.origin.written_ns;
		if (known)
			said.known = known_find(known, said.signature, said.function,
						said.title ? said.title : said.sentence);
	} else {
		said.status = EXIT_NOINPUT;
		said.error = err.msg;
	}
	said.took_ns = clock_ns() - begin;
	crash_render(&f->s->sink, &said, json, text);
	arena_release(&got.arena);
}
