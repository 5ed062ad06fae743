/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception index tables: found in vmlinux or in the dump's memory, searched, and carried out. */
#include "core/unwind/exidx.h"
#include "core/unwind/unwind.h"

#define ENTRY 8u
#define ENTRIES_MAX (UINT64_C(1) << 22)
#define CANTUNWIND 1u
#define STEPS_MAX 4096u

enum {
	SP = 13,
	LR,
	PC
};

/* ---- finding the entry */

/* A table, whose bytes are at hand (a mapped section) or in the target's memory. */
struct exidx_table {
	struct span bytes; /* n 0: in memory */
	uint64_t va, count;
};

static bool word_at(struct target *t, const struct exidx_table *tab, uint64_t va, uint32_t *ret,
		    struct err *err)
{
	if (tab->bytes.n) {
		*ret = load_le32(tab->bytes.p + (va - tab->va));
		return true;
	}
	return mem_u32(t, va, ret, err) || err_wrap(err, "exception index");
}

/* A distance of 31 bits from where it lies. */
static uint64_t prel31(uint64_t va, uint32_t word)
{
	uint32_t off = word & 0x7fffffff;

	if (off & 0x40000000)
		off |= 0x80000000;
	return (uint32_t)(va + off);
}

static bool entry_func(struct target *t, const struct exidx_table *tab, uint64_t i, uint64_t *ret,
		       struct err *err)
{
	uint64_t va = tab->va + i * ENTRY;
	uint32_t word;

	if (!word_at(t, tab, va, &word, err))
		return false;
	*ret = prel31(va, word);
	return true;
}

static bool kernel_table(struct target *t, struct exidx_table *ret, struct err *err)
{
	uint64_t stop;

	*ret = (struct exidx_table){ 0 };
	if (t->vmlinux.file &&
	    (t->vmlinux.section(t->vmlinux.self, ".ARM.unwind_idx", &ret->bytes, &ret->va) ||
	     t->vmlinux.section(t->vmlinux.self, ".ARM.exidx", &ret->bytes, &ret->va))) {
		ret->count = ret->bytes.n / ENTRY;
		return ret->count || err_set(err, ERR_NOTFOUND, "the exception index is empty");
	}
	if (!symbol_addr(t, "__start_unwind_idx", &ret->va) ||
	    !symbol_addr(t, "__stop_unwind_idx", &stop) || stop <= ret->va)
		return err_set(err, ERR_NOTFOUND, "the kernel has no exception index");
	ret->count = (stop - ret->va) / ENTRY;
	return true;
}

/* The last entry that begins at or before pc. */
static bool table_search(struct target *t, const struct exidx_table *tab, uint64_t pc, uint64_t *at,
			 uint64_t *func, struct err *err)
{
	uint64_t lo = 0, hi = tab->count, start;

	if (!tab->count || tab->count > ENTRIES_MAX)
		return err_set_addr(err, ERR_CORRUPT, tab->va, "exception index of %llu entries",
				    (unsigned long long)tab->count);
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (!entry_func(t, tab, mid, &start, err))
			return false;
		if (start <= pc)
			lo = mid;
		else
			hi = mid;
	}
	if (!entry_func(t, tab, lo, &start, err))
		return false;
	if (start > pc)
		return err_set_addr(err, ERR_NOTFOUND, pc, "no exception index entry for %#lx",
				    (unsigned long)pc);
	*at = tab->va + lo * ENTRY;
	*func = start;
	return true;
}

/* ---- its instructions */

static void code_add(struct exidx *x, uint32_t word, unsigned bytes)
{
	while (bytes-- && x->n < sizeof(x->code))
		x->code[x->n++] = (uint8_t)(word >> 8 * bytes);
}

