/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash maps: from a 64-bit number, or from a name, to a 64-bit number or pointer. */
#ifndef OBIT_MAP_H
#define OBIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A map is zero-initialised before its first use. Keys are scattered by a hash, so that keys that
 * somebody chose to collide do so no more often than others. */
struct map_slot;
struct map {
	struct map_slot *slots;
	size_t n, cap;
};

/* Where the key's value is stored; NULL: the map does not have the key. The pointer is good until
 * the next map_put(). */
uint64_t *map_get(const struct map *m, uint64_t key);
/* The same; a key that the map does not have is added with the value 0. *isnew, unless isnew is
 * NULL, says whether it was added. */
uint64_t *map_put(struct map *m, uint64_t key, bool *isnew);
void map_release(struct map *m);

/* The same with names for keys. The map keeps the pointers to them: they must live as long as it.
 */
struct strmap_slot;
struct strmap {
	struct strmap_slot *slots;
	size_t n, cap;
};

/* Makes room for n names in all. */
void strmap_reserve(struct strmap *m, size_t n);
uint64_t *strmap_get(const struct strmap *m, const char *key);
uint64_t *strmap_put(struct strmap *m, const char *key, bool *isnew);
void strmap_release(struct strmap *m);

#endif
