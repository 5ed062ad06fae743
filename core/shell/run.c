/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One command line: what its words mean, whether its stages fit, where its output goes. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/shell/common_record.h"
#include "core/shell/manual/foreign.h"
#include "core/shell/option.h"
#include "core/shell/output.h"
#include "core/shell/own.h"
#include "core/shell/run.h"
#include "core/shell/setting.h"
#include "core/shell/variable.h"

#define STAGES_MAX 16
#define NESTED_MAX 16u /* of lines that commands run */

/* A pipeline that is ready to run. */
struct pipeline {
	struct ctx ctxs[STAGES_MAX];
	size_t n;
	const struct command *help;         /* --help: print this command's page instead */
	const struct own_command *own_help; /* the same */
	const struct own_call *own;         /* the only stage: lines of a command of one's own */
};

bool job_allowed(const struct session *s, const struct job *job, struct err *err)
{
	if (!s->confined || (!job->shell && !job->in && !job->out))
		return true;
	if (job->shell)
		return err_set(err, ERR_USAGE,
			       "'%.60s' is the shell's, and there is none here: '|' leads to "
			       "commands that take values",
			       job->shell);
	return err_set(err, ERR_USAGE, "'%.100s': no file is read or written from here",
		       job->in ? job->in : job->out);
}

/* Length of the identifier that a word like "task_struct.pid" or "jiffies[1]" starts with. */
static size_t identifier_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '@')
		n++;
	return n;
}

/* What a word means that names no command, as in crash: a symbol is printed, a type is shown; when
 * it is both, an operand behind it means the type. */
static const struct command *unknown_word(struct target *t, const char *word, bool operands)
{
	char name[128];
	const char *s = word + strspn(word, "*&");
	size_t n = identifier_len(s);
	const struct type *type = NULL;
	struct symbol sym;
	struct err err;
	bool is_symbol;

	if (*s == '$' && variable_name_len(s))
		return command_find("p");
	if (!n || n >= sizeof(name) || isdigit((unsigned char)*s))
		return NULL;
	memcpy(name, s, n);
	name[n] = '\0';
	is_symbol = symbols_available(t) && symbol_find(t, name, &sym, &err);
	if (is_symbol && !(operands && *word != '&'))
		return command_find("p");
	if (types_available(t) && *word != '&' && type_find(t, name, &type, &err)) {
		if (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION)
			return command_find("struct");
		if (!s[n])
			return command_find("whatis");
	}
	return is_symbol ? command_find("p") : NULL;
}

static bool not_found(const char *word, struct err *err)
{
	struct buf b = { 0 };

	foreign_hint(&b, word);
	if (!b.n)
		command_near(&b, word);
	err_set(err, ERR_NOTFOUND, "command not found: '%.60s'%s", word,
		b.n ? b.s : "; 'help' lists them");
	buf_release(&b);
	return false;
}

/* "p/x", "x/4xg" as gdb has them: the command, and "/x" as its first operand. */
static void split_format(struct arena *a, struct stage *st)
{
	const struct word *first = &st->words[0];
	const char *slash = strchr(first->text, '/');
	const struct command *cmd;
	struct word *words;
	size_t n;

	if (!slash || slash == first->text || first->literal)
		return;
	n = (size_t)(slash - first->text);
	cmd = command_find(arena_strndup(a, first->text, n));
	if (!cmd || !cmd->formats)
		return;
	words = ARENA_ARRAY(a, struct word, st->n_words + 1);
	memcpy(words + 1, st->words, st->n_words * sizeof(*words));
	words[0] = (struct word){ cmd->name, first->start, first->start + n, false };
	words[1] = (struct word){ slash, first->start + n, first->end, false };
	st->words = words;
	st->n_words++;
}

/* The command that a stage names, or that its first word stands for. *first is the word its
 * operands start at; *st loses its verb. */
