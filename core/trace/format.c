/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event formats: the text of tracefs' "format" files, read and written. */
#include <ctype.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/vec.h"
#include "core/trace/format.h"

/*
 * The text is what f_show() of kernel/trace/trace_events.c writes: "name:", "ID:", "format:", a
 * line "\tfield:TYPE NAME;\toffset:N;\tsize:N;\tsigned:N;" for each field, an empty line behind
 * the common ones, and "print fmt:". An array is declared as C does it, "char comm[16]"; dynamic
 * arrays have their brackets in the type, "__data_loc char[] name".
 */

/* Operators in a row that libtraceevent would nest (it recurses for each), and bytes of print_fmt.
 */
#define OPERATORS_MAX 1000u
#define PRINT_FMT_MAX ((size_t)64 << 10)
#define FIELD_END_MAX ((uint64_t)1 << 24) /* no record is longer */

struct format_line {
	const char *s;
	size_t n;
};

/* The next line of the text, without its end. */
static bool next_line(struct span text, size_t *pos, struct format_line *ret)
{
	const char *s = (const char *)text.p + *pos, *nl;

	if (*pos >= text.n)
		return false;
	nl = memchr(s, '\n', text.n - *pos);
	ret->s = s;
	ret->n = nl ? (size_t)(nl - s) : text.n - *pos;
	*pos += ret->n + 1;
	while (ret->n && ret->s[ret->n - 1] == '\r')
		ret->n--;
	return true;
}

static bool starts(struct format_line l, const char *with)
{
	size_t n = strlen(with);

	return l.n >= n && !memcmp(l.s, with, n);
}

static struct format_line behind(struct format_line l, size_t n)
{
	while (n < l.n && l.s[n] == ' ')
		n++;
	return (struct format_line){ l.s + n, l.n - n };
}

static bool format_number(struct format_line l, uint64_t max, uint64_t *ret)
{
	return number_take(&l.s, l.s + l.n, 10, ret) && *ret <= max;
}

