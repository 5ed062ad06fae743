/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What obit knows of the kernel's own data: one subsystem a file, each with its state, made on
 * first use. */
#ifndef OBIT_LINUX_H
#define OBIT_LINUX_H

#include "core/report/judge/taint.h"
#include "core/target/shape.h"
#include "core/target/target.h"
#include "core/target/value.h"

/* Hooks the modules' symbols and the stacks into the target; reads nothing. Call once after
 * loading. */
void linux_init(struct target *t);
void linux_release(struct target *t);

/* One cell a subsystem; the subsystem's file knows what is in it. */
enum linux_subsystem {
	LINUX_TASK,
	LINUX_MODULE,
	LINUX_PERCPU,
	LINUX_PRINTK,
	LINUX_SYSTEM,
	LINUX_OF,
	LINUX_PAGE,
	LINUX_SLAB,
	LINUX_VMALLOC,
	LINUX_DEVICE,
	LINUX_TRACE,
	LINUX_SUBSYSTEMS
};
struct linux_state {
	void *of[LINUX_SUBSYSTEMS];
};

/* Called by linux_init() and linux_release() only. */
void linux_stack_init(struct target *t);
void linux_module_init(struct target *t);
bool linux_module_symbols(struct target *t, struct err *err);
void linux_task_release(struct target *t);
void linux_module_release(struct target *t);
void linux_percpu_release(struct target *t);
void linux_of_release(struct target *t);
void linux_slab_release(struct target *t);
void linux_vmalloc_release(struct target *t);
void linux_device_release(struct target *t);
void linux_trace_init(struct target *t);
void linux_trace_release(struct target *t);

/* ---- object_name.c */
/* What the kernel calls the object of this type at addr: a task's comm, a device's name. NULL: such
 * objects have no name, or what is there is no text. In the scratch arena. */
const char *object_name(struct target *t, const struct type *type, uint64_t addr);

/* ---- percpu.c */
/* CPUs the kernel can have, at most CPUS_MAX: nr_cpu_ids, held against the mask of possible CPUs,
 * the log, the offsets and the dump's notes; where they contradict each other, what most say, with
 * a warning. */
