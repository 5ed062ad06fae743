/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of single checks on made-up memory, on both sides of what each calls too much. Limits and
 * their names are those of the kernel's Documentation/admin-guide/sysctl. */
#include "core/base/test.h"
#include "core/linux/memory/slab_fake.h"
#include "core/linux/of/of_fake.h"
#include "core/verdict/check.h"

extern const struct checkup check_limits, check_slab, check_freed, check_raid, check_hardware,
	check_thermal, check_cpus, check_tree, check_swap, check_stacks, check_devices,
	check_promises;

static struct fake_kernel k;
static struct triage g;
static struct finding f;

static void no_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

/* The state in which the check leaves the machine; f has its words. */
static enum check_state look(const struct checkup *c)
{
	struct err err;

	g = (struct triage){ .t = &k.t, .a = &k.scratch, .note = no_note };
	err_set(&g.log_why, ERR_OK, "-");
	f = (struct finding){ .check = c, .state = CHECK_UNKNOWN };
	err_set(&f.why, ERR_OK, "-");
	if (!c->look(&g, &f, &err)) {
		f.state = CHECK_UNKNOWN;
		f.text = arena_strdup(&k.scratch, err.msg);
	}
	CHECK(!f.claim || verdict_has_word(f.claim->kind, strlen(f.claim->kind)));
	return f.state;
}

#define CPU_VARS (KERNEL_BASE + 0x900) /* symbols of CPUs */
#define CPU_AREA (KERNEL_BASE + 0x4000)
#define KSET (KERNEL_BASE + 0x100) /* of all devices */

/* Two CPUs that both ran; what is per CPU lies from 0x100 to 0x200 of each one's area. */
static void cpus(void)
{
	kernel_symbol(&k, "nr_cpu_ids", CPU_VARS);
	put32(&k, CPU_VARS, 2);
	kernel_symbol(&k, "__per_cpu_offset", CPU_VARS + 8);
	put64(&k, CPU_VARS + 8, CPU_AREA);
	put64(&k, CPU_VARS + 16, CPU_AREA + 0x1000);
	kernel_symbol(&k, "__cpu_possible_mask", CPU_VARS + 24);
	kernel_symbol(&k, "__cpu_present_mask", CPU_VARS + 32);
	kernel_symbol(&k, "cpus_booted_once_mask", CPU_VARS + 40);
	for (unsigned i = 0; i < 3; i++)
		put64(&k, CPU_VARS + 24 + 8 * i, 3);
	kernel_symbol(&k, "__per_cpu_start", 0x100);
	kernel_symbol(&k, "__per_cpu_end", 0x200);
}

/* ---- limits */

#define NS (KERNEL_BASE + 0x1000)
#define VARS (KERNEL_BASE + 0x1100)

static void limits_start(void)
{
	struct type *s;

	kernel_init(&k);
	cpus();
	s = kernel_struct(&k, "pid_namespace", 8);
	kernel_member(s, "pid_allocated", &k.u32, 0);
	s = WORDS(&k, "files_stat_struct", "nr_files", "nr_free_files", "max_files");
	s = kernel_struct(&k, "percpu_counter", 24);
	kernel_member(s, "count", &k.s64, 8);
	kernel_member(s, "counters", &k.ptr, 16);
	kernel_symbol(&k, "init_pid_ns", NS);
	kernel_symbol(&k, "pid_max", VARS);
	kernel_symbol(&k, "nr_threads", VARS + 8);
	kernel_symbol(&k, "max_threads", VARS + 16);
	kernel_symbol(&k, "nr_files", VARS + 32);
	kernel_symbol(&k, "files_stat", VARS + 64);
	/* PIDNS_ADDING is set as long as the namespace lives */
	put32(&k, NS, 1u << 31 | 100);
	put32(&k, VARS, 4096);
	put32(&k, VARS + 8, 100);
	put32(&k, VARS + 16, 1000);
	put64(&k, VARS + 40, 30);
	put64(&k, VARS + 48, 0x100);
	put32(&k, CPU_AREA + 0x100, 12);
	put32(&k, CPU_AREA + 0x1100, (uint32_t)-2);
	put64(&k, VARS + 64 + 16, 1000);
}

