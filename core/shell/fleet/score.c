/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came of many crashes: how many are of one bug, which are new, and the exit status. */
#include <string.h>

#include "core/base/json.h"
#include "core/shell/fleet/fleet.h"

/* Is the word in a list with commas? */
static bool listed(const char *list, const char *word)
{
	size_t n = word ? strlen(word) : 0;

	for (const char *p = list; p && n && *p; p += strcspn(p, ","), p += *p == ',')
		if (!strncmp(p, word, n) && (!p[n] || p[n] == ','))
			return true;
	return false;
}

/* The group of that key, which is made of *g when it is the first. */
static struct crash_group *group_of(struct score *t, const struct crash_group *g)
{
	bool isnew;
	uint64_t *at = strmap_put(&t->keys, g->key, &isnew);

	if (isnew) {
		*vec_push(&t->groups) = *g;
		*at = t->groups.n;
	}
	return &t->groups.p[*at - 1];
}

/* Keeps what a group says: few lines begin one, and the rest of them is not needed any more. */
static void keep(struct score *t, struct crash_group *g, const struct crash_group *from)
{
	g->outcome = from->outcome ? arena_strdup(t->a, from->outcome) : NULL;
	g->kind = from->kind ? arena_strdup(t->a, from->kind) : NULL;
	g->title = from->title ? arena_strdup(t->a, from->title) : NULL;
	g->function = from->function ? arena_strdup(t->a, from->function) : NULL;
	g->signature = from->signature ? arena_strdup(t->a, from->signature) : NULL;
	g->known = from->known;
	g->first = arena_strdup(t->a, from->first);
}

static void count(struct score *t, struct crash_group *said)
{
	struct crash_group *g;
	bool begins;

	if (t->known)
		said->known = known_find(t->known, said->signature, said->function, said->title);
	t->n.crashes++;
	/* with what is alive nothing is wrong */
	t->n.isnew += t->known && !said->known && strcmp(said->outcome, "alive") != 0;
	t->gate |= listed(t->fail_on, said->kind) || listed(t->fail_on, said->outcome);
	begins = !strmap_get(&t->keys, said->key);
	if (begins)
		said->key = arena_strdup(t->a, said->key);
	g = group_of(t, said);
	if (begins || strcmp(said->first, g->first) < 0)
		keep(t, g, said);
	g->n++;
	t->n.groups = t->groups.n;
}

bool score_add(struct score *t, const char *line, size_t n)
{
	struct arena a = { 0 };
	struct crash_group said = { 0 };
	const char *record = json_member_str(&a, line, n, "record");
	uint64_t status;
	bool ok = record && !strcmp(record, "crash") &&
		  json_member_uint(line, n, "status", &status) &&
		  (said.first = json_member_str(&a, line, n, "path")) != NULL;

	if (ok) {
		said.outcome = json_member_str(&a, line, n, "outcome");
		said.kind = json_member_str(&a, line, n, "kind");
		said.title = json_member_str(&a, line, n, "title");
		said.function = json_member_str(&a, line, n, "function");
		said.signature = json_member_str(&a, line, n, "signature");
		said.key = said.signature
				   ? said.signature
				   : arena_printf(&a, "%s %s %s", said.outcome ? said.outcome : "",
						  said.kind ? said.kind : "",
						  said.function ? said.function : "");
		t->n.damaged += status == EXIT_DAMAGED;
		t->n.none += status == EXIT_NOREPORT;
		t->n.failed += !said.outcome && status != EXIT_NOREPORT;
		if (said.outcome && status != EXIT_NOREPORT)
			count(t, &said);
	}
	arena_release(&a);
	return ok;
}

/* The largest first; equal ones by their keys. */
static int by_count(const void *a, const void *b)
{
	const struct crash_group *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->key, y->key);
}

void score_tell(struct score *t, struct sink *k)
{
	if (t->groups.n)
		qsort(t->groups.p, t->groups.n, sizeof(*t->groups.p), by_count);
	for (size_t i = 0; i < t->groups.n; i++)
		emit_crash_group(k, &t->groups.p[i], t->known);
	emit_crash_counts(k, &t->n, t->known);
	k->ops->flush(k);
}

enum exit_status score_status(const struct score *t)
{
	if (t->n.isnew || t->gate)
		return EXIT_FAILED;
	if (!t->n.crashes && !t->n.none)
		return EXIT_NOINPUT;
	if (t->n.damaged || t->n.failed)
		return EXIT_DAMAGED;
	return t->n.crashes ? EXIT_ANSWERED : EXIT_NOREPORT;
}

void score_release(struct score *t)
{
	strmap_release(&t->keys);
	vec_release(&t->groups);
}
