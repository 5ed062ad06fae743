/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what supplies a device, in made-up memory: its own parts and nobody else's. */
#include "core/base/test.h"
#include "core/linux/device/board_fake.h"

#define DEVICE(i) (KERNEL_BASE + 0x1000 + 0x100 * (uint64_t)(i))
#define CORE(i) (KERNEL_BASE + 0x2000 + 0x80 * (uint64_t)(i))
#define USER(i) (KERNEL_BASE + 0x2800 + 0x40 * (uint64_t)(i))
#define REGULATOR (KERNEL_BASE + 0x3000)
#define CHIP (KERNEL_BASE + 0x3400)
#define LINES (KERNEL_BASE + 0x3800)
#define HANDLE(i) (KERNEL_BASE + 0x4000 + 0x40 * (uint64_t)(i))
#define STATE(i) (KERNEL_BASE + 0x4200 + 0x40 * (uint64_t)(i))
#define SETTING (KERNEL_BASE + 0x4400)
#define GROUP (KERNEL_BASE + 0x4600)
#define NODE(i) (KERNEL_BASE + 0x5000 + 0x40 * (uint64_t)(i))
#define PROPERTY(i) (KERNEL_BASE + 0x5200 + 0x20 * (uint64_t)(i))
#define CELLS(i) (KERNEL_BASE + 0x5600 + 0x20 * (uint64_t)(i))
#define TEXT(i) (KERNEL_BASE + 0x6000 + 0x20 * (uint64_t)(i))
#define LOST (KERNEL_BASE + 0x8100) /* in a page that is not there */

/* offsets of what board_fake.h leaves out */
#define IOMMU 88
#define CLK_DEV 32
#define NODE_PHANDLE 8
#define NODE_PROPERTIES 16
#define NODE_PARENT 24
#define NODE_CHILD 32
#define NODE_SIBLING 40

enum {
	RADIO,
	CAMERA
};

struct fixture {
	struct fake_kernel k;
	unsigned texts;
};

static void put_name(struct fixture *f, uint64_t at, const char *name)
{
	put_str(&f->k, TEXT(f->texts), name);
	put64(&f->k, at, TEXT(f->texts++));
}

static void add_types(struct fake_kernel *k)
{
	struct type *type, *fwnode = NULL;

	for (size_t i = 0; i < k->n_types; i++) {
		if (!strcmp(k->types[i]->name, "device"))
			kernel_member(k->types[i], "iommu_group", &k->ptr, IOMMU);
		if (!strcmp(k->types[i]->name, "clk"))
			kernel_member(k->types[i], "dev", &k->ptr, CLK_DEV);
		if (!strcmp(k->types[i]->name, "fwnode_handle"))
			fwnode = k->types[i];
	}
	type = kernel_struct(k, "iommu_group", 16);
	kernel_member(type, "id", &k->s32, 0);
	kernel_member(type, "name", &k->ptr, 8);
	type = kernel_struct(k, "device_node", 64);
	kernel_member(type, "full_name", &k->ptr, 0);
	kernel_member(type, "phandle", &k->u32, NODE_PHANDLE);
	kernel_member(type, "properties", &k->ptr, NODE_PROPERTIES);
	kernel_member(type, "parent", &k->ptr, NODE_PARENT);
	kernel_member(type, "child", &k->ptr, NODE_CHILD);
	kernel_member(type, "sibling", &k->ptr, NODE_SIBLING);
	kernel_member(type, "fwnode", fwnode, 48);
	type = kernel_struct(k, "property", 32);
	kernel_member(type, "name", &k->ptr, 0);
	kernel_member(type, "length", &k->s32, 8);
	kernel_member(type, "value", &k->ptr, 16);
	kernel_member(type, "next", &k->ptr, 24);
	kernel_symbol(k, "of_root", KERNEL_BASE + 0x78);
}

/* Two devices, and one of everything that nobody uses. */
static struct fixture *start(void)
{
	static const char *const names[] = { "radio.0", "camera.0", "chip.0" };
	uint64_t devices[] = { DEVICE(RADIO) + BD_ENTRY, DEVICE(CAMERA) + BD_ENTRY,
			       CHIP + BD_ENTRY };
	struct fixture *f = xrealloc(NULL, sizeof(*f));
	struct fake_kernel *k = &f->k;

