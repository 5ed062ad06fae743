/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line is, by its looks alone. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

static bool starts_any(const char *s, size_t n, const char *const *v, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (v[i][0] == s[0] && has_prefix(s, n, v[i]))
			return true;
	return false;
}

/* "CPU1: stopping": ARM's and others' CPUs each print a trace before they stop in a panic. */
bool is_stopping(const char *s, size_t n)
{
	const char *end = s + n, *p;
	uint64_t cpu;

	return has_prefix(s, n, "CPU") && number_dec(s + 3, end, &cpu, &p) &&
	       has_prefix(p, (size_t)(end - p), ": stopping");
}

static bool is_trace(const char *s, size_t n)
{
	static const char *const heads[] = {
		"Call Trace:",
		"Call trace:",
		"Call Trace",
		"Backtrace:",
		"backtrace:",
		"backtrace (crc",
		"stack backtrace:",
		"Stack trace:",
		"Stack Trace:",
		"Allocated by task",
		"Freed by task",
		"allocated by task",
		"freed by task",
		"Allocated in ",
		"Freed in ",
		"INFO: Allocated in ",
		"INFO: Freed in ",
		"Last potentially related work creation:",
		"Second to last potentially related work creation:",
		"Last call_rcu",
		"Uninit was ",
		"read to 0x",
		"write to 0x",
		"read-write to 0x",
		"read (marked) to 0x",
		"write (marked) to 0x",
		"race at unknown origin",
		"page last allocated via",
		"page last free ",
		"page_owner ",
		"Sending NMI ",
		"NMI backtrace for cpu",
		"Task dump for CPU",
		"task:",
		"-> #",
		"the existing dependency chain",
		"Showing all locks held",
		"Preemption disabled at:",
		"INFO: NMI handler",
		"Trace:",
		"[<...",
		"Memory state around",
	};

	if (n >= 7 && s[0] == 'k' && has_prefix(s, n, "kfence-#"))
		return true;
	if (is_stopping(s, n))
		return true;
	if (s[0] == '{' && n > 2 && isupper((unsigned char)s[1]))
		return find_text(s, n, "state was registered at:") != NULL;
	if (has_prefix(s, n, "rcu: \tblocking") || has_prefix(s, n, "{ "))
		return false;
	return starts_any(s, n, heads, ARRAY_SIZE(heads));
}

/* "[<00000000a1b2c3d4>] usb_hcd_irq [usbcore]": who was asked whether an interrupt is its own. */
static bool is_handler(const char *s, size_t n)
{
	const char *end = s + n, *p;

	if (n < 12 || s[0] != '[' || s[1] != '<')
		return false;
	(void)number_hex(s + 2, end, &p);
	return p - s > 9 && end - p > 3 && p[0] == '>' && p[1] == ']' && p[2] == ' ' &&
	       (isalpha((unsigned char)p[3]) || p[3] == '_') && !memchr(p, '+', (size_t)(end - p));
}

/* "CPU:    0", as old x86 has it before the EIP, and "CPU 1" of x86_64. */
static bool is_lone_cpu(const char *s, size_t n)
{
	if (n > 4 && n < 9 && has_prefix(s, n, "CPU "))
		return strspn(s + 4, "0123456789") >= n - 4;
	return n > 8 && n < 14 && has_prefix(s, n, "CPU:    ") &&
	       isdigit((unsigned char)s[n - 1]) && strspn(s + 4, " 0123456789") >= n - 4;
}

