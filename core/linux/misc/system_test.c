/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the machine's facts where memory holds nonsense. */
#include "core/base/test.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/log/printk.h"
#include "core/linux/misc/system.h"
#include "core/linux/kernel_fake.h"

#define TOTAL (KERNEL_BASE + 0x100)
#define TAINTED (KERNEL_BASE + 0x108)

static struct fake_kernel k;

static void start(uint64_t pages, uint64_t taint)
{
	kernel_init(&k);
	kernel_symbol(&k, "_totalram_pages", TOTAL);
	kernel_symbol(&k, "tainted_mask", TAINTED);
	put64(&k, TOTAL, pages);
	put64(&k, TAINTED, taint);
	*vec_push(&k.t.ram) = (struct ram_region){ 0, 0x9ffff };
	*vec_push(&k.t.ram) = (struct ram_region){ 0x100000, 0xfffffff }; /* up to 256 MiB */
}

TEST(memory_is_no_more_than_there_is)
{
	struct system s;

	start(60000, 0);
	system_read(&k.t, &s);
	CHECK_U64(s.errs[SYS_MEMORY].code, ERR_OK);
	CHECK_U64(s.memory, UINT64_C(60000) * 4096);
	CHECK_U64(ram_total(&k.t), UINT64_C(60000) * 4096);
	kernel_release(&k);
	start(UINT64_C(0x1000000), 0); /* 64 GiB */
	system_read(&k.t, &s);
	CHECK_ERR(s.errs[SYS_MEMORY], ERR_CORRUPT);
	CHECK_CONTAINS(s.errs[SYS_MEMORY].msg, "65536 MB");
	CHECK_U64(s.memory, 0);
	CHECK_U64(ram_total(&k.t), 0);
	kernel_release(&k);
}

/* Documentation/admin-guide/tainted-kernels.rst: bit 0 is P, bit 12 is O; there are 20 so far. */
TEST(taint_bits_without_a_letter_get_none)
{
	struct system s;

	start(1, UINT64_C(1) << 40 | 1 << 12 | 1);
	system_read(&k.t, &s);
	CHECK_U64(s.errs[SYS_TAINT].code, ERR_OK);
	CHECK_STR(s.taint_text, "PO");
	CHECK_U64(s.taint, UINT64_C(0x10000001001));
	kernel_release(&k);
}

/* ---- names */

#define UTS (KERNEL_BASE + 0x1000)
#define CORE (KERNEL_BASE + 0x2000) /* tk_core */
#define LOG (KERNEL_BASE + 0x3000)
#define LOG_TEXT (KERNEL_BASE + 0x4000)
#define MASKS (KERNEL_BASE + 0x300)

static void info_put(const char *text)
{
	k.t.vmcoreinfo.text = text;
	k.t.vmcoreinfo.n = strlen(text);
	k.t.vmcoreinfo.found = "note";
}

static void uts_put(void)
{
	static const char *const names[] = { "Linux", "box", "6.1.0-9", "#1 SMP Debian", "x86_64" };

	kernel_symbol(&k, "init_uts_ns", UTS);
	kernel_member(kernel_struct(&k, "uts_namespace", 400), "name", kernel_array(&k, &k.u8, 390),
		      8);
	for (uint64_t i = 0; i < ARRAY_SIZE(names); i++)
		put_str(&k, UTS + 8 + 65 * i, names[i]);
}

/* struct new_utsname is six fields of 65 bytes: sysname, nodename, release, version, machine. */
TEST(names_are_the_kernels_own)
{
	struct system s;

	start(1, 0);
	uts_put();
	system_read(&k.t, &s);
	CHECK_STR(s.nodename, "box");
	CHECK_STR(s.release, "6.1.0-9");
	CHECK_STR(s.version, "#1 SMP Debian");
	CHECK_STR(s.machine, "x86_64");
	kernel_release(&k);
	/* VMCOREINFO has both where and how far in */
	start(1, 0);
	uts_put();
	k.n_types = k.n_syms = 0;
	info_put("SYMBOL(init_uts_ns)=ffff800000001000\nOFFSET(uts_namespace.name)=8\n");
	system_read(&k.t, &s);
	CHECK_STR(s.release, "6.1.0-9");
	kernel_release(&k);
}

