/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of one's own: their table, and what a call gives them. */
#include "core/shell/own.h"

#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/linux/task/expr_hooks.h"
#include "core/shell/output.h"
#include "core/shell/variable.h"
#include "core/types/expr.h"

#define PARAMS_MAX 16u
#define NAME_MAX 64u
#define OWN_MAX 1000u

/* ---- what the grammar asks */

/* A command that takes values. One that takes none is a mistake to be told of, unless the system
 * has a program of that name. */
static bool is_stage(const char *word, void *arg)
{
	const struct command *cmd = command_find(word);

	if (arg && own_find(arg, word))
		return true;
	return cmd && ((cmd->in && cmd->each) || !program_exists(word));
}

static bool is_expression(const char *word, void *arg)
{
	const struct command *cmd = command_find(word);

	(void)arg;
	return *word == '$' || (cmd && cmd->expression);
}

struct parse_hooks own_hooks(struct session *s, const char *until)
{
	return (struct parse_hooks){
		.is_stage = is_stage, .is_expression = is_expression, .until = until, .arg = s
	};
}

/* ---- the table */

const struct own_command *own_find(const struct session *s, const char *name)
{
	for (size_t i = 0; i < s->own.n; i++)
		if (!strcmp(s->own.p[i]->name, name))
			return s->own.p[i];
	return NULL;
}

bool own_remove(struct session *s, const char *name)
{
	for (size_t i = 0; i < s->own.n; i++)
		if (!strcmp(s->own.p[i]->name, name)) {
			memmove(&s->own.p[i], &s->own.p[i + 1],
				(s->own.n - i - 1) * sizeof(*s->own.p));
			s->own.n--;
			return true;
		}
	return false;
}

static bool is_word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-')
		n++;
	return isalpha((unsigned char)*s) && !s[n] && n < NAME_MAX;
}

static bool name_is_free(const struct session *s, const char *name, struct err *err)
{
	if (!is_word(name))
		return err_set(err, ERR_USAGE,
			       "'%.60s' is no name for a command: letters, digits, '_' and '-' are",
			       name);
	if (command_find(name) || !strcmp(name, "else") || !strcmp(name, "end"))
		return err_set(err, ERR_USAGE, "'%s' is a command of obit's", name);
	if (session_alias_find(s, name, strlen(name)))
		return err_set(err, ERR_USAGE, "'%s' is an alias; 'alias -r %s' removes it", name,
			       name);
	return true;
}

static const char *copied(struct arena *a, const char *s)
{
	return s ? arena_strdup(a, s) : NULL;
}

static const char *const *copied_list(struct arena *a, const char *const *v, size_t n)
{
	const char **copy = ARENA_ARRAY(a, const char *, n + 1);

	for (size_t i = 0; i < n; i++)
		copy[i] = arena_strdup(a, v[i]);
	return copy;
}

bool own_add(struct session *s, const struct own_command *cmd, struct err *err)
{
	struct own_command *copy;
	size_t at = 0;

	if (!name_is_free(s, cmd->name, err))
		return false;
	if (s->own.n >= OWN_MAX && !own_find(s, cmd->name))
		return err_set(err, ERR_LIMIT, "there are %u commands of your own", OWN_MAX);
	copy = ARENA_NEW(&s->arena, struct own_command);
	*copy = *cmd;
	copy->name = arena_strdup(&s->arena, cmd->name);
	copy->summary = copied(&s->arena, cmd->summary);
	copy->where = copied(&s->arena, cmd->where);
	copy->params = copied_list(&s->arena, cmd->params, cmd->n_params);
	copy->lines = copied_list(&s->arena, cmd->lines, cmd->n_lines);
	(void)own_remove(s, cmd->name);
	(void)vec_push(&s->own);
	while (at + 1 < s->own.n && strcmp(s->own.p[at]->name, copy->name) < 0)
		at++;
	memmove(&s->own.p[at + 1], &s->own.p[at], (s->own.n - at - 1) * sizeof(*s->own.p));
	s->own.p[at] = copy;
	return true;
}

/* ---- definitions */

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

static bool read_params(struct arena *a, const char **s, struct own_command *ret, struct err *err)
{
	const char **names = ARENA_ARRAY(a, const char *, PARAMS_MAX);

	ret->params = names;
	for (*s = skip_blanks(*s + 1); **s != ')';) {
		size_t n = 0;

		/* small letters, as a shell's own variables have none */
		while (islower((unsigned char)(*s)[n]) || isdigit((unsigned char)(*s)[n]) ||
		       (*s)[n] == '_')
			n++;
		if (!n || n >= NAME_MAX || !islower((unsigned char)**s) ||
		    (n == 2 && !strncmp(*s, "it", n)))
			return err_set(err, ERR_USAGE,
				       "a parameter's name in small letters is wanted, as in "
				       "'define %.40s(n) ...', not '%.40s'",
				       ret->name, *s);
		if (ret->n_params == PARAMS_MAX)
			return err_set(err, ERR_LIMIT, "a command has at most %u parameters",
				       PARAMS_MAX);
		names[ret->n_params] = arena_printf(a, "$%.*s", (int)n, *s);
		for (size_t i = 0; i < ret->n_params; i++)
			if (!strcmp(names[i], names[ret->n_params]))
				return err_set(err, ERR_USAGE, "two parameters are called '%s'",
					       names[i] + 1);
		ret->n_params++;
		*s = skip_blanks(*s + n);
		if (**s == ',')
			*s = skip_blanks(*s + 1);
		else if (**s != ')')
			return err_set(err, ERR_USAGE, "',' or ')' is wanted, not '%.40s'", *s);
	}
	++*s;
	return true;
}

