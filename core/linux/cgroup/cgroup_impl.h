/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of control groups share: the controllers' own structs. */
#ifndef OBIT_CGROUP_IMPL_H
#define OBIT_CGROUP_IMPL_H

#include "core/linux/cgroup/cgroup.h"

/* Reads what a controller keeps of g; css is the address of its struct cgroup_subsys_state. What
 * cannot be read sets g->why. */
void cgroup_memory_read(struct target *t, struct arena *a, uint64_t css, struct cgroup *g);
void cgroup_pids_read(struct target *t, uint64_t css, struct cgroup *g);
void cgroup_freezer_read(struct target *t, uint64_t css, struct cgroup *g);
/* Keeps the first reason why something of g is not known. */
void cgroup_unknown(struct cgroup *g, const struct err *why);

#endif
