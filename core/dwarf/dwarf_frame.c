/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frame's caller by .debug_frame or .eh_frame, and the machine that evaluates its expressions. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/types/frame_info.h"
#include "core/dwarf/dwarf_cfi.h"
#include "core/dwarf/dwarf_frame.h"

#define SIBLINGS_MAX 1000000u

/* ---- DIEs around an address */

/* dwarf_getscopes() would go on in the abstract function instead of the real caller. */
static void descend(Dwarf_Die *in, Dwarf_Addr pc, bool blocks, struct dwarf_scopes *ret,
		    unsigned depth)
{
	unsigned siblings = 0;
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(in, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_lexical_block)
			continue;
		if (dwarf_haspc(&die, pc) != 1)
			continue;
		if (blocks || tag != DW_TAG_lexical_block) {
			if (ret->n == SCOPES_MAX)
				return;
			ret->die[ret->n++] = die;
		}
		descend(&die, pc, blocks, ret, depth + 1);
		return;
	} while (++siblings < SIBLINGS_MAX && dwarf_siblingof(&die, &die) == 0);
}

/* cu's that contain pc (link-time), down to the innermost; blocks only where asked for. */
static void dwarf_scopes(Dwarf_Die *cu, Dwarf_Addr pc, bool blocks, struct dwarf_scopes *ret)
{
	ret->n = 0;
	descend(cu, pc, blocks, ret, 0);
}

/* What was found around an address: libdw begins at the unit's first DIE each time, and thousands
 * of tasks sleep in the same few places. */
struct dwarf_around {
	Dwarf_Die cu;
	uint64_t doubtful; /* as struct dwarf_frame's */
	size_t n;
	Dwarf_Die die[];
};

static const struct dwarf_around *around(struct dwarf_file *f, Dwarf_Addr pc)
{
	uint64_t *known = map_get(&f->around, pc);
	struct dwarf_scopes scopes = { .n = 0 };
	struct dwarf_around *found;
	Dwarf_Die cu;

	if (known)
		return (const struct dwarf_around *)(uintptr_t)*known;
	if (dwarf_unit_at(f, pc, &cu))
		dwarf_scopes(&cu, pc, true, &scopes);
	found = arena_alloc(&f->t->arena, sizeof(*found) + scopes.n * sizeof(found->die[0]));
	found->doubtful = 0;
	found->n = scopes.n;
	if (scopes.n) {
		found->cu = cu;
		memcpy(found->die, scopes.die, scopes.n * sizeof(found->die[0]));
		found->doubtful = dwarf_doubtful(f, &scopes.die[0]);
	}
	*map_put(&f->around, pc, NULL) = (uintptr_t)found;
	return found;
}

bool dwarf_frame_open(struct dwarf_file *f, const struct frame_at *at, struct dwarf_frame *ret,
		      struct err *err)
{
	uint64_t addr = frame_at_lookup(at);
	const struct dwarf_around *found;

	if (!dwarf_load(f, err))
		return false;
	ret->file = f;
	ret->at = at;
	ret->pc = addr - dwarf_slide(f);
	found = around(f, ret->pc);
	ret->scopes.n = found->n;
	if (found->n) {
		ret->cu = found->cu;
		ret->doubtful = found->doubtful;
		memcpy(ret->scopes.die, found->die, found->n * sizeof(found->die[0]));
	}
	if (!ret->scopes.n || dwarf_tag(&ret->scopes.die[0]) != DW_TAG_subprogram)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no debug info covers this address");
	ret->func = ret->scopes.die[0];
	return true;
}

/* A function in several parts says nothing of its entry: it is where the symbol of its name is. */
uint64_t dwarf_func_entry(struct dwarf_file *f, Dwarf_Die *func)
{
	const char *name = dwarf_diename(func);
	Dwarf_Addr base, lo, hi;
	struct symbol sym;
	ptrdiff_t at = 0;
	uint64_t off;
	struct err ignored;

	if (dwarf_entrypc(func, &lo) == 0) {
		lo = lo ? lo + dwarf_slide(f) : 0;
		return lo && symbol_at(f->t, lo, &sym, &off, &ignored) && off <= DWARF_PATCHABLE
			       ? lo - off
			       : lo;
	}
	for (unsigned parts = 0; name && parts < 8; parts++) {
		at = dwarf_ranges(func, at, &base, &lo, &hi);
		if (at <= 0)
			break;
		if (lo && symbol_at(f->t, lo + dwarf_slide(f), &sym, &off, &ignored) && !off &&
		    !strncmp(sym.name, name, strlen(name)) && !strstr(sym.name, ".cold"))
			return sym.addr;
	}
	return 0;
}

