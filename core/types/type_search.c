/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which types could this be: every struct and union is looked at. */
#include <fnmatch.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/map.h"
#include "core/image/target.h"
#include "core/types/type_search.h"

/* Deeper than any kernel nests structs in structs, or pointers to pointers. */
#define NESTED_MAX 24

struct seeking {
	const struct type_filter *s;
	const char *wanted; /* s->member without "struct" */
	struct map
		barren; /* types that neither are wanted nor lead to one: none of their members */
	VEC(const char *) members; /* of the type at hand */
	VEC(struct type_hit) hits;
	struct err why; /* ERR_INTR: it was interrupted */
};

static bool is_wanted(const struct seeking *q, const struct type *type)
{
	return type->name && !fnmatch(q->wanted, type->name, 0);
}

/* Does a declaration name the wanted type: as itself, or as what is pointed to or repeated? What a
 * function takes or returns is no member. */
static bool leads_to_wanted(const struct seeking *q, const struct type *type)
{
	for (unsigned i = 0; i < NESTED_MAX; i++) {
		if (is_wanted(q, type))
			return true;
		switch (type->kind) {
		case TYPE_POINTER:
		case TYPE_ARRAY:
		case TYPE_TYPEDEF:
		case TYPE_CONST:
		case TYPE_VOLATILE:
		case TYPE_RESTRICT:
			type = type_target(type);
			break;
		default:
			return false;
		}
	}
	return false;
}

/* The struct or union that a member is, or that an array of it consists of; NULL: it is neither. */
static const struct type *contained(const struct type *type)
{
	type = type_strip(type);
	for (unsigned i = 0; i < NESTED_MAX && type->kind == TYPE_ARRAY; i++)
		type = type_strip(type_target(type));
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION ? type : NULL;
}

static const char *path_of(struct seeking *q, const char *path, const struct member *m)
{
	if (!m->name)
		return path;
	return *path ? arena_printf(q->s->arena, "%s.%s", path, m->name) : m->name;
}

static void seek_members(struct seeking *q, const struct type *type, const char *path,
			 unsigned depth)
{
	size_t n, before = q->members.n;
	const struct member *m;

	if (depth >= NESTED_MAX || map_get(&q->barren, (uintptr_t)type))
		return;
	m = type_members(type, &n);
	for (size_t i = 0; i < n && q->members.n < TYPE_SEARCH_MEMBERS_MAX; i++) {
		const struct type *in = contained(m[i].type);

		if (m[i].name && leads_to_wanted(q, m[i].type))
			*vec_push(&q->members) = path_of(q, path, &m[i]);
		else if (in)
			seek_members(q, in, path_of(q, path, &m[i]), depth + 1);
	}
	if (q->members.n == before)
		map_put(&q->barren, (uintptr_t)type, NULL);
}

static void keep(struct seeking *q, const struct type *type)
{
	const char **members = ARENA_ARRAY(q->s->arena, const char *, q->members.n + 1);

	for (size_t i = 0; i < q->members.n; i++)
		members[i] = q->members.p[i];
	*vec_push(&q->hits) =
		(struct type_hit){ .type = type, .members = members, .n_members = q->members.n };
}

static bool look_at(const struct type *type, void *arg)
{
	struct seeking *q = arg;
	const struct type *in = type_strip(type);

	if (!interrupt_check(&q->why))
		return false;
	/* a typedef's struct that has a tag is found by that */
	if ((in->kind != TYPE_STRUCT && in->kind != TYPE_UNION) || (in != type && in->name) ||
	    !type->name)
		return true;
	if (in->size < q->s->min || in->size > q->s->max)
		return true;
	q->members.n = 0;
	if (q->wanted)
		seek_members(q, in, "", 0);
	if (!q->wanted || q->members.n)
		keep(q, type);
	return true;
}

static int by_size(const void *a, const void *b)
{
	const struct type *x = ((const struct type_hit *)a)->type;
	const struct type *y = ((const struct type_hit *)b)->type;
	uint64_t n = type_strip(x)->size, m = type_strip(y)->size;

	return n != m ? (n < m ? -1 : 1) : strcmp(x->name, y->name);
}

/* Several sources may have a type, and one source several times a type of the same name. */
static bool is_repeated(const struct type_hit *a, const struct type_hit *b)
{
	return !by_size(a, b) && type_strip(a->type)->kind == type_strip(b->type)->kind;
}

static bool tell_hits(struct seeking *q)
{
	if (q->hits.n)
		qsort(q->hits.p, q->hits.n, sizeof(*q->hits.p), by_size);
	for (size_t i = 0; i < q->hits.n; i++)
		if (!(i && is_repeated(&q->hits.p[i - 1], &q->hits.p[i])) &&
		    !q->s->fn(&q->hits.p[i], q->s->arg))
			return false;
	return true;
}

static bool search_sources(struct seeking *q, struct err *err)
{
	struct types *types = &q->s->t->types;
	bool read = false;

	for (size_t i = 0; i < types->sources.n; i++) {
		struct type_source *s = types->sources.p[i];
		struct err why;

		if (!s->each || (s->repeats && read))
			continue;
		if (s->each(s, look_at, q, &why))
			read = true;
		else
			q->s->flaw(&why, q->s->arg);
		if (q->why.code == ERR_INTR)
			return *err = q->why, false;
	}
	return read || err_set(err, ERR_NEED, "no list of all types is there: give the vmlinux");
}

bool type_search_run(const struct type_filter *s, struct err *err)
{
	struct seeking q = { .s = s, .wanted = s->member };
	bool ok;

	if (q.wanted && !strncmp(q.wanted, "struct ", 7))
		q.wanted += 7;
	else if (q.wanted && !strncmp(q.wanted, "union ", 6))
		q.wanted += 6;
	ok = search_sources(&q, err);
	if (ok)
		tell_hits(&q);
	map_release(&q.barren);
	vec_release(&q.members);
	vec_release(&q.hits);
	return ok;
}
