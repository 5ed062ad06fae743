/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who holds memory, as records: pages by the stack that asked for them, what nobody points to, and
 * KFENCE's objects. */
#include "commands/memory/held_record.h"

#include "core/linux/memory/origin.h"
#include "core/records/origin_record.h"

static void form_stack(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	origin_stack_text(b, cell);
}

enum {
	OWNER_PAGES,
	OWNER_SIZE,
	OWNER_BLOCKS,
	OWNER_HANDLE,
	OWNER_STACK
};
static const struct record_field owner_fields[] = {
	[OWNER_PAGES] = { "pages", NULL, CELL_UINT, FIELD_RIGHT, "allocated" },
	[OWNER_SIZE] = { "size", NULL, CELL_SIZE, FIELD_RIGHT, "their bytes" },
	[OWNER_BLOCKS] = { "blocks", NULL, CELL_UINT, FIELD_RIGHT, "how often one asked" },
	[OWNER_HANDLE] = { "handle", NULL, CELL_HEX, FIELD_JSON,
			   "the kernel's number of the stack" },
	[OWNER_STACK] = { "stack", NULL, CELL_STRS, 0, "who asked, innermost first",
			  .text = form_stack },
};
const struct record_kind page_owner_kind = {
	"page_owner", "pages that were asked for on one way (kmem --owners)",
	LAYOUT_LINE,  "{pages:9} pages {size:9}  {stack}",
	owner_fields, ARRAY_SIZE(owner_fields)
};

static void held_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

bool emit_owners(struct ctx *c, struct err *err)
{
	const struct owner_sum *sums;
	struct record r;
	size_t n;

	if (!page_owners(c->t, &sums, &n, held_flaw, c, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		record_init(&r, &page_owner_kind);
		record_uint(&r, OWNER_PAGES, sums[i].pages);
		record_uint(&r, OWNER_SIZE, sums[i].pages * c->t->page_size);
		record_uint(&r, OWNER_BLOCKS, sums[i].blocks);
		record_uint(&r, OWNER_HANDLE, sums[i].handle);
		origin_strs(c, &r, OWNER_STACK, sums[i].frames, sums[i].n);
		emit(c, &r);
		if (sums[i].why.code != ERR_OK)
			note(c, &sums[i].why);
	}
	return true;
}

enum {
	LEAK_OBJECT,
	LEAK_SIZE,
	LEAK_PID,
	LEAK_COMM,
	LEAK_AGE,
	LEAK_COUNT,
	LEAK_MIN,
	LEAK_ADDR,
	LEAK_STACK
};
static const struct record_field leak_fields[] = {
	[LEAK_OBJECT] = { "object", NULL, CELL_ADDR, 0, "what nobody points to" },
	[LEAK_SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "its bytes" },
	[LEAK_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "who asked for it" },
	[LEAK_COMM] = { "comm", NULL, CELL_STR, 0, "and that task's name then" },
	[LEAK_AGE] = { "age_ns", "AGE", CELL_DURATION, FIELD_RIGHT, "how long before the end" },
	[LEAK_COUNT] = { "count", NULL, CELL_INT, FIELD_JSON, "pointers that were found to it" },
	[LEAK_MIN] = { "min_count", NULL, CELL_INT, FIELD_JSON, "and how many there should be" },
	[LEAK_ADDR] = { "kmemleak_object", NULL, CELL_ADDR, FIELD_JSON,
			"its struct kmemleak_object" },
	[LEAK_STACK] = { "stack", NULL, CELL_STRS, 0, "who asked, innermost first",
			 .text = form_stack },
};
const struct record_kind leak_kind = {
	"leak",      "memory that nobody points to (kmem --leaks)",
	LAYOUT_LINE, "{object} {size:8} bytes  {pid:6} {comm:-15} {stack}",
	leak_fields, ARRAY_SIZE(leak_fields)
};

static bool leak_row(const struct leaked *l, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &leak_kind);
	record_uint(&r, LEAK_OBJECT, l->object);
	record_uint(&r, LEAK_SIZE, l->size);
	record_int(&r, LEAK_PID, l->alloc.pid);
	record_str(&r, LEAK_COMM, l->alloc.comm);
	if (l->alloc.age != ORIGIN_UNKNOWN)
		record_uint(&r, LEAK_AGE, l->alloc.age);
	record_int(&r, LEAK_COUNT, l->count);
	record_int(&r, LEAK_MIN, l->min_count);
	record_uint(&r, LEAK_ADDR, l->addr);
	origin_strs(c, &r, LEAK_STACK, l->alloc.frames, l->alloc.n);
	emit(c, &r);
	if (l->alloc.why.code != ERR_OK)
		note(c, &l->alloc.why);
	return true;
}

