/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of events: what began and what ended it. */
#include "core/trace/pair.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS_MAX 1000000u
#define CPUS_MAX 65536u

/* Events and fields are those of include/trace/events/ (sched, irq, raw_syscalls, syscalls,
 * workqueue, block, kmem, timer). */
static const struct pair_spec specs[] = {
	{ .name = "wakeup",
	  .doc = "from being woken to running",
	  .begin = "sched_waking,sched_wakeup,sched_wakeup_new",
	  .end = "sched_switch",
	  .begin_keys = { "pid" },
	  .end_keys = { "next_pid" },
	  .keep_first = true },
	{ .name = "irq",
	  .doc = "handlers of hardware interrupts",
	  .begin = "irq_handler_entry",
	  .end = "irq_handler_exit",
	  .begin_keys = { "irq", "common_cpu" },
	  .end_keys = { "irq", "common_cpu" },
	  .per = "name" },
	{ .name = "softirq",
	  .doc = "handlers of softirqs",
	  .begin = "softirq_entry",
	  .end = "softirq_exit",
	  .begin_keys = { "vec", "common_cpu" },
	  .end_keys = { "vec", "common_cpu" },
	  .per = "vec" },
	{ .name = "softirq-raise",
	  .doc = "from a softirq being raised to its handler",
	  .begin = "softirq_raise",
	  .end = "softirq_entry",
	  .begin_keys = { "vec", "common_cpu" },
	  .end_keys = { "vec", "common_cpu" },
	  .per = "vec",
	  .keep_first = true },
	{ .name = "syscall",
	  .doc = "system calls, from entry to exit",
	  .begin = "sys_enter_*",
	  .end = "sys_exit_*",
	  .begin_keys = { "common_pid" },
	  .end_keys = { "common_pid" },
	  .per = "event",
	  .by_name = true },
	{ .name = "raw_syscall",
	  .doc = "the same from raw_syscalls, by number",
	  .begin = "sys_enter",
	  .end = "sys_exit",
	  .begin_keys = { "common_pid" },
	  .end_keys = { "common_pid" },
	  .per = "id" },
	{ .name = "workqueue",
	  .doc = "from work being queued to its start",
	  .begin = "workqueue_queue_work",
	  .end = "workqueue_execute_start",
	  .begin_keys = { "work" },
	  .end_keys = { "work" },
	  .per = "function" },
	{ .name = "work",
	  .doc = "work, from start to end",
	  .begin = "workqueue_execute_start",
	  .end = "workqueue_execute_end",
	  .begin_keys = { "work" },
	  .end_keys = { "work" },
	  .per = "function" },
	{ .name = "block",
	  .doc = "block requests, from issue to completion",
	  .begin = "block_rq_issue",
	  .end = "block_rq_complete",
	  .begin_keys = { "dev", "sector" },
	  .end_keys = { "dev", "sector" },
	  .per = "rwbs" },
	{ .name = "timer",
	  .doc = "handlers of timers",
	  .begin = "timer_expire_entry",
	  .end = "timer_expire_exit",
	  .begin_keys = { "timer" },
	  .end_keys = { "timer" },
	  .per = "function" },
	{ .name = "hrtimer",
	  .doc = "handlers of high-resolution timers",
	  .begin = "hrtimer_expire_entry",
	  .end = "hrtimer_expire_exit",
	  .begin_keys = { "hrtimer" },
	  .end_keys = { "hrtimer" },
	  .per = "function" },
	{ .name = "alloc",
	  .doc = "memory from kmalloc and slabs to its kfree; what was never freed",
	  .begin = "kmalloc,kmalloc_node,kmem_cache_alloc,kmem_cache_alloc_node",
	  .end = "kfree,kmem_cache_free",
	  .begin_keys = { "ptr" },
	  .end_keys = { "ptr" },
	  .per = "call_site",
	  .allocates = true,
	  .size = "bytes_alloc" },
};

const struct pair_spec *pair_specs(size_t *n)
{
	*n = ARRAY_SIZE(specs);
	return specs;
}

const struct pair_spec *pair_spec_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(specs); i++)
		if (!strcmp(specs[i].name, name))
			return &specs[i];
	return NULL;
}

void pairs_init(struct pairs *p, const struct pair_spec *spec, size_t n_worst, struct arena *a)
{
	*p = (struct pairs){ .spec = spec, .a = a, .n_worst = n_worst };
	p->all.buckets = ARENA_ARRAY(a, uint64_t, TALLY_BUCKETS);
	tally_init(&p->groups, a, 1, false);
}