TEST(names_of_the_dump_where_the_kernels_cannot_be_read)
{
	struct system s;

	start(1, 0);
	uts_put();
	put_str(&k, UTS + 8, "Linuz");
	k.arch.name = "fake64";
	info_put("OSRELEASE=6.1.0-8\nBUILD-ID=0123abcd\n");
	k.t.dump.nodename = "header";
	k.t.dump.version = "";
	k.t.vmlinux.banner = "Linux version 6.1.0-7 (who@where) (gcc 12) #7 SMP Debian\n";
	system_read(&k.t, &s);
	CHECK_STR(s.nodename, "header");
	CHECK_STR(s.release, "6.1.0-8");
	CHECK_STR(s.version, "#7 SMP Debian");
	CHECK_STR(s.machine, "fake64");
	CHECK_STR(s.build_id, "0123abcd");
	CHECK_U64(s.errs[SYS_NODENAME].code, ERR_OK);
	kernel_release(&k);
	start(1, 0);
	k.t.dump.machine = "header64";
	k.t.vmlinux.banner = "Linux version 6.1.0-7 (who@where)";
	k.t.vmlinux.build_id_n = 3;
	memcpy(k.t.vmlinux.build_id, "\x01\xab\xf0", 3);
	system_read(&k.t, &s);
	CHECK_STR(s.release, "6.1.0-7");
	CHECK_STR(s.machine, "header64");
	CHECK_STR(s.build_id, "01abf0");
	CHECK(!s.version && s.errs[SYS_VERSION].code && s.errs[SYS_NODENAME].code);
	kernel_release(&k);
	start(1, 0);
	k.t.vmlinux.banner = "Linus version 6.1.0-7 (who@where) (gcc) #1";
	k.t.dump.release = "6.0";
	system_read(&k.t, &s);
	CHECK_STR(s.release, "6.0");
	CHECK(!s.version);
	CHECK_ERR(s.errs[SYS_BUILD_ID], ERR_NEED);
	kernel_release(&k);
}

/* ---- CPUs and load */

TEST(cpus_and_load)
{
	struct system s;

	start(1, 0);
	kernel_symbol(&k, "nr_cpu_ids", MASKS);
	kernel_symbol(&k, "__cpu_present_mask", MASKS + 8);
	kernel_symbol(&k, "__cpu_online_mask", MASKS + 16);
	kernel_symbol(&k, "__cpu_possible_mask", MASKS + 24);
	kernel_symbol(&k, "cpu_khz", MASKS + 32);
	kernel_symbol(&k, "avenrun", MASKS + 40);
	put32(&k, MASKS, 12);
	put64(&k, MASKS + 8, 0x3a7); /* six, one of them in the second byte; 0x1000 is no CPU */
	put64(&k, MASKS + 16, 5);
	put64(&k, MASKS + 24, 0xfff);
	put32(&k, MASKS + 32, 2600123);
	/* fixed point of 11 bits: 1.50, 0.00 of less than a half of a hundredth, 12.35 */
	put64(&k, MASKS + 40, 3 << 10);
	put64(&k, MASKS + 48, 10);
	put64(&k, MASKS + 56, 12 * 2048 + 717);
	system_read(&k.t, &s);
	CHECK_U64(s.cpus, 7);
	CHECK_U64(s.cpus_online, 2);
	CHECK_U64(s.mhz, 2600);
	CHECK_U64(s.load[0], 150);
	CHECK_U64(s.load[1], 0);
	CHECK_U64(s.load[2], 1235);
	CHECK_U64(s.errs[SYS_LOAD].code, ERR_OK);
	CHECK_U64(s.errs[SYS_CPUS].code, ERR_OK);
	/* fewer present than online cannot be */
	put64(&k, MASKS + 8, 1);
	system_read(&k.t, &s);
	CHECK_U64(s.cpus, 2);
	kernel_release(&k);
	start(1, 0);
	kernel_symbol(&k, "avenrun", KERNEL_BASE + KERNEL_SIZE - 16);
	system_read(&k.t, &s);
	CHECK_ERR(s.errs[SYS_LOAD], ERR_UNMAPPED);
	CHECK(!s.load[0] && !s.load[1] && !s.cpus && s.errs[SYS_CPUS].code);
	kernel_release(&k);
}

/* ---- time */

#define BORN UINT64_C(1700000000)

/* Up for 100.25 seconds and a suspend of 30 more: xtime_nsec is shifted left by 8. */
static void clock_put(uint64_t at)
{
	put64(&k, at, BORN + 100);
	put64(&k, at + 16, UINT64_C(100000000000));
	put64(&k, at + 24, UINT64_C(250000000) << 8);
	put32(&k, at + 32, 8);
	put64(&k, at + 40, BORN * 1000000000);
	put64(&k, at + 48, UINT64_C(30000000000));
}

static void clock_types(const char *base)
{
	struct type *s = kernel_struct(&k, "timekeeper", 56), *mono = INNER(&k, "clock", "base");

	kernel_member(mono, "xtime_nsec", &k.u64, 16);
	kernel_member(mono, "shift", &k.u32, 24);
	kernel_member(s, "xtime_sec", &k.u64, 0);
	kernel_member(s, base, mono, 8);
	kernel_member(s, "offs_real", &k.u64, 40);
	kernel_member(s, "offs_boot", &k.u64, 48);
}

