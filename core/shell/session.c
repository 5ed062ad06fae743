/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: lines and files of commands, aliases, the current task, the exit status. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/shell/common_record.h"
#include "core/shell/output.h"
#include "core/shell/run.h"

#define SOURCE_DEPTH_MAX 16
#define ALIAS_EXPANSIONS_MAX 64

/* As in crash. One whose command does not exist is not offered. */
static const struct {
	const char *name, *text;
} builtin_aliases[] = {
	{ "dmesg", "log" },        { "lsmod", "mod" },         { "hex", "set radix 16" },
	{ "dec", "set radix 10" }, { "sf", "set scroll off" }, { "sn", "set scroll on" },
	{ "px", "p -x" },          { "pd", "p -d" },           { "last", "ps -l" },
	{ "for", "foreach" },
};

void session_json(struct session *s, bool json)
{
	if (s->sink.ops)
		s->sink.ops->release(&s->sink);
	s->sink.ops = json ? &render_json : &render_text;
}

void session_radix(struct session *s, unsigned radix)
{
	s->radix = s->sink.style.radix = radix;
}

void session_depth(struct session *s, unsigned depth)
{
	s->sink.style.depth = depth;
}

void session_init(struct session *s, struct target *t, struct output *out)
{
	memset(s, 0, sizeof(*s));
	s->t = t;
	s->out = out;
	s->sink.t = t;
	s->sink.self = out;
	s->sink.write = output_write;
	session_json(s, false);
	session_radix(s, 10);
	for (size_t i = 0; i < ARRAY_SIZE(builtin_aliases); i++) {
		char word[32];
		size_t n = strcspn(builtin_aliases[i].text, " ");

		memcpy(word, builtin_aliases[i].text, n);
		word[n] = '\0';
		if (command_find(word))
			*vec_push(&s->aliases) = (struct alias){ builtin_aliases[i].name,
								 builtin_aliases[i].text, true };
	}
}

void session_release(struct session *s)
{
	s->sink.ops->release(&s->sink);
	notes_release(&s->notes);
	vec_release(&s->aliases);
	arena_release(&s->arena);
}

const struct alias *session_alias_find(const struct session *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->aliases.n; i++)
		if (!strncmp(s->aliases.p[i].name, name, n) && !s->aliases.p[i].name[n])
			return &s->aliases.p[i];
	return NULL;
}

bool session_alias(struct session *s, const char *name, const char *text)
{
	struct alias *found = (struct alias *)session_alias_find(s, name, strlen(name));

	if (!text) {
		if (!found)
			return false;
		*found = s->aliases.p[--s->aliases.n];
		return true;
	}
	if (!found) {
		found = vec_push(&s->aliases);
		found->name = arena_strdup(&s->arena, name);
	}
	found->text = arena_strdup(&s->arena, text);
	found->builtin = false;
	return true;
}

/* What one failure alone would end the program with. */
static enum exit_status failure_status(const struct session *s, enum err_code code)
{
	if (code == ERR_USAGE)
		return EXIT_USAGE;
	return code == ERR_NEED && !s->t->inputs.n ? EXIT_NOINPUT : EXIT_FAILED;
}

void session_fail(struct session *s, const char *subject, const struct err *err)
{
	enum exit_status status = failure_status(s, err->code);

	if (err->code == ERR_INTR)
		return;
	s->any_usage |= status == EXIT_USAGE;
	s->any_failed |= status != EXIT_USAGE;
	s->any_unmet |= err->code == ERR_NEED;
	output_diagnose(s->out, "%s%s%s%s%s", s->where ? s->where : "", s->where ? ": " : "",
			subject ? subject : "", subject ? ": " : "", err->msg);
	emit_error(s, subject, err, status);
}

/* One warning: a note in JSON, a line on stderr for people. */
static void warn(const struct err *why, void *arg)
{
	struct session *s = arg;

	if (!s->sink.ops->for_people)
		s->sink.ops->note(&s->sink, why);
	else
		output_diagnose(s->out, "warning: %s", why->msg);
}

