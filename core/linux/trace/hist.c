/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of hist triggers: struct tracing_map, an open-addressed hash of sums by key. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/trace/hist.h"
#include "core/linux/task/syscall.h"

#define SLOTS_MAX (1u << 20) /* the kernel makes at most 2^18 */
#define TABLES_MAX 256u      /* of one event */
#define KEY_MAX 8192u        /* HIST_KEY_SIZE_MAX is below 1 KiB */
#define ENTRY_MAX 64u        /* sizeof(struct tracing_map_entry) */
#define TEXT_MAX 4096u

struct row {
	const struct hist_spec *spec;
	struct hist_entry entry;
	const uint8_t *key; /* key_size bytes */
	bool big;           /* its numbers are big-endian */
	const uint64_t *sums;
	uint64_t elt; /* struct tracing_map_elt */
};

/* One table while it is read. */
struct hist_reading {
	struct target *t;
	struct hist_spec spec;
	void (*note)(const struct err *e, void *arg);
	void *arg;
	VEC(struct row) rows;
	/* offsets, and the size of a struct tracing_map_field */
	uint64_t sum, field_size;
};

static void hist_tell(const struct hist_reading *tb, const struct err *e)
{
	if (tb->note)
		tb->note(e, tb->arg);
}

/* ---- parts of an entry */

static uint64_t key_number(const struct row *r, const struct hist_field *f)
{
	return f->offset <= r->spec->key_size && r->spec->key_size - f->offset >= 8
		       ? load_uint(r->key + f->offset, 8, r->big)
		       : 0;
}

static const char *execname(const struct hist_reading *tb, uint64_t elt)
{
	uint64_t data, comm;
	const char *s;
	struct err ignored;

	return field_u64(tb->t, "struct tracing_map_elt", elt, "private_data", &data, &ignored) &&
			       data &&
			       field_u64(tb->t, "struct hist_elt_data", data, "comm", &comm,
					 &ignored) &&
			       comm && mem_str(tb->t, comm, 16, tb->t->scratch, &s, &ignored)
		       ? s
		       : NULL;
}

static void key_stack(const struct hist_reading *tb, const struct row *r,
		      const struct hist_field *f, struct hist_part *p)
{
	uint64_t *stack = ARENA_ARRAY(tb->t->scratch, uint64_t, HIST_STACK_MAX);
	unsigned word = tb->t->arch->word;
	uint64_t end = f->size < tb->spec.key_size ? f->offset + f->size : tb->spec.key_size;

	p->stack = stack;
	for (uint64_t at = f->offset;
	     at + word <= end && end <= tb->spec.key_size && p->n_stack < HIST_STACK_MAX;
	     at += word) {
		uint64_t v = target_uint(tb->t, r->key + at, word);

		if (!v)
			break;
		stack[p->n_stack++] = v;
	}
}

static enum hist_how how_of(uint64_t flags)
{
	return flags & HIST_FL_HEX          ? HIST_HEX
	       : flags & HIST_FL_SYM        ? HIST_SYM
	       : flags & HIST_FL_SYM_OFFSET ? HIST_SYM_OFFSET
	       : flags & HIST_FL_EXECNAME   ? HIST_EXECNAME
	       : flags & HIST_FL_SYSCALL    ? HIST_SYSCALL
	       : flags & HIST_FL_STACK      ? HIST_STACK
	       : flags & HIST_FL_LOG2       ? HIST_LOG2
	       : flags & HIST_FL_BUCKET     ? HIST_BUCKET
	       : flags & HIST_FL_STRING     ? HIST_STRING
					    : HIST_NUMBER;
}

static void read_key(const struct hist_reading *tb, const struct row *r, const struct hist_field *f,
		     struct hist_part *p)
{
	p->how = how_of(f->flags);
	p->name = f->source && p->how == HIST_STACK
			  ? arena_printf(tb->t->scratch, "%s.stacktrace", f->name)
			  : f->name;
	p->num = key_number(r, f);
	if (p->how == HIST_STACK)
		key_stack(tb, r, f, p);
	else if (p->how == HIST_EXECNAME)
		p->str = execname(tb, r->elt);
	else if (p->how == HIST_SYSCALL)
		p->str = syscall_name(tb->t, p->num);
	else if (p->how == HIST_STRING)
		p->str = f->offset < tb->spec.key_size
				 ? arena_strndup(tb->t->scratch, (const char *)r->key + f->offset,
						 strnlen((const char *)r->key + f->offset,
							 tb->spec.key_size - f->offset))
				 : "";
}

static bool is_shown(const struct hist_field *f, size_t i)
{
	return !i || !(f->flags & (HIST_FL_VAR | HIST_FL_EXPR));
}

