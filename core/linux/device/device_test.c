/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the list of devices, of one device's details, and of what an unbound one waits for. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/device/device.h"
#include "core/linux/device/device_node.h"
#include "core/linux/of/of_fake.h"

static struct fake_kernel k;
static uint64_t heap;

#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)
#define KSET (KERNEL_BASE + 0x100)
#define PENDING (KERNEL_BASE + 0x120)
#define ACTIVE (KERNEL_BASE + 0x130)

enum {
	KOBJ_PARENT = 24,
	DEV_INIT_NAME = 48,
	DEV_PARENT = 56,
	DEV_PRIVATE = 64,
	DEV_BUS = 72,
	DEV_DEVT = 80,
	DEV_CLASS = 88,
	DEV_TYPE = 96,
	DEV_DRVDATA = 104,
	DEV_FWNODE = 112,
	DEV_DOMAIN = 120,
	DEV_STATUS = 128,
	DEV_USAGE = 132,
	DEV_DISABLED = 136,
	DEV_ERROR = 140,
	DEV_SUPPLIERS = 144,
	DEV_CONSUMERS = 160,
	DEV_SIZE = 176,
	PDEV_DEV = 16, /* in struct platform_device */
	LINK_CONSUMER = 8,
	LINK_S_NODE = 16,
	LINK_C_NODE = 32,
	LINK_FLAGS = 48,
	LINK_STATUS = 52,
	PRIVATE_LIST = 8,
	PRIVATE_REASON = 24,
	NODE_SUPPLIERS = FN_DEV + 8
};

static struct type *type_named(const char *name)
{
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, name))
			return k.types[i];
	return NULL;
}

static void more_types(const struct type *list, const struct type *device)
{
	struct type *s = kernel_struct(&k, "resource", 40);

	kernel_member(s, "start", &k.u64, 0);
	kernel_member(s, "end", &k.u64, 8);
	kernel_member(s, "name", &k.ptr, 16);
	kernel_member(s, "flags", &k.u64, 24);
	kernel_member(kernel_struct(&k, "pci_dev", 512), "dev", device, 32);
	kernel_member(type_named("pci_dev"), "resource", kernel_array(&k, s, 3), 256);
	s = kernel_struct(&k, "platform_device", 256);
	kernel_member(s, "dev", device, PDEV_DEV);
	kernel_member(s, "num_resources", &k.u32, 208);
	kernel_member(s, "resource", &k.ptr, 216);
	WORDS(&k, "bus_type", "name");
	WORDS(&k, "class", "name");
	WORDS(&k, "device_type", "name");
	s = WORDS(&k, "device_private", "device");
	kernel_member(s, "deferred_probe", list, PRIVATE_LIST);
	kernel_member(s, "deferred_probe_reason", &k.ptr, PRIVATE_REASON);
	s = WORDS(&k, "device_link", "supplier", "consumer");
	kernel_member(s, "s_node", list, LINK_S_NODE);
	kernel_member(s, "c_node", list, LINK_C_NODE);
	kernel_member(s, "flags", &k.u32, LINK_FLAGS);
	kernel_member(s, "status", &k.u32, LINK_STATUS);
	s = WORDS(&k, "fwnode_link", "supplier");
	kernel_member(s, "c_hook", list, 8);
	kernel_member(s, "flags", &k.u32, 24);
	s = kernel_struct(&k, "generic_pm_domain", 64);
	kernel_member(s, "domain", INNER(&k, "ops"), 24);
	kernel_member(s, "name", &k.ptr, 8);
}

