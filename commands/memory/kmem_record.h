/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of kmem's small tables: per-CPU offsets, huge pages, flags of pages.
 */
#ifndef OBIT_KMEM_RECORD_H
#define OBIT_KMEM_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind percpu_offset_kind, hugepage_kind, page_flag_kind;

/* What is to be added to the address of a per-CPU variable to have that of each CPU. */
bool emit_percpu_offsets(struct ctx *c, struct err *err) MUST_CHECK;
/* The sizes of huge pages that hugetlbfs has, and how many of each there are. */
bool emit_hugepages(struct ctx *c, struct err *err) MUST_CHECK;
/* The flags of struct pages: all, or with operands those that are set in each number. */
bool emit_page_flags(struct ctx *c, struct err *err) MUST_CHECK;

#endif
