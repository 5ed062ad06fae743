/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about waits share with each other. */
#ifndef OBIT_WAIT_IMPL_H
#define OBIT_WAIT_IMPL_H

#include "core/linux/fs/dcache.h"
#include "core/linux/spin/spin.h"
#include "core/linux/wait/wait.h"
#include "core/unwind/unwind.h"

#define WAIT_FRAMES 24 /* frames of a stack whose functions are looked at */

/* A list of waiters. It is walked once, whoever asks. */
struct wait_ring {
	uint64_t head;    /* the one node that is no waiter; 0: none was met */
	size_t n;         /* waiters */
	const char *flaw; /* where and why the walk broke; NULL: it closed */
	uint64_t lock;    /* headless rings: the lock whose first waiter is in it; 0: not found */
	unsigned tries;   /* how many stacks were searched for that lock */
};

/* A CPU that runs a task. */
struct wait_cpu {
	unsigned cpu;
	const struct task *task;
	const char *stopped;  /* the function that halts it; NULL: none does */
	bool user;            /* it ran a program */
	const uint64_t *live; /* what is in its registers, and on the stack in its frames */
	size_t n_live;
};

/* Who may have a lock whose word names nobody. */
struct wait_suspect {
	size_t object;
	const struct task *first, *last;
	size_t n;
};

/* A lock that a task holds, by the kernel's own record. */
struct wait_held {
	uint64_t map; /* the lock's lockdep_map */
	const struct task *task;
	size_t next; /* the next one of the same lock; WAIT_NONE: there is none */
};

/* What is kept while a graph is made. */
struct wait_impl {
	struct map tasks; /* task_struct -> const struct task * */
	VEC(const struct task *) all;
	struct map edges; /* task_struct -> number of its edge + 1 */
	struct map found; /* hash of an object -> its number + 1 */
	struct map names; /* address of code -> its function's name */
	struct map nodes; /* address of a list node -> number of its ring + 1 */
	VEC(struct wait_ring) rings;
	/* lock of a file, or request for one -> the lock that is granted */
	struct map granted;
	uint64_t stack_size;
	bool clocks_tried;
	uint64_t clock, clock_task; /* the greatest of all run queues'; 0: unknown */
	bool vforks_made;
	struct map vforks; /* completion -> task that completes it when it ends */
	struct map parked; /* the same of kernel threads that park */
	struct map stacks; /* lowest address of a stack -> const struct task * */
	bool owners_made;
	struct map owners; /* mm_struct, signal_struct, ... -> the process it is of */
	struct map srcus;  /* callback of SRCU, or srcu_struct -> srcu_struct */
	struct map
		searched; /* address that is searched for on stacks -> number of its search + 1 */
	struct wait_search *searches;
	size_t n_searches;
	struct wait_supers *supers; /* NULL: nobody asked for one yet */
	struct wait_works *works;   /* the same */
	struct wait_ios *ios;       /* what was under way to disks; NULL: nobody has asked yet */
	bool calls_tried, calls_known;
	struct map calls; /* rpc_task -> const struct rpc_call * */
	struct mcs_queues mcs;
	VEC(struct wait_cpu) cpus;
	struct map cpu_at; /* a CPU -> its number in cpus + 1 */
	struct map wanted; /* address of a lock -> its number in suspects + 1 */
	VEC(struct wait_suspect) suspects;
	VEC(struct wait_held) held;
	struct map held_at; /* a lockdep_map -> number of its first in held + 1 */
};

/* The stack of a sleeping task, as far as a waiter may lie on it. */
struct wait_stack {
	struct wait_graph *g;
	const struct task *task;
	uint64_t lo;              /* address of words[0] */
	const uint64_t *words;    /* as the task's machine has them */
	size_t n;                 /* words up to the stack's end */
	size_t near;              /* words in the frames up to the caller of the waiting function */
	size_t frame;             /* number of the frame that made a kind look */
	const char *const *names; /* functions of the frames; "" where unknown */
	const uint64_t *pcs, *sps; /* of each frame; sps NULL: unknown */
	size_t n_names;
	const struct frame *frames; /* of a running CPU; NULL: the task sleeps */
	unsigned cpu;               /* that one; has a meaning with frames alone */
};

/* Where a waiter has what is looked for, in bytes. */
struct wait_layout {
	uint64_t task, list; /* the pointer to the task, and the link */
	uint64_t func;       /* wait_queue_entry's; 0: it has none */
};

/* What a kind found of one task. */
struct wait_found {
	struct wait_object object; /* type, addr and space at least; addr 0: not found */
	struct wait_edge edge;     /* by, waiter, mode, flaw */
};