/* Lines of one fact each. */
static const char *const facts[] = {
	"Hardware name:",
	"Workqueue:",
	"Kernel Offset:",
	"Process ",
	"Flags:",
	"Mem abort info:",
	"Data abort info:",
	"ESR = ",
	"EC = ",
	"SET = ",
	"EA = ",
	"FSC = ",
	"ISV = ",
	"CM = ",
	"user pgtable:",
	"swapper pgtable:",
	"#PF:",
	"PGD ",
	"*pde",
	"*pdpt",
	"pgd = ",
	"Read of size",
	"Write of size",
	"Free of addr",
	"The buggy address",
	"Invalid free of",
	"Use-after-free ",
	"Out-of-bounds ",
	"Invalid ",
	"Corrupted memory",
	"Bytes ",
	"Byte ",
	"Reported by Kernel Concurrency",
	"value changed:",
	"Local variable",
	"KASAN: ",
	"Pointer tag:",
	"Memory tag:",
	"Failing address:",
	"Fault in ",
	"Last Breaking-Event-Address",
	"Faulting instruction address",
	"BE PAGE_SIZE",
	"LE PAGE_SIZE",
	"Last user address",
	"Insufficient",
	"Task stack:",
	"IRQ stack:",
	"Overflow stack:",
	"Tainted:",
	"Not tainted",
	"Call Trace:",
	"in_atomic",
	"preempt_count:",
	"RCU nest depth",
	"INFO: lockdep is turned off",
	"irq event stamp",
	"hardirqs last",
	"softirqs last",
	"Preemption disabled",
	"other info that might",
	"which lock already",
	"which belongs to",
	"May be due to",
	"but task is already",
	"is trying to",
	"Possible unsafe",
	"Possible interrupt",
	"Possible ",
	"*** DEADLOCK",
	"the existing",
	"page:",
	"head:",
	"raw:",
	"flags:",
	"page dumped because",
	"comm \"",
	"hex dump",
	"Object ",
	"Redzone ",
	"Padding ",
	"Bytes b4",
	"Slab 0x",
	"Disabling lock debugging",
	"FIX ",
	"Poison ",
	"PHYS_OFFSET",
	"CPU features:",
	"Memory Limit:",
	"SMP: stopping",
	"Dumping ftrace",
	"Rebooting in",
	"note: ",
	"---[",
	"IN-",
	"\"echo 0 >",
	"rcu_preempt kthread",
	"rcu_sched kthread",
	"Unless rcu_",
	"NMI backtrace",
	"(detected by",
	"(t=",
	"Register r",
	"Exception stack",
	"Stack: (",
	"stack segment",
	"Last call",
	"exception",
	"blocking rcu_node",
	"mmap_lock",
	"Out of memory",
	"Mem-Info",
	"** ",
	"handlers:",
	"Disabling IRQ #",
	"Dazed and confused",
	"Do you have a strange power saving",
	"[EFA   ]:",
	"[BLINK ]:",
	"[STAT32]:",
	"Path: ",
	"printing eip:",
	"pid   = ", /* xmon's */
	"In interrupt handler - not syncing",
	"In idle task - not syncing",
};

/* How lockdep draws what goes wrong: columns of CPUs, each with the locks it takes in turn. */
static bool is_scenario(const char *s, size_t n)
{
	static const char *const takes[] = { "lock(", "rlock(", "sync(" };

	if (has_prefix(s, n, "CPU0") || has_prefix(s, n, "----"))
		return strspn(s, "CPU01234- \t") >= n;
	if (n == 11 && !memcmp(s, "<Interrupt>", n))
		return true;
	return s[n - 1] == ';' && n > 2 && s[n - 2] == ')' &&
	       starts_any(s, n, takes, ARRAY_SIZE(takes));
}

static bool is_fact(const char *s, size_t n)
{
	return starts_any(s, n, facts, ARRAY_SIZE(facts)) || is_scenario(s, n) ||
	       is_handler(s, n) || is_lone_cpu(s, n) ||
	       (n < 100 && find_text(s, n, "-byte region ["));
}

/* "CPU: 3 PID: 1 Comm: x", "Pid: 1, comm: x", and hung tasks' own line "Tainted: G  6.1.0 #1" */
static bool is_cpu(const char *s, size_t n)
{
	if (has_prefix(s, n, "CPU:"))
		return find_text(s, n, "PID:") || find_text(s, n, "ainted") ||
		       find_text(s, n, "Comm:");
	if (has_prefix(s, n, "Pid:") || has_prefix(s, n, "PID:"))
		return find_text(s, n, "omm:") != NULL;
	return has_prefix(s, n, "Not tainted ") ||
	       (has_prefix(s, n, "Tainted: ") && memchr(s, '#', n));
}

static bool is_rule(const char *s, size_t n)
{
	if (n < 8 || (*s != '=' && *s != '-'))
		return false;
	for (size_t i = 1; i < n; i++)
		if (s[i] != s[0])
			return false;
	return true;
}

static bool is_pc(const char *s, size_t n)
{
	static const char *const heads[] = {
		"RIP:",     "RIP ",      "EIP:",     "EIP is at",      "IP: ",   "pc : ",
		"PC is at", "epc : ",    "epc:",     "NIP [",          "NIP:",   "Krnl PSW",
		"epc   :",  "ERA:",      "era   :",  "--- interrupt:", "TPC: <", "PC: [<",
		"IAOQ[0]:", "[ERET  ]:", "pc is at", "pc = [<"
	};

	if (has_prefix(s, n, "pc: ")) /* xmon's */
		return n > 12 && isxdigit((unsigned char)s[11]);
	return starts_any(s, n, heads, ARRAY_SIZE(heads));
}