TEST(limits_that_programs_run_into)
{
	limits_start();
	CHECK_U64(look(&check_limits), CHECK_OK);
	CHECK_STR(f.text, "100 of 4096 task numbers, 100 of 1000 tasks, 40 of 1000 open files");
	CHECK_U64(f.why.code, ERR_OK);
	put32(&k, VARS + 8, 900);
	CHECK_U64(look(&check_limits), CHECK_OK);
	put32(&k, VARS + 8, 901);
	CHECK_U64(look(&check_limits), CHECK_WARN);
	CHECK_CONTAINS(f.text, "tasks come to their end");
	put32(&k, VARS + 8, 1000);
	CHECK_U64(look(&check_limits), CHECK_FAIL);
	REQUIRE(f.claim);
	CHECK_STR(f.claim->kind, "exhausted");
	CHECK_CONTAINS(f.claim->sentence, "kernel.threads-max allows 1000");
	put32(&k, VARS + 8, 100);
	/* kernel/pid.c gives out none of the first 300 a second time */
	put32(&k, NS, 1u << 31 | 3795);
	CHECK_U64(look(&check_limits), CHECK_WARN);
	put32(&k, NS, 1u << 31 | 3796);
	CHECK_U64(look(&check_limits), CHECK_FAIL);
	CHECK_CONTAINS(f.text, "no more task numbers");
	put32(&k, NS, 1u << 31 | 100);
	put64(&k, VARS + 40, 990);
	CHECK_U64(look(&check_limits), CHECK_FAIL);
	CHECK_CONTAINS(f.text, "no more open files");
	kernel_release(&k);
}

/* What cannot be read is never well. */
TEST(limits_that_are_lost)
{
	limits_start();
	put64(&k, VARS + 48, KERNEL_BASE + KERNEL_SIZE);
	CHECK_U64(look(&check_limits), CHECK_UNKNOWN);
	CHECK_CONTAINS(f.text, "100 of 1000 tasks; open files: ");
	kernel_release(&k);
	kernel_init(&k);
	CHECK_U64(look(&check_limits), CHECK_UNKNOWN);
	CHECK_U64(look(&check_swap), CHECK_UNKNOWN);
	kernel_release(&k);
}

/* ---- slabs */

#define NODE_AT (KERNEL_BASE + 0x15100)

static struct type *type_called(const char *name)
{
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, name))
			return k.types[i];
	return NULL;
}

/* The cache of slab_fake.h has one slab of two pages, of `ram` pages in all. */
static void slab_start(uint64_t ram, uint64_t slabs)
{
	struct type *s;

	slab_setup(&k);
	s = kernel_struct(&k, "kmem_cache_node", 48);
	kernel_member(s, "partial", type_called("list_head"), 0);
	kernel_member(s, "nr_slabs", kernel_counter_type(&k, "atomic64", &k.u64), 16);
	kernel_member(s, "total_objects", type_called("atomic64"), 24);
	kernel_member(type_called("kmem_cache"), "node", kernel_array(&k, &k.ptr, 2), 64);
	kernel_member(type_called("slab"), "slab_list", type_called("list_head"), 8);
	kernel_symbol(&k, "nr_node_ids", SLAB_VARS + 0x80);
	put32(&k, SLAB_VARS + 0x80, 1);
	kernel_symbol(&k, "_totalram_pages", SLAB_VARS + 0x88);
	put64(&k, SLAB_VARS + 0x88, ram);
	put64(&k, SLAB_CACHE_AT + 64, NODE_AT);
	put_list(&k, NODE_AT, (uint64_t[]){ slab_page(SLAB_AT) + 8 }, 1);
	put64(&k, NODE_AT + 16, slabs);
	put64(&k, NODE_AT + 24, slabs * SLAB_OBJECTS);
}

TEST(a_cache_that_grew)
{
	/* 10 slabs of two pages are 20 of 80: a quarter, which is not more than that */
	slab_start(80, 10);
	CHECK_U64(look(&check_slab), CHECK_OK);
	CHECK_CONTAINS(f.text, "widget is the biggest and has 80 kB");
	kernel_release(&k);
	slab_start(79, 10);
	CHECK_U64(look(&check_slab), CHECK_WARN);
	CHECK_CONTAINS(f.text, "widget");
	kernel_release(&k);
	slab_start(0, 10);
	CHECK_U64(look(&check_slab), CHECK_UNKNOWN);
	kernel_release(&k);
	/* the list breaks behind it: it is told all the same */
	slab_start(79, 10);
	put64(&k, SLAB_CACHE_AT + 40, KERNEL_BASE + KERNEL_SIZE);
	CHECK_U64(look(&check_slab), CHECK_WARN);
	CHECK_CONTAINS(f.text, "widget");
	kernel_release(&k);
}

