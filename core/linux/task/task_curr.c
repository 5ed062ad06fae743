/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which task_struct each CPU ran, by its runqueue and by its own note. */
#include "core/linux/task/cpu.h"
#include "core/linux/task/task_impl.h"
#include "core/types/shape.h"

/* The architecture's own note of who runs; false when it has none that can be read. */
static bool arch_curr(struct target *t, unsigned cpu, const char **name, uint64_t *ret)
{
	struct err ignored;
	uint64_t addr, off, member;

	if (!percpu_offset(t, cpu, &off, &ignored))
		return false;
	*name = "current_task";
	if (symbol_addr(t, "current_task", &addr))
		return mem_ptr(t, addr + off, ret, &ignored);
	*name = "pcpu_hot.current_task"; /* e57ef2ed97c1 (v6.2), gone again in v6.15 */
	if (symbol_addr(t, "pcpu_hot", &addr))
		return field_offset(t, "struct pcpu_hot", "current_task", &member, &ignored) &&
		       mem_ptr(t, addr + off + member, ret, &ignored);
	*name = "__entry_task"; /* arm64 */
	return symbol_addr(t, "__entry_task", &addr) && mem_ptr(t, addr + off, ret, &ignored);
}

static bool rq_curr(struct target *t, unsigned cpu, uint64_t *ret, struct err *err)
{
	uint64_t rq;

	return percpu_addr(t, "runqueues", cpu, &rq, err) &&
	       field_u64(t, "struct rq", rq, "curr", ret, err);
}

bool task_curr(struct target *t, unsigned cpu, uint64_t *ret, struct err *err)
{
	struct task_state *st = task_state(t);
	uint64_t *hit = map_get(&st->curr, cpu), curr, own;
	const char *name;
	bool has_own;

	if (hit) {
		*ret = *hit;
		return true;
	}
	has_own = arch_curr(t, cpu, &name, &own) && own;
	if (!rq_curr(t, cpu, &curr, err)) {
		if (!has_own)
			return err_wrap(err, "running task of CPU %u", cpu);
		curr = own;
	} else if (has_own && own != curr) {
		target_warn(t, ERR_CORRUPT,
			    "CPU %u: its runqueue runs task 0x%llx, its %s is 0x%llx", cpu,
			    (unsigned long long)curr, name, (unsigned long long)own);
	}
	if (!curr)
		return err_set(err, ERR_NOTFOUND, "running task of CPU %u: there is none", cpu);
	*map_put(&st->curr, cpu, NULL) = curr;
	*ret = curr;
	return true;
}
