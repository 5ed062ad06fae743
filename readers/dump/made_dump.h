/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: dumps of a tiny invented machine, in every form, built byte by byte from the formats'
 * descriptions. */
#ifndef OBIT_MADE_DUMP_H
#define OBIT_MADE_DUMP_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/buf.h"
#include "readers/inflate.h"

/*
 * The machine: 64 pages of RAM from 0; page 7 is not RAM, pages 8 and 9 are left out by the dumper.
 *Byte i of page n is (n * 31 + i), but for page tables in pages 1 to 4, which map
 *	0xffffffff81200000 + i * 4096	to page 16 + i, for i of 0 to 7; i = 8 to page 8, i = 9 to
 *page 7 0xffffffff81400000 (2 MiB)	to page 0 on
 *	0xffffffff81600000		through a table in page 9, which is left out
 *	0xffffffff80001000		page 1 itself (init_top_pgt), and all pages likewise
 */
#define MADE_PAGES 64u
#define MADE_TEXT UINT64_C(0xffffffff81200000)
#define MADE_LARGE UINT64_C(0xffffffff81400000)
#define MADE_NOTABLE UINT64_C(0xffffffff81600000)
#define MADE_BUILD_ID "00112233445566778899aabbccddeeff00112233"
#define MADE_RELEASE "6.66.0-made"
#define MADE_BANNER "Linux version " MADE_RELEASE " (made@test) (cc) #1 SMP\n"

#define MADE_INFO                                                                 \
	"OSRELEASE=" MADE_RELEASE "\nBUILD-ID=" MADE_BUILD_ID "\nPAGESIZE=4096\n" \
	"SYMBOL(init_uts_ns)=ffffffff8000c000\nOFFSET(uts_namespace.name)=0\n"    \
	"SYMBOL(init_top_pgt)=ffffffff80001000\nNUMBER(phys_base)=0\n"            \
	"NUMBER(pgtable_l5_enabled)=0\nNUMBER(KERNEL_IMAGE_SIZE)=2097152\nKERNELOFFSET=200000\nCRASHTIME=1700000000\n"

struct made {
	uint8_t mem[MADE_PAGES][4096];
	char info[1024];
};

static inline void put_le(void *at, uint64_t v, size_t n)
{
	for (uint8_t *p = at; n--; v >>= 8)
		*p++ = (uint8_t)v;
}

static inline bool made_is_ram(size_t page)
{
	return page != 7;
}

static inline bool made_is_in(size_t page)
{
	return made_is_ram(page) && page != 8 && page != 9;
}

static inline void made_init(struct made *m)
{
	memset(m, 0, sizeof(*m));
	for (size_t n = 0; n < MADE_PAGES; n++)
		for (size_t i = 0; i < 4096; i++)
			m->mem[n][i] = (uint8_t)(n * 31 + i);
	memset(m->mem[1], 0, (size_t)4 * 4096);
	put_le(&m->mem[1][511 * 8], 0x2003, 8); /* top: 0xffffff8000000000 on */
	put_le(&m->mem[2][510 * 8], 0x3003, 8); /* 0xffffffff80000000 on */
	put_le(&m->mem[3][9 * 8], 0x4003, 8);   /* MADE_TEXT */
	put_le(&m->mem[3][10 * 8], 0x83, 8);    /* MADE_LARGE: a page of 2 MiB */
	put_le(&m->mem[3][11 * 8], 0x9003, 8);  /* MADE_NOTABLE */
	put_le(&m->mem[3][0], 0x83, 8);         /* the kernel's image, as it were */
	for (size_t i = 0; i < 8; i++)
		put_le(&m->mem[4][i * 8], (16 + i) << 12 | 3, 8);
	put_le(&m->mem[4][8 * 8], 0x8003, 8);
	put_le(&m->mem[4][9 * 8], 0x7003, 8);
	/* struct new_utsname of init_uts_ns at the start of page 12 */
	memset(m->mem[12], 0, 400);
	memcpy(&m->mem[12][130], MADE_RELEASE, sizeof(MADE_RELEASE));
	memcpy(&m->mem[13][0xfe0], MADE_BANNER, 0x20);
	memcpy(&m->mem[14][0], &MADE_BANNER[0x20], sizeof(MADE_BANNER) - 0x20);
	memcpy(m->info, MADE_INFO, sizeof(MADE_INFO));
}

