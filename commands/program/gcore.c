/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcore: a core file of a process, for gdb. */
#include "core/obit.h"
#include "core/linux/program/program.h"
#include "core/records/task_record.h"

enum {
	PID,
	COMM,
	FILE_PATH,
	THREADS,
	SEGMENTS,
	BYTES,
	UNTOUCHED,
	OF_FILES,
	SWAPPED,
	ABSENT,
	SIZE
};
static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, 0, "the thread that is the core's first one" },
	[COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[FILE_PATH] = { "file", NULL, CELL_STR, 0, "where the core was written" },
	[THREADS] = { "threads", NULL, CELL_UINT, 0, "whose registers are in it" },
	[SEGMENTS] = { "segments", NULL, CELL_UINT, FIELD_JSON, "parts of memory in it" },
	[BYTES] = { "bytes", NULL, CELL_SIZE, 0, "of memory in it" },
	[UNTOUCHED] = { "untouched", NULL, CELL_SIZE, 0,
			"bytes that nobody wrote: they read as zeros, and take no room" },
	[OF_FILES] = { "of_files", "IN FILES", CELL_SIZE, 0,
		       "bytes that no page table has, and the mapped file or the kernel does" },
	[SWAPPED] = { "swapped", NULL, CELL_SIZE, 0, "bytes that were swapped out: not in it" },
	[ABSENT] = { "absent", NULL, CELL_SIZE, 0, "bytes that the dump lacks: not in it" },
	[SIZE] = { "size", NULL, CELL_SIZE, FIELD_JSON, "of the file, bytes" },
};
static const struct record_kind core_kind = { "core_file",  "a core file that was written",
					      LAYOUT_PAIRS, NULL,
					      fields,       ARRAY_SIZE(fields) };

static void core_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

static void emit_core(struct ctx *c, const struct task *task, const char *path,
		      const struct core_stats *s)
{
	struct record r;
	struct err why = s->why;

	record_init(&r, &core_kind);
	record_int(&r, PID, task->pid);
	record_str(&r, COMM, task->comm);
	record_str(&r, FILE_PATH, path);
	record_uint(&r, THREADS, s->threads);
	record_uint(&r, SEGMENTS, s->segments);
	record_uint(&r, BYTES, s->bytes);
	record_uint(&r, UNTOUCHED, s->untouched);
	record_uint(&r, OF_FILES, s->of_files);
	record_uint(&r, SWAPPED, s->swapped);
	record_uint(&r, ABSENT, s->absent);
	record_uint(&r, SIZE, s->size);
	emit(c, &r);
	if (!s->absent)
		return;
	err_wrap(&why, "%llu bytes are not in the core; the first", (unsigned long long)s->absent);
	note(c, &why);
}

static bool gcore_run(struct ctx *c, struct err *err)
{
	const struct task *task;
	struct core_stats stats;
	struct user_program p;
	bool ok;

	if (c->argc != 2)
		return err_set(err, ERR_USAGE, "a task and a file are wanted");
	if (!task_named(c, c->argv[0], &task, err))
		return false;
	ok = program_init(&p, c->t, task, NULL, c->arena, err) &&
	     core_file_write(&p, c->argv[1], &stats, core_flaw, c, err);
	if (ok && p.areas_why.code != ERR_OK)
		note(c, &p.areas_why);
	program_release(&p);
	if (ok)
		emit_core(c, task, c->argv[1], &stats);
	return ok;
}

static const struct example examples[] = {
	{ "gcore 1 init.core", "init's memory and registers; then: gdb /sbin/init init.core" },
};
const struct command cmd_gcore = {
	.name = "gcore",
	.group = "memory",
	.summary = "write a core file of a process",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "pid|task|name file",
	.emits = (const struct record_kind *const[]){ &core_kind, NULL },
	.completes = COMPLETE_PID | COMPLETE_FILE,
	.help = "Writes a core of the process of a task, which gdb opens: the registers of all threads as the "
		"kernel saved them, the task's own first; signals, the auxiliary vector, the mapped files; and the "
		"memory that was in RAM. x86-64, arm64 and 32-bit ARM; 32-bit programs of 64-bit kernels are refused.\n\n"
		"What the dump lacks, and what was swapped out, is in no segment: gdb says that it cannot access it, and "
		"never shows zeros in its place. Only memory that nobody ever wrote reads as zeros. Parts of files that no page "
		"table had are read by gdb from the files themselves, if it finds them. makedumpfile usually leaves "
		"out all memory of programs (-d 8 and its sums).\n\n"
		"Floating point registers of a task that was running may have been in the CPU alone; that is said.\n\n"
		"The file is readable by nobody else, for it has the program's secrets in it; no link is followed to it, a file of "
		"somebody else's or with another name is not written over, and of a core that fails half-way nothing is kept.",
	EXAMPLES(examples),
	.run = gcore_run,
};
