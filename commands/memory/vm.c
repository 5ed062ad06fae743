/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vm: the memory of tasks, area by area. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/vfs.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/print_type.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "core/types/shape.h"
#include "commands/memory/vm_record.h"

enum {
	PID,
	VMA,
	START,
	END,
	FLAGS,
	PERMS,
	OFFSET,
	NAME
};
static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[VMA] = { "vma", NULL, CELL_ADDR, 0, "address of the struct vm_area_struct" },
	[START] = { "start", NULL, CELL_HEX, FIELD_RIGHT, "its first address" },
	[END] = { "end", NULL, CELL_HEX, FIELD_RIGHT, "the first one behind it" },
	[FLAGS] = { "flags", NULL, CELL_HEX, FIELD_RIGHT, "vm_flags" },
	[PERMS] = { "perms", NULL, CELL_STR, 0, "rwx and s or p, as /proc/PID/maps has it" },
	[OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "where in the file it starts, bytes" },
	[NAME] = { "name", "FILE", CELL_STR, 0, "its file; [heap], [stack], [vdso]" },
};
static const struct record_kind area_kind = { "vma",        "one area of a task's memory",
					      LAYOUT_TABLE, NULL,
					      fields,       8 };

enum {
	MM,
	PGD,
	RSS,
	TOTAL
};
static const struct record_field mm_fields[] = {
	[MM] = { "mm", NULL, CELL_ADDR, 0, "address of the struct mm_struct" },
	[PGD] = { "pgd", NULL, CELL_ADDR, 0, "address of its page table" },
	[RSS] = { "rss", NULL, CELL_SIZE, 0, "bytes in RAM" },
	[TOTAL] = { "total", NULL, CELL_SIZE, 0, "bytes of address space" },
};
static const struct record_kind mm_kind = {
	"mm",        "a task's memory",
	LAYOUT_LINE, "MM: {mm}  PGD: {pgd}  RSS: {rss}  TOTAL_VM: {total}",
	mm_fields,   4
};

struct vm_opts {
	bool brief, pages, structs;
	struct style_opts style;
	const char *area, *reference, *flags, *mm;
};
static const struct option opts[] = {
	{ "m", NULL, OPTION_FLAG, offsetof(struct vm_opts, brief), "the sums alone" },
	{ "p", NULL, OPTION_FLAG, offsetof(struct vm_opts, pages),
	  "and each page: where in RAM or swap it is, or in which file" },
	{ "P", "vma", OPTION_STR, offsetof(struct vm_opts, area),
	  "the pages of one area: the address of its struct, or one in it" },
	OPT_FLAG("v", struct vm_opts, structs,
		 "the mm_struct, and the vm_area_struct of each area, with all their members"),
	OPT_FLAG("x", struct vm_opts, style.hex, "with -v: numbers in hexadecimal"),
	OPT_FLAG("d", struct vm_opts, style.dec, "with -v: in decimal, whatever set radix says"),
	OPT_STR("R", "reference", struct vm_opts, reference,
		"only what has this address or these flags, or is of a file with this in its path"),
	OPT_STR("M", "mm", struct vm_opts, mm,
		"the memory of this mm_struct, where the task has let go of its own"),
	OPT_STR("f", "flags", struct vm_opts, flags, "the names of flags, given as their number"),
};

struct areas {
	struct ctx *c;
	const struct task *task;
	const struct type *type; /* for a pipeline; NULL: none behind */
	bool pages;
	uint64_t area;   /* with -P: only this one */
	const char *ref; /* only what refers to it; NULL: all */
	struct err *err;
	bool ok, found, headed;
};

static void sums(struct areas *w);

/* The struct's address, one in the area or its end, its flags, or a part of its file's path, as in
 * crash. */
static bool vma_refers(const struct vma *v, const char *ref)
{
	uint64_t n;

	if (v->name && strstr(v->name, ref))
		return true;
	return parse_number(ref, true, &n) &&
	       (n == v->addr || (n >= v->start && n <= v->end) || n == v->flags);
}

/* -v: a struct as it is. */
static bool show_struct(struct ctx *c, const char *name, uint64_t addr, struct err *err)
{
	const struct vm_opts *o = c->opts;
	struct shown s = { .expr = name, .label = name };
	struct value_style old;
	const struct type *type;

	if (!type_find(c->t, arena_printf(c->arena, "struct %s", name), &type, err))
		return false;
	s.value = value_ref(type, addr);
	s.head = arena_printf(c->arena, "%llx", (unsigned long long)addr);
	old = style_set(c, &o->style);
	emit_value(c, &s);
	style_restore(c, old);
	return interrupt_check(err);
}

static bool vm_show(const struct vma *v, void *arg)
{
	const struct vm_opts *o = ((const struct areas *)arg)->c->opts;
	struct areas *w = arg;
	struct record r;

	if (o->area && w->area != v->addr && (w->area < v->start || w->area >= v->end))
		return true;
	if (w->ref && !vma_refers(v, w->ref))
		return true;
	w->found = true;
	if (!w->type)
		sums(w);
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, v->addr), w->err);
		return w->ok;
	}
	if (o->structs) {
		w->ok = show_struct(w->c, "vm_area_struct", v->addr, w->err);
		return w->ok;
	}
	record_init(&r, &area_kind);
	record_int(&r, PID, w->task->pid);
	record_uint(&r, VMA, v->addr);
	record_uint(&r, START, v->start);
	record_uint(&r, END, v->end);
	record_uint(&r, FLAGS, v->flags);
	record_str(&r, PERMS, arena_strdup(w->c->arena, v->perms));
	record_uint(&r, OFFSET, v->offset);
	record_str(&r, NAME, v->name);
	emit(w->c, &r);
	w->ok = !w->pages || emit_user_pages(w->c, w->task, v, w->err);
	return w->ok;
}

