/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells and line templates as people read them. */
#include <inttypes.h>
#include <string.h>

#include "core/shell/cell.h"
#include "core/target/target.h"

/* Bytes of the printable character at s: 0 for control characters and for what is not UTF-8. */
static size_t printable_len(const unsigned char *s, size_t n)
{
	size_t len;

	if (s[0] < 0x80)
		return (s[0] >= 0x20 && s[0] != 0x7f) || s[0] == '\n' || s[0] == '\t';
	len = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	if (len > n || (s[0] == 0xc2 && s[1] < 0xa0)) /* U+0080 to U+009F are controls too */
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

void text_add(struct buf *b, const char *s, size_t n)
{
	size_t plain = 0;

	for (size_t i = 0; i < n;) {
		size_t len = printable_len((const unsigned char *)s + i, n - i);

		if (len) {
			i += len;
			continue;
		}
		buf_add(b, s + plain, i - plain);
		buf_printf(b, "\\x%02x", (unsigned char)s[i++]);
		plain = i;
	}
	buf_add(b, s + plain, n - plain);
}

static void size_to_text(struct buf *b, uint64_t u)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB", "PB", "EB" };
	double d = (double)u;
	size_t i = 0;

	for (; d >= 1024 && i + 1 < sizeof(units) / sizeof(units[0]); i++)
		d /= 1024;
	if (d == (double)(uint64_t)d)
		buf_printf(b, "%" PRIu64 " %s", (uint64_t)d, units[i]);
	else
		buf_printf(b, "%.1f %s", d, units[i]);
}

void cell_to_text(struct buf *b, struct sink *k, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NULL:
		buf_char(b, '-');
		break;
	case CELL_STR:
		text_add(b, c->str.s, c->str.n);
		break;
	case CELL_INT:
		buf_printf(b, "%" PRId64, c->i);
		break;
	case CELL_UINT:
		buf_printf(b, "%" PRIu64, c->u);
		break;
	case CELL_ADDR:
		buf_printf(b, "%0*" PRIx64, target_addr_digits(k->t), c->u);
		break;
	case CELL_HEX:
		buf_printf(b, "0x%" PRIx64, c->u);
		break;
	case CELL_BOOL:
		buf_str(b, c->b ? "yes" : "no");
		break;
	case CELL_TIME:
		/* as the kernel stamps its log: "[%5lu.%06lu]" */
		buf_printf(b, "[%5" PRIu64 ".%06" PRIu64 "]", c->u / 1000000000,
			   c->u % 1000000000 / 1000);
		break;
	case CELL_SIZE:
		size_to_text(b, c->u);
		break;
	case CELL_DECIMAL:
		buf_printf(b, "%" PRIu64 ".%0*" PRIu64, c->u / 100, c->u % 10 ? 2 : 1,
			   c->u % 10 ? c->u % 100 : c->u / 10 % 10);
		break;
	case CELL_VALUE:
		value_to_text(b, k->t, c->value, &k->style);
		break;
	case CELL_STRS:
		for (size_t i = 0; i < c->strs.n; i++) {
			if (i)
				buf_str(b, ", ");
			text_add(b, c->strs.v[i], strlen(c->strs.v[i]));
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

static const struct cell *template_cell(const struct record *r, const char *name, size_t n)
{
	static const struct cell null_cell = { .kind = CELL_NULL };

	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		const char *field = r->kind->fields[i].name;

		/* most differ in the first letter, and this is asked for every line */
		if (*field == *name && !strncmp(field, name, n) && !field[n])
			return &r->cells[i];
	}
	return &null_cell;
}

/* "{name}", "{name:8}", "{name:-8}": s is behind the brace; returns what follows the "}". */
static const char *template_field(struct buf *b, struct sink *k, const struct record *r,
				  const char *s)
{
	size_t n = strcspn(s, ":}"), width = 0, start = b->n, len;
	const char *name = s;
	bool left = false;

	s += n;
	if (*s == ':') {
		s++;
		left = *s == '-';
		s += left;
		for (; *s >= '0' && *s <= '9' && width < 1000; s++)
			width = width * 10 + (size_t)(*s - '0');
		s += strcspn(s, "}");
	}
	cell_to_text(b, k, template_cell(r, name, n));
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
			bool holds = show && cell_holds(template_cell(r, s + 2, len));

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
