/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded modules: where they are, what /proc/modules said of them. */
#include <string.h>

#include "core/linux/module/module_impl.h"
#include "core/linux/container/list.h"
#include "core/linux/module/module.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"

#define WARN_MAX 8 /* as many damaged modules are named, each with its reason */

enum {
	MOD_STATE,
	MOD_LIST,
	MOD_NAME,
	MOD_TAINTS,
	MOD_REFCNT,
	MOD_KALLSYMS,
	MOD_PERCPU,
	MOD_PERCPU_SIZE,
	MOD_CORE,
	MOD_CORE_SIZE,
	MOD_CORE_TEXT,
	MOD_INIT,
	MOD_INIT_SIZE,
	MOD_DATA,
	MOD_DATA_SIZE,
	MOD_FIELDS
};
static const struct shape_field module_fields[MOD_FIELDS] = {
	[MOD_STATE] = FIELD("state"),
	[MOD_LIST] = FIELD("list"),
	[MOD_NAME] = FIELD("name"),
	[MOD_TAINTS] = FIELD("taints"),
	[MOD_REFCNT] = FIELD_MAYBE("refcnt.counter"),
	[MOD_KALLSYMS] = FIELD_MAYBE("kallsyms"),
	[MOD_PERCPU] = FIELD_MAYBE("percpu"),
	[MOD_PERCPU_SIZE] = FIELD_MAYBE("percpu_size"),
	/* 7523e4dc5057 (v4.5) made the layouts, ac3b43283923 (v6.4) made mem[] of them */
	[MOD_CORE] = FIELD_ALT("core_layout.base", "module_core"),
	[MOD_CORE_SIZE] = FIELD_ALT("core_layout.size", "core_size"),
	[MOD_CORE_TEXT] = FIELD_ALT("core_layout.text_size", "core_text_size"),
	[MOD_INIT] = FIELD_ALT("init_layout.base", "module_init"),
	[MOD_INIT_SIZE] = FIELD_ALT("init_layout.size", "init_size"),
	[MOD_DATA] = FIELD_MAYBE("data_layout.base"),
	[MOD_DATA_SIZE] = FIELD_MAYBE("data_layout.size"),
};
static const struct shape module_shape = SHAPE("struct module", module_fields);

struct module_state *module_state(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_MODULE];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct module_state);
	return *cell;
}

void linux_module_release(struct target *t)
{
	struct module_state *st = t->linux_state->of[LINUX_MODULE];

	if (!st)
		return;
	vec_release(&st->found);
	map_release(&st->seen);
	vec_release(&st->btfs);
}

/* Letters of the flags that modules can carry, kernel/panic.c; "?" for one that is new since. */
static const char *taint_text(struct arena *a, uint64_t taints)
{
	static const struct {
		unsigned bit;
		char letter;
	} flags[] = { { 0, 'P' },  { 1, 'F' },  { 10, 'C' }, { 12, 'O' }, { 13, 'E' },
		      { 15, 'K' }, { 16, 'X' }, { 18, 'N' }, { 19, 'J' } };
	char text[ARRAY_SIZE(flags) + 2] = "";
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (taints >> flags[i].bit & 1)
			text[n++] = flags[i].letter;
		taints &= ~(1ull << flags[i].bit);
	}
	if (taints)
		text[n++] = '?';
	return n ? arena_printf(a, "(%s)", text) : "";
}

