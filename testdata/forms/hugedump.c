/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the dump of a machine with terabytes of a guest's ELF dump, for tests: its own memory, and
 * behind it of each gigabyte the first pages, in a file of holes.
 *
 * It knows the two forms by their descriptions alone, and shares nothing with obit's readers. */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096u
#define GB ((uint64_t)1 << 30)
#define LOADS_MAX 64
#define MARK UINT64_C(0x6567756874696e61) /* in each page that is made, at MARK_AT */
#define MARK_AT 0x800

static struct {
	const uint8_t *p; /* the guest's file */
	uint64_t n;
	Elf64_Ehdr head;
	Elf64_Phdr notes, loads[LOADS_MAX];
	unsigned n_loads;
	uint64_t first; /* the first gigabyte behind all of its memory */
} guest;
static struct {
	int fd;
	uint64_t gigabytes, pages; /* in all; and pages that are there of each behind the guest's */
} huge;

static void die(const char *why)
{
	fprintf(stderr, "hugedump: %s\n", why);
	exit(1);
}

static void put(uint64_t at, const void *p, uint64_t n)
{
	for (const uint8_t *from = p; n;) {
		ssize_t done = pwrite(huge.fd, from, n, (off_t)at);

		if (done <= 0)
			die("cannot write");
		from += done;
		at += (uint64_t)done;
		n -= (uint64_t)done;
	}
}

static void read_guest(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) || (uint64_t)st.st_size < sizeof(guest.head))
		die("the guest's dump cannot be read");
	guest.n = (uint64_t)st.st_size;
	guest.p = mmap(NULL, guest.n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (guest.p == MAP_FAILED)
		die("the guest's dump cannot be mapped");
	memcpy(&guest.head, guest.p, sizeof(guest.head));
	if (memcmp(guest.head.e_ident, ELFMAG, SELFMAG) || guest.head.e_machine != EM_X86_64 ||
	    guest.head.e_phoff > guest.n ||
	    guest.head.e_phnum * sizeof(Elf64_Phdr) > guest.n - guest.head.e_phoff)
		die("the guest's dump is no ELF file of x86-64");
	for (unsigned i = 0; i < guest.head.e_phnum; i++) {
		Elf64_Phdr p;

		memcpy(&p, guest.p + guest.head.e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_offset > guest.n || p.p_filesz > guest.n - p.p_offset)
			die("the guest's dump is cut short");
		if (p.p_type == PT_NOTE)
			guest.notes = p;
		if (p.p_type != PT_LOAD || guest.n_loads == LOADS_MAX)
			continue;
		guest.loads[guest.n_loads++] = p;
		if ((p.p_paddr + p.p_memsz + GB - 1) / GB > guest.first)
			guest.first = (p.p_paddr + p.p_memsz + GB - 1) / GB;
	}
	if (!guest.n_loads || guest.first >= huge.gigabytes)
		die("the guest has no memory, or more than what is made");
}

static bool is_zero(const uint8_t *p)
{
	return !p[0] && !memcmp(p, p + 1, PAGE - 1);
}

/* The first page of a gigabyte: one of the guest's, and the mark. */
static const uint8_t *marked_page(uint64_t gigabyte)
{
	static uint8_t page[PAGE];
	const Elf64_Phdr *l = &guest.loads[0];
	uint64_t mark = MARK;

	for (uint64_t at = 0; at + PAGE <= l->p_filesz; at += PAGE)
		if (!is_zero(guest.p + l->p_offset + at)) {
			memcpy(page, guest.p + l->p_offset + at, PAGE);
			break;
		}
	memcpy(page + MARK_AT, &mark, sizeof(mark));
	memset(page + MARK_AT + 8, 0, 64);
	snprintf((char *)page + MARK_AT + 8, 64, "made for gigabyte %llu",
		 (unsigned long long)gigabyte);
	return page;
}

/* Each gigabyte has a segment whose file size says that most of it was left out. */
static void make_elf(void)
{
	uint64_t n = guest.n_loads + 1 + (huge.gigabytes - guest.first), at = PAGE;
	Elf64_Ehdr head = guest.head;
	Elf64_Phdr *table = calloc(n, sizeof(*table)), *p = table;

	if (!table || n >= PN_XNUM)
		die("too many gigabytes");
	head.e_phoff = at;
	head.e_phnum = (Elf64_Half)n;
	head.e_shnum = head.e_shstrndx = 0;
	head.e_shoff = 0;
	at = (at + n * sizeof(*table) + PAGE - 1) / PAGE * PAGE;
	*p = guest.notes;
	p->p_offset = at;
	put(at, guest.p + guest.notes.p_offset, guest.notes.p_filesz);
	at = (at + guest.notes.p_filesz + PAGE - 1) / PAGE * PAGE;
	for (unsigned i = 0; i < guest.n_loads; i++) {
		const Elf64_Phdr *l = &guest.loads[i];

		*++p = *l;
		p->p_offset = at;
		for (uint64_t k = 0; k < l->p_filesz; k += PAGE) {
			uint64_t part = l->p_filesz - k < PAGE ? l->p_filesz - k : PAGE;

			if (part < PAGE || !is_zero(guest.p + l->p_offset + k))
				put(at + k, guest.p + l->p_offset + k, part);
		}
		at = (at + l->p_filesz + PAGE - 1) / PAGE * PAGE;
	}
	at = (at + GB - 1) / GB * GB;
	for (uint64_t g = guest.first; g < huge.gigabytes; g++, at += GB) {
		*++p = (Elf64_Phdr){ .p_type = PT_LOAD,
				     .p_offset = at,
				     .p_paddr = g * GB,
				     .p_filesz = huge.pages * PAGE,
				     .p_memsz = GB };
		put(at, marked_page(g), PAGE);
	}
	put(0, &head, sizeof(head));
	put(head.e_phoff, table, n * sizeof(*table));
	if (ftruncate(huge.fd, (off_t)at))
		die("cannot make the file so long");
	free(table);
}