bool cpus_count(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;
/* How many are online; false where the mask itself cannot be read. */
bool cpus_online(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;
/* Which are online, possible, present: every one that can be, where the mask cannot be read. */
bool cpu_is_online(struct target *t, unsigned cpu);
bool cpu_is_possible(struct target *t, unsigned cpu);
/* Present, and brought up at least once: the CPUs to show. A panic marks those that it stops as
 * offline. */
bool cpu_has_run(struct target *t, unsigned cpu);
#define CPUS_MAX 8192
/* __per_cpu_offset[cpu]. */
bool percpu_offset(struct target *t, unsigned cpu, uint64_t *ret, struct err *err) MUST_CHECK;
/* A per-CPU address, and a CPU's offset, as wide as the target's words. */
uint64_t percpu_sum(const struct target *t, uint64_t addr, uint64_t off);
/* Address of a per-CPU variable on a CPU. */
bool percpu_addr(struct target *t, const char *symbol, unsigned cpu, uint64_t *ret,
		 struct err *err) MUST_CHECK;
/* Is this symbol a per-CPU variable (between __per_cpu_start and __per_cpu_end)? */
bool percpu_is(struct target *t, const struct symbol *sym);

/* ---- list.c: struct list_head walks; more kinds in files of their own */
/* Calls fn with the address of each containing struct (node - member_off) after head. fn returns
 * false to stop early. An error ends the walk and is returned; what was visited stays visited. */
bool list_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
	       bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;
/* The same from the last entry to the first: for what lies behind a break. */
bool list_each_back(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		    bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- task.c */
struct task {
	uint64_t addr; /* task_struct */
	int pid, tgid, ppid;
	int cpu;
	bool active;       /* running on its CPU at the crash */
	bool on_cpu;       /* its own word for that; decides where the runqueue is absent */
	const char *state; /* crash's two letters: RU IN UN ZO ST TR DE ID ... */
	char letter;       /* the kernel's one letter: R S D Z T t X I ... */
	const char *comm;  /* in the target's arena */
	uint64_t mm;       /* 0: kernel thread */
	uint64_t stack;    /* lowest address of the kernel stack */
	uint64_t flags;    /* task_struct.flags (PF_*) */
};
/* All tasks and threads, per-CPU idle tasks (pid 0) first, then by walk order of init's list.
 * Cached. When the walk ends early *ret holds what was found and t gets a warning. */
bool tasks_all(struct target *t, const struct task **ret, size_t *n, struct err *err) MUST_CHECK;
/* Were all of them found? Not when the list is broken, or a task cannot be read. */
bool tasks_complete(struct target *t);
bool task_by_pid(struct target *t, int pid, const struct task **ret, struct err *err) MUST_CHECK;
bool task_by_addr(struct target *t, uint64_t addr, const struct task **ret,
		  struct err *err) MUST_CHECK;
/* The task running on a CPU at the crash. */
bool task_on_cpu(struct target *t, unsigned cpu, const struct task **ret,
		 struct err *err) MUST_CHECK;
/* The task that panicked, and how it is known: "panic_cpu", "crash_notes", "log", "crashing_cpu".
 * ERR_NOTFOUND when the kernel did not panic (a dump from a live machine). */
bool task_panic(struct target *t, const struct task **ret, const char **how,
		struct err *err) MUST_CHECK;
bool task_is_kernel(const struct task *task);
/* A task's virtual and its resident memory in bytes, 0 without an mm. False: its mm cannot be read.
 */
bool task_memory(struct target *t, const struct task *task, uint64_t *vsz, uint64_t *rss);
/* Tasks that a person's word names: a pid, a task address, a comm, or a POSIX regular expression
 * searched for in comms (always when `regex`, else when no comm is the word). By pid, then by CPU;
 * in the scratch arena. ERR_NOTFOUND, ERR_USAGE for a bad expression. word NULL: all. */
bool tasks_match(struct target *t, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err) MUST_CHECK;
/* A task's thread group: its leader, then the others by pid; in the scratch arena. */
bool tasks_of_group(struct target *t, const struct task *task, const struct task *const **ret,
		    size_t *n, struct err *err) MUST_CHECK;
/* What the scheduler noted of a task; UINT64_MAX where this kernel notes none, and behind what
 * cannot be read. */
struct task_sched {
	unsigned policy;       /* SCHED_*: 0 normal, 1 FIFO, 2 RR, 3 batch, 5 idle, 6 deadline */
	uint64_t last_run;     /* the scheduler's clock when it last got a CPU, nanoseconds */
	uint64_t clock;        /* the same clock of its CPU at the crash */
	uint64_t start;        /* nanoseconds after boot */
	uint64_t utime, stime; /* nanoseconds */
};
bool task_sched(struct target *t, const struct task *task, struct task_sched *ret,
		struct err *err) MUST_CHECK;
/* A policy by its name or number; UINT_MAX: none of that name. */
unsigned sched_policy(const char *name);
/* Bytes of RAM that the page allocator manages; 0 unknown. */
uint64_t ram_total(struct target *t);
/* Size of a kernel stack in bytes. */
bool task_stack_size(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
struct unwind_start;
/* Where to start unwinding a task: a CPU's saved registers, or the switch frame. */
bool task_unwind_start(struct target *t, const struct task *task, struct unwind_start *ret,
		       struct err *err) MUST_CHECK;

/* ---- stack.c, stack_death.c */
struct unwind_result;
/* Frames at the top that ran only because the kernel was dying: those above panic(), or above the
 * entry of the exception that killed it. 0 where nothing tells of a death. */
size_t stack_death(struct target *t, const struct unwind_result *u);

/* A function that function_graph saw entered and not left, from the task's ret_stack. */
struct open_function {
	uint64_t func, ret; /* entry, and where it returns to */
	uint64_t slot;      /* where its return address was on the stack; 0 unknown */
	uint64_t since;     /* when it was entered, by the trace's local clock; 0 not recorded */
};
/* Newest first, at most max; err->code says why there are no more, ERR_OK when these are all. */
size_t fgraph_open(struct target *t, uint64_t task, struct open_function *ret, size_t max,
		   struct err *err);

/* ---- printk.c */
struct log_message {
	uint64_t seq, time_ns;
	unsigned level, facility;
	uint32_t caller; /* task pid, or 0x80000000 + CPU; valid if has_caller */
	bool has_caller;
	bool unfinished;  /* the kernel could still have changed or continued it */
	const char *text; /* as logged; may hold newlines; not NUL-terminated */
	size_t n;
	const char *dict; /* "SUBSYSTEM=usb\nDEVICE=+usb:1-1" or NULL */
	size_t dict_n;
};
/* Oldest first. Works on a dump alone (VMCOREINFO names the layout) for the ring since 5.10
 * (896fbe20b4e2) and the record buffer before it (3.6). What is lost is reported through note (may
 * be NULL), records lost in a row for one reason together. fn returns false to stop; a message and
 * its text live until it returns. */
bool log_each(struct target *t, bool (*fn)(const struct log_message *m, void *arg),
	      void (*note)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* Nanoseconds to add to a time stamp of the log for the time since 1970, UTC; in system.c. Needs
 * types. */
bool log_wall_offset(struct target *t, int64_t *ret, struct err *err) MUST_CHECK;

/* ---- module.c */
struct kmodule {
	uint64_t addr; /* struct module */
	const char *name;
	uint64_t base, size; /* text (core) area, and the whole size as /proc/modules counts it */
	uint64_t text_base, text_size;
	int64_t refcnt;
	uint64_t taints;
	const char *taint_text; /* "(OE)" letters, "" when clean */
	const char *state;      /* "Live", "Loading", "Unloading" */
	uint64_t parts[8]
		      [2]; /* [base, size] of every memory area (core, init, data, rodata, ...) */
	size_t n_parts;
};
bool modules_all(struct target *t, const struct kmodule **ret, size_t *n,
		 struct err *err) MUST_CHECK;
bool module_at(struct target *t, uint64_t addr, const struct kmodule **ret);
/* Where a module's per-CPU variables lie before a CPU's offset is added: [*lo, *hi). */
bool module_percpu(struct target *t, const char *module, uint64_t *lo, uint64_t *hi);

/* ---- panic.c: what the log says of the end. Strings live in the scratch arena; NULL: not said. */
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

/* ---- system.c: the banner's facts; each is absent on its own */
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
