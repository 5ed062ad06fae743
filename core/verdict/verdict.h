/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict: what killed a machine or holds it, how sure that is, and what supports it. */
#ifndef OBIT_VERDICT_H
#define OBIT_VERDICT_H

#include "core/image/target.h"

struct report;
struct checkup;

enum outcome {
	OUTCOME_UNKNOWN, /* the evidence does not tell */
	OUTCOME_DEAD,    /* the kernel died of what the claim says */
	OUTCOME_HURT,    /* it met what the claim says, and nothing tells that it died of it */
	OUTCOME_STUCK,   /* it ran, and something in it stood still */
	OUTCOME_ALIVE    /* nothing was wrong with it: it was stopped, or asked to die */
};
/* "unknown", "dead", "hurt", "stuck", "alive". */
const char *outcome_name(enum outcome o);

/* Is it, of n bytes, the name of an outcome, or of a kind that a claim can have? */
bool verdict_has_word(const char *word, size_t n);

/* How sure a claim is. */
enum sureness {
	SURE_NOT,      /* what would settle it is missing */
	SURE_POSSIBLE, /* another explanation is as good */
	SURE_LIKELY,   /* one source says so, and none against it */
	SURE_CERTAIN   /* two sources that do not depend on each other agree, or a ring closes */
};
/* "unknown", "possible", "likely", "certain". */
const char *sureness_name(enum sureness s);

/* How the end came about: what called panic(), or what stopped the machine. */
enum death_way {
	WAY_UNKNOWN,
	WAY_LIVE, /* nobody panicked: the dump was taken from outside */
	WAY_OOPS,
	WAY_WARN, /* a warning, with panic_on_warn */
	WAY_SOFT_LOCKUP,
	WAY_HARD_LOCKUP,
	WAY_RCU,
	WAY_HUNG_TASK,
	WAY_OOM,
	WAY_SYSRQ, /* somebody asked for it */
	WAY_NMI,   /* an NMI that nobody expected: a button, a BMC, a hypervisor */
	WAY_HARDWARE,
	WAY_INIT, /* the first process ended */
	WAY_ROOT, /* there was no root file system */
	WAY_NO_INIT,
	WAY_STACK,
	WAY_FS,
	WAY_PANIC, /* code called panic() itself */
	WAYS
};
/* "oops", "soft-lockup", ...: stable, as JSON has it. */
const char *death_way_name(enum death_way way);

struct death {
	enum death_way way;
	/* The way tells only that something stood still, or that somebody asked: the cause is to be
	 * sought elsewhere. */
	bool standstill;
	const char *panic;  /* what panic() was called with; NULL: it was not, or that is lost */
	const char *how;    /* the way in words */
	const char *source; /* what says so: "log", "panic_cpu", "stack of 134" */
	int pid, cpu;       /* who called; -1 unknown */
	const char *comm;   /* NULL unknown */
	bool task_recorded; /* the kernel's memory says who called, not the log alone */
	bool has_at;
	uint64_t at_ns; /* when panic() was called, in the time of the log */
	/* How long the machine's clocks went on after that: panic() stops the other CPUs, and waits
	 * with interrupts on until somebody turns the machine off. */
	uint64_t after_ns;
};

/* Something that supports a claim, as it stands where it was found. */
struct evidence {
	const char *source; /* "log 8.553124", "stack of 140", "panic_cpu" */
	const char *text;
};
#define EVIDENCE_MAX 12u

/* One explanation of a death or of a standstill. Strings live in the scratch arena. */
struct claim {
	const char *kind;     /* "null-deref", "deadlock", "oom": stable */
	const char *sentence; /* who did what where, because of what, since when */
	enum sureness sure;
	const char *why_sure;
	int pid, cpu; /* who did it, or waits; -1 unknown */
	const char *comm;
	const char *function, *module; /* that is to blame; module NULL: the kernel's own code */
	const char *place;             /* FILE:LINE of it; NULL unknown */
	const char *subsystem;         /* the folder of that file, "fs/ext4"; NULL unknown */
	const char *rival;             /* what else could be to blame, and why; NULL: nothing */
	const char *title, *signature; /* of the report it is made of; NULL: it is of none */
	const char *stack;             /* functions, the innermost first, " < " between them */
	/* functions that tell its bug from others, as report_trail() has them, " < " between them;
	 * NULL: not known */
	const char *trail;
	bool trail_whole;            /* it reaches to the root of the stack */
	const struct report *report; /* NULL: it is made of none */
	struct evidence evidence[EVIDENCE_MAX];
	size_t n_evidence;
};

enum check_state {
	CHECK_OK,
	CHECK_WARN,   /* worth a line */
	CHECK_FAIL,   /* explains a death or a standstill alone */
	CHECK_UNKNOWN /* it could not be looked at */
};
/* "ok", "warn", "fail", "unknown". */
const char *check_state_name(enum check_state s);

/* What a check found. */
struct finding {
	const struct checkup *check;
	enum check_state state;
	const char *text;          /* one line: the value that decided */
	struct err why;            /* of CHECK_UNKNOWN, and of one that saw only a part */
	const char *more;          /* a command line that shows more; NULL: none does */
	const struct claim *claim; /* what it would explain; NULL */
	uint64_t took;             /* nanoseconds that it took */
};

/* The name of the check: "deadlock". */
const char *finding_name(const struct finding *f);

struct verdict {
	enum outcome outcome;
	const struct claim *claim; /* NULL: there is nothing to explain, or no explanation */
	const char *sentence;      /* the claim's, or what is said without one; never NULL */
	enum sureness sure;
	const char *why_sure;
	struct death death;
	const struct finding *findings;
	size_t n_findings;
	size_t reports; /* how many reports the texts and the log hold */
	const char *release, *arch, *node, *build_id; /* of the kernel; NULL unknown */
	uint64_t uptime_ns;                           /* 0 unknown */
	struct triage *own;
};

/* Looks at all that is loaded, runs every check, and judges. Never fails: what could not be looked
 * at is among the findings. note() is told what damage was met. What *ret points to lives in the
 * scratch arena and until verdict_release(). */
void verdict_make(struct target *t, void (*note)(const struct err *e, void *arg), void *arg,
		  struct verdict *ret);
void verdict_release(struct verdict *v);

#endif