static bool find_command(struct session *s, struct arena *a, struct stage *st,
			 const struct command **cmd, size_t *first, struct err *err)
{
	const char *word = st->words[0].text;

	split_format(a, st);
	*cmd = stage_command(a, st, st);
	*first = 1;
	if (*cmd)
		return true;
	*first = *word == '*' && word[1] == '\0' && st->n_words > 1;
	*cmd = unknown_word(s->t, st->words[*first].text, st->n_words > *first + 1);
	if (*cmd && !strcmp((*cmd)->name, "p"))
		*first = 0;
	return *cmd || not_found(word, err);
}

/* A pointer shorthand "*task_struct" names the type behind the star. */
static struct stage without_star(struct arena *a, const struct stage *st, size_t word)
{
	struct stage copy = *st;
	struct word *words = ARENA_ARRAY(a, struct word, st->n_words);

	memcpy(words, st->words, st->n_words * sizeof(*words));
	while (*words[word].text == '*') {
		words[word].text++;
		words[word].start++;
	}
	copy.words = words;
	return copy;
}

/* *subject becomes its command, or NULL when it names none. */
static bool prepare_stage(struct session *s, struct arena *a, const struct stage *st,
			  struct pipeline *p, const char **subject, struct err *err)
{
	const struct command *cmd;
	struct parsed parsed;
	struct stage copy = *st;
	struct ctx *c;
	size_t first;

	*subject = NULL;
	if (p->n == STAGES_MAX)
		return err_set(err, ERR_LIMIT, "a pipeline has at most %d stages", STAGES_MAX);
	if (!find_command(s, a, &copy, &cmd, &first, err))
		return false;
	c = &p->ctxs[p->n++];
	*c = (struct ctx){ .t = s->t,
			   .s = s,
			   .cmd = cmd,
			   .arena = s->t->scratch,
			   .has_dump_text = s->has_dump_text };
	c->params = expr_params_swap(s->t, NULL);
	expr_params_swap(s->t, c->params);
	*subject = cmd->name;
	if (st->words[0].text[0] == '*' && strcmp(cmd->name, "p"))
		copy = without_star(a, &copy, first);
	if (!variable_words(s->t, a, cmd, &copy, first, err) ||
	    !options_parse(a, cmd, &copy, first, &parsed, err))
		return false;
	if (s->confined && !options_check_files(cmd, &parsed, err))
		return false;
	if (parsed.help)
		p->help = cmd;
	c->opts = parsed.opts;
	c->argc = parsed.argc;
	c->argv = parsed.argv;
	c->met = ARENA_ARRAY(a, bool, (size_t)parsed.argc + 1);
	c->rest = parsed.rest;
	return true;
}

static bool prepare_stages(struct session *s, struct arena *a, const struct stage *stages, size_t n,
			   unsigned depth, struct pipeline *p, const char **subject,
			   struct err *err);

/* A command of one's own: its stages stand in the place of this one, or its lines alone. */
static bool prepare_own(struct session *s, struct arena *a, const struct stage *st, bool alone,
			unsigned depth, struct pipeline *p, struct err *err)
{
	const struct own_command *own = own_find(s, st->words[0].text);
	struct own_call *call = ARENA_NEW(a, struct own_call);
	const struct expr_params *outer;
	const char *subject = NULL;
	struct job job;
	bool ok, had_text = s->has_dump_text;

	if (st->n_words > 1 && !st->words[1].literal && !strcmp(st->words[1].text, "--help")) {
		p->own_help = own;
		return true;
	}
	if (depth >= OWN_DEPTH_MAX)
		return err_set(err, ERR_LIMIT,
			       "commands of your own run each other more than %d deep",
			       OWN_DEPTH_MAX);
	if (!own_bind(s, a, own, st, call, err))
		return err_wrap(err, "%s", own->name);
	if (!own_is_pipeline(s, a, own, &job)) {
		p->own = call;
		return alone ||
		       err_set(err, ERR_USAGE,
			       "'%s' is more than one pipeline, and so no stage of one", own->name);
	}
	outer = expr_params_swap(s->t, &call->params);
	s->has_dump_text = false; /* a person wrote the lines of the command */
	ok = prepare_stages(s, a, job.stages, job.n_stages, depth + 1, p, &subject, err);
	expr_params_swap(s->t, outer);
	s->has_dump_text = had_text;
	if (!ok && subject)
		err_wrap(err, "%s", subject);
	if (!ok && !depth)
		err_wrap(err, "%s", own->name);
	return ok;
}

