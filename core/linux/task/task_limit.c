/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resource limits: signal_struct.rlim, in the order of include/uapi/asm-generic/resource.h. */
#include <stdio.h>

#include "core/linux/memory/user.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

static const char *const names[TASK_LIMITS] = {
	"CPU",     "FSIZE", "DATA",  "STACK",      "CORE",     "RSS",  "NPROC",  "NOFILE",
	"MEMLOCK", "AS",    "LOCKS", "SIGPENDING", "MSGQUEUE", "NICE", "RTPRIO", "RTTIME",
};

const char *task_limit_name(unsigned i)
{
	return names[i];
}

bool task_limits(struct target *t, const struct task *task, struct task_limit ret[TASK_LIMITS],
		 struct err *err)
{
	uint64_t signal, none = t->arch->word == 4 ? UINT32_MAX : UINT64_MAX;

	if (!field_u64(t, "struct task_struct", task->addr, "signal", &signal, err))
		return err_wrap(err, "limits of task %d", task->pid);
	if (!signal)
		return err_set(err, ERR_NOTFOUND, "task %d has no limits: it is dead", task->pid);
	for (unsigned i = 0; i < TASK_LIMITS; i++) {
		char cur[32], max[32];

		snprintf(cur, sizeof(cur), "rlim[%u].rlim_cur", i);
		snprintf(max, sizeof(max), "rlim[%u].rlim_max", i);
		if (!field_u64(t, "struct signal_struct", signal, cur, &ret[i].cur, err) ||
		    !field_u64(t, "struct signal_struct", signal, max, &ret[i].max, err))
			return err_wrap(err, "limits of task %d", task->pid);
		ret[i].cur_none = ret[i].cur == none;
		ret[i].max_none = ret[i].max == none;
	}
	return true;
}
