/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a verdict: the judgement, and each check behind it. */
#include "commands/triage/verdict_record.h"
#include "commands/triage/face.h"

#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"

#define LABEL 7u /* columns of the labels */
#define WIDTH_DEFAULT 96u
#define WIDTH_MIN 40u

enum {
	V_OUTCOME,
	V_KIND,
	V_SENTENCE,
	V_SURE,
	V_WHY,
	V_WAY,
	V_HOW,
	V_PANIC,
	V_PID,
	V_COMM,
	V_CPU,
	V_FUNCTION,
	V_MODULE,
	V_PLACE,
	V_SUBSYSTEM,
	V_RIVAL,
	V_TITLE,
	V_SIGNATURE,
	V_STACK,
	V_TRAIL,
	V_TRAIL_WHOLE,
	V_RELEASE,
	V_ARCH,
	V_NODE,
	V_BUILD_ID,
	V_REPORTS,
	V_OK,
	V_WARN,
	V_FAIL,
	V_UNKNOWN,
	V_EVIDENCE,
	V_FIELDS
};
static const struct record_field verdict_fields[V_FIELDS] = {
	[V_OUTCOME] = { "outcome", NULL, CELL_STR, 0,
			"dead, hurt (nothing tells that it died of it), stuck (it ran, and something "
			"stood still), alive (nothing is wrong), or "
			"unknown" },
	[V_KIND] = { "kind", NULL, CELL_STR, 0,
		     "of what killed it: null-deref, deadlock, oom, hung-io, ...; null: nothing is "
		     "wrong, or it is not known" },
	[V_SENTENCE] = { "verdict", NULL, CELL_STR, 0, "who did what where, and since when" },
	[V_SURE] = { "sure", NULL, CELL_STR, 0,
		     "certain (sources that do not depend on each other agree), likely, possible, "
		     "unknown" },
	[V_WHY] = { "sure_why", NULL, CELL_STR, 0, "what makes it as sure as that" },
	[V_WAY] = { "way", NULL, CELL_STR, 0,
		    "how the end came about: oops, warning, soft-lockup, sysrq, live, ..." },
	[V_HOW] = { "how", NULL, CELL_STR, 0, "the same in words" },
	[V_PANIC] = { "panic", NULL, CELL_STR, 0, "what panic() was called with" },
	[V_PID] = { "pid", NULL, CELL_INT, 0, "of the task that did it, or waits" },
	[V_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[V_CPU] = { "cpu", NULL, CELL_INT, 0, "the CPU that it ran on" },
	[V_FUNCTION] = { "function", NULL, CELL_STR, 0, "that is to blame" },
	[V_MODULE] = { "module", NULL, CELL_STR, 0, "its module; null: the kernel itself" },
	[V_PLACE] = { "place", NULL, CELL_STR, 0, "file and line" },
	[V_SUBSYSTEM] = { "subsystem", NULL, CELL_STR, 0,
			  "the folder of the file, which MAINTAINERS goes by" },
	[V_RIVAL] = { "rival", NULL, CELL_STR, 0, "what else could be to blame" },
	[V_TITLE] = { "title", NULL, CELL_STR, 0, "as kernel developers would call it" },
	[V_SIGNATURE] = { "signature", NULL, CELL_STR, 0, "the same for the same bug" },
	[V_STACK] = { "stack", NULL, CELL_STR, 0, "the innermost functions" },
	[V_TRAIL] = { "trail", NULL, CELL_STR, FIELD_JSON,
		      "the function to blame and its callers, without what every stack has: what "
		      "tells bugs apart" },
	[V_TRAIL_WHOLE] = { "trail_whole", NULL, CELL_BOOL, FIELD_JSON,
			    "does it reach to the root of the stack?" },
	[V_RELEASE] = { "release", NULL, CELL_STR, 0, "of the kernel" },
	[V_ARCH] = { "arch", NULL, CELL_STR, 0, "as uname -m" },
	[V_NODE] = { "nodename", NULL, CELL_STR, 0, "uname -n" },
	[V_BUILD_ID] = { "build_id", NULL, CELL_STR, 0, "of the kernel" },
	[V_REPORTS] = { "reports", NULL, CELL_UINT, 0, "how many the log and the texts hold" },
	[V_OK] = { "checks_ok", NULL, CELL_UINT, 0, "checks that found nothing wrong" },
	[V_WARN] = { "checks_warn", NULL, CELL_UINT, 0, "that found what is worth a line" },
	[V_FAIL] = { "checks_fail", NULL, CELL_UINT, 0,
		     "that found what explains a death or a standstill" },
	[V_UNKNOWN] = { "checks_unknown", NULL, CELL_UINT, 0, "that could not look" },
	[V_EVIDENCE] = { "evidence", NULL, CELL_RECORDS, FIELD_JSON,
			 "what supports it: source, and text as it stands there" },
};

enum {
	E_SOURCE,
	E_TEXT
};
static const struct record_field evidence_fields[] = {
	[E_SOURCE] = { "source", NULL, CELL_STR, 0, "where it was found" },
	[E_TEXT] = { "text", NULL, CELL_STR, 0, "what it says" },
};
static const struct record_kind evidence_kind = {
	.name = "evidence",
	.doc = "Something that supports a verdict.",
	.layout = LAYOUT_LINE,
	.line = "{source} {text}",
	.fields = evidence_fields,
	.n_fields = ARRAY_SIZE(evidence_fields),
};

/* Appends words behind a label, broken at blanks so that no line is longer than the terminal. */
static void labelled(struct buf *b, const struct sink *k, const char *label, const char *text)
{
	size_t width = k->width ? k->width : WIDTH_DEFAULT, at = LABEL;
	struct buf safe = { 0 };
	const char *p;

	if (!text || !*text)
		return;
	if (width < WIDTH_MIN)
		width = WIDTH_MIN;
	buf_plain(&safe, text, strlen(text));
	buf_printf(b, "%-*s", (int)LABEL, label);
	for (p = buf_text(&safe); *p;) {
		size_t n = strcspn(p, " "), gap = at > LABEL;

		if (isdigit((unsigned char)p[n ? n - 1 : 0]) && p[n]) /* "6.2 s" stays together */
			n += 1 + strcspn(p + n + 1, " ");

		if (gap && at + gap + n > width) {
			buf_char(b, '\n');
			buf_pad(b, ' ', LABEL);
			at = LABEL;
			gap = 0;
		}
		if (gap)
			buf_char(b, ' ');
		buf_add(b, p, n);
		at += n + gap;
		p += n;
		p += strspn(p, " ");
	}
	buf_char(b, '\n');
	buf_release(&safe);
}

static void blame_text(struct buf *b, const struct sink *k, const struct claim *c)
{
	struct buf line = { 0 };

	if (c->function)
		buf_str(&line, c->function);
	if (c->module)
		buf_printf(&line, "%smodule %s", line.n ? " of " : "", c->module);
	if (c->subsystem)
		buf_printf(&line, " in %s", c->subsystem);
	if (c->rival)
		buf_printf(&line, "%srival: %s", line.n ? "; " : "", c->rival);
	labelled(b, k, "blame", buf_text(&line));
	buf_release(&line);
	labelled(b, k, "title", c->title);
	labelled(b, k, "sig", c->signature);
}

/* Which kernel it was, and on which machine. */
static void kernel_text(struct buf *b, const struct sink *k, const struct verdict *v)
{
	struct buf line = { 0 };

	face_kernel(&line, v);
	labelled(b, k, "kernel", buf_text(&line));
	buf_release(&line);
}

/* The first screen. */
static void verdict_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct verdict *v = r->of;
	const struct claim *c = v->claim;
	char outcome[LABEL + 4];
	size_t i = 0;

	(void)cell;
	for (const char *p = outcome_name(v->outcome); *p && i < sizeof(outcome) - 1; p++)
		outcome[i++] = (char)toupper((unsigned char)*p);
	outcome[i] = '\0';
	labelled(b, k, v->outcome == OUTCOME_UNKNOWN ? "?" : outcome, v->sentence);
	labelled(b, k, "how", v->death.how);
	kernel_text(b, k, v);
	if (v->why_sure) {
		struct buf sure = { 0 };

		buf_printf(&sure, "%s: %s", sureness_name(v->sure), v->why_sure);
		labelled(b, k, "sure", buf_text(&sure));
		buf_release(&sure);
	}
	if (!c)
		return;
	blame_text(b, k, c);
	labelled(b, k, "stack", c->stack);
	for (i = 0; i < c->n_evidence; i++) {
		struct buf line = { 0 };

		buf_printf(&line, "%s: %s", c->evidence[i].source, c->evidence[i].text);
		labelled(b, k, i ? "" : "seen", buf_text(&line));
		buf_release(&line);
	}
}

