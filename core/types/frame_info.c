/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What debug info tells of a frame: the sources, asked in order. */
#include <string.h>

#include "core/types/frame_info.h"
#include "core/image/target.h"

struct frame_sources {
	VEC(struct frame_source *) sources;
	struct map tails; /* answers about tail calls, by the pcs of both frames */
};

static void frame_sources_free(void *what)
{
	struct frame_sources *all = what;

	vec_release(&all->sources);
	map_release(&all->tails);
}

static struct frame_sources *sources_of(struct target *t)
{
	if (!t->frame_sources) {
		t->frame_sources = ARENA_NEW(&t->arena, struct frame_sources);
		target_defer(t, frame_sources_free, t->frame_sources);
	}
	return t->frame_sources;
}

void frame_source_add(struct target *t, struct frame_source *s)
{
	*vec_push(&sources_of(t)->sources) = s;
}

uint64_t frame_at_lookup(const struct frame_at *f)
{
	return f->exact || !f->pc ? f->pc : f->pc - 1;
}

/* Does the next source have to be asked? Not when this one covers the frame. */
static bool go_on(const struct err *err)
{
	return err->code == ERR_NOTFOUND || err->code == ERR_NEED;
}

bool frame_caller(struct target *t, const struct frame_at *f, struct regs *ret, uint64_t *cfa,
		  struct err *err)
{
	const struct frame_sources *all = sources_of(t);

	target_needs_debug(err);
	for (size_t i = 0; i < all->sources.n; i++) {
		struct frame_source *s = all->sources.p[i];

		if (s->caller(s, f, ret, cfa, err))
			return true;
		if (!go_on(err))
			return false;
	}
	return false;
}

bool frame_variables(struct target *t, const struct frame_at *f, struct arena *a,
		     const struct variable **ret, size_t *n, struct err *err)
{
	const struct frame_sources *all = sources_of(t);

	target_needs_debug(err);
	for (size_t i = 0; i < all->sources.n; i++) {
		struct frame_source *s = all->sources.p[i];

		if (!s->variables)
			continue;
		if (s->variables(s, f, a, ret, n, err))
			return true;
		if (!go_on(err))
			return false;
	}
	return false;
}

static bool tails_find(struct target *t, const struct frame_at *f, struct tail_call *ret, size_t *n,
		       struct err *err)
{
	const struct frame_sources *all = sources_of(t);

	target_needs_debug(err);
	for (size_t i = 0; i < all->sources.n; i++) {
		struct frame_source *s = all->sources.p[i];

		if (!s->tail_calls)
			continue;
		if (s->tail_calls(s, f, ret, n, err))
			return true;
		if (!go_on(err))
			return false;
	}
	return false;
}

/* Thousands of tasks sleep in the same few places. */
struct tail_answer {
	uint64_t pc, caller;
	struct tail_call calls[TAIL_CALLS_MAX];
	size_t n; /* 0: none */
};

bool frame_tail_calls(struct target *t, const struct frame_at *f, struct tail_call *ret, size_t *n,
		      struct err *err)
{
	uint64_t pc = frame_at_lookup(f), caller = f->caller ? f->caller->pc : 0, *slot;
	struct tail_answer *a;

	slot = map_put(&sources_of(t)->tails, pc * 31 + caller, NULL);
	a = (struct tail_answer *)(uintptr_t)*slot;
	if (!a || a->pc != pc || a->caller != caller) {
		a = ARENA_NEW(&t->arena, struct tail_answer);
		*slot = (uintptr_t)a;
		a->pc = pc;
		a->caller = caller;
		if (!tails_find(t, f, a->calls, &a->n, err)) {
			a->n = 0;
			if (err->code == ERR_INTR)
				a->pc = 0; /* not answered */
		}
	}
	if (!a->n)
		return err_set(err, ERR_NOTFOUND, "no tail call");
	memcpy(ret, a->calls, a->n * sizeof(*ret));
	*n = a->n;
	return true;
}
