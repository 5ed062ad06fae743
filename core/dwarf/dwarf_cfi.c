/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frame information: the tables of .debug_frame and .eh_frame (DWARF 5, 6.4; the latter's
 * differences are in the LSB, "Exception Frames"). libdw 0.188 takes arm64's signing of return
 * addresses (DW_CFA_AARCH64_negate_ra_state) for SPARC's register windows, hence our own. */
#include <limits.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/keyed.h"
#include "core/base/mapping.h"
#include "core/base/vec.h"
#include "core/dwarf/dwarf_cfi.h"

#define ENTRIES_MAX 4000000u
#define REMEMBERED_MAX 16
#define STEPS_MAX 65536u

/* What a function's entry (FDE) covers. */
struct cfi_range {
	uint64_t lo, hi;
};

struct cfi_table {
	struct span section;
	uint64_t addr;
	bool eh, big;
	unsigned word;
	unsigned (*slot)(uint64_t number); /* cfi_open()'s */
	uint64_t *offs;                    /* of the entries in the section, in its order */
	struct keyed places;               /* their numbers, by the first address they cover */
};

#define REG_UNKNOWN UINT_MAX

/* Of the register that DWARF gives a number; CFI_REGS and more: it is not followed. */
static unsigned slot_of(const struct cfi_table *tab, uint64_t number)
{
	if (tab->slot)
		return tab->slot(number);
	return number < CFI_REGS ? (unsigned)number : CFI_REGS;
}

/* A CIE: what its functions have in common. */
struct common {
	uint64_t code_align;
	int64_t data_align;
	unsigned ra;
	uint8_t encoding; /* of addresses, .eh_frame only */
	bool augmented;   /* the entry has augmentation data, with its length in front */
	bool signal;
	struct span initial;
};

/* ---- the section's records */

/* One record: CIE or FDE. */
struct record_at {
	uint64_t off;   /* of the record */
	uint64_t id_at; /* of the field that tells what it is */
	uint64_t id;
	bool is_cie;
	struct cursor c; /* behind that field, ends with the record */
};

/* The record at *off, which moves on. False at the end, too: then err->code is ERR_OK. */
static bool record_next(const struct cfi_table *tab, uint64_t *off, struct record_at *ret,
			struct err *err)
{
	struct cursor c;
	struct span body;
	uint64_t n;
	bool wide;

	err->code = ERR_OK;
	cursor_init(&c, tab->section, "frame table", err);
	c.big = tab->big;
	cursor_seek(&c, *off);
	do { /* a word of zero is an .eh_frame's end, in between where files were joined */
		if (c.failed || !cursor_left(&c))
			return false;
		ret->off = cursor_pos(&c);
		n = cursor_u32(&c);
	} while (!n);
	wide = n == UINT32_MAX;
	if (wide)
		n = cursor_u64(&c);
	if (!cursor_ok(&c))
		return false;
	if (n > cursor_left(&c) || n < (wide && !tab->eh ? 8 : 4))
		return err_set(err, ERR_FORMAT, "frame table: a record of %llu bytes at %#llx",
			       (unsigned long long)n, (unsigned long long)ret->off);
	*off = cursor_pos(&c) + n;
	ret->id_at = cursor_pos(&c);
	ret->id = wide && !tab->eh ? cursor_u64(&c) : cursor_u32(&c);
	ret->is_cie =
		tab->eh ? ret->id == 0 : ret->id == (wide ? UINT64_MAX : UINT64_C(0xffffffff));
	body = SPAN(tab->section.p, *off);
	cursor_init(&ret->c, body, "frame table", err);
	ret->c.big = tab->big;
	cursor_seek(&ret->c, cursor_pos(&c));
	return cursor_ok(&ret->c);
}

/* An address in one of .eh_frame's encodings; only those that compilers use for kernels. */
static uint64_t encoded(const struct cfi_table *tab, struct cursor *c, uint8_t encoding,
			bool relative)
{
	uint64_t at = tab->addr + cursor_pos(c), v;

	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		v = tab->word == 4 ? cursor_u32(c) : cursor_u64(c);
		break;
	case DW_EH_PE_udata4:
		v = cursor_u32(c);
		break;
	case DW_EH_PE_sdata4:
		v = (uint64_t)(int64_t)(int32_t)cursor_u32(c);
		break;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		v = cursor_u64(c);
		break;
	default:
		cursor_stop(c);
		err_set(c->err, ERR_UNSUPPORTED, "frame table: addresses encoded as %#x", encoding);
		return 0;
	}
	return relative && (encoding & 0x70) == DW_EH_PE_pcrel ? v + at : v;
}