static inline void made_note(struct buf *b, const char *name, uint32_t type, const void *desc,
			     size_t n)
{
	uint8_t h[12];

	put_le(h, strlen(name) + 1, 4);
	put_le(h + 4, n, 4);
	put_le(h + 8, type, 4);
	buf_add(b, h, sizeof(h));
	buf_add(b, name, strlen(name) + 1);
	buf_pad(b, '\0', -b->n & 3);
	buf_add(b, desc, n);
	buf_pad(b, '\0', -b->n & 3);
}

/* Two CPUs: the first with pid 42 and rip 0x1111, the second blank, as of an offline CPU. */
static inline void made_notes(const struct made *m, struct buf *b)
{
	uint8_t pr[336] = { 0 };

	put_le(pr + 32, 42, 4);
	put_le(pr + 112 + 16 * 8, 0x1111, 8);
	put_le(pr + 112 + 19 * 8, 0x2222, 8);
	made_note(b, "CORE", 1, pr, sizeof(pr));
	memset(pr, 0, sizeof(pr));
	made_note(b, "CORE", 1, pr, sizeof(pr));
	if (m->info[0])
		made_note(b, "VMCOREINFO", 0, m->info, strlen(m->info));
}

static inline void made_phdr(uint8_t *h, uint32_t type, uint64_t off, uint64_t pa, uint64_t file_n,
			     uint64_t mem_n)
{
	put_le(h, type, 4);
	put_le(h + 8, off, 8);
	put_le(h + 24, pa, 8);
	put_le(h + 32, file_n, 8);
	put_le(h + 40, mem_n, 8);
}

/* As makedumpfile -E: pages 0 to 6; 8 and 9 without bytes; 10 to the end. */
static inline void made_elf(const struct made *m, struct buf *b)
{
	uint8_t h[64 + 4 * 56] = "\177ELF\2\1\1";
	struct buf notes = { 0 };
	uint64_t data;

	made_notes(m, &notes);
	data = sizeof(h) + notes.n;
	put_le(h + 16, 4, 2);
	put_le(h + 18, 62, 2);
	put_le(h + 32, 64, 8);
	put_le(h + 54, 56, 2);
	put_le(h + 56, 4, 2);
	made_phdr(h + 64, 4, sizeof(h), 0, notes.n, notes.n);
	made_phdr(h + 64 + 56, 1, data, 0, 7 * 4096, 7 * 4096);
	made_phdr(h + 64 + 112, 1, data, 8 * 4096, 0, 2 * 4096);
	made_phdr(h + 64 + 168, 1, data + 7 * 4096, 10 * 4096, (MADE_PAGES - 10) * 4096,
		  (MADE_PAGES - 10) * 4096);
	buf_add(b, h, sizeof(h));
	buf_add(b, notes.s, notes.n);
	buf_add(b, m->mem[0], (size_t)7 * 4096);
	buf_add(b, m->mem[10], (size_t)(MADE_PAGES - 10) * 4096);
	buf_release(&notes);
}

/* Blocks: header, sub header, notes, bitmaps (one each), descriptors, pages. how: PAGE_ZLIB or 0.
 */
