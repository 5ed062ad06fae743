/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function does, by where its source stands: a table of names that scripts/dev/places made.
 */
#include <string.h>

#include "core/base/number.h"
#include "core/report/report.h"

/* places.txt as it is: a line with the offset of the names, lines "CLASS\tPATTERN", and the names,
 * "NAME\tCLASS" in the order of their bytes. */
__asm__(".section .rodata, \"a\"\n"
	".global report_places\n"
	".global report_places_end\n"
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

static enum function_class class_of_pattern(const char *name)
{
	const char *p = strchr(report_places, '\n') + 1, *stop = names_begin();

	while (p < stop) {
		const char *end = memchr(p, '\n', (size_t)(stop - p));

		if ((p[2] == *name || p[2] == '*') && fits(p + 2, (size_t)(end - p - 2), name))
			return class_of_letter(*p);
		p = end + 1;
	}
	return FUNC_PLAIN;
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
