/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BPF as records: contents by the types that came with a map, stacks by name. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/types/value.h"
#include "core/base/guard.h"
#include "core/base/map.h"
#include "commands/bpf/bpf_record.h"
#include "core/shell/session.h"

enum {
	P_ID,
	P_TYPE,
	P_NAME,
	P_TAG,
	P_RUNS,
	P_TIME,
	P_MISSED,
	P_UID,
	P_MAPS,
	P_ATTACHED,
	P_LOADED,
	P_INSNS,
	P_JITED,
	P_CODE,
	P_SIZE,
	P_PROG
};
static const struct record_field prog_fields[] = {
	[P_ID] = { "id", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[P_TYPE] = { "type", NULL, CELL_STR, 0, "what it is for" },
	[P_NAME] = { "name", NULL, CELL_STR, 0, "as it was loaded" },
	[P_TAG] = { "tag", NULL, CELL_STR, 0, "a digest of its instructions" },
	[P_RUNS] = { "runs", NULL, CELL_UINT, FIELD_RIGHT,
		     "times it ran while kernel.bpf_stats_enabled was on" },
	[P_TIME] = { "run_ns", NULL, CELL_UINT, FIELD_RIGHT, "nanoseconds that took" },
	[P_MISSED] = { "missed", NULL, CELL_UINT, FIELD_JSON,
		       "times it could not run, for it was running" },
	[P_UID] = { "uid", NULL, CELL_INT, FIELD_RIGHT, "who loaded it" },
	[P_MAPS] = { "maps", NULL, CELL_STRS, 0, "ids of the maps it uses" },
	[P_ATTACHED] = { "attached", NULL, CELL_STRS, 0,
			 "where, by links and by events; empty: nothing of that kind is known" },
	[P_LOADED] = { "loaded_ns", NULL, CELL_TIME, FIELD_JSON, "when, since boot" },
	[P_INSNS] = { "insns", NULL, CELL_UINT, FIELD_JSON, "instructions after verification" },
	[P_JITED] = { "jited", NULL, CELL_BOOL, FIELD_JSON, "it is machine code" },
	[P_CODE] = { "code", NULL, CELL_ADDR, FIELD_JSON, "which begins here" },
	[P_SIZE] = { "code_size", NULL, CELL_UINT, FIELD_JSON, "its bytes" },
	[P_PROG] = { "prog", NULL, CELL_ADDR, FIELD_JSON, "its struct bpf_prog" },
};
const struct record_kind bpf_prog_kind = { "bpf_prog", "A BPF program.", LAYOUT_TABLE,
					   NULL,       prog_fields,      ARRAY_SIZE(prog_fields) };

enum {
	M_ID,
	M_TYPE,
	M_NAME,
	M_KEY,
	M_VALUE,
	M_MAX,
	M_FLAGS,
	M_FROZEN,
	M_MAP
};
static const struct record_field map_fields[] = {
	[M_ID] = { "id", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[M_TYPE] = { "type", NULL, CELL_STR, 0, "how it keeps what it holds" },
	[M_NAME] = { "name", NULL, CELL_STR, 0, "as it was made" },
	[M_KEY] = { "key_size", "KEY", CELL_UINT, FIELD_RIGHT, "bytes" },
	[M_VALUE] = { "value_size", "VALUE", CELL_UINT, FIELD_RIGHT, "bytes" },
	[M_MAX] = { "max_entries", "MAX", CELL_UINT, FIELD_RIGHT, "room for so many" },
	[M_FLAGS] = { "flags", NULL, CELL_HEX, 0, "BPF_F_*" },
	[M_FROZEN] = { "frozen", NULL, CELL_BOOL, FIELD_JSON, "programs alone may write it" },
	[M_MAP] = { "map", NULL, CELL_ADDR, 0, "its struct bpf_map" },
};
const struct record_kind bpf_map_kind = { "bpf_map", "A BPF map.", LAYOUT_TABLE,
					  NULL,      map_fields,   ARRAY_SIZE(map_fields) };

enum {
	E_MAP,
	E_KEY,
	E_CPU,
	E_VALUE,
	E_KEY_HEX,
	E_VALUE_HEX,
	E_STACK
};
static const struct record_field element_fields[] = {
	[E_MAP] = { "map", NULL, CELL_UINT, FIELD_JSON, "the map's id" },
	[E_KEY] = { "key", NULL, CELL_VALUE, 0, "by its type; bytes where the map tells none" },
	[E_CPU] = { "cpu", NULL, CELL_UINT, 0,
		    "of maps that keep a value for each; null: of others" },
	[E_VALUE] = { "value", NULL, CELL_VALUE, 0, "by its type; bytes where the map tells none" },
	[E_KEY_HEX] = { "key_bytes", NULL, CELL_STR, FIELD_JSON, "in hexadecimal" },
	[E_VALUE_HEX] = { "value_bytes", NULL, CELL_STR, FIELD_JSON, "in hexadecimal" },
	[E_STACK] = { "stack", NULL, CELL_STRS, FIELD_JSON,
		      "of the stack that the value names in a stack-trace map" },
};
/* What the record of an element tells of. */
struct shown_element {
	struct arena *arena;
	const struct bpf_map *m;
	const struct bpf_element *e;
};

static const char *hex(struct arena *a, const uint8_t *p, uint64_t n)
{
	struct buf b = { 0 };
	const char *ret;

	for (uint64_t i = 0; i < n; i++)
		buf_printf(&b, "%02x", p[i]);
	ret = arena_strdup(a, buf_text(&b));
	buf_release(&b);
	return ret;
}

static void element_complete(struct record *r)
{
	const struct shown_element *shown = r->of;
	const struct bpf_element *e = shown->e;

	record_str(r, E_KEY_HEX, hex(shown->arena, e->key, shown->m->key_size));
	record_str(r, E_VALUE_HEX, hex(shown->arena, e->value, shown->m->value_size));
}

const struct record_kind bpf_element_kind = {
	.name = "bpf_element",
	.doc = "What a map holds under one key.",
	.layout = LAYOUT_LINE,
	.line = "{?cpu:cpu {cpu} }{key}: {value}",
	.fields = element_fields,
	.n_fields = ARRAY_SIZE(element_fields),
	.complete = element_complete,
};

enum {
	S_MAP,
	S_ID,
	S_COUNT,
	S_SIZE,
	S_STACK
};
static const struct record_field stack_fields[] = {
	[S_MAP] = { "map", NULL, CELL_UINT, FIELD_JSON, "the stack-trace map's id" },
	[S_ID] = { "stack_id", NULL, CELL_UINT, FIELD_JSON, "its key there" },
	[S_COUNT] = { "count", NULL, CELL_UINT, FIELD_JSON,
		      "elements of the map that was asked for that name it; null: none was" },
	[S_SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "the sum of their members named size" },
	[S_STACK] = { "stack", NULL, CELL_STRS, FIELD_JSON, "the innermost first" },
};

static void stack_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct cell *names = &r->cells[S_STACK];

	(void)k, (void)cell;
	buf_printf(b, "stack %" PRIu64 ":", r->cells[S_ID].u);
	if (r->cells[S_COUNT].kind != CELL_NULL)
		buf_printf(b, " %" PRIu64 " elements", r->cells[S_COUNT].u);
	if (r->cells[S_SIZE].kind != CELL_NULL)
		buf_printf(b, ", %" PRIu64 " bytes", r->cells[S_SIZE].u);
	buf_char(b, '\n');
	for (size_t i = 0; i < names->strs.n; i++) {
		buf_str(b, "    ");
		buf_plain(b, names->strs.v[i], strlen(names->strs.v[i]));
		buf_char(b, '\n');
	}
}

const struct record_kind bpf_stack_kind = {
	.name = "bpf_stack",
	.doc = "A stack of a stack-trace map.",
	.layout = LAYOUT_OWN,
	.text = stack_text,
	.fields = stack_fields,
	.n_fields = ARRAY_SIZE(stack_fields),
};

void bpf_prog_record(struct ctx *c, const struct bpf_prog *p, struct record *r)
{
	const char **maps = ARENA_ARRAY(c->arena, const char *, p->n_maps + 1);

	for (size_t i = 0; i < p->n_maps; i++)
		maps[i] = arena_printf(c->arena, "%" PRIu32, p->maps[i]);
	record_init(r, &bpf_prog_kind);
	record_uint(r, P_ID, p->id);
	record_str(r, P_TYPE, p->type);
	record_str(r, P_NAME, p->name);
	record_str(r, P_TAG, hex(c->arena, p->tag, sizeof(p->tag)));
	if (p->has_run) {
		record_uint(r, P_RUNS, p->run_count);
		record_uint(r, P_TIME, p->run_ns);
		record_uint(r, P_MISSED, p->missed);
	}
	if (p->uid >= 0)
		record_int(r, P_UID, p->uid);
	record_strs(r, P_MAPS, maps, p->n_maps);
	record_strs(r, P_ATTACHED, p->attached, p->n_attached);
	record_uint(r, P_LOADED, p->load_ns);
	record_uint(r, P_INSNS, p->insns);
	record_bool(r, P_JITED, p->jited);
	if (p->jited) {
		record_uint(r, P_CODE, p->code);
		record_uint(r, P_SIZE, p->code_size);
	}
	record_uint(r, P_PROG, p->addr);
}

void bpf_map_record(struct ctx *c, const struct bpf_map *m, struct record *r)
{
	(void)c;
	record_init(r, &bpf_map_kind);
	record_uint(r, M_ID, m->id);
	record_str(r, M_TYPE, m->type);
	record_str(r, M_NAME, m->name);
	record_uint(r, M_KEY, m->key_size);
	record_uint(r, M_VALUE, m->value_size);
	record_uint(r, M_MAX, m->max_entries);
	record_uint(r, M_FLAGS, m->flags);
	record_bool(r, M_FROZEN, m->frozen);
	record_uint(r, M_MAP, m->addr);
}

/* ---- contents */

/* A stack that elements name. */
struct kept_stack {
	const char **names;
	size_t n;
	uint64_t count, size;
	uint32_t id;
};

struct elements {
	struct ctx *c;
	const struct bpf_map *m;
	const struct type *key, *value; /* NULL: bytes */
	const char *id_member;          /* which names a stack; NULL: none does */
	bool has_size;
	VEC(struct kept_stack) stacks;
	struct map by_id; /* stack id -> index + 1 */
	bool joining;
};

static bool keep_stack(const struct bpf_element *e, void *arg)
{
	struct elements *es = arg;
	struct kept_stack *s = vec_push(&es->stacks);
	bool isnew;

	s->id = target_u32(es->c->t, e->key);
	s->names = ARENA_ARRAY(es->c->arena, const char *, e->n_stack + 1);
	for (s->n = 0; s->n < e->n_stack && e->stack[s->n]; s->n++)
		s->names[s->n] = symbol_text(es->c->t, e->stack[s->n], es->c->arena);
	*map_put(&es->by_id, s->id, &isnew) = es->stacks.n;
	return !interrupted;
}

static void emit_stack(struct elements *es, const struct bpf_map *m, const struct kept_stack *s)
{
	struct record r;

	record_init(&r, &bpf_stack_kind);
	record_uint(&r, S_MAP, m->id);
	record_uint(&r, S_ID, s->id);
	if (es->joining)
		record_uint(&r, S_COUNT, s->count);
	if (es->joining && es->has_size)
		record_uint(&r, S_SIZE, s->size);
	record_strs(&r, S_STACK, s->names, s->n);
	emit(es->c, &r);
}

/* A number that is a member of the value; false: it has none of that name. */
static bool member_of(struct elements *es, const uint8_t *bytes, const char *name, uint64_t *ret)
{
	struct value v;
	struct err ignored;

	return name &&
	       value_member(es->c->t, value_bytes(es->value, bytes, 0), name, &v, &ignored) &&
	       value_u64(es->c->t, v, ret, &ignored);
}

static void put_side(struct elements *es, struct record *r, unsigned field, const struct type *type,
		     const uint8_t *bytes, uint64_t n)
{
	void *copy = arena_alloc(es->c->arena, n + 1);

	memcpy(copy, bytes, n);
	if (type)
		record_value(r, field, value_bytes(type, copy, 0));
	else
		record_str(r, field, hex(es->c->arena, copy, n));
}

static bool show_element(const struct bpf_element *e, void *arg)
{
	struct elements *es = arg;
	const struct bpf_map *m = es->m;
	const struct shown_element shown = { es->c->arena, m, e };
	struct kept_stack *s = NULL;
	uint64_t id, size, *at;
	struct record r;

	if (es->id_member && member_of(es, e->value, es->id_member, &id) &&
	    (at = map_get(&es->by_id, (uint32_t)id))) {
		s = &es->stacks.p[*at - 1];
		s->count++;
		if (es->has_size && member_of(es, e->value, "size", &size))
			s->size += size;
	}
	record_init(&r, &bpf_element_kind);
	r.of = &shown;
	record_uint(&r, E_MAP, m->id);
	put_side(es, &r, E_KEY, es->key, e->key, m->key_size);
	put_side(es, &r, E_VALUE, es->value, e->value, m->value_size);
	if (e->cpu >= 0)
		record_uint(&r, E_CPU, (uint64_t)e->cpu);
	if (s)
		record_strs(&r, E_STACK, s->names, s->n);
	emit(es->c, &r);
	return !interrupted;
}

static void bpf_record_tell(const struct err *e, void *arg)
{
	struct elements *es = arg;

	note(es->c, e);
}

static const struct type *side_type(struct elements *es, uint32_t id, uint64_t size)
{
	const struct type *type;
	struct err err;

	if (!es->m->btf || !id)
		return NULL;
	if (!bpf_type(es->c->t, es->m->btf, id, &type, &err)) {
		err_wrap(&err, "the types of map '%s'", es->m->name);
		note(es->c, &err);
		return NULL;
	}
	return type->size <= size ? type : NULL;
}

static void find_members(struct elements *es)
{
	static const char *const names[] = { "stack_id", "stackid", "kern_stack_id",
					     "kernel_stack_id" };
	struct member_ref ref;
	struct err ignored;

	if (!es->value || (type_strip(es->value)->kind != TYPE_STRUCT))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !es->id_member; i++)
		if (type_member(es->value, names[i], &ref, &ignored))
			es->id_member = names[i];
	es->has_size = type_member(es->value, "size", &ref, &ignored);
}

