/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of CTF events, flattened and put one behind the other as an ftrace event's. */
#include "readers/ctf/ctfshape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 8u /* common_type, _flags, _preempt_count, _pid */

/* LTTng's kernel tracer calls some things otherwise (lttng-modules, include/instrumentation). */
static const struct {
	const char *prefix, *system, *becomes; /* becomes: in the prefix's place */
} lttng_events[] = {
	{ "syscall_entry_", "syscalls", "sys_enter_" },
	{ "syscall_exit_", "syscalls", "sys_exit_" },
	{ "sched_", "sched", "sched_" },
	{ "irq_softirq_", "irq", "softirq_" },
	{ "irq_handler_", "irq", "irq_handler_" },
	{ "timer_hrtimer_", "timer", "hrtimer_" },
	{ "timer_", "timer", "timer_" },
	{ "block_", "block", "block_" },
	{ "kmem_mm_page_", "kmem", "mm_page_" },
	{ "kmem_", "kmem", "" },
	{ "lttng_statedump_", "lttng", "lttng_statedump_" },
};
/* A thread's number, which the kernel's events call a pid. */
static const struct {
	const char *lttng, *kernel;
} lttng_fields[] = {
	{ "tid", "pid" },
	{ "prev_tid", "prev_pid" },
	{ "next_tid", "next_pid" },
	{ "parent_tid", "parent_pid" },
	{ "child_tid", "child_pid" },
};

void shape_begin(struct ctf_shapes *s, const char *name)
{
	struct ctf_event *e = &s->ev;
	const char *colon = strchr(name, ':');

	buf_reset(&e->fixed);
	buf_pad(&e->fixed, 0, HEAD);
	buf_reset(&e->tail);
	e->fields.n = e->places.n = e->chain.n = 0;
	arena_reset(&e->a);
	e->cpu = e->pid = e->tgid = -1;
	e->flags = e->preempt = 0;
	e->is_tracepoint = false;
	e->comm = NULL;
	e->system = "";
	e->name = name;
	if (colon && colon[1]) {
		e->system = arena_strndup(&e->a, name, (size_t)(colon - name));
		e->name = colon + 1;
		return;
	}
	for (size_t i = 0; s->lttng && i < ARRAY_SIZE(lttng_events); i++) {
		size_t n = strlen(lttng_events[i].prefix);

		if (strncmp(name, lttng_events[i].prefix, n) != 0)
			continue;
		e->system = lttng_events[i].system;
		e->name = arena_printf(&e->a, "%s%s", lttng_events[i].becomes, name + n);
		return;
	}
}

/* ---- fields */

static struct ctf_field *add_field(struct ctf_shapes *s, const char *name, uint32_t size,
				   uint32_t align)
{
	struct ctf_event *e = &s->ev;
	struct ctf_field *f;

	if (e->fields.n >= SHAPE_FIELDS_MAX || e->fixed.n + e->tail.n > SHAPE_BYTES_MAX)
		return NULL;
	buf_pad(&e->fixed, 0, (align - e->fixed.n % align) % align);
	f = vec_push(&e->fields);
	f->name = name;
	f->size = size;
	f->align = align;
	return f;
}

static void add_number(struct ctf_shapes *s, const char *name, uint64_t v, uint32_t size, bool sign)
{
	struct ctf_field *f = add_field(s, name, size, size);

	if (!f)
		return;
	f->is_signed = sign;
	buf_add(&s->ev.fixed, &v, size); /* the machine's order: see ctfwire.h */
}

/* Bytes behind the fields, and the word that leads there. */
static void add_tail(struct ctf_shapes *s, const char *name, const void *p, size_t n,
		     uint32_t element)
{
	struct ctf_event *e = &s->ev;
	struct ctf_field *f;
	uint32_t word;

	if (e->fixed.n + e->tail.n + n > SHAPE_BYTES_MAX)
		return;
	f = add_field(s, name, 4, 4);
	if (!f)
		return;
	f->is_string = !element;
	f->is_array = true;
	f->element = element;
	*vec_push(&e->places) = (uint32_t)e->fixed.n;
	word = (uint32_t)(n << 16 | e->tail.n); /* counts from the tail until that has a place */
	buf_add(&e->fixed, &word, 4);
	buf_add(&e->tail, p, n);
}

