/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a hash in the log stands for, as a record and as a line. */
#include "core/base/buf.h"
#include "core/records/address_record.h"
#include "core/records/pointer_record.h"

enum {
	HASH,
	PTR,
	WHERE,
	TRIED,
	ODDS,
	WHAT
};
static const struct record_field fields[] = {
	[HASH] = { "hash", NULL, CELL_STR, 0, "as the kernel printed it" },
	[PTR] = { "pointer", NULL, CELL_ADDR, 0, "what it stands for" },
	[WHERE] = { "where", NULL, CELL_STR, 0,
		    "image, stored (a word in memory), page, area (of vmalloc) or slot (of RAM): "
		    "among which addresses it was found" },
	[TRIED] = { "tried", NULL, CELL_UINT, FIELD_JSON, "how many addresses were hashed" },
	[ODDS] = { "odds", NULL, CELL_UINT, 0,
		   "of so many hashes that stand for nothing here one has such a pointer by chance" },
	[WHAT] = { "what", NULL, CELL_STR, FIELD_JSON, "what is there" },
};
const struct record_kind pointer_record = {
	.name = "pointer",
	.doc = "a pointer that has the hash",
	.layout = LAYOUT_LINE,
	.line = "{hash} = {pointer}  ({where}; by chance once in {odds})",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

static const char *where_name(enum unhash_where where)
{
	static const char *const names[UNHASH_WHERES] = {
		[UNHASH_IMAGE] = "image", [UNHASH_STORED] = "stored", [UNHASH_PAGES] = "page",
		[UNHASH_AREAS] = "area",  [UNHASH_SLOTS] = "slot",
	};

	return names[where];
}

const char *pointer_hash_text(struct ctx *c, uint32_t hash)
{
	return arena_printf(c->arena, "%0*x", (int)c->t->arch->word * 2, hash);
}

/* What says most of the place. */
static const char *what_text(struct ctx *c, uint64_t ptr)
{
	struct address_place places[PLACES_MAX];
	struct buf b = { 0 };
	const char *ret = NULL;

	if (address_places(c->t, ptr, places) && places[0].kind != PLACE_NOWHERE) {
		buf_printf(&b, "%s ", place_kind_name(places[0].kind));
		place_text(&b, c->t, &places[0]);
		ret = arena_strndup(c->arena, b.s, b.n);
	}
	buf_release(&b);
	return ret;
}

static unsigned long long odds(const struct unhash_hit *hit)
{
	return (1ull << 32) / hit->tried;
}

void pointer_fill(struct ctx *c, struct record *r, const struct unhash_hit *hit)
{
	record_init(r, &pointer_record);
	record_str(r, HASH, pointer_hash_text(c, hit->hash));
	record_uint(r, PTR, hit->ptr);
	record_str(r, WHERE, where_name(hit->where));
	record_uint(r, TRIED, hit->tried);
	record_uint(r, ODDS, odds(hit));
	record_str(r, WHAT, what_text(c, hit->ptr));
}

const char *pointer_text(struct ctx *c, const struct unhash_hit *hit)
{
	const char *what = what_text(c, hit->ptr);

	return arena_printf(c->arena, "%s = %0*llx%s%s (by chance once in %llu)",
			    pointer_hash_text(c, hit->hash), (int)c->t->arch->word * 2,
			    (unsigned long long)hit->ptr, what ? ", " : "", what ? what : "",
			    odds(hit));
}
