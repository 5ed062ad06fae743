/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory a task has: total_vm, and rss_stat in each of its layouts.
 *
 * Before v6.2 a thread counts up to 64 page faults on its own before it adds them to its mm
 * (SPLIT_RSS_COUNTING; 34e55232e59f, v2.6.34), so the mm alone may say 4 KiB of a process that has
 * megabytes. The kernel's own ps says that, too; what is true stands in the page table.
 */
#include "core/linux/task/task_impl.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"

/* File, anonymous, swap and shared pages, in this order since eca56ff906bd (v4.5); swap is not
 * resident. */
#define RSS_COUNTERS_MAX 8
#define RSS_SWAP 2

static void layout_percpu(struct target *t, const struct type *mm, const struct type *array,
			  struct mm_layout *l)
{
	struct member_ref ref;
	struct err ignored, why;
	const struct type *counter;

	if (!type_find(t, "struct percpu_counter", &counter, &why) ||
	    !type_member(mm, "rss_stat", &ref, &why)) {
		target_lacks(t, &why);
		return;
	}
	l->rss = ref.offset;
	l->stride = counter->size;
	l->n = (unsigned)array->count;
	if (!type_member(counter, "count", &ref, &why)) {
		target_lacks(t, &why);
		return;
	}
	l->count = ref.offset;
	l->counters = UINT64_MAX; /* a kernel for one CPU counts in one place */
	if (type_member(counter, "counters", &ref, &ignored))
		l->counters = ref.offset;
	l->kind = RSS_PERCPU;
}

static void layout_split(struct target *t, struct mm_layout *l)
{
	const struct type *task, *type;
	struct member_ref ref;
	struct err ignored;

	if (!type_find(t, "struct task_struct", &task, &ignored) ||
	    !type_member(task, "rss_stat.count", &ref, &ignored))
		return;
	type = type_strip(ref.type);
	if (type->kind != TYPE_ARRAY || type->count != l->n || type->size != 4 * l->n)
		return;
	l->has_split = true;
	l->split = ref.offset;
}

static void layout_resolve(struct target *t, struct mm_layout *l)
{
	const struct type *mm, *type;
	struct member_ref ref;
	struct err ignored, why;

	l->tried = true;
	if (!type_find(t, "struct mm_struct", &mm, &why)) {
		target_lacks(t, &why);
		return;
	}
	if (type_member(mm, "total_vm", &ref, &why)) {
		l->has_vm = true;
		l->total_vm = ref.offset;
	} else {
		target_lacks(t, &why);
	}
	if (!type_member(mm, "rss_stat", &ref, &why)) {
		target_lacks(t, &why);
		return;
	}
	type = type_strip(ref.type);
	if (type->kind != TYPE_ARRAY && !type_member(mm, "rss_stat.count", &ref, &why)) {
		target_lacks(t, &why);
		return;
	}
	if (type->kind == TYPE_ARRAY && type->count <= RSS_COUNTERS_MAX) {
		layout_percpu(t, mm, type, l); /* f1a7941243c1 (v6.2) */
	} else if (type_member(mm, "rss_stat.count", &ref, &ignored)) {
		type = type_strip(ref.type);
		if (type->kind != TYPE_ARRAY || type->count > RSS_COUNTERS_MAX)
			return;
		l->rss = ref.offset;
		l->stride = t->arch->word;
		l->n = (unsigned)type->count;
		l->count = 0;
		l->kind = RSS_ATOMIC;
		layout_split(t, l);
	}
}

/* Adds what a thread has counted and not yet told its mm. */
static void split_add(struct target *t, struct task_state *st, const struct task *task)
{
	const struct mm_layout *l = &st->mm;
	uint8_t bytes[RSS_COUNTERS_MAX * 4];
	struct err ignored;
	uint64_t *cell;
	int64_t *parts;
	bool isnew;

	if (!task->mm)
		return;
	cell = map_put(&st->split, task->mm, &isnew);
	if (isnew)
		*cell = (uintptr_t)ARENA_ARRAY(&t->arena, int64_t, RSS_COUNTERS_MAX);
	parts = (int64_t *)(uintptr_t)*cell;
	if (!parts)
		return;
	if (!mem_read(t, task->addr + l->split, bytes, l->n * 4, &ignored)) {
		*cell = 0; /* one thread's part is missing: the sum is unknown */
		return;
	}
	for (unsigned i = 0; i < l->n; i++)
		parts[i] += (int32_t)target_u32(t, bytes + i * 4);
}

