/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of files. The kernel keeps all that are granted in a list for each CPU (file_lock_list of
 * fs/locks.c), and those that wait for one in that one. */
#include "core/linux/fs/file_lock.h"
#include "core/base/guard.h"
#include "core/linux/container/walk.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define DOWNGRADE_PENDING 256u /* fl_flags: a lease that is to become one to read, or to go */
#define UNLOCK_PENDING 512u

/* Members of struct file_lock moved to struct file_lock_core (a69ce85ec9af, v6.9). */
static const struct file_lock_names all_names[] = {
	{ "struct file_lock_core", "flc_wait.head", "flc_blocker", "flc_owner", "flc_flags",
	  "flc_pid", "flc_type", "flc_file", "flc_link", "flc_blocked_requests",
	  "flc_blocked_member" },
	{ "struct file_lock", "fl_wait.head", "fl_blocker", "fl_owner", "fl_flags", "fl_pid",
	  "fl_type", "fl_file", "fl_link", "fl_blocked_requests", "fl_blocked_member" },
};

const struct file_lock_names *file_lock_names(struct target *t)
{
	struct err ignored;
	uint64_t off;

	for (size_t i = 0; i < ARRAY_SIZE(all_names); i++)
		if (field_offset(t, all_names[i].type, all_names[i].blocker, &off, &ignored))
			return &all_names[i];
	return NULL;
}

struct lock_walk {
	struct target *t;
	struct arena *a;
	const struct file_lock_names *names;
	bool (*fn)(const struct file_lock *l, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	struct guard guard; /* no lock comes twice */
	unsigned number, depth;
	struct err *err;
	bool stop, ok;
};

static void locks_flaw(const struct err *e, void *arg)
{
	const struct lock_walk *ls = arg;

	ls->flaw(e, ls->arg);
}

static const char *kind_of(uint64_t flags)
{
	if (flags & FILE_LOCK_POSIX)
		return flags & FILE_LOCK_OFD ? "OFDLCK" : "POSIX";
	if (flags & FILE_LOCK_FLOCK)
		return "FLOCK";
	if (flags & FILE_LOCK_DELEGATION)
		return "DELEG";
	return flags & (FILE_LOCK_LEASE | FILE_LOCK_LAYOUT) ? "LEASE" : "UNKNOWN";
}

/* A lease that is being broken is told by what it is to become (fs/locks.c, lock_get_status()). */
static const char *mode_of(uint64_t flags, uint64_t mode)
{
	if (flags & UNLOCK_PENDING)
		return "UNLCK";
	if (flags & DOWNGRADE_PENDING)
		return "READ";
	switch (mode) {
	case 0:
		return "READ";
	case 1:
		return "WRITE";
	case 2:
		return "UNLCK";
	default:
		return "?";
	}
}

static const char *state_of(uint64_t flags, uint64_t file)
{
	if (!(flags & (FILE_LOCK_LEASE | FILE_LOCK_DELEGATION | FILE_LOCK_LAYOUT)))
		return "ADVISORY";
	if (flags & (UNLOCK_PENDING | DOWNGRADE_PENDING))
		return "BREAKING";
	return file ? "ACTIVE" : "BREAKER";
}

static bool range_read(struct target *t, struct file_lock *l, struct err *err)
{
	uint64_t start, end;

	if (!field_u64(t, "struct file_lock", l->addr, "fl_start", &start, err) ||
	    !field_u64(t, "struct file_lock", l->addr, "fl_end", &end, err))
		return false;
	l->start = (int64_t)start;
	l->end = (int64_t)end;
	return true;
}

static bool file_read(const struct lock_walk *ls, struct file_lock *l, struct err *err)
{
	struct target *t = ls->t;
	uint64_t sb;

	return field_u64(t, "struct file", l->file, "f_inode", &l->inode, err) &&
	       (!l->inode ||
		(field_u64(t, "struct inode", l->inode, "i_ino", &l->number_of_inode, err) &&
		 field_u64(t, "struct inode", l->inode, "i_sb", &sb, err) &&
		 field_u64(t, "struct super_block", sb, "s_dev", &l->device, err))) &&
	       vfs_file_path(t, l->file, ls->a, &l->path, err);
}

static bool lock_read(const struct lock_walk *ls, uint64_t addr, struct file_lock *ret,
		      struct err *err)
{
	const struct file_lock_names *n = ls->names;
	struct target *t = ls->t;
	uint64_t flags, mode, pid;
	struct err why;

