/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals of a task: what is pending, what is blocked, and who handles what. */
#ifndef OBIT_SIGNAL_H
#define OBIT_SIGNAL_H

#include "core/image/target.h"
#include "core/linux/task/task.h"

#define SIGNALS_MAX 64u /* signals are numbered from 1 to this; a set of them has bit n - 1 */

struct task_signals {
	uint64_t signal;  /* struct signal_struct; 0: the task is dead */
	uint64_t sighand; /* struct sighand_struct; 0: the task is dead */
	uint64_t threads; /* of its process, as signal_struct counts them */
	uint64_t pending; /* sets: sent to this task alone */
	uint64_t shared;  /* sent to the process; any thread may take it */
	uint64_t blocked;
	uint64_t real_blocked; /* what is blocked while sigtimedwait() waits; otherwise 0 */
	uint64_t saved;        /* what will be blocked again after sigsuspend() and its like */
	uint64_t last_siginfo; /* struct kernel_siginfo, while a tracer holds the task; 0: none */
};
bool task_signals(struct target *t, const struct task *task, struct task_signals *ret,
		  struct err *err) MUST_CHECK;

/* What the kernel keeps of one signal that was sent. A signal may be pending without it: SIGKILL
 * always is, and any is when there was no memory left. */
struct signal_info {
	uint64_t addr; /* struct sigqueue; 0: it is no queued one */
	int signo, code, errnum;
	bool has_sender; /* pid and uid are who sent it, or which child it tells of */
	int pid;
	uint64_t uid;
	bool has_status; /* of a child: its exit status, or the signal that ended it */
	int status;
	bool has_fault;
	uint64_t fault; /* the address at which the program faulted */
};
/* Calls fn for each signal that is queued for the task alone, or with `shared` for its process,
 * until fn returns false. *s is what task_signals() found of it. */
bool signals_queued(struct target *t, const struct task *task, const struct task_signals *s,
		    bool shared, bool (*fn)(const struct signal_info *i, void *arg), void *arg,
		    struct err *err) MUST_CHECK;
/* Sets *ret to what a struct kernel_siginfo at addr says. */
bool signal_info_read(struct target *t, uint64_t addr, struct signal_info *ret,
		      struct err *err) MUST_CHECK;

#define SIGNAL_DEFAULT 0u /* handlers that are no functions */
#define SIGNAL_IGNORED 1u
struct signal_action {
	uint64_t handler; /* the program's function, SIGNAL_DEFAULT or SIGNAL_IGNORED */
	uint64_t flags;   /* SA_* */
	uint64_t mask;    /* the set that is blocked while the handler runs */
};
/* Sets ret[n - 1] to what happens with signal n. */
bool signal_actions(struct target *t, const struct task_signals *s,
		    struct signal_action ret[SIGNALS_MAX], struct err *err) MUST_CHECK;

/* "SIGTERM"; "SIG34" of a real-time signal, which has no name of its own; in the arena. */
const char *signal_name(struct arena *a, unsigned signo);
/* The names of a set, the lowest number first, with a blank between them; "" of an empty one, and
 * "all but SIGKILL SIGSTOP" of one that has more than half of them. */
const char *signal_set_text(struct arena *a, uint64_t set);
/* What si_code says of how a signal came to be: "SI_USER", "SEGV_MAPERR"; NULL: nothing known. */
const char *signal_code_name(int signo, int code);
/* The names of flags of an action: "SA_RESTART SA_RESTORER"; in the arena. */
const char *signal_flags_text(struct arena *a, uint64_t flags);

#endif