const struct record_kind verdict_kind = {
	.name = "verdict",
	.doc = "What killed the machine, or holds it.",
	.layout = LAYOUT_OWN,
	.fields = verdict_fields,
	.n_fields = V_FIELDS,
	.text = verdict_text,
};

static void fill_claim(struct ctx *c, struct record *r, const struct claim *claim)
{
	struct record *e = ARENA_ARRAY(c->arena, struct record, claim->n_evidence + 1);

	record_str(r, V_KIND, claim->kind);
	if (claim->pid >= 0)
		record_int(r, V_PID, claim->pid);
	record_str(r, V_COMM, claim->comm);
	if (claim->cpu >= 0)
		record_int(r, V_CPU, claim->cpu);
	record_str(r, V_FUNCTION, claim->function);
	record_str(r, V_MODULE, claim->module);
	record_str(r, V_PLACE, claim->place);
	record_str(r, V_SUBSYSTEM, claim->subsystem);
	record_str(r, V_RIVAL, claim->rival);
	record_str(r, V_TITLE, claim->title);
	record_str(r, V_SIGNATURE, claim->signature);
	record_str(r, V_STACK, claim->stack);
	record_str(r, V_TRAIL, claim->trail);
	if (claim->trail)
		record_bool(r, V_TRAIL_WHOLE, claim->trail_whole);
	for (size_t i = 0; i < claim->n_evidence; i++) {
		record_init(&e[i], &evidence_kind);
		record_str(&e[i], E_SOURCE, claim->evidence[i].source);
		record_str(&e[i], E_TEXT, claim->evidence[i].text);
	}
	record_records(r, V_EVIDENCE, e, claim->n_evidence);
}