void pairs_release(struct pairs *p)
{
	map_release(&p->index);
	strmap_release(&p->texts);
	tally_release(&p->groups);
	vec_release(&p->open);
	vec_release(&p->worst);
	vec_release(&p->fresh);
	arena_release(&p->scratch);
}

/* Does the event's name match one of "a,b*"? */
static bool is_of(const char *list, const struct trace_event *ev)
{
	size_t len = strlen(ev->name);

	while (*list) {
		size_t n = strcspn(list, ",");
		char pattern[128];

		if (n == len && !memcmp(list, ev->name, n))
			return true;
		if (n < sizeof(pattern) && memchr(list, '*', n)) {
			memcpy(pattern, list, n);
			pattern[n] = '\0';
			if (!fnmatch(pattern, ev->name, 0))
				return true;
		}
		list += n + (list[n] == ',');
	}
	return false;
}

/* One copy of each text; NULL when there are too many. */
static const char *pair_keep(struct pairs *p, const char *s)
{
	const uint64_t *slot = strmap_get(&p->texts, s);
	const char *kept;

	if (slot)
		return (const char *)(uintptr_t)*slot;
	if (p->texts.n >= TEXTS_MAX)
		return NULL;
	kept = arena_strdup(p->a, s);
	*strmap_put(&p->texts, kept, NULL) = (uintptr_t)kept;
	return kept;
}

static bool keys_of(struct pairs *p, const struct trace_event *ev, const char *const *names,
		    uint64_t *ret)
{
	for (size_t i = 0; i < PAIR_KEYS_MAX; i++) {
		struct trace_value v;

		ret[i] = 0;
		if (!names[i])
			continue;
		if (!trace_value_of(ev, names[i], &p->scratch, &v))
			return false;
		ret[i] = v.str ? (uintptr_t)pair_keep(p, v.str) : v.num;
		if (v.str && !ret[i])
			return false;
	}
	return true;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* "sys_enter_read" and "sys_exit_read" have the same. */
static uint64_t tail_of(const struct trace_event *ev)
{
	const char *s = strstr(ev->name, "_enter_");
	uint64_t h = 1;

	s = s ? s + 7 : strstr(ev->name, "_exit_") ? strstr(ev->name, "_exit_") + 6 : ev->name;
	while (*s)
		h = mix(h, (uint64_t)(unsigned char)*s++);
	return h;
}

/* The place of a key; with make, a new one. NULL: not there, or no room. */
static struct pair_open *place(struct pairs *p, const uint64_t *key, uint64_t name, bool make)
{
	uint64_t h = mix(0, name), *slot;
	struct pair_open *o;

	for (size_t i = 0; i < PAIR_KEYS_MAX; i++)
		h = mix(h, key[i]);
	slot = map_get(&p->index, h);
	if (slot) {
		o = &p->open.p[*slot];
		/* another key of the same hash keeps its place; this one is not measured */
		return o->name == name && !memcmp(o->key, key, sizeof(o->key)) ? o : NULL;
	}
	if (!make || p->open.n >= PAIR_OPEN_MAX)
		return NULL;
	*map_put(&p->index, h, NULL) = p->open.n;
	o = vec_push(&p->open);
	memcpy(o->key, key, sizeof(o->key));
	o->name = name;
	return o;
}

static void begin(struct pairs *p, const struct trace_event *ev)
{
	const struct pair_spec *spec = p->spec;
	uint64_t key[PAIR_KEYS_MAX];
	struct trace_value v = { 0 };
	struct pair_open *o;

	if (!keys_of(p, ev, spec->begin_keys, key)) {
		p->missing++;
		return;
	}
	o = place(p, key, spec->by_name ? tail_of(ev) : 0, true);
	if (!o) {
		p->left_out++;
		return;
	}
	if (o->is_open && spec->keep_first)
		return;
	p->replaced += o->is_open;
	o->is_open = true;
	o->cpu = ev->cpu;
	o->pid = ev->pid;
	o->comm = pair_keep(p, trace_comm(ev));
	o->since = ev->ts;
	o->n_stack = 0;
	o->group = NULL;
	o->has_group = spec->per && trace_value_of(ev, spec->per, &p->scratch, &v);
	if (o->has_group)
		o->group = tally_at(&p->groups, ev->buffer->recording, &v);
	o->size = 0;
	if (spec->size && trace_value_of(ev, spec->size, &p->scratch, &v) && !v.str)
		o->size = v.num;
	if (ev->cpu < 0 || (unsigned)ev->cpu >= CPUS_MAX)
		return;
	while (p->fresh.n <= (size_t)ev->cpu)
		(void)vec_push(&p->fresh);
	p->fresh.p[ev->cpu] = (size_t)(o - p->open.p) + 1;
}

static uint64_t length_of(const struct pair_done *d)
{
	return d->end > d->begin.since ? d->end - d->begin.since : 0;
}

static void heap_down(struct pair_done *v, size_t n, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;
		struct pair_done t;

		if (child >= n)
			return;
		if (child + 1 < n && length_of(&v[child + 1]) < length_of(&v[child]))
			child++;
		if (length_of(&v[i]) <= length_of(&v[child]))
			return;
		t = v[i];
		v[i] = v[child];
		v[child] = t;
		i = child;
	}
}

