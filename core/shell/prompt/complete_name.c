/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that the dead machine gave things, for completion: tasks, places where file systems are
 * mounted, events; and variables. */
#include <string.h>

#include "core/linux/fs/vfs.h"
#include "core/linux/task/task.h"
#include "core/shell/prompt/complete.h"
#include "core/trace/format.h"
#include "core/trace/trace.h"
#include "core/types/expr.h"

/* A name with a blank would be two words. */
static bool give(const char *name, bool (*fn)(const char *name, void *arg), void *arg)
{
	return !name || !*name || strpbrk(name, COMPLETE_BREAKS) || fn(name, arg);
}

void complete_comms(struct target *t, bool (*fn)(const char *name, void *arg), void *arg)
{
	const struct task *tasks;
	struct err ignored;
	size_t n;

	if (!mem_loaded(t) || !tasks_all(t, &tasks, &n, &ignored))
		return;
	for (size_t i = 0; i < n; i++)
		if (!give(tasks[i].comm, fn, arg))
			return;
}

struct name_taker {
	bool (*fn)(const char *name, void *arg);
	void *arg;
};

static bool see_mount(const struct vfs_mount *m, void *arg)
{
	const struct name_taker *to = arg;

	return give(m->path, to->fn, to->arg) && give(m->device, to->fn, to->arg);
}

void complete_mounts(struct session *s, struct arena *a, bool (*fn)(const char *name, void *arg),
		     void *arg)
{
	struct name_taker to = { fn, arg };
	const struct task *task;
	struct err ignored;

	if (mem_loaded(s->t) && session_task(s, &task, &ignored))
		(void)!vfs_mounts(s->t, task->addr, a, see_mount, NULL, &to, &ignored);
}

static bool see_format(const struct trace_format *f, void *arg)
{
	const struct name_taker *to = arg;

	return give(f->name, to->fn, to->arg);
}

void complete_events(struct target *t, bool (*fn)(const char *name, void *arg), void *arg)
{
	struct name_taker to = { fn, arg };
	const struct traces *all;
	struct err ignored;

	if (!traces_find(t, &all, &ignored))
		return;
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		if (rec->ops->each_format && !rec->ops->each_format(rec, see_format, &to, &ignored))
			return;
}

void complete_variables(struct target *t, bool (*fn)(const char *name, void *arg), void *arg)
{
	static const char *const fixed[] = { "$_", "$current", "$panic" };
	const char *name;

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		if (!fn(fixed[i], arg))
			return;
	for (size_t i = 0; (name = expr_variable_name(t, i)) && fn(name, arg); i++)
		;
}
