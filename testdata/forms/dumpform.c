/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the memory of an ELF dump in the forms in which other programs keep memory, for tests.
 *
 * It knows the forms by their descriptions alone, and shares nothing with obit's readers. */
#include <elf.h>
#include <snappy-c.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct segment {
	uint64_t off, pa, n;
};

static struct segment segments[16];
static unsigned n_segments;
static FILE *in;
static Elf64_Half machine;

static void die(const char *why)
{
	fprintf(stderr, "dumpform: %s\n", why);
	exit(1);
}

static void get(uint64_t off, void *p, size_t n)
{
	if (fseeko(in, (off_t)off, SEEK_SET) || fread(p, 1, n, in) != n)
		die("the dump is cut short");
}

static void put(FILE *out, const void *p, size_t n)
{
	if (fwrite(p, 1, n, out) != n)
		die("cannot write");
}

static void put_le(FILE *out, uint64_t v, unsigned n)
{
	for (; n--; v >>= 8)
		putc((int)(v & 255), out);
}

static void put_be(FILE *out, uint64_t v, unsigned n)
{
	while (n--)
		putc((int)(v >> 8 * n & 255), out);
}

static FILE *create(const char *name, const char *more)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", name, more);
	f = fopen(path, "wb");
	if (!f)
		die("cannot create a file");
	return f;
}

static void add_segment(uint64_t off, uint64_t pa, uint64_t n)
{
	if (n_segments == 16)
		die("more segments than anybody expected");
	segments[n_segments++] = (struct segment){ off, pa, n };
}

/* Only the dumps of guests come here: little-endian, of few segments. */
static void read_segments(const char *path)
{
	union {
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} h;

	in = fopen(path, "rb");
	if (!in)
		die("cannot open the dump");
	get(0, &h, sizeof(h));
	machine = h.e64.e_machine;
	if (h.e64.e_ident[EI_CLASS] == ELFCLASS64)
		for (unsigned i = 0; i < h.e64.e_phnum; i++) {
			Elf64_Phdr p;

			get(h.e64.e_phoff + i * sizeof(p), &p, sizeof(p));
			if (p.p_type == PT_LOAD && p.p_filesz)
				add_segment(p.p_offset, p.p_paddr, p.p_filesz);
		}
	else
		for (unsigned i = 0; i < h.e32.e_phnum; i++) {
			Elf32_Phdr p;

			get(h.e32.e_phoff + i * sizeof(p), &p, sizeof(p));
			if (p.p_type == PT_LOAD && p.p_filesz)
				add_segment(p.p_offset, p.p_paddr, p.p_filesz);
		}
}

static void copy(FILE *out, const struct segment *s)
{
	static char buf[1 << 16];

	for (uint64_t at = 0; at < s->n;) {
		size_t n = s->n - at < sizeof(buf) ? s->n - at : sizeof(buf);

		get(s->off + at, buf, n);
		put(out, buf, n);
		at += n;
	}
}

/* ---- raw: a file for each segment; how to name them to obit is printed */

static void write_raw(const char *name)
{
	for (unsigned i = 0; i < n_segments; i++) {
		char more[16];
		FILE *out;

		snprintf(more, sizeof(more), ".%u", i);
		out = create(name, more);
		copy(out, &segments[i]);
		fclose(out);
		printf("%s%s@0x%llx\n", name, more, (unsigned long long)segments[i].pa);
	}
}

/* ---- LiME, AVML */

static void lime_head(FILE *out, uint32_t magic, uint32_t version, const struct segment *s)
{
	put_le(out, magic, 4);
	put_le(out, version, 4);
	put_le(out, s->pa, 8);
	put_le(out, s->pa + s->n - 1, 8);
	put_le(out, 0, 8);
}

static void write_lime(const char *name)
{
	FILE *out = create(name, "");

	for (unsigned i = 0; i < n_segments; i++) {
		lime_head(out, 0x4c694d45, 1, &segments[i]);
		copy(out, &segments[i]);
	}
	fclose(out);
}

static uint32_t crc_table[256];

static uint32_t masked_crc(const uint8_t *p, size_t n)
{
	uint32_t c = 0xffffffff;

	for (uint32_t i = 0; !crc_table[255] && i < 256; i++) {
		crc_table[i] = i;
		for (int k = 0; k < 8; k++)
			crc_table[i] = crc_table[i] >> 1 ^ (crc_table[i] & 1 ? 0x82f63b78 : 0);
	}
	while (n--)
		c = c >> 8 ^ crc_table[(c ^ *p++) & 255];
	c = ~c;
	return (c >> 15 | c << 17) + 0xa282ead8;
}

/* As the compressor of AVML does, a chunk that does not shrink stays plain. */
static uint64_t put_chunk(FILE *out, const uint8_t *p, size_t n)
{
	static char packed[1 << 17];
	size_t size = sizeof(packed);
	bool plain;

	if (snappy_compress((const char *)p, n, packed, &size) != SNAPPY_OK)
		die("snappy");
	plain = size >= n - n / 8;
	put_le(out, plain, 1);
	put_le(out, (plain ? n : size) + 4, 3);
	put_le(out, masked_crc(p, n), 4);
	put(out, plain ? (const void *)p : packed, plain ? n : size);
	return (plain ? n : size) + 8;
}

