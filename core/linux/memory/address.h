/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is at an address: symbol, per-CPU variable, stack, slab object, vmalloc area, page. */
#ifndef OBIT_ADDRESS_H
#define OBIT_ADDRESS_H

#include "core/linux/memory/origin.h"
#include "core/linux/task/task.h"
#include "core/linux/memory/vmalloc.h"

enum place_kind {
	PLACE_SYMBOL,
	PLACE_MODULE,
	PLACE_PERCPU,
	PLACE_STACK,
	PLACE_KFENCE, /* an object of KFENCE's pool */
	PLACE_SLAB,
	PLACE_VMALLOC,
	PLACE_STRUCT_PAGE, /* of the kernel's array of them */
	PLACE_PAGE,
	PLACE_ALLOC, /* who asked for the thing before it, and who gave it back last */
	PLACE_FREE,
	PLACE_USER,
	PLACE_NOWHERE
};

/* One thing that an address lies in. Strings live in the scratch arena. */
struct address_place {
	enum place_kind kind;
	const char
		*name; /* of the symbol, module, variable or cache; an area's flags; NULL: none */
	const char *detail; /* the rest, in words; NULL: none */
	const char *state;  /* slab: "allocated", "free", "unknown"; page: its kind */
	uint64_t base;      /* where the thing begins; 0 unknown */
	uint64_t size;      /* its bytes; 0 unknown */
	uint64_t offset;    /* of the address in it */
	int cpu;            /* -1: of none */
	const struct task *task;
	const char *frame; /* stack: the function whose frame it is; NULL: none */
	int frame_n;
	const struct origin *origin; /* of PLACE_ALLOC and PLACE_FREE */
	struct err why;              /* why something of it is not known; ERR_OK: all is */
};

#define PLACES_MAX 16
/* The name of a kind: "symbol", "slab", ... */
const char *place_kind_name(enum place_kind kind);
/* Fills ret with all that addr lies in, what says most first, and returns how many there are; at
 * least one, which may be PLACE_NOWHERE. */
size_t address_places(struct target *t, uint64_t addr, struct address_place ret[PLACES_MAX]);

#endif
