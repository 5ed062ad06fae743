/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of /proc/vmstat as records. */
#include "commands/memory/vmstat_record.h"

#include "core/linux/memory/vmstat.h"

enum {
	NAME,
	VALUE,
	GROUP,
	ITEM
};
static const struct record_field fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "as in /proc/vmstat" },
	[VALUE] = { "value", NULL, CELL_UINT, FIELD_RIGHT,
		    "as there: pages, or how often; kB of pgpgin and pgpgout" },
	[GROUP] = { "group", NULL, CELL_STR, 0, "of zones, numa, nodes, events, or other" },
	[ITEM] = { "item", NULL, CELL_STR, 0, "the kernel's constant for it" },
};
const struct record_kind vmstat_kind = { "vmstat",     "a counter of memory (kmem -V)",
					 LAYOUT_TABLE, NULL,
					 fields,       ARRAY_SIZE(fields) };

static bool counter_row(const struct vmstat *v, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &vmstat_kind);
	record_str(&r, NAME, v->name);
	record_uint(&r, VALUE, v->value);
	record_str(&r, GROUP, vmstat_group_name(v->group));
	record_str(&r, ITEM, v->item);
	emit(c, &r);
	return true;
}

static void counter_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

bool emit_vmstat(struct ctx *c, struct err *err)
{
	return vmstat_each(c->t, counter_row, counter_flaw, c, err);
}
