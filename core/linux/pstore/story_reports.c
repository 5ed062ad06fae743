/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs that survived a reboot, for the reader of reports. */
#include "core/image/survivor.h"
#include "core/image/target.h"
#include "core/linux/pstore/story.h"
#include "core/report/report.h"

/* Why the first log that is there cannot be read; NULL: there is none of that kind. */
static const char *unread_log(const struct survivor *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]->type == SURVIVOR_DMESG && v[i]->damage && !v[i]->text && !v[i]->stale)
			return v[i]->damage;
	return NULL;
}

bool story_reports(struct target *t, struct arena *a, struct report_stream *s, struct err *err)
{
	const struct survivor *const *v;
	const char *unread;
	bool any = false;
	size_t n;

	v = survivors_ordered(t, a, &n);
	for (int type = SURVIVOR_DMESG; type <= SURVIVOR_CONSOLE && !any; type++)
		for (size_t i = 0; i < n; i++)
			if ((int)v[i]->type == type && v[i]->text && !v[i]->stale) {
				any = true;
				if (!report_stream_feed(s, v[i]->text, v[i]->n) ||
				    !report_stream_feed(s, "\n", 1))
					return true;
			}
	unread = any ? NULL : unread_log(v, n);
	if (unread)
		return err_set(err, ERR_CORRUPT,
			       "no log in pstore can be read; of the first one %s", unread);
	return any || err_set(err, ERR_NEED, "no record of pstore with a log is loaded");
}
