/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One symbol table: hashed by name when a lookup needs it, and put in order by address only around
 * what is looked up. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/image/symtab.h"
#include "core/image/target.h"

/* No kernel has more; a table that claims to is damaged. */
#define SYMBOLS_MAX 0x7fffffffu
/* How many symbols are passed before what was read of them is given back. */
#define PASSED 32768u

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

const char *symtab_name(const struct symtab *tab, size_t i)
{
	return tab->in_place ? tab->name_in_place(tab, i) : tab->syms.p[i].name;
}

/* A pass over all symbols from the last to the first is at number i. */
static void pass_at(const struct symtab *tab, size_t i)
{
	if (tab->in_place && i % PASSED == 0)
		tab->passed_in_place(tab);
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
		const char *name = symtab_name(tab, i);
		uint32_t *head;

		pass_at(tab, i);
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
		const char *its = symtab_name(tab, i - 1);

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
static void sort_aliases(const void *self, struct sort_item *v, size_t n)
{
	const struct symtab *tab = self;

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

size_t symtab_order(struct symtab *tab, uint32_t *v)
{
	size_t count = symtab_count(tab), n = 0;
	struct sort_item *items = xrealloc(NULL, (count * 2 + 1) * sizeof(*items));
	struct symbol s;

	for (size_t i = 0; i < count; i++)
		if (symtab_get(tab, i, &s))
			items[n++] = (struct sort_item){ s.addr, (uint32_t)i };
	sort_items(items, n);
	sort_aliases(tab, items, n);
	for (size_t i = 0; i < n; i++)
		v[i] = items[i].i;
	free(items);
	return n;
}

static bool place_of(const void *self, uint32_t i, uint64_t *ret)
{
	struct symbol s;

	if (!symtab_get(self, i, &s) || !has_place(&s))
		return false;
	*ret = s.addr;
	return true;
}

/* Where symbol number i may have a place; its name is not looked at yet. */
static bool address_of(const struct target *t, const struct symtab *tab, const struct bounds *b,
		       size_t i, uint64_t *ret)
{
	if (!tab->in_place)
		*ret = tab->syms.p[i].addr;
	else if (!tab->addr_in_place(tab, i, ret))
		return false;
	if (*ret < b->lo || *ret > b->hi || (*ret >= b->percpu_lo && *ret < b->percpu_hi))
		return false;
	return b->lo || !t->arch || t->arch->is_kernel_va(*ret); /* a per-CPU one is an offset */
}

static void place_all(struct target *t, struct symtab *tab)
{
	size_t n = symtab_count(tab);
	struct bounds b;
	uint64_t addr, lo = UINT64_MAX, hi = 0;

	if (tab->placed)
		return;
	tab->placed = true;
	b = tab_bounds(tab);
	for (size_t i = 0; !b.lo && i < n; i++)
		if (address_of(t, tab, &b, i, &addr)) {
			lo = addr < lo ? addr : lo;
			hi = addr > hi ? addr : hi;
		}
	if (!b.lo && hi < lo)
		return; /* none has one */
	tab->places.key = place_of;
	tab->places.tidy = sort_aliases;
	tab->places.self = tab;
	keyed_init(&tab->places, &t->arena, n, b.lo ? b.lo : lo, b.lo ? b.hi : hi);
	for (size_t i = n; i-- > 0;) { /* backwards, so that equal ones are in table order */
		if (address_of(t, tab, &b, i, &addr))
			(void)keyed_add(&tab->places, (uint32_t)i, addr);
		pass_at(tab, i);
	}
}

bool symtab_each_named(struct target *t, struct symtab *tab, const char *name,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg)
{
	struct symbol s;

	for (uint32_t i = chain_of(tab, name, strlen(name)); i; i = tab->chain[i - 1]) {
		struct keyed_at behind;
		uint64_t room = 0;

		if (!symtab_get(tab, i - 1, &s) || strcmp(s.name, name) != 0)
			continue;
		place_all(t, tab);
		if (keyed_behind(&tab->places, s.addr, &behind))
			room = keyed_item(&tab->places, behind).key - s.addr;
		if (!fn(&s, room, arg))
			return false;
	}
	return true;
}

/* How far back a symbol is sought that another one lies inside of. */
#define NESTING_MAX 16

static bool symbol_of(struct symtab *tab, struct keyed_at at, struct symbol *ret)
{
	return symtab_get(tab, keyed_item(&tab->places, at).i, ret);
}

/* Finds the first of the symbols at the last address up to addr, and sets *inside when addr is
 * within one of them. */
static bool first_at(struct symtab *tab, uint64_t addr, struct keyed_at *ret, bool *inside)
{
	struct keyed_at at;
	struct symbol s;
	uint64_t key;

	*inside = false;
	if (!keyed_last(&tab->places, addr, ret))
		return false;
	key = keyed_item(&tab->places, *ret).key;
	at = *ret;
	do {
		*ret = at;
		*inside |= symbol_of(tab, at, &s) && addr - s.addr < s.size;
	} while (keyed_prev(&tab->places, &at) && keyed_item(&tab->places, at).key == key);
	return true;
}

bool symtab_at(struct target *t, struct symtab *tab, uint64_t addr, struct symbol *ret)
{
	struct keyed_at at, behind;
	struct symbol s, next;
	bool has_next, inside;

	place_all(t, tab);
	if (!first_at(tab, addr, &at, &inside) || !symbol_of(tab, at, ret))
		return false;
	if (inside)
		return true;
	/* one whose type is not known is not the next of all that are there */
	has_next = keyed_behind(&tab->places, addr, &behind) && symbol_of(tab, behind, &next) &&
		   next.type != '?';
	/* kallsyms knows no sizes, assembly labels often have none: they reach up to the next */
	if (addr == ret->addr || (!ret->size && has_next && ret->type != '?'))
		return true;
	for (size_t k = 0; k < NESTING_MAX && keyed_prev(&tab->places, &at); k++)
		if (symbol_of(tab, at, &s) && addr - s.addr < s.size) {
			*ret = s;
			return true;
		}
	if (!has_next)
		return tab->hi && !ret->size && addr < tab->hi;
	return symtab_is_text(ret) && symtab_is_text(&next);
}

bool symtab_covers(struct target *t, struct symtab *tab, uint64_t addr)
{
	struct keyed_at first, last;

	if (tab->hi)
		return addr >= tab->lo && addr < tab->hi;
	place_all(t, tab);
	return keyed_first(&tab->places, &first) && addr >= keyed_item(&tab->places, first).key &&
	       keyed_last(&tab->places, UINT64_MAX, &last) &&
	       addr <= keyed_item(&tab->places, last).key;
}

void symtab_release(struct symtab *tab)
{
	vec_release(&tab->syms);
	free(tab->heads);
	free(tab->chain);
}
