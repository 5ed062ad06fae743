/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame: one frame of a stack, whose arguments and locals are names from then on. */
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/stack/stack.h"
#include "core/linux/stack/stack_walk.h"
#include "core/linux/task/task.h"
#include "core/records/task_record.h"
#include "core/types/expr.h"
#include "commands/bt/frame_record.h"
#include "commands/bt/variable_record.h"

/* A stack of which a frame is chosen. */
struct chosen {
	struct ctx *c;
	const struct task *task;
	struct unwind_result u;
	size_t hidden; /* frames that bt does not show */
};

static bool stack_of_current(struct chosen *s, struct err *err)
{
	const struct walk_style walk = { .registers = true };

	if (!session_task(s->c->s, &s->task, err))
		return false;
	task_backtrace(s->c->t, s->task, &walk, &s->u);
	if (s->task->active)
		s->hidden = stack_death(s->c->t, &s->u);
	if (s->u.n > s->hidden)
		return true;
	if (s->u.complete)
		return err_set(err, ERR_NOTFOUND, "task %d has no frames", s->task->pid);
	*err = s->u.end;
	return err_wrap(err, "task %d has no frames", s->task->pid);
}

/* Makes the frame's variables names. Why they cannot be is noted: its other frames may have some.
 */
static void names_of(struct chosen *s, const struct frame *f, struct expr_frame *ret)
{
	struct arena *a = expr_frame_begin(s->c->t);
	const struct frame_at *at = unwind_frames_at(&s->u, s->c->arena);
	struct symbol sym;
	uint64_t off;
	struct err why;

	if (symbol_at(s->c->t, frame_lookup_pc(f), &sym, &off, &why))
		ret->func = arena_strdup(a, sym.name);
	if (!f->sure)
		err_set(&why, ERR_NOTFOUND,
			"frame %zu is a guess: nothing proves what its variables hold", ret->n);
	else if (frame_variables(s->c->t, &at[f->n], a, &ret->variables, &ret->n_variables, &why))
		return;
	ret->n_variables = 0;
	if (f->sure && why.code == ERR_NEED)
		return; /* told with the frame itself */
	if (f->sure)
		err_wrap(&why, "variables of frame %zu", ret->n);
	note(s->c, &why);
}

/* The number that the words mean: one of bt's, or a step from the frame that was chosen. */
static bool number_of(const struct chosen *s, size_t *ret, struct err *err)
{
	const struct expr_frame *now = expr_frame_of(s->c->t);
	const char *word = s->c->argc ? s->c->argv[0] : NULL;
	bool up = word && !strcmp(word, "up"), down = word && !strcmp(word, "down");
	uint64_t n = 1, from = now && now->task == s->task->addr ? now->n : 0;
	size_t all = s->u.n - s->hidden;

	if (s->c->argc > 1 + (up || down))
		return err_set(err, ERR_USAGE, "'%.60s' is too much", s->c->argv[1 + (up || down)]);
	if ((up || down) && s->c->argc > 1 && !parse_number(s->c->argv[1], false, &n))
		return err_set(err, ERR_USAGE, "'%.60s' is no count", s->c->argv[1]);
	if (word && !up && !down && !parse_number(word, false, &from))
		return err_set(err, ERR_USAGE, "'%.60s' is neither a number, up nor down", word);
	if (down && n > from)
		return err_set(err, ERR_NOTFOUND, "frame %llu: there are no %llu below it",
			       (unsigned long long)from, (unsigned long long)n);
	*ret = (size_t)(down ? from - n : from);
	if (from >= all || (up && n >= all - from))
		return err_set(err, ERR_NOTFOUND,
			       "the stack has the frames 0 to %zu%s; bt shows them", all - 1,
			       s->u.complete ? "" : ", and ends early");
	if (up)
		*ret += (size_t)n;
	return true;
}

static bool frame_run(struct ctx *c, struct err *err)
{
	struct chosen s = { .c = c };
	struct expr_frame chosen = { 0 };
	struct frame_style style = { .lines = true, .variables = true };
	const struct frame *f;

	if (!stack_of_current(&s, err) || !number_of(&s, &chosen.n, err))
		return false;
	f = &s.u.frames[s.hidden + chosen.n];
	chosen.task = s.task->addr;
	style.only = f;
	emit_backtrace(c, s.task, &s.u, &style, false);
	names_of(&s, f, &chosen);
	c->s->task = s.task->addr; /* what its pointers lead to may be the task's own memory */
	expr_frame_set(c->t, &chosen);
	return true;
}

static const struct record_kind *const emits[] = { &backtrace_kind, &backtrace_frame_kind,
						   REGS_KINDS, &frame_variable_kind, NULL };
static const struct example examples[] = {
	{ "frame", "where one is: frame 0 until another is chosen" },
	{ "frame 1", "the function that called frame 0's" },
	{ "frame ; frame up ; frame down", "to the caller, and back" },
};
const struct command cmd_frame = {
	.name = "frame",
	.group = "tasks",
	.summary = "choose a frame, whose variables are names",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[number | up [count] | down [count]]",
	.emits = emits,
	.help = "Chooses a frame of the current task's stack, by the number that bt shows, or as a step up to its callers or "
		"down to what it called, and shows it as bt -v does. From then on its arguments and locals are names for p and "
		"all that takes expressions: p req->q->disk->disk_name. They come before symbols, and before hexadecimal numbers without 0x: rd fd reads where fd of the frame points to; "
		"those of the frame's own function come before those of functions that were inlined there, which bt -l shows. They are no commands: "
		"p shows them.\n\n"
		"Only what debug info and what is left of the frame prove has a value: the use of any other name is "
		"refused with the reason, and the variables of a frame that is a guess are no names. set, which chooses a task, forgets the frame.",
	EXAMPLES(examples),
	.run = frame_run,
};
