/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts with the kernel's reports in them: logs, mails, journals; core/report/parse reads them. */
#include <ctype.h>
#include <string.h>

#include "core/base/text.h"
#include "core/report/report.h"
#include "core/report/parse/parse.h"
#include "readers/oops.h"
#include "readers/reader.h"

#define SAMPLE 4096u
#define PROBE_MAX ((size_t)32 << 20)
#define CHUNK ((size_t)64 << 10)
#define LOG_LINES 5u
#define FOUND 30 /* what oops_probe() says of a text with a report */

/* Nine in ten of random bytes pass for printable, but half of them are of no UTF-8 character. In a
 * text of another encoding such bytes are words of people, beside the kernel's, which are ASCII.
 * Zeros are what a machine that lost its power left of the end of a log, and half of UTF-16. */
bool text_is(struct span s)
{
	size_t n = s.n < SAMPLE ? s.n : SAMPLE, good = 0, stray = 0, zeros = 0;

	while (n && !s.p[n - 1])
		n--;
	for (size_t i = 0; i < n; i++) {
		good += (s.p[i] >= 0x20 && s.p[i] != 0x7f) || isspace(s.p[i]) || s.p[i] == 0x1b;
		zeros += !s.p[i];
	}
	for (size_t i = 0, len; i < n; i += len ? len : 1) {
		len = text_char((const char *)s.p + i, n - i);
		stray += !len;
	}
	return n >= 8 && zeros * 2 <= n && good * 10 >= (n - zeros) * 9 && stray * 4 <= n;
}

static void count_stamped(const struct oline *l, void *arg)
{
	*(unsigned *)arg += l->has_time;
}

static bool oops_found(struct report *r, void *arg)
{
	(void)r;
	*(bool *)arg = true;
	return false;
}

static int oops_probe(const struct file *file)
{
	size_t max = file->map.n < PROBE_MAX ? file->map.n : PROBE_MAX;
	struct report_stream *s;
	struct text_stream *t;
	unsigned stamped = 0;
	bool any = false;

	if (!text_is(file->map))
		return 0;
	s = report_stream_open(NULL, oops_found, &any);
	for (size_t at = 0; at < max && !any; at += CHUNK)
		report_stream_feed(s, file->map.p + at, max - at < CHUNK ? max - at : CHUNK);
	report_stream_close(s);
	if (any)
		return FOUND;
	t = text_open(count_stamped, &stamped);
	text_feed(t, (const char *)file->map.p, max < CHUNK ? max : CHUNK);
	text_close(t);
	return stamped >= LOG_LINES ? 5 : 0;
}

static bool oops_open(struct target *t, struct file *file, struct err *err)
{
	(void)err;
	*vec_push(&t->report_texts) = file;
	return true;
}

const struct reader reader_oops = {
	.name = "oops",
	.summary = "text with a report of the kernel's in it: a log, a mail, a journal",
	.probe = oops_probe,
	.slow = true,
	.most = FOUND,
	.any_text = true,
	.open = oops_open,
};
