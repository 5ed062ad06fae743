/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells and line templates as people read them. */
#include <inttypes.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/quantity.h"
#include "core/shell/render/cell.h"
#include "core/image/target.h"

static void text_add(struct buf *b, const struct record_field *f, const char *s, size_t n)
{
	if (f->flags & FIELD_LINES)
		buf_plain_lines(b, s, n);
	else
		buf_plain(b, s, n);
}

/* The field's own form, escaped as its other text is. */
static void form_add(struct buf *b, struct sink *k, const struct record *r,
		     const struct record_field *f, const struct cell *c)
{
	struct buf own = { 0 };

	f->text(&own, k, r, c);
	text_add(b, f, buf_text(&own), own.n);
	buf_release(&own);
}

/* At least so many digits, and "0x" in front with `marked`. */
static void hex_add(struct buf *b, uint64_t v, size_t digits, bool marked)
{
	char text[18];
	size_t at = sizeof(text), end = sizeof(text) - digits;

	while (at > end || v) {
		text[--at] = "0123456789abcdef"[v & 15];
		v >>= 4;
	}
	if (marked) {
		text[--at] = 'x';
		text[--at] = '0';
	}
	buf_add(b, text + at, sizeof(text) - at);
}

void cell_to_text(struct buf *b, struct sink *k, const struct record *r,
		  const struct record_field *f, const struct cell *c)
{
	if (f->text && c->kind != CELL_UNKNOWN && c->kind != CELL_ABSENT) {
		form_add(b, k, r, f, c);
		return;
	}
	switch (c->kind) {
	case CELL_NULL:
		buf_char(b, '-');
		break;
	case CELL_STR:
		text_add(b, f, c->str.s, c->str.n);
		break;
	case CELL_INT:
		if (c->i < 0)
			buf_char(b, '-');
		buf_dec(b, c->i < 0 ? -(uint64_t)c->i : (uint64_t)c->i, 0, ' ');
		break;
	case CELL_UINT:
		buf_dec(b, c->u, 0, ' ');
		break;
	case CELL_ADDR:
		hex_add(b, c->u, (size_t)target_addr_digits(k->t), false);
		break;
	case CELL_HEX:
		hex_add(b, c->u, 1, true);
		break;
	case CELL_BOOL:
		buf_str(b, c->b ? "yes" : "no");
		break;
	case CELL_TIME:
		buf_stamp(b, c->u);
		break;
	case CELL_DURATION:
		buf_duration(b, c->u);
		break;
	case CELL_DATE:
		buf_date(b, (c->i - (c->i < 0 ? 999999999 : 0)) / 1000000000);
		break;
	case CELL_SIZE:
		buf_size(b, c->u);
		break;
	case CELL_KIB:
		buf_dec(b, c->u / 1024, 0, ' ');
		break;
	case CELL_DECIMAL:
		buf_hundredths(b, c->u);
		break;
	case CELL_VALUE:
		value_to_text(b, k->t, c->value, &k->style);
		break;
	case CELL_STRS:
		for (size_t i = 0; i < c->strs.n; i++) {
			if (i)
				buf_str(b, ", ");
			buf_plain(b, c->strs.v[i], strlen(c->strs.v[i]));
		}
		break;
	case CELL_RECORDS:
	case CELL_FIELDS:
		break;
	case CELL_ABSENT:
		buf_printf(b, "<%s", err_absent_text(c->absent.why));
		if (c->absent.addr)
			buf_printf(b, " 0x%" PRIx64, c->absent.addr);
		buf_char(b, '>');
		break;
	case CELL_UNKNOWN:
		buf_str(b, "(unknown: ");
		buf_plain(b, c->unknown->msg, strlen(c->unknown->msg));
		buf_char(b, ')');
		break;
	}
}

/* Is there something to show for a {?name:...} part? */
static bool cell_holds(const struct cell *c)
{
	switch (c->kind) {
	case CELL_NULL:
		return false;
	case CELL_BOOL:
		return c->b;
	case CELL_STR:
		return c->str.n != 0;
	case CELL_STRS:
		return c->strs.n != 0;
	default:
		return true;
	}
}

/* Sets *f to the field of this name; a name that no field has stands for one that is null. */
static const struct cell *template_cell(const struct record *r, const char *name, size_t n,
					const struct record_field **f)
{
	static const struct cell null_cell = { .kind = CELL_NULL };
	static const struct record_field none = { .kind = CELL_NULL };

	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		const char *field = r->kind->fields[i].name;

		/* most differ in the first letter, and this is asked for every line */
		if (*field == *name && !strncmp(field, name, n) && !field[n]) {
			*f = &r->kind->fields[i];
			return &r->cells[i];
		}
	}
	*f = &none;
	return &null_cell;
}

/* "{name}", "{name:8}", "{name:-8}": s is behind the brace; returns what follows the "}". */
static const char *template_field(struct buf *b, struct sink *k, const struct record *r,
				  const char *s)
{
	size_t n = strcspn(s, ":}"), start = b->n, len;
	uint64_t width = 0;
	const struct record_field *f;
	const struct cell *cell;
	const char *name = s;
	bool left = false;

	s += n;
	if (*s == ':') {
		s++;
		left = *s == '-';
		s += left;
		(void)number_take(&s, NULL, 10, &width);
		s += strcspn(s, "}");
	}
	cell = template_cell(r, name, n, &f);
	cell_to_text(b, k, r, f, cell);
	len = b->n - start;
	if (len < width) {
		buf_pad(b, ' ', width - len);
		if (!left && !b->cut) {
			memmove(b->s + start + (width - len), b->s + start, len);
			memset(b->s + start, ' ', width - len);
		}
	}
	return *s ? s + 1 : s;
}

/* Renders up to `end` ("" or "}"); returns where it stopped. Parts nest no deeper than 4. */
static const char *template_part(struct buf *b, struct sink *k, const struct record *r,
				 const char *s, unsigned depth, bool show)
{
	while (*s && !(depth && *s == '}')) {
		size_t n = strcspn(s, depth ? "{}" : "{");

		if (n) {
			if (show)
				buf_add(b, s, n);
			s += n;
		} else if (s[1] == '{') {
			if (show)
				buf_char(b, '{');
			s += 2;
		} else if (s[1] == '?' && depth < 4) {
			size_t len = strcspn(s + 2, ":}");
			const struct record_field *f;
			bool holds = show && cell_holds(template_cell(r, s + 2, len, &f));

			s += 2 + len;
			s = template_part(b, k, r, *s == ':' ? s + 1 : s, depth + 1, holds);
			s += *s == '}';
		} else if (show) {
			s = template_field(b, k, r, s + 1);
		} else {
			s += strcspn(s, "}");
			s += *s == '}';
		}
	}
	return s;
}

void template_render(struct buf *b, struct sink *k, const struct record *r, const char *line)
{
	template_part(b, k, r, line, 0, true);
}
