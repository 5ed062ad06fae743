/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the notes of a dump say: CPU registers, VMCOREINFO, QEMU's control registers. */
#ifndef OBIT_NOTES_H
#define OBIT_NOTES_H

#include "core/image/target.h"

struct notes_seen {
	size_t n;
	bool vmcoreinfo, qemu;
	bool process; /* notes that only the core file of a user process has */
};

/* Fills t->cpus, t->vmcoreinfo and t->facts, and t->arch where nothing else told of it. */
struct notes_seen notes_read(struct target *t, struct span notes);

#define VMCOREINFO_MAX ((size_t)1 << 20)
/* Keeps a copy of the text up to its NUL (readers/dump/vmcoreinfo.c). */
void vmcoreinfo_set(struct target *t, struct span text, const char *found);
/* The architecture a VMCOREINFO text is of, or NULL. */
const struct arch *vmcoreinfo_arch(const struct target *t);

#endif
