/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits: who waits for whom, and who has what they wait for. */
#include "core/obit.h"
#include "core/base/guard.h"
#include "commands/waits/wait_record.h"
#include "core/linux/wait/wait.h"
#include "core/records/lock_record.h"
#include "core/records/stack_record.h"
#include "core/records/task_record.h"

struct waits_opts {
	bool all, dot, svg, stacks;
};
static const struct option opts[] = {
	OPT_FLAG("a", struct waits_opts, all,
		 "also tasks that sleep for nobody in particular, as idle services do"),
	OPT_FLAG("stacks", struct waits_opts, stacks,
		 "under each crowd the stacks of those who wait, the same ones once"),
	OPT_FLAG("dot", struct waits_opts, dot, "the graph in the language of graphviz"),
	OPT_FLAG("svg", struct waits_opts, svg, "the graph as a picture for browsers"),
};

static bool show_any(const struct wait_graph *g, const struct wait_edge *e)
{
	(void)g, (void)e;
	return true;
}

/* Those in state D, those that spin, and those that wait for another task. */
static bool show_stuck(const struct wait_graph *g, const struct wait_edge *e)
{
	return e->asleep || e->cpu >= 0 ||
	       (e->object != WAIT_NONE && g->objects.p[e->object].holder);
}

static bool crowd_shown(const struct wait_graph *g, const struct wait_object *o,
			bool (*show)(const struct wait_graph *g, const struct wait_edge *e))
{
	for (size_t i = o->first; i != WAIT_NONE; i = g->edges.p[i].next)
		if (show(g, &g->edges.p[i]))
			return true;
	return false;
}

/* The stacks of those who wait for an object. */
static void emit_crowd_stacks(struct ctx *c, const struct wait_graph *g,
			      const struct wait_object *o)
{
	struct stack_groups *groups = ARENA_NEW(c->arena, struct stack_groups);
	struct err stop;

	stack_groups_init(groups, c->t);
	for (size_t i = o->first; i != WAIT_NONE && interrupt_check(&stop); i = g->edges.p[i].next)
		stack_groups_add(groups, g->edges.p[i].task);
	stack_groups_sort(groups);
	for (size_t i = 0; i < groups->all.n; i++)
		emit_stack_group(c, groups->all.p[i], false, false);
	stack_groups_release(groups);
}

static void waits_overview(struct ctx *c, struct wait_graph *g)
{
	const struct waits_opts *o = c->opts;
	bool (*show)(const struct wait_graph *, const struct wait_edge *) =
		o->all ? show_any : show_stuck;
	const struct wait_cpu_state *cpus;
	bool any = false;
	size_t n;

	for (size_t i = 0; i < g->cycles.n; i++)
		emit_wait_path(c, g, &wait_cycle_kind, &g->cycles.p[i]);
	for (size_t i = 0; i < g->chains.n; i++)
		emit_wait_path(c, g, &wait_chain_kind, &g->chains.p[i]);
	for (size_t i = 0; i < g->objects.n; i++)
		if (crowd_shown(g, &g->objects.p[g->crowds[i]], show)) {
			emit_wait_crowd(c, g, &g->objects.p[g->crowds[i]]);
			if (o->stacks)
				emit_crowd_stacks(c, g, &g->objects.p[g->crowds[i]]);
		}
	for (size_t i = 0; i < g->edges.n; i++)
		if (show(g, &g->edges.p[i])) {
			any = true;
			/* what a crowd has said people need not read again */
			emit_wait(c, g, &g->edges.p[i],
				  g->edges.p[i].object != WAIT_NONE && g->edges.p[i].cpu < 0);
		}
	cpus = wait_cpu_states(g, &n);
	for (size_t i = 0; i < n; i++)
		emit_wait_cpu(c, g, &cpus[i]);
	if (!any && !g->skipped)
		emit_none(c, &wait_kind_record, "no task waits for another");
}

/* A task, the one that it waits for, and so on; then what it has that others wait for. */
static void waits_of_task(struct ctx *c, const struct wait_graph *g, const struct task *task)
{
	const struct wait_edge *e = wait_edge_of(g, task);
	bool *seen = ARENA_ARRAY(c->arena, bool, g->edges.n + 1), any = e;

	for (; e && !seen[e - g->edges.p]; e = wait_edge_next(g, e)) {
		seen[e - g->edges.p] = true;
		emit_wait(c, g, e, false);
	}
	for (size_t i = 0; i < g->objects.n; i++)
		if (wait_is_held_by(&g->objects.p[i], task)) {
			any = true;
			emit_wait_crowd(c, g, &g->objects.p[i]);
		}
	if (!any)
		emit_none(c, &wait_kind_record,
			  arena_printf(c->arena,
				       "%d waits for nothing that is known, nor anybody for it",
				       task->pid));
}

/* False: nobody waits for what is at the address. */
static bool waits_of_object(struct ctx *c, const struct wait_graph *g, uint64_t addr)
{
	bool any = false;

	for (size_t i = 0; i < g->objects.n; i++) {
		const struct wait_object *o = &g->objects.p[i];

		if (o->addr != addr && (!o->io.request || o->io.request->addr != addr) &&
		    (!o->io.bio || o->io.bio->addr != addr))
			continue;
		any = true;
		emit_wait_crowd(c, g, o);
		for (size_t k = o->first; k != WAIT_NONE; k = g->edges.p[k].next)
			emit_wait(c, g, &g->edges.p[k], false);
	}
	return any;
}

