/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes in the kernel's code, and who has its functions call back: kernel/kprobes.c,
 * kernel/trace/ftrace.c. */
#ifndef OBIT_KPROBE_H
#define OBIT_KPROBE_H

#include "core/linux/trace/trace.h"

struct kprobe {
	uint64_t addr, at; /* of the struct kprobe, and of the instruction */
	bool returns;      /* a kretprobe: it sees the return, too */
	bool gone, disabled, optimized, ftrace;
	/* how often it was not called, for want of room or while another probe ran; of a kretprobe
	 * how many calls it could not follow */
	uint64_t missed;
	uint64_t max_active; /* how many calls a kretprobe can follow at a time; 0: it is none */
	uint64_t handler;    /* the function that it calls */
	const char *system, *event; /* of a probe that is an event; NULL: it is none */
	bool has_hits;
	uint64_t hits;
};
/* Calls fn for each probe in the order of the kernel's file kprobes/list, until fn returns false.
 * Strings live in the target's arena. */
bool kprobes_each(struct target *t, bool (*fn)(const struct kprobe *p, void *arg),
		  void (*note)(const struct err *e, void *arg), void *arg,
		  struct err *err) MUST_CHECK;

/* A struct ftrace_ops: a function that traced functions call. */
struct ftrace_hook {
	uint64_t addr, func, trampoline; /* trampoline 0: it has none of its own */
	uint64_t flags;
	const char *owner; /* "instance NAME", "fprobe", NULL: unknown */
	uint64_t missed;   /* of a fprobe that has a struct ftrace_ops of its own: */
	bool is_fprobe;
	/* how many functions call it, 0 standing for all, and how many of those do not */
	uint64_t n_filter, n_notrace;
};
bool ftrace_hooks_each(struct target *t, bool (*fn)(const struct ftrace_hook *h, void *arg),
		       void *arg, struct err *err) MUST_CHECK;

/* A traced function that calls at least one such, as the kernel's file enabled_functions lists it.
 */
struct ftrace_site {
	uint64_t ip, callers; /* where the call is, and how many functions it calls */
	bool regs, ip_modify, direct, call_ops, modified;
};
bool ftrace_sites_each(struct target *t, bool (*fn)(const struct ftrace_site *s, void *arg),
		       void *arg, struct err *err) MUST_CHECK;

#endif
