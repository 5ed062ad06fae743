/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds crashes in folders: every file is sorted by what it is, and those of a folder are put
 * together.
 */
#include "readers/crashes.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/map.h"
#include "readers/dump/image.h"
#include "readers/oops.h"
#include "readers/reader.h"
#include "readers/unpack.h"

#define HEAD ((size_t)64 << 10)
/* An image of pstore that does not begin with a head is sought in what is no larger. */
#define IMAGE_MAX ((size_t)16 << 20)
#define FILES_TOLD 32u /* how many were looked at, every so many */
/* What obit said of a dump, and a hook left beside it, is no evidence. */
#define OWN_NAME "obit-triage."

enum sort {
	SORT_OTHER,
	SORT_DUMP,
	SORT_PART, /* of a dump whose first part is SORT_DUMP */
	SORT_VMLINUX,
	SORT_RECORD, /* of pstore, as a file */
	SORT_IMAGE,  /* of a region of pstore */
	SORT_TEXT,
	SORT_LOST, /* it cannot be read */
	SORTS
};

/* All files of raw memory are one dump. */
#define RAW_SET UINT64_MAX

struct sorted_file {
	const char *path;
	enum sort sort;
	uint64_t set; /* of a split dump; see kdump_set_of() */
};
typedef VEC(struct sorted_file) sorted_vec;

/* What is in a folder: files, and links of which nobody has looked yet where they lead. */
struct listed_file {
	const char *path;
	bool link;
};
struct listed_folder {
	const char *path;
	VEC(struct listed_file) files;
	bool lost; /* it cannot be read */
};
struct crash_search {
	struct crashes *c;
	VEC(struct listed_folder) folders;
	struct map seen; /* files and folders by device and inode */
	size_t n_files;
};

static const struct {
	const char *reader;
	enum sort sort;
} sorts[] = {
	{ "kdump", SORT_DUMP },        { "elfcore", SORT_DUMP },    { "flat", SORT_DUMP },
	{ "libkdumpfile", SORT_DUMP }, { "sadump", SORT_DUMP },     { "vmlinux", SORT_VMLINUX },
	{ "lime", SORT_DUMP },         { "vmware", SORT_DUMP },     { "qemustream", SORT_DUMP },
	{ "pstorefs", SORT_RECORD },   { "pstoreblk", SORT_IMAGE }, { "ramoops", SORT_IMAGE },
};

static enum sort sort_of(const struct file *f, bool slow)
{
	const struct reader *r = reader_find(f, slow);

	for (size_t i = 0; r && i < ARRAY_SIZE(sorts); i++)
		if (!strcmp(r->name, sorts[i].reader))
			return sorts[i].sort;
	return r && strcmp(r->name, "oops") != 0 ? SORT_OTHER : SORT_TEXT;
}

static enum sort sort_file(const struct file *f)
{
	enum sort s = sort_of(f, false);

	if (s != SORT_TEXT || text_is(f->map))
		return s;
	s = f->map.n <= IMAGE_MAX ? sort_of(f, true) : SORT_OTHER;
	return s == SORT_TEXT ? SORT_OTHER : s;
}

/* A packed file is sorted by how its contents begin. */
static enum sort sort_packed(const struct file *f)
{
	static const char *const magics[] = { "KDUMP   ", "makedumpfile", "\177ELF", "EMiL",
					      "AVML" };
	struct file head = { .path = f->path, .fd = -1 };
	VEC(uint8_t) p = { 0 };
	enum sort s = SORT_OTHER;

	vec_reserve(&p, HEAD);
	head.map = SPAN(p.p, unpack_head(f->map, p.p, HEAD));
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if (head.map.n >= strlen(magics[i]) &&
		    !memcmp(head.map.p, magics[i], strlen(magics[i])))
			s = sort_of(&head, false);
	if (s == SORT_OTHER && head.map.n)
		s = sort_file(&head);
	vec_release(&p);
	return s;
}

