/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of names that a trace refers to: dead tasks, thread groups, code that is gone, formats. */
#include "core/base/test.h"
#include "core/linux/trace/trace_fake.h"

static struct trace_fake f;
static struct recording rec;
static struct trace_array tr;

#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

static void start(void)
{
	trace_fake_init(&f);
	tr = (struct trace_array){ .addr = TRACE_TOP };
	rec = (struct recording){ .t = &f.k.t, .word_size = 8, .self = &tr };
}

static void comm_put(uint64_t names, uint32_t slot, const char *comm)
{
	memcpy(&f.k.mem[names + 16 * (uint64_t)slot - KERNEL_BASE], comm, strnlen(comm, 16));
}

/* struct saved_cmdlines_buffer of kernel/trace/trace_sched_switch.c: pid & (PID_MAX_DEFAULT - 1) is
 * the index of a slot, and map_cmdline_to_pid[slot] says whose it is by now. */
static uint64_t saved(bool behind, uint32_t slots, uint64_t *names)
{
	struct fake_kernel *k = &f.k;
	struct type *s = kernel_struct(k, "saved_cmdlines_buffer", 0x20000 + 64);
	uint64_t at = KERNEL_BASE + 0x10000, owners = trace_fake_room(&f, 4 * slots);

	kernel_member(s, "map_pid_to_cmdline", kernel_array(k, &k->u32, 32769), 8);
	kernel_member(s, "map_cmdline_to_pid", &k->ptr, 0x20010);
	kernel_member(s, "cmdline_num", &k->u32, 0x20018);
	kernel_member(s, "saved_cmdlines", behind ? kernel_array(k, &k->u8, 0) : &k->ptr, 0x20020);
	kernel_symbol(k, "savedcmd", TRACE_VAR(0));
	put64(k, TRACE_VAR(0), at);
	put64(k, at + 0x20010, owners);
	put32(k, at + 0x20018, slots);
	*names = at + 0x20020;
	if (!behind) {
		*names = trace_fake_room(&f, 16 * slots);
		put64(k, at + 0x20020, *names);
	}
	for (uint64_t i = 0; i < 32769; i++)
		put32(k, at + 8 + 4 * i, UINT32_MAX); /* NO_CMDLINE_MAP */
	return at;
}

static void own(uint64_t at, uint32_t owners, int32_t pid, uint32_t slot)
{
	put32(&f.k, at + 8 + 4 * ((uint64_t)pid % 32768), slot);
	put32(&f.k, owners + KERNEL_BASE + 4 * (uint64_t)slot, (uint32_t)pid);
}

static void check_comms(bool behind)
{
	uint64_t names, at, owners;

	start();
	at = saved(behind, 3, &names);
	owners = (uint64_t)load_le64(&f.k.mem[at + 0x20010 - KERNEL_BASE]) - KERNEL_BASE;
	own(at, (uint32_t)owners, 1234, 0);
	own(at, (uint32_t)owners, 32768 + 77, 2);
	own(at, (uint32_t)owners, 32767, 1);
	comm_put(names, 0, "first");
	comm_put(names, 1, "last");
	comm_put(names, 2, "sixteen_letters_");
	put32(&f.k, at + 8 + 4 * 99, 3); /* no slot has that number */
	CHECK_STR(trace_name_comm(&rec, 1234), "first");
	CHECK_STR(trace_name_comm(&rec, 32767), "last");
	CHECK_STR(trace_name_comm(&rec, 32768 + 77), "sixteen_letters_");
	/* the slot of another pid that ends in the same bits */
	CHECK_STR(trace_name_comm(&rec, 77), NULL);
	CHECK_STR(trace_name_comm(&rec, 99), NULL);
	CHECK_STR(trace_name_comm(&rec, 5), NULL);
	CHECK_STR(trace_name_comm(&rec, 0), NULL);
	/* what was said once stays */
	comm_put(names, 0, "other");
	CHECK_STR(trace_name_comm(&rec, 1234), "first");
	kernel_release(&f.k);
}

TEST(names_of_tasks_that_are_dead)
{
	check_comms(false);
	check_comms(true); /* 8b2b4e45a7cb (v6.8): behind the struct */
}

