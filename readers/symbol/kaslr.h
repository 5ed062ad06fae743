/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel was loaded: from VMCOREINFO, or found with nothing but a vmlinux and memory. */
#ifndef OBIT_KASLR_H
#define OBIT_KASLR_H

#include "core/image/target.h"

/*
 * Looks at n <= 32 bytes at an offset into each page of RAM that can be read, until found() is
 * true. At most SWEEP_PAGES (16 GiB), of which SWEEP_ABSENT (1 GiB) may be absent: only absurd
 * dumps have more of those and no VMCOREINFO note. False: not found, or ERR_INTR.
 */
#define SWEEP_PAGES (UINT64_C(4) << 20)
#define SWEEP_ABSENT (UINT64_C(1) << 18)
bool ram_sweep(struct target *t, size_t off, size_t n,
	       bool (*found)(void *arg, uint64_t pa, const uint8_t *bytes), void *arg,
	       struct err *err) MUST_CHECK;

/* Sets t->kaslr from VMCOREINFO's text, if that tells. */
void kaslr_of_vmcoreinfo(struct target *t);
/* Without VMCOREINFO: finds vmlinux's banner in memory, and so the page tables and the KASLR
 * offset, which become facts. False, with *err, when it is not found. */
bool kaslr_search(struct target *t, struct err *err) MUST_CHECK;
/* Once kaslr is known: VMCOREINFO's text through the kernel's own pointer to it. */
bool kaslr_vmcoreinfo(struct target *t);

/* Where VMCOREINFO does not tell where the page tables are (struct arch.tables_find): finds them by
 * the address that it or the vmlinux gives for them, and adds what mmu_init() needs as facts. True
 * as well where nothing is to be found. ERR_NOSYM, ERR_NOTFOUND. */
bool tables_search(struct target *t, struct err *err) MUST_CHECK;

#endif
