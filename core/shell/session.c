/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: aliases, what is told of failures and damage, the current task, the exit status. */
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
#include "core/shell/session.h"

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
	s->sink.head = output_head;
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

void session_block_drop(struct session *s)
{
	if (!s->block)
		return;
	vec_release(&s->block->lines);
	arena_release(&s->block->a);
	free(s->block);
	s->block = NULL;
}

void session_release(struct session *s)
{
	s->sink.ops->release(&s->sink);
	notes_release(&s->notes);
	vec_release(&s->aliases);
	vec_release(&s->own);
	session_block_drop(s);
	buf_release(&s->remark);
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
	output_diagnose_as(s->out, MEANING_ERROR, "%s%s%s%s%s", s->where ? s->where : "",
			   s->where ? ": " : "", subject ? subject : "", subject ? ": " : "",
			   err->msg);
	emit_error(s, subject, err, status);
}

/* One warning: a note in JSON, a line on stderr for people. */
static void warn(const struct err *why, void *arg)
{
	struct session *s = arg;

	if (!s->sink.ops->for_people)
		s->sink.ops->note(&s->sink, why);
	else
		output_diagnose_as(s->out, MEANING_WARNING, "warning: %s", why->msg);
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

const char *const session_variables[] = { "ascii", "color", "depth",  "jobs", "json",
					  "links", "radix", "scroll", NULL };

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
