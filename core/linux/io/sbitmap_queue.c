/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A struct sbitmap_queue, include/linux/sbitmap.h (88459642cba4, v4.9). */
#include <stdlib.h>

#include "core/linux/io/sbitmap_queue.h"
#include "core/base/vec.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define WORDS_MAX (1u << 22)

enum {
	Q_DEPTH,
	Q_SHIFT,
	Q_WORDS,
	Q_HINT,
	Q_ROUND_ROBIN,
	Q_WAKE_BATCH,
	Q_WAKE_INDEX,
	Q_WS,
	Q_WS_ACTIVE,
	Q_SHALLOW
};
static const struct shape_field queue_fields[] = {
	[Q_DEPTH] = FIELD("sb.depth"),
	[Q_SHIFT] = FIELD("sb.shift"),
	[Q_WORDS] = FIELD("sb.map_nr"),
	[Q_HINT] = FIELD_ALT("sb.alloc_hint", "alloc_hint"),          /* c548e62bcf6a (v5.13) */
	[Q_ROUND_ROBIN] = FIELD_ALT("sb.round_robin", "round_robin"), /* efe1f3a1d583 (v5.13) */
	[Q_WAKE_BATCH] = FIELD("wake_batch"),
	[Q_WAKE_INDEX] = FIELD("wake_index.counter"),
	[Q_WS] = FIELD("ws"),
	[Q_WS_ACTIVE] = FIELD("ws_active.counter"),
	[Q_SHALLOW] = FIELD("min_shallow_depth"),
};
static const struct shape queue_shape = SHAPE("struct sbitmap_queue", queue_fields);

struct queue_reading {
	struct sbitmap_queue *q;
	VEC(struct sbitmap_word) words;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

static bool word_found(const struct sbitmap_word *word, void *arg)
{
	struct queue_reading *r = arg;
	uint64_t n = word->end - word->first;
	uint64_t mask = n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
	unsigned set = (unsigned)__builtin_popcountll(word->word & ~word->cleared & mask);
	unsigned cleared = (unsigned)__builtin_popcountll(word->cleared & mask);

	r->q->busy += set;
	r->q->cleared += cleared;
	*vec_push(&r->words) = *word;
	return r->words.n < WORDS_MAX;
}

static void word_flaw(const struct err *e, void *arg)
{
	const struct queue_reading *r = arg;

	r->flaw(e, r->arg);
}

/* Where each CPU begins to look for a free number. */
static bool hints_read(struct target *t, uint64_t percpu, struct arena *a, struct sbitmap_queue *q,
		       struct err *err)
{
	uint64_t off;
	unsigned n;
	uint32_t hint;

	if (!percpu)
		return true;
	if (!cpus_count(t, &n, err))
		return false;
	q->hints = ARENA_ARRAY(a, uint64_t, n);
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		if (!percpu_offset(t, cpu, &off, err) ||
		    !mem_u32(t, percpu_sum(t, percpu, off), &hint, err))
			return err_wrap(err, "hint of CPU %u", cpu);
		q->hints[q->n_hints++] = hint;
	}
	return true;
}

/* Each of the queues woke its waiters when its count was used up; newer kernels count
 * elsewhere. A list of waiters that leads back at once has none. */
static bool waits_read(struct target *t, uint64_t ws, struct sbitmap_queue *q, struct err *err)
{
	const struct type *type;
	uint64_t list, next, count;

	if (!type_find(t, "struct sbq_wait_state", &type, err) ||
	    !field_offset(t, "struct sbq_wait_state", "wait.head", &list, err))
		return false;
	for (unsigned i = 0; i < SBITMAP_WAITS; i++) {
		uint64_t at = ws + i * type->size;

		if (!mem_ptr(t, at + list, &next, err))
			return err_wrap(err, "wait queue %u", i);
		q->ws[i].known = true;
		q->ws[i].active = next != at + list;
		q->ws[i].counted =
			field_u64(t, "struct sbq_wait_state", at, "wait_cnt.counter", &count, err);
		if (q->ws[i].counted)
			q->ws[i].wait_cnt = (int32_t)count;
		else if (err->code != ERR_NOFIELD)
			return err_wrap(err, "wait queue %u", i);
	}
	return true;
}

bool sbitmap_queue_read(struct target *t, uint64_t addr, struct arena *a, struct sbitmap_queue *ret,
			void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct queue_reading r = { .q = ret, .flaw = flaw, .arg = arg };
	struct walk_plan w = { .what = "sbitmap", .flaw = word_flaw, .arg = &r };
	uint64_t shift, hint, ws, off;
	struct shaped s;
	struct err why;
	bool ok;

	*ret = (struct sbitmap_queue){ .addr = addr };
	if (!shape_read(t, &queue_shape, addr, &s, err) ||
	    !shaped_u64(&s, Q_DEPTH, &ret->depth, err) || !shaped_u64(&s, Q_SHIFT, &shift, err) ||
	    !shaped_u64(&s, Q_WORDS, &ret->words, err) ||
	    !field_offset(t, "struct sbitmap_queue", "sb", &off, err))
		return err_wrap(err, "sbitmap_queue 0x%llx", (unsigned long long)addr);
	ret->sb = w.head = addr + off;
	ok = sbitmap_words(t, &w, word_found, &r, err);
	ret->map = ARENA_ARRAY(a, struct sbitmap_word, r.words.n + 1);
	for (size_t i = 0; i < r.words.n; i++)
		ret->map[ret->n_map++] = r.words.p[i];
	vec_release(&r.words);
	if (!ok)
		return err_wrap(err, "sbitmap_queue 0x%llx", (unsigned long long)addr);
	ret->bits_per_word = (uint64_t)1 << shift;
	ret->wake_batch = shaped_u64_or(&s, Q_WAKE_BATCH, 0);
	ret->wake_index = (int32_t)shaped_u64_or(&s, Q_WAKE_INDEX, 0);
	ret->ws_active = (int32_t)shaped_u64_or(&s, Q_WS_ACTIVE, 0);
	ret->min_shallow_depth = shaped_u64_or(&s, Q_SHALLOW, 0);
	ret->round_robin = shaped_u64_or(&s, Q_ROUND_ROBIN, 0);
	if (!shaped_u64(&s, Q_HINT, &hint, &why) || !hints_read(t, hint, a, ret, &why))
		flaw(&why, arg);
	if (!shaped_u64(&s, Q_WS, &ws, &why) || !waits_read(t, ws, ret, &why))
		flaw(&why, arg);
	return true;
}
