/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing array: VEC(int) v = { 0 }; *vec_push(&v) = 3; v.p[0]; vec_release(&v). */
#ifndef OBIT_VEC_H
#define OBIT_VEC_H

#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"

#define VEC(type)              \
	struct {               \
		type *p;       \
		size_t n, cap; \
	}

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* For vec_reserve() alone: returns p with room for `need` elements of `size` bytes; *cap is for how
 * many there is room. */
static inline void *vec_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap ? *cap : 8;

	if (need <= *cap)
		return p;
	while (n < need)
		n *= 2;
	*cap = n;
	return xrealloc(p, n * size);
}

/* Makes room for `need` elements in all; how many there are stays. */
#define vec_reserve(v, need) ((v)->p = vec_grow((v)->p, &(v)->cap, (need), sizeof(*(v)->p)))
/* A pointer to a new, zeroed element at the end; valid until the next push. */
#define vec_push(v)                                                                 \
	(vec_reserve((v), (v)->n + 1), memset(&(v)->p[(v)->n], 0, sizeof(*(v)->p)), \
	 &(v)->p[(v)->n++])
#define vec_release(v) (free((v)->p), (v)->p = NULL, (v)->n = (v)->cap = 0)

#endif
