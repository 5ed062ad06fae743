/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands before the kernel's own words on a line: times, levels, callers, hosts, and quoting.
 */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define STEPS_MAX 8
#define JUNK_MAX 160 /* how far a kernel's time stamp is sought behind what nobody knows */

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t blanks(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return (size_t)(p - s);
}

static size_t digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && digit(*p))
		p++;
	return (size_t)(p - s);
}

/* printk_time(): "[%5lu.%06lu]", and dmesg -d's "[    1.234567 <    0.000001>]". Ten digits of
 * seconds are as many as fit into 64 bits of nanoseconds. */
static size_t printk_time(const char *s, const char *end, struct oline *l)
{
	const char *p = s;
	uint64_t sec, usec;
	size_t n;

	if (p >= end || *p++ != '[')
		return 0;
	p += p < end && *p == '<';
	p += blanks(p, end);
	n = digits(p, end);
	if (!n || n > 10 || p + n + 1 >= end || p[n] != '.' || digits(p + n + 1, end) > 9 ||
	    (!digits(p + n + 1, end) && p[n + 1] != ']'))
		return 0;
	number_dec(p, end, &sec, &p);
	n = digits(p + 1, end);
	number_dec(p + 1, end, &usec, &p);
	for (; n < 6; n++) /* typed in or cut: fewer digits than the kernel prints */
		usec *= 10;
	for (; n > 6; n--)
		usec /= 10;
	if (p < end && *p == ' ' && p + blanks(p, end) < end && p[blanks(p, end)] == '<') {
		const char *close = memchr(p, '>', (size_t)(end - p < 24 ? end - p : 24));

		if (!close)
			return 0;
		p = close;
	}
	p += p < end && *p == '>';
	if (p >= end || *p != ']')
		return 0;
	l->has_time = true;
	l->time_ns = sec * 1000000000 + usec * 1000;
	return (size_t)(p + 1 - s);
}

/* "1.639034] ": the time stamp of a line that lost its first bracket. */
static size_t torn_time(const char *s, const char *end, struct oline *l)
{
	const char *p = s;
	uint64_t sec, usec;
	size_t n = digits(s, end);

	if (!n || n > 7 || s + n + 7 >= end || s[n] != '.' || digits(s + n + 1, end) != 6 ||
	    s[n + 7] != ']')
		return 0;
	number_dec(p, end, &sec, &p);
	number_dec(p + 1, end, &usec, &p);
	l->has_time = true;
	l->time_ns = sec * 1000000000 + usec * 1000;
	return n + 8;
}

/* CONFIG_PRINTK_CALLER: "[    T1]", "[    C0]". */
static size_t caller(const char *s, const char *end, struct oline *l)
{
	const char *p = s + 1;
	uint64_t id;
	char ctx;

	if (s >= end || *s != '[')
		return 0;
	p += blanks(p, end);
	if (p >= end || (*p != 'T' && *p != 'C') || !digits(p + 1, end))
		return 0;
	ctx = *p;
	if (!number_dec(p + 1, end, &id, &p) || p >= end || *p != ']')
		return 0;
	l->ctx = ctx;
	l->ctx_id = (uint32_t)id;
	return (size_t)(p + 1 - s);
}

/* Who printed a line: a task, or a CPU that has none, for there every idle task is number 0. */
static void set_caller(struct oline *l, uint64_t cpu, uint64_t pid)
{
	l->ctx = pid ? 'T' : 'C';
	l->ctx_id = (uint32_t)(pid ? pid : cpu);
}

/* Samsung's kernels print CPU, name and process behind the time: "[1:     kworker/1:1:  848]", with
 * a letter before it for the level. */
