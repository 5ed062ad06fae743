/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of an entry of a page table. */
#ifndef OBIT_ENTRY_RECORD_H
#define OBIT_ENTRY_RECORD_H

#include "core/arch/table.h"
#include "core/shell/command.h"

extern const struct record_kind table_entry_kind;

/* An entry that a translation by these tables read. A step->at of 0 stands for an entry that
 * somebody typed. */
void emit_table_entry(struct ctx *c, const struct mmu *mmu, const struct table_step *step);

#endif
