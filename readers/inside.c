/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts within files that are none: packed, or records of an image of pstore. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/buf.h"
#include "readers/reader.h"
#include "readers/unpack.h"

#define UNPACKED_MAX ((size_t)4 << 30)
/* An image of pstore that does not begin with a head is sought in what is no larger. */
#define IMAGE_MAX ((size_t)16 << 20)
#define CRASH_MAX ((size_t)16 << 20) /* bytes of the log of one crash */

static bool inside_unpack(struct span packed, text_fn *fn, void *arg, struct err *err)
{
	if (!unpack_name(packed))
		return err_set(err, ERR_UNSUPPORTED,
			       "it is packed in a way that obit does not know");
	return unpack_pieces(packed, UNPACKED_MAX, fn, arg, err);
}

/* By crash, and the parts of one from the oldest text, which has the highest number, to the newest.
 */
static int by_crash(const void *va, const void *vb)
{
	const struct survivor *a = *(const struct survivor *const *)va;
	const struct survivor *b = *(const struct survivor *const *)vb;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->has_time && b->has_time && a->time_s != b->time_s)
		return a->time_s < b->time_s ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	if (a->part != b->part)
		return a->part > b->part ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Is the second the next part of the log that the first is of? */
static bool same_crash(const struct survivor *a, const struct survivor *b)
{
	return a->type == b->type && a->part && b->part && a->part > b->part &&
	       a->count == b->count && a->has_time == b->has_time &&
	       (!a->has_time || a->time_s == b->time_s);
}

/* The texts of the records that were opened, in the order in which they were written: the parts of
 * a crash's log as one. */
static void records_feed(struct target *t, text_fn *fn, void *arg)
{
	const struct survivor **v = ARENA_ARRAY(&t->arena, const struct survivor *,
						t->survivors.v.n ? t->survivors.v.n : 1);
	size_t n = 0;

	for (size_t i = 0; i < t->survivors.v.n; i++) {
		const struct survivor *s = &t->survivors.v.p[i];

		if ((s->type == SURVIVOR_DMESG || s->type == SURVIVOR_CONSOLE) && s->text &&
		    !s->stale)
			v[n++] = s;
	}
	qsort(v, n, sizeof(*v), by_crash);
	for (size_t i = 0; i < n; i++) {
		struct buf text = { .max = CRASH_MAX };

		buf_add(&text, v[i]->text, v[i]->n);
		for (; i + 1 < n && same_crash(v[i], v[i + 1]); i++)
			buf_add(&text, v[i + 1]->text, v[i + 1]->n);
		fn(SPAN(text.s, text.n), arg);
		buf_release(&text);
	}
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Opened for itself: what it holds is not of the dump that is loaded. */
static const char *inside_records(const char *path, text_fn *fn, void *arg)
{
	static const char folder[] = "records of pstore";
	struct arena scratch = { 0 };
	const struct reader *r = NULL;
	const char *what = NULL;
	struct target t;
	struct file *file;
	struct err err;

	target_init(&t, &scratch);
	if (is_folder(path)) {
		what = folder;
	} else if (file_open(&t.arena, path, &file, &err)) {
		r = reader_find(file, file->map.n <= IMAGE_MAX);
		what = r ? r->summary : NULL;
		file_reject(file);
	}
	if ((what == folder ||
	     (r && (!strcmp(r->name, "ramoops") || !strncmp(r->name, "pstore", 6)))) &&
	    readers_open(&t, &path, 1, &err))
		records_feed(&t, fn, arg);
	target_release(&t);
	arena_release(&scratch);
	return what;
}

static bool inside_attach(struct target *t, struct err *err)
{
	(void)err;
	t->text_unpack = inside_unpack;
	t->text_records = inside_records;
	return true;
}

const struct reader reader_inside = {
	.name = "inside",
	.summary = "texts within packed files and images of pstore, for oops",
	.attach = inside_attach,
};
