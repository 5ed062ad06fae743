/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items are chained into parts of the keys' range, by position alone; a part is sorted when
 * somebody looks there. */
#include <stdlib.h>
#include <string.h>

#include "core/base/keyed.h"

/* Items of a part, if keys were spread evenly. */
#define PART_ITEMS 16u
/* Parts for few items are made of all their keys at once. */
#define PARTS_MIN 4u

void keyed_init(struct keyed *o, struct arena *a, size_t n, uint64_t lo, uint64_t hi)
{
	size_t most = n / PART_ITEMS + PARTS_MIN;

	o->arena = a;
	o->lo = lo;
	o->hi = hi;
	o->shift = 0;
	while ((hi - lo) >> o->shift >= most)
		o->shift++;
	o->n_parts = (size_t)((hi - lo) >> o->shift) + 1;
	o->heads = ARENA_ARRAY(a, uint32_t, o->n_parts);
	o->parts = ARENA_ARRAY(a, struct keyed_part, o->n_parts);
	o->chain = ARENA_ARRAY(a, uint32_t, n + 1);
}

bool keyed_add(struct keyed *o, uint32_t i, uint64_t key)
{
	uint32_t *head;

	if (key < o->lo || key > o->hi)
		return false;
	head = &o->heads[(key - o->lo) >> o->shift];
	o->chain[i] = *head;
	*head = i + 1;
	return true;
}

static struct keyed_part *settle(struct keyed *o, size_t part)
{
	struct keyed_part *p = &o->parts[part];
	struct sort_item *room;
	uint64_t key;
	size_t n = 0;

	if (p->settled)
		return p;
	p->settled = true;
	for (uint32_t i = o->heads[part]; i; i = o->chain[i - 1])
		n++;
	if (!n)
		return p;
	room = xrealloc(NULL, 2 * n * sizeof(*room));
	n = 0;
	for (uint32_t i = o->heads[part]; i; i = o->chain[i - 1])
		if (o->key(o->self, i - 1, &key))
			room[n++] = (struct sort_item){ key, i - 1 };
	sort_items(room, n);
	if (o->tidy)
		o->tidy(o->self, room, n);
	p->v = memcpy(ARENA_ARRAY(o->arena, struct sort_item, n), room, n * sizeof(*room));
	p->n = (uint32_t)n;
	free(room);
	return p;
}

/* Moves to the last item of the part before `part` that has one. */
static bool last_before(struct keyed *o, size_t part, struct keyed_at *ret)
{
	while (part-- > 0)
		if (settle(o, part)->n) {
			*ret = (struct keyed_at){ part, o->parts[part].n - 1 };
			return true;
		}
	return false;
}

static bool first_from(struct keyed *o, size_t part, struct keyed_at *ret)
{
	for (; part < o->n_parts; part++)
		if (settle(o, part)->n) {
			*ret = (struct keyed_at){ part, 0 };
			return true;
		}
	return false;
}

/* How many items of a part have keys up to `key`. */
static size_t count_upto(const struct keyed_part *p, uint64_t key)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->v[mid].key <= key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The part that a key belongs to, and how many of its items are up to it. */
static size_t part_of(struct keyed *o, uint64_t key, size_t *n)
{
	size_t part = (size_t)(((key < o->hi ? key : o->hi) - o->lo) >> o->shift);

	*n = count_upto(settle(o, part), key);
	return part;
}

bool keyed_last(struct keyed *o, uint64_t key, struct keyed_at *ret)
{
	size_t n, part;

	if (!o->n_parts || key < o->lo)
		return false;
	part = part_of(o, key, &n);
	if (!n)
		return last_before(o, part, ret);
	*ret = (struct keyed_at){ part, n - 1 };
	return true;
}

bool keyed_behind(struct keyed *o, uint64_t key, struct keyed_at *ret)
{
	size_t n, part;

	if (!o->n_parts || key < o->lo)
		return first_from(o, 0, ret);
	part = part_of(o, key, &n);
	if (n == o->parts[part].n)
		return first_from(o, part + 1, ret);
	*ret = (struct keyed_at){ part, n };
	return true;
}

bool keyed_first(struct keyed *o, struct keyed_at *ret)
{
	return first_from(o, 0, ret);
}

bool keyed_prev(struct keyed *o, struct keyed_at *at)
{
	if (!at->i)
		return last_before(o, at->part, at);
	at->i--;
	return true;
}

bool keyed_next(struct keyed *o, struct keyed_at *at)
{
	if (at->i + 1 == o->parts[at->part].n)
		return first_from(o, at->part + 1, at);
	at->i++;
	return true;
}

struct sort_item keyed_item(const struct keyed *o, struct keyed_at at)
{
	return o->parts[at.part].v[at.i];
}
