/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of crashes on a machine: the places where it lies, and when each was.
 *
 * Layouts: kdump-config of Debian's kdump-tools 1.8.1, kdump-lib.sh of kexec-tools 2.0.27, apport's
 * kernel_crashdump, systemd-pstore of systemd 252 and 256.
 */
#include "readers/remains.h"
#include "core/base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define YEAR_MIN 2000
#define YEAR_MAX 2200
#define SECONDS_DIGITS 10u /* of a time since 1970, from 2001 to 2286 */

static const char *const places[] = { "/var/crash", "/var/lib/systemd/pstore", "/sys/fs/pstore" };

/* Where kdump's scripts are told to put dumps, as one line of a file says. */
static const struct {
	const char *file, *key; /* the key with what stands between it and the folder */
} told[] = {
	{ "/etc/default/kdump-tools", "KDUMP_COREDIR=" },
	{ "/etc/kdump.conf", "path " },
};
#define CONFIG_MAX ((size_t)64 << 10)

/* ---- when */

/* `n` digits at *s make a number, and *s goes behind them and a sign of punctuation. */
static bool digits(const char **s, size_t n, int *ret)
{
	*ret = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isdigit((unsigned char)(*s)[i]))
			return false;
		*ret = *ret * 10 + ((*s)[i] - '0');
	}
	*s += n;
	if (**s && strchr("-.:_T", **s))
		(*s)++;
	return true;
}

/* A date that begins at s. */
static bool date_at(const char *s, int64_t *ret)
{
	struct tm tm = { .tm_isdst = -1 };
	time_t t;

	if (!digits(&s, 4, &tm.tm_year) || !digits(&s, 2, &tm.tm_mon) ||
	    !digits(&s, 2, &tm.tm_mday) || !digits(&s, 2, &tm.tm_hour) ||
	    !digits(&s, 2, &tm.tm_min))
		return false;
	if (!digits(&s, 2, &tm.tm_sec))
		tm.tm_sec = 0;
	if (tm.tm_year < YEAR_MIN || tm.tm_year > YEAR_MAX || tm.tm_mon < 1 || tm.tm_mon > 12 ||
	    tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour > 23 || tm.tm_min > 59 ||
	    tm.tm_sec > 60)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	t = mktime(&tm);
	*ret = t;
	return t != (time_t)-1;
}

bool remains_date(const char *name, int64_t *ret)
{
	size_t n = strspn(name, "0123456789");

	if (n == SECONDS_DIGITS && !name[n]) {
		*ret = 0;
		for (size_t i = 0; i < n; i++)
			*ret = *ret * 10 + (name[i] - '0');
		return true;
	}
	for (const char *s = name; *s; s++)
		if (isdigit((unsigned char)*s) && (s == name || !isdigit((unsigned char)s[-1])) &&
		    date_at(s, ret))
			return true;
	return false;
}

/* By the names below the place, the nearest to the file first; else by the file's own date. */
static void find_date(struct remains_found *f, struct remains *r, const char *place)
{
	char *path = arena_strdup(f->a, r->crash.files[0]), *slash;
	struct stat st;

	for (r->when_from = "name"; strlen(path) > strlen(place); *slash = '\0') {
		slash = strrchr(path, '/');
		r->has_when = remains_date(slash + 1, &r->when_s);
		if (r->has_when)
			return;
	}
	r->has_when = !stat(r->crash.files[0], &st);
	r->when_s = r->has_when ? st.st_mtime : 0;
	r->when_from = r->has_when ? "file" : NULL;
}

/* ---- what it is */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* Names that kdump's scripts, apport and pstore give. Apport begins those of programs with the
 * program's path, whose slashes are underlines. */
static bool is_named(const char *path)
{
	static const char *const begins[] = { "dump", "vmcore", "dmesg", "console-", "vmlinux" };
	const char *base = base_name(path);

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (!strncmp(base, begins[i], strlen(begins[i])))
			return true;
	return ends_with(base, ".crash") && *base != '_';
}

