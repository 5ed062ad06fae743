/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over the dead kernel's variables: "init_task.comm", "*(struct file *)0xffff…". */
#ifndef OBIT_EXPR_H
#define OBIT_EXPR_H

#include "core/image/symbol.h"
#include "core/types/frame_info.h"
#include "core/types/value.h"

/*
 * C's operators but assignment, ++, -- and the comma, over numbers, characters, strings, symbols,
 * 'file.c'::symbol, enumeration constants, "symbol:cpu", per_cpu(symbol, cpu), per_cpu_ptr(pointer,
 * cpu), sizeof, offsetof(type, member) and container_of(pointer, type, member). Integers have C's
 * types and are converted as C does. $1 is the first result that was kept, $ the last, $$ the one
 * before, $$2 the one before that; $_ is the last value or address that was shown, or the value
 * that a stage is at, which is $it too; $current and $panic point to tasks; other names with '$'
 * are what expr_variable_set() and expr_params_swap() made them. Beyond C: where a pointer stands
 * before
 * '.', it is followed; a[2:5] are the elements 2, 3 and 4; a@3 are three values from where a lies
 * on; text is compared with == and != as text, and searched for an extended regular expression with
 * ~ and !~.
 */

/* What floors above this one know of per-CPU data and tasks. The caller of an evaluation that has
 * no such hooks hands over NULL. */
struct expr_hooks {
	bool (*is_percpu)(struct target *t, const struct symbol *sym);
	bool (*percpu)(struct target *t, const struct symbol *sym, unsigned cpu, uint64_t *addr,
		       struct err *err);
	/* Sets *addr to a task_struct: with `current` to that of the task that $current stands for
	 * when nobody set one, else to that of the task that panicked. */
	bool (*task)(struct target *t, bool current, uint64_t *addr, struct err *err);
};

/* Keeps the value v as the last result: "$" stands for it until the next one is kept, and "$1" for
 * ever if it is the first of all. */
void expr_keep(struct target *t, struct value v);
/* Says that "$_" stands for v, as for something whose address was shown. */
void expr_shown(struct target *t, struct value v);
/* Says that "$it" and "$_" stand for *it, which lives until the next call, or, NULL, that there is
 * no
 * "$it". Returns what was there before. */
const struct value *expr_it_swap(struct target *t, const struct value *it);
/* Sets the variable "$name", which is made if it is not there, to a copy of v. ERR_USAGE: the name
 * is no variable's; ERR_LIMIT. */
bool expr_variable_set(struct target *t, const char *name, struct value v,
		       struct err *err) MUST_CHECK;
/* A copy of v that lives as long as the arena: what is in memory is read when it is asked for. It
 * is VALUE_NONE where v is too large, or a row of the line that runs. */
struct value expr_value_kept(struct target *t, struct arena *a, struct value v);
/* Is "$name", a whole word, one of a result, a variable, a parameter, $_ or $it? */
bool expr_variable_known(struct target *t, const char *name);
/* The name of the i-th variable that somebody set, with its '$'; NULL: there are no more. */
const char *expr_variable_name(struct target *t, size_t i);

/* What a command of one's own was given. In its expressions "$name" stands for the value, or else
 * for that of the text as an expression, evaluated by itself wherever it stands, so that no
 * operator around it can take it apart; of a quoted text it is the text. */
struct expr_param {
	const char *name;          /* with its '$' */
	const char *text;          /* as a word: the value's, where there is one */
	const struct value *value; /* NULL: it is not known before the expression is evaluated */
	bool quoted;
};
struct expr_params {
	const struct expr_param *v;
	size_t n;
};
/* Makes these the parameters of all evaluations, NULL for none, and returns those before. */
const struct expr_params *expr_params_swap(struct target *t, const struct expr_params *params);
/* The parameter of this name, with its '$'; NULL: there is none. */
const struct expr_param *expr_param_find(struct target *t, const char *name);

/* Says that "$current" stands for the task_struct at the address `task` from now on, and forgets
 * the frame. */
void expr_current_set(struct target *t, uint64_t task);

/* The frame that somebody chose: its arguments and locals are names, which come before symbols in
 * every evaluation that has hooks. */
struct expr_frame {
	uint64_t task;    /* its task_struct */
	size_t n;         /* its number as bt has it */
	const char *func; /* NULL: not known */
	const struct variable *variables;
	size_t n_variables;
};
/* Forgets the frame, and returns the arena in which what the next one is made of shall lie. */
struct arena *expr_frame_begin(struct target *t);
/* Copies *f; what it points to lives in the arena, until the next expr_frame_begin(). */
void expr_frame_set(struct target *t, const struct expr_frame *f);
/* NULL: none was chosen. */
const struct expr_frame *expr_frame_of(struct target *t);
/* The frame's variable of this name: its own function's before those of functions that are inlined
 * there, and of an inner block before an outer. NULL: it has none. */
const struct variable *expr_local(struct target *t, const char *name);

/* The compiled regular expression of an expression that is evaluated for many values. The caller
 * zero-initialises it and releases it after the last one. */
struct expr_regex;
struct expr_cache {
	struct expr_regex *regex;
};
void expr_cache_release(struct expr_cache *cache);

/* What an expression may use besides the kernel's symbols. Each pointer may be NULL. */
struct expr_scope {
	const struct expr_hooks *hooks;
	/* Sets *ret to what `name` stands for in the scope, and *found to true. A name that the
	 * scope does not have sets *found to false, and is then sought among the symbols. With dry
	 * nothing may be read: only the type of *ret counts. */
	bool (*name)(struct target *t, void *arg, const char *name, bool dry, struct value *ret,
		     bool *found, struct err *err);
	void *arg;
	struct expr_cache *cache;
	bool dry; /* nothing is read; *ret only has the type that the value would have */
};

/* Evaluates text, in the scope or with hooks alone. The message of an error begins with the column
 * in text, of which the first is 1. A variable whose type is not known has type void: nothing but
 * its address can be used. */
bool expr_eval(struct target *t, const char *text, const struct expr_hooks *hooks,
	       struct value *ret, struct err *err) MUST_CHECK;
bool expr_eval_in(struct target *t, const char *text, const struct expr_scope *scope,
		  struct value *ret, struct err *err) MUST_CHECK;
/* Is the type one that can be calculated with, an integer or a pointer? */
bool expr_is_number(const struct type *type);
/* Sets *ret to what C's if () makes of a number or an array. */
bool expr_truth(struct target *t, struct value v, bool *ret, struct err *err) MUST_CHECK;
/* Finds an enumeration constant of any enum by its name; *ret has that enum's type. ERR_NOTFOUND.
 */
bool expr_enumerator(struct target *t, const char *name, struct value *ret,
		     struct err *err) MUST_CHECK;
/* Is the type one of texts, a char array or a pointer to char? */
bool expr_is_text(const struct type *type);

#endif