bool own_read_head(struct arena *a, const char *text, struct own_command *ret, const char **line,
		   struct err *err)
{
	size_t n;

	memset(ret, 0, sizeof(*ret));
	text = skip_blanks(text);
	n = strcspn(text, " \t\r(");
	ret->name = arena_strndup(a, text, n);
	text += n;
	if (*skip_blanks(text) == '(') /* no line begins so */
		text = skip_blanks(text);
	if (*text == '(' && !read_params(a, &text, ret, err))
		return false;
	if (*text && text == skip_blanks(text))
		return err_set(err, ERR_USAGE, "a blank is wanted in front of '%.40s'", text);
	*line = skip_blanks(text);
	return true;
}

/* ---- calls */

static void add_usage(struct buf *b, const struct own_command *cmd)
{
	buf_str(b, cmd->name);
	for (size_t i = 0; i < cmd->n_params; i++)
		buf_printf(b, " %s", cmd->params[i] + 1);
}

/* Does the text name a parameter of the command that runs? */
static bool names_param(struct target *t, struct arena *a, const char *text)
{
	for (; (text = strchr(text, '$')); text += variable_name_len(text))
		if (expr_param_find(t, arena_strndup(a, text, variable_name_len(text))))
			return true;
	return false;
}

/* What one operand stands for. A parameter of the caller is handed on as it is. What '$' names may
 * be another value by the time that the operand is used, and a parameter is not known there, so
 * expressions over such are evaluated now. One that cannot be is about the values of a stage, or no
 * expression. */
static bool bind_one(struct target *t, struct arena *a, const struct word *w,
		     struct expr_param *ret, struct err *err)
{
	const struct expr_param *outer = w->literal ? NULL : expr_param_find(t, w->text);
	const char *name = ret->name;
	struct value v;

	if (outer) {
		*ret = *outer;
		ret->name = name;
		return true;
	}
	ret->text = w->text;
	ret->quoted = w->literal;
	if (w->literal || !strchr(w->text, '$'))
		return true;
	if (!expr_eval(t, w->text, &expr_percpu, &v, err))
		return !names_param(t, a, w->text);
	v = expr_value_kept(t, a, v);
	if (v.kind == VALUE_NONE)
		return !names_param(t, a, w->text) ||
		       err_set(err, ERR_LIMIT, "the value is too large, or a row of this line");
	ret->value = memcpy(ARENA_NEW(a, struct value), &v, sizeof(v));
	return variable_word(t, a, v, &ret->text, &ret->quoted, err);
}

bool own_bind(struct session *s, struct arena *a, const struct own_command *cmd,
	      const struct stage *stage, struct own_call *ret, struct err *err)
{
	struct expr_param *v = ARENA_ARRAY(a, struct expr_param, cmd->n_params + 1);

	if (stage->n_words - 1 != cmd->n_params) {
		struct buf b = { 0 };

		add_usage(&b, cmd);
		err_set(err, ERR_USAGE, "'%.200s' takes %zu operands, not %zu", buf_text(&b),
			cmd->n_params, stage->n_words - 1);
		buf_release(&b);
		return false;
	}
	for (size_t i = 0; i < cmd->n_params; i++) {
		v[i].name = cmd->params[i];
		if (!bind_one(s->t, a, &stage->words[i + 1], &v[i], err))
			return err_wrap(err, "'%.60s'", cmd->params[i] + 1);
	}
	*ret = (struct own_call){ cmd, { v, cmd->n_params } };
	return true;
}

bool own_is_pipeline(struct session *s, struct arena *a, const struct own_command *cmd,
		     struct job *ret)
{
	const struct parse_hooks hooks = own_hooks(s, NULL);
	const char *rest, *first;
	struct err ignored;

	if (cmd->n_lines != 1 || !parse_job_with(a, cmd->lines[0], &hooks, ret, &rest, &ignored) ||
	    *skip_blanks(rest) || ret->shell || ret->in || ret->out || !ret->n_stages)
		return false;
	first = ret->stages[0].words[0].text;
	return strcmp(first, "if") != 0 && *first != '$';
}

/* ---- help */

static const char *summary_of(const struct own_command *cmd)
{
	return cmd->summary ? cmd->summary : cmd->lines[0];
}

void own_page(struct buf *b, const struct own_command *cmd)
{
	buf_printf(b, "NAME\n  %s - %s\n\nSYNOPSIS\n  ", cmd->name, summary_of(cmd));
	add_usage(b, cmd);
	buf_str(b, "\n\nDEFINED\n");
	if (cmd->where)
		buf_printf(b, "  in %s\n", cmd->where);
	for (size_t i = 0; i < cmd->n_lines; i++)
		buf_printf(b, "  %s\n", cmd->lines[i]);
}

void own_list(struct buf *b, const struct session *s)
{
	for (size_t i = 0; i < s->own.n; i++)
		buf_printf(b, "%s  %-*s %s\n", i ? "" : "\nyour own\n", (int)command_name_width(),
			   s->own.p[i]->name, summary_of(s->own.p[i]));
}
