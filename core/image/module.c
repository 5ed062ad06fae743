/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files say of modules: searched when somebody asks, and remembered, as is what failed. */
#include <string.h>

#include "core/base/guard.h"
#include "core/image/symtab.h"
#include "core/image/target.h"

struct module_slot {
	const char *name;
	bool tried;
	struct module_debug *debug; /* NULL: not tried, or err says why */
	struct err err;
	uint8_t build_id[BUILD_ID_MAX]; /* of the module that is meant, without a dump */
	size_t build_id_n;              /* 0: any */
	struct symtab *tab; /* what the file's symbols are kept in; NULL: not among the tables */
};

const char *module_name(struct arena *a, const char *s, size_t n)
{
	char *name = arena_strndup(a, s, n);

	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static struct module_slot *slot_of(struct target *t, const char *name)
{
	uint64_t *hit = strmap_get(&t->modules.slots, name);
	struct module_slot *slot;

	if (hit)
		return (struct module_slot *)(uintptr_t)*hit;
	slot = ARENA_NEW(&t->arena, struct module_slot);
	slot->name = arena_strdup(&t->arena, name);
	*strmap_put(&t->modules.slots, slot->name, NULL) = (uintptr_t)slot;
	*vec_push(&t->modules.all) = slot;
	return slot;
}

/* As the kernel had it; without a dump, its name, and the build-id where a text has it. */
static bool loaded(struct target *t, const struct module_slot *slot, struct loaded_module *mine,
		   const struct loaded_module **ret, struct err *err)
{
	if (mem_loaded(t) && t->modules.hooks.named)
		return t->modules.hooks.named(t, slot->name, ret, err);
	memset(mine, 0, sizeof(*mine));
	mine->name = slot->name;
	memcpy(mine->build_id, slot->build_id, sizeof(mine->build_id));
	mine->build_id_n = slot->build_id_n;
	*ret = mine;
	return true;
}

static bool slot_open(struct target *t, struct module_slot *slot, const char *path,
		      const char *folder)
{
	const struct loaded_module *m;
	struct loaded_module mine;

	slot->tried = true; /* first: opening it may look symbols up */
	slot->debug = NULL;
	err_set(&slot->err, ERR_NEED, "the file of module '%s' is being opened", slot->name);
	if (!t->modules.reader.open)
		return err_set(&slot->err, ERR_NEED, "no file of module '%s' is loaded",
			       slot->name);
	return loaded(t, slot, &mine, &m, &slot->err) &&
	       t->modules.reader.open(t, m, path, folder, &slot->debug, &slot->err);
}

bool module_debug(struct target *t, const char *name, const struct module_debug **ret,
		  struct err *err)
{
	struct module_slot *slot = slot_of(t, name);

	if (!slot->tried && !slot_open(t, slot, NULL, NULL) && slot->err.code == ERR_INTR)
		slot->tried = false;
	*ret = slot->debug;
	if (!slot->debug)
		*err = slot->err;
	return slot->debug != NULL;
}

const struct module_debug *module_debug_loaded(const struct target *t, const char *name)
{
	uint64_t *hit = strmap_get(&t->modules.slots, name);

	return hit ? ((struct module_slot *)(uintptr_t)*hit)->debug : NULL;
}

bool module_debug_at(struct target *t, uint64_t addr, const struct module_debug **ret,
		     struct err *err)
{
	const struct loaded_module *m;

	if (mem_loaded(t) && t->modules.hooks.at && t->modules.hooks.at(t, addr, &m))
		return module_debug(t, m->name, ret, err);
	for (size_t i = 0; i < t->modules.all.n; i++) {
		const struct module_debug *d = t->modules.all.p[i]->debug;

		if (d && d->invented && addr - d->lo < d->hi - d->lo) {
			*ret = d;
			return true;
		}
	}
	return err_set_addr(err, ERR_NOTFOUND, addr, "no module is at 0x%llx",
			    (unsigned long long)addr);
}

/* ---- symbols */

/* What the kernel's own table says already is left to it. */
struct twin {
	const struct module_debug *d;
	uint64_t addr;
	bool found;
};

static bool same_place(const struct symbol *s, uint64_t room, void *arg)
{
	struct twin *twin = arg;

	(void)room;
	/* a file of another build would only contradict it */
	twin->found = s->addr == twin->addr || !twin->d->verified;
	return !twin->found;
}

static bool file_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	const struct module_slot *slot = tab->self;
	const struct module_debug *d;
	struct err ignored;
	size_t n = 0;

	if (!module_debug(t, slot->name, &d, err) || !t->modules.reader.symbols(t, d, tab, err))
		return false;
	if (d->invented) {
		tab->lo = d->lo;
		tab->hi = d->hi;
		return true;
	}
	for (size_t i = 0; i < tab->syms.n; i++) {
		struct twin twin = { d, tab->syms.p[i].addr, false };

		if (!tab->syms.p[i].size)
			continue;
		(void)!symbol_each_named(t, tab->syms.p[i].name, slot->name, same_place, &twin,
					 &ignored);
		if (!twin.found)
			tab->syms.p[n++] = tab->syms.p[i];
	}
	tab->syms.n = n;
	return true;
}

