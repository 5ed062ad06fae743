/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts within files that are none: packed, or records of an image of pstore. */
#include <string.h>

#include "readers/reader.h"
#include "readers/unpack.h"

#define UNPACKED_MAX ((size_t)4 << 30)
/* An image of pstore that does not begin with a head is sought in what is no larger. */
#define IMAGE_MAX ((size_t)16 << 20)

static bool inside_unpack(struct span packed, text_fn *fn, void *arg, struct err *err)
{
	if (!unpack_name(packed))
		return err_set(err, ERR_UNSUPPORTED,
			       "it is packed in a way that obit does not know");
	return unpack_pieces(packed, UNPACKED_MAX, fn, arg, err);
}

/* Opened for itself: what it holds is not of the dump that is loaded. */
static const char *inside_records(const char *path, text_fn *fn, void *arg)
{
	struct arena scratch = { 0 };
	const struct reader *r = NULL;
	struct target t;
	struct file *file;
	struct err err;

	target_init(&t, &scratch);
	if (file_open(&t.arena, path, &file, &err)) {
		r = reader_find(file, file->map.n <= IMAGE_MAX);
		file_reject(file);
	}
	if (r && (!strcmp(r->name, "ramoops") || !strncmp(r->name, "pstore", 6)) &&
	    readers_open(&t, &path, 1, &err))
		for (size_t i = 0; i < t.survivors.v.n; i++) {
			const struct survivor *s = &t.survivors.v.p[i];

			if ((s->type == SURVIVOR_DMESG || s->type == SURVIVOR_CONSOLE) && s->text &&
			    !s->stale)
				fn(SPAN(s->text, s->n), arg);
		}
	target_release(&t);
	arena_release(&scratch);
	return r ? r->summary : NULL;
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
