/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of the kernel and of its modules, whichever table they are in. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/symtab.h"
#include "core/image/target.h"

struct symtab *symbols_add(struct target *t, const char *origin)
{
	struct symtab *tab = ARENA_NEW(&t->arena, struct symtab);

	tab->origin = origin;
	*vec_push(&t->symbols.tabs) = tab;
	return tab;
}

/* The first kernel table that loads; NULL with *err when there is none. */
static struct symtab *kernel_tab(struct target *t, struct err *err)
{
	struct err first = { 0 };

	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];

		if (tab->module)
			continue;
		if (symtab_load(t, tab, err))
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

bool symbols_complete(struct target *t)
{
	struct err err;
	struct symtab *tab = kernel_tab(t, &err);

	return tab && !tab->partial;
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

static bool find_in_modules(struct target *t, const char *module, const char *name, size_t n,
			    struct symbol *ret, struct err *err)
{
	bool any = false;

	modules_expand(t);
	if (module)
		module_symbols(t, module);
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];
		struct err why;

		if (!tab->module || (module && strcmp(tab->module, module) != 0))
			continue;
		any = true;
		if (!symtab_load(t, tab, &why)) {
			if (module) {
				*err = why;
				return false;
			}
			continue;
		}
		if (symtab_find(tab, name, n, ret))
			return true;
	}
	if (module && !any)
		return err_set(err, ERR_NOSYM, "no symbol '%.*s': no module '%s' is loaded", (int)n,
			       name, module);
	return err_set(err, ERR_NOSYM, "no symbol '%.*s'%s", (int)n, name,
		       module || symbols_complete(t)
			       ? ""
			       : " among those that are known: give the vmlinux");
}

/* In the kernel's table, or proved where that is partial. */
static bool find_in_kernel(struct target *t, struct symtab *tab, const char *name, size_t n,
			   struct symbol *ret)
{
	return symtab_find(tab, name, n, ret) ||
	       (tab->partial && t->symbols.prove &&
		t->symbols.prove(t, arena_strndup(t->scratch, name, n), ret));
}

bool symbol_find(struct target *t, const char *name, struct symbol *ret, struct err *err)
{
	const char *at = strchr(name, '@');
	size_t n = at ? (size_t)(at - name) : strlen(name);
	bool only_kernel = at && (!strcmp(at + 1, "vmlinux") || !strcmp(at + 1, "kernel"));

	if (!at || only_kernel) {
		struct symtab *tab = kernel_tab(t, err);

		/* files of modules answer alone, too */
		if (!tab && (only_kernel || !t->modules.given.n))
			return false;
		if (tab && find_in_kernel(t, tab, name, n, ret))
			return true;
		if (only_kernel)
			return err_set(err, ERR_NOSYM, "no symbol '%.*s' in the kernel", (int)n,
				       name);
	}
	return find_in_modules(t, at ? at + 1 : NULL, name, n, ret, err);
}

bool symbol_addr(struct target *t, const char *name, uint64_t *ret)
{
	struct symtab *tab;
	struct symbol sym;
	struct err err;

	if (strchr(name, '@')) {
		if (!symbol_find(t, name, &sym, &err))
			return false;
	} else {
		tab = kernel_tab(t, &err);
		if (!tab || !find_in_kernel(t, tab, name, strlen(name), &sym))
			return false;
	}
	*ret = sym.addr;
	return true;
}

bool symbol_each_named(struct target *t, const char *name, const char *module,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg,
		       struct err *err)
{
	if (!module) {
		struct symtab *tab = kernel_tab(t, err);
		struct symbol sym;

		if (tab && symtab_find(tab, name, strlen(name), &sym))
			symtab_each_named(t, tab, name, fn, arg);
		else if (tab && find_in_kernel(t, tab, name, strlen(name), &sym))
			fn(&sym, 0, arg);
		return tab || t->modules.given.n;
	}
	modules_expand(t);
	module_symbols(t, module);
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];

		if (tab->module && !strcmp(tab->module, module) && symtab_load(t, tab, err) &&
		    !symtab_each_named(t, tab, name, fn, arg))
			break;
	}
	return true;
}

/* ---- by address */

