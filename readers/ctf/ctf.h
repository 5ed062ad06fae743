/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that a process made of a CTF trace, as a recording. */
#ifndef OBIT_CTF_H
#define OBIT_CTF_H

#include "core/image/target.h"
#include "core/trace/trace.h"

/* Adds a recording of the bytes that ctf_read_folder() wrote, or that somebody else made: none of
 * them is trusted. They live as long as the target. */
void ctf_add_records(struct target *t, const char *path, struct span records);

#endif
