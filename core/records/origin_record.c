/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who asked for memory, as text and in fields of records. */
#include "core/records/origin_record.h"

static const char *frame_name(struct target *t, uint64_t frame, struct arena *a)
{
	const char *name = symbol_text(t, frame, a);

	return *name ? name : arena_printf(a, "0x%llx", (unsigned long long)frame);
}

void origin_text(struct buf *b, struct target *t, const struct origin *o)
{
	const char *sep = "";

	if (o->pid >= 0) {
		buf_printf(b, "by PID %lld", (long long)o->pid);
		sep = " ";
	}
	if (o->comm) {
		buf_printf(b, "%s\"%s\"", sep, o->comm);
		sep = " ";
	}
	if (o->cpu >= 0) {
		buf_printf(b, "%son CPU %d", sep, o->cpu);
		sep = " ";
	}
	if (o->at != ORIGIN_UNKNOWN)
		buf_printf(b, "%sat %llu.%06llu", sep, (unsigned long long)(o->at / 1000000000),
			   (unsigned long long)(o->at % 1000000000 / 1000));
	else if (o->age != ORIGIN_UNKNOWN)
		buf_printf(b, "%s%llu.%03llu s before the end", sep,
			   (unsigned long long)(o->age / 1000000000),
			   (unsigned long long)(o->age % 1000000000 / 1000000));
	for (size_t i = 0; i < o->n; i++)
		buf_printf(b, "%s%s",
			   i      ? " < "
			   : b->n ? ": "
				  : "",
			   frame_name(t, o->frames[i], t->scratch));
}

void origin_strs(struct ctx *c, struct record *r, unsigned field, const uint64_t *frames, size_t n)
{
	const char **names;

	if (!n)
		return;
	names = ARENA_ARRAY(c->arena, const char *, n);
	for (size_t i = 0; i < n; i++)
		names[i] = frame_name(c->t, frames[i], c->arena);
	record_strs(r, field, names, n);
}

void origin_stack_text(struct buf *b, const struct cell *cell)
{
	if (cell->kind != CELL_STRS)
		return;
	for (size_t i = 0; i < cell->strs.n; i++)
		buf_printf(b, "%s%s", i ? " < " : "", cell->strs.v[i]);
}
