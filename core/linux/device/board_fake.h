/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing: the types and variables of a kernel with clocks, regulators, GPIOs, pins
 * and power domains. */
#ifndef OBIT_BOARD_FAKE_H
#define OBIT_BOARD_FAKE_H

#include "core/linux/device/board.h"
#include "core/linux/kernel_fake.h"

/* Variables */
#define FB_KSET (KERNEL_BASE + 0x00)
#define FB_CLK_ROOTS (KERNEL_BASE + 0x08)
#define FB_CLK_ORPHANS (KERNEL_BASE + 0x10)
#define FB_REG_CLASS (KERNEL_BASE + 0x18)
#define FB_GPIOS (KERNEL_BASE + 0x20)
#define FB_PINS (KERNEL_BASE + 0x30)
#define FB_HANDLES (KERNEL_BASE + 0x40)
#define FB_DOMAINS (KERNEL_BASE + 0x50)
#define FB_PENDING (KERNEL_BASE + 0x60)
#define FB_BUS (KERNEL_BASE + 0x80)    /* of platform devices: struct bus_type, */
#define FB_SUBSYS (KERNEL_BASE + 0x90) /* and its struct subsys_private */

/* Offsets; a struct device is the first member of what has one. */
#define BD_NAME 0
#define BD_ENTRY 8
#define BD_PARENT 24
#define BD_DRIVER 32
#define BD_CLASS 40
#define BD_NODE 48
#define BD_FWNODE 56
#define BD_SUPPLIERS 64
#define BD_STATUS 80
#define BC_NAME 0
#define BC_RATE 8
#define BC_ENABLED 16
#define BC_PREPARED 20
#define BC_CHILDREN 24
#define BC_NODE 32
#define BC_CLKS 48
#define BU_DEV 0
#define BU_CON 8
#define BU_NODE 16
#define BR_DEV 0
#define BR_USES 88
#define BR_OPENS 92
#define BR_BYPASS 96
#define BR_CONSUMERS 104
#define BR_SUPPLY 120
#define BR_DESC 128
#define BR_CONSTRAINTS 136
#define BG_DEV 0
#define BG_DESCS 88
#define BG_COUNT 96
#define BG_BASE 100
#define BG_LABEL 104
#define BG_LIST 112
#define BL_FLAGS 0
#define BL_LABEL 8
#define BL_NAME 16
#define BL_SIZE 24
#define BP_NODE 0
#define BP_DEV 16
#define BP_TREE 24
#define BP_DESC 40
#define BH_NODE 0
#define BH_DEV 16
#define BH_STATES 24
#define BH_STATE 40
#define BS_NODE 0
#define BS_NAME 16
#define BS_SETTINGS 24
#define BT_NODE 0
#define BT_TYPE 16
#define BT_PCTL 24
#define BT_DATA 32
#define BM_LIST 0
#define BM_NAME 16
#define BM_STATUS 24
#define BM_IDLE 28
#define BM_PERFORMANCE 32
#define BM_CHILDREN 40
#define BM_DEVICES 56
#define BV_LIST 0 /* struct driver_private */
#define BV_DRIVER 16
#define BD_PLATFORM_NAME 88 /* struct platform_device */
#define BV_TABLE 16         /* struct platform_driver, whose driver is its first member */
#define BI_SIZE 32          /* an entry of a driver's table */

