/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any line through the grammar, the options of every command, addresses, completion.
 */
#include <stdlib.h>
#include <string.h>

#include "core/shell/prompt/complete.h"
#include "core/shell/option.h"
#include "core/shell/output.h"
#include "core/shell/own.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool drop(void *self, const char *s, size_t n)
{
	(void)self;
	(void)s;
	(void)n;
	return true;
}

/* What must hold for every line that is accepted. */
static void check_job(const struct job *job)
{
	for (size_t i = 0; i < job->n_stages; i++) {
		const struct stage *st = &job->stages[i];
		size_t n = strlen(st->raw), at = 0;

		if (!st->n_words)
			abort();
		for (size_t w = 0; w < st->n_words; w++) {
			if (st->words[w].start < at || st->words[w].end < st->words[w].start ||
			    st->words[w].end > n)
				abort();
			at = st->words[w].end;
		}
	}
}

static void try_options(struct arena *a, const struct job *job)
{
	struct parsed parsed;
	struct err err;

	for (size_t i = 0; i < job->n_stages; i++) {
		const struct command *cmd = command_find(job->stages[i].words[0].text);

		if (cmd && options_parse(a, cmd, &job->stages[i], 1, &parsed, &err) &&
		    (size_t)parsed.argc >= job->stages[i].n_words)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 }, scratch = { 0 };
	struct output out = { .fd = -1 };
	struct candidates found = { 0 };
	struct target t;
	struct session s;
	struct err err;
	uint64_t u;
	char *line;
	const char *rest;
	struct parse_hooks hooks;

	if (size > 65536)
		return 0;
	line = arena_strndup(&a, (const char *)data, size);
	size = strlen(line);
	target_init(&t, &scratch);
	session_init(&s, &t, &out);
	s.sink.write = drop;
	hooks = own_hooks(&s, size & 1 ? "else" : NULL);
	for (rest = line; *rest;) {
		const char *before = rest;
		struct job job;

		if (!parse_job_with(&a, rest, &hooks, &job, &rest, &err))
			break;
		if (rest <= before)
			abort();
		check_job(&job);
		try_options(&a, &job);
	}
	if (size < 256)
		(void)!parse_address(&t, line, &u, &err);
	for (size_t start = size; start > 0; start /= 2) {
		complete_line(&s, &a, line, start, size, &found);
		candidates_release(&found);
		memset(&found, 0, sizeof(found));
	}
	session_release(&s);
	target_release(&t);
	arena_release(&scratch);
	arena_release(&a);
	return 0;
}