static bool prepare_stages(struct session *s, struct arena *a, const struct stage *stages, size_t n,
			   unsigned depth, struct pipeline *p, const char **subject,
			   struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		bool alone = n == 1 && !p->n;

		*subject = NULL;
		if (own_find(s, stages[i].words[0].text) && !stages[i].words[0].literal
			    ? !prepare_own(s, a, &stages[i], alone, depth, p, err)
			    : !prepare_stage(s, a, &stages[i], p, subject, err))
			return false;
		if (p->help || p->own_help || p->own)
			return true;
	}
	return true;
}

/* A type as commands name theirs; a pointer stands for what it points to. */
static const char *flow_name(struct arena *a, const struct type *type)
{
	struct buf b = { .max = 200 };
	const char *name;

	type = type_strip(type);
	if (type->kind == TYPE_POINTER)
		type = type_strip(type_target(type));
	type_declare(&b, type, NULL);
	name = arena_strdup(a, buf_text(&b));
	buf_release(&b);
	return name;
}

/* What a stage yields: as its words say, as its row says, or what came. */
static bool stage_types(struct ctx *c, const char **out, struct err *err)
{
	const struct command *cmd = c->cmd;
	struct err ignored;

	if (cmd->types) {
		if (!cmd->types(c, err))
			return false;
	} else if (cmd->out && strcmp(cmd->out, "any")) {
		if (c->next && c->next->cmd->in && !strcmp(c->next->cmd->in, "any") &&
		    !type_find(c->t, cmd->out, &c->out_type, &ignored))
			c->out_type = NULL;
	} else if (cmd->out) {
		c->out_type = c->in_type;
		c->out_name = c->in_name;
	}
	if (!cmd->out)
		*out = NULL;
	else if (strcmp(cmd->out, "any"))
		*out = cmd->out;
	else if (c->out_type)
		*out = flow_name(c->arena, c->out_type);
	return true;
}

/* Do the stages fit each other? A stage that yields "any" passes on the type that it takes.
 * *subject is the stage concerned. */
static bool check_types(struct pipeline *p, const char **subject, struct err *err)
{
	const char *out = "any";

	for (size_t i = 0; i < p->n; i++) {
		struct ctx *c = &p->ctxs[i], *before = i ? c - 1 : NULL;
		const struct command *to = c->cmd;
		const struct expr_params *outer;
		bool ok;

		*subject = NULL;
		if (before && !out)
			return err_set(err, ERR_MISMATCH,
				       "'%s' yields no values that '%s' could take",
				       before->cmd->name, to->name);
		if (before && (!to->in || !to->each))
			return err_set(err, ERR_MISMATCH,
				       "'%s' yields '%s', but '%s' takes nothing",
				       before->cmd->name, out, to->name);
		if (before && strcmp(to->in, "any") && strcmp(out, "any") && strcmp(to->in, out))
			return err_set(err, ERR_MISMATCH, "'%s' yields '%s', but '%s' takes '%s'",
				       before->cmd->name, out, to->name, to->in);
		if (before) {
			c->in_type = before->out_type;
			c->in_name = before->out_name;
		}
		*subject = to->name;
		if (!before && !to->run)
			return err_set(err, ERR_USAGE,
				       "it takes values from the stage before it, as in 'ps | %s'",
				       to->name);
		if (!command_needs(to, c->t, err))
			return false;
		outer = expr_params_swap(c->t, c->params);
		ok = stage_types(c, &out, err);
		expr_params_swap(c->t, outer);
		if (!ok)
			return false;
	}
	return true;
}

/* Finds commands, options and types of all stages; nothing has run yet. On failure *subject is the
 * command concerned. `extra` are more words for the first stage, or NULL. */
