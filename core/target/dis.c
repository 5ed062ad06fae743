/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code as text, by capstone; what version 4 of it gets wrong is put right here. */
#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

#include "core/target/dis.h"
#include "core/target/target.h"

#define ERRNO_MAX 4095 /* ERR_PTR()s are no addresses */

struct dis {
	const struct arch *arch;
	csh cs;
	cs_insn *insn;
	unsigned step; /* bytes of what cannot be decoded */
};

bool dis_open(struct arena *a, const struct arch *arch, struct dis **ret, struct err *err)
{
	struct dis *d = ARENA_NEW(a, struct dis);
	cs_arch cs = CS_ARCH_X86;
	cs_mode mode = CS_MODE_64;

	if (arch == &arch_aarch64 || arch == &arch_arm) {
		cs = arch == &arch_arm ? CS_ARCH_ARM : CS_ARCH_ARM64;
		mode = arch == &arch_arm ? CS_MODE_ARM : CS_MODE_LITTLE_ENDIAN;
	} else if (arch != &arch_x86_64) {
		return err_set(err, ERR_UNSUPPORTED, "no disassembly of %s",
			       arch ? arch->name : "an unknown architecture");
	}
	d->arch = arch;
	d->step = cs == CS_ARCH_X86 ? 1 : 4;
	if (cs_open(cs, mode, &d->cs) != CS_ERR_OK)
		return err_set(err, ERR_UNSUPPORTED, "capstone cannot disassemble %s", arch->name);
	cs_option(d->cs, CS_OPT_DETAIL, CS_OPT_ON);
	if (cs == CS_ARCH_X86)
		cs_option(d->cs, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	d->insn = cs_malloc(d->cs);
	if (!d->insn) {
		cs_close(&d->cs);
		return err_set(err, ERR_LIMIT, "no memory to disassemble");
	}
	*ret = d;
	return true;
}

void dis_close(struct dis *d)
{
	cs_free(d->insn, 1);
	cs_close(&d->cs);
}

/* ---- x86: what capstone 4.0.2 takes for something else */

/* Bytes of a ModRM byte with all that belongs to it; 0: there are fewer. */
static size_t modrm_length(const uint8_t *p, size_t n)
{
	unsigned mod, rm;
	size_t len = 1;

	if (!n)
		return 0;
	mod = p[0] >> 6;
	rm = p[0] & 7;
	if (mod == 3)
		return 1;
	if (rm == 4) {
		if (n < 2)
			return 0;
		len++;
		if (mod == 0 && (p[1] & 7) == 5)
			len += 4;
	} else if (mod == 0 && rm == 5) {
		len += 4;
	}
	len += mod == 1 ? 1 : mod == 2 ? 4 : 0;
	return len <= n ? len : 0;
}

/* Prefixes, then the opcode; *at its place. */
static size_t prefixes(struct span code, uint8_t *rep, uint8_t *rex)
{
	size_t i = 0;

	*rep = *rex = 0;
	while (i < code.n && i < 4 &&
	       (code.p[i] == 0x66 || code.p[i] == 0x67 || code.p[i] == 0xf2 || code.p[i] == 0xf3)) {
		*rep = code.p[i] >= 0xf2 ? code.p[i] : *rep;
		i++;
	}
	if (i < code.n && (code.p[i] & 0xf0) == 0x40)
		*rex = code.p[i++];
	return i;
}

/* True: it is one of these; in->n is 0 when it is cut off. Intel SDM vol. 2: UD1 is 0f b9 /r, RDPID
 * f3 0f c7 /7. AMD APM vol. 3: VMGEXIT is f3 0f 01 d9. */
static bool x86_fix(struct span code, struct insn *in)
{
	static const char *const regs[] = { "%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp",
					    "%rsi", "%rdi", "%r8",  "%r9",  "%r10", "%r11",
					    "%r12", "%r13", "%r14", "%r15" };
	uint8_t rep, rex;
	size_t i = prefixes(code, &rep, &rex), len;

	if (code.n < i + 3 || code.p[i] != 0x0f)
		return false;
	if (code.p[i + 1] == 0xb9) {
		len = modrm_length(code.p + i + 2, code.n - i - 2);
		if (!len || i + 2 + len > INSN_BYTES_MAX)
			return true; /* cut off */
		in->n = (unsigned)(i + 2 + len);
		snprintf(in->mnemonic, sizeof(in->mnemonic), "ud1");
		return true;
	}
	if (rep == 0xf3 && code.p[i + 1] == 0xc7 && code.p[i + 2] >= 0xf8) {
		in->n = (unsigned)i + 3;
		snprintf(in->mnemonic, sizeof(in->mnemonic), "rdpid");
		snprintf(in->operands, sizeof(in->operands), "%s",
			 regs[(code.p[i + 2] & 7) + (rex & 1 ? 8 : 0)]);
		return true;
	}
	if (rep == 0xf3 && code.p[i + 1] == 0x01 && code.p[i + 2] == 0xd9) {
		in->n = (unsigned)i + 3;
		snprintf(in->mnemonic, sizeof(in->mnemonic), "vmgexit");
		return true;
	}
	return false;
}

/* ---- what an instruction refers to */

static void x86_target(const cs_insn *ci, struct insn *in)
{
	const cs_x86 *x = &ci->detail->x86;

	for (unsigned i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];

		if (op->type == X86_OP_IMM && in->branch) {
			in->target = (uint64_t)op->imm;
			in->has_target = true;
		} else if (op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP &&
			   op->mem.segment == X86_REG_INVALID) { /* else: a per-CPU offset */
			in->target = ci->address + ci->size + (uint64_t)op->mem.disp;
			in->has_target = true;
			in->branch = false;
		} else if (op->type == X86_OP_IMM && op->imm < -(int64_t)ERRNO_MAX &&
			   arch_x86_64.is_kernel_va((uint64_t)op->imm)) {
			in->target = (uint64_t)op->imm; /* an address of 32 bits, extended */
			in->has_target = true;
		}
	}
}