static bool named_dump(const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return strstr(base, "vmcore") || !strncmp(base, "dump", 4);
}

static enum sort sort_path(const char *path, bool operand, uint64_t *set)
{
	struct arena a = { 0 };
	struct stat st;
	struct file *f;
	enum sort s;
	struct err err;

	if (!stat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		return operand || named_dump(path) ? SORT_LOST : SORT_OTHER;
	if (!file_open(&a, path, &f, &err)) {
		arena_release(&a);
		return SORT_LOST;
	}
	*set = kdump_set_of(f);
	s = unpack_name(f->map) && reader_find(f, false) == NULL ? sort_packed(f) : sort_file(f);
	file_reject(f);
	arena_release(&a);
	return s;
}

static void sorted_push(sorted_vec *to, const char *path, bool operand)
{
	uint64_t set = 0;
	enum sort sort = sort_path(path, operand, &set);

	*vec_push(to) = (struct sorted_file){ path, sort, set };
}

/* Of the parts of one split dump the first one stands for all. */
static void join_parts(sorted_vec *files)
{
	for (size_t i = 0; i < files->n; i++)
		for (size_t k = 0; files->p[i].set && k < i; k++)
			if (files->p[k].set == files->p[i].set)
				files->p[i].sort = SORT_PART;
}

/* Takes the files of a group and, of `all`, the other parts of a split dump among them. */
static void crash_add(struct crashes *c, const char *name, const sorted_vec *files,
		      const sorted_vec *all)
{
	/* only a part of a dump may have others: a text among many needs no room for all of them */
	size_t n = files->n, others = all && files->p[0].set ? all->n : 0;
	const char **copy;

	if (c->v.n >= CRASHES_MAX) {
		c->cut = true;
		return;
	}
	copy = ARENA_ARRAY(c->a, const char *, n + others);
	for (size_t i = 0; i < files->n; i++)
		copy[i] = files->p[i].path;
	for (size_t i = 0; i < others; i++)
		if (all->p[i].sort == SORT_PART && all->p[i].set == files->p[0].set)
			copy[n++] = all->p[i].path;
	*vec_push(&c->v) = (struct crash_files){ .name = name,
						 .files = copy,
						 .n = n,
						 .dump = files->p[0].sort == SORT_DUMP,
						 .lost = files->p[0].sort == SORT_LOST };
}

static void crash_add_one(struct crashes *c, const struct sorted_file *s, const sorted_vec *all)
{
	sorted_vec one = { 0 };

	*vec_push(&one) = *s;
	crash_add(c, s->path, &one, all);
	vec_release(&one);
}

static void take(sorted_vec *to, const sorted_vec *from, unsigned sort_set)
{
	for (size_t i = 0; i < from->n; i++)
		if (sort_set & 1u << from->p[i].sort)
			*vec_push(to) = from->p[i];
}

/* The files of one folder, or of all operands that are files (folder NULL). */
static void put_together(struct crashes *c, const char *folder, const sorted_vec *files)
{
	const unsigned beside = 1u << SORT_TEXT | 1u << SORT_RECORD;
	size_t count[SORTS] = { 0 };
	sorted_vec group = { 0 };
	bool one_dump, records;

	for (size_t i = 0; i < files->n; i++)
		count[files->p[i].sort]++;
	one_dump = folder && count[SORT_DUMP] == 1;
	records = count[SORT_RECORD] && !one_dump;
	if (one_dump) {
		take(&group, files, 1u << SORT_DUMP);
		take(&group, files, beside | 1u << SORT_IMAGE);
		if (count[SORT_VMLINUX] == 1)
			take(&group, files, 1u << SORT_VMLINUX);
		crash_add(c, group.p[0].path, &group, files);
	} else if (records) {
		take(&group, files, 1u << SORT_RECORD);
		if (folder)
			take(&group, files, 1u << SORT_TEXT);
		crash_add(c, folder ? folder : group.p[0].path, &group, files);
	}
	vec_release(&group);
	for (size_t i = 0; i < files->n; i++) {
		enum sort s = files->p[i].sort;
		bool grouped =
			one_dump ? s != SORT_LOST
				 : records && (s == SORT_RECORD || (folder && s == SORT_TEXT));

		if (!grouped && s != SORT_OTHER && s != SORT_VMLINUX && s != SORT_PART)
			crash_add_one(c, &files->p[i], files);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A number that stands for a file or folder: those of one device never share one, and those of
 * several do by no chance that is worth a thought. */
static uint64_t number_of(const struct stat *st)
{
	return (uint64_t)st->st_ino * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)st->st_dev;
}

static bool first_met(struct crash_search *w, const struct stat *st)
{
	bool isnew;

	map_put(&w->seen, number_of(st), &isnew);
	return isnew;
}

static void pass_over(struct crashes *c, const char *path, const char *why)
{
	c->n_passed++;
	if (c->passed.n < CRASHES_PASSED)
		*vec_push(&c->passed) = (struct crash_passed){ path, why };
}

static const char *kind_of_node(mode_t mode)
{
	return S_ISFIFO(mode) ? "is a FIFO" : S_ISSOCK(mode) ? "is a socket" : "is a device";
}

/* The names in a folder, sorted and as paths; false: it cannot be read. */
static bool read_names(struct crashes *c, const char *path, const char *const **ret, size_t *n)
{
	DIR *dir = opendir(path);
	VEC(const char *) names = { 0 };
	const struct dirent *e;
	const char **copy;

	if (!dir)
		return false;
	while ((e = readdir(dir)) != NULL)
		if (e->d_name[0] != '.' && strncmp(e->d_name, OWN_NAME, strlen(OWN_NAME)) != 0)
			*vec_push(&names) = arena_printf(c->a, "%s/%s", path, e->d_name);
	closedir(dir);
	if (names.n)
		qsort(names.p, names.n, sizeof(*names.p), by_name);
	copy = ARENA_ARRAY(c->a, const char *, names.n + 1);
	if (names.n)
		memcpy(copy, names.p, names.n * sizeof(*copy));
	*ret = copy;
	*n = names.n;
	vec_release(&names);
	return true;
}

/* Lists a folder and those in it, each before those in it. */
static void list_folder(struct crash_search *w, const char *path, unsigned depth)
{
	struct listed_folder here = { .path = path };
	size_t n = 0;
	VEC(const char *) below = { 0 };
	const char *const *names;

	here.lost = !read_names(w->c, path, &names, &n);
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (lstat(names[i], &st))
			continue;
		if (S_ISDIR(st.st_mode) && depth < CRASH_DEPTH)
			*vec_push(&below) = names[i];
		else if (S_ISDIR(st.st_mode) || w->n_files >= CRASHES_MAX)
			w->c->cut = true;
		else if (S_ISLNK(st.st_mode) || (S_ISREG(st.st_mode) && first_met(w, &st)))
			*vec_push(&here.files) =
				(struct listed_file){ names[i], S_ISLNK(st.st_mode) };
		else if (!S_ISREG(st.st_mode))
			pass_over(w->c, names[i], kind_of_node(st.st_mode));
	}
	w->n_files += here.files.n;
	*vec_push(&w->folders) = here;
	for (size_t i = 0; i < below.n; i++) {
		struct stat st;

		if (!stat(below.p[i], &st) && first_met(w, &st))
			list_folder(w, below.p[i], depth + 1);
	}
	vec_release(&below);
}

static bool is_absolute_link(const char *path)
{
	char first;

	return readlink(path, &first, 1) == 1 && first == '/';
}

/* Does the link lead to a file that was not met before? What leads elsewhere is named, unless it
 * leads to a folder that is looked at anyway. */
static bool link_leads(struct crash_search *w, const char *path)
{
	struct stat st;

	if (w->c->foreign && is_absolute_link(path))
		pass_over(w->c, path, "is a link from the top of that disk");
	else if (stat(path, &st))
		pass_over(w->c, path,
			  errno == ENOENT
				  ? "is a link to nothing"
				  : arena_printf(w->c->a, "is a link: %s", strerror(errno)));
	else if (S_ISREG(st.st_mode))
		return first_met(w, &st);
	else if (!S_ISDIR(st.st_mode))
		pass_over(w->c, path, "is a link to what is no file");
	else if (!map_get(&w->seen, number_of(&st)))
		pass_over(w->c, path, "is a link to a folder elsewhere");
	return false;
}

/* The crashes of one folder that was listed. */
static void find_in(struct crash_search *w, struct listed_folder *l)
{
	sorted_vec files = { 0 };

	if (l->lost)
		crash_add_one(w->c, &(struct sorted_file){ l->path, SORT_LOST, 0 }, NULL);
	for (size_t i = 0; i < l->files.n; i++) {
		const char *path = l->files.p[i].path;

		if (w->c->tell && !(++w->c->n_looked % FILES_TOLD))
			w->c->tell(w->c->arg, w->c->n_looked);
		if (!l->files.p[i].link || link_leads(w, path))
			sorted_push(&files, path, false);
	}
	join_parts(&files);
	put_together(w->c, l->path, &files);
	vec_release(&files);
	vec_release(&l->files);
}

/* The crashes of all folders among the operands. All are listed before one link is followed, so
 * that what a link leads to stays where it lies. */
static void find_in_folders(struct crashes *c, const char *const *paths, size_t n)
{
	struct crash_search w = { .c = c };

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(paths[i]);
		struct stat st;

		while (len > 1 && paths[i][len - 1] == '/')
			len--;
		if (stat(paths[i], &st) || !S_ISDIR(st.st_mode))
			continue;
		c->folder = true;
		if (first_met(&w, &st))
			list_folder(&w, arena_strndup(c->a, paths[i], len), 1);
	}
	for (size_t i = 0; i < w.folders.n; i++)
		find_in(&w, &w.folders.p[i]);
	vec_release(&w.folders);
	map_release(&w.seen);
}