/* The letters behind 'z' say what the augmentation data holds. */
static void augmentation(const struct cfi_table *tab, struct cursor *c, const char *letters,
			 struct common *ret)
{
	uint64_t n;
	size_t end;

	if (*letters != 'z') {
		if (*letters) {
			cursor_stop(c);
			err_set(c->err, ERR_UNSUPPORTED, "frame table: augmentation '%.16s'",
				letters);
		}
		return;
	}
	ret->augmented = true;
	n = cursor_uleb(c);
	if (c->failed || n > cursor_left(c)) {
		cursor_skip(c, n);
		return;
	}
	end = cursor_pos(c) + (size_t)n;
	for (letters++; *letters && !c->failed && cursor_pos(c) <= end; letters++) {
		if (*letters == 'R')
			ret->encoding = cursor_u8(c);
		else if (*letters == 'S')
			ret->signal = true;
		else if (*letters == 'L')
			cursor_skip(c, 1);
		else if (*letters == 'P')
			(void)encoded(tab, c, cursor_u8(c), false);
		else if (*letters != 'B') /* signed with the other key */
			break;
	}
	cursor_seek(c, end);
}

static bool common_at(const struct cfi_table *tab, uint64_t off, struct common *ret,
		      struct err *err)
{
	struct record_at r;
	const char *letters;
	uint8_t version;

	if (off >= tab->section.n || !record_next(tab, &off, &r, err) || !r.is_cie)
		return err_set(err, ERR_FORMAT, "frame table: an entry without its common part");
	*ret = (struct common){ .encoding = DW_EH_PE_absptr };
	version = cursor_u8(&r.c);
	letters = cursor_str(&r.c);
	if (version >= 4)
		cursor_skip(&r.c, 2); /* sizes of addresses and segments */
	ret->code_align = cursor_uleb(&r.c);
	ret->data_align = cursor_sleb(&r.c);
	ret->ra = version == 1 ? cursor_u8(&r.c) : (unsigned)cursor_uleb(&r.c);
	augmentation(tab, &r.c, letters, ret);
	if (!cursor_ok(&r.c))
		return false;
	if (version != 1 && version != 3 && version != 4)
		return err_set(err, ERR_UNSUPPORTED, "frame table: version %u", version);
	if (slot_of(tab, ret->ra) >= CFI_REGS)
		return err_set(err, ERR_UNSUPPORTED, "frame table: return address in column %u",
			       ret->ra);
	ret->ra = slot_of(tab, ret->ra);
	ret->initial = cursor_take(&r.c, cursor_left(&r.c));
	return true;
}

/* The record's common part, and then the addresses it covers. */
static bool entry_read(const struct cfi_table *tab, struct record_at *r, struct common *common,
		       struct cfi_range *ret, struct err *err)
{
	uint64_t cie = tab->eh ? r->id_at - r->id : r->id, n;

	if ((tab->eh && r->id > r->id_at) || !common_at(tab, cie, common, err))
		return err_set(err, ERR_FORMAT, "frame table: an entry without its common part");
	ret->lo = encoded(tab, &r->c, common->encoding, true);
	n = encoded(tab, &r->c, common->encoding & 0x0f, false);
	if (common->augmented)
		cursor_skip(&r->c, cursor_uleb(&r->c));
	if (!cursor_ok(&r->c))
		return false;
	ret->hi = ret->lo + n;
	return ret->hi >= ret->lo ||
	       err_set(err, ERR_FORMAT, "frame table: a function of %#llx bytes",
		       (unsigned long long)n);
}

/* ---- which entry is an address's: where each begins is read of all, the rest where somebody asks
 */

/* The record at *off, which moves on, as record_next() reads it but for what is in it: most are
 * only passed. False at the end, too. */
static bool record_pass(const struct cfi_table *tab, uint64_t *off, bool *is_cie, uint64_t *body,
			struct err *err)
{
	const uint8_t *p = tab->section.p;
	uint64_t at = *off, left, n;
	struct record_at r;
	uint32_t id;