static void start(void)
{
	const struct type *list;
	struct type *s, *inner;

	of_fake_init(&k);
	heap = KERNEL_BASE + 0x1000;
	list = type_named("list_head");
	kernel_member(type_named("kobject"), "parent", &k.ptr, KOBJ_PARENT);
	type_named("kobject")->size = 32;
	s = type_named("device");
	s->size = DEV_SIZE;
	kernel_member(s, "init_name", &k.ptr, DEV_INIT_NAME);
	kernel_member(s, "parent", &k.ptr, DEV_PARENT);
	kernel_member(s, "p", &k.ptr, DEV_PRIVATE);
	kernel_member(s, "bus", &k.ptr, DEV_BUS);
	kernel_member(s, "devt", &k.u32, DEV_DEVT);
	kernel_member(s, "class", &k.ptr, DEV_CLASS);
	kernel_member(s, "type", &k.ptr, DEV_TYPE);
	kernel_member(s, "driver_data", &k.ptr, DEV_DRVDATA);
	kernel_member(s, "fwnode", &k.ptr, DEV_FWNODE);
	kernel_member(s, "pm_domain", &k.ptr, DEV_DOMAIN);
	inner = INNER(&k, "unused", "unused2");
	kernel_member(inner, "runtime_status", &k.u32, 0);
	kernel_member(inner, "usage_count", kernel_counter_type(&k, "atomic_t", &k.s32), 4);
	kernel_member(inner, "disable_depth", &k.u32, 8);
	kernel_member(inner, "runtime_error", &k.s32, 12);
	kernel_member(s, "power", inner, DEV_STATUS);
	inner = INNER(&k, "unused");
	kernel_member(inner, "suppliers", list, 0);
	kernel_member(inner, "consumers", list, 16);
	kernel_member(s, "links", inner, DEV_SUPPLIERS);
	kernel_member(type_named("fwnode_handle"), "suppliers", list, 8);
	more_types(list, s);
	kernel_symbol(&k, "deferred_probe_pending_list", PENDING);
	kernel_symbol(&k, "deferred_probe_active_list", ACTIVE);
	put64(&k, FK_DEVICES, KSET);
	put_list(&k, KSET, NULL, 0);
	put_list(&k, PENDING, NULL, 0);
	put_list(&k, ACTIVE, NULL, 0);
}

static uint64_t room(size_t n)
{
	uint64_t at = heap;

	heap += (n + 15) / 16 * 16;
	return at;
}

static uint64_t text(const char *s)
{
	uint64_t at = room(strlen(s) + 1);

	put_str(&k, at, s);
	return at;
}

/* Something whose first word is its name. */
static uint64_t named(const char *name)
{
	uint64_t at = room(8);

	put64(&k, at, text(name));
	return at;
}

static uint64_t device_of(const char *name, uint64_t parent)
{
	uint64_t at = room(512);

	put64(&k, at, text(name));
	put64(&k, at + KOBJ_PARENT, parent);
	put64(&k, at + DEV_PARENT, parent);
	put_list(&k, at + DEV_SUPPLIERS, NULL, 0);
	put_list(&k, at + DEV_CONSUMERS, NULL, 0);
	return at;
}

static void devices_put(const uint64_t *all, size_t n)
{
	uint64_t links[8];

	for (size_t i = 0; i < n; i++)
		links[i] = all[i] + 8;
	put_list(&k, KSET, links, n);
}

static const char *said(struct buf *b)
{
	const char *ret = arena_strdup(&k.scratch, buf_text(b));

	buf_release(b);
	*b = (struct buf){ 0 };
	return ret;
}

/* Each device: path bus/driver/class major:minor, what it waits for, how many are below it. */
static const char *devices(void)
{
	const struct device *const *all;
	struct buf b = { 0 };
	struct err why, err;
	size_t n;

	if (!devices_all(&k.t, &all, &n, &why, &err)) {
		buf_printf(&b, "(%s)", err.msg);
		return said(&b);
	}
	for (size_t i = 0; i < n; i++) {
		const struct device *d = all[i];

		buf_printf(&b, "%s %s %s/%s/%s %u:%u", d->name, d->path, d->bus ? d->bus : "-",
			   d->driver ? d->driver : "-", d->cls ? d->cls : "-", d->major, d->minor);
		if (d->waiting)
			buf_str(&b, " waits");
		if (d->reason)
			buf_printf(&b, " '%s'", d->reason);
		if (d->children)
			buf_printf(&b, " %u below", d->children);
		for (size_t kid = d->first_kid; kid; kid = all[kid - 1]->next)
			buf_printf(&b, " +%s", all[kid - 1]->name);
		if (d->why.code)
			buf_printf(&b, " (%s)", d->why.msg);
		buf_char(&b, '\n');
	}
	if (why.code)
		buf_printf(&b, "(%s)", why.msg);
	return said(&b);
}

