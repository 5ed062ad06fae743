/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol tables: loaded, hashed by name and sorted by address only when a lookup needs it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/target/symbol.h"
#include "core/target/target.h"

/* No kernel has more; a table that claims to is damaged. */
#define SYMBOLS_MAX 0x7fffffffu

struct symtab *symbols_add(struct target *t, const char *origin)
{
	struct symtab *tab = ARENA_NEW(&t->arena, struct symtab);

	tab->origin = origin;
	*vec_push(&t->symbols.tabs) = tab;
	return tab;
}

static bool tab_load(struct target *t, struct symtab *tab, struct err *err)
{
	if (!tab->tried) {
		tab->tried = true;
		tab->ok = tab->load && tab->load(t, tab, &tab->err);
		if (!tab->load)
			err_set(&tab->err, ERR_NEED, "symbols of '%s' cannot be loaded",
				tab->origin);
		if (tab->ok && tab->syms.n > SYMBOLS_MAX)
			tab->ok = err_set(&tab->err, ERR_LIMIT, "'%s' has too many symbols",
					  tab->origin);
	}
	if (!tab->ok)
		*err = tab->err;
	return tab->ok;
}

/* The first kernel table that loads; NULL with *err when there is none. */
static struct symtab *kernel_tab(struct target *t, struct err *err)
{
	struct err first = { 0 };

	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];

		if (tab->module)
			continue;
		if (tab_load(t, tab, err))
			return tab;
		if (first.code == ERR_OK)
			first = *err;
	}
	if (first.code != ERR_OK)
		*err = first;
	else
		err_set(err, ERR_NEED,
			"no kernel symbols are loaded: give the vmlinux that belongs to this dump");
	return NULL;
}

bool symbols_available(struct target *t)
{
	struct err err;

	return kernel_tab(t, &err) != NULL;
}

/* The modules' tables; why they cannot be read is a warning. */
static void modules_expand(struct target *t)
{
	struct err err;

	/* a vmlinux alone has no modules to miss */
	if (!t->symbols.expanded && mem_loaded(t)) {
		t->symbols.expanded = true; /* first: expanding looks symbols up itself */
		if (t->symbols.expand && !t->symbols.expand(t, &err))
			target_warn(t, err.code, "symbols of modules: %s", err.msg);
	}
	modules_symbols(t);
}

/* ---- by name */

static uint32_t name_hash(const char *s, size_t n)
{
	uint64_t h = n * 0x9e3779b97f4a7c15u;
	uint64_t w;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * 0xd6e8feb86659fd93u;
		h ^= h >> 32;
	}
	w = 0;
	memcpy(&w, s, n);
	h = (h ^ w) * 0xd6e8feb86659fd93u;
	return (uint32_t)(h ^ h >> 32);
}

static void tab_hash(struct symtab *tab)
{
	size_t n = tab->syms.n, cap = 64;

	if (tab->heads || !n)
		return;
	while (cap < n)
		cap *= 2;
	tab->heads =
		memset(xrealloc(NULL, cap * sizeof(*tab->heads)), 0, cap * sizeof(*tab->heads));
	tab->chain = xrealloc(NULL, n * sizeof(*tab->chain));
	tab->mask = (uint32_t)(cap - 1);
	for (size_t i = n; i-- > 0;) { /* backwards, so that chains are in table order */
		const char *name = tab->syms.p[i].name;
		uint32_t *head = &tab->heads[name_hash(name, strlen(name)) & tab->mask];

		tab->chain[i] = *head;
		*head = (uint32_t)(i + 1);
	}
}

static bool type_is_global(char type)
{
	return type >= 'A' && type <= 'Z';
}

/* Static functions may share a name: a global one is meant first, then the first of the table. */
static const struct symbol *tab_find(struct symtab *tab, const char *name, size_t n)
{
	const struct symbol *best = NULL;

	tab_hash(tab);
	if (!tab->heads)
		return NULL;
	for (uint32_t i = tab->heads[name_hash(name, n) & tab->mask]; i; i = tab->chain[i - 1]) {
		const struct symbol *s = &tab->syms.p[i - 1];

		if (strncmp(s->name, name, n) != 0 || s->name[n])
			continue;
		if (type_is_global(s->type)) {
			best = s;
			break;
		}
		if (!best)
			best = s;
	}
	return best;
}

static bool find_in_modules(struct target *t, const char *module, const char *name, size_t n,
			    struct symbol *ret, struct err *err)
{
	bool any = false;

