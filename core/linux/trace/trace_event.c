/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of events, built from the kernel's own lists when an event of the type is met. */
#include <string.h>

#include "core/base/number.h"
#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/trace/trace.h"
#include "core/linux/trace/trace_call.h"
#include "core/trace/format.h"

/* include/linux/trace_events.h, kernel/trace/trace.h */
enum {
	FIELD_LINK,
	FIELD_NAME,
	FIELD_TYPE,
	FIELD_OFFSET,
	FIELD_SIZE,
	FIELD_SIGNED,
	FIELD_LEN,
	FIELD_FIELDS
};
static const struct shape_field field_fields[FIELD_FIELDS] = {
	[FIELD_LINK] = FIELD("link"),     [FIELD_NAME] = FIELD("name"),
	[FIELD_TYPE] = FIELD("type"),     [FIELD_OFFSET] = FIELD("offset"),
	[FIELD_SIZE] = FIELD("size"),     [FIELD_SIGNED] = FIELD("is_signed"),
	[FIELD_LEN] = FIELD_MAYBE("len"), /* b6c7abd1c28a (v6.3) */
};
static const struct shape field_shape = SHAPE("struct ftrace_event_field", field_fields);

struct known_event {
	uint64_t call;
	bool tried;
	const struct trace_format *format;
};

struct trace_known {
	struct known_event *events; /* by common_type, last + 1 of them */
	uint32_t n;
	const struct trace_field *common;
	size_t n_common;
};

/* ---- fields */

/* "[16]" and nothing else; 0: it is something else, "[SOME_NAME]" or "[2][8]". */
static uint32_t plain_length(const char *brackets)
{
	const char *p = brackets + 1;
	uint64_t n;

	if (!number_take(&p, NULL, 10, &n) || n > UINT32_MAX)
		return 0;
	return p[0] == ']' && !p[1] ? (uint32_t)n : 0;
}

/* The type as the kernel keeps it, "char[16]", taken apart as its format files show it. len: what
 * its member of that name says; NULL: this kernel has none, and shows the brackets as they are. */
static void field_kind(struct arena *a, const char *type, const uint64_t *len,
		       struct trace_field *f)
{
	const char *open = strchr(type, '[');

	f->is_dynamic = !strncmp(type, "__data_loc", 10);
	f->is_relative = !strncmp(type, "__rel_loc", 9);
	f->is_array = open != NULL;
	f->is_string =
		open && !strchr(type, '*') && (strstr(type, "char") || strstr(type, "string"));
	f->is_common = !strncmp(f->name, "common_", 7);
	f->type = type;
	if (!open || f->is_dynamic)
		return;
	f->count = len ? (uint32_t)*len : plain_length(open);
	if (!len && !f->count)
		return;
	/* of an array of unknown length only the brackets are left */
	f->type = arena_printf(a, "%.*s%s", (int)(open - type), type,
			       f->is_relative && !f->count ? "[]" : "");
}

struct fields {
	struct target *t;
	VEC(struct trace_field) v;
	struct err err;
	bool ok;
};

static bool field_read(struct target *t, uint64_t addr, struct trace_field *f, struct err *err)
{
	uint64_t name, type, offset, size, len;
	const char *s;
	struct shaped sh;

	if (!shape_read(t, &field_shape, addr, &sh, err) ||
	    !shaped_u64(&sh, FIELD_NAME, &name, err) || !shaped_u64(&sh, FIELD_TYPE, &type, err) ||
	    !shaped_u64(&sh, FIELD_OFFSET, &offset, err) ||
	    !shaped_u64(&sh, FIELD_SIZE, &size, err) ||
	    !trace_string(t, name, TRACE_NAME_MAX, &f->name, err) ||
	    !trace_string(t, type, TRACE_NAME_MAX, &s, err))
		return false;
	f->offset = (uint32_t)offset;
	f->size = (uint32_t)size;
	f->is_signed = shaped_u64_or(&sh, FIELD_SIGNED, 0) != 0;
	len = shaped_u64_or(&sh, FIELD_LEN, 0);
	field_kind(&t->arena, s, shaped_has(&sh, FIELD_LEN) ? &len : NULL, f);
	return true;
}

