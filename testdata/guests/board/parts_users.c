// SPDX-License-Identifier: GPL-3.0-or-later
/* Devices that use the parts as their nodes tell them to, and drivers that are never satisfied. */
#include <linux/clk.h>
#include <linux/gpio/consumer.h>
#include <linux/interrupt.h>
#include <linux/iommu.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_platform.h>
#include <linux/pinctrl/consumer.h>
#include <linux/pm_domain.h>
#include <linux/pm_runtime.h>
#include <linux/regulator/consumer.h>

#include "parts.h"

/* obit,enable: how often each clock is enabled; 0: it is only prepared, and its rate protected */
static int use_clocks(struct device *dev)
{
	struct clk_bulk_data *clocks;
	int n = devm_clk_bulk_get_all(dev, &clocks);

	if (n < 0)
		return dev_err_probe(dev, n, "no clocks\n");
	for (int i = 0; i < n; i++) {
		u32 times = 1;

		of_property_read_u32_index(dev->of_node, "obit,enable", i, &times);
		if (!times) {
			clk_prepare(clocks[i].clk);
			clk_rate_exclusive_get(clocks[i].clk);
		}
		while (times--)
			clk_prepare_enable(clocks[i].clk);
	}
	return 0;
}

/* obit,supplies: the names; obit,microvolt: what is asked of each, at least; obit,microamp: its
 * load */
static int use_supplies(struct device *dev)
{
#if IS_ENABLED(CONFIG_REGULATOR)
	struct property *p;
	const char *name;
	u32 i = 0;

	of_property_for_each_string(dev->of_node, "obit,supplies", p, name)
	{
		struct regulator *r = devm_regulator_get(dev, name);
		u32 value;

		if (IS_ERR(r))
			return dev_err_probe(dev, PTR_ERR(r), "no supply %s\n", name);
		if (!of_property_read_u32_index(dev->of_node, "obit,microvolt", i, &value) &&
		    regulator_set_voltage(r, (int)value, (int)value + 200000))
			dev_warn(dev, "%s does not take %u microvolts\n", name, value);
		if (!of_property_read_u32_index(dev->of_node, "obit,microamp", i, &value))
			regulator_set_load(r, (int)value);
		if (regulator_enable(r))
			dev_warn(dev, "%s stays off\n", name);
		i++;
	}
#endif
	return 0;
}

static irqreturn_t pressed(int irq, void *arg)
{
	return IRQ_HANDLED;
}

static int use_lines(struct device *dev)
{
	struct gpio_desc *reset = devm_gpiod_get_optional(dev, "reset", GPIOD_OUT_HIGH);
	struct gpio_desc *button = devm_gpiod_get_optional(dev, "button", GPIOD_IN);

	if (IS_ERR(reset) || IS_ERR(button))
		return dev_err_probe(dev, IS_ERR(reset) ? PTR_ERR(reset) : PTR_ERR(button),
				     "no lines\n");
	if (button)
		return devm_request_irq(dev, gpiod_to_irq(button), pressed, IRQF_TRIGGER_RISING,
					"parts-button", dev);
	return 0;
}

/* obit,level: the performance state; obit,active: it stays powered */
static void use_power(struct device *dev)
{
	u32 level;

	pm_runtime_enable(dev);
	if (of_property_read_bool(dev->of_node, "obit,active"))
		pm_runtime_get_sync(dev);
	else if (!pm_runtime_get_sync(dev))
		pm_runtime_put_sync(dev);
	if (!of_property_read_u32(dev->of_node, "obit,level", &level))
		dev_pm_genpd_set_performance_state(dev, level);
}

/* obit,link: a device that it depends on without any node saying so */
static void use_link(struct device *dev)
{
	struct device_node *np = of_parse_phandle(dev->of_node, "obit,link", 0);
	struct platform_device *to = np ? of_find_device_by_node(np) : NULL;

	if (to && !device_link_add(dev, &to->dev, DL_FLAG_STATELESS | DL_FLAG_PM_RUNTIME))
		dev_warn(dev, "no link\n");
	of_node_put(np);
}

/* obit,group: the name of an IOMMU group of its own */
static void use_group(struct device *dev)
{
	struct iommu_group *group;
	const char *name;

	if (of_property_read_string(dev->of_node, "obit,group", &name))
		return;
	group = iommu_group_alloc();
	if (IS_ERR(group))
		return;
	iommu_group_set_name(group, name);
	if (iommu_group_add_device(group, dev))
		dev_warn(dev, "no group\n");
	iommu_group_put(group);
}

static int user_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	int ret = use_clocks(dev);

	if (!ret)
		ret = use_supplies(dev);
	if (!ret)
		ret = use_lines(dev);
	if (ret)
		return ret;
	use_power(dev);
	use_link(dev);
	use_group(dev);
	if (of_property_read_bool(dev->of_node, "obit,sleeps"))
		pinctrl_pm_select_sleep_state(dev);
	platform_set_drvdata(pdev, pdev);
	return 0;
}

static const struct of_device_id user_ids[] = { { .compatible = "obit,user" }, {} };

static struct platform_driver user_driver = {
	.probe = user_probe,
	.driver = { .name = "parts-user", .of_match_table = user_ids },
};

/* obit,says: why it cannot be probed yet, which stays so */
static int late_probe(struct platform_device *pdev)
{
	const char *says;

	if (of_property_read_string(pdev->dev.of_node, "obit,says", &says))
		return -EPROBE_DEFER;
	return dev_err_probe(&pdev->dev, -EPROBE_DEFER, "%s\n", says);
}

static const struct of_device_id late_ids[] = { { .compatible = "obit,late" }, {} };

static struct platform_driver late_driver = {
	.probe = late_probe,
	.driver = { .name = "parts-late", .of_match_table = late_ids },
};

/* Fails for good: its probe is not tried again. */
static int broken_probe(struct platform_device *pdev)
{
	dev_err(&pdev->dev, "the chip does not answer\n");
	return -EIO;
}

static const struct of_device_id broken_ids[] = { { .compatible = "obit,broken" }, {} };

static struct platform_driver broken_driver = {
	.probe = broken_probe,
	.driver = { .name = "parts-broken", .of_match_table = broken_ids },
};

static struct platform_driver *const drivers[] = {
	&parts_clocks_driver,   &parts_domains_driver,
#if IS_ENABLED(CONFIG_REGULATOR)
	&parts_supplies_driver,
#endif
	&parts_pins_driver,     &parts_lines_driver,   &user_driver, &late_driver, &broken_driver,
};

static int __init parts_init(void)
{
	return platform_register_drivers(drivers, ARRAY_SIZE(drivers));
}
module_init(parts_init);

MODULE_DESCRIPTION("Parts of a board, made of software");
MODULE_LICENSE("GPL");
