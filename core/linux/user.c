/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a task, through its own page tables. */
#include "core/linux/user.h"

#include "core/base/guard.h"

bool user_space_init(struct user_space *ret, struct target *t, const struct task *task,
		     struct err *err)
{
	uint64_t pgd;

	*ret = (struct user_space){ .t = t, .mm = task->mm };
	if (!task->mm)
		return err_set(err, ERR_NOTFOUND,
			       "task %d has no memory of its own: it is a kernel thread, or dead",
			       task->pid);
	if (!field_u64(t, "struct mm_struct", task->mm, "pgd", &pgd, err) ||
	    !mem_virt_to_phys(t, pgd, &ret->mmu.root, err))
		return err_wrap(err, "page table of task %d", task->pid);
	/* on 32-bit ARM only the kernel's configuration says where its addresses begin */
	if (!field_u64(t, "struct mm_struct", task->mm, "task_size", &ret->end, err))
		return err_wrap(err, "memory of task %d", task->pid);
	pgd = ret->mmu.root;
	ret->mmu = t->memory.mmu; /* was made ready by the translation */
	ret->mmu.root = pgd;
	ret->mmu.low = true;
	return true;
}

bool user_map(struct user_space *u, uint64_t va, struct mapping *ret, struct err *err)
{
	if (u->last.size && va - u->last.va < u->last.size) {
		*ret = u->last;
		return true;
	}
	if (va >= u->end)
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is the kernel's, no task's",
				    (unsigned long long)va);
	if (!u->t->arch->walk(&u->mmu, va, ret, err)) {
		err->addr = va;
		return false;
	}
	u->last = *ret;
	return true;
}

bool user_read(struct user_space *u, uint64_t va, void *buf, size_t n, struct err *err)
{
	uint8_t *out = buf;

	while (n) {
		struct mapping map;
		uint64_t left;
		size_t part;

		if (!user_map(u, va, &map, err))
			return false;
		left = map.size - (va - map.va);
		part = n < left ? n : (size_t)left;
		if (!mem_read_phys(u->t, map.pa + (va - map.va), out, part, err)) {
			/* the physical address that failed, back to the task's */
			err->addr = map.va + (err->addr - map.pa);
			return err_wrap(err, "0x%llx", (unsigned long long)err->addr);
		}
		out += part;
		va += part;
		n -= part;
	}
	return true;
}

bool user_pages(struct user_space *u, uint64_t start, uint64_t end,
		bool (*fn)(uint64_t va, uint64_t n, const struct mapping *map, void *arg),
		void *arg, struct err *err)
{
	uint64_t page = u->t->page_size, hole = start, steps = 0;

	for (uint64_t va = start; va < end; va += page) {
		struct mapping map;
		struct err why;

		if (steps++ >= USER_PAGES_MAX)
			return err_set_addr(err, ERR_LIMIT, va, "more than %llu pages",
					    (unsigned long long)USER_PAGES_MAX);
		if (!interrupt_check(err))
			return false;
		if (!user_map(u, va, &map, &why)) {
			if (why.code == ERR_UNMAPPED)
				continue;
			*err = why;
			return false;
		}
		if (hole < va && !fn(hole, (va - hole) / page, NULL, arg))
			return true;
		map.pa += va - map.va;
		map.va = va;
		hole = va + page;
		if (!fn(va, 1, &map, arg))
			return true;
	}
	if (hole < end)
		(void)fn(hole, (end - hole) / page, NULL, arg); /* nothing is left to be stopped */
	return true;
}

struct seek {
	uint64_t va;
	struct vma *ret;
	bool found;
};

static bool area_seek(const struct vma *v, void *arg)
{
	struct seek *s = arg;

	s->found = s->va >= v->start && s->va < v->end;
	if (s->found)
		*s->ret = *v;
	return !s->found && v->start <= s->va;
}

bool user_area(struct user_space *u, uint64_t va, struct arena *a, struct vma *ret)
{
	struct seek s = { .va = va, .ret = ret };
	struct err ignored;

	return vma_each(u->t, u->mm, a, area_seek, NULL, &s, &ignored) && s.found;
}
