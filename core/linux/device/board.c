/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about a board's parts share. */
#include "core/linux/device/board.h"
#include "core/types/shape.h"

bool board_go_on(struct err *first, const struct err *why)
{
	if (why->code == ERR_INTR || first->code == ERR_OK)
		*first = *why;
	return why->code != ERR_INTR;
}

const char *board_device(struct target *t, const char *type, uint64_t addr, const char *path)
{
	const struct device *d;
	struct err ignored;

	if (path && !field_u64(t, type, addr, path, &addr, &ignored))
		return NULL;
	d = addr ? device_at(t, addr) : NULL;
	return d ? d->name : NULL;
}
