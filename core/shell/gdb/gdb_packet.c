/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of gdb's remote protocol: "$text#xx", where xx is the sum of the text's bytes. */
#include "core/shell/gdb/gdb_packet.h"

#include <string.h>

#include "core/base/number.h"

#define ESCAPE '}'
#define ESCAPED_BY 0x20

/* Where the packet's text ends: at its '#', or where another packet begins; n: it does not yet. */
static size_t text_end(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && s[i] != '#' && s[i] != '$')
		i++;
	return i;
}

static unsigned sum_of(const char *s, size_t n)
{
	unsigned sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (unsigned char)s[i];
	return sum & 0xff;
}

/* What two digits stand for; above 255: they are none. */
static unsigned byte_of(const char *s)
{
	unsigned high = digit_value(s[0]), low = digit_value(s[1]);

	return high > 15 || low > 15 ? 256 : high << 4 | low;
}

/* Undoes the escapes in place, and returns how many bytes are left. */
static size_t unescape(char *s, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		bool escaped = s[i] == ESCAPE && i + 1 < n;

		i += escaped;
		s[to++] = (char)(s[i] ^ (escaped ? ESCAPED_BY : 0));
	}
	return to;
}

static enum gdb_event read_packet(char *s, size_t n, size_t *taken, const char **ret, size_t *len)
{
	size_t end = text_end(s, n);

	if (end > GDB_PACKET_MAX)
		return GDB_STRANGE;
	if (end == n || (s[end] == '#' && n - end < 3))
		return GDB_MORE;
	*taken = end;
	if (s[end] == '$')
		return GDB_DAMAGED;
	*taken += 3;
	if (byte_of(s + end + 1) != sum_of(s + 1, end - 1))
		return GDB_DAMAGED;
	*ret = s + 1;
	*len = unescape(s + 1, end - 1);
	s[1 + *len] = '\0';
	return GDB_PACKET;
}

enum gdb_event gdb_packet_next(char *s, size_t n, size_t *taken, const char **ret, size_t *len)
{
	*taken = 0;
	if (!n)
		return GDB_MORE;
	if (*s == '$')
		return read_packet(s, n, taken, ret, len);
	*taken = 1;
	switch (*s) {
	case '+':
		return GDB_ACK;
	case '-':
		return GDB_RESEND;
	case '\3':
		return GDB_INTERRUPT;
	default:
		return GDB_STRANGE;
	}
}

void gdb_packet_add(struct buf *b, const char *s, size_t n)
{
	buf_char(b, '$');
	buf_add(b, s, n);
	buf_printf(b, "#%02x", sum_of(s, n));
}

void gdb_hex_add(struct buf *b, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%02x", p[i]);
}

bool gdb_hex_read(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i += 2) {
		unsigned byte = byte_of(s + i);

		if (byte > 255)
			return false;
		buf_char(b, (char)byte);
	}
	return n % 2 == 0;
}

bool gdb_two_numbers(const char *s, uint64_t *first, uint64_t *second)
{
	return number_take(&s, NULL, 16, first) && *s++ == ',' &&
	       number_take(&s, NULL, 16, second) && !*s;
}
