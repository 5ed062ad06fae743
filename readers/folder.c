/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files below a folder, in the order of their names. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/vec.h"
#include "readers/folder.h"

struct folder_listing {
	struct arena *a;
	VEC(const char *) files;
	bool more;
};

bool folder_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool list(struct folder_listing *l, const char *path, int depth, struct err *err)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	if (!dir)
		return err_set_errno(err, "'%s'", path);
	while ((e = readdir(dir)) != NULL) {
		const char *name;
		struct stat st;
		struct err why;

		if (e->d_name[0] == '.')
			continue;
		name = arena_printf(l->a, "%s/%s", path, e->d_name);
		if (lstat(name, &st))
			continue;
		if (l->files.n >= FOLDER_FILES || (S_ISDIR(st.st_mode) && depth >= FOLDER_DEPTH))
			l->more = true;
		else if (S_ISREG(st.st_mode))
			*vec_push(&l->files) = name;
		else if (S_ISDIR(st.st_mode))
			(void)!list(l, name, depth + 1, &why);
	}
	closedir(dir);
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool folder_files(struct arena *a, const char *path, const char *const **ret, size_t *n, bool *more,
		  struct err *err)
{
	struct folder_listing l = { .a = a };
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	if (!list(&l, arena_strndup(a, path, len), 1, err))
		return false;
	if (l.files.n)
		qsort(l.files.p, l.files.n, sizeof(*l.files.p), by_name);
	*n = l.files.n;
	*more = l.more;
	*ret = NULL;
	if (l.files.n) {
		const char **copy = ARENA_ARRAY(a, const char *, l.files.n);

		memcpy(copy, l.files.p, l.files.n * sizeof(*copy));
		*ret = copy;
	}
	vec_release(&l.files);
	return true;
}