static void tab_add(struct target *t, struct module_slot *slot, uint64_t lo, uint64_t hi)
{
	struct symtab *tab;

	if (slot->tab)
		return;
	tab = slot->tab = symbols_add(t, slot->name);
	tab->module = slot->name;
	tab->load = file_symbols;
	tab->self = slot;
	tab->lo = lo;
	tab->hi = hi;
}

/* An empty one is left: who looks through all tables passes it by. */
static void tab_forget(struct module_slot *slot)
{
	struct symtab *tab = slot->tab;

	if (!tab)
		return;
	symtab_release(tab);
	*tab = (struct symtab){
		.origin = tab->origin, .module = tab->module, .tried = true, .ok = true
	};
	slot->tab = NULL;
}

static bool extents(struct target *t, const struct module_extent **ret, size_t *n)
{
	struct err ignored;

	return mem_loaded(t) && t->modules.hooks.extents &&
	       t->modules.hooks.extents(t, ret, n, &ignored);
}

void modules_symbols(struct target *t)
{
	const struct module_extent *all;
	size_t n;

	if (t->modules.expanded || !t->modules.reader.has)
		return;
	t->modules.expanded = true;
	if (!mem_loaded(t)) {
		for (size_t i = 0; i < t->modules.given.n; i++)
			module_symbols(t, t->modules.given.p[i]);
		return;
	}
	if (!t->modules.given.n && !t->modules.folders.n && !t->modules.all.n)
		return;
	if (!extents(t, &all, &n))
		return;
	for (size_t i = 0; i < n; i++)
		if (t->modules.reader.has(t, all[i].name) || module_debug_loaded(t, all[i].name))
			tab_add(t, slot_of(t, all[i].name), all[i].lo, all[i].hi);
}

void module_symbols(struct target *t, const char *name)
{
	const struct module_debug *d;
	struct err ignored;

	/* with a dump the kernel's list says which there are */
	if (mem_loaded(t) || !t->modules.reader.open || slot_of(t, name)->tab)
		return;
	if (module_debug(t, name, &d, &ignored))
		tab_add(t, slot_of(t, name), d->lo, d->hi);
}

/* ---- on request */

static void lines_forget(struct target *t)
{
	map_release(&t->lines.cache);
}

