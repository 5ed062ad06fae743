/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables and parameters as words of a command: "bt $x". */
#ifndef OBIT_VARIABLE_H
#define OBIT_VARIABLE_H

#include "core/shell/command.h"
#include "core/shell/parse.h"
#include "core/types/value.h"

/* Sets *ret to what stands for a value in a command: a number, text, or, of anything else, its
 * address; and *is_text to whether it is text, in which anything may be. In the arena. */
bool variable_word(struct target *t, struct arena *a, struct value v, const char **ret,
		   bool *is_text, struct err *err) MUST_CHECK;
/* Puts what they stand for in place of the command's operands, from the word `first` on, that begin
 * with the name of a variable or parameter, as "$x" and "$x->pid". Each stays one word, and is no
 * option, whatever is in it: this is done after the line was parsed. What is an expression or a
 * command itself is left alone, for its evaluation knows the names. */
bool variable_words(struct target *t, struct arena *a, const struct command *cmd, struct stage *st,
		    size_t first, struct err *err) MUST_CHECK;
/* The first n characters of s, which begins with '$', are a name with it; 0: they are none. */
size_t variable_name_len(const char *s);

#endif