static void arm64_target(const cs_insn *ci, struct insn *in)
{
	const cs_arm64 *x = &ci->detail->arm64;
	bool relative = in->branch || ci->id == ARM64_INS_ADR || ci->id == ARM64_INS_ADRP ||
			ci->id == ARM64_INS_LDR || ci->id == ARM64_INS_LDRSW;

	for (unsigned i = 0; relative && i < x->op_count; i++)
		if (x->operands[i].type == ARM64_OP_IMM &&
		    (in->branch || x->op_count == 2)) { /* of tbz the last one is it */
			in->target = (uint64_t)x->operands[i].imm;
			in->has_target = true;
		}
}

static void arm_target(const cs_insn *ci, struct insn *in)
{
	const cs_arm *x = &ci->detail->arm;

	for (unsigned i = 0; in->branch && i < x->op_count; i++)
		if (x->operands[i].type == ARM_OP_IMM) {
			in->target = (uint32_t)x->operands[i].imm;
			in->has_target = true;
		}
}

static bool in_group(const cs_insn *ci, unsigned group)
{
	for (unsigned i = 0; i < ci->detail->groups_count; i++)
		if (ci->detail->groups[i] == group)
			return true;
	return false;
}

static void find_target(const struct dis *d, struct insn *in)
{
	const cs_insn *ci = d->insn;

	if (!ci->detail)
		return;
	in->branch = in_group(ci, CS_GRP_JUMP) || in_group(ci, CS_GRP_CALL);
	if (d->arch == &arch_x86_64) {
		x86_target(ci, in);
	} else if (d->arch == &arch_aarch64) {
		/* capstone 4 has bl and the like in no group of calls */
		in->branch |= ci->id == ARM64_INS_BL || ci->id == ARM64_INS_B ||
			      ci->id == ARM64_INS_CBZ || ci->id == ARM64_INS_CBNZ ||
			      ci->id == ARM64_INS_TBZ || ci->id == ARM64_INS_TBNZ;
		arm64_target(ci, in);
	} else {
		in->branch |= ci->id == ARM_INS_BL || ci->id == ARM_INS_B;
		arm_target(ci, in);
	}
}

static void undecoded(const struct dis *d, struct span code, struct insn *in)
{
	size_t at = 0;

	in->bad = true;
	in->n = code.n < d->step ? (unsigned)code.n : d->step;
	snprintf(in->mnemonic, sizeof(in->mnemonic), ".byte");
	for (unsigned i = 0; i < in->n; i++)
		at += (size_t)snprintf(in->operands + at, sizeof(in->operands) - at, "%s0x%02x",
				       i ? ", " : "", code.p[i]);
}

void dis_one(struct dis *d, struct span code, uint64_t addr, struct insn *ret)
{
	const uint8_t *p = code.p;
	size_t left = code.n < INSN_BYTES_MAX ? code.n : INSN_BYTES_MAX;
	uint64_t at = addr;

	memset(ret, 0, sizeof(*ret));
	ret->addr = addr;
	if (d->arch == &arch_x86_64 && x86_fix(code, ret)) {
		if (!ret->n)
			undecoded(d, code, ret);
	} else if (cs_disasm_iter(d->cs, &p, &left, &at, d->insn) &&
		   d->insn->size <= INSN_BYTES_MAX) {
		ret->n = d->insn->size;
		snprintf(ret->mnemonic, sizeof(ret->mnemonic), "%s", d->insn->mnemonic);
		snprintf(ret->operands, sizeof(ret->operands), "%s", d->insn->op_str);
		find_target(d, ret);
	} else {
		undecoded(d, code, ret);
	}
	memcpy(ret->bytes, code.p, ret->n);
}

/* ---- where code is */

size_t dis_code(struct target *t, uint64_t addr, void *buf, size_t n, struct err *err)
{
	static const char *const names[] = { ".text", ".init.text", ".rodata.text", ".exit.text" };
	uint64_t link = addr - t->kaslr;

	if (mem_loaded(t))
		return mem_read_some(t, addr, buf, n, err);
	for (size_t i = 0; t->vmlinux.file && i < ARRAY_SIZE(names); i++) {
		struct span s;
		uint64_t base;

		if (!t->vmlinux.section(t->vmlinux.self, names[i], &s, &base) || link - base >= s.n)
			continue;
		if (n > s.n - (link - base)) {
			n = s.n - (link - base);
			err_set_addr(err, ERR_NOTFOUND, addr + n, "%s ends here", names[i]);
		}
		memcpy(buf, s.p + (link - base), n);
		return n;
	}
	err_set_addr(err, ERR_NEED, addr, "no code at 0x%llx without a dump",
		     (unsigned long long)addr);
	return 0;
}
