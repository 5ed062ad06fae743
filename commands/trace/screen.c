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
	if (!large_enough(s)) {
		s->rows = SCREEN_ROWS_LEAST;
		s->cols = SCREEN_COLS_LEAST;
	}
	s->at = 0;
	put(s, "\033[H");
}

void screen_line(struct screen *s, enum screen_look look, const char *text, size_t n)
{
	size_t shown = 0;
	unsigned cols = 0;

	if (s->at >= s->rows)
		return;
	buf_reset(&s->b);
	buf_plain(&s->b, text, n);
	while (shown < s->b.n && cols < s->cols) {
		size_t len = text_shown(s->b.s + shown, s->b.n - shown);

		shown += len ? len : 1;
		cols++;
	}
	if (s->at)
		put(s, "\r\n");
	if (look == SCREEN_MARKED)
		put(s, "\033[7m");
	output_write(s->out, s->b.s, shown);
	for (; look == SCREEN_MARKED && cols < s->cols; cols++)
		put(s, " ");
	if (look == SCREEN_MARKED)
		put(s, "\033[m");
	if (cols < s->cols)
		put(s, "\033[K");
	s->at++;
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

	return terminal_size(STDOUT_FILENO, &rows, &cols) && (rows != s->rows || cols != s->cols) &&
	       rows >= SCREEN_ROWS_LEAST && cols >= SCREEN_COLS_LEAST;
}
