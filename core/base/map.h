/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash maps: from a 64-bit number, or from a name, to a 64-bit number or pointer. */
#ifndef OBIT_MAP_H
#define OBIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise before first use. Keys are scattered, so hostile keys cost time only linearly
 * often. */
struct map_slot;
struct map {
	struct map_slot *slots;
	size_t n, cap;
};

/* The value's place, or NULL; valid until the next map_put. */
uint64_t *map_get(const struct map *m, uint64_t key);
/* The value's place, created as 0; *isnew (may be NULL) tells. */
uint64_t *map_put(struct map *m, uint64_t key, bool *isnew);
void map_release(struct map *m);

/* Names are not copied: they must outlive the map. */
struct strmap_slot;
struct strmap {
	struct strmap_slot *slots;
	size_t n, cap;
};

void strmap_reserve(struct strmap *m, size_t n);
uint64_t *strmap_get(const struct strmap *m, const char *key);
uint64_t *strmap_put(struct strmap *m, const char *key, bool *isnew);
void strmap_release(struct strmap *m);

#endif
