/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ORC tables: found in vmlinux or in the dump's memory, told apart by their own contents, searched.
 */
#include "core/unwind/orc.h"
#include "core/unwind/step.h"

/* arch/x86/include/asm/orc_types.h; entries are sorted by scripts/sorttable.c or at boot. */

/* One table; its two arrays are at hand (a mapped section) or in the target's memory. */
struct orc_table {
	struct span ip, entries;    /* n is 0: in memory */
	uint64_t ip_va, entries_va; /* run-time addresses */
	uint64_t count;
	uint64_t lo, hi; /* addresses it answers for */
};

/* A kernel has about 400,000 entries. */
#define ORC_COUNT_MAX (UINT64_C(1) << 24)
#define ORC_CACHE 1024 /* entries found lately, by address */

struct unwind_state {
	bool tried, ok;
	struct err err;
	struct orc_table table;
	struct orc_layout layout;
	bool has_layout;
	bool copied; /* the dump has the table that was read of the vmlinux, too: */
	uint64_t copy_ip, copy_entries;
	bool doubted, told; /* warned of */
	struct {
		uint64_t pc;
		struct orc orc;
	} cache[ORC_CACHE];
};

/* ---- reading entries */

/*
 * Two things changed, neither with a version to ask for: fb799447ae29 (v6.4) made undefined and
 * end-of-stack types of their own, so that CALL is 2 and not 0; 7.1 numbered the bases anew, so
 * that SP is 3 and not 5. In every kernel nearly all entries are CALL entries on SP: the most
 * frequent numbers are theirs.
 */
struct orc_layout orc_layout_of(struct span entries)
{
	size_t base[16] = { 0 }, type[8] = { 0 };
	struct orc_layout l = { 0 };

	for (size_t off = 0; off + ORC_ENTRY_SIZE <= entries.n; off += ORC_ENTRY_SIZE)
		base[load_le16(entries.p + off + 4) & 15]++;
	l.renumbered = base[3] > base[5];
	for (size_t off = 0; off + ORC_ENTRY_SIZE <= entries.n; off += ORC_ENTRY_SIZE) {
		uint16_t bits = load_le16(entries.p + off + 4);

		if ((bits & 15) == (l.renumbered ? 3 : 5))
			type[bits >> 8 & 7]++;
	}
	l.old_types = type[0] > type[2];
	return l;
}

static enum orc_base decode_base(unsigned n, bool renumbered)
{
	static const uint8_t since_7_1[] = { ORC_UNDEFINED,   ORC_AX,         ORC_DX,
					     ORC_SP,          ORC_BP,         ORC_DI,
					     ORC_R10,         ORC_R13,        ORC_PREV_SP,
					     ORC_SP_INDIRECT, ORC_BP_INDIRECT };

	if (renumbered)
		return n < ARRAY_SIZE(since_7_1) ? (enum orc_base)since_7_1[n] : ORC_BASE_BAD;
	return n <= ORC_SP_INDIRECT ? (enum orc_base)n : ORC_BASE_BAD;
}

struct orc orc_decode(const uint8_t entry[ORC_ENTRY_SIZE], struct orc_layout layout)
{
	uint16_t bits = load_le16(entry + 4);
	struct orc o = { .sp_off = (int16_t)load_le16(entry),
			 .bp_off = (int16_t)load_le16(entry + 2) };
	unsigned type = bits >> 8 & 7;

	o.sp_base = decode_base(bits & 15, layout.renumbered);
	o.bp_base = decode_base(bits >> 4 & 15, layout.renumbered);
	if (layout.old_types) {
		/* type:2, end:1, and in 6.3 alone type:2, signal:1, end:1 (ffb1b4a41016) */
		if (o.sp_base == ORC_UNDEFINED)
			o.type = bits >> 10 & 3 ? ORC_END : ORC_NOTHING;
		else
			o.type = (enum orc_type)(ORC_CALL + (type & 3));
		o.signal = o.type == ORC_REGS || o.type == ORC_REGS_PARTIAL;
	} else {
		o.type = (enum orc_type)type; /* type:3, signal:1 */
		o.signal = bits >> 11 & 1;
	}
	if (o.type > ORC_TYPE_BAD)
		o.type = ORC_TYPE_BAD;
	return o;
}

