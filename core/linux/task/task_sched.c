/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scheduler noted of a task: its policy, its times, when it last ran. */
#include <limits.h>
#include <strings.h>

#include "core/base/number.h"
#include "core/linux/task/task_impl.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

enum {
	SCHED_POLICY,
	SCHED_ARRIVAL,
	SCHED_START,
	SCHED_UTIME,
	SCHED_STIME,
	SCHED_FIELDS
};
static const struct shape_field sched_fields[SCHED_FIELDS] = {
	[SCHED_POLICY] = FIELD("policy"),
	[SCHED_ARRIVAL] = FIELD_MAYBE("sched_info.last_arrival"), /* CONFIG_SCHED_INFO */
	/* cf25e24db61c (v5.5) */
	[SCHED_START] = FIELD_ALT("start_boottime", "real_start_time"),
	[SCHED_UTIME] = FIELD("utime"), /* nanoseconds since 5613fda9a503 (v4.11) */
	[SCHED_STIME] = FIELD("stime"),
};
static const struct shape sched_shape = SHAPE("struct task_struct", sched_fields);

/* What this kernel has not is unknown, and told; what cannot be read is an error. */
static bool known(const struct shaped *s, unsigned field, uint64_t *ret, struct err *err)
{
	*ret = UINT64_MAX;
	if (shaped_u64(s, field, ret, err))
		return true;
	if (err->code != ERR_NOFIELD)
		return false;
	shaped_missed(s, field, err);
	return true;
}

bool task_sched(struct target *t, const struct task *task, struct task_sched *ret, struct err *err)
{
	uint64_t rq, policy;
	struct err why;
	struct shaped s;

	*ret = (struct task_sched){ UINT_MAX,   UINT64_MAX, UINT64_MAX,
				    UINT64_MAX, UINT64_MAX, UINT64_MAX };
	if (!shape_read(t, &sched_shape, task->addr, &s, err) ||
	    !known(&s, SCHED_POLICY, &policy, err) ||
	    !known(&s, SCHED_ARRIVAL, &ret->last_run, err) ||
	    !known(&s, SCHED_START, &ret->start, err) ||
	    !known(&s, SCHED_UTIME, &ret->utime, err) || !known(&s, SCHED_STIME, &ret->stime, err))
		return err_wrap(err, "task 0x%llx", (unsigned long long)task->addr);
	ret->policy = (unsigned)policy;
	if (task->cpu < 0)
		return true;
	if (percpu_addr(t, "runqueues", (unsigned)task->cpu, &rq, &why))
		ret->clock = field_u64_or(t, "struct rq", rq, "clock", UINT64_MAX);
	else
		target_lacks(t, &why);
	return true;
}

unsigned sched_policy(const char *name)
{
	/* include/uapi/linux/sched.h, an ABI */
	static const char *const names[] = { "NORMAL", "FIFO", "RR",       "BATCH",
					     "ISO",    "IDLE", "DEADLINE", "EXT" };
	uint64_t n;

	if (!strncasecmp(name, "SCHED_", 6))
		name += 6;
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcasecmp(name, names[i]))
			return i;
	return number_parse(name, 10, &n) && n <= 64 ? (unsigned)n : UINT_MAX;
}