static size_t process_column(const char *s, const char *end, struct oline *l)
{
	const char *p = s + (s < end && isupper((unsigned char)*s)), *close, *colon, *q;
	uint64_t cpu, pid;
	size_t n;

	if (end - p < 8 || *p != '[' || !(n = digits(p + 1, end)) || n > 3 || p[1 + n] != ':')
		return 0;
	number_dec(p + 1, end, &cpu, &q);
	close = memchr(p, ']', (size_t)(end - p < 40 ? end - p : 40));
	colon = close ? memrchr(p + 2 + n, ':', (size_t)(close - p - 2 - (ptrdiff_t)n)) : NULL;
	if (!colon || !number_dec(colon + 1 + blanks(colon + 1, close), close, &pid, &q) ||
	    q != close || pid >> 31)
		return 0;
	set_caller(l, cpu, pid);
	return (size_t)(close + 1 - s);
}

/* Android's vendors print the CPU and the process behind the time: "c1   1042 ", and some its name:
 * "c0 1 (swapper/0) ". */
static size_t cpu_column(const char *s, const char *end, struct oline *l)
{
	size_t n, gap, pid;
	uint64_t cpu, v;
	const char *q;

	if (end - s < 6 || *s != 'c' || !(n = digits(s + 1, end)) || n > 3)
		return 0;
	n++;
	gap = blanks(s + n, end);
	pid = gap ? digits(s + n + gap, end) : 0;
	if (!pid || pid > 8 || s + n + gap + pid >= end || s[n + gap + pid] != ' ')
		return 0;
	number_dec(s + 1, end, &cpu, &q);
	number_dec(s + n + gap, end, &v, &q);
	set_caller(l, cpu, v);
	n += gap + pid + 1;
	if (s + n < end && s[n] == '(') {
		const char *close = memchr(s + n, ')', (size_t)(end - s) - n);

		if (close && close - s - (ptrdiff_t)n < 18)
			return (size_t)(close + 1 - s);
	}
	return n;
}

/* MediaTek's has the CPU, the process and its name: "(1)[1042:kworker/1:2]", some a dash before. */
static size_t cpu_group(const char *s, const char *end, struct oline *l)
{
	const char *p = s + (s < end && *s == '-') + 1, *close;
	uint64_t cpu, pid;

	if (end - s < 8 || p[-1] != '(' || !digit(*p) || !number_dec(p, end, &cpu, &p) ||
	    cpu > 4096 || end - p < 5 || p[0] != ')' || p[1] != '[' || !digit(p[2]) ||
	    !number_dec(p + 2, end, &pid, &p) || pid >> 31 || p >= end || *p != ':')
		return 0;
	close = memchr(p, ']', (size_t)(end - p < 20 ? end - p : 20));
	if (!close)
		return 0;
	set_caller(l, cpu, pid);
	return (size_t)(close + 1 - s);
}

/* "12:34" or "12:34:56" somewhere in it. */
static bool has_clock(const char *s, const char *end)
{
	for (; s + 5 <= end; s++)
		if (digit(s[0]) && digit(s[1]) && s[2] == ':' && digit(s[3]) && digit(s[4]))
			return true;
	return false;
}

/* "[Mon Jan  6 10:20:30 2025]", "[Jan06 10:20]", "[  +0.010710]", "[10:20:30]", "[2025-01-06 ...]".
 */
static size_t bracket_stamp(const char *s, const char *end)
{
	const char *close, *p;

	if (s >= end || *s != '[')
		return 0;
	close = memchr(s, ']', (size_t)(end - s < 48 ? end - s : 48));
	if (!close)
		return 0;
	p = s + 1 + blanks(s + 1, close);
	if (p < close && *p == '+' && digit(p[1]) && digits(p + 1, close) < 10 &&
	    p[1 + digits(p + 1, close)] == '.')
		return (size_t)(close + 1 - s);
	for (; p < close; p++)
		if (!isalnum((unsigned char)*p) && !strchr(" :.,+-/", *p))
			return 0;
	/* "[........]": somebody did not type it in */
	if (close - s > 4 && (size_t)(close - s - 1) == strspn(s + 1, ". "))
		return (size_t)(close + 1 - s);
	return has_clock(s, close) ? (size_t)(close + 1 - s) : 0;
}

