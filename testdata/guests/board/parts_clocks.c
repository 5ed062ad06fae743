// SPDX-License-Identifier: GPL-3.0-or-later
/* A tree of clocks whose registers are memory, one with every property, and one that hangs nowhere.
 */
#include <linux/clk-provider.h>
#include <linux/module.h>
#include <linux/of.h>

#include "parts.h"

/* What would be registers: the mux's choice, the divider, the gate. */
static u32 regs[3] = { 1, 3, 0 };
static DEFINE_SPINLOCK(lock);

static unsigned long pll_rate(struct clk_hw *hw, unsigned long parent)
{
	return parent * 8;
}

static unsigned long pll_accuracy(struct clk_hw *hw, unsigned long parent)
{
	return 50000;
}

static const struct clk_ops pll_ops = {
	.recalc_rate = pll_rate,
	.recalc_accuracy = pll_accuracy,
};

static int strobe_phase(struct clk_hw *hw)
{
	return 90;
}

static int strobe_duty(struct clk_hw *hw, struct clk_duty *duty)
{
	duty->num = 1;
	duty->den = 4;
	return 0;
}

static const struct clk_ops strobe_ops = {
	.get_phase = strobe_phase,
	.get_duty_cycle = strobe_duty,
};

static struct clk_hw pll, strobe;

static int own(struct device *dev, struct clk_hw *hw, const char *name, const char *parent,
	       const struct clk_ops *ops)
{
	struct clk_init_data init = {
		.name = name,
		.ops = ops,
		.parent_names = &parent,
		.num_parents = 1,
	};

	hw->init = &init;
	return devm_clk_hw_register(dev, hw);
}

static int parts_clocks_probe(struct platform_device *pdev)
{
	static const char *const choices[] = { "parts-osc", "parts-pll" };
	struct device *dev = &pdev->dev;
	void __iomem *at = (void __iomem *)regs;
	struct clk_hw_onecell_data *cells;
	int ret;

	cells = devm_kzalloc(dev, struct_size(cells, hws, 6), GFP_KERNEL);
	if (!cells)
		return -ENOMEM;
	ret = own(dev, &pll, "parts-pll", "parts-osc", &pll_ops);
	if (ret)
		return ret;
	cells->num = 6;
	cells->hws[0] = &pll;
	cells->hws[1] = clk_hw_register_mux(dev, "parts-mux", choices, 2, 0, at, 0, 1, 0, &lock);
	cells->hws[2] =
		clk_hw_register_divider(dev, "parts-div", "parts-mux", 0, at + 4, 0, 4, 0, &lock);
	cells->hws[3] = clk_hw_register_gate(dev, "parts-gate", "parts-div", CLK_SET_RATE_PARENT,
					     at + 8, 5, 0, &lock);
	ret = own(dev, &strobe, "parts-strobe", "parts-gate", &strobe_ops);
	if (ret)
		return ret;
	cells->hws[4] = &strobe;
	cells->hws[5] = clk_hw_register_fixed_factor(dev, "parts-orphan", "parts-nowhere", 0, 1, 2);
	for (unsigned int i = 0; i < cells->num; i++)
		if (IS_ERR(cells->hws[i]))
			return PTR_ERR(cells->hws[i]);
	return devm_of_clk_add_hw_provider(dev, of_clk_hw_onecell_get, cells);
}

static const struct of_device_id parts_clocks_ids[] = { { .compatible = "obit,clocks" }, {} };

struct platform_driver parts_clocks_driver = {
	.probe = parts_clocks_probe,
	.driver = { .name = "parts-clocks", .of_match_table = parts_clocks_ids },
};
