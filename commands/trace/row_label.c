/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in front of rows that say which buffer each is of, where rows of several are merged. */
#include "commands/trace/row_label.h"

#include <string.h>

#define WIDTH_MAX 24u

static const char *name_of(struct arena *a, const struct trace_buffer *b, bool files)
{
	const char *path = b->recording->path, *slash = path ? strrchr(path, '/') : NULL;
	const char *name = b->name ? b->name : "top";
	const char *file = slash ? slash + 1 : path ? path : "dump";

	return files ? arena_printf(a, "%s:%s", file, name) : name;
}

void row_labels_init(struct row_labels *ret, const struct timeline *tl, bool column,
		     struct arena *a)
{
	size_t n = timeline_buffers(tl, &ret->buffers);
	bool files = false;

	ret->names = NULL;
	ret->n = n;
	ret->width = 0;
	ret->column = column;
	if (n < 2)
		return;
	for (size_t i = 1; i < n; i++)
		files |= ret->buffers[i]->recording != ret->buffers[0]->recording;
	ret->names = ARENA_ARRAY(a, const char *, n);
	for (size_t i = 0; i < n; i++) {
		struct buf b = { 0 };
		const char *name = name_of(a, ret->buffers[i], files);

		/* an instance's name lies in the dump, and begins no line */
		buf_plain(&b, name, strlen(name));
		ret->names[i] = arena_strdup(a, buf_text(&b));
		ret->width = b.n > ret->width ? b.n : ret->width;
		buf_release(&b);
	}
	ret->width = ret->width < WIDTH_MAX ? ret->width : WIDTH_MAX;
}

void row_label_add(struct buf *b, const struct row_labels *l, const struct trace_buffer *of)
{
	size_t i = 0, n;

	if (!l->names)
		return;
	while (i < l->n && l->buffers[i] != of)
		i++;
	n = i < l->n ? strlen(l->names[i]) : 0;
	buf_add(b, i < l->n ? l->names[i] : "", n);
	buf_pad(b, ' ', n < l->width ? l->width - n + 1 : 1);
}

/* Takes the text behind the first `start` bytes out of b. */
static struct buf taken(struct buf *b, size_t start)
{
	struct buf ret = { 0 };

	buf_add(&ret, buf_text(b) + start, b->n - start);
	buf_shrink(b, start);
	return ret;
}

/* A name takes the place of blanks, so that most rows are as wide as without it. */
static void add_named(struct buf *b, const char *name, const char *line, size_t n)
{
	size_t blanks = strspn(line, " "), len = strlen(name);

	if (!name[0] || !strncmp(line, " => ", 4)) {
		buf_add(b, line, n);
		return;
	}
	buf_add(b, name, len);
	buf_pad(b, ' ', blanks > len ? blanks - len : 1);
	buf_add(b, line + blanks, n - blanks);
}

void row_label_lines(struct buf *b, size_t start, const struct row_labels *l,
		     const struct trace_buffer *of)
{
	struct buf lines;
	const char *s;
	size_t i = 0;

	if (!l->names || b->n == start || (!l->column && of == l->buffers[0]))
		return;
	while (i < l->n && l->buffers[i] != of)
		i++;
	lines = taken(b, start);
	for (s = buf_text(&lines); *s;) {
		size_t n = strcspn(s, "\n");

		n += s[n] != '\0';
		if (l->column) {
			row_label_add(b, l, of);
			buf_add(b, s, n);
		} else {
			add_named(b, i < l->n ? l->names[i] : "", s, n);
		}
		s += n;
	}
	buf_release(&lines);
}

/* Behind the first line, "# tracer: nop". */
static void add_unnamed(struct buf *b, const struct buf *head, const char *name)
{
	const char *s = buf_text(head);
	size_t n = strcspn(s, "\n");

	n += s[n] != '\0';
	buf_add(b, s, n);
	buf_printf(b, "#\n# Rows without the name of an instance in front are of %s.\n", name);
	buf_add(b, s + n, head->n - n);
}

void row_label_head(struct buf *b, size_t start, const struct row_labels *l)
{
	struct buf lines;
	const char *s;

	if (!l->names || b->n == start)
		return;
	lines = taken(b, start);
	if (!l->column)
		add_unnamed(b, &lines, l->names[0]);
	for (s = l->column ? buf_text(&lines) : ""; *s;) {
		size_t n = strcspn(s, "\n");

		/* "# tracer: nop" and what it tells of the buffer are no columns */
		if (n > 1 && s[0] == '#' && strncmp(s, "# tracer", 8) != 0 &&
		    strncmp(s, "# entries", 9) != 0) {
			buf_char(b, *s++);
			n--;
			buf_pad(b, ' ', l->width + 1);
		}
		buf_add(b, s, n + (s[n] != '\0'));
		s += n + (s[n] != '\0');
	}
	buf_release(&lines);
}
