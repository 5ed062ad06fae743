/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes of IPv6: a binary tree for each table, net/ipv6/ip6_fib.c. */
#include "core/linux/net/tables.h"

#include <arpa/inet.h>

#include "core/base/guard.h"
#include "core/types/shape.h"

#define PREFIX_MAX 128u
#define DEPTH 300u  /* bits of a destination and a source, one below the other */
#define TABLES 256u /* FIB6_TABLE_HASHSZ with CONFIG_IPV6_MULTIPLE_TABLES */
#define RTINFO 0x4u /* RTN_RTINFO: the node has routes of its own, and not those of one below */

static bool prefix_read(struct route_walk *w, uint64_t info, const char **ret, struct err *err)
{
	static const char type[] = "struct fib6_info";
	const char *text;
	uint64_t off, prefix;

	if (!field_offset(w->t, type, "fib6_dst.addr", &off, err) ||
	    !field_u64(w->t, type, info, "fib6_dst.plen", &prefix, err) ||
	    !net_address(w->t, AF_INET6, info + off, w->a, &text, err))
		return false;
	if (prefix > PREFIX_MAX)
		return err_set_addr(err, ERR_CORRUPT, info, "a prefix of %llu bits",
				    (unsigned long long)prefix);
	*ret = !prefix ? "default"
	       : prefix == PREFIX_MAX
		       ? text
		       : arena_printf(w->a, "%s/%llu", text, (unsigned long long)prefix);
	return true;
}

static bool info_read(struct route_walk *w, uint64_t info, struct err *err)
{
	static const char type[] = "struct fib6_info";
	const struct route_hops h = { .type = type,
				      .object = "nh",
				      .hops = "fib6_nh",
				      .hop_type = "struct fib6_nh",
				      .addr = info,
				      .count = 1 };
	struct net_route *r = &w->now;
	uint64_t source, off;

	r->addr = info;
	r->source = r->gateway = r->device_name = NULL;
	if (!prefix_read(w, info, &r->destination, err) ||
	    !field_u64(w->t, type, info, "fib6_protocol", &r->protocol, err) ||
	    !field_u64(w->t, type, info, "fib6_type", &r->type, err) ||
	    !field_u64(w->t, type, info, "fib6_metric", &r->metric, err) ||
	    !field_u64(w->t, type, info, "fib6_prefsrc.plen", &source, err) ||
	    !field_offset(w->t, type, "fib6_prefsrc.addr", &off, err))
		return false;
	if (source && !net_address(w->t, AF_INET6, info + off, w->a, &r->source, err))
		return false;
	return route_hops(w, &h, err);
}

static bool infos_walk(struct route_walk *w, uint64_t info, struct err *err)
{
	struct guard g;
	struct err why;

	guard_init(&g, "routes of a node", 0);
	while (info && !w->stop) {
		if (!guard_step(&g, info, err))
			return false;
		if (info != w->null_entry && !info_read(w, info, &why)) {
			err_wrap(&why, "fib6_info 0x%llx", (unsigned long long)info);
			w->flaw(&why, w->arg);
		}
		if (!field_u64(w->t, "struct fib6_info", info, "fib6_next", &info, err))
			return false;
	}
	return true;
}

/* Those below stand before the node's own, as the kernel lists them. */
static bool node_walk(struct route_walk *w, struct guard *g, uint64_t node, unsigned depth,
		      struct err *err)
{
	static const char type[] = "struct fib6_node";
	static const char *const below[] = { "subtree", "left", "right" };
	uint64_t child, flags, info;
	struct err why;

	if (depth > DEPTH)
		return err_set_addr(err, ERR_CORRUPT, node, "a tree that is too deep");
	if (!guard_step(g, node, err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(below) && !w->stop; i++) {
		if (!field_u64(w->t, type, node, below[i], &child, &why)) {
			/* CONFIG_IPV6_SUBTREES */
			if (i || why.code != ERR_NOFIELD)
				w->flaw(&why, w->arg);
			continue;
		}
		if (!child || node_walk(w, g, child, depth + 1, &why))
			continue;
		if (why.code == ERR_INTR || why.code == ERR_LIMIT) {
			*err = why;
			return false;
		}
		w->flaw(&why, w->arg);
	}
	if (w->stop)
		return true;
	if (!field_u64(w->t, type, node, "fn_flags", &flags, err) ||
	    !field_u64(w->t, type, node, "leaf", &info, err))
		return false;
	return !(flags & RTINFO) || infos_walk(w, info, err);
}

static bool table_see(uint64_t table, void *arg)
{
	struct route_walk *w = arg;
	struct guard g;
	struct err why;
	uint64_t off;

	guard_init(&g, "routes", 0);
	if (!field_u64(w->t, "struct fib6_table", table, "tb6_id", &w->now.table, &why) ||
	    !field_offset(w->t, "struct fib6_table", "tb6_root", &off, &why) ||
	    !node_walk(w, &g, table + off, 0, &why))
		w->flaw(&why, w->arg);
	return !w->stop;
}

bool routes_6(struct route_walk *w, uint64_t net, struct err *err)
{
	struct chains c = { .what = "tables of routes",
			    .stride = w->t->arch->word,
			    .count = TABLES,
			    .node = table_see,
			    .flaw = route_tell,
			    .arg = w,
			    .stop = &w->stop };
	struct err none;
	uint64_t off;

	w->now = (struct net_route){ .six = true };
	if (!field_offset(w->t, "struct net", "ipv6.fib6_rules_ops", &off, &none))
		c.count = 1;
	/* without tables IPv6 is a module that is not loaded, which alone may have their types */
	return field_u64(w->t, "struct net", net, "ipv6.fib6_null_entry", &w->null_entry, err) &&
	       field_u64(w->t, "struct net", net, "ipv6.fib_table_hash", &c.head, err) &&
	       (!c.head || (field_offset(w->t, "struct fib6_table", "tb6_hlist", &c.link, err) &&
			    chains_walk(w->t, &c, err)));
}
