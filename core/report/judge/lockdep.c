/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lockdep found, in words: who holds which lock and takes which, all around the cycle. */
#include <string.h>

#include "core/report/report.h"

#define STEPS_MAX 64

/* The first function of a chain's trace that is not lockdep's or the lock's own. */
static const char *taker_in(struct report *r, size_t from, size_t to)
{
	const char *first = NULL;

	for (size_t i = from; i < to && i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];
		const char *name;

		if (!f->func || !f->reliable || f->src_inlined)
			continue;
		name = function_plain(&r->arena, f->func);
		if (function_class(name) == FUNC_PLAIN)
			return name;
		if (!first && function_class(name) != FUNC_REPORT)
			first = name;
	}
	return first;
}

const char *report_taker(struct report *r, size_t i)
{
	return taker_in(r, r->chain.p[i].frame,
			i + 1 < r->chain.n ? r->chain.p[i + 1].frame : r->frames.n);
}

static const struct report_lock *role_of(const struct report *r, enum lock_role role)
{
	for (size_t i = 0; i < r->chain.n; i++)
		if (r->chain.p[i].role == role)
			return &r->chain.p[i];
	return NULL;
}

static const char *plain_by(struct report *r, const struct report_lock *l)
{
	const char *name = l && l->by ? function_plain(&r->arena, l->by) : NULL;

	return name && function_class(name) == FUNC_PLAIN ? name : NULL;
}

static void say(struct report *r, const char *text)
{
	if (r->n_cycle < STEPS_MAX)
		r->cycle[r->n_cycle++] = text;
}

static const char *who(const char *function)
{
	return function ? function : "somebody";
}

/* "-> #2 (C)", "-> #1 (B)", "-> #0 (A)": each was taken with the one of the next lower number held,
 * and the lowest is wanted with the highest held. */
static void circular(struct report *r)
{
	const struct report_lock *v[STEPS_MAX], *top = NULL;
	const char *by[STEPS_MAX];
	unsigned n = 0;

	memset(v, 0, sizeof(v));
	for (size_t i = 0; i < r->chain.n; i++) {
		const struct report_lock *l = &r->chain.p[i];

		if (l->role != LOCK_CHAIN || l->number >= STEPS_MAX || v[l->number])
			continue;
		v[l->number] = l;
		by[l->number] = report_taker(r, i);
		if (l->number >= n)
			n = l->number + 1;
	}
	for (unsigned i = 0; i < n; i++)
		if (!v[i])
			return; /* cut: not the whole chain */
	if (n < 2)
		return;
	top = v[n - 1];
	if (plain_by(r, role_of(r, LOCK_WANTED)))
		by[0] = plain_by(r, role_of(r, LOCK_WANTED));
	say(r, arena_printf(&r->arena, "with %s held, %s takes %s", top->class, who(by[0]),
			    v[0]->class));
	for (unsigned i = 1; i < n; i++)
		say(r, arena_printf(&r->arena, "with %s held, %s took %s", v[i - 1]->class,
				    who(by[i]), v[i]->class));
}

/* "{SOFTIRQ-ON-W}", "{IN-HARDIRQ-R}": where a lock is taken, in words. */
static const char *usage_words(const char *s, size_t n)
{
	bool in = n > 3 && !strncmp(s, "IN-", 3), soft = memmem(s, n, "SOFTIRQ", 7) != NULL;
	bool hard = memmem(s, n, "HARDIRQ", 7) != NULL;

	if (!soft && !hard)
		return NULL;
	if (in)
		return soft ? "in soft interrupts" : "in hard interrupts";
	return soft ? "with soft interrupts on" : "with hard interrupts on";
}

static void inconsistent(struct report *r, const struct report_lock *l)
{
	const char *open = strchr(r->usage, '{'), *close, *open2, *close2, *first, *second;
	const char *by = plain_by(r, l);

	close = open ? strchr(open, '}') : NULL;
	open2 = close ? strchr(close, '{') : NULL;
	close2 = open2 ? strchr(open2, '}') : NULL;
	if (!close2)
		return;
	first = usage_words(open + 1, (size_t)(close - open - 1));
	second = usage_words(open2 + 1, (size_t)(close2 - open2 - 1));
	if (first && second)
		say(r, arena_printf(&r->arena, "%s was taken %s, and %s takes it %s", l->class,
				    first, who(by), second));
}

void report_cycle(struct report *r)
{
	const struct report_lock *wanted = role_of(r, LOCK_WANTED), *held = role_of(r, LOCK_HELD);
	const struct report_lock *taken = role_of(r, LOCK_TAKEN);
	const char *by = plain_by(r, wanted), *held_by = plain_by(r, held);

	r->n_cycle = 0;
	r->cycle = ARENA_ARRAY(&r->arena, const char *, STEPS_MAX);
	if (r->kind != KIND_LOCKDEP)
		return;
	circular(r);
	if (r->n_cycle)
		return;
	if (wanted && r->usage) {
		inconsistent(r, wanted);
	} else if (wanted && held && !strcmp(wanted->class, held->class)) {
		say(r, arena_printf(&r->arena, "with %s held since %s, %s takes %s again",
				    held->class, who(held_by), who(by), wanted->class));
	} else if (wanted && held) {
		say(r, arena_printf(&r->arena, "with %s held since %s, %s takes %s", held->class,
				    who(held_by), who(by), wanted->class));
	} else if (wanted && taken) {
		say(r, arena_printf(&r->arena,
				    "%s takes %s in an interrupt; %s is taken beside it where such "
				    "an interrupt can come",
				    who(by), wanted->class, taken->class));
	}
}
