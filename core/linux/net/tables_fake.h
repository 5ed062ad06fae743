/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the kernel of vfs_fake.h with the network's tables, one or two entries in each. */
#ifndef OBIT_TABLES_FAKE_H
#define OBIT_TABLES_FAKE_H

#include <sys/socket.h>

#include "core/linux/fs/vfs_fake.h"
#include "core/linux/net/tables.h"

#define N_AT(i) (KERNEL_BASE + 0x10000 + (uint64_t)(i)*0x100)
enum {
	N_ARP, /* neigh_table, its hash table, the chains, and two neighbours in one of them */
	N_HASH,
	N_CHAINS,
	N_NEIGHBOUR,
	N_NEIGHBOUR2,
	N_HASHINFO, /* inet_hashinfo, its tables; udp_table and its table */
	N_LISTEN,
	N_ESTABLISHED,
	N_UDP,
	N_UDP_SLOTS,
	N_TABLES, /* chains of fib_tables; one, its trie, and the nodes of that */
	N_TABLE,
	N_TRIE,
	N_NODE,
	N_LEAF,
	N_LEAF2,
	N_ALIAS,
	N_ALIAS2,
	N_INFO,
	N_INFO2,
	N_TABLES6, /* the same of IPv6: a root with a route, and a child that has one */
	N_TABLE6,
	N_CHILD6,
	N_NULL6,
	N_INFO6,
	N_INFO6_2,
	N_NEXTHOP, /* a group of one */
	N_NEXTHOP2,
	N_GROUP,
	N_NH_INFO,
	N_QUEUES, /* two netdev_queues, a root and two below, their ops */
	N_ROOT,
	N_QDISC,
	N_QDISC2,
	N_OPS,
	N_CONNTRACK, /* the chains, the variables, and one connection */
	N_CONN,
	N_CONN_CHAINS,
	N_END
};

/* A struct without a name of its own. */
static inline struct type *tables_inner(struct fake_kernel *k, uint64_t size)
{
	struct type *s = kernel_struct(k, "", size);

	k->n_types--;
	return s;
}

static inline struct type *tables_type(struct fake_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, name))
			return k->types[i];
	return NULL;
}

/* A member, for what another kernel has in its place. */
static inline struct member *tables_member(const struct type *s, const char *name)
{
	size_t i = 0;

	while (strcmp(s->members[i].name, name) != 0)
		i++;
	return &s->members[i];
}

static inline void tables_fake_routes(struct fake_kernel *k)
{
	struct type *s = tables_type(k, "net"), *inner = tables_inner(k, 32);

	kernel_member(inner, "fib_table_hash", &k->u64, 0);
	kernel_member(inner, "tcp_death_row", INNER(k, "hashinfo"), 8);
	kernel_member(inner, "udp_table", &k->u64, 16);
	kernel_member(s, "ipv4", inner, 0x40);
	kernel_member(s, "ipv6", INNER(k, "fib6_null_entry", "fib_table_hash"), 0x60);
	WORDS(k, "fib_table", "tb_hlist", "pprev", "tb_id", "tb_data");
	WORDS(k, "trie", "kv");
	WORDS(k, "key_vector", "key", "bits", "leaf");
	WORDS(k, "fib_alias", "fa_list", "pprev", "fa_info", "fa_slen", "fa_type", "tb_id");
	WORDS(k, "fib_info", "nh", "fib_protocol", "fib_scope", "fib_priority", "fib_prefsrc",
	      "fib_nhs", "fib_nh");
	WORDS(k, "fib_nh_common", "nhc_dev", "nhc_gw_family", "nhc_flags", "nhc_gw", "nhc_gw_high");
	WORDS(k, "fib_nh", "nh_common", "b", "c", "d", "e", "f");
	WORDS(k, "fib6_nh", "nh_common", "b", "c", "d", "e", "f");
	s = WORDS(k, "nexthop", "nh_info");
	kernel_member(s, "nh_grp", &k->u64, 0);
	kernel_member(s, "is_group", &k->u64, 8);
	WORDS(k, "nh_info", "family", "fib_nhc");
	WORDS(k, "nh_group", "num_nh", "nh_entries");
	WORDS(k, "nh_grp_entry", "nh", "weight");
	s = WORDS(k, "fib6_table", "tb6_hlist", "pprev", "tb6_id", "tb6_root");
	WORDS(k, "fib6_node", "left", "right", "leaf", "fn_flags");
	inner = WORDS(k, "rt6key", "addr", "addr_high", "plen");
	s = kernel_struct(k, "fib6_info", 0x100);
	kernel_member(s, "fib6_next", &k->u64, 0);
	kernel_member(s, "fib6_dst", inner, 8);
	kernel_member(s, "fib6_prefsrc", inner, 32);
	kernel_member(s, "fib6_metric", &k->u64, 56);
	kernel_member(s, "fib6_protocol", &k->u64, 64);
	kernel_member(s, "fib6_type", &k->u64, 72);
	kernel_member(s, "nh", &k->u64, 80);
	kernel_member(s, "fib6_nh", &k->u64, 88);
}

