/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a BPF map: struct bpf_array, bpf_htab, bpf_stack_map of kernel/bpf. */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/linux/bpf/bpf.h"
#include "core/linux/container/walk.h"

#define ELEMENTS_MAX (16u << 20)
#define KEY_MAX 65536u
#define VALUE_BYTES_MAX (64u << 20)
#define LOST_MAX 4096u  /* elements that cannot be read, before the rest is given up */
#define STACK_MAX 1024u /* sysctl kernel.perf_event_max_stack is 127 by default */

struct contents {
	struct target *t;
	const struct bpf_map *m;
	bool (*fn)(const struct bpf_element *e, void *arg);
	void (*note)(const struct err *e, void *arg);
	void *arg;
	uint8_t *key, *value;
	uint64_t key_off; /* in a struct htab_elem */
	bool percpu, stop;
	unsigned lost;
};

static uint64_t round8(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

static void bpf_map_tell(struct contents *c, struct err *err, const char *what)
{
	err_wrap(err, "%s of map '%s'", what, c->m->name);
	if (c->note)
		c->note(err, c->arg);
	c->stop = ++c->lost == LOST_MAX;
}

static void bpf_map_show(struct contents *c, struct bpf_element *e, uint64_t at)
{
	struct err err;

	if (!mem_read(c->t, at, c->value, (size_t)c->m->value_size, &err)) {
		bpf_map_tell(c, &err, "a value");
		return;
	}
	e->key = c->key;
	e->value = c->value;
	e->value_addr = at;
	c->stop = !c->fn(e, c->arg);
}

/* pointer: a per-CPU address. */
static void show_percpu(struct contents *c, struct bpf_element *e, uint64_t pointer)
{
	unsigned cpus;
	uint64_t off;
	struct err err;

	if (!cpus_count(c->t, &cpus, &err)) {
		bpf_map_tell(c, &err, "values");
		return;
	}
	for (unsigned i = 0; i < cpus && !c->stop; i++) {
		if (!cpu_is_possible(c->t, i))
			continue;
		if (!percpu_offset(c->t, i, &off, &err)) {
			bpf_map_tell(c, &err, "a value");
			continue;
		}
		e->cpu = (int)i;
		bpf_map_show(c, e, percpu_sum(c->t, pointer, off));
	}
}

static bool walk_array(struct contents *c, struct err *err)
{
	static const char type[] = "struct bpf_array";
	uint64_t elem_size, off, pointer;
	struct target *t = c->t;

	if (c->m->key_size != 4)
		return err_set(err, ERR_CORRUPT, "an array whose key has %" PRIu64 " bytes",
			       c->m->key_size);
	if (!field_u64(t, type, c->m->addr, "elem_size", &elem_size, err) ||
	    !field_offset(t, type, c->percpu ? "pptrs" : "value", &off, err))
		return false;
	for (uint64_t i = 0; i < c->m->max_entries && !c->stop; i++) {
		struct bpf_element e = { .cpu = -1 };
		uint32_t index = (uint32_t)i;
		struct err why;

		if (!interrupt_check(err))
			return false;
		target_store(t, c->key, 4, index);
		if (!c->percpu)
			bpf_map_show(c, &e, c->m->addr + off + i * elem_size);
		else if (mem_ptr(t, c->m->addr + off + i * t->arch->word, &pointer, &why))
			show_percpu(c, &e, pointer);
		else
			bpf_map_tell(c, &why, "a value");
	}
	return true;
}

/* Does the per-CPU address lead to a value of the first CPU? */
static bool leads_to_value(struct contents *c, uint64_t pointer)
{
	uint64_t off;
	uint8_t byte;
	struct err ignored;

	return pointer && !(pointer & 7) && percpu_offset(c->t, 0, &off, &ignored) &&
	       mem_u8(c->t, percpu_sum(c->t, pointer, off), &byte, &ignored);
}

/* Where the pointer to the values is: behind the key, and in older kernels, 5.10 among them, right
 * behind it, aligned or not. What else lies there leads nowhere. */
static uint64_t pointer_place(struct contents *c, uint64_t key)
{
	uint64_t tight = key + c->m->key_size, pointer;
	struct err ignored;

	return c->m->key_size % 8 && mem_ptr(c->t, tight, &pointer, &ignored) &&
			       leads_to_value(c, pointer)
		       ? tight
		       : key + round8(c->m->key_size);
}

static void show_hashed(struct contents *c, uint64_t elem)
{
	struct bpf_element e = { .cpu = -1, .key_addr = elem + c->key_off };
	uint64_t value = e.key_addr + round8(c->m->key_size), pointer;
	struct err err;

	if (!mem_read(c->t, e.key_addr, c->key, (size_t)c->m->key_size, &err))
		bpf_map_tell(c, &err, "a key");
	else if (!c->percpu)
		bpf_map_show(c, &e, value);
	else if (mem_ptr(c->t, pointer_place(c, e.key_addr), &pointer, &err))
		show_percpu(c, &e, pointer);
	else
		bpf_map_tell(c, &err, "a value");
}

/* Chains end in an odd number that tells the bucket (hlist_nulls). */
static bool walk_hash(struct contents *c, struct err *err)
{
	static const char type[] = "struct bpf_htab";
	const struct type *bucket;
	uint64_t buckets, n, head, node;
	struct target *t = c->t;
	struct guard g;

	if (!field_u64(t, type, c->m->addr, "buckets", &buckets, err) ||
	    !field_u64(t, type, c->m->addr, "n_buckets", &n, err) ||
	    !type_find(t, "struct bucket", &bucket, err) ||
	    !field_offset(t, "struct bucket", "head", &head, err) ||
	    !field_offset(t, "struct htab_elem", "hash_node", &node, err) ||
	    !field_offset(t, "struct htab_elem", "key", &c->key_off, err))
		return false;
	if (n > ELEMENTS_MAX)
		return err_set(err, ERR_CORRUPT, "a hash of %" PRIu64 " buckets", n);
	guard_init(&g, "a BPF hash", ELEMENTS_MAX);
	for (uint64_t i = 0; i < n && !c->stop; i++) {
		uint64_t at;
		struct err why = { 0 };
		bool ok = mem_ptr(t, buckets + i * bucket->size + head, &at, &why);

		if (!interrupt_check(err))
			return false;
		while (ok && at && !(at & 1) && !c->stop) {
			if (!guard_step(&g, at, err))
				return false;
			show_hashed(c, at - node);
			ok = mem_ptr(t, at, &at, &why);
		}
		if (!ok)
			bpf_map_tell(c, &why, "a bucket");
	}
	return true;
}

static bool show_stack(struct contents *c, uint64_t at, uint32_t id, struct err *err)
{
	static const char type[] = "struct stack_map_bucket";
	uint64_t n, off, *stack;
	struct bpf_element e = { .cpu = -1, .key = c->key };

	if (!field_u64(c->t, type, at, "nr", &n, err) ||
	    !field_offset(c->t, type, "data", &off, err))
		return false;
	if (n > STACK_MAX)
		return err_set_addr(err, ERR_CORRUPT, at, "a stack of %" PRIu64 " frames", n);
	stack = ARENA_ARRAY(c->t->scratch, uint64_t, n + 1);
	for (uint64_t i = 0; i < n; i++)
		if (!mem_u64(c->t, at + off + 8 * i, &stack[i], err))
			return false;
	target_store(c->t, c->key, 4, id);
	e.stack = stack;
	e.n_stack = (size_t)n;
	e.value_addr = at;
	c->stop = !c->fn(&e, c->arg);
	return true;
}

static bool walk_stacks(struct contents *c, struct err *err)
{
	static const char type[] = "struct bpf_stack_map";
	uint64_t n, off, at;

	if (c->m->key_size != 4)
		return err_set(err, ERR_CORRUPT, "stacks by a key of %" PRIu64 " bytes",
			       c->m->key_size);
	if (!field_u64(c->t, type, c->m->addr, "n_buckets", &n, err) ||
	    !field_offset(c->t, type, "buckets", &off, err))
		return false;
	if (n > ELEMENTS_MAX)
		return err_set(err, ERR_CORRUPT, "a map of %" PRIu64 " stacks", n);
	for (uint64_t i = 0; i < n && !c->stop; i++) {
		struct err why;

		if (!interrupt_check(err))
			return false;
		if (!mem_ptr(c->t, c->m->addr + off + i * c->t->arch->word, &at, &why) ||
		    (at && !show_stack(c, at, (uint32_t)i, &why)))
			bpf_map_tell(c, &why, "a stack");
	}
	return true;
}

bool bpf_elements_each(struct target *t, const struct bpf_map *m,
		       bool (*fn)(const struct bpf_element *e, void *arg),
		       void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct contents c = { .t = t, .m = m, .fn = fn, .note = note, .arg = arg };
	bool (*walk)(struct contents * c, struct err * err);
	void *bytes;

	if (m->max_entries > ELEMENTS_MAX)
		return err_set(err, ERR_LIMIT, "a map of %" PRIu64 " entries", m->max_entries);
	if (!arena_bytes(t->scratch, (size_t)m->key_size + 8, KEY_MAX, &bytes, err))
		return false;
	c.key = bytes;
	if (!arena_bytes(t->scratch, (size_t)m->value_size + 8, VALUE_BYTES_MAX, &bytes, err))
		return false;
	c.value = bytes;
	c.percpu = strstr(m->type, "percpu");
	if (!strcmp(m->type, "array") || !strcmp(m->type, "percpu_array"))
		walk = walk_array;
	else if (!strcmp(m->type, "hash") || !strcmp(m->type, "percpu_hash") ||
		 !strcmp(m->type, "lru_hash") || !strcmp(m->type, "lru_percpu_hash"))
		walk = walk_hash;
	else if (!strcmp(m->type, "stack_trace"))
		walk = walk_stacks;
	else
		return err_set(err, ERR_UNSUPPORTED, "what a map of kind '%s' holds is not read",
			       m->type);
	if (!walk(&c, err))
		return false;
	/* a count that was overwritten, of buckets where no memory is */
	return c.lost < LOST_MAX ||
	       err_set_addr(err, ERR_LIMIT, m->addr,
			    "map '%s': stopped after %u elements that cannot be read", m->name,
			    LOST_MAX);
}
