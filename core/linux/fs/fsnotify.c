/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups that watch files. A process has one open, as a file without a path; the group has its
 * marks in a list, and each mark a connector, which says what it is on. */
#include <string.h>

#include "core/linux/fs/fsnotify.h"
#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/linux/container/walk.h"
#include "core/linux/fs/dcache.h"
#include "core/linux/fs/file_user.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

enum {
	MARK_MASK,
	MARK_IGNORED,
	MARK_FLAGS,
	MARK_CONNECTOR
};
static const struct shape_field mark_fields[] = {
	[MARK_MASK] = FIELD("mask"),
	[MARK_IGNORED] = FIELD_ALT("ignore_mask", "ignored_mask"), /* 31a371e419c8 (v6.0) */
	[MARK_FLAGS] = FIELD("flags"),
	[MARK_CONNECTOR] = FIELD("connector"),
};
static const struct shape mark_shape = SHAPE("struct fsnotify_mark", mark_fields);

/* Bits of a mask, include/linux/fsnotify_backend.h; the two last are inotify's own, and moved from
 * there to the mark's flags in v5.19. */
static const struct {
	uint32_t mask, flag;
	const char *name;
} words[] = {
	{ 0x1, 0, "ACCESS" },
	{ 0x2, 0, "MODIFY" },
	{ 0x4, 0, "ATTRIB" },
	{ 0x8, 0, "CLOSE_WRITE" },
	{ 0x10, 0, "CLOSE_NOWRITE" },
	{ 0x20, 0, "OPEN" },
	{ 0x40, 0, "MOVED_FROM" },
	{ 0x80, 0, "MOVED_TO" },
	{ 0x100, 0, "CREATE" },
	{ 0x200, 0, "DELETE" },
	{ 0x400, 0, "DELETE_SELF" },
	{ 0x800, 0, "MOVE_SELF" },
	{ 0x1000, 0, "OPEN_EXEC" },
	{ 0x2000, 0, "UNMOUNT" },
	{ 0x4000, 0, "Q_OVERFLOW" },
	{ 0x8000, 0, "ERROR" },
	{ 0x10000, 0, "OPEN_PERM" },
	{ 0x20000, 0, "ACCESS_PERM" },
	{ 0x40000, 0, "OPEN_EXEC_PERM" },
	{ 0x100000, 0, "PRE_ACCESS" },
	{ 0x1000000, 0, "MNT_ATTACH" },
	{ 0x2000000, 0, "MNT_DETACH" },
	{ 0x8000000, 0, "EVENT_ON_CHILD" },
	{ 0x10000000, 0, "RENAME" },
	{ 0x20000000, 0, "DN_MULTISHOT" },
	{ 0x40000000, 0, "ISDIR" },
	{ 0x4000000, 0x10, "EXCL_UNLINK" },
	{ 0x80000000, 0x20, "ONESHOT" },
};

size_t fsnotify_words(uint64_t mask, uint64_t flags, const char *ret[FSNOTIFY_WORDS])
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if ((mask & words[i].mask) || (flags & words[i].flag))
			ret[n++] = words[i].name;
	return n;
}

struct watch_group {
	struct fsnotify_group g;
	VEC(struct fsnotify_user) users;
};

struct finder {
	struct target *t;
	struct arena *a;
	const struct fsnotify_fns *fns;
	VEC(struct watch_group) groups;
	struct map index;        /* struct fsnotify_group -> its number in groups + 1 */
	struct map mounts;       /* struct super_block -> the struct mount to see it through */
	const struct task *task; /* whose files are looked at */
	const struct watch_group *group; /* whose marks are */
	uint64_t mark_off, mount_off;
	bool direct; /* a connector leads to the object itself */
	bool stop;
};

static void finder_flaw(const struct err *e, void *arg)
{
	const struct finder *f = arg;

	f->fns->flaw(e, f->fns->arg);
}

/* ---- groups */

static struct watch_group *group_put(struct finder *f, uint64_t addr, const char *kind)
{
	uint64_t *at;
	bool fresh;

	at = map_put(&f->index, addr, &fresh);
	if (fresh) {
		*vec_push(&f->groups) = (struct watch_group){ .g = { .addr = addr, .kind = kind } };
		*at = f->groups.n;
	}
	return &f->groups.p[*at - 1];
}

static bool file_look(const struct vfs_open *o, void *arg)
{
	struct finder *f = arg;
	const char *kind = NULL;
	struct watch_group *g;
	uint64_t addr;
	struct err why;

	if (o->path && !strcmp(o->path, "anon_inode:inotify"))
		kind = "inotify";
	else if (o->path && !strcmp(o->path, "anon_inode:[fanotify]"))
		kind = "fanotify";
	if (!kind)
		return true;
	if (!field_u64(f->t, "struct file", o->file, "private_data", &addr, &why)) {
		finder_flaw(&why, f);
		return true;
	}
	if (!addr)
		return true;
	g = group_put(f, addr, kind);
	if (!g->g.file)
		g->g.file = o->file;
	*vec_push(&g->users) = (struct fsnotify_user){ f->task, o->fd };
	return true;
}

