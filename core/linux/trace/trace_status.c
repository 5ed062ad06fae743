/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instance was told: events enabled, filters, triggers, functions, pids. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/base/guard.h"
#include "core/linux/trace/hist.h"
#include "core/linux/trace/trace.h"
#include "core/linux/container/walk.h"

#define FUNCTIONS_MAX 200000u
#define PIDS_MAX 65536u
#define BUCKET_BITS_MAX 20u
#define TRIGGERS_MAX 64u
#define TEXT_MAX 4096u

/* struct trace_event_file.flags; the bits are those of every kernel since 3.13. */
#define FILE_ENABLED 1u
#define FILE_SOFT_DISABLED (1u << 6)

enum {
	FILE_LIST,
	FILE_CALL,
	FILE_FILTER,
	FILE_TRIGGERS,
	FILE_FLAGS,
	FILE_FIELDS
};
static const struct shape_field file_fields[FILE_FIELDS] = {
	[FILE_LIST] = FIELD("list"),     [FILE_CALL] = FIELD("event_call"),
	[FILE_FILTER] = FIELD("filter"), [FILE_TRIGGERS] = FIELD("triggers"),
	[FILE_FLAGS] = FIELD("flags"),
};
static const struct shape file_shape = SHAPE("struct trace_event_file", file_fields);

static const char *text_at(struct target *t, uint64_t addr)
{
	const char *s;
	struct err ignored;

	return addr && mem_str(t, addr, TEXT_MAX, t->scratch, &s, &ignored) ? s : NULL;
}

/* The first thing that could not be read; a walk goes on behind it, and ends with it. */
static void keep(struct err *first, const struct err *why)
{
	if (first->code == ERR_OK)
		*first = *why;
}

/* ---- triggers */

static const char trigger_type[] = "struct event_trigger_data";

struct triggers {
	struct target *t;
	struct err *first;
	VEC(const char *) v;
};

/* What "enable_event" and its like switch: struct enable_trigger_data { file, ... }. */
static void put_switched(struct target *t, struct buf *b, uint64_t data)
{
	uint64_t file, call;
	const char *system, *name;
	struct err ignored;

	if (field_u64(t, "struct enable_trigger_data", data, "file", &file, &ignored) &&
	    field_u64(t, "struct trace_event_file", file, "event_call", &call, &ignored) &&
	    trace_call_name(t, call, &system, &name, &ignored))
		buf_printf(b, ":%s:%s", system, name);
}

/* Of an eprobe the event that it makes: struct eprobe_data { file, ep }. */
static void put_made(struct target *t, struct buf *b, uint64_t data)
{
	uint64_t ep, made, call;
	const char *system, *name;
	struct err ignored;

	if (field_u64(t, "struct eprobe_data", data, "ep", &ep, &ignored) &&
	    field_u64(t, "struct trace_eprobe", ep, "tp.event", &made, &ignored) &&
	    field_offset(t, "struct trace_probe_event", "call", &call, &ignored) &&
	    trace_call_name(t, made + call, &system, &name, &ignored))
		buf_printf(b, ":%s:%s", system, name);
}

/* "hist:keys=...", as the trigger file has it. */
static void put_hist(struct target *t, struct buf *b, uint64_t addr, uint64_t data)
{
	struct hist_spec *spec = ARENA_NEW(t->scratch, struct hist_spec);
	uint64_t name;
	struct err why;

	if (!field_u64(t, trigger_type, addr, "name", &name, &why))
		name = 0;
	if (hist_spec_read(t, data, spec, &why))
		buf_str(b, hist_spec_text(t, spec, text_at(t, name)));
	else
		buf_printf(b, "hist (what it counts cannot be read: %s)", why.msg);
}

