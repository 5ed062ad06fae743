/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of interrupt controllers. Some have none of their own, and a function of their driver that
 * prints one for /proc/interrupts; what it would print is found here. */
#include <string.h>

#include "core/linux/device/device.h"
#include "core/types/shape.h"
#include "core/linux/misc/irq.h"

#define NAME_BYTES 128
#define GICS_MAX 64

enum {
	DATA_DOMAIN,
	DATA_CHIP
};
static const struct shape_field data_fields[] = {
	[DATA_DOMAIN] = FIELD("domain"),
	[DATA_CHIP] = FIELD("chip_data"),
};
static const struct shape data_shape = SHAPE("struct irq_data", data_fields);

enum {
	DOMAIN_NAME,
	DOMAIN_OPS,
	DOMAIN_HOST
};
static const struct shape_field domain_fields[] = {
	[DOMAIN_NAME] = FIELD("name"),
	[DOMAIN_OPS] = FIELD("ops"),
	[DOMAIN_HOST] = FIELD("host_data"),
};
static const struct shape domain_shape = SHAPE("struct irq_domain", domain_fields);

/* drivers/irqchip/irq-gic.c, gic_irq_print_chip(): which of the table of GICs it is. */
static const char *gic_name(struct target *t, uint64_t data, struct arena *a)
{
	const struct type *type;
	struct err ignored;
	uint64_t table, i;

	if (!symbol_addr(t, "gic_data", &table) || data < table ||
	    !type_find(t, "struct gic_chip_data", &type, &ignored) || !type->size ||
	    (data - table) % type->size)
		return NULL;
	i = (data - table) / type->size;
	return i < GICS_MAX ? arena_printf(a, "GIC-%u", (unsigned)i) : NULL;
}

/* A GPIO chip prints the device it belongs to, as pl061_irq_print_chip() does: gpiolib's domains
 * hold the struct gpio_chip. */
static const char *gpio_name(struct target *t, const struct shaped *domain)
{
	const char *ops = symbol_text(t, shaped_u64_or(domain, DOMAIN_OPS, 0), t->scratch);
	uint64_t gpio = shaped_u64_or(domain, DOMAIN_HOST, 0), parent;
	const struct device *d;
	struct err ignored;

	/* dev until v4.5 (58383c78425e) */
	if (strcmp(ops, "gpiochip_domain_ops") != 0 || !gpio ||
	    !field_u64(t, "struct gpio_chip", gpio, "parent|dev", &parent, &ignored))
		return NULL;
	d = device_at(t, parent);
	return d ? d->name : NULL;
}

bool irq_chip_name(struct target *t, uint64_t desc, uint64_t chip, struct arena *a,
		   const char **ret, struct err *err)
{
	uint64_t name, off, domain;
	struct shaped data, d;

	*ret = NULL;
	if (!field_u64(t, "struct irq_chip", chip, "name", &name, err))
		return false;
	if (name)
		return mem_str(t, name, NAME_BYTES, a, ret, err);
	if (!field_offset(t, "struct irq_desc", "irq_data", &off, err) ||
	    !shape_read(t, &data_shape, desc + off, &data, err))
		return false;
	*ret = gic_name(t, shaped_u64_or(&data, DATA_CHIP, 0), a);
	domain = shaped_u64_or(&data, DATA_DOMAIN, 0);
	if (*ret || !domain)
		return true;
	if (!shape_read(t, &domain_shape, domain, &d, err))
		return false;
	*ret = gpio_name(t, &d);
	name = shaped_u64_or(&d, DOMAIN_NAME, 0);
	return *ret || !name || mem_str(t, name, NAME_BYTES, a, ret, err);
}
