/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of a task's memory: where each is, be it in RAM, in swap, or in the area's file. */
#include "commands/memory/vm_record.h"
#include "core/linux/task/task.h"

#include "core/base/buf.h"
#include "core/linux/misc/ipc.h"

enum {
	PID,
	VMA,
	VIRTUAL,
	PAGES,
	SIZE,
	PHYSICAL,
	FILE_PATH,
	FILE_OFFSET,
	SWAP_PATH,
	SWAP_TYPE,
	SWAP_OFFSET,
	ENTRY,
	ABSENT,
	STATE
};
/* Where a page is that was swapped out: what its entry says, as far as its layout is known. */
static void swapped_text(struct buf *b, const struct record *r, const struct user_page *p)
{
	const struct cell *path = &r->cells[SWAP_PATH];

	if (!p->has_swap)
		buf_printf(b, "swapped out or barred: entry 0x%llx", (unsigned long long)p->entry);
	else if (path->kind == CELL_NULL)
		/* types that no area has are of pages on their way, and of broken ones */
		buf_printf(b, "entry 0x%llx, of no swap area", (unsigned long long)p->entry);
	else
		buf_printf(b, "SWAP: %s  OFFSET: %llu", path->str.s,
			   (unsigned long long)p->swap_offset);
}

static void state_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct user_page *p = r->of;
	const struct cell *file = &r->cells[FILE_PATH];

	(void)k, (void)cell;
	switch (p->state) {
	case USER_MAPPED:
		break;
	case USER_BARRED:
		buf_str(b, "PROT_NONE");
		break;
	case USER_SWAPPED:
		swapped_text(b, r, p);
		break;
	case USER_LOST:
		buf_printf(b, "<%s>", err_absent_text(p->why.code));
		break;
	case USER_NONE:
		if (r->cells[FILE_OFFSET].kind == CELL_NULL)
			buf_str(b, "(not mapped)");
		else
			buf_printf(b, "FILE: %s  OFFSET: %llx",
				   file->kind == CELL_STR ? file->str.s : "?",
				   (unsigned long long)r->cells[FILE_OFFSET].u);
		break;
	}
}

static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[VMA] = { "vma", NULL, CELL_ADDR, FIELD_JSON, "the area it is in" },
	[VIRTUAL] = { "virtual", NULL, CELL_HEX, FIELD_RIGHT, "the task's address" },
	[PAGES] = { "pages", NULL, CELL_UINT, FIELD_RIGHT, "how many from there on" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "their bytes" },
	[PHYSICAL] = { "physical", NULL, CELL_HEX, FIELD_RIGHT, "physical address" },
	[FILE_PATH] = { "file", NULL, CELL_STR, FIELD_JSON, "the area's file" },
	[FILE_OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "where in that file, bytes" },
	[SWAP_PATH] = { "swap", NULL, CELL_STR, FIELD_JSON, "the swap area" },
	[SWAP_TYPE] = { "swap_type", NULL, CELL_UINT, FIELD_JSON, "its number" },
	[SWAP_OFFSET] = { "swap_offset", NULL, CELL_UINT, FIELD_JSON, "page in it" },
	[ENTRY] = { "entry", NULL, CELL_HEX, FIELD_JSON, "of the page table; null: none" },
	[ABSENT] = { "absent", NULL, CELL_ABSENT, FIELD_JSON, "why nothing is known" },
	[STATE] = { "state", "WHERE", CELL_STR, 0,
		    "mapped; barred: in RAM, and PROT_NONE; swapped; file: not in the page table, and its "
		    "file has it; none: never touched; absent: the page table is not in the dump",
		    .text = state_text },
};
const struct record_kind user_page_kind = { "user_page",  "pages of a task's memory (vm -p)",
					    LAYOUT_TABLE, NULL,
					    fields,       ARRAY_SIZE(fields) };

struct area_pages {
	struct ctx *c;
	const struct task *task;
	const struct vma *area;
};

struct swap_seek {
	unsigned type;
	const char *path;
};

static bool swap_seek(const struct swap_area *s, void *arg)
{
	struct swap_seek *seek = arg;

	if (s->type != seek->type)
		return true;
	seek->path = s->path;
	return false;
}

/* Fills in which swap area the entry of a page tells of, where its layout is known. */
static void record_swap(struct ctx *c, struct record *r, const struct user_page *p)
{
	struct swap_seek seek = { .type = p->swap_type };
	struct err ignored;

	if (!p->has_swap || !swap_areas(c->t, c->arena, swap_seek, NULL, &seek, &ignored) ||
	    !seek.path)
		return;
	record_str(r, SWAP_PATH, seek.path);
	record_uint(r, SWAP_TYPE, p->swap_type);
	record_uint(r, SWAP_OFFSET, p->swap_offset);
}

/* Fills in what its state implies; returns the state. */
static const char *record_state(struct area_pages *w, struct record *r, const struct user_page *p)
{
	switch (p->state) {
	case USER_MAPPED:
		return "mapped";
	case USER_BARRED:
		return "barred";
	case USER_SWAPPED:
		record_swap(w->c, r, p);
		return "swapped";
	case USER_LOST:
		record_absent(r, ABSENT, &p->why);
		return "absent";
	case USER_NONE:
		break;
	}
	if (!w->area->file)
		return "none";
	record_str(r, FILE_PATH, w->area->name);
	record_uint(r, FILE_OFFSET, p->va - w->area->start + w->area->offset);
	return "file";
}

static bool page_show(const struct user_page *p, void *arg)
{
	struct area_pages *w = arg;
	struct ctx *c = w->c;
	struct record r;

	record_init(&r, &user_page_kind);
	r.of = p;
	record_int(&r, PID, w->task->pid);
	record_uint(&r, VMA, w->area->addr);
	record_uint(&r, VIRTUAL, p->va);
	record_uint(&r, PAGES, (p->size + c->t->page_size - 1) / c->t->page_size);
	record_uint(&r, SIZE, p->size);
	if (p->state == USER_MAPPED || p->state == USER_BARRED)
		record_uint(&r, PHYSICAL, p->pa);
	if (p->entry)
		record_uint(&r, ENTRY, p->entry);
	record_str(&r, STATE, record_state(w, &r, p));
	emit(c, &r);
	if (p->state == USER_LOST)
		note(c, &p->why);
	return true;
}

bool emit_user_pages(struct ctx *c, const struct task *task, const struct vma *area,
		     struct err *err)
{
	struct area_pages w = { c, task, area };
	struct user_space u;
	struct err why;

	if (user_space_init(&u, c->t, task, &why) &&
	    user_pages(&u, area->start, area->end, page_show, &w, &why))
		return true;
	if (why.code == ERR_INTR)
		return *err = why, false;
	note(c, &why);
	return true;
}
