/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of slab caches and of their objects. */
#ifndef OBIT_SLAB_RECORD_H
#define OBIT_SLAB_RECORD_H

#include "core/linux/memory/slab.h"
#include "core/shell/command.h"

extern const struct record_kind slab_cache_kind, slab_object_kind;

/* Emits a cache as a row of the table that crash's kmem -s has. */
void emit_slab_cache(struct ctx *c, const struct slab_cache *cache);

enum slab_choice {
	SLABS_ALL,
	SLABS_ALLOCATED,
	SLABS_FREE
};
/* Emits every object of a cache that is of the choice. type NULL: each is a record; else each is a
 * value of the type, which is yielded or shown. */
bool slab_objects(struct ctx *c, const struct slab_cache *cache, enum slab_choice choice,
		  const struct type *type, struct err *err) MUST_CHECK;
/* The same for one slab, all of its objects as records. */
bool slab_objects_of(struct ctx *c, const struct slab *slab, struct err *err) MUST_CHECK;

#endif
