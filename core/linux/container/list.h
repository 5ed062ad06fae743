/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over struct list_head; other containers are walked by walk.h. */
#ifndef OBIT_LIST_H
#define OBIT_LIST_H

#include "core/image/target.h"

/* Walks a struct list_head from the one at head on. Calls fn with the address of each struct that
 * holds an entry (the entry's address minus member_off), until fn returns false. `what` names the
 * list in messages. An error ends the walk; fn was called for all entries before it. */
bool list_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
	       bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;
/* The same from the last entry to the first, for entries behind a break of the list. */
bool list_each_back(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		    bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;

#endif
