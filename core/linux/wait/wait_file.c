/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of files: flock() and fcntl(). */
#include <string.h>

#include "core/linux/fs/file_lock.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* A request that came later waits for one that waits itself (__locks_insert_block() of the kernel):
 * sets *lock to the one at the end, which is granted. Each request is followed once, whoever asks.
 * False: they go round, or *lock could not be read. */
static bool lock_granted(struct wait_graph *g, const struct file_lock_names *names, uint64_t *lock)
{
	uint64_t at = *lock, next = 1, end, *place;
	struct err ignored;
	bool isnew, ok = true;

	for (;;) {
		place = map_put(&g->impl->granted, at, &isnew);
		end = isnew || !*place ? at : *place;
		if (!isnew) {
			ok = *place;
			break;
		}
		*place = 0;
		ok = field_u64(g->t, names->type, at, names->blocker, &next, &ignored);
		if (!ok || !next)
			break;
		at = next;
	}
	for (at = *lock; !*(place = map_put(&g->impl->granted, at, NULL)); at = next) {
		*place = end;
		if (at == end || !field_u64(g->t, names->type, at, names->blocker, &next, &ignored))
			break;
	}
	*lock = end;
	return ok;
}

/* A waiter waits in the queue of its own request, which names the lock that is in its way. */
static bool lock_find_blocker(const struct wait_stack *s, struct wait_found *ret)
{
	const struct file_lock_names *names;
	uint64_t wait, head, flags;
	struct err ignored;

	names = file_lock_names(s->g->t);
	if (!names || !field_offset(s->g->t, names->type, names->wait, &wait, &ignored) ||
	    !wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw) || !head ||
	    !field_u64(s->g->t, names->type, head - wait, names->flags, &flags, &ignored) ||
	    !field_u64(s->g->t, names->type, head - wait, names->blocker, &ret->object.addr,
		       &ignored) ||
	    !ret->object.addr)
		return false;
	ret->object.type = flags & FILE_LOCK_FLOCK ? "flock" : "posix_lock";
	ret->edge.by = WAIT_BY_RING;
	if (!lock_granted(s->g, names, &ret->object.addr))
		ret->edge.flaw = "the locks in the way lead to none that is granted";
	return true;
}

/* Tasks that have a file, or a table of files, that a lock is owned by. */
struct having {
	uint64_t file;
	const struct wait_stack *s;
	const struct task *task, *asked; /* one of them; the one that asked for the lock */
	uint64_t pid;
	size_t n;
	bool has;
};

static bool having_file(const struct vfs_open *f, void *arg)
{
	struct having *h = arg;

	h->has = f->file == h->file;
	return !h->has;
}

static void having_add(struct having *h, const struct task *task)
{
	h->n++;
	if (!h->task)
		h->task = task;
	if ((uint64_t)(uint32_t)task->pid == (h->pid & UINT32_MAX))
		h->asked = task;
}

/* An open file is everyone's who inherited it. */
static void owners_of_file(struct having *h)
{
	const struct wait_graph *g = h->s->g;
	struct arena walk = { 0 };
	struct err ignored;

	for (size_t i = 0; i < g->impl->all.n; i++) {
		const struct task *task = g->impl->all.p[i];

		h->has = false;
		if (task->mm && task->pid == task->tgid &&
		    vfs_files(g->t, task->addr, &walk, having_file, NULL, h, &ignored) && h->has)
			having_add(h, task);
		arena_reset(&walk);
	}
	arena_release(&walk);
}

static void owners_of_files(struct having *h)
{
	const struct wait_graph *g = h->s->g;
	struct err ignored;
	uint64_t files;

	for (size_t i = 0; i < g->impl->all.n; i++) {
		const struct task *task = g->impl->all.p[i];

		if (field_u64(g->t, "struct task_struct", task->addr, "files", &files, &ignored) &&
		    files == h->file)
			having_add(h, task);
	}
}

static void lock_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct having h = { .s = s };
	const struct file_lock_names *names;
	struct err ignored;
	uint64_t flags;

	names = file_lock_names(s->g->t);
	if (!names || !field_u64(s->g->t, names->type, o->addr, names->owner, &h.file, &ignored) ||
	    !field_u64(s->g->t, names->type, o->addr, names->flags, &flags, &ignored) ||
	    !field_u64(s->g->t, names->type, o->addr, names->pid, &h.pid, &ignored)) {
		o->state = "the lock in the way cannot be read";
		return;
	}
	if ((flags & FILE_LOCK_POSIX) && !(flags & FILE_LOCK_OFD))
		owners_of_files(&h);
	else
		owners_of_file(&h);
	o->holder = h.asked ? h.asked : h.task;
	if (h.n)
		o->holder_by = h.n == 1 ? WAIT_BY_OWNER_WORD : WAIT_BY_CANDIDATE;
	o->state = arena_printf(s->g->t->scratch, "%zu %s what owns it", h.n,
				h.n == 1 ? "task has" : "tasks have");
}

const char *wait_file_lock_name(struct wait_graph *g, const struct wait_object *o)
{
	const struct file_lock_names *names;
	const char *path = NULL;
	struct err ignored;
	uint64_t file;

	if ((strcmp(o->type, "flock") && strcmp(o->type, "posix_lock")) ||
	    !(names = file_lock_names(g->t)) ||
	    !field_u64(g->t, names->type, o->addr, names->file, &file, &ignored) || !file ||
	    !vfs_file_path(g->t, file, g->t->scratch, &path, &ignored))
		return NULL;
	return path;
}

static const char *const lock_functions[] = { "flock_lock_inode_wait",
					      "locks_lock_inode_wait",
					      "posix_lock_inode_wait",
					      "do_lock_file_wait",
					      "fcntl_setlk",
					      "__do_sys_flock",
					      "__x64_sys_flock",
					      "__arm64_sys_flock",
					      "__se_sys_flock",
					      "sys_flock",
					      NULL };
const struct wait_kind wait_file_lock = { lock_functions, lock_find_blocker, lock_describe };
