/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the walks of the network's tables in made-up memory (tables_fake.h says what is there),
 * whole and broken. */
#include <linux/rtnetlink.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/net/net.h"
#include "core/linux/net/tables_fake.h"

struct seen {
	struct buf b;
	unsigned n, flaws, most, distribute;
	char flaw[240];
};

static void on_flaw(const struct err *e, void *arg)
{
	struct seen *s = arg;

	s->flaws++;
	snprintf(s->flaw, sizeof(s->flaw), "%s", e->msg);
}

static bool more(struct seen *s)
{
	return ++s->n != s->most;
}

static struct fake_kernel *fresh(void)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));

	tables_fake_init(k);
	return k;
}

static void done(struct fake_kernel *k, struct seen *s)
{
	buf_release(&s->b);
	kernel_release(k);
	free(k);
}

static const char *word(const char *s)
{
	return s ? s : "-";
}

static bool see_neighbour(const struct net_neighbour *n, void *arg)
{
	struct seen *s = arg;

	CHECK_U64(n->hardware_type, 1);
	CHECK_U64(n->net, F_AT(F_NET));
	buf_printf(&s->b, "%s %s %s %llx\n", n->address, word(n->device_name), word(n->hardware),
		   (unsigned long long)n->state);
	return more(s);
}

TEST(neighbours)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK_STR(buf_text(&s.b), "10.1.2.7 eth0 02:00:00:00:00:07 80\n10.1.2.8 eth0 - 20\n");
	CHECK(!s.flaws);
	/* fn ends the walk */
	s.n = 0, s.most = 1;
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK_U64(s.n, 1);
	/* a chain that comes back to itself ends, and that is told */
	s.n = s.most = 0;
	put64(k, N_AT(N_NEIGHBOUR2), N_AT(N_NEIGHBOUR));
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK(s.n < 10 && s.flaws == 1);
	/* a table that cannot be so large; hardware addresses that cannot be so long */
	put64(k, N_AT(N_NEIGHBOUR2), 0);
	put64(k, F_AT(F_DEV) + 0x50, 33);
	s.flaws = s.n = 0;
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK(s.n == 2 && s.flaws == 2);
	put64(k, N_AT(N_HASH) + 8, 27);
	s.n = 0;
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK(!s.n);
	CHECK_CONTAINS(s.flaw, "2^27");
	done(k, &s);
}

TEST(neighbours_of_ipv6)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	/* among the names that a part of a table lacks may be this one's */
	k->t.symbols.tabs.p[0]->partial = true;
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK(s.n == 2 && s.flaws == 1);
	CHECK_CONTAINS(s.flaw, "nd_tbl");
	done(k, &s);
	/* so it is with a module of which there are no symbols */
	k = fresh();
	s = (struct seen){ .most = 0 };
	tables_fake_module(k, "ipv6");
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK(s.n == 2 && s.flaws == 1);
	CHECK_CONTAINS(s.flaw, "nd_tbl");
	done(k, &s);
	k = fresh();
	s = (struct seen){ .most = 0 };
	tables_fake_module(k, "ipv4");
	CHECK_OK(net_neighbours(&k->t, &k->scratch, see_neighbour, on_flaw, &s, &err), err);
	CHECK(s.n == 2 && !s.flaws);
	done(k, &s);
}

static bool see_socket(const struct net_socket *n, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->b, "%s %s %s\n", word(n->family), word(n->state), word(n->source));
	return more(s);
}

TEST(sockets_of_the_tables)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	put64(k, F_AT(F_INETSOCK) + 0x138, 1); /* SOCK_STREAM */
	put64(k, F_AT(F_INET6SOCK) + 0x138, 1);
	CHECK_OK(net_sockets(&k->t, &k->scratch, see_socket, on_flaw, &s, &err), err);
	CHECK_STR(buf_text(&s.b), "INET6 LISTEN [fe80::1]:80\nINET ESTABLISHED 10.1.2.3:22\n");
	CHECK(!s.flaws);
	/* the other table of UDP, which older kernels have for all */
	kernel_symbol(k, "udp_table", N_AT(N_UDP));
	buf_reset(&s.b);
	put64(k, N_AT(N_UDP_SLOTS), F_AT(F_INETSOCK) + 0x180);
	put64(k, F_AT(F_INETSOCK) + 8, 7);
	put64(k, F_AT(F_INETSOCK) + 0x138, 2);
	put64(k, N_AT(N_ESTABLISHED) + 8, 5);
	CHECK_OK(net_sockets(&k->t, &k->scratch, see_socket, on_flaw, &s, &err), err);
	CHECK_STR(buf_text(&s.b), "INET6 LISTEN [fe80::1]:80\nINET - 10.1.2.3:22\n");
	done(k, &s);
}

