/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals of a task, as task_struct, signal_struct and sighand_struct keep them. */
#include "core/arch/abi_name.h"
#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/linux/program/signal.h"
#include "core/types/shape.h"

/* ---- sets */

/* A sigset_t: one word of 64 bits, or two of 32. The second is not asked for where there is none.
 */
enum {
	SET_PENDING,
	SET_BLOCKED,
	SET_REAL,
	SET_SAVED,
	SET_PENDING_HIGH,
	SET_BLOCKED_HIGH,
	SET_REAL_HIGH,
	SET_SAVED_HIGH,
	TASK_SIGNAL,
	TASK_SIGHAND,
	TASK_LAST
};
static const struct shape_field task_fields[] = {
	[SET_PENDING] = FIELD("pending.signal.sig[0]"),
	[SET_BLOCKED] = FIELD("blocked.sig[0]"),
	[SET_REAL] = FIELD("real_blocked.sig[0]"),
	[SET_SAVED] = FIELD("saved_sigmask.sig[0]"),
	[SET_PENDING_HIGH] = FIELD_MAYBE("pending.signal.sig[1]"),
	[SET_BLOCKED_HIGH] = FIELD_MAYBE("blocked.sig[1]"),
	[SET_REAL_HIGH] = FIELD_MAYBE("real_blocked.sig[1]"),
	[SET_SAVED_HIGH] = FIELD_MAYBE("saved_sigmask.sig[1]"),
	[TASK_SIGNAL] = FIELD("signal"),
	[TASK_SIGHAND] = FIELD("sighand"),
	[TASK_LAST] = FIELD("last_siginfo"),
};
static const struct shape task_shape = SHAPE("struct task_struct", task_fields);

enum {
	SIGNAL_THREADS,
	SIGNAL_SHARED,
	SIGNAL_SHARED_HIGH
};
static const struct shape_field signal_fields[] = {
	[SIGNAL_THREADS] = FIELD("nr_threads"),
	[SIGNAL_SHARED] = FIELD("shared_pending.signal.sig[0]"),
	[SIGNAL_SHARED_HIGH] = FIELD_MAYBE("shared_pending.signal.sig[1]"),
};
static const struct shape signal_shape = SHAPE("struct signal_struct", signal_fields);

static bool set_read(const struct shaped *s, unsigned low, unsigned high, uint64_t *ret,
		     struct err *err)
{
	uint64_t more = 0;

	if (!shaped_u64(s, low, ret, err))
		return false;
	if (s->t->arch->word == 4 && !shaped_u64(s, high, &more, err))
		return false;
	*ret |= more << 32;
	return true;
}

bool task_signals(struct target *t, const struct task *task, struct task_signals *ret,
		  struct err *err)
{
	struct shaped s;

	*ret = (struct task_signals){ 0 };
	if (!shape_read(t, &task_shape, task->addr, &s, err) ||
	    !set_read(&s, SET_PENDING, SET_PENDING_HIGH, &ret->pending, err) ||
	    !set_read(&s, SET_BLOCKED, SET_BLOCKED_HIGH, &ret->blocked, err) ||
	    !set_read(&s, SET_REAL, SET_REAL_HIGH, &ret->real_blocked, err) ||
	    !set_read(&s, SET_SAVED, SET_SAVED_HIGH, &ret->saved, err) ||
	    !shaped_u64(&s, TASK_SIGNAL, &ret->signal, err) ||
	    !shaped_u64(&s, TASK_SIGHAND, &ret->sighand, err))
		return err_wrap(err, "signals of task %d", task->pid);
	ret->last_siginfo = shaped_u64_or(&s, TASK_LAST, 0);
	if (!ret->signal)
		return true;
	if (!shape_read(t, &signal_shape, ret->signal, &s, err) ||
	    !shaped_u64(&s, SIGNAL_THREADS, &ret->threads, err) ||
	    !set_read(&s, SIGNAL_SHARED, SIGNAL_SHARED_HIGH, &ret->shared, err))
		return err_wrap(err, "signals of the process of task %d", task->pid);
	return true;
}

/* ---- what is queued */

enum {
	INFO_SIGNO,
	INFO_CODE,
	INFO_ERRNO,
	INFO_KILL_PID,
	INFO_KILL_UID,
	INFO_CHILD_PID,
	INFO_CHILD_UID,
	INFO_CHILD_STATUS,
	INFO_FAULT
};
static const struct shape_field info_fields[] = {
	[INFO_SIGNO] = FIELD("si_signo"),
	[INFO_CODE] = FIELD("si_code"),
	[INFO_ERRNO] = FIELD("si_errno"),
	[INFO_KILL_PID] = FIELD("_sifields._kill._pid"),
	[INFO_KILL_UID] = FIELD("_sifields._kill._uid"),
	[INFO_CHILD_PID] = FIELD("_sifields._sigchld._pid"),
	[INFO_CHILD_UID] = FIELD("_sifields._sigchld._uid"),
	[INFO_CHILD_STATUS] = FIELD("_sifields._sigchld._status"),
	[INFO_FAULT] = FIELD("_sifields._sigfault._addr"),
};
static const struct shape info_shape = SHAPE("struct kernel_siginfo", info_fields);

