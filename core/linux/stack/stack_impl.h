/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about stacks share with each other. */
#ifndef OBIT_STACK_IMPL_H
#define OBIT_STACK_IMPL_H

#include "core/image/target.h"
#include "core/unwind/unwind.h"

/* struct unwind_hooks.rethook_ret */
bool rethook_ret(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret, struct err *err);
/* struct unwind_hooks.trampoline_of */
bool trampoline_of(struct target *t, uint64_t pc, uint64_t *ret);

/* struct unwind_hooks.module_exidx */
bool module_exidx(struct target *t, uint64_t pc, uint64_t *start, uint64_t *stop);

/* Does this address return into a function that runs only because the kernel is dying? */
bool stack_is_death(struct target *t, uint64_t ret);
/* The stacks of a CPU that exceptions change to, one after the other; false: none known. */
bool exception_stacks(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size);
/* From the registers of a fault, as the kernel saved them when it died of it, to where it had got
 * to by then; unchanged where the stack does not prove that. */
void stack_dying(struct target *t, struct unwind_start *start);

/* Every trampoline of ftrace. fn returns false to stop. */
void trampolines_each(struct target *t,
		      bool (*fn)(uint64_t start, uint64_t size, uint64_t flags, void *arg),
		      void *arg);
/* struct symbols.expand: modules, and code made at run time */
bool linux_stack_symbols(struct target *t, struct err *err);

#endif
