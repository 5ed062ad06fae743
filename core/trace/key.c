/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What events are told apart and measured by. */
#include "core/trace/key.h"

#include <inttypes.h>
#include <string.h>

#include "core/trace/funcall.h"
#include "core/trace/print/print.h"

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Of the function tracers: "function", "funcgraph_entry", "func_repeats". */
static bool is_function(const struct trace_event *ev)
{
	return ev->system && !strcmp(ev->system, "ftrace") && !strncmp(ev->name, "func", 4);
}

/* How a field's number is best read: by its type, and by names that mean code. */
static enum trace_how how_of(const struct trace_event *ev, const struct trace_field *f)
{
	static const char *const entries[] = { "ip", "func" };
	static const char *const code[] = { "call_site", "ip",     "parent_ip", "func",
					    "function",  "caller", "callsite",  "location" };

	if (f->is_text_address)
		return TRACE_TEXT;
	if (is_function(ev) && is_one_of(f->name, entries, 2))
		return TRACE_ENTRY;
	if (is_one_of(f->name, code, sizeof(code) / sizeof(*code)) && f->size >= 4)
		return TRACE_SYMBOL;
	if (strchr(f->type, '*') || strstr(f->name, "addr") || strstr(f->name, "ptr"))
		return TRACE_HEX;
	return TRACE_DECIMAL;
}

static bool of_field(const struct trace_event *ev, const char *name, struct arena *a,
		     struct trace_value *ret)
{
	const struct trace_field *f = trace_field_find(ev->format, name);
	struct funcall call;

	*ret = (struct trace_value){ 0 };
	if (f && f->is_string)
		return trace_field_str(ev, f, a, &ret->str);
	if (f) {
		ret->is_signed = f->is_signed;
		ret->how = how_of(ev, f);
		return trace_field_u64(ev, f, &ret->num);
	}
	if (!strcmp(name, "duration") && trace_kind(ev) == TRACE_KIND_GRAPH_EXIT &&
	    funcall_of(ev, &call)) {
		ret->num = call.duration;
		return call.has_duration;
	}
	ret->is_signed = true; /* for text may say so, and never says otherwise */
	return ev->text && trace_datum(ev, name, a, &ret->num, &ret->str);
}

bool trace_value_of(const struct trace_event *ev, const char *name, struct arena *a,
		    struct trace_value *ret)
{
	const struct recording *rec = ev->buffer->recording;
	bool context = !strncmp(name, "common_", 7);

	if (of_field(ev, name, a, ret))
		return true;
	*ret = (struct trace_value){ 0 };
	if (context)
		name += 7;
	if (!strcmp(name, "cpu")) {
		ret->num = (uint64_t)ev->cpu;
		return ev->cpu >= 0;
	}
	if (!strcmp(name, "pid")) {
		ret->num = (uint64_t)ev->pid;
		return ev->pid >= 0;
	}
	if (!strcmp(name, "comm"))
		ret->str = trace_comm(ev);
	else if (!strcmp(name, "task"))
		ret->str = arena_printf(a, "%s-%d", trace_comm(ev), ev->pid);
	else if (!strcmp(name, "event"))
		ret->str = ev->name;
	else if (!strcmp(name, "system"))
		ret->str = ev->system;
	else if (!strcmp(name, "tgid") && rec->ops->tgid) {
		int32_t tgid = rec->ops->tgid(rec, ev->pid);

		ret->num = (uint64_t)tgid;
		return tgid >= 0;
	}
	return ret->str != NULL;
}

bool trace_value_is_context(const char *name)
{
	static const char *const names[] = {
		"cpu", "pid", "comm", "task", "event", "system", "tgid"
	};

	if (!strncmp(name, "common_", 7))
		name += 7;
	return is_one_of(name, names, sizeof(names) / sizeof(*names));
}

void trace_value_text(struct buf *b, const struct recording *rec, const struct trace_value *v)
{
	const char *text =
		v->how == TRACE_TEXT && rec->ops->string ? rec->ops->string(rec, v->num) : NULL;
	bool code = v->how == TRACE_SYMBOL || v->how == TRACE_ENTRY;
	struct trace_symbol sym;

	if (v->str || text)
		buf_str(b, text ? text : v->str);
	else if (code && rec->ops->symbol && rec->ops->symbol(rec, v->num, &sym))
		buf_printf(b, sym.offset && v->how == TRACE_SYMBOL ? "%s+0x%" PRIx64 : "%s",
			   sym.name, sym.offset);
	else if (v->how != TRACE_DECIMAL)
		buf_printf(b, "0x%" PRIx64, v->num);
	else if (v->is_signed)
		buf_printf(b, "%" PRId64, (int64_t)v->num);
	else
		buf_printf(b, "%" PRIu64, v->num);
}
