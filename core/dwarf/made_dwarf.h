/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: an ELF file of x86-64 that holds nothing but debug info given byte by byte. */
#ifndef OBIT_MADE_DWARF_H
#define OBIT_MADE_DWARF_H

#include <elf.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/dwarf/dwarf.h"

static inline void made_le(struct buf *b, uint64_t v, size_t n)
{
	for (; n--; v >>= 8)
		buf_add(b, &(uint8_t){ (uint8_t)v }, 1);
}

static inline void made_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text) + 1);
}

/* A unit of so many bits less than version 5: its head with 8-byte addresses, then the DIEs. */
static inline void made_unit(struct buf *b, unsigned version, const struct buf *dies)
{
	made_le(b, 7 + dies->n, 4);
	made_le(b, version, 2);
	made_le(b, 0, 4); /* its abbreviations are the first */
	made_le(b, 8, 1);
	buf_add(b, dies->s, dies->n);
}

/* Sections in this order; one without bytes is left empty. */
struct made_sections {
	struct span abbrev, info, frame;
};

static inline void made_dwarf(const struct made_sections *s, struct buf *b)
{
	static const char names[] = "\0.debug_abbrev\0.debug_info\0.debug_frame\0.shstrtab";
	static const uint32_t name_at[] = { 0, 1, 15, 27, 40 };
	const struct span parts[] = {
		{ 0 }, s->abbrev, s->info, s->frame, SPAN((const uint8_t *)names, sizeof(names))
	};
	enum {
		N = 5
	};
	Elf64_Ehdr head = { .e_ident = "\177ELF\2\1\1",
			    .e_type = ET_EXEC,
			    .e_machine = EM_X86_64,
			    .e_version = EV_CURRENT,
			    .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = N,
			    .e_shstrndx = N - 1,
			    .e_shoff = sizeof(head) };
	uint64_t at = sizeof(head) + N * sizeof(Elf64_Shdr);

	buf_add(b, &head, sizeof(head));
	for (size_t i = 0; i < N; i++) {
		Elf64_Shdr h = { .sh_name = name_at[i],
				 .sh_type = i + 1 == N ? SHT_STRTAB
					    : i        ? SHT_PROGBITS
						       : SHT_NULL,
				 .sh_offset = at,
				 .sh_size = parts[i].n,
				 .sh_addralign = 1 };

		buf_add(b, &h, sizeof(h));
		at += parts[i].n;
	}
	for (size_t i = 0; i < N; i++)
		buf_add(b, parts[i].p, parts[i].n);
}

#endif
