/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regulator: power supplies, who feeds them and whom they feed. */
#include "core/obit.h"
#include "core/linux/device/board.h"
#include "core/records/device_record.h"

enum {
	NAME,
	USES,
	OPENS,
	MIN,
	MAX,
	SUPPLY,
	USERS,
	DEVICE,
	BYPASS,
	CONSUMERS,
	ALWAYS_ON,
	BOOT_ON,
	ADDR
};
static const struct record_field fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "as the board calls it" },
	[USES] = { "uses", NULL, CELL_UINT, FIELD_RIGHT, "how often it was enabled" },
	[OPENS] = { "opens", NULL, CELL_UINT, FIELD_RIGHT, "who got hold of it" },
	[MIN] = { "min_uv", NULL, CELL_INT, FIELD_RIGHT, "microvolts it may be set to, at least" },
	[MAX] = { "max_uv", NULL, CELL_INT, FIELD_RIGHT, "and at most" },
	[SUPPLY] = { "supply", NULL, CELL_STR, 0, "the regulator that feeds it" },
	[USERS] = { "users", NULL, CELL_STRS, 0,
		    "devices that it feeds, with their name for it; regulators by their own name" },
	[DEVICE] = { "device", NULL, CELL_STR, FIELD_JSON, "its device, regulator.N" },
	[BYPASS] = { "bypass", NULL, CELL_UINT, FIELD_JSON, "users that let it pass unregulated" },
	[CONSUMERS] = { "consumers", NULL, CELL_RECORDS, FIELD_JSON, "the users, as records" },
	[ALWAYS_ON] = { "always_on", NULL, CELL_BOOL, FIELD_JSON, "it may not be turned off" },
	[BOOT_ON] = { "boot_on", NULL, CELL_BOOL, FIELD_JSON, "firmware left it on" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct regulator_dev" },
};
static const struct record_kind regulator_kind = { "regulator", "a regulator", LAYOUT_TABLE,
						   NULL,        fields,        ARRAY_SIZE(fields) };

static const struct record_field user_fields[] = {
	[0] = { "device", NULL, CELL_STR, 0, "who" },
	[1] = { "supply", NULL, CELL_STR, 0, "by which name" },
	[2] = { "enabled", NULL, CELL_UINT, 0, "how often it enabled it" },
	[3] = { "load_ua", NULL, CELL_INT, 0, "microamperes that it says it needs" },
	[4] = { "min_uv", NULL, CELL_INT, 0, "microvolts that it asked for, at least" },
	[5] = { "max_uv", NULL, CELL_INT, 0, "and at most" },
	[6] = { "feeds", NULL, CELL_STR, 0, "the regulator that the device is; null: it is none" },
};
static const struct record_kind user_kind = { "regulator_user", "a device that a regulator feeds",
					      LAYOUT_LINE,      "{device}: {supply}",
					      user_fields,      ARRAY_SIZE(user_fields) };

static void record_user(struct record *r, const struct regulator_user *u)
{
	record_init(r, &user_kind);
	record_str(r, 0, u->device);
	record_str(r, 1, u->supply);
	record_uint(r, 2, u->enabled);
	record_int(r, 3, u->load);
	record_int(r, 4, u->min_uv);
	record_int(r, 5, u->max_uv);
	record_str(r, 6, u->feeds);
}

static bool regulator_show(const struct regulator *g, void *arg)
{
	struct ctx *c = arg;
	const char **users = ARENA_ARRAY(c->arena, const char *, g->n_users + 1);
	struct record *list = ARENA_ARRAY(c->arena, struct record, g->n_users + 1);
	struct record r;

	for (size_t i = 0; i < g->n_users; i++) {
		const struct regulator_user *u = &g->users[i];

		record_user(&list[i], u);
		users[i] = u->feeds ? u->feeds
				    : arena_printf(c->arena, "%s%s%s", u->device ? u->device : "",
						   u->device && u->supply ? "-" : "",
						   u->supply ? u->supply : "");
	}
	record_init(&r, &regulator_kind);
	record_str(&r, NAME, g->name);
	record_uint(&r, USES, g->uses);
	record_uint(&r, OPENS, g->opens);
	record_int(&r, MIN, g->min_uv);
	record_int(&r, MAX, g->max_uv);
	record_str(&r, SUPPLY, g->supply);
	if (g->n_users)
		record_strs(&r, USERS, users, g->n_users);
	if (g->n_users)
		record_records(&r, CONSUMERS, list, g->n_users);
	record_str(&r, DEVICE, g->device);
	record_uint(&r, BYPASS, g->bypass);
	record_bool(&r, ALWAYS_ON, g->always_on);
	record_bool(&r, BOOT_ON, g->boot_on);
	record_uint(&r, ADDR, g->addr);
	emit(c, &r);
	return true;
}

static bool regulator_run(struct ctx *c, struct err *err)
{
	return emit_walked(c, regulators_each(c->t, regulator_show, c, err), err);
}

static const struct record_kind *const emits[] = { &regulator_kind, &user_kind, NULL };
static const struct example examples[] = {
	{ "regulator", "every regulator, with its users" },
};
const struct command cmd_regulator = {
	.name = "regulator",
	.group = "system",
	.summary = "power supplies and their users",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.emits = emits,
	.none = "no such regulator",
	.help = "Prints the regulators: how often each was enabled, the voltages it may be set to, "
		"the regulator that feeds it, and the devices that it feeds. What a regulator is set "
		"to stands in its registers, which no dump has.",
	EXAMPLES(examples),
	.run = regulator_run,
};