/* A vmlinux among the operands belongs to every crash that it is the kernel of. */
static void add_vmlinux(struct crashes *c, size_t from, const char *path)
{
	for (size_t i = from; i < c->v.n; i++) {
		struct crash_files *k = &c->v.p[i];
		const char **copy = ARENA_ARRAY(c->a, const char *, k->n + 1);

		memcpy(copy, k->files, k->n * sizeof(*copy));
		copy[k->n++] = path;
		k->files = copy;
	}
}

void crashes_find(struct crashes *c, const char *const *paths, size_t n)
{
	sorted_vec files = { 0 };
	size_t from = c->v.n;

	find_in_folders(c, paths, n);
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (!stat(paths[i], &st) && S_ISDIR(st.st_mode))
			continue;
		if (reader_of_operand(paths[i])) {
			*vec_push(&files) = (struct sorted_file){ paths[i], SORT_DUMP, RAW_SET };
			continue;
		}
		sorted_push(&files, paths[i], true);
		if (files.p[files.n - 1].sort == SORT_OTHER)
			files.p[files.n - 1].sort = SORT_LOST; /* who opens it says what it is */
	}
	join_parts(&files);
	for (size_t i = 0; i < files.n; i++) {
		c->dumps += files.p[i].sort == SORT_DUMP;
		c->texts += files.p[i].sort == SORT_TEXT;
	}
	put_together(c, NULL, &files);
	for (size_t i = 0; i < files.n; i++)
		if (files.p[i].sort == SORT_VMLINUX)
			add_vmlinux(c, from, files.p[i].path);
	vec_release(&files);
}

void crashes_release(struct crashes *c)
{
	vec_release(&c->v);
	vec_release(&c->passed);
}
