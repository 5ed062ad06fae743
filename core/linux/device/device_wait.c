/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a device was not probed: the suppliers that its links name, and what is wrong with each. */
#include <string.h>

#include "core/linux/device/board.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/of/of.h"

/* include/linux/device.h: flags of a device_link, and the states in which the supplier is there */
#define LINK_MANAGED (1u << 6)
#define LINK_SYNC_STATE_ONLY (1u << 7)
enum {
	LINK_AVAILABLE = 1,
	LINK_ACTIVE = 3
};
/* include/linux/fwnode.h: a link that is no reason to wait */
#define FWLINK_CYCLE 1u
#define FWLINK_IGNORE 2u

struct wait_walk {
	struct target *t;
	const struct device *d;
	struct device_wait *list;
	size_t n;
	uint64_t fwnode; /* its offset in struct device_node */
	struct err err;  /* the first that broke */
};

static void broke(struct wait_walk *w, const char *what, uint64_t addr, struct err *err)
{
	if (what)
		err_wrap(err, "%s 0x%llx", what, (unsigned long long)addr);
	(void)board_go_on(&w->err, err);
}

static const struct device *device_of(struct target *t, uint64_t node)
{
	const struct device *const *all, *found = NULL;
	struct err ignored;
	size_t n;

	if (!node || !devices_all(t, &all, &n, &ignored, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (all[i]->node == node && (!found || (!found->driver && all[i]->driver)))
			found = all[i];
	return found;
}

/* What keeps a supplier from being there. */
static const char *state_of(struct target *t, const struct of_node *node, const struct device *d)
{
	if (!d && node && strcmp(of_status(node), "okay") != 0 &&
	    strcmp(of_status(node), "ok") != 0)
		return arena_printf(t->scratch, "its node is %s", of_status(node));
	if (!d)
		return "it has no device";
	if (d->waiting)
		return "its own probe was put off";
	return d->driver ? "it is bound, but not ready" : "no driver";
}

static void wait_add(struct wait_walk *w, uint64_t node_addr, const struct device *d,
		     const char *how)
{
	const struct of_node *node = of_by_addr(w->t, node_addr);
	const char *name = d ? d->name : node ? node->path : "?";

	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->list[i].name, name))
			return;
	w->list[w->n++] = (struct device_wait){ name, node ? node->path : NULL,
						state_of(w->t, node, d), how, d };
}

static bool device_link_found(uint64_t link, void *arg)
{
	static const char type[] = "struct device_link";
	struct wait_walk *w = arg;
	uint64_t flags, status, supplier;
	const struct device *d;
	struct err err;

	if (!field_u64(w->t, type, link, "flags", &flags, &err) ||
	    !field_u64(w->t, type, link, "status", &status, &err) ||
	    !field_u64(w->t, type, link, "supplier", &supplier, &err)) {
		broke(w, "device_link", link, &err);
		return true;
	}
	if (!(flags & LINK_MANAGED) || (status >= LINK_AVAILABLE && status <= LINK_ACTIVE))
		return true;
	d = device_at(w->t, supplier);
	/* when no driver comes for the supplier the kernel stops waiting, and the consumer's driver
	 * finds by itself that it is not there */
	if (d && !(flags & LINK_SYNC_STATE_ONLY))
		wait_add(w, d->node, d, "device link");
	else if (d && d->bus && !d->driver && w->d->waiting)
		wait_add(w, d->node, d, "given up");
	return w->n < WAITS_MAX;
}

static bool node_link_found(uint64_t link, void *arg)
{
	struct wait_walk *w = arg;
	uint64_t supplier, flags = 0;
	struct err ignored, err;

	if (!field_u64(w->t, "struct fwnode_link", link, "supplier", &supplier, &err)) {
		broke(w, "fwnode_link", link, &err);
		return true;
	}
	/* 2de9d8e0d2fe (v5.17): before it a link always counts */
	if (field_u64(w->t, "struct fwnode_link", link, "flags", &flags, &ignored) &&
	    flags & (FWLINK_CYCLE | FWLINK_IGNORE))
		return true;
	supplier -= w->fwnode;
	if (of_by_addr(w->t, supplier))
		wait_add(w, supplier, device_of(w->t, supplier), "firmware link");
	return w->n < WAITS_MAX;
}

bool device_waits(struct target *t, const struct device *d, const struct device_wait **ret,
		  size_t *n, struct err *err)
{
	struct wait_walk w = { .t = t, .d = d };
	uint64_t head, link, fwnode;
	struct of_tree *tree;
	struct err ignored, why;

	*n = 0;
	w.list = ARENA_ARRAY(t->scratch, struct device_wait, WAITS_MAX);
	*ret = w.list;
	if (d->driver)
		return true;
	/* kernels before them have neither: 7b337cb3ebde (v5.11), 9ed9895370ae (v4.10) */
	if (of_live(t, &tree, &ignored) &&
	    field_offset(t, "struct device_node", "fwnode", &w.fwnode, &ignored) &&
	    field_offset(t, "struct fwnode_handle", "suppliers", &head, &ignored) &&
	    field_offset(t, "struct fwnode_link", "c_hook", &link, &ignored) &&
	    field_u64(t, "struct device", d->addr, "fwnode", &fwnode, &ignored) && fwnode &&
	    !list_each(t, fwnode + head, link, "suppliers of a node", node_link_found, &w, &why))
		broke(&w, NULL, 0, &why);
	if (w.err.code != ERR_INTR &&
	    field_offset(t, "struct device", "links.suppliers", &head, &ignored) &&
	    field_offset(t, "struct device_link", "c_node", &link, &ignored) &&
	    !list_each(t, d->addr + head, link, "suppliers of a device", device_link_found, &w,
		       &why))
		broke(&w, NULL, 0, &why);
	*n = w.n;
	*err = w.err;
	return err->code == ERR_OK;
}