static bool groups_of_tasks(struct finder *f, struct err *err)
{
	const struct task *const *all;
	struct err why;
	size_t n;

	if (!tasks_match(f->t, NULL, false, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		f->task = all[i];
		if (file_user_shares(f->t, all[i]) ||
		    vfs_files(f->t, all[i]->addr, f->a, file_look, finder_flaw, f, &why))
			continue;
		if (why.code == ERR_INTR)
			return *err = why, false;
		finder_flaw(&why, f);
	}
	return true;
}

static void groups_of_kernel(struct finder *f)
{
	static const struct {
		const char *symbol, *kind;
	} known[] = { { "dnotify_group", "dnotify" },
		      { "audit_watch_group", "audit_watch" },
		      { "audit_tree_group", "audit_tree" },
		      { "audit_fsnotify_group", "audit_fsnotify" } };
	bool unknown = false;
	uint64_t at, addr;
	struct err why;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (subsystem_symbol(f->t, known[i].symbol, "groups of the kernel's own", &at,
				     &why)) {
			if (!mem_ptr(f->t, at, &addr, &why)) {
				err_wrap(&why, "%s", known[i].symbol);
				finder_flaw(&why, f);
			} else if (addr) {
				group_put(f, addr, known[i].kind);
			}
		} else if (why.code != ERR_NOTFOUND && !unknown) {
			/* what one of them lacks, the others mostly do, too */
			finder_flaw(&why, f);
			unknown = true;
		}
	}
}

/* ---- marks */

static bool superblock_look(const struct superblock *s, void *arg)
{
	struct finder *f = arg;

	*map_put(&f->mounts, s->addr, NULL) = s->mount;
	return true;
}

/* Where in a mark's object a connector leads to: its pointer to the connector, or its start. */
static bool object_offset(struct finder *f, const char *on, uint64_t *ret, struct err *err)
{
	*ret = 0;
	if (f->direct) {
		/* a mount is known by what of it the rest of the kernel sees */
		if (!strcmp(on, "vfsmount"))
			*ret = f->mount_off;
		return true;
	}
	if (!strcmp(on, "inode"))
		return field_offset(f->t, "struct inode", "i_fsnotify_marks", ret, err);
	if (!strcmp(on, "vfsmount"))
		return field_offset(f->t, "struct mount", "mnt_fsnotify_marks", ret, err);
	if (!strcmp(on, "sb"))
		return field_offset(f->t, "struct super_block", "s_fsnotify_marks", ret, err);
	return err_set(err, ERR_NOFIELD, "where a mark on '%.40s' leads to is not known", on);
}

static bool sb_path(struct finder *f, uint64_t sb, const char **ret, struct err *err)
{
	uint64_t *mount = map_get(&f->mounts, sb), root;

	return !mount || !*mount ||
	       (field_u64(f->t, "struct mount", *mount, "mnt.mnt_root", &root, err) &&
		vfs_path(f->t, *mount + f->mount_off, root, f->a, ret, err));
}

/* What the mark is on, by name and number. */
static bool object_read(struct finder *f, struct fsnotify_mark *m, struct err *err)
{
	uint64_t root, *mount;
	struct vfs_inode i;

	if (!strcmp(m->on, "inode")) {
		if (!inode_read(f->t, m->object, &i, err) ||
		    !field_u64(f->t, "struct super_block", i.sb, "s_dev", &m->dev, err))
			return false;
		m->ino = i.number;
		mount = map_get(&f->mounts, i.sb);
		return inode_path(f->t, &i, mount ? *mount : 0, f->a, &m->path, err);
	}
	if (!strcmp(m->on, "vfsmount"))
		return field_u64(f->t, "struct mount", m->object, "mnt.mnt_root", &root, err) &&
		       vfs_path(f->t, m->object + f->mount_off, root, f->a, &m->path, err);
	if (!strcmp(m->on, "sb"))
		return field_u64(f->t, "struct super_block", m->object, "s_dev", &m->dev, err) &&
		       sb_path(f, m->object, &m->path, err);
	return true;
}

/* "inode" of FSNOTIFY_OBJ_TYPE_INODE. FSNOTIFY_OBJ_TYPE_COUNT is no kind, but
 * FSNOTIFY_OBJ_TYPE_DETACHED, whose object is gone, has its number. */
static bool object_name(struct finder *f, uint64_t type, const char **ret, struct err *err)
{
	static const char prefix[] = "FSNOTIFY_OBJ_TYPE_";
	const struct enumerator *e;
	const struct type *found;
	size_t n;

	if (!type_find(f->t, "enum fsnotify_obj_type", &found, err))
		return false;
	e = type_enumerators(type_strip(found), &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].value == type && !strncmp(e[i].name, prefix, sizeof(prefix) - 1) &&
		    strcmp(e[i].name, "FSNOTIFY_OBJ_TYPE_COUNT")) {
			char *name = arena_strdup(f->a, e[i].name + sizeof(prefix) - 1);

			for (char *p = name; *p; p++)
				*p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
			return *ret = name, true;
		}
	return err_set(err, ERR_CORRUPT, "%llu is no kind of what can be watched",
		       (unsigned long long)type);
}

