/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the others' ways: lists and trees of the kernel that ended where they may not. */
#include "core/verdict/check.h"

#include <string.h>

bool is_broken(const struct err *e)
{
	return e->code == ERR_CORRUPT || e->code == ERR_BADADDR;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && !strcmp(s + n - k, end);
}

/* Did one of the n findings before it meet the same? Who goes the same way has the same words, or
 * others in front of them. */
static bool is_met(const struct finding *before, size_t n, const struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (is_broken(&before[i].why) &&
		    (ends_with(before[i].why.msg, e->msg) || ends_with(e->msg, before[i].why.msg)))
			return true;
	return false;
}

static bool look_walks(struct triage *g, struct finding *f, struct err *err)
{
	size_t n = g->broken_walks;
	const char *first = g->first_broken;
	size_t looked = 0, blind = 0;
	struct err tasks;

	/* what a check could not go past is one, too */
	for (size_t i = 0; i < g->n_findings; i++)
		if (is_broken(&g->findings[i].why) &&
		    !is_met(g->findings, i, &g->findings[i].why) && !n++)
			first = g->findings[i].why.msg;
	if (tasks_flaw(g->t, &tasks) && is_broken(&tasks) &&
	    !is_met(g->findings, g->n_findings, &tasks) && !n++)
		first = arena_strdup(g->a, tasks.msg);
	for (size_t i = 0; i < g->n_findings; i++)
		*(g->findings[i].state == CHECK_UNKNOWN ? &blind : &looked) += 1;
	if (n)
		find(g, f, CHECK_WARN, "%zu led to what cannot be, the first: %s", n, first);
	else if (blind > looked)
		return err_set(err, ERR_NEED, "only %zu of %zu checks could walk anything", looked,
			       looked + blind);
	else
		find(g, f, CHECK_OK, "every list and tree that was walked came to its end");
	return true;
}

const struct checkup check_walks = {
	.name = "walks",
	.doc = "lists and trees that other checks walked, and that are broken",
	.more = NULL,
	.look = look_walks,
};
