/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writers that wait for page faults in an area of a process to end. Up to v6.14 an area has an
 * rw_semaphore for that; later readers are counted, and the mm_struct names the
 * writer. */
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define EXCLUDES_READERS 0x40000000u /* bit of vm_area_struct.vm_refcnt: a writer is there */

static bool vma_refs(struct target *t, uint64_t vma, uint32_t *ret)
{
	struct err ignored;
	uint64_t refs;

	if (!field_u64(t, "struct vm_area_struct", vma, "vm_refcnt.refs.counter", &refs, &ignored))
		return false;
	*ret = (uint32_t)refs;
	return true;
}

bool wait_is_area_lock(const struct wait_stack *s, uint64_t lock)
{
	struct target *t = s->g->t;
	uint64_t mm, own, off;
	struct err ignored;

	if (!s->task || !s->task->mm ||
	    !field_offset(t, "struct vm_area_struct", "vm_lock", &off, &ignored))
		return false;
	for (size_t i = 0; i < s->near; i++)
		if (t->arch->is_kernel_va(s->words[i]) &&
		    mem_ptr(t, s->words[i] + off, &own, &ignored) && own == lock &&
		    field_u64(t, "struct vm_area_struct", s->words[i], "vm_mm", &mm, &ignored) &&
		    mm == s->task->mm)
			return true;
	return false;
}

/* Is there an area of the process at this address whose readers a writer waits for? */
static bool is_awaited(const struct wait_stack *s, uint64_t addr)
{
	struct target *t = s->g->t;
	struct err ignored;
	uint32_t refs;
	uint64_t mm;

	return addr && !(addr & (t->arch->word - 1)) && t->arch->is_kernel_va(addr) &&
	       field_u64(t, "struct vm_area_struct", addr, "vm_mm", &mm, &ignored) &&
	       mm == s->task->mm && vma_refs(t, addr, &refs) && (refs & EXCLUDES_READERS);
}

static bool vma_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t writer;

	if (!s->task->mm ||
	    !field_u64(s->g->t, "struct mm_struct", s->task->mm, "vma_writer_wait.task", &writer,
		       &ignored) ||
	    writer != s->task->addr)
		return false;
	ret->object.type = "vma";
	ret->edge.mode = "write";
	ret->edge.by = WAIT_BY_BLOCKED_ON;
	for (size_t i = 0; !ret->object.addr && i < s->near; i++)
		if (is_awaited(s, s->words[i]))
			ret->object.addr = s->words[i];
	return true;
}

/* An area that is in use has a count of one, each reader one more. */
static void vma_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t start, end;
	struct err ignored;
	uint32_t refs;

	if (!field_u64(s->g->t, "struct vm_area_struct", o->addr, "vm_start", &start, &ignored) ||
	    !field_u64(s->g->t, "struct vm_area_struct", o->addr, "vm_end", &end, &ignored) ||
	    !vma_refs(s->g->t, o->addr, &refs) || (refs & ~EXCLUDES_READERS) < 1) {
		o->state = "it cannot be read";
		return;
	}
	o->state = arena_printf(s->g->t->scratch,
				"0x%llx-0x%llx of process %d, read by %u, whom nothing names",
				(unsigned long long)start, (unsigned long long)end, s->task->tgid,
				(refs & ~EXCLUDES_READERS) - 1);
}

static const char *const vma_functions[] = { "__vma_start_exclude_readers", "__vma_enter_locked",
					     "__vma_start_write", "vma_mark_detached", NULL };
const struct wait_kind wait_vma = { vma_functions, vma_find, vma_describe };