/* Is it apport's report of a program that crashed? */
static bool is_of_program(const char *path)
{
	static const char type[] = "ProblemType: ", kernel[] = "Kernel";
	char first[sizeof(type) + sizeof(kernel)] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, first, sizeof(first) - 1) : 0;

	if (fd >= 0)
		close(fd);
	return n > 0 && !strncmp(first, type, strlen(type)) &&
	       strncmp(first + strlen(type), kernel, strlen(kernel)) != 0;
}

/* Why it cannot be read; NULL: it can. */
static const char *why_closed(struct arena *a, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return arena_strdup(a, strerror(errno));
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_size) {
		close(fd);
		return "it is empty";
	}
	close(fd);
	return NULL;
}

static bool same_folder(const char *a, const char *b)
{
	size_t n = (size_t)(base_name(a) - a);

	return n == (size_t)(base_name(b) - b) && !strncmp(a, b, n);
}

/* The other remains that lie in the same folder below the place; NULL: none do. A folder has what
 * is left of one crash, so a file that cannot be read is a part of that. */
static struct remains *beside(struct remains_found *f, size_t from, const char *place,
			      const char *path)
{
	for (size_t i = from; i < f->v.n; i++) {
		const char *other = f->v.p[i].crash.files[0];

		if (same_folder(other, path) &&
		    (size_t)(base_name(path) - path) > strlen(place) + 1)
			return &f->v.p[i];
	}
	return NULL;
}

static void add(struct remains_found *f, const struct crash_files *c, const char *place)
{
	const char *path = c->files[0];
	struct remains r = { .crash = *c,
			     .named = c->dump || c->n > 1 || c->lost,
			     .place = f->places.n - 1 };

	r.named |= is_named(path);
	if (!c->dump && is_of_program(path))
		return;
	find_date(f, &r, place);
	*vec_push(&f->v) = r;
}

/* What cannot be read is told of what can that lies beside it. */
static void add_lost(struct remains_found *f, size_t from, const struct crash_files *c,
		     const char *place)
{
	const char *path = c->files[0], *why = why_closed(f->a, path);
	struct remains *with = beside(f, from, place, path);
	struct stat st;

	if (!with && !is_named(path) && (stat(path, &st) || !S_ISDIR(st.st_mode)))
		return;
	why = arena_printf(f->a, "%s: %s", base_name(path), why ? why : "it cannot be read");
	if (with && with->lost) {
		with->lost = arena_printf(f->a, "%s; %s", with->lost, why);
	} else if (with) {
		with->lost = why;
	} else {
		add(f, c, place);
		f->v.p[f->v.n - 1].lost = why;
	}
}

/* ---- where */

/* The path below root, with links as that machine has them: one that begins with a slash begins at
 * root. In the arena; NULL, with errno, where there is no such folder. */
#ifdef SYS_openat2
#define NR_OPENAT2 SYS_openat2
#else /* headers before 5.6 have neither it nor what stands below; everywhere but on Alpha it is \
	 this */
#define NR_OPENAT2 437
#endif
static const char *path_below(struct arena *a, const char *root, const char *path)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = { O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0x10 /* RESOLVE_IN_ROOT */ };
	char name[64], to[PATH_MAX];
	int top = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, why;
	ssize_t n = -1;

	if (top < 0)
		return NULL;
	fd = (int)syscall(NR_OPENAT2, top, path, &how, sizeof(how));
	why = errno;
	close(top);
	if (fd < 0 && (why == ENOSYS || why == EPERM)) /* as in some containers */
		return arena_printf(a, "%s%s", root, path);
	if (fd >= 0) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		n = readlink(name, to, sizeof(to));
		why = errno;
		close(fd);
	}
	errno = why;
	return n > 0 && (size_t)n < sizeof(to) ? arena_strndup(a, to, (size_t)n) : NULL;
}

