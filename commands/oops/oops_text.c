/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that reports are sought in: files, folders, pipes, a dump's log, what pstore kept. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/guard.h"
#include "core/linux/log/log_reports.h"
#include "core/linux/pstore/story.h"
#include "commands/oops/oops_record.h"
#include "core/shell/common_record.h"
#include "core/shell/relay.h"
#include "core/shell/session.h"
#include "core/image/target.h"

#define CHUNK ((size_t)64 << 10)
#define HEAD ((size_t)4 << 10)
#define PAUSE_MS 100
#define PACKED_MAX ((size_t)64 << 20)

static bool on_report(struct report *r, void *arg)
{
	struct oops_texts *w = arg;

	w->reports++;
	return w->report(r, w->arg);
}

static struct report_stream *text_begin(struct oops_texts *w, const char *file)
{
	w->file = file;
	w->seems = NULL;
	w->reports = 0;
	return report_stream_open(file, on_report, w);
}

static void text_end(struct oops_texts *w, struct report_stream *s)
{
	report_stream_close(s);
	w->end(w->arg);
	if (w->reports)
		w->any = true;
	else
		oops_none_emit(w->c, w->file, w->seems);
}

void oops_text_span(struct oops_texts *w, const char *file, struct span text)
{
	struct report_stream *s = text_begin(w, file);

	for (size_t at = 0; at < text.n && !interrupted; at += CHUNK)
		if (!report_stream_feed(s, text.p + at, text.n - at < CHUNK ? text.n - at : CHUNK))
			break;
	text_end(w, s);
}

struct feeding {
	struct report_stream *s;
	uint64_t n; /* bytes of text so far */
};

static void feed_piece(struct span text, void *arg)
{
	struct feeding *f = arg;

	f->n += text.n;
	for (size_t at = 0; at < text.n && !interrupted; at += CHUNK)
		if (!report_stream_feed(f->s, text.p + at,
					text.n - at < CHUNK ? text.n - at : CHUNK))
			return;
}

static void feed_record(struct span text, void *arg)
{
	struct feeding f = { .s = arg };

	feed_piece(text, &f);
	report_stream_feed(f.s, "\n", 1);
}

/* A packed text is read whole, to be unpacked; the n bytes that were read are in the chunk. One
 * that is cut or damaged is read as far as it goes, and that there is no report in it is not known.
 */
static bool text_packed(struct oops_texts *w, const char *file, int fd, ssize_t n,
			const char *packed, struct err *err)
{
	struct buf all = { .max = PACKED_MAX };
	struct feeding f = { 0 };
	struct err why = { .code = ERR_UNSUPPORTED };
	bool ok;

	for (; n > 0 && !all.cut && !interrupted; n = read(fd, w->chunk, CHUNK))
		buf_add(&all, w->chunk, (size_t)n);
	f.s = text_begin(w, file);
	ok = w->c->t->text_unpack && !all.cut && n == 0 &&
	     w->c->t->text_unpack(SPAN(all.s, all.n), feed_piece, &f, &why);
	buf_release(&all);
	if (ok) {
		text_end(w, f.s);
		return true;
	}
	report_stream_close(f.s);
	if (why.code == ERR_UNSUPPORTED)
		return err_set(err, ERR_UNSUPPORTED, "'%.100s' %s", file, packed);
	err_set(err, why.code, "'%.100s': %s; %" PRIu64 " bytes of text were read", file, why.msg,
		f.n);
	if (why.code != ERR_CORRUPT || !w->reports)
		return false;
	w->end(w->arg);
	w->any = true;
	note(w->c, err);
	return true;
}

/* The files of an archive are one text, with zeros between. */
static bool is_tar(struct span head)
{
	return head.n >= 262 && !memcmp(head.p + 257, "ustar", 5);
}

static bool is_erased(struct span head)
{
	return head.n >= 4 && !memcmp(head.p, "\xff\xff\xff\xff", 4);
}

/* UTF-16 has zeros as well, and is text. */
static bool is_text(struct span head)
{
	if (!head.n || is_erased(head))
		return false;
	return head.n < 4 || (head.p[0] >= 0xfe && head.p[1] >= 0xfe) ||
	       !memchr(head.p, 0, head.n < HEAD ? head.n : HEAD) ||
	       (!head.p[0] != !head.p[1] && !head.p[2] != !head.p[3] && !head.p[0] == !head.p[2]);
}

