/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict as annotations of a change: workflow commands of GitHub, code quality of GitLab. */
#include <string.h>

#include "commands/triage/face.h"
#include "core/base/markup.h"

/* "::error file=F,line=N,title=T::text" */
static void command(struct buf *b, const char *kind, const char *path, unsigned line,
		    const char *title, const char *text)
{
	buf_printf(b, "::%s ", kind);
	if (path) {
		buf_str(b, "file=");
		buf_workflow(b, path, strlen(path), true);
		buf_printf(b, ",line=%u,", line);
	}
	buf_str(b, "title=");
	buf_workflow(b, title, strlen(title), true);
	buf_str(b, "::");
	buf_workflow(b, text, strlen(text), false);
	buf_char(b, '\n');
}

static const char *kind_of(enum check_state s)
{
	return s == CHECK_FAIL ? "error" : s == CHECK_WARN ? "warning" : "notice";
}

/* Is it worth an annotation? That a text is no dump is not, check by check. */
static bool is_told(const struct telling *t, const struct finding *f)
{
	return !face_is_verdict(t->v, f) && (t->dump || f->why.code != ERR_NEED);
}

/* What checks found in that state, as many as there is room for; the rest in one line. */
static void github_checks(struct buf *b, const struct telling *t, enum check_state s, size_t room)
{
	const struct verdict *v = t->v;
	size_t n = face_count(v, s), shown = 0, left = 0;
	struct buf title = { 0 };

	for (size_t i = 0; i < v->n_findings; i++)
		n -= v->findings[i].state == s && !is_told(t, &v->findings[i]);
	for (size_t i = 0; i < v->n_findings; i++) {
		const struct finding *f = &v->findings[i];

		if (f->state != s || !is_told(t, f))
			continue;
		if (n > room && shown + 1 >= room) {
			left++;
			continue;
		}
		buf_reset(&title);
		buf_printf(&title, "[%s] %s", face_mark(s), finding_name(f));
		command(b, kind_of(s), NULL, 0, buf_text(&title), f->text);
		shown++;
	}
	if (left) {
		buf_reset(&title);
		buf_printf(&title, "%zu checks more", left);
		command(b, kind_of(s), NULL, 0, buf_text(&title), "see: obit triage");
	}
	buf_release(&title);
}

void face_github(struct buf *b, const struct telling *f)
{
	const struct verdict *v = f->v;
	struct buf path = { 0 }, title = { 0 };
	unsigned line = 0;
	bool bad = face_is_bad(v), placed = face_place(v, &path, &line);

	buf_printf(&title, "%s", face_outcome(v->outcome));
	if (v->claim)
		buf_printf(&title, " (%s, %s)", v->claim->kind, sureness_name(v->sure));
	command(b, bad ? "error" : "notice", placed ? path.s : NULL, line, buf_text(&title),
		v->sentence);
	github_checks(b, f, CHECK_FAIL, FACE_ANNOTATIONS - bad);
	github_checks(b, f, CHECK_WARN, FACE_ANNOTATIONS);
	github_checks(b, f, CHECK_UNKNOWN, FACE_ANNOTATIONS - !bad);
	buf_release(&path);
	buf_release(&title);
}

static void string(struct buf *b, const char *s)
{
	buf_json_str(b, s, strlen(s));
}

static void issue(struct buf *b, const char *between, const char *name, const char *text,
		  const char *fingerprint, const char *severity, const char *path, unsigned line)
{
	buf_printf(b, "%s{\"check_name\":", between);
	string(b, name);
	buf_str(b, ",\"description\":");
	string(b, text);
	buf_str(b, ",\"fingerprint\":");
	string(b, fingerprint);
	buf_printf(b, ",\"severity\":\"%s\",\"location\":{\"path\":", severity);
	string(b, path);
	buf_printf(b, ",\"lines\":{\"begin\":%u}}}", line);
}

/* GitLab wants a path of every issue: that of the input where no line of source is known. */
static const char *input_name(const struct telling *f)
{
	const char *slash = f->input ? strrchr(f->input, '/') : NULL;
	const char *name = slash ? slash + 1 : f->input;

	return name && *name ? name : "vmcore";
}

void face_gitlab(struct buf *b, const struct telling *f)
{
	static const char *const severities[] = {
		[CHECK_WARN] = "minor", [CHECK_FAIL] = "major", [CHECK_UNKNOWN] = "info"
	};
	const struct verdict *v = f->v;
	struct buf path = { 0 }, name = { 0 }, print = { 0 };
	const char *between = "[";
	unsigned line = 1;

	if (face_is_bad(v)) {
		bool known = face_place(v, &path, &line);

		face_fingerprint(&print, v);
		buf_printf(&name, "verdict/%s", v->claim ? v->claim->kind : "unknown");
		issue(b, between, buf_text(&name), v->sentence, buf_text(&print), "critical",
		      known ? path.s : input_name(f), known ? line : 1);
		between = ",\n ";
	}
	for (size_t i = 0; i < v->n_findings; i++) {
		const struct finding *check = &v->findings[i];

		if (check->state == CHECK_OK || !is_told(f, check))
			continue;
		buf_reset(&name);
		buf_reset(&print);
		buf_printf(&name, "check/%s", finding_name(check));
		face_check_fingerprint(&print, v, check);
		issue(b, between, buf_text(&name), check->text, buf_text(&print),
		      severities[check->state], input_name(f), 1);
		between = ",\n ";
	}
	buf_str(b, *between == '[' ? "[]\n" : "]\n");
	buf_release(&path);
	buf_release(&name);
	buf_release(&print);
}
