/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function does, by where its source stands: a table of names that scripts/dev/places made.
 */
#include <string.h>

#include "core/base/number.h"
#include "core/report/report.h"

/* places.txt as it is: a line with the offset of the names, lines "CLASS\tPATTERN" in the order of
 * the patterns' first bytes, and the names, "NAME\tCLASS" in the order of their bytes. */
__asm__(".section .rodata, \"a\"\n"
	".global report_places\n"
	".global report_places_end\n"
	".type report_places, %object\n"
	".type report_places_end, %object\n"
	"report_places:\n"
	".incbin \"core/report/judge/places.txt\"\n"
	"report_places_end:\n"
	".byte 0\n"
	".previous\n");
extern const char report_places[], report_places_end[];

static enum function_class class_of_letter(char c)
{
	switch (c) {
	case 'r':
		return FUNC_REPORT;
	case 'e':
		return FUNC_ENTRY;
	case 'l':
		return FUNC_LOCK;
	case 'm':
		return FUNC_MEMORY;
	case 'h':
		return FUNC_HELPER;
	case 'w':
		return FUNC_WAIT;
	case 'p':
		return FUNC_PLUMBER;
	case 'c':
		return FUNC_CORE;
	case 'd':
		return FUNC_DISPATCH;
	case 'g':
		return FUNC_GATE;
	case 'i':
		return FUNC_IDLE;
	default:
		return FUNC_PLAIN;
	}
}

/* Does the name fit the n bytes of a pattern, in which one or two '*' stand for anything? */
static bool fits(const char *pattern, size_t n, const char *name)
{
	const char *star = memchr(pattern, '*', n);
	size_t head = star ? (size_t)(star - pattern) : n, length = strlen(name);

	if (strncmp(name, pattern, head) != 0)
		return false;
	if (!star)
		return length == n;
	pattern += head + 1;
	n -= head + 1;
	for (name += head; n; name++) {
		if (fits(pattern, n, name))
			return true;
		if (!*name)
			return false;
	}
	return true;
}

static const char *names_begin(void)
{
	const char *p = report_places + strspn(report_places, " ");
	uint64_t offset = 0;

	number_take(&p, report_places_end, 10, &offset);
	return report_places + offset;
}

/* The first line of the patterns [from, to) whose pattern begins with c or with what comes behind
 * c. */
static const char *patterns_of(const char *from, const char *to, char c)
{
	while (from < to) {
		const char *mid = from + (to - from) / 2;

		while (mid > from && mid[-1] != '\n')
			mid--;
		if ((unsigned char)mid[2] >= (unsigned char)c)
			to = mid;
		else
			from = (const char *)memchr(mid, '\n', (size_t)(to - mid)) + 1;
	}
	return from;
}

/* The class of the first pattern in [from, to) that begins with c and that the name fits;
 * FUNC_PLAIN: it fits none. */
static enum function_class class_in(const char *from, const char *to, char c, const char *name)
{
	for (const char *p = patterns_of(from, to, c), *end; p < to && p[2] == c; p = end + 1) {
		end = memchr(p, '\n', (size_t)(to - p));
		if (fits(p + 2, (size_t)(end - p - 2), name))
			return class_of_letter(*p);
	}
	return FUNC_PLAIN;
}

static enum function_class class_of_pattern(const char *name)
{
	const char *from = strchr(report_places, '\n') + 1, *to = names_begin();
	enum function_class class = class_in(from, to, *name, name);

	return class != FUNC_PLAIN ? class : class_in(from, to, '*', name);
}

/* The letter of the class behind that name in the table; '\0': it is not there. */
static char letter_of(const char *name)
{
	const char *from = names_begin(), *to = report_places_end;
	size_t n = strlen(name);

	while (from < to) {
		const char *mid = from + (to - from) / 2, *end;
		int order;

		while (mid > from && mid[-1] != '\n')
			mid--;
		end = memchr(mid, '\n', (size_t)(to - mid));
		order = strncmp(name, mid, n);
		if (!order && mid[n] == '\t')
			return mid[n + 1];
		/* a tab comes before what a name can go on with */
		if (order < 0 || !order)
			to = mid;
		else
			from = end + 1;
	}
	return '\0';
}

enum function_class function_class(const char *plain)
{
	char letter = letter_of(plain);

	return letter ? class_of_letter(letter) : class_of_pattern(plain);
}
