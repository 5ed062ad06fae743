/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests clocks, regulators, GPIOs, pins and power domains in made-up memory, whole and broken. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/device/board_fake.h"

#define CORE(i) (KERNEL_BASE + 0x1000 + 0x80 * (uint64_t)(i))
#define USER(i) (KERNEL_BASE + 0x2000 + 0x40 * (uint64_t)(i))
#define DEVICE(i) (KERNEL_BASE + 0x3000 + 0x100 * (uint64_t)(i))
#define CHIP(i) (KERNEL_BASE + 0x4000 + 0x100 * (uint64_t)(i))
#define LINES (KERNEL_BASE + 0x4800)
#define DOMAIN(i) (KERNEL_BASE + 0x5000 + 0x80 * (uint64_t)(i))
#define LINK(i) (KERNEL_BASE + 0x5800 + 0x40 * (uint64_t)(i))
#define STATE(i) (KERNEL_BASE + 0x6000 + 0x40 * (uint64_t)(i))
#define TEXT(i) (KERNEL_BASE + 0x7000 + 0x20 * (uint64_t)(i))

static void put_name(struct fake_kernel *k, uint64_t at, unsigned i, const char *name)
{
	put_str(k, TEXT(i), name);
	put64(k, at, TEXT(i));
}

static void put_device(struct fake_kernel *k, unsigned i, uint64_t addr, const char *name)
{
	put_name(k, addr + BD_NAME, i, name);
}

/* n devices in the kernel's list of all */
static void put_devices(struct fake_kernel *k, const uint64_t *devices, size_t n)
{
	uint64_t entries[8];

	for (size_t i = 0; i < n; i++)
		entries[i] = devices[i] + BD_ENTRY;
	put64(k, FB_KSET, KERNEL_BASE + 0x100);
	put_list(k, KERNEL_BASE + 0x100, entries, n);
	put_list(k, FB_PENDING, NULL, 0);
}

/* nodes of an hlist behind the word at head */
static void put_hlist(struct fake_kernel *k, uint64_t head, const uint64_t *nodes, size_t n)
{
	uint64_t at = head;

	for (size_t i = 0; i < n; i++) {
		put64(k, at, nodes[i]);
		put64(k, nodes[i] + 8, at);
		at = nodes[i];
	}
	put64(k, at, 0);
}

static bool see_clk(const struct clk *clk, void *arg)
{
	buf_printf(arg, "%*s%s%s %llu", (int)clk->depth, "", clk->name, clk->orphan ? "!" : "",
		   (unsigned long long)clk->rate);
	for (size_t i = 0; i < clk->n_users; i++)
		buf_printf(arg, " <%s>", clk->users[i]);
	buf_char(arg, '\n');
	return true;
}

/* a with b below it, which two use; c has lost its parent */
static void make_clks(struct fake_kernel *k)
{
	uint64_t a = CORE(0) + BC_NODE, b = CORE(1) + BC_NODE, c = CORE(2) + BC_NODE;
	uint64_t users[] = { USER(0) + BU_NODE, USER(1) + BU_NODE };

	board_fake_init(k);
	put_devices(k, NULL, 0);
	put_name(k, CORE(0) + BC_NAME, 0, "a");
	put_name(k, CORE(1) + BC_NAME, 1, "b");
	put_name(k, CORE(2) + BC_NAME, 2, "c");
	put64(k, CORE(0) + BC_RATE, 1000);
	put64(k, CORE(1) + BC_RATE, 500);
	put_hlist(k, FB_CLK_ROOTS, &a, 1);
	put_hlist(k, FB_CLK_ORPHANS, &c, 1);
	put_hlist(k, CORE(0) + BC_CHILDREN, &b, 1);
	put_hlist(k, CORE(1) + BC_CLKS, users, 2);
	put_name(k, USER(0) + BU_DEV, 3, "uart");
	put_name(k, USER(0) + BU_CON, 4, "apb");
}

TEST(clocks_are_a_tree_with_users)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_clks(k);
	CHECK_OK(clks_each(&k->t, see_clk, &b, &err), err);
	CHECK_STR(buf_text(&b), "a 1000\n b 500 <uart (apb)> <(nameless)>\nc! 0\n");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

