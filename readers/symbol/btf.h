/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BTF of modules, which goes on where that of the kernel ends. */
#ifndef OBIT_BTF_H
#define OBIT_BTF_H

#include "core/image/target.h"

/* A source that is loaded on first use, from bytes that outlive the target, or with an empty span
 * from n bytes of the dump's memory. It is not among the target's sources. */
struct type_source *btf_of_module(struct target *t, const char *module, struct span blob,
				  uint64_t addr, uint64_t n);

#endif
