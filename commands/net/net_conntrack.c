/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net conntrack: connections that netfilter tracks. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/obit.h"
#include "core/linux/net/tables.h"
#include "commands/net/net_record.h"

enum {
	CONN,
	FAMILY,
	PROTOCOL,
	STATE,
	TIMEOUT,
	SOURCE,
	DESTINATION,
	REPLY_SOURCE,
	REPLY_DESTINATION,
	STATUS,
	NETNS
};
static const struct record_field fields[] = {
	[CONN] = { "conn", NULL, CELL_ADDR, 0, "address of the struct nf_conn" },
	[FAMILY] = { "family", NULL, CELL_STR, FIELD_JSON, "INET or INET6" },
	[PROTOCOL] = { "protocol", NULL, CELL_STR, 0, "tcp, udp, icmp, icmpv6, or its number" },
	[STATE] = { "state", NULL, CELL_STR, 0, "of TCP: ESTABLISHED, TIME_WAIT, ..." },
	[TIMEOUT] = { "timeout", NULL, CELL_DURATION, 0,
		      "until it is forgotten; null: another keeps its time" },
	[SOURCE] = { "source", NULL, CELL_STR, 0, "who began: address and port; of ICMP the id" },
	[DESTINATION] = { "destination", NULL, CELL_STR, 0,
			  "with whom; of ICMP type * 256 + code in place of the port" },
	[REPLY_SOURCE] = { "reply_source", "ANSWER FROM", CELL_STR, 0,
			   "where the answer comes from: differs when addresses are translated" },
	[REPLY_DESTINATION] = { "reply_destination", "TO", CELL_STR, 0, "where the answer goes" },
	[STATUS] = { "status", NULL, CELL_STRS, 0, "SEEN_REPLY, ASSURED, SRC_NAT, DST_NAT, ..." },
	[NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON, "number of its network namespace" },
};
static const struct record_kind connection_kind = {
	"tracked_connection", "a connection that netfilter tracks", LAYOUT_TABLE, NULL, fields,
	ARRAY_SIZE(fields)
};

struct connections {
	struct ctx *c;
	struct err *err;
	bool ok;
};

static void on_flaw(const struct err *e, void *arg)
{
	const struct connections *w = arg;

	note(w->c, e);
}

static const char *protocol_name(struct ctx *c, uint64_t protocol)
{
	switch (protocol) {
	case IPPROTO_TCP:
		return "tcp";
	case IPPROTO_UDP:
		return "udp";
	case IPPROTO_ICMP:
		return "icmp";
	case IPPROTO_ICMPV6:
		return "icmpv6";
	default:
		return arena_printf(c->arena, "%llu", (unsigned long long)protocol);
	}
}

static const char *end_text(struct ctx *c, uint64_t family, const char *address, uint64_t port)
{
	return arena_printf(c->arena, family == AF_INET6 ? "[%s]:%llu" : "%s:%llu", address,
			    (unsigned long long)port);
}

/* IPS_*, include/uapi/linux/netfilter/nf_conntrack_common.h: a bit each. That it is confirmed says
 * that it is in the table. */
static void status_set(struct record *r, uint64_t status, struct arena *a)
{
	static const char *const names[] = {
		"EXPECTED",      "SEEN_REPLY", "ASSURED", NULL,     "SRC_NAT",
		"DST_NAT",       "SEQ_ADJUST", NULL,      NULL,     "DYING",
		"FIXED_TIMEOUT", "TEMPLATE",   NULL,      "HELPER", "OFFLOAD",
	};
	const char **words = ARENA_ARRAY(a, const char *, ARRAY_SIZE(names));
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && (status >> i & 1))
			words[n++] = names[i];
	record_strs(r, STATUS, words, n);
}

static bool show_one(const struct net_connection *t, void *arg)
{
	struct connections *w = arg;
	struct ctx *c = w->c;
	struct record r;
	uint64_t number;

	if (piped(c)) {
		w->ok = yield(c, value_ref(c->out_type, t->addr), w->err);
		return w->ok;
	}
	number = net_number(c, t->net);
	record_init(&r, &connection_kind);
	record_uint(&r, CONN, t->addr);
	record_str(&r, FAMILY, t->family == AF_INET6 ? "INET6" : "INET");
	record_str(&r, PROTOCOL, protocol_name(c, t->protocol));
	record_str(&r, STATE, t->state);
	if (t->has_timeout)
		record_uint(&r, TIMEOUT, t->timeout_ns);
	record_str(&r, SOURCE, end_text(c, t->family, t->there.source, t->there.sport));
	record_str(&r, DESTINATION, end_text(c, t->family, t->there.destination, t->there.dport));
	record_str(&r, REPLY_SOURCE, end_text(c, t->family, t->back.source, t->back.sport));
	record_str(&r, REPLY_DESTINATION,
		   end_text(c, t->family, t->back.destination, t->back.dport));
	status_set(&r, t->status, c->arena);
	if (number)
		record_uint(&r, NETNS, number);
	emit(c, &r);
	return true;
}

static bool conntrack_types(struct ctx *c, struct err *err)
{
	return !piped(c) || type_find(c->t, "struct nf_conn", &c->out_type, err);
}

static bool conntrack_run(struct ctx *c, struct err *err)
{
	struct connections w = { .c = c, .err = err, .ok = true };
	struct err why;

	if (net_connections(c->t, c->arena, show_one, on_flaw, &w, &why))
		return w.ok;
	if (why.code == ERR_NOTFOUND) {
		emit_none(c, &connection_kind, why.msg);
		return true;
	}
	return net_ended(c, false, &why, err);
}

static const struct example examples[] = {
	{ "net conntrack", "connections that netfilter tracks" },
};
const struct command cmd_net_conntrack = {
	.name = "net conntrack",
	.group = "system",
	.summary = "connections that netfilter tracks",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.types = conntrack_types,
	.emits = (const struct record_kind *const[]){ &connection_kind, NULL },
	.none = "no connection is tracked",
	.help = "Prints the table of nf_conntrack, a module, of all network namespaces: each connection as it began, and what its "
		"answers look like. ICMP has no ports: in their place stand its id, and type * 256 + code.",
	EXAMPLES(examples),
	.run = conntrack_run,
};
