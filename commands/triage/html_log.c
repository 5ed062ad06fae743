/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log on a page, with the crash marked: the messages of a dump, or the texts that were given.
 */
#include <string.h>

#include "commands/triage/html.h"
#include "core/base/guard.h"
#include "core/base/markup.h"
#include "core/base/quantity.h"
#include "core/image/target.h"
#include "core/linux/log/printk.h"
#include "core/verdict/check.h"

/* Where lines are what a report says. */
struct span_of {
	uint64_t first, last; /* microseconds of the log, or numbers of lines */
	bool crash;           /* it is the report that the verdict is made of */
};

enum line_mark {
	LINE_PLAIN,
	LINE_NEAR, /* another report */
	LINE_CRASH
};

/* A log is walked twice: first to learn how long it is, then to write what there is room for, which
 * is its end and what is marked. */
struct log_part {
	struct html *p;
	struct buf *b; /* NULL: it is measured */
	struct buf line;
	VEC(struct span_of) spans;
	bool marked;         /* the first line of the crash was met */
	bool any_crash;      /* a report in it is the crash */
	bool any_mark;       /* a line was marked as the crash */
	uint64_t size, room; /* of all lines, and of those that may be written */
	uint64_t left_out;   /* lines since the last that was written */
	const char *id;      /* of the element of the lines */
};

static void spans_of_log(struct log_part *l)
{
	const struct triage *g = l->p->v->own;
	const struct claim *c = l->p->v->claim;

	for (size_t i = 0; g && i < g->reports.n; i++) {
		const struct report *r = g->reports.p[i];
		struct span_of s = { .first = UINT64_MAX, .crash = c && r == c->report };

		if (r->file && strcmp(r->file, "log") != 0)
			continue;
		for (size_t k = 0; k < r->lines.n; k++) {
			uint64_t us = r->lines.p[k].time_ns / 1000;

			if (!r->lines.p[k].has_time)
				continue;
			s.first = us < s.first ? us : s.first;
			s.last = us > s.last ? us : s.last;
		}
		l->any_crash |= s.crash;
		if (s.first <= s.last)
			*vec_push(&l->spans) = s;
	}
}

static void spans_of_text(struct log_part *l, const char *file)
{
	const struct triage *g = l->p->v->own;
	const struct claim *c = l->p->v->claim;

	for (size_t i = 0; g && i < g->reports.n; i++) {
		const struct report *r = g->reports.p[i];

		if (!r->file || strcmp(r->file, file) != 0 || !r->lines.n)
			continue;
		*vec_push(&l->spans) = (struct span_of){
			.first = r->first_line,
			.last = r->first_line + r->lines.n - 1,
			.crash = c && r == c->report,
		};
		l->any_crash |= c && r == c->report;
	}
}

static enum line_mark mark_of(const struct log_part *l, uint64_t at, const char *s, size_t n)
{
	static const char panic[] = "Kernel panic - not syncing";
	enum line_mark mark = LINE_PLAIN;

	for (size_t i = 0; i < l->spans.n; i++) {
		if (at < l->spans.p[i].first || at > l->spans.p[i].last)
			continue;
		if (l->spans.p[i].crash)
			return LINE_CRASH;
		mark = LINE_NEAR;
	}
	/* of a machine that was only asked to die no report is the crash: these words are */
	if (!l->any_crash && memmem(s, n, panic, sizeof(panic) - 1))
		return LINE_CRASH;
	return mark;
}

/* A line's text; its tabs do what they did on the console. */
static void tabbed_add(struct buf *b, const char *s, size_t n)
{
	for (const char *end = s + n, *tab; s < end; s = tab + 1) {
		tab = memchr(s, '\t', (size_t)(end - s));
		buf_markup(b, s, (size_t)((tab ? tab : end) - s));
		if (!tab)
			break;
		buf_char(b, '\t');
	}
}

/* One line, whose prefix is ours. */
static void line_add(struct log_part *l, uint64_t at, const char *prefix, const char *s, size_t n)
{
	static const char *const classes[] = { [LINE_PLAIN] = "",
					       [LINE_NEAR] = " class=\"near\"",
					       [LINE_CRASH] = " class=\"crash\"" };
	enum line_mark mark = mark_of(l, at, s, n);

	l->any_mark |= mark == LINE_CRASH;
	buf_reset(&l->line);
	buf_printf(&l->line, "<div%s", classes[mark]);
	if (mark == LINE_CRASH && !l->marked)
		buf_printf(&l->line, " id=\"crash\"");
	buf_str(&l->line, ">");
	buf_str(&l->line, prefix);
	tabbed_add(&l->line, s, n);
	buf_str(&l->line, "</div>\n");
	if (!l->b) {
		l->size += l->line.n;
		return;
	}
	/* what is left of the log goes into half of the room, marked lines into all of it */
	l->size -= l->line.n;
	if (l->line.n > l->room || (mark == LINE_PLAIN && l->size > l->room / 2)) {
		l->left_out++;
		return;
	}
	if (l->left_out)
		buf_printf(l->b, "<div class=\"soft\">(%llu lines were left out)</div>\n",
			   (unsigned long long)l->left_out);
	l->left_out = 0;
	l->marked |= mark == LINE_CRASH;
	l->room -= l->line.n;
	buf_add(l->b, l->line.s, l->line.n);
}

