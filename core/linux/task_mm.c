/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory a task has: total_vm, and rss_stat in each of its layouts. */
#include "core/linux/task.h"

/* File, anonymous, swap and shared pages, in this order since eca56ff906bd (v4.5); swap is not
 * resident. */
#define RSS_COUNTERS_MAX 8
#define RSS_SWAP 2

static void layout_percpu(struct target *t, const struct type *mm, const struct type *array,
			  struct mm_layout *l)
{
	struct member_ref ref;
	struct err ignored;
	const struct type *counter;

	if (!type_find(t, "struct percpu_counter", &counter, &ignored) ||
	    !type_member(mm, "rss_stat", &ref, &ignored))
		return;
	l->rss = ref.offset;
	l->stride = counter->size;
	l->n = (unsigned)array->count;
	if (!type_member(counter, "count", &ref, &ignored))
		return;
	l->count = ref.offset;
	l->counters = UINT64_MAX; /* a kernel for one CPU counts in one place */
	if (type_member(counter, "counters", &ref, &ignored))
		l->counters = ref.offset;
	l->kind = RSS_PERCPU;
}

static void layout_resolve(struct target *t, struct mm_layout *l)
{
	const struct type *mm, *type;
	struct member_ref ref;
	struct err ignored;

	l->tried = true;
	if (!type_find(t, "struct mm_struct", &mm, &ignored))
		return;
	if (type_member(mm, "total_vm", &ref, &ignored)) {
		l->has_vm = true;
		l->total_vm = ref.offset;
	}
	if (!type_member(mm, "rss_stat", &ref, &ignored))
		return;
	type = type_strip(ref.type);
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
	}
}

/* The common count and what each CPU still holds back of it. */
static bool percpu_count(struct target *t, const struct mm_layout *l, const uint8_t *counter,
			 int64_t *ret)
{
	uint64_t counters, off;
	struct err ignored;
	uint32_t part;
	unsigned n;

	*ret = (int64_t)load_le64(counter + l->count);
	if (l->counters == UINT64_MAX)
		return true;
	counters = load_le(counter + l->counters, t->arch->word);
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

static bool read_rss(struct target *t, const struct mm_layout *l, uint64_t mm, uint64_t *ret)
{
	uint8_t bytes[RSS_COUNTERS_MAX * 64];
	struct err ignored;
	uint64_t pages = 0;
	int64_t n;

	if (l->kind == RSS_UNKNOWN || l->n * l->stride > sizeof(bytes) ||
	    l->stride < t->arch->word ||
	    (l->kind == RSS_PERCPU &&
	     (l->count + 8 > l->stride ||
	      (l->counters != UINT64_MAX && l->counters + t->arch->word > l->stride))) ||
	    !mem_read(t, mm + l->rss, bytes, l->n * l->stride, &ignored))
		return false;
	for (unsigned i = 0; i < l->n; i++) {
		if (i == RSS_SWAP)
			continue;
		if (l->kind == RSS_ATOMIC)
			n = l->stride == 4 ? (int32_t)load_le32(bytes + i * l->stride)
					   : (int64_t)load_le64(bytes + i * l->stride);
		else if (!percpu_count(t, l, bytes + i * l->stride, &n))
			return false;
		pages += n > 0 ? (uint64_t)n : 0; /* in a damaged mm the sum may wrap */
	}
	*ret = pages * t->page_size;
	return true;
}

void task_read_mm(struct target *t, struct task *task)
{
	struct task_state *st = task_state(t);
	struct mm_layout *l = &st->mm;
	struct err ignored;
	uint64_t vm = 0;

	if (!task->mm)
		return;
	if (!l->tried)
		layout_resolve(t, l);
	if (task->mm != st->last_mm) {
		st->last_mm = task->mm;
		st->last_mm_ok = l->has_vm && mem_ptr(t, task->mm + l->total_vm, &vm, &ignored) &&
				 read_rss(t, l, task->mm, &st->last_rss);
		st->last_vsz = vm * t->page_size;
	}
	task->has_mm = st->last_mm_ok;
	if (task->has_mm) {
		task->vsz = st->last_vsz;
		task->rss = st->last_rss;
	}
}
