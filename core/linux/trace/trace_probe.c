/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic events: probes and synthetic ones, with the definitions they were made by. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/base/guard.h"
#include "core/linux/trace/trace.h"

#define ARGS_MAX 1024u /* MAX_TRACE_ARGS is 128 */
#define TEXT_MAX 4096u

/* kernel/trace/trace_dynevent.h: the list of struct dyn_event, whose operations tell the kind. */
struct probe {
	struct target *t;
	uint64_t addr; /* of the struct that has the dyn_event */
	struct buf b;
};

static bool put_str(struct probe *p, uint64_t at, struct err *err)
{
	const char *s;

	if (!at)
		return err_set(err, ERR_CORRUPT, "a name is NULL");
	if (!mem_str(p->t, at, TEXT_MAX, p->t->scratch, &s, err))
		return false;
	buf_str(&p->b, s);
	return true;
}

static bool put_field(struct probe *p, const char *type, uint64_t addr, const char *path,
		      struct err *err)
{
	uint64_t at;

	return field_u64(p->t, type, addr, path, &at, err) && put_str(p, at, err);
}

/* " name=expression" for each argument of a struct trace_probe. */
static bool put_args(struct probe *p, const char *type, struct err *err)
{
	const struct type *arg;
	uint64_t tp, n, args;

	if (!field_offset(p->t, type, "tp", &tp, err) ||
	    !field_u64(p->t, "struct trace_probe", p->addr + tp, "nr_args", &n, err) ||
	    !field_offset(p->t, "struct trace_probe", "args", &args, err) ||
	    !type_find(p->t, "struct probe_arg", &arg, err))
		return false;
	if (n > ARGS_MAX)
		return err_set(err, ERR_CORRUPT, "a probe of %" PRIu64 " arguments", n);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = p->addr + tp + args + i * arg->size;

		buf_char(&p->b, ' ');
		if (!put_field(p, "struct probe_arg", at, "name", err))
			return false;
		buf_char(&p->b, '=');
		if (!put_field(p, "struct probe_arg", at, "comm", err))
			return false;
	}
	return true;
}

/* "GROUP/NAME" of a struct trace_probe. */
static bool put_name(struct probe *p, const char *type, struct err *err)
{
	uint64_t tp, event, call;
	const char *system, *name;

	if (!field_offset(p->t, type, "tp", &tp, err) ||
	    !field_u64(p->t, "struct trace_probe", p->addr + tp, "event", &event, err) ||
	    !field_offset(p->t, "struct trace_probe_event", "call", &call, err) ||
	    !trace_call_name(p->t, event + call, &system, &name, err))
		return false;
	buf_printf(&p->b, ":%s/%s", system, name);
	return true;
}

bool trace_probe_hits(struct target *t, uint64_t counters, uint64_t *ret, struct err *err)
{
	uint64_t off, n;
	unsigned cpus;

	*ret = 0;
	if (!cpus_count(t, &cpus, err))
		return false;
	for (unsigned i = 0; i < cpus; i++) {
		if (!cpu_is_possible(t, i))
			continue;
		if (!percpu_offset(t, i, &off, err) ||
		    !mem_ptr(t, percpu_sum(t, counters, off), &n, err))
			return err_wrap(err, "hits of a probe on CPU %u", i);
		*ret += n;
	}
	return true;
}

static bool kprobe_hits(struct probe *p, uint64_t *ret, struct err *err)
{
	uint64_t counters;

	return field_u64(p->t, "struct trace_kprobe", p->addr, "nhit", &counters, err) &&
	       trace_probe_hits(p->t, counters, ret, err);
}

/* Since v6.12 each CPU counts by itself. */
static bool uprobe_hits(struct probe *p, uint64_t *ret, struct err *err)
{
	static const char type[] = "struct trace_uprobe";
	uint64_t counters;
	struct err why;

	return field_u64(p->t, type, p->addr, "nhit", ret, &why) ||
	       (field_u64(p->t, type, p->addr, "nhits", &counters, err) &&
		trace_probe_hits(p->t, counters, ret, err));
}

