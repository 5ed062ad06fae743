/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules as the kernel lists them. */
#ifndef OBIT_MODULE_H
#define OBIT_MODULE_H

#include "core/image/target.h"

struct kmodule {
	uint64_t addr; /* struct module */
	const char *name;
	uint64_t base, size; /* text (core) area, and the whole size as /proc/modules counts it */
	uint64_t text_base, text_size;
	int64_t refcnt;
	uint64_t taints;
	const char *taint_text; /* "(OE)" letters, "" when clean */
	const char *state;      /* "Live", "Loading", "Unloading" */
	uint64_t parts[8]
		      [2]; /* address and size of each memory area: core, init, data, rodata, ... */
	size_t n_parts;
};
/* Sets *ret to the n modules that were loaded. */
bool modules_all(struct target *t, const struct kmodule **ret, size_t *n,
		 struct err *err) MUST_CHECK;
/* Sets *ret to the module whose memory addr lies in. False: it lies in none. */
bool module_at(struct target *t, uint64_t addr, const struct kmodule **ret);
/* Sets *lo and *hi to where the addresses of a module's per-CPU variables begin and end, before a
 * CPU's offset is added. */
bool module_percpu(struct target *t, const char *module, uint64_t *lo, uint64_t *hi);

#endif