static bool trigger_add(uint64_t addr, void *arg)
{
	struct triggers *ts = arg;
	struct target *t = ts->t;
	uint64_t cmd, name, count, filter = 0, data = 0, paused;
	struct buf b = { 0 };
	struct err why, ignored;
	const char *s;
	bool hist;

	if (ts->v.n >= TRIGGERS_MAX)
		return false;
	if (!field_u64(t, trigger_type, addr, "cmd_ops", &cmd, &why) ||
	    !field_u64(t, "struct event_command", cmd, "name", &name, &why) ||
	    !field_u64(t, trigger_type, addr, "count", &count, &why) ||
	    !mem_str(t, name, TEXT_MAX, t->scratch, &s, &why)) {
		*vec_push(&ts->v) = "(cannot be read)";
		keep(ts->first, &why);
		return true;
	}
	if (!field_u64(t, trigger_type, addr, "filter_str", &filter, &ignored))
		filter = 0;
	if (!field_u64(t, trigger_type, addr, "private_data", &data, &ignored))
		data = 0;
	hist = !strcmp(s, "hist");
	if (hist)
		put_hist(t, &b, addr, data);
	else
		buf_str(&b, s);
	if (strstr(s, "able_"))
		put_switched(t, &b, data);
	/* what has no count of its own: a table of hits, and an event that is made of this one */
	if (!strcmp(s, "eprobe"))
		put_made(t, &b, data);
	else if (!hist && (int64_t)count == -1)
		buf_str(&b, ":unlimited");
	else if (!hist)
		buf_printf(&b, ":count=%" PRIu64, count);
	s = text_at(t, filter);
	if (s)
		buf_printf(&b, " if %s", s);
	if (hist && field_u64(t, trigger_type, addr, "paused", &paused, &ignored))
		buf_str(&b, paused ? " [paused]" : " [active]");
	*vec_push(&ts->v) = arena_strdup(t->scratch, buf_text(&b));
	buf_release(&b);
	return true;
}

static void triggers_of(struct target *t, uint64_t head, struct trace_enabled *e, struct err *first)
{
	struct triggers ts = { .t = t, .first = first };
	const char **kept;
	uint64_t off;
	struct err err;

	if (!field_offset(t, trigger_type, "list", &off, &err) ||
	    !list_each(t, head, off, "triggers", trigger_add, &ts, &err)) {
		*vec_push(&ts.v) = arena_printf(t->scratch, "(more cannot be read: %s)", err.msg);
		keep(first, &err);
	}
	kept = ARENA_ARRAY(t->scratch, const char *, ts.v.n + 1);
	if (ts.v.n)
		memcpy(kept, ts.v.p, ts.v.n * sizeof(*kept));
	e->triggers = kept;
	e->n_triggers = ts.v.n;
	vec_release(&ts.v);
}

/* ---- events */

struct enabled {
	struct target *t;
	bool (*fn)(const struct trace_enabled *e, void *arg);
	void *arg;
	struct err first;
};

/* The words of a filter that there is; NULL: there is none. */
static const char *filter_of(struct target *t, uint64_t filter, struct err *first)
{
	struct err why;
	uint64_t text;
	const char *s;

	if (!filter)
		return NULL;
	if (field_u64(t, "struct event_filter", filter, "filter_string", &text, &why) &&
	    (!text || mem_str(t, text, TEXT_MAX, t->scratch, &s, &why)))
		return text ? s : NULL;
	keep(first, &why);
	return "(cannot be read)";
}

static bool file_add(uint64_t addr, void *arg)
{
	struct enabled *en = arg;
	struct target *t = en->t;
	struct trace_enabled e = { 0 };
	uint64_t flags, first, head, call;
	struct err why;
	struct shaped s;

	if (!shape_read(t, &file_shape, addr, &s, &why)) {
		keep(&en->first, &why);
		return true;
	}
	flags = shaped_u64_or(&s, FILE_FLAGS, 0);
	e.enabled = flags & FILE_ENABLED;
	e.soft = e.enabled && flags & FILE_SOFT_DISABLED;
	e.filter = filter_of(t, shaped_u64_or(&s, FILE_FILTER, 0), &en->first);
	if (!shaped_addr(&s, FILE_TRIGGERS, &head, &why) || !mem_ptr(t, head, &first, &why))
		keep(&en->first, &why);
	else if (first && first != head)
		triggers_of(t, head, &e, &en->first);
	if (!e.enabled && !e.filter && !e.n_triggers)
		return true;
	if (!shaped_u64(&s, FILE_CALL, &call, &why) ||
	    !trace_call_name(t, call, &e.system, &e.name, &why)) {
		keep(&en->first, &why);
		e.system = e.name = "?";
	}
	return en->fn(&e, en->arg);
}