static void waits_of(struct ctx *c, struct wait_graph *g, const char *word)
{
	const struct task *const *tasks;
	struct err why, no_address;
	uint64_t addr;
	size_t n;

	if (tasks_meant(c, word, false, &tasks, &n, &why)) {
		for (size_t i = 0; i < n; i++)
			waits_of_task(c, g, tasks[i]);
		return;
	}
	if (!parse_address(c->t, word, &addr, &no_address))
		complain(c, &why);
	else if (!waits_of_object(c, g, addr) && !emit_lock(c, g, addr))
		emit_none(c, &wait_kind_record,
			  arena_printf(c->arena, "nobody waits for what is at 0x%llx",
				       (unsigned long long)addr));
}

static bool waits_run(struct ctx *c, struct err *err)
{
	const struct waits_opts *o = c->opts;
	struct wait_graph g;
	bool ok = wait_graph_make(c->t, &g, err);

	if (ok && g.skipped) {
		err_wrap(&g.skipped_why, "%zu sleeping tasks were left out, the first because",
			 g.skipped);
		note(c, &g.skipped_why);
	}
	if (ok && g.io_flaws) {
		err_wrap(&g.io_why,
			 "for which requests tasks wait is not all known: %zu places, the first",
			 g.io_flaws);
		note(c, &g.io_why);
	}
	if (ok && o->dot)
		emit_wait_dot(c, &g, o->all ? show_any : show_stuck);
	else if (ok && o->svg)
		emit_wait_svg(c, &g, o->all ? show_any : show_stuck);
	else if (ok && !c->argc)
		waits_overview(c, &g);
	for (int i = 0; ok && !o->dot && !o->svg && i < c->argc; i++)
		waits_of(c, &g, c->argv[i]);
	wait_graph_release(&g);
	return ok;
}

static const struct example examples[] = {
	{ "waits", "deadlocks, the longest chains, and what most tasks wait for" },
	{ "waits 1", "what init waits for, and who waits for it" },
	{ "waits console_sem", "a lock: its state, and who waits for it" },
	{ "waits -a", "those too that wait for nobody in particular" },
	{ "waits --stacks", "with the stacks of those who wait" },
	{ "waits --dot", "the graph, for dot -Tsvg" },
	{ "waits --svg > waits.svg", "the graph, for a browser" },
};
const struct command cmd_waits = {
	.name = "waits",
	.group = "tasks",
	.summary = "who waits for whom: deadlocks, chains and crowds",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[pid | task | lock]...",
	OPTS(opts),
	.opts_size = sizeof(struct waits_opts),
	.emits =
		(const struct record_kind *const[]){ &wait_cycle_kind, &wait_chain_kind,
						     &wait_crowd_kind, &wait_kind_record,
						     &wait_cpu_kind, &wait_dot_kind, &wait_svg_kind,
						     &lock_kind, &stack_group_kind, NULL },
	.completes = COMPLETE_PID | COMPLETE_SYMBOL,
	.help = "Finds on the stack of each sleeping task what it waits for, and in that who has it: "
		"mutexes, rw_semaphores, semaphores, rt_mutexes and PI futexes, completions, "
		"percpu_rw_semaphores, folios, bits and variables, futexes, locks of files, semaphores "
		"and messages of System V and POSIX, wait queues. Of each "
		"CPU it is told what its task spins for: a spinlock, an rwlock, the owner of a mutex, an "
		"answer of other CPUs to an IPI, those that stop_machine() waits for, the consoles; and of CPUs that "
		"others wait for, or that seem locked up, how long they ran one task and since when no "
		"tick came.\n\n"
		"Some waits end when another task is through, which the kernel's own lists tell: a flush "
		"of work or of a work queue, a thread that is stopped, parked or made, threads that end "
		"before another program runs, a dump of core, a grace period of RCU or SRCU, a transaction "
		"of jbd2, writeback, a frozen queue of a disk, the server of a FUSE file system. Where "
		"several tasks must be through all are named, and the chain follows the one that closes "
		"a ring, else the one that waits longest itself.\n\n"
		"Deadlocks come first, then chains of tasks, the longest first, then what is waited "
		"for, by how many do. JSON has a record for each task besides.\n\n"
		"In brackets stands how a thing is known. ring: the waiter on the task's stack is "
		"linked in the object's own list. blocked-on: and the task itself names the object. "
		"owner-word: the lock's own word names its holder. lockdep: the kernel's record of "
		"locks that are held does. rule: the kernel's way of waiting "
		"leaves no other. hint and candidate are no proof: the last reader of an rw_semaphore "
		"may have left it; a spinlock names nobody, and a task with its address in a frame may "
		"have it. A deadlock is called one only when every step is proven; what is known as "
		"a candidate closes no ring.\n\n"
		"Of a task that waits for a disk or its file system the request is named too, where "
		"it stands now and since when, with how that is known. page: the folio is one of those "
		"that its data is in. end: its end is told to the buffer or completion. waiter: its end "
		"is told to the task. throttle: the disk takes no more of its kind until one ends. io has more of it.\n\n"
		"How long a task waits is since it last ran: of one that was woken in vain it is less "
		"than the whole.\n\n"
		"Operands are tasks, whose chain is shown and what they have that others wait for, or "
		"addresses and symbols of locks and requests, whose waiters are shown; of a lock that "
		"nobody waits for its state is.",
	EXAMPLES(examples),
	.run = waits_run,
};
