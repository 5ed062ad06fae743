/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine and its end: what the log says last, and the facts of a banner. */
#ifndef OBIT_SYSTEM_H
#define OBIT_SYSTEM_H

#include "core/image/target.h"

/* What the log says of the end. Strings live in the scratch arena; NULL: not said. */
struct last_words {
	const char *banner; /* the "Linux version ..." message */
	const char *panic;  /* the first "Kernel panic ..." line; or the last oops's headline */
	const char *cause;  /* the oops, lockup or stall that the panic is the consequence of */
	bool has_task;      /* who printed the trace that goes with it: */
	int pid, cpu;
	const char *comm;
	const char *taint;          /* as printed there: "Not tainted", "Tainted: G        W" */
	unsigned cpus;              /* brought up at boot; 0 unknown */
	uint64_t messages, last_ns; /* messages seen, and the last one's time */
	uint64_t rtc_s, rtc_ns; /* seconds since 1970 as the clock was set at that time; 0 never */
};
bool last_words_read(struct target *t, struct last_words *ret, struct err *err) MUST_CHECK;

/* The facts of a banner; each is absent on its own. */
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
	unsigned cpus;        /* present */
	unsigned cpus_online; /* of them at the end: a panic takes the others offline */
	unsigned mhz;         /* 0 unknown */
	size_t tasks;
	bool tasks_complete; /* false: there were more, see the warnings */
	uint64_t date;       /* seconds since 1970 at the crash */
	uint64_t uptime_ns;  /* since boot, time asleep included where types tell */
	/* where they are from: "vmcoreinfo", "clock", "dump", "log" */
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

#endif
