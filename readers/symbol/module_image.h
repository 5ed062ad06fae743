/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ELF file of a kernel module: who it is, and where its sections were at run time. */
#ifndef OBIT_MODULE_IMAGE_H
#define OBIT_MODULE_IMAGE_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "core/image/target.h"
#include "readers/unpack.h"

struct image_section {
	const char *name;
	uint64_t addr; /* at run time; a small number when it was nowhere */
	uint64_t size, flags, align;
	uint32_t type;
	bool placed;
};

struct module_image {
	const char *path;
	struct unpacked bytes;
	Elf *elf;
	const struct arch *arch; /* as arch_of_texts() has it; NULL: unknown */
	bool big;                /* big-endian */
	struct image_section *sections;
	size_t n;
	Elf_Scn *symtab; /* NULL: none */
	size_t strings;  /* index of its string table */
	bool has_debug;
	struct span btf; /* .BTF */
	/* which module it is; NULL and 0: it does not say, as files of debug info alone often do
	 * not */
	const char *name;       /* '-' is '_' */
	const char *srcversion; /* of its sources */
	const char *release;    /* of the kernel that it was made for */
	const char *link;       /* file of its debug info, .gnu_debuglink */
	uint32_t link_crc;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_n;
};

#define MODULE_FILE_MAX ((size_t)1 << 30)

/* Opens a module's file. Strings live in the target's arena. ERR_FORMAT: it is no relocatable ELF
 * file.
 */
bool module_image_open(struct target *t, const struct file *file, struct module_image *ret,
		       struct err *err) MUST_CHECK;
/* Gives its sections the addresses that they had in the module that was loaded; those that it did
 * not have are nowhere. */
void module_image_place(struct module_image *m, const struct loaded_module *loaded);
/* Gives its sections made-up addresses, one behind the other from `base` on, and returns the first
 * address behind them. */
uint64_t module_image_invent(struct module_image *m, uint64_t base);
/* Relocates its debug info to these addresses; called once. */
bool module_image_relocate(struct module_image *m, struct err *err) MUST_CHECK;
/* Adds its symbols to tab, at these addresses and as symbols of `module`. */
bool module_image_symbols(struct target *t, const struct module_image *m, const char *module,
			  struct symtab *tab, struct err *err) MUST_CHECK;
void module_image_release(struct module_image *m);

#endif
