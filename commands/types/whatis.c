/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whatis: what a name is declared as, and what is at an address. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/linux/task/expr_hooks.h"
#include "core/records/address_record.h"
#include "core/records/lock_record.h"
#include "core/records/print_type.h"
#include "core/types/expr.h"
#include "commands/types/type_hit_record.h"

enum {
	EXPR,
	TYPE,
	SIZE
};

/* The declaration; r->of is its type. A plain name is declared, and of an expression its type. */
static void form_declaration(struct buf *b, const struct sink *k, const struct record *r,
			     const struct cell *cell)
{
	const char *expr = r->cells[EXPR].str.s;

	(void)k, (void)cell;
	type_declare(b, r->of, expr[strcspn(expr, ".->[*&( :")] ? NULL : expr);
	buf_char(b, ';');
}

static const struct record_field fields[] = {
	[EXPR] = { "expr", NULL, CELL_STR, 0, "what was asked for" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "its type", .text = form_declaration },
	[SIZE] = { "size", NULL, CELL_UINT, 0, "bytes" },
};
static const struct record_kind declaration_record = {
	.name = "declaration",
	.doc = "what a variable or function is declared as",
	.layout = LAYOUT_LINE,
	.line = "{type}",
	.fields = fields,
	.n_fields = sizeof(fields) / sizeof(fields[0]),
};

struct whatis_opts {
	bool offsets;
	const char *sizes, *member;
};
static const struct option opts[] = {
	{ "o", NULL, OPTION_FLAG, offsetof(struct whatis_opts, offsets),
	  "the offset of each member" },
	OPT_STR("r", "size", struct whatis_opts, sizes,
		"every struct and union of this size, or of these: 129-192"),
	OPT_STR("m", "type", struct whatis_opts, member,
		"every struct and union that has a member of this type, or a pointer to it"),
};

/* "schedule+0x10", "0xffff888004200000 + 8": a number that was computed, and that is an address.
 * What it would be declared as is nothing that anybody asks for. */
static bool computed_address(struct ctx *c, struct value v, uint64_t *ret)
{
	const struct type *in = type_strip(v.type);
	struct err ignored;

	return v.kind == VALUE_BYTES && !v.addr && !v.bit_size && in->kind == TYPE_INT &&
	       mem_loaded(c->t) && in->size == c->t->arch->word &&
	       value_u64(c->t, v, ret, &ignored) && c->t->arch->is_kernel_va(*ret);
}

static void emit_place_of(struct ctx *c, uint64_t addr)
{
	emit_address(c, addr);
	emit_lock_alone(c, addr);
}

static bool declare(struct ctx *c, const char *expr, struct err *err)
{
	struct record r;
	struct value v;
	uint64_t addr;

	if (!expr_eval(c->t, expr, &expr_percpu, &v, err))
		return false;
	if (computed_address(c, v, &addr)) {
		emit_place_of(c, addr);
		return true;
	}
	if (type_strip(v.type)->kind == TYPE_VOID)
		return err_set(err, ERR_NOTYPE,
			       "the type of '%s' is not known: give the vmlinux with debug info",
			       expr);
	record_init(&r, &declaration_record);
	r.of = v.type;
	record_str(&r, EXPR, expr);
	record_str(&r, TYPE, type_name(c, v.type));
	record_uint(&r, SIZE, v.type->size);
	emit(c, &r);
	return true;
}

static bool whatis_run(struct ctx *c, struct err *err)
{
	const struct whatis_opts *o = c->opts;
	struct definition d = { .offsets = o->offsets };
	const struct type *type;
	struct symbol sym;
	struct err why;
	uint64_t addr;

	if (o->sizes || o->member) {
		if (c->argc || o->offsets)
			return err_set(
				err, ERR_USAGE,
				"-r and -m search all types: no operand and no -o beside them");
		return emit_type_hits(c, o->sizes, o->member, err);
	}
	if (!c->argc)
		return err_set(err, ERR_USAGE,
			       "a type, a variable, an expression or an address is wanted");
	/* a variable wins over a type of its name, as in C */
	if (symbols_available(c->t) && symbol_find(c->t, c->rest, &sym, &why))
		return declare(c, c->rest, err);
	/* no type is called like a number; to seek one would cost a search of all DWARF */
	if (c->argc == 1 && parse_number(c->argv[0], true, &addr) &&
	    (strchr("0123456789", *c->argv[0]) || strlen(c->argv[0]) >= 8)) {
		if (!mem_loaded(c->t))
			return err_set(err, ERR_NEED,
				       "what is at an address cannot be told without a vmcore");
		emit_place_of(c, addr);
		return true;
	}
	if (type_find_deep(c->t, c->rest, &type, &why))
		return emit_type(c, type, &d, err);
	if (!declare(c, c->rest, err)) {
		if (err->code == ERR_NOSYM)
			err_set(err, ERR_NOTFOUND, "no type and no variable '%.100s'", c->rest);
		return false;
	}
	return true;
}

static const struct example examples[] = {
	{ "whatis pid_t", "a type" },
	{ "whatis init_task", "a variable" },
	{ "whatis init_task.cpus_mask", "an expression" },
	{ "whatis 0xffffffffffffffff", "an address; see also kmem" },
	{ "whatis (unsigned long)&init_task + 0x10", "one that is computed" },
	{ "whatis -r 129-192", "what an object of kmalloc-192 can be" },
	{ "whatis -m mm_struct", "which structs have a task's memory, or point to it" },
};

const struct command cmd_whatis = {
	.name = "whatis",
	.group = "types",
	.summary = "what a name is declared as, or what is at an address",
	.needs = NEED_TYPES,
	.as_typed = true,
	.operands = "type | expression | address",
	OPTS(opts),
	.opts_size = sizeof(struct whatis_opts),
	.emits = (const struct record_kind *const[]){ &declaration_record, &type_record,
						      &member_record, &place_kind, &lock_kind,
						      &type_hit_kind, NULL },
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "The declaration of a variable, a function, a member or any expression, or the "
		"definition of a type.\n\n"
		"Of an address, a number or what sums up to one, everything that is true of it: "
		"the symbol it is in; a module's part; a per-CPU variable and its CPU; an object "
		"of a slab cache, where it begins, and whether it is allocated or free; the stack "
		"of a task or a CPU, and the frame; the vmalloc area and who asked for it; the "
		"struct page it is in, and what that is about; its page, where that lies in "
		"physical memory, and its flags. Of a lock its state in words and who has it: what "
		"is a lock is told by the type of a variable, by that of a slab object whose cache "
		"has nothing else, or by who waits for it.\n\n"
		"-r and -m go the other way: which types could this be, by how large it is and by what it "
		"has. A member counts if it is of the type, an array of it, or leads to it by pointers, "
		"and so do those of structs within; what functions take does not. In the name of the type * stands for anything: \"*mutex\".",
	EXAMPLES(examples),
	.run = whatis_run,
};