static bool field_add(uint64_t addr, void *arg)
{
	struct fields *fs = arg;
	struct trace_field f = { 0 };

	if (fs->v.n >= TRACE_FIELDS_MAX)
		return fs->ok = err_set(&fs->err, ERR_LIMIT, "more than %u fields",
					TRACE_FIELDS_MAX);
	fs->ok = field_read(fs->t, addr, &f, &fs->err);
	if (fs->ok)
		*vec_push(&fs->v) = f;
	return fs->ok;
}

/* Appends the fields of a list; each was put in at its front. */
static bool fields_of(struct fields *fs, uint64_t head, struct err *err)
{
	uint64_t off;

	if (!shape_offset(fs->t, &field_shape, FIELD_LINK, &off, err))
		return false;
	fs->ok = true;
	if (!list_each_back(fs->t, head, off, "event fields", field_add, fs, err))
		return false;
	if (!fs->ok)
		*err = fs->err;
	return fs->ok;
}

static const struct trace_field *fields_keep(struct fields *fs, size_t *n)
{
	struct trace_field *kept = ARENA_ARRAY(&fs->t->arena, struct trace_field, fs->v.n + 1);

	if (fs->v.n)
		memcpy(kept, fs->v.p, fs->v.n * sizeof(*kept));
	*n = fs->v.n;
	return kept;
}

/* Where an event's fields hang: the class's own list, or where its function would find them. */
static bool fields_head(struct target *t, const struct shaped *call, const struct shaped *class,
			uint64_t *ret, struct err *err)
{
	uint64_t get = shaped_u64_or(class, CLASS_GET_FIELDS, 0), off, data;
	struct symbol sym;

	if (!get)
		return shaped_addr(class, CLASS_LIST, ret, err);
	if (!symbol_at(t, get, &sym, &off, err))
		return false;
	if (!strcmp(sym.name, "syscall_get_enter_fields")) {
		if (!shaped_u64(call, CALL_DATA, &data, err) ||
		    !field_offset(t, "struct syscall_metadata", "enter_fields", &off, err))
			return false;
		*ret = data + off;
		return true;
	}
	if (!strcmp(sym.name, "user_event_get_fields")) {
		if (!field_offset(t, "struct user_event", "call", &off, err))
			return false;
		data = call->addr - off;
		if (!field_offset(t, "struct user_event", "fields", &off, err))
			return false;
		*ret = data + off;
		return true;
	}
	return err_set(err, ERR_UNSUPPORTED, "its fields are known to %s() only", sym.name);
}

/* ---- events */

struct event_list {
	struct target *t;
	VEC(struct known_event) v;
};

static bool event_add(uint64_t addr, void *arg)
{
	struct event_list *es = arg;
	uint64_t type;
	struct err err;

	if (!field_u64(es->t, "struct trace_event_call", addr, "event.type", &type, &err)) {
		target_warn(es->t, err.code, "the number of an event: %s", err.msg);
		return true;
	}
	if (type > UINT16_MAX)
		return true;
	while (es->v.n <= type)
		vec_push(&es->v);
	if (type && !es->v.p[type].call)
		es->v.p[type].call = addr;
	return true;
}

/* Which event has which number; nothing else is read. */
static struct trace_known *known(struct target *t)
{
	struct trace_state *st = trace_state(t);
	struct event_list es = { .t = t };
	struct fields fs = { .t = t };
	struct symbol sym;
	uint64_t off, head;
	struct err err;

	if (st->known)
		return st->known;
	st->known = ARENA_NEW(&t->arena, struct trace_known);
	if (!symbol_find(t, "ftrace_events", &sym, &err) ||
	    !field_offset(t, "struct trace_event_call", "list", &off, &err) ||
	    !list_each(t, sym.addr, off, "events", event_add, &es, &err)) {
		if (err.code == ERR_INTR) {
			st->known = NULL;
			vec_release(&es.v);
			return ARENA_NEW(&t->arena, struct trace_known);
		}
		target_warn(t, err.code, "not all formats of events: %s", err.msg);
	}
	st->known->events = ARENA_ARRAY(&t->arena, struct known_event, es.v.n + 1);
	if (es.v.n)
		memcpy(st->known->events, es.v.p, es.v.n * sizeof(*es.v.p));
	st->known->n = (uint32_t)es.v.n;
	vec_release(&es.v);
	if (!symbol_addr(t, "ftrace_common_fields", &head) || !fields_of(&fs, head, &err))
		target_warn(t, ERR_NEED, "events' common fields are not known");
	st->known->common = fields_keep(&fs, &st->known->n_common);
	vec_release(&fs.v);
	return st->known;
}

