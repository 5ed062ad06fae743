/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What obit knows of the kernel's own data: one subsystem a file, each with its state, made on
 * first use. */
#ifndef OBIT_LINUX_H
#define OBIT_LINUX_H

#include "core/image/target.h"

/* Lets the target ask core/linux for modules, stacks and recordings. Called once, when all files
 * are loaded; reads nothing. */
void linux_init(struct target *t);
void linux_release(struct target *t);

/* Each subsystem keeps a pointer of its own; only its file knows to what. */
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
	LINUX_SYMBOL,
	LINUX_CLEAN,
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
void linux_clean_release(struct target *t);
void linux_symbol_init(struct target *t);
void linux_symbol_release(struct target *t);
void linux_trace_init(struct target *t);
void linux_trace_release(struct target *t);

#endif