	left = at <= tab->section.n ? tab->section.n - at : 0;
	n = left >= 8 ? load_uint(p + at, 4, tab->big) : 0;
	if (n < 4 || n == UINT32_MAX || n > left - 4) { /* the rare ones, and the damaged ones */
		if (!record_next(tab, off, &r, err))
			return false;
		*is_cie = r.is_cie;
		*body = cursor_pos(&r.c);
		return true;
	}
	id = (uint32_t)load_uint(p + at + 4, 4, tab->big);
	*is_cie = id == (tab->eh ? 0 : UINT32_MAX);
	*body = at + 8;
	*off = at + 4 + n;
	return true;
}

/* The first address of an entry, where that is a number without an encoding; others are read as a
 * whole. What has none, or 0, as functions that the linker threw away, covers nothing. */
static bool entry_begins(const struct cfi_table *tab, uint64_t off, uint64_t body, uint64_t end,
			 uint64_t *ret)
{
	struct common common;
	struct cfi_range e;
	struct record_at r;
	struct err ignored;

	if (tab->eh) {
		if (!record_next(tab, &off, &r, &ignored) ||
		    !entry_read(tab, &r, &common, &e, &ignored))
			return false;
		*ret = e.lo;
	} else if (end - body < tab->word) {
		return false;
	} else {
		*ret = load_uint(tab->section.p + body, tab->word, tab->big);
	}
	return *ret != 0;
}

/* Of entry number i, if it covers anything. */
static bool range_at(const struct cfi_table *tab, uint32_t i, struct record_at *r,
		     struct common *common, struct cfi_range *ret, struct err *err)
{
	uint64_t off = tab->offs[i];

	return (record_next(tab, &off, r, err) && entry_read(tab, r, common, ret, err)) ||
	       (err->code == ERR_OK && err_set(err, ERR_FORMAT, "frame table: no entry"));
}

static bool key_at(const void *self, uint32_t i, uint64_t *ret)
{
	struct common common;
	struct cfi_range e;
	struct record_at r;
	struct err ignored;

	if (!range_at(self, i, &r, &common, &e, &ignored) || !e.lo || e.hi <= e.lo)
		return false;
	*ret = e.lo;
	return true;
}

/* Where an entry is, and the first address it covers. */
struct cfi_start {
	uint64_t off, lo;
};
typedef VEC(struct cfi_start) cfi_starts;

static bool starts_find(const struct cfi_table *tab, cfi_starts *ret, struct err *err)
{
	struct cfi_start s;
	uint64_t off = 0, body;
	bool is_cie;

	err->code = ERR_OK;
	while (ret->n < ENTRIES_MAX) {
		s.off = off;
		if (!record_pass(tab, &off, &is_cie, &body, err))
			break;
		if (!is_cie && entry_begins(tab, s.off, body, off, &s.lo))
			*vec_push(ret) = s;
	}
	return err->code == ERR_OK;
}

static void starts_place(struct arena *a, struct cfi_table *tab, const cfi_starts *starts)
{
	uint64_t lo = UINT64_MAX, hi = 0;

	for (size_t i = 0; i < starts->n; i++) {
		tab->offs[i] = starts->p[i].off;
		lo = starts->p[i].lo < lo ? starts->p[i].lo : lo;
		hi = starts->p[i].lo > hi ? starts->p[i].lo : hi;
	}
	tab->places.key = key_at;
	tab->places.self = tab;
	keyed_init(&tab->places, a, starts->n, lo, hi);
	for (size_t i = starts->n; i-- > 0;) /* backwards: equal ones in the section's order */
		(void)keyed_add(&tab->places, (uint32_t)i, starts->p[i].lo);
}

bool cfi_open(struct arena *a, struct span section, uint64_t addr, bool eh, bool big, unsigned word,
	      unsigned (*slot)(uint64_t number), struct cfi_table **ret, struct err *err)
{
	struct cfi_table *tab = ARENA_NEW(a, struct cfi_table);
	cfi_starts starts = { 0 };
	void *offs = NULL;
	bool ok;

	*tab = (struct cfi_table){
		.section = section, .addr = addr, .eh = eh, .big = big, .word = word, .slot = slot
	};
	mapping_fetch(section.p, section.n);
	ok = starts_find(tab, &starts, err) &&
	     arena_bytes(a, starts.n * sizeof(*tab->offs), ENTRIES_MAX * sizeof(*tab->offs), &offs,
			 err);
	tab->offs = offs;
	if (ok && starts.n)
		starts_place(a, tab, &starts);
	vec_release(&starts);
	mapping_give_back(section.p, section.n); /* few of them are looked at again */
	if (ok)
		*ret = tab;
	return ok;
}

/* ---- the instructions */

