/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How arm64 is unwound: by frame records, through the registers that exception entries save among
 * them.
 */
#include "core/types/shape.h"
#include "core/unwind/step.h"

enum {
	X29 = 29,
	X30 = 30,
	SP = 31,
	PC = 32,
	PSTATE = 33
};

#define RECORD_SIZE 16

/* struct pt_regs.stackframe, where types cannot be asked: arch/arm64/include/asm/ptrace.h */
#define STACKFRAME_OFFSET 304
/* enum frame_record_meta types of c2c6b27b5aa1 (v6.13) */
enum {
	META_FINAL = 1,
	META_PT_REGS = 2
};

/* Instructions of a function that are looked at to see whether it keeps a frame. */
#define CODE_MAX 1024

/* ---- entries */

static uint64_t stackframe_offset(struct target *t)
{
	uint64_t off;
	struct err err;

	return field_offset(t, "struct pt_regs", "stackframe", &off, &err) ? off
									   : STACKFRAME_OFFSET;
}

/* The registers around the frame record at fp. */
static bool entry_regs(struct unwinder *u, uint64_t fp, struct regs *ret)
{
	uint64_t at = fp - stackframe_offset(u->t);
	uint8_t bytes[512];
	struct err err;

	return u->t->arch->pt_regs_size <= sizeof(bytes) &&
	       mem_read(u->t, at, bytes, u->t->arch->pt_regs_size, &err) &&
	       u->t->arch->regs_of_pt_regs(SPAN(bytes, u->t->arch->pt_regs_size), ret, &err);
}

static bool regs_user(const struct regs *r)
{
	uint64_t pstate;

	return regs_get(r, PSTATE, &pstate) && (pstate & 0xf) == 0; /* EL0t */
}

static bool in_entry_text(struct target *t, uint64_t pc)
{
	uint64_t lo, hi;

	return symbol_addr(t, "__entry_text_start", &lo) &&
	       symbol_addr(t, "__entry_text_end", &hi) && pc >= lo && pc < hi;
}

/*
 * An exception entry makes pt_regs.stackframe a record of its own. Until 6.13 it holds the
 * interrupted fp and pc, or two zeros where the stack begins; since c2c6b27b5aa1 it is zeros with a
 * type behind it.
 */
static enum step_result step_entry(struct unwinder *u, uint64_t fp, const uint64_t record[2],
				   struct step *s)
{
	bool zero = !record[0] && !record[1];
	uint64_t off, type = 0;
	struct regs r;
	struct err err;

	if (!zero && !in_entry_text(u->t, unwinder_pc(u) - (u->exact ? 0 : 1)))
		return STEP_NONE;
	if (zero && field_offset(u->t, "struct pt_regs", "stackframe.type", &off, &err) &&
	    !mem_u64(u->t, fp + off - stackframe_offset(u->t), &type, &err))
		type = 0;
	if (!entry_regs(u, fp, &r))
		return zero ? STEP_END : STEP_NONE;
	s->regs = r;
	s->entry = s->exact = s->crosses = true;
	s->how = "pt_regs";
	s->user = regs_user(&r);
	if (zero && type != META_PT_REGS) {
		/* the first record of a stack: a user task's entry, or a kernel thread's start */
		return s->user && in_entry_text(u->t, unwinder_pc(u) - 1) && r.r[PC] ? STEP_FRAME
										     : STEP_END;
	}
	if (!zero && (r.r[X29] != record[0] || r.r[PC] != record[1]))
		return STEP_NONE;
	return STEP_FRAME;
}

/* ---- functions without a frame of their own */

static uint64_t strip(struct unwinder *u, uint64_t pc)
{
	struct arch_facts facts = target_facts(u->t);

	return u->t->arch->strip_pac ? u->t->arch->strip_pac(&facts, pc) : pc;
}

/* No return address, with an authentication code: its bits but 48 to 63 are zero, and so is bit 55,
 * which is no part of the code. */
static bool is_signed_null(uint64_t pc)
{
	return !(pc >> 55 & 1) && !(pc << 16);
}

static bool writes_x29(uint32_t insn)
{
	/* mov x29, sp and add x29, sp, #n; ldp x29, x30, [...] in its three forms */
	return (insn & 0xff8003ff) == 0x910003fd || (insn & 0xfe407c1f) == 0xa840781d;
}

static bool is_call(uint32_t insn)
{
	return (insn & 0xfc000000) == 0x94000000 || (insn & 0xfefff000) == 0xd63f0000;
}

static bool is_branch(uint32_t insn)
{
	return (insn & 0x7c000000) == 0x14000000 || (insn & 0xff000000) == 0x54000000 ||
	       (insn & 0x7c000000) == 0x34000000 || (insn & 0xfe000000) == 0xd6000000;
}

/*
 * Where an interrupted function has no frame record of its own, x30 holds its return address.
 * Proven when the whole function neither calls nor touches x29, or when nothing but straight-line
 * code without either lies before pc.
 */
