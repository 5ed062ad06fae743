/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a board has around its CPU: clocks, regulators, GPIOs, pins, power domains. */
#ifndef OBIT_BOARD_H
#define OBIT_BOARD_H

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/linux/device/device.h"

/*
 * Each walk below calls fn for every part, until fn returns false. Strings live in the scratch
 * arena; NULL: there is none. ERR_NOTFOUND: this kernel has no such parts. Damage of one part does
 * not end the walk: its error is returned when fn was called for all others.
 */
#define PARTS_MAX 1000000u /* of a kind, in all */

/* ---- board.c */
/* Called by a walk when a part is damaged: keeps the first such error in *first, whose code is
 * ERR_OK before. False: the walk has to end, for Ctrl-C was pressed. */
bool board_go_on(struct err *first, const struct err *why);
/* The name of a device: of the one that the member `path` of the struct `type` at addr points to,
 * or, when path is NULL, of the struct device at addr. */
const char *board_device(struct target *t, const char *type, uint64_t addr, const char *path);

/* ---- clk.c: in the order and with the numbers of debugfs's clk_summary */
struct clk_user {
	uint64_t dev; /* struct device; 0: none, or this kernel does not say */
	const char
		*id; /* "9000000.pl011", or the node's name where the clock was asked for by node */
};
struct clk {
	uint64_t addr; /* struct clk_core */
	const char *name;
	unsigned depth; /* below a root */
	bool orphan;    /* its parent was never registered */
	uint64_t rate;  /* Hz */
	uint64_t enabled, prepared, protect;
	uint64_t accuracy, phase, duty; /* parts per billion, degrees, 1/100000 of a cycle high */
	const char *device;             /* that provides it */
	const char *const *users;   /* "9000000.pl011 (apb_pclk)": device, and its name for it */
	const struct clk_user *who; /* the same */
	size_t n_users;
};
bool clks_each(struct target *t, bool (*fn)(const struct clk *clk, void *arg), void *arg,
	       struct err *err) MUST_CHECK;

/* ---- regulator.c */
struct regulator_user {
	uint64_t dev;                /* struct device; 0: it is none that is registered */
	const char *device, *supply; /* who, and its own name for it: "vdd" */
	const char *feeds;           /* the regulator that the device is; NULL: it is none */
	uint64_t enabled;
	int64_t load;           /* microamperes */
	int64_t min_uv, max_uv; /* what it asked for; 0: nothing */
};
struct regulator {
	uint64_t addr; /* struct regulator_dev */
	const char *name;
	const char *device;
	const char *supply; /* the regulator that feeds it */
	uint64_t uses, opens, bypass;
	int64_t min_uv, max_uv; /* what it may be set to */
	bool always_on, boot_on;
	const struct regulator_user *users;
	size_t n_users;
};
bool regulators_each(struct target *t, bool (*fn)(const struct regulator *r, void *arg), void *arg,
		     struct err *err) MUST_CHECK;

/* ---- gpio.c */
struct gpio_line {
	uint64_t addr; /* struct gpio_desc */
	const char *chip, *device;
	unsigned number, offset; /* of all, and of its chip's */
	const char *name;        /* of the line, on the board */
	const char *user;        /* who requested it */
	bool out, active_low, irq, hogged;
	uint64_t flags;
	uint64_t node; /* the chip's, struct device_node; 0: none */
};
/* With `used` only lines that somebody requested. */
bool gpios_each(struct target *t, bool used, bool (*fn)(const struct gpio_line *g, void *arg),
		void *arg, struct err *err) MUST_CHECK;

/* ---- pinctrl.c */
struct pin {
	uint64_t addr; /* struct pin_desc */
	const char *controller, *name;
	unsigned number;
	uint64_t uses;
	const char *owner, *gpio_owner; /* devices */
	const char *function, *group;   /* what it is switched to */
};
bool pins_each(struct target *t, bool used, bool (*fn)(const struct pin *p, void *arg), void *arg,
	       struct err *err) MUST_CHECK;
/* The name of function n, or group n, of a pin controller (the struct pinctrl_dev at pctl). The
 * kernel keeps such names for most drivers; for the others the number is returned. */
const char *pin_function_name(struct target *t, uint64_t pctl, uint64_t n);
const char *pin_group_name(struct target *t, uint64_t pctl, uint64_t n);
/* The same for pin n. */
const char *pin_name(struct target *t, uint64_t pctl, uint64_t n);

/* ---- pinctrl_state.c: the states that devices have for their pins */
struct pin_state {
	uint64_t addr; /* struct pinctrl_state */
	uint64_t dev;  /* struct device; 0 unknown */
	const char *device, *name;
	bool current;
	/* "4000000.pinmux: function led-pins on group led-pins", "pins: config of pin PA3:
	 * input-enable=1": words of a controller whose configurations are not generic stay numbers
	 */
	const char *const *settings;
	size_t n_settings;
};
bool pin_states_each(struct target *t, bool (*fn)(const struct pin_state *s, void *arg), void *arg,
		     struct err *err) MUST_CHECK;

/* ---- pinctrl_config.c */
/* Appends what the struct pinctrl_setting_configs at `configs` sets, for a pin or a group of the
 * controller at pctl. */
void pin_configs_text(struct target *t, struct buf *b, uint64_t configs, uint64_t pctl, bool group);

/* ---- genpd.c */
struct domain_device {
	const struct device *device;
	const char *status; /* as its power/runtime_status; NULL unknown */
	uint64_t performance;
};
struct power_domain {
	uint64_t addr; /* struct generic_pm_domain */
	const char *name;
	bool on;
	uint64_t idle; /* which of its idle states it is in, when it is off */
	uint64_t performance;
	const char *const *children; /* domains below it */
	size_t n_children;
	const struct domain_device *devices;
	size_t n_devices;
};
#define DOMAIN_PARTS_MAX 1024u /* devices or children that are looked at */
bool power_domains_each(struct target *t, bool (*fn)(const struct power_domain *d, void *arg),
			void *arg, struct err *err) MUST_CHECK;

#endif
