/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of commands, and files of such lines: aliases are replaced, and each job runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/shell/output.h"
#include "core/shell/run.h"
#include "core/shell/session_run.h"

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
		if (!line || !parse_job_with(a, line, &job_hooks, &job, &line, &err) ||
		    !job_allowed(s, &job, &err)) {
			session_fail(s, NULL, &err);
			return true;
		}
		if (!job.n_stages && !job.shell && job.in)
			on = source_job(s, job.in);
		else
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
	if (!outer) {
		progress_begin(&s->out->progress);
		progress_tell(&s->out->progress, line, 0, 0);
		s->t->progress.tell = s->out->progress.on ? progress_tell : NULL;
		s->t->progress.arg = &s->out->progress;
	}
	on = run_line(s, &a, line);
	s->line = outer;
	output_flush(s->out);
	if (!outer)
		progress_end(&s->out->progress);
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
