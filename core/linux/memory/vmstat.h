/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of /proc/vmstat: of zones, of nodes, and of events. */
#ifndef OBIT_VMSTAT_H
#define OBIT_VMSTAT_H

#include "core/image/target.h"

enum vmstat_group {
	VMSTAT_ZONE,  /* vm_zone_stat */
	VMSTAT_NUMA,  /* where memory was taken from; a kernel without NUMA has none */
	VMSTAT_NODE,  /* vm_node_stat */
	VMSTAT_OTHER, /* neither: pages that the kernel keeps for struct pages */
	VMSTAT_EVENT, /* vm_event_states, the sum of all CPUs */
	VMSTAT_GROUPS
};
struct vmstat {
	enum vmstat_group group;
	const char *name; /* as in /proc/vmstat: "nr_free_pages"; in the scratch arena */
	const char *item; /* the kernel's constant for it: "NR_FREE_PAGES" */
	uint64_t value;   /* as in /proc/vmstat: pages, kB or how often, as the name says */
};
/* "zone", "numa", "node", "other", "event" */
const char *vmstat_group_name(enum vmstat_group group);
/* Calls fn for each counter in the order of /proc/vmstat, until fn returns false. The two limits
 * that the kernel computes when it is asked, nr_dirty_threshold and nr_dirty_background_threshold,
 * are not among them. flaw() is told which cannot be read. False: there are none at all, or Ctrl-C.
 */
bool vmstat_each(struct target *t, bool (*fn)(const struct vmstat *v, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
/* Sets *ret to a counter of zones or nodes as the kernel keeps it, by its constant; it is 0 when
 * CPUs that took more than they gave have not all said so yet. ERR_NOTFOUND: this kernel does not
 * count it. */
bool vmstat_item(struct target *t, enum vmstat_group group, const char *item, uint64_t *ret,
		 struct err *err) MUST_CHECK;
/* How many pages a transparent huge page has. */
uint64_t huge_page_pages(const struct target *t);

#endif
