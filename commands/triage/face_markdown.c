/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict as Markdown, for the body of an issue. */
#include <string.h>

#include "commands/triage/face.h"
#include "core/base/markup.h"
#include "core/report/report.h"

#define REPORT_LINES_MAX 400u

static void words(struct buf *b, const char *s)
{
	buf_markdown(b, s, strlen(s));
}

static void code(struct buf *b, const char *s)
{
	buf_markdown_code(b, s, strlen(s));
}

/* A row of the table of facts; nothing for NULL or "". */
static void row(struct buf *b, const char *label, const char *s, bool as_code)
{
	if (!s || !*s)
		return;
	buf_printf(b, "| %s | ", label);
	if (as_code)
		code(b, s);
	else
		words(b, s);
	buf_str(b, " |\n");
}

static void blame_row(struct buf *b, const struct claim *c)
{
	if (!c->function && !c->module)
		return;
	buf_str(b, "| blame | ");
	if (c->function)
		code(b, c->function);
	if (c->module) {
		buf_str(b, c->function ? " of module " : "module ");
		code(b, c->module);
	}
	if (c->place) {
		buf_str(b, " at ");
		code(b, c->place);
	}
	buf_str(b, " |\n");
}

static void facts(struct buf *b, const struct verdict *v)
{
	const struct claim *c = v->claim;
	struct buf line = { 0 };

	buf_str(b, "| | |\n|---|---|\n");
	row(b, "how", v->death.how, false);
	if (v->why_sure)
		buf_printf(&line, "%s: %s", sureness_name(v->sure), v->why_sure);
	row(b, "sure", buf_text(&line), false);
	buf_reset(&line);
	face_kernel(&line, v);
	row(b, "kernel", buf_text(&line), false);
	row(b, "build id", v->build_id, true);
	if (c) {
		blame_row(b, c);
		row(b, "subsystem", c->subsystem, true);
		row(b, "rival", c->rival, false);
		row(b, "title", c->title, true);
		row(b, "signature", c->signature, true);
		row(b, "stack", c->stack, true);
	}
	buf_release(&line);
}

static void evidence(struct buf *b, const struct claim *c)
{
	if (!c || !c->n_evidence)
		return;
	buf_str(b, "\n**Evidence**\n\n| where | what |\n|---|---|\n");
	for (size_t i = 0; i < c->n_evidence; i++) {
		buf_str(b, "| ");
		words(b, c->evidence[i].source);
		buf_str(b, " | ");
		code(b, c->evidence[i].text);
		buf_str(b, " |\n");
	}
}

static void check_row(struct buf *b, const struct finding *f)
{
	bool bad = f->state == CHECK_FAIL || f->state == CHECK_WARN;

	buf_printf(b, bad ? "| **%s** | " : "| %s | ", face_mark(f->state));
	words(b, finding_name(f));
	buf_str(b, " | ");
	words(b, f->text);
	buf_str(b, " | ");
	if (f->more && f->state != CHECK_OK)
		code(b, f->more);
	buf_str(b, " |\n");
}

static void check_table(struct buf *b, const struct verdict *v, bool ok)
{
	buf_str(b, "| | check | found | more |\n|---|---|---|---|\n");
	for (size_t i = 0; i < v->n_findings; i++)
		if ((v->findings[i].state == CHECK_OK) == ok)
			check_row(b, &v->findings[i]);
}

static void checks_all(struct buf *b, const struct verdict *v)
{
	size_t ok = face_count(v, CHECK_OK);

	buf_str(b, "\n**Checks**\n\n");
	if (ok < v->n_findings)
		check_table(b, v, false);
	if (!ok)
		return;
	buf_printf(b, "\n<details><summary>%zu %s nothing wrong</summary>\n\n", ok,
		   ok == 1 ? "check found" : "checks found");
	check_table(b, v, true);
	buf_str(b, "\n</details>\n");
}

/* The report in a block of code. Its size is what is left of the limit. */
static void report(struct buf *b, const struct report *r)
{
	struct buf text = { .max = MARKDOWN_MAX };
	size_t n = 0, fence;
	const size_t around = 400;

	if (!r || !r->lines.n || b->n + around > MARKDOWN_MAX)
		return;
	for (; n < r->lines.n && n < REPORT_LINES_MAX; n++) {
		const struct report_line *l = &r->lines.p[n];
		size_t before = text.n;

		buf_plain(&text, l->raw,
			  l->raw_n && l->raw[l->raw_n - 1] == '\r' ? l->raw_n - 1 : l->raw_n);
		buf_char(&text, '\n');
		if (b->n + text.n + around > MARKDOWN_MAX) {
			buf_shrink(&text, before);
			break;
		}
	}
	fence = markdown_fence(buf_text(&text), text.n);
	if (n && b->n + text.n + 2 * fence + around / 2 <= MARKDOWN_MAX) {
		buf_str(b, "\n<details><summary>The report</summary>\n\n");
		buf_pad(b, '`', fence);
		buf_str(b, "text\n");
		buf_add(b, buf_text(&text), text.n);
		buf_pad(b, '`', fence);
		buf_char(b, '\n');
		if (n < r->lines.n)
			buf_printf(b, "\n%zu lines more were left out.\n", r->lines.n - n);
		buf_str(b, "\n</details>\n");
	}
	buf_release(&text);
}

void face_markdown(struct buf *b, const struct telling *f)
{
	const struct verdict *v = f->v;
	const size_t begin = b->n;
	struct buf out = { .max = MARKDOWN_MAX };

	buf_printf(&out, "### %s: ", face_outcome(v->outcome));
	words(&out, v->sentence);
	buf_str(&out, "\n\n");
	facts(&out, v);
	evidence(&out, v->claim);
	checks_all(&out, v);
	if (!out.cut) {
		report(&out, v->claim ? v->claim->report : NULL);
	} else {
		/* nothing is shown that ends in the middle of an escape */
		const char *nl = memrchr(out.s, '\n', out.n);

		buf_shrink(&out, nl ? (size_t)(nl - out.s) + 1 : 0);
	}
	buf_add(b, buf_text(&out), out.n);
	if (out.cut)
		buf_str(b, "\nMore was left out: an issue has no room for it.\n");
	if (b->n > begin && b->s[b->n - 1] != '\n')
		buf_char(b, '\n');
	buf_release(&out);
}
