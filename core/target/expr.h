/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over the dead kernel's variables: "init_task.comm", "*(struct file *)0xffff…". */
#ifndef OBIT_EXPR_H
#define OBIT_EXPR_H

#include "core/target/symbol.h"
#include "core/target/value.h"

/*
 * C's operators * & - ~ ! (type) sizeof . -> [] + - / % << >> & ^ | over numbers, symbols and
 * "symbol:cpu". Where a pointer stands before '.', it is followed.
 */

/* What floors above know of per-CPU data. NULL: there is none. */
struct expr_hooks {
	bool (*is_percpu)(struct target *t, const struct symbol *sym);
	bool (*percpu)(struct target *t, const struct symbol *sym, unsigned cpu, uint64_t *addr,
		       struct err *err);
};

/* The message of an error names the column, from 1. A variable whose type is not known has type
 * void: its address can be taken. */
bool expr_eval(struct target *t, const char *text, const struct expr_hooks *hooks,
	       struct value *ret, struct err *err) MUST_CHECK;

#endif
