/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about the kernel's subsystems ask alike: a variable of theirs, a string of theirs.
 */
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define TEXT_MAX 256u

bool subsystem_symbol(struct target *t, const char *symbol, const char *what, uint64_t *ret,
		      struct err *err)
{
	uint64_t any;

	if (symbol_addr(t, symbol, ret))
		return true;
	/* a kernel's own table may list functions only, or be damaged */
	if (!symbols_complete(t) || !symbol_addr(t, "init_task", &any))
		return err_set(err, ERR_NEED,
			       "%s: '%s' is not among the variables that the dump alone leads to: "
			       "give the vmlinux that belongs to it",
			       what, symbol);
	return err_set(err, ERR_NOTFOUND, "%s: this kernel has none (no '%s')", what, symbol);
}

bool subsystem_text(struct target *t, const char *type, uint64_t addr, const char *path,
		    const char **ret, struct err *err)
{
	uint64_t at;

	*ret = NULL;
	if (!field_u64(t, type, addr, path, &at, err))
		return false;
	return !at || mem_str(t, at, TEXT_MAX, t->scratch, ret, err);
}
