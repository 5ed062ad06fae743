/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a picture in a file: SVG alone, or a page around it. */
#include "commands/trace/trace_picture.h"

#include <string.h>

#include "core/obit.h"
#include "core/base/markup.h"
#include "core/linux/trace/trace_death.h"
#include "core/trace/picture/picture.h"

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

static void page_head(struct buf *b)
{
	buf_str(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"color-scheme\" content=\"light dark\">\n"
		   "<title>What each CPU did</title>\n<style>body{margin:1rem;font:15px/1.5 "
		   "system-ui,sans-serif;color-scheme:light dark;background:#fff;color:#1c1c1c}"
		   "@media(prefers-color-scheme:dark){body{background:#17181a;color:#e4e4e2}}"
		   "svg{width:100%}p{max-width:76rem}</style>\n</head>\n<body>\n");
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
		p.some = ch->filter || ch->sel.n_pids || ch->sel.n_comms;
		ok = picture_take(&p, c->t, &ch->sel, ch->printer, on_damage, c, err);
	}
	if (ok) {
		picture_legend(&p, &legend);
		if (html)
			page_head(&b);
		picture_svg(&p, &b);
		if (html) {
			buf_str(&b, "<p>");
			buf_markup(&b, legend.s, legend.n);
			buf_str(&b, "</p>\n</body>\n</html>\n");
		}
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
