/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of symbols' letters: what nm of binutils says of a vmlinux file's symbols, but for sections
 * that are both written to and executed, all of which nm calls text. */
#include "core/base/test.h"
#include "core/base/vec.h"
#include "readers/symbol/elf.h"

enum {
	PROGBITS = 1,
	NOBITS = 8,
	W = 1,
	A = 2,
	X = 4,
	NOTYPE = 0,
	OBJECT = 1,
	FUNC = 2,
	LOCAL = 0,
	GLOBAL = 0x10,
	WEAK = 0x20
};

TEST(letters_as_nm_has_them)
{
	static const struct {
		uint32_t type;
		uint64_t flags;
		uint8_t info;
		char letter;
	} cases[] = {
		{ PROGBITS, A | X, FUNC, 't' },
		{ PROGBITS, A | X, FUNC | GLOBAL, 'T' },
		{ PROGBITS, A | X, NOTYPE, 't' }, /* a label of assembly */
		{ PROGBITS, A | W, OBJECT, 'd' },
		{ PROGBITS, A | W, OBJECT | GLOBAL, 'D' },
		{ PROGBITS, A, OBJECT, 'r' },
		{ NOBITS, A | W, OBJECT | GLOBAL, 'B' },
		{ PROGBITS, 0, NOTYPE, 'N' },
		{ PROGBITS, A | X, FUNC | WEAK, 'W' },
		{ PROGBITS, A | W, OBJECT | WEAK, 'V' },
		/* .data of 7.2 on x86-64, which kexec's relocate_kernel is in */
		{ PROGBITS, A | W | X, OBJECT | GLOBAL, 'D' },
		{ PROGBITS, A | W | X, NOTYPE, 'd' },
		{ PROGBITS, A | W | X, FUNC, 't' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_U64(elf_symbol_letter(cases[i].type, cases[i].flags, cases[i].info),
			  cases[i].letter);
}

TEST_MAIN
