/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writeback: which devices have dirty inodes, and what they were told to write. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/linux/io/io_impl.h"
#include "core/linux/misc/irq.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define WORKS_MAX 1000u

enum {
	WB_STATE,
	WB_BANDWIDTH
};
static const struct shape_field wb_fields[] = {
	[WB_STATE] = FIELD("state"),
	[WB_BANDWIDTH] = FIELD("avg_write_bandwidth"),
};
static const struct shape wb_shape = SHAPE("struct bdi_writeback", wb_fields);

enum {
	WORK_PAGES,
	WORK_SB,
	WORK_SYNC,
	WORK_REASON
};
static const struct shape_field work_fields[] = {
	[WORK_PAGES] = FIELD("nr_pages"),
	[WORK_SB] = FIELD("sb"),
	[WORK_SYNC] = FIELD("sync_mode"),
	[WORK_REASON] = FIELD("reason"),
};
static const struct shape work_shape = SHAPE("struct wb_writeback_work", work_fields);

struct bdi_walk {
	const struct io_call *c;
	bool (*fn)(const struct writeback *w, void *arg);
	void *arg;
	struct writeback now;
	VEC(struct writeback_work) works;
	uint64_t link; /* of a struct bdi_writeback in the list of its device */
	bool stop;
};

static const char *state_words(const struct io_call *c, uint64_t state)
{
	struct buf b = { 0 };
	const char *s, *name;

	for (unsigned bit = 0; bit < 32; bit++)
		/* that it is there goes without saying */
		if (bit && state >> bit & 1) {
			if (io_enum_name(c->t, "enum wb_state", "WB_", bit, &name))
				buf_printf(&b, "%s%s", b.n ? "," : "", name);
			else
				buf_printf(&b, "%sbit %u", b.n ? "," : "", bit);
		}
	s = b.n ? arena_strndup(c->a, b.s, b.n) : "";
	buf_release(&b);
	return s;
}

/* The sum of a per-CPU counter, without what its CPUs keep until it is many. */
static int64_t wb_counter(const struct io_call *c, uint64_t wb, const char *item)
{
	const struct type *stats, *one;
	const struct enumerator *e;
	uint64_t count, off;
	struct err why;
	size_t n;

	if (!type_find(c->t, "enum wb_stat_item", &stats, &why) ||
	    !type_find(c->t, "struct percpu_counter", &one, &why) ||
	    !field_offset(c->t, "struct bdi_writeback", "stat", &off, &why))
		return 0;
	e = type_enumerators(type_strip(stats), &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(e[i].name, item)) {
			if (field_u64(c->t, "struct percpu_counter",
				      wb + off + e[i].value * one->size, "count", &count, &why))
				return (int64_t)count;
			io_tell(c, &why, "writeback", wb);
		}
	return 0;
}

static bool inode_counted(uint64_t addr, void *arg)
{
	(void)addr;
	++*(size_t *)arg;
	return true;
}

static void inodes_count(struct bdi_walk *b)
{
	static const char *const lists[] = { "b_dirty", "b_io", "b_more_io", "b_dirty_time" };
	const struct io_call *c = b->c;
	uint64_t off, link, last, when;
	struct err why;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct writeback *w = &b->now;

		if (!field_offset(c->t, "struct bdi_writeback", lists[i], &off, &why) ||
		    !field_offset(c->t, "struct inode", "i_io_list", &link, &why) ||
		    !list_each(c->t, w->wb + off, link, lists[i], inode_counted, &w->inodes[i],
			       &why)) {
			io_tell(c, &why, "writeback", w->wb);
			continue;
		}
		/* inodes are put first: the last one is the oldest */
		if (i > 1 || !w->inodes[i] ||
		    !field_u64(c->t, "struct list_head", w->wb + off, "prev", &last, &why) ||
		    !field_u64(c->t, "struct inode", last - link, "dirtied_when", &when, &why))
			continue;
		if (!jiffies_since(c->t, when, &when, &why)) {
			io_tell(c, &why, NULL, 0);
			continue;
		}
		if (!w->has_oldest || when > w->oldest_ns)
			w->oldest_ns = when;
		w->has_oldest = true;
	}
}

