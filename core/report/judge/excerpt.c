/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source around the lines of a report's frames. */
#include <string.h>

#include "core/report/report.h"
#include "core/image/target.h"

#define AROUND 3u /* lines before and after */

void report_excerpt(struct report *r, struct target *t, struct report_place *place)
{
	const struct source *src;
	const char **lines;
	struct err err;
	struct span s;

	if (!place->file || !place->line || !source_file(t, place->file, &src, &err))
		return;
	place->first = place->line > AROUND ? place->line - AROUND : 1;
	lines = ARENA_ARRAY(&r->arena, const char *, 2 * AROUND + 1);
	for (unsigned n = place->first; n <= place->line + AROUND; n++) {
		if (!source_line(src, n, &s))
			break;
		lines[place->n_source++] =
			arena_strndup(&r->arena, (const char *)s.p, s.n < 200 ? s.n : 200);
	}
	place->source = lines;
}