static int by_weight(const void *a, const void *b)
{
	const struct kept_stack *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static bool emit_all(struct elements *es, const struct bpf_map *stacks, struct err *err)
{
	struct ctx *c = es->c;

	if (!strcmp(es->m->type, "stack_trace")) {
		if (!bpf_elements_each(c->t, es->m, keep_stack, bpf_record_tell, es, err))
			return false;
		for (size_t i = 0; i < es->stacks.n; i++)
			emit_stack(es, es->m, &es->stacks.p[i]);
		return true;
	}
	es->key = side_type(es, es->m->key_type, es->m->key_size);
	es->value = side_type(es, es->m->value_type, es->m->value_size);
	find_members(es);
	es->joining = stacks && es->id_member;
	if (es->joining && !bpf_elements_each(c->t, stacks, keep_stack, bpf_record_tell, es, err))
		return false;
	if (!bpf_elements_each(c->t, es->m, show_element, bpf_record_tell, es, err))
		return false;
	if (es->stacks.n)
		qsort(es->stacks.p, es->stacks.n, sizeof(*es->stacks.p), by_weight);
	for (size_t i = 0; i < es->stacks.n; i++)
		if (es->stacks.p[i].count)
			emit_stack(es, stacks, &es->stacks.p[i]);
	return true;
}

bool emit_bpf_elements(struct ctx *c, const struct bpf_map *m, const struct bpf_map *stacks,
		       struct err *err)
{
	struct elements es = { .c = c, .m = m };
	bool ok = emit_all(&es, stacks, err);

	vec_release(&es.stacks);
	map_release(&es.by_id);
	return ok && interrupt_check(err);
}
