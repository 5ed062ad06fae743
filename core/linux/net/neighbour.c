/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbours: which hardware address an address of the same network has. */
#include "core/linux/module/module.h"
#include "core/linux/net/tables.h"

#include <arpa/inet.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/types/shape.h"

#define HARDWARE_MAX 32u /* MAX_ADDR_LEN, include/linux/netdevice.h */
#define HASH_SHIFT_MAX 26u
#define NUD_VALID 0xdeu /* states in which the hardware address is one */

struct neighbour_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct net_neighbour *n, void *arg);
	net_flaw_fn *flaw;
	void *arg;
	int family;
	bool stop;
};

static void tell(const struct err *e, void *arg)
{
	const struct neighbour_walk *w = arg;

	w->flaw(e, w->arg);
}

static bool hardware_read(struct neighbour_walk *w, uint64_t at, struct net_neighbour *n,
			  struct err *err)
{
	uint8_t bytes[HARDWARE_MAX];
	uint64_t off, len;
	struct buf b = { 0 };

	if (!field_u64(w->t, "struct net_device", n->device, "addr_len", &len, err) ||
	    !field_u64(w->t, "struct net_device", n->device, "type", &n->hardware_type, err) ||
	    !field_offset(w->t, "struct neighbour", "ha", &off, err))
		return false;
	if (len > sizeof(bytes))
		return err_set_addr(err, ERR_CORRUPT, n->device, "hardware addresses of %llu bytes",
				    (unsigned long long)len);
	if (!(n->state & NUD_VALID) || !len)
		return true;
	if (!mem_read(w->t, at + off, bytes, len, err))
		return false;
	for (uint64_t i = 0; i < len; i++)
		buf_printf(&b, "%s%02x", i ? ":" : "", bytes[i]);
	n->hardware = arena_strdup(w->a, buf_text(&b));
	buf_release(&b);
	return true;
}

static bool neighbour_see(uint64_t at, void *arg)
{
	static const char type[] = "struct neighbour";
	struct neighbour_walk *w = arg;
	struct net_neighbour n = { .addr = at };
	struct err why;
	uint64_t key;

	if (!field_offset(w->t, type, "primary_key", &key, &why) ||
	    !field_u64(w->t, type, at, "nud_state", &n.state, &why) ||
	    !field_u64(w->t, type, at, "dev", &n.device, &why) ||
	    !net_address(w->t, w->family, at + key, w->a, &n.address, &why)) {
		err_wrap(&why, "neighbour 0x%llx", (unsigned long long)at);
		tell(&why, w);
		return true;
	}
	n.device_name = net_device_name(w->t, n.device, w->a, w->flaw, w->arg);
	if (!hardware_read(w, at, &n, &why))
		tell(&why, w);
	if (!field_u64(w->t, "struct net_device", n.device, "nd_net.net", &n.net, &why))
		n.net = 0;
	w->stop = !w->fn(&n, w->arg);
	return !w->stop;
}

/* The entries of a table: chained by a pointer each, or in hlists (neighbour.hash). */
static bool table_walk(struct neighbour_walk *w, uint64_t table, struct err *err)
{
	struct chains c = { .what = "neighbours",
			    .stride = w->t->arch->word,
			    .node = neighbour_see,
			    .flaw = tell,
			    .arg = w,
			    .stop = &w->stop };
	uint64_t hash, shift;

	if (!field_u64(w->t, "struct neigh_table", table, "nht", &hash, err))
		return false;
	/* a table that was never made ready, as with ipv6.disable */
	if (!hash)
		return true;
	if (!field_u64(w->t, "struct neigh_hash_table", hash, "hash_buckets|hash_heads", &c.head,
		       err) ||
	    !field_u64(w->t, "struct neigh_hash_table", hash, "hash_shift", &shift, err) ||
	    !field_offset(w->t, "struct neighbour", "next|hash", &c.link, err))
		return false;
	if (shift > HASH_SHIFT_MAX)
		return err_set_addr(err, ERR_CORRUPT, hash, "a hash table of 2^%llu chains",
				    (unsigned long long)shift);
	c.count = UINT64_C(1) << shift;
	return chains_walk(w->t, &c, err);
}

bool net_neighbours(struct target *t, struct arena *a,
		    bool (*fn)(const struct net_neighbour *n, void *arg), net_flaw_fn *flaw,
		    void *arg, struct err *err)
{
	struct neighbour_walk w = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct symbol table;
	struct err why;

	w.family = AF_INET;
	if (!symbol_find(t, "arp_tbl", &table, err))
		return false;
	if (!table_walk(&w, table.addr, &why))
		flaw(&why, arg);
	w.family = AF_INET6;
	/* a kernel may have no IPv6 */
	if (!w.stop &&
	    (module_symbol(t, "nd_tbl", "ipv6", &table, &why) ? !table_walk(&w, table.addr, &why)
							      : why.code != ERR_NOTFOUND))
		flaw(&why, arg);
	return interrupt_check(err);
}
