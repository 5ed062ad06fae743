/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a hist trigger was told: keys, values, variables, order, actions. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/base/guard.h"
#include "core/linux/trace/hist.h"

#define TEXT_MAX 512u
#define ACTIONS_MAX 8u
#define SAVED_MAX 64u
#define OPERANDS_DEPTH 2u /* as deep as the kernel looks for a name */

/* enum handler_id and action_id of trace_events_hist.c */
enum {
	ON_MATCH = 1,
	ON_MAX,
	ON_CHANGE
};
enum {
	DO_SAVE = 1,
	DO_TRACE
};

static const char type[] = "struct hist_trigger_data";
static const char field_type[] = "struct hist_field";
static const char action_type[] = "struct action_data";
static const char event_type[] = "struct ftrace_event_field";

static const char *text_at(struct target *t, uint64_t addr)
{
	const char *s;
	struct err ignored;

	return addr && mem_str(t, addr, TEXT_MAX, t->scratch, &s, &ignored) ? s : NULL;
}

static const char *text_of(struct target *t, const char *in, uint64_t addr, const char *member)
{
	uint64_t at;
	struct err ignored;

	return field_u64(t, in, addr, member, &at, &ignored) ? text_at(t, at) : NULL;
}

static uint64_t number_of(struct target *t, const char *in, uint64_t addr, const char *member)
{
	uint64_t n;
	struct err ignored;

	return field_u64(t, in, addr, member, &n, &ignored) ? n : 0;
}

/* The name of a field of an event; "?" where it cannot be read, for every kernel has it. */
static const char *source_name(struct target *t, uint64_t source)
{
	const char *name = text_at(t, field_u64_or(t, event_type, source, "name", 0));

	return name ? name : "?";
}

/* The i-th pointer of an array member. */
static uint64_t pointer_of(struct target *t, const char *in, uint64_t addr, const char *member,
			   size_t i)
{
	uint64_t off, ret;
	struct err ignored;

	return field_offset(t, in, member, &off, &ignored) &&
			       mem_ptr(t, addr + off + i * t->arch->word, &ret, &ignored)
		       ? ret
		       : 0;
}

/* What every event has though its format lists it not: where a stack is among that (v6.3), tables
 * call their own by another name. */
static bool generic_find(uint64_t addr, void *arg)
{
	struct target *t = *(struct target **)arg;
	const char *name = text_of(t, "struct ftrace_event_field", addr, "name");

	if (!name || strcmp(name, "stacktrace"))
		return true;
	*(struct target **)arg = NULL;
	return false;
}

static const char *stack_name(struct target *t)
{
	struct target *left = t;
	uint64_t head, off;
	struct err ignored;

	if (symbol_addr(t, "ftrace_generic_fields", &head) &&
	    field_offset(t, "struct ftrace_event_field", "link", &off, &ignored) &&
	    !list_each(t, head, off, "generic fields", generic_find, &left, &ignored))
		return "stacktrace";
	return left ? "stacktrace" : "common_stacktrace";
}

static const char *full_name(struct target *t, uint64_t addr, uint64_t flags, bool *qualified)
{
	const char *system = text_of(t, field_type, addr, "system");
	const char *event = text_of(t, field_type, addr, "event_name");
	const char *name = text_of(t, field_type, addr, "name");

	*qualified = system;
	if (!system)
		return name;
	return arena_printf(t->scratch, flags & HIST_FL_VAR_REF ? "%s.%s.$%s" : "%s.%s.%s", system,
			    event ? event : "?", name ? name : "?");
}

static const char *name_of(struct target *t, uint64_t addr, unsigned depth, bool *qualified)
{
	uint64_t flags = number_of(t, field_type, addr, "flags");
	uint64_t source = addr ? field_u64_or(t, field_type, addr, "field", 0) : 0;

	if (!addr || depth > OPERANDS_DEPTH)
		return "";
	if (source)
		return source_name(t, source);
	if (flags & (HIST_FL_LOG2 | HIST_FL_ALIAS | HIST_FL_BUCKET))
		return name_of(t, pointer_of(t, field_type, addr, "operands", 0), depth + 1,
			       qualified);
	if (flags & HIST_FL_CPU)
		return "common_cpu";
	if (flags & (HIST_FL_EXPR | HIST_FL_VAR_REF))
		return full_name(t, addr, flags, qualified);
	if (flags & HIST_FL_TIMESTAMP)
		return "common_timestamp";
	if (flags & HIST_FL_STACK)
		return stack_name(t);
	return flags & 1 ? "hitcount" : "";
}

