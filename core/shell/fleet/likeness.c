/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which crashes are of one bug. */
#include "core/shell/fleet/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"

#define NAMES_MAX 16u /* of a trail; more are not compared */
#define FEW 3u        /* so many functions tell, though there may be more behind them */
/* Of one kind and function, so that many strange ones do not cost the square of their number. */
#define COMPARED_MAX 256u
#define GLUE " < "

struct trail_name {
	const char *s;
	size_t n;
};
struct likeness_node {
	struct crash_traits c;
	size_t number, above; /* above: another one of its bug, or itself */
	size_t functions;     /* of its trail */
	bool placed;          /* its bug may take others */
	bool way;             /* it is the first of those that are near each other */
};

void crash_traits_read(struct arena *a, const char *line, size_t n, struct crash_traits *ret)
{
	const char *verdict, *whole;
	size_t len, k;

	*ret = (struct crash_traits){
		.signature = json_member_str(a, line, n, "signature"),
		.outcome = json_member_str(a, line, n, "outcome"),
		.kind = json_member_str(a, line, n, "kind"),
		.function = json_member_str(a, line, n, "function"),
	};
	if (!json_member(line, n, "verdict", &verdict, &len))
		return;
	ret->trail = json_member_str(a, verdict, len, "trail");
	ret->whole = json_member(verdict, len, "trail_whole", &whole, &k) && k == 4 &&
		     !memcmp(whole, "true", 4);
}

/* Sets the names, and returns how many. */
static size_t split(const char *trail, struct trail_name *names)
{
	size_t n = 0;

	for (const char *p = trail; p && *p && n < NAMES_MAX;) {
		const char *end = strstr(p, GLUE);

		names[n++] = (struct trail_name){ p, end ? (size_t)(end - p) : strlen(p) };
		p = end ? end + strlen(GLUE) : NULL;
	}
	return n;
}

static bool same_name(const struct trail_name *a, const struct trail_name *b)
{
	return a->n == b->n && !memcmp(a->s, b->s, a->n);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned share(unsigned only_one, size_t all)
{
	return all ? (unsigned)(only_one * 1000u / all) : 1000;
}

unsigned trail_distance(const struct crash_traits *a, const struct crash_traits *b)
{
	struct trail_name x[NAMES_MAX], y[NAMES_MAX];
	size_t n = split(a->trail, x), m = split(b->trail, y);
	unsigned d[NAMES_MAX + 1][NAMES_MAX + 1], best;

	if (!n || !m)
		return 1000;
	/* d[i][j]: functions to take out or put in to make the first j of the one of the first i of
	 * the other; a function in another's place is one out and one in */
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j <= m; j++) {
			if (!i || !j)
				d[i][j] = (unsigned)(i + j);
			else if (same_name(&x[i - 1], &y[j - 1]))
				d[i][j] = d[i - 1][j - 1];
			else
				d[i][j] = least(d[i - 1][j], d[i][j - 1]) + 1;
		}
	best = share(d[n][m], n + m);
	for (size_t j = 1; !a->whole && j < m; j++)
		best = least(best, share(d[n][j], n + j));
	for (size_t i = 1; !b->whole && i < n; i++)
		best = least(best, share(d[i][m], i + m));
	return best;
}

/* ---- who is with whom */

static const char *text(const char *s)
{
	return s ? s : "";
}

/* What stands between two traits is in none of them: strings end with it. */
static const char *key_of(struct arena *a, const struct crash_traits *c)
{
	return arena_printf(a, "%s\x01%s\x01%s\x01%s\x01%s\x01%d", text(c->signature),
			    text(c->outcome), text(c->kind), text(c->function), text(c->trail),
			    c->whole);
}

size_t likeness_add(struct likeness *l, const struct crash_traits *c)
{
	struct arena scratch = { 0 };
	const char *key = key_of(&scratch, c);
	const uint64_t *at = strmap_get(&l->numbers, key);
	struct likeness_node *node;

	if (!at) {
		struct trail_name names[NAMES_MAX];

		node = ARENA_NEW(l->a, struct likeness_node);
		node->c =
			(struct crash_traits){ .signature = arena_strdup(l->a, text(c->signature)),
					       .outcome = arena_strdup(l->a, text(c->outcome)),
					       .kind = arena_strdup(l->a, text(c->kind)),
					       .function = arena_strdup(l->a, text(c->function)),
					       .trail = arena_strdup(l->a, text(c->trail)),
					       .whole = c->whole };
		node->number = l->nodes.n;
		node->functions = split(node->c.trail, names);
		*vec_push(&l->nodes) = node;
		*strmap_put(&l->numbers, arena_strdup(l->a, key), NULL) = l->nodes.n;
		arena_release(&scratch);
		return node->number;
	}
	arena_release(&scratch);
	return *at - 1;
}

size_t likeness_bug(const struct likeness *l, size_t number)
{
	struct likeness_node *n = l->nodes.p[number];

	/* each look at a way up shortens it */
	for (; n->above != n->number; n = l->nodes.p[n->above])
		n->above = l->nodes.p[n->above]->above;
	return n->number;
}

