/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing: looks at everything that a set of types can be asked. */
#ifndef OBIT_BTF_WALK_H
#define OBIT_BTF_WALK_H

#include "core/base/buf.h"
#include "core/image/target.h"

struct btf_walk {
	struct target *t;
	unsigned types, members;
	unsigned limit;
};

static inline bool walk_type(const struct type *type, void *arg)
{
	struct btf_walk *w = arg;
	struct buf b = { .max = 1 << 16 };
	struct member_ref ref;
	struct err err;
	size_t n;
	const struct member *m = type_members(type, &n);

	w->types++;
	type_declare(&b, type, "x");
	for (size_t i = 0; i < n && w->members < w->limit; i++) {
		w->members++;
		buf_reset(&b);
		type_declare(&b, m[i].type, m[i].name);
		(void)type_target(m[i].type);
		if (m[i].name && type_member(type, m[i].name, &ref, &err))
			(void)type_strip(ref.type);
	}
	(void)type_enumerators(type, &n);
	(void)type_target(type_strip(type));
	buf_release(&b);
	return w->types < w->limit;
}

static inline struct btf_walk walk_all(struct target *t, unsigned limit)
{
	struct btf_walk w = { .t = t, .limit = limit };
	const struct type *type;
	struct err err;

	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];

		(void)s->each(s, walk_type, &w, &err);
		(void)s->variable(s, "pending", 0, &type, &err);
		(void)s->variable(s, "start", 0, &type, &err);
	}
	return w;
}

#endif
