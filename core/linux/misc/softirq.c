/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bottom halves: who serves each, and how often that was. */
#include "core/base/guard.h"
#include "core/linux/misc/irq.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define NAME_BYTES 32
/* More than a word of pending ones has bits for. */
#define SOFTIRQS_MAX 32u

struct softirq_walk {
	struct target *t;
	struct arena *a;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	unsigned cpus;
	uint64_t vec, size, names; /* names: 0 when their table is not known */
	uint64_t counts;           /* where struct kernel_stat has them, each of 32 bits */
};

static void name_read(const struct softirq_walk *w, struct softirq *soft)
{
	struct err why;
	uint64_t at;

	if (w->names && (!mem_ptr(w->t, w->names + soft->nr * w->t->arch->word, &at, &why) ||
			 !mem_str(w->t, at, NAME_BYTES, w->a, &soft->name, &why)))
		w->flaw(&why, w->arg);
}

static bool counts_read(const struct softirq_walk *w, struct softirq *soft, struct err *err)
{
	uint64_t *counts = ARENA_ARRAY(w->a, uint64_t, w->cpus + 1);

	soft->counts = counts;
	soft->cpus = w->cpus;
	for (unsigned cpu = 0; cpu < w->cpus; cpu++) {
		uint64_t at;
		uint32_t n;

		if (!cpu_is_possible(w->t, cpu))
			continue;
		if (!percpu_addr(w->t, "kstat", cpu, &at, err) ||
		    !mem_u32(w->t, at + w->counts + soft->nr * sizeof(n), &n, err))
			return false;
		counts[cpu] = n;
		soft->total += n;
	}
	return true;
}

/* How many there are is told by their counters. */
static bool plan(struct softirq_walk *w, unsigned *n, struct err *err)
{
	struct member_ref counts;
	const struct type *type, *action;
	struct symbol vec;
	uint64_t many;

	if (!cpus_count(w->t, &w->cpus, err) || !symbol_find(w->t, "softirq_vec", &vec, err) ||
	    !type_find(w->t, "struct kernel_stat", &type, err) ||
	    !type_member(type, "softirqs", &counts, err))
		return false;
	many = type_strip(counts.type)->count;
	w->vec = vec.addr;
	w->counts = counts.offset;
	if (!many || many > SOFTIRQS_MAX ||
	    type_strip(counts.type)->size != many * sizeof(uint32_t))
		return err_set(err, ERR_UNSUPPORTED, "%llu bottom halves are not known",
			       (unsigned long long)many);
	if (!type_find(w->t, "struct softirq_action", &action, err))
		return false;
	w->size = action->size;
	if (!symbol_addr(w->t, "softirq_to_name", &w->names))
		w->names = 0;
	*n = (unsigned)many;
	return true;
}

bool softirqs_each(struct target *t, struct arena *a,
		   bool (*fn)(const struct softirq *soft, void *arg),
		   void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct softirq_walk w = { .t = t, .a = a, .flaw = flaw, .arg = arg };
	unsigned n = 0;

	if (!plan(&w, &n, err))
		return false;
	for (unsigned i = 0; i < n && interrupt_check(err); i++) {
		struct softirq soft = { .nr = i };
		struct err why;

		name_read(&w, &soft);
		if (!field_u64(t, "struct softirq_action", w.vec + i * w.size, "action",
			       &soft.action, &why) ||
		    !counts_read(&w, &soft, &why)) {
			err_wrap(&why, "bottom half %u", i);
			flaw(&why, arg);
		} else if (!fn(&soft, arg)) {
			break;
		}
	}
	return interrupt_check(err);
}