TEST(sockets_behind_a_death_row)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	tables_fake_row(k);
	put64(k, F_AT(F_INETSOCK) + 0x138, 1);
	put64(k, F_AT(F_INET6SOCK) + 0x138, 1);
	CHECK_OK(net_sockets(&k->t, &k->scratch, see_socket, on_flaw, &s, &err), err);
	CHECK_U64(s.n, 2);
	CHECK(!s.flaws);
	done(k, &s);
}

TEST(sockets_where_tables_are_not_read)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	const uint64_t edge = KERNEL_BASE + 0x14000; /* of a page that is absent */
	const uint64_t nets[] = { F_AT(F_NET) + 16, edge - 16 };

	/* a namespace of which only its place in the list is there: either table is missed, and
	 * none is walked in its place */
	put64(k, F_AT(F_INETSOCK) + 0x138, 1);
	put64(k, F_AT(F_INET6SOCK) + 0x138, 1);
	put_list(k, F_AT(F_SYMBOLS) + 16, nets, 2);
	k->holes = UINT64_C(1) << 0x14;
	CHECK_OK(net_sockets(&k->t, &k->scratch, see_socket, on_flaw, &s, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.flaws, 2);
	done(k, &s);
}

static bool see_route(const struct net_route *r, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->b, "%llu %llu %s via %s dev %s src %s %llu%s\n",
		   (unsigned long long)r->table, (unsigned long long)r->type, r->destination,
		   word(r->gateway), word(r->device_name), word(r->source),
		   (unsigned long long)r->metric, r->dead ? " dead" : "");
	return more(s);
}

TEST(routes)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	/* of the trie's two only the table's own; what is below a node of IPv6 first */
	CHECK_STR(buf_text(&s.b), "254 1 10.1.2.0/24 via 10.1.2.1 dev eth0 src 10.1.2.3 7 dead\n"
				  "254 1 fe80::/64 via fe80::9 dev eth0 src - 257\n"
				  "254 1 default via - dev eth0 src - 256\n");
	CHECK(!s.flaws);
	/* its trie is the local table's, too: an address has no prefix */
	buf_reset(&s.b);
	put64(k, N_AT(N_TABLE) + 16, 255);
	s.n = 0, s.most = 1;
	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	CHECK_STR(buf_text(&s.b), "255 2 10.1.2.3 via 10.1.2.1 dev eth0 src 10.1.2.3 7 dead\n");
	s.most = 0;
	put64(k, N_AT(N_ALIAS2) + 24, 33);
	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	CHECK_CONTAINS(s.flaw, "last 33 bits");
	/* a node that is its own child, on either side */
	put64(k, N_AT(N_NODE) + 16, N_AT(N_NODE));
	put64(k, N_AT(N_CHILD6), N_AT(N_CHILD6));
	s.flaws = 0;
	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	CHECK(s.flaws >= 2);
	put64(k, N_AT(N_NODE) + 8, 25);
	put64(k, N_AT(N_CHILD6), 0);
	put64(k, N_AT(N_GROUP), 1025);
	s.flaws = 0;
	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	CHECK_U64(s.flaws, 2);
	CHECK_CONTAINS(s.flaw, "1025");
	done(k, &s);
}