static bool field_read(struct target *t, uint64_t addr, struct hist_field *f, struct err *err)
{
	uint64_t source;

	if (!field_u64(t, field_type, addr, "field", &source, err) ||
	    !field_u64(t, field_type, addr, "flags", &f->flags, err) ||
	    !field_u64(t, field_type, addr, "size", &f->size, err) ||
	    !field_u64(t, field_type, addr, "offset", &f->offset, err))
		return false;
	f->buckets = number_of(t, field_type, addr, "buckets");
	f->constant = number_of(t, field_type, addr, "constant");
	f->var = text_of(t, field_type, addr, "var.name");
	f->var_idx = number_of(t, field_type, addr, "var.idx");
	f->name = name_of(t, addr, 0, &f->qualified);
	if (!f->name)
		f->name = "";
	f->source = source ? source_name(t, source) : NULL;
	f->is_string = f->flags & HIST_FL_STRING;
	if (f->flags & HIST_FL_STACK)
		return true;
	if (!source || f->flags & HIST_FL_CPU) {
		f->width = f->size;
		f->is_signed = number_of(t, field_type, addr, "is_signed");
	} else {
		f->width = field_u64_or(t, event_type, source, "size", 0);
		f->is_signed = field_u64_or(t, event_type, source, "is_signed", 0);
	}
	return true;
}

static bool sort_read(struct target *t, struct hist_spec *s, struct err *err)
{
	const struct type *key;
	uint64_t off, n;
	size_t vars = 0;

	if (!field_offset(t, type, "sort_keys", &off, err) ||
	    !field_u64(t, type, s->addr, "n_sort_keys", &n, err) ||
	    !type_find(t, "struct tracing_map_sort_key", &key, err))
		return false;
	for (size_t i = 0; i < s->n_vals; i++)
		vars += !!(s->fields[i].flags & HIST_FL_VAR);
	for (; s->n_sort < n && s->n_sort < ARRAY_SIZE(s->sort); s->n_sort++) {
		struct hist_sort *sort = &s->sort[s->n_sort];
		uint64_t at = s->addr + off + s->n_sort * key->size, descending;

		if (!field_u64(t, "struct tracing_map_sort_key", at, "field_idx", &sort->idx,
			       err) ||
		    !field_u64(t, "struct tracing_map_sort_key", at, "descending", &descending,
			       err))
			return false;
		/* it counts fields without the variables, which are the last of the values */
		if (sort->idx >= s->n_vals - vars)
			sort->idx += vars;
		if (sort->idx >= s->n_vals + s->n_keys)
			return err_set_addr(err, ERR_CORRUPT, at,
					    "a table sorted by field %" PRIu64, sort->idx);
		sort->descending = descending;
	}
	return true;
}

bool hist_spec_read(struct target *t, uint64_t data, struct hist_spec *s, struct err *err)
{
	uint64_t vals, keys, attrs, off;
	struct err ignored;

	memset(s, 0, sizeof(*s));
	s->addr = data;
	if (!field_u64(t, type, data, "n_vals", &vals, err) ||
	    !field_u64(t, type, data, "n_keys", &keys, err) ||
	    !field_u64(t, type, data, "key_size", &s->key_size, err) ||
	    !field_u64(t, type, data, "map", &s->map, err) ||
	    !field_offset(t, type, "fields", &off, err))
		return false;
	if (vals > HIST_FIELDS_MAX || keys > HIST_FIELDS_MAX || vals + keys > HIST_FIELDS_MAX ||
	    !vals || !keys)
		return err_set_addr(err, ERR_CORRUPT, data,
				    "a table of %" PRIu64 " values and %" PRIu64 " keys", vals,
				    keys);
	s->n_vals = (size_t)vals;
	s->n_keys = (size_t)keys;
	for (size_t i = 0; i < vals + keys; i++)
		if (!field_read(t, pointer_of(t, type, data, "fields", i), &s->fields[i], err)) {
			err_wrap(err, "field %zu of a table", i);
			return false;
		}
	if (field_u64(t, type, data, "attrs", &attrs, &ignored) && attrs)
		s->no_hitcount = number_of(t, "struct hist_trigger_attrs", attrs, "no_hitcount");
	return sort_read(t, s, err);
}

/* ---- as text */

