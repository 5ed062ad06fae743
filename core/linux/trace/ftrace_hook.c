/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is called by traced functions, and which functions call. */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/types/value.h"
#include "core/linux/trace/kprobe.h"
#include "core/types/expr.h"

#define HOOKS_MAX 10000u
#define PAGES_MAX 1000000u
#define RECORDS_MAX 65536u  /* of one struct ftrace_page */
#define SITES_MAX 16000000u /* of all */

static const char type[] = "struct ftrace_ops";

/* An enumeration's constant; `other` where the kernel has none of that name. */
static uint64_t constant(struct target *t, const char *name, uint64_t other)
{
	struct value v;
	uint64_t n;
	struct err ignored;

	return expr_enumerator(t, name, &v, &ignored) && value_u64(t, v, &n, &ignored) ? n : other;
}

static uint64_t hash_count(struct target *t, uint64_t hash)
{
	return hash ? field_u64_or(t, "struct ftrace_hash", hash, "count", 0) : 0;
}

static void read_owner(struct target *t, struct ftrace_hook *h)
{
	const struct trace_array *arrays;
	uint64_t private, off;
	struct symbol sym;
	struct err ignored;
	size_t n;

	if (symbol_at(t, h->func, &sym, &off, &ignored) &&
	    (!strcmp(sym.name, "fprobe_handler") || !strcmp(sym.name, "fprobe_kprobe_handler") ||
	     !strcmp(sym.name, "fprobe_ftrace_entry"))) {
		h->owner = "fprobe";
		/* in v7.2 all fprobes have one ftrace_ops between them, and each counts for itself
		 */
		h->is_fprobe = field_offset(t, "struct fprobe", "ops", &off, &ignored) &&
			       field_u64(t, "struct fprobe", h->addr - off, "nmissed", &h->missed,
					 &ignored);
		return;
	}
	if (!field_u64(t, type, h->addr, "private", &private, &ignored) || !private ||
	    !trace_arrays(t, &arrays, &n, &ignored))
		return;
	for (size_t i = 0; i < n; i++)
		if (arrays[i].addr == private)
			h->owner = arrays[i].name
					   ? arena_printf(&t->arena, "instance %s", arrays[i].name)
					   : "top instance";
}

static bool read_hook(struct target *t, uint64_t addr, struct ftrace_hook *h, struct err *err)
{
	uint64_t hash, filter, notrace;
	struct err ignored;

	*h = (struct ftrace_hook){ .addr = addr };
	if (!field_u64(t, type, addr, "func", &h->func, err) ||
	    !field_u64(t, type, addr, "flags", &h->flags, err))
		return false;
	/* an instance with pids of its own is called by way of another function */
	if (field_u64(t, type, addr, "saved_func", &hash, &ignored) && hash)
		h->func = hash;
	if (!field_u64(t, type, addr, "trampoline", &h->trampoline, &ignored))
		h->trampoline = 0;
	if (field_u64(t, type, addr, "func_hash", &hash, &ignored) && hash) {
		filter = field_u64_or(t, "struct ftrace_ops_hash", hash, "filter_hash", 0);
		h->n_filter = hash_count(t, filter);
		notrace = field_u64_or(t, "struct ftrace_ops_hash", hash, "notrace_hash", 0);
		h->n_notrace = hash_count(t, notrace);
	}
	read_owner(t, h);
	return true;
}

/* A kernel without the function tracer has no such type either. */
static bool lacks_tracer(struct target *t, const char *name)
{
	const struct type *found;
	struct err ignored;

	return !type_find(t, name, &found, &ignored) || !found->size;
}

bool ftrace_hooks_each(struct target *t, bool (*fn)(const struct ftrace_hook *h, void *arg),
		       void *arg, struct err *err)
{
	struct guard g;
	uint64_t at, end = 0;

	if (!symbol_addr(t, "ftrace_ops_list", &at))
		return lacks_tracer(t, type) ||
		       err_set(err, ERR_NOSYM, "no symbol 'ftrace_ops_list'");
	(void)!symbol_addr(t, "ftrace_list_end", &end);
	guard_init(&g, "ftrace_ops_list", HOOKS_MAX);
	if (!mem_ptr(t, at, &at, err))
		return false;
	while (at && at != end) {
		struct ftrace_hook h;

		if (!guard_step(&g, at, err))
			return false;
		if (!read_hook(t, at, &h, err))
			return err_wrap(err, "ftrace_ops 0x%" PRIx64, at);
		if (!fn(&h, arg))
			return true;
		if (!field_u64(t, type, h.addr, "next", &at, err))
			return err_wrap(err, "ftrace_ops 0x%" PRIx64, h.addr);
	}
	return true;
}