TEST(routes_of_other_kernels)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct member *ipv6 = tables_member(tables_type(k, "net"), "ipv6");
	struct err err;

	/* a name that changed: IPv6 is there, and its routes are not read */
	tables_member(ipv6->type, "fib_table_hash")->name = "fib6_tables";
	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	CHECK_U64(s.n, 1);
	CHECK_U64(s.flaws, 1);
	CHECK_CONTAINS(s.flaw, "fib_table_hash");
	done(k, &s);
	/* without IPv6 */
	k = fresh();
	s = (struct seen){ .most = 0 };
	tables_member(tables_type(k, "net"), "ipv6")->name = "ipx";
	CHECK_OK(net_routes(&k->t, F_AT(F_NET), &k->scratch, see_route, on_flaw, &s, &err), err);
	CHECK(s.n == 1 && !s.flaws);
	done(k, &s);
}

/* The kernel's own numbers; words are iproute2's. */
TEST(numbers_of_routes)
{
	static const struct {
		const char *(*name)(uint64_t number, struct arena *a);
		unsigned number;
		const char *says;
	} names[] = {
		{ route_type_name, RTN_UNICAST, "unicast" },
		{ route_type_name, RTN_LOCAL, "local" },
		{ route_type_name, RTN_BROADCAST, "broadcast" },
		{ route_type_name, RTN_ANYCAST, "anycast" },
		{ route_type_name, RTN_MULTICAST, "multicast" },
		{ route_type_name, RTN_BLACKHOLE, "blackhole" },
		{ route_type_name, RTN_UNREACHABLE, "unreachable" },
		{ route_type_name, RTN_PROHIBIT, "prohibit" },
		{ route_type_name, RTN_THROW, "throw" },
		{ route_type_name, 77, "77" },
		{ route_protocol_name, RTPROT_UNSPEC, "unspec" },
		{ route_protocol_name, RTPROT_REDIRECT, "redirect" },
		{ route_protocol_name, RTPROT_KERNEL, "kernel" },
		{ route_protocol_name, RTPROT_BOOT, "boot" },
		{ route_protocol_name, RTPROT_STATIC, "static" },
		{ route_protocol_name, RTPROT_RA, "ra" },
		{ route_protocol_name, RTPROT_ZEBRA, "zebra" },
		{ route_protocol_name, RTPROT_BIRD, "bird" },
		{ route_protocol_name, RTPROT_DHCP, "dhcp" },
		{ route_protocol_name, RTPROT_BGP, "bgp" },
		{ route_protocol_name, RTPROT_OSPF, "ospf" },
		{ route_scope_name, RT_SCOPE_UNIVERSE, "global" },
		{ route_scope_name, RT_SCOPE_SITE, "site" },
		{ route_scope_name, RT_SCOPE_LINK, "link" },
		{ route_scope_name, RT_SCOPE_HOST, "host" },
		{ route_scope_name, RT_SCOPE_NOWHERE, "nowhere" },
		{ route_table_name, RT_TABLE_DEFAULT, "default" },
		{ route_table_name, RT_TABLE_MAIN, "main" },
		{ route_table_name, RT_TABLE_LOCAL, "local" },
	};
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_STR(names[i].name(names[i].number, &k->scratch), names[i].says);
	done(k, &s);
}

/* The families of sockets, by the numbers that every program uses. */
TEST(families_of_sockets)
{
	static const struct {
		unsigned family;
		const char *says;
	} families[] = { { AF_KEY, "KEY" },       { AF_NETLINK, "NETLINK" },
			 { AF_PACKET, "PACKET" }, { AF_CAN, "CAN" },
			 { AF_ALG, "ALG" },       { AF_BLUETOOTH, "BLUETOOTH" },
			 { AF_VSOCK, "VSOCK" },   { AF_XDP, "XDP" } };
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		struct net_socket n = { .sock = F_AT(F_INETSOCK) };
		struct err err;

		put64(k,
		      F_AT(F_INETSOCK) +
			      tables_member(tables_type(k, "sock_common"), "skc_family")->bit_off /
				      8,
		      families[i].family);
		CHECK_OK(net_sock(&k->t, &k->scratch, &n, &err), err);
		CHECK_STR(n.family, families[i].says);
	}
	done(k, &s);
}

