/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which process and kernel a report is of: taint, release, build-id, CPU, task. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

/* Letters of the taint mask, spaced by position: "G        W I"; RHEL 6 has "---------------" for
 * those that it does not use. */
static const char *taint_flags(struct report *r, const char *s, const char *end)
{
	const char *p = s, *last = s;

	while (p < end) {
		const char *e = word_end(p, end), *c = p;

		while (c < e && (isupper((unsigned char)*c) || *c == '-'))
			c++;
		if (c != e || (e - p == 3 && !memcmp(p, "VLI", 3))) /* of old x86's code */
			break;
		last = e;
		p = e;
		while (p < end && *p == ' ')
			p++;
	}
	r->taint = words_copy(r, s, last);
	r->tainted = true;
	return p;
}

/* What follows the process: "[Kdump: loaded ]{Not tainted|Tainted: FLAGS} RELEASE #N ...". */
void taint_release(struct report *r, const char *p, const char *end)
{
	const char *e, *version;
	bool open = false;

	if (has_prefix(p, (size_t)(end - p), "Not tainted"))
		p += 11;
	else
		p = taint_flags(r, p + 8 < end ? p + 8 + (p[8] == ' ') : end, end);
	r->has_taint = true;
	/* "(3.4.90+ #1)", as arm and others had it */
	for (; p < end && (*p == ' ' || *p == '('); p++)
		open |= *p == '(';
	e = word_end(p, end);
	while (e > p && (e[-1] == ')' || e[-1] == ','))
		e--;
	if (e > p && (isdigit((unsigned char)*p) || find_text(p, (size_t)(e - p), ".")))
		r->release = words_copy(r, p, e);
	for (version = e; version < end && (*version == ')' || *version == ','); version++)
		;
	p = end;
	while (p > e && p[-1] == ' ')
		p--;
	for (e = p; e > end - 41 && e > p - 40 && isxdigit((unsigned char)e[-1]); e--)
		;
	if (p - e == 40)
		r->build_id = words_copy(r, e, p);
	else
		e = p;
	if (open && e > version && e[-1] == ')')
		e--;
	if (r->release && e > version)
		r->version = words_copy(r, version, e);
}

void set_pid(struct report *r, const char *p, const char *end)
{
	const char *q;
	uint64_t v;

	if (number_dec(p, end, &v, &q)) {
		r->has_pid = true;
		r->pid = (int64_t)v;
	}
}

void set_process(struct report *r, const char *s, const char *end)
{
	const char *slash = memrchr(s, '/', (size_t)(end - s)), *q;
	uint64_t v;

	if (r->comm || !slash || slash == s || !number_dec(slash + 1, end, &v, &q) || q != end)
		return;
	r->comm = words_copy(r, s, slash);
	r->has_pid = true;
	r->pid = (int64_t)v;
}

void facts_cpu(struct report *r, const char *s)
{
	const char *end = s + strlen(s), *p, *q, *taint;
	uint64_t v;

	if ((p = text_after(s, end, "CPU:")))
		p += strspn(p, " ");
	if (p && number_dec(p, end, &v, &q)) {
		r->has_cpu = true;
		r->cpu = (int64_t)v;
	}
	if ((p = text_after(s, end, "PID:")) || (p = text_after(s, end, "Pid:")))
		set_pid(r, p + strspn(p, " "), end);
	taint = find_text(s, (size_t)(end - s), "Not tainted");
	if (!taint)
		taint = find_text(s, (size_t)(end - s), "Tainted:");
	if ((p = text_after(s, end, "Comm:")) || (p = text_after(s, end, "comm:"))) {
		const char *stop = taint && taint > p ? taint : end;
		const char *kdump = find_text(p, (size_t)(stop - p), "Kdump: loaded");

		r->comm = words_copy(r, p, kdump ? kdump : stop);
	}
	if (taint)
		taint_release(r, taint, end);
}
