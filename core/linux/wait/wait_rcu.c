/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for the end of an RCU grace period: readers that sleep, CPUs that have not passed, the
 * thread that looks after it. */
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define SEQ_STATE 3u /* RCU_SEQ_STATE_MASK: low bits of a sequence; 0: none is under way */
#define NODES_MAX 65536
#define BLOCKED_MAX 100000
#define CPUS_SAID 16 /* CPUs that a state names */

/* Who a grace period waits for. */
struct rcu_way {
	struct wait_graph *g;
	uint64_t state;           /* rcu_state */
	const char *mask, *tasks; /* members of rcu_node: of a normal, or of an expedited one */
	struct wait_many readers; /* tasks that sleep, or were preempted, as readers */
	struct wait_many running; /* tasks on CPUs that have not passed */
	unsigned cpus;
	struct buf which; /* their numbers */
	const char *flaw;
};

/* Readers stand in a node's list of all blocked tasks from a first one on up to its end. */
static void readers_read(struct rcu_way *w, uint64_t node)
{
	struct target *t = w->g->t;
	uint64_t head, entry, at, next, back;
	const struct task *task;
	struct guard guard;
	struct err why;

	if (!field_u64(t, "struct rcu_node", node, w->tasks, &at, &why) || !at ||
	    !field_offset(t, "struct rcu_node", "blkd_tasks", &head, &why) ||
	    /* without CONFIG_PREEMPT_RCU readers cannot sleep */
	    !field_offset(t, "struct task_struct", "rcu_node_entry", &entry, &why))
		return;
	guard_init(&guard, "readers", BLOCKED_MAX);
	for (; at != node + head; at = next) {
		task = wait_task(w->g, at - entry);
		if (!task || !guard_step(&guard, at, &why) || !mem_ptr(t, at, &next, &why) ||
		    !mem_ptr(t, next + t->arch->word, &back, &why) || back != at) {
			w->flaw =
				arena_printf(t->scratch, "the list of readers is broken at 0x%llx",
					     (unsigned long long)at);
			return;
		}
		wait_many_add(&w->readers, task);
	}
}

/* Each bit of a leaf is a CPU that has not told yet that it passed. */
static void cpus_read(struct rcu_way *w, uint64_t node)
{
	struct target *t = w->g->t;
	uint64_t mask, low, high;
	const struct task *task;
	struct err ignored;

	if (!field_u64(t, "struct rcu_node", node, w->mask, &mask, &ignored) ||
	    !field_u64(t, "struct rcu_node", node, "grplo", &low, &ignored) ||
	    !field_u64(t, "struct rcu_node", node, "grphi", &high, &ignored))
		return;
	for (; mask && low <= high && low < CPUS_MAX; mask >>= 1, low++) {
		if (!(mask & 1))
			continue;
		if (w->cpus < CPUS_SAID)
			buf_printf(&w->which, "%s%u", w->cpus ? ", " : "", (unsigned)low);
		w->cpus++;
		if (task_on_cpu(t, (unsigned)low, &task, &ignored) && task->pid)
			wait_many_add(&w->running, wait_task(w->g, task->addr));
	}
}

/* The nodes are a tree in an array, whose leaves are its last level. */
static bool nodes_read(struct rcu_way *w)
{
	struct target *t = w->g->t;
	uint64_t at, level;
	const struct type *type, *node;
	struct member_ref nodes;
	struct err ignored;
	uint32_t levels, n;

	if (!symbol_addr(t, "rcu_num_lvls", &at) || !mem_u32(t, at, &levels, &ignored) ||
	    !symbol_addr(t, "rcu_num_nodes", &at) || !mem_u32(t, at, &n, &ignored) ||
	    !type_find(t, "struct rcu_state", &type, &ignored) ||
	    !type_member(type, "node", &nodes, &ignored) ||
	    !type_find(t, "struct rcu_node", &node, &ignored))
		return false;
	if (n > type_strip(nodes.type)->count || n > NODES_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		at = w->state + nodes.offset + i * node->size;
		if (!field_u64(t, "struct rcu_node", at, "level", &level, &ignored) ||
		    level + 1 != levels)
			continue;
		cpus_read(w, at);
		readers_read(w, at);
	}
	return true;
}

/* "; read by 2; CPUs 1, 3 have not passed" */
static const char *way_text(const struct rcu_way *w)
{
	struct arena *a = w->g->t->scratch;
	const char *readers = "", *cpus = "";

	if (w->readers.n)
		readers = arena_printf(a, "; read by %zu", w->readers.total);
	if (w->cpus == 1)
		cpus = arena_printf(a, "; CPU %s has not passed", buf_text(&w->which));
	else if (w->cpus)
		cpus = arena_printf(a, "; CPUs %s%s have not passed", buf_text(&w->which),
				    w->cpus > CPUS_SAID ? ", ..." : "");
	return arena_printf(a, "%s%s", readers, cpus);
}

/* Fills *o with who the grace period that is under way waits for. `sure`: nothing else ends the
 * wait. */
