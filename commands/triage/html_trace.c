/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last milliseconds of each CPU on a page, as the trace in the dump tells of them. */
#include "commands/triage/html.h"
#include "core/base/markup.h"
#include "core/image/target.h"
#include "core/linux/trace/trace_death.h"
#include "core/trace/picture/picture.h"

/* Functions come by thousands, and tell little in a picture: they are drawn where there is nothing
 * else. Calls with a beginning and an end show what a CPU was in. */
static bool is_no_function(const struct trace_event *ev, void *arg)
{
	(void)arg;
	return trace_kind(ev) != TRACE_KIND_FUNCTION;
}

static bool draw(struct html *p, struct picture *picture, struct err *err)
{
	struct trace_select sel = { .match = is_no_function };
	struct trace_printer *printer;
	uint64_t death;
	bool ok = picture_window(p->t, &sel, &picture->since, &picture->until, err);

	if (!ok && !err->code) {
		sel = (struct trace_select){ 0 };
		ok = picture_window(p->t, &sel, &picture->since, &picture->until, err);
	}
	if (!ok)
		return false;
	if (trace_death(p->t, &sel, &death))
		picture_end(picture, death);
	printer = trace_printer_new();
	ok = picture_take(picture, p->t, &sel, printer, html_note, p, err);
	trace_printer_release(printer);
	return ok;
}

void html_trace(struct html *p, struct buf *b)
{
	struct arena a = { 0 };
	struct picture picture = { .a = &a, .shapes_max = HTML_TRACE_SHAPES };
	struct buf legend = { 0 };
	const struct traces *all;
	struct err err = { 0 };

	/* who traced nothing misses nothing */
	if (!traces_find(p->t, &all, &err)) {
		if (err_is_absent(err.code))
			html_unseen(p, "trace", err.msg);
		return;
	}
	err.code = ERR_OK;
	if (draw(p, &picture, &err) && picture.n_lanes) {
		html_section(b, "trace", "The CPUs' last milliseconds");
		buf_str(b, "<div class=\"picture\">");
		picture_svg(&picture, b);
		buf_str(b, "</div>\n<p class=\"soft\">");
		picture_legend(&picture, &legend);
		buf_markup(b, legend.s, legend.n);
		buf_str(b, "</p>\n");
		html_section_end(b);
	} else if (err.code != ERR_OK && err.code != ERR_NOTFOUND && err.code != ERR_NEED) {
		html_unseen(p, "trace", err.msg);
	}
	buf_release(&legend);
	picture_release(&picture);
	arena_release(&a);
}
