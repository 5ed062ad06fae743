/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report as people read it: what it comes to, then its own text with source lines in place. */
#include <inttypes.h>
#include <string.h>

#include "core/report/report.h"
#include "core/report/judge/taint.h"

/* What a vmlinux or a file's name says can hold newlines, which the report's own words cannot. */
static void put_plain(struct buf *b, const char *s)
{
	buf_plain(b, s, strlen(s));
}

static void pair(struct buf *b, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	buf_printf(b, "%12s: ", label);
	put_plain(b, text);
	buf_char(b, '\n');
}

static void process(const struct report *r, struct buf *b)
{
	struct buf t = { 0 };

	if (r->comm)
		buf_printf(&t, "%s", r->comm);
	if (r->has_pid)
		buf_printf(&t, "%spid %" PRId64, t.n ? ", " : "", r->pid);
	if (r->has_cpu)
		buf_printf(&t, "%sCPU %" PRId64, t.n ? ", " : "", r->cpu);
	if (t.n)
		pair(b, "PROCESS", t.s);
	buf_release(&t);
}

static void kernel(const struct report *r, struct buf *b)
{
	struct buf t = { 0 };

	if (r->release)
		buf_str(&t, r->release);
	if (r->arch)
		buf_printf(&t, "%s%s", t.n ? ", " : "", r->arch);
	if (r->has_taint)
		buf_printf(&t, "%s%s%s", t.n ? ", " : "", r->tainted ? "tainted " : "not tainted",
			   r->taint ? r->taint : "");
	if (t.n)
		pair(b, "KERNEL", t.s);
	buf_release(&t);
}

static void taint(const struct report *r, struct buf *b)
{
	struct buf t = { 0 };

	for (const char *p = r->taint ? r->taint : ""; *p; p++) {
		const char *says = taint_meaning(*p);

		if (!says)
			continue;
		buf_printf(&t, "%s%c: %s", t.n ? "; " : "", *p, says);
	}
	pair(b, "TAINT", buf_text(&t));
	buf_release(&t);
}

static void access(const struct report *r, struct buf *b)
{
	struct buf t = { 0 };

	if (!r->has_address && !r->access)
		return;
	if (r->access)
		buf_str(&t, r->access);
	if (r->has_access_size)
		buf_printf(&t, " of %" PRIu64 " bytes", r->access_size);
	if (r->has_address) {
		buf_printf(&t, "%s0x%" PRIx64, t.n ? " at " : "", r->address);
		buf_str(&t, " (");
		if (address_meaning(r->address, r->arch, &t))
			buf_char(&t, ')');
		else
			t.s[t.n -= 2] = '\0';
	}
	pair(b, "ACCESS", buf_text(&t));
	buf_release(&t);
}

static void summary(const struct report *r, bool explain, struct buf *b)
{
	struct buf t = { 0 };

	buf_printf(b, "%s\n", r->title);
	pair(b, "KIND", report_kind_name(r->kind));
	if (r->asked) {
		buf_printf(&t, "by %s: nothing is to blame", r->asked);
		pair(b, "ASKED FOR", t.s);
	}
	pair(b, "FUNCTION", r->function);
	if (r->pc_function && (!r->function || strcmp(r->pc_function, r->function)))
		pair(b, "PC", r->pc_function);
	for (size_t i = 0; i < r->n_also; i++) {
		buf_reset(&t);
		buf_printf(&t, "%s (%s)", r->also[i], r->also_why[i]);
		pair(b, "ALSO", t.s);
	}
	process(r, b);
	kernel(r, b);
	taint(r, b);
	pair(b, "HARDWARE", r->hardware);
	pair(b, "WORKQUEUE", r->workqueue);
	access(r, b);
	pair(b, "MEMBER", r->member);
	for (size_t i = 0; i < r->n_cycle; i++)
		buf_printf(b, "%12s%c %s\n", i ? "" : "CYCLE", i ? ' ' : ':', r->cycle[i]);
	pair(b, "SIGNATURE", r->signature);
	if (explain)
		pair(b, "HASHED", r->explanation);
	if (r->cause_of) {
		buf_printf(&t, "of report %u of this text", r->cause_of);
		pair(b, "CAUSE", t.s);
	}
	if (r->consequence_of) {
		buf_reset(&t);
		buf_printf(&t, "of report %u of this text", r->consequence_of);
		pair(b, "CONSEQUENCE", t.s);
	}
	if (r->match) {
		buf_reset(&t);
		buf_str(&t, r->match);
		if (r->match_why)
			buf_printf(&t, strchr(r->match, '(') ? ", %s" : " (%s)", r->match_why);
		pair(b, r->match_names ? "SYMBOLS" : "VMLINUX", t.s);
	}
	pair(b, "LINES", r->lines_why);
	pair(b, "ADDRESSES", r->addresses_why);
	pair(b, "MODULES", r->modules_why);
	pair(b, r->damaged ? "DAMAGED" : "TEXT", r->damage);
	buf_release(&t);
}

