/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct and union: a definition, or instances and their members at addresses. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/types/value.h"
#include "core/records/print_type.h"

struct printer {
	struct ctx *c;
	const struct struct_opts *o;
	const struct type *type;
	const char *name;         /* as typed, without members */
	const char *const *paths; /* members asked for */
	size_t n_paths;
	uint64_t link; /* -l */
	uint64_t count;
	struct symbol sym; /* of "symbol:cpus" */
	struct err *err;
	bool ok;
};

/* "struct foo" as a person writes it, with or without its first word. */
static bool find_type(struct ctx *c, const char *name, enum type_kind kind, const struct type **ret,
		      struct err *err)
{
	static const char *const tags[] = { "struct ", "union " };
	const struct type *in;

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		if (kind == TYPE_UNION && i == 0)
			continue;
		if (type_find_deep(c->t, arena_printf(c->arena, "%s%s", tags[i], name), ret, err))
			return true;
		if (err->code != ERR_NOTYPE)
			return false;
	}
	if (!type_find_deep(c->t, name, ret, err))
		return err->code == ERR_NOTYPE
			       ? err_set(err, ERR_NOTYPE, "no struct or union '%s'", name)
			       : false;
	in = type_strip(*ret);
	if (kind == TYPE_UNION ? in->kind != TYPE_UNION
			       : in->kind != TYPE_STRUCT && in->kind != TYPE_UNION)
		return err_set(err, ERR_NOTYPE, "'%s' is no %s", name,
			       kind == TYPE_UNION ? "union" : "struct or union");
	return true;
}

/* Source files have structs of their own, some of one name. */
static void note_namesakes(struct ctx *c, const struct type *type)
{
	unsigned n = type_namesakes(type_strip(type));
	struct err why;

	if (n < 2)
		return;
	err_set(&why, ERR_UNSUPPORTED, "%s %s: %u definitions in %s, the first is shown",
		type_strip(type)->kind == TYPE_UNION ? "union" : "struct", type_strip(type)->name,
		n, type_strip(type)->source->origin);
	note(c, &why);
}

/* "task_struct.pid,comm": the type's name, then paths of members. */
static bool parse_name(struct printer *p, const char *word, enum type_kind kind, struct err *err)
{
	struct arena *a = p->c->arena;
	size_t n = strcspn(word, ".");
	const char **paths;
	size_t commas = 1;

	p->name = arena_strndup(a, word, n);
	if (!find_type(p->c, p->name, kind, &p->type, err))
		return false;
	if (!word[n])
		return true;
	for (const char *s = word; *s; s++)
		commas += *s == ',';
	paths = ARENA_ARRAY(a, const char *, commas);
	for (const char *s = word + n + 1;; s++) {
		size_t len = strcspn(s, ",");

		if (!len)
			return err_set(err, ERR_USAGE, "a member's name is missing in '%s'", word);
		paths[p->n_paths++] = arena_strndup(a, s, len);
		s += len;
		if (!*s)
			break;
	}
	p->paths = paths;
	return true;
}

static bool parse_link(struct printer *p, struct err *err)
{
	const char *s = p->o->link, *dot;
	struct member_ref ref;

	if (!s || parse_number(s, false, &p->link))
		return true;
	dot = strchr(s, '.'); /* crash wants "struct.member" */
	if (dot && strncmp(s, p->name, (size_t)(dot - s)) == 0 && !p->name[dot - s])
		s = dot + 1;
	if (!type_member(p->type, s, &ref, err))
		return false;
	p->link = ref.offset;
	return true;
}

static bool define(struct printer *p, uint64_t addr, bool at, struct err *err)
{
	struct definition d = { .offsets = true,
				.sizes = p->o->sizes,
				.hex = p->o->style.hex ||
				       (!p->o->style.dec && p->c->s->radix == 16),
				.at = at,
				.addr = addr };

	if (!p->n_paths)
		return emit_type(p->c, p->type, &d, err);
	for (size_t i = 0; i < p->n_paths; i++) {
		d.only = p->paths[i];
		if (!emit_type(p->c, p->type, &d, err))
			return false;
	}
	return true;
}

static bool show_members(struct printer *p, struct value base, struct shown *s, struct err *err)
{
	for (size_t i = 0; i < p->n_paths; i++) {
		struct err why;

		s->expr = p->paths[i];
		s->label = p->paths[i];
		s->indent = 1;
		if (!value_member(p->c->t, base, p->paths[i], &s->value, &why)) {
			if (!err_is_absent(why.code)) {
				*err = why;
				return false;
			}
			/* the pointer on the way is what cannot be read */
			s->value = value_absent(p->type, why.addr, why.code);
		}
		emit_value(p->c, s);
		s->head = NULL;
	}
	return true;
}