/* The folder as its path was given, unless links lead it elsewhere than the same path does. */
static const char *real_path(struct remains_found *f, const char *root, const char *path,
			     const char *plain)
{
	const char *real = path_below(f->a, root, path);
	struct stat a, b;

	if (!real ||
	    (!stat(real, &a) && !stat(plain, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino))
		return real ? plain : NULL;
	return real;
}

static void look_in(struct remains_found *f, struct remains_place *p, bool foreign)
{
	struct crashes c = { .a = f->a, .foreign = foreign };
	size_t from = f->v.n;
	DIR *dir = opendir(p->path);

	p->state = dir ? REMAINS_READ : errno == ENOENT ? REMAINS_ABSENT : REMAINS_CLOSED;
	if (!dir) {
		p->why = arena_strdup(f->a, strerror(errno));
		return;
	}
	closedir(dir);
	crashes_find(&c, &p->path, 1);
	for (size_t i = 0; i < c.v.n; i++)
		if (!c.v.p[i].lost)
			add(f, &c.v.p[i], p->path);
	for (size_t i = 0; i < c.v.n; i++)
		if (c.v.p[i].lost)
			add_lost(f, from, &c.v.p[i], p->path);
	for (size_t i = 0; i < c.passed.n; i++)
		*vec_push(&f->passed) = c.passed.p[i];
	f->n_passed += c.n_passed;
	f->cut |= c.cut;
	crashes_release(&c);
}

static void find_in(struct remains_found *f, const char *root, const char *path)
{
	struct remains_place p = { .path = arena_printf(f->a, "%s%s", root, path) };
	const char *real = *root ? real_path(f, root, path, p.path) : p.path;

	for (size_t i = 0; real && i < f->places.n; i++)
		if (!strcmp(f->places.p[i].path, real))
			return;
	if (!real) {
		p.state = errno == ENOENT || errno == ENOTDIR ? REMAINS_ABSENT : REMAINS_CLOSED;
		p.why = arena_strdup(f->a, strerror(errno));
		*vec_push(&f->places) = p;
		return;
	}
	p.path = real;
	*vec_push(&f->places) = p;
	look_in(f, &p, *root != '\0');
	f->places.p[f->places.n - 1] = p;
}

/* The folder that a configuration names, but for "/", which is too much to look through; NULL: it
 * names none, or one that only a shell would know. */
static const char *told_folder(struct arena *a, const char *root, const char *file, const char *key)
{
	FILE *f = fopen(arena_printf(a, "%s%s", root, file), "re");
	char *line = NULL;
	size_t cap = 0, n = strlen(key), read = 0;
	const char *ret = NULL;
	ssize_t got;
	int why;

	while (f && read < CONFIG_MAX && (got = file_line(f, &line, &cap, &why)) > 0) {
		const char *s = line;

		read += (size_t)got;
		if (strncmp(s, key, n) != 0)
			continue;
		s += n + strspn(s + n, " \t\"'");
		got = (ssize_t)strcspn(s, " \t\"'#\n");
		while (got && s[got - 1] == '/')
			got--;
		if (got && *s == '/' && !s[strcspn(s, "$`\\")])
			ret = arena_strndup(a, s, (size_t)got);
	}
	free(line);
	if (f)
		fclose(f);
	return ret;
}

void remains_find(struct remains_found *f, const char *root)
{
	size_t n = strlen(root);

	while (n && root[n - 1] == '/')
		n--;
	root = arena_strndup(f->a, root, n);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		find_in(f, root, places[i]);
	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		const char *folder = told_folder(f->a, root, told[i].file, told[i].key);

		if (folder)
			find_in(f, root, folder);
	}
}

void remains_release(struct remains_found *f)
{
	vec_release(&f->v);
	vec_release(&f->places);
	vec_release(&f->passed);
}