void emit_verdict(struct ctx *c, const struct verdict *v)
{
	static const unsigned fields[] = { [CHECK_OK] = V_OK,
					   [CHECK_WARN] = V_WARN,
					   [CHECK_FAIL] = V_FAIL,
					   [CHECK_UNKNOWN] = V_UNKNOWN };
	uint64_t counts[ARRAY_SIZE(fields)] = { 0 };
	struct record r;

	record_init(&r, &verdict_kind);
	r.meaning = v->outcome == OUTCOME_ALIVE     ? MEANING_OK
		    : v->outcome == OUTCOME_UNKNOWN ? MEANING_GUESS
						    : MEANING_FAILURE;
	r.of = v;
	record_str(&r, V_OUTCOME, outcome_name(v->outcome));
	record_str(&r, V_SENTENCE, v->sentence);
	record_str(&r, V_SURE, sureness_name(v->sure));
	record_str(&r, V_WHY, v->why_sure);
	record_str(&r, V_WAY, death_way_name(v->death.way));
	record_str(&r, V_HOW, v->death.how);
	record_str(&r, V_PANIC, v->death.panic);
	record_str(&r, V_RELEASE, v->release);
	record_str(&r, V_ARCH, v->arch);
	record_str(&r, V_NODE, v->node);
	record_str(&r, V_BUILD_ID, v->build_id);
	record_uint(&r, V_REPORTS, v->reports);
	for (size_t i = 0; i < v->n_findings; i++)
		counts[v->findings[i].state]++;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		record_uint(&r, fields[i], counts[i]);
	if (v->claim)
		fill_claim(c, &r, v->claim);
	emit(c, &r);
}

enum {
	C_NAME,
	C_STATE,
	C_TEXT,
	C_EXPLAINS,
	C_MORE,
	C_WHY,
	C_TOOK,
	C_FIELDS
};
static const struct record_field check_fields[C_FIELDS] = {
	[C_NAME] = { "name", NULL, CELL_STR, 0, "of the check" },
	[C_STATE] = { "state", NULL, CELL_STR, 0,
		      "ok, warn, fail (it explains a death or a standstill alone), unknown (it could not "
		      "look)" },
	[C_TEXT] = { "text", NULL, CELL_STR, 0,
		     "the value that decided, or why it could not look" },
	[C_EXPLAINS] = { "explains", NULL, CELL_STR, 0,
			 "the sentence of a verdict that were made of it alone" },
	[C_MORE] = { "more", NULL, CELL_STR, 0, "a command that shows more" },
	[C_WHY] = { "why", NULL, CELL_STR, 0, "why it could not look, or saw a part only" },
	[C_TOOK] = { "took_ns", NULL, CELL_DURATION, 0, "how long it took" },
};

