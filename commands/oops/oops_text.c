/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that reports are sought in: files, folders, pipes, a dump's log, what pstore kept. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/guard.h"
#include "core/linux/log/log_reports.h"
#include "core/linux/pstore/story.h"
#include "commands/oops/oops_record.h"
#include "core/shell/session.h"
#include "core/image/target.h"

#define CHUNK ((size_t)64 << 10)

static bool on_report(struct report *r, void *arg)
{
	struct oops_texts *w = arg;

	w->reports++;
	return w->report(r, w->arg);
}

static struct report_stream *text_begin(struct oops_texts *w, const char *file)
{
	w->file = file;
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
		oops_none_emit(w->c, w->file);
}

void oops_text_span(struct oops_texts *w, const char *file, struct span text)
{
	struct report_stream *s = text_begin(w, file);

	for (size_t at = 0; at < text.n && !interrupted; at += CHUNK)
		if (!report_stream_feed(s, text.p + at, text.n - at < CHUNK ? text.n - at : CHUNK))
			break;
	text_end(w, s);
}

/* A pipe is read as it comes: no more of it is kept than the report at hand. */
static bool text_fd(struct oops_texts *w, const char *file, int fd, struct err *err)
{
	char *chunk = w->chunk ? w->chunk : (w->chunk = arena_alloc(w->c->arena, CHUNK));
	ssize_t n = read(fd, chunk, CHUNK);
	struct report_stream *s;
	const char *packed;

	packed = n > 0 ? file_packed(SPAN(chunk, n)) : NULL;
	if (packed)
		return err_set(err, ERR_UNSUPPORTED, "'%.100s' %s", file, packed);
	s = text_begin(w, file);
	while (!interrupted && n > 0 && report_stream_feed(s, chunk, (size_t)n))
		n = read(fd, chunk, CHUNK);
	text_end(w, s);
	return n >= 0 || err_set_errno(err, "cannot read '%.100s'", file);
}

/* Every file of a folder, by name; folders within it are left out. */
static bool text_folder(struct oops_texts *w, const char *path, struct err *err)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);

	if (n < 0)
		return err_set_errno(err, "cannot read '%.100s'", path);
	for (int i = 0; i < n; i++) {
		const char *name = arena_printf(w->c->arena, "%s/%s", path, list[i]->d_name);
		struct stat st;
		struct err why;

		free(list[i]);
		if (!interrupted && stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size &&
		    !oops_text_file(w, name, &why))
			complain(w->c, &why);
	}
	free(list);
	return true;
}

bool oops_text_file(struct oops_texts *w, const char *path, struct err *err)
{
	struct stat st;
	bool ok;
	int fd;

	if (!strcmp(path, "-"))
		return text_fd(w, path, STDIN_FILENO, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return err_set_errno(err, "cannot open '%.100s'", path);
	ok = S_ISDIR(st.st_mode) ? text_folder(w, path, err) : text_fd(w, path, fd, err);
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