	f->texts = 0;
	board_fake_init(k);
	add_types(k);
	put64(k, FB_KSET, KERNEL_BASE + 0x100);
	put_list(k, KERNEL_BASE + 0x100, devices, 3);
	put_list(k, FB_PENDING, NULL, 0);
	put_list(k, FB_GPIOS, NULL, 0);
	put_list(k, FB_HANDLES, NULL, 0);
	put_name(f, DEVICE(RADIO), names[RADIO]);
	put_name(f, DEVICE(CAMERA), names[CAMERA]);
	put_name(f, CHIP, names[2]);
	return f;
}

static void end(struct fixture *f)
{
	kernel_release(&f->k);
	free(f);
}

static struct device_parts parts_of(struct fixture *f, unsigned i, struct err *why)
{
	const struct device *d = device_at(&f->k.t, DEVICE(i));
	struct device_parts parts = { 0 };

	if (CHECK(d != NULL))
		device_parts(&f->k.t, d, &parts, why);
	return parts;
}

TEST(a_device_without_parts)
{
	struct fixture *f = start();
	struct device_parts p;
	struct err why;

	p = parts_of(f, RADIO, &why);
	CHECK_ERR(why, ERR_OK);
	CHECK_U64(p.n_clocks + p.n_supplies + p.n_lines + p.n_pins, 0);
	CHECK(!p.iommu);
	end(f);
}

/* One clock, enabled once and prepared twice, at 24 MHz, with these users. */
static void put_clock(struct fixture *f, const uint64_t *devices, size_t n)
{
	struct fake_kernel *k = &f->k;
	uint64_t at = CORE(0) + BC_CLKS;

	put64(k, FB_CLK_ROOTS, CORE(0) + BC_NODE);
	put_name(f, CORE(0) + BC_NAME, "gate");
	put64(k, CORE(0) + BC_RATE, 24000000);
	put32(k, CORE(0) + BC_ENABLED, 1);
	put32(k, CORE(0) + BC_PREPARED, 2);
	for (size_t i = 0; i < n; i++) {
		put64(k, at, USER(i) + BU_NODE);
		put64(k, USER(i) + BU_NODE + 8, at);
		put64(k, USER(i) + CLK_DEV, devices[i]);
		at = USER(i) + BU_NODE;
	}
}

TEST(clocks_by_device)
{
	uint64_t users[] = { DEVICE(CAMERA), DEVICE(CAMERA) };
	struct fixture *f = start();
	struct device_parts p;
	struct err why;

	put_clock(f, users, 2);
	p = parts_of(f, CAMERA, &why);
	CHECK_ERR(why, ERR_OK);
	REQUIRE(p.n_clocks == 1); /* not twice, although it got it twice */
	CHECK_STR(p.clocks[0], "gate (enabled 1, prepared 2, 24000000 Hz)");
	CHECK_U64(parts_of(f, RADIO, &why).n_clocks, 0);
	end(f);
}

/* /radio@1 and /gpio@2 below the root; names of the rest */
static void put_tree(struct fixture *f, const char *second, uint32_t chip_cells)
{
	struct fake_kernel *k = &f->k;

	put64(k, KERNEL_BASE + 0x78, NODE(0));
	put_name(f, NODE(0), "");
	put64(k, NODE(0) + NODE_CHILD, NODE(1));
	for (unsigned i = 1; i <= 2; i++) {
		put64(k, NODE(i) + NODE_PARENT, NODE(0));
		put64(k, NODE(i) + NODE_PROPERTIES, PROPERTY(i));
	}
	put64(k, NODE(1) + NODE_SIBLING, NODE(2));
	put_name(f, NODE(1), "radio@1");
	put_name(f, NODE(2), second);
	put32(k, NODE(2) + NODE_PHANDLE, 7);
	/* reset-gpios = <&gpio 1 0>, as it lies in memory: highest byte first */
	put_name(f, PROPERTY(1), "reset-gpios");
	put32(k, PROPERTY(1) + 8, 12);
	put64(k, PROPERTY(1) + 16, CELLS(1));
	put32(k, CELLS(1), 0x07000000);
	put32(k, CELLS(1) + 4, 0x01000000);
	put_name(f, PROPERTY(2), "#gpio-cells");
	put32(k, PROPERTY(2) + 8, 4);
	put64(k, PROPERTY(2) + 16, CELLS(2));
	put32(k, CELLS(2), chip_cells << 24);
	put64(k, DEVICE(RADIO) + BD_NODE, NODE(1));
}

