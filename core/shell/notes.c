/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes that repeat each other are counted: damage in one table can be met a million times. */
#include "core/shell/notes.h"

#include <ctype.h>
#include <inttypes.h>

/* The same for texts that differ only in numbers and addresses; FNV-1a. */
static uint64_t kind_of(const struct err *why)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)why->code;

	for (const char *p = why->msg; *p; p++) {
		char c = *p;

		if (isdigit((unsigned char)c)) {
			bool hex = c == '0' && p[1] == 'x';

			p += hex;
			while (hex ? isxdigit((unsigned char)p[1]) : isdigit((unsigned char)p[1]))
				p++;
			c = '0';
		}
		h = (h ^ (unsigned char)c) * UINT64_C(0x100000001b3);
	}
	return h;
}

bool notes_pass(struct notes *n, const struct err *why)
{
	struct notes_kind *kind;
	uint64_t *number;
	bool isnew;

	if (n->elsewhere)
		return true;
	number = map_put(&n->kinds, kind_of(why), &isnew);

	if (isnew) {
		vec_push(&n->v);
		*number = n->v.n;
	}
	kind = &n->v.p[*number - 1];
	if (++kind->n <= NOTES_ALIKE_MAX)
		return true;
	if (!kind->latest)
		kind->latest = ARENA_NEW(&n->arena, struct err);
	*kind->latest = *why;
	return false;
}

void notes_tell(struct notes *n, void (*fn)(const struct err *why, void *arg), void *arg)
{
	for (size_t i = 0; i < n->v.n; i++) {
		struct notes_kind *kind = &n->v.p[i];

		if (kind->n <= NOTES_ALIKE_MAX)
			continue;
		err_wrap(kind->latest, "%" PRIu64 " more like this", kind->n - NOTES_ALIKE_MAX);
		fn(kind->latest, arg);
	}
	notes_release(n);
}

void notes_release(struct notes *n)
{
	map_release(&n->kinds);
	vec_release(&n->v);
	arena_release(&n->arena);
	*n = (struct notes){ 0 };
}
