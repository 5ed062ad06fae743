/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the walks of the network's tables share. */
#include "core/linux/net/tables.h"

#include <arpa/inet.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"

#define CHAINS_MAX (UINT64_C(1) << 26)
#define LOST_MAX 4096u /* chains that break, one behind the other */
#define IFNAME_BYTES 16

bool chains_walk(struct target *t, const struct chains *c, struct err *err)
{
	struct walk_plan w = { .what = c->what, .link = c->link, .node = c->node, .arg = c->arg };
	struct err why;
	unsigned lost = 0;

	if (c->count > CHAINS_MAX)
		return err_set_addr(err, ERR_CORRUPT, c->head, "%s: a table of %llu chains",
				    c->what, (unsigned long long)c->count);
	for (uint64_t i = 0; i < c->count && !*c->stop; i++) {
		w.head = c->head + i * c->stride;
		if (!interrupt_check(err))
			return false;
		if (llist_walk(t, &w, &why)) {
			lost = 0;
			continue;
		}
		err_wrap(&why, "chain %llu", (unsigned long long)i);
		if (why.code == ERR_INTR || why.code == ERR_LIMIT || ++lost == LOST_MAX) {
			*err = why;
			return false;
		}
		c->flaw(&why, c->arg);
	}
	return true;
}

const char *net_device_name(struct target *t, uint64_t device, struct arena *a, net_flaw_fn *flaw,
			    void *arg)
{
	const char *name;
	uint64_t off;
	struct err why;

	if (field_offset(t, "struct net_device", "name", &off, &why) &&
	    mem_str(t, device + off, IFNAME_BYTES, a, &name, &why))
		return name;
	err_wrap(&why, "net_device 0x%llx", (unsigned long long)device);
	flaw(&why, arg);
	return NULL;
}

bool net_address(struct target *t, int family, uint64_t addr, struct arena *a, const char **ret,
		 struct err *err)
{
	char text[INET6_ADDRSTRLEN];
	uint8_t bytes[16];

	if (!mem_read(t, addr, bytes, family == AF_INET ? 4 : 16, err))
		return false;
	if (!inet_ntop(family, bytes, text, sizeof(text)))
		return err_set_addr(err, ERR_CORRUPT, addr, "no address");
	*ret = arena_strdup(a, text);
	return true;
}

bool net_port(struct target *t, const char *type, uint64_t addr, const char *path, uint64_t *ret,
	      struct err *err)
{
	uint8_t bytes[2];
	uint64_t off;

	if (!field_offset(t, type, path, &off, err) ||
	    !mem_read(t, addr + off, bytes, sizeof(bytes), err))
		return false;
	*ret = (uint64_t)bytes[0] << 8 | bytes[1];
	return true;
}
