/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of why nobody drives a device, in made-up memory: what is said, and when nothing can be. */
#include "core/base/test.h"
#include "core/linux/device/board_fake.h"

#define DEVICE (KERNEL_BASE + 0x1000)
#define DRIVER(i) (KERNEL_BASE + 0x2000 + 0x100 * (uint64_t)(i))
#define PRIVATE(i) (DRIVER(i) + 0x80)
#define TABLE (KERNEL_BASE + 0x4000)
#define TEXT(i) (KERNEL_BASE + 0x5000 + 0x20 * (uint64_t)(i))
#define ENDLESS (KERNEL_BASE + 0x8000)
#define LOST (KERNEL_BASE + 0x6000) /* in a page that is not there */

struct fixture {
	struct fake_kernel k;
	struct device d;
};

/* The platform device "radio", and drivers of these names; NULL: of one that cannot be read. */
static struct fixture *start(const char *const *drivers, size_t n)
{
	struct fixture *f = xrealloc(NULL, sizeof(*f));
	struct fake_kernel *k = &f->k;
	uint64_t nodes[4];

	board_fake_init(k);
	k->holes = UINT64_C(1) << ((LOST - KERNEL_BASE) / 0x1000);
	f->d = (struct device){
		.addr = DEVICE, .name = "radio", .bus = "platform", .bus_type = FB_BUS
	};
	put64(k, FB_BUS, FB_SUBSYS);
	put_str(k, TEXT(9), "radio");
	put64(k, DEVICE + BD_PLATFORM_NAME, TEXT(9));
	for (size_t i = 0; i < n; i++) {
		if (drivers[i])
			put_str(k, TEXT(i), drivers[i]);
		put64(k, DRIVER(i), drivers[i] ? TEXT(i) : LOST);
		put64(k, PRIVATE(i) + BV_DRIVER, DRIVER(i));
		nodes[i] = PRIVATE(i) + BV_LIST;
	}
	put_list(k, FB_SUBSYS, nodes, n);
	return f;
}

static void end(struct fixture *f)
{
	kernel_release(&f->k);
	free(f);
}

#define DRIVERS(...)                                \
	start((const char *const[]){ __VA_ARGS__ }, \
	      sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

TEST(by_name)
{
	struct fixture *f = DRIVERS("uart", "radio", "camera");

	CHECK_STR(device_unbound(&f->k.t, &f->d),
		  "driver 'radio' takes 'radio' and is not bound: its probe failed, or it was "
		  "unbound");
	f->d.driver = "radio";
	CHECK(!device_unbound(&f->k.t, &f->d));
	f->d.driver = NULL;
	f->d.waiting = true;
	CHECK(!device_unbound(&f->k.t, &f->d));
	end(f);
}

TEST(by_a_table_which_then_alone_counts)
{
	struct fixture *f = DRIVERS("wireless", "radio");

	put_str(&f->k, TABLE, "wlan");
	put_str(&f->k, TABLE + BI_SIZE, "radio");
	put64(&f->k, DRIVER(0) + BV_TABLE, TABLE);
	put64(&f->k, DRIVER(1) + BV_TABLE, TABLE + 2 * BI_SIZE); /* an empty one */
	CHECK_STR(device_unbound(&f->k.t, &f->d),
		  "driver 'wireless' takes 'radio' and is not bound: its probe failed, or it was "
		  "unbound");
	put64(&f->k, DRIVER(0) + BV_TABLE, TABLE + 2 * BI_SIZE);
	CHECK_STR(device_unbound(&f->k.t, &f->d), "no driver that is registered takes 'radio'");
	end(f);
}

TEST(none_is_said_only_when_all_were_read)
{
	struct fixture *f = DRIVERS("uart", "camera");

	CHECK_STR(device_unbound(&f->k.t, &f->d), "no driver that is registered takes 'radio'");
	put64(&f->k, DRIVER(1) + BV_TABLE, LOST);
	CHECK(!device_unbound(&f->k.t, &f->d));
	end(f);
	f = DRIVERS("uart", NULL);
	CHECK(!device_unbound(&f->k.t, &f->d));
	/* one that takes it is one, whatever the others are */
	put_str(&f->k, TEXT(0), "radio");
	CHECK(device_unbound(&f->k.t, &f->d));
	end(f);
}

TEST(broken_lists_and_tables_end)
{
	struct fixture *f = DRIVERS("uart", "camera");

	put64(&f->k, PRIVATE(1) + BV_LIST, PRIVATE(0) + BV_LIST); /* a cycle */
	CHECK(!device_unbound(&f->k.t, &f->d));
	put64(&f->k, PRIVATE(1) + BV_LIST, LOST);
	CHECK(!device_unbound(&f->k.t, &f->d));
	end(f);
	f = DRIVERS("uart");
	put64(&f->k, DRIVER(0) + BV_TABLE, ENDLESS); /* no entry is without a name */
	for (uint64_t at = ENDLESS; at + BI_SIZE <= KERNEL_BASE + KERNEL_SIZE; at += BI_SIZE)
		put_str(&f->k, at, "x");
	CHECK(!device_unbound(&f->k.t, &f->d));
	end(f);
}

TEST_MAIN
