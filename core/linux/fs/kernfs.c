/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of struct kernfs_node: a directory has a red-black tree of what is in it. */
#include <string.h>

#include "core/linux/fs/kernfs.h"
#include "core/base/guard.h"
#include "core/linux/container/walk.h"
#include "core/linux/fs/vfs.h"
#include "core/types/shape.h"

#define NAME_MAX_BYTES 255
#define PATH_BYTES 4096
#define LEVELS_MAX 200u
#define LINKS_MAX 40u /* as the kernel follows */
#define KERNFS_DIR 1u /* flags, include/linux/kernfs.h */
#define KERNFS_FILE 2u
#define KERNFS_LINK 4u

enum {
	NODE_PARENT,
	NODE_NAME,
	NODE_FLAGS,
	NODE_MODE,
	NODE_ID,
	NODE_PRIV,
	NODE_SIZE,
	NODE_OPS,
	NODE_TARGET
};
static const struct shape_field node_fields[] = {
	[NODE_PARENT] = FIELD_ALT("__parent", "parent"), /* 633488947ef6 (v6.15) */
	[NODE_NAME] = FIELD("name"),
	[NODE_FLAGS] = FIELD("flags"),
	[NODE_MODE] = FIELD("mode"),
	[NODE_ID] = FIELD("id"),
	[NODE_PRIV] = FIELD("priv"),
	[NODE_SIZE] = FIELD("attr.size"),
	[NODE_OPS] = FIELD("attr.ops"),
	[NODE_TARGET] = FIELD("symlink.target_kn"),
};
static const struct shape node_shape = SHAPE("struct kernfs_node", node_fields);

bool kernfs_read(struct target *t, uint64_t addr, struct arena *a, struct kernfs_node *ret,
		 struct err *err)
{
	uint64_t name, flags;
	struct shaped s;

	*ret = (struct kernfs_node){ .addr = addr, .name = "", .type = "DIR" };
	if (!shape_read(t, &node_shape, addr, &s, err) ||
	    !shaped_u64(&s, NODE_PARENT, &ret->parent, err) ||
	    !shaped_u64(&s, NODE_NAME, &name, err) || !shaped_u64(&s, NODE_FLAGS, &flags, err) ||
	    !shaped_u64(&s, NODE_MODE, &ret->mode, err) ||
	    !shaped_u64(&s, NODE_ID, &ret->ino, err) ||
	    !shaped_u64(&s, NODE_PRIV, &ret->priv, err) ||
	    (name && !mem_str(t, name, NAME_MAX_BYTES, a, &ret->name, err)))
		return err_wrap(err, "kernfs_node 0x%llx", (unsigned long long)addr);
	if (t->arch->word == 4)
		ret->ino &=
			UINT32_MAX; /* the other half tells one use of the number from the next */
	if (flags & KERNFS_FILE) {
		ret->type = "FILE";
		if (!shaped_u64(&s, NODE_SIZE, &ret->size, err) ||
		    !shaped_u64(&s, NODE_OPS, &ret->ops, err))
			return err_wrap(err, "kernfs_node 0x%llx", (unsigned long long)addr);
	} else if (flags & KERNFS_LINK) {
		ret->type = "LINK";
		if (!shaped_u64(&s, NODE_TARGET, &ret->target, err))
			return err_wrap(err, "kernfs_node 0x%llx", (unsigned long long)addr);
	} else if (!(flags & KERNFS_DIR)) {
		return err_set_addr(err, ERR_CORRUPT, addr,
				    "0x%llx is no kernfs_node: its flags are 0x%llx",
				    (unsigned long long)addr, (unsigned long long)flags);
	}
	return true;
}

struct children {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct kernfs_node *n, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

static void children_flaw(const struct err *e, void *arg)
{
	const struct children *c = arg;

	c->flaw(e, c->arg);
}

static bool child_found(uint64_t addr, void *arg)
{
	const struct children *c = arg;
	struct kernfs_node n;
	struct err why;

	if (kernfs_read(c->t, addr, c->a, &n, &why))
		return c->fn(&n, c->arg);
	c->flaw(&why, c->arg);
	return true;
}

bool kernfs_children(struct target *t, uint64_t dir, struct arena *a,
		     bool (*fn)(const struct kernfs_node *n, void *arg),
		     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct children c = { t, a, fn, flaw, arg };
	struct walk_plan w = { .what = "names of a directory",
			       .node = child_found,
			       .flaw = children_flaw,
			       .arg = &c };
	uint64_t off;

	if (!field_offset(t, "struct kernfs_node", "dir.children", &off, err) ||
	    !field_offset(t, "struct kernfs_node", "rb", &w.link, err))
		return false;
	w.head = dir + off;
	return rbtree_walk(t, &w, err) ||
	       err_wrap(err, "kernfs_node 0x%llx", (unsigned long long)dir);
}

bool kernfs_path(struct target *t, uint64_t addr, struct arena *a, const char **ret,
		 struct err *err)
{
	const char *path = "";
	struct kernfs_node n;
	struct guard g;