TEST(free_memory_that_was_written)
{
	slab_start(80, 10);
	CHECK_U64(look(&check_freed), CHECK_OK);
	CHECK_STR(f.text, "2 in 1 slabs are linked as they should");
	CHECK(!f.claim);
	slab_put_free(&k, 6, SLAB_AT + 2 * SLAB_SIZE + 8);
	CHECK_U64(look(&check_freed), CHECK_FAIL);
	REQUIRE(f.claim);
	CHECK_STR(f.claim->kind, "slab-corruption");
	kernel_release(&k);
	/* no slab that has free objects: nothing was looked at */
	slab_start(80, 10);
	put_list(&k, NODE_AT, NULL, 0);
	CHECK_U64(look(&check_freed), CHECK_UNKNOWN);
	kernel_release(&k);
}

/* ---- disks */

#define DISK (KERNEL_BASE + 0x3000) /* its device is part0.__dev, as before v5.11 */
#define ARRAY (KERNEL_BASE + 0x3400)
#define MEMBER (KERNEL_BASE + 0x3600)
#define CLASS (KERNEL_BASE + 0x3700)

static void raid_start(void)
{
	struct type *s, *dev, *list;

	of_fake_init(&k);
	list = type_called("list_head");
	dev = type_called("device");
	kernel_member(dev, "devt", &k.u32, 56);
	kernel_member(dev, "class", &k.ptr, 64);
	dev->size = 72;
	WORDS(&k, "class", "name");
	s = kernel_struct(&k, "hd_struct", 80);
	kernel_member(s, "__dev", dev, 0);
	s = kernel_struct(&k, "gendisk", 128);
	kernel_member(s, "part0", type_called("hd_struct"), 8);
	kernel_member(s, "private_data", &k.ptr, 0);
	s = kernel_struct(&k, "mddev", 64);
	kernel_member(s, "level", &k.s32, 0);
	kernel_member(s, "raid_disks", &k.s32, 4);
	kernel_member(s, "degraded", &k.s32, 8);
	kernel_member(s, "disks", list, 16);
	s = kernel_struct(&k, "md_rdev", 32);
	kernel_member(s, "same_set", list, 0);
	kernel_member(s, "flags", &k.u64, 16);
	put64(&k, FK_DEVICES, KSET);
	put_list(&k, KSET, (uint64_t[]){ DISK + 8 + FD_ENTRY }, 1);
	put64(&k, DISK, ARRAY);
	put64(&k, DISK + 8 + FD_NAME, KERNEL_BASE + 0x3800);
	put_str(&k, KERNEL_BASE + 0x3800, "md0");
	put32(&k, DISK + 8 + 56, 9 << 20);
	put64(&k, DISK + 8 + 64, CLASS);
	put64(&k, CLASS, KERNEL_BASE + 0x3810);
	put_str(&k, KERNEL_BASE + 0x3810, "block");
	put32(&k, ARRAY, 1);
	put32(&k, ARRAY + 4, 2);
	put_list(&k, ARRAY + 16, (uint64_t[]){ MEMBER, MEMBER + 0x40 }, 2);
	/* In_sync */
	put64(&k, MEMBER + 16, 2);
	put64(&k, MEMBER + 0x40 + 16, 2);
}

TEST(an_array_without_one_of_its_disks)
{
	raid_start();
	CHECK_U64(look(&check_raid), CHECK_OK);
	CHECK_STR(f.text, "all disks of 1 array are there");
	/* Faulty, and the array does without it */
	put64(&k, MEMBER + 0x40 + 16, 1);
	put32(&k, ARRAY + 8, 1);
	CHECK_U64(look(&check_raid), CHECK_WARN);
	CHECK_STR(f.text, "md0 lacks 1 of its 2 disks, 1 of them failed");
	put64(&k, DISK, KERNEL_BASE + KERNEL_SIZE);
	CHECK_U64(look(&check_raid), CHECK_UNKNOWN);
	kernel_release(&k);
	/* a disk of another driver is none */
	raid_start();
	put32(&k, ARRAY + 8, 1);
	put32(&k, DISK + 8 + 56, 8 << 20);
	CHECK_U64(look(&check_raid), CHECK_OK);
	CHECK_STR(f.text, "there is no array");
	kernel_release(&k);
}

/* ---- hardware */

