/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The areas of a task's memory: a maple tree since 763ecb035029 (v6.1), a list before. */
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/container/walk.h"

#define VM_READ 1u /* include/linux/mm.h */
#define VM_WRITE 2u
#define VM_EXEC 4u
#define VM_MAYSHARE 0x80u
#define PAGE_BYTES 4096u

enum {
	VMA_START,
	VMA_END,
	VMA_FLAGS,
	VMA_FILE,
	VMA_PGOFF,
	VMA_OPS,
	VMA_PRIVATE,
	VMA_NEXT
};
static const struct shape_field vma_fields[] = {
	[VMA_START] = FIELD("vm_start"),          [VMA_END] = FIELD("vm_end"),
	[VMA_FLAGS] = FIELD("vm_flags"),          [VMA_FILE] = FIELD("vm_file"),
	[VMA_PGOFF] = FIELD("vm_pgoff"),          [VMA_OPS] = FIELD("vm_ops"),
	[VMA_PRIVATE] = FIELD("vm_private_data"), [VMA_NEXT] = FIELD_MAYBE("vm_next"),
};
static const struct shape vma_shape = SHAPE("struct vm_area_struct", vma_fields);

struct vmas {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct vma *v, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	uint64_t brk_start, brk, stack, special;
};

static void vma_tell(const struct vmas *vs, const struct err *e)
{
	if (vs->flaw)
		vs->flaw(e, vs->arg);
}

/* What has no file: what the kernel put there, the heap, the stack. */
static const char *area_name(const struct vmas *vs, const struct vma *v, uint64_t ops,
			     uint64_t data)
{
	const char *text;
	struct err err;
	uint64_t name;

	if (ops && ops == vs->special &&
	    field_u64(vs->t, "struct vm_special_mapping", data, "name", &name, &err) &&
	    mem_str(vs->t, name, 255, vs->a, &text, &err))
		return text;
	if (v->start < vs->brk && v->end > vs->brk_start)
		return "[heap]";
	if (v->start <= vs->stack && v->end >= vs->stack)
		return "[stack]";
	return NULL;
}

static bool vma_read(const struct vmas *vs, uint64_t addr, struct vma *ret, uint64_t *next,
		     struct err *err)
{
	uint64_t ops, data, pgoff;
	struct shaped s;
	struct err why;

	*ret = (struct vma){ .addr = addr };
	if (!shape_read(vs->t, &vma_shape, addr, &s, err) ||
	    !shaped_u64(&s, VMA_START, &ret->start, err) ||
	    !shaped_u64(&s, VMA_END, &ret->end, err) ||
	    !shaped_u64(&s, VMA_FLAGS, &ret->flags, err) ||
	    !shaped_u64(&s, VMA_FILE, &ret->file, err) || !shaped_u64(&s, VMA_PGOFF, &pgoff, err) ||
	    !shaped_u64(&s, VMA_OPS, &ops, err) || !shaped_u64(&s, VMA_PRIVATE, &data, err))
		return err_wrap(err, "area 0x%llx", (unsigned long long)addr);
	*next = shaped_u64_or(&s, VMA_NEXT, 0);
	ret->offset = ret->file ? pgoff * PAGE_BYTES : 0;
	ret->perms[0] = ret->flags & VM_READ ? 'r' : '-';
	ret->perms[1] = ret->flags & VM_WRITE ? 'w' : '-';
	ret->perms[2] = ret->flags & VM_EXEC ? 'x' : '-';
	ret->perms[3] = ret->flags & VM_MAYSHARE ? 's' : 'p';
	if (!ret->file)
		ret->name = area_name(vs, ret, ops, data);
	else if (!vfs_file_path(vs->t, ret->file, vs->a, &ret->name, &why))
		vma_tell(vs, &why);
	return true;
}

static bool vma_give(struct vmas *vs, uint64_t addr, uint64_t *next)
{
	struct err why;
	struct vma v;

	if (vma_read(vs, addr, &v, next, &why))
		return vs->fn(&v, vs->arg);
	*next = 0;
	vma_tell(vs, &why);
	return why.code != ERR_INTR;
}

static bool vma_entry(const struct walk_entry *e, void *arg)
{
	uint64_t next;

	return (e->entry & 1) || vma_give(arg, e->entry, &next);
}

static void vma_flaw(const struct err *e, void *arg)
{
	vma_tell(arg, e);
}

/* Before the maple tree. */
static bool vma_list(struct vmas *vs, uint64_t mm, struct err *err)
{
	struct guard g;
	uint64_t at, off;

	guard_init(&g, "areas", 0);
	if (!field_u64(vs->t, "struct mm_struct", mm, "mmap", &at, err) ||
	    !shape_offset(vs->t, &vma_shape, VMA_NEXT, &off, err))
		return false;
	while (at)
		if (!guard_step(&g, at, err))
			return false;
		else if (!vma_give(vs, at, &at))
			break;
	return true;
}

bool vma_each(struct target *t, uint64_t mm, struct arena *a,
	      bool (*fn)(const struct vma *v, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct vmas vs = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct walk_plan w = {
		.what = "areas", .entry = vma_entry, .flaw = flaw ? vma_flaw : NULL, .arg = &vs
	};
	struct err why;
	uint64_t off;

	if (!mm)
		return err_set(err, ERR_NOTFOUND, "a kernel thread has no memory of its own");
	if (!field_u64(t, "struct mm_struct", mm, "start_brk", &vs.brk_start, err) ||
	    !field_u64(t, "struct mm_struct", mm, "brk", &vs.brk, err) ||
	    !field_u64(t, "struct mm_struct", mm, "start_stack", &vs.stack, err))
		return err_wrap(err, "mm 0x%llx", (unsigned long long)mm);
	if (!symbol_addr(t, "special_mapping_vmops", &vs.special))
		vs.special = 0;
	if (!field_offset(t, "struct mm_struct", "mm_mt", &off, &why))
		return vma_list(&vs, mm, err);
	w.head = mm + off;
	return maple_walk(t, &w, err);
}