static bool prepare(struct session *s, struct arena *a, const struct job *job, const char *extra,
		    struct pipeline *p, const char **subject, struct err *err)
{
	struct stage *stages = ARENA_ARRAY(a, struct stage, job->n_stages);

	memset(p, 0, sizeof(*p));
	memcpy(stages, job->stages, job->n_stages * sizeof(*stages));
	if (extra &&
	    !parse_words(a, arena_printf(a, "%s %s", stages[0].raw, extra), &stages[0], err))
		return false;
	if (!prepare_stages(s, a, stages, job->n_stages, 0, p, subject, err))
		return false;
	if (p->help || p->own_help || p->own)
		return true;
	for (size_t i = 0; i + 1 < p->n; i++)
		p->ctxs[i].next = &p->ctxs[i + 1];
	return check_types(p, subject, err);
}

static void usage_hint(struct session *s, const struct command *cmd)
{
	struct buf b = { 0 };

	usage_add(&b, cmd);
	output_diagnose(s->out, "usage: %s", buf_text(&b));
	buf_release(&b);
}

/* A command that ended because nobody wanted more has done its work. */
static bool is_enough(const struct ctx *c, const struct err *err)
{
	return c->full && err->code == ERR_LIMIT;
}

/* Was something of what these commands are about not there to be read? */
static bool is_partial(const struct session *s, const struct pipeline *p, size_t warnings)
{
	bool ret = false;

	for (size_t i = 0; i < p->n; i++)
		ret |= p->ctxs[i].damaged;
	for (size_t i = warnings; i < s->t->warnings.n; i++)
		ret |= err_is_partial(s->t->warnings.p[i].code) &&
		       s->t->warnings.p[i].code != ERR_MISMATCH;
	return ret;
}

/* That there is none can be said only by who could read all there is. */
static void tell_not_found(struct ctx *c, const struct err *err)
{
	struct err why;

	err_set(&why, err->code, "%s: %s, of what can be read", c->cmd->name, err->msg);
	c->s->any_damaged = true;
	note(c, &why);
}

/* "There is none" and "it was not read" must not look alike, and nothing looks like both. A line
 * that another runs for each of many is silent about those for which there is nothing. */
static void tell_none(struct session *s, struct pipeline *p, uint64_t told)
{
	struct ctx *last = &p->ctxs[p->n - 1];

	if (!last->cmd->none || s->told != told || s->nested || interrupted)
		return;
	for (size_t i = 0; i < p->n; i++)
		last->damaged |= p->ctxs[i].damaged;
	emit_none(last, last->cmd->emits[0], last->cmd->none);
}

static void show_page(struct session *s, const struct pipeline *p)
{
	struct buf b = { 0 };

	if (p->own_help)
		own_page(&b, p->own_help);
	else
		command_page(&b, p->help);
	s->sink.ops->text(&s->sink, buf_text(&b));
	buf_release(&b);
}

/* Runs what was prepared; false when Ctrl-C, or a reader that left, stopped it. */
static bool run(struct session *s, struct pipeline *p)
{
	size_t warnings = s->t->warnings.n;
	uint64_t told = s->told;
	struct err err = { 0 };
	struct ctx *failed = NULL;
	const struct expr_params *outer;

	if (p->own)
		return s->run_own(s, p->own, true);
	if (p->help || p->own_help) {
		show_page(s, p);
		return true;
	}
	outer = expr_params_swap(s->t, p->ctxs[0].params);
	if (!p->ctxs[0].cmd->run(&p->ctxs[0], &err)) {
		if (is_enough(&p->ctxs[0], &err))
			err.code = ERR_OK;
		else
			failed = &p->ctxs[0];
	}
	for (size_t i = 1; i < p->n && err.code != ERR_INTR; i++) {
		struct ctx *c = &p->ctxs[i];
		struct err why = { 0 };

		expr_params_swap(s->t, c->params);
		if (!c->cmd->finish || c->cmd->finish(c, &why) || is_enough(c, &why))
			continue;
		if (!failed) {
			failed = c;
			err = why;
		}
	}
	expr_params_swap(s->t, outer);
	if (failed && err.code == ERR_NOTFOUND && is_partial(s, p, warnings)) {
		tell_not_found(failed, &err);
		failed = NULL;
	}
	if (!failed)
		tell_none(s, p, told);
	s->sink.ops->flush(&s->sink);
	for (size_t i = 0; i < p->n; i++) {
		s->any_failed |= p->ctxs[i].failed;
		s->any_damaged |= p->ctxs[i].damaged;
	}
	if (!failed)
		return !interrupted;
	session_fail(s, failed->cmd->name, &err);
	if (err.code == ERR_USAGE)
		usage_hint(s, failed->cmd);
	return err.code != ERR_INTR && !interrupted;
}