TEST(no_saved_names)
{
	uint64_t names, at;

	start();
	CHECK_STR(trace_name_comm(&rec, 1234), NULL);
	kernel_release(&f.k);
	start();
	at = saved(false, 2, &names);
	own(at, (uint32_t)(load_le64(&f.k.mem[at + 0x20010 - KERNEL_BASE]) - KERNEL_BASE), 8, 1);
	comm_put(names, 1, "eight");
	put64(&f.k, TRACE_VAR(0), 0); /* trace_create_savedcmd() failed */
	CHECK_STR(trace_name_comm(&rec, 8), NULL);
	put64(&f.k, TRACE_VAR(0), at);
	CHECK_STR(trace_name_comm(&rec, 8), NULL); /* it is asked once */
	kernel_release(&f.k);
}

/* tgid_map[pid] of trace_sched_switch.c; 0 where record-tgid did not see the task. */
TEST(thread_groups)
{
	uint64_t map;

	start();
	CHECK(trace_name_tgid(&rec, 2) == -1);
	kernel_release(&f.k);
	start();
	kernel_symbol(&f.k, "tgid_map", TRACE_VAR(0));
	kernel_symbol(&f.k, "tgid_map_max", TRACE_VAR(1));
	map = trace_fake_room(&f, 4 * 5);
	put64(&f.k, TRACE_VAR(0), map);
	put64(&f.k, TRACE_VAR(1), 3);
	put32(&f.k, map, 9);
	put32(&f.k, map + 4 * 1, 1);
	put32(&f.k, map + 4 * 3, 1);
	put32(&f.k, map + 4 * 4, 1); /* behind the map */
	CHECK(trace_name_tgid(&rec, 1) == 1);
	CHECK(trace_name_tgid(&rec, 2) == -1);
	CHECK(trace_name_tgid(&rec, 3) == 1);
	CHECK(trace_name_tgid(&rec, 4) == -1);
	CHECK(trace_name_tgid(&rec, 0) == -1);
	CHECK(trace_name_tgid(&rec, -1) == -1);
	kernel_release(&f.k);
}

/* ---- code */

#define TEXT (KERNEL_BASE + 0x30000)

static void check_symbol(uint64_t addr, const char *name, const char *module, uint64_t offset,
			 uint64_t size)
{
	struct trace_symbol sym = { 0 };

	REQUIRE(trace_name_symbol(&rec, addr, &sym));
	CHECK_STR(sym.name, name);
	CHECK_STR(sym.module, module);
	CHECK_U64(sym.offset, offset);
	CHECK_U64(sym.size, size);
}

static uint64_t gone_function(uint64_t ip, uint64_t size, const char *name)
{
	uint64_t at = trace_fake_room(&f, 40);

	put64(&f.k, at + 16, trace_fake_text(&f, name));
	put64(&f.k, at + 24, ip);
	put64(&f.k, at + 32, size);
	return at;
}

/* struct ftrace_mod_map and ftrace_mod_func of kernel/trace/ftrace.c. */
static void gone_put(void)
{
	struct fake_kernel *k = &f.k;
	struct type *s = kernel_struct(k, "ftrace_mod_func", 40);
	uint64_t maps[2], all[2], mod = trace_fake_room(&f, 64);

	kernel_member(s, "list", f.list, 0);
	kernel_member(s, "name", &k->ptr, 16);
	kernel_member(s, "ip", &k->u64, 24);
	kernel_member(s, "size", &k->u64, 32);
	s = kernel_struct(k, "ftrace_mod_map", 56);
	kernel_member(s, "list", f.list, 0);
	kernel_member(s, "mod", &k->ptr, 16);
	kernel_member(s, "start_addr", &k->u64, 24);
	kernel_member(s, "end_addr", &k->u64, 32);
	kernel_member(s, "funcs", f.list, 40);
	s = kernel_struct(k, "module", 64);
	kernel_member(s, "name", kernel_array(k, &k->u8, 56), 8);
	put_str(k, mod + 8, "victim");
	kernel_symbol(k, "ftrace_mod_maps", TRACE_VAR(4));
	maps[0] = trace_fake_room(&f, 56);
	maps[1] = trace_fake_room(&f, 56);
	put_list(k, maps[0] + 40, NULL, 0);
	put64(k, maps[0] + 24, 0x5000);
	put64(k, maps[0] + 32, 0x7000);
	put64(k, maps[1] + 16, mod);
	put64(k, maps[1] + 24, 0x7000);
	put64(k, maps[1] + 32, 0x8000);
	all[0] = gone_function(0x7000, 0x20, "victim_init");
	all[1] = gone_function(0x7f00, 0x100, "victim_last");
	put_list(k, maps[1] + 40, all, 2);
	put_list(k, TRACE_VAR(4), maps, 2);
}

