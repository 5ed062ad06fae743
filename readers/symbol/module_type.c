/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types that only modules have: from the BTF that the kernel kept of each, and from their files. */
#include <string.h>

#include "readers/symbol/btf.h"
#include "readers/reader.h"

#define KEPT_MAX 4096u

/* BTF in the dump's memory, one a module. */
struct kept {
	const char *module;
	struct type_source *source;
};

struct module_types {
	struct type_source source;
	bool asked;
	bool busy; /* to find modules takes types, which must not be sought in modules */
	VEC(struct kept) kept;
};

static void types_free(void *what)
{
	struct module_types *m = what;

	vec_release(&m->kept);
}

static void kept_read(struct target *t, struct module_types *m)
{
	const char *name;
	uint64_t addr, size;

	if (m->asked || !mem_loaded(t) || !t->modules.hooks.btf)
		return;
	m->asked = true;
	for (size_t i = 0; i < KEPT_MAX && t->modules.hooks.btf(t, i, &name, &addr, &size); i++) {
		struct kept *k = vec_push(&m->kept);

		k->module = name;
		k->source = btf_of_module(t, name, SPAN(NULL, 0), addr, size);
	}
}

/* What is asked of one module after another. */
struct question {
	struct module_types *m;
	enum type_kind kind;
	const char *name;
	const struct type *type; /* the answer */
	bool (*each)(const struct type *type, void *arg);
	void *arg;
	bool enough; /* each() said so */
	struct err *err;
};

static bool was_kept(const struct module_types *m, const char *module)
{
	for (size_t i = 0; i < m->kept.n; i++)
		if (!strcmp(m->kept.p[i].module, module))
			return true;
	return false;
}

static bool ask_source(struct question *q, struct type_source *s)
{
	struct err why;

	return s && s->find(s, q->kind, q->name, &q->type, &why);
}

static bool ask_debug(const struct module_debug *d, void *arg)
{
	struct question *q = arg;

	return !ask_source(q, d->types) && (was_kept(q->m, d->name) || !ask_source(q, d->btf));
}

/* What is open, what the dump holds, and then whatever files there are. */
static void ask_all(struct target *t, struct question *q)
{
	kept_read(t, q->m);
	modules_each_debug(t, false, ask_debug, q);
	for (size_t i = 0; !q->type && i < q->m->kept.n; i++)
		ask_source(q, q->m->kept.p[i].source);
	if (!q->type)
		modules_each_debug(t, true, ask_debug, q);
}

static bool module_type_find(struct type_source *s, enum type_kind kind, const char *name,
			     const struct type **ret, struct err *err)
{
	struct question q = { .m = s->self, .kind = kind, .name = name };
	struct target *t = s->t;

	if (!q.m->busy) {
		q.m->busy = true;
		ask_all(t, &q);
		q.m->busy = false;
	}
	if (!q.type)
		return err_set(err, ERR_NOTYPE, "no type '%s' in modules", name);
	*ret = q.type;
	return true;
}

static bool each_type(const struct type *type, void *arg)
{
	struct question *q = arg;

	q->enough = !q->each(type, q->arg);
	return !q->enough;
}

static bool each_debug(const struct module_debug *d, void *arg)
{
	struct question *q = arg;

	if (d->types && !d->types->each(d->types, each_type, q, q->err))
		return q->err->code != ERR_INTR;
	return !q->enough;
}

/* For search and completion: nothing is opened for it. */
static bool each(struct type_source *s, bool (*fn)(const struct type *type, void *arg), void *arg,
		 struct err *err)
{
	struct question q = { .m = s->self, .each = fn, .arg = arg, .err = err };

	if (q.m->busy)
		return true;
	q.m->busy = true;
	kept_read(s->t, q.m);
	q.m->busy = false;
	for (size_t i = 0; !q.enough && i < q.m->kept.n; i++) {
		struct type_source *k = q.m->kept.p[i].source;
		struct err why;

		if (!k->each(k, each_type, &q, &why) && why.code == ERR_INTR) {
			*err = why;
			return false;
		}
	}
	if (!q.enough)
		modules_each_debug(s->t, false, each_debug, &q);
	return true;
}

static bool fill(struct type_source *s, struct type *type, struct err *err)
{
	(void)type; /* types are their own source's */
	return err_set(err, ERR_NOTYPE, "%s has no types of its own", s->origin);
}

static bool module_type_attach(struct target *t, struct err *err)
{
	struct module_types *m;

	(void)err;
	if (!mem_loaded(t) && !t->modules.given.n)
		return true;
	m = ARENA_NEW(&t->arena, struct module_types);
	m->source = (struct type_source){ .origin = "modules",
					  .find = module_type_find,
					  .fill = fill,
					  .each = each,
					  .t = t,
					  .self = m,
					  .partial = true };
	target_defer(t, types_free, m);
	types_add(t, &m->source);
	return true;
}

const struct reader reader_module_type = {
	.name = "module_type",
	.summary = "types of modules: BTF that the kernel kept, and debug info in their files",
	.attach = module_type_attach,
	.rank = 61,
};
