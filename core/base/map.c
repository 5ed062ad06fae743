/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash maps with open addressing, grown at three quarters full. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/map.h"

struct map_slot {
	uint64_t key, value;
	bool used;
};

struct strmap_slot {
	const char *key; /* NULL: free */
	uint64_t value;
	uint32_t hash;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0x9e3779b97f4a7c15u;
	x ^= x >> 29;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* FNV-1a over the bytes, then mixed, for its low bits alone are weak. */
static uint32_t hash_str(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 0x100000001b3u;
	return (uint32_t)mix(h);
}

static struct map_slot *map_find(const struct map *m, uint64_t key)
{
	size_t i = mix(key) & (m->cap - 1);

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

uint64_t *map_get(const struct map *m, uint64_t key)
{
	struct map_slot *s = m->cap ? map_find(m, key) : NULL;

	return s && s->used ? &s->value : NULL;
}

static void map_grow(struct map *m)
{
	struct map old = *m;

	m->cap = old.cap ? old.cap * 2 : 32;
	m->slots =
		memset(xrealloc(NULL, m->cap * sizeof(*m->slots)), 0, m->cap * sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].used)
			*map_find(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

uint64_t *map_put(struct map *m, uint64_t key, bool *isnew)
{
	struct map_slot *s;

	if (m->n >= m->cap / 4 * 3)
		map_grow(m);
	s = map_find(m, key);
	if (isnew)
		*isnew = !s->used;
	if (!s->used) {
		*s = (struct map_slot){ .key = key, .used = true };
		m->n++;
	}
	return &s->value;
}

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

static struct strmap_slot *strmap_find(const struct strmap *m, const char *key, uint32_t hash)
{
	size_t i = hash & (m->cap - 1);

	while (m->slots[i].key && (m->slots[i].hash != hash || strcmp(m->slots[i].key, key) != 0))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static void strmap_resize(struct strmap *m, size_t cap)
{
	struct strmap old = *m;

	m->cap = cap;
	m->slots = memset(xrealloc(NULL, cap * sizeof(*m->slots)), 0, cap * sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++) {
		size_t j = old.slots[i].hash & (cap - 1);

		if (!old.slots[i].key)
			continue;
		while (m->slots[j].key) /* keys are distinct already: no comparison needed */
			j = (j + 1) & (cap - 1);
		m->slots[j] = old.slots[i];
	}
	free(old.slots);
}

void strmap_reserve(struct strmap *m, size_t n)
{
	size_t cap = m->cap ? m->cap : 32;

	while (n >= cap / 4 * 3)
		cap *= 2;
	if (cap > m->cap)
		strmap_resize(m, cap);
}

uint64_t *strmap_get(const struct strmap *m, const char *key)
{
	struct strmap_slot *s = m->cap ? strmap_find(m, key, hash_str(key)) : NULL;

	return s && s->key ? &s->value : NULL;
}

uint64_t *strmap_put(struct strmap *m, const char *key, bool *isnew)
{
	uint32_t hash = hash_str(key);
	struct strmap_slot *s;

	strmap_reserve(m, m->n + 1);
	s = strmap_find(m, key, hash);
	if (isnew)
		*isnew = !s->key;
	if (!s->key) {
		*s = (struct strmap_slot){ .key = key, .hash = hash };
		m->n++;
	}
	return &s->value;
}

void strmap_release(struct strmap *m)
{
	free(m->slots);
	*m = (struct strmap){ 0 };
}