/* The platform bus with its drivers, and what they take. */
static inline void board_fake_bus(struct fake_kernel *k, const struct type *list,
				  const struct type *driver)
{
	struct type *bus, *subsys, *klist, *private, *knode, *type;

	bus = kernel_struct(k, "bus_type", 8);
	kernel_member(bus, "p", &k->ptr, 0);
	klist = kernel_struct(k, "klist", 16);
	kernel_member(klist, "k_list", list, 0);
	subsys = kernel_struct(k, "subsys_private", 16);
	kernel_member(subsys, "klist_drivers", klist, 0);
	knode = kernel_struct(k, "klist_node", 16);
	kernel_member(knode, "n_node", list, 0);
	private = kernel_struct(k, "driver_private", 24);
	kernel_member(private, "knode_bus", knode, BV_LIST);
	kernel_member(private, "driver", &k->ptr, BV_DRIVER);
	type = kernel_struct(k, "platform_driver", 24);
	kernel_member(type, "driver", driver, 0);
	kernel_member(type, "id_table", &k->ptr, BV_TABLE);
	type = kernel_struct(k, "platform_device_id", BI_SIZE);
	kernel_member(type, "name", kernel_array(k, &k->u8, 24), 0);
	type = kernel_struct(k, "of_device_id", BI_SIZE);
	kernel_member(type, "compatible", kernel_array(k, &k->u8, 24), 0);
	type = kernel_struct(k, "platform_device", 96);
	kernel_member(type, "dev", &k->u8, 0);
	kernel_member(type, "name", &k->ptr, BD_PLATFORM_NAME);
}

static inline struct type *board_fake_device(struct fake_kernel *k, const struct type *list)
{
	struct type *kobj = kernel_struct(k, "kobject", 32), *device, *fwnode, *kset, *driver,
		    *links, *power, *cls, *link, *private;

	kernel_member(kobj, "name", &k->ptr, 0);
	kernel_member(kobj, "entry", list, 8);
	kernel_member(kobj, "parent", &k->ptr, 24);
	links = kernel_struct(k, "dev_links_info", 16);
	kernel_member(links, "suppliers", list, 0);
	power = kernel_struct(k, "dev_pm_info", 4);
	kernel_member(power, "runtime_status", &k->u32, 0);
	device = kernel_struct(k, "device", 88);
	kernel_member(device, "kobj", kobj, 0);
	kernel_member(device, "driver", &k->ptr, BD_DRIVER);
	kernel_member(device, "class", &k->ptr, BD_CLASS);
	kernel_member(device, "of_node", &k->ptr, BD_NODE);
	kernel_member(device, "fwnode", &k->ptr, BD_FWNODE);
	kernel_member(device, "links", links, BD_SUPPLIERS);
	kernel_member(device, "power", power, BD_STATUS);
	fwnode = kernel_struct(k, "fwnode_handle", 16);
	kernel_member(fwnode, "suppliers", list, 0);
	kset = kernel_struct(k, "kset", 16);
	kernel_member(kset, "list", list, 0);
	driver = kernel_struct(k, "device_driver", 16);
	kernel_member(driver, "name", &k->ptr, 0);
	kernel_member(driver, "of_match_table", &k->ptr, 8);
	board_fake_bus(k, list, driver);
	cls = kernel_struct(k, "class", 8);
	kernel_member(cls, "name", &k->ptr, 0);
	link = kernel_struct(k, "device_link", 32);
	kernel_member(link, "supplier", &k->ptr, 0);
	kernel_member(link, "c_node", list, 8);
	kernel_member(link, "status", &k->s32, 24);
	kernel_member(link, "flags", &k->u32, 28);
	private = kernel_struct(k, "device_private", 32);
	kernel_member(private, "deferred_probe", list, 0);
	kernel_member(private, "device", &k->ptr, 16);
	kernel_symbol(k, "devices_kset", FB_KSET);
	kernel_symbol(k, "deferred_probe_pending_list", FB_PENDING);
	return device;
}

static inline void board_fake_clk(struct fake_kernel *k)
{
	struct type *head = kernel_struct(k, "hlist_head", 8), *node, *core, *clk;

	kernel_member(head, "first", &k->ptr, 0);
	node = kernel_struct(k, "hlist_node", 16);
	kernel_member(node, "next", &k->ptr, 0);
	kernel_member(node, "pprev", &k->ptr, 8);
	core = kernel_struct(k, "clk_core", 56);
	kernel_member(core, "name", &k->ptr, BC_NAME);
	kernel_member(core, "rate", &k->u64, BC_RATE);
	kernel_member(core, "enable_count", &k->u32, BC_ENABLED);
	kernel_member(core, "prepare_count", &k->u32, BC_PREPARED);
	kernel_member(core, "children", head, BC_CHILDREN);
	kernel_member(core, "child_node", node, BC_NODE);
	kernel_member(core, "clks", head, BC_CLKS);
	clk = kernel_struct(k, "clk", 32);
	kernel_member(clk, "dev_id", &k->ptr, BU_DEV);
	kernel_member(clk, "con_id", &k->ptr, BU_CON);
	kernel_member(clk, "clks_node", node, BU_NODE);
	kernel_symbol(k, "clk_root_list", FB_CLK_ROOTS);
	kernel_symbol(k, "clk_orphan_list", FB_CLK_ORPHANS);
}

