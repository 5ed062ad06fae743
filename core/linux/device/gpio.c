/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPIOs: the lines of every chip, who requested them and in which direction. */
#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/device/board.h"
#include "core/linux/subsystem.h"

#define LINES_MAX 65536u

/* drivers/gpio/gpiolib.h, bit numbers of struct gpio_desc.flags */
enum {
	LINE_REQUESTED = 0,
	LINE_OUT = 1,
	LINE_ACTIVE_LOW = 6,
	LINE_IRQ = 9,
	LINE_HOGGED = 11
};

static const char gdev_type[] = "struct gpio_device", desc_type[] = "struct gpio_desc";

struct gpio_walk {
	struct target *t;
	bool used;
	bool (*fn)(const struct gpio_line *g, void *arg);
	void *arg;
	uint64_t desc_size;
	bool label_struct; /* the label is a struct with the text in it, 1f2bcb8c8ccd (v6.9) */
	uint64_t label_text;
	struct guard guard; /* lines of all chips */
	bool stopped;
	struct err err; /* the first that broke */
};

static bool line_read(struct gpio_walk *w, uint64_t addr, struct gpio_line *g, struct err *err)
{
	struct target *t = w->t;
	struct err ignored;
	uint64_t label;

	g->addr = addr;
	if (!field_u64(t, desc_type, addr, "flags", &g->flags, err) ||
	    !subsystem_text(t, desc_type, addr, "name", &g->name, err))
		return false;
	g->out = g->flags >> LINE_OUT & 1;
	g->active_low = g->flags >> LINE_ACTIVE_LOW & 1;
	g->irq = g->flags >> LINE_IRQ & 1;
	g->hogged = g->flags >> LINE_HOGGED & 1;
	if (!field_u64(t, desc_type, addr, "label", &label, err))
		return false;
	if (label && !mem_str(t, label + (w->label_struct ? w->label_text : 0), 128, t->scratch,
			      &g->user, &ignored))
		g->user = "?";
	return true;
}

static bool chip_lines(struct gpio_walk *w, uint64_t gdev, struct err *err)
{
	struct gpio_line chip = { 0 };
	const struct device *d;
	uint64_t descs, n, base, off;

	if (!field_u64(w->t, gdev_type, gdev, "descs", &descs, err) ||
	    !field_u64(w->t, gdev_type, gdev, "ngpio", &n, err) ||
	    !field_u64(w->t, gdev_type, gdev, "base", &base, err) ||
	    !field_offset(w->t, gdev_type, "dev", &off, err) ||
	    !subsystem_text(w->t, gdev_type, gdev, "label", &chip.chip, err))
		return false;
	d = device_at(w->t, gdev + off);
	chip.device = d ? d->name : NULL;
	chip.node = d ? d->node : 0;
	if (n > LINES_MAX)
		return err_set_addr(err, ERR_CORRUPT, gdev, "GPIO chip '%s': %llu lines",
				    chip.chip ? chip.chip : "?", (unsigned long long)n);
	for (uint64_t i = 0; i < n && !w->stopped; i++) {
		struct gpio_line g = chip;

		g.number = (unsigned)(base + i);
		g.offset = (unsigned)i;
		if (!guard_step(&w->guard, descs + i * w->desc_size, err) ||
		    !line_read(w, descs + i * w->desc_size, &g, err))
			return err_wrap(err, "GPIO %u", g.number);
		if (w->used && !(g.flags >> LINE_REQUESTED & 1))
			continue;
		w->stopped = !w->fn(&g, w->arg);
	}
	return true;
}

static bool chip_found(uint64_t gdev, void *arg)
{
	struct gpio_walk *w = arg;

	struct err err;

	if (!chip_lines(w, gdev, &err) && (!board_go_on(&w->err, &err) || err.code == ERR_LIMIT))
		return false;
	return !w->stopped;
}

bool gpios_each(struct target *t, bool used, bool (*fn)(const struct gpio_line *g, void *arg),
		void *arg, struct err *err)
{
	struct gpio_walk w = { .t = t, .used = used, .fn = fn, .arg = arg };
	const struct type *type;
	uint64_t head, link;
	struct err ignored;

	if (!subsystem_symbol(t, "gpio_devices", "GPIOs", &head, err) ||
	    !type_find(t, desc_type, &type, err) || !field_offset(t, gdev_type, "list", &link, err))
		return false;
	w.desc_size = type->size;
	w.label_struct = field_offset(t, "struct gpio_desc_label", "str", &w.label_text, &ignored);
	guard_init(&w.guard, "GPIOs", PARTS_MAX);
	if (!list_each(t, head, link, "GPIO chips", chip_found, &w, &ignored) &&
	    !board_go_on(&w.err, &ignored))
		w.err = ignored;
	*err = w.err;
	return err->code == ERR_OK;
}
