/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a program's stack: registers at the entry to the kernel, and functions by file and
 * offset. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/linux/program/program.h"
#include "core/records/regs_record.h"
#include "core/records/task_record.h"
#include "commands/bt/user_record.h"

enum {
	PID,
	N,
	PC,
	SP,
	FILE_PATH,
	OFFSET,
	HOW,
	SURE
};
static void form_number(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k;
	buf_printf(b, "%s#%" PRIu64, r->cells[SURE].b ? "" : "?", cell->u);
}

/* "/bin/busybox+0x60a63", "[vdso]", and "(no area)". */
static void form_place(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	if (cell->kind == CELL_NULL)
		buf_str(b, "(no file)");
	else
		buf_add(b, cell->str.s, cell->str.n);
	if (r->cells[OFFSET].kind != CELL_NULL)
		buf_printf(b, "+0x%" PRIx64, r->cells[OFFSET].u);
}

static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, 0, "whose it is" },
	[N] = { "n", NULL, CELL_UINT, 0, "number of the frame", .text = form_number },
	[PC] = { "pc", NULL, CELL_ADDR, 0, "address in the function" },
	[SP] = { "sp", NULL, CELL_ADDR, 0,
		 "stack pointer; of fp the frame pointer, of scan where the word lies" },
	[FILE_PATH] = { "file", NULL, CELL_STR, 0, "the mapped file that has it",
			.text = form_place },
	[OFFSET] = { "offset", NULL, CELL_HEX, 0, "where in that file, bytes" },
	[HOW] = { "how", NULL, CELL_STR, 0,
		  "how it was found: regs (the registers saved at the entry), cfi (the file's frame "
		  "tables), fp (frame pointer), lr (link register), signal (what the kernel saved "
		  "before it called a signal's handler), scan (a word on the stack that follows a "
		  "call)" },
	[SURE] = { "sure", NULL, CELL_BOOL, 0, "false: a guess, or found from one" },
};
const struct record_kind user_frame_kind = {
	"user_frame", "one function that a program was in (bt -u), the newest first",
	LAYOUT_LINE,  "{n:3} [{sp}] {file} at {pc}  ({how})",
	fields,       ARRAY_SIZE(fields)
};

static void emit_frame(struct ctx *c, const struct task *task, const struct program_frame *f,
		       size_t n)
{
	struct record r;

	record_init(&r, &user_frame_kind);
	record_int(&r, PID, task->pid);
	record_uint(&r, N, n);
	record_uint(&r, PC, f->pc);
	record_uint(&r, SP, f->sp);
	record_str(&r, FILE_PATH, f->file);
	if (f->has_offset)
		record_uint(&r, OFFSET, f->offset);
	record_str(&r, HOW, f->how);
	record_bool(&r, SURE, f->sure);
	emit(c, &r);
}

static void emit_stack(struct ctx *c, struct user_program *p, const struct program_regs *regs,
		       uint64_t max)
{
	const struct regs_of of = {
		.has_pid = true, .pid = p->task->pid, .cpu = -1, .n = -1, .user = true
	};
	struct program_stack s;

	emit_registers(c, &regs->regs, &of);
	if (regs->compat) {
		struct err why;

		err_set(&why, ERR_UNSUPPORTED, "the stack of a 32-bit program is not followed");
		note(c, &why);
		return;
	}
	program_unwind(p, &regs->regs, (size_t)(max > PROGRAM_FRAMES_MAX ? 0 : max), &s);
	for (size_t i = 0; i < s.n; i++)
		emit_frame(c, p->task, &s.frames[i], i);
	if (s.file.code != ERR_OK)
		note(c, &s.file);
	if (!s.complete && s.end.code != ERR_OK && err_is_absent(s.end.code))
		note(c, &s.end);
	if (p->areas_why.code != ERR_OK)
		note(c, &p->areas_why);
}

void emit_user_stack(struct ctx *c, const struct task *task, const char *sysroot, uint64_t max)
{
	struct program_regs regs;
	struct user_program p;
	struct err why;

	emit_task_head(c, task);
	if (!program_regs(c->t, task, &regs, &why)) {
		if (why.code == ERR_NOTFOUND)
			emit_none(c, &user_frame_kind, plain(c, why.msg));
		else
			note(c, &why);
		return;
	}
	if (program_init(&p, c->t, task, sysroot, c->arena, &why))
		emit_stack(c, &p, &regs, max);
	else
		note(c, &why);
	program_release(&p);
}