struct check_of {
	const struct finding *f;
	bool quiet;
};

static void check_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	static const char *const marks[] = { [CHECK_OK] = "[ok]",
					     [CHECK_WARN] = "[warn]",
					     [CHECK_FAIL] = "[fail]",
					     [CHECK_UNKNOWN] = "[?]" };
	const struct check_of *of = r->of;
	size_t begin = b->n;

	(void)cell, (void)k;
	if (of->quiet)
		return;
	buf_printf(b, "%-6s %-10s ", marks[of->f->state], finding_name(of->f));
	buf_plain(b, of->f->text, strlen(of->f->text));
	if (of->f->more && of->f->state != CHECK_OK) {
		size_t n = b->n - begin;

		buf_pad(b, ' ', n < 70 ? 70 - n : 2);
		buf_str(b, of->f->more);
	}
	buf_char(b, '\n');
}

const struct record_kind check_kind = {
	.name = "check",
	.doc = "What a check found.",
	.layout = LAYOUT_OWN,
	.fields = check_fields,
	.n_fields = C_FIELDS,
	.text = check_text,
};

void emit_check(struct ctx *c, const struct finding *f, bool quiet)
{
	static const enum meaning meanings[] = { [CHECK_OK] = MEANING_OK,
						 [CHECK_WARN] = MEANING_WARNING,
						 [CHECK_FAIL] = MEANING_FAILURE,
						 [CHECK_UNKNOWN] = MEANING_GUESS };
	struct check_of of = { .f = f, .quiet = quiet };
	struct record r;

	record_init(&r, &check_kind);
	r.meaning = meanings[f->state];
	r.of = &of;
	record_str(&r, C_NAME, finding_name(f));
	record_str(&r, C_STATE, check_state_name(f->state));
	record_str(&r, C_TEXT, f->text);
	record_str(&r, C_EXPLAINS, f->claim ? f->claim->sentence : NULL);
	record_str(&r, C_MORE, f->more);
	record_str(&r, C_WHY, f->why.code != ERR_OK ? f->why.msg : NULL);
	record_uint(&r, C_TOOK, f->took);
	emit(c, &r);
}

static const struct record_field more_fields[] = {
	{ "state", NULL, CELL_STR, 0, "in brackets: ok, or ?" },
	{ "n", NULL, CELL_UINT, 0, "how many" },
	{ "of", NULL, CELL_STR, 0, "what they lack" },
};
const struct record_kind checks_more_kind = {
	.name = "checks_more",
	.doc = "How many checks more found nothing wrong, or could not look.",
	.layout = LAYOUT_LINE,
	.line = "{state:-6} {n} more{?of: {of}}: triage --full",
	.fields = more_fields,
	.n_fields = ARRAY_SIZE(more_fields),
	.is_heading = true,
};

void emit_checks_more(struct ctx *c, const char *state, size_t n, const char *lack)
{
	struct record r;

	record_init(&r, &checks_more_kind);
	r.meaning = !strcmp(state, "ok") ? MEANING_OK : MEANING_GUESS;
	record_str(&r, 0, r.meaning == MEANING_OK ? "[ok]" : "[?]");
	record_uint(&r, 1, n);
	record_str(&r, 2, lack);
	emit(c, &r);
}

static const struct record_field face_fields[] = {
	{ "line", NULL, CELL_STR, 0, "a line of it" },
};
const struct record_kind face_line_kind = {
	"triage_line", "a line of the verdict in another language (--markdown, --junit, ...)",
	LAYOUT_LINE,   "{line}",
	face_fields,   1
};

static const struct record_field html_fields[] = {
	{ "file", NULL, CELL_STR, 0, "as it was named" },
	{ "bytes", NULL, CELL_UINT, 0, "written" },
};
const struct record_kind html_kind = { "triage_html", "a page that was written (--html)",
				       LAYOUT_LINE,   "page   {file}: {bytes} bytes",
				       html_fields,   ARRAY_SIZE(html_fields) };

void emit_html(struct ctx *c, const char *path, size_t bytes)
{
	struct record r;

	record_init(&r, &html_kind);
	record_str(&r, 0, path);
	record_uint(&r, 1, bytes);
	emit(c, &r);
}