/* ---- makedumpfile's form: headers, two bitmaps of page frames, descriptors, pages */

static uint8_t *bitmaps[2]; /* is RAM; is there */
static uint64_t frames, desc_at, page_at, zero_at;

static void set_bits(uint64_t frame, uint64_t n, bool is_there)
{
	for (; n; frame++, n--) {
		bitmaps[0][frame / 8] |= (uint8_t)(1u << frame % 8);
		if (is_there)
			bitmaps[1][frame / 8] |= (uint8_t)(1u << frame % 8);
	}
}

/* The descriptor and the bytes of the next page; all that are empty share one. */
static void put_page(const uint8_t *p)
{
	struct {
		uint64_t off;
		uint32_t n, flags;
		uint64_t page_flags;
	} desc = { zero_at, PAGE, 0, 0 };

	if (p && !is_zero(p)) {
		desc.off = page_at;
		put(page_at, p, PAGE);
		page_at += PAGE;
	}
	put(desc_at, &desc, sizeof(desc));
	desc_at += sizeof(desc);
}

static const uint8_t *guest_page(uint64_t pa)
{
	for (unsigned i = 0; i < guest.n_loads; i++) {
		const Elf64_Phdr *l = &guest.loads[i];

		if (pa >= l->p_paddr && pa - l->p_paddr + PAGE <= l->p_filesz)
			return guest.p + l->p_offset + (pa - l->p_paddr);
	}
	return NULL;
}

static uint64_t there(uint64_t *bytes)
{
	uint64_t n = 0;

	*bytes = frames / 8;
	for (uint64_t i = 0; i < *bytes; i++)
		n += (uint64_t)__builtin_popcount(bitmaps[1][i]);
	return n;
}

static void put_headers(uint64_t sub_blocks, uint64_t bitmap_blocks)
{
	static uint8_t head[PAGE], sub[PAGE];
	struct {
		uint32_t status, block, sub, bitmap, frames;
	} sizes = { 0, PAGE, (uint32_t)sub_blocks, (uint32_t)bitmap_blocks, (uint32_t)frames };
	uint32_t version = 6, level = 31;
	uint64_t notes[2] = { 2 * PAGE, guest.notes.p_filesz };

	memcpy(head, "KDUMP   ", 8);
	memcpy(head + 8, &version, 4);
	strcpy((char *)head + 12, "Linux");
	strcpy((char *)head + 12 + 4 * 65, "x86_64");
	memcpy(head + 424, &sizes, sizeof(sizes));
	memcpy(sub + 8, &level, 4);
	memcpy(sub + 48, notes, sizeof(notes));
	memcpy(sub + 96, &frames, 8);
	put(0, head, PAGE);
	put(PAGE, sub, PAGE);
	put(2 * PAGE, guest.p + guest.notes.p_offset, guest.notes.p_filesz);
}

static void make_kdump(void)
{
	uint64_t sub = 1 + (guest.notes.p_filesz + PAGE - 1) / PAGE, bytes, n, half;

	frames = huge.gigabytes * (GB / PAGE);
	bitmaps[0] = calloc(1, frames / 8);
	bitmaps[1] = calloc(1, frames / 8);
	if (!bitmaps[0] || !bitmaps[1])
		die("no memory");
	for (unsigned i = 0; i < guest.n_loads; i++)
		set_bits(guest.loads[i].p_paddr / PAGE, guest.loads[i].p_filesz / PAGE, true);
	memset(bitmaps[0] + guest.first * (GB / PAGE / 8), 0xff,
	       (huge.gigabytes - guest.first) * (GB / PAGE / 8));
	for (uint64_t g = guest.first; g < huge.gigabytes; g++)
		set_bits(g * (GB / PAGE), huge.pages, true);
	n = there(&bytes);
	half = (bytes + PAGE - 1) / PAGE;
	put_headers(sub, 2 * half);
	for (uint64_t at = 0; at < bytes; at += PAGE)
		for (unsigned i = 0; i < 2; i++)
			if (!is_zero(bitmaps[i] + at))
				put((1 + sub + i * half) * PAGE + at, bitmaps[i] + at, PAGE);
	desc_at = (1 + sub + 2 * half) * PAGE;
	zero_at = desc_at + n * 24;
	page_at = zero_at + PAGE;
	if (ftruncate(huge.fd, (off_t)page_at))
		die("cannot make the file so long");
	for (uint64_t i = 0; i < frames; i++)
		if (!(i % 64) && !memcmp(bitmaps[1] + i / 8, "\0\0\0\0\0\0\0\0", 8))
			i += 63;
		else if (bitmaps[1][i / 8] >> i % 8 & 1)
			put_page(i * PAGE < guest.first * GB ? guest_page(i * PAGE)
				 : i % (GB / PAGE)           ? NULL
							     : marked_page(i / (GB / PAGE)));
}

int main(int argc, char **argv)
{
	if (argc != 6)
		die("usage: hugedump GUEST-ELF NEW elf|kdump GIGABYTES PAGES-OF-EACH");
	huge.gigabytes = strtoull(argv[4], NULL, 10);
	huge.pages = strtoull(argv[5], NULL, 10);
	if (!huge.pages || huge.pages > GB / PAGE || huge.gigabytes > 16384)
		die("so much memory nobody has");
	read_guest(argv[1]);
	huge.fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (huge.fd < 0)
		die("cannot make the new file");
	if (strcmp(argv[3], "elf") == 0)
		make_elf();
	else
		make_kdump();
	return close(huge.fd) ? 1 : 0;
}