static inline void board_fake_regulator(struct fake_kernel *k, const struct type *list,
					const struct type *dev)
{
	struct type *rdev = kernel_struct(k, "regulator_dev", 144), *user, *desc, *limits, *volts;

	kernel_member(rdev, "dev", dev, BR_DEV);
	kernel_member(rdev, "use_count", &k->u32, BR_USES);
	kernel_member(rdev, "open_count", &k->u32, BR_OPENS);
	kernel_member(rdev, "bypass_count", &k->u32, BR_BYPASS);
	kernel_member(rdev, "consumer_list", list, BR_CONSUMERS);
	kernel_member(rdev, "supply", &k->ptr, BR_SUPPLY);
	kernel_member(rdev, "desc", &k->ptr, BR_DESC);
	kernel_member(rdev, "constraints", &k->ptr, BR_CONSTRAINTS);
	volts = kernel_struct(k, "regulator_voltage", 8);
	kernel_member(volts, "min_uV", &k->s32, 0);
	kernel_member(volts, "max_uV", &k->s32, 4);
	user = kernel_struct(k, "regulator", 64);
	kernel_member(user, "dev", &k->ptr, 0);
	kernel_member(user, "list", list, 8);
	kernel_member(user, "uA_load", &k->s32, 24);
	kernel_member(user, "enable_count", &k->u32, 28);
	kernel_member(user, "voltage", volts, 32);
	kernel_member(user, "supply_name", &k->ptr, 40);
	kernel_member(user, "rdev", &k->ptr, 48);
	desc = kernel_struct(k, "regulator_desc", 8);
	kernel_member(desc, "name", &k->ptr, 0);
	limits = kernel_struct(k, "regulation_constraints", 16);
	kernel_member(limits, "name", &k->ptr, 0);
	kernel_member(limits, "min_uV", &k->s32, 8);
	kernel_member(limits, "max_uV", &k->s32, 12);
	kernel_symbol(k, "regulator_class", FB_REG_CLASS);
}

/* The words that all drivers share, and who takes them. */
static inline void board_fake_config(struct fake_kernel *k)
{
	static const struct enumerator e[] = { { "PIN_CONFIG_BIAS_PULL_UP", 5 },
					       { "PIN_CONFIG_END", 0x7f } };
	struct type *type = ARENA_NEW(&k->t.arena, struct type), *desc, *ops;

	*type = kernel_base_type(k, TYPE_ENUM, 4, false);
	type->name = "pin_config_param";
	type->enums = ARENA_ARRAY(&k->t.arena, struct enumerator, ARRAY_SIZE(e));
	memcpy(type->enums, e, sizeof(e));
	type->n_enums = ARRAY_SIZE(e);
	k->types[k->n_types++] = type;
	desc = kernel_struct(k, "pinctrl_desc", 8);
	kernel_member(desc, "confops", &k->ptr, 0);
	ops = kernel_struct(k, "pinconf_ops", 8);
	kernel_member(ops, "is_generic", &k->u8, 0);
}