TEST(code_of_the_kernel_and_code_that_is_gone)
{
	struct trace_symbol sym;

	start();
	kernel_symbol(&f.k, "vfs_read", TEXT);
	f.k.syms[f.k.n_syms - 1].size = 0x40;
	kernel_symbol(&f.k, "vfs_write", TEXT + 0x50);
	kernel_symbol(&f.k, "ftrace_trampoline", TEXT + 0x100);
	kernel_symbol(&f.k, "the_end", TEXT + 0x200);
	gone_put();
	/* the kernel's size of a symbol reaches to the next one */
	check_symbol(TEXT + 8, "vfs_read", NULL, 8, 0x50);
	check_symbol(TEXT + 0x50, "vfs_write", NULL, 0, 0xb0);
	check_symbol(0x7000, "victim_init", "victim", 0, 0x20);
	check_symbol(0x701f, "victim_init", "victim", 0x1f, 0x20);
	check_symbol(0x7fff, "victim_last", "victim", 0xff, 0x100);
	CHECK(!trace_name_symbol(&rec, 0x7020, &sym));
	CHECK(!trace_name_symbol(&rec, 0x6fff, &sym));
	CHECK(!trace_name_symbol(&rec, 0x8000, &sym));
	/* code that was made at run time has no name of its own */
	CHECK(!trace_name_symbol(&rec, TEXT + 0x104, &sym));
	/* of the boot before: addresses are that kernel's */
	tr.text_delta = -0x1000;
	check_symbol(TEXT + 8, "vfs_read", NULL, 8, 0x50);
	tr.previous_boot = true;
	check_symbol(TEXT + 0x1008, "vfs_read", NULL, 8, 0x50);
	kernel_release(&f.k);
}

TEST(nothing_is_remembered_of_what_is_gone)
{
	struct trace_symbol sym;

	start();
	kernel_symbol(&f.k, "vfs_read", TEXT);
	CHECK(!trace_name_symbol(&rec, 0x7000, &sym));
	gone_put();
	put64(&f.k, TRACE_VAR(4), NOWHERE);
	CHECK(!trace_name_symbol(&rec, 0x7000, &sym));
	kernel_release(&f.k);
}

/* ---- strings */

TEST(formats_of_trace_printk)
{
	uint64_t one, two, three, format;

	start();
	kernel_symbol(&f.k, "__start___trace_bprintk_fmt", TRACE_VAR(0));
	kernel_symbol(&f.k, "__stop___trace_bprintk_fmt", TRACE_VAR(0) + 16);
	kernel_symbol(&f.k, "__start___tracepoint_str", TRACE_VAR(2));
	kernel_symbol(&f.k, "__stop___tracepoint_str", TRACE_VAR(2) + 16);
	kernel_symbol(&f.k, "trace_bprintk_fmt_list", TRACE_VAR(4));
	one = trace_fake_text(&f, "one %d\n");
	two = trace_fake_text(&f, "two");
	three = trace_fake_text(&f, "three %s\n");
	put64(&f.k, TRACE_VAR(0), one);
	put64(&f.k, TRACE_VAR(0) + 8, two);
	put64(&f.k, TRACE_VAR(1) + 0, two);
	put64(&f.k, TRACE_VAR(2) + 8, trace_fake_text(&f, "rcu_sched"));
	put64(&f.k, TRACE_VAR(3), three + 1); /* behind the last */
	format = trace_fake_room(&f, 24);
	put64(&f.k, format + 16, three);
	put_list(&f.k, TRACE_VAR(4), &format, 1);
	CHECK_STR(trace_name_string(&rec, one), "one %d\n");
	CHECK_STR(trace_name_string(&rec, two), "two");
	CHECK_STR(trace_name_string(&rec, three), "three %s\n");
	CHECK_STR(trace_name_string(&rec, load_le64(&f.k.mem[TRACE_VAR(2) + 8 - KERNEL_BASE])),
		  "rcu_sched");
	CHECK_STR(trace_name_string(&rec, three + 1), NULL);
	CHECK_STR(trace_name_string(&rec, one + 1), NULL);
	CHECK_STR(trace_name_string(&rec, 0), NULL);
	CHECK_U64(f.k.t.warnings.n, 0);
	kernel_release(&f.k);
}

