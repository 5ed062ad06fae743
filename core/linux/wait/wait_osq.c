/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs that spin for a mutex or an rw_semaphore while its owner runs: they queue up by themselves,
 * and are in no list of waiters. */
#include <string.h>

#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* Nodes are never cleared, so that only those are believed that a lock's last one leads to, from
 * the last to the first, and that lead back. */
static bool osq_waits(const struct wait_stack *s, uint32_t tail)
{
	struct target *t = s->g->t;
	uint64_t own, node, prev, next;
	struct err ignored;
	unsigned n;

	if (!tail || !cpus_count(t, &n, &ignored) || tail > n ||
	    !percpu_addr(t, "osq_node", s->cpu, &own, &ignored) ||
	    !percpu_addr(t, "osq_node", tail - 1, &node, &ignored))
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (node == own)
			return true;
		if (!field_u64(t, "struct optimistic_spin_node", node, "prev", &prev, &ignored) ||
		    !prev ||
		    !field_u64(t, "struct optimistic_spin_node", prev, "next", &next, &ignored) ||
		    next != node)
			return false;
		node = prev;
	}
	return false;
}

static bool osq_fits(const struct wait_stack *s, const char *type, const char *owner, uint64_t addr)
{
	struct err ignored;
	uint64_t tail, word;

	return !(addr & (s->g->t->arch->word - 1)) &&
	       field_u64(s->g->t, type, addr, "osq.tail.counter", &tail, &ignored) &&
	       osq_waits(s, (uint32_t)tail) &&
	       field_u64(s->g->t, type, addr, owner, &word, &ignored) &&
	       (!(word & ~UINT64_C(7)) || wait_task(s->g, word & ~UINT64_C(7)));
}

static bool mutex_spun(const struct wait_stack *s, uint64_t addr, bool reg)
{
	(void)reg;
	return osq_fits(s, "struct mutex", "owner.counter", addr);
}

static bool rwsem_spun(const struct wait_stack *s, uint64_t addr, bool reg)
{
	(void)reg;
	return osq_fits(s, "struct rw_semaphore", "owner.counter", addr);
}

static bool osq_find(const struct wait_stack *s, struct wait_found *ret)
{
	static const char *const rwsems[] = { "rwsem_", NULL };
	size_t frame, n;
	bool rwsem = wait_has_frame(s, rwsems, &frame);

	ret->object.type = rwsem ? "rwsem" : "mutex";
	ret->object.addr = wait_frame_address(s, rwsem ? rwsem_spun : mutex_spun, &n);
	if (rwsem)
		ret->edge.mode = "write";
	if (ret->object.addr)
		ret->edge.by = n == 1 ? WAIT_BY_RING : WAIT_BY_CANDIDATE;
	else
		ret->edge.flaw = "it spins, but for what is in none of its registers and frames";
	return true;
}

static void osq_describe(const struct wait_stack *s, struct wait_object *o)
{
	(strcmp(o->type, "mutex") ? wait_rwsem : wait_mutex).describe(s, o);
}

static const char *const osq_functions[] = { "mutex_spin_on_owner", "rwsem_spin_on_owner",
					     "rwsem_optimistic_spin", "osq_lock", NULL };
const struct wait_kind wait_osq = { osq_functions, osq_find, osq_describe };
