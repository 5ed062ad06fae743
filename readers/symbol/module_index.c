/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks folders once for the names of modules' files. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/guard.h"
#include "core/image/module.h"
#include "readers/symbol/module_index.h"

#define FILES_MAX 400000u
#define FOLDERS_DEEP 24

const char *module_of_path(struct arena *a, const char *path)
{
	static const char *const ends[] = { ".ko",           ".ko.xz",       ".ko.zst",
					    ".ko.gz",        ".ko.debug",    ".ko.debug.xz",
					    ".ko.debug.zst", ".ko.debug.gz", ".debug" };
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strlen(base);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t e = strlen(ends[i]);

		/* a name has no dot: "0123.debug" below .build-id is none, "foo.ko" is */
		if (n > e && !strcmp(base + n - e, ends[i]) && !memchr(base, '.', n - e))
			return module_name(a, base, n - e);
	}
	return NULL;
}

static void module_index_see(struct module_index *x, const char *path)
{
	const char *name = module_of_path(x->a, path);
	struct module_paths *paths;
	uint64_t *slot;
	bool isnew;

	if (!name)
		return;
	slot = strmap_put(&x->names, name, &isnew);
	if (isnew) {
		paths = ARENA_NEW(x->a, struct module_paths);
		*slot = (uintptr_t)paths;
		paths->next = x->all;
		x->all = paths;
	}
	paths = (struct module_paths *)(uintptr_t)*slot;
	*vec_push(&paths->v) = path;
}

static bool module_index_walk(struct module_index *x, const char *folder, int depth,
			      struct err *err)
{
	DIR *dir = opendir(folder);
	struct dirent *e;

	if (!dir)
		return err_set_errno(err, "'%s'", folder);
	while ((e = readdir(dir)) != NULL) {
		const char *path;
		struct stat st;
		struct err why;

		if (e->d_name[0] == '.')
			continue;
		if (++x->files > FILES_MAX || depth > FOLDERS_DEEP) {
			x->more = true;
			break;
		}
		if (!(x->files & 0xff) && !interrupt_check(err)) {
			closedir(dir);
			return false;
		}
		/* a tree holds many files that are none of ours */
		if (e->d_type == DT_REG && !module_of_path(x->a, e->d_name))
			continue;
		path = arena_printf(x->a, "%s/%s", folder, e->d_name);
		if (e->d_type == DT_UNKNOWN) {
			if (lstat(path, &st))
				continue;
			e->d_type = S_ISDIR(st.st_mode)   ? DT_DIR
				    : S_ISREG(st.st_mode) ? DT_REG
							  : DT_LNK;
		}
		if (e->d_type == DT_REG)
			module_index_see(x, path);
		else if (e->d_type == DT_DIR)
			(void)!module_index_walk(x, path, depth + 1, &why);
	}
	closedir(dir);
	return interrupt_check(err);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool module_index_add(struct module_index *x, const char *folder, const char *release,
		      struct err *err)
{
	static const char *const layouts[] = { "lib/modules", "usr/lib/modules",
					       "usr/lib/debug/lib/modules",
					       "usr/lib/debug/usr/lib/modules" };
	size_t len = strlen(folder);
	bool found = false;

	while (len > 1 && folder[len - 1] == '/')
		len--;
	folder = arena_strndup(x->a, folder, len);
	for (size_t i = 0; release && i < ARRAY_SIZE(layouts); i++) {
		const char *path = arena_printf(x->a, "%s/%s/%s", folder, layouts[i], release);

		if (!is_folder(path))
			continue;
		found = true;
		if (!module_index_walk(x, path, 1, err))
			return false;
	}
	return found || module_index_walk(x, folder, 1, err);
}

void module_index_release(struct module_index *x)
{
	for (struct module_paths *p = x->all; p; p = p->next)
		vec_release(&p->v);
	strmap_release(&x->names);
}

const struct module_paths *module_index_get(const struct module_index *x, const char *name)
{
	const uint64_t *slot = strmap_get(&x->names, name);

	return slot ? (const struct module_paths *)(uintptr_t)*slot : NULL;
}
