/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of relocations of debug info on object files that are made here; what each place must hold
 * is reckoned by hand from the ABI's words: S is a symbol's address, A what is added. */
#include <stdlib.h>
#include <unistd.h>

#include "core/base/test.h"
#include "readers/symbol/module_image.h"

#define TEXT_AT UINT64_C(0xffffffff01234000)
#define DEBUG_BYTES 64

enum {
	TEXT = 1,
	DEBUG,
	RELA,
	SYMBOLS,
	STRINGS,
	SECTIONS
};
static const char strings[] = "\0.text\0.debug_info\0.rela.debug_info\0.symtab\0.shstrtab";

/* Symbol 1 begins .text, 2 lies 0x10 and 3 0x1c5 bytes further on. */
static const Elf64_Sym symbols[] = {
	{ 0 },
	{ .st_shndx = TEXT },
	{ .st_shndx = TEXT, .st_value = 0x10 },
	{ .st_shndx = TEXT, .st_value = 0x1c5 },
};

struct object {
	Elf64_Ehdr head;
	uint8_t text[0x200];
	uint8_t debug[DEBUG_BYTES];
	Elf64_Rela rela[16];
	Elf64_Sym symbols[4];
	char strings[sizeof(strings)];
	Elf64_Shdr sections[SECTIONS];
};

static void section(struct object *o, unsigned i, const char *name, uint32_t type, const void *at,
		    size_t n)
{
	const char *s = memmem(strings, sizeof(strings), name, strlen(name) + 1);

	o->sections[i].sh_name = (uint32_t)(s - strings);
	o->sections[i].sh_type = type;
	o->sections[i].sh_offset = (uint64_t)((const char *)at - (const char *)o);
	o->sections[i].sh_size = n;
	o->sections[i].sh_addralign = 1;
}

