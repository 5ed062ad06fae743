/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of modules, and of what is built in: their values at the end. */
#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/linux/module/module.h"
#include "core/types/shape.h"

#define PARAMS_MAX 65536u
#define NAME_BYTES 128
#define TEXT_BYTES 1024
#define ELEMENTS_MAX 256u

enum {
	PARAM_NAME,
	PARAM_OPS,
	PARAM_PERM,
	PARAM_ARG
};
static const struct shape_field param_fields[] = {
	[PARAM_NAME] = FIELD("name"),
	[PARAM_OPS] = FIELD("ops"),
	[PARAM_PERM] = FIELD("perm"),
	[PARAM_ARG] = FIELD("arg"),
};
static const struct shape param_shape = SHAPE("struct kernel_param", param_fields);

enum form {
	FORM_SIGNED,
	FORM_UNSIGNED,
	FORM_HEX,
	FORM_BOOL,
	FORM_NOT, /* a bool that is shown the other way round */
	FORM_TEXT_AT,
	FORM_TEXT,
	FORM_ARRAY
};
/* Which functions serve a parameter says what it is: the names of their tables. */
static const struct param_type {
	const char *ops, *name;
	enum form form;
	unsigned size; /* bytes; 0: a word */
} param_types[] = {
	{ "param_ops_byte", "byte", FORM_UNSIGNED, 1 },
	{ "param_ops_short", "short", FORM_SIGNED, 2 },
	{ "param_ops_ushort", "ushort", FORM_UNSIGNED, 2 },
	{ "param_ops_int", "int", FORM_SIGNED, 4 },
	{ "param_ops_uint", "uint", FORM_UNSIGNED, 4 },
	{ "param_ops_long", "long", FORM_SIGNED, 0 },
	{ "param_ops_ulong", "ulong", FORM_UNSIGNED, 0 },
	{ "param_ops_ullong", "ullong", FORM_UNSIGNED, 8 },
	{ "param_ops_hexint", "hexint", FORM_HEX, 4 }, /* "%#08x": eight with the 0x */
	{ "param_ops_bint", "bint", FORM_SIGNED, 4 },
	{ "param_ops_bool", "bool", FORM_BOOL, 1 },
	{ "param_ops_bool_enable_only", "bool", FORM_BOOL, 1 },
	{ "param_ops_invbool", "invbool", FORM_NOT, 1 },
	{ "param_ops_charp", "charp", FORM_TEXT_AT, 0 },
	{ "param_ops_string", "string", FORM_TEXT, 0 },
	{ "param_array_ops", "array", FORM_ARRAY, 0 },
};

struct param_walk {
	struct target *t;
	struct arena *a;
	const struct kmodule *m;                  /* NULL: what is built in */
	uint64_t tables[ARRAY_SIZE(param_types)]; /* where each is; 0: not known */
};

static const struct param_type *type_of(const struct param_walk *w, uint64_t ops)
{
	for (size_t i = 0; ops && i < ARRAY_SIZE(param_types); i++)
		if (w->tables[i] == ops)
			return &param_types[i];
	return NULL;
}

static bool number_text(const struct param_walk *w, const struct param_type *type, uint64_t at,
			struct buf *b, struct err *err)
{
	unsigned size = type->size ? type->size : w->t->arch->word;
	uint8_t bytes[8];
	uint64_t n;

	if (!mem_read(w->t, at, bytes, size, err))
		return false;
	n = target_uint(w->t, bytes, size);
	if (type->form == FORM_BOOL || type->form == FORM_NOT)
		buf_char(b, (n != 0) == (type->form == FORM_BOOL) ? 'Y' : 'N');
	else if (type->form == FORM_HEX)
		buf_printf(b, "0x%06llx", (unsigned long long)n);
	else if (type->form == FORM_UNSIGNED)
		buf_printf(b, "%llu", (unsigned long long)n);
	else
		buf_printf(b, "%lld", (long long)(n << (64 - size * 8)) >> (64 - size * 8));
	return true;
}

static bool lies_between(struct target *t, const char *from, const char *to, uint64_t addr)
{
	uint64_t lo, hi;

	return symbol_addr(t, from, &lo) && symbol_addr(t, to, &hi) && addr >= lo && addr < hi;
}

/* Memory of the start, which the kernel gave to others when that was over. */
static bool was_freed(const struct param_walk *w, uint64_t addr)
{
	const struct kmodule *in;

	if (!w->m)
		return lies_between(w->t, "__init_begin", "__init_end", addr);
	return addr && !module_at(w->t, addr, &in) && !lies_between(w->t, "_stext", "_end", addr);
}

static bool simple_text(const struct param_walk *w, const struct param_type *type, uint64_t at,
			struct module_param *p, struct buf *b, struct err *err)
{
	const char *s;
	uint64_t text = at;

