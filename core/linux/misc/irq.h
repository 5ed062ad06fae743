/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interrupts: their descriptors, who handles them, how often they came. */
#ifndef OBIT_LINUX_IRQ_H
#define OBIT_LINUX_IRQ_H

#include "core/image/target.h"

#define IRQ_ACTIONS_MAX 64

struct irq_action {
	uint64_t addr, handler; /* struct irqaction; its function */
	uint64_t thread;        /* task_struct of a threaded handler; 0: none */
	const char *name;
};
struct irq {
	uint64_t nr, desc, hwirq; /* desc: struct irq_desc */
	const char *chip;         /* see irq_chip_name(); NULL: none */
	const char *flow;         /* "edge", "fasteoi"; NULL: not said */
	const struct irq_action *actions;
	size_t n_actions;
	uint64_t affinity;      /* address of its CPU mask; 0: none */
	const uint64_t *counts; /* by CPU; of CPUs that were never there 0 */
	unsigned cpus;
	uint64_t total;
};
/* Every descriptor there is, by number; strings live in the arena. What of one cannot be read is
 * told to flaw, which may be NULL. */
bool irq_each(struct target *t, struct arena *a, bool (*fn)(const struct irq *irq, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- irq_chip.c */
/* What /proc/interrupts calls the controller (struct irq_chip) of a struct irq_desc; where it has
 * no word for it, the name of the domain its numbers are in. *ret NULL: that has none either. */
bool irq_chip_name(struct target *t, uint64_t desc, uint64_t chip, struct arena *a,
		   const char **ret, struct err *err) MUST_CHECK;

/* ---- timer.c */
struct ktimer {
	unsigned cpu;
	const char *base;  /* "STD", "DEF"; of an hrtimer the clock: "MONOTONIC", "REALTIME_SOFT" */
	uint64_t addr;     /* struct timer_list or hrtimer */
	uint64_t expires;  /* jiffies; of an hrtimer nanoseconds of its clock */
	uint64_t function; /* 0: none */
};
/* The timers of a CPU's wheels, and its hrtimers, each base by expiry; all live in the arena. */
bool timers_of(struct target *t, unsigned cpu, struct arena *a, const struct ktimer **ret,
	       size_t *n, void (*flaw)(const struct err *e, void *arg), void *arg,
	       struct err *err) MUST_CHECK;
bool hrtimers_of(struct target *t, unsigned cpu, struct arena *a, const struct ktimer **ret,
		 size_t *n, void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
bool jiffies_now(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;

/* ---- runq.c */
struct runq {
	unsigned cpu;
	uint64_t addr, curr;           /* struct rq; task_struct */
	uint64_t running;              /* tasks that could run, as it counts them */
	const uint64_t *dl, *rt, *cfs; /* task_structs that wait or run */
	size_t n_dl, n_rt, n_cfs;
};
bool runq_of(struct target *t, unsigned cpu, struct arena *a, struct runq *ret,
	     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

#endif