/* A run through a function's rules up to an address. */
struct program {
	const struct cfi_table *tab;
	const struct common *common;
	struct cfi_rules *rules;
	struct cfi_rule initial[CFI_REGS];
	VEC(struct cfi_rules) saved;
	uint64_t loc, pc;
	bool signs;
	unsigned steps;
};

/* Registers that are not followed are decoded all the same. */
static void set(struct program *p, uint64_t reg, enum cfi_how how, int64_t n)
{
	unsigned slot = slot_of(p->tab, reg);

	if (slot < CFI_REGS)
		p->rules->of[slot] = (struct cfi_rule){ .how = how, .n = n };
}

static void set_block(struct program *p, uint64_t reg, enum cfi_how how, struct span block)
{
	unsigned slot = slot_of(p->tab, reg);

	if (slot < CFI_REGS)
		p->rules->of[slot] = (struct cfi_rule){ .how = how, .block = block };
}

static int64_t scaled(const struct program *p, uint64_t n)
{
	return (int64_t)(n * (uint64_t)p->common->data_align);
}

static void set_cfa(struct program *p, uint64_t reg, int64_t n)
{
	p->rules->cfa = (struct cfi_rule){ .how = CFI_REGISTER, .n = n };
	p->rules->reg = slot_of(p->tab, reg) < CFI_REGS ? (unsigned)reg : REG_UNKNOWN;
}

static bool remember(struct program *p, struct err *err)
{
	if (p->saved.n == REMEMBERED_MAX)
		return err_set(err, ERR_LIMIT, "frame table: more than %d states remembered",
			       REMEMBERED_MAX);
	*(struct cfi_rules *)vec_push(&p->saved) = *p->rules;
	return true;
}

static bool restore_state(struct program *p, struct err *err)
{
	if (!p->saved.n)
		return err_set(err, ERR_FORMAT, "frame table: no state to go back to");
	*p->rules = p->saved.p[--p->saved.n];
	return true;
}

static void restore(struct program *p, uint64_t reg)
{
	unsigned slot = slot_of(p->tab, reg);

	if (slot < CFI_REGS)
		p->rules->of[slot] = p->initial[slot];
}

/* Those that move on in the code. */
static bool advance(struct program *p, struct cursor *c, uint8_t op)
{
	switch (op) {
	case DW_CFA_set_loc:
		p->loc = p->tab->word == 4 ? cursor_u32(c) : cursor_u64(c);
		return true;
	case DW_CFA_advance_loc1:
		p->loc += cursor_u8(c) * p->common->code_align;
		return true;
	case DW_CFA_advance_loc2:
		p->loc += cursor_u16(c) * p->common->code_align;
		return true;
	case DW_CFA_advance_loc4:
		p->loc += cursor_u32(c) * p->common->code_align;
		return true;
	default:
		return false;
	}
}

static bool cfa_op(struct program *p, struct cursor *c, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cursor_uleb(c);
		set_cfa(p, reg, (int64_t)cursor_uleb(c));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cursor_uleb(c);
		set_cfa(p, reg, scaled(p, (uint64_t)cursor_sleb(c)));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa(p, cursor_uleb(c), p->rules->cfa.n);
		return true;
	case DW_CFA_def_cfa_offset:
		p->rules->cfa.n = (int64_t)cursor_uleb(c);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		p->rules->cfa.n = scaled(p, (uint64_t)cursor_sleb(c));
		return true;
	case DW_CFA_def_cfa_expression:
		p->rules->cfa = (struct cfi_rule){ .how = CFI_IS_EXPR,
						   .block = cursor_take(c, cursor_uleb(c)) };
		return true;
	default:
		return false;
	}
}