/* Prepares and runs, with more words of an argument file. */
static bool prepare_and_run(struct session *s, struct arena *a, const struct job *job,
			    const char *extra)
{
	struct pipeline *p = ARENA_NEW(a, struct pipeline);
	const char *subject = NULL;
	struct err err = { 0 };

	if (prepare(s, a, job, extra, p, &subject, &err))
		return run(s, p);
	session_fail(s, subject, &err);
	return true;
}

bool job_run_nested(struct session *s, struct arena *a, const char *line)
{
	const struct parse_hooks hooks = own_hooks(s, NULL);
	struct err err = { 0 };
	bool on = true;

	if (s->nested >= NESTED_MAX) {
		err_set(&err, ERR_LIMIT, "commands run each other more than %u deep", NESTED_MAX);
		session_fail(s, NULL, &err);
		s->too_deep = true;
	}
	while (on && *line && !s->too_deep) {
		struct job job;

		if (!parse_job_with(a, line, &hooks, &job, &line, &err) ||
		    !job_allowed(s, &job, &err)) {
			session_fail(s, NULL, &err);
			return true;
		}
		s->nested++;
		on = job_run_inner(s, a, &job);
		s->nested--;
	}
	return on && !s->too_deep;
}

bool job_run_inner(struct session *s, struct arena *a, const struct job *job)
{
	struct err err;

	if (!job->shell && !job->in && !job->out)
		return !job->n_stages || prepare_and_run(s, a, job, NULL);
	err_set(&err, ERR_USAGE,
		"'%.100s': what it prints goes elsewhere already, so no shell and no file is here",
		job->shell ? job->shell
		: job->in  ? job->in
			   : job->out);
	session_fail(s, NULL, &err);
	return true;
}

/* "cmd < file": once for each line of the file. */
static bool run_for_lines(struct session *s, const struct job *job)
{
	FILE *f = fopen(job->in, "re");
	struct arena a = { 0 };
	struct err err;
	char *line = NULL;
	size_t cap = 0;
	bool on = true;
	int why = 0;

	if (!f) {
		err_set_errno(&err, "cannot read '%s'", job->in);
		session_fail(s, NULL, &err);
		return true;
	}
	while (on && file_line(f, &line, &cap, &why) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!line[strspn(line, " \t")] || *line == '#')
			continue;
		on = prepare_and_run(s, &a, job, line);
		arena_reset(&a);
		arena_reset(s->t->scratch);
	}
	errno = why;
	if (on && why) {
		err_set_errno(&err, "cannot read '%s'", job->in);
		session_fail(s, NULL, &err);
	}
	free(line);
	fclose(f);
	arena_release(&a);
	return on;
}

/* Is path the same file as `out`, or a folder that has it? */
static bool reads(const char *path, const char *out, const struct stat *st)
{
	struct buf b = { 0 };
	struct stat other;
	const char *slash = strrchr(out, '/');
	bool same = !stat(path, &other);

	if (same && S_ISDIR(other.st_mode)) {
		buf_printf(&b, "%s/%s", path, slash ? slash + 1 : out);
		same = !stat(b.s, &other);
		buf_release(&b);
	}
	return same && S_ISREG(other.st_mode) && other.st_dev == st->st_dev &&
	       other.st_ino == st->st_ino;
}

