/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a neighbour. */
#include "core/obit.h"
#include "core/linux/net/tables.h"
#include "commands/net/neighbour_record.h"
#include "commands/net/net_record.h"

enum {
	NEIGHBOUR,
	ADDRESS,
	HARDWARE_TYPE,
	HARDWARE,
	DEVICE,
	STATE,
	NETNS
};
static const struct record_field fields[] = {
	[NEIGHBOUR] = { "neighbour", NULL, CELL_ADDR, 0, "address of the struct neighbour" },
	[ADDRESS] = { "address", "IP ADDRESS", CELL_STR, 0, "its address" },
	[HARDWARE_TYPE] = { "hw_type", "HW TYPE", CELL_STR, 0,
			    "ETHER, LOOPBACK, ...; the number of an ARPHRD_* without a name here" },
	[HARDWARE] = { "hw_address", "HW ADDRESS", CELL_STR, 0,
		       "its hardware address; null: it is not known" },
	[DEVICE] = { "device", NULL, CELL_STR, 0, "the device behind which it is" },
	[STATE] = { "state", NULL, CELL_STRS, 0,
		    "NUD_*: REACHABLE, STALE, PERMANENT, FAILED, ..." },
	[NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON, "number of its network namespace" },
};
const struct record_kind neighbour_kind = { "neighbour", "a neighbour", LAYOUT_TABLE,
					    NULL,        fields,        ARRAY_SIZE(fields) };

struct neighbours {
	struct ctx *c;
	struct err *err;
	bool ok;
};

/* ARPHRD_*, include/uapi/linux/if_arp.h */
static const char *hardware_name(struct ctx *c, uint64_t type)
{
	static const struct {
		uint64_t type;
		const char *name;
	} names[] = { { 1, "ETHER" },     { 32, "INFINIBAND" }, { 512, "PPP" }, { 768, "TUNNEL" },
		      { 769, "TUNNEL6" }, { 772, "LOOPBACK" },  { 776, "SIT" }, { 778, "IPGRE" },
		      { 823, "IP6GRE" },  { 0xfffe, "NONE" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].type == type)
			return names[i].name;
	return arena_printf(c->arena, "%llu", (unsigned long long)type);
}

/* NUD_*, include/uapi/linux/neighbour.h: a bit each */
static void state_set(struct record *r, uint64_t state, struct arena *a)
{
	static const char *const names[] = { "INCOMPLETE", "REACHABLE", "STALE", "DELAY",
					     "PROBE",      "FAILED",    "NOARP", "PERMANENT" };
	const char **words = ARENA_ARRAY(a, const char *, ARRAY_SIZE(names));
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (state >> i & 1)
			words[n++] = names[i];
	if (!n)
		words[n++] = "NONE";
	record_strs(r, STATE, words, n);
}

static bool show_one(const struct net_neighbour *n, void *arg)
{
	struct neighbours *w = arg;
	struct record r;
	uint64_t number;

	if (piped(w->c)) {
		w->ok = yield(w->c, value_ref(w->c->out_type, n->addr), w->err);
		return w->ok;
	}
	number = net_number(w->c, n->net);
	record_init(&r, &neighbour_kind);
	record_uint(&r, NEIGHBOUR, n->addr);
	record_str(&r, ADDRESS, n->address);
	record_str(&r, HARDWARE_TYPE, hardware_name(w->c, n->hardware_type));
	record_str(&r, HARDWARE, n->hardware);
	record_str(&r, DEVICE, n->device_name);
	state_set(&r, n->state, w->c->arena);
	if (number)
		record_uint(&r, NETNS, number);
	emit(w->c, &r);
	return true;
}

static void on_flaw(const struct err *e, void *arg)
{
	const struct neighbours *w = arg;

	note(w->c, e);
}

bool show_neighbours(struct ctx *c, struct err *err)
{
	struct neighbours w = { .c = c, .err = err, .ok = true };
	struct err why;

	return net_ended(c, net_neighbours(c->t, c->arena, show_one, on_flaw, &w, &why), &why,
			 err) &&
	       w.ok;
}
