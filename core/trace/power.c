/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long each CPU was in which idle state and at which frequency, from power events. */
#include "core/trace/power.h"

#include <string.h>

#define ROWS_MAX 65536u
#define IDLE_EXIT 0xffffffffu /* include/trace/events/power.h: PWR_EVENT_EXIT */

static void power_add(struct power *p, const struct power_now *at, uint64_t until)
{
	struct power_row *row = NULL;

	for (size_t i = p->rows.n; !row && i-- > 0;)
		if (p->rows.p[i].cpu == at->cpu && p->rows.p[i].frequency == at->frequency &&
		    p->rows.p[i].state == at->state)
			row = &p->rows.p[i];
	if (!row && p->rows.n >= ROWS_MAX) {
		p->left_out++;
		return;
	}
	if (!row) {
		row = vec_push(&p->rows);
		row->cpu = at->cpu;
		row->frequency = at->frequency;
		row->state = at->state;
	}
	row->n++;
	row->time += until > at->since ? until - at->since : 0;
}

void power_event(struct power *p, const struct trace_event *ev)
{
	struct power_now *at = NULL;
	uint64_t state, cpu = 0;
	struct arena a = { 0 };
	const char *str;
	bool idle = !strcmp(ev->name, "cpu_idle"), ok;

	if (!idle && strcmp(ev->name, "cpu_frequency") != 0)
		return;
	ok = trace_datum(ev, "state", &a, &state, &str) && !str &&
	     trace_datum(ev, "cpu_id", &a, &cpu, &str) && !str && cpu <= UINT32_MAX;
	arena_release(&a);
	if (!ok)
		return;
	if (idle && (uint32_t)state == IDLE_EXIT)
		state = POWER_RUNNING;
	for (size_t i = 0; !at && i < p->now.n; i++)
		if (p->now.p[i].cpu == cpu && p->now.p[i].frequency == !idle)
			at = &p->now.p[i];
	if (at) {
		power_add(p, at, ev->ts);
	} else if (p->now.n < ROWS_MAX) {
		at = vec_push(&p->now);
		at->cpu = (unsigned)cpu;
		at->frequency = !idle;
	} else {
		p->left_out++;
		return;
	}
	at->state = state;
	at->since = ev->ts;
}

static int by_cpu(const void *a, const void *b)
{
	const struct power_row *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->frequency != y->frequency)
		return x->frequency ? 1 : -1;
	return x->state < y->state ? -1 : x->state > y->state;
}

void power_finish(struct power *p, uint64_t end)
{
	for (size_t i = 0; i < p->now.n; i++)
		power_add(p, &p->now.p[i], end);
	if (p->rows.n)
		qsort(p->rows.p, p->rows.n, sizeof(*p->rows.p), by_cpu);
}

void power_release(struct power *p)
{
	vec_release(&p->rows);
	vec_release(&p->now);
}
