/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs that survived a reboot, for the reader of reports. */
#include "core/image/survivor.h"
#include "core/image/target.h"
#include "core/linux/pstore/story.h"
#include "core/report/report.h"

bool story_reports(struct target *t, struct arena *a, struct report_stream *s, struct err *err)
{
	const struct survivor *const *v;
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
	return any || err_set(err, ERR_NEED, "no record of pstore with a log is loaded");
}
