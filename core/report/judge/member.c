/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which member of which struct the trapping instruction reached for: the register it went through
 * is looked up among the variables that live there, or traced to the load it came of. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/report/report.h"
#include "core/types/frame_info.h"
#include "core/image/target.h"
#include "core/image/type.h"

#define DEPTH 8
#define GUESSES_MAX 3

/* No address of any kernel, so that a variable with this value is one that lives in the register.
 */
#define MARK UINT64_C(0x5eed000000000000)

/* "a.b[2].c": what lies at that offset of a struct. False: nothing begins there or contains it. */
static bool path_at(const struct type *type, uint64_t off, struct buf *b, unsigned depth)
{
	const struct member *m;
	size_t n;

	type = type_strip(type);
	if (type->kind == TYPE_ARRAY) {
		const struct type *elem = type_target(type);

		if (!elem->size || off >= type->size)
			return false;
		buf_printf(b, "[%" PRIu64 "]", off / elem->size);
		return path_at(elem, off % elem->size, b, depth + 1) || true;
	}
	if ((type->kind != TYPE_STRUCT && type->kind != TYPE_UNION) || depth > DEPTH)
		return false;
	m = type_members(type, &n);
	for (size_t i = 0; i < n; i++) {
		uint64_t at = m[i].bit_off / 8, size = m[i].type->size;
		size_t mark = b->n;

		if (off < at || off >= at + (size ? size : 1))
			continue;
		if (m[i].name)
			buf_printf(b, "%s%s", b->n && b->s[b->n - 1] != ' ' ? "." : "", m[i].name);
		if (path_at(m[i].type, off - at, b, depth + 1) || m[i].name)
			return true;
		b->n = mark;
		b->s[mark] = '\0';
	}
	return false;
}

/* The struct that a pointer points to; NULL: it is none. */
static const struct type *pointee(const struct type *type)
{
	type = type_strip(type);
	if (type->kind != TYPE_POINTER)
		return NULL;
	type = type_strip(type_target(type));
	return (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) && type->size ? type : NULL;
}

/* "struct foo.bar": the member of what a pointer points to. */
static bool member_text(const struct type *pointer, int64_t off, struct buf *b)
{
	const struct type *type = pointee(pointer);
	struct buf path = { 0 };
	bool ok = false;

	if (type && off >= 0 && (uint64_t)off < type->size &&
	    path_at(type, (uint64_t)off, &path, 0)) {
		buf_printf(b, "%s %s.%s", type->kind == TYPE_UNION ? "union" : "struct",
			   type->name ? type->name : "(anonymous)", buf_text(&path));
		ok = true;
	}
	buf_release(&path);
	return ok;
}

static bool register_number(const struct target *t, const char *name, unsigned *ret)
{
	for (unsigned i = 0; name && i < REGS_MAX; i++)
		if (t->arch->reg_names[i] && !strcmp(t->arch->reg_names[i], name)) {
			*ret = i;
			return true;
		}
	return false;
}

/* The variables at pc, each register holding a mark of its own. */
static bool variables_at(struct report *r, struct target *t, uint64_t pc,
			 const struct variable **ret, size_t *n)
{
	struct frame_at f = { .pc = pc, .exact = true };
	struct err err;

	for (unsigned i = 0; i < REGS_MAX; i++)
		if (t->arch->reg_names[i])
			regs_set(&f.regs, i, MARK + i);
	return frame_variables(t, &f, &r->arena, ret, n, &err);
}

/* The variable that lives in a register at pc. */
static const struct variable *variable_in(struct report *r, struct target *t, uint64_t pc,
					  const char *reg)
{
	const struct variable *v;
	unsigned number;
	struct err err;
	uint64_t value, mask = t->arch->word == 4 ? UINT32_MAX : UINT64_MAX;
	size_t n;

	if (!register_number(t, reg, &number) || !variables_at(r, t, pc, &v, &n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (v[i].known && v[i].value.type->size == t->arch->word &&
		    value_u64(t, v[i].value, &value, &err) && value == ((MARK + number) & mask))
			return &v[i];
	return NULL;
}

/* The register holds a variable, or what was loaded through one. */
static bool by_variable(struct report *r, struct target *t, uint64_t pc,
			const struct report_operand *o, struct buf *b)
{
	const struct variable *v = variable_in(r, t, pc, o->base);
	struct member_ref ref = { 0 };
	struct buf path = { 0 };
	const struct type *type;
	struct err err;
	bool ok = false;

	if (v && pointee(v->value.type)) {
		buf_printf(b, "%s is %s, so it was ", o->base, v->name);
		return member_text(v->value.type, o->disp, b);
	}
	if (!o->from || !(v = variable_in(r, t, pc - o->back, o->from)) ||
	    !(type = pointee(v->value.type)))
		return false;
	if (o->from_disp >= 0 && (uint64_t)o->from_disp < type->size &&
	    path_at(type, (uint64_t)o->from_disp, &path, 0) &&
	    type_member(type, buf_text(&path), &ref, &err) &&
	    ref.offset == (uint64_t)o->from_disp) {
		buf_printf(b, "%s is %s->%s", o->base, v->name, buf_text(&path));
		ok = true;
		if (pointee(ref.type)) {
			buf_str(b, ", so it was ");
			ok = member_text(ref.type, o->disp, b);
		}
	}
	buf_release(&path);
	return ok;
}

/* Of which arguments could it be a member? */
static bool by_arguments(struct report *r, struct target *t, uint64_t pc, uint64_t off,
			 struct buf *b)
{
	const struct variable *v;
	unsigned guesses = 0;
	size_t n;

	if (!variables_at(r, t, pc, &v, &n))
		return false;
	for (size_t i = 0; i < n && guesses < GUESSES_MAX; i++) {
		struct buf m = { 0 };

		if (v[i].argument && member_text(v[i].value.type, (int64_t)off, &m))
			buf_printf(b, "%s%s (through %s)", guesses++ ? " or " : "a guess: ", m.s,
				   v[i].name);
		buf_release(&m);
	}
	return guesses != 0;
}

void report_member(struct report *r, struct target *t, uint64_t pc)
{
	struct report_operand o;
	struct buf b = { 0 };
	bool known =
		t->arch && report_operand(r, &o) && !o.indexed && by_variable(r, t, pc, &o, &b);

	if (!known) {
		buf_reset(&b);
		known = t->arch && r->has_address && r->address < 4096 && r->address &&
			by_arguments(r, t, pc, r->address, &b);
	}
	if (known && b.n)
		r->member = arena_strdup(&r->arena, b.s);
	buf_release(&b);
}