static void remember(struct pairs *p, const struct pair_open *o, const struct trace_event *ev)
{
	struct pair_done d = { *o, ev->ts, ev->cpu };

	if (p->worst.n < p->n_worst) {
		*vec_push(&p->worst) = d;
		for (size_t i = p->worst.n / 2; p->worst.n == p->n_worst && i-- > 0;)
			heap_down(p->worst.p, p->worst.n, i);
	} else if (p->n_worst && length_of(&d) > length_of(&p->worst.p[0])) {
		p->worst.p[0] = d;
		heap_down(p->worst.p, p->worst.n, 0);
	}
}

static void pair_end(struct pairs *p, const struct trace_event *ev)
{
	const struct pair_spec *spec = p->spec;
	uint64_t key[PAIR_KEYS_MAX];
	struct pair_open *o;
	int64_t took;

	if (!keys_of(p, ev, spec->end_keys, key)) {
		p->missing++;
		return;
	}
	o = place(p, key, spec->by_name ? tail_of(ev) : 0, false);
	if (!o || !o->is_open) {
		p->unbegun++;
		return;
	}
	o->is_open = false;
	took = ev->ts > o->since ? (int64_t)(ev->ts - o->since) : 0;
	tally_add(&p->all, took);
	if (o->group)
		tally_add(&o->group->sum, took);
	remember(p, o, ev);
}

/* The stack that was recorded with a beginning follows it on the same CPU. */
static void stack(const struct trace_event *ev, struct pair_open *o)
{
	const struct trace_field *f = trace_field_find(ev->format, "caller");
	unsigned word = ev->buffer->recording->word_size;
	struct span s;

	if (!o->is_open || !f || !trace_field_span(ev, f, &s))
		return;
	o->n_stack = 0;
	for (size_t i = 0; o->n_stack < PAIR_STACK_MAX && (i + 1) * word <= s.n; i++) {
		const uint8_t *at = s.p + i * word;
		uint64_t v = load_le(at, word);

		if (ev->buffer->recording->big_endian) {
			v = 0;
			for (unsigned k = 0; k < word; k++)
				v = v << 8 | at[k];
		}
		/* the rest of a fixed array is zero, or all ones */
		if (!v || v == UINT64_MAX)
			break;
		o->stack[o->n_stack++] = v;
	}
}

void pairs_event(struct pairs *p, const struct trace_event *ev)
{
	size_t *fresh = ev->cpu >= 0 && (size_t)ev->cpu < p->fresh.n ? &p->fresh.p[ev->cpu] : NULL;

	p->last = ev->ts > p->last ? ev->ts : p->last;
	if (fresh && *fresh && !strcmp(ev->name, "kernel_stack")) {
		stack(ev, &p->open.p[*fresh - 1]);
		*fresh = 0;
		return;
	}
	if (fresh)
		*fresh = 0;
	/* an event may end one and begin another: work's start does */
	if (is_of(p->spec->end, ev))
		pair_end(p, ev);
	if (is_of(p->spec->begin, ev))
		begin(p, ev);
	arena_reset(&p->scratch);
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = length_of(a), y = length_of(b);
	const struct pair_done *d = a, *e = b;

	if (x != y)
		return x > y ? -1 : 1;
	return d->begin.since < e->begin.since ? -1 : d->begin.since > e->begin.since;
}

void pairs_finish(struct pairs *p)
{
	if (p->worst.n)
		qsort(p->worst.p, p->worst.n, sizeof(*p->worst.p), by_length);
	tally_sort(&p->groups);
}
