/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks: each looks at one thing that can be wrong with a machine, and fails alone. */
#ifndef OBIT_CHECK_H
#define OBIT_CHECK_H

#include "core/linux/wait/wait.h"
#include "core/report/report.h"
#include "core/verdict/verdict.h"

/* What checks and judges share while a verdict is made. */
struct triage {
	struct target *t;
	struct arena *a;                              /* the scratch arena */
	void (*note)(const struct err *e, void *arg); /* that walks tell what they cannot read */
	void *arg;
	void (*teller)(const struct err *e, void *arg); /* whom note() tells of it */
	void *teller_arg;
	size_t broken_walks;      /* what note() was told that cannot be, by its own words */
	const char *first_broken; /* NULL: nothing */

	VEC(struct report *) reports; /* of the texts and of the log, in their order */
	size_t older;       /* reports of the texts that are of an earlier boot, left out */
	struct err log_why; /* why the log is not known; ERR_OK: it is */
	bool from_text;     /* reports come from texts alone: there is no dump */
	struct death death;
	bool has_now;
	/* the end in the time of the log, which CPUs' clocks have, too: panic(), or the last line
	 */
	uint64_t now_ns;

	struct wait_graph graph;
	bool graph_tried, graph_ok;
	bool tasks_lost; /* the list of tasks is broken: there were more than the graph has */
	struct err graph_why;
	struct log_words *words; /* see log_words.h; NULL: nobody asked yet */
	struct finding *findings;
	size_t n_findings;
};

struct checkup {
	const char *name; /* "waits": stable */
	const char *doc;  /* what it looks at, one phrase */
	const char *more; /* a command line that shows more; NULL */
	bool of_text;     /* it needs no dump */
	bool vital;       /* who could not look at this cannot say that nothing is wrong */
	/* Looks, and fills state, text, claim and, where it is not the check's, more. False: it
	 * could not look, and *err says why. */
	bool (*look)(struct triage *g, struct finding *ret, struct err *err);
};
/* Every check. Of several that fail, the first is what explains a standstill best. NULL ends it. */
extern const struct checkup *const checks[];
/* Of lists and trees that other checks walked. */
extern const struct checkup check_walks;

/* Is it the kernel's own data that led there, and not the dump that lacks them? */
bool is_broken(const struct err *e);
/* Sets what a check found. */
void find(struct triage *g, struct finding *f, enum check_state state, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* Makes a claim of this kind and tells the finding of it. */
struct claim *claim_new(struct triage *g, const char *kind, enum sureness sure,
			const char *why_sure);
/* Adds evidence to a claim: what a source says, as it says it. What is more than EVIDENCE_MAX is
 * left out. */
void claim_support(struct triage *g, struct claim *c, const char *source, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* "sh[1]", or "a task" when neither is known. */
const char *who(struct triage *g, const char *comm, int pid);
/* What makes a word of one thing that of n: "s", or "" when it is one. */
const char *plural(uint64_t n);
/* The span in the words of a sentence: "6.2 s", "3 min". */
const char *span_words(struct triage *g, uint64_t ns);

/* ---- evidence.c */
/* Reads the reports of the texts, of the dump's log or of what survived. */
void evidence_read(struct triage *g);
/* Does the report tell of an exception or a BUG, which ends the task that met it? */
bool report_ends_task(const struct report *r);
/* The report's headline as evidence: its source is where it stands. */
void claim_headline(struct triage *g, struct claim *c, const struct report *r);
/* The time of the report's headline; false: its text has none. */
bool report_time(const struct report *r, uint64_t *ret);

/* ---- death.c */
/* Finds how the end came about. */
void death_read(struct triage *g);

/* An age that was measured by a clock of the dump, when panic() was called; UINT64_MAX stays. */
uint64_t age_at_death(const struct triage *g, uint64_t ns);

/* ---- check_timer.c */
/* Did the machine end on this CPU, by an exception or by its own panic()? Then interrupts were off
 * there while it told of that, which is no cause of anything. */
bool cpu_is_dying(const struct triage *g, unsigned cpu);

/* ---- graph.c */
/* Who waits for whom, made once. */
bool triage_graph(struct triage *g, const struct wait_graph **ret, struct err *err) MUST_CHECK;

/* ---- blame.c */
/* What a report says as a claim. */
struct claim *claim_of_report(struct triage *g, struct report *r);
/* The functions of a sleeping or running task's stack as a claim's stack; NULL: unknown. */
const char *stack_words(struct triage *g, const struct task *task);
/* Blames the function that a running task kept its CPU with: in the claim's function, module,
 * place, subsystem and stack, as far as they can be known. A task that ran its program leaves them.
 */
void blame_runner(struct triage *g, struct claim *c, const struct task *task);

/* ---- confirm.c */
/* A claim made of memory, with what the kernel itself reported of the same task; the claim as it is
 * when it reported nothing such. */
const struct claim *claim_confirm(struct triage *g, const struct claim *found);
/* The claim of an exception that a task died of, with the lock that a task which is no more left
 * locked, where others wait for one; the claim as it is when there is none. */
const struct claim *claim_tie(struct triage *g, const struct claim *found);

/* ---- way.c */
/* What a kernel could not go on without that ended by the first process, for want of a root file
 * system, of memory, or by a file system's error; NULL: it ended in another way. Title and
 * signature are those of `fatal`, which may be NULL. */
const struct claim *claim_of_way(struct triage *g, const struct report *fatal);

/* ---- unloaded.c */
/* The module that was unloaded last, where the report is of a page fault at an address that was a
 * module's; NULL: it is not, or nothing tells. */
const char *report_unloaded(struct triage *g, const struct report *r);

/* ---- judge.c */
void judge(struct triage *g, struct verdict *v);

#endif
