/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kmemleak found nobody to point to. */
#include "core/linux/container/list.h"
#include "core/linux/memory/origin.h"
#include "core/linux/misc/irq.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

/* mm/kmemleak.c: OBJECT_ALLOCATED, OBJECT_REPORTED, KMEMLEAK_BLACK */
#define OBJECT_ALLOCATED 1u
#define OBJECT_REPORTED 2u
#define COUNT_BLACK (-1)
#define TRACE_MAX 16u

enum {
	LEAK_FLAGS,
	LEAK_POINTER,
	LEAK_SIZE,
	LEAK_MIN,
	LEAK_COUNT,
	LEAK_JIFFIES,
	LEAK_PID,
	LEAK_COMM,
	LEAK_HANDLE,
	LEAK_TRACE,
	LEAK_TRACE_LEN,
	LEAK_FIELDS
};
static const struct shape_field leak_fields[LEAK_FIELDS] = {
	[LEAK_FLAGS] = FIELD("flags"),
	[LEAK_POINTER] = FIELD("pointer"),
	[LEAK_SIZE] = FIELD("size"),
	[LEAK_MIN] = FIELD("min_count"),
	[LEAK_COUNT] = FIELD("count"),
	[LEAK_JIFFIES] = FIELD("jiffies"),
	[LEAK_PID] = FIELD("pid"),
	[LEAK_COMM] = FIELD("comm"),
	/* 56a61617dd22 (v6.2), before it the stack itself */
	[LEAK_HANDLE] = FIELD_MAYBE("trace_handle"),
	[LEAK_TRACE] = FIELD_MAYBE("trace"),
	[LEAK_TRACE_LEN] = FIELD_MAYBE("trace_len"),
};
static const struct shape leak_shape = SHAPE("struct kmemleak_object", leak_fields);

struct leak_walk {
	struct target *t;
	bool (*fn)(const struct leaked *l, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	uint64_t min_age, last_scan; /* jiffies */
};

static void leak_trace(struct target *t, const struct shaped *s, struct origin *o)
{
	uint64_t at, n, *to;

	if (!shaped_u64(s, LEAK_TRACE_LEN, &n, &o->why) ||
	    !shaped_addr(s, LEAK_TRACE, &at, &o->why))
		return;
	if (n > TRACE_MAX) {
		err_set_addr(&o->why, ERR_CORRUPT, s->addr, "a stack of %u frames", (unsigned)n);
		return;
	}
	o->frames = to = ARENA_ARRAY(t->scratch, uint64_t, n + 1);
	for (; o->n < n; o->n++)
		if (!mem_ptr(t, at + o->n * t->arch->word, &to[o->n], &o->why))
			return;
}

static void leak_origin(struct target *t, const struct shaped *s, uint64_t jiffies,
			struct origin *o)
{
	uint64_t pid, handle;
	struct err ignored;

	origin_init(o);
	if (shaped_u64(s, LEAK_PID, &pid, &ignored))
		o->pid = (int32_t)pid;
	if (!shaped_str(s, LEAK_COMM, t->scratch, &o->comm, &ignored))
		o->comm = NULL;
	if (!jiffies_since(t, jiffies, &o->age, &ignored))
		o->age = ORIGIN_UNKNOWN;
	if (!shaped_has(s, LEAK_HANDLE))
		leak_trace(t, s, o);
	else if (shaped_u64(s, LEAK_HANDLE, &handle, &o->why))
		origin_stack(t, (uint32_t)handle, o);
}

/* Counters of jiffies are words, and wrap. */
static bool is_old(const struct leak_walk *w, uint64_t jiffies)
{
	uint64_t left = w->last_scan - (jiffies + w->min_age);

	return w->t->arch->word == 4 ? (int32_t)left >= 0 : (int64_t)left >= 0;
}

/* Does the kernel's file list it: is it allocated, was it found once, are fewer pointers to it than
 * there should be, and was it old enough at the last scan? */
static bool leak_one(uint64_t addr, void *arg)
{
	struct leak_walk *w = arg;
	struct leaked l = { .addr = addr };
	uint64_t flags, jiffies;
	struct shaped s;
	struct err err;

	if (!shape_read(w->t, &leak_shape, addr, &s, &err) ||
	    !shaped_u64(&s, LEAK_FLAGS, &flags, &err) ||
	    !shaped_u64(&s, LEAK_POINTER, &l.object, &err) ||
	    !shaped_u64(&s, LEAK_SIZE, &l.size, &err) ||
	    !shaped_s64(&s, LEAK_MIN, &l.min_count, &err) ||
	    !shaped_s64(&s, LEAK_COUNT, &l.count, &err) ||
	    !shaped_u64(&s, LEAK_JIFFIES, &jiffies, &err)) {
		err_wrap(&err, "kmemleak object 0x%llx", (unsigned long long)addr);
		if (w->flaw)
			w->flaw(&err, w->arg);
		return true;
	}
	if (!(flags & OBJECT_ALLOCATED) || !(flags & OBJECT_REPORTED) || l.count == COUNT_BLACK ||
	    l.count >= l.min_count || !is_old(w, jiffies))
		return true;
	leak_origin(w->t, &s, jiffies, &l.alloc);
	return w->fn(&l, w->arg);
}

bool leaks_each(struct target *t, bool (*fn)(const struct leaked *l, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct leak_walk w = { .t = t, .fn = fn, .flaw = flaw, .arg = arg };
	uint64_t at, head, link;

	if (!subsystem_symbol(t, "jiffies_last_scan", "kmemleak", &at, err) ||
	    !mem_ptr(t, at, &w.last_scan, err) ||
	    !subsystem_symbol(t, "jiffies_min_age", "kmemleak", &at, err) ||
	    !mem_ptr(t, at, &w.min_age, err) ||
	    !subsystem_symbol(t, "object_list", "kmemleak", &head, err) ||
	    !field_offset(t, "struct kmemleak_object", "object_list", &link, err))
		return false;
	return list_each(t, head, link, "kmemleak's objects", leak_one, &w, err);
}