bool trace_enabled_each(struct target *t, const struct trace_array *tr,
			bool (*fn)(const struct trace_enabled *e, void *arg), void *arg,
			struct err *err)
{
	struct enabled en = { .t = t, .fn = fn, .arg = arg };
	uint64_t events, off;

	/* the kernel adds at the front and shows from the back */
	if (!field_offset(t, "struct trace_array", "events", &events, err) ||
	    !shape_offset(t, &file_shape, FILE_LIST, &off, err) ||
	    !list_each_back(t, tr->addr + events, off, "events of an instance", file_add, &en, err))
		return false;
	*err = en.first;
	return err->code == ERR_OK || err_wrap(err, "events of an instance");
}

/* ---- functions */

struct functions {
	struct target *t;
	uint64_t ip; /* offset in struct ftrace_func_entry */
	struct err first;
	VEC(uint64_t) v;
};

static bool function_add(uint64_t addr, void *arg)
{
	struct functions *fs = arg;
	struct err why;
	uint64_t ip;

	if (mem_ptr(fs->t, addr + fs->ip, &ip, &why))
		*vec_push(&fs->v) = ip;
	else
		keep(&fs->first, &why);
	return fs->v.n < FUNCTIONS_MAX;
}

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* struct ftrace_hash: buckets of struct ftrace_func_entry. */
static bool functions_walk(struct functions *fs, uint64_t hash, struct err *err)
{
	static const char type[] = "struct ftrace_hash";
	uint64_t bits, buckets, off;

	if (!field_u64(fs->t, type, hash, "size_bits", &bits, err) ||
	    !field_u64(fs->t, type, hash, "buckets", &buckets, err) ||
	    !field_offset(fs->t, "struct ftrace_func_entry", "hlist", &off, err) ||
	    !field_offset(fs->t, "struct ftrace_func_entry", "ip", &fs->ip, err))
		return false;
	if (bits > BUCKET_BITS_MAX)
		return err_set_addr(err, ERR_CORRUPT, hash, "a hash of 2^%" PRIu64 " buckets",
				    bits);
	for (uint64_t i = 0; i < 1ull << bits; i++) {
		struct err why;

		if (!interrupt_check(err))
			return false;
		if (!hlist_each(fs->t, buckets + i * fs->t->arch->word, off, "filtered functions",
				function_add, fs, &why))
			keep(&fs->first, &why);
	}
	*err = fs->first;
	return err->code == ERR_OK;
}

/* Where a filter's struct ftrace_hash is; 0: there is none. */
static bool hash_of(struct target *t, const struct trace_array *tr, const char *which,
		    uint64_t *ret, struct err *err)
{
	uint64_t at, ops, func;
	bool notrace = !strcmp(which, "notrace") || !strcmp(which, "graph_notrace");

	*ret = 0;
	if (!strncmp(which, "graph", 5))
		return tr->name ||
		       !symbol_addr(t, notrace ? "ftrace_graph_notrace_hash" : "ftrace_graph_hash",
				    &at) ||
		       mem_ptr(t, at, ret, err);
	if (!field_u64(t, "struct trace_array", tr->addr, "ops", &ops, err))
		return err->code == ERR_NOFIELD;
	if (!ops)
		return true;
	if (!field_u64(t, "struct ftrace_ops", ops, "func_hash", &func, err))
		return false;
	/* an instance has none until its function filters are first looked at */
	return !func || field_u64(t, "struct ftrace_ops_hash", func,
				  notrace ? "notrace_hash" : "filter_hash", ret, err);
}

