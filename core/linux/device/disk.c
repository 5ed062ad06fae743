/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disks among the devices. */
#include <string.h>

#include "core/linux/device/device.h"
#include "core/types/shape.h"

/* The disk of a device of class block that is no partition. Until v5.11 (0d02129e76ed) the device
 * was in the disk itself. */
static bool disk_of(struct target *t, uint64_t dev, uint64_t *ret, struct err *err)
{
	uint64_t off;

	if (field_offset(t, "struct block_device", "bd_device", &off, err))
		return field_u64(t, "struct block_device", dev - off, "bd_disk", ret, err);
	if (!field_offset(t, "struct gendisk", "part0.__dev", &off, err))
		return false;
	*ret = dev - off;
	return true;
}

static bool is_disk(struct target *t, const struct device *d)
{
	const struct device *up = device_at(t, d->parent);

	return d->cls && !strcmp(d->cls, "block") && !(up && up->cls && !strcmp(up->cls, "block"));
}

bool disks_each(struct target *t, bool (*fn)(const struct disk *d, void *arg), void *arg,
		struct err *why, struct err *err)
{
	const struct device *const *all;
	size_t n;

	why->code = ERR_OK;
	if (!devices_all(t, &all, &n, why, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct disk d = { .device = all[i] };
		struct err lost;

		if (!is_disk(t, all[i]))
			continue;
		if (!disk_of(t, all[i]->addr, &d.addr, &lost))
			*why = lost;
		else if (!fn(&d, arg))
			break;
	}
	return true;
}
