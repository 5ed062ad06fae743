/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a PCI device says of itself: the registers of its configuration that the kernel keeps. */
#include "core/linux/device/device.h"
#include "core/types/shape.h"

enum {
	PCI_DEV,
	PCI_CLASS,
	PCI_VENDOR,
	PCI_DEVICE,
	PCI_SUB_VENDOR,
	PCI_SUB_DEVICE,
	PCI_REVISION,
	PCI_FIELDS
};
static const struct shape_field pci_fields[PCI_FIELDS] = {
	[PCI_DEV] = FIELD("dev"),
	[PCI_CLASS] = FIELD("class"),
	[PCI_VENDOR] = FIELD("vendor"),
	[PCI_DEVICE] = FIELD("device"),
	[PCI_SUB_VENDOR] = FIELD("subsystem_vendor"),
	[PCI_SUB_DEVICE] = FIELD("subsystem_device"),
	[PCI_REVISION] = FIELD("revision"),
};
static const struct shape pci_shape = SHAPE("struct pci_dev", pci_fields);

bool pci_read(struct target *t, const struct device *d, struct pci_ids *ret, struct err *err)
{
	uint64_t off, v[PCI_FIELDS] = { 0 };
	struct shaped s;

	if (!shape_offset(t, &pci_shape, PCI_DEV, &off, err) ||
	    !shape_read(t, &pci_shape, d->addr - off, &s, err))
		return false;
	for (unsigned i = PCI_CLASS; i < PCI_FIELDS; i++)
		if (!shaped_u64(&s, i, &v[i], err))
			return err_wrap(err, "PCI device %s", d->name ? d->name : "?");
	*ret = (struct pci_ids){ .addr = d->addr - off,
				 .cls = (uint32_t)v[PCI_CLASS],
				 .vendor = (uint16_t)v[PCI_VENDOR],
				 .device = (uint16_t)v[PCI_DEVICE],
				 .sub_vendor = (uint16_t)v[PCI_SUB_VENDOR],
				 .sub_device = (uint16_t)v[PCI_SUB_DEVICE],
				 .revision = (uint8_t)v[PCI_REVISION] };
	return true;
}
