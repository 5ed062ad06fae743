/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace hists: the tables that hist triggers kept in the kernel. */
#include <fnmatch.h>
#include <string.h>

#include "core/obit.h"
#include "core/linux/trace/hist.h"
#include "core/linux/trace/trace.h"
#include "commands/trace/hist_record.h"
#include "commands/trace/trace_select.h"

struct hists_opts {
	const char *instance;
};
static const struct option opts[] = {
	{ "i", "instance", OPTION_STR, offsetof(struct hists_opts, instance),
	  "of this instance; top, or '', is tracefs' own. Else of all" },
};

struct hists_wanted {
	struct ctx *c;
	size_t shown;
};

static bool is_wanted(const struct ctx *c, const struct hist_table *h)
{
	const char *full = arena_printf(c->arena, "%s:%s", h->system, h->event);
	bool ret = !c->argc;

	for (int i = 0; i < c->argc; i++)
		if (!fnmatch(c->argv[i], h->event, 0) || !fnmatch(c->argv[i], full, 0) ||
		    (h->name && !strcmp(c->argv[i], h->name)))
			ret = c->met[i] = true;
	return ret;
}

static bool trace_hists_show(const struct hist_table *h, void *arg)
{
	struct hists_wanted *w = arg;

	if (is_wanted(w->c, h))
		emit_hist(w->c, h, !w->shown++);
	return !interrupted;
}

static void trace_hists_tell(const struct err *e, void *arg)
{
	struct hists_wanted *w = arg;

	note(w->c, e);
}

static bool hists_run(struct ctx *c, struct err *err)
{
	const struct hists_opts *o = c->opts;
	struct hists_wanted w = { .c = c };
	const char *wanted = trace_instance(o->instance);
	const struct trace_array *arrays;
	bool known = false;
	size_t n;

	if (!trace_arrays(c->t, &arrays, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *name = arrays[i].name ? arrays[i].name : "";
		struct err why;

		if (wanted && strcmp(wanted, name) != 0)
			continue;
		known = true;
		if (!hists_each(c->t, &arrays[i], trace_hists_show, trace_hists_tell, &w, &why)) {
			err_wrap(&why, "instance '%s'", name);
			note(c, &why);
		}
		if (!interrupt_check(err))
			return false;
	}
	if (!known)
		return err_set(err, ERR_NOTFOUND,
			       "no instance is called '%.60s'; `trace` lists them", o->instance);
	if (!w.shown && !c->argc)
		emit_none(c, &hist_table_kind, "no event has a hist trigger");
	return operands_met(c, "no hist trigger counts ", "", err);
}

static const struct record_kind *const emits[] = { &hist_table_kind, &hist_entry_kind, NULL };
static const struct example examples[] = {
	{ "trace hists", "every table of every instance" },
	{ "trace hists -i hist sched:*", "of one instance, those of scheduler events" },
	{ "trace hists irq:softirq_entry", "of one event" },
};
const struct command cmd_trace_hists = {
	.name = "trace hists",
	.group = "trace",
	.summary = "tables that the kernel's own hist triggers kept",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[event | system:event | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct hists_opts),
	.emits = emits,
	.help = "Prints what hist triggers counted up to the crash: for each table what the event's 'hist' "
		"file in tracefs would have said, line for line, below a line that names the event and "
		"the instance. An operand is an event, a pattern, or the name of a named trigger "
		"(hist:name=...).\n\n"
		"Entries stand in the order that the trigger asks for; those that are equal by it stand by "
		"their keys, where the kernel has them in any order. Variables are not shown, as there, but "
		"for what onmax() and onchange() saved.\n\n"
		"To count recorded events by fields of your own, see `trace hist`.",
	EXAMPLES(examples),
	.run = hists_run,
};