static inline void tables_fake_queues(struct fake_kernel *k)
{
	struct type *s = tables_type(k, "net_device"), *sent, *waiting;

	kernel_member(s, "addr_len", &k->u64, 0x50);
	kernel_member(s, "type", &k->u64, 0x58);
	kernel_member(s, "nd_net", INNER(k, "net"), 0x60);
	kernel_member(s, "_tx", &k->u64, 0x68);
	kernel_member(s, "real_num_tx_queues", &k->u64, 0x70);
	kernel_member(s, "qdisc", &k->u64, 0x78);
	kernel_member(s, "qdisc_hash", kernel_array(k, &k->u64, 2), 0x80);
	kernel_member(s, "ingress_queue", &k->u64, 0x90);
	WORDS(k, "netdev_queue", "qdisc_sleeping", "state");
	sent = WORDS(k, "gnet_stats_basic_sync", "bytes", "packets");
	waiting = kernel_struct(k, "gnet_stats_queue", 20);
	kernel_member(waiting, "qlen", &k->u32, 0);
	kernel_member(waiting, "backlog", &k->u32, 4);
	kernel_member(waiting, "drops", &k->u32, 8);
	kernel_member(waiting, "requeues", &k->u32, 12);
	kernel_member(waiting, "overlimits", &k->u32, 16);
	s = WORDS(k, "Qdisc", "flags", "ops", "handle", "parent", "hash", "pprev", "cpu_bstats",
		  "cpu_qstats");
	kernel_member(s, "q", INNER(k, "qlen"), 64);
	kernel_member(s, "bstats", sent, 72);
	kernel_member(s, "qstats", waiting, 88);
	s = kernel_struct(k, "Qdisc_ops", 16);
	kernel_member(s, "id", kernel_array(k, &k->u8, 16), 0);
}

static inline void tables_fake_conntrack(struct fake_kernel *k)
{
	struct type *tuple = tables_inner(k, 48), *src = tables_inner(k, 16),
		    *dst = tables_inner(k, 16), *port = tables_inner(k, 2),
		    *u16 = ARENA_NEW(&k->t.arena, struct type), *proto = tables_inner(k, 8), *s;

	*u16 = kernel_base_type(k, TYPE_INT, 2, false);
	kernel_member(port, "all", u16, 0);
	kernel_member(src, "u3", &k->u64, 0);
	kernel_member(src, "u", port, 8);
	kernel_member(src, "l3num", &k->u8, 32);
	kernel_member(dst, "u3", &k->u64, 0);
	kernel_member(dst, "u", port, 8);
	kernel_member(dst, "protonum", &k->u8, 17);
	kernel_member(dst, "dir", &k->u8, 18);
	kernel_member(tuple, "src", src, 0);
	kernel_member(tuple, "dst", dst, 16);
	s = kernel_struct(k, "nf_conntrack_tuple_hash", 64);
	kernel_member(s, "hnnode", &k->u64, 0);
	kernel_member(s, "tuple", tuple, 16);
	s = WORDS(k, "nf_conn", "timeout", "status");
	kernel_member(proto, "tcp", INNER(k, "state"), 0);
	kernel_member(s, "proto", proto, 16);
	kernel_member(s, "tuplehash", &k->u64, 64);
}

