/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for the end of an SRCU grace period: its readers are only counted. */
#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define CALLBACKS_MAX 100000
#define CPUS_ASKED 4 /* CPUs whose parts have to agree */

/* srcu_data, of which each CPU has one, names the srcu_struct that it is of, and its CPU. */
static bool is_srcu(struct wait_graph *g, uint64_t addr)
{
	struct target *t = g->t;
	uint64_t sda, off, back, number;
	struct err ignored;
	unsigned n, agree = 0;

	if ((addr & (t->arch->word - 1)) || !t->arch->is_kernel_va(addr) ||
	    !field_u64(t, "struct srcu_struct", addr, "sda", &sda, &ignored) || !sda ||
	    !cpus_count(t, &n, &ignored))
		return false;
	for (unsigned cpu = 0; cpu < n && agree < CPUS_ASKED; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		if (!percpu_offset(t, cpu, &off, &ignored) ||
		    !field_u64(t, "struct srcu_data", percpu_sum(t, sda, off), "ssp", &back,
			       &ignored) ||
		    back != addr ||
		    !field_u64(t, "struct srcu_data", percpu_sum(t, sda, off), "cpu", &number,
			       &ignored) ||
		    number != cpu)
			return false;
		agree++;
	}
	return agree;
}

/* Notes whose the callbacks of an srcu_struct are. */
static void callbacks_read(struct wait_graph *g, uint64_t srcu, uint64_t data)
{
	struct guard guard;
	struct err ignored;
	uint64_t at;

	if (!field_u64(g->t, "struct srcu_data", data, "srcu_cblist.head", &at, &ignored))
		return;
	guard_init(&guard, "callbacks of SRCU", CALLBACKS_MAX);
	for (; at && guard_step(&guard, at, &ignored);) {
		*map_put(&g->impl->srcus, at, NULL) = srcu;
		if (!mem_ptr(g->t, at, &at, &ignored))
			return;
	}
}

static void srcu_read(struct wait_graph *g, uint64_t srcu)
{
	uint64_t sda, off;
	struct err ignored;
	unsigned n;
	bool isnew;

	/* its own address is in the map as well: it was read */
	*map_put(&g->impl->srcus, srcu, &isnew) = srcu;
	if (!isnew || !cpus_count(g->t, &n, &ignored) ||
	    !field_u64(g->t, "struct srcu_struct", srcu, "sda", &sda, &ignored))
		return;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if (cpu_is_possible(g->t, cpu) && percpu_offset(g->t, cpu, &off, &ignored))
			callbacks_read(g, srcu, percpu_sum(g->t, sda, off));
}

/* The srcu_struct whose list has the callback; else the only one on the task's stack, which is
 * *listed false: the callback has left the list when its time has come. 0: none. */
static uint64_t srcu_of(const struct wait_stack *s, uint64_t callback, bool *listed)
{
	const uint64_t *p = map_get(&s->g->impl->srcus, callback);
	uint64_t only = 0;

	for (size_t i = 0; !p && i < s->n; i++) {
		const uint64_t word = s->words[i];

		if (word == only || !is_srcu(s->g, word))
			continue;
		only = only ? UINT64_MAX : word;
		srcu_read(s->g, word);
		p = map_get(&s->g->impl->srcus, callback);
	}
	*listed = p != NULL;
	return p ? *p : only == UINT64_MAX ? 0 : only;
}

/* ---- readers */

struct srcu_counts {
	int64_t readers[2];
	unsigned now; /* the index that readers take now; the other one is waited for */
};

/* Where a CPU's part counts who came and who left, by index: 795e7efec6ea (v6.15) put both counts
 * of an index into a struct. */
static bool counts_at(struct target *t, unsigned index, uint64_t *locks, uint64_t *unlocks)
{
	const struct type *ctr;
	struct err ignored;
	uint64_t ctrs;

	if (field_offset(t, "struct srcu_data", "srcu_lock_count", locks, &ignored) &&
	    field_offset(t, "struct srcu_data", "srcu_unlock_count", unlocks, &ignored)) {
		*locks += index * t->arch->word;
		*unlocks += index * t->arch->word;
		return true;
	}
	if (!field_offset(t, "struct srcu_data", "srcu_ctrs", &ctrs, &ignored) ||
	    !type_find(t, "struct srcu_ctr", &ctr, &ignored) ||
	    !field_offset(t, "struct srcu_ctr", "srcu_locks", locks, &ignored) ||
	    !field_offset(t, "struct srcu_ctr", "srcu_unlocks", unlocks, &ignored))
		return false;
	*locks += ctrs + index * ctr->size;
	*unlocks += ctrs + index * ctr->size;
	return true;
}

