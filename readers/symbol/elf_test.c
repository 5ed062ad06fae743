/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of ELF's headers against the structs of the C library's elf.h: every byte is another
 * number.
 */
#include <elf.h>

#include "core/base/test.h"
#include "readers/symbol/elf.h"

/* Bytes 1, 2, 3 and so on, as a struct of elf.h has them. */
static void ramp(void *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = (uint8_t)(i + 1);
}

/* Fills a from byte `from` on with other bytes each, and b with the same, but that each of the n
 * fields is turned round. */
static void turn(uint8_t *a, uint8_t *b, size_t from, const uint8_t *fields, size_t n)
{
	ramp(a, 64);
	for (size_t f = 0, at = from; f < n; at += fields[f++])
		for (size_t i = 0; i < fields[f]; i++)
			b[at + i] = a[at + fields[f] - 1 - i];
}

#define BOTH(is32, narrow, wide) ((is32) ? (uint64_t)(narrow) : (uint64_t)(wide))

TEST(heads)
{
	for (unsigned is32 = 0; is32 < 2; is32++) {
		uint8_t p[ELF_HEAD];
		Elf32_Ehdr n;
		Elf64_Ehdr w;
		struct elf e;

		ramp(p, sizeof(p));
		memcpy(p, "\177ELF", 4);
		p[EI_CLASS] = is32 ? ELFCLASS32 : ELFCLASS64;
		p[EI_DATA] = ELFDATA2LSB;
		memcpy(&n, p, sizeof(n));
		memcpy(&w, p, sizeof(w));
		REQUIRE(elf_header(p, &e));
		CHECK(e.is32 == is32);
		CHECK_U64(e.type, w.e_type);
		CHECK_U64(e.machine, w.e_machine);
		CHECK_U64(e.phoff, BOTH(is32, n.e_phoff, w.e_phoff));
		CHECK_U64(e.shoff, BOTH(is32, n.e_shoff, w.e_shoff));
		CHECK_U64(e.phentsize, BOTH(is32, n.e_phentsize, w.e_phentsize));
		CHECK_U64(e.phnum, BOTH(is32, n.e_phnum, w.e_phnum));
		CHECK_U64(e.shentsize, BOTH(is32, n.e_shentsize, w.e_shentsize));
		CHECK_U64(e.shnum, BOTH(is32, n.e_shnum, w.e_shnum));
		CHECK_U64(e.shstrndx, BOTH(is32, n.e_shstrndx, w.e_shstrndx));
		CHECK_U64(elf_segment_size(&e), is32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr));
		CHECK_U64(elf_section_size(&e), is32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr));
		CHECK_U64(elf_symbol_size(is32), is32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym));
		p[EI_DATA] = 3;
		CHECK(!elf_header(p, &e));
		p[EI_DATA] = ELFDATA2LSB;
		for (unsigned class = 0; class < 4; class += 3) {
			p[EI_CLASS] = (uint8_t) class;
			CHECK(!elf_header(p, &e));
		}
		p[EI_CLASS] = ELFCLASS64;
		p[3] = 'f';
		CHECK(!elf_header(p, &e));
	}
}

TEST(entries_of_tables)
{
	for (unsigned is32 = 0; is32 < 2; is32++) {
		const struct elf e = { .is32 = is32 };
		union {
			uint8_t p[64];
			Elf32_Phdr ph32;
			Elf64_Phdr ph64;
			Elf32_Shdr sh32;
			Elf64_Shdr sh64;
			Elf32_Sym sym32;
			Elf64_Sym sym64;
		} u;
		struct elf_segment ph;
		struct elf_section sh;
		struct elf_symbol sym;

		ramp(u.p, sizeof(u.p));
		ph = elf_segment(&e, u.p);
		CHECK_U64(ph.type, BOTH(is32, u.ph32.p_type, u.ph64.p_type));
		CHECK_U64(ph.off, BOTH(is32, u.ph32.p_offset, u.ph64.p_offset));
		CHECK_U64(ph.pa, BOTH(is32, u.ph32.p_paddr, u.ph64.p_paddr));
		CHECK_U64(ph.file_n, BOTH(is32, u.ph32.p_filesz, u.ph64.p_filesz));
		CHECK_U64(ph.mem_n, BOTH(is32, u.ph32.p_memsz, u.ph64.p_memsz));
		sh = elf_section(&e, u.p);
		CHECK_U64(sh.name, BOTH(is32, u.sh32.sh_name, u.sh64.sh_name));
		CHECK_U64(sh.type, BOTH(is32, u.sh32.sh_type, u.sh64.sh_type));
		CHECK_U64(sh.flags, BOTH(is32, u.sh32.sh_flags, u.sh64.sh_flags));
		CHECK_U64(sh.addr, BOTH(is32, u.sh32.sh_addr, u.sh64.sh_addr));
		CHECK_U64(sh.off, BOTH(is32, u.sh32.sh_offset, u.sh64.sh_offset));
		CHECK_U64(sh.size, BOTH(is32, u.sh32.sh_size, u.sh64.sh_size));
		CHECK_U64(sh.link, BOTH(is32, u.sh32.sh_link, u.sh64.sh_link));
		CHECK_U64(sh.info, BOTH(is32, u.sh32.sh_info, u.sh64.sh_info));
		sym = elf_symbol(&e, u.p);
		CHECK_U64(sym.name, BOTH(is32, u.sym32.st_name, u.sym64.st_name));
		CHECK_U64(sym.info, BOTH(is32, u.sym32.st_info, u.sym64.st_info));
		CHECK_U64(sym.shndx, BOTH(is32, u.sym32.st_shndx, u.sym64.st_shndx));
		CHECK_U64(sym.value, BOTH(is32, u.sym32.st_value, u.sym64.st_value));
		CHECK_U64(sym.size, BOTH(is32, u.sym32.st_size, u.sym64.st_size));
	}
}

