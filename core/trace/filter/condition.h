/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions: what an event must have, "prev_prio < 100 && next_comm ~ \"k*\"". */
#ifndef OBIT_TRACE_CONDITION_H
#define OBIT_TRACE_CONDITION_H

#include "core/trace/trace.h"

/*
 * Comparisons joined by && and ||, with ! and parentheses. A comparison has ==, !=, <, <=, >, >=,
 * & (any of the bits), ~ (a shell pattern), =~ or !~ (an extended regular expression, where
 * trace-cmd's is basic, in which capitals and small letters are the same) between names, numbers,
 * quoted text, and what
 * + - * / % & | ^ << >> make of numbers; these bind closer than comparisons.
 *
 * A name is a field of the event, COMM, CPU or TIMESTAMP (of the buffer's clock), or what
 * trace_value_of() knows of the event's context. A bare word that is none, behind == or !=, is
 * text. An address compared with text is the name of the function it is in, or the text that lies
 * there, where the recording knows either. A comparison of what an event has not is false.
 */
struct condition;

#define CONDITION_TEXT_MAX 4096u     /* bytes */
#define CONDITION_DEPTH_MAX 64u      /* parentheses and signs in each other */
#define CONDITION_OPERATORS_MAX 200u /* so that evaluating one is a bounded recursion */

/* Parses a condition, which ends at the end of text or at a ';' that is not in quotes; *end, unless
 * end is NULL, is set to there. column is that of its first byte in what the person typed, from 1
 * on; errors say in which column they are. *ret is in arena a, and holds memory besides that
 * condition_release() frees. ERR_USAGE, ERR_LIMIT. */
bool condition_parse(const char *text, size_t column, struct arena *a, struct condition **ret,
		     const char **end, struct err *err) MUST_CHECK;
/* c may be NULL. */
void condition_release(struct condition *c);
/* Does the condition hold for the event? scratch takes texts of fields. */
bool condition_holds(const struct condition *c, const struct trace_event *ev,
		     struct arena *scratch);
/* The first name in the condition that is_known() does not know, and its column; NULL: it knows
 * all. It is not asked of bare words that may be text. */
const char *condition_unknown(const struct condition *c,
			      bool (*is_known)(const char *name, void *arg), void *arg,
			      size_t *column);

#endif