/* kdev_t.h: a device number is 12 bits and 20. dev_name() is init_name until there is none, and a
 * path is the names of the kobjects above. */
TEST(every_device_with_its_bus_driver_and_class)
{
	uint64_t all[4];

	start();
	all[0] = device_of("platform", 0);
	all[1] = device_of("9000000.uart", all[0]);
	all[2] = device_of("ttyAMA0", all[1]);
	all[3] = device_of("a000000.disk", all[0]);
	put64(&k, all[1] + DEV_BUS, named("amba"));
	put64(&k, all[1] + FD_DRIVER, named("uart-pl011"));
	put64(&k, all[2] + DEV_CLASS, named("tty"));
	put32(&k, all[2] + DEV_DEVT, 204u << 20 | 64);
	put64(&k, all[3] + DEV_INIT_NAME, text("early"));
	devices_put(all, 4);
	CHECK_STR(devices(), "platform /platform -/-/- 0:0 2 below +9000000.uart +early\n"
			     "9000000.uart /platform/9000000.uart amba/uart-pl011/- 0:0 1 below "
			     "+ttyAMA0\n"
			     "ttyAMA0 /platform/9000000.uart/ttyAMA0 -/-/tty 204:64\n"
			     "early /platform/a000000.disk -/-/- 0:0\n");
	CHECK(device_at(&k.t, all[2]) && !strcmp(device_at(&k.t, all[2])->name, "ttyAMA0"));
	CHECK(!device_at(&k.t, all[2] + 8));
	kernel_release(&k);
}

/* drivers/base/dd.c keeps two lists; a reason may end in a newline. */
TEST(devices_whose_probe_was_put_off)
{
	uint64_t all[3], privates[3];

	start();
	for (size_t i = 0; i < 3; i++) {
		char name[8] = { (char)('a' + i), 0 };

		all[i] = device_of(name, 0);
		privates[i] = room(32);
		put64(&k, all[i] + DEV_PRIVATE, privates[i]);
		put64(&k, privates[i], all[i]);
		privates[i] += PRIVATE_LIST;
	}
	put64(&k, privates[0] - PRIVATE_LIST + PRIVATE_REASON, text("supplier 9.foo not ready\n"));
	put64(&k, privates[2] - PRIVATE_LIST + PRIVATE_REASON, text("wait for irq"));
	devices_put(all, 3);
	put_list(&k, PENDING, privates, 1);
	put_list(&k, ACTIVE, privates + 2, 1);
	CHECK_STR(devices(), "a /a -/-/- 0:0 waits 'supplier 9.foo not ready'\nb /b -/-/- 0:0\n"
			     "c /c -/-/- 0:0 waits 'wait for irq'\n");
	kernel_release(&k);
	/* the second list is read where the first is broken, and that is told */
	start();
	all[0] = device_of("a", 0);
	privates[0] = room(32);
	put64(&k, privates[0], all[0]);
	privates[0] += PRIVATE_LIST;
	devices_put(all, 1);
	put64(&k, PENDING, NOWHERE);
	put_list(&k, ACTIVE, privates, 1);
	CHECK(!strncmp(devices(), "a /a -/-/- 0:0 waits\n(devices that wait for their probe", 54));
	kernel_release(&k);
}

