/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locks: who has locked which bytes of which file, and who waits for that. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/file_lock.h"
#include "core/linux/task/task.h"

enum {
	NUMBER,
	ADDR,
	PID,
	COMM,
	KIND,
	STATE,
	MODE,
	START,
	END,
	PATH,
	WAITS,
	BLOCKER,
	DEPTH,
	OWNER,
	FILE_ADDR,
	INODE,
	INO,
	MAJOR,
	MINOR
};

/* As /proc/locks has it: behind its lock, with an arrow. */
static void kind_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k;
	buf_printf(b, "%*s%s%s", (int)(r->cells[DEPTH].u > 1 ? r->cells[DEPTH].u - 1 : 0), "",
		   r->cells[DEPTH].u ? "-> " : "", cell->str.s);
}

static void end_text(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL)
		buf_printf(b, "EOF");
	else
		buf_printf(b, "%lld", (long long)cell->i);
}

static const struct record_field fields[] = {
	[NUMBER] = { "number", "NR", CELL_UINT, FIELD_RIGHT,
		     "as /proc/locks counts them; a request has the number of its lock" },
	[ADDR] = { "lock", NULL, CELL_ADDR, 0,
		   "address of the struct file_lock; of a lease it is a file_lease since v6.9" },
	[PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT,
		  "the process that asked for it; -1: an open file has it, whoever asked" },
	[COMM] = { "comm", NULL, CELL_STR, 0, "that process's name" },
	[KIND] = { "kind", NULL, CELL_STR, 0, "POSIX, OFDLCK, FLOCK, LEASE, DELEG",
		   .text = kind_text },
	[STATE] = { "state", NULL, CELL_STR, 0, "ADVISORY; of a lease ACTIVE, BREAKING, BREAKER" },
	[MODE] = { "mode", NULL, CELL_STR, 0, "READ, WRITE, UNLCK" },
	[START] = { "start", NULL, CELL_INT, FIELD_RIGHT, "its first byte" },
	[END] = { "end", NULL, CELL_INT, FIELD_RIGHT, "its last byte; null: the file's end",
		  .text = end_text },
	[PATH] = { "path", NULL, CELL_STR, 0, "the file" },
	[WAITS] = { "waits", NULL, CELL_BOOL, FIELD_JSON, "it is a request that is not granted" },
	[BLOCKER] = { "blocker", NULL, CELL_ADDR, FIELD_JSON,
		      "of a request: the lock, or the request, that is in its way" },
	[DEPTH] = { "depth", NULL, CELL_UINT, FIELD_JSON,
		    "0: granted; 1: it waits for a lock; 2: for a request" },
	[OWNER] = { "owner", NULL, CELL_ADDR, FIELD_JSON,
		    "whose it is: of POSIX a struct files_struct, else a struct file" },
	[FILE_ADDR] = { "file", NULL, CELL_ADDR, FIELD_JSON, "address of the struct file" },
	[INODE] = { "inode", NULL, CELL_ADDR, FIELD_JSON, "address of the file's struct inode" },
	[INO] = { "ino", NULL, CELL_UINT, FIELD_JSON, "the inode's number" },
	[MAJOR] = { "major", NULL, CELL_UINT, FIELD_JSON, "of the file system's device number" },
	[MINOR] = { "minor", NULL, CELL_UINT, FIELD_JSON, "the same" },
};
static const struct record_kind lock_kind = { .name = "file_lock",
					      .doc = "A lock of a file, or a request for one.",
					      .layout = LAYOUT_TABLE,
					      .fields = fields,
					      .n_fields = ARRAY_SIZE(fields) };

struct locks {
	struct ctx *c;
	struct err *err;
	bool ok, shown;
};

static bool locks_types(struct ctx *c, struct err *err)
{
	const struct file_lock_names *names = file_lock_names(c->t);

	if (names)
		return type_find(c->t, names->type, &c->out_type, err);
	return type_find(c->t, "struct file_lock", &c->out_type, err);
}

