/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Network devices and sockets. */
#include "core/linux/net/net.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"

#include <arpa/inet.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/walk.h"

#define FAMILY_UNIX 1 /* include/linux/socket.h */
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define TYPE_STREAM 1
#define IFNAME_BYTES 16
#define SUN_PATH_MAX 108

/* ---- devices */

struct devices {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct net_device *d, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	struct net_device *now;
};

static void tell(const struct err *e, void *arg)
{
	const struct devices *ds = arg;

	if (ds->flaw)
		ds->flaw(e, ds->arg);
}

static void address_add(struct devices *ds, int family, const void *bytes, uint64_t prefix)
{
	char text[INET6_ADDRSTRLEN];
	struct net_device *d = ds->now;

	if (d->n_addresses < NET_ADDRESSES_MAX && inet_ntop(family, bytes, text, sizeof(text)))
		d->addresses[d->n_addresses++] =
			arena_printf(ds->a, "%s/%llu", text, (unsigned long long)prefix);
}

static bool addresses_4(struct devices *ds, uint64_t in_device, struct err *err)
{
	uint64_t at, off, prefix;
	struct guard g;

	guard_init(&g, "addresses", NET_ADDRESSES_MAX);
	if (!field_u64(ds->t, "struct in_device", in_device, "ifa_list", &at, err))
		return false;
	while (at) {
		uint8_t bytes[4];

		if (!guard_step(&g, at, err) ||
		    !field_offset(ds->t, "struct in_ifaddr", "ifa_local", &off, err) ||
		    !mem_read(ds->t, at + off, bytes, sizeof(bytes), err) ||
		    !field_u64(ds->t, "struct in_ifaddr", at, "ifa_prefixlen", &prefix, err) ||
		    !field_u64(ds->t, "struct in_ifaddr", at, "ifa_next", &at, err))
			return false;
		address_add(ds, AF_INET, bytes, prefix);
	}
	return true;
}

static bool address_6(uint64_t addr, void *arg)
{
	struct devices *ds = arg;
	uint8_t bytes[16];
	uint64_t off, prefix;
	struct err err;

	if (field_offset(ds->t, "struct inet6_ifaddr", "addr", &off, &err) &&
	    mem_read(ds->t, addr + off, bytes, sizeof(bytes), &err) &&
	    field_u64(ds->t, "struct inet6_ifaddr", addr, "prefix_len", &prefix, &err))
		address_add(ds, AF_INET6, bytes, prefix);
	else
		tell(&err, ds);
	return true;
}

static bool addresses_6(struct devices *ds, uint64_t inet6_dev, struct err *err)
{
	uint64_t head, link;

	return field_offset(ds->t, "struct inet6_dev", "addr_list", &head, err) &&
	       field_offset(ds->t, "struct inet6_ifaddr", "if_list", &link, err) &&
	       list_each(ds->t, inet6_dev + head, link, "addresses", address_6, ds, err);
}

static bool device_read(struct devices *ds, uint64_t addr, struct net_device *d, struct err *err)
{
	uint64_t name, in_device, inet6_dev;
	struct target *t = ds->t;
	struct err why;

	*d = (struct net_device){ .addr = addr };
	ds->now = d;
	if (!field_offset(t, "struct net_device", "name", &name, err) ||
	    !mem_str(t, addr + name, IFNAME_BYTES, ds->a, &d->name, err) ||
	    !field_u64(t, "struct net_device", addr, "ifindex", &d->index, err) ||
	    !field_u64(t, "struct net_device", addr, "mtu", &d->mtu, err) ||
	    !field_u64(t, "struct net_device", addr, "flags", &d->flags, err))
		return err_wrap(err, "net_device 0x%llx", (unsigned long long)addr);
	in_device = field_u64_or(t, "struct net_device", addr, "ip_ptr", 0);
	if (in_device && !addresses_4(ds, in_device, &why))
		tell(&why, ds);
	if (field_u64(t, "struct net_device", addr, "ip6_ptr", &inet6_dev, &why) && inet6_dev &&
	    !addresses_6(ds, inet6_dev, &why))
		tell(&why, ds);
	return true;
}

static bool device_found(uint64_t addr, void *arg)
{
	struct devices *ds = arg;
	struct net_device d;
	struct err why;

	if (device_read(ds, addr, &d, &why))
		return ds->fn(&d, ds->arg);
	tell(&why, ds);
	return true;
}

bool net_namespaces(struct target *t, bool (*fn)(uint64_t net, void *arg),
		    void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct walk_plan w = { .what = "network namespaces", .node = fn, .flaw = flaw, .arg = arg };
	struct symbol head;

	if (!symbol_find(t, "net_namespace_list", &head, err) ||
	    !field_offset(t, "struct net", "list", &w.link, err))
		return false;
	w.head = head.addr;
	return list_walk(t, &w, false, err);
}

bool net_namespace_number(struct target *t, uint64_t net, uint64_t *ret, struct err *err)
{
	return field_u64(t, "struct net", net, "ns.inum", ret, err);
}

bool net_namespace_of(struct target *t, uint64_t task, uint64_t *ret, struct err *err)
{
	uint64_t proxy;

	if (!field_u64(t, "struct task_struct", task, "nsproxy", &proxy, err))
		return false;
	if (!proxy)
		return err_set(err, ERR_NOTFOUND, "the task is dead and has no network");
	return field_u64(t, "struct nsproxy", proxy, "net_ns", ret, err);
}

bool net_devices(struct target *t, uint64_t net, struct arena *a,
		 bool (*fn)(const struct net_device *d, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct devices ds = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct walk_plan w = { .what = "network devices",
			       .node = device_found,
			       .flaw = flaw ? tell : NULL,
			       .arg = &ds };
	struct symbol init;
	uint64_t off;

	if (!net && symbol_find(t, "init_net", &init, err))
		net = init.addr;
	if (!net || !field_offset(t, "struct net", "dev_base_head", &off, err) ||
	    !field_offset(t, "struct net_device", "dev_list", &w.link, err))
		return false;
	w.head = net + off;
	return list_walk(t, &w, false, err);
}

/* ---- sockets */

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
