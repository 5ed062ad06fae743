// SPDX-License-Identifier: GPL-3.0-or-later
/* Power domains, one above the others, and regulators whose voltage is a number in memory. */
#include <linux/module.h>
#include <linux/of.h>
#include <linux/pm_domain.h>
#include <linux/regulator/driver.h>
#include <linux/regulator/of_regulator.h>

#include "parts.h"

static int domain_power(struct generic_pm_domain *domain)
{
	return 0;
}

static int domain_level(struct generic_pm_domain *domain, unsigned int level)
{
	return 0;
}

/* Whoever may power down goes into the second idle state. */
static bool down_ok(struct dev_pm_domain *domain)
{
	struct generic_pm_domain *genpd = container_of(domain, struct generic_pm_domain, domain);

	genpd->state_idx = 1;
	return true;
}

static struct dev_power_governor governor = { .power_down_ok = down_ok };

static struct genpd_power_state audio_states[2] = {
	{ .power_off_latency_ns = 1000, .power_on_latency_ns = 1000 },
	{ .power_off_latency_ns = 2000, .power_on_latency_ns = 2000 },
};

static struct generic_pm_domain domains[] = {
	{ .name = "parts-main", .power_on = domain_power, .power_off = domain_power },
	{ .name = "parts-video", .power_on = domain_power, .power_off = domain_power },
	{ .name = "parts-audio",
	  .power_on = domain_power,
	  .power_off = domain_power,
	  .states = audio_states,
	  .state_count = ARRAY_SIZE(audio_states) },
	{ .name = "parts-spare", .power_on = domain_power, .power_off = domain_power },
};

static struct generic_pm_domain *domain_list[] = { &domains[0], &domains[1], &domains[2],
						   &domains[3] };
static struct genpd_onecell_data domain_data = {
	.domains = domain_list,
	.num_domains = ARRAY_SIZE(domain_list),
};

static int parts_domains_probe(struct platform_device *pdev)
{
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(domains) && !ret; i++)
		ret = pm_genpd_init(&domains[i], i == 2 ? &governor : NULL, i == 3);
	if (!ret)
		ret = pm_genpd_add_subdomain(&domains[0], &domains[1]);
	if (!ret)
		ret = pm_genpd_add_subdomain(&domains[0], &domains[2]);
	if (!ret)
		ret = of_genpd_add_provider_onecell(pdev->dev.of_node, &domain_data);
	/* set last: a provider that has it must also bring a table of operating points */
	domains[1].set_performance_state = domain_level;
	return ret;
}

static const struct of_device_id parts_domains_ids[] = { { .compatible = "obit,domains" }, {} };

struct platform_driver parts_domains_driver = {
	.probe = parts_domains_probe,
	.driver = { .name = "parts-domains", .of_match_table = parts_domains_ids },
};

#if IS_ENABLED(CONFIG_REGULATOR)
struct supply {
	struct regulator_desc desc;
	unsigned int selector;
	bool on;
};

static int supply_enable(struct regulator_dev *r)
{
	((struct supply *)rdev_get_drvdata(r))->on = true;
	return 0;
}

static int supply_disable(struct regulator_dev *r)
{
	((struct supply *)rdev_get_drvdata(r))->on = false;
	return 0;
}

static int supply_is_enabled(struct regulator_dev *r)
{
	return ((struct supply *)rdev_get_drvdata(r))->on;
}

static int supply_get(struct regulator_dev *r)
{
	return (int)((struct supply *)rdev_get_drvdata(r))->selector;
}

static int supply_set(struct regulator_dev *r, unsigned int selector)
{
	((struct supply *)rdev_get_drvdata(r))->selector = selector;
	return 0;
}

static const struct regulator_ops supply_ops = {
	.enable = supply_enable,
	.disable = supply_disable,
	.is_enabled = supply_is_enabled,
	.get_voltage_sel = supply_get,
	.set_voltage_sel = supply_set,
	.list_voltage = regulator_list_voltage_linear,
	.map_voltage = regulator_map_voltage_linear,
};

/* From 0.8 V in steps of 0.1 V; the second is fed by the first. */
static struct supply supplies[] = {
	{ { .name = "buck1", .of_match = "buck1" } },
	{ { .name = "ldo1", .of_match = "ldo1", .supply_name = "in" } },
};

static int parts_supplies_probe(struct platform_device *pdev)
{
	for (size_t i = 0; i < ARRAY_SIZE(supplies); i++) {
		struct supply *s = &supplies[i];
		struct regulator_config config = { .dev = &pdev->dev, .driver_data = s };
		struct regulator_dev *r;

		s->desc.id = (int)i;
		s->desc.ops = &supply_ops;
		s->desc.type = REGULATOR_VOLTAGE;
		s->desc.owner = THIS_MODULE;
		s->desc.regulators_node = "regulators";
		s->desc.min_uV = 800000;
		s->desc.uV_step = 100000;
		s->desc.n_voltages = 33;
		r = devm_regulator_register(&pdev->dev, &s->desc, &config);
		if (IS_ERR(r))
			return dev_err_probe(&pdev->dev, PTR_ERR(r), "no %s\n", s->desc.name);
	}
	return 0;
}

static const struct of_device_id parts_supplies_ids[] = { { .compatible = "obit,supplies" }, {} };

struct platform_driver parts_supplies_driver = {
	.probe = parts_supplies_probe,
	.driver = { .name = "parts-supplies", .of_match_table = parts_supplies_ids },
};
#endif
