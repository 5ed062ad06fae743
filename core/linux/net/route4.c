/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes of IPv4: a trie for each table, net/ipv4/fib_trie.c. */
#include "core/linux/net/tables.h"

#include <arpa/inet.h>

#include "core/base/guard.h"
#include "core/types/shape.h"

#define KEY_BITS 32u
#define NODE_BITS 24u /* more children than any node has */
#define STEPS_MAX (UINT64_C(1) << 28)
#define TABLES 256u      /* FIB_TABLE_HASHSZ with CONFIG_IP_MULTIPLE_TABLES */
#define TABLES_SINGLE 2u /* and without */

struct trie {
	struct route_walk *w;
	struct guard guard;
	uint64_t table, key;
};

static void destination_set(struct route_walk *w, uint32_t key, uint64_t prefix)
{
	char text[INET_ADDRSTRLEN];
	uint32_t bytes = htonl(key);

	inet_ntop(AF_INET, &bytes, text, sizeof(text));
	if (!prefix && !key)
		w->now.destination = "default";
	else if (prefix == KEY_BITS)
		w->now.destination = arena_strdup(w->a, text);
	else
		w->now.destination =
			arena_printf(w->a, "%s/%llu", text, (unsigned long long)prefix);
}

/* What a struct fib_info says of the route. */
static bool info_read(struct route_walk *w, uint64_t info, struct err *err)
{
	static const char type[] = "struct fib_info";
	struct route_hops h = { .type = type,
				.object = "nh",
				.hops = "fib_nh",
				.hop_type = "struct fib_nh",
				.addr = info };
	struct net_route *r = &w->now;
	uint64_t source, off;

	r->addr = info;
	r->source = r->gateway = r->device_name = NULL;
	if (!field_u64(w->t, type, info, "fib_protocol", &r->protocol, err) ||
	    !field_u64(w->t, type, info, "fib_scope", &r->scope, err) ||
	    !field_u64(w->t, type, info, "fib_priority", &r->metric, err) ||
	    !field_u64(w->t, type, info, "fib_prefsrc", &source, err) ||
	    !field_offset(w->t, type, "fib_prefsrc", &off, err) ||
	    !field_u64(w->t, type, info, "fib_nhs", &h.count, err))
		return false;
	if (source && !net_address(w->t, AF_INET, info + off, w->a, &r->source, err))
		return false;
	return route_hops(w, &h, err);
}

/* Of a trie that two tables share each shows its own. */
static bool alias_see(uint64_t at, void *arg)
{
	static const char type[] = "struct fib_alias";
	struct trie *trie = arg;
	struct route_walk *w = trie->w;
	uint64_t table, slen, info;
	struct err why;

	if (!field_u64(w->t, type, at, "tb_id", &table, &why) ||
	    !field_u64(w->t, type, at, "fa_slen", &slen, &why) ||
	    !field_u64(w->t, type, at, "fa_type", &w->now.type, &why) ||
	    !field_u64(w->t, type, at, "fa_info", &info, &why)) {
		w->flaw(&why, w->arg);
		return true;
	}
	if (table != trie->table)
		return true;
	w->now.table = table;
	if (slen > KEY_BITS) {
		err_set_addr(&why, ERR_CORRUPT, at, "a prefix without its last %llu bits",
			     (unsigned long long)slen);
		w->flaw(&why, w->arg);
		return true;
	}
	destination_set(w, (uint32_t)trie->key, KEY_BITS - slen);
	if (!info_read(w, info, &why)) {
		err_wrap(&why, "route to %s", w->now.destination);
		w->flaw(&why, w->arg);
	}
	return !w->stop;
}

/* A key_vector without bits is a leaf with its aliases; another has 2^bits children. */
static bool node_walk(struct trie *trie, uint64_t node, unsigned depth, struct err *err)
{
	static const char type[] = "struct key_vector";
	struct route_walk *w = trie->w;
	struct err why;
	uint64_t bits, off, link, child;

	if (depth > KEY_BITS + 1)
		return err_set_addr(err, ERR_CORRUPT, node, "a trie that is too deep");
	if (!guard_step(&trie->guard, node, err) ||
	    !field_u64(w->t, type, node, "bits", &bits, err) ||
	    !field_offset(w->t, type, "leaf", &off, err))
		return false;
	if (!bits)
		return field_u64(w->t, type, node, "key", &trie->key, err) &&
		       field_offset(w->t, "struct fib_alias", "fa_list", &link, err) &&
		       hlist_each(w->t, node + off, link, "aliases", alias_see, trie, err);
	if (bits > NODE_BITS)
		return err_set_addr(err, ERR_CORRUPT, node, "a node of the trie with %llu bits",
				    (unsigned long long)bits);
	/* each child is a step, even where there is none */
	trie->guard.steps += UINT64_C(1) << bits;
	for (uint64_t i = 0; i < UINT64_C(1) << bits && !w->stop; i++) {
		if (!mem_ptr(w->t, node + off + i * w->t->arch->word, &child, err))
			return false;
		if (!child || node_walk(trie, child, depth + 1, &why))
			continue;
		if (why.code == ERR_INTR || why.code == ERR_LIMIT) {
			*err = why;
			return false;
		}
		w->flaw(&why, w->arg);
	}
	return true;
}

static bool table_see(uint64_t table, void *arg)
{
	struct route_walk *w = arg;
	struct trie trie = { .w = w };
	uint64_t data, kv, off, root;
	struct err why;

	guard_init(&trie.guard, "routes", STEPS_MAX);
	/* the only child of the node at the top is the trie */
	if (!field_u64(w->t, "struct fib_table", table, "tb_id", &trie.table, &why) ||
	    !field_u64(w->t, "struct fib_table", table, "tb_data", &data, &why) ||
	    !field_offset(w->t, "struct trie", "kv", &kv, &why) ||
	    !field_offset(w->t, "struct key_vector", "leaf", &off, &why) ||
	    !mem_ptr(w->t, data + kv + off, &root, &why) ||
	    (root && !node_walk(&trie, root, 0, &why)))
		w->flaw(&why, w->arg);
	return !w->stop;
}

bool routes_4(struct route_walk *w, uint64_t net, struct err *err)
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

	w->now = (struct net_route){ .addr = 0 };
	if (!field_offset(w->t, "struct net", "ipv4.rules_ops", &off, &none))
		c.count = TABLES_SINGLE;
	return field_u64(w->t, "struct net", net, "ipv4.fib_table_hash", &c.head, err) &&
	       field_offset(w->t, "struct fib_table", "tb_hlist", &c.link, err) &&
	       chains_walk(w->t, &c, err);
}