static bool show_kprobe(struct probe *p, struct err *err)
{
	static const char type[] = "struct trace_kprobe";
	uint64_t handler, symbol, offset, addr, max = 0;
	struct err ignored;

	if (!field_u64(p->t, type, p->addr, "rp.handler", &handler, err) ||
	    !field_u64(p->t, type, p->addr, "symbol", &symbol, err) ||
	    !field_u64(p->t, type, p->addr, "rp.kp.offset", &offset, err) ||
	    !field_u64(p->t, type, p->addr, "rp.kp.addr", &addr, err))
		return false;
	if (!field_u64(p->t, type, p->addr, "rp.maxactive", &max, &ignored))
		max = 0;
	buf_char(&p->b, handler ? 'r' : 'p');
	if (handler && max)
		buf_printf(&p->b, "%" PRIu64, max);
	if (!put_name(p, type, err))
		return false;
	buf_char(&p->b, ' ');
	if (!symbol)
		buf_printf(&p->b, "0x%016" PRIx64, addr);
	else if (!put_str(p, symbol, err))
		return false;
	if (symbol && offset)
		buf_printf(&p->b, "+%" PRIu64, offset);
	return put_args(p, type, err);
}

static bool show_uprobe(struct probe *p, struct err *err)
{
	static const char type[] = "struct trace_uprobe";
	uint64_t ret, offset, ref = 0;
	struct err ignored;

	if (!field_u64(p->t, type, p->addr, "consumer.ret_handler", &ret, err) ||
	    !field_u64(p->t, type, p->addr, "offset", &offset, err))
		return false;
	if (!field_u64(p->t, type, p->addr, "ref_ctr_offset", &ref, &ignored))
		ref = 0;
	buf_char(&p->b, ret ? 'r' : 'p');
	if (!put_name(p, type, err))
		return false;
	buf_char(&p->b, ' ');
	if (!put_field(p, type, p->addr, "filename", err))
		return false;
	buf_printf(&p->b, ":0x%0*" PRIx64, 2 * (int)p->t->arch->word, offset);
	if (ref)
		buf_printf(&p->b, "(0x%" PRIx64 ")", ref);
	return put_args(p, type, err);
}

static bool show_eprobe(struct probe *p, struct err *err)
{
	static const char type[] = "struct trace_eprobe";

	buf_char(&p->b, 'e');
	if (!put_name(p, type, err))
		return false;
	buf_char(&p->b, ' ');
	if (!put_field(p, type, p->addr, "event_system", err))
		return false;
	buf_char(&p->b, '.');
	return put_field(p, type, p->addr, "event_name", err) && put_args(p, type, err);
}

static bool show_fprobe(struct probe *p, struct err *err)
{
	static const char type[] = "struct trace_fprobe";
	uint64_t point, exit, max = 0;
	struct err ignored;

	/* in v7.2 what stands for the tracepoint may not be there yet, and a flag says it */
	if (!field_u64(p->t, type, p->addr, "tprobe|tpoint", &point, err) ||
	    !field_u64(p->t, type, p->addr, "fp.exit_handler", &exit, err))
		return false;
	if (!field_u64(p->t, type, p->addr, "fp.nr_maxactive", &max, &ignored))
		max = 0;
	buf_char(&p->b, point ? 't' : 'f');
	if (exit && max)
		buf_printf(&p->b, "%" PRIu64, max);
	if (!put_name(p, type, err))
		return false;
	buf_char(&p->b, ' ');
	if (!put_field(p, type, p->addr, "symbol", err))
		return false;
	if (exit)
		buf_str(&p->b, "%return");
	return put_args(p, type, err);
}

