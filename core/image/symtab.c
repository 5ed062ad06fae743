/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One symbol table: hashed by name and sorted by address only when a lookup needs it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/image/symtab.h"
#include "core/image/target.h"

/* No kernel has more; a table that claims to is damaged. */
#define SYMBOLS_MAX 0x7fffffffu

/*
 * A kernel's own table has nm's letters, and nm calls text what lies in an executable section, as
 * .data of 7.2 on x86-64 is, for a little code is in it. What lies between the linker script's
 * _sdata and _edata is data. Tables that are read in place know their sections.
 */
static void mend_letters(struct symtab *tab)
{
	uint64_t lo = 0, hi = 0;

	if (tab->module || tab->in_place)
		return;
	for (size_t i = 0; i < tab->syms.n; i++) {
		const struct symbol *s = &tab->syms.p[i];

		if (!s->name || s->name[0] != '_')
			continue;
		if (!strcmp(s->name, "_sdata"))
			lo = s->addr;
		else if (!strcmp(s->name, "_edata"))
			hi = s->addr;
	}
	for (size_t i = 0; lo && i < tab->syms.n; i++) {
		struct symbol *s = &tab->syms.p[i];

		if (s->addr >= lo && s->addr < hi && (s->type == 't' || s->type == 'T'))
			s->type = s->type == 't' ? 'd' : 'D';
	}
}

bool symtab_load(struct target *t, struct symtab *tab, struct err *err)
{
	if (!tab->tried) {
		tab->tried = true;
		tab->ok = tab->load && tab->load(t, tab, &tab->err);
		if (!tab->load)
			err_set(&tab->err, ERR_NEED, "symbols of '%s' cannot be loaded",
				tab->origin);
		if (tab->ok && symtab_count(tab) > SYMBOLS_MAX)
			tab->ok = err_set(&tab->err, ERR_LIMIT, "'%s' has too many symbols",
					  tab->origin);
		if (tab->ok)
			mend_letters(tab);
	}
	if (!tab->ok)
		*err = tab->err;
	return tab->ok;
}

size_t symtab_count(const struct symtab *tab)
{
	return tab->in_place ? tab->count : tab->syms.n;
}

bool symtab_get(const struct symtab *tab, size_t i, struct symbol *ret)
{
	if (tab->in_place)
		return tab->in_place(tab, i, ret);
	*ret = tab->syms.p[i];
	return true;
}

/* ---- by name */

/* Of the length, the beginning, the middle and the end: names that share all four are few. */
static uint32_t name_hash(const char *s, size_t n)
{
	uint64_t h = n * 0x9e3779b97f4a7c15u, first = 0, middle = 0, last = 0;

	if (n < 8) {
		memcpy(&first, s, n);
	} else {
		memcpy(&first, s, 8);
		memcpy(&middle, s + n / 2 - 4, 8);
		memcpy(&last, s + n - 8, 8);
	}
	h = (h ^ first) * 0xd6e8feb86659fd93u;
	h = (h ^ h >> 32 ^ middle) * 0xd6e8feb86659fd93u;
	h = (h ^ h >> 32 ^ last) * 0xd6e8feb86659fd93u;
	return (uint32_t)(h ^ h >> 32);
}

/* NULL: the i-th is none for people. */
static const char *name_of(const struct symtab *tab, size_t i)
{
	return tab->in_place ? tab->name_in_place(tab, i) : tab->syms.p[i].name;
}

static void hash_build(struct symtab *tab)
{
	size_t n = symtab_count(tab), cap = 64;

	if (tab->heads || !n)
		return;
	while (cap < n)
		cap *= 2;
	tab->heads =
		memset(xrealloc(NULL, cap * sizeof(*tab->heads)), 0, cap * sizeof(*tab->heads));
	tab->chain = xrealloc(NULL, n * sizeof(*tab->chain));
	tab->mask = (uint32_t)(cap - 1);
	for (size_t i = n; i-- > 0;) { /* backwards, so that chains are in table order */
		const char *name = name_of(tab, i);
		uint32_t *head;

		if (!name)
			continue;
		head = &tab->heads[name_hash(name, strlen(name)) & tab->mask];
		tab->chain[i] = *head;
		*head = (uint32_t)(i + 1);
	}
}

/* The first number + 1 in the chain where a name would be; 0: none. */
static uint32_t chain_of(struct symtab *tab, const char *name, size_t n)
{
	hash_build(tab);
	return tab->heads ? tab->heads[name_hash(name, n) & tab->mask] : 0;
}

static bool type_is_global(char type)
{
	return type >= 'A' && type <= 'Z';
}

