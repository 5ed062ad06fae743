/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 32-bit ARM's tracing code, which no table describes: carried out to where it returns. It is
 * straight: arch/arm/kernel/entry-ftrace.S and arch/arm/probes/kprobes/core.c. */
#include <string.h>

#include "core/unwind/step.h"

enum {
	FP = 11,
	IP,
	SP,
	LR,
	PC
};

#define INSNS_MAX 64
#define WRITES_MAX 32

struct code_run {
	struct unwinder *u;
	uint32_t r[16], known;
	struct {
		uint32_t at, value;
		bool known;
	} writes[WRITES_MAX];
	size_t n;
	bool done;
	struct err *err;
};

static bool step_arm_code_lost(struct code_run *m, uint32_t insn)
{
	return err_set_addr(m->err, ERR_UNSUPPORTED, m->r[PC],
			    "tracing code with an unexpected instruction, %#x", insn);
}

/* ---- registers and the stack */

static void set(struct code_run *m, unsigned reg, uint32_t value, bool known)
{
	m->r[reg] = value;
	m->known = (m->known & ~(1u << reg)) | (uint32_t)known << reg;
	m->done = m->done || reg == PC;
}

static bool store(struct code_run *m, uint32_t at, unsigned reg)
{
	if (m->n == WRITES_MAX)
		return step_arm_code_lost(m, 0);
	m->writes[m->n].at = at;
	m->writes[m->n].value = m->r[reg];
	m->writes[m->n++].known = m->known >> reg & 1;
	return true;
}

static bool step_arm_code_load(struct code_run *m, uint32_t at, unsigned reg)
{
	uint32_t word;

	for (size_t i = m->n; i--;)
		if (m->writes[i].at == at) {
			set(m, reg, m->writes[i].value, m->writes[i].known);
			return true;
		}
	if (!mem_u32(m->u->t, at, &word, m->err))
		return err_wrap(m->err, "the tracing code's stack");
	set(m, reg, word, true);
	return true;
}

/* push {list}, pop {list} */
static bool block(struct code_run *m, uint32_t list, bool push)
{
	uint32_t at = m->r[SP] - (push ? 4 * (uint32_t)__builtin_popcount(list) : 0), start = at;

	if (list >> SP & 1)
		return step_arm_code_lost(m, list);
	for (unsigned i = 0; i < 16; i++) {
		if (!(list >> i & 1))
			continue;
		if (!(push ? store(m, at, i) : step_arm_code_load(m, at, i)))
			return false;
		at += 4;
	}
	m->r[SP] = push ? start : at;
	return true;
}

/* ldr, str relative to sp: [sp, #n], [sp, #n]!, [sp], #n */
static bool single(struct code_run *m, uint32_t insn)
{
	uint32_t off = insn & 0xfff, base = m->r[SP], at;
	bool pre = insn >> 24 & 1, up = insn >> 23 & 1, back = insn >> 21 & 1;
	unsigned reg = insn >> 12 & 15;

	at = up ? base + off : base - off;
	if (!(insn >> 20 & 1 ? step_arm_code_load(m, pre ? at : base, reg)
			     : store(m, pre ? at : base, reg)))
		return false;
	if (!pre || back)
		m->r[SP] = at;
	return true;
}

/* ---- instructions */

static bool arithmetic(struct code_run *m, uint32_t insn)
{
	unsigned to = insn >> 12 & 15, from = insn & 15;

	if ((insn & 0xffff0f00) == 0xe28d0000) /* add rd, sp, #n */
		set(m, to, m->r[SP] + (insn & 0xff), true);
	else if ((insn & 0xffff0f00) == 0xe24d0000) /* sub rd, sp, #n */
		set(m, to, m->r[SP] - (insn & 0xff), true);
	else if ((insn & 0xffff0ff0) == 0xe1a00000) /* mov rd, rm */
		set(m, to, m->r[from], m->known >> from & 1);
	else if (to < IP) /* bic, sub, movw, movt, cmp ...: addresses to call with */
		set(m, to, 0, false);
	else
		return step_arm_code_lost(m, insn);
	return true;
}

