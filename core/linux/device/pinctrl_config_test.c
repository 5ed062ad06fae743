/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of pins' configurations as text: generic ones by their names, others as numbers. */
#include "core/base/test.h"
#include "core/linux/device/board.h"
#include "core/linux/kernel_fake.h"

static struct fake_kernel k;

#define CONFIGS (KERNEL_BASE + 0x1000) /* struct pinctrl_setting_configs */
#define WORDS_AT (KERNEL_BASE + 0x1100)
#define PCTL (KERNEL_BASE + 0x2000)
#define DESC (KERNEL_BASE + 0x2100)
#define OPS (KERNEL_BASE + 0x2200)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

/* Of include/linux/pinctrl/pinconf-generic.h: the parameter is the low byte, its argument the 24
 * bits above it. */
static struct enumerator params[] = { { "PIN_CONFIG_BIAS_BUS_HOLD", 0 },
				      { "PIN_CONFIG_BIAS_PULL_UP", 5 },
				      { "OTHER", 6 },
				      { "PIN_CONFIG_LAST", 0x7e },
				      { "PIN_CONFIG_END", 0x7f },
				      { "PIN_CONFIG_MAX", 0xff } };

static void start(bool generic)
{
	struct type *s;

	kernel_init(&k);
	WORDS(&k, "pinctrl_setting_configs", "group_or_pin", "configs", "num_configs");
	WORDS(&k, "pinctrl_dev", "desc");
	WORDS(&k, "pinctrl_desc", "unused", "confops");
	s = kernel_struct(&k, "pinconf_ops", 16);
	kernel_member(s, "is_generic", &k.u8, 8);
	s = kernel_struct(&k, "pin_config_param", 4);
	s->kind = TYPE_ENUM;
	s->enums = params;
	s->n_enums = ARRAY_SIZE(params);
	put64(&k, PCTL, DESC);
	put64(&k, DESC + 8, OPS);
	k.mem[OPS + 8 - KERNEL_BASE] = generic;
	put64(&k, CONFIGS, 7);
	put64(&k, CONFIGS + 8, WORDS_AT);
}

static void words(const uint64_t *v, size_t n)
{
	put64(&k, CONFIGS + 16, n);
	for (size_t i = 0; i < n; i++)
		put64(&k, WORDS_AT + 8 * i, v[i]);
}

static const char *text(bool group)
{
	struct buf b = { 0 };
	const char *ret;

	pin_configs_text(&k.t, &b, CONFIGS, PCTL, group);
	ret = arena_strdup(&k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(generic_ones_by_their_names)
{
	static const uint64_t v[] = { 0, 4700 << 8 | 5, 0xffffff7e, 6, 0x7f, 0x1ff, 9 };

	start(true);
	words(v, ARRAY_SIZE(v));
	CHECK_CONTAINS(text(false), "config of pin ");
	CHECK_CONTAINS(text(true), "config of group ");
	CHECK_STR(strchr(text(false), ':'), ": bias-bus-hold=0 bias-pull-up=4700 last=16777215 0x6 "
					    "0x7f 0x1ff 0x9");
	words(v, 0);
	CHECK_STR(strchr(text(false), ':'), ":");
	kernel_release(&k);
}

/* A controller's own words mean something to its driver only. */
TEST(others_are_numbers)
{
	static const uint64_t v[] = { 5, 0x100 };

	start(false);
	words(v, 2);
	CHECK_STR(strchr(text(false), ':'), ": 0x5 0x100");
	kernel_release(&k);
	start(true);
	words(v, 2);
	put64(&k, DESC + 8, 0); /* it has no operations */
	CHECK_STR(strchr(text(false), ':'), ": 0x5 0x100");
	put64(&k, PCTL, 0);
	CHECK_STR(strchr(text(false), ':'), ": 0x5 0x100");
	kernel_release(&k);
}

TEST(what_cannot_be_read)
{
	static const uint64_t v[] = { 5, 0x100 };

	start(true);
	words(v, 2);
	put64(&k, CONFIGS + 8, KERNEL_BASE + KERNEL_SIZE - 8);
	CHECK_STR(strchr(text(false), ':'), ": bias-bus-hold=0 ?");
	k.n_types = 0;
	kernel_release(&k);
	kernel_init(&k);
	CHECK_STR(text(false), "?");
	kernel_release(&k);
}
TEST_MAIN