static void check_clock(void)
{
	struct system s;
	struct err err;
	int64_t wall;

	system_read(&k.t, &s);
	CHECK_U64(s.date, BORN + 100);
	CHECK_STR(s.date_source, "clock");
	CHECK_U64(s.uptime_ns, UINT64_C(130250000000));
	CHECK_STR(s.uptime_source, "clock");
	CHECK_OK(log_wall_offset(&k.t, &wall, &err), err);
	CHECK_U64((uint64_t)wall, BORN * 1000000000);
	kernel_release(&k);
}

TEST(the_clock_is_where_each_kernel_keeps_it)
{
	start(1, 0);
	clock_types("tkr_mono");
	kernel_symbol(&k, "tk_core", CORE);
	kernel_struct(&k, "seqcount_raw_spinlock_t", 4);
	clock_put(CORE + 8);
	check_clock();
	/* the same before c3f6a6ab1d52 and where the counter takes two words */
	start(1, 0);
	clock_types("tkr");
	kernel_symbol(&k, "tk_core", CORE);
	kernel_struct(&k, "seqcount_t", 12);
	clock_put(CORE + 16);
	check_clock();
	/* v6.13 */
	start(1, 0);
	clock_types("tkr_mono");
	kernel_symbol(&k, "tk_core", CORE);
	kernel_member(kernel_struct(&k, "tk_data", 200), "timekeeper", &k.u64, 24);
	clock_put(CORE + 24);
	check_clock();
	/* v6.17 */
	start(1, 0);
	clock_types("tkr_mono");
	kernel_symbol(&k, "timekeeper_data", CORE);
	kernel_member(kernel_struct(&k, "tk_data", 200), "timekeeper", &k.u64, 40);
	clock_put(CORE + 40);
	check_clock();
}

static void check_no_clock(enum err_code code)
{
	struct system s;
	struct err err;
	int64_t wall;

	CHECK(!log_wall_offset(&k.t, &wall, &err));
	CHECK_ERR(err, code);
	k.t.dump.crash_time = 1234;
	system_read(&k.t, &s);
	CHECK_U64(s.date, 1234);
	CHECK_STR(s.date_source, "dump");
	CHECK_STR(s.uptime_source, "log");
	CHECK_ERR(s.errs[SYS_UPTIME], code);
	CHECK_U64(s.errs[SYS_DATE].code, ERR_OK);
}

/* Real time is monotonic time and its own offset; a place where it is not is no timekeeper. */
TEST(a_clock_that_contradicts_itself_is_none)
{
	static const uint64_t wrong[][2] = {
		{ 0, BORN + 109 },
		{ 0, BORN + 91 },
		{ 16, UINT64_C(110000000000) },
		{ 24, UINT64_C(9000000000) << 8 },
		{ 32, 33 },
		{ 40, (BORN + 20) * 1000000000 },
	};
	struct system s;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		start(1, 0);
		clock_types("tkr_mono");
		kernel_symbol(&k, "tk_core", CORE);
		kernel_struct(&k, "seqcount_t", 4);
		clock_put(CORE + 8);
		put64(&k, CORE + 8 + wrong[i][0], wrong[i][1]);
		check_no_clock(ERR_CORRUPT);
		kernel_release(&k);
	}
	/* seven seconds lie between two reads of it at most */
	start(1, 0);
	clock_types("tkr_mono");
	kernel_symbol(&k, "tk_core", CORE);
	kernel_struct(&k, "seqcount_t", 4);
	clock_put(CORE + 8);
	put64(&k, CORE + 8, BORN + 107);
	info_put("CRASHTIME=1700000555\n");
	system_read(&k.t, &s);
	CHECK_STR(s.uptime_source, "clock");
	/* the crash itself is more exact */
	CHECK_U64(s.date, 1700000555);
	CHECK_STR(s.date_source, "vmcoreinfo");
	kernel_release(&k);
	start(1, 0);
	check_no_clock(ERR_NOSYM);
	kernel_release(&k);
	start(1, 0);
	clock_types("tkr_mono");
	kernel_symbol(&k, "tk_core", CORE);
	check_no_clock(ERR_NOTYPE);
	kernel_release(&k);
}

/* ---- what the log alone tells */

struct logged {
	uint64_t ns;
	const char *text;
};