static void write_avml(const char *name)
{
	static const char identifier[] = "\xff\x06\0\0sNaPpY";
	static uint8_t buf[1 << 16];
	FILE *out = create(name, "");

	for (unsigned i = 0; i < n_segments; i++)
		for (uint64_t at = 0; at < segments[i].n;) {
			struct segment s = { segments[i].off + at, segments[i].pa + at,
					     segments[i].n - at };
			uint64_t written = 10;

			if (s.n > 16 << 20)
				s.n = 16 << 20;
			lime_head(out, 0x4c4d5641, 2, &s);
			put(out, identifier, 10);
			for (uint64_t k = 0; k < s.n;) {
				size_t n = s.n - k < sizeof(buf) ? s.n - k : sizeof(buf);

				get(s.off + k, buf, n);
				written += put_chunk(out, buf, n);
				k += n;
			}
			put_le(out, written, 8);
			at += s.n;
		}
	fclose(out);
}

/* ---- VMware: a suspended machine, whose memory lies in a file beside it, or in the file itself */

static void vm_tag(FILE *out, const char *name, int index, unsigned size)
{
	put_le(out, strlen(name) << 8 | (index >= 0) << 6 | size, 2);
	put(out, name, strlen(name));
	if (index >= 0)
		put_le(out, (uint64_t)index, 4);
}

static void vm_number(FILE *out, const char *name, int index, uint32_t v)
{
	vm_tag(out, name, index, 4);
	put_le(out, v, 4);
}

static void write_vmss(const char *name, bool beside)
{
	FILE *out = create(name, ".vmss"), *mem = beside ? create(name, ".vmem") : out;
	static const char groups[2][64] = { "Checkpoint", "memory" };
	uint64_t page = 0;

	put_le(out, 0xbed2bed2, 4);
	put_le(out, 8, 4);
	put_le(out, 2, 4);
	put(out, groups[0], 64);
	put_le(out, 172, 8); /* a group of nothing but its end */
	put_le(out, 2, 8);
	put(out, groups[1], 64);
	put_le(out, 174, 8);
	put_le(out, 0, 8);
	put_le(out, 0, 2);
	vm_number(out, "regionsCount", -1, n_segments);
	for (unsigned i = 0; i < n_segments; i++) {
		vm_number(out, "regionPageNum", (int)i, (uint32_t)page);
		vm_number(out, "regionPPN", (int)i, (uint32_t)(segments[i].pa >> 12));
		vm_number(out, "regionSize", (int)i, (uint32_t)(segments[i].n >> 12));
		page += segments[i].n >> 12;
	}
	if (!beside) {
		vm_tag(out, "Memory", -1, 0x3f);
		put_le(out, page << 12, 8);
		put_le(out, page << 12, 8);
		put_le(out, 6, 2);
		put(out, "padded", 6);
	}
	for (unsigned i = 0; i < n_segments; i++)
		copy(mem, &segments[i]);
	put_le(out, 0, 2);
	fclose(out);
	if (beside)
		fclose(mem);
}

/* ---- VirtualBox: an ELF core, with notes of its own and none of the kernel's */

static void vb_note(FILE *out, const char *name, uint32_t type, const void *desc, size_t n)
{
	put_le(out, strlen(name) + 1, 4);
	put_le(out, n, 4);
	put_le(out, type, 4);
	put(out, name, strlen(name) + 1);
	put_le(out, 0, -(strlen(name) + 1) & 3);
	put(out, desc, n);
}

static void write_vbox(const char *name)
{
	FILE *out = create(name, "");
	Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			 .e_type = ET_CORE,
			 .e_machine = machine,
			 .e_version = 1,
			 .e_phoff = sizeof(h),
			 .e_ehsize = sizeof(h),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = (Elf64_Half)(n_segments + 1) };
	static const uint32_t core[6] = { 0xc01ac0de, 0x00010000, 24, 0x00060100, 0, 1 };
	static const char cpu[512];
	uint64_t notes = sizeof(h) + (n_segments + 1) * sizeof(Elf64_Phdr), at = notes + 1024;
	Elf64_Phdr p = { .p_type = PT_NOTE, .p_offset = notes, .p_filesz = 20 + 24 + 20 + 512 };

	put(out, &h, sizeof(h));
	put(out, &p, sizeof(p));
	for (unsigned i = 0; i < n_segments; i++) {
		p = (Elf64_Phdr){ .p_type = PT_LOAD,
				  .p_offset = at,
				  .p_paddr = segments[i].pa,
				  .p_filesz = segments[i].n,
				  .p_memsz = segments[i].n };
		put(out, &p, sizeof(p));
		at += segments[i].n;
	}
	vb_note(out, "VBCORE", 0xb00, core, sizeof(core));
	vb_note(out, "VBCPU", 0xb01, cpu, sizeof(cpu));
	fseeko(out, (off_t)(notes + 1024), SEEK_SET);
	for (unsigned i = 0; i < n_segments; i++)
		copy(out, &segments[i]);
	fclose(out);
}

