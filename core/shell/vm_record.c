/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of a task's memory: where each is, be it in RAM, in swap, or in the area's file. */
#include "core/shell/vm_record.h"

#include "core/linux/ipc.h"

enum {
	PID,
	VMA,
	VIRTUAL,
	PAGES,
	SIZE,
	STATE,
	PHYSICAL,
	FILE_PATH,
	FILE_OFFSET,
	SWAP_PATH,
	SWAP_TYPE,
	SWAP_OFFSET,
	ENTRY,
	ABSENT,
	TEXT
};
static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[VMA] = { "vma", NULL, CELL_ADDR, FIELD_JSON, "the area it is in" },
	[VIRTUAL] = { "virtual", NULL, CELL_HEX, FIELD_RIGHT, "the task's address" },
	[PAGES] = { "pages", NULL, CELL_UINT, FIELD_RIGHT, "how many from there on" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "their bytes" },
	[STATE] = { "state", NULL, CELL_STR, FIELD_JSON,
		    "mapped; barred: in RAM, and PROT_NONE; swapped; file: not in the page table, and its "
		    "file has it; none: never touched; absent: the page table is not in the dump" },
	[PHYSICAL] = { "physical", NULL, CELL_HEX, FIELD_RIGHT, "physical address" },
	[FILE_PATH] = { "file", NULL, CELL_STR, FIELD_JSON, "the area's file" },
	[FILE_OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "where in that file, bytes" },
	[SWAP_PATH] = { "swap", NULL, CELL_STR, FIELD_JSON, "the swap area" },
	[SWAP_TYPE] = { "swap_type", NULL, CELL_UINT, FIELD_JSON, "its number" },
	[SWAP_OFFSET] = { "swap_offset", NULL, CELL_UINT, FIELD_JSON, "page in it" },
	[ENTRY] = { "entry", NULL, CELL_HEX, FIELD_JSON, "of the page table; null: none" },
	[ABSENT] = { "absent", NULL, CELL_ABSENT, FIELD_JSON, "why nothing is known" },
	[TEXT] = { "where", NULL, CELL_STR, FIELD_TEXT, "the rest in words" },
};
const struct record_kind user_page_kind = { "user_page",  "pages of a task's memory (vm -p)",
					    LAYOUT_TABLE, NULL,
					    fields,       ARRAY_SIZE(fields) };

struct pages {
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

/* What the entry of a page that was swapped out says, where its layout is known. */
static const char *swapped(struct ctx *c, struct record *r, const struct user_page *p)
{
	struct swap_seek seek = { .type = p->swap_type };
	struct err ignored;

	if (!p->has_swap)
		return arena_printf(c->arena, "swapped out or barred: entry 0x%llx",
				    (unsigned long long)p->entry);
	if (!swap_areas(c->t, c->arena, swap_seek, NULL, &seek, &ignored) || !seek.path)
		/* types that no area has are of pages on their way, and of broken ones */
		return arena_printf(c->arena, "entry 0x%llx, of no swap area",
				    (unsigned long long)p->entry);
	record_str(r, SWAP_PATH, seek.path);
	record_uint(r, SWAP_TYPE, p->swap_type);
	record_uint(r, SWAP_OFFSET, p->swap_offset);
	return arena_printf(c->arena, "SWAP: %s  OFFSET: %llu", seek.path,
			    (unsigned long long)p->swap_offset);
}

static const char *describe(struct pages *w, struct record *r, const struct user_page *p,
			    const char **state)
{
	uint64_t offset = p->va - w->area->start + w->area->offset;

	switch (p->state) {
	case USER_MAPPED:
		*state = "mapped";
		return "";
	case USER_BARRED:
		*state = "barred";
		return "PROT_NONE";
	case USER_SWAPPED:
		*state = "swapped";
		return swapped(w->c, r, p);
	case USER_LOST:
		*state = "absent";
		record_absent(r, ABSENT, &p->why);
		return arena_printf(w->c->arena, "<%s>", err_absent_text(p->why.code));
	case USER_NONE:
		break;
	}
	*state = w->area->file ? "file" : "none";
	if (!w->area->file)
		return "(not mapped)";
	record_str(r, FILE_PATH, w->area->name);
	record_uint(r, FILE_OFFSET, offset);
	return arena_printf(w->c->arena, "FILE: %s  OFFSET: %llx",
			    w->area->name ? w->area->name : "?", (unsigned long long)offset);
}

static bool page_show(const struct user_page *p, void *arg)
{
	struct pages *w = arg;
	struct ctx *c = w->c;
	const char *state, *text;
	struct record r;

	record_init(&r, &user_page_kind);
	record_int(&r, PID, w->task->pid);
	record_uint(&r, VMA, w->area->addr);
	record_uint(&r, VIRTUAL, p->va);
	record_uint(&r, PAGES, (p->size + c->t->page_size - 1) / c->t->page_size);
	record_uint(&r, SIZE, p->size);
	if (p->state == USER_MAPPED || p->state == USER_BARRED)
		record_uint(&r, PHYSICAL, p->pa);
	if (p->entry)
		record_uint(&r, ENTRY, p->entry);
	text = describe(w, &r, p, &state);
	record_str(&r, STATE, state);
	record_str(&r, TEXT, text);
	emit(c, &r);
	if (p->state == USER_LOST)
		note(c, &p->why);
	return true;
}

bool emit_user_pages(struct ctx *c, const struct task *task, const struct vma *area,
		     struct err *err)
{
	struct pages w = { c, task, area };
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