static bool see_qdisc(const struct net_qdisc *q, void *arg)
{
	struct seen *s = arg;

	buf_printf(&s->b, "%s %lld %llx %llx: %llu %llu, %llu %llu %llu, %llu %llu%s\n", q->kind,
		   (long long)q->queue, (unsigned long long)q->handle,
		   (unsigned long long)q->parent, (unsigned long long)q->qlen,
		   (unsigned long long)q->backlog, (unsigned long long)q->drops,
		   (unsigned long long)q->requeues, (unsigned long long)q->overlimits,
		   (unsigned long long)q->bytes, (unsigned long long)q->packets,
		   q->stopped ? " stopped" : "");
	s->distribute += q->distributes;
	return more(s);
}

TEST(queues)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	CHECK_OK(net_qdiscs(&k->t, F_AT(F_DEV), "eth0", &k->scratch, see_qdisc, on_flaw, &s, &err),
		 err);
	CHECK_STR(buf_text(&s.b), "fq -1 10000 ffffffff: 0 0, 0 0 0, 0 0\n"
				  "fq 0 20000 10001: 1 600, 7 8 9, 5000 50\n"
				  "fq 1 30000 10002: 2 1200, 14 16 18, 10000 100 stopped\n");
	CHECK(!s.flaws);
	/* TCQ_F_MQROOT: sums that an earlier dump of it left there are not its numbers */
	put64(k, N_AT(N_ROOT), 8);
	put64(k, N_AT(N_ROOT) + 64, 99);
	put64(k, N_AT(N_ROOT) + 72, 4711);
	s.distribute = 0;
	s.n = 0;
	buf_reset(&s.b);
	CHECK_OK(net_qdiscs(&k->t, F_AT(F_DEV), "eth0", &k->scratch, see_qdisc, on_flaw, &s, &err),
		 err);
	CHECK_CONTAINS(buf_text(&s.b), "fq -1 10000 ffffffff: 0 0, 0 0 0, 0 0\n");
	CHECK_U64(s.n, 3);
	CHECK_U64(s.distribute, 1);
	/* of a device that is down: TCQ_F_BUILTIN */
	put64(k, N_AT(N_ROOT), 1);
	put64(k, N_AT(N_QDISC), 1);
	s.n = 0;
	CHECK_OK(net_qdiscs(&k->t, F_AT(F_DEV), "eth0", &k->scratch, see_qdisc, on_flaw, &s, &err),
		 err);
	CHECK_U64(s.n, 1);
	put64(k, F_AT(F_DEV) + 0x70, 4097);
	CHECK(!net_qdiscs(&k->t, F_AT(F_DEV), "eth0", &k->scratch, see_qdisc, on_flaw, &s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	done(k, &s);
}

/* One that serves none of the transmit queues is found by its handle, below the root. */
TEST(queues_of_classes)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	put64(k, N_AT(N_QUEUES) + 16, 0);
	CHECK_OK(net_qdiscs(&k->t, F_AT(F_DEV), "eth0", &k->scratch, see_qdisc, on_flaw, &s, &err),
		 err);
	CHECK_CONTAINS(buf_text(&s.b), "fq -1 30000 10002: 2 1200, 14 16 18, 10000 100\n");
	CHECK_U64(s.n, 3);
	CHECK(!s.flaws);
	done(k, &s);
}

/* Where the transmit queues are lost nobody knows which of them a discipline serves, nor whether
 * there are others. */
TEST(queues_that_are_lost)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	put64(k, F_AT(F_DEV) + 0x68, KERNEL_BASE + 0x14000);
	k->holes = UINT64_C(1) << 0x14;
	CHECK(!net_qdiscs(&k->t, F_AT(F_DEV), "eth0", &k->scratch, see_qdisc, on_flaw, &s, &err));
	CHECK_U64(s.n, 0);
	CHECK_U64(s.flaws, 3);
	done(k, &s);
}

static bool see_connection(const struct net_connection *c, void *arg)
{
	struct seen *s = arg;

	CHECK_U64(c->addr, N_AT(N_CONN));
	buf_printf(&s->b, "%llu %s %s:%llu %s:%llu, %s:%llu %s:%llu %llx\n",
		   (unsigned long long)c->protocol, word(c->state), c->there.source,
		   (unsigned long long)c->there.sport, c->there.destination,
		   (unsigned long long)c->there.dport, c->back.source,
		   (unsigned long long)c->back.sport, c->back.destination,
		   (unsigned long long)c->back.dport, (unsigned long long)c->status);
	return more(s);
}