/* ---- finding tables */

static bool table_ip(struct target *t, const struct orc_table *tab, uint64_t i, uint64_t *ret,
		     struct err *err)
{
	uint32_t rel;

	if (tab->ip.n)
		rel = load_le32(tab->ip.p + 4 * i);
	else if (!mem_u32(t, tab->ip_va + 4 * i, &rel, err))
		return err_wrap(err, "ORC table");
	*ret = tab->ip_va + 4 * i + (uint64_t)(int64_t)(int32_t)rel;
	return true;
}

static bool table_entry(struct target *t, const struct orc_table *tab, uint64_t i,
			uint8_t ret[ORC_ENTRY_SIZE], struct err *err)
{
	if (tab->ip.n)
		memcpy(ret, tab->entries.p + ORC_ENTRY_SIZE * i, ORC_ENTRY_SIZE);
	else if (!mem_read(t, tab->entries_va + ORC_ENTRY_SIZE * i, ret, ORC_ENTRY_SIZE, err))
		return err_wrap(err, "ORC table");
	return true;
}

/* The range of a damaged table: that of the kernel. */
static void table_range(struct target *t, struct orc_table *tab)
{
	uint64_t lo, hi;

	if (symbol_addr(t, "_stext", &lo) && symbol_addr(t, "_end", &hi) && lo < hi) {
		tab->lo = lo;
		tab->hi = hi;
	}
}

/* Sets the range and refuses what cannot be searched: a table that is not sorted, by a few samples.
 * `damaged`: one of which a few entries are out of order will do; each search looks around. */
static bool table_check(struct target *t, struct orc_table *tab, bool damaged, struct err *err)
{
	enum {
		SAMPLES = 64
	};
	uint64_t before = 0, wrong = 0;

	if (!tab->count || tab->count > ORC_COUNT_MAX)
		return err_set(err, ERR_CORRUPT, "ORC table of %llu entries",
			       (unsigned long long)tab->count);
	for (uint64_t i = 0; i <= SAMPLES; i++) {
		uint64_t ip = 0;

		if (!table_ip(t, tab, (tab->count - 1) * i / SAMPLES, &ip, err))
			return false;
		wrong += ip < before;
		if (wrong > (damaged ? SAMPLES / 8 : 0))
			return err_set(err, ERR_FORMAT, "ORC table is not sorted");
		if (i == 0)
			tab->lo = ip;
		before = ip;
	}
	/* the last entry ends the text of its section; more than a page behind it is somewhere else
	 */
	tab->hi = before + t->page_size;
	if (wrong)
		table_range(t, tab);
	return true;
}

static bool table_in_vmlinux(struct target *t, struct orc_table *tab, bool damaged, struct err *err)
{
	struct span ip, entries;
	uint64_t ip_addr, addr;

	if (!t->vmlinux.file || !t->vmlinux.section ||
	    !t->vmlinux.section(t->vmlinux.self, ".orc_unwind_ip", &ip, &ip_addr) ||
	    !t->vmlinux.section(t->vmlinux.self, ".orc_unwind", &entries, &addr))
		return err_set(err, ERR_NEED, "no ORC tables in vmlinux");
	*tab = (struct orc_table){ .ip = ip, .entries = entries, .ip_va = ip_addr + t->kaslr };
	tab->count = ip.n / 4 < entries.n / ORC_ENTRY_SIZE ? ip.n / 4 : entries.n / ORC_ENTRY_SIZE;
	return table_check(t, tab, damaged, err);
}

