/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_fmt made digestible for libtraceevent. */
#include "core/trace/print/print_fmt.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/types/expr.h"
#include "core/image/target.h"
#include "core/trace/format.h"

#define WORD_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

#define MARK "\\r" /* TRACE_FMT_POINTER */

/* A number of the word's full width, as the kernel prints a pointer that it does not hash. */
static void widen_pointer(struct buf *b, unsigned word_size, bool marked)
{
	buf_str(b, marked ? MARK "%" : "%");
	buf_str(b, word_size == 8 ? "016llx" : "08lx");
	buf_str(b, marked ? MARK : "");
}

void trace_fmt_pointers(struct buf *b, const char *fmt, unsigned word_size, bool marked)
{
	for (; *fmt; fmt++) {
		bool suffix = fmt[0] == '%' && fmt[1] == 'p' && (fmt[2] == 'x' || fmt[2] == 'K');

		if (fmt[0] == '%' && fmt[1] == '%') {
			buf_add(b, fmt++, 2);
		} else if (suffix ||
			   (fmt[0] == '%' && fmt[1] == 'p' &&
			    (!fmt[2] || !strchr("FfSsBMmIiURrbhhEeUVNadCDgGtOk", fmt[2])))) {
			widen_pointer(b, word_size, marked && !suffix);
			fmt += 1 + suffix;
		} else {
			buf_char(b, *fmt);
		}
	}
}

/* Enumeration constants are names in some print_fmts: { HRTIMER_MODE_ABS, "ABS" }. What the types
 * know becomes a number; text in quotes stays. */
static void number_constants(struct buf *b, const char *fmt, struct target *t)
{
	bool quoted = false;

	while (*fmt) {
		size_t n = quoted ? 0 : strspn(fmt, WORD_CHARS);
		struct value v;
		struct err err;
		char name[128];
		int64_t number;

		if (*fmt == '"' || *fmt == '\\') {
			quoted ^= *fmt == '"';
			n = *fmt == '\\' && fmt[1] ? 2 : 1;
			buf_add(b, fmt, n);
			fmt += n;
			continue;
		}
		if (n < 3 || n >= sizeof(name) || *fmt < 'A' || *fmt > 'Z' || fmt[n] == '(' ||
		    fmt[n] == '-') {
			n = n ? n : 1;
			buf_add(b, fmt, n);
			fmt += n;
			continue;
		}
		memcpy(name, fmt, n);
		name[n] = '\0';
		if (types_available(t) && expr_enumerator(t, name, &v, &err) &&
		    value_s64(t, v, &number, &err))
			buf_printf(b, "%" PRId64, number);
		else
			buf_add(b, fmt, n);
		fmt += n;
	}
}

/* "(0x40000 | 0x80000)" is one number: libtraceevent 1.7.1 forgets such parentheses, and takes what
 * is in front of them for a part of it. Returns what follows the ')'; NULL: it is something else.
 */
static const char *folded(const char *s, uint64_t *ret)
{
	*ret = 0;
	for (s++;; s++) {
		char *end;
		uint64_t v;

		s += strspn(s, " ");
		if (*s < '0' || *s > '9')
			return NULL;
		v = strtoull(s, &end, 0);
		*ret |= v;
		s = end + strspn(end, "uUlL ");
		if (*s == ')')
			return s + 1;
		if (*s != '|')
			return NULL;
	}
}

static void fold_numbers(struct buf *b, const char *fmt)
{
	bool quoted = false;

	while (*fmt) {
		uint64_t v;
		const char *behind = !quoted && *fmt == '(' ? folded(fmt, &v) : NULL;

		if (behind) {
			buf_printf(b, "0x%" PRIx64, v);
			fmt = behind;
			continue;
		}
		if (*fmt == '\\' && fmt[1])
			buf_char(b, *fmt++);
		else
			quoted ^= *fmt == '"';
		buf_char(b, *fmt++);
	}
}

/* "field:u64 file[]; size:16" of a probe is an array of two; libtraceevent wants to be told. */
static uint32_t elements(const struct trace_field *f)
{
	static const struct {
		const char *type;
		uint32_t size;
	} sizes[] = { { "u8", 1 },  { "s8", 1 },  { "u16", 2 }, { "s16", 2 },
		      { "u32", 4 }, { "s32", 4 }, { "u64", 8 }, { "s64", 8 } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = strlen(sizes[i].type);

		if (f->is_array && !f->is_dynamic && !f->is_relative && !f->count && f->size &&
		    !strncmp(f->type, sizes[i].type, n) && (f->type[n] == '[' || !f->type[n]))
			return f->size / sizes[i].size;
	}
	return f->count;
}