TEST(formats_that_cannot_be_read)
{
	uint64_t one;

	start();
	one = trace_fake_text(&f, "one");
	kernel_symbol(&f.k, "__start___trace_bprintk_fmt", TRACE_VAR(0));
	kernel_symbol(&f.k, "trace_bprintk_fmt_list", TRACE_VAR(4));
	put64(&f.k, TRACE_VAR(0), one);
	put64(&f.k, TRACE_VAR(4), NOWHERE);
	CHECK_STR(trace_name_string(&rec, one), NULL);
	CHECK_STR(trace_name_string(&rec, one), NULL);
	REQUIRE(f.k.t.warnings.n == 1);
	CHECK_CONTAINS(f.k.t.warnings.p[0].text, "not all formats of trace_printk()");
	kernel_release(&f.k);
	/* an end before the start, and more than a megabyte between, are no array */
	start();
	one = trace_fake_text(&f, "one");
	kernel_symbol(&f.k, "__start___trace_bprintk_fmt", TRACE_VAR(0));
	kernel_symbol(&f.k, "__stop___trace_bprintk_fmt", TRACE_VAR(0) + (1 << 20) + 8);
	put64(&f.k, TRACE_VAR(0), one);
	CHECK_STR(trace_name_string(&rec, one), NULL);
	kernel_release(&f.k);
}
#define RODATA (KERNEL_BASE + 0x20000)

static bool rodata(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	static const char text[] = "of the vmlinux";

	(void)self;
	*ret = SPAN(text, sizeof(text));
	*addr = NOWHERE - 0x5000; /* as it was linked */
	return !strcmp(name, ".rodata");
}

/* What trace_safe_str() of kernel/trace/trace.c lets an event point to, as long as it is text. */
TEST(constants_of_the_kernel)
{
	char most[257];

	start();
	kernel_symbol(&f.k, "__start_rodata", RODATA);
	kernel_symbol(&f.k, "__end_rodata", NOWHERE + 0x100);
	memset(most, 'x', sizeof(most) - 1);
	most[256] = '\0';
	put_str(&f.k, RODATA, "first");
	put_str(&f.k, RODATA + 0x40, "a\tb\n");
	put_str(&f.k, RODATA + 0x80, "a\1b");
	put_str(&f.k, RODATA + 0xc0, "caf\xc3\xa9");
	put_str(&f.k, RODATA + 0x100, most + 1); /* 255 bytes and a NUL */
	put_str(&f.k, RODATA + 0x300, most);
	put_str(&f.k, RODATA - 0x40, "in front");
	CHECK_STR(trace_name_string(&rec, RODATA), "first");
	CHECK_STR(trace_name_string(&rec, RODATA + 0x40), "a\tb\n");
	CHECK_STR(trace_name_string(&rec, RODATA + 0x80), NULL);
	CHECK_STR(trace_name_string(&rec, RODATA + 0xc0), NULL);
	CHECK_STR(trace_name_string(&rec, RODATA + 0x100), most + 1);
	CHECK_STR(trace_name_string(&rec, RODATA + 0x300), NULL);
	CHECK_STR(trace_name_string(&rec, RODATA - 0x40), NULL);
	CHECK_STR(trace_name_string(&rec, RODATA), "first");
	/* a page that is not in the dump, without and with a vmlinux */
	CHECK_STR(trace_name_string(&rec, NOWHERE), NULL);
	f.k.t.vmlinux.section = rodata;
	f.k.t.kaslr = 0x5000;
	CHECK_STR(trace_name_string(&rec, NOWHERE + 3), "the vmlinux");
	CHECK_STR(trace_name_string(&rec, NOWHERE + 0x80), NULL);
	CHECK_STR(trace_name_string(&rec, NOWHERE + 0x100), NULL);
	/* of the boot before this one, whose kernel lay elsewhere */
	tr.previous_boot = true;
	tr.text_delta = 0x10000;
	CHECK_STR(trace_name_string(&rec, RODATA - 0x10000), "first");
	CHECK_STR(trace_name_string(&rec, RODATA - 0x10000 + 0x80), NULL);
	CHECK_U64(f.k.t.warnings.n, 0);
	kernel_release(&f.k);
}

TEST_MAIN
