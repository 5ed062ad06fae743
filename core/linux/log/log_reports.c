/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of a dump as text, for the reader of reports. */
#include "core/linux/log/log_reports.h"

#include <string.h>

#include "core/image/target.h"
#include "core/linux/log/printk.h"

struct log_text {
	struct report_stream *s;
	struct buf b;
	void (*note)(const struct err *e, void *arg);
	void *arg;
};

/* Each line of a message has the message's time and caller in front, as dmesg prints them. */
static bool log_message(const struct log_message *m, void *arg)
{
	struct log_text *l = arg;

	buf_reset(&l->b);
	for (size_t at = 0; at <= m->n;) {
		const char *nl = memchr(m->text + at, '\n', m->n - at);
		size_t n = nl ? (size_t)(nl - m->text) - at : m->n - at;

		buf_printf(&l->b, "[%5llu.%06llu] ", (unsigned long long)(m->time_ns / 1000000000),
			   (unsigned long long)(m->time_ns % 1000000000 / 1000));
		if (m->has_caller)
			buf_printf(&l->b, "[%c%u] ", m->caller & 0x80000000u ? 'C' : 'T',
				   m->caller & 0x7fffffffu);
		buf_add(&l->b, m->text + at, n);
		buf_char(&l->b, '\n');
		at += n + 1;
	}
	return report_stream_feed(l->s, l->b.s, l->b.n);
}

static void log_note(const struct err *e, void *arg)
{
	const struct log_text *l = arg;

	if (l->note)
		l->note(e, l->arg);
}

bool log_reports(struct target *t, struct report_stream *s,
		 void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct log_text l = { .s = s, .note = note, .arg = arg };
	bool ok = log_each(t, log_message, log_note, &l, err);

	buf_release(&l.b);
	return ok;
}
