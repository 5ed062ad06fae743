/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a file is in memory, as records. */
#ifndef OBIT_PAGE_CACHE_RECORD_H
#define OBIT_PAGE_CACHE_RECORD_H

#include "core/linux/fs/vfs.h"
#include "core/shell/command.h"

extern const struct record_kind cached_file_kind, cached_page_kind;

/* An open file, and how many pages of it are in memory. */
void emit_cached_file(struct ctx *c, int pid, const struct vfs_open *f);
/* Each page of an inode that is in memory, by its struct page; one that was swapped out or evicted
 * says so. */
bool emit_cached_pages(struct ctx *c, uint64_t inode, struct err *err) MUST_CHECK;

#endif