/* The lines of a message; those behind the first are no messages of their own. */
static bool message_add(const struct log_message *m, void *arg)
{
	struct log_part *l = arg;
	const char *s = m->text, *end = s + m->n, *nl;
	struct buf stamp = { 0 };

	buf_stamp(&stamp, m->time_ns);
	buf_char(&stamp, ' ');
	for (;; s = nl + 1) {
		nl = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
		line_add(l, m->time_ns / 1000, buf_text(&stamp), s, (size_t)((nl ? nl : end) - s));
		if (!nl)
			break;
		memset(stamp.s, ' ', stamp.n);
	}
	buf_release(&stamp);
	return !interrupted;
}

static void text_add(struct log_part *l, const struct file *f)
{
	const char *s = (const char *)f->map.p, *end = s + f->map.n, *nl;

	for (uint64_t number = 1; s < end && !interrupted; s = nl + 1, number++) {
		size_t n;

		nl = memchr(s, '\n', (size_t)(end - s));
		nl = nl ? nl : end;
		n = (size_t)(nl - s);
		line_add(l, number, "", s, n && s[n - 1] == '\r' ? n - 1 : n);
	}
}

static void part_begin(struct log_part *l, struct buf *b, const char *title)
{
	html_section(b, "log", title);
	if (l->any_mark)
		buf_str(b, "<p><a href=\"#crash\">to the crash</a></p>\n");
	html_filter(b, l->id, "lines with");
	buf_printf(b, "<div class=\"lines\" id=\"%s\">\n", l->id);
	l->b = b;
	l->room = HTML_LOG_MAX;
}

static void part_end(struct log_part *l, struct buf *b)
{
	if (l->left_out)
		buf_printf(b, "<div class=\"soft\">(%llu lines were left out)</div>\n",
			   (unsigned long long)l->left_out);
	buf_str(b, "</div>\n");
	html_section_end(b);
	buf_release(&l->line);
	vec_release(&l->spans);
}

static void log_of_dump(struct html *p, struct buf *b)
{
	struct log_part l = { .p = p, .id = "log-lines" };
	struct err err = { 0 };

	spans_of_log(&l);
	if (!log_each(p->t, message_add, NULL, &l, &err)) {
		html_unseen(p, "log", err.msg);
		vec_release(&l.spans);
		buf_release(&l.line);
		return;
	}
	part_begin(&l, b, "The log");
	/* the damage was told when the log was read for its reports */
	if (!log_each(p->t, message_add, NULL, &l, &err))
		html_unseen(p, "log", err.msg);
	part_end(&l, b);
}

/* The first text that has the report, or else the first one. */
static const struct file *text_of(const struct html *p)
{
	const struct claim *c = p->v->claim;
	const struct target *t = p->t;

	for (size_t i = 0; c && c->report && c->report->file && i < t->report_texts.n; i++)
		if (!strcmp(t->report_texts.p[i]->path, c->report->file))
			return t->report_texts.p[i];
	return t->report_texts.n ? t->report_texts.p[0] : NULL;
}

/* The report's own lines, where there is neither a log nor a text: it comes from pstore. */
static void log_of_report(struct html *p, struct buf *b)
{
	const struct report *r = p->v->claim ? p->v->claim->report : NULL;
	struct log_part l = { .p = p, .id = "log-lines", .any_crash = true, .any_mark = true };

	if (!r || !r->lines.n)
		return;
	*vec_push(&l.spans) = (struct span_of){ .first = 0, .last = UINT64_MAX, .crash = true };
	part_begin(&l, b, "The report");
	l.size = UINT64_MAX;
	for (size_t i = 0; i < r->lines.n; i++)
		line_add(&l, i, "", r->lines.p[i].raw, r->lines.p[i].raw_n);
	part_end(&l, b);
}

void html_log(struct html *p, struct buf *b)
{
	const struct file *f = text_of(p);
	struct log_part l = { .p = p, .id = "log-lines" };

	if (mem_loaded(p->t)) {
		log_of_dump(p, b);
		return;
	}
	if (!f) {
		log_of_report(p, b);
		return;
	}
	spans_of_text(&l, f->path);
	text_add(&l, f);
	part_begin(&l, b, "The text");
	text_add(&l, f);
	part_end(&l, b);
}