/* Do the operands ask for it: by pid, path, or address? */
static bool is_asked(const struct ctx *c, const struct file_lock *l)
{
	uint64_t n;

	for (int i = 0; i < c->argc; i++) {
		if (l->path && !strcmp(c->argv[i], l->path))
			return true;
		if (parse_number(c->argv[i], false, &n) && (int64_t)n == l->pid)
			return true;
		if (parse_number(c->argv[i], true, &n) && n &&
		    (n == l->addr || n == l->file || n == l->inode || n == l->blocker))
			return true;
	}
	return !c->argc;
}

static bool lock_show(const struct file_lock *l, void *arg)
{
	struct locks *ls = arg;
	const struct task *task;
	struct record r;
	struct err ignored;

	if (!is_asked(ls->c, l))
		return true;
	ls->shown = true;
	if (piped(ls->c)) {
		ls->ok = yield(ls->c, value_ref(ls->c->out_type, l->addr), ls->err);
		return ls->ok;
	}
	record_init(&r, &lock_kind);
	record_uint(&r, NUMBER, l->number);
	record_uint(&r, ADDR, l->addr);
	record_int(&r, PID, l->pid);
	if (l->pid > 0 && task_by_pid(ls->c->t, (int)l->pid, &task, &ignored))
		record_str(&r, COMM, task->comm);
	record_str(&r, KIND, l->kind);
	record_str(&r, STATE, l->state);
	record_str(&r, MODE, l->mode);
	record_int(&r, START, l->start);
	if (l->end != FILE_LOCK_EOF)
		record_int(&r, END, l->end);
	record_str(&r, PATH, l->path);
	record_bool(&r, WAITS, l->depth);
	if (l->blocker)
		record_uint(&r, BLOCKER, l->blocker);
	record_uint(&r, DEPTH, l->depth);
	record_uint(&r, OWNER, l->owner);
	if (l->file)
		record_uint(&r, FILE_ADDR, l->file);
	if (l->inode) {
		record_uint(&r, INODE, l->inode);
		record_uint(&r, INO, l->number_of_inode);
		record_uint(&r, MAJOR, l->device >> 20);
		record_uint(&r, MINOR, l->device & 0xfffff);
	}
	emit(ls->c, &r);
	return true;
}

static void locks_flaw(const struct err *e, void *arg)
{
	const struct locks *ls = arg;

	note(ls->c, e);
}

static bool locks_run(struct ctx *c, struct err *err)
{
	struct locks ls = { .c = c, .err = err, .ok = true };
	struct err why;

	if (!file_locks_each(c->t, c->arena, lock_show, locks_flaw, &ls, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
		return true;
	}
	if (ls.ok && !ls.shown && !c->argc && !piped(c))
		emit_none(c, &lock_kind, "no file is locked");
	return ls.ok;
}

static const struct example examples[] = {
	{ "locks", "all of them" },
	{ "locks 1", "those that a process asked for" },
	{ "locks | count", "how many there are, with those that are waited for" },
};
const struct command cmd_locks = {
	.name = "locks",
	.group = "files",
	.summary = "locks of files, and who waits for them",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.types = locks_types,
	.out = "any",
	.operands = "[pid | path | address]...",
	.emits = (const struct record_kind *const[]){ &lock_kind, NULL },
	.none = "no such lock of a file",
	.completes = COMPLETE_PID,
	.help = "Lists the locks of files in the order and the words of /proc/locks: those of fcntl() (POSIX, and "
		"OFDLCK when an open file has it), of flock(), and leases. Requests that wait stand behind their "
		"lock, with an arrow; one that waits for another request stands behind that, indented. An operand "
		"leaves those that a process asked for, those of a file by its path or the address of its struct "
		"file or inode, and a lock with its requests by address.\n\n"
		"Locks inside the kernel are another matter: waits has who waits for any lock, for these too.",
	EXAMPLES(examples),
	.run = locks_run,
};
