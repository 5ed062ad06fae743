/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a task, through its own page tables. */
#include "core/linux/memory/entry.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

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
	if (t->arch->task_tables)
		t->arch->task_tables(&ret->mmu);
	/* a task may have fewer levels now than it could get */
	if (ret->mmu.va_bits && ret->mmu.va_bits < 64 && ret->end >> ret->mmu.va_bits)
		ret->end = UINT64_C(1) << ret->mmu.va_bits;
	return true;
}

/* A page that is kept from its program, for PROT_NONE or to see who uses it (NUMA balancing), has
 * its data. */
static bool user_map_barred(struct user_space *u, struct mapping *map, const struct err *why)
{
	struct user_page p = { .size = map->size };

	if (why->code != ERR_UNMAPPED || !map->size)
		return false;
	entry_hidden(u->t, &u->mmu, map->entry, &p);
	map->pa = p.pa;
	return p.state == USER_BARRED;
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
	if (!u->t->arch->walk(&u->mmu, va, ret, err) && !user_map_barred(u, ret, err)) {
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

/* ---- pages */

static bool pages_step(struct user_space *u, uint64_t va, uint64_t end, struct user_page *p,
		       struct err *err)
{
	struct mapping map = { 0 };

	if (u->t->arch->walk(&u->mmu, va, &map, err)) {
		p->state = USER_MAPPED;
		p->entry = map.entry;
		p->pa = map.pa + (va - map.va);
	} else if (err->code == ERR_UNMAPPED && map.size) {
		p->size = map.size;
		entry_hidden(u->t, &u->mmu, map.entry, p);
		p->pa += p->state == USER_BARRED ? va - map.va : 0;
	} else if (err_is_absent(err->code) && map.size) {
		p->state = USER_LOST;
		p->why = *err;
	} else {
		return false;
	}
	p->va = va;
	p->size = map.size - (va - map.va);
	if (p->size > end - va)
		p->size = end - va;
	return true;
}

bool user_pages(struct user_space *u, uint64_t start, uint64_t end,
		bool (*fn)(const struct user_page *p, void *arg), void *arg, struct err *err)
{
	struct user_page run = { .size = 0 };
	uint64_t va = start, steps = 0;

	if (end > u->end)
		end = u->end;
	while (va < end) {
		struct user_page p = { 0 };

		if (steps++ >= USER_PAGES_MAX)
			return err_set_addr(err, ERR_LIMIT, va, "more than %llu pages",
					    (unsigned long long)USER_PAGES_MAX);
		if (!interrupt_check(err) || !pages_step(u, va, end, &p, err))
			return false;
		va += p.size;
		/* nothing behind nothing is one run, and so is what one lost table was of */
		if (run.size && p.state == run.state && p.why.code == run.why.code) {
			run.size += p.size;
			continue;
		}
		if (run.size && !fn(&run, arg))
			return true;
		run.size = 0;
		if (p.state == USER_NONE || p.state == USER_LOST)
			run = p;
		else if (!fn(&p, arg))
			return true;
	}
	if (run.size)
		(void)fn(&run, arg); /* nothing is left to be stopped */
	return true;
}

struct user_seek {
	uint64_t va;
	struct vma *ret;
	bool found;
};

static bool area_seek(const struct vma *v, void *arg)
{
	struct user_seek *s = arg;

	s->found = s->va >= v->start && s->va < v->end;
	if (s->found)
		*s->ret = *v;
	return !s->found && v->start <= s->va;
}

bool user_area(struct user_space *u, uint64_t va, struct arena *a, struct vma *ret)
{
	struct user_seek s = { .va = va, .ret = ret };
	struct err ignored;

	return vma_each(u->t, u->mm, a, area_seek, NULL, &s, &ignored) && s.found;
}
