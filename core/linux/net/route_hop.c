/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What routes of IPv4 and IPv6 share: their next hops, and the names of things. */
#include "core/linux/net/tables.h"

#include <arpa/inet.h>

#include "core/types/shape.h"

#define HOPS_MAX 1024u
#define HOP_DEAD 0x11u /* RTNH_F_DEAD, RTNH_F_LINKDOWN: include/uapi/linux/rtnetlink.h */

struct number_name {
	uint64_t number;
	const char *name;
};

static const char *name_of(const struct number_name *names, size_t n, uint64_t number,
			   struct arena *a)
{
	for (size_t i = 0; i < n; i++)
		if (names[i].number == number)
			return names[i].name;
	return arena_printf(a, "%llu", (unsigned long long)number);
}

const char *route_type_name(uint64_t type, struct arena *a)
{
	static const struct number_name names[] = {
		{ 1, "unicast" },     { 2, "local" },     { 3, "broadcast" },
		{ 4, "anycast" },     { 5, "multicast" }, { 6, "blackhole" },
		{ 7, "unreachable" }, { 8, "prohibit" },  { 9, "throw" },
	};

	return name_of(names, ARRAY_SIZE(names), type, a);
}

const char *route_protocol_name(uint64_t protocol, struct arena *a)
{
	static const struct number_name names[] = {
		{ 0, "unspec" }, { 1, "redirect" }, { 2, "kernel" }, { 3, "boot" },
		{ 4, "static" }, { 9, "ra" },       { 11, "zebra" }, { 12, "bird" },
		{ 16, "dhcp" },  { 186, "bgp" },    { 188, "ospf" },
	};

	return name_of(names, ARRAY_SIZE(names), protocol, a);
}

const char *route_scope_name(uint64_t scope, struct arena *a)
{
	static const struct number_name names[] = {
		{ 0, "global" }, { 200, "site" },    { 253, "link" },
		{ 254, "host" }, { 255, "nowhere" },
	};

	return name_of(names, ARRAY_SIZE(names), scope, a);
}

const char *route_table_name(uint64_t table, struct arena *a)
{
	static const struct number_name names[] = { { 253, "default" },
						    { 254, "main" },
						    { 255, "local" } };

	return name_of(names, ARRAY_SIZE(names), table, a);
}

/* The struct fib_nh_common at `at`. */
static bool hop_give(struct route_walk *w, uint64_t at, struct err *err)
{
	static const char type[] = "struct fib_nh_common";
	struct net_route *r = &w->now;
	uint64_t family, flags, off;

	r->gateway = r->device_name = NULL;
	if (!field_u64(w->t, type, at, "nhc_dev", &r->device, err) ||
	    !field_u64(w->t, type, at, "nhc_gw_family", &family, err) ||
	    !field_u64(w->t, type, at, "nhc_flags", &flags, err) ||
	    !field_offset(w->t, type, "nhc_gw", &off, err))
		return err_wrap(err, "next hop 0x%llx", (unsigned long long)at);
	r->dead = flags & HOP_DEAD;
	if ((family == AF_INET || family == AF_INET6) &&
	    !net_address(w->t, (int)family, at + off, w->a, &r->gateway, err))
		return err_wrap(err, "next hop 0x%llx", (unsigned long long)at);
	if (r->device)
		r->device_name = net_device_name(w->t, r->device, w->a, w->flaw, w->arg);
	w->stop = !w->fn(r, w->arg);
	return true;
}

static bool object_hop(struct route_walk *w, uint64_t nexthop, struct err *err)
{
	uint64_t info, off;

	return field_u64(w->t, "struct nexthop", nexthop, "nh_info", &info, err) &&
	       field_offset(w->t, "struct nh_info", "fib_nhc", &off, err) &&
	       hop_give(w, info + off, err);
}

/* A nexthop object, which is one or a group (65ee00a9409f, v5.3). */
static bool object_hops(struct route_walk *w, uint64_t nexthop, struct err *err)
{
	uint64_t group, is_group, n, off, one;
	const struct type *entry;

	if (!field_u64(w->t, "struct nexthop", nexthop, "is_group", &is_group, err))
		return false;
	if (!is_group)
		return object_hop(w, nexthop, err);
	if (!field_u64(w->t, "struct nexthop", nexthop, "nh_grp", &group, err) ||
	    !field_u64(w->t, "struct nh_group", group, "num_nh", &n, err) ||
	    !field_offset(w->t, "struct nh_group", "nh_entries", &off, err) ||
	    !type_find(w->t, "struct nh_grp_entry", &entry, err))
		return false;
	if (n > HOPS_MAX)
		return err_set_addr(err, ERR_CORRUPT, group, "a group of %llu next hops",
				    (unsigned long long)n);
	for (uint64_t i = 0; i < n && !w->stop; i++)
		if (!field_u64(w->t, "struct nh_grp_entry", group + off + i * entry->size, "nh",
			       &one, err) ||
		    !object_hop(w, one, err))
			return false;
	return true;
}

bool route_hops(struct route_walk *w, const struct route_hops *h, struct err *err)
{
	const struct type *hop;
	uint64_t object, off;

	if (!field_u64(w->t, h->type, h->addr, h->object, &object, err))
		return false;
	if (object)
		return object_hops(w, object, err);
	if (!field_offset(w->t, h->type, h->hops, &off, err) ||
	    !type_find(w->t, h->hop_type, &hop, err))
		return false;
	if (h->count > HOPS_MAX)
		return err_set_addr(err, ERR_CORRUPT, h->addr, "a route with %llu next hops",
				    (unsigned long long)h->count);
	/* the common part is the first of either kind */
	for (uint64_t i = 0; i < h->count && !w->stop; i++)
		if (!hop_give(w, h->addr + off + i * hop->size, err))
			return false;
	return true;
}

void route_tell(const struct err *e, void *arg)
{
	const struct route_walk *w = arg;

	w->flaw(e, w->arg);
}