static void add_string(struct ctf_shapes *s, const char *name, const char *text)
{
	size_t n = strnlen(text, SHAPE_STRING_MAX), name_n = strlen(name);
	bool comm = name_n >= 4 && !strcmp(name + name_n - 4, "comm") && n < SHAPE_COMM;
	struct ctf_field *f = comm ? add_field(s, name, SHAPE_COMM, 1) : NULL;
	char *kept = arena_strndup(&s->ev.a, text, n);

	if (f) {
		f->is_string = true;
		buf_add(&s->ev.fixed, kept, n);
		buf_pad(&s->ev.fixed, 0, SHAPE_COMM - n);
		return;
	}
	add_tail(s, name, kept, n + 1, 0);
}

static uint32_t size_of(const struct babeltrace *bt, const bt_field *f)
{
	uint64_t bits = bt->class_range(bt->class_of(f));

	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

/* An integer's value, for all kinds of integers. */
static bool number_of(const struct babeltrace *bt, const bt_field *f, uint64_t *ret, bool *sign)
{
	bt_field_class_type type = bt->field_type(f);

	*sign = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	if (*sign)
		*ret = (uint64_t)bt->signed_value(f);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*ret = bt->unsigned_value(f);
	else if (type == BT_FIELD_CLASS_TYPE_BOOL)
		*ret = bt->bool_value(f) ? 1 : 0;
	else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		*ret = bt->bit_array(f);
	else
		return false;
	return true;
}

/* What a number says of the task or the place, by a name that the tracers give it; then it is no
 * field of the event. */
static bool takes_context(struct ctf_shapes *s, const char *name, uint64_t v,
			  enum shape_scope scope)
{
	struct ctf_event *e = &s->ev;
	int32_t n = v <= INT32_MAX ? (int32_t)v : -1;

	if (scope == SCOPE_PACKET) {
		if (!strcmp(name, "cpu_id"))
			e->cpu = n < 65536 ? n : -1;
		return true; /* the others say of the packet how long it is */
	}
	if (scope == SCOPE_CONTEXT && (!strcmp(name, "vtid") || !strcmp(name, "tid")))
		e->pid = n;
	else if (scope == SCOPE_CONTEXT && (!strcmp(name, "vpid") || !strcmp(name, "pid")))
		e->tgid = n;
	else if (scope == SCOPE_CONTEXT && !strcmp(name, "cpu_id"))
		e->cpu = n < 65536 ? n : -1;
	else if (!strcmp(name, "perf_tid"))
		e->pid = n;
	else if (!strcmp(name, "perf_pid"))
		e->tgid = n;
	else if (!strcmp(name, "common_pid"))
		e->pid = e->pid >= 0 ? e->pid : n;
	else if (!strcmp(name, "common_flags"))
		e->flags = (uint8_t)v;
	else if (!strcmp(name, "common_preempt_count"))
		e->preempt = (uint8_t)v;
	else if (!strcmp(name, "common_type"))
		e->is_tracepoint = true;
	else
		return !strcmp(name, "perf_callchain_size") || !strcmp(name, "perf_id");
	return true;
}

static const char *kernel_name(const struct ctf_shapes *s, const char *name)
{
	for (size_t i = 0; s->lttng && i < ARRAY_SIZE(lttng_fields); i++)
		if (!strcmp(name, lttng_fields[i].lttng))
			return lttng_fields[i].kernel;
	return name;
}

static const char *join_names(struct ctf_shapes *s, const char *prefix, const char *name)
{
	return *prefix ? arena_printf(&s->ev.a, "%.200s_%.200s", prefix, name) : name;
}

static void take_field(struct ctf_shapes *s, const char *name, const bt_field *f,
		       enum shape_scope scope, unsigned depth);

/* Numbers become one field; what else is in an array, a field for each element. */
static void take_array(struct ctf_shapes *s, const char *name, const bt_field *f,
		       enum shape_scope scope, unsigned depth)
{
	const struct babeltrace *bt = s->bt;
	uint64_t n = bt->length(f), v;
	struct buf bytes = { 0 };
	uint32_t size = 1;
	bool sign, chain = !strcmp(name, "perf_callchain");

	n = n < SHAPE_ELEMENTS_MAX ? n : SHAPE_ELEMENTS_MAX;
	for (uint64_t i = 0; i < n; i++) {
		const bt_field *at = bt->element(f, i);

		if (!number_of(bt, at, &v, &sign)) {
			take_field(s, arena_printf(&s->ev.a, "%.200s_%" PRIu64, name, i), at, scope,
				   depth + 1);
			continue;
		}
		size = bt_field_class_type_is(bt->field_type(at), BT_FIELD_CLASS_TYPE_INTEGER)
			       ? size_of(bt, at)
			       : 8;
		if (chain)
			*vec_push(&s->ev.chain) = v;
		else
			buf_add(&bytes, &v, size);
	}
	if (!chain && (bytes.n || !n))
		add_tail(s, name, buf_text(&bytes), bytes.n, size);
	buf_release(&bytes);
}

static void take_structure(struct ctf_shapes *s, const char *prefix, const bt_field *f,
			   enum shape_scope scope, unsigned depth)
{
	const struct babeltrace *bt = s->bt;
	const bt_field_class *class = bt->class_of(f);
	uint64_t n = bt->member_count(class);

	for (uint64_t i = 0; i < n; i++) {
		const char *name = bt->member_name(bt->member_at(class, i));

		take_field(s, join_names(s, prefix, name ? name : "field"), bt->member_field(f, i),
			   scope, depth + 1);
	}
}

static void take_field(struct ctf_shapes *s, const char *name, const bt_field *f,
		       enum shape_scope scope, unsigned depth)
{
	const struct babeltrace *bt = s->bt;
	bt_field_class_type type;
	uint64_t v;
	bool sign;

	if (!f || depth > SHAPE_DEPTH_MAX)
		return;
	type = bt->field_type(f);
	if (number_of(bt, f, &v, &sign)) {
		bool whole = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER);

		if (!takes_context(s, name, v, scope))
			add_number(s, kernel_name(s, name), v, whole ? size_of(bt, f) : 8, sign);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		if (scope == SCOPE_CONTEXT && !strcmp(name, "procname"))
			s->ev.comm = arena_strdup(&s->ev.a, bt->string_value(f));
		else
			add_string(s, name, bt->string_value(f));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_REAL)) {
		double d = type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL
				   ? (double)bt->float_value(f)
				   : bt->double_value(f);

		add_string(s, name, arena_printf(&s->ev.a, "%.17g", d));
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		take_structure(s, depth ? name : "", f, scope, depth);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		take_array(s, name, f, scope, depth);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		take_field(s, name, bt->option(f), scope, depth + 1);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		take_field(s, name, bt->variant(f), scope, depth + 1);
	}
}

