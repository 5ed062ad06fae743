/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of commands, and files of such lines: aliases are replaced, and each job runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/guard.h"
#include "core/linux/task/expr_hooks.h"
#include "core/shell/output.h"
#include "core/shell/own.h"
#include "core/shell/run.h"
#include "core/shell/session_run.h"
#include "core/shell/variable.h"
#include "core/types/expr.h"

#define SOURCE_DEPTH_MAX 16
#define ALIAS_EXPANSIONS_MAX 64

/* Replaces an alias at the start of the line until there is none; NULL when that has no end. */
static const char *expand_aliases(struct session *s, struct arena *a, const char *line,
				  unsigned *expansions)
{
	const struct alias *last = NULL;

	for (;;) {
		size_t n;
		const char *word = parse_first_word(line, &n);
		const struct alias *alias = n ? session_alias_find(s, word, n) : NULL;

		/* an alias may use the command that it hides: alias log "log -T" */
		if (!alias || alias == last)
			return line;
		if (++*expansions > ALIAS_EXPANSIONS_MAX)
			return NULL;
		line = arena_printf(a, "%s%s", alias->text, word + n);
		last = alias;
	}
}

/* A job of no stage that reads a file: a file of commands. */
static bool source_job(struct session *s, const char *path)
{
	struct err err;

	if (!session_source(s, path, &err))
		session_fail(s, NULL, &err);
	return !interrupted;
}

/* A line at work. */
struct line_run {
	struct session *s;
	struct arena *a;
	bool inner; /* its output goes where that of the line around it does */
	bool dry;   /* only its grammar is looked at */
	unsigned expansions, ifs;
	const char *rest; /* of the line */
	struct err err;   /* why it is not read any further */
	bool block;       /* its commands would stand on lines of their own, as gdb has them */
};

static bool run_job(struct line_run *r, const struct job *job)
{
	struct session *s = r->s;
	bool on;

	if (r->inner)
		return job_run_inner(s, r->a, job);
	if (!job->n_stages && !job->shell && job->in)
		on = source_job(s, job->in);
	else
		on = job_run(s, r->a, job);
	session_warn(s);
	arena_reset(s->t->scratch);
	return on;
}

/* "$x = EXPR", and gdb's "set $x = EXPR" and "set var $x = EXPR": the '$', or NULL. */
static const char *assignment(const struct job *job)
{
	const struct stage *st = job->stages;
	const char *text, *after;
	size_t i = 0;

	if (!job->n_stages || st->words[0].literal)
		return NULL;
	i += !strcmp(st->words[0].text, "set") && st->n_words > 2;
	i += i && st->n_words > 3 && !strncmp("variable", st->words[i].text, 3) &&
	     !strncmp("variable", st->words[i].text, strlen(st->words[i].text));
	text = st->raw + st->words[i].start;
	after = text + variable_name_len(text);
	after += strspn(after, " \t");
	return *text == '$' && *after == '=' && after[1] != '=' && after[1] != '~' ? text : NULL;
}

static bool assign(struct line_run *r, const struct job *job, const char *text, struct err *err)
{
	const char *name = arena_strndup(r->a, text, variable_name_len(text));
	struct value v;
	struct err why; /* what was looked for in vain on the way to a value stays here */

	if (job->n_stages > 1 || job->shell || job->in || job->out)
		return err_set(err, ERR_USAGE,
			       "'%s = ...' prints nothing: an expression goes in ( )", name);
	if (r->dry)
		return true;
	if (expr_eval(r->s->t, strchr(text, '=') + 1, &expr_percpu, &v, &why) &&
	    expr_variable_set(r->s->t, name, v, &why))
		return true;
	*err = why;
	return false;
}

static bool run_statement(struct line_run *r);

static bool takes_word(const char **s, const char *word)
{
	size_t n;
	const char *at = parse_first_word(*s, &n);

	if (n != strlen(word) || strncmp(at, word, n) != 0)
		return false;
	*s = at + n;
	return true;
}