static void way_give(struct rcu_way *w, struct wait_object *o, bool sure)
{
	struct target *t = w->g->t;
	struct err ignored;
	uint64_t task;

	if (w->readers.n)
		wait_many_give(w->g, &w->readers, o, sure ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
	else if (w->running.n)
		wait_many_give(w->g, &w->running, o, WAIT_BY_CANDIDATE);
	else if (field_u64(t, "struct rcu_state", w->state, "gp_kthread", &task, &ignored) &&
		 (o->holder = wait_task(w->g, task)))
		o->holder_by = WAIT_BY_CANDIDATE;
	o->flaw = w->flaw;
}

/* Describes who is in the way of a grace period; `what` says what is waited for. */
static void rcu_describe(struct wait_graph *g, struct wait_object *o, bool expedited, bool sure,
			 const char *what)
{
	struct rcu_way w = { .g = g,
			     .mask = expedited ? "expmask" : "qsmask",
			     .tasks = expedited ? "exp_tasks" : "gp_tasks" };
	struct err ignored;
	uint64_t seq;

	o->state = what;
	if (!symbol_addr(g->t, "rcu_state", &w.state) ||
	    !field_u64(g->t, "struct rcu_state", w.state,
		       expedited ? "expedited_sequence" : "gp_seq", &seq, &ignored))
		return;
	if (seq & SEQ_STATE)
		(void)nodes_read(&w);
	/* as the kernel's own warning of a stall counts, which begins below zero */
	o->state = arena_printf(g->t->scratch, "%s; %s g=%lld%s", what,
				seq & SEQ_STATE ? "under way is" : "the last one was",
				g->t->arch->word == 4 ? (long long)(int32_t)seq : (long long)seq,
				way_text(&w));
	way_give(&w, o, sure);
	buf_release(&w.which);
}

bool wait_rcu_now(struct wait_graph *g, struct wait_object *ret)
{
	uint64_t state, seq;
	struct err ignored;

	*ret = (struct wait_object){ .type = "rcu", .first = WAIT_NONE, .oldest = WAIT_NONE };
	if (!symbol_addr(g->t, "rcu_state", &state) ||
	    !field_u64(g->t, "struct rcu_state", state, "gp_seq", &seq, &ignored) ||
	    !(seq & SEQ_STATE))
		return false;
	ret->addr = state;
	rcu_describe(g, ret, false, false, "an RCU grace period");
	return true;
}

/* ---- RCU of tasks */

/* A grace period of tasks has a thread of its own. */
static bool rcu_tasks_describe(const struct wait_stack *s, struct wait_object *o)
{
	static const struct {
		const char *function[2], *symbol;
	} flavours[] = {
		{ { "synchronize_rcu_tasks_rude", NULL }, "rcu_tasks_rude" },
		{ { "synchronize_rcu_tasks_trace", NULL }, "rcu_tasks_trace" },
		{ { "synchronize_rcu_tasks", NULL }, "rcu_tasks" },
	};
	uint64_t state, task;
	struct err ignored;
	size_t frame;

	for (size_t i = 0; i < ARRAY_SIZE(flavours); i++) {
		if (!wait_has_frame(s, flavours[i].function, &frame))
			continue;
		o->state = arena_printf(s->g->t->scratch, "the end of a grace period of %s",
					flavours[i].symbol);
		if (symbol_addr(s->g->t, flavours[i].symbol, &state) &&
		    field_u64(s->g->t, "struct rcu_tasks", state, "kthread_ptr", &task, &ignored) &&
		    (o->holder = wait_task(s->g, task)))
			o->holder_by = WAIT_BY_CANDIDATE;
		return true;
	}
	return false;
}

/* ---- who asks */

static bool is_barrier(const struct wait_stack *s, const struct wait_object *o)
{
	uint64_t state, off;
	struct err ignored;

	return symbol_addr(s->g->t, "rcu_state", &state) &&
	       field_offset(s->g->t, "struct rcu_state", "barrier_completion", &off, &ignored) &&
	       state + off == o->addr;
}

bool wait_for_rcu(const struct wait_stack *s, struct wait_object *o)
{
	static const char *const functions[] = { "__wait_rcu_gp", "synchronize_rcu", NULL };
	struct err ignored;
	uint64_t state, n;
	size_t frame;

	if (is_barrier(s, o)) {
		state = o->addr;
		n = 0;
		if (symbol_addr(s->g->t, "rcu_state", &state))
			(void)!field_u64(s->g->t, "struct rcu_state", state,
					 "barrier_cpu_count.counter", &n, &ignored);
		rcu_describe(s->g, o, false, false,
			     arena_printf(s->g->t->scratch,
					  "the callbacks of RCU before it, of %llu CPUs",
					  (unsigned long long)n));
		return true;
	}
	if (!wait_has_frame(s, functions, &frame) || wait_stack_owner(s->g, o->addr) != s->task)
		return false;
	if (!rcu_tasks_describe(s, o))
		rcu_describe(s->g, o, false, true, "the end of an RCU grace period");
	return true;
}

/* ---- expedited grace periods: who asked for one, and the worker that looks after it */

static bool expedited_find(const struct wait_stack *s, struct wait_found *ret)
{
	const struct type *type;
	uint64_t state, off;
	struct err ignored;

	if (!symbol_addr(s->g->t, "rcu_state", &state) ||
	    !type_find(s->g->t, "struct rcu_state", &type, &ignored))
		return false;
	if (wait_swait.find(s, ret) &&
	    field_offset(s->g->t, "struct rcu_state", "expedited_wq", &off, &ignored) &&
	    ret->object.addr == state + off)
		return true;
	/* who asked for one waits in a queue of a node */
	return wait_any_queue.find(s, ret) && ret->object.addr - state < type->size;
}

static void expedited_describe(const struct wait_stack *s, struct wait_object *o)
{
	rcu_describe(s->g, o, true, true, "the end of an expedited RCU grace period");
}

static const char *const expedited_functions[] = { "synchronize_rcu_expedited", NULL };
const struct wait_kind wait_rcu_expedited = { expedited_functions, expedited_find,
					      expedited_describe };
