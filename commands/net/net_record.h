/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands of the network share: which namespaces are meant, and the record of a socket.
 */
#ifndef OBIT_NET_RECORD_H
#define OBIT_NET_RECORD_H

#include "core/linux/net/net.h"
#include "core/shell/command.h"

/* ---- the namespaces */
struct space_opts {
	bool all;
	const char *task;
};
#define SPACE_OPTIONS(type, member, what)                            \
	OPT_FLAG("N", type, member.all, what " of every namespace"), \
		OPT_STR("n", "task", type, member.task, what " of this task's namespace")

extern const struct record_kind net_namespace_kind;
/* Calls fn for the initial namespace, for that of o->task, or for all, each below its record then.
 * number is 0 when it is not known. What fn cannot read it notes; it returns false to stop, with
 * *err set when that is a failure of the command. False: so it is. */
typedef bool space_fn(struct ctx *c, uint64_t net, uint64_t number, void *arg, struct err *err);
bool each_namespace(struct ctx *c, const struct space_opts *o, space_fn *fn, void *arg,
		    struct err *err) MUST_CHECK;
/* What could not be read ends the answer, which is noted, and is no failure of the command. */
bool net_ended(struct ctx *c, bool ok, const struct err *why, struct err *err) MUST_CHECK;
/* The number of a namespace; 0, and it is told, when it cannot be read. */
uint64_t net_number(struct ctx *c, uint64_t net);

/* ---- sockets */
extern const struct record_kind socket_kind, inet_socket_kind;
struct socket_owner {
	int64_t pid;
	uint64_t fd;
};
/* Emits a socket: of a task, or when owner is NULL one of whom that is not known. */
void emit_socket(struct ctx *c, const struct net_socket *s, const struct socket_owner *owner);

#endif