static void unite(struct likeness *l, size_t a, size_t b)
{
	a = likeness_bug(l, a);
	b = likeness_bug(l, b);
	if (a < b)
		l->nodes.p[b]->above = a;
	else
		l->nodes.p[a]->above = b;
}

/* Of one signature, or of what stands for one. */
static void unite_by_signature(struct likeness *l)
{
	struct arena scratch = { 0 };
	struct strmap first = { 0 };

	for (size_t i = 0; i < l->nodes.n; i++) {
		const struct crash_traits *c = &l->nodes.p[i]->c;
		const char *key = *c->signature ? c->signature
						: arena_printf(&scratch, "\x01%s\x01%s\x01%s",
							       c->outcome, c->kind, c->function);
		bool isnew;
		uint64_t *at = strmap_put(&first, key, &isnew);

		if (isnew)
			*at = i;
		else
			unite(l, i, *at);
	}
	strmap_release(&first);
	arena_release(&scratch);
}

/* Little is known of it: what it is like may be like others that are not like each other. */
static bool is_vague(const struct likeness_node *n)
{
	return !n->functions || (n->functions < FEW && !n->c.whole);
}

/* By kind and function; those of which much is known first, and always in the same order. */
static int by_traits(const void *a, const void *b)
{
	const struct likeness_node *x = *(struct likeness_node *const *)a,
				   *y = *(struct likeness_node *const *)b;
	int d = strcmp(x->c.kind, y->c.kind);

	if (!d)
		d = strcmp(x->c.function, y->c.function);
	if (!d)
		d = is_vague(x) - is_vague(y);
	if (!d && x->functions != y->functions)
		d = x->functions < y->functions ? 1 : -1;
	if (!d)
		d = strcmp(x->c.trail, y->c.trail);
	if (!d)
		d = x->c.whole - y->c.whole;
	if (!d)
		d = strcmp(x->c.signature, y->c.signature);
	return d ? d : strcmp(x->c.outcome, y->c.outcome);
}

static unsigned distance(const struct likeness_node *a, const struct likeness_node *b)
{
	/* of one of them nothing but kind and function is known, and these agree */
	if (!a->functions || !b->functions)
		return 0;
	return trail_distance(&a->c, &b->c);
}

/* Puts one of which little is known to the one bug that it is most like, if it is one. */
static void place(struct likeness *l, struct likeness_node *const *v, size_t i, size_t n)
{
	size_t bug = 0, own = likeness_bug(l, v[i]->number), found = 0;
	unsigned best = TRAIL_NEAR + 1;

	for (size_t k = 0; k < n; k++) {
		size_t other = likeness_bug(l, v[k]->number);
		unsigned d;

		if (k == i || !v[k]->placed)
			continue;
		if (other == own) /* its signature has said it */
			return;
		d = distance(v[i], v[k]);
		if (d > best || d > TRAIL_NEAR)
			continue;
		if (d < best || other != bug)
			found = d < best ? 1 : found + 1;
		best = d;
		bug = other;
	}
	if (found == 1)
		unite(l, own, bug);
}

/* All n at v are of one kind and function. */
static void unite_near(struct likeness *l, struct likeness_node *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_vague(v[i])) {
			place(l, v, i, n < COMPARED_MAX ? n : COMPARED_MAX);
		} else {
			for (size_t k = 0; k < i && k < COMPARED_MAX; k++)
				if (likeness_bug(l, v[k]->number) !=
					    likeness_bug(l, v[i]->number) &&
				    distance(v[k], v[i]) <= TRAIL_NEAR)
					unite(l, v[k]->number, v[i]->number);
		}
		v[i]->placed = true;
	}
}

/* All n at v, which are sorted by kind and function. */
static void unite_all_near(struct likeness *l, struct likeness_node *const *v, size_t n)
{
	size_t end;

	for (size_t i = 0; i < n; i++)
		v[i]->placed = false;
	for (size_t i = 0; i < n; i = end) {
		const struct crash_traits *c = &v[i]->c;

		for (end = i + 1; end < n && !strcmp(v[end]->c.kind, c->kind) &&
				  !strcmp(v[end]->c.function, c->function);)
			end++;
		if (*c->kind && *c->function)
			unite_near(l, &v[i], end - i);
	}
}

void likeness_settle(struct likeness *l)
{
	size_t n = l->nodes.n;
	struct likeness_node **v = xrealloc(NULL, (n + 1) * sizeof(struct likeness_node *));

	for (size_t i = 0; i < n; i++) {
		v[i] = l->nodes.p[i];
		v[i]->above = i;
	}
	if (n)
		qsort(v, n, sizeof(struct likeness_node *), by_traits);
	unite_all_near(l, v, n);
	for (size_t i = 0; i < n; i++)
		v[i]->way = false;
	for (size_t i = 0; i < n; i++)
		if (!is_vague(v[i]))
			l->nodes.p[likeness_bug(l, v[i]->number)]->way = true;
	unite_by_signature(l);
	/* of which little is known may be near to two that are of one signature */
	unite_all_near(l, v, n);
	free(v);
}

bool likeness_is_way(const struct likeness *l, size_t number)
{
	return l->nodes.p[number]->way;
}

void likeness_release(struct likeness *l)
{
	strmap_release(&l->numbers);
	vec_release(&l->nodes);
}
