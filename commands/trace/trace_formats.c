/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace formats: the format files of events, from the dump or a trace file. */
#include <fnmatch.h>

#include "core/obit.h"
#include "core/trace/format.h"
#include "core/trace/trace.h"

enum {
	SYSTEM,
	EVENT,
	ID,
	TEXT
};
static const struct record_field fields[] = {
	[SYSTEM] = { "system", NULL, CELL_STR, 0, "the subsystem it is of" },
	[EVENT] = { "event", NULL, CELL_STR, 0, "its name" },
	[ID] = { "id", NULL, CELL_UINT, FIELD_JSON, "its number: common_type" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_LINES,
		   "as tracefs' events/SYSTEM/EVENT/format has it" },
};
static const struct record_kind format_kind = {
	.name = "trace_format",
	.doc = "The format of an event.",
	.layout = LAYOUT_LINE,
	.line = "{text}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

struct formats_wanted {
	struct ctx *c;
	bool some;
};

/* Is it named by a word: "sched_switch", "sched:*"? */
static bool is_wanted(const struct ctx *c, const struct trace_format *f)
{
	const char *both = arena_printf(c->arena, "%s:%s", f->system, f->name);
	bool ret = !c->argc;

	for (int i = 0; i < c->argc; i++)
		if (!fnmatch(c->argv[i], strchr(c->argv[i], ':') ? both : f->name, 0))
			ret = c->met[i] = true;
	return ret;
}

static bool trace_formats_show(const struct trace_format *f, void *arg)
{
	struct formats_wanted *w = arg;
	struct buf b = { 0 };
	struct record r;

	if (!is_wanted(w->c, f))
		return true;
	w->some = true;
	trace_format_text(&b, f);
	record_init(&r, &format_kind);
	record_str(&r, SYSTEM, f->system);
	record_str(&r, EVENT, f->name);
	record_uint(&r, ID, f->id);
	record_str(&r, TEXT, arena_strdup(w->c->arena, buf_text(&b)));
	emit(w->c, &r);
	buf_release(&b);
	return true;
}

static bool formats_run(struct ctx *c, struct err *err)
{
	struct formats_wanted w = { .c = c };
	const struct traces *all;

	if (!traces_find(c->t, &all, err))
		return false;
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		if (rec->ops->each_format &&
		    !rec->ops->each_format(rec, trace_formats_show, &w, err))
			return false;
	if (!w.some && !c->argc)
		return err_set(err, ERR_NOTFOUND, "no event has a format here");
	return operands_met(c, "no event ", " has a format here", err);
}

static const struct record_kind *const emits[] = { &format_kind, NULL };
static const struct example examples[] = {
	{ "trace formats sched_switch", "the fields of one event" },
	{ "trace formats 'irq:*'", "those of a subsystem" },
};
const struct command cmd_trace_formats = {
	.name = "trace formats",
	.group = "trace",
	.summary = "formats of events: their fields, and how the kernel prints them",
	.operands = "[event | system:event]...",
	.emits = emits,
	.none = "no such event",
	.help = "Prints the formats of the events that the words name (shell patterns), or of all, as the "
		"format files of tracefs have them: of the dump they are built from the kernel's own "
		"lists, of a trace file as it has them.",
	EXAMPLES(examples),
	.run = formats_run,
};
