/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for whom: what each sleeping task waits for, who has that, and how each is known. */
#ifndef OBIT_WAIT_H
#define OBIT_WAIT_H

#include "core/base/buf.h"
#include "core/image/target.h"
#include "core/linux/io/io.h"
#include "core/linux/task/task.h"

/* How an edge of the graph is known. Those up to WAIT_BY_RULE are proven. */
enum wait_proof {
	WAIT_BY_NOTHING,    /* nobody knows */
	WAIT_BY_OWNER_WORD, /* the lock's own word names who has it */
	WAIT_BY_RING,       /* the waiter on the task's stack is linked in the object's own list */
	WAIT_BY_BLOCKED_ON, /* and the task itself names the object */
	WAIT_BY_WAITER,     /* the object names the task that waits for it */
	WAIT_BY_LOCKDEP,    /* the kernel's own record of locks that tasks hold names the task */
	WAIT_BY_RULE,       /* what the kernel does at this place leaves no other */
	WAIT_BY_HINT,       /* a word that may be stale says so */
	WAIT_BY_CANDIDATE   /* it is one of those that could be meant */
};
/* "owner-word", "ring", "blocked-on", "waiter", "lockdep", "rule", "hint", "candidate"; NULL of
 * WAIT_BY_NOTHING. */
const char *wait_proof_name(enum wait_proof by);
bool wait_is_proven(enum wait_proof by);

#define WAIT_NONE SIZE_MAX

/* The input or output that something ends with. */
struct wait_io {
	const char
		*how; /* "page": it is of the data; "end": the end is told to it; NULL: nothing */
	const struct io_request *request; /* the oldest; NULL: only a bio is known */
	const struct io_bio *bio;
	size_t more; /* how many requests and bios there are besides */
};
/* Appends what it is: "READ of 4096 bytes at sector 8 of vda". There must be a request or a bio. */
void wait_io_words(struct buf *b, const struct wait_io *io);

/* Something that tasks wait for. Strings live in the scratch arena or longer. */
struct wait_object {
	const char *type;          /* "mutex", "rwsem", "completion", "futex", ... */
	uint64_t addr;             /* of a futex the program's address */
	uint64_t space;            /* of a futex the mm_struct that it is an address of; else 0 */
	const char *name;          /* its symbol, or what it lies in; NULL: unknown */
	const char *state;         /* in words; NULL: nothing more is known */
	const struct task *holder; /* who has it, or who must end the wait; NULL: nobody known */
	enum wait_proof holder_by;
	bool orphan; /* its own word names an owner, and that is no task */
	/* it is the rw_semaphore of an area of a process (struct vma_lock, v6.4 to v6.14) */
	bool of_area;
	/* who has it, or must end the wait, as well as the holder, and is known in the same way */
	const struct task *const *others;
	size_t n_others;
	struct wait_io io;
	const char *flaw; /* of one of its edges; NULL: none has any */
	size_t first;     /* its first edge, WAIT_NONE: none; wait_edge.next leads on */
	size_t n;         /* how many tasks wait for it */
	size_t oldest;    /* the edge whose task waits longest; WAIT_NONE: not known */
};

/* A task that waits. */
struct wait_edge {
	const struct task *task;
	size_t object;      /* which of wait_graph.objects; WAIT_NONE: it could not be found */
	enum wait_proof by; /* how the object is known */
	uint64_t waiter;    /* address of what the task left on its stack; 0: nothing */
	const char *func;   /* the kernel's function that waits */
	uint64_t at;        /* where that was asked for: an address of code; 0: unknown */
	/* "read" or "write", which bit, what place in a queue; NULL: there is no such choice */
	const char *mode;
	uint64_t waited; /* nanoseconds since the task last ran; UINT64_MAX: unknown */
	/* The object names this task itself: it was handed over to it, which has not run yet, or it
	 * waits for readers that came before. Then nothing follows from it. */
	bool owns;
	bool asleep;      /* it sleeps in a state that load counts: D */
	int cpu;          /* it does not sleep: this CPU runs it, and spins; -1: it sleeps */
	const char *flaw; /* what contradicts, or could not be read; NULL: nothing */
	size_t next;      /* the next edge to the same object; WAIT_NONE: there is none */
};

/* Edges in order: each one's task waits for an object that the next one's task has. */
struct wait_path {
	const size_t *edges; /* numbers of wait_graph.edges */
	size_t n;
	bool proven; /* neither a hint nor a candidate was needed */
	bool closed; /* a chain that runs into a cycle: its last edge is one of that */
};

struct wait_impl;
struct wait_graph {
	struct target *t;
	VEC(struct wait_edge) edges;
	VEC(struct wait_object) objects;
	VEC(struct wait_path) cycles; /* proven ones first */
	VEC(struct wait_path) chains; /* one for each end, its longest; the longest first */
	size_t *crowds;               /* numbers of the objects, the one of most waiters first */
	size_t skipped;               /* sleeping tasks whose stack could not be read */
	struct err skipped_why;       /* why, of the first of them */
	size_t io_flaws;              /* of what was under way to disks: what could not be read, */
	struct err io_why; /* and the first of these; only where a task waits for a disk */
	struct wait_impl *impl;
};

/* Finds what every sleeping task waits for, and puts cycles, chains and crowds in order. What the
 * graph consists of lives in the scratch arena and until wait_graph_release(). */
bool wait_graph_make(struct target *t, struct wait_graph *ret, struct err *err) MUST_CHECK;
void wait_graph_release(struct wait_graph *g);
/* Has the task what the object is, or must it end the wait, as far as is known? */
bool wait_is_held_by(const struct wait_object *o, const struct task *task);
/* What a CPU was doing. */
struct wait_cpu_state {
	unsigned cpu;
	const struct task *task; /* that it ran */
	bool online, user;       /* user: it ran the task's program */
	const char *stopped;     /* the function that halts it for a panic; NULL: none does */
	/* nanoseconds since the task got the CPU, and since the last tick; UINT64_MAX: unknown, or
	 * the CPU is idle */
	uint64_t ran, silent;
	const char *lockup; /* "hard" or "soft", as the kernel's watchdog would call it; or NULL */
};
/* The states of the CPUs that have run, *n of them, in the scratch arena. */
const struct wait_cpu_state *wait_cpu_states(struct wait_graph *g, size_t *n);
/* The edge of a task; NULL: it waits for nothing that is known. */
const struct wait_edge *wait_edge_of(const struct wait_graph *g, const struct task *task);
/* The edge that follows: of the task that has what this one waits for. NULL: that one is unknown,
 * or waits for nothing. */
const struct wait_edge *wait_edge_next(const struct wait_graph *g, const struct wait_edge *e);

/* ---- wait_since.c */
/* Nanoseconds since a sleeping task last ran; UINT64_MAX: unknown. */
uint64_t wait_since(struct wait_graph *g, const struct task *task);

/* ---- wait_rcu.c */
/* Sets *ret to the RCU grace period that is under way, whoever waits for it: its state says which
 * CPUs have not passed and how many readers there are, its holder is one of them, or the thread
 * that looks after it. False: none is under way. */
bool wait_rcu_now(struct wait_graph *g, struct wait_object *ret);

#endif
