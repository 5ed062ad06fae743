/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interrupts. Descriptors are in a radix tree, since 721255b9826b (v6.5) in a maple tree, and
 * without CONFIG_SPARSE_IRQ in an array. */
#include "core/linux/misc/irq.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/types/value.h"

#include "core/base/guard.h"
#include "core/linux/container/walk.h"

#define NAME_BYTES 128

enum {
	DESC_NR,
	DESC_HWIRQ,
	DESC_CHIP,
	DESC_STATS,
	DESC_ACTION,
	DESC_FLOW,
	DESC_AFFINITY
};
static const struct shape_field desc_fields[] = {
	[DESC_NR] = FIELD("irq_data.irq"),
	[DESC_HWIRQ] = FIELD("irq_data.hwirq"),
	[DESC_CHIP] = FIELD("irq_data.chip"),
	[DESC_STATS] = FIELD("kstat_irqs"),
	[DESC_ACTION] = FIELD("action"),
	[DESC_FLOW] = FIELD("name"),
	[DESC_AFFINITY] = FIELD_MAYBE("irq_common_data.affinity"),
};
static const struct shape desc_shape = SHAPE("struct irq_desc", desc_fields);

enum {
	ACTION_HANDLER,
	ACTION_NEXT,
	ACTION_NAME,
	ACTION_THREAD
};
static const struct shape_field action_fields[] = {
	[ACTION_HANDLER] = FIELD("handler"),
	[ACTION_NEXT] = FIELD("next"),
	[ACTION_NAME] = FIELD("name"),
	[ACTION_THREAD] = FIELD("thread"),
};
static const struct shape action_shape = SHAPE("struct irqaction", action_fields);

struct irq_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct irq *irq, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	unsigned cpus;
};

static void irq_tell(const struct irq_walk *is, const struct err *e)
{
	if (is->flaw)
		is->flaw(e, is->arg);
}

static bool actions_read(const struct irq_walk *is, uint64_t at, struct irq *irq, struct err *err)
{
	struct irq_action *all = ARENA_ARRAY(is->a, struct irq_action, IRQ_ACTIONS_MAX);
	struct guard g;

	guard_init(&g, "actions", IRQ_ACTIONS_MAX);
	irq->actions = all;
	while (at) {
		struct irq_action *act = &all[irq->n_actions];
		struct shaped s;
		uint64_t name;

		if (!guard_step(&g, at, err) || !shape_read(is->t, &action_shape, at, &s, err))
			return false;
		act->addr = at;
		if (!shaped_u64(&s, ACTION_HANDLER, &act->handler, err) ||
		    !shaped_u64(&s, ACTION_NAME, &name, err) ||
		    (name && !mem_str(is->t, name, NAME_BYTES, is->a, &act->name, err)))
			return false;
		act->thread = shaped_u64_or(&s, ACTION_THREAD, 0);
		irq->n_actions++;
		if (!shaped_u64(&s, ACTION_NEXT, &at, err))
			return false;
	}
	return true;
}

/* A per-CPU counter, or the struct irqstat that it starts (86d2a2f51fba, v6.11). */
static bool counts_read(const struct irq_walk *is, uint64_t stats, struct irq *irq, struct err *err)
{
	uint64_t *counts = ARENA_ARRAY(is->a, uint64_t, is->cpus), off;
	uint32_t n;

	irq->counts = counts;
	irq->cpus = is->cpus;
	for (unsigned cpu = 0; stats && cpu < is->cpus; cpu++) {
		if (!cpu_is_possible(is->t, cpu))
			continue;
		if (!percpu_offset(is->t, cpu, &off, err) ||
		    !mem_u32(is->t, percpu_sum(is->t, stats, off), &n, err))
			return false;
		counts[cpu] = n;
		irq->total += n;
	}
	return true;
}

/* A descriptor that says another number than the one it was found by is none, or another's: an
 * index that was overwritten can lead to one any number of times. */
static bool irq_read(const struct irq_walk *is, uint64_t nr, uint64_t addr, struct irq *irq,
		     struct err *err)
{
	uint64_t chip, stats, action, flow;
	struct shaped s;
	struct value v;

	*irq = (struct irq){ .desc = addr };
	if (!shape_read(is->t, &desc_shape, addr, &s, err) ||
	    !shaped_u64(&s, DESC_NR, &irq->nr, err))
		return false;
	if (irq->nr != nr)
		return err_set_addr(err, ERR_CORRUPT, addr, "it says that it is number %llu",
				    (unsigned long long)irq->nr);
	if (!shaped_u64(&s, DESC_HWIRQ, &irq->hwirq, err) ||
	    !shaped_u64(&s, DESC_CHIP, &chip, err) || !shaped_u64(&s, DESC_STATS, &stats, err) ||
	    !shaped_u64(&s, DESC_ACTION, &action, err) || !shaped_u64(&s, DESC_FLOW, &flow, err))
		return false;
	if (chip && !irq_chip_name(is->t, addr, chip, is->a, &irq->chip, err))
		return false;
	/* the mask itself, or where it is (CONFIG_CPUMASK_OFFSTACK) */
	if (shaped_has(&s, DESC_AFFINITY) && shaped_value(&s, DESC_AFFINITY, &v, err)) {
		if (type_strip(v.type)->kind == TYPE_POINTER)
			irq->affinity = shaped_u64_or(&s, DESC_AFFINITY, 0);
		else
			irq->affinity = v.addr;
	}
	return (!flow || mem_str(is->t, flow, NAME_BYTES, is->a, &irq->flow, err)) &&
	       actions_read(is, action, irq, err) && counts_read(is, stats, irq, err);
}

static bool irq_give(const struct irq_walk *is, uint64_t nr, uint64_t addr)
{
	struct irq irq;
	struct err why;

	if (irq_read(is, nr, addr, &irq, &why))
		return is->fn(&irq, is->arg);
	err_wrap(&why, "interrupt %llu, irq_desc 0x%llx", (unsigned long long)nr,
		 (unsigned long long)addr);
	irq_tell(is, &why);
	return why.code != ERR_INTR;
}

static bool irq_entry(const struct walk_entry *e, void *arg)
{
	return (e->entry & 1) || irq_give(arg, e->first, e->entry);
}

static void irq_flaw(const struct err *e, void *arg)
{
	irq_tell(arg, e);
}

bool irq_each(struct target *t, struct arena *a, bool (*fn)(const struct irq *irq, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct irq_walk is = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	struct walk_plan w = {
		.what = "interrupts", .entry = irq_entry, .flaw = flaw ? irq_flaw : NULL, .arg = &is
	};
	const struct type *type;
	struct symbol array;

	if (!cpus_count(t, &is.cpus, err))
		return false;
	if (symbol_addr(t, "sparse_irqs", &w.head))
		return maple_walk(t, &w, err);
	if (symbol_addr(t, "irq_desc_tree", &w.head))
		return xarray_walk(t, &w, err);
	if (!symbol_find(t, "irq_desc", &array, err))
		return err_wrap(err, "neither 'sparse_irqs' nor 'irq_desc_tree'");
	if (!type_find(t, "struct irq_desc", &type, err))
		return false;
	for (uint64_t i = 0; type->size && i < array.size / type->size; i++)
		if (!interrupt_check(err))
			return false;
		else if (!irq_give(&is, i, array.addr + i * type->size))
			break;
	return true;
}
