/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build-ids in ELF notes: the note of owner "GNU" and type 3 (elf.h: NT_GNU_BUILD_ID). */
#include <string.h>

#include "core/image/build_id.h"

#define NT_GNU_BUILD_ID 3

bool build_id_find(struct span notes, uint8_t id[BUILD_ID_MAX], size_t *n)
{
	struct cursor c;
	struct err err;

	cursor_init(&c, notes, "notes", &err);
	/* names are short: the length of the first says where its lowest byte is */
	c.big = notes.n >= 4 && !notes.p[0] && notes.p[3];
	while (cursor_left(&c) >= 12) {
		uint32_t name_n = cursor_u32(&c), desc_n = cursor_u32(&c), type = cursor_u32(&c);
		struct span name = cursor_take(&c, name_n), desc;

		cursor_align(&c, 4);
		desc = cursor_take(&c, desc_n);
		if (!cursor_ok(&c))
			return false;
		if (type == NT_GNU_BUILD_ID && name.n == 4 && !memcmp(name.p, "GNU", 4) && desc.n &&
		    desc.n <= BUILD_ID_MAX) {
			memcpy(id, desc.p, desc.n);
			*n = desc.n;
			return true;
		}
		cursor_align(&c, 4);
	}
	return false;
}

const char *build_id_text(struct arena *a, const uint8_t *id, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *text = arena_alloc(a, 2 * n + 1);

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = digits[id[i] >> 4];
		text[2 * i + 1] = digits[id[i] & 15];
	}
	return text;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool build_id_parse(const char *text, size_t len, uint8_t id[BUILD_ID_MAX], size_t *n)
{
	if (len % 2 || len / 2 > BUILD_ID_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		int d = hex_digit(text[i]);

		if (d < 0)
			return false;
		id[i / 2] = (uint8_t)(i % 2 ? id[i / 2] | d : d << 4);
	}
	*n = len / 2;
	return *n != 0;
}
