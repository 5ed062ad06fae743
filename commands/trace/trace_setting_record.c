/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the dump's instances were told, and its dynamic events, as records. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/trace/trace.h"
#include "core/shell/session.h"
#include "commands/trace/trace_select.h"

#define NAMES_SHOWN 12 /* of a long list in text; JSON has all */

enum {
	S_INSTANCE,
	S_SETTING,
	S_EVENT,
	S_VALUES
};
static void values_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	size_t n = cell->strs.n;

	(void)k, (void)r;
	for (size_t i = 0; i < n && i < NAMES_SHOWN; i++)
		buf_printf(b, "%s%s", i ? ", " : "", cell->strs.v[i]);
	if (n > NAMES_SHOWN)
		buf_printf(b, ", ... %zu in all", n);
}

static const struct record_field setting_fields[] = {
	[S_INSTANCE] = { "instance", NULL, CELL_STR, FIELD_JSON, "as above" },
	[S_SETTING] = { "setting", NULL, CELL_STR, 0,
			"events, filter, trigger, set_event_pid, set_ftrace_filter, "
			"set_graph_function, trace_options, tracing_max_latency, "
			"osnoise/period_us, ...: the name of tracefs' file" },
	[S_EVENT] = { "event", NULL, CELL_STR, 0, "of a filter or trigger: system:event" },
	[S_VALUES] = { "values", NULL, CELL_STRS, 0, "what it was set to", .text = values_text },
};
const struct record_kind trace_setting_kind = {
	.name = "trace_setting",
	.doc = "What an instance was told.",
	.layout = LAYOUT_LINE,
	.line = "    {setting}{?event: of {event}}: {values}",
	.fields = setting_fields,
	.n_fields = ARRAY_SIZE(setting_fields),
};

enum {
	P_KIND,
	P_DEFINITION,
	P_HITS
};
static const struct record_field probe_fields[] = {
	[P_KIND] = { "kind", NULL, CELL_STR, FIELD_JSON,
		     "kprobe, uprobe, eprobe, fprobe or synthetic" },
	[P_DEFINITION] = { "definition", NULL, CELL_STR, 0, "as in tracefs' dynamic_events" },
	[P_HITS] = { "hits", NULL, CELL_UINT, 0,
		     "of kprobes and uprobes, how often they were met; null: not counted" },
};
const struct record_kind trace_probe_kind = { "trace_probe", "A dynamic event.",
					      LAYOUT_LINE,   "{definition}{?hits:  # {hits} hits}",
					      probe_fields,  ARRAY_SIZE(probe_fields) };

static void show_setting(struct ctx *c, const struct trace_array *tr, const char *setting,
			 const char *event, const char *const *values, size_t n)
{
	struct record r;

	if (!n)
		return;
	record_init(&r, &trace_setting_kind);
	record_str(&r, S_INSTANCE, tr->name ? tr->name : "top");
	record_str(&r, S_SETTING, setting);
	record_str(&r, S_EVENT, event);
	record_strs(&r, S_VALUES, values, n);
	emit(c, &r);
}

struct enabled_events {
	struct ctx *c;
	const struct trace_array *tr;
	VEC(const char *) names;
};

static bool enabled_add(const struct trace_enabled *e, void *arg)
{
	struct enabled_events *ev = arg;
	const char *name = arena_printf(ev->c->arena, "%s:%s", e->system, e->name);

	if (e->enabled)
		*vec_push(&ev->names) = name;
	if (e->filter)
		show_setting(ev->c, ev->tr, "filter", name, &e->filter, 1);
	show_setting(ev->c, ev->tr, "trigger", name, e->triggers, e->n_triggers);
	return true;
}

static void show_events(struct ctx *c, const struct trace_array *tr)
{
	struct enabled_events ev = { .c = c, .tr = tr };
	const char **kept;
	struct err err;

	if (!trace_enabled_each(c->t, tr, enabled_add, &ev, &err))
		note(c, &err);
	kept = ARENA_ARRAY(c->arena, const char *, ev.names.n + 1);
	if (ev.names.n)
		memcpy(kept, ev.names.p, ev.names.n * sizeof(*kept));
	show_setting(c, tr, "set_event", NULL, kept, ev.names.n);
	vec_release(&ev.names);
}

static void show_functions(struct ctx *c, const struct trace_array *tr)
{
	static const char *const which[][2] = {
		{ "filter", "set_ftrace_filter" },
		{ "notrace", "set_ftrace_notrace" },
		{ "graph", "set_graph_function" },
		{ "graph_notrace", "set_graph_notrace" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(which); i++) {
		const char *const *names;
		struct err err;
		size_t n;

		if (!trace_functions(c->t, tr, which[i][0], &names, &n, &err)) {
			err_wrap(&err, "%s", which[i][1]);
			note(c, &err);
		}
		show_setting(c, tr, which[i][1], NULL, names, n);
	}
}

static void show_pids(struct ctx *c, const struct trace_array *tr)
{
	static const char *const which[][2] = {
		{ "filtered_pids", "set_event_pid" },
		{ "filtered_no_pids", "set_event_notrace_pid" },
		{ "function_pids", "set_ftrace_pid" },
		{ "function_no_pids", "set_ftrace_notrace_pid" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(which); i++) {
		const int32_t *pids;
		const char **text;
		struct err err;
		size_t n;

		if (!trace_pids(c->t, tr, which[i][0], &pids, &n, &err)) {
			err_wrap(&err, "%s", which[i][1]);
			note(c, &err);
		}
		text = ARENA_ARRAY(c->arena, const char *, n + 1);
		for (size_t k = 0; k < n; k++)
			text[k] = arena_printf(c->arena, "%d", pids[k]);
		show_setting(c, tr, which[i][1], NULL, text, n);
	}
}

static void show_options(struct ctx *c, const struct trace_array *tr)
{
	const char *on[64], *name;
	size_t n = 0;
	struct err err;
	unsigned i;

	for (i = 0; i < 64 && (name = trace_option_name(c->t, i)); i++)
		if (tr->flags >> i & 1)
			on[n++] = name;
	if (i < 64 && tr->flags >> i) {
		err_set(&err, ERR_NOSYM,
			"trace_options: the names of options that are on (bits %#llx) cannot be read",
			(unsigned long long)(tr->flags >> i << i));
		note(c, &err);
	}
	show_setting(c, tr, "trace_options", NULL, on, n);
}

struct noise_of {
	struct ctx *c;
	const struct trace_array *tr;
};

static void show_noise(const char *name, const char *const *values, size_t n, void *arg)
{
	const struct noise_of *of = arg;

	show_setting(of->c, of->tr, name, NULL, values, n);
}

static bool show_probe(const struct dynamic_event *e, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &trace_probe_kind);
	record_str(&r, P_KIND, e->kind);
	record_str(&r, P_DEFINITION, *e->definition ? e->definition : e->kind);
	if (e->has_hits)
		record_uint(&r, P_HITS, e->hits);
	emit(c, &r);
	return true;
}

static void note_probe(const struct err *e, void *arg)
{
	note(arg, e);
}

void trace_settings_emit(struct ctx *c, const struct trace_array *tr)
{
	struct err err;

	show_events(c, tr);
	show_functions(c, tr);
	show_pids(c, tr);
	show_options(c, tr);
	if (!trace_noise_each(c->t, tr, show_noise, &(struct noise_of){ c, tr }, &err))
		note(c, &err);
}

bool trace_probes_emit(struct ctx *c, struct err *err)
{
	return trace_probes_each(c->t, true, show_probe, note_probe, c, err);
}
