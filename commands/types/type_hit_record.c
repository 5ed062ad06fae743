/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a type that something could be. */
#include "core/obit.h"
#include "core/base/number.h"
#include "core/records/print_type.h"
#include "core/types/type_search.h"
#include "commands/types/type_hit_record.h"

/* So many members people are shown; JSON has more. */
#define SHOWN_MEMBERS 3u

enum {
	SIZE,
	TYPE,
	MEMBERS
};

static void members_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	size_t n = cell->kind == CELL_STRS ? cell->strs.n : 0;

	(void)k, (void)r;
	for (size_t i = 0; i < n && i < SHOWN_MEMBERS; i++)
		buf_printf(b, "%s%s", i ? ", " : "", cell->strs.v[i]);
	if (n > SHOWN_MEMBERS)
		buf_printf(b, ", and %zu%s more", n - SHOWN_MEMBERS,
			   n == TYPE_SEARCH_MEMBERS_MAX ? " or" : "");
}

#define TYPE_HIT_FIELDS(members_flags)                                                          \
	{                                                                                       \
		[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes" },                     \
		[TYPE] = { "type", NULL, CELL_STR, 0, "the struct, union or typedef" },         \
		[MEMBERS] = {                                                                   \
			"members",                                                              \
			NULL,                                                                   \
			CELL_STRS,                                                              \
			members_flags,                                                          \
			"with -m, which of its members are it or lead to it, no more than 256", \
			.text = members_text                                                    \
		},                                                                              \
	}
static const struct record_field fields[] = TYPE_HIT_FIELDS(FIELD_JSON);
static const struct record_field member_fields[] = TYPE_HIT_FIELDS(0);
const struct record_kind type_hit_kind = { "type_hit",   "a type that it can be (-r, -m)",
					   LAYOUT_TABLE, NULL,
					   fields,       ARRAY_SIZE(fields) };
static const struct record_kind with_members = { "type_hit",    "the same, with its members (-m)",
						 LAYOUT_TABLE,  NULL,
						 member_fields, ARRAY_SIZE(member_fields) };

struct type_hits {
	struct ctx *c;
	const char *member;
	bool some;
};

static bool show(const struct type_hit *hit, void *arg)
{
	struct type_hits *w = arg;
	struct record r;

	w->some = true;
	record_init(&r, w->member ? &with_members : &type_hit_kind);
	record_uint(&r, SIZE, type_strip(hit->type)->size);
	record_str(&r, TYPE, type_name(w->c, hit->type));
	if (w->member)
		record_strs(&r, MEMBERS, hit->members, hit->n_members);
	emit(w->c, &r);
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	const struct type_hits *w = arg;

	/* what is not there at all is told by the command that finds nothing elsewhere */
	if (e->code != ERR_NEED)
		note(w->c, e);
}

/* "192", "0x80-0xc0". */
static bool sizes_parse(const char *s, struct type_filter *q, struct err *err)
{
	const char *at = s;

	if (number_take(&at, NULL, 0, &q->min)) {
		q->max = q->min;
		if (!*at || (*at++ == '-' && number_parse(at, 0, &q->max) && q->max >= q->min))
			return true;
	}
	return err_set(err, ERR_USAGE, "'%.60s' is no size and no range of them, as 192 or 129-192",
		       s);
}

bool emit_type_hits(struct ctx *c, const char *sizes, const char *member, struct err *err)
{
	struct type_hits w = { .c = c, .member = member };
	struct type_filter q = { .t = c->t,
				 .arena = c->arena,
				 .max = UINT64_MAX,
				 .member = member,
				 .fn = show,
				 .flaw = flaw,
				 .arg = &w };

	if ((sizes && !sizes_parse(sizes, &q, err)) || !type_search_run(&q, err))
		return false;
	return w.some || err_set(err, ERR_NOTFOUND, "no such type is known");
}
