/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether text has colours and links, and what else is set by its name. */
#include "core/shell/setting.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/process/workers.h"
#include "core/image/target.h"
#include "core/shell/output.h"

const char *const color_words[] = {
	[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL
};

/* Is it a terminal that knows more than text? */
static bool is_able(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

/* no-color.org: whatever is in $NO_COLOR, if it is not empty. */
static bool is_coloured(const struct session *s, int fd)
{
	const char *no_color = getenv("NO_COLOR");

	if (s->color != COLOR_AUTO)
		return s->color == COLOR_ALWAYS;
	return is_able(fd) && !(no_color && *no_color);
}

void setting_apply(struct session *s)
{
	s->sink.colour = is_coloured(s, STDOUT_FILENO);
	s->sink.links = s->links && (s->color == COLOR_ALWAYS || is_able(STDOUT_FILENO));
	s->sink.ascii = s->out->ascii = s->ascii;
	s->out->colour = is_coloured(s, STDERR_FILENO);
}

static bool take_color(struct session *s, const char *value, struct err *err)
{
	for (size_t i = 0; value && color_words[i]; i++)
		if (!strcmp(value, color_words[i])) {
			s->color = (enum color_when)i;
			return true;
		}
	return err_set(err, ERR_USAGE, "'color' is auto, always or never");
}

static bool take_jobs(struct session *s, const char *value, struct err *err)
{
	uint64_t n = 0;

	if (!value ||
	    (strcmp(value, "all") != 0 && (!number_parse(value, 10, &n) || !n || n > WORKERS_MAX)))
		return err_set(err, ERR_USAGE, "'jobs' is all, or 1 to %u", WORKERS_MAX);
	s->t->jobs = (unsigned)n;
	return true;
}

bool setting_take(struct session *s, const char *name, const char *value, struct err *err)
{
	bool on = value && !strcmp(value, "on"), off = value && !strcmp(value, "off"), ok = true;
	bool *flag = !strcmp(name, "links") ? &s->links : !strcmp(name, "ascii") ? &s->ascii : NULL;

	if (!strcmp(name, "jobs"))
		return take_jobs(s, value, err);
	if (!strcmp(name, "color"))
		ok = take_color(s, value, err);
	else if (!flag)
		return err_set(err, ERR_NOTFOUND, "no setting '%.60s'", name);
	else if (!on && !off)
		return err_set(err, ERR_USAGE, "'%s' is on or off", name);
	else
		*flag = on;
	if (ok)
		setting_apply(s);
	return ok;
}