/* An extab word: from the vmlinux where that has it, as from memory. */
static bool extab_word(struct target *t, uint64_t va, uint32_t *ret, struct err *err)
{
	struct span s;
	uint64_t at;

	if (t->vmlinux.file &&
	    (t->vmlinux.section(t->vmlinux.self, ".ARM.unwind_tab", &s, &at) ||
	     t->vmlinux.section(t->vmlinux.self, ".ARM.extab", &s, &at)) &&
	    va >= at && va - at < s.n && s.n - (va - at) >= 4) {
		*ret = load_le32(s.p + (va - at));
		return true;
	}
	return mem_u32(t, va, ret, err) || err_wrap(err, "exception table");
}

/* Compact models 0 to 2 are the ones compilers use for C. */
static bool read_extab(struct target *t, uint64_t va, struct exidx *x, struct err *err)
{
	uint32_t word, model;

	if (!extab_word(t, va, &word, err))
		return false;
	model = word >> 24;
	if (model == 0x80) {
		code_add(x, word, 3);
		return true;
	}
	if (model != 0x81 && model != 0x82)
		return err_set_addr(err, ERR_UNSUPPORTED, va,
				    "the exception table has a personality of its own: %#x", word);
	code_add(x, word, 2);
	for (unsigned i = 1, n = word >> 16 & 255; i <= n; i++) {
		if (!extab_word(t, va + 4 * (uint64_t)i, &word, err))
			return false;
		code_add(x, word, 4);
	}
	return true;
}

static bool find_in(struct target *t, const struct exidx_table *tab, uint64_t pc, struct exidx *ret,
		    struct err *err)
{
	uint64_t at = 0;
	uint32_t word;

	if (!table_search(t, tab, pc, &at, &ret->func, err) || !word_at(t, tab, at + 4, &word, err))
		return false;
	ret->n = 0;
	ret->cantunwind = word == CANTUNWIND;
	if (ret->cantunwind)
		return true;
	if (!(word >> 31))
		return read_extab(t, prel31(at + 4, word), ret, err);
	if (word >> 24 != 0x80)
		return err_set_addr(err, ERR_CORRUPT, at, "exception index entry of model %#x",
				    word >> 24);
	code_add(ret, word, 3);
	return true;
}

bool exidx_find(struct target *t, uint64_t pc, struct exidx *ret, struct err *err)
{
	const struct unwind_hooks *h = t->unwind_hooks;
	struct exidx_table tab = { 0 };
	uint64_t start, stop;

	if (h && h->module_exidx && h->module_exidx(t, pc, &start, &stop)) {
		tab.va = start;
		tab.count = stop > start ? (stop - start) / ENTRY : 0;
	} else if (!kernel_table(t, &tab, err)) {
		return false;
	}
	return find_in(t, &tab, pc, ret, err);
}

/* ---- carrying them out */

struct exidx_run {
	struct span code;
	size_t at;
	struct exidx_frame *f;
	uint32_t vsp;
	bool (*read)(void *self, uint64_t va, uint32_t *ret, struct err *err);
	void *self;
	struct err *err;
};

/* Behind the end all is "finish". */
static uint8_t next(struct exidx_run *r)
{
	return r->at < r->code.n ? r->code.p[r->at++] : 0xb0;
}

/* Registers lie in order of their numbers; sp, when it is among them, counts from then on. */
static bool pop(struct exidx_run *r, uint32_t mask)
{
	struct exidx_frame *f = r->f;
	uint32_t word;

	for (unsigned i = 0; i < 16; i++) {
		if (!(mask >> i & 1))
			continue;
		if (!r->read(r->self, r->vsp, &word, r->err))
			return err_wrap(r->err, "saved r%u", i);
		if (i == LR || i == PC)
			f->slot = r->vsp;
		f->r[i] = word;
		f->known |= 1u << i;
		f->popped |= 1u << i;
		r->vsp += 4;
	}
	if (mask >> SP & 1) {
		r->vsp = f->r[SP];
		f->moved = true;
	}
	return true;
}

static bool spare(struct exidx_run *r, unsigned op)
{
	return err_set(r->err, ERR_CORRUPT, "the exception table holds the spare instruction %#x",
		       op);
}

