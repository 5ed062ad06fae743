/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of hist triggers as records, and as the kernel's hist files have them. */
#ifndef OBIT_HIST_RECORD_H
#define OBIT_HIST_RECORD_H

#include "core/linux/trace/hist.h"
#include "core/shell/command.h"

extern const struct record_kind hist_table_kind, hist_entry_kind;

/* A table: its trigger, its entries, its totals. Text is the hist file's, line for line. */
void emit_hist(struct ctx *c, const struct hist_table *h, bool first);

#endif