/* ---- expressions */

static struct dwarf_expr_at *expr_at(struct dwarf_expr *x)
{
	return (struct dwarf_expr_at *)x->self;
}

static bool frame_base(struct dwarf_expr *x, uint64_t *ret, struct err *err)
{
	struct dwarf_expr_at *e = expr_at(x);
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(&e->frame->func, DW_AT_frame_base, &attr))
		return err_set(err, ERR_FORMAT, "the function has no frame base");
	return dwarf_attr_number(e->frame, &attr, x, ret, err);
}

static bool entry(struct dwarf_expr *x, unsigned reg, uint64_t *ret, struct err *err)
{
	return dwarf_entry_value(expr_at(x)->frame, x, reg, ret, err);
}

static bool block(struct dwarf_expr *x, const Dwarf_Op *op, Dwarf_Op **ret, size_t *n,
		  struct err *err)
{
	Dwarf_Attribute attr;

	if (dwarf_getlocation_attr(expr_at(x)->attr, op, &attr) != 0 ||
	    dwarf_getlocation(&attr, ret, n) != 0)
		return err_set(err, ERR_FORMAT, "DWARF expression: %s", dwarf_errmsg(-1));
	return true;
}

static bool type(struct dwarf_expr *x, const Dwarf_Op *op, uint64_t off,
		 struct dwarf_expr_type *ret, struct err *err)
{
	Dwarf_Word size, encoding;
	Dwarf_Attribute attr;
	Dwarf_Die die;

	(void)off;
	if (dwarf_getlocation_die(expr_at(x)->attr, op, &die) != 0 ||
	    dwarf_tag(&die) != DW_TAG_base_type || !dwarf_attr(&die, DW_AT_byte_size, &attr) ||
	    dwarf_formudata(&attr, &size) != 0 || !dwarf_attr(&die, DW_AT_encoding, &attr) ||
	    dwarf_formudata(&attr, &encoding) != 0)
		return err_set(err, ERR_FORMAT, "DWARF expression: no base type");
	if (!size || size > 8 || encoding == DW_ATE_float)
		return err_set(err, ERR_UNSUPPORTED, "DWARF expression: a type of %llu bytes",
			       (unsigned long long)size);
	*ret = (struct dwarf_expr_type){ .size = (unsigned)size,
					 .is_signed = encoding == DW_ATE_signed ||
						      encoding == DW_ATE_signed_char };
	return true;
}

static bool bytes(struct dwarf_expr *x, const Dwarf_Op *op, const uint8_t **ret, size_t *n,
		  struct err *err)
{
	Dwarf_Attribute attr;
	Dwarf_Block b;

	if (op->atom == DW_OP_implicit_value
		    ? dwarf_getlocation_implicit_value(expr_at(x)->attr, op, &b) != 0
		    : dwarf_getlocation_attr(expr_at(x)->attr, op, &attr) != 0 ||
			      dwarf_formblock(&attr, &b) != 0)
		return err_set(err, ERR_FORMAT, "DWARF expression: %s", dwarf_errmsg(-1));
	*ret = b.data;
	*n = b.length;
	return true;
}

void dwarf_expr_init(struct dwarf_expr_at *e, struct dwarf_frame *frame, Dwarf_Attribute *attr)
{
	*e = (struct dwarf_expr_at){ .frame = frame, .attr = attr };
	e->x = (struct dwarf_expr){ .t = frame->file->t,
				    .frame = frame->at,
				    .frame_doubt = dwarf_frame_doubt(frame->file, attr),
				    .doubtful = frame->doubtful,
				    .bias = dwarf_slide(frame->file),
				    .frame_base = frame_base,
				    .entry = entry,
				    .block = block,
				    .type = type,
				    .bytes = bytes,
				    .self = e };
}