static bool show_synthetic(struct probe *p, struct err *err)
{
	static const char type[] = "struct synth_event";
	uint64_t n, fields, at, kind;
	const char *s;

	buf_str(&p->b, "s:");
	if (!put_field(p, type, p->addr, "class.system", err))
		return false;
	buf_char(&p->b, '/');
	if (!put_field(p, type, p->addr, "name", err) ||
	    !field_u64(p->t, type, p->addr, "n_fields", &n, err) ||
	    !field_u64(p->t, type, p->addr, "fields", &fields, err))
		return false;
	buf_char(&p->b, '\t');
	if (n > ARGS_MAX)
		return err_set(err, ERR_CORRUPT, "a synthetic event of %" PRIu64 " fields", n);
	for (uint64_t i = 0; i < n; i++) {
		if (!mem_ptr(p->t, fields + i * p->t->arch->word, &at, err) ||
		    !field_u64(p->t, "struct synth_field", at, "type", &kind, err) ||
		    !mem_str(p->t, kind, TEXT_MAX, p->t->scratch, &s, err))
			return false;
		/* that a field is dynamic belongs in the format, not the definition */
		buf_printf(&p->b, "%s%s ", i ? "; " : "",
			   strncmp(s, "__data_loc ", 11) ? s : s + 11);
		if (!put_field(p, "struct synth_field", at, "name", err))
			return false;
	}
	return true;
}

static const struct probe_kind {
	const char *ops, *kind, *type;
	bool (*show)(struct probe *p, struct err *err);
	bool (*hits)(struct probe *p, uint64_t *ret, struct err *err); /* NULL: it counts none */
} kinds[] = {
	{ "trace_kprobe_ops", "kprobe", "struct trace_kprobe", show_kprobe, kprobe_hits },
	{ "trace_uprobe_ops", "uprobe", "struct trace_uprobe", show_uprobe, uprobe_hits },
	{ "eprobe_dyn_event_ops", "eprobe", "struct trace_eprobe", show_eprobe, NULL },
	{ "trace_fprobe_ops", "fprobe", "struct trace_fprobe", show_fprobe, NULL },
	{ "synth_event_ops", "synthetic", "struct synth_event", show_synthetic, NULL },
};

struct probes {
	struct target *t;
	bool hits;
	bool (*fn)(const struct dynamic_event *e, void *arg);
	void (*note)(const struct err *e, void *arg);
	void *arg;
};

/* One struct dyn_event. False: enough. */
static bool one(struct probes *ps, uint64_t dyn, struct err *err, bool *more)
{
	const struct probe_kind *k = NULL;
	struct probe p = { .t = ps->t };
	uint64_t ops, off;
	struct symbol sym;
	bool ok;

	if (!field_u64(ps->t, "struct dyn_event", dyn, "ops", &ops, err) ||
	    !symbol_at(ps->t, ops, &sym, &off, err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].ops, sym.name))
			k = &kinds[i];
	if (!k) {
		*more = ps->fn(&(struct dynamic_event){ sym.name, "", false, 0 }, ps->arg);
		return true;
	}
	if (!field_offset(ps->t, k->type, "devent", &off, err))
		return false;
	p.addr = dyn - off;
	ok = k->show(&p, err);
	if (ok) {
		struct dynamic_event e = { k->kind, arena_strdup(&ps->t->arena, buf_text(&p.b)),
					   false, 0 };
		struct err why;

		e.has_hits = ps->hits && k->hits && k->hits(&p, &e.hits, &why);
		if (ps->hits && k->hits && !e.has_hits)
			target_lacks(ps->t, &why);
		*more = ps->fn(&e, ps->arg);
	}
	buf_release(&p.b);
	return ok;
}

static bool probe_add(uint64_t addr, void *arg)
{
	struct probes *ps = arg;
	bool more = true;
	struct err err;

	if (!one(ps, addr, &err, &more) && ps->note) {
		err_wrap(&err, "dynamic event at 0x%" PRIx64, addr);
		ps->note(&err, ps->arg);
	}
	return more;
}

bool trace_probes_each(struct target *t, bool hits,
		       bool (*fn)(const struct dynamic_event *e, void *arg),
		       void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct probes ps = { t, hits, fn, note, arg };
	const struct type *type;
	uint64_t head, off;
	struct err ignored;

	if (!symbol_addr(t, "dyn_event_list", &head)) /* is it a kernel without these? */
		return !type_find(t, "struct dyn_event", &type, &ignored) ||
		       err_set(err, ERR_NOSYM, "no symbol 'dyn_event_list'");
	return field_offset(t, "struct dyn_event", "list", &off, err) &&
	       list_each(t, head, off, "dynamic events", probe_add, &ps, err);
}