/* "offset:12;" somewhere behind the declaration. */
static bool attribute(struct format_line l, const char *key, uint64_t *ret)
{
	const char *at = memmem(l.s, l.n, key, strlen(key));

	if (!at)
		return false;
	return format_number(
		(struct format_line){ at + strlen(key), l.n - (size_t)(at - l.s) - strlen(key) },
		FIELD_END_MAX, ret);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool has(const char *s, const char *what)
{
	return strstr(s, what) != NULL;
}

/* What the type's words say. */
static void field_kind(struct trace_field *f)
{
	f->is_dynamic = !strncmp(f->type, "__data_loc ", 11);
	f->is_relative = !strncmp(f->type, "__rel_loc ", 10);
	f->is_array |= has(f->type, "[");
	f->is_string = f->is_array && !has(f->type, "*") &&
		       (has(f->type, "char") || has(f->type, "string"));
	f->is_common = !strncmp(f->name, "common_", 7);
}

/* "[" and "]" in pairs. */
static bool closed(struct format_line d)
{
	bool open = false;

	for (size_t i = 0; i < d.n; i++) {
		if (d.s[i] != '[' && d.s[i] != ']')
			continue;
		if (open == (d.s[i] == '['))
			return false;
		open = !open;
	}
	return !open;
}

/* Do the n bytes at s, which begin with a bracket, have nothing between their brackets and no blank
 * within them? */
static bool adjacent(const char *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if ((s[i] == ']' && s[i + 1] != '[') || (unsigned char)s[i] <= ' ')
			return false;
	return true;
}

/* Is the type of a field without brackets? Or is it one of those that have them, "__data_loc
 * char[]", and nothing behind or between them? f_show() moves those of all other types behind the
 * name. */
static bool sane_type(struct format_line d)
{
	const char *open = memchr(d.s, '[', d.n);

	while (d.n && d.s[d.n - 1] == ' ')
		d.n--;
	if (!open)
		return true;
	if ((!starts(d, "__data_loc ") && !starts(d, "__rel_loc ")) || d.s[d.n - 1] != ']')
		return false;
	return adjacent(open, (size_t)(d.s + d.n - open));
}

/* "[16]": one pair of brackets, and digits alone between them. */
static bool is_count(struct format_line brackets)
{
	for (size_t i = 1; i + 1 < brackets.n; i++)
		if (brackets.s[i] < '0' || brackets.s[i] > '9')
			return false;
	return brackets.n > 2;
}

/* "unsigned char buf[2][8]" into type, name and count. Brackets that hold no plain number are kept
 * in the type, where the kernel has them too. */
static bool declaration(struct format_line d, struct arena *a, struct trace_field *f,
			struct err *err)
{
	size_t end = d.n, name;
	struct format_line brackets = { d.s, 0 };
	uint64_t count = 0;

	if (!closed(d))
		return err_set(err, ERR_FORMAT, "a bracket of field '%.60s' is alone",
			       arena_strndup(a, d.s, d.n < 60 ? d.n : 60));
	while (end && d.s[end - 1] == ' ')
		end--;
	if (end && d.s[end - 1] == ']') {
		size_t open = end;

		while (open && !(d.s[open - 1] == ' ' && open < end && d.s[open] != '['))
			open--;
		for (; open < end && d.s[open] != '['; open++)
			;
		brackets = (struct format_line){ d.s + open, end - open };
		end = open;
	}
	for (name = end; name && is_word(d.s[name - 1]); name--)
		;
	if (name == end || !name)
		return err_set(err, ERR_FORMAT, "field '%.60s' has no name",
			       arena_strndup(a, d.s, d.n < 60 ? d.n : 60));
	if (!sane_type((struct format_line){ d.s, name }) || !adjacent(brackets.s, brackets.n))
		return err_set(err, ERR_FORMAT, "field '%.60s' has a bracket in front of its name",
			       arena_strndup(a, d.s, d.n < 60 ? d.n : 60));
	f->name = arena_strndup(a, d.s + name, end - name);
	f->is_array = brackets.n > 0;
	if (is_count(brackets) && format_number(behind(brackets, 1), UINT32_MAX, &count) && count) {
		f->count = (uint32_t)count;
		brackets.n = 0;
	}
	while (name && d.s[name - 1] == ' ')
		name--;
	if (brackets.n > 2) /* "[2][8]", "[SOME_NAME]" */
		f->type = arena_printf(a, "%.*s%.*s", (int)name, d.s, (int)brackets.n, brackets.s);
	else
		f->type = arena_strndup(a, d.s, name);
	field_kind(f);
	return true;
}

static bool parse_field(struct format_line l, struct arena *a, struct trace_field *f,
			struct err *err)
{
	const char *end = memchr(l.s, ';', l.n);
	struct format_line decl, rest;
	uint64_t offset, size, sign;

	if (!end)
		return err_set(err, ERR_FORMAT, "a field does not end");
	decl = (struct format_line){ l.s, (size_t)(end - l.s) };
	rest = (struct format_line){ end, l.n - decl.n };
	if (!declaration(decl, a, f, err))
		return false;
	if (!attribute(rest, "offset:", &offset) || !attribute(rest, "size:", &size))
		return err_set(err, ERR_FORMAT, "field '%.60s' has no offset or size", f->name);
	f->offset = (uint32_t)offset;
	f->size = (uint32_t)size;
	/* kernels before 2.6.33 did not say it */
	f->is_signed = attribute(rest, "signed:", &sign) && sign;
	return true;
}

/* Steps over a quoted string; s is at its quote. NULL: it does not end. */
static const char *quoted(const char *s)
{
	char quote = *s;

	for (s++; *s && *s != quote; s++)
		if (*s == '\\' && !*++s)
			return NULL;
	return *s ? s + 1 : NULL;
}

/* ---- fields that are addresses of texts */

#define CONVERSIONS_MAX 128u

/* The last letters of a print_fmt's conversions, one for each argument, and '*' for a width. s is
 * at its quote. */
static void conversions_of(const char *s, char ret[CONVERSIONS_MAX + 1])
{
	size_t n = 0;

	for (s++; *s && *s != '"'; s++) {
		if (*s == '\\' && s[1])
			s++;
		if (*s != '%' || *++s == '%')
			continue;
		for (; *s && strchr("-+ #0123456789.*hlLqjzt", *s); s++)
			if (*s == '*' && n < CONVERSIONS_MAX)
				ret[n++] = '*';
		if (!*s || *s == '"')
			break;
		if (n < CONVERSIONS_MAX)
			ret[n++] = *s;
	}
	ret[n] = '\0';
}

/* "REC->name" and nothing longer: how many bytes it has; 0: s is something else. */
static size_t field_word(const char *s, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(s, "REC->", 5) != 0 || strncmp(s + 5, name, n) != 0 || is_word(s[5 + n]))
		return 0;
	return 5 + n;
}