#define TAINT (KERNEL_BASE + 0x2000)
#define CONTROLLER (KERNEL_BASE + 0x2100)

static void hardware_start(void)
{
	struct type *s;

	kernel_init(&k);
	cpus();
	kernel_symbol(&k, "tainted_mask", TAINT);
	kernel_symbol(&k, "num_poisoned_pages", TAINT + 8);
	kernel_symbol(&k, "mc_devices", TAINT + 16);
	s = kernel_struct(&k, "mem_ctl_info", 40);
	kernel_member(s, "link", kernel_list_type(&k), 0);
	kernel_member(s, "ce_mc", &k.u32, 16);
	kernel_member(s, "ue_mc", &k.u32, 20);
	kernel_member(s, "ctl_name", &k.ptr, 24);
	put_list(&k, TAINT + 16, (uint64_t[]){ CONTROLLER }, 1);
	put64(&k, CONTROLLER + 24, TAINT + 0x40);
	put_str(&k, TAINT + 0x40, "skx_edac");
	s = kernel_struct(&k, "_thermal_state", 8);
	kernel_member(s, "count", &k.u64, 0);
	s = kernel_struct(&k, "thermal_state", 16);
	kernel_member(s, "core_throttle", type_called("_thermal_state"), 0);
	kernel_member(s, "package_throttle", type_called("_thermal_state"), 8);
	kernel_symbol(&k, "thermal_state", 0x140);
}

TEST(errors_that_the_hardware_counted)
{
	hardware_start();
	CHECK_U64(look(&check_hardware), CHECK_OK);
	CHECK_STR(f.text, "the log tells of no error, nor do 1 memory controllers and 0 PCI "
			  "devices that count them");
	put32(&k, CONTROLLER + 16, 3);
	CHECK_U64(look(&check_hardware), CHECK_WARN);
	CHECK_STR(f.text, "3 errors of memory that were corrected (skx_edac)");
	put64(&k, TAINT + 8, 1);
	CHECK_U64(look(&check_hardware), CHECK_WARN);
	CHECK_CONTAINS(f.text, "1 pages taken out of use");
	put32(&k, CONTROLLER + 20, 2);
	CHECK_U64(look(&check_hardware), CHECK_WARN);
	CHECK_CONTAINS(f.text, "2 errors of memory that were not corrected (skx_edac)");
	/* TAINT_BAD_PAGE is set by the slab allocator, too: it is no matter of the hardware */
	put32(&k, CONTROLLER + 16, 0);
	put32(&k, CONTROLLER + 20, 0);
	put64(&k, TAINT + 8, 0);
	put64(&k, TAINT, 1 << 5);
	CHECK_U64(look(&check_hardware), CHECK_OK);
	put64(&k, TAINT, 1 << 4);
	CHECK_U64(look(&check_hardware), CHECK_WARN);
	put64(&k, TAINT, 0);
	put64(&k, TAINT + 16, KERNEL_BASE + KERNEL_SIZE);
	CHECK_U64(look(&check_hardware), CHECK_UNKNOWN);
	kernel_release(&k);
}

#define PCI (KERNEL_BASE + 0x3000) /* struct pci_dev, whose device lies 16 bytes into it */
#define AER (KERNEL_BASE + 0x3400)

/* The counters were in a struct of another name before v6.16. */
static void pci_start(const char *type, const char *member)
{
	struct type *s, *dev;

	of_fake_init(&k);
	cpus();
	kernel_symbol(&k, "tainted_mask", TAINT);
	dev = type_called("device");
	kernel_member(dev, "bus", &k.ptr, 56);
	dev->size = 64;
	WORDS(&k, "bus_type", "name");
	s = kernel_struct(&k, "pci_dev", 128);
	kernel_member(s, member, &k.ptr, 0);
	kernel_member(s, "dev", dev, 16);
	WORDS(&k, type, "dev_total_cor_errs", "dev_total_fatal_errs", "dev_total_nonfatal_errs");
	put64(&k, FK_DEVICES, KSET);
	put_list(&k, KSET, (uint64_t[]){ PCI + 16 + FD_ENTRY }, 1);
	put64(&k, PCI, AER);
	put64(&k, PCI + 16 + FD_NAME, KERNEL_BASE + 0x3800);
	put_str(&k, KERNEL_BASE + 0x3800, "0000:00:1c.0");
	put64(&k, PCI + 16 + 56, KERNEL_BASE + 0x3820);
	put64(&k, KERNEL_BASE + 0x3820, KERNEL_BASE + 0x3830);
	put_str(&k, KERNEL_BASE + 0x3830, "pci");
}

