/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a recording: by event, CPU and task. */
#include "core/trace/stat.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

void stat_init(struct trace_stat *s, struct arena *a)
{
	*s = (struct trace_stat){ .a = a };
}

void stat_release(struct trace_stat *s)
{
	struct stat_rows *all[] = { &s->events, &s->cpus, &s->tasks };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		vec_release(&all[i]->v);
		map_release(&all[i]->index);
	}
	strmap_release(&s->names);
}

/* A row's place by its key, made when new; NONE when there are too many. */
static size_t row_at(struct stat_rows *rows, uint64_t key, bool *isnew)
{
	const uint64_t *found = map_get(&rows->index, key);

	*isnew = !found;
	if (found)
		return *found;
	if (rows->v.n >= STAT_ROWS_MAX) {
		rows->left_out++;
		return NONE;
	}
	*map_put(&rows->index, key, NULL) = rows->v.n;
	vec_push(&rows->v)->number = -1;
	return rows->v.n - 1;
}

static void stat_count(struct stat_row *row, const struct trace_event *ev)
{
	if (!row->n++)
		row->first = ev->ts;
	row->last = ev->ts;
}

static unsigned letters_of(const char *name)
{
	unsigned h = 0;

	while (*name)
		h = h * 31 + (unsigned char)*name++;
	return (h ^ h >> 6) & 63;
}

/* An event's row: by its format, or by its name where nobody has that. */
static size_t event_row(struct trace_stat *s, const struct trace_event *ev)
{
	uint64_t key = (uintptr_t)ev->format;
	unsigned slot = ev->id & 255;
	unsigned letters = ev->format ? 0 : letters_of(ev->name);
	struct stat_row *row;
	bool isnew;
	size_t at;

	if (!ev->format && s->named[letters].name && s->named[letters].id == ev->id &&
	    !strcmp(s->named[letters].name, ev->name))
		return s->named[letters].at;
	if (ev->format && s->near[slot].format == ev->format)
		return s->near[slot].at;
	if (!ev->format) {
		uint64_t *known = strmap_get(&s->names, ev->name);

		if (!known && s->events.v.n >= STAT_ROWS_MAX) {
			s->events.left_out++;
			return NONE;
		}
		if (!known) {
			known = strmap_put(&s->names, arena_strdup(s->a, ev->name), NULL);
			*known = s->names.n;
		}
		/* no format lies there; types without one are told apart by number */
		key = *known << 17 | (uint64_t)ev->id << 1 | 1;
	}
	at = row_at(&s->events, key, &isnew);
	if (at == NONE)
		return NONE;
	row = &s->events.v.p[at];
	if (isnew) {
		row->name = ev->format || ev->text || !ev->id
				    ? arena_strdup(s->a, ev->name)
				    : arena_printf(s->a, "[type %u]", ev->id);
		row->system = ev->system ? arena_strdup(s->a, ev->system) : NULL;
	}
	if (ev->format) {
		s->near[slot].format = ev->format;
		s->near[slot].at = at;
	} else if (!ev->id || ev->text) {
		s->named[letters].name = row->name;
		s->named[letters].id = ev->id;
		s->named[letters].at = at;
	}
	return at;
}

void stat_event(struct trace_stat *s, const struct trace_event *ev)
{
	struct stat_row *cpu;
	bool isnew;
	size_t at;

	if (!s->n++ || ev->ts < s->first)
		s->first = ev->ts;
	if (ev->ts > s->last)
		s->last = ev->ts;
	at = event_row(s, ev);
	if (at != NONE)
		stat_count(&s->events.v.p[at], ev);
	at = row_at(&s->cpus, (uint64_t)(unsigned)ev->cpu, &isnew);
	if (at != NONE) {
		cpu = &s->cpus.v.p[at];
		cpu->number = ev->cpu;
		stat_count(cpu, ev);
		if (ev->lost == TRACE_LOST_SOME) {
			cpu->gaps++;
			s->gaps++;
		} else {
			cpu->lost += ev->lost;
			s->lost += ev->lost;
		}
	}
	if (ev->pid < 0)
		return;
	at = row_at(&s->tasks, (uint64_t)ev->pid, &isnew);
	if (at == NONE)
		return;
	if (isnew) {
		s->tasks.v.p[at].number = ev->pid;
		s->tasks.v.p[at].name = arena_strdup(s->a, trace_comm(ev));
	}
	stat_count(&s->tasks.v.p[at], ev);
}

static int by_count(const void *a, const void *b)
{
	const struct stat_row *x = a, *y = b;
	int order;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	order = strcmp(x->name ? x->name : "", y->name ? y->name : "");
	return order;
}

static int by_number(const void *a, const void *b)
{
	const struct stat_row *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

void stat_sort(struct trace_stat *s)
{
	if (s->events.v.n)
		qsort(s->events.v.p, s->events.v.n, sizeof(*s->events.v.p), by_count);
	if (s->tasks.v.n)
		qsort(s->tasks.v.p, s->tasks.v.n, sizeof(*s->tasks.v.p), by_count);
	if (s->cpus.v.n)
		qsort(s->cpus.v.p, s->cpus.v.n, sizeof(*s->cpus.v.p), by_number);
}

uint64_t stat_rate(uint64_t n, uint64_t first, uint64_t last)
{
	if (last <= first)
		return 0;
	return (uint64_t)((unsigned __int128)n * 100000000000u / (last - first));
}