/* Is it a definition, and none of the command's other words? Then *text is what follows. */
static bool is_definition(const char *line, const char **text)
{
	*text = line;
	if (!takes_word(text, "define"))
		return false;
	*text += strspn(*text, " \t");
	return **text && **text != '-' && **text != '#' && **text != ';' && **text != '|' &&
	       **text != '>';
}

static bool is_line_end(const char *s)
{
	return !s[strspn(s, " \t\r;")] || s[strspn(s, " \t\r;")] == '#';
}

/* Is it no command, but the rest of an expression that stood in no brackets? */
static bool is_operator(const char *s)
{
	if (*s == '<') /* which reads a file, too */
		return strchr("=<($-0123456789", s[1 + strspn(s + 1, " \t")]);
	return strchr("=>|+-/%^:~.,)", *s) || (*s == '!' && strchr("=~", s[1])) ||
	       (strchr("&*", *s) && strchr(" \t&", s[1]));
}

/* Is there nothing behind an if but an expression? Then its commands stand on lines of their own.
 * rest follows its first word. */
static bool is_block_head(struct arena *a, const char *rest)
{
	const char *word;
	struct err ignored;

	while (!is_line_end(rest)) {
		rest += strspn(rest, " \t\r");
		if (!*rest || !is_operator(rest))
			return false;
		rest += strspn(rest, "=<>|+-/%^:~.,)!&* \t\r");
		if (!is_line_end(rest) && !parse_first(a, rest, &word, &rest, &ignored))
			return false;
	}
	return true;
}

/* "if EXPR COMMAND [else COMMAND]", behind the if. */
static bool run_if(struct line_run *r)
{
	bool dry = r->dry, yes = false, on;
	const char *text, *at;
	struct value v;
	struct err why; /* as in assign() */

	if (++r->ifs > DEPTH_MAX)
		return err_set(&r->err, ERR_LIMIT, "more than %d times 'if'", DEPTH_MAX);
	if (!parse_first(r->a, r->rest, &text, &r->rest, &r->err))
		return false;
	at = r->rest + strspn(r->rest, " \t\r;");
	r->block = is_block_head(r->a, r->rest);
	if (is_line_end(at))
		return err_set(&r->err, ERR_USAGE, "'if %.60s' wants a command behind it", text);
	if (is_operator(at))
		return err_set(&r->err, ERR_USAGE,
			       "'if %.60s' is all of the expression: one with blanks goes in ( )",
			       text);
	if (!dry && (!expr_eval(r->s->t, text, &expr_percpu, &v, &why) ||
		     !expr_truth(r->s->t, v, &yes, &why))) {
		r->err = why;
		return err_wrap(&r->err, "if");
	}
	r->dry = dry || !yes;
	on = run_statement(r);
	if (on && !r->err.code && takes_word(&r->rest, "else")) {
		r->dry = dry || yes;
		on = run_statement(r);
	}
	r->dry = dry;
	return on;
}

/* One command of the line, or what is one. False: Ctrl-C stopped it, or the rest of the line is not
 * run, for r->err. */
static bool run_statement(struct line_run *r)
{
	struct session *s = r->s;
	struct parse_hooks hooks = own_hooks(s, r->ifs ? "else" : NULL);
	const char *line = expand_aliases(s, r->a, r->rest, &r->expansions), *text;
	struct job job;

	if (!line)
		return err_set(&r->err, ERR_USAGE, "an alias stands for itself without end");
	if (is_definition(line, &text))
		return err_set(&r->err, ERR_USAGE, "a definition is a line of its own");
	r->rest = line;
	if (takes_word(&r->rest, "if")) {
		text = r->rest;
		if (text[strspn(text, " \t")] && !takes_word(&text, "--help"))
			return run_if(r);
	}
	r->rest = line;
	if (takes_word(&r->rest, "while") && !own_find(s, "while")) {
		r->block = true;
		return err_set(&r->err, ERR_USAGE,
			       "there is no 'while': 'each' runs a command for each value");
	}
	r->rest = line;
	if (!parse_job_with(r->a, line, &hooks, &job, &r->rest, &r->err) ||
	    !job_allowed(s, &job, &r->err))
		return false;
	text = assignment(&job);
	if (text)
		return assign(r, &job, text, &r->err);
	return r->dry || run_job(r, &job);
}

