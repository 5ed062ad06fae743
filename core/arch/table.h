/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of page tables: which ones a translation reads, and what one says in words. */
#ifndef OBIT_TABLE_H
#define OBIT_TABLE_H

#include "core/arch/arch.h"

/* What an entry is, a bit each, so that a flag can say of which entries it is. */
enum entry_form {
	ENTRY_NONE = 1,   /* it maps nothing */
	ENTRY_TABLE = 2,  /* it leads to the table of the next level */
	ENTRY_BLOCK = 4,  /* a huge page, section or block, in the place of a table */
	ENTRY_SUPER = 8,  /* 32-bit ARM: a supersection of 16 MiB */
	ENTRY_PAGE = 16,  /* a page of the smallest size */
	ENTRY_LARGE = 32, /* 32-bit ARM: one of sixteen entries for a page of 64 KiB */
	ENTRY_KEPT = 64, /* 32-bit ARM: the kernel's own notes of a page, which no hardware reads */
	ENTRY_MAPS = ENTRY_BLOCK | ENTRY_SUPER | ENTRY_PAGE | ENTRY_LARGE
};

/* A word for bits of an entry. */
struct entry_flag {
	uint64_t mask;
	/* The word stands when the masked bits are these. A name that ends in '=' is followed by
	 * the masked bits as a number, and stands when they are anything else. */
	uint64_t value;
	unsigned forms; /* enum entry_form: entries that have the flag */
	const char *name;
};
#define ENTRY_ALWAYS UINT64_MAX /* the value of a number that is always told */

/* What an entry of a level says. */
struct entry_said {
	enum entry_form form;
	uint64_t pa;   /* of the next table, or of what is mapped; 0 for ENTRY_NONE */
	uint64_t size; /* bytes of addresses that the entry is for */
	const struct entry_flag *flags;
	size_t n_flags;
};

/* Levels are counted from the last one, which is 0. */
#define TABLE_LEVELS_MAX 5
#define TABLE_KEPT TABLE_LEVELS_MAX /* the level of ENTRY_KEPT */
struct table_shape {
	unsigned levels, bytes;          /* bytes of an entry: 8 or 4 */
	uint8_t shift[TABLE_LEVELS_MAX]; /* bits of an address below those that a level uses */
};

/* One entry that a translation read. */
struct table_step {
	unsigned level;
	uint64_t at;    /* its physical address */
	bool absent;    /* the dump does not have it; nothing else is known */
	uint64_t entry; /* as it is stored */
	struct entry_said said;
};
struct table_walk {
	struct table_step step[TABLE_LEVELS_MAX + 1];
	size_t n; /* 0 where nobody knows the architecture's entries */
	struct mapping map;
};

/* Translates va as arch->walk() does, and sets *ret to the entries that were read, also when it
 * fails. */
bool table_walk(const struct arch *arch, const struct mmu *mmu, uint64_t va, struct table_walk *ret,
		struct err *err);
/* The kernel's name of a level among `levels`: "PGD", "P4D", "PUD", "PMD", "PTE"; "Linux" for
 * TABLE_KEPT. */
const char *table_level_name(unsigned level, unsigned levels);
/* Sets words[] to the entry's flags in words, at most `max`, and returns how many; in the arena. */
struct arena;
size_t entry_words(const struct entry_said *said, uint64_t entry, struct arena *a,
		   const char **words, size_t max);
#define ENTRY_WORDS_MAX 24

#endif
