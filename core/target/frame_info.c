/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What debug info tells of a frame: the sources, asked in order. */
#include "core/target/frame_info.h"
#include "core/target/target.h"

void frame_source_add(struct target *t, struct frame_source *s)
{
	*vec_push(&t->frame_sources.sources) = s;
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

static bool none(struct err *err)
{
	return err_set(err, ERR_NEED,
		       "no debug info is loaded: give the vmlinux with debug info of this dump");
}

bool frame_caller(struct target *t, const struct frame_at *f, struct regs *ret, uint64_t *cfa,
		  struct err *err)
{
	none(err);
	for (size_t i = 0; i < t->frame_sources.sources.n; i++) {
		struct frame_source *s = t->frame_sources.sources.p[i];

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
	none(err);
	for (size_t i = 0; i < t->frame_sources.sources.n; i++) {
		struct frame_source *s = t->frame_sources.sources.p[i];

		if (!s->variables)
			continue;
		if (s->variables(s, f, a, ret, n, err))
			return true;
		if (!go_on(err))
			return false;
	}
	return false;
}

bool frame_tail_calls(struct target *t, const struct frame_at *f, struct tail_call *ret, size_t *n,
		      struct err *err)
{
	none(err);
	for (size_t i = 0; i < t->frame_sources.sources.n; i++) {
		struct frame_source *s = t->frame_sources.sources.p[i];

		if (!s->tail_calls)
			continue;
		if (s->tail_calls(s, f, ret, n, err))
			return true;
		if (!go_on(err))
			return false;
	}
	return false;
}

void frame_sources_release(struct target *t)
{
	vec_release(&t->frame_sources.sources);
}
