/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a dump of the made-up architecture, its vmlinux, and the same with types: "machine VMCORE
 * VMLINUX TYPED". */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOY 4711 /* e_machine */
#define KERNEL UINT64_C(0x4000000000000000)
#define RAM UINT64_C(0x100000) /* where KERNEL lies in physical memory */
#define RAM_SIZE 0x8000u

/* Places in RAM: two levels of page tables, text, data, a stack of each of two CPUs, one elsewhere.
 */
#define TEXT 0x2000u
#define DATA 0x3000u
#define STACKS 0x4000u
#define ELSEWHERE 0x6000u

static const char banner[] = "Linux version 6.1.0-toy (me@here) (cc) #1 made up\n";
static uint8_t ram[RAM_SIZE];

static void put(uint8_t *at, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

static void put_big(uint8_t *at, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		at[i] = (uint8_t)(v >> 8 * (7 - i));
}

/* A call of `to` whose return address, which is given back, is `ret`: offsets in RAM. */
static uint64_t call(unsigned ret, unsigned to)
{
	put(ram + ret - 4, 0xca110000u | (uint16_t)(((int)to - (int)ret) / 4), 4);
	return KERNEL + ret;
}

/* A frame at an offset in RAM. */
static void frame(unsigned at, uint64_t next, uint64_t ret)
{
	put(ram + at, next, 8);
	put(ram + at + 8, ret, 8);
}

static void fill(void)
{
	put_big(ram, RAM + 0x1000 + 1);
	for (unsigned i = 0; i < RAM_SIZE / 4096; i++)
		put_big(ram + 0x1000 + 8 * i, RAM + 4096 * i + 1);
	memcpy(ram + DATA, banner, sizeof(banner));
	put(ram + DATA + 0x100, UINT64_C(0x1122334455667788), 8);
	put(ram + DATA + 0x200, 2, 4); /* nr_cpu_ids */
	/* CPU 0: panic() was called by toy_main(), that by toy_start() */
	frame(STACKS + 0xf00, KERNEL + STACKS + 0xf80, call(TEXT + 0x124, TEXT));
	frame(STACKS + 0xf80, 0, call(TEXT + 0x208, TEXT + 0x100));
	/* CPU 1: its frame pointer leads off its stack */
	frame(STACKS + 0x1f00, KERNEL + ELSEWHERE, call(TEXT + 0x144, TEXT));
	frame(ELSEWHERE, 0, KERNEL + TEXT + 0x208);
}

static void out(FILE *f, const void *p, size_t n)
{
	if (fwrite(p, 1, n, f) != n) {
		perror("machine");
		exit(1);
	}
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

static Elf64_Ehdr header(unsigned type)
{
	return (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB,
					  EV_CURRENT },
			     .e_type = (Elf64_Half)type,
			     .e_machine = TOY,
			     .e_version = EV_CURRENT,
			     .e_ehsize = sizeof(Elf64_Ehdr),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_shentsize = sizeof(Elf64_Shdr) };
}

/* ---- the dump */

static uint8_t notes[4096];
static size_t n_notes;

static void note(const char *name, unsigned type, const void *desc, size_t n)
{
	size_t name_n = strlen(name) + 1;
	uint8_t *at = notes + n_notes;

	put(at, name_n, 4);
	put(at + 4, n, 4);
	put(at + 8, type, 4);
	memcpy(at + 12, name, name_n);
	at += 12 + (name_n + 3) / 4 * 4;
	memcpy(at, desc, n);
	n_notes = (size_t)(at - notes) + (n + 3) / 4 * 4;
}

/* struct elf_prstatus: pc, stack and frame pointer, six more. */
static void cpu(unsigned n, uint64_t fp)
{
	uint8_t desc[192] = { 0 };

	put(desc + 32, n + 1, 4);
	put(desc + 112, KERNEL + TEXT + 0x10, 8);
	put(desc + 120, fp - 0x20, 8);
	put(desc + 128, fp, 8);
	put(desc + 136, 0xabc + n, 8);
	note("CORE", NT_PRSTATUS, desc, sizeof(desc));
}

static void write_dump(const char *path)
{
	Elf64_Ehdr eh = header(ET_CORE);
	Elf64_Phdr ph[2] = { { .p_type = PT_NOTE, .p_offset = 4096 },
			     { .p_type = PT_LOAD,
			       .p_offset = 8192,
			       .p_paddr = RAM,
			       .p_vaddr = KERNEL,
			       .p_filesz = RAM_SIZE,
			       .p_memsz = RAM_SIZE } };
	uint8_t head[4096] = { 0 };
	char text[512];
	int n = snprintf(text, sizeof(text),
			 "OSRELEASE=6.1.0-toy\nPAGESIZE=4096\nSYMBOL(_stext)=%llx\n"
			 "NUMBER(toy_root)=%llu\n",
			 (unsigned long long)(KERNEL + TEXT), (unsigned long long)RAM);
	FILE *f = create(path);

	cpu(0, KERNEL + STACKS + 0xf00);
	cpu(1, KERNEL + STACKS + 0x1f00);
	note("VMCOREINFO", 0, text, (size_t)n);
	ph[0].p_filesz = n_notes;
	eh.e_phnum = 2;
	eh.e_phoff = sizeof(eh);
	memcpy(head, &eh, sizeof(eh));
	memcpy(head + sizeof(eh), ph, sizeof(ph));
	out(f, head, sizeof(head));
	out(f, notes, sizeof(notes));
	out(f, ram, sizeof(ram));
	fclose(f);
}

/* ---- the vmlinux */

static const char names[] = "\0.text\0.init.text\0.data\0.symtab\0.strtab\0"
			    "_stext\0panic\0toy_main\0toy_start\0_etext\0linux_banner\0"
			    "nr_cpu_ids\0toy_irq_stacks\0_end\0.BTF";

static Elf64_Word name(const char *s)
{
	size_t n = strlen(s) + 1;

	for (size_t i = 0; i + n <= sizeof(names); i++)
		if (!memcmp(names + i, s, n) && (!i || !names[i - 1]))
			return (Elf64_Word)i;
	fprintf(stderr, "machine: no name '%s'\n", s);
	exit(1);
}

static Elf64_Sym symbol(const char *s, unsigned section, unsigned off, unsigned size)
{
	return (Elf64_Sym){ .st_name = name(s),
			    .st_info =
				    ELF64_ST_INFO(STB_GLOBAL, section == 1 ? STT_FUNC : STT_OBJECT),
			    .st_shndx = (Elf64_Section)section,
			    .st_value = KERNEL + off,
			    .st_size = size };
}

static Elf64_Shdr section(const char *s, unsigned type, uint64_t flags, uint64_t off, uint64_t size)
{
	return (Elf64_Shdr){ .sh_name = name(s),
			     .sh_type = type,
			     .sh_flags = flags,
			     .sh_addr = flags ? KERNEL + off : 0,
			     .sh_offset = flags ? 4096 + off : off,
			     .sh_size = size };
}

/* An int of 32 bits: Documentation/bpf/btf.rst. */
static const uint8_t btf[] = {
	0x9f, 0xeb, 1,   0,   24, 0, 0, 0, /* magic, version, size of this */
	0,    0,    0,   0,   16, 0, 0, 0,
	16,   0,    0,   0,   5,  0, 0, 0, /* types, strings */
	1,    0,    0,   0,   0,  0, 0, 1,
	4,    0,    0,   0,   32, 0, 0, 1, /* name, kind, bytes, bits, signed */
	0,    'i',  'n', 't', 0,
};

static void write_vmlinux(const char *path, int typed)
{
	const Elf64_Sym symbols[] = {
		{ 0 },
		symbol("_stext", 1, TEXT, 0),
		symbol("panic", 1, TEXT, 0x100),
		symbol("toy_main", 1, TEXT + 0x100, 0x100),
		symbol("toy_start", 1, TEXT + 0x200, 0x100),
		symbol("_etext", 1, TEXT + 0x800, 0),
		symbol("linux_banner", 3, DATA, sizeof(banner)),
		symbol("nr_cpu_ids", 3, DATA + 0x200, 4),
		symbol("toy_irq_stacks", 3, STACKS, 0x2000),
		symbol("_end", 3, RAM_SIZE, 0),
	};
	uint64_t at = 4096 + RAM_SIZE;
	Elf64_Shdr sh[] = {
		{ 0 },
		section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, 0x800),
		section(".init.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT + 0x800, 0x800),
		section(".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, DATA, RAM_SIZE - DATA),
		section(".symtab", SHT_SYMTAB, 0, at, sizeof(symbols)),
		section(".strtab", SHT_STRTAB, 0, at + sizeof(symbols), sizeof(names)),
		section(".BTF", SHT_PROGBITS, 0, at + sizeof(symbols) + sizeof(names), sizeof(btf)),
	};
	Elf64_Ehdr eh = header(ET_EXEC);
	uint8_t head[4096] = { 0 };
	FILE *f = create(path);

	sh[4].sh_link = 5;
	sh[4].sh_info = 1;
	sh[4].sh_entsize = sizeof(Elf64_Sym);
	eh.e_shoff = sizeof(eh);
	eh.e_shnum = (Elf64_Half)(sizeof(sh) / sizeof(sh[0]) - !typed);
	eh.e_shstrndx = 5;
	memcpy(head, &eh, sizeof(eh));
	memcpy(head + sizeof(eh), sh, sizeof(sh));
	out(f, head, sizeof(head));
	out(f, ram, sizeof(ram));
	out(f, symbols, sizeof(symbols));
	out(f, names, sizeof(names));
	out(f, btf, sizeof(btf));
	fclose(f);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: machine VMCORE VMLINUX TYPED\n");
		return 2;
	}
	fill();
	write_dump(argv[1]);
	write_vmlinux(argv[2], 0);
	write_vmlinux(argv[3], 1);
	return 0;
}