/* What is no text may be an image of pstore with records in it. */
static struct report_stream *text_records(struct oops_texts *w, const char *file,
					  struct report_stream *s, const char *kind)
{
	const char *known;

	report_stream_close(s);
	s = report_stream_open(file, on_report, w);
	known = w->reports || !w->c->t->text_records ? NULL
						     : w->c->t->text_records(file, feed_record, s);
	w->seems = known ? known : kind;
	return s;
}

/* The next bytes of the text. When whoever writes it pauses, what came so far is looked at. */
static ssize_t text_read(int fd, char *chunk, struct report_stream *s)
{
	struct pollfd in = { .fd = fd, .events = POLLIN };

	if (poll(&in, 1, PAUSE_MS) == 0)
		report_stream_flush(s);
	return read(fd, chunk, CHUNK);
}

/* A pipe is read as it comes: no more of it is kept than the report at hand. */
static bool text_fd(struct oops_texts *w, const char *file, int fd, struct err *err)
{
	char *chunk = w->chunk ? w->chunk : (w->chunk = arena_alloc(w->c->arena, CHUNK));
	ssize_t n = read(fd, chunk, CHUNK);
	const char *packed, *kind = NULL;
	struct report_stream *s;

	packed = n > 0 ? file_packed(SPAN(chunk, n)) : NULL;
	if (packed && !is_tar(SPAN(chunk, n)))
		return text_packed(w, file, fd, n, packed, err);
	if (n >= 0 && !is_text(SPAN(chunk, n)))
		kind = oops_seems(SPAN(chunk, n));
	s = text_begin(w, file);
	/* the messages that a kernel could print are no report */
	while (kind != oops_boot_image && !interrupted && n > 0 &&
	       report_stream_feed(s, chunk, (size_t)n))
		n = text_read(fd, chunk, s);
	if (kind && fd != STDIN_FILENO)
		s = text_records(w, file, s, kind);
	w->seems = w->seems ? w->seems : kind;
	text_end(w, s);
	return n >= 0 || err_set_errno(err, "cannot read '%.100s'", file);
}

/* Is it a file of pstore's, or an EFI variable of its? A log is cut up into several of them. */
static bool is_record(const char *name)
{
	return !strncmp(name, "dmesg-", 6) || !strncmp(name, "dump-type0-", 11);
}

/* A text of its own for each crash. */
static void text_crash(struct span text, void *arg)
{
	struct oops_texts *w = arg;
	struct feeding f = { .s = text_begin(w, w->file) };

	feed_piece(text, &f);
	report_stream_close(f.s);
	w->end(w->arg);
	w->any |= w->reports != 0;
	w->crashes += w->reports != 0;
}

/* The records of a folder of pstore, put together. False: they have no report, or cannot be read.
 */
static bool text_pstore_folder(struct oops_texts *w, const char *path)
{
	w->file = path;
	w->crashes = 0;
	if (w->c->t->text_records)
		w->c->t->text_records(path, text_crash, w);
	return w->crashes;
}

/* So many files are a part, which one process reads. */
#define PART_FILES 8u

struct text_files {
	struct oops_texts *w;
	const char *const *paths;
	size_t n;
};

static bool read_part(struct relay *r, size_t part, void *arg, struct err *err)
{
	const struct text_files *f = arg;
	struct oops_texts *w = f->w;
	bool before = w->any;
	struct err why;

	/* who asked knows whether this is the first */
	if (!relay_is_here(r) && !w->shown)
		w->shown = 1;
	w->any = false;
	for (size_t i = part * PART_FILES; i < (part + 1) * PART_FILES && i < f->n; i++) {
		if (!oops_text_file(w, f->paths[i], &why))
			complain(w->c, &why);
		if (!interrupt_check(err))
			return false;
	}
	if (w->any)
		relay_say(r, 1);
	w->any |= before;
	return true;
}

static void any_said(uint64_t what, void *arg)
{
	((const struct text_files *)arg)->w->any |= what != 0;
}

/* Before each report of another process's is a blank line, but not before the first of all. */
static bool is_wanted(const struct record_kind *kind, void *arg)
{
	struct oops_texts *w = ((const struct text_files *)arg)->w;

	return !kind->is_heading || w->shown++;
}