/* include/uapi/asm-generic/siginfo.h, and the numbers that the machines here have in common */
#define SI_USER 0
#define SI_QUEUE (-1)
#define SI_MESGQ (-3)
#define SI_TKILL (-6)
#define SI_KERNEL 0x80
#define NUMBER_ILL 4
#define NUMBER_TRAP 5
#define NUMBER_BUS 7
#define NUMBER_FPE 8
#define NUMBER_SEGV 11
#define NUMBER_CHLD 17

static bool is_fault(int signo)
{
	return signo == NUMBER_ILL || signo == NUMBER_TRAP || signo == NUMBER_BUS ||
	       signo == NUMBER_FPE || signo == NUMBER_SEGV;
}

bool signal_info_read(struct target *t, uint64_t addr, struct signal_info *ret, struct err *err)
{
	int64_t signo, code, errnum, status = 0, pid = 0;
	struct shaped s;
	bool child;

	*ret = (struct signal_info){ 0 };
	if (!shape_read(t, &info_shape, addr, &s, err) ||
	    !shaped_s64(&s, INFO_SIGNO, &signo, err) || !shaped_s64(&s, INFO_CODE, &code, err) ||
	    !shaped_s64(&s, INFO_ERRNO, &errnum, err))
		return false;
	ret->signo = (int)signo;
	ret->code = (int)code;
	ret->errnum = (int)errnum;
	/* the union is read as the code says that it was written */
	child = signo == NUMBER_CHLD && code > 0 && code < SI_KERNEL;
	ret->has_sender = child || code == SI_USER || code == SI_TKILL || code == SI_QUEUE ||
			  code == SI_MESGQ;
	ret->has_status = child;
	ret->has_fault = is_fault(ret->signo) && code > 0 && code < SI_KERNEL;
	if (ret->has_sender &&
	    (!shaped_s64(&s, child ? INFO_CHILD_PID : INFO_KILL_PID, &pid, err) ||
	     !shaped_u64(&s, child ? INFO_CHILD_UID : INFO_KILL_UID, &ret->uid, err)))
		return false;
	if (child && !shaped_s64(&s, INFO_CHILD_STATUS, &status, err))
		return false;
	if (ret->has_fault && !shaped_u64(&s, INFO_FAULT, &ret->fault, err))
		return false;
	ret->pid = (int)pid;
	ret->status = (int)status;
	return true;
}

struct queue_walk {
	struct target *t;
	uint64_t info; /* offset in struct sigqueue */
	bool (*fn)(const struct signal_info *i, void *arg);
	void *arg;
	struct err why;
};

static bool queue_entry(uint64_t addr, void *arg)
{
	struct queue_walk *w = arg;
	struct signal_info i;

	if (!signal_info_read(w->t, addr + w->info, &i, &w->why))
		return false;
	i.addr = addr;
	return w->fn(&i, w->arg);
}

bool signals_queued(struct target *t, const struct task *task, const struct task_signals *s,
		    bool shared, bool (*fn)(const struct signal_info *i, void *arg), void *arg,
		    struct err *err)
{
	struct queue_walk w = { .t = t, .fn = fn, .arg = arg };
	uint64_t head, link;

	if (shared && !s->signal)
		return true;
	if (!field_offset(t, "struct sigqueue", "info", &w.info, err) ||
	    !field_offset(t, "struct sigqueue", "list", &link, err))
		return false;
	if (!(shared ? field_offset(t, "struct signal_struct", "shared_pending.list", &head, err)
		     : field_offset(t, "struct task_struct", "pending.list", &head, err)))
		return false;
	head += shared ? s->signal : task->addr;
	if (!list_each(t, head, link, "queued signals", queue_entry, &w, err))
		return err_wrap(err, "task %d", task->pid);
	return w.why.code == ERR_OK || (*err = w.why, err_wrap(err, "task %d", task->pid));
}

/* ---- handlers */

enum {
	ACTION_HANDLER,
	ACTION_FLAGS,
	ACTION_MASK,
	ACTION_MASK_HIGH
};
static const struct shape_field action_fields[] = {
	[ACTION_HANDLER] = FIELD("sa.sa_handler"),
	[ACTION_FLAGS] = FIELD("sa.sa_flags"),
	[ACTION_MASK] = FIELD("sa.sa_mask.sig[0]"),
	[ACTION_MASK_HIGH] = FIELD_MAYBE("sa.sa_mask.sig[1]"),
};
static const struct shape action_shape = SHAPE("struct k_sigaction", action_fields);

bool signal_actions(struct target *t, const struct task_signals *s,
		    struct signal_action ret[SIGNALS_MAX], struct err *err)
{
	const struct type *type;
	uint64_t off;

