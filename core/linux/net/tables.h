/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the network keeps in tables: neighbours, routes, queues of packets and tracked connections.
 * Each walk calls fn until it returns false; flaw is told of what cannot be read of one entry or
 * one chain of the table, behind which the walk goes on. Text is in the arena. */
#ifndef OBIT_NET_TABLES_H
#define OBIT_NET_TABLES_H

#include "core/image/target.h"
#include "core/linux/container/walk.h"

typedef void net_flaw_fn(const struct err *e, void *arg);

/* ---- neighbour.c */
struct net_neighbour {
	uint64_t addr; /* struct neighbour */
	uint64_t device;
	const char *device_name;
	const char *address;    /* "10.1.2.3", "fe80::1" */
	uint64_t hardware_type; /* ARPHRD_*, include/uapi/linux/if_arp.h */
	const char *hardware;   /* "02:00:00:00:00:01"; NULL: not known, or the device has none */
	uint64_t state;         /* NUD_*, include/uapi/linux/neighbour.h */
	uint64_t net;           /* struct net of the device; 0 unknown */
};
/* The neighbours of IPv4, then those of IPv6, of all network namespaces. */
bool net_neighbours(struct target *t, struct arena *a,
		    bool (*fn)(const struct net_neighbour *n, void *arg), net_flaw_fn *flaw,
		    void *arg, struct err *err) MUST_CHECK;

/* ---- route.c, route4.c, route6.c, route_hop.c */
struct net_route {
	uint64_t addr; /* struct fib_info, or fib6_info */
	bool six;
	uint64_t table;          /* its number: 254 main, 255 local */
	uint64_t type;           /* RTN_*, include/uapi/linux/rtnetlink.h */
	uint64_t protocol;       /* RTPROT_* */
	uint64_t scope;          /* RT_SCOPE_*; of IPv6 always 0 */
	uint64_t metric;         /* of IPv4 0: none */
	const char *destination; /* "default", "10.0.0.0/8"; of one address without its prefix */
	const char *gateway;     /* NULL: none */
	const char *source;      /* the address to send from; NULL: none is preferred */
	uint64_t device;         /* 0: none, as in an unreachable route of IPv4 */
	const char *device_name;
	bool dead; /* RTNH_F_DEAD or RTNH_F_LINKDOWN: its device is down */
};
struct route_walk { /* private to these files */
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct net_route *r, void *arg);
	net_flaw_fn *flaw;
	void *arg;
	bool stop;
	struct net_route now;
	uint64_t null_entry; /* the fib6_info that stands for "none" */
};
/* The routes of a namespace, a call for each next hop, table by table in the order of `ip route`:
 * of IPv4, then of IPv6. */
bool net_routes(struct target *t, uint64_t net, struct arena *a,
		bool (*fn)(const struct net_route *r, void *arg), net_flaw_fn *flaw, void *arg,
		struct err *err) MUST_CHECK;
/* Tells w->flaw(); w is a struct route_walk. */
void route_tell(const struct err *e, void *w);
bool routes_4(struct route_walk *w, uint64_t net, struct err *err) MUST_CHECK;
bool routes_6(struct route_walk *w, uint64_t net, struct err *err) MUST_CHECK;
/* Calls w->fn for each next hop of the route w->now: of the nexthop object that the member `object`
 * of the struct `type` at addr names, or of the `count` structs nh_type in its member `hops`. */
struct route_hops {
	const char *type, *object, *hops, *hop_type;
	uint64_t addr, count;
};
bool route_hops(struct route_walk *w, const struct route_hops *h, struct err *err) MUST_CHECK;
/* "unicast", "local", "kernel", "link"; a number where it has no name here. */
const char *route_type_name(uint64_t type, struct arena *a);
const char *route_protocol_name(uint64_t protocol, struct arena *a);
const char *route_scope_name(uint64_t scope, struct arena *a);
const char *route_table_name(uint64_t table, struct arena *a);

/* ---- qdisc.c */
struct net_qdisc {
	uint64_t addr; /* struct Qdisc */
	uint64_t device;
	const char *device_name;
	const char *kind;        /* "fq_codel" */
	int64_t queue;           /* the only transmit queue that it serves; -1: several, or none */
	uint64_t handle, parent; /* major << 16 | minor; parent 0xffffffff: it is the root */
	bool distributes;        /* it only hands packets on, as mq does: what follows is 0 */
	uint64_t qlen, backlog;  /* packets and bytes that wait */
	uint64_t drops, overlimits, requeues;
	uint64_t bytes, packets; /* sent */
	bool stopped;            /* of `queue`: its driver, or the stack, stopped it */
};
/* The queueing disciplines of a device, the root first; those that the kernel has built in and that
 * send nothing are not among them. */
bool net_qdiscs(struct target *t, uint64_t device, const char *device_name, struct arena *a,
		bool (*fn)(const struct net_qdisc *q, void *arg), net_flaw_fn *flaw, void *arg,
		struct err *err) MUST_CHECK;

/* ---- conntrack.c */
struct net_flow {
	const char *source, *destination; /* addresses */
	uint64_t sport, dport;            /* of ICMP type << 8 | code, and the id as the source */
};
struct net_connection {
	uint64_t addr;               /* struct nf_conn */
	uint64_t family, protocol;   /* AF_*, IPPROTO_* */
	const char *state;           /* of TCP; NULL: it has none */
	struct net_flow there, back; /* as it began, and what the answer looks like */
	uint64_t status;             /* IPS_*, nf_conntrack_common.h */
	bool has_timeout;
	uint64_t timeout_ns; /* until it is forgotten; 0: it was over */
	uint64_t net;        /* struct net; 0 unknown */
};
/* The connections that netfilter tracks, of all namespaces. ERR_NOTFOUND: nf_conntrack is not
 * loaded. */
bool net_connections(struct target *t, struct arena *a,
		     bool (*fn)(const struct net_connection *c, void *arg), net_flaw_fn *flaw,
		     void *arg, struct err *err) MUST_CHECK;

/* ---- chains.c */
/* Walks a table of `count` chains that end in NULL or an odd number, one each `stride` bytes from
 * `head` on; `link` is the offset in the struct of what chains it. A chain that breaks is told to
 * flaw. */
struct chains {
	const char *what; /* for messages */
	uint64_t head, count, stride, link;
	walk_node_fn *node;
	net_flaw_fn *flaw;
	void *arg;
	const bool *stop; /* where node() says that it ended the walk */
};
bool chains_walk(struct target *t, const struct chains *c, struct err *err) MUST_CHECK;
/* A device's name; NULL, and flaw is told, when it cannot be read. */
const char *net_device_name(struct target *t, uint64_t device, struct arena *a, net_flaw_fn *flaw,
			    void *arg);
/* The address of `family` (AF_INET, AF_INET6) at addr as text; in the arena. */
bool net_address(struct target *t, int family, uint64_t addr, struct arena *a, const char **ret,
		 struct err *err) MUST_CHECK;
/* A port that the struct at addr keeps in the network's order, whatever the machine's is; path is
 * as field_offset() has it. */
bool net_port(struct target *t, const char *type, uint64_t addr, const char *path, uint64_t *ret,
	      struct err *err) MUST_CHECK;

#endif