/* Sets r->err when the line is not right; what ran before that stays. False: Ctrl-C. */
static bool run_statements(struct line_run *r, const char *line)
{
	struct session *s = r->s;
	bool on = true;

	for (r->rest = line; on && *r->rest && !s->quit && !s->out->gone; r->ifs = 0)
		on = run_statement(r);
	return on || r->err.code;
}

static struct own_block *block_begin(struct session *s)
{
	struct own_block *b = memset(xrealloc(NULL, sizeof(*b)), 0, sizeof(*b));

	b->cmd = ARENA_NEW(&b->a, struct own_command);
	s->block = b;
	return b;
}

/* The lines behind a head that is wrong are none to be run by themselves, and so belong to a block
 * that comes to nothing. Changes *err to say so. */
static void block_refuse(struct own_block *b, struct err *err)
{
	b->told = true;
	b->err = *err;
	err_set(err, err->code, "%.300s; no line up to its 'end' is run", b->err.msg);
}

static bool run_line(struct session *s, struct arena *a, const char *line, bool inner)
{
	struct line_run r = { .s = s, .a = a, .inner = inner };
	bool on = run_statements(&r, line);

	if (r.block && !s->confined && !s->nested && !s->own_depth)
		block_refuse(block_begin(s), &r.err);
	if (r.err.code)
		session_fail(s, NULL, &r.err);
	return on;
}

/* ---- commands of one's own */

/* Parameters are variables of the shell's as well, which takes no text of theirs for its own.
 * Returns what they were before; in the arena. */
static const char *const *export_params(const struct expr_params *params, struct arena *a)
{
	const char **before = ARENA_ARRAY(a, const char *, params->n + 1);

	for (size_t i = 0; i < params->n; i++) {
		const char *was = getenv(params->v[i].name + 1);

		before[i] = was ? arena_strdup(a, was) : NULL;
		setenv(params->v[i].name + 1, params->v[i].text, 1);
	}
	return before;
}

static void import_params(const struct expr_params *params, const char *const *before)
{
	for (size_t i = 0; i < params->n; i++)
		if (before[i])
			setenv(params->v[i].name + 1, before[i], 1);
		else
			unsetenv(params->v[i].name + 1);
}

/* May another one run? When they go too deep, or are too many, all of them end: a command that runs
 * itself twice would else do so for ever. */
static bool own_goes_on(struct session *s, const struct own_call *call)
{
	struct err err;

	if (!s->own_depth)
		s->own_calls = 0;
	if (s->own_calls > OWN_CALLS_MAX)
		return false;
	if (s->own_depth < OWN_DEPTH_MAX && ++s->own_calls <= OWN_CALLS_MAX)
		return true;
	s->own_calls = OWN_CALLS_MAX + 1;
	err_set(&err, ERR_LIMIT,
		"commands of your own run each other more than %d deep, or %u times in all",
		OWN_DEPTH_MAX, OWN_CALLS_MAX);
	session_fail(s, call->cmd->name, &err);
	return false;
}

static bool run_own(struct session *s, const struct own_call *call, bool inner)
{
	const struct own_command *cmd = call->cmd;
	const struct expr_params *outer;
	const char *where = s->where;
	struct arena a = { 0 }, around = { 0 };
	const char *const *before;
	bool on = true, had_text = s->has_dump_text;

	if (!own_goes_on(s, call))
		return true;
	s->has_dump_text = false; /* a person wrote the command's lines */
	s->own_depth++;
	s->where = cmd->name;
	before = export_params(&call->params, &around);
	outer = expr_params_swap(s->t, &call->params);
	for (size_t i = 0; on && i < cmd->n_lines && !s->quit && !s->out->gone; i++) {
		if (s->own_calls > OWN_CALLS_MAX)
			break;
		on = run_line(s, &a, cmd->lines[i], inner);
		arena_reset(&a);
	}
	expr_params_swap(s->t, outer);
	import_params(&call->params, before);
	s->where = where;
	s->has_dump_text = had_text;
	s->own_depth--;
	arena_release(&a);
	arena_release(&around);
	return on;
}

