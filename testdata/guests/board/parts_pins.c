// SPDX-License-Identifier: GPL-3.0-or-later
/* A controller of 16 pins with functions, groups and settings, and the GPIO lines on them. */
#include <linux/gpio/driver.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/pinctrl/pinconf.h>
#include <linux/pinctrl/pinctrl.h>
#include <linux/pinctrl/pinmux.h>

#include "parts.h"

/* Exported, and declared in headers that a module outside the kernel does not get
 * (drivers/pinctrl/core.h and pinmux.h). */
int pinctrl_generic_get_group_count(struct pinctrl_dev *p);
const char *pinctrl_generic_get_group_name(struct pinctrl_dev *p, unsigned int group);
int pinctrl_generic_get_group_pins(struct pinctrl_dev *p, unsigned int group,
				   const unsigned int **pins, unsigned int *n);
int pinctrl_generic_add_group(struct pinctrl_dev *p, const char *name, const int *pins, int n,
			      void *data);
int pinmux_generic_get_function_count(struct pinctrl_dev *p);
const char *pinmux_generic_get_function_name(struct pinctrl_dev *p, unsigned int function);
int pinmux_generic_get_function_groups(struct pinctrl_dev *p, unsigned int function,
				       const char *const **groups, unsigned int *const n);
int pinmux_generic_add_function(struct pinctrl_dev *p, const char *name, const char *const *groups,
				unsigned int n, void *data);

#define PINS 16

static unsigned long settings[PINS][PIN_CONFIG_MAX + 1];

static int config_get(struct pinctrl_dev *p, unsigned int pin, unsigned long *config)
{
	unsigned int param = pinconf_to_config_param(*config);

	if (param > PIN_CONFIG_MAX)
		return -ENOTSUPP;
	if (!settings[pin][param])
		return -EINVAL;
	*config = settings[pin][param];
	return 0;
}

static int config_set(struct pinctrl_dev *p, unsigned int pin, unsigned long *configs,
		      unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		settings[pin][pinconf_to_config_param(configs[i])] = configs[i];
	return 0;
}

static int config_group_set(struct pinctrl_dev *p, unsigned int group, unsigned long *configs,
			    unsigned int n)
{
	const unsigned int *pins;
	unsigned int count;
	int ret = pinctrl_generic_get_group_pins(p, group, &pins, &count);

	for (unsigned int i = 0; !ret && i < count; i++)
		ret = config_set(p, pins[i], configs, n);
	return ret;
}

static const struct pinconf_ops config_ops = {
	.is_generic = true,
	.pin_config_get = config_get,
	.pin_config_set = config_set,
	.pin_config_group_set = config_group_set,
};

static int mux_set(struct pinctrl_dev *p, unsigned int function, unsigned int group)
{
	return 0;
}

static int mux_gpio(struct pinctrl_dev *p, struct pinctrl_gpio_range *range, unsigned int pin)
{
	return 0;
}

static const struct pinmux_ops mux_ops = {
	.get_functions_count = pinmux_generic_get_function_count,
	.get_function_name = pinmux_generic_get_function_name,
	.get_function_groups = pinmux_generic_get_function_groups,
	.set_mux = mux_set,
	.gpio_request_enable = mux_gpio,
};

static const struct pinctrl_ops group_ops = {
	.get_groups_count = pinctrl_generic_get_group_count,
	.get_group_name = pinctrl_generic_get_group_name,
	.get_group_pins = pinctrl_generic_get_group_pins,
	.dt_node_to_map = pinconf_generic_dt_node_to_map_all,
	.dt_free_map = pinconf_generic_dt_free_map,
};

static struct pinctrl_pin_desc pins[PINS];
static struct pinctrl_desc desc = {
	.name = "parts-pins",
	.pins = pins,
	.npins = PINS,
	.pctlops = &group_ops,
	.pmxops = &mux_ops,
	.confops = &config_ops,
	.owner = THIS_MODULE,
};

static const int bus_pins[] = { 0, 1 }, port_pins[] = { 2, 3, 4 }, idle_pins[] = { 8 };
static const char *const bus_groups[] = { "bus" }, *const port_groups[] = { "port" },
			 *const idle_groups[] = { "bus", "port", "spare" };

static int parts_pins_probe(struct platform_device *pdev)
{
	struct pinctrl_dev *p;
	int ret;

	for (unsigned int i = 0; i < PINS; i++) {
		pins[i].number = i;
		pins[i].name = devm_kasprintf(&pdev->dev, GFP_KERNEL, "PA%u", i);
		if (!pins[i].name)
			return -ENOMEM;
	}
	ret = devm_pinctrl_register_and_init(&pdev->dev, &desc, NULL, &p);
	if (ret)
		return ret;
	pinctrl_generic_add_group(p, "bus", bus_pins, ARRAY_SIZE(bus_pins), NULL);
	pinctrl_generic_add_group(p, "port", port_pins, ARRAY_SIZE(port_pins), NULL);
	pinctrl_generic_add_group(p, "spare", idle_pins, ARRAY_SIZE(idle_pins), NULL);
	pinmux_generic_add_function(p, "i2c0", bus_groups, ARRAY_SIZE(bus_groups), NULL);
	pinmux_generic_add_function(p, "uart3", port_groups, ARRAY_SIZE(port_groups), NULL);
	pinmux_generic_add_function(p, "idle", idle_groups, ARRAY_SIZE(idle_groups), NULL);
	return pinctrl_enable(p);
}

static const struct of_device_id parts_pins_ids[] = { { .compatible = "obit,pins" }, {} };

struct platform_driver parts_pins_driver = {
	.probe = parts_pins_probe,
	.driver = { .name = "parts-pins", .of_match_table = parts_pins_ids },
};

/* ---- GPIO: the node's gpio-ranges says which lines are which pins */

static unsigned long outputs, levels;

static int line_direction(struct gpio_chip *gc, unsigned int i)
{
	return test_bit(i, &outputs) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int line_input(struct gpio_chip *gc, unsigned int i)
{
	clear_bit(i, &outputs);
	return 0;
}

static int line_output(struct gpio_chip *gc, unsigned int i, int level)
{
	set_bit(i, &outputs);
	assign_bit(i, &levels, level);
	return 0;
}

static int line_get(struct gpio_chip *gc, unsigned int i)
{
	return test_bit(i, &levels);
}

static void line_set(struct gpio_chip *gc, unsigned int i, int level)
{
	assign_bit(i, &levels, level);
}

static struct gpio_chip chip = {
	.label = "parts-lines",
	.owner = THIS_MODULE,
	.request = gpiochip_generic_request,
	.free = gpiochip_generic_free,
	.get_direction = line_direction,
	.direction_input = line_input,
	.direction_output = line_output,
	.get = line_get,
	.set = line_set,
	.base = -1,
	.ngpio = 8,
};

static int parts_lines_probe(struct platform_device *pdev)
{
	chip.parent = &pdev->dev;
	return devm_gpiochip_add_data(&pdev->dev, &chip, NULL);
}

static const struct of_device_id parts_lines_ids[] = { { .compatible = "obit,lines" }, {} };

struct platform_driver parts_lines_driver = {
	.probe = parts_lines_probe,
	.driver = { .name = "parts-lines", .of_match_table = parts_lines_ids },
};