/* ---- QEMU's stream of a migration, and libvirt's file around it */

enum {
	RAM_ZERO = 0x02,
	RAM_SIZES = 0x04,
	RAM_PAGE = 0x08,
	RAM_END = 0x10,
	RAM_SAME = 0x20
};

static void put_name(FILE *out, const char *name)
{
	putc((int)strlen(name), out);
	put(out, name, strlen(name));
}

static void section(FILE *out, int kind, bool named)
{
	putc(kind, out);
	put_be(out, 2, 4);
	if (!named)
		return;
	put_name(out, "ram");
	put_be(out, 0, 4);
	put_be(out, 4, 4);
}

static void section_end(FILE *out)
{
	putc(0x7e, out);
	put_be(out, 2, 4);
}

static void stream_page(FILE *out, const struct segment *s, const char *block, uint64_t at,
			bool *same, bool spoil)
{
	static const uint8_t zeros[4096];
	uint8_t page[4096];
	bool zero;

	get(s->off + at, page, sizeof(page));
	zero = !memcmp(page, zeros, sizeof(page));
	if (spoil)
		memset(page, 0xaa, sizeof(page));
	put_be(out, at | (zero && !spoil ? RAM_ZERO : RAM_PAGE) | (*same ? RAM_SAME : 0), 8);
	if (!*same)
		put_name(out, block);
	*same = true;
	if (zero && !spoil)
		putc(0, out);
	else
		put(out, page, sizeof(page));
}

static const char *block_name(unsigned i)
{
	return i ? "pc.bios" : machine == EM_X86_64 ? "pc.ram" : "mach-virt.ram";
}

static void write_stream(FILE *out)
{
	static const char board[] = "pc-i440fx-7.2", virt[] = "virt-7.2";
	const char *name = machine == EM_X86_64 ? board : virt;
	uint64_t total = 0;
	bool same = false;

	put(out, "QEVM", 4);
	put_be(out, 3, 4);
	putc(7, out);
	put_be(out, strlen(name), 4);
	put(out, name, strlen(name));
	section(out, 1, true);
	for (unsigned i = 0; i < n_segments; i++)
		total += segments[i].n;
	put_be(out, total | RAM_SIZES, 8);
	for (unsigned i = 0; i < n_segments; i++) {
		put_name(out, block_name(i));
		put_be(out, segments[i].n, 8);
	}
	put_be(out, RAM_END, 8);
	section_end(out);
	/* pages that changed while they were written come again: the first copies are spoilt */
	section(out, 2, false);
	for (uint64_t at = 0; at < segments[0].n; at += 1 << 20)
		stream_page(out, &segments[0], block_name(0), at, &same, true);
	put_be(out, RAM_END, 8);
	section_end(out);
	section(out, 3, false);
	for (unsigned i = 0; i < n_segments; i++) {
		same = false;
		for (uint64_t at = 0; at < segments[i].n; at += 4096)
			stream_page(out, &segments[i], block_name(i), at, &same, false);
	}
	put_be(out, RAM_END, 8);
	section_end(out);
	/* the first of the devices */
	putc(4, out);
	put_be(out, 3, 4);
	put_name(out, "timer");
	put_be(out, 0, 8);
	putc(0, out);
}

static void write_qemu(const char *name)
{
	FILE *out = create(name, "");

	write_stream(out);
	fclose(out);
}

static void write_libvirt(const char *name)
{
	static const char xml[] = "<domain type='kvm'><name>guest</name></domain>\n";
	FILE *out = create(name, "");

	put(out, "LibvirtQemudSave", 16);
	put_le(out, 2, 4);
	put_le(out, sizeof(xml), 4);
	put_le(out, 0, 4); /* it did not run */
	put_le(out, 0, 4); /* nor is it packed */
	put_le(out, 0, 4 * 15);
	put(out, xml, sizeof(xml));
	write_stream(out);
	fclose(out);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage: dumpform raw|lime|avml|vmss|vmem|vbox|qemu|libvirt VMCORE OUT");
	read_segments(argv[2]);
	if (!strcmp(argv[1], "raw"))
		write_raw(argv[3]);
	else if (!strcmp(argv[1], "lime"))
		write_lime(argv[3]);
	else if (!strcmp(argv[1], "avml"))
		write_avml(argv[3]);
	else if (!strcmp(argv[1], "vmss"))
		write_vmss(argv[3], false);
	else if (!strcmp(argv[1], "vmem"))
		write_vmss(argv[3], true);
	else if (!strcmp(argv[1], "vbox"))
		write_vbox(argv[3]);
	else if (!strcmp(argv[1], "qemu"))
		write_qemu(argv[3]);
	else if (!strcmp(argv[1], "libvirt"))
		write_libvirt(argv[3]);
	else
		die("no form of this name");
	return 0;
}