static size_t raw_level(const char *s, const char *end)
{
	size_t n;

	if (s >= end || *s != '<')
		return 0;
	n = digits(s + 1, end);
	return n && n <= 3 && s + n + 1 < end && s[n + 1] == '>' ? n + 2 : 0;
}

/* /dev/kmsg and netconsole's extended form: "level,seq,usec,flags[,...];text". */
static size_t kmsg(const char *s, const char *end, struct oline *l)
{
	const char *p = s, *semi;
	uint64_t v[3];

	for (int i = 0; i < 3; i++) {
		if (p >= end || !digit(*p) || !number_dec(p, end, &v[i], &p) || p >= end ||
		    *p++ != ',')
			return 0;
	}
	semi = memchr(p, ';', (size_t)(end - p < 80 ? end - p : 80));
	if (!semi)
		return 0;
	for (const char *c = p; c < semi; c++)
		if (*c == ' ')
			return 0;
	l->has_time = true;
	l->time_ns = v[2] * 1000;
	if ((p = find_text(p, (size_t)(semi - p), "caller=")) && semi - p > 8 &&
	    (p[7] == 'T' || p[7] == 'C')) {
		l->ctx = p[7];
		if (number_dec(p + 8, semi, &v[0], &p))
			l->ctx_id = (uint32_t)v[0];
	}
	return (size_t)(semi + 1 - s);
}

/* dmesg -x: "kern  :emerg : ". */
static size_t facility(const char *s, const char *end)
{
	static const char *const levels[] = { "emerg", "alert",  "crit", "err",
					      "warn",  "notice", "info", "debug" };
	const char *p = s;

	if (!has_prefix(s, (size_t)(end - s), "kern") &&
	    !has_prefix(s, (size_t)(end - s), "user") &&
	    !has_prefix(s, (size_t)(end - s), "daemon"))
		return 0;
	while (p < end && islower((unsigned char)*p))
		p++;
	p += blanks(p, end);
	if (p >= end || *p++ != ':')
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		size_t n = strlen(levels[i]);

		if (!has_prefix(p, (size_t)(end - p), levels[i]))
			continue;
		p += n;
		p += blanks(p, end);
		return p < end && *p == ':' ? (size_t)(p + 1 - s) : 0;
	}
	return 0;
}

static size_t clock_time(const char *s, const char *end)
{
	const char *p = s;

	for (int i = 0; i < 3; i++) {
		if (digits(p, end) != 2)
			return 0;
		p += 2;
		if (i < 2 && (p >= end || *p++ != ':'))
			return 0;
	}
	if (p + 1 < end && (*p == '.' || *p == ',') && digit(p[1]))
		p += 1 + digits(p + 1, end);
	return (size_t)(p - s);
}

/* "2025-01-06T10:20:30,123456+01:00", "2024/01/02 03:04:05". */
static size_t iso_stamp(const char *s, const char *end)
{
	const char *p = s;
	size_t n;

	if (end - s < 19 || digits(p, end) != 4 || (p[4] != '-' && p[4] != '/') ||
	    digits(p + 5, end) != 2 || p[7] != p[4] || digits(p + 8, end) != 2 ||
	    (p[10] != 'T' && p[10] != ' '))
		return 0;
	p += 11;
	n = clock_time(p, end);
	if (!n)
		return 0;
	p += n;
	if (p < end && *p == 'Z')
		p++;
	else if (p + 4 < end && (*p == '+' || *p == '-') && digits(p + 1, end) >= 2) {
		p += 1 + digits(p + 1, end);
		if (p < end && *p == ':')
			p += 1 + digits(p + 1, end);
	}
	return p == end || *p == ' ' || *p == '\t' || *p == ':' ? (size_t)(p - s) : 0;
}