bool dwarf_attr_number(struct dwarf_frame *frame, Dwarf_Attribute *attr, struct dwarf_expr *asks,
		       uint64_t *ret, struct err *err)
{
	struct dwarf_expr_at e;
	Dwarf_Op *ops;
	size_t n;
	bool ok;

	dwarf_expr_init(&e, frame, attr);
	e.x.steps = asks->steps;
	e.x.nested = asks->nested + 1;
	if (e.x.nested > EXPR_NESTED_MAX)
		return err_set(err, ERR_LIMIT, "DWARF expressions nested deeper than %d",
			       EXPR_NESTED_MAX);
	if (dwarf_getlocation_addr(attr, frame->pc, &ops, &n, 1) != 1)
		return err_set(err, ERR_NOTFOUND, "optimized out");
	ok = dwarf_expr_number(&e.x, ops, n, false, 0, ret, err);
	asks->steps = e.x.steps;
	return ok;
}

/* ---- the caller */

struct dwarf_cfi {
	bool tried;
	struct err err;
	struct cfi_table *tables[2]; /* .debug_frame, .eh_frame; NULL: none */
};

static bool cfi_load(struct dwarf_file *f, struct err *err)
{
	static const char *const names[] = { ".debug_frame", ".eh_frame" };
	unsigned word = f->t->arch ? f->t->arch->word : 8;
	unsigned (*slot)(uint64_t number) = f->t->arch ? f->t->arch->dwarf_slot : NULL;
	struct dwarf_cfi *cfi = f->cfi;
	struct span section;
	uint64_t addr;

	if (!cfi)
		cfi = f->cfi = ARENA_NEW(&f->t->arena, struct dwarf_cfi);
	if (!cfi->tried) {
		cfi->tried = true;
		err_set(&cfi->err, ERR_NEED, "no frame tables in the debug info");
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (dwarf_section(f, names[i], &section, &addr) &&
			    !cfi_open(&f->t->arena, section, addr, i == 1, f->sections.big, word,
				      slot, &cfi->tables[i], &cfi->err))
				cfi->tables[i] = NULL;
	}
	if (cfi->tables[0] || cfi->tables[1])
		return true;
	*err = cfi->err;
	return false;
}

