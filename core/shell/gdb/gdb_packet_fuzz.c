/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as what gdb sends. */
#include <stdlib.h>
#include <string.h>

#include "core/shell/gdb/gdb_packet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read says the same when it is sent again, unless it needs escapes. */
static void check_again(const char *text, size_t len)
{
	struct buf b = { 0 };
	size_t taken, n;
	const char *again;

	if (memchr(text, '#', len) || memchr(text, '$', len) || memchr(text, '}', len))
		return;
	gdb_packet_add(&b, text, len);
	if (gdb_packet_next(b.s, b.n, &taken, &again, &n) != GDB_PACKET || taken != len + 4 ||
	    n != len || memcmp(again, text, n) != 0)
		abort();
	buf_release(&b);
}

static void read_words(const char *text, size_t len)
{
	struct buf b = { 0 }, hex = { 0 };
	uint64_t first, second;

	(void)gdb_two_numbers(text, &first, &second);
	if (gdb_hex_read(&b, text, len)) {
		gdb_hex_add(&hex, buf_text(&b), b.n);
		if (hex.n != len || strncasecmp(buf_text(&hex), text, len) != 0)
			abort();
	}
	buf_release(&b);
	buf_release(&hex);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 0, taken, len;
	struct buf in = { 0 };
	enum gdb_event event = GDB_ACK;
	const char *text;

	buf_add(&in, data, size);
	while (event != GDB_MORE && event != GDB_STRANGE) {
		event = gdb_packet_next(in.s + at, in.n - at, &taken, &text, &len);
		at += taken;
		if (at > in.n || (event != GDB_MORE && event != GDB_STRANGE && !taken))
			abort();
		if (event != GDB_PACKET)
			continue;
		if (len > GDB_PACKET_MAX || strlen(text) > len)
			abort();
		check_again(text, len);
		read_words(text, len);
	}
	buf_release(&in);
	return 0;
}