TEST(clocks_by_a_node_that_is_the_only_one_of_its_name)
{
	uint64_t nobody = 0;
	struct fixture *f = start();
	struct err why;

	/* of_clk_get() leaves the node's name without its address, and no device */
	put_tree(f, "gpio@2", 2);
	put_clock(f, &nobody, 1);
	put_name(f, USER(0) + BU_DEV, "radio@1");
	CHECK_U64(parts_of(f, RADIO, &why).n_clocks, 1);
	CHECK_U64(parts_of(f, CAMERA, &why).n_clocks, 0);
	end(f);
	f = start();
	put_tree(f, "radio@1", 2);
	put_clock(f, &nobody, 1);
	put_name(f, USER(0) + BU_DEV, "radio@1");
	CHECK_U64(parts_of(f, RADIO, &why).n_clocks, 0);
	end(f);
}

/* A chip of three lines; line 1 is requested (bit 0), an output (1) and active-low (6). */
static void put_chip(struct fixture *f)
{
	struct fake_kernel *k = &f->k;
	uint64_t chip = CHIP + BG_LIST;

	put_list(k, FB_GPIOS, &chip, 1);
	put64(k, CHIP + BD_NODE, NODE(2));
	put_name(f, CHIP + BG_LABEL, "bank");
	put64(k, CHIP + BG_DESCS, LINES);
	put32(k, CHIP + BG_COUNT, 3);
	put64(k, LINES + BL_SIZE + BL_FLAGS, 1 | 1 << 1 | 1 << 6);
	put_name(f, LINES + BL_SIZE + BL_LABEL, "radio reset");
}

TEST(lines_that_its_node_refers_to)
{
	struct fixture *f = start();
	struct device_parts p;
	struct err why;

	put_tree(f, "gpio@2", 2);
	put_chip(f);
	p = parts_of(f, RADIO, &why);
	CHECK_ERR(why, ERR_OK);
	REQUIRE(p.n_lines == 1);
	CHECK_STR(p.lines[0], "reset: bank 1 (out, active-low, 'radio reset')");
	CHECK_U64(parts_of(f, CAMERA, &why).n_lines, 0);
	end(f);
	/* nobody requested it */
	f = start();
	put_tree(f, "gpio@2", 2);
	put_chip(f);
	put64(&f->k, LINES + BL_SIZE + BL_FLAGS, 0);
	put64(&f->k, LINES + BL_SIZE + BL_LABEL, 0);
	p = parts_of(f, RADIO, &why);
	REQUIRE(p.n_lines == 1);
	CHECK_STR(p.lines[0], "reset: bank 1 (not requested)");
	end(f);
	/* three cells: what they mean is the driver's own */
	f = start();
	put_tree(f, "gpio@2", 3);
	put_chip(f);
	CHECK_U64(parts_of(f, RADIO, &why).n_lines, 0);
	end(f);
}

