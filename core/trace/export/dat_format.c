/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A print format for events of recordings that come without one. */
#include <ctype.h>
#include <string.h>

#include "core/trace/export/dat_format.h"

#define WORD_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

static bool is_word(const char *s)
{
	return *s && !isdigit((unsigned char)*s) && !s[strspn(s, WORD_CHARS)];
}

/* How a field is printed, as a conversion and its argument; false: nobody reads it so. */
static bool field_printed(const struct trace_field *f, struct buf *text, struct buf *args)
{
	if (f->is_common || !is_word(f->name) || ((f->is_array || f->is_dynamic) && !f->is_string))
		return false;
	buf_printf(text, "%s%s=%s", text->n ? " " : "", f->name,
		   f->is_string   ? "%s"
		   : f->size == 8 ? (f->is_signed ? "%lld" : "%llu")
		   : f->is_signed ? "%d"
				  : "%u");
	buf_printf(args, ", %s%s%s",
		   !f->is_dynamic   ? "REC->"
		   : f->is_relative ? "__get_rel_str("
				    : "__get_str(",
		   f->name, f->is_dynamic ? ")" : "");
	return true;
}

void dat_print_fmt(const struct trace_format *f, struct buf *ret)
{
	struct buf text = { 0 }, args = { 0 };

	for (size_t i = 0; i < f->n_fields; i++)
		(void)field_printed(&f->fields[i], &text, &args);
	buf_printf(ret, "\"%s\"%s", buf_text(&text), buf_text(&args));
	buf_release(&text);
	buf_release(&args);
}
