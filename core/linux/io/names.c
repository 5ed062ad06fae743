/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions and numbers are called, and where damage is told. */
#include <string.h>

#include "core/linux/io/io_impl.h"

void io_tell(const struct io_call *c, struct err *e, const char *what, uint64_t addr)
{
	if (what)
		err_wrap(e, "%s 0x%llx", what, (unsigned long long)addr);
	c->flaw(e, c->arg);
}

const char *io_symbol(const struct io_call *c, uint64_t addr)
{
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	if (!addr || !symbol_at(c->t, addr, &sym, &off, &ignored) || off)
		return NULL;
	return arena_strdup(c->a, sym.name);
}

bool io_enum_name(struct target *t, const char *type, const char *prefix, uint64_t value,
		  const char **ret)
{
	const struct enumerator *e;
	const struct type *found;
	struct err ignored;
	size_t n, len = strlen(prefix);

	if (!type_find(t, type, &found, &ignored))
		return false;
	e = type_enumerators(type_strip(found), &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].value == value && !strncmp(e[i].name, prefix, len)) {
			*ret = e[i].name + len;
			return true;
		}
	return false;
}
