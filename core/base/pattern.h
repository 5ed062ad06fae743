/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular expressions that somebody typed, held to what the C library takes without harm. */
#ifndef OBIT_PATTERN_H
#define OBIT_PATTERN_H

#include <regex.h>

#include "core/base/err.h"

/* An extended one, without subexpressions, for regexec() and regfree(). The C library recurses at
 * each parenthesis and multiplies at each '{': ERR_LIMIT from PATTERN_MAX characters on, and
 * for more than PATTERN_GROUPS '(' or one '{'. ERR_USAGE: it is none, and why. */
#define PATTERN_MAX 512
#define PATTERN_GROUPS 50
bool pattern_compile(const char *text, regex_t *ret, struct err *err) MUST_CHECK;

#endif
