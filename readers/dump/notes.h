/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the notes of a dump say: CPU registers, VMCOREINFO, QEMU's control registers. */
#ifndef OBIT_NOTES_H
#define OBIT_NOTES_H

#include "core/image/target.h"

struct notes_seen {
	size_t n;
	bool vmcoreinfo, qemu;
	bool process; /* there was a note that only the core file of a process has */
};

/* Reads the notes into t->cpus, t->vmcoreinfo and t->facts, and into t->arch when that is NULL. big
 * says of what order of bytes the file is that they are from; memory's may be the other. What
 * drivers added is not copied: the notes have to be there as long as the target. At most
 * NOTES_LIMIT are read. */
#define NOTES_LIMIT 1000000u
struct notes_seen notes_read(struct target *t, struct span notes, bool big);

#define VMCOREINFO_MAX ((size_t)1 << 20)
/* Makes a copy of the text, up to its NUL, the target's VMCOREINFO. `found` says where it was. In
 * readers/dump/vmcoreinfo.c. */
void vmcoreinfo_set(struct target *t, struct span text, const char *found);
/* The architecture that the target's VMCOREINFO is of, by its keys; NULL: they do not tell. */
const struct arch *vmcoreinfo_arch(const struct target *t);

#endif
