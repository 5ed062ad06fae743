/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress: a line on the terminal that says how far long work is. */
#include "core/shell/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/outfile.h"

#define PROGRESS_EVERY_NS UINT64_C(200000000)
#define COLUMNS 80u

static uint64_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* A terminal that can take a line back. */
static bool can_show(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void progress_begin(struct progress *p)
{
	*p = (struct progress){ .on = can_show() };
	p->begin = p->last = p->on ? clock_now() : 0;
}

static void put(const char *s, size_t n)
{
	(void)!fd_write(STDERR_FILENO, s, n);
}

/* What does not fit into the terminal's line would begin another, which is not taken back. */
static size_t fitting(const struct buf *b)
{
	struct winsize ws;
	size_t n = COLUMNS;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		n = ws.ws_col;
	if (b->n < n)
		return b->n;
	for (n--; n && ((unsigned char)b->s[n] & 0xc0) == 0x80; n--)
		; /* no character is cut */
	return n;
}

static void show(struct progress *p, const struct buf *line)
{
	struct buf b = { 0 };

	buf_str(&b, "\r");
	buf_add(&b, buf_text(line), fitting(line));
	buf_str(&b, "\033[K");
	put(b.s, b.n);
	buf_release(&b);
	p->shown = true;
}

/* Is it time for the line to be written again? */
static bool is_due(struct progress *p)
{
	uint64_t now;

	if (!p->on)
		return false;
	now = clock_now();
	if (now - p->begin < PROGRESS_AFTER_NS || now - p->last < PROGRESS_EVERY_NS)
		return false;
	p->last = now;
	return true;
}

void progress_tell(void *arg, const char *what, uint64_t done, uint64_t all)
{
	struct progress *p = arg;
	struct buf b = { 0 };

	if (!p->on)
		return;
	if (what) {
		size_t n = strnlen(what, sizeof(p->what) - 1);

		memcpy(p->what, what, n);
		p->what[n] = '\0';
	}
	if (what || all) {
		p->done = done;
		p->all = all;
	}
	if (!is_due(p))
		return;
	buf_plain(&b, p->what, strlen(p->what));
	if (p->all)
		buf_printf(&b, "%s%.0f %%", b.n ? ", " : "",
			   100.0 * (double)p->done / (double)p->all);
	buf_printf(&b, "%s%" PRIu64 " s", b.n ? ", " : "", (p->last - p->begin) / 1000000000);
	show(p, &b);
	buf_release(&b);
}

void progress_line(struct progress *p, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	if (!is_due(p))
		return;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	show(p, &b);
	buf_release(&b);
}

void progress_clear(struct progress *p)
{
	if (!p->shown)
		return;
	put("\r\033[K", 4);
	p->shown = false;
	p->last = 0;
}

void progress_aside(struct progress *p)
{
	struct stat st;

	if (!p->on || fstat(STDOUT_FILENO, &st))
		return;
	if (isatty(STDOUT_FILENO))
		progress_clear(p);
	else if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		progress_end(p);
}

void progress_end(struct progress *p)
{
	progress_clear(p);
	p->on = false;
}