/* The same numbers in the other order: each field's bytes are turned round. */
TEST(big_endian)
{
	for (unsigned is32 = 0; is32 < 2; is32++) {
		const struct elf little = { .is32 = is32 }, big = { .is32 = is32, .big = true };
		static const uint8_t heads[][13] = { { 2, 2, 4, 8, 8, 8, 4, 2, 2, 2, 2, 2, 2 },
						     { 2, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2 } },
				     rows[][10] = { { 4, 4, 8, 8, 8, 8, 4, 4, 8, 8 },
						    { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 } };
		/* a symbol's fields of 64 bits stand in another order */
		static const uint8_t symbols[][6] = { { 4, 1, 1, 2, 8, 8 }, { 4, 4, 4, 1, 1, 2 } };
		uint8_t a[64], b[64];
		struct elf x, y;

		turn(a, b, 16, heads[is32], 13);
		memcpy(b, a, 16);
		a[EI_CLASS] = b[EI_CLASS] = is32 ? ELFCLASS32 : ELFCLASS64;
		memcpy(a, "\177ELF", 4);
		memcpy(b, "\177ELF", 4);
		a[EI_DATA] = ELFDATA2LSB;
		b[EI_DATA] = ELFDATA2MSB;
		REQUIRE(elf_header(a, &x) && elf_header(b, &y));
		CHECK(!x.big && y.big);
		CHECK(x.type == y.type && x.machine == y.machine && x.phoff == y.phoff &&
		      x.shoff == y.shoff && x.phentsize == y.phentsize && x.phnum == y.phnum &&
		      x.shentsize == y.shentsize && x.shnum == y.shnum && x.shstrndx == y.shstrndx);
		turn(a, b, 0, rows[is32], 10);
		{
			struct elf_section s = elf_section(&little, a), o = elf_section(&big, b);

			CHECK(s.name == o.name && s.type == o.type && s.link == o.link &&
			      s.info == o.info && s.flags == o.flags && s.addr == o.addr &&
			      s.off == o.off && s.size == o.size);
		}
		turn(a, b, 0, symbols[is32], 6);
		{
			struct elf_symbol s = elf_symbol(&little, a), o = elf_symbol(&big, b);

			CHECK(s.name == o.name && s.info == o.info && s.shndx == o.shndx &&
			      s.value == o.value && s.size == o.size);
		}
	}
}

/* As nm(1) says of each letter; small ones are local. */
TEST(letters)
{
	static const struct {
		uint32_t section;
		uint64_t flags;
		unsigned type;
		char local, global, weak;
	} v[] = {
		{ SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, STT_FUNC, 't', 'T', 'W' },
		{ SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, STT_NOTYPE, 't', 'T', 'W' },
		{ SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, STT_OBJECT, 'd', 'D', 'V' },
		{ SHT_NOBITS, SHF_ALLOC | SHF_WRITE, STT_OBJECT, 'b', 'B', 'V' },
		{ SHT_PROGBITS, SHF_ALLOC, STT_OBJECT, 'r', 'R', 'V' },
		{ SHT_PROGBITS, 0, STT_NOTYPE, 'N', 'N', 'W' },
		/* data that could be executed is data, but for functions in it */
		{ SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR, STT_OBJECT, 'd', 'D', 'V' },
		{ SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR, STT_FUNC, 't', 'T', 'W' },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		const char want[] = { v[i].local, v[i].global, v[i].weak };

		for (unsigned bind = STB_LOCAL; bind <= STB_WEAK; bind++)
			if (!CHECK(elf_symbol_letter(v[i].section, v[i].flags,
						     (uint8_t)ELF64_ST_INFO(bind, v[i].type)) ==
				   want[bind]))
				printf("  of %zu, %u\n", i, bind);
	}
}

TEST_MAIN
