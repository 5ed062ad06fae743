/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many task numbers, tasks and open files there were, and how many there may be. */
#include "core/linux/misc/limits.h"

#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

/* kernel/pid.c: once the numbers have all been given out, those below this one are not given out
 * again. */
#define RESERVED_PIDS 300u
/* kernel/pid.c: says that more may be added, and is none of the count */
#define PIDNS_ADDING (1u << 31)

static bool int_at(struct target *t, const char *symbol, uint64_t *ret, struct err *err)
{
	uint64_t at;
	uint32_t n;

	if (!symbol_addr(t, symbol, &at))
		return err_set(err, ERR_NOSYM, "no symbol '%s'", symbol);
	if (!mem_u32(t, at, &n, err))
		return err_wrap(err, "'%s'", symbol);
	*ret = n;
	return true;
}

static bool pids(struct target *t, struct limit_use *l, struct err *err)
{
	static const char type[] = "struct pid_namespace";
	struct err ignored;
	uint64_t ns, n;

	if (!symbol_addr(t, "init_pid_ns", &ns))
		return err_set(err, ERR_NOSYM, "no symbol 'init_pid_ns'");
	if (!field_u64(t, type, ns, "pid_allocated", &n, err))
		return false;
	l->used = n & ~(uint64_t)PIDNS_ADDING;
	l->reserve = RESERVED_PIDS;
	/* each namespace has its own since v6.14 */
	return field_u64(t, type, ns, "pid_max", &l->most, &ignored) ||
	       int_at(t, "pid_max", &l->most, err);
}

static bool threads(struct target *t, struct limit_use *l, struct err *err)
{
	return int_at(t, "nr_threads", &l->used, err) && int_at(t, "max_threads", &l->most, err);
}

static bool files(struct target *t, struct limit_use *l, struct err *err)
{
	uint64_t counter, stat;
	int64_t n;

	if (!symbol_addr(t, "nr_files", &counter) || !symbol_addr(t, "files_stat", &stat))
		return err_set(err, ERR_NOSYM, "no symbol 'nr_files' or 'files_stat'");
	if (!percpu_counter_sum(t, counter, &n, err) ||
	    !field_u64(t, "struct files_stat_struct", stat, "max_files", &l->most, err))
		return false;
	l->used = n > 0 ? (uint64_t)n : 0;
	return true;
}

void limits_read(struct target *t, struct limit_use ret[LIMITS])
{
	static const struct {
		const char *what, *setting;
		bool (*read)(struct target *t, struct limit_use *l, struct err *err);
	} all[LIMITS] = {
		[LIMIT_PIDS] = { "task numbers", "kernel.pid_max", pids },
		[LIMIT_THREADS] = { "tasks", "kernel.threads-max", threads },
		[LIMIT_FILES] = { "open files", "fs.file-max", files },
	};

	for (unsigned i = 0; i < LIMITS; i++) {
		struct limit_use *l = &ret[i];
		struct err err;

		*l = (struct limit_use){ .limit = (enum limit)i,
					 .what = all[i].what,
					 .setting = all[i].setting };
		l->why.code = ERR_OK;
		if (!all[i].read(t, l, &err)) {
			err_wrap(&err, "%s", all[i].what);
			l->why = err;
		} else if (!l->most) {
			err_set(&l->why, ERR_CORRUPT, "%s: a limit of none at all", all[i].what);
		}
	}
}
