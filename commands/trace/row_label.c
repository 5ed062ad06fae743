/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column in front of rows that says which buffer each is of, where rows of several are merged. */
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

void row_labels_init(struct row_labels *ret, const struct timeline *tl, struct arena *a)
{
	size_t n = timeline_buffers(tl, &ret->buffers);
	bool files = false;

	ret->names = NULL;
	ret->n = n;
	ret->width = 0;
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

void row_label_lines(struct buf *b, size_t start, const struct row_labels *l,
		     const struct trace_buffer *of)
{
	struct buf lines;
	const char *s;

	if (!l->names || b->n == start)
		return;
	lines = taken(b, start);
	for (s = buf_text(&lines); *s;) {
		size_t n = strcspn(s, "\n");

		row_label_add(b, l, of);
		buf_add(b, s, n + (s[n] != '\0'));
		s += n + (s[n] != '\0');
	}
	buf_release(&lines);
}

void row_label_head(struct buf *b, size_t start, const struct row_labels *l)
{
	struct buf lines;
	const char *s;

	if (!l->names || b->n == start)
		return;
	lines = taken(b, start);
	for (s = buf_text(&lines); *s;) {
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