static void name_part(struct buf *b, size_t part, void *arg)
{
	const struct text_files *f = arg;

	buf_printf(b, "'%.100s' and files behind it are missing", f->paths[part * PART_FILES]);
}

bool oops_text_files(struct oops_texts *w, const char *const *paths, size_t n, struct err *err)
{
	const struct target *t = w->c->t;
	struct text_files f = { w, paths, n };
	struct relay relay = { .c = w->c,
			       .n = (n + PART_FILES - 1) / PART_FILES,
			       /* a vmlinux that is got for one report is that of those behind it */
			       .alone = t->debuginfod || t->debug_folders.n,
			       .part = read_part,
			       .name = name_part,
			       .wanted = is_wanted,
			       .said = any_said,
			       .arg = &f };

	return relay_run(&relay, err);
}

#define FOLDERS_DEEP 16u

/* Every file of a folder, by name, and then those of the folders in it, so many deep, but for links
 * to folders, which may lead round. Sets *any if there was a file with something in it. */
static bool text_folder(struct oops_texts *w, const char *path, unsigned depth, bool *any,
			struct err *err)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort), records = 0;
	const char **names, **folders;
	size_t files = 0, n_folders = 0;
	struct err why;
	bool told;

	if (n < 0)
		return err_set_errno(err, "cannot read '%.100s'", path);
	for (int i = 0; i < n; i++)
		records += is_record(list[i]->d_name);
	told = records > 1 && text_pstore_folder(w, path);
	names = ARENA_ARRAY(w->c->arena, const char *, (size_t)n + 1);
	folders = ARENA_ARRAY(w->c->arena, const char *, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		const char *its = list[i]->d_name;
		const char *name = arena_printf(w->c->arena, "%s/%s", path, its);
		bool known = told && is_record(its);
		struct stat st;

		if (!known && stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size)
			names[files++] = name;
		else if (strcmp(its, ".") != 0 && strcmp(its, "..") != 0 && lstat(name, &st) == 0 &&
			 S_ISDIR(st.st_mode))
			folders[n_folders++] = name;
		free(list[i]);
	}
	free(list);
	*any |= files || told;
	if (!oops_text_files(w, names, files, err))
		return false;
	if (n_folders && depth >= FOLDERS_DEEP)
		return err_set(err, ERR_LIMIT,
			       "'%.100s': folders more than %u deep in others are not read", path,
			       FOLDERS_DEEP);
	for (size_t i = 0; i < n_folders; i++) {
		if (!interrupt_check(err))
			return false;
		if (text_folder(w, folders[i], depth + 1, any, &why))
			continue;
		*any = true; /* what could not be read is told */
		complain(w->c, &why);
	}
	if (!depth && !*any)
		emit_none(w->c, &oops_report_kind,
			  arena_printf(w->c->arena, "no file with anything in it is in '%.100s'",
				       path));
	return true;
}

bool oops_text_file(struct oops_texts *w, const char *path, struct err *err)
{
	struct stat st;
	bool ok, any = false;
	int fd;

	if (!strcmp(path, "-"))
		return text_fd(w, path, STDIN_FILENO, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return err_set_errno(err, "cannot open '%.100s'", path);
	ok = S_ISDIR(st.st_mode) ? text_folder(w, path, 0, &any, err) : text_fd(w, path, fd, err);
	close(fd);
	return ok;
}

static void log_note(const struct err *e, void *arg)
{
	note(((struct oops_texts *)arg)->c, e);
}

/* The loaded dump's own log. */
bool oops_text_log(struct oops_texts *w, struct err *err)
{
	struct report_stream *s;
	bool ok;

	if (!mem_loaded(w->c->t))
		return err_set(err, ERR_NEED, "no dump is loaded whose log could be read");
	s = text_begin(w, "log");
	ok = log_reports(w->c->t, s, log_note, w, err);
	text_end(w, s);
	return ok;
}

/* The logs that survived a reboot. */
bool oops_text_pstore(struct oops_texts *w, struct err *err)
{
	struct report_stream *s = text_begin(w, "pstore");
	bool ok = story_reports(w->c->t, w->c->arena, s, err);

	text_end(w, s);
	return ok;
}