static inline void board_fake_pins(struct fake_kernel *k, const struct type *list,
				   const struct type *dev)
{
	struct type *gdev = kernel_struct(k, "gpio_device", 128), *desc, *pctl, *handle, *state,
		    *setting, *mux, *configs;

	kernel_member(gdev, "dev", dev, BG_DEV);
	kernel_member(gdev, "descs", &k->ptr, BG_DESCS);
	kernel_member(gdev, "ngpio", &k->u32, BG_COUNT);
	kernel_member(gdev, "base", &k->s32, BG_BASE);
	kernel_member(gdev, "label", &k->ptr, BG_LABEL);
	kernel_member(gdev, "list", list, BG_LIST);
	desc = kernel_struct(k, "gpio_desc", BL_SIZE);
	kernel_member(desc, "flags", &k->u64, BL_FLAGS);
	kernel_member(desc, "label", &k->ptr, BL_LABEL);
	kernel_member(desc, "name", &k->ptr, BL_NAME);
	kernel_symbol(k, "gpio_devices", FB_GPIOS);
	pctl = kernel_struct(k, "pinctrl_dev", 48);
	kernel_member(pctl, "node", list, BP_NODE);
	kernel_member(pctl, "dev", &k->ptr, BP_DEV);
	kernel_member(pctl, "desc", &k->ptr, BP_DESC);
	handle = kernel_struct(k, "pinctrl", 48);
	kernel_member(handle, "node", list, BH_NODE);
	kernel_member(handle, "dev", &k->ptr, BH_DEV);
	kernel_member(handle, "states", list, BH_STATES);
	kernel_member(handle, "state", &k->ptr, BH_STATE);
	state = kernel_struct(k, "pinctrl_state", 40);
	kernel_member(state, "node", list, BS_NODE);
	kernel_member(state, "name", &k->ptr, BS_NAME);
	kernel_member(state, "settings", list, BS_SETTINGS);
	setting = kernel_struct(k, "pinctrl_setting", 56);
	kernel_member(setting, "node", list, BT_NODE);
	kernel_member(setting, "type", &k->u32, BT_TYPE);
	kernel_member(setting, "pctldev", &k->ptr, BT_PCTL);
	kernel_member(setting, "data", &k->u64, BT_DATA);
	mux = kernel_struct(k, "pinctrl_setting_mux", 8);
	kernel_member(mux, "group", &k->u32, 0);
	kernel_member(mux, "func", &k->u32, 4);
	configs = kernel_struct(k, "pinctrl_setting_configs", 24);
	kernel_member(configs, "group_or_pin", &k->u32, 0);
	kernel_member(configs, "configs", &k->ptr, 8);
	kernel_member(configs, "num_configs", &k->u32, 16);
	kernel_symbol(k, "pinctrl_list", FB_HANDLES);
	board_fake_config(k);
}

static inline void board_fake_genpd(struct fake_kernel *k, const struct type *list)
{
	struct type *domain = kernel_struct(k, "generic_pm_domain", 72), *link, *data, *all;

	kernel_member(domain, "gpd_list_node", list, BM_LIST);
	kernel_member(domain, "name", &k->ptr, BM_NAME);
	kernel_member(domain, "status", &k->u32, BM_STATUS);
	kernel_member(domain, "state_idx", &k->u32, BM_IDLE);
	kernel_member(domain, "performance_state", &k->u32, BM_PERFORMANCE);
	kernel_member(domain, "parent_links", list, BM_CHILDREN);
	kernel_member(domain, "dev_list", list, BM_DEVICES);
	link = kernel_struct(k, "gpd_link", 24);
	kernel_member(link, "child", &k->ptr, 0);
	kernel_member(link, "parent_node", list, 8);
	data = kernel_struct(k, "pm_domain_data", 24);
	kernel_member(data, "list_node", list, 0);
	kernel_member(data, "dev", &k->ptr, 16);
	all = kernel_struct(k, "generic_pm_domain_data", 32);
	kernel_member(all, "base", data, 0);
	kernel_member(all, "performance_state", &k->u32, 24);
	kernel_symbol(k, "gpd_list", FB_DOMAINS);
}

static inline void board_fake_init(struct fake_kernel *k)
{
	struct type *list, *dev;

	kernel_init(k);
	list = kernel_list_type(k);
	dev = board_fake_device(k, list);
	board_fake_clk(k);
	board_fake_regulator(k, list, dev);
	board_fake_pins(k, list, dev);
	board_fake_genpd(k, list);
	kernel_symbol(k, "init_task", KERNEL_BASE + 0x70);
}

#endif
