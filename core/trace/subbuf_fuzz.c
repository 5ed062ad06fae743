/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a sub-buffer, as it is and with a made-up number of used bytes. */
#include "core/trace/subbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Events lie one behind the other inside of the data, or the page is at its end. */
static void walk(struct span bytes, unsigned word, bool big, uint64_t used)
{
	struct trace_page p;
	struct trace_record r;
	struct err err;
	size_t end = 0;
	volatile uint8_t sum = 0;

	if (!trace_page_init(&p, bytes, word, big, used, &err))
		return;
	if (p.data.p < bytes.p || p.data.n > (size_t)(bytes.p + bytes.n - p.data.p))
		__builtin_trap();
	while (trace_page_next(&p, &r)) {
		if (r.at < end || r.data.p < p.data.p + r.at ||
		    r.data.n > (size_t)(p.data.p + p.data.n - r.data.p))
			__builtin_trap();
		for (size_t i = 0; i < r.data.n; i++)
			sum = (uint8_t)(sum + r.data.p[i]);
		end = (size_t)(r.data.p + r.data.n - p.data.p);
	}
}

/* Byte 0 chooses word size and byte order, byte 1 how much is used. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes;
	unsigned word;
	int sure;

	if (size < 2)
		return 0;
	bytes = SPAN(data + 2, size - 2);
	word = data[0] & 1 ? 4 : 8;
	walk(bytes, word, data[0] & 2, 0);
	walk(bytes, word, data[0] & 2, (uint64_t)data[1] * 16);
	sure = trace_page_plausible(bytes, word, data[0] & 2, (uint16_t)(data[0] >> 2));
	if (sure < 0 || sure > 100)
		__builtin_trap();
	return 0;
}
