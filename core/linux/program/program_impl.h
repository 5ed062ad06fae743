/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about programs share with each other. */
#ifndef OBIT_PROGRAM_IMPL_H
#define OBIT_PROGRAM_IMPL_H

#include "core/base/buf.h"
#include "core/linux/program/program.h"

/* Closes the files of the sysroot. */
void program_files_release(struct user_program *p);

/* A part of a mapped file, for the note that names the files of a core. */
struct core_map {
	uint64_t start, end, offset;
	const char *name;
};
/* Appends the notes of a core file: one of each thread, the task of the program first, and those of
 * the process. `maps` are n_maps parts of files. Returns how many threads there are. */
size_t core_notes_add(struct buf *b, struct user_program *p, const struct core_map *maps,
		      size_t n_maps, void (*flaw)(const struct err *e, void *arg), void *arg);

#endif
