/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PCI devices as records: what lspci -n shows. */
#include "commands/device/pci_record.h"

enum {
	NAME,
	ADDR,
	CLASS,
	ID,
	SUBSYSTEM,
	REVISION,
	DRIVER
};
static const struct record_field fields[] = {
	[NAME] = { "name", "SLOT", CELL_STR, 0, "domain:bus:slot.function" },
	[ADDR] = { "pci_dev", NULL, CELL_ADDR, 0, "address of its struct pci_dev" },
	[CLASS] = { "class", NULL, CELL_STR, 0, "class, subclass and programming interface" },
	[ID] = { "id", NULL, CELL_STR, 0, "vendor:device" },
	[SUBSYSTEM] = { "subsystem", NULL, CELL_STR, 0, "the board's: vendor:device" },
	[REVISION] = { "revision", "REV", CELL_UINT, FIELD_RIGHT, "of the device" },
	[DRIVER] = { "driver", NULL, CELL_STR, 0, "the driver bound to it; null: none" },
};
const struct record_kind pci_kind = { "pci_device", "a device on the PCI bus (dev -p)",
				      LAYOUT_TABLE, NULL,
				      fields,       ARRAY_SIZE(fields) };

void emit_pci(struct ctx *c, const struct device *d)
{
	struct pci_ids ids;
	struct record r;
	struct err why;

	record_init(&r, &pci_kind);
	record_str(&r, NAME, d->name);
	record_str(&r, DRIVER, d->driver);
	if (pci_read(c->t, d, &ids, &why)) {
		record_uint(&r, ADDR, ids.addr);
		record_str(&r, CLASS, arena_printf(c->arena, "%06x", ids.cls));
		record_str(&r, ID, arena_printf(c->arena, "%04x:%04x", ids.vendor, ids.device));
		record_str(&r, SUBSYSTEM,
			   arena_printf(c->arena, "%04x:%04x", ids.sub_vendor, ids.sub_device));
		record_uint(&r, REVISION, ids.revision);
	} else {
		note(c, &why);
	}
	emit(c, &r);
}
