/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs, their masks, and where each one's copy of a per-CPU variable lies. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/task/percpu.h"
#include "core/linux/task/cpu.h"
#include "core/linux/module/module.h"
#include "core/linux/linux.h"

#define MASK_WORDS (CPUS_MAX / 64)

struct cpu_mask {
	bool tried, ok;
	struct err err;
	uint64_t bits[MASK_WORDS];
};

#define SHARED UINT64_MAX /* two CPUs have the same offset: of one of them at least it is wrong */

struct percpu_state {
	bool counted; /* or it was tried: count_err then says why it is not known */
	unsigned count;
	struct err count_err;
	struct cpu_mask online, possible, present, booted;
	bool offsets_tried;
	uint64_t offsets; /* address of __per_cpu_offset[]; 0: a kernel for one CPU has none */
	struct map offset;
	struct map owner; /* of each offset that was set up the CPU, or SHARED */
	bool section_tried;
	struct percpu_section section;
};

static struct percpu_state *state_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_PERCPU];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct percpu_state);
	return *cell;
}

void linux_percpu_release(struct target *t)
{
	struct percpu_state *st = t->linux_state->of[LINUX_PERCPU];

	if (!st)
		return;
	map_release(&st->offset);
	map_release(&st->owner);
}

bool cpus_count(struct target *t, unsigned *ret, struct err *err)
{
	struct percpu_state *st = state_of(t);

	if (!st->counted) {
		st->counted = true;
		st->count_err.code = ERR_OK;
		if (!cpus_weigh(t, &st->count, &st->count_err)) {
			err_wrap(&st->count_err, "number of CPUs");
			st->counted = st->count_err.code != ERR_INTR;
			st->count = 0;
		}
	}
	*ret = st->count;
	if (!st->count)
		*err = st->count_err;
	return st->count != 0;
}

/* Longs of four bytes lie as one of eight does, where memory is little-endian. */
static bool mask_read(struct target *t, uint64_t addr, uint64_t *bits, unsigned n, struct err *err)
{
	if (!mem_read(t, addr, bits, n * 8, err))
		return false;
	for (unsigned i = 0; i < n; i++)
		bits[i] = target_u64(t, &bits[i]);
	return true;
}

/* Where a mask cannot be read every CPU that can be counts, so that nothing is lost. */
static bool mask_has(struct target *t, struct cpu_mask *m, const char *symbol, unsigned cpu)
{
	struct err ignored;
	unsigned n;
	uint64_t addr;

	if (!m->tried) {
		m->tried = true;
		if (!symbol_addr(t, symbol, &addr))
			err_set(&m->err, ERR_NOSYM, "no symbol '%s'", symbol);
		else if (cpus_count(t, &n, &m->err))
			m->ok = mask_read(t, addr, m->bits, (n + 63) / 64, &m->err);
	}
	if (!cpus_count(t, &n, &ignored) || cpu >= n)
		return false;
	return !m->ok || m->bits[cpu / 64] >> cpu % 64 & 1;
}

bool cpu_is_online(struct target *t, unsigned cpu)
{
	return mask_has(t, &state_of(t)->online, "__cpu_online_mask", cpu);
}

bool cpus_online(struct target *t, unsigned *ret, struct err *err)
{
	struct cpu_mask *m = &state_of(t)->online;
	unsigned n, cpu;

	if (!cpus_count(t, &n, err))
		return false;
	for (*ret = 0, cpu = 0; cpu < n; cpu++)
		*ret += cpu_is_online(t, cpu);
	if (m->ok)
		return true;
	*err = m->err;
	return err_wrap(err, "CPUs that are online");
}

bool cpu_is_possible(struct target *t, unsigned cpu)
{
	return mask_has(t, &state_of(t)->possible, "__cpu_possible_mask", cpu);
}

/* A panic takes the CPUs that it stops offline, so the online mask does not tell who was at work.
 */
bool cpu_mask_text(struct target *t, uint64_t addr, struct arena *a, const char **ret,
		   struct err *err)
{
	uint64_t bits[CPUS_MAX / 64];
	struct buf b = { 0 };
	unsigned n, cpu = 0, end;

	if (!cpus_count(t, &n, err) || !mask_read(t, addr, bits, (n + 63) / 64, err))
		return false;
	for (; cpu < n; cpu = end + 1) {
		for (end = cpu;
		     end < n && bits[end / 64] >> end % 64 & 1 && cpu_is_possible(t, end);)
			end++;
		if (end == cpu)
			continue;
		buf_printf(&b, "%s%u", b.n ? "," : "", cpu);
		if (end - 1 > cpu)
			buf_printf(&b, "-%u", end - 1);
	}
	*ret = arena_strndup(a, buf_text(&b), b.n);
	buf_release(&b);
	return true;
}