/* A way to wait. */
struct wait_kind {
	const char *const *functions; /* what their names begin with; NULL at the end */
	/* False: the stack has no waiter of this kind. */
	bool (*find)(const struct wait_stack *s, struct wait_found *ret);
	/* Tells the object's state and who has it, once for each object. May be NULL. */
	void (*describe)(const struct wait_stack *s, struct wait_object *o);
};
extern const struct wait_kind wait_mutex, wait_rwsem, wait_semaphore, wait_rt_mutex, wait_rwbase;
extern const struct wait_kind wait_completion, wait_percpu_read, wait_percpu_write, wait_swait;
extern const struct wait_kind wait_rcu_expedited, wait_journal, wait_shadow;
extern const struct wait_kind wait_frozen_queue, wait_tags, wait_writeback;
extern const struct wait_kind wait_fuse, wait_rpc, wait_exec, wait_core_dump, wait_lookup;
extern const struct wait_kind wait_folio, wait_bit, wait_any_queue, wait_futex, wait_file_lock;
extern const struct wait_kind wait_variable, wait_ipc, wait_vma;
extern const struct wait_kind wait_request, wait_throttle;

/* Those of CPUs that run. */
extern const struct wait_kind wait_qspinlock, wait_ticket_lock, wait_rwlock, wait_osq, wait_ipi;
extern const struct wait_kind wait_stop, wait_console, wait_rt_spin;

/* ---- wait_ring.c */
bool wait_layout_of(struct target *t, const char *type, const char *task, const char *list,
		    struct wait_layout *ret);
/* Sets *ret to the i-th waiter on the stack (*i counts words, and begins at 0) that is linked: its
 * task is the stack's, and its neighbours point back. */
bool wait_waiter(const struct wait_stack *s, const struct wait_layout *l, size_t *i, uint64_t *ret);
/* Is the rw_semaphore at this address that of an area of the task's process, which its stack has?
 */
bool wait_is_area_lock(const struct wait_stack *s, uint64_t lock);
/* The ring that a waiter is in. It lives until the next is asked for. */
struct wait_ring *wait_ring_of(struct wait_graph *g, const struct wait_layout *l, uint64_t waiter);
/* Is the waiter at this address in that ring? */
bool wait_in_ring(struct wait_graph *g, const struct wait_layout *l, const struct wait_ring *ring,
		  uint64_t waiter);
/* The task of this address; NULL: it is none. */
const struct task *wait_task(const struct wait_graph *g, uint64_t addr);
/* The task on whose stack the address is; NULL: on none. */
const struct task *wait_stack_owner(const struct wait_graph *g, uint64_t addr);
/* Does a function of one of these names, or one that begins so, have a frame? Sets *ret to the
 * number of the first. */
bool wait_has_frame(const struct wait_stack *s, const char *const *functions, size_t *ret);
/* Has the owner word `owner`, as masked, name the holder of *o. */
void wait_owner(struct wait_graph *g, struct wait_object *o, uint64_t owner);

/* ---- wait_many.c */
#define WAIT_MANY 32
/* Several tasks that have an object, or must end the wait for it. */
struct wait_many {
	const struct task *tasks[WAIT_MANY];
	size_t n, total; /* total: more than WAIT_MANY are counted, and left out */
};
/* Adds a task that is not in it yet; NULL is none. */
void wait_many_add(struct wait_many *m, const struct task *task);
/* Has them hold *o. */
void wait_many_give(struct wait_graph *g, const struct wait_many *m, struct wait_object *o,
		    enum wait_proof by);

/* ---- wait_rt.c */
/* Is this kernel one of PREEMPT_RT, whose mutexes, spinlocks and the like are rt_mutexes? */
bool wait_locks_sleep(struct target *t);

/* ---- wait_name.c */
/* The name of an object by its symbol or by what it lies in; NULL: neither is known. */
const char *wait_name(const struct wait_stack *s, const struct wait_object *o);

/* ---- wait_file.c */
/* The path of the file that a lock of flock() or fcntl() is of; NULL: the object is none, or the
 * path cannot be read. */
const char *wait_file_lock_name(struct wait_graph *g, const struct wait_object *o);

/* ---- wait_super.c */
/* The superblock at that address; NULL: none is there. */
const struct superblock *wait_super(struct wait_graph *g, uint64_t addr);
/* "ext4 vda1 at /" */
const char *wait_super_text(struct wait_graph *g, const struct superblock *sb);
/* The name of a percpu_rw_semaphore that freezes a superblock; NULL: it is none. */
const char *wait_freeze_name(struct wait_graph *g, uint64_t sem);
/* Adds to the object's state whether the superblock is frozen that it keeps tasks from writing to.
 */
void wait_freeze_describe(struct wait_graph *g, struct wait_object *o);
void wait_supers_release(struct wait_supers *supers); /* NULL is none */

/* ---- wait_block.c */
/* Names who froze queues, when all edges are known. */
void wait_block_end(struct wait_graph *g);

/* ---- wait_search.c */
/* Has every stack searched for an address, when all edges are known; who has it there is a
 * candidate for the holder of the object of that number. Who waits for that is one when nobody else
 * is. */
void wait_search_for(struct wait_graph *g, uint64_t addr, size_t object);
void wait_search_stack(const struct wait_stack *s);
/* Gives the objects what was found. */
void wait_search_end(struct wait_graph *g);
void wait_search_release(struct wait_impl *impl);

/* ---- wait_queue.c */
/* Sets *ret to a queued wait_queue_entry of the task, and *head to the list_head of its queue, 0
 * when that is not known. */