void session_warn_lost(struct session *s)
{
	struct mapping_loss loss;

	while (mapping_next_loss(&loss)) {
		struct err err;

		err_set(&err, ERR_UNREADABLE,
			"'%.80s' %s after it was opened: %" PRIu64 " of its %" PRIu64
			" bytes are lost, and what they would say is missing or wrong",
			loss.path, loss.shrunk ? "became shorter" : "could not be read any more",
			loss.bytes, loss.size);
		s->any_damaged = true;
		warn(&err, s);
	}
}

void session_warn(struct session *s)
{
	const struct dump *d = &s->t->dump;
	struct notes all = { 0 };
	struct err err;

	for (; s->warned < s->t->warnings.n; s->warned++) {
		const struct warning *w = &s->t->warnings.p[s->warned];

		err_set(&err, w->code, "%s", w->text);
		s->any_damaged |= err_is_partial(w->code);
		if (notes_pass(&all, &err))
			warn(&err, s);
		s->told_cut |= w->code == ERR_TRUNCATED;
	}
	notes_tell(&all, warn, s);
	if (d->truncated && !s->told_cut) {
		err_set(&err, ERR_TRUNCATED,
			"the dump is cut off: %" PRIu64 " of %" PRIu64 " pages are missing",
			d->missing_pages, d->missing_pages + d->present_pages);
		s->told_cut = s->any_damaged = true;
		warn(&err, s);
	}
	session_warn_lost(s);
}

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

static bool run_line(struct session *s, struct arena *a, const char *line)
{
	unsigned expansions = 0;
	bool on = true;

	while (on && *line && !s->quit && !s->out->gone) {
		struct err err = { 0 };
		struct job job;

		line = expand_aliases(s, a, line, &expansions);
		if (!line)
			err_set(&err, ERR_USAGE, "an alias stands for itself without end");
		if (!line || !parse_job_with(a, line, &job_hooks, &job, &line, &err)) {
			session_fail(s, NULL, &err);
			return true;
		}
		on = job_run(s, a, &job);
		session_warn(s);
		arena_reset(s->t->scratch);
	}
	return on;
}

bool session_run(struct session *s, const char *line)
{
	const char *outer = s->line;
	struct arena a = { 0 };
	bool on;

	if (!s->depth)
		interrupted = 0;
	s->any_line = true;
	s->line = line;
	on = run_line(s, &a, line);
	s->line = outer;
	output_flush(s->out);
	arena_release(&a);
	return on;
}

/* Lines of an open file; each failure names its line. */
static void source_lines(struct session *s, FILE *f, const char *path)
{
	const char *outer = s->where;
	struct buf where = { 0 };
	char *line = NULL;
	size_t cap = 0;
	unsigned number = 0;
	ssize_t n;

	while (!s->quit && !s->out->gone && (n = getline(&line, &cap, f)) >= 0) {
		if (n && line[n - 1] == '\n')
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
}

bool session_source_stream(struct session *s, FILE *f, const char *path, struct err *err)
{
	if (s->depth >= SOURCE_DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "'%.100s': files run each other more than %d deep",
			       path, SOURCE_DEPTH_MAX);
	s->depth++;
	s->stdin_busy |= f == stdin;
	if (s->depth == 1)
		interrupted = 0;
	source_lines(s, f, f == stdin ? NULL : path);
	s->depth--;
	return !ferror(f) || err_set_errno(err, "cannot read '%.100s'", path);
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

const char *const session_variables[] = { "depth", "json", "radix", "scroll", NULL };

int session_status(const struct session *s)
{
	if (s->any_usage)
		return EXIT_USAGE;
	if (s->any_failed)
		return s->any_unmet && !s->t->inputs.n ? EXIT_NOINPUT : EXIT_FAILED;
	if (s->any_damaged)
		return EXIT_DAMAGED;
	return s->no_report ? EXIT_NOREPORT : EXIT_ANSWERED;
}

bool session_task(struct session *s, const struct task **ret, struct err *err)
{
	const char *how;
	struct err ignored;

	if (s->task)
		return task_by_addr(s->t, s->task, ret, err);
	return task_panic(s->t, ret, &how, &ignored) || task_on_cpu(s->t, 0, ret, err);
}
