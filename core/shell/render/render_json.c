/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as JSON lines: one object a line, "record" first, addresses as "0x..." strings. */
#include <inttypes.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/quantity.h"
#include "core/shell/record.h"

static void json_fields(struct buf *b, struct sink *k, const struct record *r, bool first);

static void json_records(struct buf *b, struct sink *k, const struct cell *c)
{
	buf_char(b, '[');
	for (size_t i = 0; i < c->records.n; i++) {
		buf_str(b, i ? ",{" : "{");
		json_fields(b, k, &c->records.v[i], true);
		buf_char(b, '}');
	}
	buf_char(b, ']');
}

static void json_cell(struct buf *b, struct sink *k, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NULL:
	case CELL_UNKNOWN:
		buf_str(b, "null");
		break;
	case CELL_STR:
		buf_json_str(b, c->str.s, c->str.n);
		break;
	case CELL_INT:
	case CELL_DATE:
		buf_printf(b, "%" PRId64, c->i);
		break;
	case CELL_UINT:
	case CELL_TIME:
	case CELL_DURATION:
	case CELL_SIZE:
	case CELL_KIB:
		buf_printf(b, "%" PRIu64, c->u);
		break;
	case CELL_ADDR:
	case CELL_HEX:
		buf_printf(b, "\"0x%" PRIx64 "\"", c->u);
		break;
	case CELL_BOOL:
		buf_str(b, c->b ? "true" : "false");
		break;
	case CELL_DECIMAL:
		buf_hundredths(b, c->u);
		break;
	case CELL_VALUE:
		value_to_json(b, k->t, c->value, &k->style);
		break;
	case CELL_STRS:
		buf_char(b, '[');
		for (size_t i = 0; i < c->strs.n; i++) {
			if (i)
				buf_char(b, ',');
			buf_json_str(b, c->strs.v[i], strlen(c->strs.v[i]));
		}
		buf_char(b, ']');
		break;
	case CELL_RECORDS:
		json_records(b, k, c);
		break;
	case CELL_FIELDS:
		buf_char(b, '{');
		for (size_t i = 0; i < c->fields.n; i++) {
			if (i)
				buf_char(b, ',');
			buf_json_str(b, c->fields.v[i].name, strlen(c->fields.v[i].name));
			buf_char(b, ':');
			json_cell(b, k, &c->fields.v[i].cell);
		}
		buf_char(b, '}');
		break;
	case CELL_ABSENT:
		buf_str(b, "{\"absent\":");
		buf_json_str(b, err_code_name(c->absent.why), strlen(err_code_name(c->absent.why)));
		if (c->absent.addr)
			buf_printf(b, ",\"addr\":\"0x%" PRIx64 "\"}", c->absent.addr);
		else
			buf_str(b, ",\"addr\":null}");
		break;
	}
}

static void json_fields(struct buf *b, struct sink *k, const struct record *r, bool first)
{
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		const struct record_field *f = &r->kind->fields[i];

		if (!first)
			buf_char(b, ',');
		first = false;
		buf_json_str(b, f->name, strlen(f->name));
		buf_char(b, ':');
		json_cell(b, k, &r->cells[i]);
	}
}

/* Makes of each character that is not ASCII, all of which stand in strings, \uXXXX: two of them, as
 * UTF-16 has it, where one is not enough. */
static void escape(struct buf *b)
{
	struct buf old = *b;

	*b = (struct buf){ 0 };
	for (size_t i = 0; i < old.n;) {
		size_t n = (unsigned char)old.s[i] < 0x80 ? 1 : text_char(old.s + i, old.n - i);
		uint32_t c = n > 1 ? text_number(old.s + i, n) : (unsigned char)old.s[i];

		if (c < 0x80)
			buf_char(b, (char)c);
		else if (c < 0x10000)
			buf_printf(b, "\\u%04x", (unsigned)c);
		else
			buf_printf(b, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
				   (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
		i += n ? n : 1;
	}
	buf_release(&old);
}

/* Hands a finished line on; a reader that went away is noticed by the sink's owner. */
static void json_line(struct sink *k, struct buf *b)
{
	buf_char(b, '\n');
	if (k->ascii)
		escape(b);
	k->write(k->self, b->s, b->n);
	buf_release(b);
}

static void json_record(struct sink *k, const struct record *r)
{
	struct record whole;
	struct buf b = { 0 };

	if (r->kind->is_heading)
		return;
	if (r->kind->complete) {
		whole = *r;
		r->kind->complete(&whole);
		r = &whole;
	}
	buf_str(&b, "{\"record\":");
	buf_json_str(&b, r->kind->name, strlen(r->kind->name));
	json_fields(&b, k, r, false);
	buf_char(&b, '}');
	json_line(k, &b);
}

static void json_note(struct sink *k, const struct err *why)
{
	struct buf b = { 0 };

	buf_printf(&b,
		   "{\"record\":\"note\",\"reason\":\"%s\",\"addr\":", err_code_name(why->code));
	if (why->addr)
		buf_printf(&b, "\"0x%" PRIx64 "\"", why->addr);
	else
		buf_str(&b, "null");
	buf_str(&b, ",\"text\":");
	buf_json_str(&b, why->msg, strlen(why->msg));
	buf_char(&b, '}');
	json_line(k, &b);
}

static void json_text(struct sink *k, const char *s)
{
	do {
		size_t n = strcspn(s, "\n");
		struct buf b = { 0 };

		buf_str(&b, "{\"record\":\"text\",\"text\":");
		buf_json_str(&b, s, n);
		buf_char(&b, '}');
		json_line(k, &b);
		s += n + (s[n] == '\n');
	} while (*s);
}

static void json_flush(struct sink *k)
{
	(void)k;
}

static void json_make(struct sink *k, const struct record *r, struct buf *to)
{
	struct sink into = *k;

	into.write = buf_write;
	into.self = to;
	json_record(&into, r);
}

static void json_made(struct sink *k, const struct record_kind *kind, bool headless, const char *s,
		      size_t n)
{
	(void)kind, (void)headless;
	if (n)
		k->write(k->self, s, n);
}

const struct sink_ops render_json = {
	.record = json_record,
	.note = json_note,
	.text = json_text,
	.flush = json_flush,
	.release = json_flush,
	.make = json_make,
	.made = json_made,
};