TEST(supplies)
{
	struct fixture *f = start();
	struct fake_kernel *k = &f->k;
	uint64_t cls = KERNEL_BASE + 0x180, user = USER(0) + 8, rdev = REGULATOR;
	uint64_t devices[] = { DEVICE(RADIO) + BD_ENTRY, DEVICE(CAMERA) + BD_ENTRY,
			       REGULATOR + BD_ENTRY };
	struct device_parts p;
	struct err why;

	put_list(k, KERNEL_BASE + 0x100, devices, 3);
	put64(k, FB_REG_CLASS, cls);
	put_name(f, cls, "regulator");
	put_name(f, rdev, "regulator.0");
	put64(k, rdev + BD_CLASS, cls);
	put64(k, rdev + BR_DESC, KERNEL_BASE + 0x190);
	put_name(f, KERNEL_BASE + 0x190, "ldo1");
	put_list(k, rdev + BR_CONSUMERS, &user, 1);
	put64(k, USER(0), DEVICE(RADIO));
	put32(k, USER(0) + 28, 1);
	put_name(f, USER(0) + 40, "radio.0-vdd");
	p = parts_of(f, RADIO, &why);
	CHECK_ERR(why, ERR_OK);
	REQUIRE(p.n_supplies == 1);
	CHECK_STR(p.supplies[0], "vdd: ldo1 (enabled)");
	CHECK_U64(parts_of(f, CAMERA, &why).n_supplies, 0);
	put32(k, USER(0) + 28, 0);
	p = parts_of(f, RADIO, &why);
	REQUIRE(p.n_supplies == 1);
	CHECK_STR(p.supplies[0], "vdd: ldo1 (not enabled)");
	end(f);
}

/* The camera's two states, the second of which (now) has function 6 on group 5. */
static void put_pins(struct fixture *f)
{
	uint64_t handle = HANDLE(0), states[] = { STATE(0), STATE(1) }, setting = SETTING;
	struct fake_kernel *k = &f->k;

	put_list(k, FB_HANDLES, &handle, 1);
	put64(k, handle + BH_DEV, DEVICE(CAMERA));
	put_list(k, handle + BH_STATES, states, 2);
	put64(k, handle + BH_STATE, STATE(1));
	put_name(f, STATE(0) + BS_NAME, "sleep");
	put_name(f, STATE(1) + BS_NAME, "default");
	put_list(k, STATE(0) + BS_SETTINGS, NULL, 0);
	put_list(k, STATE(1) + BS_SETTINGS, &setting, 1);
	put32(k, SETTING + BT_TYPE, 2);
	put32(k, SETTING + BT_DATA, 5);
	put32(k, SETTING + BT_DATA + 4, 6);
}

TEST(states_of_its_pins)
{
	struct fixture *f = start();
	struct device_parts p;
	struct err why;

	put_pins(f);
	p = parts_of(f, CAMERA, &why);
	CHECK_ERR(why, ERR_OK);
	REQUIRE(p.n_pins == 2);
	CHECK_STR(p.pins[0], "sleep:");
	CHECK_STR(p.pins[1], "default (now): ?: function 6 on group 5");
	CHECK_U64(parts_of(f, RADIO, &why).n_pins, 0);
	end(f);
}

TEST(the_iommu_group)
{
	struct fixture *f = start();
	struct err why;

	put64(&f->k, DEVICE(RADIO) + IOMMU, GROUP);
	put32(&f->k, GROUP, 3);
	CHECK_STR(parts_of(f, RADIO, &why).iommu, "3");
	put_name(f, GROUP + 8, "hub");
	CHECK_STR(parts_of(f, RADIO, &why).iommu, "3 (hub)");
	CHECK(!parts_of(f, CAMERA, &why).iommu);
	CHECK_ERR(why, ERR_OK);
	end(f);
}

TEST(one_lost_part_hides_no_other_and_is_told)
{
	uint64_t user = DEVICE(CAMERA);
	struct fixture *f = start();
	struct device_parts p;
	struct err why;

	f->k.holes = UINT64_C(1) << ((LOST - KERNEL_BASE) / 0x1000);
	put_clock(f, &user, 1);
	put_pins(f);
	put64(&f->k, DEVICE(CAMERA) + IOMMU, LOST);
	put64(&f->k, FB_CLK_ORPHANS, LOST);
	p = parts_of(f, CAMERA, &why);
	CHECK_ERR(why, ERR_EXCLUDED);
	CHECK_U64(p.n_clocks, 1);
	CHECK_U64(p.n_pins, 2);
	CHECK_STR(p.iommu, "?");
	end(f);
}

TEST_MAIN
