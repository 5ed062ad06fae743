/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other readers ask the vmlinux file at link-time addresses, without loading its symbols. */
#ifndef OBIT_VMLINUX_H
#define OBIT_VMLINUX_H

#include "core/image/target.h"

/* Sets *ret to the link-time address of one of the few symbols that readers ask for, which
 * asked_names in vmlinux.c lists. */
bool vmlinux_symbol(const struct target *t, const char *name, uint64_t *ret);
/* The vmlinux's linux_banner, which is sought when it is first asked for and then kept in
 * t->vmlinux.banner; NULL: it is not known. */
const char *vmlinux_banner(struct target *t);

#endif
