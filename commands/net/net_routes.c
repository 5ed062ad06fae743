/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net routes: what ip route shows, of IPv4 and IPv6. */
#include "core/obit.h"
#include "core/linux/net/tables.h"
#include "commands/net/net_record.h"

enum {
	FAMILY,
	TABLE,
	TYPE,
	DESTINATION,
	GATEWAY,
	DEVICE,
	PROTOCOL,
	SCOPE,
	SOURCE,
	METRIC,
	DEAD,
	INFO,
	NETNS
};
static const struct record_field fields[] = {
	[FAMILY] = { "family", NULL, CELL_STR, FIELD_JSON, "INET or INET6" },
	[TABLE] = { "table", NULL, CELL_STR, 0, "main, local, default, or its number" },
	[TYPE] = { "type", NULL, CELL_STR, 0,
		   "unicast, local, broadcast, multicast, blackhole, unreachable, ..." },
	[DESTINATION] = { "destination", NULL, CELL_STR, 0,
			  "default, or an address and how many of its bits count" },
	[GATEWAY] = { "gateway", "VIA", CELL_STR, 0, "next hop; null: it is reached directly" },
	[DEVICE] = { "device", NULL, CELL_STR, 0, "where it goes out; null: nowhere" },
	[PROTOCOL] = { "protocol", NULL, CELL_STR, 0, "who set it: kernel, boot, static, ra, ..." },
	[SCOPE] = { "scope", NULL, CELL_STR, 0,
		    "how far it is: global, link, host; null: IPv6 has none" },
	[SOURCE] = { "source", "SRC", CELL_STR, 0,
		     "address to send from; null: none is preferred" },
	[METRIC] = { "metric", NULL, CELL_UINT, FIELD_RIGHT, "the lowest of several is taken" },
	[DEAD] = { "dead", NULL, CELL_BOOL, FIELD_JSON, "its device was down" },
	[INFO] = { "info", NULL, CELL_ADDR, FIELD_JSON,
		   "address of the struct fib_info, or fib6_info" },
	[NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON, "number of its network namespace" },
};
static const struct record_kind route_kind = { "route", "a route", LAYOUT_TABLE,
					       NULL,    fields,    ARRAY_SIZE(fields) };

struct routes_opts {
	struct space_opts spaces;
};
static const struct option opts[] = {
	SPACE_OPTIONS(struct routes_opts, spaces, "routes"),
};

struct routes {
	struct ctx *c;
	uint64_t netns;
};

static void on_flaw(const struct err *e, void *arg)
{
	const struct routes *w = arg;

	note(w->c, e);
}

static bool show_one(const struct net_route *t, void *arg)
{
	struct routes *w = arg;
	struct arena *a = w->c->arena;
	struct record r;

	record_init(&r, &route_kind);
	record_str(&r, FAMILY, t->six ? "INET6" : "INET");
	record_str(&r, TABLE, route_table_name(t->table, a));
	record_str(&r, TYPE, route_type_name(t->type, a));
	record_str(&r, DESTINATION, t->destination);
	record_str(&r, GATEWAY, t->gateway);
	record_str(&r, DEVICE, t->device_name);
	record_str(&r, PROTOCOL, route_protocol_name(t->protocol, a));
	if (!t->six)
		record_str(&r, SCOPE, route_scope_name(t->scope, a));
	record_str(&r, SOURCE, t->source);
	record_uint(&r, METRIC, t->metric);
	record_bool(&r, DEAD, t->dead);
	record_uint(&r, INFO, t->addr);
	if (w->netns)
		record_uint(&r, NETNS, w->netns);
	emit(w->c, &r);
	return true;
}

static bool one_namespace(struct ctx *c, uint64_t net, uint64_t number, void *arg, struct err *err)
{
	struct routes w = { .c = c, .netns = number };
	struct err why;

	(void)arg;
	return net_ended(c, net_routes(c->t, net, c->arena, show_one, on_flaw, &w, &why), &why,
			 err);
}

static bool routes_run(struct ctx *c, struct err *err)
{
	const struct routes_opts *o = c->opts;

	return each_namespace(c, &o->spaces, one_namespace, NULL, err);
}

static const struct example examples[] = {
	{ "net routes", "routes of the initial namespace" },
	{ "net routes -N", "of every namespace" },
};
const struct command cmd_net_routes = {
	.name = "net routes",
	.group = "system",
	.summary = "routes of IPv4 and IPv6",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	OPTS(opts),
	.opts_size = sizeof(struct routes_opts),
	.emits = (const struct record_kind *const[]){ &route_kind, &net_namespace_kind, NULL },
	.none = "no route",
	.help = "Prints all tables of routes of the initial network namespace, of that of -n's task, or with -N of all, in the "
		"order of 'ip route list table all': IPv4, then IPv6. A route with several next hops has a line for each. Rules, "
		"which say what table is asked when, are not shown, nor are routes that are cached.",
	EXAMPLES(examples),
	.run = routes_run,
};