static inline void made_kdump(const struct made *m, struct buf *b, unsigned how)
{
	uint8_t h[4096] = "KDUMP   ", maps[2 * 4096] = { 0 }, desc[24] = { 0 };
	struct buf notes = { 0 }, descs = { 0 }, pages = { 0 };
	uint64_t at;

	made_notes(m, &notes);
	put_le(h + 8, 6, 4);
	memcpy(h + 12, "Linux", 6);
	memcpy(h + 77, "made", 5);
	memcpy(h + 142, MADE_RELEASE, sizeof(MADE_RELEASE));
	memcpy(h + 272, "x86_64", 7);
	put_le(h + 408, 1600000000, 8);
	put_le(h + 424, how, 4);
	put_le(h + 428, 4096, 4);
	put_le(h + 432, 2, 4); /* the sub header and the notes */
	put_le(h + 436, 2, 4);
	put_le(h + 440, MADE_PAGES, 4);
	buf_add(b, h, sizeof(h));
	memset(h, 0, sizeof(h));
	put_le(h + 8, 31, 4);
	put_le(h + 48, 2 * 4096, 8);
	put_le(h + 56, notes.n, 8);
	put_le(h + 96, MADE_PAGES, 8);
	buf_add(b, h, sizeof(h));
	buf_add(b, notes.s, notes.n);
	buf_pad(b, '\0', -b->n & 4095);
	at = b->n + sizeof(maps);
	for (size_t i = 0; i < MADE_PAGES; i++) {
		maps[i / 8] |= (uint8_t)(made_is_ram(i) << i % 8);
		maps[4096 + i / 8] |= (uint8_t)(made_is_in(i) << i % 8);
		at += made_is_in(i) ? 24 : 0;
	}
	buf_add(b, maps, sizeof(maps));
	for (size_t i = 0; i < MADE_PAGES; i++) {
		uint8_t packed[4500];
		uLongf n = sizeof(packed);
		bool raw = !how || compress(packed, &n, m->mem[i], 4096) != Z_OK || n >= 4096;

		if (!made_is_in(i))
			continue;
		n = raw ? 4096 : n;
		put_le(desc, at + pages.n, 8);
		put_le(desc + 8, n, 4);
		put_le(desc + 12, raw ? 0 : how, 4);
		buf_add(&descs, desc, sizeof(desc));
		buf_add(&pages, raw ? m->mem[i] : packed, n);
	}
	buf_add(b, descs.s, descs.n);
	buf_add(b, pages.s, pages.n);
	buf_release(&notes);
	buf_release(&descs);
	buf_release(&pages);
}

static inline void made_chunk(struct buf *b, uint64_t off, uint64_t n, const void *p)
{
	uint8_t h[16];

	for (int i = 0; i < 8; i++) {
		h[i] = (uint8_t)(off >> (56 - 8 * i));
		h[8 + i] = (uint8_t)(n >> (56 - 8 * i));
	}
	buf_add(b, h, sizeof(h));
	if (p)
		buf_add(b, p, n);
}

/* Flattened: the first 64 bytes are written as nonsense first and put right at the end, as
 * makedumpfile does, and the chunks of 1000 bytes come in pairs that are swapped. */
static inline void made_flat(const struct buf *whole, struct buf *b)
{
	uint8_t h[4096] = "makedumpfile", junk[64];

	h[23] = h[31] = 1;
	memset(junk, 0xee, sizeof(junk));
	buf_add(b, h, sizeof(h));
	made_chunk(b, 0, sizeof(junk), junk);
	for (size_t i = 64; i < whole->n; i += 2000)
		for (size_t j = 0; j < 2; j++) {
			size_t at = i + (j ? 0 : 1000), n = at < whole->n ? whole->n - at : 0;

			if (n)
				made_chunk(b, at, n < 1000 ? n : 1000, whole->s + at);
		}
	made_chunk(b, 0, sizeof(junk), whole->s);
	made_chunk(b, UINT64_MAX, UINT64_MAX, NULL);
}

/* A vmlinux: sections .init.text, .rodata with the banner, .notes, .data..percpu at 0, symbols. */
enum {
	MADE_INIT = 1,
	MADE_RODATA,
	MADE_NOTES,
	MADE_PERCPU,
	MADE_SYMTAB,
	MADE_STRTAB,
	MADE_SHSTRTAB,
	MADE_SECTIONS
};

static inline void made_shdr(uint8_t *h, uint32_t name, uint32_t type, uint64_t flags,
			     uint64_t addr, const struct buf *b, size_t from, uint32_t link)
{
	put_le(h, name, 4);
	put_le(h + 4, type, 4);
	put_le(h + 8, flags, 8);
	put_le(h + 16, addr, 8);
	put_le(h + 24, from, 8);
	put_le(h + 32, b->n - from, 8);
	put_le(h + 40, link, 4);
}

