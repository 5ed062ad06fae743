/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for a journal of jbd2: for a transaction's end, for the tasks that have it open, for a
 * buffer that it is writing. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define NAME_BYTES 64
#define T_FINISHED 8 /* the last of the states below */

/* What is asked of a journal. */
struct journal {
	struct target *t;
	uint64_t addr;
	uint64_t running, committing; /* transactions; 0: none */
	const struct task *committer; /* NULL: not known */
};

/* A transaction leads back to its journal; one without any has a thread that commits. */
static bool journal_read(struct wait_graph *g, uint64_t addr, struct journal *ret)
{
	uint64_t task, of[2], back;
	struct err ignored;

	*ret = (struct journal){ .t = g->t, .addr = addr };
	if (!field_u64(g->t, "struct journal_s", addr, "j_running_transaction", &of[0], &ignored) ||
	    !field_u64(g->t, "struct journal_s", addr, "j_committing_transaction", &of[1],
		       &ignored) ||
	    !field_u64(g->t, "struct journal_s", addr, "j_task", &task, &ignored))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (of[i] && (!field_u64(g->t, "struct transaction_s", of[i], "t_journal", &back,
					 &ignored) ||
			      back != addr))
			return false;
	ret->running = of[0];
	ret->committing = of[1];
	ret->committer = wait_task(g, task);
	return ret->committer || of[0] || of[1];
}

/* Sets *ret to the journal whose wait queue of that name has its head there. */
static bool journal_of_queue(struct wait_graph *g, uint64_t head, const char *queue,
			     struct journal *ret)
{
	struct err ignored;
	uint64_t off;

	return field_offset(g->t, "struct journal_s", queue, &off, &ignored) &&
	       journal_read(g, head - off, ret);
}

static const char *journal_name(const struct journal *j)
{
	struct err ignored;
	const char *name;
	uint64_t off;

	return field_offset(j->t, "struct journal_s", "j_devname", &off, &ignored) &&
			       mem_str(j->t, j->addr + off, NAME_BYTES, j->t->scratch, &name,
				       &ignored)
		       ? name
		       : "?";
}

/* ---- what is waited for */

/* Who locks the journal against new handles has its mutex, too. */
static bool barrier_found(const struct journal *j, struct wait_found *ret)
{
	struct err ignored;
	uint64_t count;

	if (!field_u64(j->t, "struct journal_s", j->addr, "j_barrier_count", &count, &ignored) ||
	    !(int32_t)count)
		return false;
	ret->object.type = "journal";
	ret->object.addr = j->addr;
	return true;
}

static bool transaction_found(uint64_t transaction, const char *type, struct wait_found *ret)
{
	ret->object.type = type;
	ret->object.addr = transaction;
	return transaction != 0;
}

static bool journal_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct wait_graph *g = s->g;
	struct journal j;
	uint64_t head;

	if (!wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw) || !head)
		return false;
	ret->edge.by = WAIT_BY_RING;
	if (journal_of_queue(g, head, "j_wait_updates.head", &j))
		return transaction_found(j.running, "transaction_updates", ret);
	if (journal_of_queue(g, head, "j_wait_done_commit.head", &j))
		return transaction_found(j.committing ? j.committing : j.running, "transaction",
					 ret);
	return journal_of_queue(g, head, "j_wait_transaction_locked.head", &j) &&
	       (barrier_found(&j, ret) || transaction_found(j.running, "transaction", ret));
}

/* ---- who ends the wait */

/* A task that changes files has its handle in journal_info, and that the transaction first. Other
 * file systems keep other things there, of which none is this transaction. */
static void updaters_give(struct wait_graph *g, struct wait_object *o)
{
	struct wait_many many = { .n = 0 };
	struct target *t = g->t;
	uint64_t handle, of;
	struct err ignored;

	for (size_t i = 0; i < g->impl->all.n; i++)
		if (field_u64(t, "struct task_struct", g->impl->all.p[i]->addr, "journal_info",
			      &handle, &ignored) &&
		    handle &&
		    field_u64(t, "struct jbd2_journal_handle", handle, "h_transaction", &of,
			      &ignored) &&
		    of == o->addr)
			wait_many_add(&many, g->impl->all.p[i]);
	wait_many_give(g, &many, o, WAIT_BY_RULE);
	o->state = arena_printf(t->scratch, "%s; %zu %s it open", o->state, many.total,
				many.total == 1 ? "task has" : "tasks have");
}

