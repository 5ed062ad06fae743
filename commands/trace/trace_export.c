/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace export: a recording in the forms that other tools read. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/base/outfile.h"
#include "core/trace/export/export.h"
#include "core/trace/row.h"
#include "core/trace/timeline.h"
#include "core/trace/trace.h"
#include "commands/trace/trace_picture.h"
#include "commands/trace/trace_select.h"

enum {
	FILE_NAME,
	FORM,
	EVENTS,
	BUFFERS,
	FORMATS
};
static const struct record_field export_fields[] = {
	[FILE_NAME] = { "file", NULL, CELL_STR, 0, "what was written" },
	[FORM] = { "form", NULL, CELL_STR, 0, "its format" },
	[EVENTS] = { "events", NULL, CELL_UINT, 0, "how many" },
	[BUFFERS] = { "buffers", NULL, CELL_UINT, 0, "of how many buffers" },
	[FORMATS] = { "formats", NULL, CELL_UINT, FIELD_JSON, "event formats in a trace.dat" },
};
static const struct record_kind export_kind = {
	"trace_export", "A file that was written.",
	LAYOUT_LINE,    "{file}: {form}, {events} events of {buffers} buffers",
	export_fields,  ARRAY_SIZE(export_fields)
};

struct export_opts {
	struct trace_opts which;
	const char *out, *form;
	bool v7;
};
static const struct option opts[] = {
	TRACE_OPTIONS(struct export_opts, which),
	{ "o", "file", OPTION_STR, offsetof(struct export_opts, out),
	  "what to write; its name's end says the form: .dat .json .txt .jsonl .svg .html" },
	{ "form", "form", OPTION_STR, offsetof(struct export_opts, form),
	  "dat, json, txt, jsonl, svg or html, whatever the name says" },
	{ "v7", NULL, OPTION_FLAG, offsetof(struct export_opts, v7),
	  "a trace.dat of version 7, in place of 6 that every trace-cmd reads" },
};

static const char *form_of(const struct export_opts *o, struct err *err)
{
	static const char *const forms[] = { "dat", "json", "txt", "jsonl", "svg", "html" };
	const char *name = o->form, *dot = strrchr(o->out, '.');

	if (!name)
		name = dot && !strchr(dot, '/') ? dot + 1 : o->v7 ? "dat" : "";
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(name, forms[i]))
			return forms[i];
	err_set(err, ERR_USAGE,
		"what form is '%.80s' to have? --form dat, json, txt, jsonl, svg or html",
		o->form ? o->form : o->out);
	return NULL;
}

static bool to_file(void *self, const char *s, size_t n)
{
	struct export_out *out = self;

	export_add(out, s, n);
	return !out->error;
}

static void add_head(struct buf *b, void *self)
{
	const struct trace_buffer *const *buffers;

	if (timeline_buffers(self, &buffers))
		trace_head(b, buffers[0], TRACE_VIEW_ROWS);
}

/* Lines as the kernel's trace file has them, or a record a line. */
static bool export_lines(struct ctx *c, struct trace_choice *ch, bool json, struct export_out *out,
			 struct export_counts *ret, struct err *err)
{
	struct sink k = {
		.t = c->t, .write = to_file, .self = out, .ops = json ? &render_json : &render_text
	};
	const struct trace_buffer *const *buffers;
	struct arena scratch = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct record r;

	memset(ret, 0, sizeof(*ret));
	if (!timeline_open(c->t, &ch->sel, c->arena, &tl, err))
		return false;
	ret->buffers = (unsigned)timeline_buffers(tl, &buffers);
	trace_shown_record(&(struct trace_shown){ .lines = add_head, .self = tl }, &r);
	k.ops->record(&k, &r);
	while (!out->error && timeline_next(tl, &ev, err)) {
		const struct trace_shown shown = { .ev = &ev,
						   .printer = ch->printer,
						   .arena = &scratch };

		ret->events++;
		trace_shown_record(&shown, &r);
		k.ops->record(&k, &r);
		arena_reset(&scratch);
	}
	k.ops->flush(&k);
	k.ops->release(&k);
	if (!export_flush(out) && !err->code)
		err_set(err, ERR_IO, "writing: %s", strerror(out->error));
	trace_note_others(c, tl);
	trace_notes(c, tl);
	arena_release(&scratch);
	return !err->code;
}

static bool write_form(struct ctx *c, struct trace_choice *ch, const char *form,
		       struct export_out *out, struct export_counts *n, struct err *err)
{
	const struct export_opts *o = c->opts;