static inline void tables_fake_types(struct fake_kernel *k)
{
	struct type *s;

	WORDS(k, "neigh_table", "nht");
	s = WORDS(k, "neigh_hash_table", "hash_buckets");
	kernel_member(s, "hash_shift", &k->u64, 8);
	s = WORDS(k, "neighbour", "next", "pprev", "nud_state", "dev");
	kernel_member(s, "ha", kernel_array(k, &k->u8, 32), 32);
	kernel_member(s, "primary_key", &k->u8, 64);
	WORDS(k, "inet_hashinfo", "ehash", "ehash_mask", "lhash2", "lhash2_mask");
	WORDS(k, "inet_listen_hashbucket", "lock", "nulls_head");
	WORDS(k, "inet_ehash_bucket", "chain");
	WORDS(k, "udp_table", "hash", "mask");
	WORDS(k, "udp_hslot", "head", "count");
	s = tables_type(k, "sock_common");
	kernel_member(s, "skc_nulls_node", &k->u64, 0x180);
	kernel_member(s, "skc_node", &k->u64, 0x180);
	tables_fake_conntrack(k);
}

/* 10.1.2.3 as the bytes of the network's order */
static inline void put_address(struct fake_kernel *k, uint64_t at, uint8_t last)
{
	const uint8_t bytes[] = { 10, 1, 2, last };

	memcpy(&k->mem[at - KERNEL_BASE], bytes, sizeof(bytes));
}

/* Two neighbours in one chain: 10.1.2.7, known for good, and 10.1.2.8, which does not answer. */
static inline void fake_neighbours(struct fake_kernel *k)
{
	put64(k, F_AT(F_DEV) + 0x50, 6);
	put64(k, F_AT(F_DEV) + 0x58, 1); /* ARPHRD_ETHER */
	put64(k, F_AT(F_DEV) + 0x60, F_AT(F_NET));
	put64(k, N_AT(N_ARP), N_AT(N_HASH));
	put64(k, N_AT(N_HASH), N_AT(N_CHAINS));
	put64(k, N_AT(N_HASH) + 8, 1);
	put64(k, N_AT(N_CHAINS) + 8, N_AT(N_NEIGHBOUR));
	put64(k, N_AT(N_NEIGHBOUR), N_AT(N_NEIGHBOUR2));
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t at = N_AT(N_NEIGHBOUR + (int)i);

		put64(k, at + 16, i ? 0x20 : 0x80); /* NUD_FAILED, NUD_PERMANENT */
		put64(k, at + 24, F_AT(F_DEV));
		put_bytes(k, at + 32, "\x02\x00\x00\x00\x00\x07", 6);
		put_address(k, at + 64, (uint8_t)(7 + i));
	}
	kernel_symbol(k, "arp_tbl", N_AT(N_ARP));
}

/* Those of vfs_fake.h: one listens, one is connected, and ends in an odd number; one is of UDP. */
static inline void fake_socket_tables(struct fake_kernel *k)
{
	put64(k, F_AT(F_NET) + 0x48, N_AT(N_HASHINFO));
	put64(k, F_AT(F_NET) + 0x50, N_AT(N_UDP));
	put64(k, N_AT(N_HASHINFO), N_AT(N_ESTABLISHED));
	put64(k, N_AT(N_HASHINFO) + 8, 1);
	put64(k, N_AT(N_HASHINFO) + 16, N_AT(N_LISTEN));
	put64(k, N_AT(N_LISTEN) + 8, F_AT(F_INET6SOCK) + 0x180);
	put64(k, F_AT(F_INET6SOCK) + 0x180, 1);
	put64(k, N_AT(N_ESTABLISHED), 1);
	put64(k, N_AT(N_ESTABLISHED) + 8, F_AT(F_INETSOCK) + 0x180);
	put64(k, F_AT(F_INETSOCK) + 0x180, 3);
	put64(k, N_AT(N_UDP), N_AT(N_UDP_SLOTS));
}

/* 10.1.2.0/24 of the main table, and behind the same trie the local one's 10.1.2.3; default by
 * IPv6, and fe80::/64 by a group of next hops. */