static void read_parts(const struct hist_reading *tb, struct row *r, struct hist_table *h)
{
	const struct hist_spec *s = &tb->spec;
	struct hist_part *keys = ARENA_ARRAY(tb->t->scratch, struct hist_part, s->n_keys + 1);
	struct hist_part *vals = ARENA_ARRAY(tb->t->scratch, struct hist_part, s->n_vals + 1);
	uint64_t vars;
	struct err ignored;

	for (size_t i = 0; i < s->n_keys; i++)
		read_key(tb, r, &s->fields[s->n_vals + i], &keys[i]);
	h->n_vals = 0;
	for (size_t i = 0; i < s->n_vals; i++) {
		const struct hist_field *f = &s->fields[i];
		struct hist_part *p = &vals[h->n_vals];

		if (!is_shown(f, i))
			continue;
		p->name = i ? f->name : "hitcount";
		p->how = !i                           ? HIST_NUMBER
			 : f->flags & HIST_FL_PERCENT ? HIST_PERCENT
			 : f->flags & HIST_FL_GRAPH   ? HIST_GRAPH
			 : f->flags & HIST_FL_HEX     ? HIST_HEX
						      : HIST_NUMBER;
		p->num = r->sums[i];
		h->n_vals++;
	}
	r->entry.keys = keys;
	r->entry.vals = vals;
	r->entry.saved =
		field_u64(tb->t, "struct tracing_map_elt", r->elt, "vars", &vars, &ignored) && vars
			? hist_saved_text(tb->t, s, vars)
			: "";
}

/* ---- the map */

static bool read_element(struct hist_reading *tb, uint64_t elt, struct err *err)
{
	static const char type[] = "struct tracing_map_elt";
	struct hist_spec *s = &tb->spec;
	uint64_t key, fields, *sums;
	struct row *r;
	void *bytes;

	if (!field_u64(tb->t, type, elt, "key", &key, err) ||
	    !field_u64(tb->t, type, elt, "fields", &fields, err) ||
	    !arena_bytes(tb->t->scratch, s->key_size + 8, KEY_MAX, &bytes, err) ||
	    !mem_read(tb->t, key, bytes, s->key_size, err))
		return false;
	sums = ARENA_ARRAY(tb->t->scratch, uint64_t, s->n_vals + 1);
	for (size_t i = 0; i < s->n_vals; i++)
		if (!(s->fields[i].flags & HIST_FL_VAR) &&
		    !mem_u64(tb->t, fields + i * tb->field_size + tb->sum, &sums[i], err))
			return false;
	r = vec_push(&tb->rows);
	r->spec = s;
	r->key = bytes;
	r->big = target_big(tb->t);
	r->sums = sums;
	r->elt = elt;
	return true;
}

/* Where slot i of a struct tracing_map_array is; pages of slots hang on an array. */
struct slots {
	uint64_t pages, shift, mask, size_shift, n_pages;
};

static bool slots_read(struct target *t, uint64_t addr, struct slots *ret, struct err *err)
{
	static const char type[] = "struct tracing_map_array";
	const struct type *in;
	struct member_ref ref;

	if (!type_find(t, type, &in, err) || !type_member(in, "pages", &ref, err))
		return false;
	/* in v7.2 the array is the struct's own */
	ret->pages = addr + ref.offset;
	return (type_strip(ref.type)->kind == TYPE_ARRAY ||
		mem_ptr(t, ret->pages, &ret->pages, err)) &&
	       field_u64(t, type, addr, "entry_shift", &ret->shift, err) &&
	       field_u64(t, type, addr, "entry_mask", &ret->mask, err) &&
	       field_u64(t, type, addr, "entry_size_shift", &ret->size_shift, err) &&
	       field_u64(t, type, addr, "n_pages", &ret->n_pages, err) &&
	       ((ret->shift < 32 && ret->size_shift < 16) ||
		err_set_addr(err, ERR_CORRUPT, addr,
			     "an array of a table with slots of 2^%" PRIu64 " bytes, 2^%" PRIu64
			     " a page",
			     ret->size_shift, ret->shift));
}

static bool read_slots(struct hist_reading *tb, const struct slots *a, uint64_t n, struct err *err)
{
	uint64_t key_off, val_off, page = 0, at = UINT64_MAX;
	unsigned word = tb->t->arch->word;
	struct err why;

	if (!field_offset(tb->t, "struct tracing_map_entry", "key", &key_off, err) ||
	    !field_offset(tb->t, "struct tracing_map_entry", "val", &val_off, err))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t slot, elt;
		uint32_t key;

		if (!interrupt_check(err))
			return false;
		if (i >> a->shift != at) {
			at = i >> a->shift;
			if (at >= a->n_pages)
				return err_set(err, ERR_CORRUPT,
					       "a table of %" PRIu64 " slots has %" PRIu64
					       " pages of 2^%" PRIu64,
					       n, a->n_pages, a->shift);
			if (!mem_ptr(tb->t, a->pages + at * word, &page, err))
				return false;
		}
		slot = page + ((i & a->mask) << a->size_shift);
		if (!mem_u32(tb->t, slot + key_off, &key, &why) ||
		    !mem_ptr(tb->t, slot + val_off, &elt, &why)) {
			err_wrap(&why, "slots of a table");
			hist_tell(tb, &why);
			i |= a->mask; /* the next page may be there */
			continue;
		}
		if (!key || !elt)
			continue;
		if (!read_element(tb, elt, &why)) {
			err_wrap(&why, "an entry of a table");
			hist_tell(tb, &why);
		}
	}
	return true;
}

