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
/* Sets *ret to the n modules that were loaded. When the list is broken, or a module cannot be read,
 * *ret has the others, and the person is warned. */
bool modules_all(struct target *t, const struct kmodule **ret, size_t *n,
		 struct err *err) MUST_CHECK;
/* Did modules_all() find all of them? False: *err says why it did not. */
bool modules_complete(struct target *t, struct err *err) MUST_CHECK;
/* Finds a variable of `module`, which a kernel may have built in. ERR_NOTFOUND: it has not, and the
 * module is not loaded; any other code does not say that there is none. */
bool module_symbol(struct target *t, const char *name, const char *module, struct symbol *ret,
		   struct err *err) MUST_CHECK;
/* Sets *ret to the module whose memory addr lies in. False: it lies in none. */
bool module_at(struct target *t, uint64_t addr, const struct kmodule **ret);
/* Sets *lo and *hi to where the addresses of a module's per-CPU variables begin and end, before a
 * CPU's offset is added. */
bool module_percpu(struct target *t, const char *module, uint64_t *lo, uint64_t *hi);

/* ---- module_param.c */
struct module_param {
	uint64_t addr;     /* of the variable, or of what tells where it is */
	const char *name;  /* of one that is built in with its prefix: "printk.time" */
	const char *kind;  /* "int", "bool", "charp", "array of int"; NULL: a kind of its own */
	const char *value; /* as the file in /sys/module prints it; NULL: see why and freed */
	uint64_t perm;     /* of that file; 0: there is none */
	bool freed;        /* the variable was of the start alone, and is no more */
	struct err why;    /* ERR_OK: only a function of its own could print it, or it was freed */
};
/* Calls fn for each parameter of a module, or with m NULL for those of what is built in, until fn
 * returns false. Text lives in the arena. flaw() is told what cannot be read. */
bool module_params_each(struct target *t, struct arena *a, const struct kmodule *m,
			bool (*fn)(const struct module_param *p, void *arg),
			void (*flaw)(const struct err *e, void *arg), void *arg,
			struct err *err) MUST_CHECK;

#endif
