/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of slab caches and of their objects. */
#ifndef OBIT_SLAB_RECORD_H
#define OBIT_SLAB_RECORD_H

#include "core/linux/memory/slab.h"
#include "core/shell/command.h"

extern const struct record_kind slab_cache_kind, slab_object_kind;

/* A row of crash's kmem -s. */
void emit_slab_cache(struct ctx *c, const struct slab_cache *cache);

enum slab_choice {
	SLABS_ALL,
	SLABS_ALLOCATED,
	SLABS_FREE
};
/* Every object of a cache; type NULL: as a record, else yielded or shown as a value of the type. */
bool slab_objects(struct ctx *c, const struct slab_cache *cache, enum slab_choice choice,
		  const struct type *type, struct err *err) MUST_CHECK;

#endif
