/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regulators: the devices of their class, who feeds them, and whom they feed. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/device/board.h"
#include "core/linux/subsystem.h"

#define USERS_MAX 256u

static const char rdev_type[] = "struct regulator_dev";

/* rdev_get_name(): what the board calls it, else what the driver does */
static const char *name_of(struct target *t, uint64_t rdev)
{
	uint64_t desc, constraints;
	const char *name = NULL;
	struct err ignored;

	if (field_u64(t, rdev_type, rdev, "constraints", &constraints, &ignored) && constraints &&
	    subsystem_text(t, "struct regulation_constraints", constraints, "name", &name,
			   &ignored) &&
	    name)
		return name;
	if (!field_u64(t, rdev_type, rdev, "desc", &desc, &ignored) || !desc ||
	    !subsystem_text(t, "struct regulator_desc", desc, "name", &name, &ignored))
		return NULL;
	return name;
}

static bool is_regulator(const struct device *d)
{
	return d->cls && !strcmp(d->cls, "regulator");
}

/* create_regulator() puts the name of the device in front of its name for the supply. */
static const char *without_device(const char *supply, const char *device)
{
	size_t n = strlen(device);

	return !strncmp(supply, device, n) && supply[n] == '-' ? supply + n + 1 : supply;
}

struct user_walk {
	struct target *t;
	VEC(struct regulator_user) users;
	bool more; /* than USERS_MAX */
};

static bool user_found(uint64_t addr, void *arg)
{
	static const char type[] = "struct regulator";
	struct user_walk *w = arg;
	struct regulator_user *u;
	uint64_t load = 0, off, dev = 0;
	const struct device *d = NULL;
	struct err ignored;

	w->more = w->users.n == USERS_MAX;
	if (w->more)
		return false;
	u = vec_push(&w->users);
	*u = (struct regulator_user){ 0 };
	if (field_u64(w->t, type, addr, "dev", &dev, &ignored) && dev)
		d = device_at(w->t, dev);
	u->device = d ? d->name : NULL;
	u->dev = d ? dev : 0;
	if (d && is_regulator(d) && field_offset(w->t, rdev_type, "dev", &off, &ignored))
		u->feeds = name_of(w->t, dev - off);
	if (subsystem_text(w->t, type, addr, "supply_name", &u->supply, &ignored) && u->supply && d)
		u->supply = without_device(u->supply, d->name);
	if (!field_u64(w->t, type, addr, "enable_count", &u->enabled, &ignored))
		u->enabled = 0;
	if (field_u64(w->t, type, addr, "uA_load", &load, &ignored))
		u->load = (int32_t)load;
	/* the first of several is for when the system is running, PM_SUSPEND_ON; c360a6df01a2
	 * (v4.16) */
	if (field_offset(w->t, type, "voltage", &off, &ignored)) {
		static const char volts[] = "struct regulator_voltage";

		if (field_u64(w->t, volts, addr + off, "min_uV", &load, &ignored))
			u->min_uv = (int32_t)load;
		if (field_u64(w->t, volts, addr + off, "max_uV", &load, &ignored))
			u->max_uv = (int32_t)load;
	}
	return true;
}

static bool constraint(struct target *t, uint64_t rdev, const char *path, uint64_t *ret)
{
	uint64_t at;
	struct err ignored;

	return field_u64(t, rdev_type, rdev, "constraints", &at, &ignored) && at &&
	       field_u64(t, "struct regulation_constraints", at, path, ret, &ignored);
}

static bool read_users(struct target *t, uint64_t addr, struct regulator *r, struct err *err)
{
	struct user_walk w = { .t = t };
	struct regulator_user *kept;
	uint64_t head, link;
	bool ok;

	if (!field_offset(t, rdev_type, "consumer_list", &head, err) ||
	    !field_offset(t, "struct regulator", "list", &link, err))
		return false;
	ok = list_each(t, addr + head, link, "consumers of a regulator", user_found, &w, err);
	kept = ARENA_ARRAY(t->scratch, struct regulator_user, w.users.n + 1);
	for (size_t i = 0; i < w.users.n; i++)
		kept[i] = w.users.p[i];
	r->users = kept;
	r->n_users = w.users.n;
	vec_release(&w.users);
	return ok && (!w.more || err_set_addr(err, ERR_LIMIT, addr,
					      "only its first %u consumers are shown", USERS_MAX));
}

static bool regulator_read(struct target *t, uint64_t addr, struct regulator *r, struct err *err)
{
	uint64_t supply, n = 0;
	struct err ignored;

	memset(r, 0, sizeof(*r));
	r->addr = addr;
	r->name = name_of(t, addr);
	if (!field_u64(t, rdev_type, addr, "use_count", &r->uses, err) ||
	    !field_u64(t, rdev_type, addr, "open_count", &r->opens, err) ||
	    !field_u64(t, rdev_type, addr, "bypass_count", &r->bypass, err))
		return false;
	if (field_u64(t, rdev_type, addr, "supply", &supply, &ignored) && supply &&
	    field_u64(t, "struct regulator", supply, "rdev", &supply, &ignored))
		r->supply = name_of(t, supply);
	if (constraint(t, addr, "min_uV", &n))
		r->min_uv = (int32_t)n;
	if (constraint(t, addr, "max_uV", &n))
		r->max_uv = (int32_t)n;
	r->always_on = constraint(t, addr, "always_on", &n) && n;
	r->boot_on = constraint(t, addr, "boot_on", &n) && n;
	return read_users(t, addr, r, err);
}

bool regulators_each(struct target *t, bool (*fn)(const struct regulator *r, void *arg), void *arg,
		     struct err *err)
{
	const struct device *const *all;
	uint64_t off, class_at;
	struct err why, first = { .code = ERR_OK };
	size_t n;

	if (!subsystem_symbol(t, "regulator_class", "regulators", &class_at, err) ||
	    !field_offset(t, rdev_type, "dev", &off, err) || !devices_all(t, &all, &n, &why, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct regulator r;

		if (!is_regulator(all[i]))
			continue;
		if (!interrupt_check(err))
			return false;
		if (!regulator_read(t, all[i]->addr - off, &r, &why)) {
			err_wrap(&why, "regulator '%s'", all[i]->name);
			if (!board_go_on(&first, &why))
				break;
			if (!r.name)
				continue;
		}
		r.device = all[i]->name;
		if (!fn(&r, arg))
			break;
	}
	*err = first;
	return err->code == ERR_OK;
}