	guard_init(&g, "path", LEVELS_MAX);
	for (;; addr = n.parent) {
		if (!guard_step(&g, addr, err) || !kernfs_read(t, addr, a, &n, err))
			return false;
		if (!n.parent)
			break;
		path = arena_printf(a, "/%s%s", n.name, path);
	}
	*ret = *path ? path : "/";
	return true;
}

/* ---- paths */

struct mount_seek {
	const char *path;
	size_t n;      /* how much of it the mount's path is */
	uint64_t addr; /* struct mount; 0: none */
};

/* The last mount on the longest part of the path. */
static bool mount_look(const struct vfs_mount *m, void *arg)
{
	static const char *const types[] = { "sysfs", "cgroup2", "cgroup", "resctrl" };
	struct mount_seek *s = arg;
	size_t n = strlen(m->path);

	if (!strcmp(m->path, "/"))
		n = 0;
	if (strncmp(s->path, m->path, n) != 0 || (s->path[n] && s->path[n] != '/') || n < s->n)
		return true;
	s->n = n;
	s->addr = 0;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(m->type, types[i]))
			s->addr = m->addr;
	return true;
}

static void no_flaw(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

static bool root_of(struct target *t, uint64_t task, struct mount_seek *s, struct arena *a,
		    uint64_t *ret, struct err *err)
{
	uint64_t dentry, inode;

	return vfs_mounts(t, task, a, mount_look, no_flaw, s, err) &&
	       (s->addr ||
		err_set(err, ERR_NOTFOUND, "'%.200s' is on no file system like sysfs or cgroup2",
			s->path)) &&
	       field_u64(t, "struct mount", s->addr, "mnt.mnt_root", &dentry, err) &&
	       field_u64(t, "struct dentry", dentry, "d_inode", &inode, err) &&
	       field_u64(t, "struct inode", inode, "i_private", ret, err);
}

struct name_seek {
	const char *name; /* of n bytes */
	size_t n;
	struct kernfs_node found;
	struct err why; /* of what could not be read; ERR_OK: all could */
};

static bool name_look(const struct kernfs_node *n, void *arg)
{
	struct name_seek *s = arg;

	if (strlen(n->name) != s->n || memcmp(n->name, s->name, s->n) != 0)
		return true;
	s->found = *n;
	return false;
}

static void name_flaw(const struct err *e, void *arg)
{
	struct name_seek *s = arg;

	s->why = *e;
}

/* One name of the path, in the directory *at. */
static bool step(struct target *t, const char *name, size_t n, struct arena *a,
		 struct kernfs_node *at, struct err *err)
{
	struct name_seek s = { .name = name, .n = n, .why = { .code = ERR_OK } };

	if (n == 2 && !memcmp(name, "..", 2))
		return !at->parent || kernfs_read(t, at->parent, a, at, err);
	if (!n || (n == 1 && *name == '.'))
		return true;
	if (strcmp(at->type, "DIR") != 0)
		return err_set(err, ERR_NOTFOUND, "'%.100s' is no directory", at->name);
	if (!kernfs_children(t, at->addr, a, name_look, name_flaw, &s, err))
		return false;
	if (!s.found.addr && s.why.code != ERR_OK)
		return *err = s.why, false;
	if (!s.found.addr)
		return err_set(err, ERR_NOTFOUND, "there is no '%.*s'", (int)(n < 100 ? n : 100),
			       name);
	*at = s.found;
	return true;
}

bool kernfs_lookup(struct target *t, uint64_t task, const char *path, bool follow, struct arena *a,
		   struct kernfs_node *ret, struct err *err)
{
	struct mount_seek s = { .path = path };
	unsigned links = 0;
	uint64_t root;
	const char *p;

	if (*path != '/')
		return err_set(err, ERR_USAGE, "'%.100s' does not begin at the root", path);
	if (!root_of(t, task, &s, a, &root, err) || !kernfs_read(t, root, a, ret, err))
		return false;
	for (p = path + s.n; *p;) {
		size_t n;

		p += strspn(p, "/");
		n = strcspn(p, "/");
		if (!interrupt_check(err) || !step(t, p, n, a, ret, err))
			return err_wrap(err, "'%.200s'", path);
		p += n;
		/* a link never leads to a link */
		if (ret->target && (*p || follow)) {
			if (++links > LINKS_MAX)
				return err_set(err, ERR_NOTFOUND, "'%.200s' has too many links",
					       path);
			if (!kernfs_read(t, ret->target, a, ret, err))
				return false;
		}
	}
	return true;
}
