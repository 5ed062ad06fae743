/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sig: what signals tasks have pending and blocked, and who handles them. */
#include "core/obit.h"
#include "core/linux/memory/user.h"
#include "core/linux/program/signal.h"
#include "core/records/task_record.h"

struct sig_opts {
	bool all, group, list;
	const char *set;
};
static const struct option opts[] = {
	OPT_FLAG("a", struct sig_opts, all, "every signal's handler, those left as they are too"),
	OPT_FLAG("g", struct sig_opts, group, "every thread of the task's process"),
	OPT_FLAG("l", struct sig_opts, list, "the signals by number"),
	OPT_STR("s", "set", struct sig_opts, set, "the signals in a set: 4100, as masks are shown"),
};

enum {
	S_PID,
	S_SIGNAL,
	S_SIGHAND,
	S_THREADS,
	S_PENDING,
	S_SHARED,
	S_BLOCKED,
	S_REAL,
	S_SAVED,
	S_DELIVERABLE
};

/* "4100 SIGKILL SIGALRM", and "none". */
static void form_set(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	(void)r;
	if (cell->kind == CELL_NULL)
		buf_str(b, "-");
	else if (!cell->u)
		buf_str(b, "none");
	else
		buf_printf(b, "0x%llx %s", (unsigned long long)cell->u,
			   signal_set_text(k->t->scratch, cell->u));
}