static bool table_in_memory(struct target *t, struct orc_table *tab, bool damaged, struct err *err)
{
	uint64_t stop;

	*tab = (struct orc_table){ 0 };
	if (!symbol_addr(t, "__start_orc_unwind_ip", &tab->ip_va) ||
	    !symbol_addr(t, "__stop_orc_unwind_ip", &stop) ||
	    !symbol_addr(t, "__start_orc_unwind", &tab->entries_va))
		return err_set(err, ERR_NEED,
			       "no ORC tables: neither sections of a vmlinux nor the symbol "
			       "'__start_orc_unwind_ip'");
	if (stop > tab->ip_va)
		tab->count = (stop - tab->ip_va) / 4;
	return table_check(t, tab, damaged, err);
}

static bool table_layout(struct target *t, const struct orc_table *tab, struct orc_layout *ret,
			 struct err *err)
{
	enum {
		PARTS = 8,
		PART = 64
	};
	uint8_t sample[PARTS * PART * ORC_ENTRY_SIZE];
	size_t n = 0;

	for (uint64_t i = 0; i < PARTS; i++) {
		uint64_t first = tab->count / PARTS * i;

		for (uint64_t k = first; k < first + PART && k < tab->count; k++, n++)
			if (!table_entry(t, tab, k, sample + n * ORC_ENTRY_SIZE, err))
				return false;
	}
	*ret = orc_layout_of(SPAN(sample, n * ORC_ENTRY_SIZE));
	return true;
}

/* Until v5.6 (f14bf6a350df) a vmlinux's was sorted at boot only: a whole table in the dump goes
 * before one of the vmlinux that is not. */
static bool table_find_any(struct target *t, struct orc_table *tab, struct err *err)
{
	struct err first, ignored;

	if (table_in_vmlinux(t, tab, false, &first) || table_in_memory(t, tab, false, err) ||
	    table_in_memory(t, tab, true, &ignored) || table_in_vmlinux(t, tab, true, &ignored))
		return true;
	if (first.code != ERR_NEED)
		*err = first;
	return false;
}

static struct unwind_state *state_of(struct target *t)
{
	struct unwind_state *s = t->unwind_state;

	if (!s)
		s = t->unwind_state = ARENA_NEW(&t->arena, struct unwind_state);
	if (s->tried)
		return s;
	s->tried = true;
	s->ok = table_find_any(t, &s->table, &s->err);
	s->copied = s->ok && s->table.ip.n &&
		    symbol_addr(t, "__start_orc_unwind_ip", &s->copy_ip) &&
		    symbol_addr(t, "__start_orc_unwind", &s->copy_entries) &&
		    s->copy_ip == s->table.ip_va;
	if (s->ok)
		s->ok = s->has_layout = table_layout(t, &s->table, &s->layout, &s->err);
	return s;
}

bool orc_loaded(struct target *t)
{
	return state_of(t)->ok;
}

/* ---- damage */

void orc_doubt(struct target *t, uint64_t pc, const char *remedy)
{
	struct unwind_state *s = state_of(t);

	if (!s->doubted)
		target_warn(t, ERR_CORRUPT,
			    "the code contradicts how '%s' is said to have been called: the unwind "
			    "tables or the stack are damaged; %s",
			    symbol_text(t, pc, t->scratch), remedy);
	s->doubted = true;
}

/* Entries around the i-th: damage makes the search end beside it. */
#define AROUND 8

static bool order_check(struct target *t, const struct orc_table *tab, uint64_t i, struct err *err)
{
	uint64_t before = 0, ip = 0;

	for (uint64_t k = i > AROUND ? i - AROUND : 0; k < tab->count && k < i + AROUND; k++) {
		if (!table_ip(t, tab, k, &ip, err))
			return false;
		if (ip < before)
			return err_set_addr(err, ERR_CORRUPT, tab->ip_va + 4 * k,
					    "ORC table is not sorted at entry %llu",
					    (unsigned long long)k);
		before = ip;
	}
	return true;
}

/* A kernel's table is in its vmlinux, sorted when it was built, and in its memory. A copy that
 * cannot be read contradicts nothing. */
