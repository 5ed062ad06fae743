/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over struct list_head; other containers are walked by walk.h. */
#ifndef OBIT_LIST_H
#define OBIT_LIST_H

#include "core/image/target.h"

/* Calls fn with the address of each containing struct (node - member_off) after head. fn returns
 * false to stop early. An error ends the walk and is returned; what was visited stays visited. */
bool list_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
	       bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;
/* The same from the last entry to the first: for what lies behind a break. */
bool list_each_back(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		    bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;

#endif
