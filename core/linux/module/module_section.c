/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the sections of modules were, and which build they are of: what sysfs showed of them. */
#include <string.h>

#include "core/linux/module/module_impl.h"
#include "core/linux/module/module.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"
#include "core/image/build_id.h"

#define SECTIONS_MAX 4096u
#define NOTES_MAX 4096u

enum {
	MOD_SECT_ATTRS,
	MOD_SRCVERSION,
	MOD_BUILD_ID,
	MOD_FIELDS
};
static const struct shape_field module_fields[MOD_FIELDS] = {
	[MOD_SECT_ATTRS] = FIELD_MAYBE("sect_attrs"),
	[MOD_SRCVERSION] = FIELD("srcversion"),
	[MOD_BUILD_ID] = FIELD_MAYBE("build_id"), /* only with CONFIG_STACKTRACE_BUILD_ID */
};
static const struct shape module_shape = SHAPE("struct module", module_fields);

/* How the array of sections lies in struct module_sect_attrs. */
struct section_layout {
	uint64_t n_off;     /* of nsections */
	uint64_t bin_attrs; /* where there is no nsections: of grp.bin_attrs, NULL at its end */
	bool counted;
	uint64_t attrs, stride; /* of attrs[] */
	uint64_t name, address; /* in an element */
};

static bool member_off(const struct type *type, const char *const *paths, uint64_t *ret,
		       struct err *err)
{
	struct member_ref ref;

	for (; *paths; paths++)
		if (type_member(type, *paths, &ref, err)) {
			*ret = ref.offset;
			return true;
		}
	return false;
}

static bool layout_find(struct target *t, struct section_layout *l, struct err *err)
{
	/* ed66f991bb19 (v5.8) made a bin_attribute of each; 34f5ec0f8252 (v6.14) let its private
	 * be the address and dropped the count */
	static const char *const names[] = { "battr.attr.name", "attr.name", "name", NULL };
	static const char *const addresses[] = { "address", "private", NULL };
	const struct type *type, *element;
	struct member_ref ref;
	struct err ignored;

	if (!type_find(t, "struct module_sect_attrs", &type, err) ||
	    !type_member(type, "attrs", &ref, err))
		return false;
	l->attrs = ref.offset;
	element = type_strip(type_target(type_strip(ref.type)));
	l->stride = element->size;
	if (!l->stride || !member_off(element, names, &l->name, err) ||
	    !member_off(element, addresses, &l->address, err))
		return l->stride ||
		       err_set(err, ERR_NOTYPE, "module_sect_attrs.attrs[] has no size");
	l->counted = type_member(type, "nsections", &ref, &ignored);
	if (l->counted) {
		l->n_off = ref.offset;
		return true;
	}
	if (!type_member(type, "grp.bin_attrs", &ref, err))
		return false;
	l->bin_attrs = ref.offset;
	return true;
}

static bool sections_count(struct target *t, const struct section_layout *l, uint64_t attrs,
			   uint32_t *ret, struct err *err)
{
	uint64_t list, p;

	if (l->counted)
		return mem_u32(t, attrs + l->n_off, ret, err);
	if (!mem_ptr(t, attrs + l->bin_attrs, &list, err))
		return false;
	for (*ret = 0; *ret < SECTIONS_MAX; ++*ret)
		if (!mem_ptr(t, list + *ret * t->arch->word, &p, err))
			return false;
		else if (!p)
			break;
	return true;
}

static bool is_here(const struct found_module *f, uint64_t addr)
{
	for (size_t i = 0; i < f->m.n_parts; i++)
		if (addr - f->m.parts[i][0] < f->m.parts[i][1])
			return true;
	return f->percpu_size && addr - f->percpu < f->percpu_size;
}

static bool sections_read(struct target *t, const struct found_module *f, uint64_t attrs,
			  struct loaded_module *m, struct err *err)
{
	struct module_section *v;
	struct section_layout l = { 0 };
	uint32_t n;

