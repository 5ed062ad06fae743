/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict as SARIF 2.1.0 (OASIS), which code scanning reads. */
#include <string.h>

#include "commands/triage/face.h"
#include "core/base/markup.h"
#include "core/verdict/check.h"

#define SCHEMA                                                                             \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-" \
	"2.1.0.json"

static void string(struct buf *b, const char *s)
{
	buf_json_str(b, s, strlen(s));
}

/* "name": "value", with a comma before it where one is needed. */
static void member(struct buf *b, const char *name, const char *value)
{
	if (!value)
		return;
	if (b->n && !strchr("{[\n", b->s[b->n - 1]))
		buf_char(b, ',');
	string(b, name);
	buf_char(b, ':');
	string(b, value);
}

/* The rule of the verdict: its kind; a letter first, as names of rules have it. */
static void verdict_rule(struct buf *b, const struct verdict *v)
{
	buf_printf(b, "verdict-%s", v->claim ? v->claim->kind : "unknown");
}

/* help says what to ask for more; NULL: the verdict itself does. */
static void rule(struct buf *b, const char *id, const char *doc, const char *help)
{
	buf_str(b, "{\"id\":");
	string(b, id);
	buf_str(b, ",\"shortDescription\":{\"text\":");
	string(b, doc);
	buf_str(b, "},\"fullDescription\":{\"text\":");
	string(b, doc);
	buf_str(b, "},\"help\":{\"text\":");
	string(b, help);
	buf_str(b, "}}");
}

static void rules(struct buf *b, const struct verdict *v)
{
	struct buf id = { 0 }, doc = { 0 }, help = { 0 };

	verdict_rule(&id, v);
	buf_printf(&doc, "What killed the machine, or holds it: %s.",
		   v->claim ? v->claim->kind : "not known");
	rule(b, buf_text(&id), buf_text(&doc), "obit triage --full tells of all checks.");
	for (size_t i = 0; i < v->n_findings; i++) {
		const struct finding *f = &v->findings[i];

		buf_reset(&id);
		buf_reset(&doc);
		buf_reset(&help);
		buf_printf(&id, "check-%s", finding_name(f));
		buf_printf(&doc, "A check of %s.", f->check->doc);
		buf_printf(&help, "obit's command '%s' shows more.", f->more ? f->more : "triage");
		buf_str(b, ",\n      ");
		rule(b, buf_text(&id), buf_text(&doc), buf_text(&help));
	}
	buf_release(&id);
	buf_release(&doc);
	buf_release(&help);
}