TEST(devices_that_are_damaged)
{
	uint64_t all[4];

	start();
	all[0] = device_of("a", 0);
	all[1] = device_of("b", 0);
	all[2] = device_of("c", 0);
	all[3] = device_of("d", 0);
	put64(&k, all[0], NOWHERE);
	put64(&k, all[1] + DEV_BUS, NOWHERE);
	put64(&k, all[2] + KOBJ_PARENT, all[2]); /* above itself */
	put64(&k, all[2] + DEV_PARENT, all[2]);
	put64(&k, all[3] + KOBJ_PARENT, NOWHERE);
	devices_put(all, 4);
	CHECK_STR(devices(),
		  arena_printf(&k.scratch,
			       "? ? -/-/- 0:0 (not mapped)\n"
			       "b /b ?/-/- 0:0 ('struct bus_type' 0x%llx: not mapped)\n"
			       "c ?%s/c -/-/- 0:0 (its kobject's parents have no end)\n"
			       "d ?/d -/-/- 0:0 (not mapped)\n",
			       (unsigned long long)NOWHERE,
			       "/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c"
			       "/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c"));
	kernel_release(&k);
	start();
	all[0] = device_of("a", 0);
	devices_put(all, 1);
	put64(&k, all[0] + 8, NOWHERE);
	CHECK(!strncmp(devices(), "a /a -/-/- 0:0\n(devices", 23));
	kernel_release(&k);
	start();
	put64(&k, KSET, NOWHERE);
	CHECK(!strncmp(devices(), "(devices", 8));
	CHECK(!device_at(&k.t, KSET));
	kernel_release(&k);
	start();
	for (size_t i = 0; i < k.n_syms; i++)
		if (k.syms[i].addr == FK_DEVICES)
			k.syms[i].addr = NOWHERE;
	CHECK_STR(devices(), "(devices: not mapped)");
	kernel_release(&k);
	/* members that every kernel has */
	start();
	type_named("kset")->members[0].name = "gone";
	CHECK_STR(devices(), "(devices: 'struct kset' has no member 'list')");
	kernel_release(&k);
	start();
	type_named("device")->members[0].name = "gone";
	CHECK_STR(devices(), "(devices: 'struct device' has no member 'kobj')");
	kernel_release(&k);
	kernel_init(&k);
	CHECK_STR(devices(), "(devices: no symbol 'devices_kset')");
	kernel_release(&k);
}

