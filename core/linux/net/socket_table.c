/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hash tables in which TCP and UDP find their sockets. */
#include <string.h>

#include "core/linux/net/net.h"
#include "core/linux/net/tables.h"
#include "core/types/shape.h"

struct socket_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct net_socket *s, void *arg);
	net_flaw_fn *flaw;
	void *arg;
	struct map tables; /* that were walked: namespaces may share one, or have their own */
	bool stop;
};

static void tell(const struct err *e, void *arg)
{
	const struct socket_walk *w = arg;

	w->flaw(e, w->arg);
}

static bool sock_see(uint64_t sock, void *arg)
{
	struct socket_walk *w = arg;
	struct net_socket s = { .sock = sock };
	struct err why;

	if (!net_sock(w->t, w->a, &s, &why))
		tell(&why, w);
	w->stop = !w->fn(&s, w->arg);
	return !w->stop;
}

static bool is_new(struct socket_walk *w, uint64_t table)
{
	bool isnew = false;

	if (table)
		map_put(&w->tables, table, &isnew);
	return isnew;
}

/* A table of buckets of the struct `bucket`, whose member `head` chains by the member `link`. */
static bool buckets_walk(struct socket_walk *w, const char *what, const char *bucket,
			 const char *head, const char *link, uint64_t table, uint64_t count,
			 struct err *err)
{
	struct chains c = { .what = what,
			    .count = count,
			    .node = sock_see,
			    .flaw = tell,
			    .arg = w,
			    .stop = &w->stop };
	const struct type *type;
	uint64_t off;

	if (!is_new(w, table))
		return true;
	if (!type_find(w->t, bucket, &type, err) || !field_offset(w->t, bucket, head, &off, err) ||
	    !field_offset(w->t, "struct sock_common", link, &c.link, err))
		return false;
	c.head = table + off;
	c.stride = type->size;
	return chains_walk(w->t, &c, err);
}

/* Sockets that listen: in a table by their port alone until cae3873c5b3a (v5.19), then in that by
 * their address, too. */
static bool listeners_walk(struct socket_walk *w, uint64_t info, struct err *err)
{
	static const char type[] = "struct inet_hashinfo";
	static const char bucket[] = "struct inet_listen_hashbucket";
	const struct type *hashinfo, *one;
	struct member_ref by_port;
	uint64_t table, mask;
	struct err none;

	if (!type_find(w->t, type, &hashinfo, err) || !type_find(w->t, bucket, &one, err))
		return false;
	if (type_member(hashinfo, "listening_hash", &by_port, &none))
		return buckets_walk(w, "listening sockets of TCP", bucket, "nulls_head",
				    "skc_nulls_node", info + by_port.offset,
				    by_port.type->size / one->size, err);
	return field_u64(w->t, type, info, "lhash2", &table, err) &&
	       field_u64(w->t, type, info, "lhash2_mask", &mask, err) &&
	       buckets_walk(w, "listening sockets of TCP", bucket, "nulls_head", "skc_nulls_node",
			    table, mask + 1, err);
}

static bool tcp_walk(struct socket_walk *w, uint64_t info, struct err *err)
{
	static const char type[] = "struct inet_hashinfo";
	uint64_t table, mask;

	return listeners_walk(w, info, err) &&
	       (w->stop || (field_u64(w->t, type, info, "ehash", &table, err) &&
			    field_u64(w->t, type, info, "ehash_mask", &mask, err) &&
			    buckets_walk(w, "sockets of TCP", "struct inet_ehash_bucket", "chain",
					 "skc_nulls_node", table, mask + 1, err)));
}

static bool udp_walk(struct socket_walk *w, uint64_t udp, struct err *err)
{
	uint64_t table, mask;

	return field_u64(w->t, "struct udp_table", udp, "hash", &table, err) &&
	       field_u64(w->t, "struct udp_table", udp, "mask", &mask, err) &&
	       buckets_walk(w, "sockets of UDP", "struct udp_hslot", "head", "skc_node", table,
			    mask + 1, err);
}

/* Where TCP's tables are: the death row that names them was behind a pointer from fbb8295248e1
 * (v5.18) until e9bd0cca09d1 (v6.1). */
static bool hashinfo_find(struct socket_walk *w, uint64_t net, uint64_t *ret, struct err *err)
{
	static const char type[] = "struct net";
	uint64_t row;

	if (field_u64(w->t, type, net, "ipv4.tcp_death_row.hashinfo", ret, err))
		return true;
	return err->code == ERR_NOFIELD &&
	       field_u64(w->t, type, net, "ipv4.tcp_death_row", &row, err) &&
	       field_u64(w->t, "struct inet_timewait_death_row", row, "hashinfo", ret, err);
}

/* A namespace has tables of its own only where it was told so. */
static bool net_see(uint64_t net, void *arg)
{
	struct socket_walk *w = arg;
	uint64_t table;
	struct err why;

	if (!hashinfo_find(w, net, &table, &why) || (is_new(w, table) && !tcp_walk(w, table, &why)))
		tell(&why, w);
	if (w->stop)
		return false;
	/* since ba6aac15167e (v6.2) */
	if (field_u64(w->t, "struct net", net, "ipv4.udp_table", &table, &why)
		    ? is_new(w, table) && !udp_walk(w, table, &why)
		    : why.code != ERR_NOFIELD)
		tell(&why, w);
	return !w->stop;
}

bool net_sockets(struct target *t, struct arena *a,
		 bool (*fn)(const struct net_socket *s, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct socket_walk w = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct symbol table;
	struct err why;
	bool ok;

	ok = net_namespaces(t, net_see, tell, &w, err);
	if (ok && !w.stop && symbol_find(t, "udp_table", &table, &why) && is_new(&w, table.addr) &&
	    !udp_walk(&w, table.addr, &why))
		flaw(&why, arg);
	map_release(&w.tables);
	return ok;
}
