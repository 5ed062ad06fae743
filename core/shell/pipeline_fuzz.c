/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any line of obit's own stages, parsed, checked and run over a ring of things. No
 * line runs a program, opens a file or names a command that would. */
#include <ctype.h>

#include "core/base/guard.h"
#include "core/shell/own.h"
#include "core/shell/pipeline_fake.h"
#include "core/shell/session_run.h"
#include "readers/symbol/btf_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINE_MAX 300

/* Commands that read no file and write none, whatever their operands. */
static const char *const harmless[] = { "walk",  "list", "tree", "p",     "print",  "struct",
					"union", "sym",  "pick", "where", "whatis", "order",
					"first", "last", "each", "group", "count",  "json" };

static bool is_harmless(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(harmless); i++)
		if (!strcmp(name, harmless[i]))
			return true;
	return false;
}

/* A million of anything is no defect, but not what is looked for: numbers of up to four digits, and
 * addresses of the things' memory. */
static bool number_is_small(const char *s, size_t n)
{
	return n <= 4 || (n > 12 && !strncasecmp(s, "0xffff80000000", 14));
}

/* Would the line, or one that a stage of it makes, stay within obit and end soon? */
static bool may_run(const char *line)
{
	for (const char *s = line; *s;) {
		char name[32];
		size_t n = 0;

		while (isalnum((unsigned char)s[n]) || s[n] == '_')
			n++;
		if (!n) {
			/* shifts and products make large numbers of small ones */
			if ((*s == '<' && s[1] == '<') ||
			    (*s == '*' && isdigit((unsigned char)s[1])))
				return false;
			s++;
			continue;
		}
		if (isdigit((unsigned char)*s) && !number_is_small(s, n))
			return false;
		if (n < sizeof(name)) {
			memcpy(name, s, n);
			name[n] = '\0';
			if (command_find(name) && !is_harmless(name))
				return false;
		}
		s += n;
	}
	return true;
}

/* Only stages of ours; nothing redirected. */
static bool is_inside(const struct job *job)
{
	if (job->shell || job->in || job->out || !job->n_stages)
		return false;
	for (size_t i = 0; i < job->n_stages; i++) {
		const struct command *cmd = command_find(job->stages[i].words[0].text);

		if (cmd && !is_harmless(cmd->name))
			return false;
	}
	return true;
}

/* "LINES\nLINES": what "own N" stands for, then what is run. Returns the latter. */
static const char *define(struct session *s, char *text)
{
	char *nl = strchr(text, '\n');
	const char *body = text;
	const struct own_command own = { .name = "own",
					 .params = (const char *const[]){ "$n" },
					 .n_params = 1,
					 .lines = &body,
					 .n_lines = 1 };
	struct err err;

	(void)session_run(s, "");
	if (!nl)
		return text;
	*nl = '\0';
	if (!own_add(s, &own, &err))
		abort();
	return nl + 1;
}

/* Byte 0: JSON or text; then lines. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct pipeline_fake *f;
	char line[LINE_MAX + 1];
	const char *rest;
	int status;

	if (size < 2 || size - 1 > LINE_MAX)
		return 0;
	memcpy(line, data + 1, size - 1);
	line[size - 1] = '\0';
	if (!may_run(line))
		return 0;
	if (!pipeline_fake_open(data[0] & 1, fake_btf_load, &f))
		abort();
	f->s.confined = true;
	rest = define(&f->s, line);
	while (*rest) {
		const struct parse_hooks hooks = own_hooks(&f->s, NULL);
		struct job job;
		struct err err;

		if (!parse_job_with(&a, rest, &hooks, &job, &rest, &err)) {
			if (!*err.msg)
				abort();
			break;
		}
		if (is_inside(&job) && !job_run(&f->s, &a, &job))
			break;
		arena_reset(f->k.t.scratch);
	}
	status = session_status(&f->s);
	if (status < EXIT_ANSWERED || status > EXIT_NOREPORT || f->out.child)
		abort();
	pipeline_fake_close(f);
	arena_release(&a);
	return 0;
}
