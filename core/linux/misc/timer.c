/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers: the wheels of each CPU (500462a9de65, v4.8), and its hrtimers. */
#include <stdlib.h>

#include "core/base/vec.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/linux/misc/irq.h"
#include "core/linux/container/walk.h"

#define BASES_MAX 8
#define VECTORS_MAX 4096

struct timer_gather {
	struct target *t;
	struct arena *a;
	VEC(struct ktimer) found;
	unsigned cpu;
	const char *base;
	uint64_t expires, function; /* offsets */
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

static void tell(const struct err *e, void *arg)
{
	const struct timer_gather *g = arg;

	if (g->flaw)
		g->flaw(e, g->arg);
}

/* jiffies of a wheel are words: 32 bits on 32-bit machines. */
static bool found(struct timer_gather *g, uint64_t addr, bool word)
{
	struct ktimer k = { .cpu = g->cpu, .base = g->base, .addr = addr };
	struct err err;

	if ((word ? mem_ptr(g->t, addr + g->expires, &k.expires, &err)
		  : mem_u64(g->t, addr + g->expires, &k.expires, &err)) &&
	    mem_ptr(g->t, addr + g->function, &k.function, &err)) {
		*vec_push(&g->found) = k;
		return true;
	}
	err_wrap(&err, "timer 0x%llx", (unsigned long long)addr);
	tell(&err, g);
	return true;
}

static bool hrtimer_found(uint64_t addr, void *arg)
{
	return found(arg, addr, false);
}

static bool wheel_timer_found(uint64_t addr, void *arg)
{
	return found(arg, addr, true);
}

static int by_expiry(const void *a, const void *b)
{
	const struct ktimer *x = a, *y = b;

	if (x->expires != y->expires)
		return x->expires < y->expires ? -1 : 1;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Those found since `first`, by expiry. */
static void sort_from(struct timer_gather *g, size_t first)
{
	if (g->found.n > first)
		qsort(g->found.p + first, g->found.n - first, sizeof(*g->found.p), by_expiry);
}

static void hand_over(struct timer_gather *g, const struct ktimer **ret, size_t *n)
{
	struct ktimer *all = ARENA_ARRAY(g->a, struct ktimer, g->found.n + 1);

	for (size_t i = 0; i < g->found.n; i++)
		all[i] = g->found.p[i];
	*ret = all;
	*n = g->found.n;
	vec_release(&g->found);
}

bool timers_of(struct target *t, unsigned cpu, struct arena *a, const struct ktimer **ret,
	       size_t *n, void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	static const char *const two[] = { "STD", "DEF" };
	static const char *const three[] = { "LOCAL", "GLOBAL", "DEF" };
	struct timer_gather g = { .t = t, .a = a, .cpu = cpu, .flaw = flaw, .arg = arg };
	struct walk_plan w = {
		.what = "timers", .node = wheel_timer_found, .flaw = flaw ? tell : NULL, .arg = &g
	};
	const struct type *base;
	struct member_ref vectors;
	uint64_t start, bases;
	struct symbol sym;

	if (!symbol_find(t, "timer_bases", &sym, err) ||
	    !percpu_addr(t, "timer_bases", cpu, &start, err) ||
	    !type_find(t, "struct timer_base", &base, err) ||
	    !type_member(base, "vectors", &vectors, err) ||
	    !field_offset(t, "struct timer_list", "entry", &w.link, err) ||
	    !field_offset(t, "struct timer_list", "expires", &g.expires, err) ||
	    !field_offset(t, "struct timer_list", "function", &g.function, err))
		return false;
	w.count = type_strip(vectors.type)->count;
	/* one base, two where idle CPUs keep deferrable timers, three with a timer migration
	 * hierarchy (83a665dc99a7, v6.9) */
	bases = sym.size / base->size;
	if (!bases || bases > BASES_MAX || !w.count || w.count > VECTORS_MAX)
		return err_set(err, ERR_UNSUPPORTED, "timer wheels of %llu bases are not known",
			       (unsigned long long)bases);
	for (uint64_t i = 0; i < bases; i++) {
		size_t first = g.found.n;

		g.base = bases == 3 ? three[i] : i < 2 ? two[i] : "DEF";
		w.head = start + i * base->size + vectors.offset;
		if (!hash_walk(t, &w, err)) {
			err_wrap(err, "CPU %u", cpu);
			if (err->code == ERR_INTR || !flaw) {
				vec_release(&g.found);
				return false;
			}
			tell(err, &g);
		}
		sort_from(&g, first);
	}
	hand_over(&g, ret, n);
	return true;
}

/* enum hrtimer_base_type, 98ecadd4305d (v4.16). */
static const char *clock_name(uint64_t index, uint64_t n)
{
	static const char *const names[] = { "MONOTONIC",     "REALTIME",       "BOOTTIME",
					     "TAI",           "MONOTONIC_SOFT", "REALTIME_SOFT",
					     "BOOTTIME_SOFT", "TAI_SOFT" };

	return n == 8 && index < 8 ? names[index] : index < 4 ? names[index] : "?";
}

bool hrtimers_of(struct target *t, unsigned cpu, struct arena *a, const struct ktimer **ret,
		 size_t *n, void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err)
{
	struct timer_gather g = { .t = t, .a = a, .cpu = cpu, .flaw = flaw, .arg = arg };
	struct walk_plan w = {
		.what = "hrtimers", .node = hrtimer_found, .flaw = flaw ? tell : NULL, .arg = &g
	};
	const struct type *cpu_base, *clock;
	struct member_ref clocks;
	uint64_t start, active, bases;

	if (!percpu_addr(t, "hrtimer_bases", cpu, &start, err) ||
	    !type_find(t, "struct hrtimer_cpu_base", &cpu_base, err) ||
	    !type_find(t, "struct hrtimer_clock_base", &clock, err) ||
	    !type_member(cpu_base, "clock_base", &clocks, err) ||
	    !field_offset(t, "struct hrtimer_clock_base", "active", &active, err) ||
	    !field_offset(t, "struct hrtimer", "node.node", &w.link, err) ||
	    !field_offset(t, "struct hrtimer", "node.expires", &g.expires, err) ||
	    !field_offset(t, "struct hrtimer", "function", &g.function, err))
		return false;
	bases = type_strip(clocks.type)->count;
	if (!bases || bases > BASES_MAX)
		return err_set(err, ERR_UNSUPPORTED, "%llu clocks are not known",
			       (unsigned long long)bases);
	for (uint64_t i = 0; i < bases; i++) {
		struct err why;

		g.base = clock_name(i, bases);
		/* a timerqueue_head starts with its root */
		w.head = start + clocks.offset + i * clock->size + active;
		if (rbtree_walk(t, &w, &why))
			continue;
		err_wrap(&why, "CPU %u", cpu);
		if (why.code == ERR_INTR || !flaw) {
			*err = why;
			vec_release(&g.found);
			return false;
		}
		tell(&why, &g);
	}
	hand_over(&g, ret, n);
	return true;
}

bool jiffies_now(struct target *t, uint64_t *ret, struct err *err)
{
	struct symbol sym;

	if (!symbol_find(t, "jiffies_64", &sym, err) && !symbol_find(t, "jiffies", &sym, err))
		return false;
	return mem_u64(t, sym.addr, ret, err);
}

bool jiffy_length(struct target *t, uint64_t *ret, struct err *err)
{
	uint64_t at, mult, shift;

	if (!symbol_addr(t, "clocksource_jiffies", &at))
		return err_set(err, ERR_NOSYM, "no symbol 'clocksource_jiffies'");
	if (!field_u64(t, "struct clocksource", at, "mult", &mult, err) ||
	    !field_u64(t, "struct clocksource", at, "shift", &shift, err))
		return err_wrap(err, "clocksource_jiffies");
	/* between 24 and 1024 jiffies a second, and room beside */
	if (shift > 31 || mult >> shift < 500000 || mult >> shift > 50000000)
		return err_set_addr(err, ERR_CORRUPT, at,
				    "clocksource_jiffies: no jiffy has %llu >> %llu nanoseconds",
				    (unsigned long long)mult, (unsigned long long)shift);
	*ret = mult >> shift;
	return true;
}

bool jiffies_since(struct target *t, uint64_t then, uint64_t *ret, struct err *err)
{
	uint64_t now, length, past;

	if (!jiffies_now(t, &now, err) || !jiffy_length(t, &length, err))
		return false;
	past = t->arch->word == 8 ? now - then : (uint32_t)now - (uint32_t)then;
	if (t->arch->word == 8 ? (int64_t)past < 0 : (int32_t)past < 0)
		past = 0;
	if (past > UINT64_MAX / length)
		return err_set(err, ERR_CORRUPT, "%llu jiffies are no time that passed",
			       (unsigned long long)past);
	*ret = past * length;
	return true;
}
