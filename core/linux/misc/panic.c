/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last words: what the kernel's own log says of why it died, who was running, and what it was.
 */
#include "core/base/number.h"
#include "core/image/target.h"
#include "core/linux/log/printk.h"
#include "core/linux/misc/system.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 512

/* Sorts of trouble that a message may be the headline of. */
enum trouble {
	TROUBLE_OOPS = 1 << 0,
	TROUBLE_SYSRQ = 1 << 1,
	TROUBLE_REPORT = 1 << 2, /* "BUG:" of a checker, after which the kernel goes on */
	TROUBLE_WARNING = 1 << 3,
	TROUBLE_SOFT_LOCKUP = 1 << 4,
	TROUBLE_HARD_LOCKUP = 1 << 5,
	TROUBLE_HUNG_TASK = 1 << 6,
	TROUBLE_RCU_STALL = 1 << 7,
	TROUBLE_HARDWARE = 1 << 8,
	TROUBLE_SORTS = 9
};

/* How headlines begin. The first that fits is taken, so what is more exact stands before. */
static const struct panic_headline {
	const char *start;
	enum trouble sort;
} headlines[] = {
	{ "BUG: kernel NULL pointer dereference", TROUBLE_OOPS },
	{ "BUG: unable to handle ", TROUBLE_OOPS },
	{ "BUG: stack guard page was hit", TROUBLE_OOPS },
	{ "BUG: TASK stack guard page was hit", TROUBLE_OOPS },
	{ "BUG: IRQ stack guard page was hit", TROUBLE_OOPS },
	{ "BUG: NMI stack guard page was hit", TROUBLE_OOPS },
	{ "Unable to handle kernel ", TROUBLE_OOPS },
	{ "general protection fault", TROUBLE_OOPS },
	{ "kernel BUG at ", TROUBLE_OOPS },
	{ "divide error", TROUBLE_OOPS },
	{ "stack segment", TROUBLE_OOPS },
	{ "PANIC: double fault", TROUBLE_OOPS },
	{ "traps: PANIC: double fault", TROUBLE_OOPS },
	/* these follow one of the above, unless it scrolled away */
	{ "invalid opcode", TROUBLE_OOPS },
	{ "Oops", TROUBLE_OOPS },
	{ "Internal error: ", TROUBLE_OOPS },
	{ "sysrq: Trigger a crash", TROUBLE_SYSRQ },
	{ "SysRq : Trigger a crash", TROUBLE_SYSRQ },
	{ "sysrq: SysRq : Trigger a crash", TROUBLE_SYSRQ },
	{ "BUG: soft lockup", TROUBLE_SOFT_LOCKUP },
	{ "Watchdog detected hard LOCKUP", TROUBLE_HARD_LOCKUP },
	{ "INFO: task ", TROUBLE_HUNG_TASK },
	{ "INFO: rcu_", TROUBLE_RCU_STALL },
	{ "WARNING: ", TROUBLE_WARNING },
	{ "UBSAN: ", TROUBLE_REPORT },
	{ "BUG: ", TROUBLE_REPORT },
	{ "SError Interrupt on CPU", TROUBLE_HARDWARE },
	{ "mce: [Hardware Error]: CPU ", TROUBLE_HARDWARE },
	{ "Uhhuh. NMI received ", TROUBLE_HARDWARE },
};

/* Panics that only say that something worse came before, and of which sorts that can be. Any other
 * trouble in the log was survived, however grave it sounds. */
