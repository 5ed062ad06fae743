/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is at an address, as records: a line for each thing that is true of it. */
#include "core/base/buf.h"
#include "core/records/address_record.h"
#include "core/records/origin_record.h"

enum {
	ADDR,
	KIND,
	NAME,
	STATE,
	BASE,
	SIZE,
	OFFSET,
	CPU,
	PID,
	COMM,
	TASK,
	FRAME,
	FRAME_N,
	TGID,
	TIME,
	AGE,
	STACK,
	DETAIL
};
void place_text(struct buf *b, struct target *t, const struct address_place *p)
{
	switch (p->kind) {
	case PLACE_SLAB:
		buf_printf(b, "%s: %s object 0x%llx+0x%llx of %llu bytes", p->name, p->state,
			   (unsigned long long)p->base, (unsigned long long)p->offset,
			   (unsigned long long)p->size);
		break;
	case PLACE_KFENCE:
		buf_printf(b, "%s: %s object 0x%llx%+lld of %llu bytes", p->name ? p->name : "?",
			   p->state, (unsigned long long)p->base, (long long)p->offset,
			   (unsigned long long)p->size);
		break;
	case PLACE_ALLOC:
	case PLACE_FREE:
		origin_text(b, t, p->origin);
		break;
	case PLACE_STACK:
		if (p->task)
			buf_printf(b, "of PID %d \"%s\"", p->task->pid, p->task->comm);
		else
			buf_printf(b, "%s of CPU %d", p->name, p->cpu);
		buf_printf(b, ", 0x%llx+0x%llx", (unsigned long long)p->base,
			   (unsigned long long)p->offset);
		if (p->frame)
			buf_printf(b, ", in frame #%d %s", p->frame_n, p->frame);
		break;
	case PLACE_PERCPU:
		buf_printf(b, "CPU %d", p->cpu);
		if (p->name)
			buf_printf(b, ": %s", p->name);
		break;
	case PLACE_VMALLOC:
		buf_printf(b, "0x%llx+0x%llx of %llu bytes", (unsigned long long)p->base,
			   (unsigned long long)p->offset, (unsigned long long)p->size);
		if (p->name)
			buf_printf(b, ", asked for by %s", p->name);
		break;
	case PLACE_STRUCT_PAGE:
		buf_printf(b, "0x%llx+0x%llx", (unsigned long long)p->base,
			   (unsigned long long)p->offset);
		break;
	case PLACE_PAGE:
		buf_printf(b, "physical 0x%llx", (unsigned long long)(p->base + p->offset));
		if (p->state)
			buf_printf(b, ", %s", p->state);
		if (p->name && *p->name)
			buf_printf(b, ", flags %s", p->name);
		break;
	default:
		buf_str(b, p->name ? p->name : "");
	}
	if (p->detail)
		buf_printf(b, "%s%s", b->n ? ", " : "", p->detail);
	if (p->why.code == ERR_OK)
		return;
	if (err_is_absent(p->why.code) && p->kind == PLACE_NOWHERE)
		buf_printf(b, "<%s>", err_absent_text(p->why.code));
	else
		buf_printf(b, "%s%s", b->n ? "; " : "", p->why.msg);
}

static void form_place(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)cell;
	place_text(b, k->t, r->of);
}

static const struct record_field fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, 0, "the address" },
	[KIND] = { "kind", NULL, CELL_STR, 0,
		   "symbol, module, per-cpu, kfence, slab, stack, vmalloc, map, page, user or "
		   "nowhere; alloc and free: who asked for the thing above, and who gave it back" },
	[NAME] = { "name", NULL, CELL_STR, 0,
		   "of the symbol, the module, the variable, the slab cache, the stack; vmalloc: "
		   "who asked for it; page: its flags",
		   .text = form_place },
	[STATE] = { "state", NULL, CELL_STR, FIELD_JSON,
		    "slab: allocated, free, outside or unknown; kfence: unused, allocated, freed; page: "
		    "buddy, slab, table, ..." },
	[BASE] = { "base", NULL, CELL_ADDR, FIELD_JSON,
		   "where the thing begins; of a page its physical address" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "its bytes" },
	[OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "of the address in it" },
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose stack it is; alloc and free: who" },
	[COMM] = { "comm", NULL, CELL_STR, FIELD_JSON, "and that task's name" },
	[TASK] = { "task", NULL, CELL_ADDR, FIELD_JSON, "and its task_struct" },
	[FRAME] = { "frame", NULL, CELL_STR, FIELD_JSON, "the function whose frame it is in" },
	[FRAME_N] = { "frame_n", NULL, CELL_INT, FIELD_JSON, "and that frame's number in bt" },
	[TGID] = { "tgid", NULL, CELL_INT, FIELD_JSON, "alloc and free: its process" },
	[TIME] = { "time_ns", "TIME", CELL_TIME, FIELD_JSON, "and when, by the clock of the log" },
	[AGE] = { "age_ns", "AGE", CELL_DURATION, FIELD_JSON, "and how long before the end" },
	[STACK] = { "stack", NULL, CELL_STRS, FIELD_JSON, "and on which way, innermost first" },
	[DETAIL] = { "detail", NULL, CELL_STR, FIELD_JSON, "what else there is to say" },
};
const struct record_kind place_kind = { "place",     "something that is true of an address",
					LAYOUT_LINE, "{addr}  {kind:-8} {name}",
					fields,      ARRAY_SIZE(fields) };

static void emit_place(struct ctx *c, uint64_t addr, const struct address_place *p)
{
	struct record r;

	record_init(&r, &place_kind);
	r.of = p;
	record_uint(&r, ADDR, addr);
	record_str(&r, KIND, place_kind_name(p->kind));
	record_str(&r, NAME, p->name && *p->name ? p->name : NULL);
	record_str(&r, STATE, p->state);
	if (p->base) {
		record_uint(&r, BASE, p->base);
		record_uint(&r, OFFSET, p->offset);
	}
	if (p->size)
		record_uint(&r, SIZE, p->size);
	if (p->cpu >= 0)
		record_int(&r, CPU, p->cpu);
	if (p->task) {
		record_int(&r, PID, p->task->pid);
		record_str(&r, COMM, p->task->comm);
		record_uint(&r, TASK, p->task->addr);
	}
	record_str(&r, FRAME, p->frame);
	if (p->frame_n >= 0)
		record_int(&r, FRAME_N, p->frame_n);
	if (p->origin) {
		const struct origin *o = p->origin;

		if (o->pid >= 0)
			record_int(&r, PID, o->pid);
		if (o->tgid >= 0)
			record_int(&r, TGID, o->tgid);
		record_str(&r, COMM, o->comm);
		if (o->at != ORIGIN_UNKNOWN)
			record_uint(&r, TIME, o->at);
		if (o->age != ORIGIN_UNKNOWN)
			record_uint(&r, AGE, o->age);
		origin_strs(c, &r, STACK, o->frames, o->n);
	}
	record_str(&r, DETAIL, p->detail);
	emit(c, &r);
	/* an address that nothing maps is an answer; a page that the dumper left out is a loss */
	if (p->why.code != ERR_OK && p->why.code != ERR_UNMAPPED && p->why.code != ERR_BADADDR &&
	    err_is_damage(p->why.code))
		note(c, &p->why);
}

void emit_address(struct ctx *c, uint64_t addr)
{
	struct address_place places[PLACES_MAX];
	size_t n = address_places(c->t, addr, places);

	for (size_t i = 0; i < n; i++)
		emit_place(c, addr, &places[i]);
}
