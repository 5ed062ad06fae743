/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other readers ask the vmlinux file at link-time addresses, without loading its symbols. */
#ifndef OBIT_VMLINUX_H
#define OBIT_VMLINUX_H

#include "core/image/target.h"

/* Link-time address of one of the few names that readers ask for (asked_names in vmlinux.c). */
bool vmlinux_symbol(const struct target *t, const char *name, uint64_t *ret);
/* linux_banner, searched on first use; NULL unknown. Also in t->vmlinux.banner from then on. */
const char *vmlinux_banner(struct target *t);

#endif