TEST(tracked_connections)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	CHECK_OK(net_connections(&k->t, &k->scratch, see_connection, on_flaw, &s, &err), err);
	CHECK_STR(buf_text(&s.b),
		  "6 ESTABLISHED 10.1.2.3:22 10.1.2.4:4096, 10.1.2.4:4096 10.1.2.3:22 6\n");
	CHECK_U64(s.flaws, 1); /* this kernel has no jiffies, so how long is not known */
	put8(k, N_AT(N_CONN) + 64 + 48, 99);
	s = (struct seen){ .b = s.b };
	CHECK_OK(net_connections(&k->t, &k->scratch, see_connection, on_flaw, &s, &err), err);
	CHECK(!s.n);
	CHECK_CONTAINS(s.flaw, "family 99");
	done(k, &s);
}

static bool see_timeout(const struct net_connection *c, void *arg)
{
	struct seen *s = arg;

	if (c->has_timeout)
		buf_printf(&s->b, "%llu ms\n", (unsigned long long)c->timeout_ns / 1000000);
	else
		buf_str(&s->b, "-\n");
	return more(s);
}

/* A connection's end is in jiffies, of a millisecond here: 1000, as tables_fake.h puts it. Only the
 * lower 32 bits of now count; what is over has no time left, and that of what the hardware
 * forwards (IPS_OFFLOAD, bit 14) is the hardware's. */
TEST(how_long_connections_are_tracked)
{
	static const struct {
		uint64_t now, status;
		const char *says;
	} times[] = {
		{ 400, 6, "600 ms\n" },      { (UINT64_C(7) << 32) + 999, 6, "1 ms\n" },
		{ 1000, 6, "0 ms\n" },       { 1001, 6, "0 ms\n" },
		{ 400, 6 | 1 << 14, "-\n" },
	};
	const uint64_t now = N_AT(N_END), clock = N_AT(N_END) + 8;

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		struct fake_kernel *k = fresh();
		struct seen s = { .most = 0 };
		struct err err;
		struct type *type = kernel_struct(k, "clocksource", 16);

		kernel_member(type, "mult", &k->u32, 0);
		kernel_member(type, "shift", &k->u32, 4);
		kernel_symbol(k, "jiffies_64", now);
		kernel_symbol(k, "clocksource_jiffies", clock);
		put64(k, now, times[i].now);
		put32(k, clock, 1000000u << 8);
		put32(k, clock + 4, 8);
		put64(k, N_AT(N_CONN) + 8, times[i].status);
		CHECK_OK(net_connections(&k->t, &k->scratch, see_timeout, on_flaw, &s, &err), err);
		CHECK_STR(buf_text(&s.b), times[i].says);
		CHECK(!s.flaws);
		done(k, &s);
	}
}

TEST(tracked_connections_of_other_kernels)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	/* a name that changed: a connection of TCP without its state, and it is said */
	tables_member(tables_type(k, "nf_conn"), "proto")->name = "protocols";
	CHECK_OK(net_connections(&k->t, &k->scratch, see_connection, on_flaw, &s, &err), err);
	CHECK(s.n == 1 && s.flaws == 2);
	CHECK_CONTAINS(s.flaw, "proto");
	done(k, &s);
}

TEST(no_tracked_connections)
{
	struct fake_kernel *k = fresh();
	struct seen s = { .most = 0 };
	struct err err;

	/* what is not loaded is none; what is, and names nothing, is not read */
	k->n_syms -= 2;
	tables_fake_module(k, "nf_nat");
	CHECK(!net_connections(&k->t, &k->scratch, see_connection, on_flaw, &s, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_CONTAINS(err.msg, "nf_conntrack is not loaded");
	done(k, &s);
	k = fresh();
	k->n_syms -= 2;
	tables_fake_module(k, "nf_conntrack");
	CHECK(!net_connections(&k->t, &k->scratch, see_connection, on_flaw, &s, &err));
	CHECK_ERR(err, ERR_NOSYM);
	CHECK_CONTAINS(err.msg, "nf_conntrack is loaded");
	done(k, &s);
}

TEST_MAIN
