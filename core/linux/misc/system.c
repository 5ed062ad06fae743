/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine was when it died: names, time, load, memory, taint, panic; every fact on its
 * own. */
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/log/printk.h"
#include "core/linux/misc/system.h"
#include "core/report/judge/taint.h"
#include "core/types/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS 1000000000u

/* ---- names: struct new_utsname is six strings of 65 bytes, a user-space ABI
 * (include/uapi/linux/utsname.h) */
#define UTS_FIELD 65
enum {
	UTS_SYSNAME,
	UTS_NODENAME,
	UTS_RELEASE,
	UTS_VERSION,
	UTS_MACHINE,
	UTS_FIELDS
};

static const char *uts_copy(struct target *t, const uint8_t *uts, unsigned field)
{
	const char *s = (const char *)uts + field * UTS_FIELD;

	return arena_strndup(t->scratch, s, strnlen(s, UTS_FIELD));
}

static bool read_uts(struct target *t, struct system *s, struct err *err)
{
	uint8_t uts[UTS_FIELDS * UTS_FIELD];
	uint64_t addr, off;
	int64_t n;

	if (!vmcoreinfo_hex(t, "SYMBOL(init_uts_ns)", &addr) &&
	    !symbol_addr(t, "init_uts_ns", &addr))
		return err_set(err, ERR_NOSYM, "no symbol 'init_uts_ns'");
	if (vmcoreinfo_num(t, "OFFSET(uts_namespace.name)", &n))
		off = (uint64_t)n;
	else if (!field_offset(t, "struct uts_namespace", "name", &off, err))
		return false;
	if (!mem_read(t, addr + off, uts, sizeof(uts), err))
		return err_wrap(err, "init_uts_ns");
	if (memcmp(uts, "Linux", sizeof("Linux")) != 0)
		return err_set_addr(err, ERR_CORRUPT, addr + off, "init_uts_ns holds no 'Linux'");
	s->nodename = uts_copy(t, uts, UTS_NODENAME);
	s->release = uts_copy(t, uts, UTS_RELEASE);
	s->version = uts_copy(t, uts, UTS_VERSION);
	s->machine = uts_copy(t, uts, UTS_MACHINE);
	return true;
}

static const char *nonempty(const char *s)
{
	return s && *s ? s : NULL;
}

/* "Linux version 6.1.0 (who@where) (gcc ...) #1 SMP ..." */
static void names_of_banner(struct target *t, struct system *s, const char *banner)
{
	const char *p;

	if (!banner || strncmp(banner, "Linux version ", 14))
		return;
	p = banner + 14;
	if (!s->release)
		s->release = arena_strndup(t->scratch, p, strcspn(p, " \n"));
	p = strstr(p, ") #");
	if (!s->version && p)
		s->version = arena_strndup(t->scratch, p + 2, strcspn(p + 2, "\n"));
}

static void read_names(struct target *t, struct system *s, const struct last_words *w)
{
	const char *text;
	struct err err;
	size_t n;

	err.code = ERR_OK;
	if (!read_uts(t, s, &err)) {
		if (vmcoreinfo_str(t, "OSRELEASE", &text, &n))
			s->release = arena_strndup(t->scratch, text, n);
		if (!s->release)
			s->release = nonempty(t->dump.release);
		s->version = nonempty(t->dump.version);
		s->machine = nonempty(t->dump.machine);
		s->nodename = nonempty(t->dump.nodename);
		names_of_banner(t, s, w->banner);
		names_of_banner(t, s, t->vmlinux.banner);
		if (!s->machine && t->arch)
			s->machine = t->arch->name;
	}
	if (!s->nodename)
		s->errs[SYS_NODENAME] = err;
	if (!s->release)
		s->errs[SYS_RELEASE] = err;
	if (!s->version)
		s->errs[SYS_VERSION] = err;
	if (!s->machine)
		s->errs[SYS_MACHINE] = err;
}

