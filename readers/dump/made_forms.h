/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the tiny invented machine of made_dump.h in the forms that libkdumpfile reads. No tool
 * at hand writes them: they are built by the definitions in libkdumpfile's and crash's readers. */
#ifndef OBIT_MADE_FORMS_H
#define OBIT_MADE_FORMS_H

#include "readers/dump/made_dump.h"

static inline void put_be(void *at, uint64_t v, size_t n)
{
	for (uint8_t *p = at; n--;)
		*p++ = (uint8_t)(v >> 8 * n);
}

/* Old diskdump, version 1: the head of a kdump with another magic. */
static inline void made_diskdump(const struct made *m, struct buf *b)
{
	made_kdump(m, b, 0);
	memcpy(b->s, "DISKDUMP", 8);
	put_le(b->s + 8, 1, 4);
	memcpy(b->s + 207, "#1", 3);
	memcpy(b->s + 337, "(none)", 7);
}

/* LKCD, version 8: struct dump_header; from 64 KiB on each page behind { address, size, flags }. */
static inline void made_lkcd(const struct made *m, struct buf *b, bool packed)
{
	uint8_t h[65536] = { 0 }, page[16];

	put_le(h, UINT64_C(0xa8190173618f23ed), 8);
	put_le(h + 8, 8, 4);
	put_le(h + 12, 1024, 4);
	put_le(h + 20, 4096, 4);
	put_le(h + 24, MADE_PAGES * 4096, 8);
	put_le(h + 40, MADE_PAGES * 4096, 8);
	put_le(h + 48, MADE_PAGES - 3, 4);
	memcpy(h + 324, "Linux", 6);
	memcpy(h + 324 + 65, "made", 5);
	memcpy(h + 324 + 2 * 65, MADE_RELEASE, sizeof(MADE_RELEASE));
	memcpy(h + 324 + 3 * 65, "#1", 3);
	memcpy(h + 324 + 4 * 65, "x86_64", 7);
	put_le(h + 722, packed ? 2 : 0, 4); /* gzip, or none */
	buf_add(b, h, sizeof(h));
	for (size_t i = 0; i < MADE_PAGES; i++) {
		uint8_t out[4500];
		uLongf n = sizeof(out);
		bool raw = !packed || compress(out, &n, m->mem[i], 4096) != Z_OK || n >= 4096;

		if (!made_is_in(i))
			continue;
		put_le(page, i * 4096, 8);
		put_le(page + 8, raw ? 4096 : n, 4);
		put_le(page + 12, raw ? 1 : 2, 4);
		buf_add(b, page, sizeof(page));
		buf_add(b, raw ? m->mem[i] : out, raw ? 4096 : n);
	}
	memset(page, 0, sizeof(page));
	put_le(page + 12, 4, 4);
	buf_add(b, page, sizeof(page));
}

/* An s390 stand-alone dump: all of memory behind its header, and an end mark. Big-endian. */
static inline void made_s390(const struct made *m, struct buf *b)
{
	uint8_t h[4096] = { 0 }, end[16] = "DUMP_END";

	put_be(h, UINT64_C(0xa8190173618f23fd), 8);
	put_be(h + 8, 5, 4);
	put_be(h + 12, 4096, 4);
	put_be(h + 20, 4096, 4);
	put_be(h + 24, MADE_PAGES * 4096, 8);
	put_be(h + 40, MADE_PAGES * 4096, 8);
	put_be(h + 48, MADE_PAGES, 4);
	put_be(h + 56, 1000, 8); /* begun, in units of its clock */
	put_be(h + 72, 2, 4);    /* 64 bits */
	buf_add(b, h, sizeof(h));
	buf_add(b, m->mem, sizeof(m->mem));
	put_be(end + 8, 2000, 8);
	buf_add(b, end, sizeof(end));
}

/* A domain of Xen's, by docs/misc/dump-core-format.txt: sections of pages and of their numbers. */
static inline void made_xen(const struct made *m, struct buf *b)
{
	static const char names[] = "\0.shstrtab\0.xen_pages\0.xen_pfn";
	uint8_t h[64] = "\177ELF\2\1\1", sh[4][64] = { { 0 } }, pfn[8];
	size_t at;

	put_le(h + 16, 4, 2);
	put_le(h + 18, 62, 2);
	put_le(h + 20, 1, 4);
	put_le(h + 52, 64, 2);
	put_le(h + 54, 56, 2);
	put_le(h + 58, 64, 2);
	put_le(h + 60, 4, 2);
	put_le(h + 62, 1, 2);
	buf_add(b, h, sizeof(h));
	at = b->n;
	buf_add(b, names, sizeof(names));
	made_shdr(sh[1], 1, 3, 0, 0, b, at, 0);
	buf_pad(b, '\0', -b->n & 4095);
	at = b->n;
	for (size_t i = 0; i < MADE_PAGES; i++)
		if (made_is_in(i))
			buf_add(b, m->mem[i], 4096);
	made_shdr(sh[2], 11, 1, 0, 0, b, at, 0);
	at = b->n;
	for (size_t i = 0; i < MADE_PAGES; i++) {
		put_le(pfn, i, 8);
		if (made_is_in(i))
			buf_add(b, pfn, sizeof(pfn));
	}
	made_shdr(sh[3], 22, 1, 0, 0, b, at, 0);
	put_le(b->s + 40, b->n, 8);
	buf_add(b, sh, sizeof(sh));
}

#endif