/* A file that the line itself is going to read would be empty by then. */
static bool check_out(const struct job *job, const struct pipeline *p, struct err *err)
{
	struct stat st;
	bool read;

	if (stat(job->out, &st) || !st.st_size)
		return true;
	read = job->in && reads(job->in, job->out, &st);
	for (size_t i = 0; !job->in && i < p->n; i++)
		for (int k = 0; k < p->ctxs[i].argc && p->ctxs[i].cmd->completes & COMPLETE_FILE;
		     k++)
			read |= reads(p->ctxs[i].argv[k], job->out, &st);
	return !read || err_set(err, ERR_USAGE, "'%.100s' is read by the line that would write it",
				job->out);
}

static bool redirect(struct session *s, const struct job *job, const struct pipeline *p,
		     struct err *err)
{
	if (job->out && !check_out(job, p, err))
		return false;
	if ((job->out || job->shell) && s->color != COLOR_ALWAYS)
		s->sink.colour = s->sink.links = false;
	if (job->out)
		return output_to_file(s->out, job->out, job->append, err);
	if (job->shell)
		return output_to_shell(s->out, job->shell, err);
	if (s->pager && !output_redirected(s->out))
		output_to_pager(s->out, pager_choose(s->pager_command));
	return true;
}

/* The shell has said why on stderr, or need not. The status is as the shell's $? has it. */
static void fail_quietly(struct session *s, const char *command, int status)
{
	struct err err;

	err_set(&err, ERR_IO, "'%.150s' ended with status %d", command, status);
	emit_error(s, NULL, &err, EXIT_FAILED);
	s->any_failed = true;
}

static void show_count(const struct err *why, void *arg)
{
	struct session *s = arg;

	s->sink.ops->note(&s->sink, why);
}

/* The command line is known to be right: open what takes its output, run, close. */
static bool run_redirected(struct session *s, const struct job *job, struct pipeline *p)
{
	bool on, gone;
	struct err err;
	int status;

	if (!redirect(s, job, p, &err)) {
		session_fail(s, NULL, &err);
		setting_apply(s);
		return true;
	}
	on = job->in ? run_for_lines(s, job) : run(s, p);
	notes_tell(&s->notes, show_count, s);
	status = output_end(s->out, &gone);
	if (gone && s->out->error && !s->out->gone) { /* stdout's own is told at the end */
		errno = s->out->error;
		s->out->error = 0;
		err_set_errno(&err, "cannot write '%.100s'",
			      job->out     ? job->out
			      : job->shell ? job->shell
					   : "the pager");
		session_fail(s, NULL, &err);
	}
	/* a shell that could not run the command at all; grep's 1 is an answer */
	if (job->shell && (status == 126 || status == 127))
		fail_quietly(s, job->shell, status);
	setting_apply(s);
	if (gone && !s->out->gone) {
		/* head has seen enough, or the pager was left: no failure, and the next may run */
		interrupted = 0;
		return true;
	}
	return on;
}

bool job_run(struct session *s, struct arena *a, const struct job *job)
{
	const char *subject = NULL;
	struct pipeline *p = NULL;
	struct err err = { 0 };
	int status;

	if (!job->n_stages && job->shell) {
		output_flush(s->out);
		if (!shell_run(job->shell, s->stdin_busy, &status, &err))
			session_fail(s, NULL, &err);
		else if (status)
			fail_quietly(s, job->shell,
				     WIFEXITED(status) ? WEXITSTATUS(status)
						       : 128 + WTERMSIG(status));
		return !interrupted;
	}
	if (!job->n_stages)
		return true;
	p = ARENA_NEW(a, struct pipeline);
	/* all is checked before a file is truncated or a program started */
	if (!job->in && !prepare(s, a, job, NULL, p, &subject, &err)) {
		session_fail(s, subject, &err);
		if (err.code == ERR_USAGE && subject)
			usage_hint(s, command_find(subject));
		return true;
	}
	/* each of its lines has a pager and a shell of its own */
	if (p->own && !job->in && !job->out && !job->shell)
		return s->run_own(s, p->own, false);
	return run_redirected(s, job, p);
}