static const char *state_name(uint64_t state)
{
	static const char *const names[T_FINISHED + 1] = {
		"running",          "locked",       "switching",
		"flushing data",    "committing",   "flushing data of the commit",
		"flushing its end", "calling back", "finished"
	};

	return state <= T_FINISHED ? names[state] : "in an unknown state";
}

/* "number 12 of vda1-8 is locked, with 1 update" */
static bool transaction_state(struct wait_graph *g, struct wait_object *o, struct journal *j)
{
	uint64_t journal, tid, state, updates;
	struct err ignored;

	if (!field_u64(g->t, "struct transaction_s", o->addr, "t_journal", &journal, &ignored) ||
	    !field_u64(g->t, "struct transaction_s", o->addr, "t_tid", &tid, &ignored) ||
	    !field_u64(g->t, "struct transaction_s", o->addr, "t_state", &state, &ignored) ||
	    !field_u64(g->t, "struct transaction_s", o->addr, "t_updates.counter", &updates,
		       &ignored) ||
	    !journal_read(g, journal, j))
		return false;
	o->state = arena_printf(g->t->scratch, "number %u of %s is %s, with %d %s",
				(unsigned)(uint32_t)tid, journal_name(j), state_name(state),
				(int)(int32_t)updates, updates == 1 ? "update" : "updates");
	return true;
}

static void journal_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct wait_graph *g = s->g;
	struct err ignored;
	struct journal j;
	uint64_t owner;

	if (!strcmp(o->type, "journal")) {
		o->state = "locked against new handles";
		if (field_u64(g->t, "struct journal_s", o->addr, "j_barrier.owner.counter", &owner,
			      &ignored))
			wait_owner(g, o, owner & ~UINT64_C(7)); /* its low bits are flags */
		return;
	}
	if (!transaction_state(g, o, &j)) {
		o->state = "it cannot be read";
		return;
	}
	if (!strcmp(o->type, "transaction_updates"))
		updaters_give(g, o);
	else if ((o->holder = j.committer))
		o->holder_by = WAIT_BY_RULE;
}

static const char *const journal_functions[] = { "wait_transaction_",
						 "start_this_handle",
						 "add_transaction_credits",
						 "jbd2_log_wait_commit",
						 "jbd2_journal_wait_updates",
						 "jbd2_journal_lock_updates",
						 "jbd2_journal_commit_transaction",
						 NULL };
const struct wait_kind wait_journal = { journal_functions, journal_find, journal_describe };

/* ---- a buffer whose old content is being written */

/* The transaction that a buffer belongs to; 0: none. */
static uint64_t transaction_of_buffer(struct wait_graph *g, uint64_t buffer)
{
	uint64_t head, back, transaction;
	struct err ignored;

	if (!field_u64(g->t, "struct buffer_head", buffer, "b_private", &head, &ignored) || !head ||
	    !field_u64(g->t, "struct journal_head", head, "b_bh", &back, &ignored) ||
	    back != buffer ||
	    !field_u64(g->t, "struct journal_head", head, "b_transaction", &transaction, &ignored))
		return 0;
	return transaction;
}

static bool shadow_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t off;

	if (!wait_bit.find(s, ret) ||
	    !field_offset(s->g->t, "struct buffer_head", "b_state", &off, &ignored) ||
	    !transaction_of_buffer(s->g, ret->object.addr - off))
		return false;
	ret->object.type = "buffer_head";
	ret->object.addr -= off;
	return true;
}

static void shadow_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct wait_object transaction = { .addr = transaction_of_buffer(s->g, o->addr) };
	struct journal j;

	if (!transaction_state(s->g, &transaction, &j))
		return;
	o->state = arena_printf(s->g->t->scratch, "the journal writes it: transaction %s",
				transaction.state);
	if ((o->holder = j.committer))
		o->holder_by = WAIT_BY_RULE;
}

static const char *const shadow_functions[] = { "do_get_write_access",
						"jbd2_journal_get_write_access", NULL };
const struct wait_kind wait_shadow = { shadow_functions, shadow_find, shadow_describe };