	modules_expand(t);
	if (module)
		module_symbols(t, module);
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];
		const struct symbol *s;
		struct err why;

		if (!tab->module || (module && strcmp(tab->module, module) != 0))
			continue;
		any = true;
		if (!tab_load(t, tab, &why)) {
			if (module) {
				*err = why;
				return false;
			}
			continue;
		}
		s = tab_find(tab, name, n);
		if (s) {
			*ret = *s;
			return true;
		}
	}
	if (module && !any)
		return err_set(err, ERR_NOSYM, "no symbol '%.*s': no module '%s' is loaded", (int)n,
			       name, module);
	return err_set(err, ERR_NOSYM, "no symbol '%.*s'", (int)n, name);
}

bool symbol_find(struct target *t, const char *name, struct symbol *ret, struct err *err)
{
	const char *at = strchr(name, '@');
	size_t n = at ? (size_t)(at - name) : strlen(name);
	bool only_kernel = at && (!strcmp(at + 1, "vmlinux") || !strcmp(at + 1, "kernel"));

	if (!at || only_kernel) {
		struct symtab *tab = kernel_tab(t, err);
		const struct symbol *s = tab ? tab_find(tab, name, n) : NULL;

		if (s) {
			*ret = *s;
			return true;
		}
		if (!tab)
			return false;
		if (only_kernel)
			return err_set(err, ERR_NOSYM, "no symbol '%.*s' in the kernel", (int)n,
				       name);
	}
	return find_in_modules(t, at ? at + 1 : NULL, name, n, ret, err);
}

bool symbol_addr(struct target *t, const char *name, uint64_t *ret)
{
	struct symtab *tab;
	const struct symbol *s;
	struct symbol sym;
	struct err err;

	if (strchr(name, '@')) {
		if (!symbol_find(t, name, &sym, &err))
			return false;
		*ret = sym.addr;
		return true;
	}
	tab = kernel_tab(t, &err);
	s = tab ? tab_find(tab, name, strlen(name)) : NULL;
	if (s)
		*ret = s->addr;
	return s != NULL;
}

/* ---- by address */

struct sort_item {
	uint64_t key;
	uint32_t i;
};

