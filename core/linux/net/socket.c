/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets. */
#include "core/linux/net/net.h"
#include "core/types/shape.h"

#include <arpa/inet.h>
#include <string.h>

#define FAMILY_UNIX 1 /* include/linux/socket.h */
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define TYPE_STREAM 1
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
	char text[INET6_ADDRSTRLEN];
	uint8_t bytes[16];
	uint64_t off;

	if (!field_offset(t, "struct sock_common", member, &off, err) ||
	    !mem_read(t, sk + off, bytes, family == AF_INET ? 4 : 16, err))
		return false;
	if (!inet_ntop(family, bytes, text, sizeof(text)))
		return err_set(err, ERR_CORRUPT, "no address");
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
	    !field_u64(t, "struct sock_common", sk, "skc_dport", &dport, err))
		return false;
	return endpoint(t, sk, family, v6 ? "skc_v6_rcv_saddr" : "skc_rcv_saddr", num, a,
			&s->source, err) &&
	       endpoint(t, sk, family, v6 ? "skc_v6_daddr" : "skc_daddr", ntohs((uint16_t)dport), a,
			&s->destination, err);
}

static bool unix_read(struct target *t, uint64_t sk, struct arena *a, struct net_socket *s,
		      struct err *err)
{
	char path[SUN_PATH_MAX + 1] = "";
	uint64_t addr, len, off;

	if (!field_u64(t, "struct unix_sock", sk, "addr", &addr, err))
		return false;
	if (!addr)
		return true;
	if (!field_u64(t, "struct unix_address", addr, "len", &len, err) ||
	    !field_offset(t, "struct unix_address", "name", &off, err))
		return false;
	/* a struct sockaddr_un: two bytes of family, then the path */
	if (len < 2 || len - 2 > SUN_PATH_MAX)
		return err_set_addr(err, ERR_CORRUPT, addr, "a name of %llu bytes",
				    (unsigned long long)len);
	if (!mem_read(t, addr + off + 2, path, len - 2, err))
		return false;
	s->source = path[0] || len == 2 ? arena_strdup(a, path)
					: arena_printf(a, "@%.*s", (int)(len - 3), path + 1);
	return true;
}

bool net_socket(struct target *t, uint64_t file, struct arena *a, struct net_socket *ret,
		struct err *err)
{
	uint64_t family, type, state;
	struct err ignored;

	*ret = (struct net_socket){ .addr = 0 };
	if (!field_u64(t, "struct file", file, "private_data", &ret->addr, err) ||
	    !field_u64(t, "struct socket", ret->addr, "sk", &ret->sock, err) ||
	    !field_u64(t, "struct socket", ret->addr, "type", &type, err))
		return err_wrap(err, "socket of file 0x%llx", (unsigned long long)file);
	ret->type = type_name(type);
	if (!ret->sock)
		return true;
	if (!field_u64(t, "struct sock_common", ret->sock, "skc_family", &family, err) ||
	    !field_u64(t, "struct sock_common", ret->sock, "skc_state", &state, err))
		return err_wrap(err, "sock 0x%llx", (unsigned long long)ret->sock);
	ret->family = family_name(a, family);
	if (!field_u64(t, "struct sock_common", ret->sock, "skc_net.net", &ret->net, &ignored))
		ret->net = 0;
	if (type == TYPE_STREAM || family == FAMILY_UNIX)
		ret->state = state_name(state);
	if (family == FAMILY_INET || family == FAMILY_INET6)
		return inet_read(t, ret->sock, family == FAMILY_INET ? AF_INET : AF_INET6, a, ret,
				 err);
	return family != FAMILY_UNIX || unix_read(t, ret->sock, a, ret, err);
}