static bool carry_out(struct code_run *m, uint32_t insn)
{
	if (insn >> 28 != 14)
		return step_arm_code_lost(m, insn);
	if ((insn & 0x0f000000) == 0x0b000000) { /* bl: what it calls returns */
		m->known &= ~(0xfu | 1u << IP | 1u << LR);
		return true;
	}
	if ((insn & 0x0f000000) == 0x0a000000) { /* b, which the tracer patches in */
		m->r[PC] += 4 + (uint32_t)((int32_t)(insn << 8) >> 6);
		return true;
	}
	if (insn == 0xe12fff1e) { /* bx lr */
		set(m, PC, m->r[LR], m->known >> LR & 1);
		return true;
	}
	if ((insn & 0x0fff0000) == 0x092d0000 || (insn & 0x0fff0000) == 0x08bd0000)
		return block(m, insn & 0xffff, !(insn >> 20 & 1));
	if ((insn & 0x0e4f0000) == 0x040d0000)
		return single(m, insn);
	if ((insn & 0x0e400000) == 0x04000000) { /* ldr rd, [rn]: what a variable holds */
		if (!(insn >> 20 & 1) || (insn >> 12 & 15) >= IP)
			return step_arm_code_lost(m, insn);
		set(m, insn >> 12 & 15, 0, false);
		return true;
	}
	return (insn & 0x0c000000) == 0 ? arithmetic(m, insn) : step_arm_code_lost(m, insn);
}

bool arm_tracing_code(struct target *t, uint64_t pc)
{
	static const char *const names[] = {
		"__gnu_mcount_nc",   "ftrace_caller",       "ftrace_call",
		"ftrace_graph_call", "ftrace_regs_caller",  "ftrace_regs_call",
		"ftrace_stub",       "ftrace_graph_caller", "ftrace_graph_regs_caller",
		"return_to_handler", "ftrace_stub_graph",   "ftrace_graph_regs_call",
	};
	struct symbol sym;
	uint64_t off;
	struct err err;

	if (!symbol_at(t, pc, &sym, &off, &err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(sym.name, names[i]))
			return true;
	return is_rethook(t, sym.addr);
}

/* What would take the real return address from where it is kept: the one whose code it is. */
static bool handler_at(struct target *t, uint64_t pc, uint64_t *ret)
{
	struct symbol sym;
	uint64_t off;
	struct err err;

	if (!symbol_at(t, pc, &sym, &off, &err))
		return false;
	*ret = sym.addr;
	return is_hijacked(t, sym.addr);
}

enum step_result step_arm_code(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t from = unwinder_pc(u), handler;
	struct code_run m = { .u = u, .err = err };

	for (unsigned i = 0; i < 16; i++)
		if (u->regs.have >> i & 1 && (u->exact || (i >= 4 && i != IP && i != LR))) {
			m.r[i] = (uint32_t)u->regs.r[i];
			m.known |= 1u << i;
		}
	for (unsigned i = 0; !m.done; i++) {
		uint32_t insn;

		if (i == INSNS_MAX) {
			err_set_addr(err, ERR_LIMIT, from, "tracing code that does not end");
			return STEP_BROKEN;
		}
		if (!mem_u32(u->t, m.r[PC], &insn, err))
			return STEP_BROKEN;
		m.r[PC] += 4;
		if (!carry_out(&m, insn))
			return STEP_BROKEN;
	}
	s->how = "code";
	s->leaf = s->exact = true; /* lr is what it will be there */
	if (!(m.known >> PC & 1)) {
		if (!handler_at(u->t, u->exact ? from : from - 1, &handler)) {
			err_set_addr(err, ERR_NOTFOUND, from, "the tracing code returns nowhere");
			return STEP_BROKEN;
		}
		m.r[PC] = (uint32_t)handler;
		s->exact = false;
	}
	s->slot = m.known >> FP & 1 ? m.r[FP] : 0;
	for (unsigned i = 0; i < 16; i++)
		if (m.known >> i & 1 || i == PC)
			regs_set(&s->regs, i, m.r[i]);
	regs_set(&s->regs, PC, m.r[PC] & ~1u);
	return STEP_FRAME;
}