TEST(a_clock_below_itself_ends_the_walk_there)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	uint64_t a = CORE(0) + BC_NODE;
	struct buf b = { 0 };
	struct err err;

	make_clks(k);
	put_hlist(k, CORE(1) + BC_CHILDREN, &a, 1);
	CHECK(!clks_each(&k->t, see_clk, &b, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(buf_text(&b), "a 1000\n b 500");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

TEST(lost_users_of_a_clock_hide_no_other_clock)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_clks(k);
	put64(k, CORE(0) + BC_CLKS, KERNEL_BASE + 0x8000);
	k->holes = 1 << 8;
	CHECK(!clks_each(&k->t, see_clk, &b, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(buf_text(&b), " b 500 <uart (apb)> <(nameless)>\nc! 0\n");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

static bool see_line(const struct gpio_line *g, void *arg)
{
	buf_printf(arg, "%u %s %s %s\n", g->number, g->chip, g->user ? g->user : "-",
		   g->out ? "out" : "in");
	return true;
}

/* Two chips: one claims more lines than there can be, or is well; the other has line 101 requested
 * as an output (bits 0 and 1 of its flags). */
static void make_gpios(struct fake_kernel *k, uint32_t lines)
{
	uint64_t chips[] = { CHIP(0) + BG_LIST, CHIP(1) + BG_LIST };

	board_fake_init(k);
	put_devices(k, NULL, 0);
	put_list(k, FB_GPIOS, chips, 2);
	put_name(k, CHIP(0) + BG_LABEL, 0, "first");
	put_name(k, CHIP(1) + BG_LABEL, 1, "second");
	put64(k, CHIP(0) + BG_DESCS, LINES + 0x200);
	put32(k, CHIP(0) + BG_COUNT, lines);
	put64(k, CHIP(1) + BG_DESCS, LINES);
	put32(k, CHIP(1) + BG_COUNT, 2);
	put32(k, CHIP(1) + BG_BASE, 100);
	put64(k, LINES + BL_SIZE + BL_FLAGS, 3);
	put_name(k, LINES + BL_SIZE + BL_LABEL, 2, "led");
}

TEST(lines_are_numbered_from_their_chips_base)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_gpios(k, 1);
	CHECK_OK(gpios_each(&k->t, true, see_line, &b, &err), err);
	CHECK_STR(buf_text(&b), "101 second led out\n");
	buf_reset(&b);
	CHECK_OK(gpios_each(&k->t, false, see_line, &b, &err), err);
	CHECK_STR(buf_text(&b), "0 first - in\n100 second - in\n101 second led out\n");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

TEST(a_chip_with_too_many_lines_hides_no_other)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_gpios(k, 0xffffffff);
	CHECK(!gpios_each(&k->t, true, see_line, &b, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "'first': 4294967295 lines");
	CHECK_STR(buf_text(&b), "101 second led out\n");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

static bool see_domain(const struct power_domain *d, void *arg)
{
	buf_printf(arg, "%s %s%u %u:", d->name, d->on ? "on" : "off-",
		   d->on ? 0 : (unsigned)d->idle, (unsigned)d->performance);
	for (size_t i = 0; i < d->n_children; i++)
		buf_printf(arg, " %s", d->children[i]);
	for (size_t i = 0; i < d->n_devices; i++)
		buf_printf(arg, " %s=%s/%u", d->devices[i].device->name,
			   d->devices[i].status ? d->devices[i].status : "?",
			   (unsigned)d->devices[i].performance);
	buf_char(arg, '\n');
	return true;
}

/* soc is on and above gpu; gpu is in its idle state 1, with a suspended (2) device that asks for 7
 */
static void make_domains(struct fake_kernel *k)
{
	uint64_t domains[] = { DOMAIN(0), DOMAIN(1) }, link = LINK(0) + 8, data = LINK(1);
	uint64_t device = DEVICE(0);

	board_fake_init(k);
	put_device(k, 4, device, "gpu.0");
	put32(k, device + BD_STATUS, 2);
	put_devices(k, &device, 1);
	put_list(k, FB_DOMAINS, domains, 2);
	put_name(k, DOMAIN(0) + BM_NAME, 0, "soc");
	put_name(k, DOMAIN(1) + BM_NAME, 1, "gpu");
	put_list(k, DOMAIN(0) + BM_CHILDREN, &link, 1);
	put64(k, LINK(0), DOMAIN(1));
	put_list(k, DOMAIN(0) + BM_DEVICES, NULL, 0);
	put_list(k, DOMAIN(1) + BM_CHILDREN, NULL, 0);
	put_list(k, DOMAIN(1) + BM_DEVICES, &data, 1);
	put64(k, LINK(1) + 16, device);
	put32(k, LINK(1) + 24, 7);
	put32(k, DOMAIN(1) + BM_STATUS, 1);
	put32(k, DOMAIN(1) + BM_IDLE, 1);
	put32(k, DOMAIN(1) + BM_PERFORMANCE, 7);
}

TEST(domains_have_children_and_devices)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_domains(k);
	CHECK_OK(power_domains_each(&k->t, see_domain, &b, &err), err);
	CHECK_STR(buf_text(&b), "soc on0 0: gpu\ngpu off-1 7: gpu.0=suspended/7\n");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

TEST(a_domain_with_a_broken_list_hides_no_other)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_domains(k);
	/* the link leads to itself */
	put64(k, LINK(0) + 8, LINK(0) + 8);
	CHECK(!power_domains_each(&k->t, see_domain, &b, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(buf_text(&b), "\ngpu off-1 7: gpu.0=suspended/7\n");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

static bool see_state(const struct pin_state *s, void *arg)
{
	buf_printf(arg, "%s%s:", s->name, s->current ? "*" : "");
	for (size_t i = 0; i < s->n_settings; i++)
		buf_printf(arg, " <%s>", s->settings[i]);
	buf_char(arg, '\n');
	return true;
}

/* A device with the states default, in which it is, and sleep with a mux and a pin's configuration.
 */
static void make_states(struct fake_kernel *k)
{
	uint64_t handle = STATE(0), states[] = { STATE(1), STATE(2) };
	uint64_t settings[] = { STATE(3), STATE(4) };

	board_fake_init(k);
	put_devices(k, NULL, 0);
	put_list(k, FB_HANDLES, &handle, 1);
	put_list(k, handle + BH_STATES, states, 2);
	put64(k, handle + BH_STATE, STATE(1));
	put_name(k, STATE(1) + BS_NAME, 0, "default");
	put_name(k, STATE(2) + BS_NAME, 1, "sleep");
	put_list(k, STATE(1) + BS_SETTINGS, NULL, 0);
	put_list(k, STATE(2) + BS_SETTINGS, settings, 2);
	put32(k, STATE(3) + BT_TYPE, 2);
	put32(k, STATE(3) + BT_DATA, 5);
	put32(k, STATE(3) + BT_DATA + 4, 6);
	put32(k, STATE(4) + BT_TYPE, 3);
	put32(k, STATE(4) + BT_DATA, 9);
	put64(k, STATE(4) + BT_DATA + 8, STATE(8));
	put32(k, STATE(4) + BT_DATA + 16, 1);
	put64(k, STATE(8), 0x1ff);
}

TEST(states_of_pins_say_what_is_set)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_states(k);
	CHECK_OK(pin_states_each(&k->t, see_state, &b, &err), err);
	CHECK_STR(buf_text(&b), "default*:\nsleep: <?: function 6 on group 5> "
				"<?: config of pin 9: 0x1ff>\n");
	kernel_release(k);
	buf_reset(&b);
	/* as many words as nobody has */
	make_states(k);
	put32(k, STATE(4) + BT_DATA + 16, 0xffffffff);
	put64(k, STATE(4) + BT_DATA + 8, KERNEL_BASE + 0x3ffc0);
	CHECK_OK(pin_states_each(&k->t, see_state, &b, &err), err);
	CHECK_CONTAINS(buf_text(&b), " 0x0 ?>");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

/* A tree of one entry has it in its head. In v7.2 a function has a pointer to its name and groups.
 */
TEST(a_function_of_pins_has_a_name)
{
	uint64_t pctl = STATE(10), function = STATE(11);
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct type *tree, *desc, *node;

	make_states(k);
	tree = WORDS(k, "xarray", "xa_head");
	node = kernel_struct(k, "xa_node", 32 + 64 * 8);
	kernel_member(node, "shift", &k->u8, 0);
	kernel_member(node, "slots", kernel_array(k, &k->ptr, 64), 32);
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "pinctrl_dev"))
			kernel_member(k->types[i], "pin_function_tree", tree, BP_TREE);
	desc = kernel_struct(k, "function_desc", 16);
	kernel_member(desc, "func", &k->ptr, 0);
	WORDS(k, "pinfunction", "name", "groups");
	put64(k, pctl + BP_TREE, function);
	put64(k, function, STATE(12));
	put_name(k, STATE(12), 0, "uart");
	CHECK_STR(pin_function_name(&k->t, pctl, 0), "uart");
	CHECK_STR(pin_function_name(&k->t, pctl, 1), "1");
	kernel_release(k);
	free(k);
}

/* pinconf-generic.h: PIN_CONF_PACKED() puts the argument above eight bits of parameter */
TEST(generic_words_are_named_and_a_drivers_own_are_not)
{
	uint64_t pctl = STATE(10), desc = STATE(11), ops = STATE(11) + 8;
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_states(k);
	put64(k, STATE(4) + BT_PCTL, pctl);
	put64(k, pctl + BP_DESC, desc);
	put64(k, desc, ops);
	put64(k, ops, 1);
	put32(k, STATE(4) + BT_DATA + 16, 4);
	put64(k, STATE(8), 4700 << 8 | 5);
	put64(k, STATE(8) + 8, 0x80);
	put64(k, STATE(8) + 16, 0x17f);
	put64(k, STATE(8) + 24, 0xffffffffffff0005);
	CHECK_OK(pin_states_each(&k->t, see_state, &b, &err), err);
	CHECK_CONTAINS(buf_text(&b), "<?: config of pin 9: bias-pull-up=4700 0x80 0x17f "
				     "bias-pull-up=16776960>\n");
	kernel_release(k);
	buf_reset(&b);
	/* a controller that is not there */
	make_states(k);
	put64(k, STATE(4) + BT_PCTL, KERNEL_BASE + 0x8000);
	put64(k, STATE(8), 4700 << 8 | 5);
	k->holes = 1 << 8;
	CHECK_OK(pin_states_each(&k->t, see_state, &b, &err), err);
	CHECK_CONTAINS(buf_text(&b), "config of pin 9: 0x125c05>");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

static bool see_regulator(const struct regulator *r, void *arg)
{
	buf_printf(arg, "%s from %s %lld-%lld:", r->name ? r->name : "?",
		   r->supply ? r->supply : "-", (long long)r->min_uv, (long long)r->max_uv);
	for (size_t i = 0; i < r->n_users; i++)
		buf_printf(arg, " %s %lld%s%s", r->users[i].supply, (long long)r->users[i].min_uv,
			   r->users[i].feeds ? " of " : "",
			   r->users[i].feeds ? r->users[i].feeds : "");
	buf_char(arg, '\n');
	return true;
}

/* vin feeds vout; names of the board go before those of the driver */
static void make_regulators(struct fake_kernel *k)
{
	uint64_t rdev[] = { DEVICE(0), DEVICE(1) }, cls = KERNEL_BASE + 0x180;
	uint64_t limits = KERNEL_BASE + 0x190, desc = KERNEL_BASE + 0x1b0, user = USER(0) + 8;

	board_fake_init(k);
	put_name(k, cls, 0, "regulator");
	put_devices(k, rdev, 2);
	for (unsigned i = 0; i < 2; i++) {
		put_device(k, 1 + i, rdev[i], i ? "regulator.1" : "regulator.0");
		put64(k, rdev[i] + BD_CLASS, cls);
		put_list(k, rdev[i] + BR_CONSUMERS, NULL, 0);
		put64(k, rdev[i] + BR_DESC, desc);
	}
	put_name(k, desc, 3, "vin");
	put_name(k, limits, 4, "vout");
	put32(k, limits + 8, 900000);
	put32(k, limits + 12, 1100000);
	put64(k, rdev[1] + BR_CONSTRAINTS, limits);
	put64(k, rdev[1] + BR_SUPPLY, USER(0));
	put_list(k, rdev[0] + BR_CONSUMERS, &user, 1);
	put32(k, USER(0) + 32, 950000);
	put_name(k, USER(0) + 40, 5, "vcc");
	put64(k, USER(0) + 48, rdev[0]);
}

TEST(regulators_know_who_feeds_them)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct err err;

	make_regulators(k);
	CHECK_OK(regulators_each(&k->t, see_regulator, &b, &err), err);
	CHECK_STR(buf_text(&b), "vin from - 0-0: vcc 950000\nvout from vin 900000-1100000:\n");
	kernel_release(k);
	/* create_regulator(): "device-supply", and what a regulator feeds can be another */
	make_regulators(k);
	put64(k, USER(0), DEVICE(1));
	put_name(k, USER(0) + 40, 5, "regulator.1-vcc");
	buf_reset(&b);
	CHECK_OK(regulators_each(&k->t, see_regulator, &b, &err), err);
	CHECK_CONTAINS(buf_text(&b), "vin from - 0-0: vcc 950000 of vout\n");
	kernel_release(k);
	buf_reset(&b);
	/* consumers of the first are on a page that is not there */
	make_regulators(k);
	put64(k, DEVICE(0) + BR_CONSUMERS, KERNEL_BASE + 0x8000);
	k->holes = 1 << 8;
	CHECK(!regulators_each(&k->t, see_regulator, &b, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "regulator.0");
	CHECK_CONTAINS(buf_text(&b), "vout from vin");
	kernel_release(k);
	/* more consumers than are kept are said to be more, and as many are not */
	for (size_t n = 256; n <= 257; n++) {
		uint64_t users[257];

		make_regulators(k);
		for (size_t i = 0; i < n; i++) {
			users[i] = KERNEL_BASE + 0x20000 + 0x40 * i + 8;
			put_name(k, users[i] + 32, 5, "vcc");
		}
		put_list(k, DEVICE(0) + BR_CONSUMERS, users, n);
		buf_reset(&b);
		CHECK(regulators_each(&k->t, see_regulator, &b, &err) == (n == 256));
		if (n == 257)
			CHECK_CONTAINS(err.msg,
				       "regulator.0': only its first 256 consumers are shown");
		CHECK_CONTAINS(buf_text(&b), "vin from - 0-0: vcc 0 vcc 0 ");
		kernel_release(k);
	}
	buf_release(&b);
	free(k);
}
TEST_MAIN