static inline void fake_routes(struct fake_kernel *k)
{
	const uint64_t leaf = N_AT(N_LEAF), leaf2 = N_AT(N_LEAF2);

	put64(k, F_AT(F_NET) + 0x40, N_AT(N_TABLES));
	put64(k, N_AT(N_TABLES) + 8, N_AT(N_TABLE));
	put64(k, N_AT(N_TABLE) + 16, 254);
	put64(k, N_AT(N_TABLE) + 24, N_AT(N_TRIE));
	put64(k, N_AT(N_TRIE) + 16, N_AT(N_NODE));
	put64(k, N_AT(N_NODE) + 8, 1);
	put64(k, N_AT(N_NODE) + 16, leaf);
	put64(k, N_AT(N_NODE) + 24, leaf2);
	put64(k, leaf, 0x0a010200);
	put64(k, leaf + 16, N_AT(N_ALIAS));
	put64(k, leaf2, 0x0a010203);
	put64(k, leaf2 + 16, N_AT(N_ALIAS2));
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t alias = N_AT(N_ALIAS + (int)i), info = N_AT(N_INFO + (int)i);

		put64(k, alias + 16, info);
		put64(k, alias + 24, i ? 0 : 8);
		put64(k, alias + 32, 1 + i);
		put64(k, alias + 40, 254 + i);
		put64(k, info + 8, 2);
		put64(k, info + 16, 253);
		put64(k, info + 24, 7);
		put_address(k, info + 32, 3);
		put64(k, info + 40, 1);
		put64(k, info + 48, F_AT(F_DEV));
		put64(k, info + 56, AF_INET);
		put64(k, info + 64, 1); /* RTNH_F_DEAD */
		put_address(k, info + 72, 1);
	}
	put64(k, F_AT(F_NET) + 0x60, N_AT(N_NULL6));
	put64(k, F_AT(F_NET) + 0x68, N_AT(N_TABLES6));
	put64(k, N_AT(N_TABLES6), N_AT(N_TABLE6));
	put64(k, N_AT(N_TABLE6) + 16, 254);
	put64(k, N_AT(N_TABLE6) + 24, N_AT(N_CHILD6)); /* left of the root */
	put64(k, N_AT(N_TABLE6) + 40, N_AT(N_INFO6));
	put64(k, N_AT(N_TABLE6) + 48, 4); /* RTN_RTINFO */
	put64(k, N_AT(N_CHILD6) + 16, N_AT(N_INFO6_2));
	put64(k, N_AT(N_CHILD6) + 24, 4);
	put64(k, N_AT(N_INFO6), N_AT(N_NULL6));
	for (unsigned i = 0; i < 2; i++) {
		put64(k, N_AT(N_INFO6 + (int)i) + 56, 256 + i);
		put64(k, N_AT(N_INFO6 + (int)i) + 72, 1);
		put64(k, N_AT(N_INFO6 + (int)i) + 88, F_AT(F_DEV));
	}
	put_bytes(k, N_AT(N_INFO6_2) + 8, "\xfe\x80", 2);
	put64(k, N_AT(N_INFO6_2) + 24, 64);
	put64(k, N_AT(N_INFO6_2) + 80, N_AT(N_NEXTHOP));
	put64(k, N_AT(N_NEXTHOP), N_AT(N_GROUP));
	put64(k, N_AT(N_NEXTHOP) + 8, 1);
	put64(k, N_AT(N_GROUP), 1);
	put64(k, N_AT(N_GROUP) + 8, N_AT(N_NEXTHOP2));
	put64(k, N_AT(N_NEXTHOP2), N_AT(N_NH_INFO));
	put64(k, N_AT(N_NH_INFO) + 8, F_AT(F_DEV));
	put64(k, N_AT(N_NH_INFO) + 16, AF_INET6);
	put_bytes(k, N_AT(N_NH_INFO) + 32, "\xfe\x80", 2);
	put8(k, N_AT(N_NH_INFO) + 47, 9);
}

/* A root that only distributes, and below it one for each of two queues; the second's is stopped.
 */
