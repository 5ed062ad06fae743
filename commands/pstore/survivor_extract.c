/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of pstore as files. */
#include <errno.h>
#include <sys/stat.h>

#include "core/base/outfile.h"
#include "commands/pstore/survivor_record.h"

/* Nothing is written over: a name that is taken is an error. The file's time is the record's, as in
 * /sys/fs/pstore: a reader of the file has no other. */
static bool extract_one(struct ctx *c, const char *folder, const char *name, struct span data,
			const struct survivor *s, struct err *err)
{
	struct timespec times[2] = { { .tv_sec = s->time_s, .tv_nsec = s->time_us * 1000l } };
	struct outfile f;
	bool ok;

	if (!outfile_open(&f, arena_printf(c->arena, "%s/%s", folder, name), OUTFILE_NEW, err))
		return false;
	times[1] = times[0];
	ok = outfile_write(&f, data.p, data.n, err);
	if (ok && s->has_time && futimens(f.fd, times))
		ok = err_set_errno(err, "'%s'", f.path);
	return outfile_close(&f, ok, err);
}

bool survivors_extract(struct ctx *c, const char *folder, const struct survivor *const *v, size_t n,
		       struct err *err)
{
	unsigned counts[SURVIVOR_TYPES] = { 0 };
	bool ok = true;

	if (mkdir(folder, 0755) && errno != EEXIST)
		return err_set_errno(err, "'%s' cannot be made", folder);
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
		ok = extract_one(c, folder, name, data, s, err);
		if (ok)
			emit_survivor_file(c, s, i + 1, name);
		note_survivor_damage(c, s, i + 1);
	}
	return ok;
}
