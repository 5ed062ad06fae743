/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the verdict on a text that stands in memory. */
#ifndef OBIT_VERDICT_FAKE_H
#define OBIT_VERDICT_FAKE_H

#include <string.h>

#include "core/verdict/check.h"

struct trial {
	struct target t;
	struct arena scratch;
	struct file file;
	struct verdict v;
};

static inline void trial_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

/* The text must live until trial_end(). */
static inline void trial_of_text(struct trial *c, const void *text, size_t n)
{
	memset(c, 0, sizeof(*c));
	target_init(&c->t, &c->scratch);
	c->file = (struct file){ .path = "log.txt", .fd = -1, .map = SPAN(text, n) };
	*vec_push(&c->t.report_texts) = &c->file;
	verdict_make(&c->t, trial_note, NULL, &c->v);
}

static inline void trial_end(struct trial *c)
{
	verdict_release(&c->v);
	vec_release(&c->t.report_texts);
	target_release(&c->t);
	arena_release(&c->scratch);
}

#endif
