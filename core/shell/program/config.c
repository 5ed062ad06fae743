/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration: lines "name = value", read before anything else. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/shell/output.h"
#include "core/shell/program/args.h"
#include "core/shell/program/config.h"
#include "core/shell/rc.h"
#include "core/shell/setting.h"

/* Names that set where is looked. */
static const struct {
	const char *name;
	int at;
} folders[] = { { "source", SOURCE }, { "debug", DEBUG }, { "modules", MODULES } };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char *trimmed(char *s)
{
	size_t n;

	while (is_blank(*s))
		s++;
	n = strlen(s);
	while (n && is_blank(s[n - 1]))
		s[--n] = '\0';
	return s;
}

bool config_split(char *line, char **name, char **value)
{
	char *s = trimmed(line), *equal = strchr(s, '=');

	*name = *value = NULL;
	if (!*s || *s == '#')
		return true;
	if (!equal)
		return false;
	*equal = '\0';
	*name = trimmed(s);
	*value = trimmed(equal + 1);
	return **name && **value;
}

/* "~/linux" lies below $HOME. */
static const char *folder_of(struct session *s, const char *value)
{
	const char *home = getenv("HOME");

	if (!home || value[0] != '~' || value[1] != '/')
		return arena_strdup(&s->arena, value);
	return arena_printf(&s->arena, "%s%s", home, value + 1);
}

static bool take(struct session *s, struct args *args, const char *name, const char *value,
		 struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (!strcmp(name, folders[i].name)) {
			*vec_push(&args->valued[folders[i].at]) = folder_of(s, value);
			return true;
		}
	if (!strcmp(name, "pager")) {
		s->pager_command = arena_strdup(&s->arena, value);
		return true;
	}
	return setting_take(s, name, value, err);
}

bool config_read(struct session *s, struct args *args, FILE *f, const char *path)
{
	char *line = NULL, *name, *value;
	unsigned number = 0;
	size_t cap = 0;
	bool ok = true;
	int why;

	while (file_line(f, &line, &cap, &why) > 0) {
		struct err err;

		number++;
		if (!config_split(line, &name, &value))
			err_set(&err, ERR_USAGE, "'name = value' is expected");
		else if (!name || take(s, args, name, value, &err))
			continue;
		output_diagnose_as(s->out, MEANING_ERROR, "%s:%u: %s", path, number, err.msg);
		ok = false;
	}
	if (why) {
		output_diagnose_as(s->out, MEANING_ERROR, "cannot read '%s': %s", path,
				   strerror(why));
		ok = false;
	}
	free(line);
	return ok;
}

void config_read_own(struct session *s, struct args *args)
{
	struct buf path = { 0 };
	FILE *f = NULL;

	if (rc_folder(&path)) {
		buf_str(&path, "/config");
		f = rc_open(s, path.s, "read");
	}
	if (f) {
		config_read(s, args, f, path.s);
		fclose(f);
	}
	buf_release(&path);
}

bool config_read_named(struct session *s, struct args *args, const char *path)
{
	FILE *f = fopen(path, "re");
	bool ok;

	if (!f) {
		output_diagnose_as(s->out, MEANING_ERROR, "cannot read '%s': %s", path,
				   strerror(errno));
		return false;
	}
	ok = config_read(s, args, f, path);
	fclose(f);
	return ok;
}