TEST(errors_that_pci_counted)
{
	static const char *const names[][2] = { { "aer_info", "aer_info" },
						{ "aer_stats", "aer_stats" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		pci_start(names[i][0], names[i][1]);
		CHECK_U64(look(&check_hardware), CHECK_OK);
		CHECK_CONTAINS(f.text, "0 memory controllers and 1 PCI devices");
		put64(&k, AER, 5);
		CHECK_U64(look(&check_hardware), CHECK_WARN);
		CHECK_STR(f.text, "5 errors of PCI that were corrected (0000:00:1c.0)");
		put64(&k, AER + 8, 1);
		put64(&k, AER + 16, 2);
		CHECK_U64(look(&check_hardware), CHECK_WARN);
		CHECK_CONTAINS(f.text, "3 errors of PCI that were not corrected (0000:00:1c.0)");
		kernel_release(&k);
	}
}

TEST(heat)
{
	hardware_start();
	CHECK_U64(look(&check_thermal), CHECK_OK);
	CHECK_STR(f.text, "2 CPUs were never slowed down for their heat");
	put64(&k, CPU_AREA + 0x1140 + 8, 7);
	CHECK_U64(look(&check_thermal), CHECK_WARN);
	CHECK_CONTAINS(f.text, "7 times");
	kernel_release(&k);
}

#define ZONES (KERNEL_BASE + 0x7000)
#define ZONE(n) (ZONES + 0x100 + (n)*0x100)
#define TRIPS (KERNEL_BASE + 0x7800)

/* A zone has its marks behind a pointer, or, with struct thermal_trip_desc, in itself. The second
 * mark is THERMAL_TRIP_CRITICAL, the first THERMAL_TRIP_PASSIVE, which is no limit. */
static void zones_start(bool inside)
{
	uint64_t trips = inside ? ZONE(1) + 64 : TRIPS, step = inside ? 32 : 8;
	struct type *s, *trip;

	kernel_init(&k);
	cpus();
	s = kernel_struct(&k, "thermal_zone_device", 128);
	kernel_member(s, "type", kernel_array(&k, &k.u8, 20), 0);
	kernel_member(s, "temperature", &k.s32, 20);
	kernel_member(s, "num_trips", &k.s32, 24);
	kernel_member(s, "node", kernel_list_type(&k), 32);
	trip = kernel_struct(&k, "thermal_trip", 8);
	kernel_member(trip, "temperature", &k.s32, 0);
	kernel_member(trip, "type", &k.u32, 4);
	if (inside) {
		kernel_member(s, "trips", &k.u64, 64);
		s = kernel_struct(&k, "thermal_trip_desc", 32);
		kernel_member(s, "trip", trip, 0);
	} else {
		kernel_member(s, "trips", &k.ptr, 48);
		put64(&k, ZONE(1) + 48, TRIPS);
	}
	kernel_symbol(&k, "thermal_tz_list", ZONES);
	put_list(&k, ZONES, (uint64_t[]){ ZONE(0) + 32, ZONE(1) + 32 }, 2);
	put_str(&k, ZONE(0), "never");
	put32(&k, ZONE(0) + 20, (uint32_t)-274000);
	put_str(&k, ZONE(1), "acpitz");
	put32(&k, ZONE(1) + 20, 104999);
	put32(&k, ZONE(1) + 24, 2);
	put32(&k, trips, 90000);
	put32(&k, trips + 4, 1);
	put32(&k, trips + step, 105000);
	put32(&k, trips + step + 4, 3);
}

TEST(zones_and_their_marks)
{
	for (int inside = 0; inside < 2; inside++) {
		zones_start(inside);
		CHECK_U64(look(&check_thermal), CHECK_OK);
		CHECK_CONTAINS(f.text, "the hottest of 2 zones (acpitz) has 104 degrees");
		put32(&k, ZONE(1) + 20, 105000);
		CHECK_U64(look(&check_thermal), CHECK_WARN);
		CHECK_STR(f.text, "acpitz has 105 degrees, and its mark is 105");
		kernel_release(&k);
	}
}

/* ---- CPUs */

/* The latch is a byte for each CPU: kernel/watchdog.c. */
TEST(a_hard_lockup_that_was_noticed)
{
	kernel_init(&k);
	cpus();
	kernel_symbol(&k, "watchdog_hardlockup_warned", 0x180);
	CHECK_U64(look(&check_cpus), CHECK_UNKNOWN);
	k.mem[CPU_AREA + 0x1180 - KERNEL_BASE] = 1;
	CHECK_U64(look(&check_cpus), CHECK_FAIL);
	CHECK_STR(f.text, "CPU 1 was found with its interrupts off");
	REQUIRE(f.claim);
	CHECK_STR(f.claim->kind, "hard-lockup");
	CHECK_U64((uint64_t)f.claim->cpu, 1);
	kernel_release(&k);
}

/* ---- stacks */

#define INIT (KERNEL_BASE + 0x8000) /* init_task */
#define SLEEPER (KERNEL_BASE + 0x8200)
#define STACK(n) (KERNEL_BASE + 0x20000 + (n)*0x4000)
#define FRAME_BYTES 56u /* of struct inactive_task_frame */

static void task_put(uint64_t at, uint32_t pid, const char *comm, uint64_t stack)
{
	put32(&k, at + 8, pid);
	put32(&k, at + 12, pid);
	put64(&k, at + 16, stack);
	put64(&k, at + 24, INIT);
	put_str(&k, at + 64, comm);
	put_list(&k, at + 48, NULL, 0);
	/* STACK_END_MAGIC */
	put64(&k, stack, 0x57ac6e9d);
	put64(&k, at + 88, stack + 0x3000);
}

/* A task that sleeps, and the one that every kernel has. */
static void stacks_start(void)
{
	struct type *s;

	kernel_init(&k);
	cpus();
	kernel_symbol(&k, "init_task", INIT);
	s = kernel_struct(&k, "task_struct", 128);
	kernel_member(s, "__state", &k.u32, 0);
	kernel_member(s, "exit_state", &k.s32, 4);
	kernel_member(s, "pid", &k.s32, 8);
	kernel_member(s, "tgid", &k.s32, 12);
	kernel_member(s, "stack", &k.ptr, 16);
	kernel_member(s, "real_parent", &k.ptr, 24);
	kernel_member(s, "tasks", kernel_list_type(&k), 32);
	kernel_member(s, "thread_node", type_called("list_head"), 48);
	kernel_member(s, "comm", kernel_array(&k, &k.u8, 16), 64);
	kernel_member(s, "signal", &k.ptr, 80);
	kernel_member(s, "thread", INNER(&k, "sp"), 88);
	kernel_member(s, "thread_info", INNER(&k, "flags"), 96);
	kernel_member(s, "mm", &k.ptr, 104);
	kernel_member(s, "flags", &k.u32, 112);
	s = kernel_struct(&k, "signal_struct", 16);
	kernel_member(s, "thread_head", type_called("list_head"), 0);
	WORDS(&k, "inactive_task_frame", "r15", "r14", "r13", "r12", "bx", "bp", "ret_addr");
	task_put(INIT, 0, "swapper/0", STACK(0));
	task_put(SLEEPER, 5, "sleeper", STACK(1));
	put32(&k, SLEEPER, 2);
	put_list(&k, INIT + 32, (uint64_t[]){ SLEEPER + 32 }, 1);
	put64(&k, SLEEPER + 80, KERNEL_BASE + 0x8400);
	put_list(&k, KERNEL_BASE + 0x8400, (uint64_t[]){ SLEEPER + 48 }, 1);
}

TEST(stacks_and_the_room_on_them)
{
	stacks_start();
	CHECK_U64(look(&check_stacks), CHECK_OK);
	CHECK_STR(f.text, "2 stacks end as they should, no sleeper has less than 12344 bytes left");
	put64(&k, SLEEPER + 88, STACK(1) + 1024 - FRAME_BYTES);
	CHECK_U64(look(&check_stacks), CHECK_OK);
	put64(&k, SLEEPER + 88, STACK(1) + 1016 - FRAME_BYTES);
	CHECK_U64(look(&check_stacks), CHECK_WARN);
	CHECK_STR(f.text, "sleeper[5] has 1016 bytes of its stack left");
	put32(&k, STACK(1), 0);
	CHECK_U64(look(&check_stacks), CHECK_FAIL);
	REQUIRE(f.claim);
	CHECK_STR(f.claim->kind, "stack-overflow");
	CHECK_STR(f.claim->sentence, "sleeper[5] used all of its kernel stack");
	kernel_release(&k);
	stacks_start();
	k.holes = UINT64_C(1) << (STACK(1) - KERNEL_BASE) / 0x1000;
	CHECK_U64(look(&check_stacks), CHECK_UNKNOWN);
	kernel_release(&k);
}

/* ---- the device tree */

#define NODE(n) (KERNEL_BASE + 0x5000 + (n)*0x100)
#define NAMES (KERNEL_BASE + 0x6000)

static void tree_start(uint32_t second)
{
	of_fake_init(&k);
	put_list(&k, FK_OVERLAYS, NULL, 0);
	put64(&k, FK_OF_ROOT, NODE(0));
	put64(&k, NODE(0) + FN_FULL_NAME, NAMES);
	put64(&k, NODE(0) + FN_CHILD, NODE(1));
	put64(&k, NODE(1) + FN_FULL_NAME, NAMES + 0x10);
	put_str(&k, NAMES + 0x10, "one");
	put64(&k, NODE(1) + FN_PARENT, NODE(0));
	put64(&k, NODE(1) + FN_SIBLING, NODE(2));
	put64(&k, NODE(2) + FN_FULL_NAME, NAMES + 0x20);
	put_str(&k, NAMES + 0x20, "two");
	put64(&k, NODE(2) + FN_PARENT, NODE(0));
	put32(&k, NODE(1) + FN_PHANDLE, 1);
	put32(&k, NODE(2) + FN_PHANDLE, second);
}

TEST(references_between_nodes)
{
	of_fake_init(&k);
	CHECK_U64(look(&check_tree), CHECK_OK);
	CHECK_STR(f.text, "this machine was started without one");
	kernel_release(&k);
	tree_start(2);
	CHECK_U64(look(&check_tree), CHECK_OK);
	CHECK_CONTAINS(f.text, "3 nodes");
	kernel_release(&k);
	/* both nodes have the phandle 1 */
	tree_start(1);
	CHECK_U64(look(&check_tree), CHECK_WARN);
	CHECK_CONTAINS(f.text, "1 fault, the first: /two");
	kernel_release(&k);
}

/* ---- ages */

/* Five seconds after panic() somebody turned the machine off: what is older than that by its clocks
 * was that much younger when it died. */
TEST(ages_end_at_the_death)
{
	kernel_init(&k);
	look(&check_walks);
	g.death.after_ns = UINT64_C(5000000000);
	CHECK_U64(age_at_death(&g, UINT64_C(7000000000)), UINT64_C(2000000000));
	CHECK_U64(age_at_death(&g, UINT64_C(4000000000)), 0);
	CHECK_U64(age_at_death(&g, UINT64_MAX), UINT64_MAX);
	kernel_release(&k);
}

/* ---- walks */

static bool looks_at_nothing(struct triage *t, struct finding *ret, struct err *err)
{
	(void)t, (void)ret, (void)err;
	return true;
}

TEST(lists_that_broke_on_the_way)
{
	static const struct checkup other = { .name = "other", .look = looks_at_nothing };
	struct finding before = { .check = &other, .state = CHECK_OK }, three[3];
	struct err err;

	kernel_init(&k);
	CHECK_U64(look(&check_walks), CHECK_OK);
	/* what is absent is no corruption */
	err_set(&before.why, ERR_EXCLUDED, "excluded page");
	g.findings = &before;
	g.n_findings = 1;
	REQUIRE(check_walks.look(&g, &f, &err));
	CHECK_U64(f.state, CHECK_OK);
	err_set(&before.why, ERR_CORRUPT, "tasks: loop");
	REQUIRE(check_walks.look(&g, &f, &err));
	CHECK_U64(f.state, CHECK_WARN);
	CHECK_STR(f.text, "1 led to what cannot be, the first: tasks: loop");
	err_set(&before.why, ERR_BADADDR, "slab caches: entry 1 points to 0x10");
	REQUIRE(check_walks.look(&g, &f, &err));
	CHECK_U64(f.state, CHECK_WARN);
	/* three that go through one broken list meet one thing */
	three[0] = three[1] = three[2] = before;
	err_set(&three[1].why, ERR_BADADDR, "caches: %s", before.why.msg);
	g.findings = three;
	g.n_findings = 3;
	REQUIRE(check_walks.look(&g, &f, &err));
	CHECK_STR(f.text,
		  "1 led to what cannot be, the first: slab caches: entry 1 points to 0x10");
	err_set(&three[2].why, ERR_CORRUPT, "tasks: loop");
	REQUIRE(check_walks.look(&g, &f, &err));
	CHECK_CONTAINS(f.text, "2 led to what cannot be");
	g.findings = &before;
	g.n_findings = 1;
	/* where nobody could look, nothing is known to be sound */
	before = (struct finding){ .check = &other, .state = CHECK_UNKNOWN };
	err_set(&before.why, ERR_NOTYPE, "no type 'struct task_struct'");
	CHECK(!check_walks.look(&g, &f, &err));
	CHECK_CONTAINS(err.msg, "only 0 of 1 checks");
	kernel_release(&k);
}

/* Counters that tell of no error do not stand for a log that cannot be read. */
TEST(hardware_without_a_log)
{
	struct err err;

	hardware_start();
	CHECK_U64(look(&check_hardware), CHECK_OK);
	err_set(&g.log_why, ERR_NOSYM, "there is no log");
	err_set(&f.why, ERR_OK, "-");
	CHECK(check_hardware.look(&g, &f, &err));
	CHECK_U64(f.state, CHECK_UNKNOWN);
	CHECK_CONTAINS(f.text, "there is no log");
	kernel_release(&k);
	kernel_init(&k);
	CHECK_U64(look(&check_thermal), CHECK_OK);
	CHECK_STR(f.text, "the log tells of no heat");
	err_set(&g.log_why, ERR_NOSYM, "there is no log");
	CHECK(!check_thermal.look(&g, &f, &err));
	CHECK_STR(err.msg, "there is no log");
	kernel_release(&k);
}

/* Nine of ten parts are the limit, of 1000 pages of 4 KiB. */
TEST(swap_that_is_full)
{
	static const struct {
		uint64_t left;
		enum check_state state;
	} cases[] = {
		{ 1000, CHECK_OK }, { 100, CHECK_OK }, { 99, CHECK_WARN }, { 0, CHECK_WARN }
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		kernel_init(&k);
		kernel_symbol(&k, "swap_info", VARS);
		kernel_symbol(&k, "nr_swapfiles", VARS + 8);
		kernel_symbol(&k, "total_swap_pages", VARS + 16);
		kernel_symbol(&k, "nr_swap_pages", VARS + 24);
		put64(&k, VARS + 16, 1000);
		put64(&k, VARS + 24, cases[i].left);
		CHECK_U64(look(&check_swap), cases[i].state);
		if (!cases[i].left)
			CHECK_STR(f.text, "3 of 3 MB are used"); /* 4000 kB */
		kernel_release(&k);
	}
}

/* A gigabyte of RAM and half of one of swap are 393216 pages of 4 KiB. Of what is promised 10 pages
 * are counted by CPUs, as limits_start() puts them. */
TEST(more_is_promised_than_there_is)
{
	limits_start();
	kernel_symbol(&k, "_totalram_pages", VARS + 0x100);
	put64(&k, VARS + 0x100, 262144);
	kernel_symbol(&k, "swap_info", VARS + 0x108);
	kernel_symbol(&k, "nr_swapfiles", VARS + 0x110);
	kernel_symbol(&k, "total_swap_pages", VARS + 0x118);
	put64(&k, VARS + 0x118, 131072);
	kernel_symbol(&k, "vm_committed_as", VARS + 0x120);
	put64(&k, VARS + 0x128, 393206);
	put64(&k, VARS + 0x130, 0x100);
	CHECK_U64(look(&check_promises), CHECK_OK);
	CHECK_STR(f.text, "1536 MB are promised of 1536, page tables 0");
	put64(&k, VARS + 0x128, 393207);
	CHECK_U64(look(&check_promises), CHECK_WARN);
	CHECK_STR(f.text, "1536 MB are promised to programs, RAM and swap have 1536");
	kernel_release(&k);
}

/* None of the devices that could be read waits; of the others nobody knows. */
TEST(devices_that_cannot_be_read)
{
	raid_start();
	CHECK_U64(look(&check_devices), CHECK_OK);
	CHECK_STR(f.text, "1, none waits for its probe");
	kernel_release(&k);
	raid_start();
	put64(&k, DISK + 8 + FD_ENTRY, KERNEL_BASE + KERNEL_SIZE);
	CHECK_U64(look(&check_devices), CHECK_UNKNOWN);
	CHECK_CONTAINS(f.text, "1 read, none waits; then ");
	kernel_release(&k);
}

TEST_MAIN
