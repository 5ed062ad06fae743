/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines around a place, as records. */
#include <string.h>

#include "core/base/buf.h"
#include "core/records/source_record.h"
#include "core/image/target.h"

#define WIDTH_MAX 1000 /* bytes of a line that are shown */

enum {
	CURRENT,
	LINE,
	TEXT,
	FILE_,
	PATH
};

static void form_current(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	(void)k, (void)r;
	buf_char(b, cell->b ? '*' : ' ');
}

static const struct record_field fields[] = {
	[CURRENT] = { "current", NULL, CELL_BOOL, 0, "the line asked for", .text = form_current },
	[LINE] = { "line", NULL, CELL_UINT, 0, "its number" },
	[TEXT] = { "text", NULL, CELL_STR, 0, "the line, without its end" },
	[FILE_] = { "file", NULL, CELL_STR, FIELD_JSON, "file as debug info names it" },
	[PATH] = { "path", NULL, CELL_STR, FIELD_JSON, "file that was read" },
};
const struct record_kind source_line_kind = {
	.name = "source",
	.doc = "one line of a source file (--source)",
	.layout = LAYOUT_LINE,
	.line = "{current} {line:5}  {text}",
	.fields = fields,
	.n_fields = sizeof(fields) / sizeof(fields[0]),
};

/* Tabs as people see them, and nothing that a terminal would obey. */
static const char *shown(struct arena *a, struct span s)
{
	char *text = arena_alloc(a, s.n * 8 + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n && n < WIDTH_MAX; i++) {
		if (s.p[i] == '\t')
			do
				text[n++] = ' ';
			while (n % 8);
		else
			text[n++] = s.p[i] < 0x20 || s.p[i] == 0x7f ? '?' : (char)s.p[i];
	}
	return text;
}

bool emit_source(struct ctx *c, const char *file, unsigned line, unsigned before, unsigned behind,
		 struct err *err)
{
	const struct source *s;
	struct span text;

	if (!source_file(c->t, file, &s, err))
		return false;
	if (!source_line(s, line, &text))
		return err_set(err, ERR_MISMATCH,
			       "'%.150s' has no line %u: it is not the source of this kernel",
			       s->path, line);
	for (unsigned i = line > before ? line - before : 1;
	     i <= line + behind && source_line(s, i, &text); i++) {
		struct record r;

		record_init(&r, &source_line_kind);
		record_bool(&r, CURRENT, i == line);
		record_uint(&r, LINE, i);
		record_str(&r, TEXT, shown(c->arena, text));
		record_str(&r, FILE_, file);
		record_str(&r, PATH, s->path);
		emit(c, &r);
	}
	return true;
}
