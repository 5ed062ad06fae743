/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of pstore as files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/shell/session.h"
#include "core/shell/survivor_record.h"

/* Nothing is written over: a name that is taken is an error. The file's time is the record's, as in
 * /sys/fs/pstore: a reader of the file has no other. */
static bool extract_one(struct ctx *c, int dir, const char *name, struct span data,
			const struct survivor *s, struct err *err)
{
	struct timespec times[2] = { { .tv_sec = s->time_s, .tv_nsec = s->time_us * 1000l } };
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	bool ok;

	if (fd < 0)
		return err_set_errno(err, "'%s'", name);
	times[1] = times[0];
	ok = file_write(fd, data.p, data.n, name, err);
	if (ok && s->has_time && futimens(fd, times))
		ok = err_set_errno(err, "'%s'", name);
	if (close(fd) && ok)
		ok = err_set_errno(err, "'%s'", name);
	if (!ok)
		return false;
	if (!c->s->json)
		emit_survivor_text(c, name, strlen(name));
	return true;
}

bool survivors_extract(struct ctx *c, const char *folder, const struct survivor *const *v, size_t n,
		       struct err *err)
{
	unsigned counts[SURVIVOR_TYPES] = { 0 };
	bool ok = true;
	int dir;

	if (mkdir(folder, 0755) && errno != EEXIST)
		return err_set_errno(err, "'%s' cannot be made", folder);
	dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return err_set_errno(err, "'%s'", folder);
	for (size_t i = 0; ok && i < n; i++) {
		const struct survivor *s = v[i];
		bool text = s->text != NULL;
		struct span data = text ? SPAN(s->text - s->head_n, s->n + s->head_n) : s->stored;
		const char *name;

		if (s->empty)
			continue;
		name = arena_printf(c->arena, "%s-%s-%u%s%s", survivor_type_name(s->type),
				    s->backend, counts[s->type]++, s->stale ? "-erased" : "",
				    s->type == SURVIVOR_DMESG && !text ? ".enc.z" : "");
		ok = extract_one(c, dir, name, data, s, err);
		if (ok && c->s->json)
			emit_survivor(c, s, i + 1, false);
		note_survivor_damage(c, s, i + 1);
	}
	close(dir);
	return ok;
}
