/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All checks in their order: what explains a standstill best stands first. */
#include "core/verdict/check.h"

extern const struct checkup check_oops, check_deadlock, check_timers, check_cpus, check_ipi,
	check_runq, check_io, check_rcu, check_workqueues, check_hung, check_memory, check_stacks,
	check_hardware, check_warnings, check_devices, check_modules, check_dump, check_fs,
	check_net, check_irqs, check_taints, check_fragments, check_promises, check_kills,
	check_trace, check_slab, check_freed, check_limits, check_swap, check_raid, check_tree,
	check_thermal;

const struct checkup *const checks[] = {
	&check_deadlock, &check_oops,   &check_timers,     &check_cpus,
	&check_ipi,      &check_runq,   &check_io,         &check_fs,
	&check_raid,     &check_rcu,    &check_workqueues, &check_hung,
	&check_net,      &check_irqs,   &check_memory,     &check_slab,
	&check_swap,     &check_kills,  &check_fragments,  &check_promises,
	&check_limits,   &check_stacks, &check_hardware,   &check_thermal,
	&check_warnings, &check_freed,  &check_devices,    &check_tree,
	&check_modules,  &check_taints, &check_trace,      &check_walks,
	&check_dump,     NULL,
};