bool module_debug_open(struct target *t, const char *name, const char *path, const char *folder,
		       const struct module_debug **ret, struct err *err)
{
	struct module_slot *slot = slot_of(t, name);
	struct module_slot old = *slot;
	const struct module_extent *all;
	size_t n;

	if (!slot_open(t, slot, path, folder)) {
		*err = slot->err;
		*slot = old;
		return false;
	}
	tab_forget(slot);
	lines_forget(t);
	if (t->modules.expanded && extents(t, &all, &n))
		for (size_t i = 0; i < n; i++)
			if (!strcmp(all[i].name, name))
				tab_add(t, slot, all[i].lo, all[i].hi);
	*ret = slot->debug;
	return true;
}

bool module_debug_close(struct target *t, const char *name)
{
	struct module_slot *slot = slot_of(t, name);
	bool was = slot->debug != NULL;

	slot->tried = true;
	slot->debug = NULL;
	err_set(&slot->err, ERR_NEED, "the file of module '%s' was unloaded (mod -s loads one)",
		name);
	tab_forget(slot);
	lines_forget(t);
	return was;
}

static void slot_forget(struct target *t, struct module_slot *slot)
{
	if (slot->tried)
		lines_forget(t);
	slot->tried = false;
	slot->debug = NULL;
	tab_forget(slot);
}

void modules_expect_kernel(struct target *t, const char *release, const struct arch *arch)
{
	const char *now = t->modules.release;

	if (mem_loaded(t) || (now && release ? !strcmp(now, release) : now == release))
		return;
	t->modules.release = release ? arena_strdup(&t->arena, release) : NULL;
	t->modules.arch = arch;
	for (size_t i = 0; i < t->modules.all.n; i++)
		slot_forget(t, t->modules.all.p[i]);
}

void module_expect(struct target *t, const char *name, const char *build_id)
{
	uint8_t id[BUILD_ID_MAX];
	struct module_slot *slot;
	size_t n;

	if (mem_loaded(t) || !build_id_parse(build_id, strlen(build_id), id, &n))
		return;
	slot = slot_of(t, name);
	if (slot->build_id_n == n && !memcmp(slot->build_id, id, n))
		return;
	memcpy(slot->build_id, id, n);
	slot->build_id_n = n;
	if (slot->debug && slot->debug->build_id_n == n && !memcmp(slot->debug->build_id, id, n))
		return;
	slot_forget(t, slot);
}

void modules_check_given(struct target *t)
{
	for (size_t i = 0; i < t->modules.given.n; i++) {
		const struct module_debug *d;
		struct err err;

		if (!module_debug(t, t->modules.given.p[i], &d, &err))
			target_warn(t, err.code, "%s", err.msg);
	}
}

void modules_each_debug(struct target *t, bool search,
			bool (*fn)(const struct module_debug *d, void *arg), void *arg)
{
	const struct module_extent *all;
	const struct module_debug *d;
	struct err ignored;
	size_t n;

	if (search && t->modules.reader.has && extents(t, &all, &n))
		for (size_t i = 0; i < n && interrupt_check(&ignored); i++)
			if (t->modules.reader.has(t, all[i].name))
				(void)!module_debug(t, all[i].name, &d, &ignored);
	for (size_t i = 0; i < t->modules.all.n; i++)
		if (t->modules.all.p[i]->debug && !fn(t->modules.all.p[i]->debug, arg))
			return;
}

bool module_variable(struct target *t, const struct symbol *sym, const struct type **ret,
		     struct err *err)
{
	const struct module_debug *d;

	if (!module_debug(t, sym->module, &d, err)) {
		err->code = err->code == ERR_INTR ? ERR_INTR : ERR_NOTYPE;
		return err_wrap(err, "the type of '%.60s' is not known", sym->name);
	}
	if (!d->types)
		return err_set(err, ERR_NOTYPE,
			       "the type of '%s' is not known: '%s' has no debug info", sym->name,
			       d->path);
	return d->types->variable(d->types, sym->name, sym->addr, ret, err);
}

void modules_release(struct target *t)
{
	vec_release(&t->modules.folders);
	vec_release(&t->modules.given);
	vec_release(&t->modules.all);
	strmap_release(&t->modules.slots);
}
