/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came of many crashes: how many are of one bug, which are new, and the exit status. */
#include <stdlib.h>
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

static void count(struct score *t, struct crash_group *said, const struct crash_traits *traits)
{
	size_t number = likeness_add(&t->like, traits);
	bool begins = number == t->groups.n;
	struct crash_group *g;

	if (t->known)
		said->known = known_find(t->known, said->signature, said->function, said->title);
	t->n.crashes++;
	t->gate |= listed(t->fail_on, said->kind) || listed(t->fail_on, said->outcome);
	g = begins ? vec_push(&t->groups) : &t->groups.p[number];
	if (begins || strcmp(said->first, g->first) < 0)
		keep(t, g, said);
	/* with what is alive nothing is wrong */
	g->isnew += t->known && !said->known && strcmp(said->outcome, "alive") != 0;
	g->n++;
	t->n.groups = t->groups.n;
	t->settled = false;
}

bool score_add(struct score *t, const char *line, size_t n)
{
	struct arena a = { 0 };
	struct crash_traits traits;
	struct crash_group said = { 0 };
	const char *record = json_member_str(&a, line, n, "record");
	uint64_t status;
	bool ok = record && !strcmp(record, "crash") &&
		  json_member_uint(line, n, "status", &status) &&
		  (said.first = json_member_str(&a, line, n, "path")) != NULL;

	if (ok) {
		crash_traits_read(&a, line, n, &traits);
		said.outcome = traits.outcome;
		said.kind = traits.kind;
		said.title = json_member_str(&a, line, n, "title");
		said.function = traits.function;
		said.signature = traits.signature;
		t->n.damaged += status == EXIT_DAMAGED;
		t->n.none += status == EXIT_NOREPORT;
		t->n.failed += !said.outcome && status != EXIT_NOREPORT;
		if (said.outcome && status != EXIT_NOREPORT)
			count(t, &said, &traits);
	}
	arena_release(&a);
	return ok;
}

/* Puts crashes of one bug into one group. */
static void settle(struct score *t)
{
	size_t *at = ARENA_ARRAY(t->a, size_t, t->groups.n + 1), n = 0;

	if (t->settled)
		return;
	likeness_settle(&t->like);
	t->bugs = ARENA_ARRAY(t->a, struct crash_group, t->groups.n + 1);
	for (size_t i = 0; i < t->groups.n; i++) {
		size_t bug = likeness_bug(&t->like, i);
		struct crash_group *from = &t->groups.p[i], *to = &t->bugs[at[bug]], whole;

		from->ways = likeness_is_way(&t->like, i);
		if (bug == i) {
			at[i] = n;
			t->bugs[n++] = *from;
			continue;
		}
		whole = strcmp(from->first, to->first) < 0 ? *from : *to;
		whole.n = from->n + to->n;
		whole.ways = from->ways + to->ways;
		whole.isnew = from->isnew + to->isnew;
		if (!whole.known)
			whole.known = from->known ? from->known : to->known;
		*to = whole;
	}
	t->n.groups = n;
	t->n.isnew = 0;
	for (size_t i = 0; i < n; i++)
		/* who knows one crash of a bug knows the bug */
		t->n.isnew += t->bugs[i].known ? 0 : t->bugs[i].isnew;
	t->settled = true;
}

/* The largest first; equal ones by their names. */
static int by_count(const void *a, const void *b)
{
	const struct crash_group *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->first, y->first);
}

void score_tell(struct score *t, struct sink *k)
{
	settle(t);
	if (t->n.groups)
		qsort(t->bugs, t->n.groups, sizeof(*t->bugs), by_count);
	for (size_t i = 0; i < t->n.groups; i++)
		emit_crash_group(k, &t->bugs[i], t->known);
	emit_crash_counts(k, &t->n, t->known);
	k->ops->flush(k);
}

enum exit_status score_status(struct score *t)
{
	settle(t);
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
	likeness_release(&t->like);
	vec_release(&t->groups);
}
