/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what each bit and name of a GPIO line says, in both forms of its user's name. */
#include "core/base/test.h"
#include "core/linux/device/board_fake.h"

static struct fake_kernel k;
static struct gpio_line seen[4];
static size_t n_seen, most;

#define CHIP (KERNEL_BASE + 0x2000)
#define LINES (KERNEL_BASE + 0x3000)
#define TEXTS (KERNEL_BASE + 0x4000)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

static void start(uint32_t lines)
{
	const uint64_t chip = CHIP + BG_LIST;

	board_fake_init(&k);
	put_list(&k, FB_GPIOS, &chip, 1);
	put_str(&k, TEXTS, "chip");
	put64(&k, CHIP + BG_LABEL, TEXTS);
	put64(&k, CHIP + BG_DESCS, LINES);
	put32(&k, CHIP + BG_COUNT, lines);
	put32(&k, CHIP + BG_BASE, 512);
}

static bool see(const struct gpio_line *g, void *arg)
{
	(void)arg;
	if (n_seen < ARRAY_SIZE(seen))
		seen[n_seen] = *g;
	return ++n_seen != most;
}

static bool lines(struct err *err)
{
	n_seen = 0;
	return gpios_each(&k.t, false, see, NULL, err);
}

/* drivers/gpio/gpiolib.h: FLAG_IS_OUT is bit 1, FLAG_ACTIVE_LOW 6, FLAG_USED_AS_IRQ 9,
 * FLAG_IS_HOGGED 11. */
TEST(each_bit_of_a_line)
{
	struct err err;

	for (unsigned bit = 0; bit < 16; bit++) {
		start(1);
		put64(&k, LINES + BL_FLAGS, 1u << bit);
		REQUIRE_OK(lines(&err), err);
		CHECK_U64(n_seen, 1);
		CHECK(seen[0].out == (bit == 1) && seen[0].active_low == (bit == 6));
		CHECK(seen[0].irq == (bit == 9) && seen[0].hogged == (bit == 11));
		CHECK_U64(seen[0].flags, 1u << bit);
		kernel_release(&k);
	}
}

TEST(numbers_and_names_of_lines)
{
	struct err err;

	start(3);
	put_str(&k, TEXTS + 0x20, "RESET");
	put_str(&k, TEXTS + 0x40, "phy");
	put64(&k, LINES + BL_SIZE + BL_NAME, TEXTS + 0x20);
	put64(&k, LINES + BL_SIZE + BL_LABEL, TEXTS + 0x40);
	put64(&k, LINES + 2 * BL_SIZE + BL_LABEL, NOWHERE);
	REQUIRE_OK(lines(&err), err);
	REQUIRE(n_seen == 3);
	CHECK(seen[0].number == 512 && seen[1].number == 513 && seen[2].number == 514);
	CHECK(seen[0].offset == 0 && seen[2].offset == 2);
	CHECK_U64(seen[1].addr, LINES + BL_SIZE);
	CHECK_STR(seen[0].name, NULL);
	CHECK_STR(seen[0].user, NULL);
	CHECK_STR(seen[1].name, "RESET");
	CHECK_STR(seen[1].user, "phy");
	CHECK_STR(seen[1].chip, "chip");
	CHECK_STR(seen[2].user, "?");
	most = 2;
	CHECK_OK(lines(&err), err);
	CHECK_U64(n_seen, 2);
	most = 0;
	/* a line that cannot be read is told by its number */
	put64(&k, LINES + 2 * BL_SIZE + BL_NAME, NOWHERE);
	CHECK(!lines(&err));
	CHECK_CONTAINS(err.msg, "GPIO 514");
	CHECK_U64(n_seen, 2);
	kernel_release(&k);
}

/* 1f2bcb8c8ccd (v6.9): the text stands in a struct gpio_desc_label, behind a struct rcu_head. */
TEST(a_label_in_a_struct)
{
	struct err err;

	start(1);
	kernel_member(kernel_struct(&k, "gpio_desc_label", 16), "str", kernel_array(&k, &k.u8, 0),
		      16);
	put_str(&k, TEXTS + 0x50, "phy");
	put64(&k, LINES + BL_LABEL, TEXTS + 0x40);
	REQUIRE_OK(lines(&err), err);
	CHECK_STR(seen[0].user, "phy");
	kernel_release(&k);
}
TEST_MAIN
