/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an object that tasks wait for is called: its symbol, or what it lies in. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/memory/slab.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define INODE_CACHE "inode_cache" /* what names of caches of inodes end with */
#define NAME_BYTES 32
#define DEPTH 6 /* of members in members */

/* ---- processes by what is theirs */

static void owner_add(struct wait_graph *g, const struct task *task, const char *member)
{
	struct err ignored;
	uint64_t what;

	if (field_u64(g->t, "struct task_struct", task->addr, member, &what, &ignored) && what)
		*map_put(&g->impl->owners, what, NULL) = (uintptr_t)task;
}

/* The process that an mm_struct, signal_struct or files_struct is of; NULL: none. */
static const struct task *owner_of(struct wait_graph *g, uint64_t what)
{
	static const char *const members[] = { "mm", "signal", "files", "sighand" };
	const struct task *all;
	struct err ignored;
	const uint64_t *p;
	size_t n;

	if (!g->impl->owners_made && tasks_all(g->t, &all, &n, &ignored))
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < ARRAY_SIZE(members); k++)
				if (all[i].pid == all[i].tgid)
					owner_add(g, &all[i], members[k]);
	g->impl->owners_made = true;
	p = map_get(&g->impl->owners, what);
	return p ? (const struct task *)(uintptr_t)*p : NULL;
}

/* ---- members */

/* What is waited for as a whole: what it consists of is of no interest. */
static bool is_whole(const struct type *type)
{
	static const char *const names[] = {
		"mutex",           "rw_semaphore",     "semaphore",           "completion",
		"wait_queue_head", "swait_queue_head", "percpu_rw_semaphore", "rt_mutex",
		"rt_mutex_base"
	};

	for (size_t i = 0; type->name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(type->name, names[i]))
			return true;
	return false;
}