bool cpu_has_run(struct target *t, unsigned cpu)
{
	struct percpu_state *st = state_of(t);

	return mask_has(t, &st->present, "__cpu_present_mask", cpu) &&
	       mask_has(t, &st->booted, "cpus_booted_once_mask", cpu);
}

/* Each of the n CPUs has memory of its own. Before it is set up all have 0 or, on x86, the section
 * that theirs are copied from. */
static void offsets_compare(struct target *t, struct percpu_state *st, unsigned n)
{
	uint64_t template = 0, off;
	struct err ignored;

	if (!symbol_addr(t, "__per_cpu_load", &template))
		template = 0;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		bool isnew;
		uint64_t *cell;

		if (!cpu_is_possible(t, cpu) ||
		    !mem_ptr(t, st->offsets + (uint64_t)cpu * t->arch->word, &off, &ignored) ||
		    !off || off == template)
			continue;
		cell = map_put(&st->owner, off, &isnew);
		*cell = isnew ? cpu : SHARED;
	}
}

static bool is_shared(const struct percpu_state *st, uint64_t off)
{
	const uint64_t *owner = map_get(&st->owner, off);

	return owner && *owner == SHARED;
}

bool percpu_offset(struct target *t, unsigned cpu, uint64_t *ret, struct err *err)
{
	struct percpu_state *st = state_of(t);
	uint64_t *hit = map_get(&st->offset, cpu), off = 0;
	unsigned n;

	if (hit) {
		*ret = *hit;
		return true;
	}
	if (!cpus_count(t, &n, err))
		return false;
	if (cpu >= n)
		return err_set(err, ERR_NOTFOUND, "no CPU %u: the kernel knows 0 to %u", cpu,
			       n - 1);
	if (!st->offsets_tried) {
		st->offsets_tried = true;
		if (!symbol_addr(t, "__per_cpu_offset", &st->offsets))
			st->offsets = 0;
		if (st->offsets)
			offsets_compare(t, st, n);
	}
	if (!st->offsets && n > 1)
		return err_set(err, ERR_NOSYM,
			       "per-CPU data of CPU %u: no symbol '__per_cpu_offset'", cpu);
	if (st->offsets && !mem_ptr(t, st->offsets + (uint64_t)cpu * t->arch->word, &off, err))
		return err_wrap(err, "per-CPU data of CPU %u", cpu);
	if (is_shared(st, off))
		return err_set_addr(
			err, ERR_CORRUPT, st->offsets + (uint64_t)cpu * t->arch->word,
			"per-CPU data of CPU %u: another CPU has the same, at offset 0x%llx", cpu,
			(unsigned long long)off);
	*map_put(&st->offset, cpu, NULL) = off;
	*ret = off;
	return true;
}

/*
 * The sum is right whether the section was linked at zero (x86_64 until 9d7de2aa8b41, v6.15) or
 * among the kernel's other data: the offsets were made against the same numbers as the symbols.
 */
bool percpu_addr(struct target *t, const char *symbol, unsigned cpu, uint64_t *ret, struct err *err)
{
	struct symbol sym;
	uint64_t off;

	if (!symbol_addr(t, symbol, &sym.addr) && !symbol_find(t, symbol, &sym, err))
		return false;
	if (!percpu_offset(t, cpu, &off, err))
		return false;
	*ret = percpu_sum(t, sym.addr, off);
	return true;
}

/* What every kernel defines so, for where nothing says where the section is. */
static bool always_percpu(const char *name)
{
	return !strcmp(name, "runqueues") || !strcmp(name, "cpu_number");
}

const struct percpu_section *percpu_section(struct target *t)
{
	struct percpu_state *st = state_of(t);
	struct percpu_section *s = &st->section;
	struct err ignored;
	uint64_t at;
	uint32_t unit;

	if (!st->section_tried) {
		st->section_tried = true;
		if (!symbol_addr(t, "__per_cpu_start", &s->start) ||
		    !symbol_addr(t, "__per_cpu_end", &s->end))
			s->start = s->end = 0;
		if (symbol_addr(t, "pcpu_unit_size", &at) && mem_u32(t, at, &unit, &ignored))
			s->unit = unit;
	}
	return s;
}

bool percpu_is(struct target *t, const struct symbol *sym)
{
	const struct percpu_section *s = percpu_section(t);
	uint64_t lo, hi;

	if (sym->module)
		return module_percpu(t, sym->module, &lo, &hi) && sym->addr >= lo && sym->addr < hi;
	return (sym->addr >= s->start && sym->addr < s->end) ||
	       (!s->end && always_percpu(sym->name));
}