/* ---- the order */

static int cmp_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int64_t narrow(uint64_t v, const struct hist_field *f)
{
	unsigned shift = f->width && f->width < 8 ? 64 - 8 * (unsigned)f->width : 0;

	return f->is_signed ? (int64_t)(v << shift) >> shift : (int64_t)(v << shift >> shift);
}

static int cmp_field(const struct row *a, const struct row *b, uint64_t idx)
{
	const struct hist_spec *s = a->spec;
	const struct hist_field *f = &s->fields[idx];
	uint64_t left, right;

	if (idx < s->n_vals)
		return cmp_u64(a->sums[idx], b->sums[idx]);
	if (f->flags & HIST_FL_STACK || f->offset > s->key_size)
		return 0;
	if (f->is_string)
		return strncmp((const char *)a->key + f->offset, (const char *)b->key + f->offset,
			       s->key_size - f->offset);
	left = key_number(a, f);
	right = key_number(b, f);
	if (f->is_signed)
		return narrow(left, f) < narrow(right, f) ? -1 : narrow(left, f) > narrow(right, f);
	return cmp_u64((uint64_t)narrow(left, f), (uint64_t)narrow(right, f));
}

static int cmp_rows(const void *a, const void *b)
{
	const struct hist_spec *s = ((const struct row *)a)->spec;

	for (size_t i = 0; i < s->n_sort; i++) {
		int ret = cmp_field(a, b, s->sort[i].idx);

		if (ret)
			return s->sort[i].descending ? -ret : ret;
	}
	return memcmp(((const struct row *)a)->key, ((const struct row *)b)->key, s->key_size);
}

/* ---- one table */

static void sums_of(const struct hist_reading *tb, struct hist_table *h)
{
	uint64_t *totals = ARENA_ARRAY(tb->t->scratch, uint64_t, h->n_vals + 1);
	uint64_t *most = ARENA_ARRAY(tb->t->scratch, uint64_t, h->n_vals + 1);
	uint64_t *buckets = ARENA_ARRAY(tb->t->scratch, uint64_t, h->n_keys + 1);

	for (size_t i = 0; i < h->n_entries; i++)
		for (size_t k = 0; k < h->n_vals; k++) {
			uint64_t v = h->entries[i].vals[k].num;

			totals[k] += v;
			most[k] = v > most[k] ? v : most[k];
		}
	for (size_t i = 0; i < h->n_keys; i++)
		buckets[i] = tb->spec.fields[tb->spec.n_vals + i].buckets;
	h->totals = totals;
	h->most = most;
	h->buckets = buckets;
}

static void hist_finish(struct hist_reading *tb, struct hist_table *h)
{
	struct hist_entry *entries = ARENA_ARRAY(tb->t->scratch, struct hist_entry, tb->rows.n + 1);

	if (tb->rows.n)
		qsort(tb->rows.p, tb->rows.n, sizeof(*tb->rows.p), cmp_rows);
	for (size_t i = 0; i < tb->rows.n; i++) {
		read_parts(tb, &tb->rows.p[i], h);
		entries[i] = tb->rows.p[i].entry;
	}
	h->entries = entries;
	h->n_entries = tb->rows.n;
	h->n_keys = tb->spec.n_keys;
	h->no_hitcount = tb->spec.no_hitcount;
	sums_of(tb, h);
}

bool hist_read(struct target *t, uint64_t data, struct hist_table *ret,
	       void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	static const char type[] = "struct tracing_map";
	struct hist_reading *tb = ARENA_NEW(t->scratch, struct hist_reading);
	const struct type *field;
	uint64_t array, n;
	struct slots slots;
	bool ok;

	*tb = (struct hist_reading){ .t = t, .note = note, .arg = arg };
	if (!hist_spec_read(t, data, &tb->spec, err) ||
	    !type_find(t, "struct tracing_map_field", &field, err) ||
	    !field_offset(t, "struct tracing_map_field", "sum", &tb->sum, err) ||
	    !field_u64(t, type, tb->spec.map, "map", &array, err) ||
	    !field_u64(t, type, tb->spec.map, "map_size", &n, err) ||
	    !field_u64(t, type, tb->spec.map, "hits.counter", &ret->hits, err) ||
	    !field_u64(t, type, tb->spec.map, "drops.counter", &ret->drops, err) ||
	    !slots_read(t, array, &slots, err))
		return false;
	if (n > SLOTS_MAX || !tb->spec.key_size || tb->spec.key_size > KEY_MAX - 8)
		return err_set_addr(err, ERR_CORRUPT, tb->spec.map,
				    "a table of %" PRIu64 " slots, with keys of %" PRIu64 " bytes",
				    n, tb->spec.key_size);
	tb->field_size = field->size;
	ok = read_slots(tb, &slots, n, err);
	if (ok)
		hist_finish(tb, ret);
	vec_release(&tb->rows);
	return ok;
}

