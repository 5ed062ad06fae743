/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: lines of records as somebody might hand them in, and which crashes are of one bug.
 */
#include <stdlib.h>
#include <string.h>

#include "core/shell/fleet/likeness.h"

#define LINES_MAX 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size;
	struct arena a = { 0 };
	struct likeness l = { .a = &a };
	struct crash_traits v[LINES_MAX];
	size_t numbers[LINES_MAX], n = 0;

	for (; p < end && n < LINES_MAX; n++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = nl ? (size_t)(nl - p) : (size_t)(end - p);

		crash_traits_read(&a, p, len, &v[n]);
		numbers[n] = likeness_add(&l, &v[n]);
		p += len + (nl != NULL);
	}
	likeness_settle(&l);
	for (size_t i = 0; i < n; i++) {
		size_t bug = likeness_bug(&l, numbers[i]);

		/* a bug has the number of its first, which is of the bug itself */
		(void)likeness_is_way(&l, numbers[i]);
		expect(bug <= numbers[i] && likeness_bug(&l, bug) == bug);
		expect(trail_distance(&v[i], &v[0]) == trail_distance(&v[0], &v[i]));
		/* what is added again is not new */
		expect(likeness_add(&l, &v[i]) == numbers[i]);
		if (v[i].signature && *v[i].signature && v[0].signature &&
		    !strcmp(v[i].signature, v[0].signature))
			expect(bug == likeness_bug(&l, numbers[0]));
	}
	likeness_release(&l);
	arena_release(&a);
	return 0;
}
