/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole terminal that is drawn line by line, with what every terminal since the VT100 understands
 * (ECMA-48), and the other page of xterm and its kin. */
#include "commands/trace/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"

static bool large_enough(struct screen *s)
{
	return terminal_size(STDOUT_FILENO, &s->rows, &s->cols) && s->rows >= SCREEN_ROWS_LEAST &&
	       s->cols >= SCREEN_COLS_LEAST;
}

static void put(struct screen *s, const char *text)
{
	output_write(s->out, text, strlen(text));
}

bool screen_open(struct screen *s, struct output *out)
{
	const char *term = getenv("TERM");

	*s = (struct screen){ .out = out };
	if (!term || !*term || !strcmp(term, "dumb") || !large_enough(s))
		return false;
	put(s, "\033[?1049h\033[?25l");
	return true;
}

void screen_close(struct screen *s)
{
	put(s, "\033[?25h\033[?1049l");
	output_flush(s->out);
	buf_release(&s->b);
}

void screen_begin(struct screen *s)
{
	s->small = !large_enough(s);
	s->at = 0;
	put(s, "\033[H");
}

/* How many of the n bytes at text, which may be shown, have room in a line; *cols is how much they
 * take of it. */
static size_t fits(const struct screen *s, const char *text, size_t n, unsigned *cols)
{
	size_t shown = 0;

	for (*cols = 0; shown < n && *cols < s->cols; ++*cols) {
		size_t len = text_shown(text + shown, n - shown);

		shown += len ? len : 1;
	}
	return shown;
}

/* A line of what may be shown. */
static size_t draw(struct screen *s, enum screen_look look, const char *text, size_t n)
{
	unsigned cols;
	size_t shown = fits(s, text, n, &cols);

	if (s->at >= s->rows)
		return shown;
	if (s->at)
		put(s, "\r\n");
	if (look == SCREEN_MARKED)
		put(s, "\033[7m");
	output_write(s->out, text, shown);
	for (; look == SCREEN_MARKED && cols < s->cols; cols++)
		put(s, " ");
	if (look == SCREEN_MARKED)
		put(s, "\033[m");
	if (cols < s->cols)
		put(s, "\033[K");
	s->at++;
	return shown;
}

void screen_line(struct screen *s, enum screen_look look, const char *text, size_t n)
{
	buf_reset(&s->b);
	buf_plain(&s->b, text, n);
	draw(s, look, buf_text(&s->b), s->b.n);
}

unsigned screen_lines_of(const struct screen *s, const char *text, size_t n, unsigned most)
{
	struct buf b = { 0 };
	unsigned lines = 1, cols;

	buf_plain(&b, text, n);
	for (size_t at = fits(s, buf_text(&b), b.n, &cols); at < b.n && lines < most; lines++)
		at += fits(s, b.s + at, b.n - at, &cols);
	buf_release(&b);
	return lines;
}

void screen_wrap(struct screen *s, enum screen_look look, const char *text, size_t n, unsigned most)
{
	size_t at = 0;

	buf_reset(&s->b);
	buf_plain(&s->b, text, n);
	do
		at += draw(s, look, buf_text(&s->b) + at, s->b.n - at);
	while (at < s->b.n && --most);
}

void screen_skip(struct screen *s, unsigned row)
{
	while (s->at < row && s->at < s->rows)
		screen_line(s, SCREEN_PLAIN, "", 0);
}

void screen_end(struct screen *s)
{
	put(s, "\033[J");
	output_flush(s->out);
}

bool screen_resized(const struct screen *s)
{
	unsigned rows, cols;

	return terminal_size(STDOUT_FILENO, &rows, &cols) && (rows != s->rows || cols != s->cols);
}
