/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timer: what was to happen later. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/linux/misc/irq.h"
#include "core/linux/misc/system.h"

enum {
	CPU,
	BASE,
	EXPIRES,
	LEFT,
	TIMER,
	FUNCTION
};
static const struct record_field fields[] = {
	[CPU] = { "cpu", NULL, CELL_UINT, FIELD_RIGHT, "whose" },
	[BASE] = { "base", NULL, CELL_STR, 0, "which wheel, or which clock" },
	[EXPIRES] = { "expires", NULL, CELL_UINT, FIELD_RIGHT, "jiffies; with -r nanoseconds" },
	[LEFT] = { "tte", NULL, CELL_INT, FIELD_RIGHT,
		   "until then: jiffies, or of an hrtimer nanoseconds, if its clock is known; below 0: overdue" },
	[TIMER] = { "timer", NULL, CELL_ADDR, 0, "address of the timer_list or hrtimer" },
	[FUNCTION] = { "function", NULL, CELL_STR, 0, "what it calls" },
};
static const struct record_kind timer_kind = {
	"timer", "one timer", LAYOUT_TABLE, NULL, fields, 6
};

struct timer_opts {
	bool high;
	const char *cpus;
};
static const struct option opts[] = {
	{ "r", NULL, OPTION_FLAG, offsetof(struct timer_opts, high), "high-resolution timers" },
	{ "C", "cpus", OPTION_STR, offsetof(struct timer_opts, cpus), "only of these CPUs" },
};

struct timers {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	uint64_t now;
	bool has_now;
	struct err *err;
	bool ok;
};

static void timer_flaw(const struct err *e, void *arg)
{
	const struct timers *w = arg;

	note(w->c, e);
}

static bool timer_show(struct timers *w, const struct ktimer *k)
{
	bool high = ((const struct timer_opts *)w->c->opts)->high;
	struct record r;

	if (w->type)
		return yield(w->c, value_ref(w->type, k->addr), w->err);
	record_init(&r, &timer_kind);
	record_uint(&r, CPU, k->cpu);
	record_str(&r, BASE, k->base);
	record_uint(&r, EXPIRES, k->expires);
	/* of an hrtimer the kernel's monotonic clock is known, and no other */
	if (w->has_now && (!high || !strncmp(k->base, "MONOTONIC", 9)))
		record_int(&r, LEFT,
			   high || w->c->t->arch->word == 8
				   ? (int64_t)(k->expires - w->now)
				   : (int32_t)((uint32_t)k->expires - (uint32_t)w->now));
	record_uint(&r, TIMER, k->addr);
	if (k->function)
		record_str(&r, FUNCTION, symbol_text(w->c->t, k->function, w->c->arena));
	emit(w->c, &r);
	return true;
}

static bool one_cpu(unsigned cpu, void *arg)
{
	struct timers *w = arg;
	const struct timer_opts *o = w->c->opts;
	const struct ktimer *all;
	struct err why;
	size_t n;
	bool ok;

	ok = o->high ? hrtimers_of(w->c->t, cpu, w->c->arena, &all, &n, timer_flaw, w, &why)
		     : timers_of(w->c->t, cpu, w->c->arena, &all, &n, timer_flaw, w, &why);
	if (!ok && err_is_damage(why.code)) {
		note(w->c, &why);
		return true;
	}
	if (!ok) {
		*w->err = why;
		w->ok = false;
	}
	for (size_t i = 0; w->ok && i < n; i++)
		w->ok = timer_show(w, &all[i]);
	return w->ok;
}

static bool timer_types(struct ctx *c, struct err *err)
{
	const struct timer_opts *o = c->opts;

	return !piped(c) ||
	       type_find(c->t, o->high ? "struct hrtimer" : "struct timer_list", &c->out_type, err);
}

static bool timer_run(struct ctx *c, struct err *err)
{
	const struct timer_opts *o = c->opts;
	struct timers w = { .c = c, .type = c->out_type, .err = err, .ok = true };
	struct err why;

	w.has_now = o->high ? monotonic_now(c->t, &w.now, &why) : jiffies_now(c->t, &w.now, &why);
	if (!w.has_now)
		note(c, &why);
	return parse_cpus(c->t, o->cpus ? o->cpus : "a", one_cpu, &w, err) && w.ok;
}

static const struct example examples[] = {
	{ "timer", "the timers of every CPU, the next one first" },
	{ "timer -r", "high-resolution timers" },
	{ "timer -C 0 | pick function", "what CPU 0 was to call" },
};
const struct command cmd_timer = {
	.name = "timer",
	.group = "system",
	.summary = "pending timers",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.types = timer_types,
	OPTS(opts),
	.opts_size = sizeof(struct timer_opts),
	.emits = (const struct record_kind *const[]){ &timer_kind, NULL },
	.none = "no timer is pending",
	.help = "Prints the timers of each CPU's wheels by when they expire, in jiffies, and how many "
		"jiffies were left; with -r those of each clock, in nanoseconds of that clock.",
	EXAMPLES(examples),
	.run = timer_run,
};