	if (!s->sighand)
		return err_set(err, ERR_NOTFOUND, "it has no handlers: it is dead");
	if (!field_offset(t, "struct sighand_struct", "action", &off, err) ||
	    !type_find(t, "struct k_sigaction", &type, err))
		return false;
	for (unsigned i = 0; i < SIGNALS_MAX; i++) {
		struct shaped a;

		if (!shape_read(t, &action_shape, s->sighand + off + i * type->size, &a, err) ||
		    !shaped_u64(&a, ACTION_HANDLER, &ret[i].handler, err) ||
		    !shaped_u64(&a, ACTION_FLAGS, &ret[i].flags, err) ||
		    !set_read(&a, ACTION_MASK, ACTION_MASK_HIGH, &ret[i].mask, err))
			return err_wrap(err, "handler of signal %u", i + 1);
	}
	return true;
}

/* ---- names */

const char *signal_name(struct arena *a, unsigned signo)
{
	const char *name = signal_abi_name(signo);

	return name ? name : arena_printf(a, "SIG%u", signo);
}

/* Of a set that has most signals the few that it lacks are told. */
#define SET_MOST 32

const char *signal_set_text(struct arena *a, uint64_t set)
{
	struct buf b = { 0 };
	const char *text;
	unsigned n_set = 0;

	for (unsigned n = 0; n < SIGNALS_MAX; n++)
		n_set += set >> n & 1;
	if (n_set == SIGNALS_MAX)
		return "all";
	if (n_set > SET_MOST) {
		buf_str(&b, "all but");
		set = ~set;
	}
	for (unsigned n = 1; n <= SIGNALS_MAX; n++)
		if (set >> (n - 1) & 1)
			buf_printf(&b, "%s%s", b.n ? " " : "", signal_name(a, n));
	text = b.n ? arena_strndup(a, b.s, b.n) : "";
	buf_release(&b);
	return text;
}

struct code_name {
	int signo, code; /* signo 0: of any signal */
	const char *name;
};
static const struct code_name code_names[] = {
	{ 0, SI_USER, "SI_USER" },
	{ 0, SI_KERNEL, "SI_KERNEL" },
	{ 0, SI_QUEUE, "SI_QUEUE" },
	{ 0, -2, "SI_TIMER" },
	{ 0, SI_MESGQ, "SI_MESGQ" },
	{ 0, -4, "SI_ASYNCIO" },
	{ 0, -5, "SI_SIGIO" },
	{ 0, SI_TKILL, "SI_TKILL" },
	{ NUMBER_SEGV, 1, "SEGV_MAPERR" },
	{ NUMBER_SEGV, 2, "SEGV_ACCERR" },
	{ NUMBER_BUS, 1, "BUS_ADRALN" },
	{ NUMBER_BUS, 2, "BUS_ADRERR" },
	{ NUMBER_BUS, 3, "BUS_OBJERR" },
	{ NUMBER_BUS, 4, "BUS_MCEERR_AR" },
	{ NUMBER_BUS, 5, "BUS_MCEERR_AO" },
	{ NUMBER_CHLD, 1, "CLD_EXITED" },
	{ NUMBER_CHLD, 2, "CLD_KILLED" },
	{ NUMBER_CHLD, 3, "CLD_DUMPED" },
	{ NUMBER_CHLD, 4, "CLD_TRAPPED" },
	{ NUMBER_CHLD, 5, "CLD_STOPPED" },
	{ NUMBER_CHLD, 6, "CLD_CONTINUED" },
};

const char *signal_code_name(int signo, int code)
{
	for (size_t i = 0; i < ARRAY_SIZE(code_names); i++)
		if (code_names[i].code == code &&
		    (!code_names[i].signo || code_names[i].signo == signo))
			return code_names[i].name;
	return NULL;
}

const char *signal_flags_text(struct arena *a, uint64_t flags)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} bits[] = {
		{ 1, "SA_NOCLDSTOP" },
		{ 2, "SA_NOCLDWAIT" },
		{ 4, "SA_SIGINFO" },
		{ 0x800, "SA_EXPOSE_TAGBITS" },
		{ 0x04000000, "SA_RESTORER" },
		{ 0x08000000, "SA_ONSTACK" },
		{ 0x10000000, "SA_RESTART" },
		{ 0x40000000, "SA_NODEFER" },
		{ 0x80000000, "SA_RESETHAND" },
	};
	struct buf b = { 0 };
	const char *text;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		if (!(flags & bits[i].bit))
			continue;
		buf_printf(&b, "%s%s", b.n ? " " : "", bits[i].name);
		flags &= ~bits[i].bit;
	}
	if (flags)
		buf_printf(&b, "%s0x%llx", b.n ? " " : "", (unsigned long long)flags);
	text = b.n ? arena_strndup(a, b.s, b.n) : "";
	buf_release(&b);
	return text;
}
