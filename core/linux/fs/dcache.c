/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Superblocks, their inodes, and the names below a directory. */
#include "core/linux/fs/dcache.h"
#include "core/linux/fs/vfs_impl.h"
#include "core/linux/container/list.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#include <string.h>

#include "core/base/guard.h"
#include "core/base/map.h"
#include "core/linux/linux.h"
#include "core/linux/container/walk.h"

#define NAME_MAX_BYTES 255
#define MOUNTS_MAX 1000000u /* of one superblock */
#define SB_RDONLY 1u        /* include/linux/fs.h */

enum {
	SB_TYPE,
	SB_ID,
	SB_ROOT,
	SB_FLAGS,
	SB_SUBTYPE
};
static const struct shape_field sb_fields[] = {
	[SB_TYPE] = FIELD("s_type"),       [SB_ID] = FIELD("s_id"),
	[SB_ROOT] = FIELD("s_root"),       [SB_FLAGS] = FIELD("s_flags"),
	[SB_SUBTYPE] = FIELD("s_subtype"),
};
static const struct shape sb_shape = SHAPE("struct super_block", sb_fields);

enum {
	INODE_MODE,
	INODE_SB,
	INODE_NUMBER,
	INODE_SIZE,
	INODE_LINKS,
	INODE_USES,
	INODE_STATE,
	INODE_IO,
	INODE_WB,
	INODE_NAMES
};
static const struct shape_field inode_fields[] = {
	[INODE_MODE] = FIELD("i_mode"),
	[INODE_SB] = FIELD("i_sb"),
	[INODE_NUMBER] = FIELD("i_ino"),
	[INODE_SIZE] = FIELD("i_size"),
	[INODE_LINKS] = FIELD("i_nlink"),
	[INODE_USES] = FIELD("i_count.counter"),
	/* a struct in v7.2 */
	[INODE_STATE] = FIELD_ALT("i_state.__state", "i_state"),
	[INODE_IO] = FIELD("i_io_list.next"),
	[INODE_WB] = FIELD("i_wb"), /* with CONFIG_CGROUP_WRITEBACK */
	[INODE_NAMES] = FIELD("i_dentry.first"),
};
static const struct shape inode_shape = SHAPE("struct inode", inode_fields);

/* What the walks of this file give to whom. */
struct visit {
	struct target *t;
	struct arena *a;
	bool (*superblock)(const struct superblock *s, void *arg);
	bool (*dentry)(const struct vfs_dentry *d, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	uint64_t init; /* its namespace */
	struct err *err;
	bool ok;
};

static void tell(const struct err *e, void *arg)
{
	const struct visit *v = arg;

	if (v->flaw)
		v->flaw(e, v->arg);
}

/* One that cannot be read is told of, and the others follow. */
static bool goes_on(struct visit *v, const struct err *why)
{
	if (why->code != ERR_INTR) {
		tell(why, v);
		return true;
	}
	*v->err = *why;
	v->ok = false;
	return false;
}

/* ---- superblocks */

struct mounted {
	struct target *t;
	uint64_t init, mount; /* init's namespace */
	bool best;            /* the mount is one of init's */
};

/* The kernel's own mounts are in no namespace: NULL, or an error in place of the pointer. */
static bool in_namespace(uint64_t mount, void *arg)
{
	struct mounted *m = arg;
	uint64_t ns = field_u64_or(m->t, "struct mount", mount, "mnt_ns", 0);

	if (!m->t->arch->is_kernel_va(ns) ||
	    ns >= (m->t->arch->word == 4 ? UINT32_MAX : UINT64_MAX) - 4095)
		return true;
	m->best = ns == m->init;
	if (m->best || !m->mount)
		m->mount = mount;
	return !m->best;
}

/* The namespace that pid 1 is in; 0 unknown. */
static uint64_t init_namespace(struct target *t)
{
	const struct task *init;
	struct err ignored;
	uint64_t proxy, ns;

	if (!task_by_pid(t, 1, &init, &ignored) ||
	    !field_u64(t, "struct task_struct", init->addr, "nsproxy", &proxy, &ignored) ||
	    !proxy || !field_u64(t, "struct nsproxy", proxy, "mnt_ns", &ns, &ignored))
		return 0;
	return ns;
}

/* All mounts of a superblock: a list, or in v7.2 a chain of pointers to the mounts themselves. */
static bool mounts_of(struct target *t, uint64_t sb, bool (*fn)(uint64_t mount, void *arg),
		      void *arg, struct err *err)
{
	uint64_t head, link, mount;
	struct err ignored;
	struct guard g;

	if (!field_offset(t, "struct super_block", "s_mounts", &head, err))
		return false;
	if (!field_offset(t, "struct mount", "mnt_next_for_sb", &link, &ignored))
		return field_offset(t, "struct mount", "mnt_instance", &link, err) &&
		       list_each(t, sb + head, link, "mounts", fn, arg, err);
	guard_init(&g, "mounts", MOUNTS_MAX);
	if (!mem_ptr(t, sb + head, &mount, err))
		return false;
	while (mount) {
		if (!guard_step(&g, mount, err))
			return false;
		if (!fn(mount, arg))
			return true;
		if (!mem_ptr(t, mount + link, &mount, err))
			return false;
	}
	return true;
}

static bool mounted_at(struct target *t, struct superblock *s, uint64_t init, struct arena *a,
		       struct err *err)
{
	struct mounted m = { .t = t, .init = init };
	uint64_t off, root;

