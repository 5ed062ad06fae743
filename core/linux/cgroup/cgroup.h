/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control groups: the trees of them, and what each has of memory and tasks. */
#ifndef OBIT_CGROUP_H
#define OBIT_CGROUP_H

#include "core/image/target.h"

/* A number that the kernel sets no limit to, or does not count here. */
#define CGROUP_NONE UINT64_MAX

struct cgroup_event {
	const char *name; /* the kernel's constant in small letters: "oom_kill" */
	uint64_t n;
};
#define CGROUP_EVENTS_MAX 16u

/* What the memory controller counts: bytes. */
struct cgroup_memory {
	uint64_t addr; /* struct mem_cgroup; 0: no such controller here, and nothing else is set */
	uint64_t current, max, high, low, min, peak;
	uint64_t swap, swap_max; /* of version 1 memory and swap together */
	struct cgroup_event events[CGROUP_EVENTS_MAX];
	size_t n_events;
};
/* What the pids controller counts. */
struct cgroup_pids {
	uint64_t addr;         /* struct pids_cgroup; 0: no such controller here */
	uint64_t current, max; /* tasks */
};

struct cgroup {
	uint64_t addr;         /* struct cgroup */
	const char *hierarchy; /* "v2", or of version 1 its controllers and name: "cpu,cpuacct" */
	bool v2;
	const char *path; /* from the hierarchy's root on: "/yard/bed" */
	unsigned level;   /* 0: the root */
	uint64_t tasks;   /* threads that are in this group itself */
	bool removed;     /* its folder was removed, and something still holds it */
	bool populated;   /* a task is in it or below it */
	bool frozen;
	struct cgroup_memory memory;
	struct cgroup_pids pids;
	struct err why; /* why something of it is not known; ERR_OK: all is */
};
/* Calls fn for each control group, a parent before its children, one hierarchy after the other,
 * until fn returns false. Strings live in the arena. flaw() is told of what is broken: a group that
 * is in the tree twice, or a list that does not end. False: there are none, or Ctrl-C. */
bool cgroups_each(struct target *t, struct arena *a, bool (*fn)(const struct cgroup *g, void *arg),
		  void (*flaw)(const struct err *e, void *arg), void *arg,
		  struct err *err) MUST_CHECK;
/* Calls fn with the address of each css_set that the group is in: the tasks whose `cgroups` is one
 * of them are in the group. */
bool cgroup_sets(struct target *t, uint64_t cgroup, bool (*fn)(uint64_t set, void *arg), void *arg,
		 struct err *err) MUST_CHECK;

#endif
