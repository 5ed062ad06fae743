/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a file is in memory: the entries of its struct address_space. */
#include "commands/fs/page_cache_record.h"
#include "core/types/shape.h"

#include "core/linux/memory/struct_page.h"
#include "core/linux/container/walk.h"
#include "core/records/device_record.h"

enum {
	FILE_PID,
	FILE_FD,
	FILE_INODE,
	FILE_MAPPING,
	FILE_PAGES,
	FILE_TYPE,
	FILE_PATH
};
static const struct record_field file_fields[] = {
	[FILE_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[FILE_FD] = { "fd", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[FILE_INODE] = { "inode", NULL, CELL_ADDR, 0, "address of its struct inode" },
	[FILE_MAPPING] = { "mapping", "I_MAPPING", CELL_ADDR, 0,
			   "address of its struct address_space" },
	[FILE_PAGES] = { "pages", "NRPAGES", CELL_UINT, FIELD_RIGHT, "pages of it in memory" },
	[FILE_TYPE] = { "type", NULL, CELL_STR, 0, "REG, DIR, CHR, BLK, FIFO, SOCK, LNK, UNKN" },
	[FILE_PATH] = { "path", NULL, CELL_STR, 0, "as /proc/PID/fd had it" },
};
const struct record_kind cached_file_kind = {
	"cached_file", "an open file, and what of it is in memory (files -c)",
	LAYOUT_TABLE,  NULL,
	file_fields,   ARRAY_SIZE(file_fields)
};

void emit_cached_file(struct ctx *c, int pid, const struct vfs_open *f)
{
	uint64_t mapping, pages;
	struct record r;
	struct err why;

	record_init(&r, &cached_file_kind);
	record_int(&r, FILE_PID, pid);
	record_uint(&r, FILE_FD, f->fd);
	record_str(&r, FILE_TYPE, f->type);
	record_str(&r, FILE_PATH, f->path);
	if (f->inode) {
		record_uint(&r, FILE_INODE, f->inode);
		if (!field_u64(c->t, "struct inode", f->inode, "i_mapping", &mapping, &why) ||
		    !field_u64(c->t, "struct address_space", mapping, "nrpages", &pages, &why)) {
			note(c, &why);
		} else {
			record_uint(&r, FILE_MAPPING, mapping);
			record_uint(&r, FILE_PAGES, pages);
		}
	}
	emit(c, &r);
}

enum {
	PAGE_INDEX,
	PAGE_COUNT,
	PAGE_ADDR,
	PAGE_PHYSICAL,
	PAGE_ENTRY,
	PAGE_FLAGS
};
static const struct record_field page_fields[] = {
	[PAGE_INDEX] = { "index", NULL, CELL_UINT, FIELD_RIGHT, "page of the file, from 0" },
	[PAGE_COUNT] = { "pages", NULL, CELL_UINT, FIELD_RIGHT, "how many from there on" },
	[PAGE_ADDR] = { "page", NULL, CELL_ADDR, 0, "struct page of the first; null: not in RAM" },
	[PAGE_PHYSICAL] = { "physical", NULL, CELL_HEX, FIELD_RIGHT, "where it is" },
	[PAGE_ENTRY] = { "entry", NULL, CELL_HEX, FIELD_JSON,
			 "what the kernel remembers of a page that is not in RAM" },
	[PAGE_FLAGS] = { "flags", NULL, CELL_STR, 0, "of the page, by the kernel's names" },
};
const struct record_kind cached_page_kind = { "cached_page", "a page of a file (files -p)",
					      LAYOUT_TABLE,  NULL,
					      page_fields,   ARRAY_SIZE(page_fields) };

static bool entry_show(const struct walk_entry *e, void *arg)
{
	struct ctx *c = arg;
	struct page page;
	struct record r;
	struct err why;

	record_init(&r, &cached_page_kind);
	record_uint(&r, PAGE_INDEX, e->first);
	record_uint(&r, PAGE_COUNT, e->last - e->first + 1);
	if (e->entry & 1) { /* workingset_eviction(), or where shmem swapped it to */
		record_uint(&r, PAGE_ENTRY, e->entry >> 1);
		record_str(&r, PAGE_FLAGS, "(evicted, or swapped out)");
	} else {
		record_uint(&r, PAGE_ADDR, e->entry);
		if (page_read(c->t, e->entry, &page, &why)) {
			record_uint(&r, PAGE_PHYSICAL, page.pa);
			record_str(&r, PAGE_FLAGS, page_flags_text(c->t, page.flags, c->arena));
		} else {
			note(c, &why);
		}
	}
	emit(c, &r);
	return true;
}

static void entry_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

bool emit_cached_pages(struct ctx *c, uint64_t inode, struct err *err)
{
	struct walk_plan w = {
		.what = "page cache", .entry = entry_show, .flaw = entry_flaw, .arg = c
	};
	uint64_t mapping, off;

	/* page_tree before b93b016313b3 (v4.17) was no xarray */
	if (!field_u64(c->t, "struct inode", inode, "i_mapping", &mapping, err) ||
	    !field_offset(c->t, "struct address_space", "i_pages", &off, err))
		return err_wrap(err, "inode 0x%llx", (unsigned long long)inode);
	w.head = mapping + off;
	return emit_walked(c, xarray_walk(c->t, &w, err), err);
}
