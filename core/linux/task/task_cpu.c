/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which task each CPU ran at the crash, and which one panicked. */
#include "core/linux/task/task_impl.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/misc/system.h"
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

bool task_on_cpu(struct target *t, unsigned cpu, const struct task **ret, struct err *err)
{
	uint64_t addr;

	return task_curr(t, cpu, &addr, err) && task_by_addr(t, addr, ret, err);
}

/* ---- who panicked */

/* A CPU number the kernel wrote when it panicked; false: it has no such variable, or wrote none. */
static bool panic_cpu(struct target *t, const char *symbol, unsigned *ret, struct err *err)
{
	uint64_t addr;
	uint32_t cpu;
	unsigned n;

	if (!symbol_addr(t, symbol, &addr))
		return err_set(err, ERR_NOSYM, "no symbol '%s'", symbol);
	if (!mem_u32(t, addr, &cpu, err))
		return err_wrap(err, "'%s'", symbol);
	if (cpu == UINT32_MAX)
		return err_set(err, ERR_NOTFOUND, "the kernel did not panic: '%s' is -1", symbol);
	if (!cpus_count(t, &n, err))
		return false;
	if (cpu >= n)
		return err_set(err, ERR_CORRUPT, "'%s' is %u, and there are %u CPUs", symbol, cpu,
			       n);
	*ret = cpu;
	return true;
}

static bool panic_by_log(struct target *t, const struct task **ret, struct err *err)
{
	struct last_words w;

	if (!last_words_read(t, &w, err))
		return false;
	if (!w.has_task || w.pid < 0)
		return err_set(err, ERR_NOTFOUND, "the log names no task that panicked");
	if (w.pid == 0) /* a task of each CPU */
		return task_on_cpu(t, (unsigned)w.cpu, ret, err);
	return task_by_pid(t, w.pid, ret, err);
}

static bool panic_find(struct target *t, struct task_state *st, struct err *err)
{
	static const char *const symbols[] = { "panic_cpu", "crashing_cpu" };
	struct err later;
	unsigned cpu = 0;

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		struct err *e = i ? &later : err;

		st->panic_how = symbols[i];
		if (panic_cpu(t, symbols[i], &cpu, e) && task_on_cpu(t, cpu, &st->panic, e))
			return true;
		/* the kernel says that it did not panic: nothing below may guess otherwise */
		if (i == 0 && e->code == ERR_NOTFOUND)
			return false;
	}
	st->panic_how = "log";
	return panic_by_log(t, &st->panic, &later);
}

bool task_panic(struct target *t, const struct task **ret, const char **how, struct err *err)
{
	struct task_state *st = task_state(t);

	if (!st->panic_tried) {
		st->panic_ok = panic_find(t, st, &st->panic_err);
		st->panic_tried = st->panic_ok || st->panic_err.code != ERR_INTR;
	}
	if (!st->panic_ok) {
		*err = st->panic_err;
		return err_wrap(err, "panic task");
	}
	*ret = st->panic;
	*how = st->panic_how;
	return true;
}
