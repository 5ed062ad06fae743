/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subsystem's own variables, and the strings that its structs point to. */
#ifndef OBIT_SUBSYSTEM_H
#define OBIT_SUBSYSTEM_H

#include "core/image/target.h"

/* The address of a subsystem's own variable; `what` is for the message. */
bool subsystem_symbol(struct target *t, const char *symbol, const char *what, uint64_t *ret,
		      struct err *err) MUST_CHECK;
/* The string that a member (path, with alternatives as field_u64()) points to. *ret NULL: none. */
bool subsystem_text(struct target *t, const char *type, uint64_t addr, const char *path,
		    const char **ret, struct err *err) MUST_CHECK;

#endif
