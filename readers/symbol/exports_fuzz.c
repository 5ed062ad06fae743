/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the search for exported symbols: the input is the memory of a kernel whose functions are
 * known. */
#include <stdio.h>

#include "readers/symbol/exports.h"
#include "readers/symbol/kallsyms_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUNCTIONS 80 /* as exports_test.c has them */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kallsyms *f = xrealloc(NULL, sizeof(*f));
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;

	ks_init(f);
	memcpy(f->mem, data, size < KS_SIZE ? size : KS_SIZE);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		char text[32];

		snprintf(text, sizeof(text), i == 7 ? "kfree" : "f%02u", i);
		*vec_push(&tab.syms) = (struct symbol){ .name = arena_strdup(&f->t.arena, text),
							.addr = KS_BASE + 16 * (uint64_t)i,
							.type = 'T' };
	}
	if (!exports_add(&f->t, KS_BASE, &tab, &err) && tab.syms.n != FUNCTIONS)
		__builtin_trap(); /* what is not proved is not added */
	for (size_t i = FUNCTIONS; i < tab.syms.n; i++)
		if (!tab.syms.p[i].name[0] || tab.syms.p[i].type != '?')
			__builtin_trap();
	free(tab.syms.p);
	ks_release(f);
	free(f);
	return 0;
}