static const char *comment_text(const char *line)
{
	line += strspn(line, " \t");
	return *line == '#' ? line + strspn(line, "# \t") : NULL;
}

/* Is it a line that can be run? *block: its commands would be lines of their own. */
static bool line_check(struct session *s, const char *line, bool *block, struct err *err)
{
	struct arena a = { 0 };
	struct line_run r = { .s = s, .a = &a, .dry = true };

	(void)run_statements(&r, line);
	arena_release(&a);
	*block = r.block;
	*err = r.err;
	return !r.err.code;
}

/* Is the text behind "define", which may be wrong, no more than the head of a block? */
static bool is_head(const char *text)
{
	text += strcspn(text, " \t\r(");
	text += strspn(text, " \t\r");
	if (*text == '(') {
		text += strcspn(text, ")");
		text += *text == ')';
	}
	text += strspn(text, " \t\r");
	return !*text || *text == '#';
}

static void block_end(struct session *s)
{
	struct own_block *b = s->block;

	b->cmd->lines = b->lines.p;
	b->cmd->n_lines = b->lines.n;
	if (!b->err.code && !b->lines.n)
		err_set(&b->err, ERR_USAGE, "it has no lines");
	if (!b->told && (b->err.code || !own_add(s, b->cmd, &b->err)))
		session_fail(
			s, b->cmd->name ? arena_printf(&b->a, "define %.60s", b->cmd->name) : NULL,
			&b->err);
	session_block_drop(s);
}

void session_block_end(struct session *s)
{
	if (!s->block)
		return;
	if (!s->block->err.code || s->block->told)
		err_set(&s->block->err, ERR_USAGE, "'end' is missing behind its lines");
	s->block->told = false;
	block_end(s);
}

static void block_add(struct session *s, const char *line)
{
	struct own_block *b = s->block;
	const char *comment = comment_text(line), *word = line;
	struct err err;
	bool ok, block;

	if (takes_word(&word, "end") &&
	    (!word[strspn(word, " \t\r")] || word[strspn(word, " \t")] == '#')) {
		if (!b->opened)
			block_end(s);
		else
			b->opened--;
		return;
	}
	if (comment && !b->cmd->summary)
		b->cmd->summary = arena_strdup(&b->a, comment);
	if (comment || !line[strspn(line, " \t\r")])
		return;
	ok = line_check(s, line, &block, &err);
	if (block || (is_definition(line, &word) && is_head(word))) {
		b->opened++;
		ok &= err_set(&err, ERR_USAGE, "no block stands in another");
	}
	if (!ok)
		err_wrap(&err, "'%.60s'", line);
	else if (b->lines.n >= OWN_LINES_MAX)
		err_set(&err, ERR_LIMIT, "it has more than %u lines", OWN_LINES_MAX);
	else if (!b->err.code)
		*vec_push(&b->lines) = arena_strdup(&b->a, line + strspn(line, " \t"));
	if (!b->err.code)
		b->err = err;
}

/* "NAME(a, b) LINE", or the head of a block. */
static bool define(struct session *s, const char *text, struct err *err)
{
	struct own_block *b = block_begin(s);
	const char *line;
	bool ok, block;

	if (s->confined)
		ok = err_set(err, ERR_USAGE, "no command is defined from here");
	else
		ok = own_read_head(&b->a, text, b->cmd, &line, err);
	b->cmd->where = s->where ? arena_strdup(&b->a, s->where) : NULL;
	if (s->remarking)
		b->cmd->summary = arena_strdup(&b->a, buf_text(&s->remark));
	if (!s->confined && is_head(text)) {
		if (!ok)
			block_refuse(b, err);
		return ok;
	}
	if (ok) {
		b->cmd->lines = &line;
		b->cmd->n_lines = 1;
		ok = line_check(s, line, &block, err) && own_add(s, b->cmd, err);
	}
	session_block_drop(s);
	return ok;
}

