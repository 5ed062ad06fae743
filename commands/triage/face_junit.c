/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict as JUnit's XML: a suite in which the verdict and each check is a test. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "commands/triage/face.h"
#include "core/base/markup.h"

static void attribute(struct buf *b, const char *name, const char *value)
{
	buf_printf(b, " %s=\"", name);
	buf_markup(b, value, strlen(value));
	buf_char(b, '"');
}

static void text(struct buf *b, const char *s)
{
	buf_markup(b, s, strlen(s));
}

static void property(struct buf *b, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	buf_str(b, "    <property");
	attribute(b, "name", name);
	attribute(b, "value", value);
	buf_str(b, "/>\n");
}

static void properties(struct buf *b, const struct verdict *v)
{
	const struct claim *c = v->claim;

	buf_str(b, "  <properties>\n");
	property(b, "outcome", outcome_name(v->outcome));
	property(b, "sure", sureness_name(v->sure));
	property(b, "way", death_way_name(v->death.way));
	property(b, "release", v->release);
	property(b, "arch", v->arch);
	property(b, "nodename", face_node(v));
	property(b, "build_id", v->build_id);
	if (c) {
		property(b, "kind", c->kind);
		property(b, "function", c->function);
		property(b, "module", c->module);
		property(b, "place", c->place);
		property(b, "subsystem", c->subsystem);
		property(b, "title", c->title);
		property(b, "signature", c->signature);
	}
	buf_str(b, "  </properties>\n");
}

static void case_begin(struct buf *b, const char *class, const char *name, uint64_t ns)
{
	buf_str(b, "  <testcase");
	attribute(b, "name", name);
	attribute(b, "classname", class);
	buf_printf(b, " time=\"%" PRIu64 ".%06" PRIu64 "\"", ns / 1000000000,
		   ns % 1000000000 / 1000);
}

/* An element of a test that tells how it ended; its body is open. */
static void ending(struct buf *b, const char *element, const char *message, const char *type)
{
	buf_printf(b, ">\n    <%s", element);
	attribute(b, "message", message);
	if (type)
		attribute(b, "type", type);
}

static void verdict_body(struct buf *b, const struct verdict *v)
{
	const struct claim *c = v->claim;

	text(b, v->sentence);
	buf_str(b, "\nhow: ");
	text(b, v->death.how);
	if (v->why_sure) {
		buf_printf(b, "\nsure: %s: ", sureness_name(v->sure));
		text(b, v->why_sure);
	}
	if (c && c->rival) {
		buf_str(b, "\nrival: ");
		text(b, c->rival);
	}
	if (c && c->stack) {
		buf_str(b, "\nstack: ");
		text(b, c->stack);
	}
	for (size_t i = 0; c && i < c->n_evidence; i++) {
		buf_char(b, '\n');
		text(b, c->evidence[i].source);
		buf_str(b, ": ");
		text(b, c->evidence[i].text);
	}
}

static void verdict_case(struct buf *b, const struct verdict *v)
{
	case_begin(b, "obit.triage", "verdict", 0);
	if (face_is_bad(v)) {
		ending(b, "failure", v->sentence, v->claim ? v->claim->kind : "unknown");
		buf_char(b, '>');
		verdict_body(b, v);
		buf_str(b, "</failure>\n  </testcase>\n");
	} else if (v->outcome == OUTCOME_UNKNOWN) {
		ending(b, "skipped", v->sentence, NULL);
		buf_str(b, "/>\n  </testcase>\n");
	} else {
		buf_str(b, "/>\n");
	}
}

static void check_case(struct buf *b, const struct finding *f)
{
	case_begin(b, "obit.check", finding_name(f), f->took);
	switch (f->state) {
	case CHECK_FAIL:
		ending(b, "failure", f->text, f->claim ? f->claim->kind : finding_name(f));
		buf_char(b, '>');
		text(b, f->text);
		if (f->more) {
			buf_str(b, "\nmore: ");
			text(b, f->more);
		}
		buf_str(b, "</failure>\n  </testcase>\n");
		break;
	case CHECK_UNKNOWN:
		ending(b, "skipped", f->text, NULL);
		buf_str(b, "/>\n  </testcase>\n");
		break;
	case CHECK_WARN:
	case CHECK_OK:
		buf_str(b, "/>\n");
	}
}

/* What warns is no failure: it is told with the suite. */
static void warnings(struct buf *b, const struct verdict *v)
{
	buf_str(b, "  <system-out>");
	for (size_t i = 0; i < v->n_findings; i++)
		if (v->findings[i].state == CHECK_WARN) {
			buf_str(b, "[warn] ");
			text(b, finding_name(&v->findings[i]));
			buf_str(b, ": ");
			text(b, v->findings[i].text);
			buf_char(b, '\n');
		}
	buf_str(b, "</system-out>\n  <system-err></system-err>\n");
}

void face_junit(struct buf *b, const struct telling *f)
{
	const struct verdict *v = f->v;
	bool bad = face_is_bad(v), skipped = !bad && v->outcome == OUTCOME_UNKNOWN;
	uint64_t took = 0;
	time_t now = (time_t)f->now;
	char stamp[32] = "1970-01-01T00:00:00";
	struct tm tm;

	for (size_t i = 0; i < v->n_findings; i++)
		took += v->findings[i].took;
	if (gmtime_r(&now, &tm))
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_str(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite");
	attribute(b, "name", "triage");
	attribute(b, "package", "obit");
	buf_printf(b,
		   " id=\"0\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\""
		   " time=\"%" PRIu64 ".%06" PRIu64 "\" timestamp=\"%s\"",
		   v->n_findings + 1, face_count(v, CHECK_FAIL) + bad,
		   face_count(v, CHECK_UNKNOWN) + skipped, took / 1000000000,
		   took % 1000000000 / 1000, stamp);
	attribute(b, "hostname", face_node(v) ? face_node(v) : "localhost");
	buf_str(b, ">\n");
	properties(b, v);
	verdict_case(b, v);
	for (size_t i = 0; i < v->n_findings; i++)
		check_case(b, &v->findings[i]);
	warnings(b, v);
	buf_str(b, "</testsuite>\n</testsuites>\n");
}
