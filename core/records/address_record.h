/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of what is at an address, the same in every command that tells. */
#ifndef OBIT_ADDRESS_RECORD_H
#define OBIT_ADDRESS_RECORD_H

#include "core/linux/memory/address.h"
#include "core/shell/command.h"

extern const struct record_kind place_kind;

/* Appends all that is known of the place, in words. */
void place_text(struct buf *b, struct target *t, const struct address_place *p);
/* Emits a record for each thing that is at the address: a symbol, a stack, a page, a slab's object.
 */
void emit_address(struct ctx *c, uint64_t addr);

#endif
