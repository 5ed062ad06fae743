/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over the dead kernel's variables: "init_task.comm", "*(struct file *)0xffff…". */
#ifndef OBIT_EXPR_H
#define OBIT_EXPR_H

#include "core/image/symbol.h"
#include "core/types/value.h"

/*
 * C's operators but assignment, ++, -- and the comma, over numbers, characters, strings, symbols,
 * enumeration constants, "symbol:cpu", per_cpu(symbol, cpu), per_cpu_ptr(pointer, cpu), sizeof,
 * offsetof(type, member) and container_of(pointer, type, member). Integers have C's types and are
 * converted as C does. $1 is the first result that was kept, $ the last, $$ the one before, $$2 the
 * one before that; $current and $panic point to tasks. Beyond C: where a pointer stands before '.',
 * it is followed; a[2:5] are the elements 2, 3 and 4; text is compared with == and != as text, and
 * searched for an extended regular expression with ~ and !~.
 */

/* What floors above know of per-CPU data. NULL: there is none. */
struct expr_hooks {
	bool (*is_percpu)(struct target *t, const struct symbol *sym);
	bool (*percpu)(struct target *t, const struct symbol *sym, unsigned cpu, uint64_t *addr,
		       struct err *err);
	/* The task_struct of the current task when nobody set one, or of the one that panicked. */
	bool (*task)(struct target *t, bool current, uint64_t *addr, struct err *err);
};

/* Keeps a result: it is "$" then, and "$1" if it is the first. */
void expr_keep(struct target *t, struct value v);
/* What "$current" is from now on: a task_struct. */
void expr_current_set(struct target *t, uint64_t task);

/* A regular expression that is used again and again. Zero-initialise; release. */
struct expr_regex;
struct expr_cache {
	struct expr_regex *regex;
};
void expr_cache_release(struct expr_cache *cache);

/* Where an expression is evaluated. All may be NULL. */
struct expr_scope {
	const struct expr_hooks *hooks;
	/* A name of the scope's own; these come before symbols. *found false: none. dry: nothing
	 * may be read, the type is all that counts. */
	bool (*name)(struct target *t, void *arg, const char *name, bool dry, struct value *ret,
		     bool *found, struct err *err);
	void *arg;
	struct expr_cache *cache;
	bool dry; /* reads nothing: *ret has the type that the value would have */
};

/* The message of an error names the column, from 1. A variable whose type is not known has type
 * void: its address can be taken. */
bool expr_eval(struct target *t, const char *text, const struct expr_hooks *hooks,
	       struct value *ret, struct err *err) MUST_CHECK;
bool expr_eval_in(struct target *t, const char *text, const struct expr_scope *scope,
		  struct value *ret, struct err *err) MUST_CHECK;
/* Can the type be counted with: is it an integer or a pointer? */
bool expr_is_number(const struct type *type);
/* C's truth of a number or an array. */
bool expr_truth(struct target *t, struct value v, bool *ret, struct err *err) MUST_CHECK;
/* An enumeration constant of any type; *ret has that type. ERR_NOTFOUND. */
bool expr_enumerator(struct target *t, const char *name, struct value *ret,
		     struct err *err) MUST_CHECK;
/* Is it a char array or a pointer to char? */
bool expr_is_text(const struct type *type);

#endif
