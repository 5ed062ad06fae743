/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a whole dump: each task's stack is read, and looked at. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/wait/wait_impl.h"
#include "core/unwind/unwind.h"

#define WORDS_MAX 8192

/* Room for one stack at a time. */
struct stack_room {
	struct frame frames[WAIT_FRAMES];
	const char *names[WAIT_FRAMES];
	uint64_t pcs[WAIT_FRAMES], sps[WAIT_FRAMES];
	uint64_t words[WORDS_MAX];
};

static bool stack_words(struct wait_stack *s, uint64_t sp, uint64_t *words, struct err *err)
{
	const unsigned word = s->g->t->arch->word;
	const uint64_t end = s->task->stack + s->g->impl->stack_size;

	s->lo = sp & ~(uint64_t)(word - 1);
	if (s->lo < s->task->stack || s->lo >= end)
		return err_set_addr(err, ERR_CORRUPT, sp,
				    "task %d: its stack pointer is not on its stack", s->task->pid);
	s->n = (end - s->lo) / word;
	if (s->n > WORDS_MAX)
		s->n = WORDS_MAX;
	s->words = words;
	return mem_words(s->g->t, s->lo, words, s->n, err);
}

/* Looks for addresses on a stack that was looked at before. */
static void task_search(struct wait_graph *g, const struct task *task, struct stack_room *room)
{
	struct wait_stack s = { .g = g, .task = task };
	struct unwind_start start;
	struct err ignored;

	if (task_unwind_start(g->t, task, &start, &ignored) &&
	    stack_words(&s, start.regs.r[g->t->arch->sp], room->words, &ignored))
		wait_search_stack(&s);
}

static bool task_look(struct wait_graph *g, const struct task *task, struct stack_room *room,
		      struct err *err)
{
	struct wait_stack s = {
		.g = g, .task = task, .names = room->names, .pcs = room->pcs, .sps = room->sps
	};
	struct unwind_start start;
	struct unwind_result u;

	if (!task_unwind_start(g->t, task, &start, err))
		return false;
	unwind_into(g->t, &start, room->frames, WAIT_FRAMES, &u);
	if (!u.n) {
		*err = u.end;
		return false;
	}
	for (s.n_names = 0; s.n_names < u.n; s.n_names++) {
		const struct frame *f = &u.frames[s.n_names];

		room->names[s.n_names] = wait_function_name(g, frame_lookup_pc(f));
		room->pcs[s.n_names] = f->pc;
		room->sps[s.n_names] = f->sp;
	}
	if (!stack_words(&s, u.frames[0].sp, room->words, err))
		return false;
	wait_stack_look(&s);
	wait_suspect_words(g, task, s.words, s.n);
	return true;
}

static bool sleeps(const struct task *task)
{
	return !task->active && !task->on_cpu && strchr("SDIKPT", task->letter);
}

bool wait_graph_make(struct target *t, struct wait_graph *ret, struct err *err)
{
	struct stack_room *room;
	const struct task *all;
	struct err why;
	bool ok = true;
	size_t n;

	wait_graph_init(ret, t);
	if (!tasks_all(t, &all, &n, err))
		return false;
	room = xrealloc(NULL, sizeof(*room));
	for (size_t i = 0; i < n; i++)
		wait_graph_task(ret, &all[i]);
	wait_running(ret);
	for (size_t i = 0; ok && i < n; i++) {
		ok = interrupt_check(err);
		if (!ok || !sleeps(&all[i]) || task_look(ret, &all[i], room, &why))
			continue;
		if (!ret->skipped++)
			ret->skipped_why = why;
	}
	for (size_t i = 0; ok && ret->impl->searched.n && i < n; i++) {
		ok = interrupt_check(err);
		if (ok && sleeps(&all[i]))
			task_search(ret, &all[i], room);
	}
	wait_search_end(ret);
	wait_block_end(ret);
	free(room);
	wait_io_end(ret);
	if (ok) {
		wait_held_tell(ret);
		wait_console_tell(ret);
		wait_suspects_tell(ret);
		wait_paths(ret);
	}
	return ok;
}
