/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours by meaning, links to source files, and text for who can show ASCII alone. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/image/source.h"
#include "core/image/target.h"
#include "core/shell/render/paint.h"

/* What each meaning looks like. Addresses, and what is neither good nor bad, have no colour. */
static const struct tint {
	const char *sgr;
	bool word; /* the first word alone, not every line */
} tints[] = {
	[MEANING_HEADING] = { "1" },          /* bold */
	[MEANING_NOTE] = { "2" },             /* faint */
	[MEANING_OK] = { "32", true },        /* green */
	[MEANING_WARNING] = { "33", true },   /* yellow */
	[MEANING_FAILURE] = { "1;31", true }, /* bold red */
	[MEANING_GUESS] = { "35", true },     /* magenta */
	[MEANING_PANIC] = { "31" },           /* red */
	[MEANING_ERROR] = { "31" },
};

static void line_add(struct buf *b, const char *s, size_t n, const struct tint *tint)
{
	size_t blank = 0, end;

	while (blank < n && s[blank] == ' ')
		blank++;
	end = tint->word ? blank : n;
	while (tint->word && end < n && s[end] != ' ')
		end++;
	buf_add(b, s, blank);
	if (end > blank) {
		buf_printf(b, "\033[%sm", tint->sgr);
		buf_add(b, s + blank, end - blank);
		buf_str(b, "\033[0m");
	}
	buf_add(b, s + end, n - end);
}

void paint(struct buf *b, size_t start, enum meaning meaning)
{
	struct buf lines = { 0 };

	if (meaning == MEANING_NONE || b->n <= start || b->cut)
		return;
	buf_add(&lines, b->s + start, b->n - start);
	buf_shrink(b, start);
	for (const char *s = lines.s, *all = lines.s + lines.n; s < all;) {
		bool bare = s > lines.s && tints[meaning].word;
		const char *end = memchr(s, '\n', (size_t)(all - s));
		size_t n = (size_t)((end ? end : all) - s);

		if (bare)
			buf_add(b, s, n);
		else
			line_add(b, s, n, &tints[meaning]);
		if (end)
			buf_char(b, '\n');
		s += n + (end != NULL);
	}
	buf_release(&lines);
}

void paint_ascii(struct buf *b)
{
	struct buf old = { 0 };
	size_t i = 0;

	while (i < b->n && (unsigned char)b->s[i] < 0x80)
		i++;
	if (i == b->n)
		return;
	buf_add(&old, b->s + i, b->n - i);
	buf_shrink(b, i);
	for (i = 0; i < old.n; i++) {
		unsigned char c = (unsigned char)old.s[i];
		char escaped[TEXT_ESCAPE_SIZE];

		if (c < 0x80)
			buf_char(b, (char)c);
		else
			buf_add(b, escaped, text_escape(c, escaped));
	}
	buf_release(&old);
}

/* ---- links */

/* The path as RFC 3986 lets a URL have it. */
static void url_add(struct buf *b, const char *path)
{
	buf_str(b, "file://");
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;
		bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
			     (c >= 'a' && c <= 'z') || strchr("/-._~", c);

		if (plain)
			buf_char(b, (char)c);
		else
			buf_printf(b, "%%%02X", c);
	}
}

static const struct cell *cell_named(const struct record *r, const char *name)
{
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++)
		if (!strcmp(r->kind->fields[i].name, name))
			return &r->cells[i];
	return NULL;
}

/* How much of s, behind a file's name, is its line: ":12" or ": 12". */
static size_t line_behind(const char *s, uint64_t line)
{
	char text[24];
	size_t blank = s[0] == ':' && s[1] == ' ', n;

	n = (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)line);
	return s[0] == ':' && !strncmp(s + 1 + blank, text, n) ? 1 + blank + n : 0;
}

void paint_link(struct buf *b, struct sink *k, const struct record *r)
{
	const struct cell *file = cell_named(r, "file"), *line = cell_named(r, "line");
	struct buf name = { 0 }, old = { 0 };
	const struct source *source;
	char path[PATH_MAX];
	const char *at = NULL;
	struct err ignored;
	size_t n;

	if (!file || !line || file->kind != CELL_STR || line->kind != CELL_UINT)
		return;
	buf_add(&name, file->str.s, file->str.n);
	if (name.n && source_file(k->t, buf_text(&name), &source, &ignored) &&
	    realpath(source->path, path)) {
		buf_reset(&name);
		buf_plain(&name, file->str.s, file->str.n); /* as it was printed */
		at = strstr(buf_text(b), buf_text(&name));
	}
	if (at) {
		size_t before = (size_t)(at - b->s);

		n = name.n + line_behind(at + name.n, line->u);
		buf_add(&old, b->s, b->n);
		buf_shrink(b, before);
		buf_str(b, "\033]8;;");
		url_add(b, path);
		buf_printf(b, "#%llu\033\\", (unsigned long long)line->u);
		buf_add(b, old.s + before, n);
		buf_str(b, "\033]8;;\033\\");
		buf_add(b, old.s + before + n, old.n - before - n);
	}
	buf_release(&name);
	buf_release(&old);
}