/* enum module_state, include/linux/module.h */
static const char *state_name(uint64_t state)
{
	static const char *const names[] = { "Live", "Loading", "Unloading", "Unformed" };

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

static void part_add(struct kmodule *m, uint64_t base, uint64_t size)
{
	if (!base || !size || m->n_parts == ARRAY_SIZE(m->parts))
		return;
	m->parts[m->n_parts][0] = base;
	m->parts[m->n_parts++][1] = size;
}

/* Where mem[]'s elements lie, asked once. */
static void mem_layout(struct target *t, struct module_state *st)
{
	struct member_ref ref;
	struct err ignored;
	const struct type *module, *array;

	st->mem_tried = true;
	if (!type_find(t, "struct module", &module, &ignored) ||
	    !type_member(module, "mem", &ref, &ignored))
		return;
	array = type_strip(ref.type);
	if (array->kind != TYPE_ARRAY || array->count > ARRAY_SIZE(((struct kmodule *)0)->parts))
		return;
	st->mem_off = ref.offset;
	st->mem_stride = array->count ? array->size / array->count : 0;
	if (!type_member(module, "mem[0].base", &ref, &ignored))
		return;
	st->mem_base = ref.offset - st->mem_off;
	if (!type_member(module, "mem[0].size", &ref, &ignored))
		return;
	st->mem_size = ref.offset - st->mem_off;
	st->mem_n = (unsigned)array->count;
}

/* mem[0] is the text, and /proc/modules' size is the sum of all. */
static bool read_mem(struct target *t, struct module_state *st, struct kmodule *m, struct err *err)
{
	uint8_t bytes[8 * 256];
	size_t n = st->mem_n * st->mem_stride;

	if (n > sizeof(bytes) || st->mem_base + t->arch->word > st->mem_stride ||
	    st->mem_size + 4 > st->mem_stride)
		return err_set(err, ERR_LIMIT, "'struct module' has a mem[] of %zu bytes", n);
	if (!mem_read(t, m->addr + st->mem_off, bytes, n, err))
		return false;
	for (unsigned i = 0; i < st->mem_n; i++) {
		const uint8_t *p = bytes + i * st->mem_stride;
		uint64_t base = target_uint(t, p + st->mem_base, t->arch->word),
			 size = target_u32(t, p + st->mem_size);

		if (i == 0) {
			m->base = m->text_base = base;
			m->text_size = size;
		}
		m->size += size;
		part_add(m, base, size);
	}
	return true;
}

static bool read_layouts(const struct shaped *s, struct kmodule *m, struct err *err)
{
	uint64_t size, init = shaped_u64_or(s, MOD_INIT_SIZE, 0),
		       data = shaped_u64_or(s, MOD_DATA_SIZE, 0);

	if (!shaped_u64(s, MOD_CORE, &m->base, err) || !shaped_u64(s, MOD_CORE_SIZE, &size, err))
		return false;
	m->text_base = m->base;
	m->text_size = shaped_u64_or(s, MOD_CORE_TEXT, 0);
	m->size = size + init + data;
	part_add(m, m->base, size);
	part_add(m, shaped_u64_or(s, MOD_INIT, 0), init);
	part_add(m, shaped_u64_or(s, MOD_DATA, 0), data);
	return true;
}

static bool module_read(struct target *t, uint64_t addr, struct found_module *ret, struct err *err)
{
	struct module_state *st = module_state(t);
	struct kmodule *m = &ret->m;
	struct shaped s;

	if (!shape_read(t, &module_shape, addr, &s, err))
		return false;
	if (!st->mem_tried)
		mem_layout(t, st);
	m->addr = addr;
	if (!shaped_str(&s, MOD_NAME, &t->arena, &m->name, err))
		return false;
	if (!(st->mem_n ? read_mem(t, st, m, err) : read_layouts(&s, m, err)))
		return err_wrap(err, "module '%s'", m->name);
	m->state = state_name(shaped_u64_or(&s, MOD_STATE, UINT64_MAX));
	m->taints = shaped_u64_or(&s, MOD_TAINTS, 0);
	m->taint_text = taint_text(&t->arena, m->taints);
	/* one reference is the module's own, MODULE_REF_BASE */
	m->refcnt = (int32_t)shaped_u64_or(&s, MOD_REFCNT, 1) - 1;
	ret->kallsyms = shaped_u64_or(&s, MOD_KALLSYMS, 0);
	ret->percpu = shaped_u64_or(&s, MOD_PERCPU, 0);
	ret->percpu_size = shaped_u64_or(&s, MOD_PERCPU_SIZE, 0);
	return true;
}

static bool module_found(uint64_t addr, void *arg)
{
	struct target *t = arg;
	struct module_state *st = module_state(t);
	struct found_module *m;
	struct err err;
	bool isnew;

	map_put(&st->seen, addr, &isnew);
	if (!isnew)
		return true;
	if (st->found.n + st->warned >= MODULES_MAX)
		return false;
	m = vec_push(&st->found);
	if (!module_read(t, addr, m, &err)) {
		st->found.n--;
		if (st->flaw.code == ERR_OK)
			st->flaw = err;
		if (++st->warned <= WARN_MAX)
			target_warn(t, err.code, "module 0x%llx: %s", (unsigned long long)addr,
				    err.msg);
	}
	return true;
}

/* Behind a break in the list: from its other end, up to what is known. */
static bool module_found_back(uint64_t addr, void *arg)
{
	struct target *t = arg;

	return map_get(&module_state(t)->seen, addr) ? false : module_found(addr, arg);
}

static bool modules_walk(struct target *t, struct module_state *st, struct err *err)
{
	uint64_t head, off;

	if (!symbol_addr(t, "modules", &head))
		return symbols_complete(t) ||
		       err_set(err, ERR_NEED,
			       "modules: %s: give the vmlinux that belongs to this dump",
			       symbols_available(t)
				       ? "no symbol 'modules' among those that are known"
				       : "no kernel symbols");
	if (!shape_offset(t, &module_shape, MOD_LIST, &off, err))
		return err_wrap(err, "modules");
	if (list_each(t, head, off, "module list", module_found, t, err))
		return true;
	if (err->code == ERR_INTR || !st->found.n)
		return false;
	st->flaw = *err;
	target_warn(t, err->code, "%s", err->msg);
	if (!list_each_back(t, head, off, "module list", module_found_back, t, err))
		target_warn(t, err->code, "backwards: %s", err->msg);
	return true;
}

static void modules_keep(struct target *t, struct module_state *st)
{
	st->all = ARENA_ARRAY(&t->arena, struct kmodule, st->found.n ? st->found.n : 1);
	for (size_t i = 0; i < st->found.n; i++)
		st->all[i] = st->found.p[i].m;
}

bool modules_all(struct target *t, const struct kmodule **ret, size_t *n, struct err *err)
{
	struct module_state *st = module_state(t);

	if (!st->tried) {
		st->ok = modules_walk(t, st, &st->err);
		st->tried = st->ok || st->err.code != ERR_INTR;
		if (st->ok) {
			modules_keep(t, st);
		} else if (!st->tried) {
			map_release(&st->seen);
			vec_release(&st->found);
		}
	}
	if (!st->ok) {
		*err = st->err;
		return false;
	}
	*ret = st->all;
	*n = st->found.n;
	return true;
}

bool modules_complete(struct target *t, struct err *err)
{
	const struct module_state *st = module_state(t);
	const struct kmodule *all;
	size_t n;

	if (!modules_all(t, &all, &n, err))
		return false;
	*err = st->flaw;
	return st->flaw.code == ERR_OK;
}

bool module_symbol(struct target *t, const char *name, const char *module, struct symbol *ret,
		   struct err *err)
{
	const struct kmodule *all;
	struct err why;
	size_t n;

	if (symbol_find(t, name, ret, err))
		return true;
	/* what is lost of the kernel's names may be this one */
	if (err->code != ERR_NOSYM || !symbols_complete(t))
		return false;
	if (!modules_all(t, &all, &n, &why)) {
		*err = why;
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i].name, module))
			return err_wrap(err, "the module %s is loaded", module);
	if (!modules_complete(t, &why)) {
		*err = why;
		return err_wrap(err, "whether the module %s is loaded", module);
	}
	return err_set(err, ERR_NOTFOUND, "the module %s is not loaded", module);
}

bool module_at(struct target *t, uint64_t addr, const struct kmodule **ret)
{
	const struct kmodule *all;
	struct err ignored;
	size_t n;

	if (!modules_all(t, &all, &n, &ignored))
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < all[i].n_parts; k++)
			if (addr - all[i].parts[k][0] < all[i].parts[k][1]) {
				*ret = &all[i];
				return true;
			}
	return false;
}

bool module_percpu(struct target *t, const char *module, uint64_t *lo, uint64_t *hi)
{
	struct module_state *st = module_state(t);
	const struct kmodule *all;
	struct err ignored;
	size_t n;

	if (!modules_all(t, &all, &n, &ignored))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct found_module *m = &st->found.p[i];

		if (strcmp(m->m.name, module) != 0 || !m->percpu_size)
			continue;
		*lo = m->percpu;
		*hi = m->percpu + m->percpu_size;
		return true;
	}
	return false;
}