/* ---- addresses of texts */

bool trace_fmt_is_text(const struct trace_format *f, const struct trace_field *field,
		       const struct recording *rec)
{
	/* libtraceevent has its own way for trace_printk's */
	return field->is_text_address && field->size == rec->word_size &&
	       strcmp(f->system ? f->system : "", "ftrace") != 0;
}

/* What "REC->name" at s is, of a field that is such an address; NULL: something else. */
static const struct trace_field *text_field(const char *s, const struct recording *rec,
					    const struct trace_format *f)
{
	size_t n;

	if (strncmp(s, "REC->", 5) != 0)
		return NULL;
	n = strspn(s + 5, WORD_CHARS);
	for (size_t i = 0; i < f->n_fields; i++)
		if (trace_fmt_is_text(f, &f->fields[i], rec) && strlen(f->fields[i].name) == n &&
		    !memcmp(f->fields[i].name, s + 5, n))
			return &f->fields[i];
	return NULL;
}

static void name_texts(struct buf *b, const char *fmt, const struct recording *rec,
		       const struct trace_format *f)
{
	bool quoted = false;

	while (*fmt) {
		const struct trace_field *field = quoted ? NULL : text_field(fmt, rec, f);

		if (field) {
			buf_printf(b, "__get_str(%s)", field->name);
			fmt += 5 + strlen(field->name);
			continue;
		}
		if (*fmt == '\\' && fmt[1])
			buf_char(b, *fmt++);
		else
			quoted ^= *fmt == '"';
		buf_char(b, *fmt++);
	}
}

static void put_text(struct buf *b, const struct recording *rec, uint64_t addr)
{
	const char *s = addr && rec->ops->string ? rec->ops->string(rec, addr) : NULL;

	if (s)
		buf_str(b, s);
	else if (addr)
		buf_printf(b, "<string at 0x%" PRIx64 ">", addr);
	else
		buf_str(b, "(null)");
	buf_char(b, '\0');
}

#define RECORD_MAX 65535u /* what the 16 bits of a text's place can say */

bool trace_fmt_record(const struct trace_event *ev, struct buf *ret)
{
	const struct recording *rec = ev->buffer->recording;
	size_t start = ret->n;

	buf_add(ret, (const char *)ev->data.p, ev->data.n);
	for (size_t i = 0; i < ev->format->n_fields; i++) {
		const struct trace_field *f = &ev->format->fields[i];
		size_t at = ret->n - start, n;
		uint64_t addr;

		if (!trace_fmt_is_text(ev->format, f, rec))
			continue;
		if (!trace_field_u64(ev, f, &addr))
			return false;
		put_text(ret, rec, addr);
		n = ret->n - start - at;
		if (at + n > RECORD_MAX || ret->cut)
			return false;
		for (unsigned k = 0; k < 4; k++)
			ret->s[start + f->offset + k] =
				(char)((n << 16 | at) >> 8 * (rec->big_endian ? 3 - k : k));
	}
	return true;
}

/* ---- addresses of struct pages */

/* Past the bracket that closes the one at s; NULL: none does. */
static const char *closing(const char *s)
{
	unsigned depth = 0;

	for (; *s; s++) {
		depth += *s == '(';
		depth -= *s == ')';
		if (!depth)
			return s + 1;
	}
	return NULL;
}

/*
 * "page=%p ... , (((struct page *)vmemmap_base) + (REC->pfn))": where the pages' structs begin, and
 * how large one is, is not in a record, and libtraceevent would print the page's number as if it
 * were an address. So a "page=%p" is made "page=<pfn 0x%lx>", and its argument the number.
 */