	if (!field_offset(t, "struct mount", "mnt", &off, err) ||
	    !mounts_of(t, s->addr, in_namespace, &m, err))
		return false;
	s->mount = m.mount;
	return !m.mount || (field_u64(t, "struct mount", m.mount, "mnt.mnt_root", &root, err) &&
			    vfs_path(t, m.mount + off, root, a, &s->path, err));
}

static bool superblock_read(struct target *t, uint64_t addr, struct arena *a,
			    struct superblock *ret, struct err *err)
{
	uint64_t type, name, flags, subtype;
	struct shaped s;
	const char *sub;
	struct err why;

	*ret = (struct superblock){ .addr = addr };
	if (!shape_read(t, &sb_shape, addr, &s, err) || !shaped_u64(&s, SB_TYPE, &type, err) ||
	    !shaped_u64(&s, SB_ROOT, &ret->root, err) || !shaped_u64(&s, SB_FLAGS, &flags, err) ||
	    !shaped_str(&s, SB_ID, a, &ret->id, err) ||
	    !field_u64(t, "struct file_system_type", type, "name", &name, err) ||
	    !mem_str(t, name, NAME_MAX_BYTES, a, &ret->type, err))
		return err_wrap(err, "superblock 0x%llx", (unsigned long long)addr);
	ret->read_only = flags & SB_RDONLY;
	subtype = shaped_u64_or(&s, SB_SUBTYPE, 0);
	if (subtype && mem_str(t, subtype, NAME_MAX_BYTES, a, &sub, &why))
		ret->type = arena_printf(a, "%s.%s", ret->type, sub);
	return true;
}

static bool superblock_found(uint64_t addr, void *arg)
{
	struct visit *v = arg;
	struct superblock s;
	struct err why;

	if (!superblock_read(v->t, addr, v->a, &s, &why))
		return goes_on(v, &why);
	if (!mounted_at(v->t, &s, v->init, v->a, &why)) {
		err_wrap(&why, "superblock 0x%llx", (unsigned long long)addr);
		if (!goes_on(v, &why))
			return false;
	}
	return v->superblock(&s, v->arg);
}

bool superblocks_each(struct target *t, struct arena *a,
		      bool (*fn)(const struct superblock *s, void *arg),
		      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct visit v = { .t = t, .a = a, .superblock = fn, .flaw = flaw, .arg = arg, .err = err };
	struct walk_plan w = { .what = "superblocks",
			       .node = superblock_found,
			       .flaw = flaw ? tell : NULL,
			       .arg = &v };
	struct symbol head;

	v.ok = true;
	if (!symbol_find(t, "super_blocks", &head, err) ||
	    !field_offset(t, "struct super_block", "s_list", &w.link, err))
		return false;
	w.head = head.addr;
	v.init = init_namespace(t);
	return list_walk(t, &w, false, err) && v.ok;
}

/* ---- inodes */

bool inode_read(struct target *t, uint64_t addr, struct vfs_inode *ret, struct err *err)
{
	uint64_t link, names, next, list;
	struct shaped s;

	*ret = (struct vfs_inode){ .addr = addr };
	if (!shape_read(t, &inode_shape, addr, &s, err) ||
	    !shaped_u64(&s, INODE_MODE, &ret->mode, err) ||
	    !shaped_u64(&s, INODE_SB, &ret->sb, err) ||
	    !shaped_u64(&s, INODE_NUMBER, &ret->number, err) ||
	    !shaped_u64(&s, INODE_SIZE, &ret->size, err) ||
	    !shaped_u64(&s, INODE_LINKS, &ret->links, err) ||
	    !shaped_u64(&s, INODE_USES, &ret->uses, err) ||
	    !shaped_u64(&s, INODE_STATE, &ret->state, err) ||
	    !shaped_u64(&s, INODE_NAMES, &names, err) ||
	    !field_offset(t, "struct dentry", "d_alias|d_u.d_alias", &link, err))
		return err_wrap(err, "inode 0x%llx", (unsigned long long)addr);
	ret->type = vfs_type_name(ret->mode);
	next = shaped_u64_or(&s, INODE_IO, 0);
	ret->listed = next && shaped_addr(&s, INODE_IO, &list, err) && next != list;
	ret->wb = shaped_u64_or(&s, INODE_WB, 0);
	ret->dentry = names ? names - link : 0;
	return true;
}

/* Clean inodes that the writeback of a control group keeps. */
struct clean_inodes {
	struct map inodes;
	struct map wbs; /* struct bdi_writeback -> an enum below; 0: its list was not walked */
};
enum {
	CLEAN_WHOLE = 1,
	CLEAN_BROKEN
};

static struct clean_inodes *clean_inodes_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_CLEAN];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct clean_inodes);
	return *cell;
}