static void read_build_id(struct target *t, struct system *s)
{
	const char *text;
	size_t i, n;
	char *hex;

	if (vmcoreinfo_str(t, "BUILD-ID", &text, &n)) {
		s->build_id = arena_strndup(t->scratch, text, n);
		return;
	}
	n = t->vmlinux.build_id_n;
	if (!n || n > sizeof(t->vmlinux.build_id)) {
		err_set(&s->errs[SYS_BUILD_ID], ERR_NEED,
			"neither VMCOREINFO nor a vmlinux tells the build-id");
		return;
	}
	hex = arena_alloc(t->scratch, 2 * n + 1);
	for (i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", t->vmlinux.build_id[i]);
	s->build_id = hex;
}

/* ---- CPUs and tasks */

static unsigned cpus_present(struct target *t, unsigned max)
{
	unsigned cpu, n = 0;
	uint64_t mask, bits = 0;
	unsigned word = t->arch->word;
	struct err e;

	if (!symbol_addr(t, "__cpu_present_mask", &mask))
		return 0;
	for (cpu = 0; cpu < max; cpu++) {
		if (cpu % (8 * word) == 0 && !mem_ptr(t, mask + cpu / 8, &bits, &e))
			return 0;
		n += bits >> cpu % (8 * word) & 1;
	}
	return n;
}

static void read_cpus(struct target *t, struct system *s, const struct last_words *w)
{
	struct err *err = &s->errs[SYS_CPUS];
	unsigned max;
	uint64_t khz;
	uint32_t n;
	struct err e = { .code = ERR_OK };

	if (symbol_addr(t, "cpu_khz", &khz) && mem_u32(t, khz, &n, &e))
		s->mhz = n / 1000;
	if (cpus_online(t, &s->cpus_online, &e) && cpus_count(t, &max, &e)) {
		s->cpus = cpus_present(t, max);
		if (s->cpus < s->cpus_online)
			s->cpus = s->cpus_online;
	} else {
		/* what came up at boot, or at least what the dumper saw */
		s->cpus = w->cpus > t->cpus.n ? w->cpus : (unsigned)t->cpus.n;
		s->cpus_online = s->cpus;
	}
	if (!s->cpus && e.code == ERR_OK)
		err_set(&e, ERR_CORRUPT, "none is online");
	if (!s->cpus)
		*err = e;
}

/* ---- time: struct timekeeper, kernel/time/timekeeping.c */

/* It stands in an unnamed struct after a sequence counter (3fdb14fd1df7, v3.17), named "struct
 * tk_data" since v6.13, an array of them since v6.17. */
static bool timekeeper_addr(struct target *t, uint64_t *ret, struct err *err)
{
	static const char *const counters[] = { "seqcount_raw_spinlock_t", "seqcount_t" };
	const struct type *type;
	uint64_t core, off;
	size_t i;

	if (symbol_addr(t, "timekeeper_data", &core) &&
	    field_offset(t, "struct tk_data", "timekeeper", &off, err)) {
		*ret = core + off;
		return true;
	}
	if (!symbol_addr(t, "tk_core", &core))
		return err_set(err, ERR_NOSYM, "no symbol 'tk_core'");
	if (field_offset(t, "struct tk_data", "timekeeper", &off, err)) {
		*ret = core + off;
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		if (type_find(t, counters[i], &type, err)) {
			*ret = core + (type->size + 7) / 8 * 8;
			return true;
		}
	return false;
}

struct clocks {
	uint64_t real_s;                    /* seconds since 1970 */
	uint64_t mono_ns;                   /* at the last tick */
	int64_t offs_real_ns, offs_boot_ns; /* what to add to monotonic time */
};

static bool clocks_read(struct target *t, struct clocks *ret, struct err *err)
{
	static const char tk[] = "struct timekeeper";
	uint64_t addr = 0, base, nsec, shift, real, boot;

	if (!timekeeper_addr(t, &addr, err) ||
	    !field_u64(t, tk, addr, "xtime_sec", &ret->real_s, err) ||
	    !field_u64(t, tk, addr, "tkr_mono.base|tkr.base", &base, err) ||
	    !field_u64(t, tk, addr, "tkr_mono.xtime_nsec|tkr.xtime_nsec", &nsec, err) ||
	    !field_u64(t, tk, addr, "tkr_mono.shift|tkr.shift", &shift, err) ||
	    !field_u64(t, tk, addr, "offs_real", &real, err) ||
	    !field_u64(t, tk, addr, "offs_boot", &boot, err))
		return err_wrap(err, "timekeeper");
	/* A wrong place would hardly say that real time is monotonic time plus its own offset. */
	if (shift > 32 || nsec >> shift > 8 * (uint64_t)NS ||
	    (base + (nsec >> shift) + real) / NS - ret->real_s + 8 > 16)
		return err_set_addr(err, ERR_CORRUPT, addr, "timekeeper: its clocks disagree");
	ret->mono_ns = base + (nsec >> shift);
	ret->offs_real_ns = (int64_t)real;
	ret->offs_boot_ns = (int64_t)boot;
	return true;
}

bool monotonic_now(struct target *t, uint64_t *ret, struct err *err)
{
	struct clocks c;

	if (!clocks_read(t, &c, err))
		return false;
	*ret = c.mono_ns;
	return true;
}

bool log_wall_offset(struct target *t, int64_t *ret, struct err *err)
{
	struct clocks c;

	if (!clocks_read(t, &c, err))
		return false;
	/* The log's clock stops in suspend, as monotonic time does. */
	*ret = c.offs_real_ns;
	return true;
}

static void read_time(struct target *t, struct system *s, const struct last_words *w)
{
	struct clocks c;
	int64_t stamp;
	struct err err;
	bool ok = clocks_read(t, &c, &err);

	if (!ok && err_is_lack(err.code))
		target_lacks(t, &err); /* others stand in for the clock, less exactly */
	/* The crash itself is more exact than the last tick. */
	if (vmcoreinfo_num(t, "CRASHTIME", &stamp) && stamp > 0)
		s->date = (uint64_t)stamp, s->date_source = "vmcoreinfo";
	else if (ok)
		s->date = c.real_s, s->date_source = "clock";
	else if (t->dump.crash_time)
		s->date = t->dump.crash_time, s->date_source = "dump";
	else if (w->rtc_s && w->last_ns >= w->rtc_ns)
		s->date = w->rtc_s + (w->last_ns - w->rtc_ns) / NS, s->date_source = "log";
	else
		s->errs[SYS_DATE] = err;

	/* Ticks end at the crash, messages need not. */
	if (ok)
		s->uptime_ns = c.mono_ns + (uint64_t)c.offs_boot_ns;
	s->uptime_source = ok ? "clock" : "log";
	if (s->uptime_ns < w->last_ns)
		s->uptime_ns = w->last_ns;
	if (!ok && !w->messages)
		s->errs[SYS_UPTIME] = err;
}

/* ---- load, memory, taint */

static bool read_load(struct target *t, struct system *s, struct err *err)
{
	unsigned i, word = t->arch ? t->arch->word : 8;
	uint64_t addr, n;

	if (!symbol_addr(t, "avenrun", &addr))
		return err_set(err, ERR_NOSYM, "no symbol 'avenrun'");
	for (i = 0; i < 3; i++) {
		if (!mem_ptr(t, addr + i * word, &n, err))
			return false;
		/* fixed point of 11 bits, rounded to hundredths: include/linux/sched/loadavg.h */
		n += 2048 / 200;
		s->load[i] = (unsigned)((n >> 11) * 100 + (((n & 2047) * 100) >> 11));
	}
	return true;
}

/* Nobody manages more memory than there are addresses of it. */
static bool memory_fits(struct target *t, uint64_t addr, uint64_t memory, struct err *err)
{
	uint64_t end = 0;

	for (size_t i = 0; i < t->ram.n; i++)
		if (t->ram.p[i].last > end)
			end = t->ram.p[i].last;
	if (!end || memory <= end)
		return true;
	return err_set_addr(err, ERR_CORRUPT, addr,
			    "the kernel counts %" PRIu64 " MB, the dump's memory ends at %" PRIu64
			    " MB",
			    memory >> 20, end >> 20);
}

static bool read_memory(struct target *t, uint64_t *ret, struct err *err)
{
	uint64_t addr, n, page = t->page_size ? t->page_size : 4096;

	/* ca79b0c211af (v5.0) made it atomic and gave it the underscore */
	if (!symbol_addr(t, "_totalram_pages", &addr) && !symbol_addr(t, "totalram_pages", &addr))
		return err_set(err, ERR_NOSYM, "no symbol '_totalram_pages'");
	if (!mem_ptr(t, addr, &n, err))
		return false;
	if (n > UINT64_MAX / page)
		return err_set_addr(err, ERR_CORRUPT, addr, "%" PRIu64 " pages of memory", n);
	*ret = n * page;
	return memory_fits(t, addr, *ret, err);
}

uint64_t ram_total(struct target *t)
{
	struct err ignored;
	uint64_t n;

	return read_memory(t, &n, &ignored) ? n : 0;
}

static bool read_taint(struct target *t, struct system *s, struct err *err)
{
	char *text = arena_alloc(t->scratch, 66), letter;
	unsigned bit, n = 0;
	const char *says;
	uint64_t addr;

	if (!symbol_addr(t, "tainted_mask", &addr))
		return err_set(err, ERR_NOSYM, "no symbol 'tainted_mask'");
	if (!mem_ptr(t, addr, &s->taint, err))
		return false;
	for (bit = 0; bit < 64; bit++)
		if (s->taint >> bit & 1)
			if (taint_flag(bit, &letter, &says))
				text[n++] = letter;
	s->taint_text = text;
	return true;
}

/* The letters of "Tainted: G        W O      6.1.0 #1": up to the release, which is no capital. */
static bool taint_of_log(struct target *t, struct system *s, const struct last_words *w)
{
	const char *p = w->taint, *says;
	unsigned bit, n = 0;
	char *text, letter;

	if (!p)
		return false;
	text = arena_alloc(t->scratch, TAINT_FLAGS + 1);
	s->taint_text = text;
	if (!strncmp(p, "Not tainted", 11))
		return true;
	for (p += strlen("Tainted:"); *p == ' ' || (*p >= 'A' && *p <= 'Z'); p++) {
		for (bit = 0; taint_flag(bit, &letter, &says); bit++)
			if (letter == *p && !(s->taint >> bit & 1)) {
				s->taint |= (uint64_t)1 << bit;
				text[n++] = *p;
			}
	}
	return true;
}

/* ---- the panic */

static void read_panic(struct target *t, struct system *s, const struct last_words *w,
		       const struct err *log_err)
{
	struct err *err = &s->errs[SYS_PANIC_TASK];
	const struct task *task;

	s->panic = w->panic;
	s->cause = w->cause;
	if (!w->panic && log_err->code)
		s->errs[SYS_PANIC] = *log_err;
	else if (!w->panic)
		err_set(&s->errs[SYS_PANIC], ERR_NOTFOUND, "the log tells of none");
	s->panic_cpu = -1;
	if (task_panic(t, &task, &s->panic_how, err)) {
		err->code = ERR_OK;
		s->panic_task = task;
		s->panic_pid = task->pid;
		s->panic_cpu = task->cpu;
		s->panic_comm = task->comm;
	} else if (w->has_task && w->panic && err->code != ERR_NOTFOUND) {
		err->code = ERR_OK;
		s->panic_pid = w->pid;
		s->panic_cpu = w->cpu;
		s->panic_comm = w->comm;
		s->panic_how = "log";
	}
}

void system_read(struct target *t, struct system *ret)
{
	struct err log_err = { .code = ERR_OK };
	const struct task *tasks;
	struct last_words w;

	memset(ret, 0, sizeof(*ret));
	if (last_words_read(t, &w, &log_err))
		log_err.code = ERR_OK; /* of another form of log that was tried first */
	else
		memset(&w, 0, sizeof(w));
	read_names(t, ret, &w);
	read_build_id(t, ret);
	read_cpus(t, ret, &w);
	if (!tasks_all(t, &tasks, &ret->tasks, &ret->errs[SYS_TASKS]))
		ret->tasks = 0;
	ret->tasks_complete = tasks_complete(t);
	read_time(t, ret, &w);
	if (!read_load(t, ret, &ret->errs[SYS_LOAD]))
		memset(ret->load, 0, sizeof(ret->load));
	if (!read_memory(t, &ret->memory, &ret->errs[SYS_MEMORY]))
		ret->memory = 0;
	if (!read_taint(t, ret, &ret->errs[SYS_TAINT]) && taint_of_log(t, ret, &w))
		ret->errs[SYS_TAINT].code = ERR_OK;
	read_panic(t, ret, &w, &log_err);
}