bool emit_leaks(struct ctx *c, struct err *err)
{
	return leaks_each(c->t, leak_row, held_flaw, c, err);
}

enum {
	KFENCE_INDEX,
	KFENCE_STATE,
	KFENCE_OBJECT,
	KFENCE_SIZE,
	KFENCE_CACHE,
	KFENCE_META,
	KFENCE_ALLOC_PID,
	KFENCE_ALLOC_CPU,
	KFENCE_ALLOC_TIME,
	KFENCE_ALLOC,
	KFENCE_FREE_PID,
	KFENCE_FREE_CPU,
	KFENCE_FREE_TIME,
	KFENCE_FREE
};
static const struct record_field kfence_fields[] = {
	[KFENCE_INDEX] = { "index", NULL, CELL_UINT, FIELD_RIGHT, "as in \"kfence-#3\"" },
	[KFENCE_STATE] = { "state", NULL, CELL_STR, 0, "allocated, freed, rcu_freeing" },
	[KFENCE_OBJECT] = { "object", NULL, CELL_ADDR, 0, "where it lies" },
	[KFENCE_SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "its bytes" },
	[KFENCE_CACHE] = { "cache", NULL, CELL_STR, 0, "the slab cache it was asked of" },
	[KFENCE_META] = { "kfence_metadata", NULL, CELL_ADDR, FIELD_JSON,
			  "its struct kfence_metadata" },
	[KFENCE_ALLOC_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "who asked for it" },
	[KFENCE_ALLOC_CPU] = { "cpu", NULL, CELL_INT, FIELD_JSON, "and on which CPU" },
	[KFENCE_ALLOC_TIME] = { "time_ns", "TIME", CELL_TIME, FIELD_JSON, "and when" },
	[KFENCE_ALLOC] = { "stack", NULL, CELL_STRS, 0, "who asked, innermost first",
			   .text = form_stack },
	[KFENCE_FREE_PID] = { "free_pid", NULL, CELL_INT, FIELD_JSON, "who gave it back" },
	[KFENCE_FREE_CPU] = { "free_cpu", NULL, CELL_INT, FIELD_JSON, "and on which CPU" },
	[KFENCE_FREE_TIME] = { "free_time_ns", NULL, CELL_TIME, FIELD_JSON, "and when" },
	[KFENCE_FREE] = { "free_stack", NULL, CELL_STRS, FIELD_JSON,
			  "who gave it back, innermost first" },
};
const struct record_kind kfence_kind = {
	"kfence",      "an object of KFENCE's pool (kmem --kfence)",
	LAYOUT_LINE,   "{object} {state:-9} {size:5} bytes of {cache:-16} {pid:6}  {stack}",
	kfence_fields, ARRAY_SIZE(kfence_fields)
};

static bool kfence_row(const struct kfence_object *o, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	if (!o->alloc.n && o->alloc.why.code == ERR_OK)
		return true; /* never used */
	record_init(&r, &kfence_kind);
	record_uint(&r, KFENCE_INDEX, o->index);
	record_str(&r, KFENCE_STATE, o->state);
	record_uint(&r, KFENCE_OBJECT, o->addr);
	record_uint(&r, KFENCE_SIZE, o->size);
	record_str(&r, KFENCE_CACHE, o->cache);
	record_uint(&r, KFENCE_META, o->meta);
	if (o->alloc.pid >= 0)
		record_int(&r, KFENCE_ALLOC_PID, o->alloc.pid);
	if (o->alloc.cpu >= 0)
		record_int(&r, KFENCE_ALLOC_CPU, o->alloc.cpu);
	if (o->alloc.at != ORIGIN_UNKNOWN)
		record_uint(&r, KFENCE_ALLOC_TIME, o->alloc.at);
	origin_strs(c, &r, KFENCE_ALLOC, o->alloc.frames, o->alloc.n);
	if (o->freed.n) {
		if (o->freed.pid >= 0)
			record_int(&r, KFENCE_FREE_PID, o->freed.pid);
		if (o->freed.cpu >= 0)
			record_int(&r, KFENCE_FREE_CPU, o->freed.cpu);
		if (o->freed.at != ORIGIN_UNKNOWN)
			record_uint(&r, KFENCE_FREE_TIME, o->freed.at);
		origin_strs(c, &r, KFENCE_FREE, o->freed.frames, o->freed.n);
	}
	emit(c, &r);
	if (o->alloc.why.code != ERR_OK)
		note(c, &o->alloc.why);
	if (o->freed.why.code != ERR_OK)
		note(c, &o->freed.why);
	return true;
}

bool emit_kfence(struct ctx *c, struct err *err)
{
	return kfence_each(c->t, kfence_row, held_flaw, c, err);
}