static const struct report_frame *frame_of_line(const struct report *r, size_t line, size_t *from)
{
	while (*from < r->frames.n && r->frames.p[*from].line < line)
		(*from)++;
	if (*from < r->frames.n && r->frames.p[*from].line == line)
		return &r->frames.p[*from];
	return NULL;
}

/* How far the lines of a report are set in: all of them, and the one that is furthest. */
struct margin {
	unsigned least, most;
};

static struct margin margin_of(const struct report *r)
{
	struct margin m = { UINT16_MAX, 0 };

	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (l->foreign || !l->n)
			continue;
		m.least = l->indent < m.least ? l->indent : m.least;
		m.most = l->indent > m.most ? l->indent : m.most;
	}
	return m;
}

/* Columns before a line; where a paste has lost all of them, frames and marks get one, as kernels
 * print. */
static unsigned indent(const struct report_line *l, const struct report_frame *f,
		       const struct margin *m)
{
	static const char *const pcs[] = { "RIP", "pc :",  "epc", "NIP",      "EIP",
					   "IP:", "PC is", "ERA", "Krnl PSW", "PSW" };

	if (m->most > m->least)
		return l->indent > m->least ? l->indent - m->least : 0;
	for (size_t i = 0; f && i < ARRAY_SIZE(pcs); i++)
		if (!strncmp(l->text, pcs[i], strlen(pcs[i])))
			return 0;
	return f || (l->text[0] == '<' && l->n < 20);
}

/* The source around a frame, with its own line marked. */
static void excerpt(const struct report_place *p, struct buf *b)
{
	for (unsigned i = 0; i < p->n_source; i++)
		buf_printf(b, "    %c %5u  %s\n", p->first + i == p->line ? '>' : ' ', p->first + i,
			   p->source[i]);
}

static void put_place(struct buf *b, const struct report_place *p)
{
	put_plain(b, p->file ? p->file : "?");
	buf_printf(b, ":%u", p->line);
}

/* The name of an address, as kernels print them. */
static void put_name(struct buf *b, const struct report_frame *f)
{
	buf_char(b, ' ');
	put_plain(b, f->func);
	buf_printf(b, "+0x%" PRIx64, f->off);
	if (f->size)
		buf_printf(b, "/0x%" PRIx64, f->size);
	if (f->module) {
		buf_str(b, " [");
		put_plain(b, f->module);
		buf_char(b, ']');
	}
}

static void lines(const struct report *r, struct buf *b)
{
	struct margin m = margin_of(r);
	size_t at = 0;

	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];
		const struct report_frame *f = frame_of_line(r, i, &at);
		size_t in = indent(l, f, &m);

		if (l->foreign)
			continue;
		for (size_t k = 0; f && k + 1 < f->n_places; k++) {
			buf_pad(b, ' ', in);
			put_plain(b, f->places[k].func ? f->places[k].func : "?");
			buf_char(b, ' ');
			put_place(b, &f->places[k]);
			buf_str(b, " [inline]\n");
		}
		buf_pad(b, ' ', in);
		buf_add(b, l->text, l->n);
		if (f && f->resolved)
			put_name(b, f);
		if (f && f->n_places && f->places[f->n_places - 1].file) {
			buf_char(b, ' ');
			put_place(b, &f->places[f->n_places - 1]);
		}
		buf_char(b, '\n');
		for (size_t k = 0; f && k < f->n_places; k++)
			excerpt(&f->places[k], b);
	}
}

void report_text(struct report *r, bool explain, struct buf *b)
{
	size_t before;

	summary(r, explain, b);
	before = b->n;
	buf_char(b, '\n');
	report_explain(r, b);
	report_disassemble(r, b);
	if (b->n > before + 1)
		buf_char(b, '\n');
	lines(r, b);
	if (b->n && b->s[b->n - 1] == '\n')
		b->s[--b->n] = '\0';
}
