/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines: the sources asked in order, and every answer kept. */
#include "core/image/line.h"
#include "core/image/target.h"

struct line_answer {
	const struct line *lines;
	size_t n;
	struct err err; /* n == 0 */
};

void lines_add(struct target *t, struct line_source *s)
{
	*vec_push(&t->lines.sources) = s;
}

static bool answer(const struct line_answer *a, const struct line **ret, size_t *n, struct err *err)
{
	if (!a->n) {
		*err = a->err;
		return false;
	}
	*ret = a->lines;
	*n = a->n;
	return true;
}

bool line_find(struct target *t, uint64_t addr, const struct line **ret, size_t *n, struct err *err)
{
	uint64_t *hit = map_get(&t->lines.cache, addr);
	struct line_answer *a;

	if (hit)
		return answer((struct line_answer *)(uintptr_t)*hit, ret, n, err);
	if (!t->lines.sources.n)
		return target_needs_debug(err);
	a = ARENA_NEW(&t->arena, struct line_answer);
	for (size_t i = 0; i < t->lines.sources.n && !a->n; i++) {
		struct line_source *s = t->lines.sources.p[i];
		struct err why = { 0 };

		if (s->find(s, addr, &a->lines, &a->n, &why))
			break;
		a->n = 0;
		/* who knows the place and lacks the file tells more than who does not know it */
		if (!a->err.code || a->err.code == ERR_NOTFOUND)
			a->err = why;
	}
	/* modules' files alone know nothing of the kernel itself */
	if (!a->n && a->err.code == ERR_NOTFOUND && !t->dwarf)
		target_needs_debug(&a->err);
	*map_put(&t->lines.cache, addr, NULL) = (uintptr_t)a;
	return answer(a, ret, n, err);
}

void lines_release(struct target *t)
{
	vec_release(&t->lines.sources);
	map_release(&t->lines.cache);
}