static const struct consequence {
	const char *text;
	unsigned sorts;
} consequences[] = {
	{ "atal exception", TROUBLE_OOPS | TROUBLE_SYSRQ },
	{ "Aiee, killing interrupt handler", TROUBLE_OOPS | TROUBLE_SYSRQ },
	{ "Attempted to kill the idle task", TROUBLE_OOPS | TROUBLE_SYSRQ },
	{ "panic_on_warn", TROUBLE_WARNING | TROUBLE_REPORT },
	{ "kasan.fault", TROUBLE_REPORT },
	{ "scheduling while atomic", TROUBLE_REPORT },
	{ "softlockup: ", TROUBLE_SOFT_LOCKUP },
	{ "Hard LOCKUP", TROUBLE_HARD_LOCKUP },
	{ "hung_task: ", TROUBLE_HUNG_TASK },
	{ "RCU Stall", TROUBLE_RCU_STALL },
	{ "Asynchronous SError", TROUBLE_HARDWARE },
	{ "atal machine check", TROUBLE_HARDWARE },
	{ "atal Machine check", TROUBLE_HARDWARE },
	{ "NMI: Not continuing", TROUBLE_HARDWARE },
};

struct panic_scan {
	struct target *t;
	struct last_words *w;
	const char *latest[TROUBLE_SORTS]; /* headline of each sort */
	uint64_t when[TROUBLE_SORTS];      /* the number of its message */
	bool oops_open;                    /* the trace of the latest oops has not ended yet */
	int oops_pid;                      /* whose it was; -1 unknown */
	bool panicked, settled;            /* a panic line was seen; the trace after it, too */
	bool unfinished; /* what panic() was called with is in the message that follows */
};

static bool starts(const struct log_message *m, const char *with)
{
	size_t n = strlen(with);

	return m->n >= n && !memcmp(m->text, with, n);
}

static const char *line_copy(struct panic_scan *s, const struct log_message *m)
{
	const char *nl = memchr(m->text, '\n', m->n);
	size_t n = nl ? (size_t)(nl - m->text) : m->n;

	return arena_strndup(s->t->scratch, m->text, n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES);
}

static bool number_after(const char *line, const char *key, int *ret)
{
	const char *p = strstr(line, key);
	uint64_t n;

	if (!p)
		return false;
	p += strlen(key);
	if (!number_take(&p, NULL, 10, &n) || n > INT32_MAX)
		return false;
	*ret = (int)n;
	return true;
}

/* "rtc_cmos 00:04: setting system clock to 2026-11-21T10:30:04 UTC (1795257004)";
 * drivers/rtc/class.c */
static void scan_clock(struct panic_scan *s, const struct log_message *m)
{
	static const char key[] = ": setting system clock to ";
	const char *p = memmem(m->text, m->n, key, sizeof(key) - 1);
	const char *line;

	if (!p || !(line = line_copy(s, m)) || !(line = strstr(line, " UTC (")))
		return;
	line += strlen(" UTC (");
	if (!number_take(&line, NULL, 10, &s->w->rtc_s))
		return;
	s->w->rtc_ns = m->time_ns;
}

/* "CPU: 0 PID: 124 Comm: sh Not tainted 6.1.0 #1", with "UID: 0" since 6.12;
 * dump_stack_print_info(). */
static void scan_task(struct panic_scan *s, const struct log_message *m)
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
	if (!s->panicked) {
		if (s->oops_pid >= 0) /* trouble while the oops was told */
			return;
		s->oops_pid = pid;
	}
	s->w->has_task = true;
	s->w->cpu = cpu;
	s->w->pid = pid;
	s->w->comm = arena_strndup(s->t->scratch, comm, (size_t)(end - comm));
	s->settled = s->panicked;
}

/* Where the text begins behind the words of a watchdog: "watchdog: CPU3: Watchdog detected". */
static size_t after_watchdog(const struct log_message *m)
{
	static const char *const words[] = { "NMI watchdog: ", "watchdog: ", "rcu: " };
	size_t at = 0, digits;

	for (size_t i = 0; i < ARRAY_SIZE(words) && !at; i++)
		if (starts(m, words[i]))
			at = strlen(words[i]);
	if (at && m->n - at > 3 && !memcmp(m->text + at, "CPU", 3)) {
		digits = at + 3;
		while (digits < m->n && m->text[digits] >= '0' && m->text[digits] <= '9')
			digits++;
		if (m->n - digits > 2 && !memcmp(m->text + digits, ": ", 2))
			at = digits + 2;
	}
	return at;
}