/* Is every mention of the field in print_fmt a whole argument that "%s" shows? */
static bool shown_as_text(const char *fmt, const char *name)
{
	char kinds[CONVERSIONS_MAX + 1];
	size_t arg = 0, n, n_kinds, shown = 0;
	const char *s = *fmt == '"' ? quoted(fmt) : NULL;
	unsigned depth = 0;
	bool begins = false;

	if (!s)
		return false;
	conversions_of(fmt, kinds);
	n_kinds = strlen(kinds);
	while (s && *s) {
		if (*s == '"' || *s == '\'') {
			begins = false;
			s = quoted(s);
			continue;
		}
		if (*s == ',' && !depth) {
			begins = true;
			arg++;
			s++;
			continue;
		}
		n = field_word(s, name);
		if (n) {
			s += n;
			s += strspn(s, " ");
			if (!begins || (*s && *s != ',') || arg > n_kinds || kinds[arg - 1] != 's')
				return false;
			shown++;
			continue;
		}
		if (strchr("([{", *s))
			depth++;
		else if (strchr(")]}", *s))
			depth -= depth > 0;
		begins &= *s == ' ';
		s++;
	}
	return s && shown;
}

void trace_format_texts(struct trace_field *fields, size_t n, const char *system,
			const char *print_fmt)
{
	for (size_t i = 0; i < n; i++) {
		struct trace_field *f = &fields[i];
		const char *type = f->type;

		type += strncmp(type, "const ", 6) ? 0 : 6;
		f->is_text_address = (!strcmp(type, "char *") || !strcmp(type, "char*")) &&
				     (f->size == 4 || f->size == 8) && !f->is_array && print_fmt &&
				     strcmp(system ? system : "", "syscalls") != 0 &&
				     shown_as_text(print_fmt, f->name);
	}
}

bool trace_format_parse(struct span text, const char *system, struct arena *a,
			struct trace_format *ret, struct err *err)
{
	VEC(struct trace_field) v = { 0 };
	struct trace_format f = { .system = arena_strdup(a, system) };
	bool has_id = false, ok = true;
	struct trace_field *kept;
	struct format_line l;
	size_t pos = 0;

	if (text.n > TRACE_FORMAT_MAX)
		return err_set(err, ERR_LIMIT, "a format of %zu bytes; at most %zu are read",
			       text.n, TRACE_FORMAT_MAX);
	if (memchr(text.p ? (const void *)text.p : "", 0, text.n))
		return err_set(err, ERR_FORMAT, "a format with a zero byte in it");
	while (ok && next_line(text, &pos, &l)) {
		uint64_t id;

		while (l.n && (l.s[0] == '\t' || l.s[0] == ' '))
			l = (struct format_line){ l.s + 1, l.n - 1 };
		if (starts(l, "name:") && !f.name) {
			l = behind(l, 5);
			f.name = arena_strndup(a, l.s, l.n);
		} else if (starts(l, "ID:") && !has_id) {
			has_id = format_number(behind(l, 3), UINT16_MAX, &id);
			f.id = has_id ? (uint16_t)id : 0;
		} else if (starts(l, "field:") || starts(l, "field special:")) {
			if (v.n >= TRACE_FIELDS_MAX)
				ok = err_set(err, ERR_LIMIT, "more than %u fields",
					     TRACE_FIELDS_MAX);
			else
				ok = parse_field(behind(l, starts(l, "field:") ? 6 : 14), a,
						 vec_push(&v), err);
		} else if (starts(l, "print fmt:")) {
			const char *s = behind(l, 10).s;
			size_t n = text.n - (size_t)(s - (const char *)text.p);

			while (n && (s[n - 1] == '\n' || s[n - 1] == '\r'))
				n--;
			f.print_fmt = arena_strndup(a, s, n);
			break;
		}
	}
	if (ok && (!f.name || !*f.name || !has_id))
		ok = err_set(err, ERR_FORMAT, "no text of an event's format: it lacks %s",
			     !f.name || !*f.name ? "a name" : "a number");
	if (ok) {
		kept = ARENA_ARRAY(a, struct trace_field, v.n + 1);
		memcpy(kept, v.p ? v.p : kept, v.n * sizeof(*kept));
		trace_format_texts(kept, v.n, system, f.print_fmt);
		f.fields = kept;
		f.n_fields = v.n;
		*ret = f;
	} else if (f.name) {
		err_wrap(err, "format of '%.60s'", f.name);
	}
	vec_release(&v);
	return ok;
}

