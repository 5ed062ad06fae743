/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sections of a page are made of. */
#include <string.h>

#include "commands/triage/html.h"
#include "core/base/markup.h"
#include "core/image/target.h"

#define UNSEEN_MAX 200

void html_text(struct buf *b, const char *s)
{
	buf_markup(b, s, strlen(s));
}

void html_element(struct buf *b, const char *tag, const char *class, const char *s)
{
	buf_printf(b, class ? "<%s class=\"%s\">" : "<%s>", tag, class);
	html_text(b, s);
	buf_printf(b, "</%s>", tag);
}

void html_row(struct buf *b, const char *label, const char *s)
{
	if (!s || !*s)
		return;
	buf_str(b, "<tr>");
	html_element(b, "th", NULL, label);
	html_element(b, "td", NULL, s);
	buf_str(b, "</tr>\n");
}

void html_section(struct buf *b, const char *id, const char *title)
{
	buf_printf(b, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void html_section_end(struct buf *b)
{
	buf_str(b, "</section>\n");
}

void html_filter(struct buf *b, const char *id, const char *label)
{
	buf_printf(
		b,
		"<p class=\"tools\" hidden><label>%s <input type=\"search\" data-of=\"%s\"></label> "
		"<output></output> <button type=\"button\" data-open=\"%s\">open all</button></p>\n",
		label, id, id);
}

void html_unseen(struct html *p, const char *what, const char *why)
{
	const char *text =
		arena_printf(p->t->scratch, "%s%s%s", what ? what : "", what ? ": " : "", why);

	for (size_t i = 0; i < p->unseen.n; i++)
		if (!strcmp(p->unseen.p[i], text))
			return;
	if (p->unseen.n == UNSEEN_MAX)
		return;
	if (p->unseen.n == UNSEEN_MAX - 1)
		text = "and more";
	*vec_push(&p->unseen) = text;
}

void html_note(const struct err *e, void *arg)
{
	struct html *p = arg;

	html_unseen(p, NULL, e->msg);
	p->note(e, p->arg);
}
