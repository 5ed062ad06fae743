/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that outlived the reboot: their lines, taken apart, and what can be said of them. */
#include <string.h>

#include "core/base/number.h"
#include "core/image/survivor.h"

#define NS UINT64_C(1000000000)

const char *survivor_type_name(enum survivor_type type)
{
	static const char *const names[] = {
		"dmesg", "console", "pmsg", "ftrace", "mce", "unknown"
	};

	return names[type < SURVIVOR_TYPES ? type : SURVIVOR_UNKNOWN];
}

static bool take_char(const char **p, const char *end, char c)
{
	if (*p >= end || **p != c)
		return false;
	++*p;
	return true;
}

static void take_blanks(const char **p, const char *end)
{
	while (*p < end && **p == ' ')
		++*p;
}

/* "<14>": facility times eight plus level. */
static void parse_level(const char **p, const char *end, struct survivor_line *l)
{
	const char *s = *p;
	uint64_t n;

	if (!take_char(&s, end, '<') || !number_take(&s, end, 10, &n) || !take_char(&s, end, '>') ||
	    n > 8191)
		return;
	l->level = (int)(n & 7);
	l->facility = (int)(n >> 3);
	*p = s;
}

/* "[    3.184995]"; kernel/printk/printk.c, print_time(). */
static void parse_time(const char **p, const char *end, struct survivor_line *l)
{
	const char *s = *p, *frac;
	uint64_t sec, us;

	if (!take_char(&s, end, '['))
		return;
	take_blanks(&s, end);
	if (!number_take(&s, end, 10, &sec) || !take_char(&s, end, '.'))
		return;
	frac = s;
	if (!number_take(&s, end, 10, &us) || s - frac != 6 || !take_char(&s, end, ']'))
		return;
	l->has_time = sec < UINT64_MAX / NS - 1;
	l->time_ns = sec * NS + us * 1000;
	*p = s;
}

/* "[    T1]", "[   C0]"; CONFIG_PRINTK_CALLER. */
static void parse_caller(const char **p, const char *end, struct survivor_line *l)
{
	const char *s = *p, *from;
	uint64_t n;

	if (!take_char(&s, end, '['))
		return;
	take_blanks(&s, end);
	from = s;
	if (!take_char(&s, end, 'T') && !take_char(&s, end, 'C'))
		return;
	if (!number_take(&s, end, 10, &n) || s >= end || *s != ']')
		return;
	l->caller = from;
	l->caller_n = (size_t)(s - from);
	*p = s + 1;
}

static void line_parse(const char *s, size_t n, struct survivor_line *l)
{
	const char *p = s, *end = s + n;

	*l = (struct survivor_line){ .level = -1, .facility = -1, .whole = s, .whole_n = n };
	parse_level(&p, end, l);
	parse_time(&p, end, l);
	if (l->has_time) {
		parse_caller(&p, end, l);
		take_char(&p, end, ' ');
	}
	l->text = p;
	l->n = (size_t)(end - p);
}

/* Android's priorities (android_LogPriority), from verbose to fatal, as levels of syslog. */
static int android_level(unsigned prio)
{
	static const signed char levels[] = { -1, -1, 7, 7, 6, 4, 3, 2, -1 };

	return prio < sizeof(levels) ? levels[prio] : -1;
}

/*
 * One frame of Android's (system/logging, android_pmsg_log_header_t and android_log_header_t): 'l',
 * u16 length, u16 uid, u16 pid, u8 log id, u16 thread, u32 seconds, u32 nanoseconds, then a
 * priority, a tag and a text. False: no frame here.
 */
