/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets. */
#include "core/linux/net/net.h"
#include "core/linux/net/tables.h"
#include "core/types/shape.h"

#include <netinet/in.h>
#include <string.h>

#define FAMILY_UNIX 1 /* include/linux/socket.h */
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define TYPE_STREAM 1
#define STATE_SYN_RECV 3 /* enum of TCP_*, include/net/tcp_states.h */
#define STATE_TIME_WAIT 6
#define STATE_LISTEN 10
#define STATE_NEW_SYN_RECV 12
#define SUN_PATH_MAX 108

static const char *family_name(struct arena *a, uint64_t family)
{
	static const struct {
		unsigned family;
		const char *name;
	} names[] = { { 1, "UNIX" },     { 2, "INET" },    { 10, "INET6" }, { 15, "KEY" },
		      { 16, "NETLINK" }, { 17, "PACKET" }, { 29, "CAN" },   { 31, "BLUETOOTH" },
		      { 38, "ALG" },     { 40, "VSOCK" },  { 44, "XDP" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].family == family)
			return names[i].name;
	return arena_printf(a, "%llu", (unsigned long long)family);
}

static const char *type_name(uint64_t type)
{
	static const char *const names[] = { NULL,  "STREAM",    "DGRAM", "RAW",
					     "RDM", "SEQPACKET", "DCCP" };

	return type < ARRAY_SIZE(names) ? names[type] : type == 10 ? "PACKET" : NULL;
}

/* enum of TCP_*, include/net/tcp_states.h; unix sockets use the same. */
static const char *state_name(uint64_t state)
{
	static const char *const names[] = { NULL,          "ESTABLISHED", "SYN_SENT",  "SYN_RECV",
					     "FIN_WAIT1",   "FIN_WAIT2",   "TIME_WAIT", "CLOSE",
					     "CLOSE_WAIT",  "LAST_ACK",    "LISTEN",    "CLOSING",
					     "NEW_SYN_RECV" };

	return state < ARRAY_SIZE(names) ? names[state] : NULL;
}

/* A socket's address and port. */
static bool endpoint(struct target *t, uint64_t sk, int family, const char *member, uint64_t port,
		     struct arena *a, const char **ret, struct err *err)
{
	const char *text;
	uint64_t off;

	if (!field_offset(t, "struct sock_common", member, &off, err) ||
	    !net_address(t, family, sk + off, a, &text, err))
		return false;
	*ret = arena_printf(a, family == AF_INET ? "%s:%llu" : "[%s]:%llu", text,
			    (unsigned long long)port);
	return true;
}

static bool inet_read(struct target *t, uint64_t sk, int family, struct arena *a,
		      struct net_socket *s, struct err *err)
{
	bool v6 = family == AF_INET6;
	uint64_t num, dport;

	/* the source's port in the machine's order, the other in the network's */
	if (!field_u64(t, "struct sock_common", sk, "skc_num", &num, err) ||
	    !net_port(t, "struct sock_common", sk, "skc_dport", &dport, err))
		return false;
	return endpoint(t, sk, family, v6 ? "skc_v6_rcv_saddr" : "skc_rcv_saddr", num, a,
			&s->source, err) &&
	       endpoint(t, sk, family, v6 ? "skc_v6_daddr" : "skc_daddr", dport, a, &s->destination,
			err);
}

static bool unix_read(struct target *t, uint64_t sk, struct arena *a, struct net_socket *s,
		      struct err *err)
{
	char path[SUN_PATH_MAX + 2] = "";
	uint64_t addr, len, off;

	if (!field_u64(t, "struct unix_sock", sk, "addr", &addr, err))
		return false;
	if (!addr)
		return true;
	if (!field_u64(t, "struct unix_address", addr, "len", &len, err) ||
	    !field_offset(t, "struct unix_address", "name", &off, err))
		return false;
	/* a struct sockaddr_un: two bytes of family, then the path, behind which the kernel has put
	 * a NUL and counts it */
	if (len < 2 || len - 2 > SUN_PATH_MAX + 1)
		return err_set_addr(err, ERR_CORRUPT, addr, "a name of %llu bytes",
				    (unsigned long long)len);
	if (!mem_read(t, addr + off + 2, path, len - 2, err))
		return false;
	s->source = path[0] || len == 2 ? arena_strdup(a, path)
					: arena_printf(a, "@%.*s", (int)(len - 3), path + 1);
	return true;
}

/* What waits in a socket of TCP: sequence numbers count bytes. */
static bool tcp_sizes(struct target *t, struct net_socket *s, struct err *err)
{
	static const char type[] = "struct tcp_sock";
	uint64_t written, acknowledged, received, copied;

	if (!field_u64(t, type, s->sock, "write_seq", &written, err) ||
	    !field_u64(t, type, s->sock, "snd_una", &acknowledged, err) ||
	    !field_u64(t, type, s->sock, "rcv_nxt", &received, err) ||
	    !field_u64(t, type, s->sock, "copied_seq", &copied, err))
		return false;
	s->tx = (uint32_t)(written - acknowledged);
	/* the other's FIN may be counted as read before it came */
	s->rx = (int32_t)(uint32_t)(received - copied) < 0 ? 0 : (uint32_t)(received - copied);
	s->sized = true;
	return true;
}