TEST(a_device_by_what_a_person_types)
{
	const struct device *d;
	uint64_t all[3];
	struct err err;

	start();
	all[0] = device_of("soc", 0);
	all[1] = device_of("uart", all[0]);
	all[2] = device_of("uart", 0);
	devices_put(all, 3);
	REQUIRE_OK(device_find(&k.t, "soc", &d, &err), err);
	CHECK_U64(d->addr, all[0]);
	REQUIRE_OK(device_find(&k.t, "/soc/uart", &d, &err), err);
	CHECK_U64(d->addr, all[1]);
	REQUIRE_OK(device_find(&k.t, "/sys/uart", &d, &err), err);
	CHECK_U64(d->addr, all[2]);
	CHECK(!device_find(&k.t, "/sysuart", &d, &err));
	CHECK(!device_find(&k.t, "uart", &d, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK_STR(err.msg, "2 devices are called 'uart': give the path or the address");
	CHECK(!device_find(&k.t, "disk", &d, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_STR(err.msg, "no device 'disk'");
	kernel_release(&k);
}

/* ---- details */

static const char *details(uint64_t addr)
{
	const struct device *d = device_at(&k.t, addr);
	struct device_detail detail;
	struct buf b = { 0 };

	if (!CHECK(d != NULL))
		return "";
	device_detail(&k.t, d, &detail);
	buf_printf(&b, "%s %s usage=%lld disabled=%llu domain=%s", detail.type ? detail.type : "-",
		   detail.status ? detail.status : "-", (long long)detail.usage,
		   (unsigned long long)detail.disabled, detail.domain ? detail.domain : "-");
	for (size_t i = 0; i < detail.n_resources; i++)
		buf_printf(&b, " [%llx-%llx %s %llx]",
			   (unsigned long long)detail.resources[i].start,
			   (unsigned long long)detail.resources[i].end,
			   detail.resources[i].name ? detail.resources[i].name : "-",
			   (unsigned long long)detail.resources[i].flags);
	for (size_t i = 0; i < detail.n_suppliers; i++)
		buf_printf(&b, " <%s", detail.suppliers[i]->name);
	for (size_t i = 0; i < detail.n_consumers; i++)
		buf_printf(&b, " >%s", detail.consumers[i]->name);
	for (size_t i = 0; i < detail.notes.n; i++)
		buf_printf(&b, " (%s)", detail.notes.p[i].msg);
	device_detail_release(&detail);
	return said(&b);
}

/* runtime_status_show() of drivers/base/power/sysfs.c; enum rpm_status of include/linux/pm.h. */
TEST(power_as_sysfs_says_it)
{
	static const char *const names[] = { "active", "resuming", "suspended", "suspending", "?" };
	uint64_t dev;

	start();
	dev = device_of("a", 0);
	devices_put(&dev, 1);
	for (uint32_t i = 0; i < 5; i++) {
		put32(&k, dev + DEV_STATUS, i);
		CHECK_STR(device_power(&k.t, dev), names[i]);
	}
	put32(&k, dev + DEV_DISABLED, 2);
	put32(&k, dev + DEV_USAGE, (uint32_t)-1);
	CHECK_STR(details(dev), "- unsupported usage=-1 disabled=2 domain=-");
	put32(&k, dev + DEV_ERROR, (uint32_t)-5);
	CHECK_STR(device_power(&k.t, dev), "error");
	CHECK_STR(device_power(&k.t, NOWHERE), NULL);
	kernel_release(&k);
}

static void resource_put(uint64_t at, uint64_t first, uint64_t last, const char *name,
			 uint64_t flags)
{
	put64(&k, at, first);
	put64(&k, at + 8, last);
	put64(&k, at + 16, name ? text(name) : 0);
	put64(&k, at + 24, flags);
}

TEST(resources_of_each_bus)
{
	uint64_t all[2], pdev, table, domain;

	start();
	pdev = room(256);
	all[0] = device_of("uart", 0);
	memmove(&k.mem[pdev + PDEV_DEV - KERNEL_BASE], &k.mem[all[0] - KERNEL_BASE], DEV_SIZE);
	all[0] = pdev + PDEV_DEV;
	put_list(&k, all[0] + DEV_SUPPLIERS, NULL, 0);
	put_list(&k, all[0] + DEV_CONSUMERS, NULL, 0);
	put64(&k, all[0] + DEV_BUS, named("platform"));
	put64(&k, all[0] + DEV_TYPE, named("serial"));
	domain = room(64);
	put64(&k, domain + 8, text("pd-uart"));
	put64(&k, all[0] + DEV_DOMAIN, domain + 24);
	table = room(200);
	put32(&k, pdev + 208, 3);
	put64(&k, pdev + 216, table);
	resource_put(table, 0x1000, 0x1fff, "regs", IORES_MEM);
	resource_put(table + 80, 33, 33, NULL, IORES_IRQ); /* the one between is unset */
	resource_put(table + 120, 1, 2, NULL, IORES_IRQ);  /* behind the last */
	all[1] = room(512) + 32;
	put64(&k, all[1], text("0000:00:01.0"));
	put_list(&k, all[1] + DEV_SUPPLIERS, NULL, 0);
	put_list(&k, all[1] + DEV_CONSUMERS, NULL, 0);
	put64(&k, all[1] + DEV_BUS, named("pci"));
	put64(&k, all[1] + DEV_DOMAIN, NOWHERE);
	resource_put(all[1] - 32 + 256, 0xc000, 0xc01f, NULL, IORES_IO);
	resource_put(all[1] - 32 + 256 + 80, 0xfe000000, 0xfe000fff, NULL, IORES_MEM);
	devices_put(all, 2);
	CHECK_STR(details(all[0]), "serial active usage=0 disabled=0 domain=pd-uart"
				   " [1000-1fff regs 200] [21-21 - 400]");
	CHECK_STR(details(all[1]), "- active usage=0 disabled=0 domain=?"
				   " [c000-c01f - 100] [fe000000-fe000fff - 200]");
	/* a name that is lost costs that one; an absurd number costs them all */
	put64(&k, table + 16, NOWHERE);
	put64(&k, all[0] + DEV_TYPE, NOWHERE);
	CHECK_STR(details(all[0]), "- active usage=0 disabled=0 domain=pd-uart [21-21 - 400]"
				   " (not mapped) (not mapped)");
	put32(&k, pdev + 208, RESOURCES_MAX + 1);
	put64(&k, all[0] + DEV_TYPE, 0);
	CHECK_STR(details(all[0]), "- active usage=0 disabled=0 domain=pd-uart (4097 resources)");
	kernel_release(&k);
}

/* ---- links */

static uint64_t link_of(uint64_t supplier, uint64_t consumer, uint32_t flags, uint32_t status)
{
	uint64_t at = room(56);

	put64(&k, at, supplier);
	put64(&k, at + LINK_CONSUMER, consumer);
	put32(&k, at + LINK_FLAGS, flags);
	put32(&k, at + LINK_STATUS, status);
	return at;
}

static const char *waits(uint64_t addr)
{
	const struct device_wait *all;
	struct buf b = { 0 };
	struct err err;
	size_t n = 0;
	bool ok = device_waits(&k.t, device_at(&k.t, addr), &all, &n, &err);

	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s: %s: %s", i ? "; " : "", all[i].how, all[i].name,
			   all[i].state);
	if (!ok)
		buf_printf(&b, " (%s)", err.msg);
	return said(&b);
}

/* include/linux/device.h: DL_FLAG_MANAGED is bit 6, DL_FLAG_SYNC_STATE_ONLY bit 7; of the states
 * DL_STATE_AVAILABLE, _CONSUMER_PROBE and _ACTIVE, 1 to 3, the supplier is there. */
TEST(suppliers_that_are_not_there)
{
	uint64_t all[5], links[7], private;

	start();
	all[0] = device_of("needy", 0);
	all[1] = device_of("clock", 0);
	all[2] = device_of("regulator", 0);
	all[3] = device_of("gpio", 0);
	all[4] = device_of("late", 0);
	put64(&k, all[2] + FD_DRIVER, named("fixed"));
	put64(&k, all[4] + DEV_BUS, named("platform"));
	private = room(32);
	put64(&k, private, all[3]);
	private += PRIVATE_LIST;
	put_list(&k, PENDING, &private, 1);
	devices_put(all, 5);
	links[0] = link_of(all[1], all[0], 1 << 6, 0);
	links[1] = link_of(all[2], all[0], 1 << 6, 4);
	links[2] = link_of(all[3], all[0], 1 << 6 | 1, (uint32_t)-1);
	links[3] = link_of(all[1], all[0], 1 << 6, 0);          /* it was told already */
	links[4] = link_of(all[4], all[0], 1 << 5, 0);          /* not managed: no reason to wait */
	links[5] = link_of(all[4], all[0], 1 << 6 | 1 << 7, 0); /* only for sync_state() */
	links[6] = link_of(NOWHERE, all[0], 1 << 6, 0);         /* no device that is known */
	for (size_t i = 0; i < 7; i++)
		links[i] += LINK_C_NODE;
	put_list(&k, all[0] + DEV_SUPPLIERS, links, 7);
	CHECK_STR(waits(all[0]),
		  "device link: clock: no driver; device link: regulator: it is "
		  "bound, but not ready; device link: gpio: its own probe was put off");
	CHECK_STR(
		details(all[0]),
		"- active usage=0 disabled=0 domain=- <clock <regulator <gpio <clock <late <late");
	for (uint32_t state = 0; state < 5; state++) {
		put32(&k, links[0] - LINK_C_NODE + LINK_STATUS, state);
		put32(&k, links[3] - LINK_C_NODE + LINK_STATUS, state);
		CHECK_U64(strstr(waits(all[0]), "clock") != NULL, state == 0 || state == 4);
	}
	/* who has a driver waits for nothing */
	CHECK_STR(waits(all[2]), "");
	put64(&k, all[0] + DEV_SUPPLIERS, NOWHERE);
	CHECK_CONTAINS(waits(all[0]), "(suppliers of a device");
	CHECK_CONTAINS(details(all[0]), "(links.suppliers");
	links[0] += LINK_S_NODE - LINK_C_NODE;
	put_list(&k, all[1] + DEV_CONSUMERS, links, 1);
	CHECK_STR(details(all[1]), "- active usage=0 disabled=0 domain=- >needy");
	kernel_release(&k);
}

/* A supplier that the kernel no longer waits for is told of a device that waits all the same. */
TEST(a_supplier_that_was_given_up)
{
	uint64_t all[2], link, private;

	start();
	all[0] = device_of("needy", 0);
	all[1] = device_of("late", 0);
	put64(&k, all[1] + DEV_BUS, named("platform"));
	private = room(32);
	put64(&k, private, all[0]);
	private += PRIVATE_LIST;
	put_list(&k, ACTIVE, &private, 1);
	devices_put(all, 2);
	link = link_of(all[1], all[0], 1 << 6 | 1 << 7, 0) + LINK_C_NODE;
	put_list(&k, all[0] + DEV_SUPPLIERS, &link, 1);
	CHECK_STR(waits(all[0]), "given up: late: no driver");
	kernel_release(&k);
}

static uint64_t node_of(const char *name, uint64_t parent, const char *status)
{
	uint64_t at = room(80), prop;

	put64(&k, at + FN_FULL_NAME, text(name));
	put64(&k, at + FN_PARENT, parent);
	put_list(&k, at + NODE_SUPPLIERS, NULL, 0);
	if (status) {
		prop = room(32);
		put64(&k, prop + FP_NAME, text("status"));
		put32(&k, prop + FP_LENGTH, (uint32_t)strlen(status) + 1);
		put64(&k, prop + FP_VALUE, text(status));
		put64(&k, at + FN_PROPERTIES, prop);
	}
	return at;
}

/* include/linux/fwnode.h: a link that is part of a cycle, or to be ignored, keeps nobody waiting.
 */
TEST(suppliers_that_only_the_nodes_name)
{
	uint64_t root, need, nodes[4], links[4], dev;

	start();
	root = node_of("/", 0, NULL);
	put64(&k, FK_OF_ROOT, root);
	need = node_of("needy", root, NULL);
	put64(&k, root + FN_CHILD, need);
	for (size_t i = 0; i < 4; i++) {
		char name[8] = { 's', (char)('0' + i), 0 };

		nodes[i] = node_of(name, root, i == 1 ? "disabled" : i == 2 ? "ok" : "okay");
		put64(&k, (i ? nodes[i - 1] : need) + FN_SIBLING, nodes[i]);
		links[i] = room(32);
		put64(&k, links[i], nodes[i] + FN_DEV);
		links[i] += 8;
	}
	put32(&k, links[3] - 8 + 24, 2);
	put_list(&k, need + NODE_SUPPLIERS, links, 4);
	dev = device_of("needy", 0);
	put64(&k, dev + DEV_FWNODE, need + FN_DEV);
	devices_put(&dev, 1);
	CHECK_STR(waits(dev),
		  "firmware link: /s0: it has no device; firmware link: /s1: its node is "
		  "disabled; firmware link: /s2: it has no device");
	put32(&k, links[3] - 8 + 24, 4);
	put32(&k, links[0] - 8 + 24, 1);
	CHECK_STR(waits(dev),
		  "firmware link: /s1: its node is disabled; firmware link: /s2: it has no "
		  "device; firmware link: /s3: it has no device");
	put64(&k, need + NODE_SUPPLIERS, NOWHERE);
	CHECK_CONTAINS(waits(dev), "(suppliers of a node");
	kernel_release(&k);
}
TEST_MAIN