/* Appends the path of the member that begins `off` bytes behind the start of a struct. */
static bool member_path(struct buf *b, const struct type *type, uint64_t off, unsigned depth)
{
	const struct member *m;
	size_t n;

	type = type_strip(type);
	if (!off && (is_whole(type) || depth == DEPTH))
		return true;
	if (depth < DEPTH && type->kind == TYPE_ARRAY && type->count) {
		const struct type *of = type_strip(type_target(type));

		if (!of || !of->size)
			return false;
		buf_printf(b, "[%llu]", (unsigned long long)(off / of->size));
		return member_path(b, of, off % of->size, depth + 1);
	}
	if (depth == DEPTH || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
		return !off;
	m = type_members(type, &n);
	for (size_t i = 0; i < n; i++) {
		const struct type *of = type_strip(m[i].type);
		const uint64_t at = m[i].bit_off / 8;

		if (!of || off < at || off - at >= of->size)
			continue;
		if (m[i].name && *m[i].name)
			buf_printf(b, "%s%s", b->n ? "." : "", m[i].name);
		return member_path(b, of, off - at, depth + 1);
	}
	return false;
}

/* ---- objects that are known by what they lead to */

static const char *of_inode(struct wait_graph *g, const char *member, uint64_t inode)
{
	struct vfs_inode i;
	const struct superblock *sb;
	const char *path = NULL;
	struct err ignored;
	uint64_t addr;

	if (!field_u64(g->t, "struct inode", inode, "i_sb", &addr, &ignored) ||
	    !(sb = wait_super(g, addr)))
		return NULL;
	if (!inode_read(g->t, inode, &i, &ignored))
		return arena_printf(g->t->scratch, "%s of an inode of %s", member,
				    wait_super_text(g, sb));
	if (inode_path(g->t, &i, sb->mount, g->t->scratch, &path, &ignored) && path)
		return arena_printf(g->t->scratch, "%s of %s on %s %s", member, path, sb->type,
				    sb->id);
	return arena_printf(g->t->scratch, "%s of inode %llu of %s", member,
			    (unsigned long long)i.number, wait_super_text(g, sb));
}

/* The inode that the address is in, if its superblock is one. */
static const char *in_inode(struct wait_graph *g, uint64_t addr)
{
	static const char *const members[] = { "i_rwsem", "i_data.invalidate_lock",
					       "i_data.i_mmap_rwsem", "i_state" };
	const char *name = NULL;
	struct err ignored;
	uint64_t off;

	for (size_t i = 0; !name && i < ARRAY_SIZE(members); i++)
		if (field_offset(g->t, "struct inode", members[i], &off, &ignored))
			name = of_inode(g, members[i], addr - off);
	/* 0fe340a98b58 (v6.12): who waits for a bit of i_state waits for the byte of its number */
	for (uint64_t bit = 1; !name && bit < 3; bit++)
		if (field_offset(g->t, "struct inode", "i_state", &off, &ignored))
			name = of_inode(g, "i_state", addr - bit - off);
	return name;
}

static const char *in_super(struct wait_graph *g, uint64_t addr)
{
	static const char *const members[] = { "s_umount", "s_flags", "s_vfs_rename_mutex",
					       "s_sync_lock", "s_writers.frozen" };
	const struct superblock *sb;
	struct err ignored;
	uint64_t off;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (field_offset(g->t, "struct super_block", members[i], &off, &ignored) &&
		    (sb = wait_super(g, addr - off)))
			return arena_printf(g->t->scratch, "%s of %s", members[i],
					    wait_super_text(g, sb));
	return wait_freeze_name(g, addr);
}

/* The disk whose whole is a block device that leads back to it: 22ae8ce8b892 (v5.13) gave it the
 * mutex that it is opened under. */
static const char *in_disk(struct wait_graph *g, uint64_t addr)
{
	uint64_t off, name, part, back;
	struct err ignored;
	const char *text;

	if (!field_offset(g->t, "struct gendisk", "open_mutex", &off, &ignored) ||
	    !field_offset(g->t, "struct gendisk", "disk_name", &name, &ignored) ||
	    !field_u64(g->t, "struct gendisk", addr - off, "part0", &part, &ignored) || !part ||
	    !field_u64(g->t, "struct block_device", part, "bd_disk", &back, &ignored) ||
	    back != addr - off ||
	    !mem_str(g->t, back + name, NAME_BYTES, g->t->scratch, &text, &ignored))
		return NULL;
	return arena_printf(g->t->scratch, "open_mutex of disk %s", text);
}

/* The mmap_lock of the task itself is known without more; of another process by all tasks. */
static const char *in_mm(const struct wait_stack *s, uint64_t addr)
{
	const struct task *task;
	struct err ignored;
	uint64_t off;

	/* da1c55f1b272 (v5.8) */
	if (!field_offset(s->g->t, "struct mm_struct", "mmap_lock", &off, &ignored))
		return NULL;
	task = s->task->mm && s->task->mm + off == addr ? s->task : owner_of(s->g, addr - off);
	return task ? arena_printf(s->g->t->scratch, "mmap_lock of process %d", task->tgid) : NULL;
}

/* ---- objects of the slab allocator */

/* Caches of which each object is one struct. */
static const struct wait_cache {
	const char *cache, *type;
} caches[] = {
	{ "task_struct", "struct task_struct" },
	{ "mm_struct", "struct mm_struct" },
	{ "signal_cache", "struct signal_struct" },
	{ "sighand_cache", "struct sighand_struct" },
	{ "files_cache", "struct files_struct" },
	{ "dentry", "struct dentry" },
	{ "filp", "struct file" },
	{ "inode_cache", "struct inode" },
};

/* What such an object is: " of process 1"; "": nothing more is known. */
static const char *owner_text(struct wait_graph *g, const char *type, uint64_t object)
{
	const struct task *task =
		strcmp(type, "struct task_struct") ? owner_of(g, object) : wait_task(g, object);
	struct vfs_dentry d;
	const char *path;
	struct err ignored;

	if (task)
		return arena_printf(g->t->scratch, " of %s %d",
				    strcmp(type, "struct task_struct") ? "process" : "task",
				    task->pid);
	if (!strcmp(type, "struct dentry") &&
	    dentry_read(g->t, object, g->t->scratch, &d, &ignored))
		return arena_printf(g->t->scratch, " of '%s'", d.name);
	if (!strcmp(type, "struct file") &&
	    vfs_file_path(g->t, object, g->t->scratch, &path, &ignored))
		return arena_printf(g->t->scratch, " of %s", path);
	return "";
}

/* The member of the struct that fills an object. */
static const char *in_struct(struct wait_graph *g, const char *name, uint64_t object, uint64_t off)
{
	const struct type *type;
	const char *ret = NULL;
	struct err ignored;
	struct buf b = { 0 };

	if (type_find(g->t, name, &type, &ignored) && off < type->size &&
	    member_path(&b, type, off, 0) && b.n)
		ret = arena_printf(g->t->scratch, "%s%s", buf_text(&b),
				   owner_text(g, name, object));
	buf_release(&b);
	return ret;
}

/* A file system's own part of an inode: "ext4_inode_cache" has objects of struct ext4_inode_info.
 */
static const char *in_inode_info(struct wait_graph *g, const char *cache, uint64_t object,
				 uint64_t off)
{
	const size_t n = strlen(cache), tail = strlen(INODE_CACHE);
	const struct type *type;
	struct member_ref inode;
	const char *ret = NULL;
	struct buf b = { 0 };
	struct err ignored;

	if (n <= tail || strcmp(cache + n - tail, INODE_CACHE) ||
	    !type_find(g->t,
		       arena_printf(g->t->scratch, "struct %.*sinode_info", (int)(n - tail), cache),
		       &type, &ignored) ||
	    !type_member(type, "vfs_inode", &inode, &ignored))
		return NULL;
	if (off < type->size && member_path(&b, type, off, 0) && b.n)
		ret = of_inode(g, buf_text(&b), object + inode.offset);
	if (ret)
		ret = arena_strdup(g->t->scratch, ret);
	buf_release(&b);
	return ret;
}

static const char *in_slab(struct wait_graph *g, uint64_t addr)
{
	const char *cache, *name = NULL;
	struct err ignored;
	uint64_t off;

	if (!slab_place_of(g->t, addr, &cache, &off, &ignored))
		return NULL;
	for (size_t i = 0; !name && i < ARRAY_SIZE(caches); i++)
		if (!strcmp(cache, caches[i].cache))
			name = in_struct(g, caches[i].type, addr - off, off);
	if (!name)
		name = in_inode_info(g, cache, addr - off, off);
	if (name)
		return name;
	return off ? arena_printf(g->t->scratch, "in an object of %s, +0x%llx", cache,
				  (unsigned long long)off)
		   : arena_printf(g->t->scratch, "an object of %s", cache);
}

/* Is the object what its type says, and nothing that lies in another one? Caches of one size are
 * merged, and bear the name of but one of them. */
static bool is_itself(const struct wait_object *o)
{
	static const char *const types[] = {
		"transaction",   "transaction_updates",  "journal",      "buffer_head", "folio",
		"request_queue", "request_queue_frozen", "fuse_request", "threads",     "core_dump",
		"rpc_task"
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(o->type, types[i]))
			return true;
	return false;
}

const char *wait_name(const struct wait_stack *s, const struct wait_object *o)
{
	struct wait_graph *g = s->g;
	const struct task *who;
	const char *name;

	if (o->space || is_itself(o) || !g->t->arch->is_kernel_va(o->addr))
		return NULL;
	name = symbol_text(g->t, o->addr, g->t->scratch);
	if (*name)
		return name;
	if ((who = wait_stack_owner(g, o->addr)))
		return arena_printf(g->t->scratch, "on the stack of %d", who->pid);
	if (!(name = wait_file_lock_name(g, o)) && !(name = in_mm(s, o->addr)) &&
	    !(name = in_super(g, o->addr)) && !(name = in_inode(g, o->addr)) &&
	    !(name = in_disk(g, o->addr)))
		name = in_slab(g, o->addr);
	return name;
}