static bool lr_is_return(struct unwinder *u, uint64_t pc, uint64_t lr)
{
	struct symbol sym;
	uint64_t off, n;
	struct err err;
	bool leaf = true, straight = true;

	if (!symbol_is_text(u->t, pc)) /* a jump into nowhere has run nothing since its call */
		return symbol_is_text(u->t, lr) && follows_call(u->t, lr);
	if (pc & 3 || !symbol_at(u->t, pc, &sym, &off, &err))
		return false;
	n = sym.size ? sym.size / 4 : off / 4;
	leaf = sym.size && n <= CODE_MAX;
	if (off / 4 > CODE_MAX)
		return false;
	for (uint64_t i = 0; i < n && i < CODE_MAX && (leaf || straight); i++) {
		uint32_t insn;

		if (!mem_u32(u->t, sym.addr + 4 * i, &insn, &err))
			return false;
		if (is_call(insn) || writes_x29(insn)) {
			leaf = false;
			straight = straight && 4 * i >= off;
		}
		if (4 * i < off && is_branch(insn))
			straight = false;
		if (4 * i >= off && !leaf)
			break;
	}
	return leaf || straight;
}

/* No call leads to an exception's entry: x30 is what the interrupted function, whose pc only
 * ELR_EL1 has, left there. Where that function's record says the same, it has called nothing yet,
 * and the record tells of its caller already. */
static bool entry_repeats_record(struct unwinder *u, uint64_t pc, uint64_t fp, uint64_t lr)
{
	uint64_t caller;
	struct err ignored;

	return in_entry_text(u->t, pc) && mem_u64(u->t, fp + 8, &caller, &ignored) &&
	       strip(u, caller) == lr;
}

/* ---- a step */

/* Before v5.14 a thread begins with no frame pointer: the record of what its first
 * function called has a return address alone. */
static bool is_first(struct target *t, uint64_t pc)
{
	static const char *const names[] = { "ret_from_fork", "__primary_switch" };
	const char *name = symbol_text(t, pc, t->scratch);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

static enum step_result step_fp(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), fp, lr, record[2];
	struct step s = { .how = "fp" };
	enum step_result r;

	if (!regs_get(&u->regs, X29, &fp)) {
		err_set(err, ERR_NEED, "the frame pointer is not known");
		return STEP_BROKEN;
	}
	if (u->exact && regs_get(&u->regs, X30, &lr) && lr_is_return(u, pc, strip(u, lr)) &&
	    !entry_repeats_record(u, pc, fp, strip(u, lr))) {
		s.how = "lr";
		s.leaf = true;
		s.slot = fp;
		s.regs = u->regs;
		s.regs.have &= ~(UINT64_C(1) << X30);
		regs_set(&s.regs, PC, strip(u, lr));
		*ret = s;
		return STEP_FRAME;
	}
	if (!fp && is_first(u->t, pc))
		return STEP_END;
	if (!u->t->arch->is_kernel_va(fp) || fp & 7) {
		err_set_addr(err, ERR_CORRUPT, fp, "the frame pointer %#lx is no kernel address",
			     (unsigned long)fp);
		return STEP_BROKEN;
	}
	if (!mem_u64(u->t, fp, &record[0], err) || !mem_u64(u->t, fp + 8, &record[1], err)) {
		err_wrap(err, "frame record");
		return STEP_BROKEN;
	}
	if (!record[0] && is_signed_null(record[1]))
		record[1] = 0;
	r = step_entry(u, fp, record, &s);
	if (r != STEP_NONE) {
		*ret = s;
		return r;
	}
	/* call_on_irq_stack() leaves its record on the stack it came from */
	s = (struct step){ .how = "fp", .slot = record[0], .crosses = true, .no_sp = true };
	regs_set(&s.regs, X29, record[0]);
	regs_set(&s.regs, PC, strip(u, record[1]));
	regs_set(&s.regs, SP, record[0] ? record[0] : fp + RECORD_SIZE);
	*ret = s;
	return STEP_FRAME;
}

static enum step_result step(struct unwinder *u, struct step *s, struct err *err)
{
	enum step_result r = step_fp(u, s, err);
	struct err ignored;

	/* every kernel keeps frame pointers, but not every one of them can be read */
	if (r == STEP_BROKEN && step_cfi(u, s, &ignored) == STEP_FRAME)
		r = STEP_FRAME;
	return r;
}

/* The return address is the upper half of a record, and the lower one is the frame pointer of whom
 * it leads to; that stands for its stack pointer, too, which nothing tells. */
static bool told_sp(struct target *t, uint64_t slot, uint64_t *ret, struct err *err)
{
	if (!mem_u64(t, slot - 8, ret, err))
		return false;
	if (!*ret)
		*ret = slot + 8; /* the first record of a stack */
	return true;
}

static bool told_fp(struct target *t, uint64_t sp, bool exact, uint64_t *ret)
{
	(void)t, (void)exact;
	*ret = sp;
	return true;
}

const struct unwind_arch unwind_arch_aarch64 = {
	.arch = &arch_aarch64,
	.step = step,
	.sp_unknown = true,
	.told_sp = told_sp,
	.told_fp = told_fp,
};