bool symtab_find(struct symtab *tab, const char *name, size_t n, struct symbol *ret)
{
	struct symbol s;
	bool found = false;

	for (uint32_t i = chain_of(tab, name, n); i; i = tab->chain[i - 1]) {
		const char *its = name_of(tab, i - 1);

		if (!its || strncmp(its, name, n) != 0 || its[n] || !symtab_get(tab, i - 1, &s))
			continue;
		if (!found || type_is_global(s.type))
			*ret = s;
		found = true;
		if (type_is_global(s.type))
			break;
	}
	return found;
}

uint64_t symtab_value(struct symtab *tab, const char *name)
{
	struct symbol s;

	return symtab_find(tab, name, strlen(name), &s) ? s.addr : 0;
}

/* ---- by address */

bool symtab_is_text(const struct symbol *s)
{
	char c = s->type;

	return c == 't' || c == 'T' || c == 'w' || c == 'W' || c == 'i';
}

static bool ends_with(const char *s, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n >= m && memcmp(s + n - m, end, m) == 0;
}

/* Names that the linker script provides, as scripts/kallsyms.c tells them (b478b782e110, v2.6.39).
 */
static bool is_linker_label(const char *name)
{
	size_t n = strlen(name);

	if (n < 8 || name[0] != '_' || name[1] != '_')
		return false;
	return !strncmp(name + 2, "start_", 6) || !strncmp(name + 2, "stop_", 5) ||
	       !strncmp(name + 2, "end_", 4) || ends_with(name, n, "_start") ||
	       ends_with(name, n, "_end");
}

/* Among aliases the kernel prints the first in the order of scripts/kallsyms.c: not weak, no linker
 * label, fewest underscores in front, then the order of nm -n, which is by name. */
static int alias_rank(const struct symbol *s)
{
	int rank = 0;

	if (s->type == 'w' || s->type == 'W' || s->type == 'v' || s->type == 'V')
		rank += 200;
	if (is_linker_label(s->name))
		rank += 100;
	for (const char *p = s->name; *p == '_' && p < s->name + 50; p++)
		rank++;
	return rank;
}

static bool alias_before(const struct symtab *tab, uint32_t a, uint32_t b)
{
	struct symbol x, y;
	int rx, ry;

	if (tab->module || !symtab_get(tab, a, &x) || !symtab_get(tab, b, &y))
		return a < b;
	rx = alias_rank(&x);
	ry = alias_rank(&y);
	return rx != ry ? rx < ry : strcmp(x.name, y.name) < 0;
}

/* The best alias first; only the first matters, so one pass is enough even for thousands of them.
 */
static void sort_aliases(const struct symtab *tab, struct sort_item *v, size_t n)
{
	for (size_t i = 0, j; i < n; i = j) {
		size_t best = i;
		struct sort_item first;

		for (j = i + 1; j < n && v[j].key == v[i].key; j++)
			if (alias_before(tab, v[j].i, v[best].i))
				best = j;
		first = v[best];
		memmove(&v[i + 1], &v[i], (best - i) * sizeof(*v));
		v[i] = first;
	}
}

/* What kallsyms leaves out as well: mapping symbols, compiler labels, second names of the EFI stub.
 */
static bool is_ignored_name(const char *name)
{
	switch (name[0]) { /* asked of every symbol: the first letters decide nearly always */
	case '\0':
	case '$':
		return true;
	case '.':
		return name[1] == 'L';
	case '_':
		return name[1] == '_' &&
		       ((name[2] == 'e' && name[3] == 'f' && !strncmp(name, "__efistub_", 10)) ||
			(name[2] == 'k' && name[3] == 'v' &&
			 (!strncmp(name, "__kvm_nvhe_$", 12) ||
			  !strncmp(name, "__kvm_nvhe_.L", 13))));
	default:
		return false;
	}
}

static bool has_place(const struct symbol *s)
{
	if (s->type == 'a' || s->type == 'A' || s->type == 'U' || is_ignored_name(s->name))
		return false;
	return true;
}

/* Bounds of the kernel image, and the per-CPU template in it, which addresses of variables never
 * hit. */
struct bounds {
	uint64_t lo, hi, percpu_lo, percpu_hi;
};

static struct bounds tab_bounds(struct symtab *tab)
{
	struct bounds b = { 0, UINT64_MAX, 0, 0 };

	if (tab->module)
		return b;
	b.lo = symtab_value(tab, "_text");
	if (!b.lo)
		b.lo = symtab_value(tab, "_stext");
	b.hi = symtab_value(tab, "_end");
	if (!b.lo || b.hi <= b.lo)
		b = (struct bounds){ 0, UINT64_MAX, 0, 0 };
	b.percpu_lo = symtab_value(tab, "__per_cpu_start");
	b.percpu_hi = symtab_value(tab, "__per_cpu_end");
	return b;
}

