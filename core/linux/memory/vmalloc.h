/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Areas of vmalloc(), vmap() and ioremap(): who has which part of that range of addresses. */
#ifndef OBIT_VMALLOC_H
#define OBIT_VMALLOC_H

#include "core/image/target.h"

struct vmalloc_area {
	uint64_t start, end; /* its first address, and the first one behind its guard page */
	uint64_t addr;       /* struct vmap_area */
	uint64_t vm;         /* struct vm_struct; 0: vm_map_ram() made it, without one */
	uint64_t flags;      /* VM_* of vmalloc.h */
	uint64_t caller;     /* the address in the function that asked for it; 0: not known */
	uint64_t pages;      /* how many pages of memory it maps; 0: it maps a device */
	uint64_t phys;       /* the physical address of the device that it maps; 0: none */
};

/* Sets *ret to all areas, by address; they are read once. When the kernel's lists are broken, *ret
 * has those that were found, and *why says why; it is ERR_OK otherwise. False: none can be found.
 */
bool vmalloc_areas(struct target *t, const struct vmalloc_area **ret, size_t *n, struct err *why,
		   struct err *err) MUST_CHECK;
/* Sets *ret to the area that addr lies in. False: it lies in none. */
bool vmalloc_at(struct target *t, uint64_t addr, const struct vmalloc_area **ret);
/* The flags as /proc/vmallocinfo names them: "ioremap", "vmalloc,vpages"; in the arena. */
const char *vmalloc_flags_text(uint64_t flags, struct arena *a);

#endif