/* ---- all of an instance */

struct hists {
	struct target *t;
	const struct trace_array *tr;
	bool (*fn)(const struct hist_table *h, void *arg);
	void (*note)(const struct err *e, void *arg);
	void *arg;
	const char *system, *event;
	unsigned n;
	bool stop;
};

static const char *pointed(struct target *t, const char *type, uint64_t addr, const char *member)
{
	const char *s;
	uint64_t at;
	struct err ignored;

	return field_u64(t, type, addr, member, &at, &ignored) && at &&
			       mem_str(t, at, TEXT_MAX, t->scratch, &s, &ignored)
		       ? s
		       : NULL;
}

static void hists_tell(const struct hists *hs, struct err *e, const char *what)
{
	if (!hs->note)
		return;
	err_wrap(e, "%s of %s:%s", what, hs->system, hs->event);
	hs->note(e, hs->arg);
}

static bool trigger(struct hists *hs, uint64_t addr, struct err *err)
{
	static const char type[] = "struct event_trigger_data";
	struct target *t = hs->t;
	uint64_t cmd, at, data, paused;
	struct hist_table h = { 0 };
	const char *name, *filter;
	struct hist_spec *spec;

	if (!field_u64(t, type, addr, "cmd_ops", &cmd, err) ||
	    !field_u64(t, "struct event_command", cmd, "name", &at, err) ||
	    !mem_str(t, at, TEXT_MAX, t->scratch, &name, err))
		return err_wrap(err, "which trigger it is");
	if (strcmp(name, "hist"))
		return true;
	if (!field_u64(t, type, addr, "private_data", &data, err) ||
	    !field_u64(t, type, addr, "paused", &paused, err) ||
	    !hist_read(t, data, &h, hs->note, hs->arg, err))
		return false;
	spec = ARENA_NEW(t->scratch, struct hist_spec);
	if (!hist_spec_read(t, data, spec, err))
		return false;
	h.instance = hs->tr->name;
	h.system = hs->system;
	h.event = hs->event;
	h.paused = paused;
	h.name = pointed(t, type, addr, "name");
	filter = pointed(t, type, addr, "filter_str");
	h.trigger = hist_spec_text(t, spec, h.name);
	if (filter)
		h.trigger = arena_printf(t->scratch, "%s if %s", h.trigger, filter);
	hs->stop = !hs->fn(&h, hs->arg);
	return true;
}

static bool trigger_add(uint64_t addr, void *arg)
{
	struct hists *hs = arg;
	struct err err = { 0 };

	if (!trigger(hs, addr, &err))
		hists_tell(hs, &err, "a table");
	return !hs->stop && ++hs->n < TABLES_MAX;
}

static bool file_add(uint64_t file, void *arg)
{
	static const char type[] = "struct trace_event_file";
	struct hists *hs = arg;
	uint64_t head, first, call, off;
	struct err err, ignored;
	bool known;

	known = field_offset(hs->t, type, "triggers", &head, &err) &&
		mem_ptr(hs->t, file + head, &first, &err);
	if (known && (!first || first == file + head))
		return true;
	hs->n = 0;
	if (!field_u64(hs->t, type, file, "event_call", &call, &ignored) ||
	    !trace_call_name(hs->t, call, &hs->system, &hs->event, &ignored))
		hs->system = hs->event = "?";
	if (!known || !field_offset(hs->t, "struct event_trigger_data", "list", &off, &err) ||
	    !list_each(hs->t, file + head, off, "triggers", trigger_add, hs, &err))
		hists_tell(hs, &err, "triggers");
	return !hs->stop;
}

bool hists_each(struct target *t, const struct trace_array *tr,
		bool (*fn)(const struct hist_table *h, void *arg),
		void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct hists hs = { .t = t, .tr = tr, .fn = fn, .note = note, .arg = arg };
	uint64_t events, off;

	return field_offset(t, "struct trace_array", "events", &events, err) &&
	       field_offset(t, "struct trace_event_file", "list", &off, err) &&
	       list_each_back(t, tr->addr + events, off, "events of an instance", file_add, &hs,
			      err);
}
