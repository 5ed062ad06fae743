/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what is read of a board's parts: the memory that their structs lie in. */
#include <stdlib.h>

#include "core/linux/device/board_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each names something that a reader would look at. */
static bool count(size_t *sum, const char *s)
{
	*sum += s ? strlen(s) : 1;
	return true;
}

static bool see_clk(const struct clk *c, void *arg)
{
	for (size_t i = 0; i < c->n_users; i++)
		count(arg, c->users[i]);
	return count(arg, c->name);
}

static bool see_regulator(const struct regulator *r, void *arg)
{
	for (size_t i = 0; i < r->n_users; i++)
		count(arg, r->users[i].supply);
	return count(arg, r->name) && count(arg, r->supply);
}

static bool see_line(const struct gpio_line *g, void *arg)
{
	return count(arg, g->chip) && count(arg, g->user);
}

static bool see_pin(const struct pin *p, void *arg)
{
	return count(arg, p->name) && count(arg, p->function);
}

static bool see_state(const struct pin_state *s, void *arg)
{
	for (size_t i = 0; i < s->n_settings; i++)
		count(arg, s->settings[i]);
	return count(arg, s->name);
}

static bool see_domain(const struct power_domain *d, void *arg)
{
	for (size_t i = 0; i < d->n_children; i++)
		count(arg, d->children[i]);
	for (size_t i = 0; i < d->n_devices; i++)
		count(arg, d->devices[i].device->name);
	return count(arg, d->name);
}

static void fuzz_devices(struct target *t, size_t *sum)
{
	const struct device *const *all;
	struct err why, err;
	size_t n;

	if (!devices_all(t, &all, &n, &why, &err))
		return;
	for (size_t i = 0; i < n && i < 64; i++) {
		const struct device_wait *waits;
		struct device bound = *all[i];
		struct device_parts parts;
		struct device_detail d;
		size_t n_waits;

		device_detail(t, all[i], &d);
		device_detail_release(&d);
		if (!device_waits(t, all[i], &waits, &n_waits, &err))
			count(sum, err.msg);
		for (size_t k = 0; k < n_waits; k++)
			count(sum, waits[k].state);
		device_parts(t, all[i], &parts, &why);
		for (size_t k = 0; k < parts.n_pins; k++)
			count(sum, parts.pins[k]);
		/* the fake's devices are on no bus: as if on this one */
		bound.bus = "platform";
		bound.bus_type = FB_BUS;
		count(sum, device_unbound(t, &bound));
	}
}

/* Byte 0: as many absent pages as its bits say; the rest is memory from KERNEL_BASE on. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k;
	size_t sum = 0;
	struct err err;

	if (size < 1 || size - 1 > KERNEL_SIZE)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	board_fake_init(k);
	memcpy(k->mem, data + 1, size - 1);
	k->holes = (uint64_t)data[0] << 1;
	if (!clks_each(&k->t, see_clk, &sum, &err))
		count(&sum, err.msg);
	if (!regulators_each(&k->t, see_regulator, &sum, &err))
		count(&sum, err.msg);
	if (!gpios_each(&k->t, false, see_line, &sum, &err))
		count(&sum, err.msg);
	if (!pins_each(&k->t, false, see_pin, &sum, &err))
		count(&sum, err.msg);
	if (!pin_states_each(&k->t, see_state, &sum, &err))
		count(&sum, err.msg);
	if (!power_domains_each(&k->t, see_domain, &sum, &err))
		count(&sum, err.msg);
	fuzz_devices(&k->t, &sum);
	kernel_release(k);
	free(k);
	return 0;
}
