/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes of a network namespace. */
#include "core/linux/net/tables.h"

#include "core/base/guard.h"
#include "core/types/shape.h"

bool net_routes(struct target *t, uint64_t net, struct arena *a,
		bool (*fn)(const struct net_route *r, void *arg), net_flaw_fn *flaw, void *arg,
		struct err *err)
{
	struct route_walk w = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct err why, none;
	uint64_t off;

	if (!routes_4(&w, net, err))
		return false;
	/* a kernel may have no IPv6 */
	if (!w.stop && field_offset(t, "struct net", "ipv6", &off, &none) &&
	    !routes_6(&w, net, &why))
		flaw(&why, arg);
	return interrupt_check(err);
}