/* "Feb 26 19:12:30", with a weekday or a year or a fraction. */
static size_t syslog_stamp(const char *s, const char *end)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const char *p = s;
	size_t n;

	if (end - p > 4 && isalpha((unsigned char)p[0]) && p[3] == ' ' &&
	    find_text("MonTueWedThuFriSatSun", 21, (char[]){ p[0], p[1], p[2], 0 }))
		p += 4;
	if (end - p < 14 || !isupper((unsigned char)p[0]) || p[3] != ' ' ||
	    !find_text(months, 36, (char[]){ p[0], p[1], p[2], 0 }))
		return 0;
	p += 4;
	p += blanks(p, end);
	n = digits(p, end);
	if (!n || n > 2)
		return 0;
	p += n;
	p += blanks(p, end);
	if (digits(p, end) == 4) {
		p += 4;
		p += blanks(p, end);
	}
	n = clock_time(p, end);
	return n ? (size_t)(p + n - s) : 0;
}

/* "11月 23 19:12:30", "27. июл 19:12:30": a date in any language, which says little alone. */
static size_t foreign_stamp(const char *s, const char *end)
{
	const char *p = s;
	bool word = false, day = false;
	size_t n;

	for (int i = 0; i < 2; i++) {
		const char *from = p;

		while (p < end && p - from < 20 &&
		       (isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80))
			p++;
		if (p == from)
			return 0;
		n = digits(from, p);
		day |= n == (size_t)(p - from) && n <= 2;
		word |= n < (size_t)(p - from);
		p += p < end && *p == '.';
		if (p >= end || *p != ' ')
			return 0;
		p += blanks(p, end);
	}
	n = day && word ? clock_time(p, end) : 0;
	return n ? (size_t)(p + n - s) : 0;
}

static bool is_kernel_tag(const char *s, size_t n)
{
	static const char *const tags[] = { "kernel", "klogd", "vmunix", "kern", "netconsole" };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (strlen(tags[i]) == n && !memcmp(s, tags[i], n))
			return true;
	return false;
}

/* Is it the kernel's own line already, whose first words look like a host and a tag? */
static bool is_kernels(const char *s, const char *end)
{
	const struct oline l = { .text = s, .n = (size_t)(end - s) };
	const struct header *h;

	switch (shape_of(&l, &h)) {
	case SHAPE_NONE:
		return false;
	case SHAPE_HEADER:
		return h->text[0] != '*'; /* such may stand in anybody's line */
	default:
		return true;
	}
}

/* "host kernel: " behind a date; a program's tag marks the line as foreign. */
static size_t host_tag(const char *s, const char *end, bool dated, bool syslog, struct oline *l)
{
	const char *p = s, *tag, *base;
	size_t record;
	bool has_pid;

	while (p < end && *p != ' ' && *p != ':' && p - s < 80)
		p++;
	if (p < end && *p == ':' && is_kernel_tag(s, (size_t)(p - s)))
		return (size_t)(p + 1 - s);
	if (p >= end || *p != ' ' || p == s)
		return 0;
	p += blanks(p, end);
	/* what netconsole sends in its extended form, as a syslog wrote it */
	if (dated && (record = kmsg(p, end, l)))
		return (size_t)(p - s) + record;
	tag = base = p;
	while (p < end && *p != ' ' && *p != ':' && *p != '[' && p - tag < 64)
		p++;
	if (p == tag || p >= end || *p == ' ')
		return 0;
	has_pid = *p == '[' && digits(p + 1, end) && p + 1 + digits(p + 1, end) < end &&
		  p[1 + digits(p + 1, end)] == ']';
	if (is_kernel_tag(base, (size_t)(p - base))) {
		if (has_pid)
			p += 2 + digits(p + 1, end);
		return p < end && *p == ':' ? (size_t)(p + 1 - s) : 0;
	}
	if (dated && (has_pid || (syslog && *p == ':')) && !is_kernels(s, end))
		l->foreign = true;
	return 0;
}

/* A kernel's time stamp somewhere behind a login prompt, a console server's name, a log's number.
 */