	*ret = (struct file_lock){
		.addr = addr, .number = ls->number, .depth = ls->depth, .end = FILE_LOCK_EOF
	};
	if (!field_u64(t, n->type, addr, n->flags, &flags, err) ||
	    !field_u64(t, n->type, addr, n->mode, &mode, err) ||
	    !field_u64(t, n->type, addr, n->pid, &pid, err) ||
	    !field_u64(t, n->type, addr, n->file, &ret->file, err) ||
	    !field_u64(t, n->type, addr, n->owner, &ret->owner, err) ||
	    !field_u64(t, n->type, addr, n->blocker, &ret->blocker, err) ||
	    ((flags & FILE_LOCK_POSIX) && !range_read(t, ret, err)))
		return err_wrap(err, "lock 0x%llx", (unsigned long long)addr);
	ret->kind = kind_of(flags);
	ret->state = state_of(flags, ret->file);
	ret->mode = mode_of(flags, mode);
	/* the pid that an OFD lock was asked for by is in nobody's way */
	ret->pid = flags & FILE_LOCK_OFD ? -1 : (int32_t)pid;
	if (ret->file && !file_read(ls, ret, &why)) {
		err_wrap(&why, "lock 0x%llx", (unsigned long long)addr);
		ls->flaw(&why, ls->arg);
	}
	return true;
}

/* A lock, and those that wait for it; each of them may have some behind itself. */
static bool lock_found(uint64_t addr, void *arg)
{
	struct lock_walk *ls = arg;
	struct walk_plan w = {
		.what = "requests behind a lock", .node = lock_found, .flaw = locks_flaw, .arg = ls
	};
	struct file_lock l;
	struct err why;
	uint64_t off;

	ls->number += !ls->depth;
	if (!guard_step(&ls->guard, addr, &why) || !lock_read(ls, addr, &l, &why)) {
		ls->ok = why.code != ERR_INTR && why.code != ERR_LIMIT;
		if (!ls->ok)
			*ls->err = why;
		else
			ls->flaw(&why, ls->arg);
		return ls->ok;
	}
	ls->stop = !ls->fn(&l, ls->arg);
	if (ls->stop)
		return false;
	if (!field_offset(ls->t, ls->names->type, ls->names->requests, &off, &why) ||
	    !field_offset(ls->t, ls->names->type, ls->names->request, &w.link, &why)) {
		ls->flaw(&why, ls->arg);
		return true;
	}
	if (ls->depth == DEPTH_MAX) {
		err_set_addr(&why, ERR_LIMIT, addr, "lock 0x%llx: more than %d wait for each other",
			     (unsigned long long)addr, DEPTH_MAX);
		ls->flaw(&why, ls->arg);
		return true;
	}
	w.head = addr + off;
	ls->depth++;
	if (!list_walk(ls->t, &w, false, &why) && ls->ok) {
		ls->ok = why.code != ERR_INTR;
		if (!ls->ok)
			*ls->err = why;
		else
			ls->flaw(&why, ls->arg);
	}
	ls->depth--;
	return ls->ok && !ls->stop;
}

bool file_locks_each(struct target *t, struct arena *a,
		     bool (*fn)(const struct file_lock *l, void *arg),
		     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct lock_walk ls = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg, .err = err };
	struct walk_plan w = {
		.what = "locks of files", .node = lock_found, .flaw = locks_flaw, .arg = &ls
	};
	uint64_t list, off;
	struct err why;
	unsigned n;

	ls.ok = true;
	ls.names = file_lock_names(t);
	if (!ls.names)
		return err_set(err, ERR_NOFIELD,
			       "struct file_lock has no member of the name fl_blocker");
	if (!field_offset(t, ls.names->type, ls.names->link, &w.link, err) ||
	    !field_offset(t, "struct file_lock_list_struct", "hlist", &off, err) ||
	    !cpus_count(t, &n, err))
		return false;
	guard_init(&ls.guard, "locks of files", 0);
	for (unsigned cpu = 0; ls.ok && !ls.stop && cpu < n; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		if (!percpu_addr(t, "file_lock_list", cpu, &list, err))
			return false;
		w.head = list + off;
		if (!hlist_walk(t, &w, &why) && ls.ok) {
			err_wrap(&why, "CPU %u", cpu);
			if (why.code == ERR_INTR)
				return *err = why, false;
			flaw(&why, arg);
		}
	}
	return ls.ok;
}
