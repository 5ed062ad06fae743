/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel was loaded: from VMCOREINFO, or found with nothing but a vmlinux and memory. */
#ifndef OBIT_KASLR_H
#define OBIT_KASLR_H

#include "core/image/target.h"

/*
 * Calls found() with n bytes, at most 32, at offset off of each page of RAM that can be read, until
 * found() returns true. Looks at SWEEP_PAGES (16 GiB) at most, of which SWEEP_ABSENT (1 GiB) may be
 * absent: only absurd dumps without VMCOREINFO have more. False: found() never was true, or
 * ERR_INTR.
 */
#define SWEEP_PAGES (UINT64_C(4) << 20)
#define SWEEP_ABSENT (UINT64_C(1) << 18)
bool ram_sweep(struct target *t, size_t off, size_t n,
	       bool (*found)(void *arg, uint64_t pa, const uint8_t *bytes), void *arg,
	       struct err *err) MUST_CHECK;

/* Sets t->kaslr by VMCOREINFO, if that says it, and warns where --kaslr says otherwise. */
void kaslr_of_vmcoreinfo(struct target *t);
/* Without VMCOREINFO: finds the banner of the vmlinux in memory, and by it the page tables and how
 * far KASLR moved the kernel, which become facts. False: the banner is not found. */
bool kaslr_search(struct target *t, struct err *err) MUST_CHECK;
/* When t->kaslr is known: reads VMCOREINFO by the kernel's own pointer to it. */
bool kaslr_vmcoreinfo(struct target *t);

/* When VMCOREINFO does not say where the page tables are: has struct arch.tables_find() find them,
 * which adds what mmu_init() needs as facts. True also when there was nothing to find. ERR_NOSYM,
 * ERR_NOTFOUND. */
bool tables_search(struct target *t, struct err *err) MUST_CHECK;

#endif
