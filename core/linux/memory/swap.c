/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Swap areas. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/misc/ipc.h"
#include "core/linux/fs/vfs.h"

#define AREAS_MAX 64 /* MAX_SWAPFILES is below 32 */
#define SWP_USED 1u  /* include/linux/swap.h */
#define SWP_WRITEOK 2u
/* 2cacbdfdee65 (v6.13): this bit of inuse_pages says that all of the area is in use */
#define OFFLIST_BIT (UINT64_C(1) << 30)

enum {
	AREA_FLAGS,
	AREA_PRIO,
	AREA_PAGES,
	AREA_USED,
	AREA_FILE,
	AREA_MAP
};
static const struct shape_field area_fields[] = {
	[AREA_FLAGS] = FIELD("flags"),
	[AREA_PRIO] = FIELD("prio"),
	[AREA_PAGES] = FIELD("pages"),
	[AREA_USED] = FIELD_ALT("inuse_pages.counter", "inuse_pages"),
	[AREA_FILE] = FIELD("swap_file"),
	[AREA_MAP] =
		FIELD_MAYBE("swap_map"), /* until it became the clusters' tables, before v7.2 */
};
static const struct shape area_shape = SHAPE("struct swap_info_struct", area_fields);

/* *used false: the slot is free. */
static bool area_read(struct target *t, uint64_t addr, struct arena *a, struct swap_area *s,
		      bool *used, struct err *err)
{
	uint64_t flags, pages, inuse, dentry, inode, mode;
	struct shaped area;
	int64_t prio;

	*s = (struct swap_area){ .addr = addr };
	if (!shape_read(t, &area_shape, addr, &area, err) ||
	    !shaped_u64(&area, AREA_FLAGS, &flags, err) ||
	    !shaped_u64(&area, AREA_FILE, &s->file, err))
		return false;
	*used = (flags & SWP_USED) && s->file && shaped_u64_or(&area, AREA_MAP, 1);
	if (!*used)
		return true;
	if (!shaped_u64(&area, AREA_PAGES, &pages, err) ||
	    !shaped_u64(&area, AREA_USED, &inuse, err) ||
	    !shaped_s64(&area, AREA_PRIO, &prio, err) ||
	    !vfs_file_path(t, s->file, a, &s->path, err) ||
	    !field_u64(t, "struct file", s->file, "f_path.dentry", &dentry, err) ||
	    !field_u64(t, "struct dentry", dentry, "d_inode", &inode, err) ||
	    !field_u64(t, "struct inode", inode, "i_mode", &mode, err))
		return false;
	s->leaving = !(flags & SWP_WRITEOK);
	s->partition = (mode & 0170000) == 0060000;
	s->size = pages * t->page_size;
	s->used = (inuse & ~OFFLIST_BIT) * t->page_size;
	s->priority = (int)prio;
	return true;
}

bool swap_areas(struct target *t, struct arena *a, bool (*fn)(const struct swap_area *s, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct symbol table, number;
	uint32_t n;

	if (!symbol_find(t, "swap_info", &table, err) ||
	    !symbol_find(t, "nr_swapfiles", &number, err) || !mem_u32(t, number.addr, &n, err))
		return err_wrap(err, "swap areas");
	if (n > AREAS_MAX)
		return err_set_addr(err, ERR_CORRUPT, number.addr, "%u swap areas", n);
	for (uint32_t i = 0; i < n; i++) {
		struct swap_area s;
		struct err why;
		uint64_t addr;
		bool used = false;

		if (!interrupt_check(err) ||
		    !mem_ptr(t, table.addr + i * t->arch->word, &addr, err))
			return false;
		if (!addr)
			continue;
		if (!area_read(t, addr, a, &s, &used, &why)) {
			if (why.code == ERR_INTR || !flaw)
				return *err = why, false;
			err_wrap(&why, "swap area %u", i);
			flaw(&why, arg);
		} else if (used) {
			s.type = i;
			if (!fn(&s, arg))
				return true;
		}
	}
	return true;
}