static bool register_op(struct program *p, struct cursor *c, uint8_t op)
{
	uint64_t reg;

	if (op < DW_CFA_offset_extended || op > DW_CFA_val_expression ||
	    op == DW_CFA_remember_state || op == DW_CFA_restore_state)
		return false;
	reg = cursor_uleb(c);
	switch (op) {
	case DW_CFA_offset_extended:
		set(p, reg, CFI_AT, scaled(p, cursor_uleb(c)));
		return true;
	case DW_CFA_offset_extended_sf:
		set(p, reg, CFI_AT, scaled(p, (uint64_t)cursor_sleb(c)));
		return true;
	case DW_CFA_val_offset:
		set(p, reg, CFI_IS, scaled(p, cursor_uleb(c)));
		return true;
	case DW_CFA_val_offset_sf:
		set(p, reg, CFI_IS, scaled(p, (uint64_t)cursor_sleb(c)));
		return true;
	case DW_CFA_restore_extended:
		restore(p, reg);
		return true;
	case DW_CFA_undefined:
		set(p, reg, CFI_LOST, 0);
		return true;
	case DW_CFA_same_value:
		set(p, reg, CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		set(p, reg, CFI_REGISTER, (int64_t)cursor_uleb(c));
		return true;
	case DW_CFA_expression:
		set_block(p, reg, CFI_AT_EXPR, cursor_take(c, cursor_uleb(c)));
		return true;
	case DW_CFA_val_expression:
		set_block(p, reg, CFI_IS_EXPR, cursor_take(c, cursor_uleb(c)));
		return true;
	default:
		return false;
	}
}

static bool other_op(struct program *p, struct cursor *c, uint8_t op, struct err *err)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_remember_state:
		return remember(p, err);
	case DW_CFA_restore_state:
		return restore_state(p, err);
	case DW_CFA_GNU_args_size:
		(void)cursor_uleb(c);
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		reg = cursor_uleb(c);
		set(p, reg, CFI_AT, -scaled(p, cursor_uleb(c)));
		return true;
	case DW_CFA_GNU_window_save:
		if (p->signs) /* there: the return address is signed from here on, or no more */
			return true;
		break;
	default:
		break;
	}
	return err_set(err, ERR_UNSUPPORTED, "frame table: instruction %#x", op);
}

/* Up to what holds at pc. */
static bool dwarf_cfi_run(struct program *p, struct span code, struct err *err)
{
	struct cursor c;

	cursor_init(&c, code, "frame table", err);
	c.big = p->tab->big;
	while (cursor_left(&c) && cursor_ok(&c)) {
		uint8_t op = cursor_u8(&c), low = op & 0x3f;
		uint64_t loc = p->loc;

		if (++p->steps > STEPS_MAX)
			return err_set(err, ERR_LIMIT, "frame table: more than %u instructions",
				       STEPS_MAX);
		if ((op & 0xc0) == DW_CFA_advance_loc)
			p->loc += low * p->common->code_align;
		else if ((op & 0xc0) == DW_CFA_offset)
			set(p, low, CFI_AT, scaled(p, cursor_uleb(&c)));
		else if ((op & 0xc0) == DW_CFA_restore)
			restore(p, low);
		else if (!advance(p, &c, op) && !cfa_op(p, &c, op) && !register_op(p, &c, op) &&
			 !other_op(p, &c, op, err))
			return false;
		if (p->loc != loc && p->loc > p->pc)
			break;
	}
	return cursor_ok(&c);
}

/* Runs what the entry `r`, which covers `e`, says up to pc. */
static bool run_to(struct record_at *r, const struct cfi_range *e, uint64_t pc, struct program *p,
		   struct err *err)
{
	struct cfi_rules *ret = p->rules;

	memset(ret, 0, sizeof(*ret));
	ret->ra = p->common->ra;
	ret->signal = p->common->signal;
	p->loc = p->pc = e->lo;
	if (!dwarf_cfi_run(p, p->common->initial, err))
		return false;
	memcpy(p->initial, ret->of, sizeof(p->initial));
	p->pc = pc;
	if (!dwarf_cfi_run(p, cursor_take(&r->c, cursor_left(&r->c)), err))
		return false;
	if (ret->cfa.how == CFI_REGISTER && ret->reg == REG_UNKNOWN)
		return err_set(err, ERR_UNSUPPORTED, "frame table: an unknown register");
	return ret->cfa.how != CFI_UNSET ||
	       err_set(err, ERR_FORMAT, "frame table: nothing of the stack pointer");
}

bool cfi_find(struct cfi_table *tab, uint64_t pc, bool signs, struct cfi_rules *ret,
	      struct err *err)
{
	struct program p = { .tab = tab, .rules = ret, .signs = signs };
	struct common common;
	struct keyed_at at;
	struct record_at r;
	struct cfi_range e;
	bool ok;

	if (!keyed_last(&tab->places, pc, &at) ||
	    !range_at(tab, keyed_item(&tab->places, at).i, &r, &common, &e, err) || pc >= e.hi)
		return err_set_addr(err, ERR_NOTFOUND, pc, "no frame table covers this address");
	p.common = &common;
	ok = run_to(&r, &e, pc, &p, err);
	vec_release(&p.saved);
	return ok;
}