static bool take_sp(struct exidx_run *r, unsigned reg)
{
	if (reg == SP || reg == PC)
		return spare(r, 0x90 | reg);
	if (!(r->f->known >> reg & 1))
		return err_set(r->err, ERR_NEED, "the stack pointer is in r%u, which is not known",
			       reg);
	r->vsp = r->f->r[reg];
	r->f->moved = true;
	return true;
}

static bool add_uleb(struct exidx_run *r)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 32; shift += 7) {
		uint8_t byte = next(r);

		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			r->vsp += (uint32_t)(0x204 + (n << 2));
			return true;
		}
	}
	return err_set(r->err, ERR_CORRUPT, "the exception table moves the stack too far");
}

/* 0xb0 to 0xbf, without "finish". */
static bool run_b(struct exidx_run *r, unsigned op)
{
	unsigned mask;

	if (op == 0xb1) {
		mask = next(r);
		return mask && mask < 16 ? pop(r, mask) : spare(r, op << 8 | mask);
	}
	if (op == 0xb2)
		return add_uleb(r);
	if (op == 0xb3) /* floating-point registers: sssscccc, and a word of format */
		r->vsp += ((next(r) & 15u) + 1) * 8 + 4;
	else if (op >= 0xb8)
		r->vsp += ((op & 7) + 1) * 8 + 4;
	else
		return spare(r, op);
	return true;
}

/* 0xc0 to 0xff: coprocessors' registers, which only move the stack pointer. */
static bool run_c(struct exidx_run *r, unsigned op)
{
	if (op == 0xc6 || op == 0xc8 || op == 0xc9)
		r->vsp += ((next(r) & 15u) + 1) * 8;
	else if (op == 0xc7)
		r->vsp += (uint32_t)__builtin_popcount(next(r) & 15u) * 4;
	else if (op < 0xc6 || (op >= 0xd0 && op <= 0xd7))
		r->vsp += ((op & 7) + 1) * 8;
	else
		return spare(r, op);
	return true;
}

static bool run_one(struct exidx_run *r, unsigned op)
{
	if (op < 0x40) {
		r->vsp += ((op & 63) << 2) + 4;
		return true;
	}
	if (op < 0x80) {
		r->vsp -= ((op & 63) << 2) + 4;
		return true;
	}
	if (op < 0x90) {
		unsigned mask = (op & 15) << 8 | next(r);

		return mask ? pop(r, mask << 4)
			    : err_set(r->err, ERR_NOTFOUND,
				      "the exception table refuses to unwind");
	}
	if (op < 0xa0)
		return take_sp(r, op & 15);
	if (op < 0xb0) /* r4 to r4+n, and perhaps lr */
		return pop(r, ((2u << (op & 7)) - 1) << 4 | (op & 8 ? 1u << LR : 0));
	return op < 0xc0 ? run_b(r, op) : run_c(r, op);
}

bool exidx_run(struct span code, struct exidx_frame *f,
	       bool (*read)(void *self, uint64_t va, uint32_t *ret, struct err *err), void *self,
	       struct err *err)
{
	struct exidx_run r = {
		.code = code, .f = f, .vsp = f->r[SP], .read = read, .self = self, .err = err
	};

	f->popped = 0;
	f->slot = 0;
	f->moved = false;
	for (unsigned i = 0;; i++) {
		unsigned op = next(&r);

		if (op == 0xb0)
			break;
		if (i == STEPS_MAX)
			return err_set(err, ERR_CORRUPT, "the exception table does not end");
		if (!run_one(&r, op))
			return false;
	}
	f->r[SP] = r.vsp;
	if (!(f->popped >> PC & 1)) {
		if (!(f->known >> LR & 1))
			return err_set(err, ERR_CORRUPT,
				       "the function kept no return address, and lr is not known");
		f->r[PC] = f->r[LR];
	}
	f->known |= 1u << PC;
	return true;
}