/* Stable, by key: least significant digit first, as many digits as the greatest key has. */
static void sort_items(struct sort_item *v, struct sort_item *tmp, size_t n, uint64_t max)
{
	enum {
		BITS = 11,
		SLOTS = 1 << BITS
	};
	struct sort_item *from = v, *to = tmp;
	size_t count[SLOTS];

	for (unsigned shift = 0; shift < 64 && max >> shift; shift += BITS) {
		size_t sum = 0;
		struct sort_item *swap = from;

		memset(count, 0, sizeof(count));
		for (size_t i = 0; i < n; i++)
			count[from[i].key >> shift & (SLOTS - 1)]++;
		for (size_t d = 0; d < SLOTS; d++) {
			size_t c = count[d];

			count[d] = sum;
			sum += c;
		}
		for (size_t i = 0; i < n; i++)
			to[count[from[i].key >> shift & (SLOTS - 1)]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
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
	const struct symbol *x = &tab->syms.p[a], *y = &tab->syms.p[b];
	int rx, ry;

	if (tab->module)
		return a < b;
	rx = alias_rank(x);
	ry = alias_rank(y);
	return rx != ry ? rx < ry : strcmp(x->name, y->name) < 0;
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
		       ((name[2] == 'e' && !strncmp(name, "__efistub_", 10)) ||
			(name[2] == 'k' && (!strncmp(name, "__kvm_nvhe_$", 12) ||
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

static uint64_t tab_value(struct symtab *tab, const char *name)
{
	const struct symbol *s = tab_find(tab, name, strlen(name));

	return s ? s->addr : 0;
}

static struct bounds tab_bounds(struct symtab *tab)
{
	struct bounds b = { 0, UINT64_MAX, 0, 0 };

	if (tab->module)
		return b;
	b.lo = tab_value(tab, "_text");
	if (!b.lo)
		b.lo = tab_value(tab, "_stext");
	b.hi = tab_value(tab, "_end");
	if (!b.lo || b.hi <= b.lo)
		b = (struct bounds){ 0, UINT64_MAX, 0, 0 };
	b.percpu_lo = tab_value(tab, "__per_cpu_start");
	b.percpu_hi = tab_value(tab, "__per_cpu_end");
	return b;
}

/* Indices of the table's symbols by address; all of them, or those that have a place in memory. */
static size_t tab_order(struct target *t, struct symtab *tab, bool all, uint32_t *v)
{
	struct bounds b = all ? (struct bounds){ 0, UINT64_MAX, 0, 0 } : tab_bounds(tab);
	struct sort_item *items = xrealloc(NULL, (tab->syms.n * 2 + 1) * sizeof(*items));
	uint64_t min = UINT64_MAX, max = 0;
	size_t n = 0;

	for (size_t i = 0; i < tab->syms.n; i++) {
		const struct symbol *s = &tab->syms.p[i];

		if (!all && (s->addr < b.lo || s->addr > b.hi || !has_place(s) ||
			     (s->addr >= b.percpu_lo && s->addr < b.percpu_hi)))
			continue;
		if (!all && !b.lo && t->arch && !t->arch->is_kernel_va(s->addr))
			continue; /* a per-CPU symbol is an offset */
		items[n++] = (struct sort_item){ s->addr, (uint32_t)i };
		min = s->addr < min ? s->addr : min;
	}
	for (size_t i = 0; i < n; i++) {
		items[i].key -= min;
		max = items[i].key > max ? items[i].key : max;
	}
	sort_items(items, items + tab->syms.n, n, max);
	sort_aliases(tab, items, n);
	for (size_t i = 0; i < n; i++)
		v[i] = items[i].i;
	free(items);
	return n;
}

static void tab_sort(struct target *t, struct symtab *tab)
{
	if (tab->sorted)
		return;
	tab->sorted = true;
	vec_reserve(&tab->by_addr, tab->syms.n + 1);
	tab->by_addr.n = tab_order(t, tab, false, tab->by_addr.p);
}

static bool type_is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W' || type == 'i';
}

/* Bytes up to the next address that has a name. */
static uint64_t room_behind(struct target *t, struct symtab *tab, const struct symbol *s)
{
	size_t lo = 0, hi;

	tab_sort(t, tab);
	hi = tab->by_addr.n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tab->syms.p[tab->by_addr.p[mid]].addr <= s->addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < tab->by_addr.n ? tab->syms.p[tab->by_addr.p[lo]].addr - s->addr : 0;
}

static bool tab_each_named(struct target *t, struct symtab *tab, const char *name,
			   bool (*fn)(const struct symbol *sym, uint64_t room, void *arg),
			   void *arg)
{
	tab_hash(tab);
	if (!tab->heads)
		return true;
	for (uint32_t i = tab->heads[name_hash(name, strlen(name)) & tab->mask]; i;
	     i = tab->chain[i - 1]) {
		const struct symbol *s = &tab->syms.p[i - 1];

		if (!strcmp(s->name, name) && !fn(s, room_behind(t, tab, s), arg))
			return false;
	}
	return true;
}

bool symbol_each_named(struct target *t, const char *name, const char *module,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg,
		       struct err *err)
{
	if (!module) {
		struct symtab *tab = kernel_tab(t, err);

		if (tab)
			tab_each_named(t, tab, name, fn, arg);
		return tab != NULL;
	}
	modules_expand(t);
	module_symbols(t, module);
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];

		if (tab->module && !strcmp(tab->module, module) && tab_load(t, tab, err) &&
		    !tab_each_named(t, tab, name, fn, arg))
			break;
	}
	return true;
}

/* How far back a symbol is sought that another one lies inside of. */
#define NESTING_MAX 16

static const struct symbol *tab_at(struct target *t, struct symtab *tab, uint64_t addr)
{
	const struct symbol *syms = tab->syms.p, *s, *next;
	size_t lo = 0, hi, first;

	tab_sort(t, tab);
	hi = tab->by_addr.n;
	while (lo < hi) { /* the first symbol after addr */
		size_t mid = lo + (hi - lo) / 2;

		if (syms[tab->by_addr.p[mid]].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	next = lo < tab->by_addr.n ? &syms[tab->by_addr.p[lo]] : NULL;
	first = lo - 1;
	while (first && syms[tab->by_addr.p[first - 1]].addr == syms[tab->by_addr.p[lo - 1]].addr)
		first--;
	s = &syms[tab->by_addr.p[first]];
	for (size_t i = first; i < lo; i++)
		if (addr - s->addr < syms[tab->by_addr.p[i]].size)
			return s;
	/* kallsyms knows no sizes, assembly labels often have none: they reach up to the next */
	if (addr == s->addr || (!s->size && next))
		return s;
	for (size_t i = first, k = 0; i-- > 0 && k < NESTING_MAX; k++) {
		const struct symbol *outer = &syms[tab->by_addr.p[i]];

		if (addr - outer->addr < outer->size)
			return outer;
	}
	if (!next)
		return tab->hi && !s->size && addr < tab->hi ? s : NULL;
	return type_is_text(s->type) && type_is_text(next->type) ? s : NULL;
}

static bool tab_covers(struct target *t, struct symtab *tab, uint64_t addr)
{
	if (tab->hi)
		return addr >= tab->lo && addr < tab->hi;
	tab_sort(t, tab);
	return tab->by_addr.n && addr >= tab->syms.p[tab->by_addr.p[0]].addr &&
	       addr <= tab->syms.p[tab->by_addr.p[tab->by_addr.n - 1]].addr;
}

/* Many tables can cover one address: a module has several areas, each a table's range or none. */
static const struct symbol *find_at(struct target *t, uint64_t addr, struct err *err)
{
	const struct symbol *s = NULL;
	struct symtab *kernel;

	if (t->arch && !t->arch->is_kernel_va(addr)) {
		err_set_addr(err, ERR_NOSYM, addr, "no symbol at %#lx: not a kernel address",
			     (unsigned long)addr);
		return NULL;
	}
	kernel = kernel_tab(t, err);
	if (kernel && tab_covers(t, kernel, addr))
		s = tab_at(t, kernel, addr);
	if (!s)
		modules_expand(t);
	for (size_t i = 0; !s && i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];
		struct err why;

		if (!tab->module || (tab->hi && (addr < tab->lo || addr >= tab->hi)))
			continue;
		if (tab_load(t, tab, &why) && tab_covers(t, tab, addr))
			s = tab_at(t, tab, addr);
	}
	if (!s && (kernel || t->symbols.tabs.n))
		err_set_addr(err, ERR_NOSYM, addr, "no symbol at %#lx", (unsigned long)addr);
	return s;
}

bool symbol_at(struct target *t, uint64_t addr, struct symbol *ret, uint64_t *offset,
	       struct err *err)
{
	const struct symbol *s = find_at(t, addr, err);

	if (!s)
		return false;
	*ret = *s;
	*offset = addr - s->addr;
	return true;
}

const char *symbol_text(struct target *t, uint64_t addr, struct arena *a)
{
	struct symbol sym;
	uint64_t off;
	struct err err;

	if (!symbol_at(t, addr, &sym, &off, &err))
		return "";
	if (!off && !sym.module)
		return sym.name;
	if (!off)
		return arena_printf(a, "%s [%s]", sym.name, sym.module);
	return arena_printf(a, "%s+%#lx%s%s%s", sym.name, (unsigned long)off,
			    sym.module ? " [" : "", sym.module ? sym.module : "",
			    sym.module ? "]" : "");
}

static bool in_kernel_text(struct symtab *tab, uint64_t addr)
{
	uint64_t lo = tab_value(tab, "_stext"), hi = tab_value(tab, "_etext");

	if (lo && addr >= lo && addr < hi)
		return true;
	lo = tab_value(tab, "_sinittext");
	hi = tab_value(tab, "_einittext");
	return lo && addr >= lo && addr < hi;
}

bool symbol_is_text(struct target *t, uint64_t addr)
{
	struct err err;
	struct symtab *kernel = kernel_tab(t, &err);
	const struct symbol *s;

	if (kernel && in_kernel_text(kernel, addr))
		return true;
	if (kernel && tab_covers(t, kernel, addr) && tab_value(kernel, "_etext"))
		return false;
	s = find_at(t, addr, &err);
	return s && type_is_text(s->type);
}

/* ---- all of them */

bool symbol_each(struct target *t, const char *module,
		 bool (*fn)(const struct symbol *sym, void *arg), void *arg, struct err *err)
{
	bool kernel_only = module && !*module, any = false, go_on = true;
	struct symtab *kernel = NULL;

	if (!module || kernel_only) {
		kernel = kernel_tab(t, err);
		if (!kernel)
			return false;
	}
	if (!kernel_only)
		modules_expand(t);
	for (size_t i = 0; go_on && i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];
		struct err why;
		uint32_t *order;
		size_t n;

		if (tab->module ? kernel_only || (module && strcmp(module, tab->module) != 0)
				: tab != kernel)
			continue;
		any = true;
		if (!tab_load(t, tab, &why)) {
			target_warn(t, why.code, "symbols of '%s': %s", tab->origin, why.msg);
			continue;
		}
		order = xrealloc(NULL, (tab->syms.n + 1) * sizeof(*order));
		n = tab_order(t, tab, true, order);
		for (size_t k = 0; go_on && k < n; k++) {
			if (k % 4096 == 0 && !interrupt_check(err)) {
				free(order);
				return false;
			}
			go_on = fn(&tab->syms.p[order[k]], arg);
		}
		free(order);
	}
	if (module && *module && !any)
		return err_set(err, ERR_NOTFOUND, "no module '%s' is loaded", module);
	return true;
}

void symbols_release(struct target *t)
{
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];

		vec_release(&tab->syms);
		vec_release(&tab->by_addr);
		free(tab->heads);
		free(tab->chain);
	}
	vec_release(&t->symbols.tabs);
	t->symbols = (struct symbols){ 0 };
}