bool trace_functions(struct target *t, const struct trace_array *tr, const char *which,
		     const char *const **ret, size_t *n, struct err *err)
{
	struct functions fs = { .t = t };
	const char **names;
	uint64_t hash;
	bool ok;

	*n = 0;
	if (!hash_of(t, tr, which, &hash, err))
		return false;
	ok = !hash || functions_walk(&fs, hash, err);
	if (fs.v.n) {
		qsort(fs.v.p, fs.v.n, sizeof(*fs.v.p), by_address);
		names = ARENA_ARRAY(t->scratch, const char *, fs.v.n);
		for (size_t i = 0; i < fs.v.n; i++) {
			struct symbol sym;
			struct err ignored;
			uint64_t off;

			/* the site is behind the function's first instruction on some machines */
			names[i] = symbol_at(t, fs.v.p[i], &sym, &off, &ignored)
					   ? sym.name
					   : arena_printf(t->scratch, "0x%" PRIx64, fs.v.p[i]);
		}
		*ret = names;
		*n = fs.v.n;
	}
	vec_release(&fs.v);
	return ok;
}

/* ---- pids */

struct pids {
	struct target *t;
	struct err first;
	VEC(int32_t) v;
};

static void bits_of(struct pids *ps, uint64_t word, uint64_t base)
{
	for (unsigned i = 0; i < 64 && ps->v.n < PIDS_MAX; i++)
		if (word >> i & 1)
			*vec_push(&ps->v) = (int32_t)(base + i);
}

/* Elements of an array member, and their offset. */
static bool array_of(struct target *t, const char *type, const char *path, uint64_t *off,
		     uint64_t *count, struct err *err)
{
	const struct type *in;
	struct member_ref ref;

	if (!type_find(t, type, &in, err) || !type_member(in, path, &ref, err))
		return false;
	*off = ref.offset;
	*count = type_strip(ref.type)->count;
	return true;
}

/* 6954e415264e (v5.16): three levels of arrays, the last one of bits. */
static bool pids_walk(struct pids *ps, uint64_t list, struct err *err)
{
	struct target *t = ps->t;
	uint64_t off, uppers, lowers, words, o2, o3, upper, lower, word;
	struct err why;

	if (!array_of(t, "struct trace_pid_list", "upper", &off, &uppers, err) ||
	    !array_of(t, "union upper_chunk", "data", &o2, &lowers, err) ||
	    !array_of(t, "union lower_chunk", "data", &o3, &words, err))
		return false;
	for (uint64_t i = 0; i < uppers; i++) {
		if (!mem_ptr(t, list + off + 8 * i, &upper, err))
			return false;
		for (uint64_t j = 0; upper && j < lowers; j++) {
			if (!mem_ptr(t, upper + o2 + 8 * j, &lower, err))
				return false;
			for (uint64_t k = 0; lower && k < words; k++)
				if (mem_u64(t, lower + o3 + 8 * k, &word, &why))
					bits_of(ps, word, ((i * lowers + j) * words + k) * 64);
				else
					keep(&ps->first, &why);
		}
	}
	*err = ps->first;
	return err->code == ERR_OK;
}

/* Before: a bitmap of pid_max bits. */
static bool pids_bitmap(struct pids *ps, uint64_t list, struct err *err)
{
	uint64_t max, bits, word;

	if (!field_u64(ps->t, "struct trace_pid_list", list, "pid_max", &max, err) ||
	    !field_u64(ps->t, "struct trace_pid_list", list, "pids", &bits, err))
		return false;
	for (uint64_t i = 0; i < max && i < 4u << 20; i += 64) {
		if (!mem_u64(ps->t, bits + i / 8, &word, err))
			return false;
		bits_of(ps, word, i);
	}
	return true;
}

bool trace_pids(struct target *t, const struct trace_array *tr, const char *member,
		const int32_t **ret, size_t *n, struct err *err)
{
	struct pids ps = { .t = t };
	uint64_t list, off;
	struct err ignored;
	int32_t *kept;
	bool ok;

	*n = 0;
	if (!field_u64(t, "struct trace_array", tr->addr, member, &list, err))
		return err->code == ERR_NOFIELD;
	if (!list)
		return true;
	ok = field_offset(t, "struct trace_pid_list", "upper", &off, &ignored)
		     ? pids_walk(&ps, list, err)
		     : pids_bitmap(&ps, list, err);
	kept = ARENA_ARRAY(t->scratch, int32_t, ps.v.n + 1);
	if (ps.v.n)
		memcpy(kept, ps.v.p, ps.v.n * sizeof(*kept));
	*ret = kept;
	*n = ps.v.n;
	vec_release(&ps.v);
	return ok;
}