static void make(struct object *o, uint16_t machine, const uint8_t *debug, const Elf64_Rela *rela,
		 size_t n)
{
	memset(o, 0, sizeof(*o));
	memcpy(o->head.e_ident, ELFMAG, SELFMAG);
	o->head.e_ident[EI_CLASS] = ELFCLASS64;
	o->head.e_ident[EI_DATA] = ELFDATA2LSB;
	o->head.e_ident[EI_VERSION] = o->head.e_version = EV_CURRENT;
	o->head.e_type = ET_REL;
	o->head.e_machine = machine;
	o->head.e_ehsize = sizeof(o->head);
	o->head.e_shoff = offsetof(struct object, sections);
	o->head.e_shentsize = sizeof(Elf64_Shdr);
	o->head.e_shnum = SECTIONS;
	o->head.e_shstrndx = STRINGS;
	memcpy(o->debug, debug, DEBUG_BYTES);
	memcpy(o->rela, rela, n * sizeof(*rela));
	memcpy(o->symbols, symbols, sizeof(symbols));
	memcpy(o->strings, strings, sizeof(strings));
	section(o, TEXT, ".text", SHT_PROGBITS, o->text, sizeof(o->text));
	o->sections[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	section(o, DEBUG, ".debug_info", SHT_PROGBITS, o->debug, sizeof(o->debug));
	section(o, RELA, ".rela.debug_info", SHT_RELA, o->rela, n * sizeof(*rela));
	o->sections[RELA].sh_info = DEBUG;
	o->sections[RELA].sh_link = SYMBOLS;
	o->sections[RELA].sh_entsize = sizeof(*rela);
	section(o, SYMBOLS, ".symtab", SHT_SYMTAB, o->symbols, sizeof(o->symbols));
	o->sections[SYMBOLS].sh_link = STRINGS;
	o->sections[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
	section(o, STRINGS, ".shstrtab", SHT_STRTAB, o->strings, sizeof(o->strings));
}

/* Relocates o's .debug_info with .text at TEXT_AT, and copies it to got. */
static bool relocate(const struct object *o, uint8_t *got, struct err *err)
{
	char path[] = "/tmp/obit-relocate.XXXXXX";
	struct arena scratch = { 0 };
	struct module_section text = { ".text", TEXT_AT };
	struct loaded_module loaded = { .name = "made", .sections = &text, .n_sections = 1 };
	struct module_image m;
	struct file *file;
	struct target t;
	int fd = mkstemp(path);
	bool ok;

	if (!CHECK(fd >= 0) || !CHECK(write(fd, o, sizeof(*o)) == (ssize_t)sizeof(*o)))
		return false;
	close(fd);
	target_init(&t, &scratch);
	ok = file_open(&t.arena, path, &file, err) && module_image_open(&t, file, &m, err);
	unlink(path);
	if (ok) {
		Elf_Data *data;

		module_image_place(&m, &loaded);
		ok = module_image_relocate(&m, err);
		data = elf_rawdata(elf_getscn(m.elf, DEBUG), NULL);
		if (ok && CHECK(data && data->d_size == DEBUG_BYTES))
			memcpy(got, data->d_buf, DEBUG_BYTES);
		module_image_release(&m);
	}
	target_release(&t);
	arena_release(&scratch);
	return ok;
}

#define R(at, symbol, type, add)                                \
	{                                                       \
		at, ELF64_R_INFO((uint64_t)(symbol), type), add \
	}

/* RISC-V ELF psABI: ADDn adds S + A to what n bits hold, SUBn subtracts it, SETn writes it; of
 * SET6 and SUB6 the two upper bits stay, a ULEB128 number keeps its length. Between symbols 2 and 3
 * lie 0x1b5 bytes, between 1 and 2 0x10. */
TEST(pairs_of_riscv)
{
	static const uint8_t before[DEBUG_BYTES] = {
		[0] = 0x05,                                     /* ADD8, SUB8 */
		[2] = 0x01,  [3] = 0x02,                        /* ADD16, SUB16 */
		[4] = 0xff,  [5] = 0xff,  [6] = 0xff,  [7] = 0, /* ADD32, SUB32 */
		[8] = 0x07,                                     /* ADD64, SUB64 */
		[16] = 0x40,                                    /* SET6, SUB6 */
		[17] = 0xee,                                    /* SET8, SUB8 */
		[18] = 0xee, [19] = 0xee,                       /* SET16, SUB16 */
		[20] = 0xee, [24] = 0xaa,                       /* SET32 */
		[25] = 0x80, [26] = 0x80, [27] = 0x00,          /* SET_ULEB128, SUB_ULEB128 */
		[28] = 0x55, [29] = 0x00, [30] = 0x66,          /* the same, of one byte */
	};
	static const Elf64_Rela rela[] = {
		R(0, 2, 33, 1),  R(0, 1, 37, 0),  R(2, 3, 34, 0),  R(2, 2, 38, 0),
		R(4, 3, 35, 0),  R(4, 2, 39, 0),  R(8, 2, 36, -2), R(8, 3, 40, 0),
		R(16, 3, 53, 2), R(16, 2, 52, 0), R(17, 3, 54, 0), R(17, 2, 37, 0),
		R(20, 1, 56, 5), R(25, 3, 60, 0), R(25, 2, 61, 0), R(31, 2, 2, 0),
	};
	static const Elf64_Rela more[] = {
		R(18, 3, 55, 0),
		R(18, 2, 38, 0),
		R(29, 2, 60, 3),
		R(29, 1, 61, 0),
	};
	uint8_t want[DEBUG_BYTES], got[DEBUG_BYTES];
	struct object o;
	struct err err;

	memcpy(want, before, sizeof(want));
	want[0] = 0x16;                              /* 5 + 0x10 + 1 */
	want[2] = 0xb6, want[3] = 0x03;              /* 0x201 + 0x1b5 */
	want[4] = 0xb4, want[5] = 0x01, want[6] = 0; /* 0xffffff + 0x1b5 = 0x10001b4 */
	want[7] = 0x01;
	memcpy(want + 8, "\x50\xfe\xff\xff\xff\xff\xff\xff", 8); /* 7 - 2 - 0x1b5 = -0x1b0 */
	/* 01 stays; S + A = ...c7, of which 07; minus ...10, of which 010000: 0x37 */
	want[16] = 0x40 | 0x37;
	want[17] = 0xb5;
	want[20] = 0x05, want[21] = 0x40, want[22] = 0x23, want[23] = 0x01; /* 0x01234005 */
	want[25] = 0xb5, want[26] = 0x83, want[27] = 0x00; /* 0x1b5 = 3 << 7 | 0x35, in three */
	memcpy(want + 31, "\x10\x40\x23\x01\xff\xff\xff\xff", 8);
	make(&o, EM_RISCV, before, rela, ARRAY_SIZE(rela));
	REQUIRE_OK(relocate(&o, got, &err), err);
	for (size_t i = 0; i < sizeof(got); i++)
		if (!CHECK_U64(got[i], want[i]))
			printf("  at %zu\n", i);

	make(&o, EM_RISCV, before, more, ARRAY_SIZE(more));
	REQUIRE_OK(relocate(&o, got, &err), err);
	CHECK_U64(got[18], 0xb5);
	CHECK_U64(got[19], 0x01);
	CHECK_U64(got[29], 0x13); /* 0x10 + 3 */
	CHECK_U64(got[30], 0x66);
}

/* What does not lie in the section, a number that never ends, and a type that nobody knows are
 * damage: none is written. */
TEST(damage)
{
	static const uint8_t endless[DEBUG_BYTES] = {
		[20] = 0x80, 0x80, 0x80, 0x80, 0x80,        0x80,        0x80,
		0x80,        0x80, 0x80, 0x01, [62] = 0x80, [63] = 0x80,
	};
	static const Elf64_Rela bad[] = {
		R(60, 1, 36, 0), R(64, 1, 33, 0), R(UINT64_MAX, 1, 33, 0), R(0, 9, 33, 0),
		R(0, 1, 200, 0), R(20, 1, 60, 0), R(62, 1, 60, 0),
	};
	uint8_t got[DEBUG_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct object o;
		struct err err;

		make(&o, EM_RISCV, endless, &bad[i], 1);
		if (CHECK(!relocate(&o, got, &err)))
			CHECK_ERR(err, ERR_FORMAT);
		else
			printf("  of %zu\n", i);
	}
}

/* ELF for the Arm 64-bit Architecture: ABS64 is S + A, PREL32 S + A - P, where P is the place. */
TEST(places_of_arm64)
{
	static const uint8_t before[DEBUG_BYTES] = { 0xff };
	static const Elf64_Rela rela[] = { R(0, 2, 257, 8), R(8, 2, 261, 0) };
	uint8_t got[DEBUG_BYTES];
	struct object o;
	struct err err;

	make(&o, EM_AARCH64, before, rela, ARRAY_SIZE(rela));
	REQUIRE_OK(relocate(&o, got, &err), err);
	CHECK(!memcmp(got, "\x18\x40\x23\x01\xff\xff\xff\xff", 8));
	CHECK(!memcmp(got + 8, "\x08\x40\x23\x01", 4)); /* ...010 - 8 */
}

TEST_MAIN