struct about {
	struct target *t;
	const char *system, *name, *ret;
};

/* "e:obit/e_wake sched.sched_waking pid=$pid": the second word. */
static bool about_of(const struct dynamic_event *e, void *arg)
{
	struct about *a = arg;
	const char *definition = e->definition;
	const char *s = definition + 2, *slash = strchr(definition, '/'), *target;
	size_t n;

	if (strcmp(e->kind, "eprobe") != 0 || !slash || (target = strchr(slash, ' ')) == NULL)
		return true;
	n = strlen(a->system);
	if ((size_t)(slash - s) != n || memcmp(s, a->system, n) != 0)
		return true;
	n = strlen(a->name);
	if ((size_t)(target - slash - 1) != n || memcmp(slash + 1, a->name, n) != 0)
		return true;
	target++;
	a->ret = arena_strndup(&a->t->arena, target, strcspn(target, " "));
	return false;
}

static bool build(struct target *t, struct trace_known *k, uint16_t id, struct trace_format *f,
		  struct err *err)
{
	struct fields fs = { .t = t };
	struct shaped call, class;
	uint64_t head, print_fmt;
	struct about about = { .t = t };
	struct err why;

	f->id = id;
	if (!shape_read(t, &call_shape, k->events[id].call, &call, err) ||
	    !trace_class_read(t, &call, &class, &f->system, err) ||
	    !trace_call_own_name(t, &call, &f->name, err))
		return false;
	about.system = f->system;
	about.name = f->name;
	for (size_t i = 0; i < k->n_common; i++)
		*vec_push(&fs.v) = k->common[i];
	if (!fields_head(t, &call, &class, &head, &why) || !fields_of(&fs, head, &why))
		target_warn(t, why.code, "event %s:%s: not all its fields are known: %s", f->system,
			    f->name, why.msg);
	else if (!shaped_u64(&call, CALL_PRINT_FMT, &print_fmt, &why) ||
		 (print_fmt && !trace_string(t, print_fmt, TRACE_FORMAT_MAX, &f->print_fmt, &why)))
		target_warn(t, why.code, "event %s:%s: its print fmt is not known: %s", f->system,
			    f->name, why.msg);
	trace_format_texts(fs.v.p, fs.v.n, f->system, f->print_fmt);
	f->fields = fields_keep(&fs, &f->n_fields);
	vec_release(&fs.v);
	/* NULL where the probes cannot be read: the event is printed all the same */
	if (trace_probes_each(t, false, about_of, NULL, &about, &why))
		f->about = about.ret;
	return true;
}

const struct trace_format *trace_event_format(const struct recording *rec, uint16_t id)
{
	struct trace_known *k = known(rec->t);
	struct trace_format *f;
	struct known_event *e;
	struct err err;

	if (id >= k->n || !k->events[id].call)
		return NULL;
	e = &k->events[id];
	if (e->tried)
		return e->format;
	e->tried = true;
	f = ARENA_NEW(&rec->t->arena, struct trace_format);
	if (build(rec->t, k, id, f, &err))
		e->format = f;
	else
		target_warn(rec->t, err.code, "event number %u: %s", id, err.msg);
	return e->format;
}

bool trace_event_each(const struct recording *rec,
		      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
		      struct err *err)
{
	struct trace_known *k = known(rec->t);

	for (uint32_t id = 0; id < k->n; id++) {
		const struct trace_format *f = trace_event_format(rec, (uint16_t)id);

		if (!interrupt_check(err))
			return false;
		if (f && !fn(f, arg))
			break;
	}
	return true;
}
