/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about modules share with each other. */
#ifndef OBIT_MODULE_IMPL_H
#define OBIT_MODULE_IMPL_H

#include "core/image/target.h"
#include "core/linux/module/module.h"

#define MODULES_MAX 65536

struct found_module {
	struct kmodule m;
	uint64_t kallsyms; /* struct mod_kallsyms; 0: none */
	uint64_t percpu, percpu_size;
	const struct loaded_module *loaded; /* NULL: nobody asked yet */
};

struct module_btf {
	const char *name;
	uint64_t addr, size;
};

struct module_state {
	bool tried, ok;
	struct err err;  /* why they cannot be listed */
	struct err flaw; /* why not all of them are; code ERR_OK: all are */
	VEC(struct found_module) found;
	unsigned warned; /* modules that could not be read */
	struct map seen; /* struct module */
	struct kmodule *all;
	struct module_extent *extents;

	bool btf_tried;
	VEC(struct module_btf) btfs;

	bool mem_tried;
	unsigned mem_n; /* elements of module.mem[]; 0: this kernel has layouts */
	uint64_t mem_off, mem_stride, mem_base, mem_size;
};

struct module_state *module_state(struct target *t);
/* struct module_hooks.btf */
bool linux_module_btf(struct target *t, size_t i, const char **name, uint64_t *addr,
		      uint64_t *size);

#endif
