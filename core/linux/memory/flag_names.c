/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of flags, by the tables that the kernel prints them with itself. */
#include "core/linux/memory/flag_names.h"
#include "core/types/shape.h"

#define FLAGS_MAX 256u /* entries; a flag can have several */
#define NAME_BYTES 64

enum {
	FLAG_MASK,
	FLAG_NAME
};
static const struct shape_field flag_fields[] = {
	[FLAG_MASK] = FIELD("mask"),
	[FLAG_NAME] = FIELD("name"),
};
static const struct shape flag_shape = SHAPE("struct trace_print_flags", flag_fields);

bool flag_names_each(struct target *t, const char *table, uint64_t flags, struct arena *a,
		     bool (*fn)(const char *name, void *arg), void *arg, uint64_t *rest,
		     struct err *err)
{
	const struct type *type;
	struct symbol sym;

	*rest = flags;
	if (!symbol_find(t, table, &sym, err) ||
	    !type_find(t, "struct trace_print_flags", &type, err))
		return false;
	for (unsigned i = 0; i < FLAGS_MAX; i++) {
		uint64_t mask, text;
		struct shaped s;
		const char *name;

		if (!shape_read(t, &flag_shape, sym.addr + i * type->size, &s, err) ||
		    !shaped_u64(&s, FLAG_MASK, &mask, err) ||
		    !shaped_u64(&s, FLAG_NAME, &text, err))
			return err_wrap(err, "%s", table);
		if (!text)
			return true;
		/* a mask of 0 is a flag that this kernel was built without */
		if (!mask || (*rest & mask) != mask)
			continue;
		if (!mem_str(t, text, NAME_BYTES, a, &name, err))
			return err_wrap(err, "%s", table);
		*rest &= ~mask;
		if (!fn(name, arg))
			return true;
	}
	return err_set_addr(err, ERR_CORRUPT, sym.addr, "%s has no end", table);
}
