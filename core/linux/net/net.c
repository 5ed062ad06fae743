/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Network namespaces and their devices. */
#include "core/linux/net/net.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"

#include <arpa/inet.h>

#include "core/base/guard.h"
#include "core/linux/container/walk.h"

#define IFNAME_BYTES 16

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