void shape_take(struct ctf_shapes *s, const bt_field *field, enum shape_scope scope)
{
	if (field)
		take_field(s, "", field, scope, 0);
}

/* ---- shapes */

/* perf's own words of a sample, which a tracepoint says itself. */
static void drop_sample_fields(struct ctf_event *e)
{
	static const char *const names[] = { "perf_ip", "perf_period" };

	for (size_t i = 0; e->is_tracepoint && i < e->fields.n; i++) {
		struct ctf_field *f = &e->fields.p[i];

		for (size_t k = 0; f->name && k < ARRAY_SIZE(names); k++)
			f->name = strcmp(f->name, names[k]) ? f->name : NULL;
	} /* their bytes stay, unnamed */
}

static uint64_t hash_text(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * UINT64_C(0x100000001b3);
	return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of(const struct ctf_event *e)
{
	uint64_t h = hash_text(hash_text(UINT64_C(0xcbf29ce484222325), e->system), e->name);

	for (size_t i = 0; i < e->fields.n; i++) {
		const struct ctf_field *f = &e->fields.p[i];

		h = hash_text(h, f->name ? f->name : "");
		h = (h ^ f->size ^ (uint64_t)f->align << 48 ^ (uint64_t)f->is_signed << 8 ^
		     (uint64_t)f->is_array << 9 ^ (uint64_t)f->element << 16) *
		    UINT64_C(0x100000001b3);
	}
	return h;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_shape(const struct ctf_shape *s, const struct ctf_event *e)
{
	if (s->n != e->fields.n || strcmp(s->name, e->name) != 0 ||
	    strcmp(s->system, e->system) != 0)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		const struct ctf_field *a = &s->fields[i], *b = &e->fields.p[i];

		if (!same_name(a->name, b->name) || a->size != b->size || a->align != b->align ||
		    a->is_string != b->is_string || a->is_signed != b->is_signed ||
		    a->is_array != b->is_array || a->element != b->element)
			return false;
	}
	return true;
}

static struct ctf_shape *keep_shape(struct ctf_shapes *s)
{
	struct ctf_event *e = &s->ev;
	struct ctf_shape *new = ARENA_NEW(&s->a, struct ctf_shape);

	new->system = arena_strdup(&s->a, e->system);
	new->name = arena_strdup(&s->a, e->name);
	new->id = (uint16_t)++s->n;
	new->n = e->fields.n;
	new->fields = ARENA_ARRAY(&s->a, struct ctf_field, new->n + 1);
	for (size_t i = 0; i < new->n; i++) {
		new->fields[i] = e->fields.p[i];
		if (new->fields[i].name)
			new->fields[i].name = arena_strdup(&s->a, e->fields.p[i].name);
	}
	return new;
}

bool shape_end(struct ctf_shapes *s, const struct ctf_shape **ret, bool *isnew)
{
	struct ctf_event *e = &s->ev;
	uint64_t *slot;
	struct ctf_shape *at;
	uint16_t id;

	drop_sample_fields(e);
	slot = map_put(&s->by_hash, hash_of(e), NULL);
	at = (struct ctf_shape *)(uintptr_t)*slot;
	while (at && !is_shape(at, e))
		at = at->next;
	*isnew = !at;
	if (!at) {
		if (s->n >= SHAPES_MAX)
			return false;
		at = keep_shape(s);
		at->next = (struct ctf_shape *)(uintptr_t)*slot;
		*slot = (uintptr_t)at;
	}
	id = at->id;
	for (size_t i = 0; i < e->places.n; i++) {
		uint32_t word;

		memcpy(&word, e->fixed.s + e->places.p[i], 4);
		word += (uint32_t)e->fixed.n;
		memcpy(e->fixed.s + e->places.p[i], &word, 4);
	}
	buf_add(&e->fixed, buf_text(&e->tail), e->tail.n);
	memcpy(e->fixed.s, &id, 2);
	e->fixed.s[2] = (char)e->flags;
	e->fixed.s[3] = (char)e->preempt;
	memcpy(e->fixed.s + 4, &e->pid, 4);
	*ret = at;
	return true;
}

/* A name that a format's grammar takes: a word. */
static void word_text(struct buf *b, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_";

	for (size_t i = 0; name[i] && i < 200; i++)
		buf_char(b, strchr(letters, name[i]) ? name[i] : '_');
}

static void field_text(struct buf *b, const struct ctf_field *f, size_t offset)
{
	if (f->is_string)
		buf_str(b, f->is_array ? "\tfield:__data_loc char[] " : "\tfield:char ");
	else if (f->is_array)
		buf_printf(b, "\tfield:__data_loc u%u[] ", 8 * f->element);
	else
		buf_printf(b, "\tfield:%c%u ", f->is_signed ? 's' : 'u', 8 * f->size);
	word_text(b, f->name);
	if (f->is_string && !f->is_array)
		buf_printf(b, "[%u]", f->size);
	buf_printf(b, ";\toffset:%zu;\tsize:%u;\tsigned:%d;\n", offset, f->size, f->is_signed);
}

void shape_text(struct buf *b, const struct ctf_shape *shape)
{
	size_t at = HEAD, start;

	buf_str(b, "name: ");
	start = b->n;
	buf_str(b, shape->name);
	buf_one_line(b, start);
	buf_printf(b, "\nID: %u\nformat:\n", shape->id);
	buf_str(b, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		   "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	for (size_t i = 0; i < shape->n; i++) {
		const struct ctf_field *f = &shape->fields[i];

		at = (at + f->align - 1) / f->align * f->align;
		if (f->name)
			field_text(b, f, at);
		at += f->size;
	}
}
