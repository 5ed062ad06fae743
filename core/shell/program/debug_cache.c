/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What debuginfod's client library keeps of the files that were fetched. */
#include "core/shell/program/debug_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"

/* Digits of a build-id: the shortest that linkers make by themselves is lld's, of 8 bytes. The
 * library takes any; but fewer are as likely a day ("20261128") or a second ("20261128124218"). */
#define DIGITS_MIN 16

bool debug_cache_folder(struct buf *path)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH"), *home = getenv("HOME"),
		   *cache = getenv("XDG_CACHE_HOME");
	struct stat st;

	if (own && *own) {
		buf_str(path, own);
		return true;
	}
	if (home && *home) {
		buf_printf(path, "%s/.debuginfod_client_cache", home);
		if (!stat(path->s, &st) && S_ISDIR(st.st_mode))
			return true;
		buf_reset(path);
	}
	if (cache && *cache)
		buf_printf(path, "%s/debuginfod_client", cache);
	else if (home && *home)
		buf_printf(path, "%s/.cache/debuginfod_client", home);
	return path->n;
}

static bool is_build_id(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	return n >= DIGITS_MIN && n % 2 == 0 && !name[n];
}

static bool begins(const char *name, const char *start)
{
	return !strncmp(name, start, strlen(start));
}

/* The names that the library makes (debuginfod_query_server() in elfutils): those of sources and
 * sections have their own behind them, and "hdr-" is what a server said of a file.
 * "debuginfo.XXXXXX" is a file that is being fetched. */
static bool is_kept_name(const char *name)
{
	return !strcmp(name, "debuginfo") || !strcmp(name, "executable") ||
	       begins(name, "source#") || begins(name, "source-") || begins(name, "section-") ||
	       begins(name, "hdr-");
}

/* Opens a folder below the one at `dir`, or at a path of its own; a link is none below another. */
static DIR *folder_open(int dir, const char *name)
{
	int fd = openat(dir, name,
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | (dir == AT_FDCWD ? 0 : O_NOFOLLOW));
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* A walk through the cache: fn for each of its files, or, with `gone`, they are removed. */
struct cache_walk {
	bool (*fn)(const struct cached_file *f, void *arg);
	void *arg;
	struct cleared *gone;
	bool stop;
};

static bool file_at(struct cache_walk *w, int dir, const char *id, const char *name,
		    struct err *err)
{
	struct cached_file f = { .build_id = id, .name = name };
	struct stat st;

	if (!is_kept_name(name) || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode) || (w->gone && mapping_is_of(&st))) {
		if (w->gone)
			w->gone->kept++;
		return true;
	}
	f.size = (uint64_t)st.st_size;
	f.used_s = st.st_atime > st.st_mtime ? st.st_atime : st.st_mtime;
	if (!w->gone) {
		w->stop = !w->fn(&f, w->arg);
		return true;
	}
	if (unlinkat(dir, name, 0))
		return err_set_errno(err, "cannot remove '%.60s/%.60s'", id, name);
	w->gone->files++;
	w->gone->bytes += f.size;
	return true;
}

static bool walk_id(struct cache_walk *w, DIR *d, const char *id, struct err *err)
{
	const struct dirent *e;
	bool ok = true;

	while (ok && !w->stop && (e = readdir(d)))
		if (!is_dots(e->d_name))
			ok = interrupt_check(err) && file_at(w, dirfd(d), id, e->d_name, err);
	return ok;
}

static bool walk(const char *folder, struct cache_walk *w, struct err *err)
{
	DIR *d = folder_open(AT_FDCWD, folder), *below;
	const struct dirent *e;
	bool ok = true;

	if (!d)
		return errno == ENOENT || err_set_errno(err, "cannot read '%.150s'", folder);
	while (ok && !w->stop && (e = readdir(d))) {
		if (!is_build_id(e->d_name) || !(below = folder_open(dirfd(d), e->d_name)))
			continue;
		ok = walk_id(w, below, e->d_name, err);
		closedir(below);
		/* one in which something was kept stays */
		if (ok && w->gone)
			(void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	closedir(d);
	return ok;
}

bool debug_cache_each(const char *folder, bool (*fn)(const struct cached_file *f, void *arg),
		      void *arg, struct err *err)
{
	struct cache_walk w = { .fn = fn, .arg = arg };

	return walk(folder, &w, err);
}

bool debug_cache_clear(const char *folder, struct cleared *ret, struct err *err)
{
	struct cache_walk w = { .gone = ret };

	memset(ret, 0, sizeof(*ret));
	return walk(folder, &w, err);
}
