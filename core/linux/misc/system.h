/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine and its end: what the log says last, and the facts of a banner. */
#ifndef OBIT_SYSTEM_H
#define OBIT_SYSTEM_H

#include "core/image/target.h"

/* What the log says of how the kernel ended. Strings live in the scratch arena; NULL: it does not
 * say. */
struct last_words {
	const char *banner; /* the "Linux version ..." message */
	const char *panic;  /* the first "Kernel panic ..." line; or the last oops's headline */
	const char *cause;  /* the oops, lockup or stall that the panic is the consequence of */
	bool has_task;      /* pid, cpu, comm and taint of the trace that belongs to it are known */
	int pid, cpu;
	const char *comm;
	const char *taint; /* as it is printed there: "Not tainted", "Tainted: G        W" */
	unsigned cpus;     /* how many were brought up at boot; 0: it does not say */
	uint64_t messages, last_ns; /* how many messages there are, and when the last one was */
	/* the seconds since 1970 that the clock was set to, and when, in the log's time; 0: never
	 */
	uint64_t rtc_s, rtc_ns;
};
bool last_words_read(struct target *t, struct last_words *ret, struct err *err) MUST_CHECK;

/* The facts of the banner, each of which may be unknown. */
enum system_fact {
	SYS_NODENAME,
	SYS_RELEASE,
	SYS_VERSION,
	SYS_MACHINE,
	SYS_BUILD_ID,
	SYS_CPUS,
	SYS_TASKS,
	SYS_DATE,
	SYS_UPTIME,
	SYS_LOAD,
	SYS_MEMORY,
	SYS_TAINT,
	SYS_PANIC,
	SYS_PANIC_TASK,
	SYS_FACTS
};
struct system {
	struct err errs[SYS_FACTS]; /* why a fact is unknown; ERR_OK: it is known */
	const char *nodename, *release, *version, *machine, *build_id;
	unsigned cpus;        /* how many were present */
	unsigned cpus_online; /* how many were online at the end: a panic takes others offline */
	unsigned mhz;         /* 0 unknown */
	size_t tasks;
	bool tasks_complete; /* false: there were more, see the warnings */
	uint64_t date;       /* seconds since 1970 at the crash */
	uint64_t uptime_ns;  /* since boot, time asleep included where types tell */
	/* what they were found by: "vmcoreinfo", "clock", "dump", "log" */
	const char *date_source, *uptime_source;
	unsigned load[3]; /* in hundredths, rounded as /proc/loadavg does */
	uint64_t memory;  /* bytes of RAM the kernel managed: MemTotal of /proc/meminfo */
	uint64_t taint;
	const char *taint_text; /* "OE" letters, or "" */
	const char *panic,
		*cause;           /* one line each; cause NULL when the panic has none of its own */
	int panic_pid, panic_cpu; /* cpu -1 unknown */
	const char *panic_comm, *panic_how;
	const struct task *panic_task; /* NULL: known from the log only */
};
/* Strings live in the scratch arena. */
void system_read(struct target *t, struct system *ret);
/* Sets *ret to CLOCK_MONOTONIC as the kernel last computed it, in nanoseconds: at the last tick
 * before the end. */
bool monotonic_now(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;

/* ---- ikconfig.c */
/* Sets *ret to the text of the kernel's configuration, in the arena. ERR_NOTFOUND: it is not in
 * memory. ERR_NOSYM: nobody knows whether it is. */
bool kernel_config(struct target *t, struct arena *a, const char **ret, struct err *err) MUST_CHECK;

#endif
