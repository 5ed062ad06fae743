/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine, a fact a row; what is not known says why. */
#include <inttypes.h>

#include "commands/triage/html.h"
#include "core/base/quantity.h"
#include "core/image/target.h"
#include "core/linux/misc/system.h"
#include "core/report/report.h"

static void fact(struct buf *b, const struct system *s, enum system_fact which, const char *label,
		 const char *value)
{
	struct buf line = { 0 };

	if (s->errs[which].code == ERR_OK) {
		html_row(b, label, value);
		return;
	}
	buf_printf(&line, "(unknown: %s)", s->errs[which].msg);
	html_row(b, label, buf_text(&line));
	buf_release(&line);
}

static void numbers(struct buf *b, const struct system *s)
{
	struct buf n = { 0 };

	buf_printf(&n, "%u, %u of them online at the end", s->cpus, s->cpus_online);
	fact(b, s, SYS_CPUS, "CPUs", buf_text(&n));
	buf_reset(&n);
	buf_size(&n, s->memory);
	fact(b, s, SYS_MEMORY, "memory", buf_text(&n));
	buf_reset(&n);
	buf_printf(&n, "%zu%s", s->tasks, s->tasks_complete ? "" : " and more");
	fact(b, s, SYS_TASKS, "tasks", buf_text(&n));
	buf_reset(&n);
	for (size_t i = 0; i < 3; i++) {
		buf_str(&n, i ? ", " : "");
		buf_hundredths(&n, s->load[i]);
	}
	fact(b, s, SYS_LOAD, "load average", buf_text(&n));
	buf_reset(&n);
	buf_uptime(&n, s->uptime_ns);
	fact(b, s, SYS_UPTIME, "up", buf_text(&n));
	buf_reset(&n);
	buf_date(&n, (int64_t)s->date);
	fact(b, s, SYS_DATE, "ended", buf_text(&n));
	buf_release(&n);
}

void html_machine(struct html *p, struct buf *b)
{
	const struct verdict *v = p->v;
	struct system s;

	html_section(b, "machine", "The machine");
	buf_str(b, "<table>\n");
	if (mem_loaded(p->t)) {
		system_read(p->t, &s);
		fact(b, &s, SYS_NODENAME, "name", s.nodename);
		fact(b, &s, SYS_RELEASE, "kernel", s.release);
		fact(b, &s, SYS_VERSION, "version", s.version);
		fact(b, &s, SYS_MACHINE, "architecture", s.machine);
		fact(b, &s, SYS_BUILD_ID, "build id", s.build_id);
		numbers(b, &s);
		fact(b, &s, SYS_TAINT, "taint", s.taint_text);
	} else {
		html_row(b, "kernel", v->release);
		html_row(b, "architecture", v->arch);
		if (v->claim && v->claim->report) {
			html_row(b, "hardware", v->claim->report->hardware);
			html_row(b, "taint", v->claim->report->taint);
		}
	}
	for (size_t i = 0; i < p->t->inputs.n; i++)
		html_row(b, "input", p->t->inputs.p[i].file->path);
	buf_str(b, "</table>\n");
	html_section_end(b);
}