static inline void fake_queues(struct fake_kernel *k)
{
	put64(k, F_AT(F_DEV) + 0x68, N_AT(N_QUEUES));
	put64(k, F_AT(F_DEV) + 0x70, 2);
	put64(k, F_AT(F_DEV) + 0x78, N_AT(N_ROOT));
	put64(k, F_AT(F_DEV) + 0x80, N_AT(N_QDISC) + 32);
	put64(k, N_AT(N_QDISC) + 32, N_AT(N_QDISC2) + 32);
	put64(k, N_AT(N_QUEUES), N_AT(N_QDISC));
	put64(k, N_AT(N_QUEUES) + 16, N_AT(N_QDISC2));
	put64(k, N_AT(N_QUEUES) + 24, 1);
	put_str(k, N_AT(N_OPS), "fq");
	for (unsigned i = 0; i < 3; i++) {
		const uint64_t at = N_AT(N_ROOT + (int)i);

		put64(k, at + 8, N_AT(N_OPS));
		put64(k, at + 16, 0x10000 * (i + 1));
		put64(k, at + 24, i ? 0x10000 + i : 0xffffffff);
		put64(k, at + 64, i);
		put64(k, at + 72, 5000 * i);
		put64(k, at + 80, 50 * i);
		put32(k, at + 92, 600 * i);
		put32(k, at + 96, 7 * i);
		put32(k, at + 100, 8 * i);
		put32(k, at + 104, 9 * i);
	}
}

/* 10.1.2.3:22 and 10.1.2.4:4096, seen from either end. */
static inline void fake_connection(struct fake_kernel *k)
{
	const uint64_t conn = N_AT(N_CONN);

	put64(k, N_AT(N_CONNTRACK), N_AT(N_CONN_CHAINS));
	put32(k, N_AT(N_CONNTRACK) + 8, 2);
	put64(k, N_AT(N_CONN_CHAINS), conn + 64);
	put64(k, N_AT(N_CONN_CHAINS) + 8, conn + 128);
	put64(k, conn, 1000);
	put64(k, conn + 8, 6); /* IPS_SEEN_REPLY, IPS_ASSURED */
	put64(k, conn + 16, 3);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t hash = conn + 64 + 64 * i;

		put64(k, hash, 1);
		put_address(k, hash + 16, (uint8_t)(3 + i));
		put_address(k, hash + 32, (uint8_t)(4 - i));
		put_bytes(k, hash + 24, i ? "\x10" : "\0\x16", 2);
		put_bytes(k, hash + 40, i ? "\0\x16" : "\x10", 2);
		put8(k, hash + 48, AF_INET);
		put8(k, hash + 49, 6);
		put8(k, hash + 50, (uint8_t)i);
	}
	kernel_symbol(k, "nf_conntrack_hash", N_AT(N_CONNTRACK));
	kernel_symbol(k, "nf_conntrack_htable_size", N_AT(N_CONNTRACK) + 8);
}

/* The kernel that keeps the death row behind a pointer (v5.18 to v6.0); after tables_fake_init().
 */
static inline void tables_fake_row(struct fake_kernel *k)
{
	const struct type *ipv4 = tables_member(tables_type(k, "net"), "ipv4")->type;

	tables_member(ipv4, "tcp_death_row")->type = &k->ptr;
	WORDS(k, "inet_timewait_death_row", "tw_refcount", "hashinfo");
	put64(k, F_AT(F_NET) + 0x48, N_AT(N_END));
	put64(k, N_AT(N_END) + 8, N_AT(N_HASHINFO));
}

/* A module that is loaded, and has no symbols; after tables_fake_init(). */
static inline void tables_fake_module(struct fake_kernel *k, const char *name)
{
	const uint64_t head = N_AT(N_END), module = head + 16, list = module + 8;
	struct type *s = kernel_struct(k, "module", 128);

	kernel_member(s, "state", &k->u64, 0);
	kernel_member(s, "list", INNER(k, "next", "prev"), 8);
	kernel_member(s, "name", kernel_array(k, &k->u8, 56), 24);
	kernel_member(s, "taints", &k->u64, 80);
	kernel_member(s, "core_layout", INNER(k, "base", "size", "text_size"), 88);
	kernel_member(s, "init_layout", INNER(k, "base", "size"), 112);
	put_str(k, module + 24, name);
	put_list(k, head, &list, 1);
	kernel_symbol(k, "modules", head);
}

static inline void tables_fake_init(struct fake_kernel *k)
{
	vfs_fake_init(k);
	tables_fake_types(k);
	tables_fake_routes(k);
	tables_fake_queues(k);
	fake_neighbours(k);
	fake_socket_tables(k);
	fake_routes(k);
	fake_queues(k);
	fake_connection(k);
}

#endif
