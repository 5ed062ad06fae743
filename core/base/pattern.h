/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular expressions that somebody typed, held to what the C library takes without harm. */
#ifndef OBIT_PATTERN_H
#define OBIT_PATTERN_H

#include <regex.h>

#include "core/base/err.h"

#define PATTERN_MAX 512   /* characters, its end included */
#define PATTERN_GROUPS 50 /* parentheses open at once */

/* Letters of either case are the same. */
#define PATTERN_ICASE 1u

/* Compiles text, an extended expression, without subexpressions, for regexec() and regfree();
 * flags: PATTERN_ICASE or 0. The C library recurses at each parenthesis, copies what '+' and '{'
 * repeat, and doubles its time with each repetition of a repetition and with each "\1": ERR_LIMIT
 * for what would cost it too much. ERR_USAGE: text is no expression, and why. */
bool pattern_compile(const char *text, unsigned flags, regex_t *ret, struct err *err) MUST_CHECK;

#endif
