/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of RCU: a grace period that lasts too long, and who is in its way. */
#include "core/verdict/check.h"

#include <inttypes.h>

#include "core/linux/misc/irq.h"
#include "core/types/shape.h"

#define SECOND UINT64_C(1000000000)
#define STALL_DEFAULT_S 21u /* CONFIG_RCU_CPU_STALL_TIMEOUT, where nothing tells another */
#define STALL_MAX_S 300u    /* as rcu_jiffies_till_stall_check() limits it */
#define SEQ_STATE 3u

static uint64_t stall_limit(struct triage *g)
{
	struct err ignored;
	uint64_t addr;
	uint32_t s;

	if (!symbol_addr(g->t, "rcu_cpu_stall_timeout", &addr) ||
	    !mem_u32(g->t, addr, &s, &ignored) || !s || s > STALL_MAX_S)
		s = STALL_DEFAULT_S;
	return s * SECOND;
}

/* The thread that ends grace periods is ready and does not run: who has its CPU is to blame. NULL:
 * that is not so. */
static const struct task *starver(struct triage *g, const struct task *thread)
{
	const struct task *task;
	struct err ignored;

	if (thread->active || thread->letter != 'R' || thread->cpu < 0 ||
	    !task_on_cpu(g->t, (unsigned)thread->cpu, &task, &ignored) || !task->pid)
		return NULL;
	return task;
}

/* Who waits to be run is a victim. */
static void blame_starver(struct triage *g, struct claim *c, const struct task *thread,
			  uint64_t age)
{
	const struct task *task = starver(g, thread);

	if (!task)
		return;
	c->pid = task->pid;
	c->comm = task->comm;
	c->cpu = task->cpu;
	c->stack = NULL;
	blame_runner(g, c, task);
	c->sentence = arena_printf(
		g->a,
		"%s keeps CPU %d to itself; %s, which would end a grace period of RCU that "
		"lasts for %s, is ready and not let to run",
		who(g, task->comm, task->pid), task->cpu, who(g, thread->comm, thread->pid),
		span_words(g, age));
}

static const struct claim *claim_rcu(struct triage *g, uint64_t age, uint64_t idle)
{
	struct claim *c = claim_new(g, "rcu-stall", SURE_LIKELY,
				    "the age of the grace period, and who is in its way");
	const struct wait_graph *gr;
	struct wait_object o;
	struct err ignored;

	c->sentence = arena_printf(g->a, "an RCU grace period lasts for %s", span_words(g, age));
	claim_support(g, c, "rcu_state", "gp_start is %s old, its thread last did something %s ago",
		      span_words(g, age), span_words(g, idle));
	if (!triage_graph(g, &gr, &ignored) || !wait_rcu_now(&g->graph, &o))
		return c;
	claim_support(g, c, "rcu_node", "%s", o.state);
	if (!o.holder)
		return c;
	c->pid = o.holder->pid;
	c->comm = o.holder->comm;
	c->cpu = o.holder->active ? o.holder->cpu : -1;
	c->stack = stack_words(g, o.holder);
	c->sentence = arena_printf(
		g->a, "%s%s keeps RCU from the end of a grace period for %s%s",
		who(g, c->comm, c->pid),
		o.holder->active ? arena_printf(g->a, " on CPU %d", o.holder->cpu) : "",
		span_words(g, age),
		o.n_others ? arena_printf(g->a, "; and %zu more do", o.n_others) : "");
	blame_starver(g, c, o.holder, age);
	return c;
}

static bool look_rcu(struct triage *g, struct finding *f, struct err *err)
{
	static const char type[] = "struct rcu_state";
	uint64_t state, seq, start, activity, age, idle, limit = stall_limit(g);

	if (!symbol_addr(g->t, "rcu_state", &state))
		return err_set(err, ERR_NOSYM, "no symbol 'rcu_state'");
	if (!field_u64(g->t, type, state, "gp_seq", &seq, err))
		return false;
	if (!(seq & SEQ_STATE)) {
		find(g, f, CHECK_OK, "no grace period is under way");
		return true;
	}
	if (!field_u64(g->t, type, state, "gp_start", &start, err) ||
	    !field_u64(g->t, type, state, "gp_activity", &activity, err) ||
	    !jiffies_since(g->t, start, &age, err) || !jiffies_since(g->t, activity, &idle, err))
		return false;
	age = age_at_death(g, age);
	idle = age_at_death(g, idle);
	if (age >= limit / 2)
		f->claim = claim_rcu(g, age, idle);
	find(g, f,
	     age >= limit       ? CHECK_FAIL
	     : age >= limit / 2 ? CHECK_WARN
				: CHECK_OK,
	     "a grace period lasts for %s, a stall begins at %s", span_words(g, age),
	     span_words(g, limit));
	return true;
}

const struct checkup check_rcu = {
	.name = "rcu",
	.doc = "an RCU grace period that does not end",
	.more = "waits",
	.look = look_rcu,
};