bool wait_queue_find(const struct wait_stack *s, uint64_t *ret, uint64_t *head, const char **flaw);
/* Sets the edge to a queued swait_queue of the task, and *head likewise. */
bool wait_swait_find(const struct wait_stack *s, struct wait_found *ret, uint64_t *head);

/* Rules of who completes what: each is false when the completion is of another kind. */
/* ---- wait_thread.c: ends of tasks, and kernel threads that park or are made */
bool wait_for_thread(const struct wait_stack *s, struct wait_object *o);
/* ---- wait_group.c: dumps of core */
bool wait_for_dump(const struct wait_stack *s, struct wait_object *o);
/* ---- wait_work.c: flushes of work and of work queues */
bool wait_for_work(const struct wait_stack *s, struct wait_object *o);
/* ---- wait_rcu.c, wait_srcu.c: grace periods */
bool wait_for_rcu(const struct wait_stack *s, struct wait_object *o);
bool wait_for_srcu(const struct wait_stack *s, struct wait_object *o);
/* Reads who is at work for the queue that a variable of the kernel points to. */
bool wait_works_of_queue(struct wait_graph *g, const char *variable);
/* The worker that is at a work, of those that were read; NULL: none is. */
const struct task *wait_worker_of(const struct wait_graph *g, uint64_t work);
void wait_works_release(struct wait_works *works); /* NULL is none */
/* ---- wait_io.c */
/* Is a struct buffer_head here, of which a request tells its end? */
bool wait_io_is_buffer(const struct wait_stack *s, uint64_t addr);
/* Says which request or bio ends the wait for a folio, a buffer or a completion. */
void wait_io_describe(const struct wait_stack *s, struct wait_object *o);
/* Sets *ret to the oldest write of a struct gendisk or request_queue; to nothing if it has none. */
void wait_io_write_of(const struct wait_stack *s, uint64_t disk, struct wait_io *ret);
/* Says what of disks could not be read, if a task waits for one. */
void wait_io_end(struct wait_graph *g);
void wait_io_release(struct wait_graph *g);

/* ---- wait_since.c */
/* Nanoseconds since a task that runs got its CPU, and since a CPU's clock was last advanced;
 * UINT64_MAX: unknown. */
uint64_t wait_ran(struct wait_graph *g, const struct task *task);
uint64_t wait_silent(struct wait_graph *g, unsigned cpu);

/* ---- wait_graph.c */
void wait_graph_init(struct wait_graph *g, struct target *t);
void wait_graph_task(struct wait_graph *g, const struct task *task);
/* The name of the function that code lies in; "": unknown. */
const char *wait_function_name(struct wait_graph *g, uint64_t pc);
/* Adds the edge of the task whose stack it is, if a kind knows it. */
bool wait_stack_look(const struct wait_stack *s);

/* Adds what a kind found. */
void wait_found_put(const struct wait_stack *s, const struct wait_kind *kind,
		    struct wait_found *found);

/* ---- wait_running.c */
/* Looks at what runs on each CPU. */
void wait_running(struct wait_graph *g);
/* Adds the edge of the task that a CPU runs, if a kind knows it: the one whose function is
 * innermost. */
bool wait_running_look(const struct wait_stack *s);

/* ---- wait_suspect.c */
/* Notes that a CPU runs a task; live lives as long as the graph. */
void wait_cpu_add(struct wait_graph *g, unsigned cpu, const struct task *task, const uint64_t *live,
		  size_t n_live);
/* The task that a CPU runs; NULL: it is not known. */
const struct task *wait_cpu_task(const struct wait_graph *g, unsigned cpu);
/* Suspects the tasks that run and have the address of a lock whose holder is not known. */
void wait_suspect_running(struct wait_graph *g);
/* Suspects a task that sleeps, by the words of its stack. */
void wait_suspect_words(struct wait_graph *g, const struct task *task, const uint64_t *words,
			size_t n);
/* Says of each such lock who is suspected. */
void wait_suspects_tell(struct wait_graph *g);

/* ---- wait_console.c */
/* Names who prints as who has console_sem. */
void wait_console_tell(struct wait_graph *g);

/* ---- wait_held.c */
/* Notes the locks that a task holds, if this kernel keeps a record. */
void wait_held_note(struct wait_graph *g, const struct task *task);
/* Names the holders of locks by that record, where the locks themselves name none. */
void wait_held_tell(struct wait_graph *g);

/* ---- wait_spin.c */
/* Of the words in the registers and frames of the function that waits, the one that fits: its first
 * argument, while that is in its register, or else the one that is met most often. *n is how many
 * that fit there are; 1 if it is the argument. 0: none. fits() is told whether the word is in a
 * register of the innermost frame. */
uint64_t wait_frame_address(const struct wait_stack *s,
			    bool (*fits)(const struct wait_stack *s, uint64_t addr, bool reg),
			    size_t *n);

/* ---- wait_path.c */
/* Finds cycles and chains, and sorts them and the crowds. */
void wait_paths(struct wait_graph *g);

#endif