/* Many tables can cover one address: a module has several areas, each a table's range or none. */
static bool find_at(struct target *t, uint64_t addr, struct symbol *ret, struct err *err)
{
	struct symtab *kernel;

	if (t->arch && !t->arch->is_kernel_va(addr))
		return err_set_addr(err, ERR_NOSYM, addr, "no symbol at %#lx: not a kernel address",
				    (unsigned long)addr);
	kernel = kernel_tab(t, err);
	if (kernel && symtab_covers(t, kernel, addr) && symtab_at(t, kernel, addr, ret))
		return true;
	modules_expand(t);
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];
		struct err why;

		if (!tab->module || (tab->hi && (addr < tab->lo || addr >= tab->hi)))
			continue;
		if (symtab_load(t, tab, &why) && symtab_covers(t, tab, addr) &&
		    symtab_at(t, tab, addr, ret))
			return true;
	}
	if (kernel || t->symbols.tabs.n)
		err_set_addr(err, ERR_NOSYM, addr, "no symbol at %#lx", (unsigned long)addr);
	return false;
}

bool symbol_at(struct target *t, uint64_t addr, struct symbol *ret, uint64_t *offset,
	       struct err *err)
{
	if (!find_at(t, addr, ret, err))
		return false;
	*offset = addr - ret->addr;
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
	uint64_t lo = symtab_value(tab, "_stext"), hi = symtab_value(tab, "_etext");

	if (lo && addr >= lo && addr < hi)
		return true;
	lo = symtab_value(tab, "_sinittext");
	hi = symtab_value(tab, "_einittext");
	return lo && addr >= lo && addr < hi;
}

bool symbol_is_text(struct target *t, uint64_t addr)
{
	struct err err;
	struct symtab *kernel = kernel_tab(t, &err);
	struct symbol s;

	if (kernel && in_kernel_text(kernel, addr))
		return true;
	if (kernel && symtab_covers(t, kernel, addr) && symtab_value(kernel, "_etext"))
		return false;
	return find_at(t, addr, &s, &err) && symtab_is_text(&s);
}

/* ---- all of them */

/* What is called for all. */
struct each {
	bool (*fn)(const struct symbol *sym, void *arg); /* in order of addresses */
	bool (*named)(const char *name, void *arg);      /* or this, in no order */
	void *arg;
};

/* False: stop, or (*err is set) interrupted. */
static bool each_in_order(struct symtab *tab, const struct each *e, struct err *err)
{
	uint32_t *order = xrealloc(NULL, (symtab_count(tab) + 1) * sizeof(*order));
	size_t n = symtab_order(tab, order);
	bool go_on = true;
	struct symbol sym;

	for (size_t k = 0; go_on && k < n; k++) {
		if (k % 4096 == 0 && !interrupt_check(err))
			go_on = false;
		else if (symtab_get(tab, order[k], &sym))
			go_on = e->fn(&sym, e->arg);
	}
	free(order);
	return go_on;
}

static bool each_of(struct symtab *tab, const struct each *e, struct err *err)
{
	size_t n = symtab_count(tab);

	if (e->fn)
		return each_in_order(tab, e, err);
	for (size_t i = 0; i < n; i++) {
		const char *name = symtab_name(tab, i);

		if (i % 4096 == 0 && !interrupt_check(err))
			return false;
		if (name && !e->named(name, e->arg))
			return false;
	}
	return true;
}

static bool each_of_all(struct target *t, const char *module, const struct each *e, struct err *err)
{
	bool kernel_only = module && !*module, any = false;
	struct symtab *kernel = NULL;

	if (!module || kernel_only) {
		kernel = kernel_tab(t, err);
		if (!kernel)
			return false;
	}
	if (!kernel_only)
		modules_expand(t);
	err->code = ERR_OK;
	for (size_t i = 0; i < t->symbols.tabs.n; i++) {
		struct symtab *tab = t->symbols.tabs.p[i];
		struct err why;

		if (tab->module ? kernel_only || (module && strcmp(module, tab->module) != 0)
				: tab != kernel)
			continue;
		any = true;
		if (!symtab_load(t, tab, &why))
			target_warn(t, why.code, "symbols of '%s': %s", tab->origin, why.msg);
		else if (!each_of(tab, e, err))
			return err->code == ERR_OK;
	}
	if (module && *module && !any)
		return err_set(err, ERR_NOTFOUND, "no module '%s' is loaded", module);
	return true;
}

bool symbol_each(struct target *t, const char *module,
		 bool (*fn)(const struct symbol *sym, void *arg), void *arg, struct err *err)
{
	return each_of_all(t, module, &(struct each){ .fn = fn, .arg = arg }, err);
}

bool symbol_each_name(struct target *t, bool (*fn)(const char *name, void *arg), void *arg,
		      struct err *err)
{
	return each_of_all(t, NULL, &(struct each){ .named = fn, .arg = arg }, err);
}

void symbols_release(struct target *t)
{
	for (size_t i = 0; i < t->symbols.tabs.n; i++)
		symtab_release(t->symbols.tabs.p[i]);
	vec_release(&t->symbols.tabs);
	t->symbols = (struct symbols){ 0 };
}
