/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chosen members of struct pages, one page a row. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/memory/struct_page.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"
#include "commands/memory/page_record.h"

/* A chosen member: where it lies in each struct page. */
struct page_member {
	const char *name;
	struct value at; /* of a struct page at address 0 */
};

struct page_members {
	struct ctx *c;
	struct page_member *v;
	size_t n;
	const struct record_kind *kind;
	struct err *err;
	bool ok;
	uint64_t holes;
	struct err why;
};

/* atomic_t and its like are a number in a struct of one member. */
static struct value unwrapped(struct ctx *c, struct value v)
{
	const struct member *m;
	struct err ignored;
	size_t n;

	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		if (type_strip(v.type)->kind != TYPE_STRUCT)
			break;
		m = type_members(type_strip(v.type), &n);
		if (n != 1 || !value_at_member(c->t, v, m, &v, &ignored))
			break;
	}
	return v;
}

/* Counters are decimal, as crash has them; other numbers are hexadecimal. */
static enum cell_kind number_kind(const char *name)
{
	size_t n = strlen(name);

	return n >= 5 && !strcmp(name + n - 5, "count") ? CELL_INT : CELL_HEX;
}

static bool members_find(struct page_members *w, const char *words, struct err *err)
{
	const struct type *types[RECORD_FIELDS_MAX], *page;
	const char *const *names, *labels[RECORD_FIELDS_MAX];
	struct ctx *c = w->c;
	struct record_kind *kind;
	struct record_field *fields;

	if (!type_find(c->t, "struct page", &page, err) ||
	    !stage_split(c, words, &names, &w->n, err))
		return false;
	if (w->n >= RECORD_FIELDS_MAX)
		return err_set(err, ERR_USAGE, "so many members do not fit a row");
	w->v = ARENA_ARRAY(c->arena, struct page_member, w->n + 1);
	labels[0] = "page";
	types[0] = page;
	for (size_t i = 0; i < w->n; i++) {
		w->v[i].name = labels[i + 1] = names[i];
		if (!value_member(c->t, value_ref(page, 0), names[i], &w->v[i].at, err))
			return false;
		w->v[i].at = unwrapped(c, w->v[i].at);
		types[i + 1] = w->v[i].at.type;
	}
	kind = stage_kind(c, "pick", labels, types, w->n + 1);
	fields = (struct record_field *)kind->fields;
	fields[0].kind = CELL_ADDR;
	for (size_t i = 0; i < w->n; i++)
		if (fields[i + 1].kind == CELL_UINT || fields[i + 1].kind == CELL_INT)
			fields[i + 1].kind = number_kind(names[i]);
	w->kind = kind;
	return true;
}

static void members_row(struct page_members *w, uint64_t page)
{
	struct record r;

	record_init(&r, w->kind);
	record_uint(&r, 0, page);
	for (size_t i = 0; i < w->n; i++) {
		struct value v = w->v[i].at;
		unsigned field = (unsigned)i + 1;

		v.addr += page;
		stage_cell(w->c, &r, field, v);
		if (r.cells[field].kind == CELL_UINT || r.cells[field].kind == CELL_INT)
			r.cells[field].kind = w->kind->fields[field].kind;
	}
	emit(w->c, &r);
}

static bool each_row(const struct page *page, void *arg)
{
	struct page_members *w = arg;

	members_row(w, page->addr);
	return interrupt_check(w->err);
}

static bool each_hole(uint64_t n, const struct err *why, void *arg)
{
	struct page_members *w = arg;

	if (why->code == ERR_UNMAPPED)
		return true;
	w->holes += n;
	w->why = *why;
	return true;
}

static bool run_rows(uint64_t first, uint64_t last, void *arg)
{
	struct page_members *w = arg;
	struct page_visit visit = { each_row, each_hole, w };

	w->ok = page_each(w->c->t, first, last, &visit, w->err);
	return w->ok;
}

bool emit_page_members(struct ctx *c, const char *members, const uint64_t *pages, size_t n,
		       struct err *err)
{
	struct page_members w = { .c = c, .err = err, .ok = true };

	if (!members_find(&w, members, err))
		return false;
	for (size_t i = 0; i < n; i++)
		members_row(&w, pages[i]);
	if (n)
		return true;
	if (!page_runs(c->t, run_rows, &w, err) || !w.ok)
		return false;
	if (w.holes) {
		err_wrap(&w.why, "%llu struct pages", (unsigned long long)w.holes);
		note(c, &w.why);
	}
	return interrupt_check(err);
}