/* A line that is no command, but a part of a definition, or one. */
static bool is_defining(struct session *s, const char *line)
{
	const char *text;
	struct err err;

	if (s->block) {
		block_add(s, line);
		return true;
	}
	if (!is_definition(line, &text))
		return false;
	if (!define(s, text, &err))
		session_fail(s, "define", &err);
	return true;
}

/* Keeps the first line of a comment, up to the line that it is about. */
static void remark(struct session *s, const char *line)
{
	const char *comment = comment_text(line);

	if (comment && !s->remarking) {
		buf_reset(&s->remark);
		buf_str(&s->remark, comment);
	}
	s->remarking = comment != NULL;
}

bool session_run(struct session *s, const char *line)
{
	const char *outer = s->line;
	struct arena a = { 0 };
	bool on;

	if (!s->depth)
		interrupted = 0;
	s->any_line = true;
	s->run_own = run_own;
	if (is_defining(s, line)) {
		s->remarking = false;
		return true;
	}
	remark(s, line);
	if (s->defining) {
		if (!s->remarking && line[strspn(line, " \t\r")]) {
			struct err err;

			err_set(&err, ERR_USAGE,
				"'%.60s' is no definition, and none but such is here", line);
			session_fail(s, NULL, &err);
		}
		return true;
	}
	s->line = line;
	if (!outer) {
		progress_begin(&s->out->progress);
		progress_tell(&s->out->progress, line, 0, 0);
		s->t->progress.tell = s->out->progress.on ? progress_tell : NULL;
		s->t->progress.arg = &s->out->progress;
	}
	on = run_line(s, &a, line, false);
	on |= s->too_deep && !interrupted; /* the next line is another matter */
	s->too_deep = false;
	s->line = outer;
	output_flush(s->out);
	if (!outer)
		progress_end(&s->out->progress);
	arena_release(&a);
	return on;
}

/* Lines of an open file; each failure names its line. Returns the errno of what kept from reading
 * all of them; 0: nothing did. */
static int source_lines(struct session *s, FILE *f, const char *path)
{
	const char *outer = s->where;
	struct buf where = { 0 };
	char *line = NULL;
	size_t cap = 0;
	unsigned number = 0;
	int why = 0;
	ssize_t n;

	while (!s->quit && !s->out->gone && (n = file_line(f, &line, &cap, &why)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		number++;
		if (path) {
			buf_reset(&where);
			buf_printf(&where, "%s:%u", path, number);
			s->where = where.s;
		}
		if (!session_run(s, line))
			break;
	}
	s->where = outer;
	buf_release(&where);
	free(line);
	return why;
}

bool session_source_stream(struct session *s, FILE *f, const char *path, struct err *err)
{
	int why;

	if (s->depth >= SOURCE_DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "'%.100s': files run each other more than %d deep",
			       path, SOURCE_DEPTH_MAX);
	s->depth++;
	s->stdin_busy |= f == stdin;
	if (s->depth == 1)
		interrupted = 0;
	s->remarking = false;
	why = source_lines(s, f, f == stdin ? NULL : path);
	session_block_end(s);
	s->depth--;
	errno = why;
	return !why || err_set_errno(err, "cannot read '%.100s'", path);
}

bool session_source(struct session *s, const char *path, struct err *err)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	bool ok;

	if (!f)
		return err_set_errno(err, "cannot read '%.100s'", path);
	ok = session_source_stream(s, f, path, err);
	if (f != stdin)
		fclose(f);
	return ok;
}