static bool work_found(uint64_t addr, void *arg)
{
	struct bdi_walk *b = arg;
	const struct io_call *c = b->c;
	struct writeback_work w = { .addr = addr };
	uint64_t sb, reason, sync;
	struct shaped s;
	struct err why;

	if (!shape_read(c->t, &work_shape, addr, &s, &why) ||
	    !shaped_s64(&s, WORK_PAGES, &w.pages, &why) || !shaped_u64(&s, WORK_SB, &sb, &why) ||
	    !shaped_u64(&s, WORK_SYNC, &sync, &why) ||
	    !shaped_u64(&s, WORK_REASON, &reason, &why)) {
		io_tell(c, &why, "work of writeback", addr);
		return true;
	}
	/* WB_SYNC_NONE, WB_SYNC_ALL */
	w.sync = sync != 0;
	if (!io_enum_name(c->t, "enum wb_reason", "WB_REASON_", reason, &w.reason))
		w.reason = arena_printf(c->a, "%llu", (unsigned long long)reason);
	if (sb) {
		uint64_t off;

		if (!field_offset(c->t, "struct super_block", "s_id", &off, &why) ||
		    !mem_str(c->t, sb + off, IO_NAME_MAX, c->a, &w.sb, &why))
			io_tell(c, &why, "super block", sb);
	}
	*vec_push(&b->works) = w;
	return b->works.n < WORKS_MAX;
}

static bool wb_found(uint64_t addr, void *arg)
{
	struct bdi_walk *b = arg;
	const struct io_call *c = b->c;
	struct writeback_work *works;
	struct shaped s;
	struct err why;
	uint64_t off, link;

	b->now.wb = addr;
	for (size_t i = 0; i < ARRAY_SIZE(b->now.inodes); i++)
		b->now.inodes[i] = 0;
	b->now.has_oldest = false;
	b->works.n = 0;
	if (!shape_read(c->t, &wb_shape, addr, &s, &why)) {
		io_tell(c, &why, "writeback", addr);
		return true;
	}
	b->now.state = state_words(c, shaped_u64_or(&s, WB_STATE, 0));
	b->now.bandwidth = shaped_u64_or(&s, WB_BANDWIDTH, 0) * c->t->page_size;
	b->now.dirty = wb_counter(c, addr, "WB_RECLAIMABLE");
	b->now.under = wb_counter(c, addr, "WB_WRITEBACK");
	inodes_count(b);
	if (!field_offset(c->t, "struct bdi_writeback", "work_list", &off, &why) ||
	    !field_offset(c->t, "struct wb_writeback_work", "list", &link, &why) ||
	    !list_each(c->t, addr + off, link, "works of writeback", work_found, b, &why))
		io_tell(c, &why, "writeback", addr);
	works = ARENA_ARRAY(c->a, struct writeback_work, b->works.n + 1);
	for (size_t i = 0; i < b->works.n; i++)
		works[i] = b->works.p[i];
	b->now.works = works;
	b->now.n_works = b->works.n;
	b->stop = !b->fn(&b->now, b->arg);
	return !b->stop;
}

static bool bdi_found(uint64_t addr, void *arg)
{
	static const char type[] = "struct backing_dev_info";
	struct bdi_walk *b = arg;
	const struct io_call *c = b->c;
	uint64_t list, name;
	struct err why;

	b->now = (struct writeback){ .bdi = addr };
	if (!field_offset(c->t, type, "dev_name", &name, &why) ||
	    !mem_str(c->t, addr + name, IO_NAME_MAX, c->a, &b->now.device, &why)) {
		io_tell(c, &why, "device of writeback", addr);
		b->now.device = NULL;
	}
	if (!field_offset(c->t, type, "wb_list", &list, &why) ||
	    !list_each(c->t, addr + list, b->link, "writeback of a device", wb_found, b, &why))
		io_tell(c, &why, "device of writeback", addr);
	return !b->stop;
}

bool writebacks_each(const struct io_call *c, bool (*fn)(const struct writeback *w, void *arg),
		     void *arg, struct err *err)
{
	struct bdi_walk b = { .c = c, .fn = fn, .arg = arg };
	uint64_t head, link;
	bool ok;

	ok = subsystem_symbol(c->t, "bdi_list", "writeback", &head, err) &&
	     field_offset(c->t, "struct backing_dev_info", "bdi_list", &link, err) &&
	     field_offset(c->t, "struct bdi_writeback", "bdi_node", &b.link, err) &&
	     list_each(c->t, head, link, "devices of writeback", bdi_found, &b, err);
	vec_release(&b.works);
	return ok;
}