static const char *modifier(uint64_t flags)
{
	static const struct {
		uint64_t flag;
		const char *name;
	} names[] = {
		{ HIST_FL_HEX, "hex" },
		{ HIST_FL_SYM, "sym" },
		{ HIST_FL_SYM_OFFSET, "sym-offset" },
		{ HIST_FL_EXECNAME, "execname" },
		{ HIST_FL_SYSCALL, "syscall" },
		{ HIST_FL_LOG2, "log2" },
		{ HIST_FL_BUCKET, "buckets" },
		{ HIST_FL_USECS, "usecs" },
		{ HIST_FL_PERCENT, "percent" },
		{ HIST_FL_GRAPH, "graph" },
	};

	if (flags & (HIST_FL_VAR_REF | HIST_FL_EXPR | HIST_FL_STACK))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (flags & names[i].flag)
			return names[i].name;
	return NULL;
}

static void put_field(struct buf *b, const struct hist_field *f)
{
	const char *how = modifier(f->flags);

	if (f->var)
		buf_printf(b, "%s=", f->var);
	if (f->flags & HIST_FL_CPU)
		buf_str(b, "common_cpu");
	else if (f->flags & HIST_FL_CONST)
		buf_printf(b, "%" PRIu64, f->constant);
	else
		buf_printf(b, "%s%s",
			   f->flags & (HIST_FL_VAR_REF | HIST_FL_ALIAS) && !f->qualified ? "$" : "",
			   f->name);
	if (how)
		buf_printf(b, ".%s", how);
	if (f->buckets)
		buf_printf(b, "=%" PRIu64, f->buckets);
}

static void put_key(struct buf *b, const struct hist_field *f)
{
	if (!(f->flags & HIST_FL_STACK))
		put_field(b, f);
	else
		buf_printf(b, f->source ? "%s.stacktrace" : "%s", f->name);
}

static void put_vals(struct buf *b, const struct hist_spec *s)
{
	size_t n = 0;

	buf_str(b, ":vals=");
	for (size_t i = 0; i < s->n_vals; i++) {
		if (s->fields[i].flags & HIST_FL_VAR || (!i && s->no_hitcount))
			continue;
		if (n++)
			buf_char(b, ',');
		if (!i)
			buf_str(b, "hitcount");
		else
			put_field(b, &s->fields[i]);
	}
	n = 0;
	for (size_t i = 0; i < s->n_vals; i++)
		if (s->fields[i].flags & HIST_FL_VAR) {
			buf_char(b, n++ ? ',' : ':');
			put_field(b, &s->fields[i]);
		}
}

/* What is in the parentheses of an action. */
static void put_arguments(struct target *t, struct buf *b, const struct hist_spec *s, uint64_t a)
{
	uint64_t does = number_of(t, action_type, a, "action"), n;

	if (does == DO_SAVE) {
		n = number_of(t, type, s->addr, "n_save_vars");
		for (uint64_t i = 0; i < n && i < SAVED_MAX; i++) {
			uint64_t saved = pointer_of(t, type, s->addr, "save_vars", i), var;
			const char *name;

			var = number_of(t, "struct field_var", saved, "var");
			name = text_of(t, field_type, var, "var.name");
			buf_printf(b, "%s%s", i ? "," : "", name ? name : "?");
		}
	} else if (does == DO_TRACE) {
		bool keyword = number_of(t, action_type, a, "use_trace_keyword");

		if (keyword) {
			const char *name = text_of(t, action_type, a, "synth_event_name");

			buf_str(b, name ? name : "?");
		}
		n = number_of(t, action_type, a, "n_params");
		for (uint64_t i = 0; i < n && i < SAVED_MAX; i++) {
			const char *name = text_at(t, pointer_of(t, action_type, a, "params", i));

			buf_printf(b, "%s%s", i || keyword ? "," : "", name ? name : "?");
		}
	}
}

static void put_action(struct target *t, struct buf *b, const struct hist_spec *s, uint64_t a)
{
	uint64_t on = number_of(t, action_type, a, "handler");
	const char *name = text_of(t, action_type, a, "action_name");

	if (on == ON_MATCH) {
		const char *system = text_of(t, action_type, a, "match_data.event_system");
		const char *event = text_of(t, action_type, a, "match_data.event");

		buf_printf(b, ":onmatch(%s.%s)", system ? system : "?", event ? event : "?");
	} else if (on == ON_MAX || on == ON_CHANGE) {
		const char *var = text_of(t, action_type, a, "track_data.var_str");

		buf_printf(b, ":%s(%s)", on == ON_MAX ? "onmax" : "onchange", var ? var : "?");
	} else {
		return;
	}
	buf_printf(b, ".%s(", name ? name : "?");
	put_arguments(t, b, s, a);
	buf_char(b, ')');
}