/* A claim's place in the source, and its function. */
static void locations(struct buf *b, const struct verdict *v, const struct claim *c, bool place)
{
	struct buf path = { 0 };
	unsigned line;

	place = place && face_place(v, &path, &line);
	if (!place && !(c && c->function)) {
		buf_release(&path);
		return;
	}
	buf_str(b, ",\"locations\":[{");
	if (place) {
		buf_str(b, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
		buf_uri(b, path.s, path.n);
		buf_printf(b, "\"},\"region\":{\"startLine\":%u}}", line);
	}
	if (c && c->function) {
		struct buf name = { 0 };

		buf_printf(&name, "%s%s%s", c->module ? c->module : "", c->module ? "::" : "",
			   c->function);
		buf_printf(b, "%s\"logicalLocations\":[{", place ? "," : "");
		member(b, "name", c->function);
		member(b, "fullyQualifiedName", buf_text(&name));
		member(b, "kind", "function");
		buf_str(b, "}]");
		buf_release(&name);
	}
	buf_str(b, "}]");
	buf_release(&path);
}

static void result_begin(struct buf *b, const char *id, const char *level, const char *message,
			 const char *fingerprint)
{
	buf_str(b, "{\"ruleId\":");
	string(b, id);
	buf_printf(b, ",\"level\":\"%s\",\"message\":{\"text\":", level);
	string(b, message);
	buf_str(b, "},\"partialFingerprints\":{\"obit/v1\":");
	string(b, fingerprint);
	buf_char(b, '}');
}

static void verdict_result(struct buf *b, const struct verdict *v)
{
	struct buf id = { 0 }, print = { 0 };
	const struct claim *c = v->claim;

	verdict_rule(&id, v);
	face_fingerprint(&print, v);
	result_begin(b, buf_text(&id), "error", v->sentence, buf_text(&print));
	locations(b, v, c, true);
	buf_str(b, ",\n     \"properties\":{");
	member(b, "outcome", outcome_name(v->outcome));
	member(b, "sure", sureness_name(v->sure));
	member(b, "sureWhy", v->why_sure);
	member(b, "way", death_way_name(v->death.way));
	if (c) {
		member(b, "title", c->title);
		member(b, "signature", c->signature);
		member(b, "stack", c->stack);
		member(b, "rival", c->rival);
		buf_str(b, ",\"evidence\":[");
		for (size_t i = 0; i < c->n_evidence; i++) {
			buf_str(b, i ? ",{" : "{");
			member(b, "source", c->evidence[i].source);
			member(b, "text", c->evidence[i].text);
			buf_char(b, '}');
		}
		buf_char(b, ']');
	}
	buf_str(b, "}}");
	buf_release(&id);
	buf_release(&print);
}

static void check_result(struct buf *b, const struct verdict *v, const struct finding *f)
{
	struct buf id = { 0 }, print = { 0 };

	buf_printf(&id, "check-%s", finding_name(f));
	face_check_fingerprint(&print, v, f);
	result_begin(b, buf_text(&id), f->state == CHECK_FAIL ? "error" : "warning", f->text,
		     buf_text(&print));
	locations(b, v, f->claim, false);
	buf_char(b, '}');
	buf_release(&id);
	buf_release(&print);
}

static void results(struct buf *b, const struct verdict *v)
{
	const char *between = "";

	if (face_is_bad(v)) {
		verdict_result(b, v);
		between = ",\n    ";
	}
	for (size_t i = 0; i < v->n_findings; i++) {
		const struct finding *f = &v->findings[i];

		if ((f->state != CHECK_FAIL && f->state != CHECK_WARN) || face_is_verdict(v, f))
			continue;
		buf_str(b, between);
		check_result(b, v, f);
		between = ",\n    ";
	}
}

/* What could not be looked at: the run itself says so. */
static void notifications(struct buf *b, const struct verdict *v)
{
	bool any = false;

	for (size_t i = 0; i < v->n_findings; i++) {
		const struct finding *f = &v->findings[i];

		if (f->state != CHECK_UNKNOWN)
			continue;
		buf_str(b, any ? ",\n      " : "");
		buf_str(b, "{\"level\":\"note\",\"message\":{\"text\":");
		string(b, f->text);
		buf_str(b, "},\"associatedRule\":{\"id\":\"check-");
		buf_str(b, finding_name(f));
		buf_str(b, "\"}}");
		any = true;
	}
}

void face_sarif(struct buf *b, const struct telling *f)
{
	const struct verdict *v = f->v;

	buf_str(b, "{\"$schema\":\"" SCHEMA "\",\n \"version\":\"2.1.0\",\n \"runs\":[{\n"
		   "   \"tool\":{\"driver\":{\"name\":\"obit\"");
	if (f->version)
		member(b, "version", f->version);
	buf_str(b, ",\"rules\":[\n      ");
	rules(b, v);
	buf_str(b, "]}},\n   \"invocations\":[{\"executionSuccessful\":true,"
		   "\"toolExecutionNotifications\":[\n      ");
	notifications(b, v);
	buf_str(b, "]}],\n   \"results\":[\n    ");
	results(b, v);
	buf_str(b, "],\n   \"properties\":{");
	member(b, "outcome", outcome_name(v->outcome));
	member(b, "verdict", v->sentence);
	member(b, "release", v->release);
	member(b, "arch", v->arch);
	member(b, "nodename", face_node(v));
	member(b, "buildId", v->build_id);
	buf_str(b, "}}]}\n");
}
