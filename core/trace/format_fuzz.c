/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the text of an event's format, what its fields find in a record, and the text again.
 */
#include <stdlib.h>
#include <string.h>

#include "core/trace/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct recording rec = { .word_size = 8 };
	struct trace_buffer buffer = { .recording = &rec };
	struct trace_event ev = { .buffer = &buffer, .data = SPAN(data, n < 256 ? n : 256) };
	struct arena a = { 0 };
	struct trace_format f, again;
	struct buf b = { 0 }, b2 = { 0 };
	struct err err;

	if (n > TRACE_FORMAT_MAX + 1 || !trace_format_parse(SPAN(data, n), "x", &a, &f, &err))
		goto out;
	ev.format = &f;
	for (size_t i = 0; i < f.n_fields; i++) {
		const char *s;
		uint64_t v;

		(void)trace_field_u64(&ev, &f.fields[i], &v);
		(void)trace_field_str(&ev, &f.fields[i], &a, &s);
	}
	if (!trace_format_bounded(&f, &err))
		err.addr = 0;
	trace_format_text(&b, &f);
	/* what is written can be read, and says the same */
	if (b.n <= TRACE_FORMAT_MAX && f.n_fields) {
		if (!trace_format_parse(SPAN(b.s, b.n), "x", &a, &again, &err) ||
		    again.n_fields != f.n_fields || again.id != f.id)
			abort();
		trace_format_text(&b2, &again);
		if (b2.n != b.n || memcmp(b2.s, b.s, b.n) != 0)
			abort();
	}
out:
	buf_release(&b);
	buf_release(&b2);
	arena_release(&a);
	return 0;
}