static bool copy_check(struct target *t, const struct orc_table *tab, uint64_t i, struct err *err)
{
	const struct unwind_state *s = state_of(t);
	uint8_t entry[ORC_ENTRY_SIZE];
	struct err ignored;
	uint32_t ip;

	if (tab != &s->table || !s->copied || !mem_u32(t, s->copy_ip + 4 * i, &ip, &ignored) ||
	    !mem_read(t, s->copy_entries + ORC_ENTRY_SIZE * i, entry, sizeof(entry), &ignored) ||
	    (ip == load_le32(tab->ip.p + 4 * i) &&
	     !memcmp(entry, tab->entries.p + ORC_ENTRY_SIZE * i, sizeof(entry))))
		return true;
	return err_set_addr(err, ERR_CORRUPT, s->copy_ip + 4 * i,
			    "ORC entry %llu is not the same in the vmlinux and in the dump",
			    (unsigned long long)i);
}

/* Told once: the caller may know another way. */
static bool damage_tell(struct target *t, const struct err *err)
{
	struct unwind_state *s = state_of(t);

	if (!s->told && err->code == ERR_CORRUPT)
		target_warn(t, ERR_CORRUPT, "%s: other ways are used there", err->msg);
	s->told |= err->code == ERR_CORRUPT;
	return false;
}

/* ---- looking up */

static bool table_find(struct target *t, const struct orc_table *tab, uint64_t pc,
		       struct orc_layout layout, struct orc *ret, struct err *err)
{
	uint64_t lo = 0, hi = tab->count;
	uint8_t entry[ORC_ENTRY_SIZE];

	while (lo < hi) { /* the first entry after pc */
		uint64_t mid = lo + (hi - lo) / 2, ip = 0;

		if (!table_ip(t, tab, mid, &ip, err))
			return false;
		if (ip <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return err_set_addr(err, ERR_NOTFOUND, pc, "no ORC entry for %#lx",
				    (unsigned long)pc);
	if (!order_check(t, tab, lo, err) || !copy_check(t, tab, lo - 1, err))
		return damage_tell(t, err);
	if (!table_entry(t, tab, lo - 1, entry, err))
		return false;
	*ret = orc_decode(entry, layout);
	return true;
}

static bool find_uncached(struct target *t, struct unwind_state *s, uint64_t pc, struct orc *ret,
			  struct err *err)
{
	const struct unwind_hooks *hooks = t->unwind_hooks;
	struct orc_table m = { 0 };
	uint64_t original;

	if (s->ok && pc >= s->table.lo && pc < s->table.hi && symbol_is_text(t, pc))
		return table_find(t, &s->table, pc, s->layout, ret, err);
	if (hooks && hooks->module_orc &&
	    hooks->module_orc(t, pc, &m.entries_va, &m.ip_va, &m.count) && m.count) {
		struct orc_layout layout = s->layout;

		if (!table_check(t, &m, false, err) ||
		    (!s->has_layout && !table_layout(t, &m, &layout, err)))
			return false;
		return table_find(t, &m, pc, layout, ret, err);
	}
	if (!s->ok) {
		*err = s->err;
		return false;
	}
	if (hooks && hooks->trampoline_of && !symbol_is_text(t, pc) &&
	    hooks->trampoline_of(t, pc, &original) && symbol_is_text(t, original))
		return table_find(t, &s->table, original, s->layout, ret, err);
	return err_set_addr(err, ERR_NOTFOUND, pc, "no ORC entry for %#lx", (unsigned long)pc);
}

bool orc_find(struct target *t, uint64_t pc, struct orc *ret, struct err *err)
{
	struct unwind_state *s = state_of(t);
	size_t i = (pc ^ pc >> 10) % ORC_CACHE;

	if (!pc || s->cache[i].pc != pc) {
		if (!find_uncached(t, s, pc, ret, err))
			return false;
		s->cache[i].pc = pc;
		s->cache[i].orc = *ret;
	}
	*ret = s->cache[i].orc;
	return true;
}