static bool rules_find(struct dwarf_file *f, uint64_t pc, struct cfi_rules *ret, struct err *err)
{
	bool signs = f->t->arch && f->t->arch->signs_returns;

	if (!cfi_load(f, err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(f->cfi->tables); i++) {
		if (!f->cfi->tables[i])
			continue;
		if (cfi_find(f->cfi->tables[i], pc, signs, ret, err))
			return true;
		if (err->code != ERR_NOTFOUND)
			return false;
	}
	return err_set(err, ERR_NOTFOUND, "no frame table covers this address");
}

/* A rule's block; the CFA is on its stack unless it is the CFA's own. */
static bool block_number(struct dwarf_expr *x, struct span code, const uint64_t *cfa, uint64_t *ret,
			 struct err *err)
{
	enum {
		OPS = 64
	};
	Dwarf_Op ops[OPS];
	size_t n;

	return dwarf_expr_decode(code, target_big(x->t), ops, OPS, &n, err) &&
	       dwarf_expr_number(x, ops, n, cfa != NULL, cfa ? *cfa : 0, ret, err);
}

/* By the rule; or where the stack pointer is not known, as behind a frame pointer's step, by where
 * the frame pointer was saved: past the prologue it points there. */
static bool find_cfa(struct dwarf_expr *x, const struct cfi_rules *r, uint64_t *ret,
		     struct err *err)
{
	const struct arch *arch = x->t->arch;
	const struct frame_at *f = x->frame;
	uint64_t base, fp;

	if (f->has_cfa) {
		*ret = f->cfa;
		return true;
	}
	if (r->cfa.how == CFI_IS_EXPR)
		return block_number(x, r->cfa.block, NULL, ret, err);
	if (dwarf_expr_register(x, r->reg, &base, err)) {
		*ret = base + (uint64_t)r->cfa.n;
		return true;
	}
	if (!arch->frame_records || f->exact || r->of[arch->fp].how != CFI_AT ||
	    !regs_get(&f->regs, arch->fp, &fp))
		return false;
	*ret = fp - (uint64_t)r->of[arch->fp].n;
	return true;
}

/* One register of the caller. False: it is not known, or (*err is set) nothing is. */
static bool find_register(struct dwarf_expr *x, const struct cfi_rule *rule, unsigned reg,
			  uint64_t cfa, uint64_t *ret, struct err *err)
{
	uint64_t addr;

	switch (rule->how) {
	case CFI_UNSET:
	case CFI_SAME:
		return regs_get(&x->frame->regs, reg, ret) ||
		       err_set(err, ERR_NOTFOUND, "not known");
	case CFI_AT:
		return mem_ptr(x->t, cfa + (uint64_t)rule->n, ret, err);
	case CFI_IS:
		*ret = cfa + (uint64_t)rule->n;
		return true;
	case CFI_REGISTER:
		return dwarf_expr_register(x, (uint64_t)rule->n, ret, err);
	case CFI_AT_EXPR:
		return block_number(x, rule->block, &cfa, &addr, err) &&
		       mem_ptr(x->t, addr, ret, err);
	case CFI_IS_EXPR:
		return block_number(x, rule->block, &cfa, ret, err);
	default:
		return err_set(err, ERR_NOTFOUND, "lost");
	}
}

/* gcc 14 and later need not save registers in functions that never return
 * (-mnoreturn-no-callee-saved-registers), and say nothing of it in the tables. Where an
 * architecture forgets them (noreturn_forgets), no gcc saves them there, nor in functions of which
 * it finds out itself that they never return. */
static bool keeps_now(struct dwarf_file *f, uint64_t pc)
{
	const char *producer, *version;
	struct dwarf_spot at;
	uint64_t major;

	if (!dwarf_spot_at(f, pc, &at) || !at.chain.n || at.chain.func[0].inlined)
		return false;
	if (!at.chain.func[0].noreturn)
		return true;
	producer = at.unit.producer;
	if (!producer || strncmp(producer, "GNU C", 5) != 0)
		return producer && strstr(producer, "clang");
	version = strchr(producer + 5, ' ');
	if (!version)
		return false;
	version++;
	return number_take(&version, NULL, 10, &major) && major < 14;
}

/* Asked once of each place: thousands of tasks sleep in the same few. */
static bool keeps_registers(struct dwarf_file *f, uint64_t pc)
{
	uint64_t *known;
	bool isnew;

	if (f->t->arch->noreturn_forgets)
		return false;
	known = map_put(&f->keeps, pc, &isnew);
	if (isnew)
		*known = keeps_now(f, pc);
	return *known;
}

bool dwarf_frame_caller(struct frame_source *s, const struct frame_at *f, struct regs *ret,
			uint64_t *cfa, struct err *err)
{
	struct dwarf_file *file;
	const struct arch *arch = s->t->arch;
	struct dwarf_expr x = { .t = s->t, .frame = f };
	struct cfi_rules rules;
	struct err unknown;
	uint64_t v;
	bool keeps;

	if (!dwarf_file_at(s->t, frame_at_lookup(f), &file, err) || !dwarf_load(file, err) ||
	    !rules_find(file, frame_at_lookup(f) - dwarf_slide(file), &rules, err) ||
	    !find_cfa(&x, &rules, cfa, err))
		return false;
	memset(ret, 0, sizeof(*ret));
	regs_set(ret, arch->sp, *cfa - arch->cfa_above_sp);
	keeps = keeps_registers(file, frame_at_lookup(f) - dwarf_slide(file));
	for (unsigned i = 0; i < CFI_REGS && i < REGS_MAX; i++) {
		const struct cfi_rule *rule = &rules.of[i];
		bool unsaid = rule->how == CFI_UNSET || rule->how == CFI_SAME;

		if (i != rules.ra && i != arch->sp && (arch->callee_saved >> i & 1) &&
		    (keeps || !unsaid) && find_register(&x, rule, i, *cfa, &v, &unknown))
			regs_set(ret, i, v);
	}
	if (!find_register(&x, &rules.of[rules.ra], rules.ra, *cfa, &v, err))
		return err_wrap(err, "return address");
	regs_set(ret, arch->pc, v);
	return true;
}
