/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the debug info of the very program that runs, as the compiler made it. */
#ifndef OBIT_DWARF_SELF_H
#define OBIT_DWARF_SELF_H

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "core/dwarf/dwarf.h"

extern const char __executable_start[], etext[];

/* The program's file in memory that can be changed; debug info of it is opened from there. */
struct dwarf_self {
	struct target t;
	struct arena scratch;
	struct dwarf_file f;
	uint8_t *copy;
	size_t n;
	uint64_t lo, hi; /* link-time, of its text */
};

static inline int dwarf_self_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uint64_t *)arg = info->dlpi_addr; /* the first one is the program */
	return 1;
}

static inline bool dwarf_self_start(struct dwarf_self *x)
{
	struct file *file;
	struct err err;
	uint64_t base;

	*x = (struct dwarf_self){ .f = { .path = "this program" } };
	target_init(&x->t, &x->scratch);
	if (!file_open(&x->t.arena, "/proc/self/exe", &file, &err))
		return false;
	dl_iterate_phdr(dwarf_self_base, &base);
	x->lo = (uint64_t)(uintptr_t)__executable_start - base;
	x->hi = (uint64_t)(uintptr_t)etext - base;
	x->n = file->map.n;
	x->copy = memcpy(xrealloc(NULL, x->n), file->map.p, x->n);
	x->f.t = &x->t;
	x->f.image = SPAN(x->copy, x->n);
	return true;
}

static inline void dwarf_self_end(struct dwarf_self *x)
{
	dwarf_release(&x->f);
	target_release(&x->t);
	arena_release(&x->scratch);
	free(x->copy);
}

#endif
