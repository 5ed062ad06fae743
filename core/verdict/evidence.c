/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The evidence of texts: what the log, or what is left of it, reports. */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/linux/log/log_reports.h"
#include "core/linux/pstore/story.h"
#include "core/verdict/check.h"

/* A log that repeats a warning without end says nothing new with the next one. */
#define REPORTS_MAX 500u
#define CHUNK ((size_t)64 << 10)

bool report_ends_task(const struct report *r)
{
	/* whatever die() counts as "[#1]" does not come back */
	return report_kind_is(r->kind, KIND_IS_TRAP) || r->kind == KIND_BUG ||
	       r->kind == KIND_STACK_OVERFLOW || r->oops_number;
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Is the report in another text, too, as of a console beside the dump whose log it was? */
static bool told_before(const struct triage *g, const struct report *r)
{
	uint64_t at, before;

	for (size_t i = 0; report_time(r, &at) && i < g->reports.n; i++) {
		const struct report *old = g->reports.p[i];

		if (!same(old->file, r->file) && same(old->headline, r->headline) &&
		    report_time(old, &before) && before == at)
			return true;
	}
	return false;
}

static bool keep(struct report *r, void *arg)
{
	struct triage *g = arg;

	if (told_before(g, r))
		return true;
	report_place(r, g->t, g->t->force);
	*vec_push(&g->reports) = r;
	r->kept = true;
	return g->reports.n < REPORTS_MAX;
}

static void read_text(struct triage *g, const struct file *f)
{
	struct report_stream *s = report_stream_open(f->path, keep, g);

	for (size_t at = 0; at < f->map.n && !interrupted; at += CHUNK) {
		target_tell(g->t, "triage: reading the text", at, f->map.n);
		if (!report_stream_feed(s, f->map.p + at,
					f->map.n - at < CHUNK ? f->map.n - at : CHUNK))
			break;
	}
	report_stream_close(s);
}

/* The line of a text, up to `line`, on which the kernel last began; 0: none tells. */
static uint64_t boot_line(const struct file *f, uint64_t line)
{
	static const char words[] = "Linux version ";
	const char *text = (const char *)f->map.p;
	uint64_t boot = 0, number = 1;

	for (size_t at = 0; at < f->map.n && number <= line && !interrupted; number++) {
		const char *nl = memchr(text + at, '\n', f->map.n - at);
		size_t n = nl ? (size_t)(nl - text) - at : f->map.n - at;

		if (memmem(text + at, n, words, sizeof(words) - 1))
			boot = number;
		at += n + 1;
	}
	return boot;
}

/* The last report that a machine goes down with: one with a panic, or else an exception. */
static const struct report *last_deadly(const struct triage *g)
{
	const struct report *trap = NULL;

	for (size_t i = g->reports.n; i-- > 0;) {
		const struct report *r = g->reports.p[i];

		if (r->panic || r->kind == KIND_PANIC)
			return r;
		trap = trap || !report_ends_task(r) ? trap : r;
	}
	return trap;
}

/* Leaves out what a text tells of the kernel before it was booted again, and died once more: a
 * console's log may hold several of its lives. */
static void older_boots_drop(struct triage *g, const struct file *f)
{
	const struct report *last = last_deadly(g);
	uint64_t boot = last && same(last->file, f->path) ? boot_line(f, last->first_line) : 0;
	size_t kept = 0;

	for (size_t i = 0; i < g->reports.n; i++) {
		struct report *r = g->reports.p[i];

		if (same(r->file, f->path) && r->first_line < boot) {
			report_free(r);
			g->older++;
		} else {
			g->reports.p[kept++] = r;
		}
	}
	g->reports.n = kept;
}

void evidence_read(struct triage *g)
{
	struct target *t = g->t;
	struct report_stream *s;
	bool ok;

	g->from_text = !mem_loaded(t);
	for (size_t i = 0; i < t->report_texts.n; i++)
		read_text(g, t->report_texts.p[i]);
	for (size_t i = 0; i < t->report_texts.n && g->reports.n > 1; i++)
		older_boots_drop(g, t->report_texts.p[i]);
	if (g->from_text && !t->survivors.v.n)
		return;
	s = report_stream_open(g->from_text ? "pstore" : "log", keep, g);
	ok = g->from_text ? story_reports(t, g->a, s, &g->log_why)
			  : log_reports(t, s, g->note, g->arg, &g->log_why);
	report_stream_close(s);
	if (ok)
		g->log_why.code = ERR_OK;
}

bool report_time(const struct report *r, uint64_t *ret)
{
	for (size_t i = 0; i < r->lines.n; i++)
		if (r->lines.p[i].has_time) {
			*ret = r->lines.p[i].time_ns;
			return true;
		}
	return false;
}

void claim_headline(struct triage *g, struct claim *c, const struct report *r)
{
	const char *file = r->file ? r->file : "text", *source;
	uint64_t at;

	if (!r->headline)
		return;
	source = report_time(r, &at) ? arena_printf(g->a, "%s %" PRIu64 ".%06" PRIu64, file,
						    at / 1000000000, at % 1000000000 / 1000)
				     : arena_printf(g->a, "%s, line %" PRIu64, file, r->first_line);
	claim_support(g, c, source, "%s", r->headline);
}