/* A 5.4 kernel's record buffer, struct printk_log: time, length, of text, of dictionary. */
static void log_put(const struct logged *lines, size_t n)
{
	uint64_t at = LOG_TEXT;

	for (size_t i = 0; i < n; i++) {
		size_t text = strlen(lines[i].text), len = (16 + text + 7) / 8 * 8;

		put64(&k, at, lines[i].ns);
		put32(&k, at + 8, (uint32_t)(len | text << 16));
		memcpy(&k.mem[at + 16 - KERNEL_BASE], lines[i].text, text);
		at += len;
	}
	put64(&k, LOG, LOG_TEXT);
	put32(&k, LOG + 8, 0x2000);
	put32(&k, LOG + 16, (uint32_t)(at - LOG_TEXT));
	info_put("SYMBOL(log_buf)=ffff800000003000\nSYMBOL(log_buf_len)=ffff800000003008\n"
		 "SYMBOL(log_first_idx)=ffff80000000300c\n"
		 "SYMBOL(log_next_idx)=ffff800000003010\nSIZE(printk_log)=16\n"
		 "OFFSET(printk_log.ts_nsec)=0\nOFFSET(printk_log.len)=8\n"
		 "OFFSET(printk_log.text_len)=10\nOFFSET(printk_log.dict_len)=12\n");
}

TEST(what_the_log_alone_tells)
{
	static const struct logged lines[] = {
		{ 0, "Linux version 6.1.0-log (who@where) (gcc 12) #3 SMP Debian" },
		{ UINT64_C(100000000), "smp: Brought up 1 node, 6 CPUs" },
		{ UINT64_C(1000000000),
		  "rtc_cmos 00:04: setting system clock to 2026-11-21T10:30:04 UTC (1795257004)" },
		{ UINT64_C(7500000000), "Kernel panic - not syncing: Fatal exception" },
		{ UINT64_C(7600000000), "CPU: 1 PID: 77 Comm: killer Tainted: G        W  O       "
					"6.1.0-log #3 Debian" },
	};
	struct system s;

	kernel_init(&k);
	log_put(lines, ARRAY_SIZE(lines));
	k.t.dump.version = "#2";
	system_read(&k.t, &s);
	CHECK_STR(s.release, "6.1.0-log");
	CHECK_STR(s.version, "#2");
	CHECK_U64(s.cpus, 6);
	CHECK_U64(s.cpus_online, 6);
	/* 6.6 seconds after the clock was set */
	CHECK_U64(s.date, 1795257010);
	CHECK_STR(s.date_source, "log");
	CHECK_U64(s.uptime_ns, UINT64_C(7600000000));
	CHECK_STR(s.uptime_source, "log");
	CHECK_U64(s.errs[SYS_UPTIME].code, ERR_OK);
	/* tainted-kernels.rst: W is bit 9, O is bit 12; G says that P is not set */
	CHECK_STR(s.taint_text, "WO");
	CHECK_U64(s.taint, 1 << 9 | 1 << 12);
	CHECK_U64(s.errs[SYS_TAINT].code, ERR_OK);
	CHECK_STR(s.panic, "Kernel panic - not syncing: Fatal exception");
	CHECK(s.panic_pid == 77 && s.panic_cpu == 1 && !s.panic_task);
	CHECK_STR(s.panic_comm, "killer");
	CHECK_STR(s.panic_how, "log");
	kernel_release(&k);
}

TEST(a_log_that_tells_of_no_panic)
{
	static const struct logged quiet[] = { { 5, "systemd[1]: Reached target." } };
	static const struct logged clean[] = {
		{ 5, "Kernel panic - not syncing: sysrq triggered crash" },
		{ 6, "CPU: 0 PID: 124 Comm: my sh Not tainted 6.1.0 #1" },
	};
	struct system s;

	kernel_init(&k);
	log_put(quiet, 1);
	system_read(&k.t, &s);
	CHECK(!s.panic && s.panic_cpu == -1 && s.errs[SYS_TAINT].code);
	CHECK_ERR(s.errs[SYS_PANIC], ERR_NOTFOUND);
	CHECK_STR(s.errs[SYS_PANIC].msg, "the log tells of none");
	kernel_release(&k);
	kernel_init(&k);
	log_put(clean, 2);
	system_read(&k.t, &s);
	CHECK_STR(s.taint_text, "");
	CHECK(!s.taint && !s.errs[SYS_TAINT].code && s.panic_pid == 124);
	kernel_release(&k);
	/* no log at all: why is told of what it would have told */
	kernel_init(&k);
	system_read(&k.t, &s);
	CHECK(s.errs[SYS_PANIC].code && s.errs[SYS_PANIC].code != ERR_NOTFOUND);
	kernel_release(&k);
}

/* Messages may come later than the last tick. */
TEST(uptime_reaches_to_the_last_message)
{
	static const struct logged lines[] = { { UINT64_C(140000000000), "late" } };
	struct system s;

	start(1, 0);
	clock_types("tkr_mono");
	kernel_symbol(&k, "tk_core", CORE);
	kernel_struct(&k, "seqcount_t", 4);
	clock_put(CORE + 8);
	log_put(lines, 1);
	system_read(&k.t, &s);
	CHECK_U64(s.uptime_ns, UINT64_C(140000000000));
	CHECK_STR(s.uptime_source, "clock");
	kernel_release(&k);
}

TEST_MAIN
