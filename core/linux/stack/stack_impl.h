/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about stacks share with each other. */
#ifndef OBIT_STACK_IMPL_H
#define OBIT_STACK_IMPL_H

#include "core/image/target.h"
#include "core/linux/stack/stack.h"
#include "core/unwind/unwind.h"

/* struct unwind_hooks.rethook_ret */
bool rethook_ret(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret, struct err *err);
/* struct unwind_hooks.trampoline_of */
bool trampoline_of(struct target *t, uint64_t pc, uint64_t *ret);

/* struct unwind_hooks.module_exidx */
bool module_exidx(struct target *t, uint64_t pc, uint64_t *start, uint64_t *stop);

/* Is ret a return address in a function that runs only because the kernel is dying? */
bool stack_is_death(struct target *t, uint64_t ret);
/* The same of panic() itself, which never returns. */
bool stack_is_panic(struct target *t, uint64_t ret);
/* Sets *lo and *size to the memory in which the stacks lie that exceptions on a CPU change to.
 * False: it has none, or nobody knows where. */
bool exception_stacks(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size);
/* Changes *start, the registers of a fault that the kernel saved when it died of that, to where the
 * kernel was when it saved them. Leaves it when the stack does not prove where that was. */
void stack_dying(struct target *t, struct unwind_start *start);
/* Sets *start, which has no registers, to where panic() had called something, on the stack in which
 * the address `stack` lies or on one of an exception. False: nothing proves where that was. */
bool stack_panicked(struct target *t, uint64_t stack, struct unwind_start *start);

/* Calls fn for every trampoline of ftrace, until fn returns false. */
void trampolines_each(struct target *t,
		      bool (*fn)(uint64_t start, uint64_t size, uint64_t flags, void *arg),
		      void *arg);
/* struct symbols.expand: adds the symbols of modules, and of code that was made at run time. */
bool linux_stack_symbols(struct target *t, struct err *err);

#endif
