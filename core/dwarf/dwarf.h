/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF of the vmlinux and of modules' files, each opened once for types, variables and lines. */
#ifndef OBIT_DWARF_H
#define OBIT_DWARF_H

#include <elfutils/libdw.h>

#include "core/image/target.h"
#include "core/dwarf/dwarf_inline.h"

struct dwarf_file {
	struct target *t;
	const char *path;   /* for messages */
	const char *module; /* NULL: the kernel itself */
	struct span image;  /* the ELF file, where elf is not open yet */
	bool tried, ok;
	/* warned of: it contradicts the symbol table; line tables and texts are damaged */
	bool told, told_lines, told_texts;
	struct err err;
	Elf *elf;
	Dwarf *dbg;
	struct dwarf_sections sections;
	struct dwarf_abbrevs abbrevs; /* dwarf_line.c's own */
	struct dwarf_types *types;
	struct type_source type_source;
	struct line_source line_source;
	struct dwarf_units *units; /* dwarf_unit.c's own */
	struct dwarf_cfi *cfi;     /* dwarf_frame.c's own */
	struct map around;         /* dwarf_frame.c's own: what was found around an address */
	struct map keeps;          /* dwarf_frame.c's own: is a function at an address bound to keep
				      registers */
	struct map sites;      /* dwarf_call.c's own: call sites by the addresses they return to */
	struct map jumps_back; /* dwarf_tail.c's own: a function's entry -> 1 no, 2 yes */
};

/* Makes a file that lives as long as the target. `origin` is what its source of types is called;
 * the caller sets where the ELF file is. */
struct dwarf_file *dwarf_file_new(struct target *t, const char *origin);
/* Opens the file's debug info, when it is called for the first time. ERR_NEED: the file has none.
 */
bool dwarf_load(struct dwarf_file *f, struct err *err) MUST_CHECK;
/* Frees what is not in the target's arena, but not the elf of a module's file, which is not its
 * own. */
void dwarf_release(struct dwarf_file *f);
/* The run-time address minus the address in DWARF: for the kernel how far KASLR moved it; 0 for a
 * module, whose file was relocated to where the module was. */
uint64_t dwarf_slide(const struct dwarf_file *f);
/* Makes one of a module's file that is open and relocated; elf lives as long as the target. */
struct dwarf_file *dwarf_of_module(struct target *t, const char *module, const char *path,
				   Elf *elf);
/* Sets *ret to the file whose debug info covers a run-time address: that of the vmlinux, or that of
 * a module, which is searched and opened for it. ERR_NEED: there is none. */
bool dwarf_file_at(struct target *t, uint64_t addr, struct dwarf_file **ret,
		   struct err *err) MUST_CHECK;

/* Does each name in the file's table of sections' names end within 4 KB? libelf and libdw search
 * for the end whenever they are asked for a section's name, and all may have one without an end. */
bool dwarf_names_end(Elf *elf);
/* Sets *ret to the contents of a section, decompressed if need be, and *addr, unless addr is NULL,
 * to the address that it was linked to. False: there is no such section. */
bool dwarf_section(struct dwarf_file *f, const char *name, struct span *ret,
		   uint64_t *addr) MUST_CHECK;

/* dwarf_unit.c: the unit whose code is at the link-time address pc. dwarf_unit_offset() gives where
 * it begins in .debug_info. dwarf_unit_at() gives its DIE for libdw, which reads the heads of all
 * units before it for that. */
bool dwarf_unit_offset(struct dwarf_file *f, uint64_t pc, uint64_t *ret) MUST_CHECK;
bool dwarf_unit_at(struct dwarf_file *f, Dwarf_Addr pc, Dwarf_Die *ret) MUST_CHECK;

/* dwarf_type.c: the type that a DIE describes; void when it describes none. */
const struct type *dwarf_type_of(struct dwarf_file *f, Dwarf_Die *die);
/* A function's, with the arguments that its source has: those of a clone that was made of it, or of
 * a body that was inlined elsewhere too, are fewer. */
const struct type *dwarf_type_of_func(struct dwarf_file *f, Dwarf_Die *func);
/* The type that a variable's or member's DIE names. */
const struct type *dwarf_type_named(struct dwarf_file *f, Dwarf_Die *die);
bool dwarf_type_fill(struct type_source *s, struct type *type, struct err *err);

/* dwarf_line.c: the unit of the link-time address pc, and the functions around pc, found without
 * libdw. False: no unit covers pc. */
struct dwarf_spot {
	struct dwarf_unit unit;
	struct dwarf_chain chain;
};
bool dwarf_spot_at(struct dwarf_file *f, uint64_t pc, struct dwarf_spot *ret) MUST_CHECK;
bool dwarf_line_find(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		     struct err *err);

#endif
