/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many CPUs the kernel could have: its own word, held against what else tells of them. */
#include <stdio.h>

#include "core/base/buf.h"
#include "core/base/number.h"
#include "core/linux/task/cpu.h"
#include "core/linux/log/printk.h"
#include "core/linux/task/percpu.h"

enum {
	OWN,
	POSSIBLE,
	LOG,
	OFFSETS,
	NOTES, /* of registers: the last, for a dumper may see CPUs that the kernel was told not to
		*/
	WITNESSES
};
static const char *const witnesses[] = { "nr_cpu_ids", "__cpu_possible_mask", "the log",
					 "__per_cpu_offset", "notes of registers" };

/* What each says; 0: nothing. */
struct hearing {
	struct target *t;
	unsigned said[WITNESSES];
	struct err err; /* the first reason why one says nothing; code ERR_OK: none */
};

static void hear(struct hearing *h, unsigned who, uint64_t n, uint64_t addr)
{
	if (n && n <= CPUS_MAX)
		h->said[who] = (unsigned)n;
	else if (h->err.code == ERR_OK)
		err_set_addr(&h->err, ERR_CORRUPT, addr, "%s is %llu, expected 1 to %u",
			     witnesses[who], (unsigned long long)n, CPUS_MAX);
}

/* A variable unless the kernel was built for exactly NR_CPUS (6f9c07be9d02, v6.1). */
static void hear_own(struct hearing *h, uint64_t addr)
{
	struct err err;
	uint32_t n;

	if (mem_u32(h->t, addr, &n, &err))
		hear(h, OWN, n, addr);
	else
		h->err = err;
}

/* nr_cpu_ids is the number of the last possible CPU, and one more; setup_nr_cpu_ids(). */
static void hear_mask(struct hearing *h)
{
	uint8_t bits[CPUS_MAX / 8];
	size_t word = h->t->arch->word, n, last = 0;
	struct symbol sym;
	struct err err;

	if (!symbol_find(h->t, witnesses[POSSIBLE], &sym, &err))
		return;
	n = sym.size < sizeof(bits) ? sym.size / word * word : sizeof(bits);
	if (!n)
		n = word;
	if (!mem_read(h->t, sym.addr, bits, n, &err)) {
		if (h->err.code == ERR_OK)
			h->err = err;
		return;
	}
	for (size_t i = 0; i < n * 8; i++)
		if (target_uint(h->t, bits + i / 8 / word * word, word) >> i % (8 * word) & 1)
			last = i + 1;
	hear(h, POSSIBLE, last, sym.addr);
}

/* "setup_percpu: NR_CPUS:8192 nr_cpumask_bits:2 nr_cpu_ids:2 nr_node_ids:1", "rcu: RCU restricting
 * CPUs from NR_CPUS=256 to nr_cpu_ids=2.", and of every machine "SLUB: HWalign=64, Order=0-3,
 * MinObjects=0, CPUs=2, Nodes=1". */
static bool hear_message(const struct log_message *m, void *arg)
{
	static const char *const keys[] = { "nr_cpu_ids:", "nr_cpu_ids=", ", CPUs=" };
	struct hearing *h = arg;

	for (size_t i = 0; i < ARRAY_SIZE(keys) && !m->facility; i++) {
		const char *p = memmem(m->text, m->n, keys[i], strlen(keys[i]));
		const char *end = m->text + m->n;
		uint64_t n = 0;

		if (!p)
			continue;
		p += strlen(keys[i]);
		if (number_take(&p, end, 10, &n) && n && n <= CPUS_MAX)
			h->said[LOG] = (unsigned)n;
		return !h->said[LOG];
	}
	return true;
}

/*
 * Only possible CPUs get an offset. Behind theirs the array holds what it was compiled with:
 * zeroes, or on x86 until v6.15 the address of the template, again and again.
 */
static void hear_offsets(struct hearing *h, const struct symbol *sym)
{
	struct target *t = h->t;
	unsigned word = t->arch->word, n;
	uint64_t before = 0, off, template = 0, start = 0;
	struct err err;

	if (!symbol_addr(t, "__per_cpu_load", &template))
		template = 0;
	if (!symbol_addr(t, "__per_cpu_start", &start))
		start = 0;
	for (n = 0; n < CPUS_MAX && (!sym->size || n < sym->size / word); n++) {
		if (!mem_ptr(t, sym->addr + (uint64_t)n * word, &off, &err) || !off ||
		    off == template || !t->arch->is_kernel_va(percpu_sum(t, start, off)))
			break;
		if (n && off == before) {
			n--;
			break;
		}
		before = off;
	}
	h->said[OFFSETS] = n;
}

static unsigned votes(const struct hearing *h, unsigned n)
{
	unsigned ret = 0;

	for (unsigned i = 0; i < WITNESSES; i++)
		ret += n && h->said[i] == n;
	return ret;
}

/* The number that most witnesses know of, the kernel's own word first. 0: nobody knows any. */
static unsigned judge(const struct hearing *h)
{
	unsigned best = 0;

	for (unsigned i = 0; i < WITNESSES; i++)
		if (votes(h, h->said[i]) > votes(h, best))
			best = h->said[i];
	return best;
}

/* Says which of them were not believed. Offsets and notes may end early, or go on: they
 * contradict nobody. */
static void contradictions_tell(const struct hearing *h, unsigned n)
{
	struct buf b = { 0 };

	for (unsigned i = 0; i < WITNESSES; i++)
		if (i < OFFSETS && h->said[i] && h->said[i] != n)
			buf_printf(&b, "%s%s says %u", b.n ? ", " : "", witnesses[i], h->said[i]);
	if (!b.n && !h->said[OWN] && h->err.code != ERR_OK)
		buf_str(&b, h->err.msg);
	if (b.n)
		target_warn(h->t, ERR_CORRUPT, "%u CPUs are taken as true, but %s", n,
			    buf_text(&b));
	buf_release(&b);
}

bool cpus_weigh(struct target *t, unsigned *ret, struct err *err)
{
	struct hearing h = { .t = t };
	struct symbol offsets;
	uint64_t own, mask;
	bool has_own = symbol_addr(t, witnesses[OWN], &own);
	bool has_offsets = symbol_find(t, witnesses[OFFSETS], &offsets, err);

	if (!has_own && !has_offsets && !symbol_addr(t, witnesses[POSSIBLE], &mask)) {
		/* a kernel for one CPU has none of them; a table of functions alone, or one with
		 * holes, does not tell */
		if (symbols_complete(t) && symbol_addr(t, "init_task", &own)) {
			*ret = 1;
			return true;
		}
		return err_set(err, ERR_NOSYM,
			       "variables are not among the symbols: give the vmlinux");
	}
	if (has_own)
		hear_own(&h, own);
	hear_mask(&h);
	if (!h.said[OWN] || h.said[OWN] != h.said[POSSIBLE]) {
		if (!log_each(t, hear_message, NULL, &h, err) && err->code == ERR_INTR)
			return false;
		if (has_offsets)
			hear_offsets(&h, &offsets);
		if (t->cpus.n)
			hear(&h, NOTES, t->cpus.n, 0);
	}
	*ret = judge(&h);
	if (*ret) {
		contradictions_tell(&h, *ret);
		return true;
	}
	if (h.err.code != ERR_OK)
		*err = h.err;
	else
		err_set(err, ERR_CORRUPT, "no %s, and nothing else that tells it", witnesses[OWN]);
	return false;
}