	if (!attrs)
		return err_set(err, ERR_NEED, "the kernel kept no places of its sections");
	if (!layout_find(t, &l, err) || !sections_count(t, &l, attrs, &n, err))
		return false;
	if (n > SECTIONS_MAX)
		return err_set(err, ERR_LIMIT, "it claims %u sections", n);
	v = ARENA_ARRAY(&t->arena, struct module_section, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = attrs + l.attrs + i * l.stride, name, addr;

		if (!mem_ptr(t, at + l.name, &name, err) || !mem_ptr(t, at + l.address, &addr, err))
			return false;
		/* what was freed after start-up may be another module's now */
		if (!is_here(f, addr))
			continue;
		if (!mem_str(t, name, 256, &t->arena, &v[m->n_sections].name, err))
			return false;
		v[m->n_sections++].addr = addr;
	}
	m->sections = v;
	return m->n_sections || err_set(err, ERR_CORRUPT, "none of its sections is where it is");
}

static void build_id_read(struct target *t, const struct shaped *s, struct loaded_module *m)
{
	uint8_t notes[NOTES_MAX];
	struct err ignored;
	uint64_t off;
	size_t n;

	for (size_t i = 0; i < m->n_sections; i++) {
		if (strcmp(m->sections[i].name, ".note.gnu.build-id") != 0)
			continue;
		n = mem_read_some(t, m->sections[i].addr, notes, sizeof(notes), &ignored);
		if (build_id_find(SPAN(notes, n), m->build_id, &m->build_id_n))
			return;
	}
	if (shaped_has(s, MOD_BUILD_ID) &&
	    shape_offset(t, &module_shape, MOD_BUILD_ID, &off, &ignored) &&
	    mem_read(t, s->addr + off, m->build_id, 20, &ignored))
		m->build_id_n = 20;
}

static const struct loaded_module *module_load(struct target *t, struct found_module *f)
{
	struct loaded_module *m = ARENA_NEW(&t->arena, struct loaded_module);
	uint64_t attrs = 0, srcversion = 0;
	struct err ignored;
	struct shaped s;

	f->loaded = m;
	m->name = f->m.name;
	if (!shape_read(t, &module_shape, f->m.addr, &s, &m->why))
		return m;
	attrs = shaped_u64_or(&s, MOD_SECT_ATTRS, 0);
	if (!sections_read(t, f, attrs, m, &m->why)) {
		m->n_sections = 0;
		err_wrap(&m->why, "places of its sections");
	}
	srcversion = shaped_u64_or(&s, MOD_SRCVERSION, 0);
	if (srcversion && !mem_str(t, srcversion, 64, &t->arena, &m->srcversion, &ignored))
		m->srcversion = NULL;
	build_id_read(t, &s, m);
	return m;
}

static bool hook_named(struct target *t, const char *name, const struct loaded_module **ret,
		       struct err *err)
{
	struct module_state *st = module_state(t);
	const struct kmodule *all;
	size_t n;

	if (!modules_all(t, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct found_module *f = &st->found.p[i];

		if (strcmp(f->m.name, name) != 0)
			continue;
		*ret = f->loaded ? f->loaded : module_load(t, f);
		return true;
	}
	return err_set(err, ERR_NOTFOUND, "no module '%s' is loaded", name);
}

static bool hook_at(struct target *t, uint64_t addr, const struct loaded_module **ret)
{
	const struct kmodule *m;
	struct err ignored;

	return module_at(t, addr, &m) && hook_named(t, m->name, ret, &ignored);
}

static bool hook_extents(struct target *t, const struct module_extent **ret, size_t *n,
			 struct err *err)
{
	struct module_state *st = module_state(t);
	const struct kmodule *all;

	if (!modules_all(t, &all, n, err))
		return false;
	if (!st->extents)
		st->extents = ARENA_ARRAY(&t->arena, struct module_extent, *n + 1);
	for (size_t i = 0; i < *n; i++) {
		struct module_extent *x = &st->extents[i];

		*x = (struct module_extent){ all[i].name, UINT64_MAX, 0 };
		for (size_t k = 0; k < all[i].n_parts; k++) {
			uint64_t lo = all[i].parts[k][0], hi = lo + all[i].parts[k][1];

			x->lo = lo < x->lo ? lo : x->lo;
			x->hi = hi > x->hi ? hi : x->hi;
		}
	}
	*ret = st->extents;
	return true;
}

void linux_module_init(struct target *t)
{
	t->modules.hooks = (struct module_hooks){
		.at = hook_at, .named = hook_named, .extents = hook_extents, .btf = linux_module_btf
	};
}