void linux_clean_release(struct target *t)
{
	struct clean_inodes *all = t->linux_state->of[LINUX_CLEAN];

	if (!all)
		return;
	map_release(&all->inodes);
	map_release(&all->wbs);
}

static bool clean_found(uint64_t inode, void *arg)
{
	map_put(arg, inode, NULL);
	return true;
}

/* The list is made for the writeback of a control group; in the device's own it is not even
 * initialised. */
static bool clean_inodes_read(struct target *t, uint64_t wb, uint64_t list, struct map *ret,
			      struct err *err)
{
	uint64_t bdi, own, link;

	if (!field_u64(t, "struct bdi_writeback", wb, "bdi", &bdi, err) ||
	    !field_offset(t, "struct backing_dev_info", "wb", &own, err) ||
	    !field_offset(t, "struct inode", "i_io_list", &link, err))
		return false;
	return wb == bdi + own ||
	       list_each(t, wb + list, link, "clean inodes", clean_found, ret, err);
}

/* The bits of i_state that say so moved in v6.12; lists do not. An inode is in the one of clean
 * ones since c22d70a162d3 (v5.14), if its writeback is not that of the device itself. */
bool inode_dirty(struct target *t, const struct vfs_inode *i, enum inode_dirt *ret, struct err *err)
{
	struct clean_inodes *all = clean_inodes_of(t);
	uint64_t off, *state;
	struct err ignored;
	bool ok = true;

	*ret = i->listed ? INODE_DIRTY : INODE_CLEAN;
	if (!i->listed || !i->wb ||
	    !field_offset(t, "struct bdi_writeback", "b_attached", &off, &ignored))
		return true;
	state = map_put(&all->wbs, i->wb, NULL);
	if (!*state) {
		ok = clean_inodes_read(t, i->wb, off, &all->inodes, err);
		if (ok || err->code != ERR_INTR)
			*state = ok ? CLEAN_WHOLE : CLEAN_BROKEN;
	}
	if (map_get(&all->inodes, i->addr))
		*ret = INODE_CLEAN;
	else if (*state != CLEAN_WHOLE)
		*ret = INODE_UNSURE;
	return ok || err_wrap(err, "writeback 0x%llx", (unsigned long long)i->wb);
}