static bool connector_read(struct finder *f, uint64_t connector, struct fsnotify_mark *m,
			   struct err *err)
{
	static const char type[] = "struct fsnotify_mark_connector";
	uint64_t kind, off;

	if (!field_u64(f->t, type, connector, "type", &kind, err) ||
	    !object_name(f, kind, &m->on, err) ||
	    !field_u64(f->t, type, connector, "obj", &m->object, err))
		return false;
	if (!m->object)
		return true;
	if (!object_offset(f, m->on, &off, err)) {
		m->object = 0;
		return false;
	}
	m->object -= off;
	return object_read(f, m, err);
}

static bool mark_found(uint64_t addr, void *arg)
{
	struct finder *f = arg;
	struct fsnotify_mark m = { .addr = addr, .group = f->group->g.addr, .wd = -1 };
	uint64_t connector, off, wd;
	struct shaped s;
	struct err why;

	if (!shape_read(f->t, &mark_shape, addr, &s, &why) ||
	    !shaped_u64(&s, MARK_MASK, &m.mask, &why) ||
	    !shaped_u64(&s, MARK_IGNORED, &m.ignored, &why) ||
	    !shaped_u64(&s, MARK_FLAGS, &m.flags, &why) ||
	    !shaped_u64(&s, MARK_CONNECTOR, &connector, &why)) {
		err_wrap(&why, "mark 0x%llx", (unsigned long long)addr);
		finder_flaw(&why, f);
		return true;
	}
	if (connector && !connector_read(f, connector, &m, &why)) {
		err_wrap(&why, "mark 0x%llx", (unsigned long long)addr);
		finder_flaw(&why, f);
	}
	if (!strcmp(f->group->g.kind, "inotify")) {
		if (field_offset(f->t, "struct inotify_inode_mark", "fsn_mark", &off, &why) &&
		    field_u64(f->t, "struct inotify_inode_mark", addr - off, "wd", &wd, &why))
			m.wd = (int32_t)wd;
		else
			finder_flaw(&why, f);
	}
	f->stop = !f->fns->mark(&f->group->g, &m, f->fns->arg);
	return !f->stop;
}

static bool group_tell(struct finder *f, struct watch_group *group, struct err *err)
{
	static const char type[] = "struct fsnotify_group";
	struct walk_plan w = { .what = "marks", .node = mark_found, .flaw = finder_flaw, .arg = f };
	struct fsnotify_group *g = &group->g;
	uint64_t off;

	g->users = group->users.p;
	g->n_users = group->users.n;
	if (!field_u64(f->t, type, g->addr, "q_len", &g->queued, err) ||
	    !field_u64(f->t, type, g->addr, "max_events", &g->most, err) ||
	    !field_u64(f->t, type, g->addr, "priority", &g->priority, err) ||
	    !field_offset(f->t, type, "marks_list", &off, err) ||
	    !field_offset(f->t, "struct fsnotify_mark", "g_list", &w.link, err))
		return err_wrap(err, "group 0x%llx", (unsigned long long)g->addr);
	f->group = group;
	f->stop = !f->fns->group(g, f->fns->arg);
	w.head = g->addr + off;
	return f->stop || list_walk(f->t, &w, false, err);
}

/* 6.10 has a pointer to what is watched, of no type, where there was one to its pointer to the
 * connector. */
static bool finder_init(struct finder *f, struct err *err)
{
	const struct type *type;
	struct member_ref ref;

	if (!type_find(f->t, "struct fsnotify_mark_connector", &type, err) ||
	    !type_member(type, "obj", &ref, err) ||
	    !field_offset(f->t, "struct mount", "mnt", &f->mount_off, err))
		return false;
	type = type_strip(ref.type);
	f->direct = type->kind == TYPE_POINTER && type_strip(type_target(type))->kind == TYPE_VOID;
	return superblocks_each(f->t, f->a, superblock_look, finder_flaw, f, err);
}

bool fsnotify_each(struct target *t, struct arena *a, const struct fsnotify_fns *fns,
		   struct err *err)
{
	struct finder f = { .t = t, .a = a, .fns = fns };
	struct err why;
	bool ok;

	ok = finder_init(&f, err) && groups_of_tasks(&f, err);
	if (ok)
		groups_of_kernel(&f);
	for (size_t i = 0; ok && !f.stop && i < f.groups.n; i++) {
		if (group_tell(&f, &f.groups.p[i], &why))
			continue;
		ok = why.code != ERR_INTR;
		if (ok)
			finder_flaw(&why, &f);
		else
			*err = why;
	}
	for (size_t i = 0; i < f.groups.n; i++)
		vec_release(&f.groups.p[i].users);
	vec_release(&f.groups);
	map_release(&f.index);
	map_release(&f.mounts);
	return ok;
}
