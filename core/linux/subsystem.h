/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subsystem's own variables, and the strings that its structs point to. */
#ifndef OBIT_SUBSYSTEM_H
#define OBIT_SUBSYSTEM_H

#include "core/image/target.h"

/* Sets *ret to the address of a variable of a subsystem. `what` names the subsystem in the message.
 */
bool subsystem_symbol(struct target *t, const char *symbol, const char *what, uint64_t *ret,
		      struct err *err) MUST_CHECK;
/* Sets *ret to the string that a member of the struct at addr points to; path is as field_u64() has
 * it. *ret NULL: the member is NULL. */
bool subsystem_text(struct target *t, const char *type, uint64_t addr, const char *path,
		    const char **ret, struct err *err) MUST_CHECK;

#endif
