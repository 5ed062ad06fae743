/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each CPU was doing: for how long it ran one task, whether ticks came, who stopped it. */
#include <string.h>

#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"

#define THRESHOLD_DEFAULT 10u /* seconds */
#define THRESHOLD_MAX 60u
#define SECOND UINT64_C(1000000000)

/* After how long without a tick the kernel's own watchdog calls a CPU locked up. */
static uint64_t watchdog_threshold(struct target *t)
{
	struct err ignored;
	uint32_t seconds;
	uint64_t at;

	if (!symbol_addr(t, "watchdog_thresh", &at) || !mem_u32(t, at, &seconds, &ignored) ||
	    !seconds || seconds > THRESHOLD_MAX)
		seconds = THRESHOLD_DEFAULT;
	return seconds * SECOND;
}

const struct wait_cpu_state *wait_cpu_states(struct wait_graph *g, size_t *n)
{
	const struct wait_impl *impl = g->impl;
	struct wait_cpu_state *ret =
		ARENA_ARRAY(g->t->scratch, struct wait_cpu_state, impl->cpus.n + 1);
	const uint64_t threshold = watchdog_threshold(g->t);

	*n = impl->cpus.n;
	for (size_t i = 0; i < *n; i++) {
		const struct wait_cpu *cpu = &impl->cpus.p[i];
		struct wait_cpu_state *s = &ret[i];

		*s = (struct wait_cpu_state){ .cpu = cpu->cpu,
					      .task = cpu->task,
					      .online = cpu_is_online(g->t, cpu->cpu),
					      .stopped = cpu->stopped,
					      .user = cpu->user,
					      .ran = UINT64_MAX,
					      .silent = UINT64_MAX };
		if (!cpu->task->pid)
			continue; /* an idle CPU gets no ticks, and may be so for ever */
		s->ran = wait_ran(g, cpu->task);
		s->silent = wait_silent(g, cpu->cpu);
		/* Who was halted gets no ticks since. Else it is as the kernel's watchdog has it: a
		 * task in its program does not keep others away. */
		if (s->stopped)
			continue;
		if (s->silent != UINT64_MAX && s->silent >= threshold)
			s->lockup = "hard";
		else if (!s->user && s->ran != UINT64_MAX && s->ran >= 2 * threshold)
			s->lockup = "soft";
	}
	return ret;
}