/* The table's symbols by address; all of them, or those that have a place in memory. To be freed.
 */
static struct sort_item *ordered(struct target *t, struct symtab *tab, bool all, size_t *ret)
{
	struct bounds b = all ? (struct bounds){ 0, UINT64_MAX, 0, 0 } : tab_bounds(tab);
	size_t count = symtab_count(tab), n = 0;
	struct sort_item *items = xrealloc(NULL, (count * 2 + 1) * sizeof(*items));
	struct symbol s;

	for (size_t i = 0; i < count; i++) {
		if (!symtab_get(tab, i, &s))
			continue;
		if (!all && (s.addr < b.lo || s.addr > b.hi || !has_place(&s) ||
			     (s.addr >= b.percpu_lo && s.addr < b.percpu_hi)))
			continue;
		if (!all && !b.lo && t->arch && !t->arch->is_kernel_va(s.addr))
			continue; /* a per-CPU symbol is an offset */
		items[n++] = (struct sort_item){ s.addr, (uint32_t)i };
	}
	sort_items(items, n);
	sort_aliases(tab, items, n);
	*ret = n;
	return items;
}

size_t symtab_order(struct target *t, struct symtab *tab, uint32_t *v)
{
	size_t n;
	struct sort_item *items = ordered(t, tab, true, &n);

	for (size_t i = 0; i < n; i++)
		v[i] = items[i].i;
	free(items);
	return n;
}

static void place_all(struct target *t, struct symtab *tab)
{
	if (tab->places)
		return;
	tab->places = ordered(t, tab, false, &tab->placed);
	tab->places = xrealloc(tab->places, (tab->placed + 1) * sizeof(*tab->places));
}

/* The place of the first symbol behind addr; `placed`: none. */
static size_t place_behind(struct target *t, struct symtab *tab, uint64_t addr)
{
	size_t lo = 0, hi;

	place_all(t, tab);
	hi = tab->placed;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tab->places[mid].key <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool symtab_each_named(struct target *t, struct symtab *tab, const char *name,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg)
{
	struct symbol s;

	for (uint32_t i = chain_of(tab, name, strlen(name)); i; i = tab->chain[i - 1]) {
		size_t behind;

		if (!symtab_get(tab, i - 1, &s) || strcmp(s.name, name) != 0)
			continue;
		behind = place_behind(t, tab, s.addr);
		if (!fn(&s, behind < tab->placed ? tab->places[behind].key - s.addr : 0, arg))
			return false;
	}
	return true;
}

/* How far back a symbol is sought that another one lies inside of. */
#define NESTING_MAX 16

bool symtab_at(struct target *t, struct symtab *tab, uint64_t addr, struct symbol *ret)
{
	size_t behind = place_behind(t, tab, addr), first;
	struct symbol s, next;
	bool has_next;

	if (!behind)
		return false;
	/* one whose type is not known is not the next of all that are there */
	has_next = behind < tab->placed && symtab_get(tab, tab->places[behind].i, &next) &&
		   next.type != '?';
	first = behind - 1;
	while (first && tab->places[first - 1].key == tab->places[behind - 1].key)
		first--;
	if (!symtab_get(tab, tab->places[first].i, ret))
		return false;
	for (size_t i = first; i < behind; i++)
		if (symtab_get(tab, tab->places[i].i, &s) && addr - s.addr < s.size)
			return true;
	/* kallsyms knows no sizes, assembly labels often have none: they reach up to the next */
	if (addr == ret->addr || (!ret->size && has_next && ret->type != '?'))
		return true;
	for (size_t i = first, k = 0; i-- > 0 && k < NESTING_MAX; k++)
		if (symtab_get(tab, tab->places[i].i, &s) && addr - s.addr < s.size) {
			*ret = s;
			return true;
		}
	if (!has_next)
		return tab->hi && !ret->size && addr < tab->hi;
	return symtab_is_text(ret) && symtab_is_text(&next);
}

bool symtab_covers(struct target *t, struct symtab *tab, uint64_t addr)
{
	if (tab->hi)
		return addr >= tab->lo && addr < tab->hi;
	place_all(t, tab);
	return tab->placed && addr >= tab->places[0].key &&
	       addr <= tab->places[tab->placed - 1].key;
}

void symtab_release(struct symtab *tab)
{
	vec_release(&tab->syms);
	free(tab->places);
	free(tab->heads);
	free(tab->chain);
}
