/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a picture in a file: SVG alone, or a page around it. */
#include "commands/trace/trace_picture.h"

#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/base/markup.h"
#include "core/linux/trace/trace_death.h"
#include "core/trace/picture/picture.h"

/* So often a page can enlarge what it shows. */
#define PAGE_DETAIL 20u

/* What the options say; else the last moments. */
static bool window(struct ctx *c, const struct trace_select *sel, struct picture *p,
		   struct err *err)
{
	uint64_t since, until;

	if (!picture_window(c->t, sel, &since, &until, err))
		return err->code ? false
				 : err_set(err, ERR_NOTFOUND, "no event passes: nothing to draw");
	p->since = sel->since ? sel->since : since;
	p->until = until > p->since ? until : p->since + 1;
	return true;
}

static void on_damage(const struct err *damage, void *arg)
{
	note(arg, damage);
}

/* As large as its picture, in the light, in the dark and on paper. */
static const char style[] =
	"body{margin:1rem;font:15px/1.5 system-ui,sans-serif;color-scheme:light dark;background:#fff;"
	"color:#1c1c1c}h1{font-size:1.25rem;margin:0}.soft{color:#5c5c5c;margin:.2rem 0 .8rem}"
	"svg{width:100%;min-width:56rem}p{max-width:76rem}div{overflow:auto}svg.moves{cursor:grab;touch-action:pan-y;user-select:none}"
	"@media(prefers-color-scheme:dark){body{background:#17181a;color:#e4e4e2}.soft{color:#a5a5a2}}"
	"@media print{@page{size:landscape}svg{min-width:0}body{background:#fff;color:#000}.soft{color:#444}"
	"#range{display:none}}";

static void page_head(const struct ctx *c, const struct picture *p, struct buf *b)
{
	buf_str(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "style-src 'unsafe-inline'; script-src 'sha256-");
	buf_str(b, picture_script_hash);
	buf_str(b, "'; base-uri 'none'; form-action 'none'\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"color-scheme\" content=\"light dark\">\n"
		   "<title>What each CPU did</title>\n<style>");
	buf_str(b, style);
	buf_str(b, "</style>\n</head>\n<body>\n<h1>What each CPU did</h1>\n<p class=\"soft\">");
	for (size_t i = 0; i < c->t->inputs.n; i++) {
		const char *path = c->t->inputs.p[i].file->path;

		buf_str(b, i ? ", " : "");
		buf_markup(b, path, strlen(path));
	}
	buf_printf(b,
		   "</p>\n<p class=\"soft\" id=\"range\" hidden data-since=\"%" PRIu64
		   "\" data-until=\"%" PRIu64
		   "\" data-ns=\"%s\" data-high=\"%u\">A wheel or + and - enlarge, dragging or "
		   "arrows move, 0 shows the whole; the address keeps the range.</p>\n<div>",
		   p->since, p->until, p->ns ? "1" : "", picture_high(p));
}

static void page_foot(struct buf *b, const struct buf *legend)
{
	buf_str(b, "</div>\n<p>");
	buf_markup(b, legend->s, legend->n);
	buf_str(b, "</p>\n<script>");
	buf_str(b, picture_script);
	buf_str(b, "</script>\n</body>\n</html>\n");
}

bool trace_picture(struct ctx *c, struct trace_choice *ch, bool html, struct export_out *out,
		   struct export_counts *ret, struct err *err)
{
	struct picture p = { .a = c->arena };
	struct buf b = { 0 }, legend = { 0 };
	bool ok = window(c, &ch->sel, &p, err);
	uint64_t death;

	memset(ret, 0, sizeof(*ret));
	if (ok) {
		if (trace_death(c->t, &ch->sel, &death))
			picture_end(&p, death);
		p.detail = html ? PAGE_DETAIL : 0;
		p.some = ch->filter || ch->sel.n_pids || ch->sel.n_comms;
		ok = picture_take(&p, c->t, &ch->sel, ch->printer, on_damage, c, err);
	}
	if (ok) {
		picture_legend(&p, &legend);
		if (html)
			page_head(c, &p, &b);
		picture_svg(&p, &b);
		if (html)
			page_foot(&b, &legend);
		export_add(out, b.s, b.n);
		ret->events = p.events;
		ret->buffers = 1;
		if (!export_flush(out))
			ok = err_set(err, ERR_IO, "writing: %s", strerror(out->error));
	}
	buf_release(&b);
	buf_release(&legend);
	picture_release(&p);
	return ok;
}
