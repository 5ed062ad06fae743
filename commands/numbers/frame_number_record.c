/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page frames by number and by address, as crash's btop and ptob print them. */
#include "core/obit.h"
#include "core/base/buf.h"
#include "core/image/target.h"
#include "commands/numbers/frame_number_record.h"

enum {
	ASKED,
	RESULT
};
static void form_plain_hex(struct buf *b, const struct sink *k, const struct record *r,
			   const struct cell *cell)
{
	(void)k, (void)r;
	buf_printf(b, "%llx", (unsigned long long)cell->u);
}

static const struct record_field fields[] = {
	[ASKED] = { "asked", NULL, CELL_HEX, 0, "the address, or the number",
		    .text = form_plain_hex },
	[RESULT] = { "result", NULL, CELL_HEX, 0, "the number, or the address",
		     .text = form_plain_hex },
};
const struct record_kind frame_number_record = { "frame_number", "a page frame",
						 LAYOUT_LINE,    "{asked}: {result}",
						 fields,         ARRAY_SIZE(fields) };

bool emit_frame_numbers(struct ctx *c, bool to_number, struct err *err)
{
	uint64_t page = c->t->page_size;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "a number is wanted");
	for (int i = 0; i < c->argc; i++) {
		struct record r;
		struct err why;
		uint64_t n;

		if ((to_number || !parse_number(c->argv[i], false, &n)) &&
		    !parse_number(c->argv[i], true, &n)) {
			err_set(&why, ERR_USAGE, "'%.60s' is no number", c->argv[i]);
			complain(c, &why);
			continue;
		}
		if (!to_number && n > UINT64_MAX / page) {
			err_set(&why, ERR_USAGE,
				"'%.60s' is no page frame: its address has more than 64 bits",
				c->argv[i]);
			complain(c, &why);
			continue;
		}
		record_init(&r, &frame_number_record);
		record_uint(&r, ASKED, n);
		record_uint(&r, RESULT, to_number ? n / page : n * page);
		emit(c, &r);
	}
	return true;
}