bool inodes_each(struct target *t, uint64_t sb, bool (*fn)(uint64_t inode, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct walk_plan w = { .what = "inodes", .node = fn, .flaw = flaw, .arg = arg };
	uint64_t off;

	if (!field_offset(t, "struct super_block", "s_inodes", &off, err) ||
	    !field_offset(t, "struct inode", "i_sb_list", &w.link, err))
		return false;
	w.head = sb + off;
	return list_walk(t, &w, false, err) ||
	       err_wrap(err, "superblock 0x%llx", (unsigned long long)sb);
}

bool inode_path(struct target *t, const struct vfs_inode *i, uint64_t mount, struct arena *a,
		const char **ret, struct err *err)
{
	uint64_t off = 0;

	*ret = NULL;
	return !i->dentry || ((!mount || field_offset(t, "struct mount", "mnt", &off, err)) &&
			      vfs_path(t, mount ? mount + off : 0, i->dentry, a, ret, err));
}

/* ---- dentries */

bool dentry_read(struct target *t, uint64_t addr, struct arena *a, struct vfs_dentry *ret,
		 struct err *err)
{
	uint64_t name, hash;
	struct shaped s;

	*ret = (struct vfs_dentry){ .addr = addr };
	if (!shape_read(t, &dentry_shape, addr, &s, err) ||
	    !shaped_u64(&s, DENTRY_PARENT, &ret->parent, err) ||
	    !shaped_u64(&s, DENTRY_INODE, &ret->inode, err) ||
	    !shaped_u64(&s, DENTRY_HASH, &hash, err) || !shaped_u64(&s, DENTRY_NAME, &name, err) ||
	    !mem_str(t, name, NAME_MAX_BYTES, a, &ret->name, err))
		return err_wrap(err, "dentry 0x%llx", (unsigned long long)addr);
	/* found by its name no more; a root never is */
	ret->deleted = !hash && ret->parent != addr;
	return true;
}

static bool dentry_found(uint64_t addr, void *arg)
{
	struct visit *v = arg;
	struct vfs_dentry d;
	struct err why;

	if (!dentry_read(v->t, addr, v->a, &d, &why))
		return goes_on(v, &why);
	/* the place where somebody reads the directory has the name of no file */
	if (!strcmp(d.name, "/"))
		return true;
	return v->dentry(&d, v->arg);
}

/* A list until da549bdd15c2 (v6.8) made it an hlist. */
bool dentries_each(struct target *t, uint64_t dir, struct arena *a,
		   bool (*fn)(const struct vfs_dentry *d, void *arg),
		   void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct visit v = { .t = t, .a = a, .dentry = fn, .flaw = flaw, .arg = arg, .err = err };
	struct walk_plan w = {
		.what = "dentries", .node = dentry_found, .flaw = flaw ? tell : NULL, .arg = &v
	};
	struct err why;
	uint64_t off;
	bool ok;

	v.ok = true;
	if (field_offset(t, "struct dentry", "d_children", &off, &why)) {
		w.head = dir + off;
		ok = field_offset(t, "struct dentry", "d_sib", &w.link, err) &&
		     hlist_walk(t, &w, err);
	} else {
		ok = field_offset(t, "struct dentry", "d_subdirs", &off, err) &&
		     field_offset(t, "struct dentry", "d_child", &w.link, err);
		w.head = dir + off;
		ok = ok && list_walk(t, &w, false, err);
	}
	if (!ok)
		return err_wrap(err, "dentry 0x%llx", (unsigned long long)dir);
	return v.ok;
}
