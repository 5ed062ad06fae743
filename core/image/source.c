/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds source files by the end of their paths, and indexes their lines. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/image/target.h"

#define SOURCE_BYTES_MAX ((size_t)64 << 20)
#define PARTS_MAX 64
#define BELOW_MAX 1024

struct source_slot {
	bool ok;
	struct err err;
	struct source source;
	struct file *file;
};

/* Folders one level down: /usr/src holds a tree for each version. */
static void list_below(struct target *t)
{
	struct sources *s = &t->sources;

	if (s->listed)
		return;
	s->listed = true;
	for (size_t i = 0; i < s->folders.n; i++) {
		DIR *dir = opendir(s->folders.p[i]);
		struct dirent *e;

		while (dir && (e = readdir(dir)) != NULL && s->below.n < BELOW_MAX) {
			const char *path;
			struct stat st;

			if (e->d_name[0] == '.')
				continue;
			path = arena_printf(&t->arena, "%s/%s", s->folders.p[i], e->d_name);
			if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
				*vec_push(&s->below) = path;
		}
		if (dir)
			closedir(dir);
	}
}

static bool try_open(struct target *t, const char *folder, const char *rest, struct file **ret)
{
	const char *path = arena_printf(t->scratch, "%s/%s", folder, rest);
	struct err ignored;
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (size_t)st.st_size <= SOURCE_BYTES_MAX && file_open(&t->arena, path, ret, &ignored);
}

/* "/build/linux/./kernel/../mm/slab.c": parts without what says nothing. *n: how many. */
static bool split(struct target *t, const char *file, const char **parts, size_t *n)
{
	size_t len;

	*n = 0;
	for (file += strspn(file, "/"); *file; file += len, file += strspn(file, "/")) {
		const char *p;

		len = strcspn(file, "/");
		p = arena_strndup(t->scratch, file, len);
		if (!strcmp(p, "."))
			continue;
		if (!strcmp(p, "..")) {
			*n -= *n > 0;
			continue;
		}
		if (*n == PARTS_MAX)
			return false;
		parts[(*n)++] = p;
	}
	return *n != 0;
}

static bool source_search(struct target *t, const char *file, struct file **ret)
{
	const char *parts[PARTS_MAX];
	struct sources *s = &t->sources;
	size_t n;

	if (!split(t, file, parts, &n))
		return false;
	list_below(t);
	for (size_t first = 0; first < n; first++) {
		const char *rest = parts[first];

		for (size_t i = first + 1; i < n; i++)
			rest = arena_printf(t->scratch, "%s/%s", rest, parts[i]);
		for (size_t i = 0; i < s->folders.n; i++)
			if (try_open(t, s->folders.p[i], rest, ret))
				return true;
		for (size_t i = 0; first + 1 < n && i < s->below.n; i++)
			if (try_open(t, s->below.p[i], rest, ret))
				return true;
	}
	return false;
}

static void index_lines(struct target *t, struct source *s)
{
	uint32_t *starts;
	unsigned n = 1;

	for (size_t i = 0; i < s->text.n; i++)
		n += s->text.p[i] == '\n' && i + 1 < s->text.n;
	starts = ARENA_ARRAY(&t->arena, uint32_t, n + 1);
	s->n = n;
	n = 1;
	for (size_t i = 0; i < s->text.n; i++)
		if (s->text.p[i] == '\n' && i + 1 < s->text.n)
			starts[n++] = (uint32_t)(i + 1);
	starts[n] = (uint32_t)s->text.n;
	s->starts = starts;
}

bool source_file(struct target *t, const char *file, const struct source **ret, struct err *err)
{
	struct source_slot *slot;
	uint64_t *hit;

	if (!t->sources.folders.n)
		return err_set(err, ERR_NEED, "no folder of sources was given (--source DIR)");
	hit = strmap_get(&t->sources.files, file);
	if (!hit) {
		slot = ARENA_NEW(&t->arena, struct source_slot);
		*strmap_put(&t->sources.files, arena_strdup(&t->arena, file), NULL) =
			(uintptr_t)slot;
		slot->ok = source_search(t, file, &slot->file);
		if (slot->ok) {
			slot->source.path = slot->file->path;
			slot->source.text = slot->file->map;
			index_lines(t, &slot->source);
		} else {
			err_set(&slot->err, ERR_NOTFOUND,
				"no '%s' is below the folders of --source", file);
		}
	} else {
		slot = (struct source_slot *)(uintptr_t)*hit;
	}
	if (!slot->ok)
		*err = slot->err;
	*ret = &slot->source;
	return slot->ok;
}

bool source_line(const struct source *s, unsigned n, struct span *ret)
{
	size_t from, to;

	if (!n || n > s->n)
		return false;
	from = s->starts[n - 1];
	to = s->starts[n];
	while (to > from && (s->text.p[to - 1] == '\n' || s->text.p[to - 1] == '\r'))
		to--;
	*ret = SPAN(s->text.p + from, to - from);
	return true;
}

void sources_release(struct target *t)
{
	vec_release(&t->sources.folders);
	vec_release(&t->sources.below);
	strmap_release(&t->sources.files);
}
