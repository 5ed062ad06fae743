/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel was loaded: from VMCOREINFO, or found with nothing but a vmlinux and memory. */
#ifndef OBIT_KASLR_H
#define OBIT_KASLR_H

#include "core/target/target.h"

/* Sets t->kaslr from VMCOREINFO's text, if that tells. */
void kaslr_of_vmcoreinfo(struct target *t);
/* Without VMCOREINFO: finds vmlinux's banner in memory, and so the page tables and the KASLR
 * offset, which become facts. False, with *err, when it is not found. */
bool kaslr_search(struct target *t, struct err *err) MUST_CHECK;
/* Once kaslr is known: VMCOREINFO's text through the kernel's own pointer to it. */
bool kaslr_vmcoreinfo(struct target *t);

#endif