static void number_pages(struct buf *b, const char *fmt)
{
	static const char page[] = "page=%p", begins[] = "(((struct page *)";
	const char *first = strstr(fmt, page), *at = strstr(fmt, begins), *end, *number;

	/* other pages than this one would have other words in front */
	end = at ? closing(at) : NULL;
	number = end ? memrchr(at, '+', (size_t)(end - at)) : NULL;
	if (!first || first > at || !number || strstr(first + 1, page) || strstr(end, begins)) {
		buf_str(b, fmt);
		return;
	}
	buf_add(b, fmt, (size_t)(first - fmt));
	buf_str(b, "page=<pfn 0x%lx>");
	first += strlen(page);
	buf_add(b, first, (size_t)(at - first));
	buf_char(b, '(');
	buf_add(b, number + 1, (size_t)(end - number - 1));
	buf_str(b, end);
}

/* ---- what ends libtraceevent 1.7.1, and the program with it */

/* Does s, behind "REC->", begin with the name of a field of the event's? */
static bool names_field(const struct trace_format *f, const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	for (size_t i = 0; i < f->n_fields; i++)
		if (strlen(f->fields[i].name) == n && !memcmp(f->fields[i].name, s, n))
			return true;
	return false;
}

/* What stands behind the sign of a division. Constants are computed as they are read, those that
 * are unknown as zero, and factors in front of the division. */
static bool divides(const struct trace_format *f, const char *s)
{
	char *end;

	s += strspn(s, " (");
	if (!strncmp(s, "REC->", 5))
		return names_field(f, s + 5);
	if (!isdigit((unsigned char)*s))
		return !strncmp(s, "sizeof", 6) || !strncmp(s, "__get_", 6);
	if (!strtoull(s, &end, 0))
		return false;
	end += strspn(end, "uUlL ");
	return !*end || !strchr("*/%", *end);
}

/* Flags and symbols of a field that is not there, and divisions by zero. Text is passed over. */
static bool is_bearable(const struct trace_format *f, const char *fmt)
{
	bool text = false, named = false;

	for (const char *s = fmt; *s; s++) {
		if (text && *s == '\\' && s[1])
			s++;
		else if (*s == '"')
			text = !text;
		if (text)
			continue;
		if ((*s == '/' || *s == '%') && !divides(f, s + 1))
			return false;
		named |= !strncmp(s, "__print_flags", 13) || !strncmp(s, "__print_symbolic", 16);
		if (named && !strncmp(s, "REC->", 5)) {
			if (!names_field(f, s + 5))
				return false;
			named = false;
		}
	}
	return true;
}

bool trace_fmt_digest(struct arena *a, const struct recording *rec, const struct trace_format *f,
		      bool marked, struct buf *ret, struct err *err)
{
	struct trace_format copy = *f;
	struct trace_field *fields = ARENA_ARRAY(a, struct trace_field, f->n_fields + 1);
	struct buf words = { .max = TRACE_FORMAT_MAX }, numbers = { .max = TRACE_FORMAT_MAX };
	struct buf wide = { .max = TRACE_FORMAT_MAX }, texts = { .max = TRACE_FORMAT_MAX };
	struct buf pages = { .max = TRACE_FORMAT_MAX };
	struct err why = { .code = ERR_OK };
	bool cut;

	number_pages(&pages, f->print_fmt);
	name_texts(&texts, buf_text(&pages), rec, f);
	number_constants(&words, buf_text(&texts), rec->t);
	fold_numbers(&numbers, buf_text(&words));
	trace_fmt_pointers(&wide, buf_text(&numbers), rec->word_size, marked);
	copy.print_fmt = buf_text(&wide);
	for (size_t i = 0; i < f->n_fields; i++) {
		fields[i] = f->fields[i];
		fields[i].count = elements(&fields[i]);
		if (trace_fmt_is_text(f, &f->fields[i], rec)) {
			fields[i].type = "__data_loc char[]";
			fields[i].size = 4;
			fields[i].is_array = fields[i].is_dynamic = fields[i].is_string = true;
		}
	}
	copy.fields = fields;
	trace_format_text(ret, &copy);
	if (!is_bearable(f, copy.print_fmt))
		err_set(&why, ERR_FORMAT, "the format of '%.60s' cannot be computed", f->name);
	cut = pages.cut || texts.cut || words.cut || numbers.cut || wide.cut || ret->cut;
	buf_release(&pages);
	buf_release(&texts);
	buf_release(&words);
	buf_release(&numbers);
	buf_release(&wide);
	if (why.code != ERR_OK)
		return *err = why, false;
	return !cut || err_set(err, ERR_LIMIT, "the format of '%.60s' is too long", f->name);
}