static void vm_flaw(const struct err *e, void *arg)
{
	const struct areas *w = arg;

	note(w->c, e);
}

/* Whose it is; with -R only where there is something to show. */
static void sums(struct areas *w)
{
	struct ctx *c = w->c;
	const struct task *task = w->task;
	struct record r;
	struct err why;
	uint64_t pgd, vsz, rss;

	if (w->headed)
		return;
	w->headed = true;
	emit_task_head(c, task);
	record_init(&r, &mm_kind);
	record_uint(&r, MM, task->mm);
	if (task->mm && field_u64(c->t, "struct mm_struct", task->mm, "pgd", &pgd, &why))
		record_uint(&r, PGD, pgd);
	if (task->mm && task_memory(c->t, task, &vsz, &rss)) {
		record_uint(&r, RSS, rss);
		record_uint(&r, TOTAL, vsz);
	}
	emit(c, &r);
}

static bool mm_refers(struct ctx *c, const struct task *task, const char *ref)
{
	struct err ignored;
	uint64_t n, pgd;

	return task->mm && parse_number(ref, true, &n) &&
	       (n == task->mm ||
		(field_u64(c->t, "struct mm_struct", task->mm, "pgd", &pgd, &ignored) && n == pgd));
}

static bool one_task(struct ctx *c, const struct task *task, struct err *err)
{
	const struct vm_opts *o = c->opts;
	struct task as = *task;
	struct areas w = { .c = c,
			   .task = &as,
			   .pages = o->pages || o->area,
			   .ref = o->reference,
			   .err = err,
			   .ok = true };
	struct err why;

	if (o->brief && w.pages)
		return err_set(err, ERR_USAGE, "-m has no pages to show");
	if (o->structs && (o->brief || w.pages))
		return err_set(err, ERR_USAGE, "-v excludes -m, -p and -P");
	if ((o->area && !stage_place(c, o->area, &w.area, err)) ||
	    (o->mm && !stage_place(c, o->mm, &as.mm, err)))
		return false;
	task = &as;
	if (piped(c) && !type_find(c->t, "struct vm_area_struct", &w.type, err))
		return false;
	if (!piped(c) && (!o->reference || mm_refers(c, task, o->reference)))
		sums(&w);
	if (!task->mm || (o->brief && !w.type))
		return true;
	if (o->structs && !w.type && !o->reference && !show_struct(c, "mm_struct", task->mm, err))
		return false;
	if (vma_each(c->t, task->mm, c->arena, vm_show, vm_flaw, &w, &why))
		return !w.ok || w.found || !o->area
			       ? w.ok
			       : err_set(err, ERR_NOTFOUND, "task %d has no area '%.60s'",
					 task->pid, o->area);
	if (!err_is_damage(why.code))
		return *err = why, false;
	note(c, &why);
	return true;
}

static bool vm_run(struct ctx *c, struct err *err)
{
	const struct vm_opts *o = c->opts;

	if (o->flags)
		return c->argc ? err_set(err, ERR_USAGE, "-f takes one number, and no task")
			       : emit_vma_flags(c, o->flags, err);
	return each_task(c, one_task, err);
}

static bool vm_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	return task_by_addr(c->t, v.addr, &task, err) && one_task(c, task, err);
}

static const struct example examples[] = {
	{ "vm 1", "the areas of init's memory" },
	{ "vm -p 1", "and where each page of them is" },
	{ "vm -v 1", "the structs behind that, with all their members" },
	{ "vm -f 8000075", "what flags of an area mean" },
	{ "foreach user vm -R [stack]", "where each user task had its stack" },
	{ "ps -u | vm -m", "what each user task has" },
	{ "vm 1 | where vm_flags & 4 | pick vm_start, vm_end", "what can be executed" },
};
const struct command cmd_vm = {
	.name = "vm",
	.group = "memory",
	.summary = "areas of tasks' memory",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.apart = true,
	.out = "struct vm_area_struct",
	.operands = "[pid | task | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct vm_opts),
	.emits = (const struct record_kind *const[]){ &task_head_kind, &mm_kind, &area_kind,
						      &user_page_kind, &vma_flags_kind,
						      &value_record, NULL },
	.none = "no memory of a program that was asked for",
	.completes = COMPLETE_PID,
	.help = "Prints what /proc/PID/maps had of the current task, or of those named. A kernel "
		"thread has no memory of its own.\n\n"
		"With -p a line follows for each entry of the page table, with the physical address of what it "
		"maps, and for each run of pages that none maps: those of a file can be in memory all the same "
		"(files -p). Where a page went that was swapped out is known on x86-64; elsewhere its entry is "
		"shown as it is. That memory itself is rarely in a dump: makedumpfile leaves it out.\n\n"
		"-R with foreach finds whose memory something is of: an address in an area or of its struct, of "
		"the mm_struct or the page table, flags as a number, or a path. -M is for a task that was "
		"exiting: its stack can still tell where its mm_struct is.",
	EXAMPLES(examples),
	.run = vm_run,
	.each = vm_each,
};
