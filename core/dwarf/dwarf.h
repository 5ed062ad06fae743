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

/* One that is told no more than the name of what its types come from; its lifetime is the target's.
 */
struct dwarf_file *dwarf_file_new(struct target *t, const char *origin);
/* Nothing is opened before somebody asks. ERR_NEED: no debug info in this file. */
bool dwarf_load(struct dwarf_file *f, struct err *err) MUST_CHECK;
/* Frees what is not in the target's arena; elf only where it is not a module's. */
void dwarf_release(struct dwarf_file *f);
/* Run-time minus DWARF's own addresses: KASLR's for the kernel; a module's file was relocated to
 * where the module was. */
uint64_t dwarf_slide(const struct dwarf_file *f);
/* A module's file that is open and relocated; elf's lifetime is the target's. */
struct dwarf_file *dwarf_of_module(struct target *t, const char *module, const char *path,
				   Elf *elf);
/* The file whose debug info is to be asked about a run-time address: the vmlinux's, or a module's,
 * which is searched and opened for it. ERR_NEED: there is none. */
bool dwarf_file_at(struct target *t, uint64_t addr, struct dwarf_file **ret,
		   struct err *err) MUST_CHECK;

/* A section that is loaded, unpacked where it was packed; addr (may be NULL): where it is linked
 * at. False: there is none. */
bool dwarf_section(struct dwarf_file *f, const char *name, struct span *ret,
		   uint64_t *addr) MUST_CHECK;

/* dwarf_unit.c: the unit whose code is at a link-time address: where it begins in .debug_info, and
 * its DIE as libdw has it, which reads the heads of all units before it for that. */
bool dwarf_unit_offset(struct dwarf_file *f, uint64_t pc, uint64_t *ret) MUST_CHECK;
bool dwarf_unit_at(struct dwarf_file *f, Dwarf_Addr pc, Dwarf_Die *ret) MUST_CHECK;

/* dwarf_type.c: DIEs as types. Void when the DIE tells of none. */
const struct type *dwarf_type_of(struct dwarf_file *f, Dwarf_Die *die);
/* A function's, with the arguments that its source has: those of a clone that was made of it, or of
 * a body that was inlined elsewhere too, are fewer. */
const struct type *dwarf_type_of_func(struct dwarf_file *f, Dwarf_Die *func);
/* The type that a variable's or member's DIE names. */
const struct type *dwarf_type_named(struct dwarf_file *f, Dwarf_Die *die);
bool dwarf_type_fill(struct type_source *s, struct type *type, struct err *err);

/* dwarf_line.c: the unit of a link-time address, and the functions there, which libdw need not be
 * asked for. False: no unit covers it. */
struct dwarf_spot {
	struct dwarf_unit unit;
	struct dwarf_chain chain;
};
bool dwarf_spot_at(struct dwarf_file *f, uint64_t pc, struct dwarf_spot *ret) MUST_CHECK;
bool dwarf_line_find(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		     struct err *err);

#endif
