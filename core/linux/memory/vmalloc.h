/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Areas of vmalloc(), vmap() and ioremap(): who has which part of that range of addresses. */
#ifndef OBIT_VMALLOC_H
#define OBIT_VMALLOC_H

#include "core/image/target.h"

struct vmalloc_area {
	uint64_t start, end; /* [start, end), with the guard page behind it */
	uint64_t addr;       /* struct vmap_area */
	uint64_t vm;         /* struct vm_struct; 0: of vm_map_ram() */
	uint64_t flags;      /* VM_* of vmalloc.h */
	uint64_t caller;     /* who asked for it; 0 unknown */
	uint64_t pages;      /* of memory that it maps; 0 for devices */
	uint64_t phys;       /* of a device that it maps; 0 none */
};

/* All of them by address; read once. Where the lists are broken *ret has what was found, and *why a
 * code that is not ERR_OK. False: none can be found. */
bool vmalloc_areas(struct target *t, const struct vmalloc_area **ret, size_t *n, struct err *why,
		   struct err *err) MUST_CHECK;
/* The area that addr lies in; false: none. */
bool vmalloc_at(struct target *t, uint64_t addr, const struct vmalloc_area **ret);
/* "ioremap", "vmalloc,vpages" as /proc/vmallocinfo names them; in the arena. */
const char *vmalloc_flags_text(uint64_t flags, struct arena *a);

#endif
