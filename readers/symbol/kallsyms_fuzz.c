/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes kallsyms: the input is the memory that its tables lie in. */
#include "readers/symbol/kallsyms_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kallsyms *f = xrealloc(NULL, sizeof(*f));
	struct symtab *tab;
	struct symbol sym;
	uint64_t off;
	struct err err;

	ks_init(f);
	if (size && data[0] & 1) { /* the older way: no base, eight bytes each */
		f->k.addresses = f->k.offsets;
		f->k.offsets = f->k.relative_base = 0;
	}
	if (size && data[0] & 2) /* with room for markers between the names and the tokens */
		f->k.token_table = KS_BASE + KS_TOKENS_BEHIND;
	if (size)
		memcpy(f->mem, data + 1, size - 1 < KS_SIZE ? size - 1 : KS_SIZE);
	if (size && data[0] & 4) { /* nothing says where they are */
		f->t.vmcoreinfo.text = "SYMBOL(_stext)=ffffffff82000100\n";
		f->t.vmcoreinfo.n = strlen(f->t.vmcoreinfo.text);
	}
	tab = symbols_add(&f->t, "kallsyms");
	if (size && data[0] & 4 ? kallsyms_carve(&f->t, KS_BASE, tab, &err)
				: kallsyms_load(&f->t, &f->k, tab, &err)) {
		tab->tried = tab->ok = true;
		for (size_t i = 0; i < tab->syms.n && i < 16; i++) {
			const struct symbol *s = &tab->syms.p[i];

			if (!symbol_find(&f->t, s->name, &sym, &err) && !strchr(s->name, '@'))
				__builtin_trap(); /* a name that is there must be found */
			if (symbol_at(&f->t, s->addr, &sym, &off, &err) && sym.addr > s->addr)
				__builtin_trap();
		}
	}
	ks_release(f);
	free(f);
	return 0;
}
