/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task that a CPU ran at the crash, and the one that panicked. */
#include "core/linux/task/task_impl.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/misc/system.h"

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