/* ---- functions that call */

struct bits {
	uint64_t enabled, regs, ip_modify, direct, call_ops, modified, count;
};

/* The flags are the highest bits, the count is below the lowest of them, and each kernel has its
 * own; those that it has not are 0. */
static struct bits bits_of(struct target *t)
{
	static const char *const names[] = {
		"FTRACE_FL_ENABLED",  "FTRACE_FL_REGS",        "FTRACE_FL_REGS_EN",
		"FTRACE_FL_TRAMP",    "FTRACE_FL_TRAMP_EN",    "FTRACE_FL_IPMODIFY",
		"FTRACE_FL_DISABLED", "FTRACE_FL_DIRECT",      "FTRACE_FL_DIRECT_EN",
		"FTRACE_FL_CALL_OPS", "FTRACE_FL_CALL_OPS_EN", "FTRACE_FL_TOUCHED",
		"FTRACE_FL_MODIFIED",
	};
	struct bits b = {
		.enabled = constant(t, "FTRACE_FL_ENABLED", 1u << 31) & UINT32_MAX,
		.regs = constant(t, "FTRACE_FL_REGS", 0),
		.ip_modify = constant(t, "FTRACE_FL_IPMODIFY", 0),
		.direct = constant(t, "FTRACE_FL_DIRECT", 0),
		.call_ops = constant(t, "FTRACE_FL_CALL_OPS", 0),
		.modified = constant(t, "FTRACE_FL_MODIFIED", 0),
	};
	uint64_t lowest = b.enabled;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t bit = constant(t, names[i], 0) & UINT32_MAX;

		lowest = bit && bit < lowest ? bit : lowest;
	}
	b.count = lowest - 1;
	return b;
}

static bool page_each(struct target *t, uint64_t records, uint64_t n, const struct bits *b,
		      bool (*fn)(const struct ftrace_site *s, void *arg), void *arg, bool *stop,
		      struct err *err)
{
	const struct type *rec;
	uint64_t ip_off, flags_off;

	if (!type_find(t, "struct dyn_ftrace", &rec, err) ||
	    !field_offset(t, "struct dyn_ftrace", "ip", &ip_off, err) ||
	    !field_offset(t, "struct dyn_ftrace", "flags", &flags_off, err))
		return false;
	if (n > RECORDS_MAX || rec->size > 256)
		return err_set_addr(err, ERR_CORRUPT, records,
				    "a page of %" PRIu64 " traced functions", n);
	for (uint64_t i = 0; i < n && !*stop; i++) {
		struct ftrace_site site = { 0 };
		uint64_t at = records + i * rec->size, flags;

		if (!mem_ptr(t, at + flags_off, &flags, err))
			return false;
		flags &= UINT32_MAX;
		if (!(flags & b->enabled))
			continue;
		if (!mem_ptr(t, at + ip_off, &site.ip, err))
			return false;
		site.callers = flags & b->count;
		site.regs = flags & b->regs;
		site.ip_modify = flags & b->ip_modify;
		site.direct = flags & b->direct;
		site.call_ops = flags & b->call_ops;
		site.modified = flags & b->modified;
		*stop = !fn(&site, arg);
	}
	return true;
}

bool ftrace_sites_each(struct target *t, bool (*fn)(const struct ftrace_site *s, void *arg),
		       void *arg, struct err *err)
{
	static const char page[] = "struct ftrace_page";
	uint64_t at, page_at, records, n, all = 0;
	struct guard g;
	struct bits b;
	bool stop = false;

	if (!symbol_addr(t, "ftrace_pages_start", &at))
		return lacks_tracer(t, page) ||
		       err_set(err, ERR_NOSYM, "no symbol 'ftrace_pages_start'");
	b = bits_of(t);
	guard_init(&g, "ftrace_pages", PAGES_MAX);
	if (!mem_ptr(t, at, &at, err))
		return false;
	while (at && !stop) {
		page_at = at;
		if (!guard_step(&g, at, err))
			return false;
		if (!field_u64(t, page, at, "records", &records, err) ||
		    !field_u64(t, page, at, "index", &n, err) ||
		    !page_each(t, records, n, &b, fn, arg, &stop, err) ||
		    !field_u64(t, page, at, "next", &at, err))
			return err_wrap(err, "ftrace_page 0x%" PRIx64, page_at);
		all += n;
		if (all > SITES_MAX)
			return err_set_addr(err, ERR_LIMIT, page_at,
					    "ftrace_pages stopped after %u functions, the limit",
					    SITES_MAX);
	}
	return true;
}