static const struct panic_headline *headline_of(const struct log_message *m)
{
	struct log_message rest = *m;
	size_t at = after_watchdog(m);

	rest.text += at;
	rest.n -= at;
	for (size_t i = 0; i < ARRAY_SIZE(headlines); i++)
		if (starts(m, headlines[i].start) || starts(&rest, headlines[i].start))
			return &headlines[i];
	return NULL;
}

static void scan_headline(struct panic_scan *s, const struct log_message *m)
{
	const struct panic_headline *h = headline_of(m);
	unsigned i;

	if (!h)
		return;
	/* trouble in the middle of an oops, or of a crash asked for, is what that made */
	if ((h->sort == TROUBLE_OOPS || h->sort == TROUBLE_SYSRQ) && s->oops_open)
		return;
	for (i = 0; !(h->sort >> i & 1); i++)
		;
	s->latest[i] = line_copy(s, m);
	s->when[i] = s->w->messages;
	if (h->sort == TROUBLE_OOPS || h->sort == TROUBLE_SYSRQ) {
		s->oops_open = true;
		s->oops_pid = -1;
	}
}

/* The latest headline of any of the sorts; NULL: none. */
static const char *latest(const struct panic_scan *s, unsigned sorts)
{
	const char *found = NULL;
	uint64_t when = 0;

	for (unsigned i = 0; i < TROUBLE_SORTS; i++)
		if (sorts >> i & 1 && s->when[i] > when) {
			found = s->latest[i];
			when = s->when[i];
		}
	return found;
}

static void scan_panic(struct panic_scan *s, const char *line)
{
	unsigned sorts = 0;
	size_t n = strlen(line);

	if (s->panicked) /* a panic while panicking is not what killed it */
		return;
	while (n && line[n - 1] == ' ')
		n--;
	s->panicked = true;
	s->unfinished = n && line[n - 1] == ':';
	s->w->panic = line;
	for (size_t i = 0; i < ARRAY_SIZE(consequences) && !sorts; i++)
		if (strstr(s->w->panic, consequences[i].text))
			sorts = consequences[i].sorts;
	/* init ends by itself, too: only an oops of its own explains that */
	if (strstr(s->w->panic, "Attempted to kill init") && s->oops_pid == 1)
		sorts = TROUBLE_OOPS | TROUBLE_SYSRQ;
	s->w->cause = latest(s, sorts);
}

static bool scan_message(const struct log_message *m, void *arg)
{
	struct panic_scan *s = arg;
	const char *up;
	int n;

	if (s->unfinished && m->n && !m->facility) {
		/* of PREEMPT_RT in 5.10 each string that panic() prints is a record of its own */
		s->unfinished = false;
		if (!starts(m, "CPU: ")) {
			s->panicked = false;
			scan_panic(s, arena_printf(s->t->scratch, "%s%s%s", s->w->panic,
						   strstr(s->w->panic, ": ") ? "" : " ",
						   line_copy(s, m)));
		}
	}
	s->w->messages++;
	s->w->last_ns = m->time_ns;
	if (!m->n || m->facility) /* what user space wrote to /dev/kmsg is no testimony */
		return true;
	if (!s->w->banner && starts(m, "Linux version "))
		s->w->banner = line_copy(s, m);
	else if (starts(m, "Kernel panic - not syncing"))
		scan_panic(s, line_copy(s, m));
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
	struct panic_scan s = { .t = t, .w = ret, .oops_pid = -1 };

	memset(ret, 0, sizeof(*ret));
	if (!log_each(t, scan_message, NULL, &s, err))
		return false;
	if (!ret->panic)
		ret->panic = latest(&s, TROUBLE_OOPS | TROUBLE_SYSRQ);
	return true;
}