static inline void made_sym(struct buf *b, uint32_t name, uint8_t info, uint16_t shndx,
			    uint64_t value, uint64_t size)
{
	uint8_t s[24];

	put_le(s, name, 4);
	s[4] = info;
	s[5] = 0;
	put_le(s + 6, shndx, 2);
	put_le(s + 8, value, 8);
	put_le(s + 16, size, 8);
	buf_add(b, s, sizeof(s));
}

static inline void made_vmlinux(struct buf *b, uint8_t id_first)
{
	static const char names[] =
		"\0.init.text\0.rodata\0.notes\0.data..percpu\0.symtab\0.strtab\0.shstrtab";
	static const char strings[] =
		"\0linux_banner\0init_top_pgt\0start_kernel\0cpu_number\0_stext"
		"\0vmcoreinfo_data\0vmcoreinfo_size";
	uint8_t h[64] = "\177ELF\2\1\1", sh[MADE_SECTIONS][64] = { { 0 } }, id[20];
	size_t at;

	for (int i = 0; i < 20; i++)
		id[i] = (uint8_t)(i % 16 * 0x11);
	id[0] = id_first;
	put_le(h + 16, 2, 2);
	put_le(h + 18, 62, 2);
	put_le(h + 58, 64, 2);
	put_le(h + 60, MADE_SECTIONS, 2);
	put_le(h + 62, MADE_SHSTRTAB, 2);
	buf_add(b, h, sizeof(h));
	at = b->n;
	buf_pad(b, '\x90', 32);
	made_shdr(sh[MADE_INIT], 1, 1, 6, UINT64_C(0xffffffff80000000), b, at, 0);
	at = b->n;
	buf_add(b, MADE_BANNER, sizeof(MADE_BANNER));
	made_shdr(sh[MADE_RODATA], 12, 1, 2, UINT64_C(0xffffffff7fe0dfe0), b, at, 0);
	buf_pad(b, '\0', -b->n & 3);
	at = b->n;
	made_note(b, "GNU", 3, id, sizeof(id));
	made_shdr(sh[MADE_NOTES], 20, 7, 2, 0, b, at, 0);
	at = b->n;
	buf_pad(b, '\0', 16);
	made_shdr(sh[MADE_PERCPU], 27, 1, 3, 0, b, at, 0);
	at = b->n;
	made_sym(b, 0, 0, 0, 0, 0);
	made_sym(b, 1, 0x11, MADE_RODATA, UINT64_C(0xffffffff7fe0dfe0), sizeof(MADE_BANNER));
	made_sym(b, 14, 0x11, MADE_RODATA, UINT64_C(0xffffffff7fe01000), 4096);
	made_sym(b, 27, 0x12, MADE_INIT, UINT64_C(0xffffffff81000000), 16);
	made_sym(b, 40, 0x11, MADE_PERCPU, 8, 4);
	made_sym(b, 51, 0x10, 0xfff1, UINT64_C(0xffffffff80001234), 0);
	made_sym(b, 58, 0x11, MADE_RODATA, UINT64_C(0xffffffff7fe0a010), 8);
	made_sym(b, 74, 0x11, MADE_RODATA, UINT64_C(0xffffffff7fe0a018), 8);
	made_shdr(sh[MADE_SYMTAB], 41, 2, 0, 0, b, at, MADE_STRTAB);
	at = b->n;
	buf_add(b, strings, sizeof(strings));
	made_shdr(sh[MADE_STRTAB], 49, 3, 0, 0, b, at, 0);
	at = b->n;
	buf_add(b, names, sizeof(names));
	made_shdr(sh[MADE_SHSTRTAB], 57, 3, 0, 0, b, at, 0);
	put_le(b->s + 40, b->n, 8);
	buf_add(b, sh, sizeof(sh));
}

/* A path by which the bytes can be opened as long as the descriptor is. */
static inline int made_file(const void *p, size_t n, char path[64])
{
	int fd = memfd_create("made", MFD_CLOEXEC);
	struct buf b = { 0 };

	if (fd >= 0 && write(fd, p, n) != (ssize_t)n)
		fd = -1; /* the path will not open, and the test fails */
	buf_printf(&b, "/proc/self/fd/%d", fd);
	memcpy(path, b.s, b.n + 1);
	buf_release(&b);
	return fd;
}

/* The same numbers every time, from a seed. */
static inline uint64_t made_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
