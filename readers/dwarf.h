/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vmlinux's DWARF, opened once for types, variables and lines. */
#ifndef OBIT_DWARF_H
#define OBIT_DWARF_H

#include <elfutils/libdw.h>

#include "readers/reader.h"

struct dwarf_file {
	struct target *t;
	bool tried, ok;
	struct err err;
	Elf *elf;
	Dwarf *dbg;
	struct dwarf_types *types;
	struct type_source type_source;
	struct line_source line_source;
};

/* Nothing is opened before somebody asks. ERR_NEED: no debug info in this vmlinux. */
bool dwarf_load(struct dwarf_file *f, struct err *err) MUST_CHECK;

/* dwarf_type.c: DIEs as types. Void when the DIE tells of none. */
const struct type *dwarf_type_of(struct dwarf_file *f, Dwarf_Die *die);
/* The type that a variable's or member's DIE names. */
const struct type *dwarf_type_named(struct dwarf_file *f, Dwarf_Die *die);
bool dwarf_type_fill(struct type_source *s, struct type *type, struct err *err);

/* dwarf_line.c */
bool dwarf_line_find(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		     struct err *err);

#endif