static bool counts_add(struct target *t, uint64_t data, struct srcu_counts *c)
{
	uint64_t locks_at, unlocks_at, locks, unlocks;
	struct err ignored;

	for (unsigned i = 0; i < 2; i++) {
		if (!counts_at(t, i, &locks_at, &unlocks_at) ||
		    !mem_ptr(t, data + locks_at, &locks, &ignored) ||
		    !mem_ptr(t, data + unlocks_at, &unlocks, &ignored))
			return false;
		c->readers[i] += (int64_t)(locks - unlocks);
	}
	return true;
}

static bool index_now(struct target *t, uint64_t srcu, uint64_t sda, unsigned *ret)
{
	const struct type *type;
	uint64_t index, at, first;
	struct err ignored;

	if (field_u64(t, "struct srcu_struct", srcu, "srcu_idx", &index, &ignored)) {
		*ret = index & 1;
		return true;
	}
	if (!field_u64(t, "struct srcu_struct", srcu, "srcu_ctrp", &at, &ignored) ||
	    !field_offset(t, "struct srcu_data", "srcu_ctrs", &first, &ignored) ||
	    !type_find(t, "struct srcu_ctr", &type, &ignored) || !type->size)
		return false;
	*ret = ((at - sda - first) / type->size) & 1;
	return true;
}

static bool counts_read(struct wait_graph *g, uint64_t srcu, struct srcu_counts *ret)
{
	struct target *t = g->t;
	struct err ignored;
	uint64_t sda, off;
	unsigned n;

	*ret = (struct srcu_counts){ .now = 0 };
	if (!cpus_count(t, &n, &ignored) ||
	    !field_u64(t, "struct srcu_struct", srcu, "sda", &sda, &ignored) ||
	    !index_now(t, srcu, sda, &ret->now))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if (cpu_is_possible(t, cpu) && (!percpu_offset(t, cpu, &off, &ignored) ||
						!counts_add(t, percpu_sum(t, sda, off), ret)))
			return false;
	if (t->arch->word == 4)
		for (size_t i = 0; i < 2; i++)
			ret->readers[i] = (int32_t)ret->readers[i];
	return true;
}

static const char *srcu_name(struct wait_graph *g, uint64_t srcu)
{
	const char *name = symbol_text(g->t, srcu, g->t->scratch);

	return *name ? name : arena_printf(g->t->scratch, "0x%llx", (unsigned long long)srcu);
}

/* Readers may have come on the index that is taken now before the grace period began; it waits for
 * them when it has turned to the other one. */
static void srcu_describe(const struct wait_stack *s, struct wait_object *o, uint64_t srcu,
			  bool listed)
{
	struct srcu_counts c;

	const bool counted = counts_read(s->g, srcu, &c);

	if (counted)
		o->state = arena_printf(
			s->g->t->scratch,
			"the end of an SRCU grace period of %s%s; read by %lld at index %u, for "
			"which it waits, and by %lld at index %u",
			srcu_name(s->g, srcu), listed ? "" : " (the only one on the stack)",
			(long long)c.readers[!c.now], !c.now, (long long)c.readers[c.now], c.now);
	else
		o->state = arena_printf(s->g->t->scratch,
					"the end of an SRCU grace period of %s, whose readers "
					"cannot be counted",
					srcu_name(s->g, srcu));
	if (!counted || c.readers[0] || c.readers[1])
		wait_search_for(s->g, srcu, s->g->objects.n);
}

bool wait_for_srcu(const struct wait_stack *s, struct wait_object *o)
{
	static const char *const functions[] = { "__synchronize_srcu", "synchronize_srcu", NULL };
	uint64_t completion, head, srcu;
	struct err ignored;
	bool listed;
	size_t frame;

	if (!wait_has_frame(s, functions, &frame) || wait_stack_owner(s->g, o->addr) != s->task ||
	    !field_offset(s->g->t, "struct rcu_synchronize", "completion", &completion, &ignored) ||
	    !field_offset(s->g->t, "struct rcu_synchronize", "head", &head, &ignored))
		return false;
	o->state = "the end of an SRCU grace period";
	if ((srcu = srcu_of(s, o->addr - completion + head, &listed)))
		srcu_describe(s, o, srcu, listed);
	return true;
}
