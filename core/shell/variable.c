/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables and parameters as words of a command. */
#include "core/shell/variable.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/linux/task/expr_hooks.h"
#include "core/types/expr.h"

#define TEXT_MAX 4096

bool variable_word(struct target *t, struct arena *a, struct value v, const char **ret,
		   bool *is_text, struct err *err)
{
	uint64_t n;

	*is_text = expr_is_text(v.type);
	if (*is_text)
		return value_str(t, v, TEXT_MAX, a, ret, err);
	if (!expr_is_number(v.type)) {
		*ret = arena_printf(a, "0x%" PRIx64, v.addr);
		return v.addr || err_set(err, ERR_USAGE, "a value has no address");
	}
	if (!value_u64(t, v, &n, err))
		return false;
	*ret = type_is_signed(v.type) ? arena_printf(a, "%" PRId64, (int64_t)n)
				      : arena_printf(a, "0x%" PRIx64, n);
	return true;
}

size_t variable_name_len(const char *s)
{
	size_t n = strspn(s, "$");

	while (n && (isalnum((unsigned char)s[n]) || s[n] == '_'))
		n++;
	return n;
}

/* One operand; it is left as it is when it is none of ours. */
static bool fill_word(struct target *t, struct arena *a, struct word *w, struct err *err)
{
	size_t n = w->literal ? 0 : variable_name_len(w->text);
	const char *name = arena_strndup(a, w->text, n);
	const struct expr_param *param = n ? expr_param_find(t, name) : NULL;
	struct value v;
	bool is_text;

	if (!n || !expr_variable_known(t, name))
		return true;
	w->literal = true;
	if (param && !w->text[n]) {
		w->text = param->text;
		return true;
	}
	return (expr_eval(t, w->text, &expr_percpu, &v, err) &&
		variable_word(t, a, v, &w->text, &is_text, err)) ||
	       err_wrap(err, "'%.60s'", w->text);
}

bool variable_words(struct target *t, struct arena *a, const struct command *cmd, struct stage *st,
		    size_t first, struct err *err)
{
	struct word *words = NULL;

	if (cmd->expression || cmd->as_typed || cmd->formats || cmd->carries ||
	    (cmd->completes & COMPLETE_COMMAND && cmd->each))
		return true;
	for (size_t i = first; i < st->n_words; i++) {
		if (*st->words[i].text != '$')
			continue;
		if (!words) {
			words = ARENA_ARRAY(a, struct word, st->n_words);
			memcpy(words, st->words, st->n_words * sizeof(*words));
			st->words = words;
		}
		if (!fill_word(t, a, &words[i], err))
			return false;
	}
	return true;
}