static const struct record_field state_fields[] = {
	[S_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose they are" },
	[S_SIGNAL] = { "signal", NULL, CELL_ADDR, 0, "address of the struct signal_struct" },
	[S_SIGHAND] = { "sighand", NULL, CELL_ADDR, 0, "address of the struct sighand_struct" },
	[S_THREADS] = { "threads", NULL, CELL_UINT, 0, "of the process" },
	[S_PENDING] = { "pending", NULL, CELL_HEX, 0,
			"the set of signals sent to this task; bit 0 is signal 1", form_set },
	[S_SHARED] = { "shared", NULL, CELL_HEX, 0, "those sent to its process", form_set },
	[S_BLOCKED] = { "blocked", NULL, CELL_HEX, 0, "those that it does not take now", form_set },
	[S_REAL] = { "real_blocked", "REAL BLOCKED", CELL_HEX, 0,
		     "what it blocks but for a sigtimedwait() that waits", form_set },
	[S_SAVED] = { "saved", NULL, CELL_HEX, FIELD_JSON,
		      "what will be blocked after a sigsuspend() or ppoll()", form_set },
	[S_DELIVERABLE] = { "deliverable", NULL, CELL_HEX, 0,
			    "pending, and not blocked: it takes them when it next runs", form_set },
};
static const struct record_kind state_kind = { "signals",    "the signals of a task",
					       LAYOUT_PAIRS, NULL,
					       state_fields, ARRAY_SIZE(state_fields) };

enum {
	Q_PID,
	Q_SET,
	Q_NUMBER,
	Q_NAME,
	Q_CODE,
	Q_WHY,
	Q_FROM,
	Q_UID,
	Q_STATUS,
	Q_FAULT,
	Q_ADDR
};
static const struct record_field queued_fields[] = {
	[Q_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[Q_SET] = { "queue", NULL, CELL_STR, 0, "task: for this task; shared: for its process" },
	[Q_NUMBER] = { "number", "NR", CELL_INT, FIELD_RIGHT, "of the signal" },
	[Q_NAME] = { "name", NULL, CELL_STR, 0, "of the signal" },
	[Q_CODE] = { "code", NULL, CELL_INT, FIELD_JSON, "si_code" },
	[Q_WHY] = { "why", NULL, CELL_STR, 0, "what si_code says of how it came to be" },
	[Q_FROM] = { "from", NULL, CELL_INT, FIELD_RIGHT,
		     "pid of the sender, or of the child it tells of" },
	[Q_UID] = { "uid", NULL, CELL_UINT, FIELD_RIGHT, "that one's user" },
	[Q_STATUS] = { "status", NULL, CELL_INT, FIELD_JSON, "of a child: si_status" },
	[Q_FAULT] = { "fault", NULL, CELL_HEX, FIELD_RIGHT, "the address that faulted" },
	[Q_ADDR] = { "sigqueue", NULL, CELL_ADDR, 0, "address of the struct sigqueue" },
};
static const struct record_kind queued_kind = { "queued_signal", "a signal that waits to be taken",
						LAYOUT_TABLE,    NULL,
						queued_fields,   ARRAY_SIZE(queued_fields) };

enum {
	H_PID,
	H_NUMBER,
	H_NAME,
	H_WHAT,
	H_HANDLER,
	H_FILE,
	H_OFFSET,
	H_MASK,
	H_FLAGS
};
static void form_where(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	if (cell->kind == CELL_NULL)
		buf_str(b, "-");
	else
		buf_add(b, cell->str.s, cell->str.n);
	if (r->cells[H_OFFSET].kind != CELL_NULL)
		buf_printf(b, "+0x%llx", (unsigned long long)r->cells[H_OFFSET].u);
}

static const struct record_field handler_fields[] = {
	[H_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[H_NUMBER] = { "number", "NR", CELL_UINT, FIELD_RIGHT, "of the signal" },
	[H_NAME] = { "name", NULL, CELL_STR, 0, "of the signal" },
	[H_WHAT] = { "action", NULL, CELL_STR, 0,
		     "default, ignored, or handler: a function of the program" },
	[H_HANDLER] = { "handler", NULL, CELL_HEX, FIELD_RIGHT, "the function" },
	[H_FILE] = { "file", "WHERE", CELL_STR, 0, "the file that the function was mapped from",
		     form_where },
	[H_OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "where in that file, bytes" },
	[H_MASK] = { "mask", NULL, CELL_HEX, 0, "the set that is blocked while it runs", form_set },
	[H_FLAGS] = { "flags", NULL, CELL_STR, 0, "as sigaction(2) names them" },
};
static const struct record_kind handler_kind = { "signal_handler", "what happens with a signal",
						 LAYOUT_TABLE,     NULL,
						 handler_fields,   ARRAY_SIZE(handler_fields) };

enum {
	N_NUMBER,
	N_NAME
};
static const struct record_field name_fields[] = {
	[N_NUMBER] = { "number", "NR", CELL_UINT, FIELD_RIGHT, "of the signal" },
	[N_NAME] = { "name", NULL, CELL_STR, 0, "of the signal" },
};
static const struct record_kind name_kind = { "signal",     "a signal's name (sig -l, sig -s)",
					      LAYOUT_TABLE, NULL,
					      name_fields,  ARRAY_SIZE(name_fields) };

static void emit_names(struct ctx *c, uint64_t set)
{
	for (unsigned n = 1; n <= SIGNALS_MAX; n++) {
		struct record r;

		if (!(set >> (n - 1) & 1))
			continue;
		record_init(&r, &name_kind);
		record_uint(&r, N_NUMBER, n);
		record_str(&r, N_NAME, signal_name(c->arena, n));
		emit(c, &r);
	}
	if (!set)
		emit_none(c, &name_kind, "no signal is in this set");
}

/* ---- one task */

struct sig_shown {
	struct ctx *c;
	const struct task *task;
	bool shared;
	uint64_t queued; /* the set of those that were shown */
};

static bool show_queued(const struct signal_info *i, void *arg)
{
	struct sig_shown *w = arg;
	struct record r;

	record_init(&r, &queued_kind);
	record_int(&r, Q_PID, w->task->pid);
	record_str(&r, Q_SET, w->shared ? "shared" : "task");
	record_int(&r, Q_NUMBER, i->signo);
	if (i->signo > 0 && i->signo <= (int)SIGNALS_MAX)
		record_str(&r, Q_NAME, signal_name(w->c->arena, (unsigned)i->signo));
	record_int(&r, Q_CODE, i->code);
	record_str(&r, Q_WHY, signal_code_name(i->signo, i->code));
	if (r.cells[Q_WHY].kind == CELL_NULL)
		record_str(&r, Q_WHY, arena_printf(w->c->arena, "code %d", i->code));
	if (i->has_sender) {
		record_int(&r, Q_FROM, i->pid);
		record_uint(&r, Q_UID, i->uid);
	}
	if (i->has_status)
		record_int(&r, Q_STATUS, i->status);
	if (i->has_fault)
		record_uint(&r, Q_FAULT, i->fault);
	record_uint(&r, Q_ADDR, i->addr);
	emit(w->c, &r);
	if (i->signo > 0 && i->signo <= (int)SIGNALS_MAX)
		w->queued |= UINT64_C(1) << (i->signo - 1);
	return true;
}

static void emit_queued(struct ctx *c, const struct task *task, const struct task_signals *s,
			bool shared)
{
	struct sig_shown w = { .c = c, .task = task, .shared = shared };
	uint64_t set = shared ? s->shared : s->pending;
	struct err why;

	if (!signals_queued(c->t, task, s, shared, show_queued, &w, &why))
		note(c, &why);
	for (unsigned n = 1; n <= SIGNALS_MAX; n++) {
		struct record r;

		if (!((set & ~w.queued) >> (n - 1) & 1))
			continue;
		record_init(&r, &queued_kind);
		record_int(&r, Q_PID, task->pid);
		record_str(&r, Q_SET, shared ? "shared" : "task");
		record_int(&r, Q_NUMBER, n);
		record_str(&r, Q_NAME, signal_name(c->arena, n));
		record_str(&r, Q_WHY, "nothing queued");
		emit(c, &r);
	}
}

static void record_place(struct ctx *c, struct record *r, struct user_space *u, uint64_t at)
{
	struct vma area;

	if (!u->t || !user_area(u, at, c->arena, &area) || !area.name)
		return;
	record_str(r, H_FILE, area.name);
	if (area.file)
		record_uint(r, H_OFFSET, at - area.start + area.offset);
}

static void emit_handlers(struct ctx *c, const struct task *task, const struct task_signals *s)
{
	const struct sig_opts *o = c->opts;
	struct signal_action actions[SIGNALS_MAX];
	struct user_space u = { .t = NULL };
	struct err why;

	if (!signal_actions(c->t, s, actions, &why)) {
		if (why.code != ERR_NOTFOUND)
			note(c, &why);
		return;
	}
	if (!user_space_init(&u, c->t, task, &why))
		u.t = NULL;
	for (unsigned n = 1; n <= SIGNALS_MAX; n++) {
		const struct signal_action *a = &actions[n - 1];
		bool function = a->handler != SIGNAL_DEFAULT && a->handler != SIGNAL_IGNORED;
		struct record r;

		if (a->handler == SIGNAL_DEFAULT && !o->all)
			continue;
		record_init(&r, &handler_kind);
		record_int(&r, H_PID, task->pid);
		record_uint(&r, H_NUMBER, n);
		record_str(&r, H_NAME, signal_name(c->arena, n));
		record_str(&r, H_WHAT,
			   function                       ? "handler"
			   : a->handler == SIGNAL_IGNORED ? "ignored"
							  : "default");
		if (function) {
			record_uint(&r, H_HANDLER, a->handler);
			record_place(c, &r, &u, a->handler);
		}
		record_uint(&r, H_MASK, a->mask);
		record_str(&r, H_FLAGS, signal_flags_text(c->arena, a->flags));
		emit(c, &r);
	}
}

static bool one_task(struct ctx *c, const struct task *task, struct err *err)
{
	struct task_signals s;
	struct record r;

	if (!task_signals(c->t, task, &s, err))
		return false;
	emit_task_head(c, task);
	record_init(&r, &state_kind);
	record_int(&r, S_PID, task->pid);
	if (s.signal) {
		record_uint(&r, S_SIGNAL, s.signal);
		record_uint(&r, S_THREADS, s.threads);
		record_uint(&r, S_SHARED, s.shared);
	}
	if (s.sighand)
		record_uint(&r, S_SIGHAND, s.sighand);
	record_uint(&r, S_PENDING, s.pending);
	record_uint(&r, S_BLOCKED, s.blocked);
	record_uint(&r, S_REAL, s.real_blocked);
	record_uint(&r, S_SAVED, s.saved);
	record_uint(&r, S_DELIVERABLE, (s.pending | s.shared) & ~s.blocked);
	emit(c, &r);
	emit_queued(c, task, &s, false);
	emit_queued(c, task, &s, true);
	emit_handlers(c, task, &s);
	return interrupt_check(err);
}

static bool one_or_group(struct ctx *c, const struct task *task, struct err *err)
{
	const struct sig_opts *o = c->opts;
	const struct task *const *all;
	struct err why;
	size_t n;

	if (!o->group) {
		if (one_task(c, task, &why))
			return true;
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
		return true;
	}
	if (!tasks_of_group(c->t, task, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!one_task(c, all[i], err))
			return false;
	return true;
}

static bool sig_run(struct ctx *c, struct err *err)
{
	const struct sig_opts *o = c->opts;
	uint64_t set;

	if (o->list + (o->set != NULL) > 1 || ((o->list || o->set) && c->argc))
		return err_set(err, ERR_USAGE, "-l and -s are about no task");
	if (o->list)
		return emit_names(c, UINT64_MAX), true;
	if (!o->set)
		return each_task(c, one_or_group, err);
	if (!parse_number(o->set, true, &set))
		return err_set(err, ERR_USAGE, "'%s' is no set of signals", o->set);
	return emit_names(c, set), true;
}

static bool sig_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	return task_by_addr(c->t, v.addr, &task, err) && one_or_group(c, task, err);
}

static const struct example examples[] = {
	{ "sig 1", "what init has pending, blocks and handles" },
	{ "ps -u | sig", "the same of every program" },
	{ "sig -s 4100", "the signals of a mask" },
};
const struct command cmd_sig = {
	.name = "sig",
	.group = "tasks",
	.summary = "signals of tasks",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.apart = true,
	.operands = "[pid | task | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct sig_opts),
	.emits = (const struct record_kind *const[]){ &task_head_kind, &state_kind, &queued_kind,
						      &handler_kind, &name_kind, NULL },
	.none = "no such signal",
	.completes = COMPLETE_PID,
	.help = "Prints, of the current task or of those named, the sets of signals that are pending for it alone "
		"and for its process, and those it blocks; what is queued, with who sent it; and which signals are "
		"not left to the kernel's default: ignored, or handled by a function of the program, which is shown "
		"with the file it was mapped from.\n\n"
		"A signal may be pending with nothing queued: SIGKILL always is, others are when there was no "
		"memory. While sigtimedwait() waits, REAL BLOCKED is what the task otherwise blocks. "
		"Signals are numbered as on x86 and ARM.",
	EXAMPLES(examples),
	.run = sig_run,
	.each = sig_each,
};