	if (!strcmp(form, "dat"))
		return export_dat(c->t, &ch->sel, o->v7 ? 7 : 6, out, n, err);
	if (!strcmp(form, "json"))
		return export_chrome(c->t, &ch->sel, ch->printer, out, n, err);
	if (!strcmp(form, "svg") || !strcmp(form, "html"))
		return trace_picture(c, ch, !strcmp(form, "html"), out, n, err);
	return export_lines(c, ch, !strcmp(form, "jsonl"), out, n, err);
}

/* What has no place in the form is said. */
static void note_left_out(struct ctx *c, const struct export_counts *n)
{
	struct err why;

	if (n->skipped) {
		err_set(&why, ERR_UNSUPPORTED,
			"%" PRIu64
			" events without a tracepoint's bytes have no place in a trace.dat, and "
			"are left out: --form txt has them",
			n->skipped);
		note(c, &why);
	}
	if (n->chains) {
		err_set(&why, ERR_UNSUPPORTED,
			"the calls that led to %" PRIu64
			" events have no place in a trace.dat, and are left "
			"out: --form txt has them",
			n->chains);
		note(c, &why);
	}
}

static bool export_run(struct ctx *c, struct err *err)
{
	const struct export_opts *o = c->opts;
	struct trace_choice choice;
	struct export_counts n = { 0 };
	const char *form;
	struct record r;
	struct export_out out = { 0 };
	struct outfile file;
	bool ok;

	if (!o->out || c->argc)
		return err_set(err, ERR_USAGE, "-o FILE is wanted, as in: trace export -o x.dat");
	form = form_of(o, err);
	if (!form)
		return false;
	if (!trace_choose(c, &o->which, &choice, err))
		return false;
	ok = outfile_open(&file, o->out, OUTFILE_OVER, err);
	if (ok) {
		out.fd = file.fd;
		err->code = ERR_OK;
		ok = outfile_close(&file, write_form(c, &choice, form, &out, &n, err), err);
	}
	buf_release(&out.b);
	trace_choice_release(&choice);
	if (!ok)
		return false;
	note_left_out(c, &n);
	record_init(&r, &export_kind);
	record_str(&r, FILE_NAME, o->out);
	record_str(&r, FORM,
		   strcmp(form, "dat") != 0 ? form
		   : o->v7                  ? "trace.dat v7"
					    : "trace.dat v6");
	record_uint(&r, EVENTS, n.events);
	record_uint(&r, BUFFERS, n.buffers);
	record_uint(&r, FORMATS, n.formats);
	emit(c, &r);
	return true;
}

static const struct record_kind *const emits[] = { &export_kind, NULL };
static const struct example examples[] = {
	{ "trace export -o /dev/null --form json", "for Perfetto's UI; name a file of yours" },
	{ "trace export -o /dev/null --form txt -e sched_*", "some events as text" },
	{ "trace export -o /dev/null --form svg --since -20ms", "a picture of the last 20 ms" },
};
const struct command cmd_trace_export = {
	.name = "trace export",
	.group = "trace",
	.summary = "write a trace for trace-cmd, KernelShark, Perfetto or scripts",
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct export_opts),
	.emits = emits,
	.completes = COMPLETE_FILE,
	.help = "Writes the events that the options select, from a dump's ring buffers or from files. "
		"`-o x.dat` makes a trace.dat for trace-cmd and KernelShark, with every instance, the "
		"formats of all events, and the names and strings the events refer to. `-o x.json` is "
		"Chrome's format, which https://ui.perfetto.dev opens: who ran on each CPU, each task's "
		"events and nested functions, frequencies and idle states. `-o x.txt` is as the "
		"kernel's trace file, `-o x.jsonl` a JSON object a line as `trace show` has them.\n\n"
		"`-o x.svg` and `-o x.html` are pictures, for any browser and for print: who ran on each "
		"CPU, interrupts above, open functions below, other events as strokes, arrows from wakeups "
		"to turns, the moment of death; what was not recorded or is not known is hatched, and a "
		"pointer upon a shape shows the row, or why. In a page a wheel or + and - enlarge, "
		"dragging or arrows move, and the address keeps the range. They show the last 100 ms of at most 20,000 events, or what --since "
		"and --until say.\n\n"
		"Traces that are text have no binary events, and cannot become a trace.dat.",
	EXAMPLES(examples),
	.run = export_run,
};
