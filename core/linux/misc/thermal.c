/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thermal zones: drivers/thermal/thermal_core.c. Before v6.0 the marks were known to drivers alone.
 */
#include "core/linux/misc/thermal.h"

#include "core/linux/container/list.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define TYPE_BYTES 20u
#define TRIPS_MAX 256u
/* include/uapi/linux/thermal.h */
#define TRIP_HOT 2u
#define TRIP_CRITICAL 3u
#define TEMP_INVALID (-274000) /* include/linux/thermal.h: it was never read */

struct zones_walk {
	struct target *t;
	bool (*fn)(const struct thermal_zone *z, void *arg);
	void *arg;
	struct err *why;
};

/* Where the marks are, and how far one is from the next. False: this kernel keeps none there. */
static bool trips_of(struct target *t, uint64_t zone, uint64_t *first, uint64_t *step)
{
	static const char zone_type[] = "struct thermal_zone_device";
	const struct type *type;
	struct err ignored;
	uint64_t off;

	/* in the zone itself since v6.9 */
	if (type_find(t, "struct thermal_trip_desc", &type, &ignored)) {
		*step = type->size;
		if (!field_offset(t, zone_type, "trips", &off, &ignored))
			return false;
		*first = zone + off;
		return true;
	}
	if (!type_find(t, "struct thermal_trip", &type, &ignored))
		return false;
	*step = type->size;
	return field_u64(t, zone_type, zone, "trips", first, &ignored) && *first;
}

static void marks_read(struct zones_walk *w, struct thermal_zone *z)
{
	uint64_t at, step, n, type, millis;
	struct err err;

	/* before v6.0 `trips` was how many there are */
	if (!field_u64(w->t, "struct thermal_zone_device", z->addr, "num_trips", &n, &err)) {
		if (err.code != ERR_NOFIELD)
			*w->why = err;
		return;
	}
	if (!trips_of(w->t, z->addr, &at, &step))
		return;
	for (uint64_t i = 0; i < n && i < TRIPS_MAX; i++, at += step) {
		if (!field_u64(w->t, "struct thermal_trip", at, "type", &type, &err) ||
		    !field_u64(w->t, "struct thermal_trip", at, "temperature", &millis, &err)) {
			*w->why = err;
			return;
		}
		if (((uint32_t)type != TRIP_HOT && (uint32_t)type != TRIP_CRITICAL) ||
		    (int32_t)millis <= 0)
			continue;
		if (!z->has_critical || (int32_t)millis < z->critical)
			z->critical = (int32_t)millis;
		z->has_critical = true;
	}
}

static bool zone_found(uint64_t addr, void *arg)
{
	static const char type[] = "struct thermal_zone_device";
	struct thermal_zone z = { .addr = addr };
	struct zones_walk *w = arg;
	uint64_t off, millis;
	struct err err;

	if (!field_u64(w->t, type, addr, "temperature", &millis, &err) ||
	    !field_offset(w->t, type, "type", &off, &err)) {
		*w->why = err;
		return true;
	}
	if (!mem_str(w->t, addr + off, TYPE_BYTES, w->t->scratch, &z.type, &err))
		z.type = NULL;
	z.millis = (int32_t)millis;
	/* 0 is what a zone has that was never asked, in older kernels */
	z.measured = z.millis != TEMP_INVALID && z.millis != 0;
	marks_read(w, &z);
	return w->fn(&z, w->arg);
}

bool thermal_zones_each(struct target *t, bool (*fn)(const struct thermal_zone *z, void *arg),
			void *arg, struct err *why, struct err *err)
{
	struct zones_walk w = { .t = t, .fn = fn, .arg = arg, .why = why };
	uint64_t head, link;

	why->code = ERR_OK;
	return subsystem_symbol(t, "thermal_tz_list", "thermal zones", &head, err) &&
	       field_offset(t, "struct thermal_zone_device", "node", &link, err) &&
	       list_each(t, head, link, "thermal zones", zone_found, &w, err);
}