static bool show_at(struct printer *p, uint64_t addr, int cpu, struct err *err)
{
	struct shown s = { .expr = p->name, .has_cpu = cpu >= 0, .cpu = (unsigned)cpu };

	addr -= p->link;
	if (cpu >= 0)
		s.head = arena_printf(p->c->arena, "[%d]: %" PRIx64, cpu, addr);
	for (uint64_t i = 0; i < p->count; i++) {
		uint64_t at = addr + i * p->type->size;
		struct value v = value_ref(p->type, at);

		if (!interrupt_check(err))
			return false;
		if (p->o->offsets) {
			if (!define(p, at, true, err))
				return false;
			continue;
		}
		if (p->n_paths) {
			/* many elements: say which */
			if (p->count > 1)
				s.head = arena_printf(p->c->arena, "%" PRIx64, at);
			if (!show_members(p, v, &s, err))
				return false;
			continue;
		}
		s.value = v;
		emit_value(p->c, &s);
		s.head = NULL;
	}
	return true;
}

static bool show_cpu(unsigned cpu, void *arg)
{
	struct printer *p = arg;
	uint64_t off;

	p->ok = percpu_offset(p->c->t, cpu, &off, p->err) &&
		show_at(p, p->sym.addr + off, (int)cpu, p->err);
	return p->ok;
}

static bool show_operand(struct printer *p, const char *word, struct err *err)
{
	const char *colon = strchr(word, ':');
	uint64_t addr;

	/* "runqueues:1.curr" is an expression, "runqueues:1" is this one's own */
	if (!colon || colon[1 + strspn(colon + 1, "0123456789,-al")])
		return stage_place(p->c, word, &addr, err) && show_at(p, addr, -1, err);
	p->err = err;
	p->ok = true;
	if (!symbol_find(p->c->t, arena_strndup(p->c->arena, word, (size_t)(colon - word)), &p->sym,
			 err))
		return false;
	if (!percpu_is(p->c->t, &p->sym))
		return err_set(err, ERR_USAGE, "'%s' is not a per-CPU variable", p->sym.name);
	return parse_cpus(p->c->t, colon + 1, show_cpu, p, err) && p->ok;
}

#define COUNT_MAX 1000000u

static bool printer_init(struct printer *p, struct ctx *c, enum type_kind kind, struct err *err)
{
	*p = (struct printer){ .c = c, .o = c->opts, .count = 1 };
	if (p->o->count)
		p->count = p->o->count;
	if (!parse_name(p, c->argv[0], kind, err) || !parse_link(p, err))
		return false;
	if (c->argc > 2 && !parse_number(c->argv[2], false, &p->count))
		return err_set(err, ERR_USAGE, "'%s' is not a count", c->argv[2]);
	if (!p->count || p->count > COUNT_MAX)
		return err_set(err, ERR_USAGE, "the count must be 1 to %u", COUNT_MAX);
	return true;
}

bool struct_run(struct ctx *c, enum type_kind kind, struct err *err)
{
	const struct struct_opts *o = c->opts;
	struct value_style old;
	struct printer p;
	bool ok;

	if (c->argc < 1 || c->argc > 3)
		return err_set(err, ERR_USAGE,
			       "a type is wanted, and an address and a count may "
			       "follow");
	if (!printer_init(&p, c, kind, err))
		return false;
	note_namesakes(c, p.type);
	if (c->argc == 1)
		return define(&p, 0, false, err);
	if (!mem_loaded(c->t))
		return err_set(err, ERR_NEED, "there is no memory to show: no dump is loaded");
	old = style_set(c, &o->style);
	ok = show_operand(&p, c->argv[1], err);
	style_restore(c, old);
	return ok;
}

/* In a pipeline: what comes is an instance, or a pointer to one; without a type it is shown as it
 * is. */
bool struct_each(struct ctx *c, struct value v, struct err *err)
{
	const struct struct_opts *o = c->opts;
	const struct type *in = type_strip(v.type);
	uint64_t addr = v.addr;
	struct value_style old;
	struct printer p;
	bool ok;

	if (in->kind == TYPE_POINTER && !value_u64(c->t, v, &addr, err))
		return false;
	if (!c->argc) {
		if (in->kind == TYPE_POINTER && !value_deref(c->t, v, &v, err))
			return false;
		p = (struct printer){ .c = c, .o = o, .count = 1, .type = v.type, .name = "" };
	} else if (!printer_init(&p, c, TYPE_VOID, err)) {
		return false;
	}
	if (!addr)
		return err_set(err, ERR_USAGE, "this value has no address");
	old = style_set(c, &o->style);
	ok = show_at(&p, addr, -1, err);
	style_restore(c, old);
	return ok;
}
