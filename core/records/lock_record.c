/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a lock and its state. */
#include "core/base/buf.h"
#include "core/linux/lock/lock_state.h"
#include "core/records/lock_record.h"

enum {
	ADDR,
	TYPE,
	NAME,
	HOW,
	STATE,
	HOLDER,
	HOLDER_TASK,
	HOLDER_COMM,
	HOLDER_HOW,
	WAITERS,
	FIELDS
};

/* "mutex victim_first: locked; held by 12 "x" [owner-word]; 2 wait" */
static void form_lock(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct wait_state *s = r->of;

	(void)k, (void)cell;
	buf_str(b, s->type);
	if (s->name) {
		buf_char(b, ' ');
		buf_plain(b, s->name, strlen(s->name));
	}
	buf_printf(b, ": %s", s->state ? s->state : "its state is not known");
	if (s->holder) {
		buf_printf(b, "; %s %d \"",
			   s->holder_by == WAIT_BY_RULE        ? "it is for"
			   : s->holder_by == WAIT_BY_HINT      ? "last taken by"
			   : s->holder_by == WAIT_BY_CANDIDATE ? "perhaps held by"
							       : "held by",
			   s->holder->pid);
		buf_plain(b, s->holder->comm, strlen(s->holder->comm));
		buf_printf(b, "\" [%s]", wait_proof_name(s->holder_by));
	}
	if (s->counted)
		buf_printf(b, "; %zu wait%s", s->n, s->n == 1 ? "s" : "");
	if (s->why.code != ERR_OK)
		buf_printf(b, "; %s", s->why.msg);
}

static const struct record_field fields[FIELDS] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, 0, "where it is" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "mutex, rwsem, spinlock, completion, ...",
		   .text = form_lock },
	[NAME] = { "name", NULL, CELL_STR, FIELD_JSON,
		   "the variable or object that it is in, and the member" },
	[HOW] = { "how", NULL, CELL_STR, FIELD_JSON,
		  "what says that it is one: type, of what lies there; waiters" },
	[STATE] = { "state", NULL, CELL_STR, FIELD_JSON, "in words" },
	[HOLDER] = { "holder", NULL, CELL_INT, FIELD_JSON, "pid of who has it" },
	[HOLDER_TASK] = { "holder_task", NULL, CELL_ADDR, FIELD_JSON, "that one's task_struct" },
	[HOLDER_COMM] = { "holder_comm", NULL, CELL_STR, FIELD_JSON, "that one's name" },
	[HOLDER_HOW] = { "holder_how", NULL, CELL_STR, FIELD_JSON,
			 "how that is known; hint and candidate are no proof" },
	[WAITERS] = { "waiters", NULL, CELL_UINT, FIELD_JSON,
		      "how many wait for it; null: that is not known" },
};
const struct record_kind lock_kind = { "lock",      "a lock and its state",
				       LAYOUT_LINE, "{addr}  lock     {type}",
				       fields,      FIELDS };

bool emit_lock(struct ctx *c, struct wait_graph *g, uint64_t addr)
{
	struct wait_state s;
	struct record r;

	if (!wait_state_at(g, addr, &s))
		return false;
	record_init(&r, &lock_kind);
	r.of = &s;
	record_uint(&r, ADDR, addr);
	record_str(&r, TYPE, s.type);
	record_str(&r, NAME, s.name);
	record_str(&r, HOW, s.how);
	record_str(&r, STATE, s.state);
	if (s.holder) {
		record_int(&r, HOLDER, s.holder->pid);
		record_uint(&r, HOLDER_TASK, s.holder->addr);
		record_str(&r, HOLDER_COMM, s.holder->comm);
		record_str(&r, HOLDER_HOW, wait_proof_name(s.holder_by));
	}
	if (s.counted)
		record_uint(&r, WAITERS, s.n);
	emit(c, &r);
	if (s.why.code != ERR_OK)
		note_in_place(c, &s.why);
	return true;
}

void emit_lock_alone(struct ctx *c, uint64_t addr)
{
	struct wait_graph g;
	struct err ignored;
	uint32_t word;

	if ((addr & 3) || !c->t->arch->is_kernel_va(addr) || !symbols_available(c->t) ||
	    symbol_is_text(c->t, addr) || !mem_u32(c->t, addr, &word, &ignored))
		return;
	if (wait_graph_make(c->t, &g, &ignored))
		emit_lock(c, &g, addr);
	wait_graph_release(&g);
}
