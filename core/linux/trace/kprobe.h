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
	uint64_t missed;     /* for want of room, or while another probe ran; of a kretprobe calls
				whose return was missed */
	uint64_t max_active; /* calls that a kretprobe can follow at a time; 0: not one */
	uint64_t handler;    /* what it calls */
	/* of those that are events */
	const char *system, *event; /* NULL: none */
	bool has_hits;
	uint64_t hits;
};
/* In the kernel's order, which is that of its list file. fn returns false to stop. Strings live in
 * the target's arena. */
bool kprobes_each(struct target *t, bool (*fn)(const struct kprobe *p, void *arg),
		  void (*note)(const struct err *e, void *arg), void *arg,
		  struct err *err) MUST_CHECK;

/* A struct ftrace_ops: somebody whom traced functions call. */
struct ftrace_hook {
	uint64_t addr, func, trampoline; /* trampoline 0: it has none of its own */
	uint64_t flags;
	const char *owner; /* "instance NAME", "fprobe", NULL: unknown */
	uint64_t missed;   /* of a fprobe that has a struct ftrace_ops of its own: */
	bool is_fprobe;
	uint64_t n_filter, n_notrace; /* functions; filter 0: all of them */
};
bool ftrace_hooks_each(struct target *t, bool (*fn)(const struct ftrace_hook *h, void *arg),
		       void *arg, struct err *err) MUST_CHECK;

/* A function that calls somebody, as enabled_functions has it. */
struct ftrace_site {
	uint64_t ip, callers; /* how many it calls */
	bool regs, ip_modify, direct, call_ops, modified;
};
bool ftrace_sites_each(struct target *t, bool (*fn)(const struct ftrace_site *s, void *arg),
		       void *arg, struct err *err) MUST_CHECK;

#endif
