/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of reports: any bytes, in chunks whose size the first byte says. */
#include <string.h>

#include "core/report/parse/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that is made of a report is asked for, and every string is read to its end. */
static bool on_report(struct report *r, void *arg)
{
	struct buf b = { 0 };
	uint64_t *sum = arg;

	report_text(r, true, &b);
	*sum += b.n + strlen(r->signature) + strlen(r->title);
	for (size_t i = 0; i < r->frames.n; i++)
		*sum += r->frames.p[i].func ? strlen(r->frames.p[i].func) : 0;
	for (size_t i = 0; i < r->n_modules; i++)
		*sum += strlen(r->modules[i]);
	buf_release(&b);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct report_stream *s;
	uint64_t sum = 0;
	size_t chunk;

	if (!size)
		return 0;
	chunk = data[0] ? data[0] : 4096;
	s = report_stream_open("fuzz", on_report, &sum);
	for (size_t at = 1; at < size; at += chunk)
		report_stream_feed(s, data + at, size - at < chunk ? size - at : chunk);
	report_stream_close(s);
	(void)sum;
	return 0;
}
