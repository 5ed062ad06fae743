/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last words: what the kernel's own log says of why it died, who was running, and what it was.
 */
#include "core/linux/linux.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512

/* How a message that tells of trouble begins, and of which sort the trouble is. */
enum trouble {
	OOPS,
	OOPS_MORE,
	SYSRQ,
	COMPLAINT
};
static const struct headline {
	const char *start;
	enum trouble sort;
} headlines[] = {
	{ "BUG: ", OOPS },
	{ "Unable to handle kernel ", OOPS },
	{ "general protection fault", OOPS },
	{ "kernel BUG at ", OOPS },
	{ "divide error", OOPS },
	{ "invalid opcode", OOPS },
	{ "stack segment", OOPS },
	{ "PANIC: double fault", OOPS },
	{ "traps: PANIC: double fault", OOPS },
	{ "watchdog: BUG: ", COMPLAINT },
	{ "NMI watchdog: ", COMPLAINT },
	{ "watchdog: Watchdog detected ", COMPLAINT },
	{ "INFO: task ", COMPLAINT },
	{ "INFO: rcu_", COMPLAINT },
	{ "rcu: INFO: ", COMPLAINT },
	{ "WARNING: ", COMPLAINT },
	/* these follow one of the above, unless it scrolled away */
	{ "Oops", OOPS_MORE },
	{ "Internal error: ", OOPS_MORE },
	{ "sysrq: Trigger a crash", SYSRQ },
	{ "SysRq : Trigger a crash", SYSRQ },
	{ "sysrq: SysRq : Trigger a crash", SYSRQ },
};

/* Panics that only say that something worse came before. */
static const char *const consequences[] = {
	"atal exception", "Oops", "hung_task", "softlockup", "LOCKUP", "RCU Stall", "panic_on_warn",
};

struct scan {
	struct target *t;
	struct last_words *w;
	const char *oops, *complaint; /* the latest headline of either kind */
	bool oops_open;               /* its trace has not ended yet */
	bool panicked, settled;       /* a panic line was seen; the trace after it, too */
};

static bool starts(const struct log_message *m, const char *with)
{
	size_t n = strlen(with);

	return m->n >= n && !memcmp(m->text, with, n);
}

static const char *line_copy(struct scan *s, const struct log_message *m)
{
	const char *nl = memchr(m->text, '\n', m->n);
	size_t n = nl ? (size_t)(nl - m->text) : m->n;

	return arena_strndup(s->t->scratch, m->text, n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES);
}

static bool number_after(const char *line, const char *key, int *ret)
{
	const char *p = strstr(line, key);
	char *end;
	long n;

	if (!p)
		return false;
	p += strlen(key);
	n = strtol(p, &end, 10);
	if (end == p || n < 0 || n > INT32_MAX)
		return false;
	*ret = (int)n;
	return true;
}

/* "rtc_cmos 00:04: setting system clock to 2026-11-21T10:30:04 UTC (1795257004)";
 * drivers/rtc/class.c */
static void scan_clock(struct scan *s, const struct log_message *m)
{
	static const char key[] = ": setting system clock to ";
	const char *p = memmem(m->text, m->n, key, sizeof(key) - 1);
	const char *line;

	if (!p || !(line = line_copy(s, m)) || !(line = strstr(line, " UTC (")))
		return;
	s->w->rtc_s = strtoull(line + strlen(" UTC ("), NULL, 10);
	s->w->rtc_ns = m->time_ns;
}

/* "CPU: 0 PID: 124 Comm: sh Not tainted 6.1.0 #1", with "UID: 0" since 6.12;
 * dump_stack_print_info(). */
static void scan_task(struct scan *s, const struct log_message *m)
{
	const char *line, *comm, *end, *taint;
	int cpu, pid;

	if (s->settled || !starts(m, "CPU: "))
		return;
	line = line_copy(s, m);
	comm = strstr(line, " Comm: ");
	if (!comm || !number_after(line, "CPU: ", &cpu) || !number_after(line, " PID: ", &pid))
		return;
	comm += strlen(" Comm: ");
	taint = strstr(comm, " Not tainted ");
	if (!taint)
		taint = strstr(comm, " Tainted: ");
	if (!taint)
		return;
	/* " Kdump: loaded" stands between when it was */
	end = strstr(comm, " Kdump: loaded ");
	if (!end || end > taint)
		end = taint;
	s->w->taint = taint + 1;
	/* a warning's task is not the one that died */
	if (!s->oops_open && !s->panicked)
		return;
	s->w->has_task = true;
	s->w->cpu = cpu;
	s->w->pid = pid;
	s->w->comm = arena_strndup(s->t->scratch, comm, (size_t)(end - comm));
	s->settled = s->panicked;
}

static void scan_headline(struct scan *s, const struct log_message *m)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(headlines); i++)
		if (starts(m, headlines[i].start))
			break;
	if (i == ARRAY_SIZE(headlines))
		return;
	switch (headlines[i].sort) {
	case OOPS:
	case SYSRQ:
		s->oops = line_copy(s, m);
		s->oops_open = true;
		break;
	case OOPS_MORE:
		if (!s->oops_open)
			s->oops = line_copy(s, m);
		s->oops_open = true;
		break;
	case COMPLAINT:
		s->complaint = line_copy(s, m);
		break;
	}
}

static void scan_panic(struct scan *s, const struct log_message *m)
{
	size_t i;

	s->w->panic = line_copy(s, m);
	s->w->cause = NULL;
	for (i = 0; i < ARRAY_SIZE(consequences); i++)
		if (strstr(s->w->panic, consequences[i]))
			s->w->cause = s->oops_open || !s->complaint ? s->oops : s->complaint;
	s->panicked = true;
}

static bool scan_message(const struct log_message *m, void *arg)
{
	struct scan *s = arg;
	const char *up;
	int n;

	s->w->messages++;
	s->w->last_ns = m->time_ns;
	if (!m->n || m->facility) /* what user space wrote to /dev/kmsg is no testimony */
		return true;
	if (!s->w->banner && starts(m, "Linux version "))
		s->w->banner = line_copy(s, m);
	else if (starts(m, "Kernel panic - not syncing"))
		scan_panic(s, m);
	else if (starts(m, "---[ end trace "))
		s->oops_open = false;
	else if (starts(m, "smp: Brought up ") || starts(m, "x86: Booted up ")) {
		up = line_copy(s, m);
		if (number_after(up, ", ", &n) || number_after(up, "node, ", &n))
			s->w->cpus = (unsigned)n;
	} else {
		if (!s->w->rtc_s)
			scan_clock(s, m);
		scan_task(s, m);
		if (!s->panicked)
			scan_headline(s, m);
	}
	return true;
}

bool last_words_read(struct target *t, struct last_words *ret, struct err *err)
{
	struct scan s = { .t = t, .w = ret };

	memset(ret, 0, sizeof(*ret));
	if (!log_each(t, scan_message, NULL, &s, err))
		return false;
	if (!ret->panic)
		ret->panic = s.oops;
	return true;
}
