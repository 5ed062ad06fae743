/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of writeback: a row for each device, and within it what it was told to write. */
#include "core/obit.h"
#include "commands/device/io_record.h"

enum {
	WORK_REASON,
	WORK_SB,
	WORK_PAGES,
	WORK_SYNC,
	WORK_ADDR
};
static const struct record_field work_fields[] = {
	[WORK_REASON] = { "reason", NULL, CELL_STR, 0, "the kernel's WB_REASON_*" },
	[WORK_SB] = { "sb", NULL, CELL_STR, 0, "of which file system; null: of all of the device" },
	[WORK_PAGES] = { "pages", NULL, CELL_INT, 0, "how many are to be written" },
	[WORK_SYNC] = { "sync", NULL, CELL_BOOL, 0, "somebody waits until all is written" },
	[WORK_ADDR] = { "work", NULL, CELL_ADDR, 0, "address of the struct wb_writeback_work" },
};
const struct record_kind writeback_work_kind = {
	"writeback_work", "what a device was told to write (within writeback)",
	LAYOUT_NONE,      NULL,
	work_fields,      ARRAY_SIZE(work_fields)
};

enum {
	WB_DEVICE,
	WB_OLDEST,
	WB_DIRTY,
	WB_UNDER,
	WB_INODES,
	WB_IO,
	WB_MORE,
	WB_TIME,
	WB_STATE,
	WB_BANDWIDTH,
	WB_ADDR,
	WB_WORKS,
	WB_BDI
};
static void works_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL) {
		buf_char(b, '-');
		return;
	}
	for (size_t i = 0; i < cell->records.n; i++) {
		const struct cell *work = cell->records.v[i].cells;

		buf_printf(b, "%s%.*s", i ? ", " : "", (int)work[WORK_REASON].str.n,
			   work[WORK_REASON].str.s);
		if (work[WORK_SB].kind != CELL_NULL)
			buf_printf(b, " of %.*s", (int)work[WORK_SB].str.n, work[WORK_SB].str.s);
	}
}

static const struct record_field wb_fields[] = {
	[WB_DEVICE] = { "device", NULL, CELL_STR, 0, "as in /sys/class/bdi, \"8:0\"" },
	[WB_OLDEST] = { "oldest", NULL, CELL_DURATION, FIELD_RIGHT,
			"since the inode that was dirtied first was" },
	[WB_DIRTY] = { "dirty", NULL, CELL_INT, FIELD_RIGHT,
		       "dirty pages, without what CPUs had not added up yet" },
	[WB_UNDER] = { "writeback", NULL, CELL_INT, FIELD_RIGHT,
		       "pages that were being written, in the same way" },
	[WB_INODES] = { "b_dirty", NULL, CELL_UINT, FIELD_RIGHT, "inodes that are dirty" },
	[WB_IO] = { "b_io", NULL, CELL_UINT, FIELD_RIGHT, "inodes that are to be written now" },
	[WB_MORE] = { "b_more_io", NULL, CELL_UINT, FIELD_RIGHT,
		      "inodes to be written after these" },
	[WB_TIME] = { "b_dirty_time", NULL, CELL_UINT, FIELD_RIGHT,
		      "inodes of which times alone are dirty" },
	[WB_STATE] = { "state", NULL, CELL_STR, 0, "the kernel's WB_*" },
	[WB_BANDWIDTH] = { "bandwidth", NULL, CELL_UINT, FIELD_JSON,
			   "bytes a second that it is thought to write" },
	[WB_ADDR] = { "wb", NULL, CELL_ADDR, 0, "address of the struct bdi_writeback" },
	[WB_WORKS] = { "works", NULL, CELL_RECORDS, 0,
		       "what it was told to write, and has not begun", .text = works_text },
	[WB_BDI] = { "bdi", NULL, CELL_ADDR, FIELD_JSON, "address of the struct backing_dev_info" },
};
const struct record_kind writeback_kind = { "writeback",  "writeback of a device (io -w)",
					    LAYOUT_TABLE, NULL,
					    wb_fields,    ARRAY_SIZE(wb_fields) };

void emit_writeback(struct ctx *c, const struct writeback *w)
{
	struct record r, *list = ARENA_ARRAY(c->arena, struct record, w->n_works + 1);

	record_init(&r, &writeback_kind);
	record_str(&r, WB_DEVICE, w->device);
	if (w->has_oldest)
		record_uint(&r, WB_OLDEST, w->oldest_ns);
	record_int(&r, WB_DIRTY, w->dirty);
	record_int(&r, WB_UNDER, w->under);
	for (unsigned i = 0; i < 4; i++)
		record_uint(&r, WB_INODES + i, w->inodes[i]);
	record_str(&r, WB_STATE, w->state);
	record_uint(&r, WB_BANDWIDTH, w->bandwidth);
	record_uint(&r, WB_ADDR, w->wb);
	record_uint(&r, WB_BDI, w->bdi);
	for (size_t i = 0; i < w->n_works; i++) {
		record_init(&list[i], &writeback_work_kind);
		record_str(&list[i], WORK_REASON, w->works[i].reason);
		record_str(&list[i], WORK_SB, w->works[i].sb);
		record_int(&list[i], WORK_PAGES, w->works[i].pages);
		record_bool(&list[i], WORK_SYNC, w->works[i].sync);
		record_uint(&list[i], WORK_ADDR, w->works[i].addr);
	}
	if (w->n_works)
		record_records(&r, WB_WORKS, list, w->n_works);
	emit(c, &r);
}
