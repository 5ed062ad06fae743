/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pointers lead to per-CPU memory. One is the address in a CPU's copy less that CPU's offset:
 * a number near the section of per-CPU variables, or in no range of addresses at all. */
#include "core/linux/linux.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/vmalloc.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/percpu.h"

#define ERRNO_MAX 4095               /* ERR_PTR() makes pointers of -1 to this */
#define SMALL_MAX 4095               /* ZERO_SIZE_PTR and the like */
#define UNIT_MAX ((uint64_t)1 << 24) /* no kernel's unit is as large */

static bool something_at(struct target *t, uint64_t addr)
{
	struct err why;
	uint8_t byte;

	return t->arch->is_kernel_va(addr) &&
	       (mem_read(t, addr, &byte, 1, &why) ||
		(why.code != ERR_UNMAPPED && why.code != ERR_BADADDR));
}

static bool is_linear(struct target *t, uint64_t addr)
{
	struct err ignored;
	uint64_t pa, delta;

	return linear_delta(t, &delta, &ignored) && mem_virt_to_phys(t, addr, &pa, &ignored) &&
	       percpu_sum(t, pa, delta) == addr;
}

static enum percpu_answer memory_at(struct target *t, uint64_t addr)
{
	return something_at(t, addr) ? PERCPU_YES : PERCPU_NO;
}

/* Is addr in a chunk of the allocator other than its first? Those are areas that one function
 * makes (mm/vmalloc.c), and nobody else calls it. */
static enum percpu_answer chunk_at(struct target *t, uint64_t addr)
{
	const struct vmalloc_area *a;
	struct err why, lost;
	uint64_t maker;
	size_t n;

	if (!something_at(t, addr))
		return PERCPU_NO;
	if (!vmalloc_areas(t, &a, &n, &lost, &why))
		return is_linear(t, addr) ? PERCPU_NO : PERCPU_MAYBE;
	if (!vmalloc_at(t, addr, &a))
		return lost.code == ERR_OK || is_linear(t, addr) ? PERCPU_NO : PERCPU_MAYBE;
	if (!a->caller || !symbol_addr(t, "pcpu_get_vm_areas", &maker))
		return PERCPU_MAYBE;
	return a->caller == maker ? PERCPU_YES : PERCPU_NO;
}

/* The least that is true of addr with the offset of each CPU that has run. */
static enum percpu_answer of_each_cpu(struct target *t, uint64_t addr,
				      enum percpu_answer (*at)(struct target *t, uint64_t addr))
{
	enum percpu_answer ret = PERCPU_YES, one;
	struct err ignored;
	unsigned n = 0;
	uint64_t off;
	bool some = false;

	(void)!cpus_count(t, &n, &ignored);
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_has_run(t, cpu))
			continue;
		if (!percpu_offset(t, cpu, &off, &ignored))
			return PERCPU_NO;
		one = at(t, percpu_sum(t, addr, off));
		if (one == PERCPU_NO)
			return PERCPU_NO;
		ret = one < ret ? one : ret;
		some = true;
	}
	return some ? ret : PERCPU_NO;
}

/* Behind the section lies, in the same unit, what was allocated first. Where the section is linked
 * among the kernel's data, these have the same addresses; some machines map nothing there any more
 * once the section was copied. */
static enum percpu_answer first_chunk(struct target *t, uint64_t addr)
{
	const struct percpu_section *s = percpu_section(t);
	bool kernel = t->arch->is_kernel_va(addr), known = s->end && s->unit, may;

	if (s->end ? addr - s->start >= (s->unit ? s->unit : UNIT_MAX)
		   : addr >= UNIT_MAX && !kernel)
		return PERCPU_NO;
	may = of_each_cpu(t, addr, memory_at) == PERCPU_YES;
	if (something_at(t, addr))
		return known || may ? PERCPU_MAYBE : PERCPU_NO;
	if (!may)
		return PERCPU_NO;
	return known || (s->end && kernel) ? PERCPU_YES : PERCPU_MAYBE;
}

enum percpu_answer percpu_pointer(struct target *t, uint64_t addr)
{
	const struct percpu_section *s = percpu_section(t);
	enum percpu_answer ret;

	if (addr <= SMALL_MAX || percpu_sum(t, addr, ERRNO_MAX) < ERRNO_MAX)
		return PERCPU_NO;
	if (addr >= s->start && addr < s->end)
		return PERCPU_YES;
	ret = first_chunk(t, addr);
	if (ret != PERCPU_NO)
		return ret;
	ret = of_each_cpu(t, addr, chunk_at);
	/* with 32 bits the difference of two addresses may be a third one */
	return ret == PERCPU_YES && something_at(t, addr) ? PERCPU_MAYBE : ret;
}
