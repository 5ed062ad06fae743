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
	uint64_t addr; /* run-time; a small number where it was nowhere */
	uint64_t size, flags, align;
	uint32_t type;
	bool placed;
};

struct module_image {
	const char *path;
	struct unpacked bytes;
	Elf *elf;
	const struct arch *arch;
	struct image_section *sections;
	size_t n;
	Elf_Scn *symtab; /* NULL: none */
	size_t strings;  /* index of its string table */
	bool has_debug;
	struct span btf; /* .BTF */
	/* who it is; NULL and 0 where it does not say, as files of debug info alone often do not */
	const char *name;       /* '-' is '_' */
	const char *srcversion; /* of its sources */
	const char *release;    /* of the kernel that it was made for */
	const char *link;       /* file of its debug info, .gnu_debuglink */
	uint32_t link_crc;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_n;
};

#define MODULE_FILE_MAX ((size_t)1 << 30)

/* ERR_FORMAT: no relocatable ELF file. Strings live in the target's arena. */
bool module_image_open(struct target *t, const struct file *file, struct module_image *ret,
		       struct err *err) MUST_CHECK;
/* Its sections to where the module had them; the rest to nowhere. */
void module_image_place(struct module_image *m, const struct loaded_module *loaded);
/* Its sections one behind another from `base` on; returns the end. */
uint64_t module_image_invent(struct module_image *m, uint64_t base);
/* Puts run-time addresses in its debug info. Once. */
bool module_image_relocate(struct module_image *m, struct err *err) MUST_CHECK;
/* Its symbols at run-time addresses, as `module`'s. */
bool module_image_symbols(struct target *t, const struct module_image *m, const char *module,
			  struct symtab *tab, struct err *err) MUST_CHECK;
void module_image_release(struct module_image *m);

#endif