/* What all threads of an mm hold back of each counter; NULL: unknown. */
static const int64_t *split_parts(struct target *t, struct task_state *st, uint64_t mm)
{
	const struct task *all;
	struct err ignored;
	uint64_t *cell;
	size_t n;

	if (!st->split_tried) {
		if (!tasks_all(t, &all, &n, &ignored))
			return NULL;
		for (size_t i = 0; i < n; i++)
			split_add(t, st, &all[i]);
		st->split_tried = true;
	}
	cell = map_get(&st->split, mm);
	return cell ? (const int64_t *)(uintptr_t)*cell : NULL;
}

/* The common count and what each CPU still holds back of it. */
static bool percpu_count(struct target *t, const struct mm_layout *l, const uint8_t *counter,
			 int64_t *ret)
{
	uint64_t counters, off;
	struct err ignored;
	uint32_t part;
	unsigned n;

	*ret = (int64_t)target_u64(t, counter + l->count);
	if (l->counters == UINT64_MAX)
		return true;
	counters = target_uint(t, counter + l->counters, t->arch->word);
	if (!cpus_count(t, &n, &ignored))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		if (!percpu_offset(t, cpu, &off, &ignored) ||
		    !mem_u32(t, percpu_sum(t, counters, off), &part, &ignored))
			return false;
		*ret += (int32_t)part;
	}
	return true;
}

static bool read_rss(struct target *t, struct task_state *st, uint64_t mm, uint64_t *ret)
{
	const struct mm_layout *l = &st->mm;
	uint8_t bytes[RSS_COUNTERS_MAX * 64];
	const int64_t *parts = NULL;
	struct err ignored;
	uint64_t pages = 0;
	int64_t n;

	if (l->kind == RSS_UNKNOWN || l->n * l->stride > sizeof(bytes) ||
	    l->stride < t->arch->word ||
	    (l->kind == RSS_PERCPU &&
	     (l->count + 8 > l->stride ||
	      (l->counters != UINT64_MAX && l->counters + t->arch->word > l->stride))) ||
	    !mem_read(t, mm + l->rss, bytes, l->n * l->stride, &ignored) ||
	    (l->has_split && !(parts = split_parts(t, st, mm))))
		return false;
	for (unsigned i = 0; i < l->n; i++) {
		if (i == RSS_SWAP)
			continue;
		if (l->kind == RSS_ATOMIC)
			n = l->stride == 4 ? (int32_t)target_u32(t, bytes + i * l->stride)
					   : (int64_t)target_u64(t, bytes + i * l->stride);
		else if (!percpu_count(t, l, bytes + i * l->stride, &n))
			return false;
		if (parts)
			n = (int64_t)((uint64_t)n + (uint64_t)parts[i]);
		pages += n > 0 ? (uint64_t)n : 0; /* in a damaged mm the sum may wrap */
	}
	*ret = pages * t->page_size;
	return true;
}

bool task_memory(struct target *t, const struct task *task, uint64_t *vsz, uint64_t *rss)
{
	struct task_state *st = task_state(t);
	struct mm_layout *l = &st->mm;
	struct err ignored;
	uint64_t vm = 0;

	*vsz = *rss = 0;
	if (!task->mm)
		return true;
	if (!l->tried)
		layout_resolve(t, l);
	if (task->mm != st->last_mm) {
		st->last_mm_ok = l->has_vm && mem_ptr(t, task->mm + l->total_vm, &vm, &ignored) &&
				 read_rss(t, st, task->mm, &st->last_rss);
		st->last_mm = task->mm;
		st->last_vsz = vm * t->page_size;
	}
	if (!st->last_mm_ok)
		return false;
	*vsz = st->last_vsz;
	*rss = st->last_rss;
	return true;
}