static void field_text(struct buf *b, const struct trace_field *f)
{
	const char *open = f->is_dynamic ? NULL : strchr(f->type, '[');
	size_t start = b->n;

	/* "__rel_loc char[] x" is written "__rel_loc char x[]", by this rule of the kernel's */
	buf_str(b, "\tfield:");
	buf_add(b, f->type, open ? (size_t)(open - f->type) : strlen(f->type));
	buf_printf(b, " %s", f->name);
	if (f->is_array && f->count)
		buf_printf(b, "[%u]", f->count);
	else if (open)
		buf_str(b, open);
	else if (f->is_array && !f->is_dynamic)
		buf_str(b, "[]");
	buf_printf(b, ";\toffset:%u;\tsize:%u;\tsigned:%d;", f->offset, f->size, f->is_signed);
	buf_one_line(b, start);
	buf_char(b, '\n');
}

void trace_format_text(struct buf *b, const struct trace_format *f)
{
	bool common = true;
	size_t start = b->n;

	buf_printf(b, "name: %s", f->name);
	buf_one_line(b, start);
	buf_printf(b, "\nID: %u\nformat:\n", f->id);
	for (size_t i = 0; i < f->n_fields; i++) {
		if (common && !f->fields[i].is_common)
			buf_char(b, '\n');
		common = f->fields[i].is_common;
		field_text(b, &f->fields[i]);
	}
	if (common)
		buf_char(b, '\n');
	/* this one has line ends of its own in some events */
	buf_printf(b, "\nprint fmt: %s\n", f->print_fmt ? f->print_fmt : "");
}

bool trace_format_bounded(const struct trace_format *f, struct err *err)
{
	uint16_t ops[TRACE_PARENS_MAX + 1] = { 0 }; /* operators since the last comma, a level */
	unsigned depth = 0, active = 0;
	const char *s = f->print_fmt;

	if (!s)
		return true;
	if (strlen(s) > PRINT_FMT_MAX)
		return err_set(err, ERR_LIMIT, "print fmt of '%.60s' is longer than %zu bytes",
			       f->name, PRINT_FMT_MAX);
	while (*s) {
		if (*s == '"' || *s == '\'') {
			s = quoted(s);
			if (!s)
				return err_set(err, ERR_FORMAT,
					       "a string in print fmt of '%.60s' does not end",
					       f->name);
			continue;
		}
		if (strchr("([{", *s)) {
			if (depth == TRACE_PARENS_MAX)
				return err_set(err, ERR_LIMIT,
					       "print fmt of '%.60s' nests deeper than %u", f->name,
					       TRACE_PARENS_MAX);
			ops[++depth] = 0;
		} else if (strchr(")]}", *s)) {
			if (!depth)
				return err_set(err, ERR_FORMAT,
					       "a bracket in print fmt of '%.60s' opens nowhere",
					       f->name);
			active -= ops[depth--];
		} else if (*s == ',') {
			active -= ops[depth];
			ops[depth] = 0;
		} else if (strchr("+-*/%&|^~!?:<>=", *s)) {
			if (active >= OPERATORS_MAX)
				return err_set(err, ERR_LIMIT,
					       "print fmt of '%.60s' has more than %u operators in "
					       "one argument",
					       f->name, OPERATORS_MAX);
			ops[depth]++;
			active++;
		}
		s++;
	}
	if (depth)
		return err_set(err, ERR_FORMAT, "a bracket in print fmt of '%.60s' does not close",
			       f->name);
	return true;
}