static bool frame_parse(struct span at, struct survivor_line *l, size_t *taken)
{
	const uint8_t *p = at.p;
	size_t len, tag;

	if (at.n < 18 || p[0] != 'l')
		return false;
	len = load_le16(p + 1);
	if (len < 18 || len > at.n || p[7] > 7 || load_le32(p + 14) >= NS)
		return false;
	*l = (struct survivor_line){ .level = -1, .facility = -1 };
	l->uid = load_le16(p + 3);
	l->pid = load_le16(p + 5);
	l->has_wall = true;
	l->wall_ns = (int64_t)(load_le32(p + 10) * NS + load_le32(p + 14));
	*taken = len;
	l->whole = (const char *)p;
	l->whole_n = len;
	if (p[7] == 2 || len < 20) { /* binary events have no text */
		l->tag = "(binary)";
		l->text = "";
		return true;
	}
	l->level = android_level(p[18]);
	tag = strnlen((const char *)p + 19, len - 19);
	if (tag == len - 19) {
		l->text = (const char *)p + 19;
		l->n = tag;
		return true;
	}
	l->tag = (const char *)p + 19;
	l->text = l->tag + tag + 1;
	l->n = strnlen(l->text, len - 20 - tag);
	while (l->n && l->text[l->n - 1] == '\n')
		l->n--;
	return true;
}

static void frames_each(struct span s, bool (*fn)(const struct survivor_line *l, void *arg),
			void *arg)
{
	while (s.n >= 18) {
		const uint8_t *next;
		struct survivor_line l;
		size_t n;

		if (frame_parse(s, &l, &n)) {
			if (!fn(&l, arg))
				return;
			s = SPAN(s.p + n, s.n - n);
			continue;
		}
		next = memchr(s.p + 1, 'l', s.n - 1);
		if (!next)
			return;
		s = SPAN(next, s.n - (size_t)(next - s.p));
	}
}

void survivor_lines(const struct survivor *s, bool (*fn)(const struct survivor_line *l, void *arg),
		    void *arg)
{
	const char *p = s->text, *end, *nl;
	struct survivor_line l;

	if (s->pmsg.n) {
		frames_each(s->pmsg, fn, arg);
		return;
	}
	if (!p)
		return;
	for (end = p + s->n; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		line_parse(p, (size_t)(nl - p), &l);
		if (l.whole_n && l.whole[l.whole_n - 1] == '\r') {
			l.whole_n--;
			l.n -= l.n ? 1 : 0;
		}
		if (!fn(&l, arg))
			return;
	}
}

/* What a crash begins with; the lower the number, the more it says. */
static unsigned headline_rank(const struct survivor_line *l)
{
	static const char *const heads[] = {
		"Kernel panic - not syncing: ",
		"BUG: ",
		"Oops",
		"general protection fault",
		"Internal error: ",
		"Unable to handle kernel ",
		"kernel BUG at ",
		"watchdog: BUG: ",
		"Kernel panic",
		"Unhandled fault",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(heads); i++) {
		size_t n = strlen(heads[i]);

		if (l->n >= n && memcmp(l->text, heads[i], n) == 0)
			return i ? 1 : 0;
	}
	return 2;
}

struct headline_search {
	struct survivor_line best;
	unsigned rank;
};

static bool headline_line(const struct survivor_line *l, void *arg)
{
	struct headline_search *h = arg;
	unsigned rank = headline_rank(l);

	if (rank < h->rank) {
		h->rank = rank;
		h->best = *l;
	}
	return true;
}

bool survivor_headline(const struct survivor *s, struct survivor_line *ret)
{
	struct headline_search h = { .rank = 2 };

	if (s->type != SURVIVOR_DMESG && s->type != SURVIVOR_CONSOLE)
		return false;
	survivor_lines(s, headline_line, &h);
	*ret = h.best;
	return h.rank < 2;
}

static const char *text_find(const struct survivor *s, const char *what)
{
	return s->text ? memmem(s->text, s->n, what, strlen(what)) : NULL;
}

bool survivor_kernel_offset(const struct survivor *s, uint64_t *ret)
{
	static const char what[] = "Kernel Offset: 0x";
	const char *p = text_find(s, what);

	if (!p)
		return false;
	p += sizeof(what) - 1;
	return number_take(&p, s->text + s->n, 16, ret);
}

bool survivor_banner(const struct survivor *s, const char **ret, size_t *n)
{
	const char *p = text_find(s, "Linux version "), *nl;

	if (!p)
		return false;
	nl = memchr(p, '\n', s->n - (size_t)(p - s->text));
	*ret = p;
	*n = nl ? (size_t)(nl - p) : s->n - (size_t)(p - s->text);
	return true;
}