/* Rows of hexadecimal words or bytes: stacks, memory, shadow. */
static bool is_dump(const char *s, size_t n)
{
	size_t digits = 0;

	if (n < 18)
		return false;
	/* s390: "#000003ff80a10126: e31010000024        stg     %r1,0(%r1)" */
	if (memchr(s, ':', n) == s + 16 || ((*s == '#' || *s == '>') && s[17] == ':'))
		for (size_t i = *s == '#' || *s == '>';
		     isxdigit((unsigned char)s[i]) || s[i] == ':'; i++)
			if (s[i] == ':')
				return true;
	for (size_t i = 0; i < n; i++) {
		if (isxdigit((unsigned char)s[i]))
			digits++;
		else if (!strchr(" :>[]()<x|.^", s[i]))
			return false;
	}
	return digits * 4 >= n * 2;
}

static bool is_lock(const char *s, size_t n)
{
	if (*s == '#' && n > 4 && isdigit((unsigned char)s[1]) && (s[2] == ':' || s[3] == ':'))
		return find_text(s, n, "at: ") || find_text(s, n, "(");
	if (memchr(s, '(', n) && find_text(s, n, ", at: "))
		return true;
	return has_prefix(s, n, "at: ") || has_prefix(s, n, "no locks held") ||
	       (find_text(s, n, " held by ") &&
		(find_text(s, n, " locks held by ") || find_text(s, n, " lock held by ")));
}

static bool is_cut_here(const char *s, size_t n)
{
	return (*s == '-' || *s == '8' || *s == '[') && find_text(s, n, "cut here");
}

/* How many of the n bytes are one marker: "<IRQ>", "</TASK>", "<<EOE>>", "<#DF>". */
static size_t one_marker(const char *s, size_t n)
{
	size_t i = 1;

	if (n < 4 || s[0] != '<')
		return 0;
	i += s[i] == '/' || s[i] == '<';
	while (i < n && (isupper((unsigned char)s[i]) || s[i] == '#'))
		i++;
	if (i < 3 || i >= n || s[i] != '>')
		return 0;
	return i + 1 + (i + 1 < n && s[i + 1] == '>');
}

size_t markers_length(const char *s, size_t n)
{
	size_t all = 0, one;

	while (all < n && (one = one_marker(s + all, n - all)))
		for (all += one; all < n && s[all] == ' ';)
			all++;
	return all;
}

/* A marker, or, up to v4.8, markers and the first frame behind them. */
static enum shape marker_shape(const char *s, size_t n)
{
	size_t length = markers_length(s, n);

	if (length && length == n)
		return SHAPE_MARKER;
	return length && frame_looks(s + length, n - length) ? SHAPE_FRAME : SHAPE_NONE;
}

enum shape shape_of(const struct oline *l, const struct header **header)
{
	const char *s = l->text;
	size_t n = l->n;
	enum shape shape;

	*header = NULL;
	if (!n)
		return SHAPE_EMPTY;
	if (is_cut_here(s, n))
		return SHAPE_CUT_HERE;
	if (*s == '-' && has_prefix(s, n, "---[ end trace"))
		return SHAPE_END;
	if (*s == '-' && has_prefix(s, n, "---[ end Kernel panic"))
		return SHAPE_PANIC_END;
	if (is_rule(s, n))
		return SHAPE_RULE;
	if (*s == '<' && (shape = marker_shape(s, n)) != SHAPE_NONE)
		return shape;
	if (is_cpu(s, n))
		return SHAPE_CPU;
	if (is_trace(s, n))
		return SHAPE_TRACE;
	if ((*header = header_find(s, n)))
		return SHAPE_HEADER;
	if (is_pc(s, n))
		return SHAPE_PC;
	if (has_prefix(s, n, "Code:") || has_prefix(s, n, "Instruction dump:") ||
	    has_prefix(s, n, "Krnl Code:"))
		return SHAPE_CODE;
	if (has_prefix(s, n, "Modules linked in:"))
		return SHAPE_MODULES;
	if (is_lock(s, n))
		return SHAPE_LOCK;
	if (frame_looks(s, n))
		return SHAPE_FRAME;
	if (is_fact(s, n))
		return SHAPE_FACT;
	if (registers_look(s, n))
		return SHAPE_REGS;
	return is_dump(s, n) ? SHAPE_DUMP : SHAPE_NONE;
}
