/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of exported symbols, found in a kernel's image by functions that are known to be in it.
 */
#include "core/base/guard.h"
#include "readers/symbol/exports.h"

/*
 * struct kernel_symbol of include/linux/export-internal.h: where the symbol, its name and its
 * namespace are, each as a number of 32 bits from its own place where a word has 64 (7290d5809571,
 * v4.19), else as an address; the namespace since 8651ec01daed (v5.4), and 0 in what assembly
 * exported until v6.3. Those that modules of any
 * licence may use lie in front of the others, without a gap (include/asm-generic/vmlinux.lds.h).
 */
#define FIELD 4u
#define ENTRY (3 * FIELD)
#define PAGE 4096u
#define GAP_MAX 2048        /* pages that nothing maps, in a row: there the image has ended */
#define NAME_MAX_BYTES 512u /* KSYM_NAME_LEN */
#define IMAGE_MAX ((uint64_t)96 << 20)
#define ENTRIES_MAX (UINT32_C(1) << 20)
#define PROOF_MIN 64 /* functions that must lie where kallsyms says */

struct exports {
	struct target *t;
	uint64_t text, text_end; /* of functions */
	struct strmap functions; /* to their address */
	uint64_t anchors[4];
	uint64_t at, end; /* of the table: [at, end) */
};

struct export
{
	uint64_t addr;
	const char *name;
};

static uint64_t field_at(const struct exports *x, uint64_t va, const uint8_t *p)
{
	uint32_t v = target_u32(x->t, p);

	return x->t->arch->word == 4 ? v : va + (uint64_t)(int64_t)(int32_t)v;
}

static bool in_image(const struct exports *x, uint64_t va)
{
	return va - x->text < IMAGE_MAX;
}

/* A text at va, which may be the end of a longer one, for linkers merge them. */
static bool text_at(const struct exports *x, uint64_t va, const char **ret)
{
	struct err ignored;
	const char *s;

	if (!in_image(x, va) || !mem_str(x->t, va, NAME_MAX_BYTES, x->t->scratch, &s, &ignored))
		return false;
	*ret = s;
	for (; *s; s++)
		if (*s <= ' ' || *s > '~')
			return false;
	return true;
}

/* One entry, as far as its shape tells. */
static bool entry_read(const struct exports *x, uint64_t va, struct export *ret)
{
	uint8_t raw[ENTRY];
	const char *space;
	struct err ignored;

	if (!mem_read(x->t, va, raw, sizeof(raw), &ignored))
		return false;
	ret->addr = field_at(x, va, raw);
	return in_image(x, ret->addr) &&
	       text_at(x, field_at(x, va + FIELD, raw + FIELD), &ret->name) && *ret->name &&
	       (!target_u32(x->t, raw + 2 * FIELD) ||
		text_at(x, field_at(x, va + 2 * FIELD, raw + 2 * FIELD), &space));
}

enum verdict {
	FUNCTION,   /* where kallsyms says */
	VARIABLE,   /* not in the text, and kallsyms knows no such name */
	CONTRADICTS /* kallsyms: arm64's hypervisor has functions of the kernel's names */
};

static enum verdict entry_judge(const struct exports *x, const struct export *e)
{
	const uint64_t *known = strmap_get(&x->functions, e->name);

	if (known)
		return *known == e->addr ? FUNCTION : CONTRADICTS;
	return e->addr >= x->text && e->addr < x->text_end ? CONTRADICTS : VARIABLE;
}

/* ---- the search */

/* Of two functions of one name the global one is exported. */
static void functions_note(struct exports *x, const struct symtab *tab)
{
	/* every kernel exports these */
	static const char *const anchors[] = { "kfree", "mutex_lock", "schedule", "complete" };
	const uint64_t *hit;

	strmap_reserve(&x->functions, tab->syms.n);
	for (size_t i = 0; i < tab->syms.n; i++) {
		const struct symbol *s = &tab->syms.p[i];
		bool isnew;
		uint64_t *slot = strmap_put(&x->functions, s->name, &isnew);

		if (isnew || (s->type >= 'A' && s->type <= 'Z'))
			*slot = s->addr;
	}
	hit = strmap_get(&x->functions, "_etext");
	x->text_end = hit ? *hit : x->text;
	for (size_t i = 0; i < ARRAY_SIZE(anchors); i++) {
		hit = strmap_get(&x->functions, anchors[i]);
		x->anchors[i] = hit ? *hit : 0;
	}
}

/* Could an entry of one of the anchors be at p? */
static bool is_anchor(const struct exports *x, uint64_t va, const uint8_t *p)
{
	uint64_t addr = field_at(x, va, p);
	struct export e;

	for (size_t i = 0; i < ARRAY_SIZE(x->anchors); i++)
		if (x->anchors[i] && addr == x->anchors[i])
			return entry_read(x, va, &e) && entry_judge(x, &e) == FUNCTION;
	return false;
}

/* The whole table around the entry at va. */
static void table_measure(struct exports *x, uint64_t va)
{
	struct export e;

	for (x->at = va; entry_read(x, x->at - ENTRY, &e);)
		x->at -= ENTRY;
	for (x->end = va; entry_read(x, x->end, &e);)
		x->end += ENTRY;
}

/* Do the functions in it lie where kallsyms says, all but a few? */
static bool is_proved(const struct exports *x)
{
	size_t n[CONTRADICTS + 1] = { 0 };
	struct export e;

	for (uint64_t va = x->at; va < x->end; va += ENTRY)
		n[entry_read(x, va, &e) ? entry_judge(x, &e) : CONTRADICTS]++;
	return n[FUNCTION] >= PROOF_MIN && n[CONTRADICTS] <= n[FUNCTION] / PROOF_MIN;
}

static bool table_find(struct exports *x, struct err *err)
{
	uint8_t buf[PAGE];
	unsigned gap = 0;
	struct err why;

	for (uint64_t va = x->text & ~(uint64_t)(PAGE - 1);
	     gap <= GAP_MAX && (in_image(x, va) || va < x->text); va += PAGE) {
		size_t n;

		if (!interrupt_check(err))
			return false;
		n = mem_read_some(x->t, va, buf, sizeof(buf), &why);
		gap = n ? 0 : gap + 1;
		for (size_t i = 0; i + FIELD <= n; i += FIELD) {
			if (!is_anchor(x, va + i, buf + i))
				continue;
			table_measure(x, va + i);
			if (is_proved(x))
				return true;
		}
	}
	return err_set(err, ERR_NOTFOUND, "no table of exported symbols");
}

bool exports_add(struct target *t, uint64_t text, struct symtab *tab, struct err *err)
{
	struct exports x = { .t = t, .text = text };
	struct export e;
	bool ok;

	functions_note(&x, tab);
	ok = table_find(&x, err);
	for (uint64_t va = x.at; ok && va < x.end; va += ENTRY)
		if (entry_read(&x, va, &e) && entry_judge(&x, &e) == VARIABLE)
			*vec_push(&tab->syms) = (struct symbol){
				.name = arena_strdup(&t->arena, e.name), .addr = e.addr, .type = '?'
			};
	strmap_release(&x.functions);
	return ok;
}
