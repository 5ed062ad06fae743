/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net sockets: those of TCP and UDP, of all network namespaces. */
#include "core/obit.h"
#include "commands/net/net_record.h"

struct sockets {
	struct ctx *c;
	struct err *err;
	bool ok;
};

static void on_flaw(const struct err *e, void *arg)
{
	const struct sockets *w = arg;

	note(w->c, e);
}

static bool show_one(const struct net_socket *s, void *arg)
{
	struct sockets *w = arg;

	if (!piped(w->c)) {
		emit_socket(w->c, s, NULL);
		return true;
	}
	/* the others are no struct sock behind their first member */
	w->ok = !s->whole || yield(w->c, value_ref(w->c->out_type, s->sock), w->err);
	return w->ok;
}

static bool sockets_types(struct ctx *c, struct err *err)
{
	return !piped(c) || type_find(c->t, "struct sock", &c->out_type, err);
}

static bool sockets_run(struct ctx *c, struct err *err)
{
	struct sockets w = { .c = c, .err = err, .ok = true };
	struct err why;

	return net_ended(c, net_sockets(c->t, c->arena, show_one, on_flaw, &w, &why), &why, err) &&
	       w.ok;
}

static const struct example examples[] = {
	{ "net sockets", "all sockets of TCP and UDP" },
	{ "net sockets | where __sk_common.skc_state == 10", "those that listen" },
	{ "net sockets | group __sk_common.skc_state", "how many are in each state" },
};
const struct command cmd_net_sockets = {
	.name = "net sockets",
	.group = "system",
	.summary = "sockets of TCP and UDP in all namespaces",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.types = sockets_types,
	.emits = (const struct record_kind *const[]){ &inet_socket_kind, NULL },
	.none = "no socket of TCP or UDP",
	.help = "Prints what stands in the hash tables of TCP and UDP, of every network namespace: those too that no task has "
		"any more, and what TCP keeps in place of a whole socket while a connection begins (SYN_RECV) or is over "
		"(TIME_WAIT, FIN_WAIT2). A socket that was never bound nor connected is in no table, nor is one that is closed: "
		"'net -s' has those of tasks. Whose a socket is says 'ps | net'.\n\n"
		"To a pipeline it hands struct sock, and so whole sockets alone.",
	EXAMPLES(examples),
	.run = sockets_run,
};