/* What waits in another: the kernel accounts for the memory. */
static bool memory_sizes(struct target *t, struct net_socket *s, bool udp, struct err *err)
{
	uint64_t deficit = 0;

	if (!field_u64(t, "struct sock", s->sock, "sk_backlog.rmem_alloc.counter", &s->rx, err) ||
	    !field_u64(t, "struct sock", s->sock,
		       "sk_wmem_alloc.refs.counter|sk_wmem_alloc.counter", &s->tx, err) ||
	    (udp && !field_u64(t, "struct udp_sock", s->sock, "forward_deficit", &deficit, err)))
		return false;
	/* of what was read of UDP a part is accounted for later; a socket has one byte of its own
	 */
	s->rx = (uint32_t)(s->rx - deficit);
	s->tx = (uint32_t)(s->tx - 1);
	s->sized = true;
	return true;
}

static bool sizes_read(struct target *t, uint64_t family, uint64_t state, struct net_socket *s,
		       struct err *err)
{
	static const char type[] = "struct sock";
	uint64_t protocol;
	bool inet = family == FAMILY_INET || family == FAMILY_INET6;

	if (!field_u64(t, type, s->sock, "sk_protocol", &protocol, err) ||
	    !field_u64(t, type, s->sock, "sk_backlog.len", &s->backlog, err))
		return false;
	if (state == STATE_LISTEN) {
		/* those of a unix socket wait as packets */
		s->listens = inet || family == FAMILY_UNIX;
		return !s->listens ||
		       (field_u64(t, type, s->sock,
				  inet ? "sk_ack_backlog" : "sk_receive_queue.qlen", &s->accept,
				  err) &&
			field_u64(t, type, s->sock, "sk_max_ack_backlog", &s->accept_max, err));
	}
	if (inet && protocol == IPPROTO_TCP)
		return tcp_sizes(t, s, err);
	/* what comes in is on the account of who sent it */
	return family == FAMILY_UNIX || memory_sizes(t, s, inet && protocol == IPPROTO_UDP, err);
}

/* A whole socket: whether it is somebody's, and what waits in it. `type` is 0 where it is not
 * known. */
static bool whole_read(struct target *t, uint64_t family, uint64_t state, uint64_t type,
		       struct net_socket *s, struct err *err)
{
	s->whole = true;
	if (!type && !field_u64(t, "struct sock", s->sock, "sk_type", &type, err))
		return false;
	s->type = type_name(type);
	if (type == TYPE_STREAM || family == FAMILY_UNIX)
		s->state = state_name(state);
	if (!s->addr && !field_u64(t, "struct sock", s->sock, "sk_socket", &s->addr, err))
		return false;
	s->orphan = !s->addr;
	return sizes_read(t, family, state, s, err);
}

static bool sock_read(struct target *t, uint64_t type, struct arena *a, struct net_socket *s,
		      struct err *err)
{
	uint64_t family, state;
	struct err ignored;
	bool inet;

	if (!field_u64(t, "struct sock_common", s->sock, "skc_family", &family, err) ||
	    !field_u64(t, "struct sock_common", s->sock, "skc_state", &state, err))
		return false;
	s->family = family_name(a, family);
	if (!field_u64(t, "struct sock_common", s->sock, "skc_net.net", &s->net, &ignored))
		s->net = 0;
	inet = family == FAMILY_INET || family == FAMILY_INET6;
	if (inet && !inet_read(t, s->sock, family == FAMILY_INET ? AF_INET : AF_INET6, a, s, err))
		return false;
	if (family == FAMILY_UNIX && !unix_read(t, s->sock, a, s, err))
		return false;
	/* TCP keeps other structs while a connection begins, and when it is over */
	if (!s->addr && inet && state == STATE_TIME_WAIT) {
		s->orphan = true;
		s->type = type_name(TYPE_STREAM);
		if (!field_u64(t, "struct inet_timewait_sock", s->sock, "tw_substate", &state, err))
			return false;
		s->state = state_name(state);
		return true;
	}
	if (!s->addr && inet && state == STATE_NEW_SYN_RECV) {
		s->type = type_name(TYPE_STREAM);
		s->state = state_name(STATE_SYN_RECV);
		return true;
	}
	return whole_read(t, family, state, type, s, err);
}

bool net_sock(struct target *t, struct arena *a, struct net_socket *s, struct err *err)
{
	return sock_read(t, 0, a, s, err) ||
	       err_wrap(err, "sock 0x%llx", (unsigned long long)s->sock);
}

bool net_socket(struct target *t, uint64_t file, struct arena *a, struct net_socket *ret,
		struct err *err)
{
	uint64_t type;

	*ret = (struct net_socket){ .addr = 0 };
	if (!field_u64(t, "struct file", file, "private_data", &ret->addr, err) ||
	    !field_u64(t, "struct socket", ret->addr, "sk", &ret->sock, err) ||
	    !field_u64(t, "struct socket", ret->addr, "type", &type, err))
		return err_wrap(err, "socket of file 0x%llx", (unsigned long long)file);
	ret->type = type_name(type);
	return !ret->sock || sock_read(t, type, a, ret, err) ||
	       err_wrap(err, "sock 0x%llx", (unsigned long long)ret->sock);
}
