/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BTF of modules, which goes on where that of the kernel ends. */
#ifndef OBIT_BTF_H
#define OBIT_BTF_H

#include "core/image/target.h"

/* A source of a module's types, which is loaded when it is first asked: from blob, which must live
 * as long as the target, or, when blob is empty, from n bytes of the dump's memory at addr. It is
 * not added to the target's sources. */
struct type_source *btf_of_module(struct target *t, const char *module, struct span blob,
				  uint64_t addr, uint64_t n);

#endif
