/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular expressions that somebody typed. */
#include <string.h>

#include "core/base/pattern.h"

bool pattern_compile(const char *text, regex_t *ret, struct err *err)
{
	unsigned braces = 0, parentheses = 0;
	char why[80];
	int bad;

	for (const char *s = text; *s; s++) {
		braces += *s == '{';
		parentheses += *s == '(';
	}
	if (strlen(text) >= PATTERN_MAX || braces > 1 || parentheses > PATTERN_GROUPS)
		return err_set(err, ERR_LIMIT,
			       "a regular expression has at most %d characters, %d '(' and one '{'",
			       PATTERN_MAX - 1, PATTERN_GROUPS);
	bad = regcomp(ret, text, REG_EXTENDED | REG_NOSUB);
	if (!bad)
		return true;
	regerror(bad, ret, why, sizeof(why));
	return err_set(err, ERR_USAGE, "'%.60s' is no regular expression: %s", text, why);
}
