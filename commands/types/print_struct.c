/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct and union: a definition, or instances and their members at addresses. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/linux/memory/user.h"
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
	struct symbol sym;       /* of "symbol:cpus" */
	struct user_space *user; /* -u: whose memory it is; NULL: the kernel's */
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

/* ---- what pointers point to */

/* "struct mm_struct *mm" */
static const char *declared(struct ctx *c, const struct type *type, const char *name)
{
	struct buf b = { 0 };
	const char *s;

	type_declare(&b, type, name);
	s = arena_strndup(c->arena, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

/* "*mm = {...}", and of per-CPU memory each CPU's own. Where a pointer leads to a function, a text
 * or void, all is said of it already; a program's are of no kernel memory. */
static void show_target(struct printer *p, const struct shown *s, struct value pointer)
{
	const struct type *to = type_strip(type_target(type_strip(pointer.type)));
	struct shown of = { .label = arena_printf(p->c->arena, "*%s", s->label),
			    .expr = arena_printf(p->c->arena, "*(%s)", s->expr),
			    .indent = s->indent };
	struct target *t = p->c->t;
	enum percpu_answer answer;
	struct err ignored;
	uint64_t addr, off;
	unsigned cpus = 0;

	if (!to->size || to->kind == TYPE_FUNC || to->kind == TYPE_VOID || to->kind == TYPE_CHAR ||
	    p->user || !value_u64(t, pointer, &addr, &ignored) || !addr)
		return;
	answer = percpu_pointer(t, addr);
	if (answer == PERCPU_MAYBE) {
		err_set(&ignored, ERR_UNSUPPORTED,
			"%s is not followed: 0x%" PRIx64
			" may be an address of per-CPU memory, or of something else",
			s->expr, addr);
		note(p->c, &ignored);
		return;
	}
	if (answer == PERCPU_NO) {
		of.value = value_ref(to, addr);
		if (t->arch->is_kernel_va(addr))
			emit_value(p->c, &of);
		return;
	}
	of.has_cpu = true;
	(void)!cpus_count(t, &cpus, &ignored);
	for (of.cpu = 0; of.cpu < cpus && interrupt_check(&ignored); of.cpu++) {
		if (!cpu_has_run(t, of.cpu) || !percpu_offset(t, of.cpu, &off, &ignored))
			continue;
		of.value = value_ref(to, percpu_sum(t, addr, off));
		of.head = arena_printf(p->c->arena, "  [%u]: %" PRIx64, of.cpu, of.value.addr);
		emit_value(p->c, &of);
	}
}

/* A member by name, and with -p what it points to. */
static void show_member(struct printer *p, struct shown *s)
{
	bool pointer = p->o->pointers && type_strip(s->value.type)->kind == TYPE_POINTER;
	const char *name = s->label;

	if (pointer)
		s->label = declared(p->c, s->value.type, name);
	emit_value(p->c, s);
	s->head = NULL;
	s->label = name;
	if (pointer)
		show_target(p, s, s->value);
}

/* -p without members means all of them. */
static void all_members(struct printer *p, const struct type *type, unsigned depth,
			const char **paths, size_t max)
{
	size_t n;
	const struct member *m = type_members(type_strip(type), &n);

	for (size_t i = 0; i < n && p->n_paths < max; i++)
		if (m[i].name)
			paths[p->n_paths++] = m[i].name;
		else if (depth < DEPTH_MAX)
			all_members(p, m[i].type, depth + 1, paths, max);
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
		show_member(p, s);
	}
	return true;
}

static bool file_read(const struct printer *p, uint64_t at, void *to, struct err *err)
{
	const struct file *f = p->c->t->dump.file;
	uint64_t n = p->type->size;

	if (!f || at > f->map.n || n > f->map.n - at)
		return err_set(err, ERR_USAGE, "the dump's file ends before 0x%" PRIx64, at + n);
	memcpy(to, f->map.p + at, n);
	return true;
}

/* The struct at an address: in the kernel's memory, or of -u and -f, which are read at once. */
static bool struct_at(struct printer *p, uint64_t at, struct value *ret, struct err *err)
{
	struct err why;
	void *bytes;

	*ret = value_ref(p->type, at);
	if (!p->user && !p->o->file)
		return true;
	if (!arena_bytes(p->c->arena, p->type->size, VALUE_MAX, &bytes, err))
		return false;
	if (p->o->file && !file_read(p, at, bytes, err))
		return false;
	if (!p->o->file && !user_read(p->user, at, bytes, p->type->size, &why))
		*ret = value_absent(p->type, why.addr, why.code);
	else
		*ret = value_bytes(p->type, bytes, p->o->file ? 0 : at);
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
		struct value v;

		if (!interrupt_check(err))
			return false;
		if (!struct_at(p, at, &v, err))
			return false;
		expr_shown(p->c->t, value_int(p->c->t, type_pointer_to(p->c->t, p->type), at));
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
#define MEMBERS_MAX 4096u

static bool printer_init(struct printer *p, struct ctx *c, enum type_kind kind, struct err *err)
{
	*p = (struct printer){ .c = c, .o = c->opts, .count = 1 };
	if (p->o->count)
		p->count = p->o->count;
	if (!parse_name(p, c->argv[0], kind, err) || !parse_link(p, err))
		return false;
	if (p->o->user + p->o->file + p->o->offsets > 1)
		return err_set(err, ERR_USAGE, "-u, -f and -o exclude each other");
	if (p->o->pointers && !p->n_paths) {
		const char **paths = ARENA_ARRAY(c->arena, const char *, MEMBERS_MAX);

		all_members(p, p->type, 0, paths, MEMBERS_MAX);
		p->paths = paths;
	}
	if (c->argc > 2 && !parse_number(c->argv[2], false, &p->count))
		return err_set(err, ERR_USAGE, "'%s' is not a count", c->argv[2]);
	if (!p->count || p->count > COUNT_MAX)
		return err_set(err, ERR_USAGE, "the count must be 1 to %u", COUNT_MAX);
	return true;
}

static bool user_memory(struct printer *p, struct user_space *user, struct err *err)
{
	const struct task *task;

	if (!p->o->user)
		return true;
	p->user = user;
	return session_task(p->c->s, &task, err) && user_space_init(user, p->c->t, task, err);
}

bool struct_run(struct ctx *c, enum type_kind kind, struct err *err)
{
	const struct struct_opts *o = c->opts;
	struct user_space user;
	struct value_style old;
	struct printer p;
	bool ok;

	if (c->argc < 1 || c->argc > 3)
		return err_set(err, ERR_USAGE,
			       "a type is wanted, and an address and a count may "
			       "follow");
	if (!printer_init(&p, c, kind, err))
		return false;
	if (o->pointers && c->argc == 1)
		return err_set(err, ERR_USAGE, "-p needs an address");
	note_namesakes(c, p.type);
	if (c->argc == 1)
		return define(&p, 0, false, err);
	if (!mem_loaded(c->t))
		return err_set(err, ERR_NEED, "there is no memory to show: no dump is loaded");
	old = style_set(c, &o->style);
	ok = user_memory(&p, &user, err) && show_operand(&p, c->argv[1], err);
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
	struct user_space user;
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
	ok = user_memory(&p, &user, err) && show_at(&p, addr, -1, err);
	style_restore(c, old);
	return ok;
}
