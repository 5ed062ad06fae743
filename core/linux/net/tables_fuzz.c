/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the walks of the network's tables: hostile memory. */
#include <stdlib.h>

#include "core/linux/net/net.h"
#include "core/linux/net/tables_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEEN_MAX 2000

static bool more(void *arg)
{
	return ++*(unsigned *)arg < SEEN_MAX;
}

static bool take_neighbour(const struct net_neighbour *n, void *arg)
{
	if (!n->address)
		abort();
	return more(arg);
}

static bool take_socket(const struct net_socket *s, void *arg)
{
	if (!s->sock)
		abort();
	return more(arg);
}

static bool take_route(const struct net_route *r, void *arg)
{
	if (!r->destination)
		abort();
	return more(arg);
}

static bool take_qdisc(const struct net_qdisc *q, void *arg)
{
	if (!q->kind)
		abort();
	return more(arg);
}

static bool take_connection(const struct net_connection *c, void *arg)
{
	if (!c->there.source || !c->back.destination)
		abort();
	return more(arg);
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* A failure says why. */
static void held(bool ok, struct err *err)
{
	if (!ok && !*err->msg)
		abort();
	err->msg[0] = '\0';
}

/* Byte 0 absent pages; then 2 bytes of place and 8 of value over a kernel that makes sense: the
 * highest bit of the place says that it is among the sockets and devices. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct fake_kernel *k;
	struct arena *a;
	unsigned n = 0;

	if (!size)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	a = &k->scratch;
	tables_fake_init(k);
	for (size_t i = 1; i + 10 <= size; i += 10) {
		uint16_t place = load_le16(data + i);
		uint64_t from = place & 0x8000 ? F_AT(0) : N_AT(0),
			 end = place & 0x8000 ? F_AT(F_END) : N_AT(N_END);

		put64(k, from + (place & 0x7fff) % ((end - from) / 8) * 8, load_le64(data + i + 2));
	}
	k->holes = (uint64_t)data[0] << 12;
	held(net_neighbours(&k->t, a, take_neighbour, flaw, &n, &err), &err);
	held(net_sockets(&k->t, a, take_socket, flaw, &n, &err), &err);
	held(net_routes(&k->t, F_AT(F_NET), a, take_route, flaw, &n, &err), &err);
	held(net_qdiscs(&k->t, F_AT(F_DEV), "eth0", a, take_qdisc, flaw, &n, &err), &err);
	held(net_connections(&k->t, a, take_connection, flaw, &n, &err), &err);
	kernel_release(k);
	free(k);
	return 0;
}
