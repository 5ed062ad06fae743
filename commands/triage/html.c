/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict as a page of HTML: its head, the verdict, the checks, and what was not seen. */
#include <inttypes.h>
#include <string.h>

#include "commands/triage/html.h"
#include "commands/triage/face.h"
#include "core/base/quantity.h"
#include "core/image/target.h"
#include "core/verdict/check.h"

static void head(struct html *p, struct buf *b)
{
	buf_str(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "style-src 'unsafe-inline'; script-src 'sha256-");
	buf_str(b, html_script_hash);
	buf_str(b, "'; base-uri 'none'; form-action 'none'\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"color-scheme\" content=\"light dark\">\n"
		   "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	buf_printf(b, "%s: ", face_outcome(p->v->outcome));
	html_text(b, p->v->sentence);
	buf_str(b, "</title>\n<style>\n");
	buf_str(b, html_style);
	buf_str(b, "</style>\n</head>\n<body>\n");
}

static void band(struct html *p, struct buf *b)
{
	const struct verdict *v = p->v;

	buf_printf(b, "<header class=\"%s\">\n<div class=\"word\">%s</div>\n",
		   outcome_name(v->outcome), face_outcome(v->outcome));
	html_element(b, "h1", NULL, v->sentence);
	if (v->why_sure) {
		buf_printf(b, "\n<div>%s: ", sureness_name(v->sure));
		html_text(b, v->why_sure);
		buf_str(b, "</div>");
	}
	buf_str(b, "\n</header>\n");
}

static void blame(struct buf *b, const struct claim *c)
{
	struct buf line = { 0 };

	if (c->function)
		buf_str(&line, c->function);
	if (c->module)
		buf_printf(&line, "%smodule %s", line.n ? " of " : "", c->module);
	if (c->place)
		buf_printf(&line, "%s%s", line.n ? ", " : "", c->place);
	html_row(b, "to blame", buf_text(&line));
	buf_release(&line);
	html_row(b, "subsystem", c->subsystem);
	html_row(b, "rival", c->rival);
	html_row(b, "title", c->title);
	html_row(b, "signature", c->signature);
	html_row(b, "stack", c->stack);
}

static void evidence(struct html *p, struct buf *b)
{
	const struct claim *c = p->v->claim;
	struct buf line = { 0 };

	html_section(b, "evidence", "What happened, and how that is known");
	buf_str(b, "<table>\n");
	html_row(b, "how it ended", p->v->death.how);
	html_row(b, "words of panic", p->v->death.panic);
	face_kernel(&line, p->v);
	html_row(b, "kernel", buf_text(&line));
	buf_release(&line);
	if (c)
		blame(b, c);
	buf_str(b, "</table>\n");
	if (c && c->n_evidence) {
		buf_str(b, "<h3>Evidence</h3>\n<table>\n");
		for (size_t i = 0; i < c->n_evidence; i++) {
			buf_str(b, "<tr>");
			html_element(b, "th", NULL, c->evidence[i].source);
			html_element(b, "td", "what", c->evidence[i].text);
			buf_str(b, "</tr>\n");
		}
		buf_str(b, "</table>\n");
	}
	html_section_end(b);
}

static void check_part(struct html *p, struct buf *b, const struct finding *f)
{
	struct buf took = { 0 };

	buf_printf(b, "<details class=\"%s\"%s><summary><span class=\"state\">[%s]</span> ",
		   check_state_name(f->state), f->state == CHECK_FAIL ? " open" : "",
		   face_mark(f->state));
	html_element(b, "span", "name", finding_name(f));
	buf_char(b, ' ');
	html_text(b, f->text);
	buf_str(b, "</summary>\n<table>\n");
	html_row(b, "looks at", f->check->doc);
	if (f->claim && f->claim != p->v->claim)
		html_row(b, "would mean", f->claim->sentence);
	if (f->why.code != ERR_OK)
		html_row(b, f->state == CHECK_UNKNOWN ? "why not" : "in part", f->why.msg);
	if (f->more) {
		buf_str(b, "<tr><th>shows more</th><td>");
		html_element(b, "code", NULL, f->more);
		buf_str(b, "</td></tr>\n");
	}
	buf_printf(&took, "%" PRIu64 ".%03" PRIu64 " ms", f->took / 1000000, f->took / 1000 % 1000);
	if (f->took)
		html_row(b, "took", buf_text(&took));
	buf_str(b, "</table></details>\n");
	buf_release(&took);
}

static bool same_unknown(const struct finding *a, const struct finding *b)
{
	return b->state == CHECK_UNKNOWN && !strcmp(a->text, b->text);
}

/* Checks that could not look for the same reason are told of together, with the first of them. */
static void unknown_unseen(struct html *p, size_t at)
{
	const struct verdict *v = p->v;
	struct buf names = { 0 };

	for (size_t i = 0; i < v->n_findings; i++) {
		if (!same_unknown(&v->findings[at], &v->findings[i]))
			continue;
		if (i < at)
			break;
		buf_printf(&names, "%s%s", names.n ? ", " : "", finding_name(&v->findings[i]));
	}
	if (names.n)
		html_unseen(p, buf_text(&names), v->findings[at].text);
	buf_release(&names);
}

static void check_parts(struct html *p, struct buf *b)
{
	static const enum check_state order[] = { CHECK_FAIL, CHECK_WARN, CHECK_UNKNOWN, CHECK_OK };
	const struct verdict *v = p->v;

	html_section(b, "checks", "Checks");
	for (size_t k = 0; k < ARRAY_SIZE(order); k++)
		for (size_t i = 0; i < v->n_findings; i++)
			if (v->findings[i].state == order[k])
				check_part(p, b, &v->findings[i]);
	html_section_end(b);
	for (size_t i = 0; i < v->n_findings; i++)
		if (v->findings[i].state == CHECK_UNKNOWN)
			unknown_unseen(p, i);
		else if (v->findings[i].why.code != ERR_OK)
			html_unseen(p, finding_name(&v->findings[i]), v->findings[i].why.msg);
}

static void unseen(struct html *p, struct buf *b)
{
	html_section(b, "unseen", "What was not seen");
	if (!p->unseen.n)
		buf_str(b, "<p>Nothing that was looked for was missing.</p>\n");
	else
		buf_str(b, "<ul>\n");
	for (size_t i = 0; i < p->unseen.n; i++) {
		html_element(b, "li", NULL, p->unseen.p[i]);
		buf_char(b, '\n');
	}
	if (p->unseen.n)
		buf_str(b, "</ul>\n");
	html_section_end(b);
}

static void foot(struct html *p, struct buf *b)
{
	struct buf date = { 0 };

	buf_str(b, "</main>\n<footer>Made by obit ");
	html_text(b, p->version ? p->version : "");
	buf_date(&date, p->now);
	buf_printf(b, ", %s, of", buf_text(&date));
	for (size_t i = 0; i < p->t->inputs.n; i++) {
		buf_str(b, i ? ", " : " ");
		html_text(b, p->t->inputs.p[i].file->path);
	}
	buf_str(b, ".</footer>\n<script>");
	buf_str(b, html_script);
	buf_str(b, "</script>\n</body>\n</html>\n");
	buf_release(&date);
}

/* The sections, in the order in which they are read. */
struct part {
	const char *id, *name;
	void (*make)(struct html *p, struct buf *b);
	size_t max; /* 0: a small one */
};
#define PART_MAX 100000u
static const struct part parts[] = {
	{ "evidence", "what happened", evidence, 0 },
	{ "checks", "checks", check_parts, 0 },
	{ "waits", "who waits", html_waits, HTML_WAITS_MAX },
	{ "trace", "last milliseconds", html_trace, HTML_TRACE_MAX },
	{ "stacks", "stacks", html_stacks, HTML_STACKS_MAX },
	{ "log", "log", html_log, HTML_LOG_MAX },
	{ "machine", "machine", html_machine, 0 },
	{ "unseen", "not seen", unseen, 0 },
};

bool html_make(struct target *t, const struct verdict *v, const char *version, int64_t now,
	       void (*note)(const struct err *e, void *arg), void *arg, struct buf *ret,
	       struct err *err)
{
	struct html p = {
		.t = t, .v = v, .version = version, .now = now, .note = note, .arg = arg
	};
	struct buf all[ARRAY_SIZE(parts)] = { 0 };

	*ret = (struct buf){ .max = HTML_MAX };
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		/* a section that was cut would leave elements open */
		all[i].max = parts[i].max ? parts[i].max + PART_MAX : PART_MAX;
		parts[i].make(&p, &all[i]);
		if (!all[i].cut)
			continue;
		buf_reset(&all[i]);
		html_unseen(&p, parts[i].name, "it would be too long for this page");
	}
	head(&p, ret);
	band(&p, ret);
	buf_str(ret, "<nav>");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (all[i].n)
			buf_printf(ret, "<a href=\"#%s\">%s</a> ", parts[i].id, parts[i].name);
	buf_str(ret, "</nav>\n<main>\n");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		buf_add(ret, buf_text(&all[i]), all[i].n);
		buf_release(&all[i]);
	}
	foot(&p, ret);
	vec_release(&p.unseen);
	return !ret->cut ||
	       err_set(err, ERR_LIMIT, "the page would have more than %u bytes", HTML_MAX);
}