const char *hist_spec_text(struct target *t, const struct hist_spec *s, const char *name)
{
	uint64_t attrs = number_of(t, type, s->addr, "attrs"), n;
	struct buf b = { 0 };
	const char *ret;

	buf_printf(&b, "hist:%s%skeys=", name ? name : "", name ? ":" : "");
	for (size_t i = 0; i < s->n_keys; i++) {
		if (i)
			buf_char(&b, ',');
		put_key(&b, &s->fields[s->n_vals + i]);
	}
	put_vals(&b, s);
	buf_str(&b, ":sort=");
	for (size_t i = 0; i < s->n_sort; i++) {
		if (i)
			buf_char(&b, ',');
		if (!s->sort[i].idx)
			buf_str(&b, "hitcount");
		else
			put_field(&b, &s->fields[s->sort[i].idx]);
		if (s->sort[i].descending)
			buf_str(&b, ".descending");
	}
	n = field_u64_or(t, "struct tracing_map", s->map, "map_bits", 0);
	buf_printf(&b, ":size=%" PRIu64, n < 32 ? (uint64_t)1 << n : 0);
	if (number_of(t, type, s->addr, "enable_timestamps")) {
		const char *clock = text_of(t, "struct hist_trigger_attrs", attrs, "clock");

		buf_printf(&b, ":clock=%s", clock ? clock : "?");
	}
	if (s->no_hitcount)
		buf_str(&b, ":nohitcount");
	n = number_of(t, type, s->addr, "n_actions");
	for (uint64_t i = 0; i < n && i < ACTIONS_MAX; i++)
		put_action(t, &b, s, pointer_of(t, type, s->addr, "actions", i));
	ret = arena_strdup(t->scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

/* ---- what is kept beside the sums */

static uint64_t variable(struct target *t, uint64_t vars, uint64_t field)
{
	uint64_t idx = number_of(t, field_type, field, "var.idx"), ret;
	struct err ignored;

	return idx < HIST_FIELDS_MAX && mem_u64(t, vars + 8 * idx, &ret, &ignored) ? ret : 0;
}

static void put_saved(struct target *t, struct buf *b, const struct hist_spec *s, uint64_t vars)
{
	uint64_t n = number_of(t, type, s->addr, "n_save_vars");

	for (uint64_t i = 0; i < n && i < SAVED_MAX; i++) {
		uint64_t saved = pointer_of(t, type, s->addr, "save_vars", i);
		uint64_t var = number_of(t, "struct field_var", saved, "var");
		uint64_t val = number_of(t, "struct field_var", saved, "val");
		uint64_t num = variable(t, vars, var);
		const char *name = text_of(t, field_type, var, "var.name"), *str;
		size_t start = b->n;

		if (number_of(t, field_type, val, "flags") & HIST_FL_STRING) {
			str = text_at(t, num);
			buf_printf(b, "  %s: %-32s", name ? name : "?", str ? str : "?");
		} else {
			buf_printf(b, "  %s: %10" PRIu64, name ? name : "?", num);
		}
		buf_one_line(b, start);
	}
}

const char *hist_saved_text(struct target *t, const struct hist_spec *s, uint64_t vars)
{
	uint64_t n = number_of(t, type, s->addr, "n_actions");
	struct buf b = { 0 };
	const char *ret = "";

	for (uint64_t i = 0; i < n && i < ACTIONS_MAX; i++) {
		uint64_t a = pointer_of(t, type, s->addr, "actions", i);
		uint64_t on = number_of(t, action_type, a, "handler");
		uint64_t does = number_of(t, action_type, a, "action");

		if ((on != ON_MAX && on != ON_CHANGE) || (does != DO_SAVE && does != DO_TRACE))
			continue;
		buf_printf(&b, "\n\t%s: %10" PRIu64, on == ON_MAX ? "max" : "changed",
			   variable(t, vars, number_of(t, action_type, a, "track_data.track_var")));
		put_saved(t, &b, s, vars);
	}
	if (b.n)
		ret = arena_strdup(t->scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}