	if (type->form != FORM_TEXT_AT && type->form != FORM_TEXT)
		return number_text(w, type, at, b, err);
	if (type->form == FORM_TEXT
		    ? !field_u64(w->t, "struct kparam_string", at, "string", &text, err)
		    : !mem_ptr(w->t, at, &text, err))
		return false;
	p->freed = was_freed(w, text);
	if (p->freed)
		return true;
	if (!text) {
		buf_str(b, "(null)");
		return true;
	}
	if (!mem_str(w->t, text, TEXT_BYTES, w->a, &s, err))
		return false;
	buf_str(b, s);
	return true;
}

/* Sets p->kind to that of the elements; their values stand between commas. */
static bool array_text(const struct param_walk *w, uint64_t at, struct module_param *p,
		       struct buf *b, struct err *err)
{
	static const char array[] = "struct kparam_array";
	uint64_t max, num, size, ops, elements;
	const struct param_type *type;
	uint32_t n;

	if (!field_u64(w->t, array, at, "max", &max, err) ||
	    !field_u64(w->t, array, at, "num", &num, err) ||
	    !field_u64(w->t, array, at, "elemsize", &size, err) ||
	    !field_u64(w->t, array, at, "ops", &ops, err) ||
	    !field_u64(w->t, array, at, "elem", &elements, err))
		return false;
	type = type_of(w, ops);
	if (!type || type->form == FORM_ARRAY)
		return err_set(err, ERR_OK, "its elements are of a kind of their own");
	p->kind = arena_printf(w->a, "array of %s", type->name);
	p->freed = was_freed(w, elements);
	if (p->freed)
		return true;
	n = (uint32_t)max;
	if (num && !mem_u32(w->t, num, &n, err))
		return false;
	if (n > max || n > ELEMENTS_MAX)
		return err_set_addr(err, ERR_CORRUPT, at, "%u elements are too many", n);
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			buf_char(b, ',');
		if (!simple_text(w, type, elements + i * size, p, b, err))
			return false;
	}
	return true;
}

static void value_read(const struct param_walk *w, uint64_t ops, struct module_param *p)
{
	const struct param_type *type = type_of(w, ops);
	struct buf b = { 0 };
	struct err why;
	bool ok;

	if (!type)
		return;
	p->kind = type->name;
	if (p->freed)
		return;
	ok = type->form == FORM_ARRAY ? array_text(w, p->addr, p, &b, &why)
				      : simple_text(w, type, p->addr, p, &b, &why);
	if (!ok)
		p->why = why;
	else if (!p->freed)
		p->value = arena_printf(w->a, "%.*s", (int)b.n, b.n ? b.s : "");
	buf_release(&b);
}

static bool param_read(const struct param_walk *w, uint64_t addr, struct module_param *p,
		       struct err *err)
{
	uint64_t name, ops;
	struct shaped s;

	*p = (struct module_param){ .why = { .code = ERR_OK } };
	if (!shape_read(w->t, &param_shape, addr, &s, err) ||
	    !shaped_u64(&s, PARAM_NAME, &name, err) || !shaped_u64(&s, PARAM_OPS, &ops, err) ||
	    !shaped_u64(&s, PARAM_PERM, &p->perm, err) ||
	    !shaped_u64(&s, PARAM_ARG, &p->addr, err) ||
	    !mem_str(w->t, name, NAME_BYTES, w->a, &p->name, err))
		return false;
	p->freed = was_freed(w, p->addr);
	value_read(w, ops, p);
	return true;
}

/* The table of a module, or that of the kernel's image. */
static bool table_find(struct target *t, const struct kmodule *m, uint64_t size, uint64_t *at,
		       uint64_t *n, struct err *err)
{
	struct symbol start, stop;

	if (m)
		return field_u64(t, "struct module", m->addr, "kp", at, err) &&
		       field_u64(t, "struct module", m->addr, "num_kp", n, err);
	if (!symbol_find(t, "__start___param", &start, err) ||
	    !symbol_find(t, "__stop___param", &stop, err))
		return false;
	*at = start.addr;
	*n = stop.addr > start.addr ? (stop.addr - start.addr) / size : 0;
	return true;
}

bool module_params_each(struct target *t, struct arena *a, const struct kmodule *m,
			bool (*fn)(const struct module_param *p, void *arg),
			void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct param_walk w = { .t = t, .a = a, .m = m };
	const struct type *type;
	uint64_t at, n;

	for (size_t i = 0; i < ARRAY_SIZE(param_types); i++)
		if (!symbol_addr(t, param_types[i].ops, &w.tables[i]))
			w.tables[i] = 0;
	if (!type_find(t, "struct kernel_param", &type, err) || !type->size ||
	    !table_find(t, m, type->size, &at, &n, err))
		return false;
	if (n > PARAMS_MAX)
		return err_set_addr(err, ERR_CORRUPT, at, "%llu parameters are too many",
				    (unsigned long long)n);
	for (uint64_t i = 0; i < n && interrupt_check(err); i++) {
		struct module_param p;
		struct err why;

		if (!param_read(&w, at + i * type->size, &p, &why)) {
			err_wrap(&why, "parameter %llu", (unsigned long long)i);
			flaw(&why, arg);
		} else if (!fn(&p, arg)) {
			break;
		}
	}
	return interrupt_check(err);
}
