/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zones whose temperature the kernel watches. */
#ifndef OBIT_THERMAL_H
#define OBIT_THERMAL_H

#include "core/image/target.h"

struct thermal_zone {
	uint64_t addr;     /* struct thermal_zone_device */
	const char *type;  /* "x86_pkg_temp"; in the scratch arena; NULL: it cannot be read */
	bool measured;     /* its temperature was read at least once */
	int64_t millis;    /* thousandths of a degree Celsius, as it was read last */
	bool has_critical; /* a mark is known at which the machine is to be turned off, or is too
			      hot */
	int64_t critical;  /* the lowest of these marks */
};
/* Calls fn for each zone in the kernel's order, until fn returns false. *why is the last error of
 * what could not be read, or ERR_OK. ERR_NOTFOUND: this kernel watches none. */
bool thermal_zones_each(struct target *t, bool (*fn)(const struct thermal_zone *z, void *arg),
			void *arg, struct err *why, struct err *err) MUST_CHECK;

#endif
