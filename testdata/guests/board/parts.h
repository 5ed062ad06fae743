/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a board made of software: what each file of the module brings. */
#ifndef OBIT_PARTS_H
#define OBIT_PARTS_H

#include <linux/platform_device.h>

/* Providers, in the order in which they are registered. */
extern struct platform_driver parts_clocks_driver;   /* parts_clocks.c */
extern struct platform_driver parts_domains_driver;  /* parts_power.c */
extern struct platform_driver parts_supplies_driver; /* needs CONFIG_REGULATOR */
extern struct platform_driver parts_pins_driver;     /* parts_pins.c */
extern struct platform_driver parts_lines_driver;

#endif
