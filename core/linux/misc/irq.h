/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes by itself: interrupts, with who handles them and how often they came, bottom halves,
 * timers, and the clock of jiffies. */
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
	uint64_t affinity;      /* address of its CPU mask; 0: it has none */
	const uint64_t *counts; /* how often it came on each CPU; 0 on one that was never there */
	unsigned cpus;
	uint64_t total;
};
/* Calls fn for every interrupt that has a descriptor, by number, until fn returns false. Strings
 * live in the arena. flaw(), which may be NULL, is told what cannot be read. */
bool irq_each(struct target *t, struct arena *a, bool (*fn)(const struct irq *irq, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- irq_chip.c */
/* Sets *ret to what /proc/interrupts calls the controller of an interrupt: desc is its struct
 * irq_desc, chip the struct irq_chip. For a controller without a name it is the name of the domain
 * that its numbers are in. *ret NULL: that has no name either. */
bool irq_chip_name(struct target *t, uint64_t desc, uint64_t chip, struct arena *a,
		   const char **ret, struct err *err) MUST_CHECK;

/* ---- The table by which a CPU finds what handles an exception or interrupt. */
struct cpu_vector {
	unsigned nr;
	bool present;
	uint64_t handler;
	unsigned selector,
		dpl;      /* code segment; who may call it by an instruction: 3 is a program */
	unsigned ist;     /* number of the stack that it changes to; 0: none */
	const char *type; /* "interrupt", "trap"; NULL: another */
};
/* Sets *ret to the n entries, in the scratch arena. ERR_UNSUPPORTED: the architecture has no such
 * table. */
bool cpu_vectors(struct target *t, const struct cpu_vector **ret, size_t *n,
		 struct err *err) MUST_CHECK;

/* ---- softirq.c */
struct softirq {
	unsigned nr;
	const char *name;       /* "NET_RX", as /proc/softirqs has it; NULL: not known */
	uint64_t action;        /* its function; 0: nobody serves it */
	const uint64_t *counts; /* how often it was served on each CPU */
	unsigned cpus;
	uint64_t total;
};
/* Calls fn for each bottom half that this kernel knows, until fn returns false. Strings and counts
 * live in the arena. flaw() is told what cannot be read. */
bool softirqs_each(struct target *t, struct arena *a,
		   bool (*fn)(const struct softirq *soft, void *arg),
		   void (*flaw)(const struct err *e, void *arg), void *arg,
		   struct err *err) MUST_CHECK;

/* ---- timer.c */
struct ktimer {
	unsigned cpu;
	const char *base;  /* "STD", "DEF"; of an hrtimer the clock: "MONOTONIC", "REALTIME_SOFT" */
	uint64_t addr;     /* struct timer_list or hrtimer */
	uint64_t expires;  /* jiffies; of an hrtimer nanoseconds of its clock */
	uint64_t function; /* 0: none */
};
/* Set *ret to the n timers of a CPU's wheels, and to its hrtimers, those of each base by the time
 * they expire; in the arena. */
bool timers_of(struct target *t, unsigned cpu, struct arena *a, const struct ktimer **ret,
	       size_t *n, void (*flaw)(const struct err *e, void *arg), void *arg,
	       struct err *err) MUST_CHECK;
bool hrtimers_of(struct target *t, unsigned cpu, struct arena *a, const struct ktimer **ret,
		 size_t *n, void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
bool jiffies_now(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
/* Sets *ret to how many nanoseconds a jiffy has, as the clock source that counts them says. */
bool jiffy_length(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
/* How many nanoseconds before the end a counter of jiffies, a word, had the value `then`; one that
 * is ahead of the end by less than half of all values gives 0. */
bool jiffies_since(struct target *t, uint64_t then, uint64_t *ret, struct err *err) MUST_CHECK;

#endif
