/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections that netfilter tracks, net/netfilter/nf_conntrack_core.c: one table for all
 * namespaces, in which each connection stands twice, as it began and as it is answered. */
#include "core/linux/module/module.h"
#include "core/linux/net/tables.h"

#include <arpa/inet.h>

#include "core/linux/misc/irq.h"
#include "core/types/shape.h"

#define REPLY 1u             /* IP_CT_DIR_REPLY */
#define OFFLOADED (1u << 14) /* IPS_OFFLOAD: another keeps its time */

struct conntrack_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct net_connection *c, void *arg);
	net_flaw_fn *flaw;
	void *arg;
	uint64_t jiffies, jiffy_ns, tuples, tuple_size;
	bool stop, timed;
};

static void tell(const struct err *e, void *arg)
{
	const struct conntrack_walk *w = arg;

	w->flaw(e, w->arg);
}

/* enum tcp_conntrack, include/uapi/linux/netfilter/nf_conntrack_tcp.h */
static const char *tcp_state(uint64_t state)
{
	static const char *const names[] = { "NONE",     "SYN_SENT",   "SYN_RECV", "ESTABLISHED",
					     "FIN_WAIT", "CLOSE_WAIT", "LAST_ACK", "TIME_WAIT",
					     "CLOSE",    "SYN_SENT2" };

	return state < ARRAY_SIZE(names) ? names[state] : NULL;
}

/* Reads the addresses and ports of the nf_conntrack_tuple_hash at `at`. */
static bool flow_read(struct conntrack_walk *w, uint64_t at, int family, struct net_flow *f,
		      struct err *err)
{
	static const char type[] = "struct nf_conntrack_tuple_hash";
	uint64_t src, dst;

	if (!field_offset(w->t, type, "tuple.src.u3", &src, err) ||
	    !field_offset(w->t, type, "tuple.dst.u3", &dst, err) ||
	    !net_port(w->t, type, at, "tuple.src.u.all", &f->sport, err) ||
	    !net_port(w->t, type, at, "tuple.dst.u.all", &f->dport, err))
		return false;
	return net_address(w->t, family, at + src, w->a, &f->source, err) &&
	       net_address(w->t, family, at + dst, w->a, &f->destination, err);
}

static bool connection_read(struct conntrack_walk *w, uint64_t hash, struct net_connection *c,
			    struct err *err)
{
	static const char type[] = "struct nf_conn", tuple[] = "struct nf_conntrack_tuple_hash";
	uint64_t state, timeout;
	struct err none, why;

	if (!field_u64(w->t, tuple, hash, "tuple.src.l3num", &c->family, err) ||
	    !field_u64(w->t, tuple, hash, "tuple.dst.protonum", &c->protocol, err) ||
	    !field_u64(w->t, type, c->addr, "status", &c->status, err) ||
	    !field_u64(w->t, type, c->addr, "timeout", &timeout, err))
		return false;
	if (c->family != AF_INET && c->family != AF_INET6)
		return err_set_addr(err, ERR_CORRUPT, hash, "family %llu",
				    (unsigned long long)c->family);
	if (!field_u64(w->t, type, c->addr, "ct_net.net", &c->net, &none))
		c->net = 0;
	if (c->protocol == IPPROTO_TCP) {
		if (field_u64(w->t, type, c->addr, "proto.tcp.state", &state, &why))
			c->state = tcp_state(state);
		else
			tell(&why, w);
	}
	/* in jiffies, of which the lower 32 bits count */
	c->has_timeout = w->timed && !(c->status & OFFLOADED);
	if (c->has_timeout && (int32_t)(uint32_t)(timeout - w->jiffies) > 0)
		c->timeout_ns = (uint32_t)(timeout - w->jiffies) * w->jiffy_ns;
	return flow_read(w, hash, (int)c->family, &c->there, err) &&
	       flow_read(w, hash + w->tuple_size, (int)c->family, &c->back, err);
}

static bool tuple_see(uint64_t hash, void *arg)
{
	static const char tuple[] = "struct nf_conntrack_tuple_hash";
	struct conntrack_walk *w = arg;
	struct net_connection c = { .addr = hash - w->tuples };
	struct err why;
	uint64_t dir;

	if (!field_u64(w->t, tuple, hash, "tuple.dst.dir", &dir, &why) ||
	    (dir != REPLY && !connection_read(w, hash, &c, &why))) {
		err_wrap(&why, "nf_conn 0x%llx", (unsigned long long)c.addr);
		tell(&why, w);
		return true;
	}
	if (dir != REPLY)
		w->stop = !w->fn(&c, w->arg);
	return !w->stop;
}

bool net_connections(struct target *t, struct arena *a,
		     bool (*fn)(const struct net_connection *c, void *arg), net_flaw_fn *flaw,
		     void *arg, struct err *err)
{
	struct conntrack_walk w = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct chains c = { .what = "tracked connections",
			    .stride = t->arch->word,
			    .node = tuple_see,
			    .flaw = tell,
			    .arg = &w,
			    .stop = &w.stop };
	const struct type *hash;
	struct symbol table, size;
	struct err why;
	uint32_t n;

	if (!module_symbol(t, "nf_conntrack_hash", "nf_conntrack", &table, err) ||
	    !module_symbol(t, "nf_conntrack_htable_size", "nf_conntrack", &size, err))
		return err_wrap(err, err->code == ERR_NOTFOUND ? "no connections are tracked"
							       : "tracked connections");
	if (!type_find(t, "struct nf_conntrack_tuple_hash", &hash, err) ||
	    !field_offset(t, "struct nf_conn", "tuplehash", &w.tuples, err) ||
	    !field_offset(t, "struct nf_conntrack_tuple_hash", "hnnode", &c.link, err) ||
	    !mem_ptr(t, table.addr, &c.head, err) || !mem_u32(t, size.addr, &n, err))
		return false;
	w.tuple_size = hash->size;
	c.count = n;
	w.timed = jiffies_now(t, &w.jiffies, &why) && jiffy_length(t, &w.jiffy_ns, &why);
	if (!w.timed)
		flaw(&why, arg);
	return chains_walk(t, &c, err);
}