static const char *behind_junk(const char *s, const char *end, struct oline *l)
{
	const char *stop = end - s < JUNK_MAX ? end : s + JUNK_MAX;

	for (const char *p = s; p < stop && (p = memchr(p, '[', (size_t)(stop - p))); p++) {
		size_t n;

		/* a string in somebody's program */
		if (memchr(s, '"', (size_t)(p - s)) || (p > s && p[-1] == '\''))
			return NULL;
		n = printk_time(p, end, l);

		if (n)
			return p + n;
	}
	return NULL;
}

static size_t one_prefix(const char *p, const char *end, struct oline *l, bool *dated)
{
	bool syslog = false;
	size_t n = 0;

	switch (*p) {
	case '[':
		if ((n = printk_time(p, end, l)) || (n = caller(p, end, l)))
			return n;
		return bracket_stamp(p, end);
	case '<':
		return raw_level(p, end);
	default:
		if (digit(*p)) {
			if ((n = kmsg(p, end, l)) || (n = torn_time(p, end, l)))
				return n;
			n = iso_stamp(p, end);
			if (!n) {
				n = clock_time(p, end);
				if (n && p + n < end && p[n] != ' ')
					n = 0;
			}
		} else if (isalpha((unsigned char)*p)) {
			if ((n = facility(p, end)))
				return n;
			n = syslog_stamp(p, end);
			syslog = n != 0;
		}
		break;
	}
	if (n)
		*dated = true;
	if (!n && (isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80) &&
	    (n = foreign_stamp(p, end))) {
		const char *at = p + n + blanks(p + n, end);
		size_t more = at < end ? host_tag(at, end, true, false, l) : 0;

		if (more)
			*dated = true;
		return more ? (size_t)(at - p) + more : 0;
	}
	if (n || isalpha((unsigned char)*p)) {
		const char *at = p + n + blanks(p + n, end);
		size_t more = at < end ? host_tag(at, end, *dated, syslog, l) : 0;

		if (more)
			return (size_t)(at - p) + more;
	}
	return n;
}

/* Columns of blanks behind `from` and before p. */
static uint16_t columns(const char *from, const char *p)
{
	unsigned n = 0;

	for (; p > from && (p[-1] == ' ' || p[-1] == '\t') && n < 256; p--)
		n += p[-1] == ' ' ? 1 : 8;
	return (uint16_t)n;
}

void prefix_strip(const char *s, size_t n, struct oline *l)
{
	const char *p = s, *end = s + n, *q;
	bool dated = false;

	l->has_time = l->prefixed = l->learnt = l->foreign = false;
	l->ctx = 0;
	l->ctx_id = 0;
	l->time_ns = 0;
	p += blanks(p, end);
	l->margin = columns(s, p);
	for (int i = 0; i < STEPS_MAX && p < end; i++) {
		size_t k = one_prefix(p, end, l, &dated);

		if (!k)
			break;
		l->prefixed = true;
		p += k;
		p += blanks(p, end);
	}
	if (!l->has_time && (q = behind_junk(p, end, l))) {
		l->prefixed = true;
		l->foreign = false;
		p = q + blanks(q, end);
		p += caller(p, end, l);
		p += blanks(p, end);
	}
	if (l->has_time) {
		l->foreign = false;
		p += cpu_column(p, end, l);
		p += cpu_group(p, end, l);
		p += process_column(p, end, l);
		p += blanks(p, end);
	}
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	l->text = p;
	l->n = (size_t)(end - p);
	l->indent = columns(s, p);
}

size_t prefix_next(const char *s, size_t n)
{
	const char *end = s + n, *first = NULL, *p = s;
	struct oline l;

	for (; p < end && (p = memchr(p, '[', (size_t)(end - p))); p++) {
		const char *dot, *said;
		size_t k = printk_time(p, end, &l);

		/* as the kernel writes it, and no number of somebody's */
		if (!k || !(dot = memchr(p, '.', k)) || p + k - dot != 8)
			continue;
		if (p > s && (p[-1] == '"' || p[-1] == '\''))
			return n;
		for (said = first; said && said < p && !islower((unsigned char)*said); said++)
			;
		if (first && said < p)
			return (size_t)(p - s);
		first = p + k;
		p = first - 1;
	}
	return n;
}
