/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code as text, by capstone; what version 4 of it gets wrong is put right here. Of an
 * architecture that it does not know a newer one has the text (dis_text.h). */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/image/capstone.h"
#include "core/image/dis.h"
#include "core/image/dis_text.h"
#include "core/image/target.h"

#define ERRNO_MAX 4095 /* ERR_PTR()s are no addresses */

/* What capstone calls an architecture. */
struct machine {
	const char *name; /* as reports have it */
	cs_arch cs;
	cs_mode mode;
	unsigned step; /* bytes of what cannot be decoded */
};
/* Those that only reports come from: a dump's are rows of core/arch. */
static const struct machine reported[] = {
	{ "i386", CS_ARCH_X86, CS_MODE_32, 1 },
	{ "ppc64", CS_ARCH_PPC, CS_MODE_64 | CS_MODE_BIG_ENDIAN, 4 },
	{ "ppc", CS_ARCH_PPC, CS_MODE_32 | CS_MODE_BIG_ENDIAN, 4 },
	{ "mips", CS_ARCH_MIPS, CS_MODE_MIPS32 | CS_MODE_BIG_ENDIAN, 4 },
};

struct dis {
	struct machine machine;
	const struct arch *arch; /* NULL: only reports come from it */
	csh cs;
	cs_insn *insn;
	bool decoded; /* insn is what dis_one() decoded last */
	/* not NULL: of this architecture only the text is had, by this and not by the above */
	struct dis_text *text;
	struct insn last, before; /* with text: what dis_one() decoded last, and in front of it */
};

static bool machine_open(struct arena *a, const struct machine *m, const struct arch *arch,
			 struct dis **ret, struct err *err)
{
	struct dis *d = ARENA_NEW(a, struct dis);

	d->machine = *m;
	d->arch = arch;
	if (!capstone_load(err))
		return false;
	if (cs_open(m->cs, m->mode, &d->cs) != CS_ERR_OK)
		return err_set(err, ERR_UNSUPPORTED, "capstone cannot disassemble %s", m->name);
	cs_option(d->cs, CS_OPT_DETAIL, CS_OPT_ON);
	if (m->cs == CS_ARCH_X86)
		cs_option(d->cs, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	d->insn = cs_malloc(d->cs);
	if (!d->insn) {
		cs_close(&d->cs);
		return err_set(err, ERR_LIMIT, "no memory to disassemble");
	}
	*ret = d;
	return true;
}

static bool text_open(struct arena *a, const struct machine *m, const struct arch *arch,
		      struct dis **ret, struct err *err)
{
	struct dis *d = ARENA_NEW(a, struct dis);

	d->machine = *m;
	d->arch = arch;
	*ret = d;
	return dis_text_open(a, arch, &d->text, err);
}

static bool arch_open(struct arena *a, const struct arch *arch, bool thumb, struct dis **ret,
		      struct err *err)
{
	struct machine m = { .name = arch_report_name(arch), .step = arch->insn };

	if (!arch->capstone)
		return err_set(err, ERR_UNSUPPORTED, "no disassembly of %s", arch->name);
	m.cs = (cs_arch)arch->capstone->arch;
	m.mode = (cs_mode)arch->capstone->mode;
	if (arch->capstone->since)
		return text_open(a, &m, arch, ret, err);
	if (thumb && m.cs == CS_ARCH_ARM) {
		m.mode = CS_MODE_THUMB;
		m.step = 2;
	}
	return machine_open(a, &m, arch, ret, err);
}

bool dis_open(struct arena *a, const struct arch *arch, struct dis **ret, struct err *err)
{
	if (!arch)
		return err_set(err, ERR_UNSUPPORTED, "no disassembly of an unknown architecture");
	return arch_open(a, arch, false, ret, err);
}

bool dis_open_named(struct arena *a, const char *name, bool thumb, struct dis **ret,
		    struct err *err)
{
	const struct arch *arch = arch_of_report(name);

	if (arch)
		return arch_open(a, arch, thumb, ret, err);
	for (size_t i = 0; i < ARRAY_SIZE(reported); i++)
		if (!strcmp(reported[i].name, name))
			return machine_open(a, &reported[i], NULL, ret, err);
	return err_set(err, ERR_UNSUPPORTED, "no disassembly of %s", name);
}

void dis_close(struct dis *d)
{
	if (d->text) {
		dis_text_close(d->text);
		return;
	}
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

/* How many bytes stand before the opcode. Only with 64 bits is 40 to 4f a prefix. */
static size_t prefixes(struct span code, bool wide, uint8_t *rep, uint8_t *rex)
{
	size_t i = 0;

	*rep = *rex = 0;
	while (i < code.n && i < 4 &&
	       (code.p[i] == 0x66 || code.p[i] == 0x67 || code.p[i] == 0xf2 || code.p[i] == 0xf3)) {
		*rep = code.p[i] >= 0xf2 ? code.p[i] : *rep;
		i++;
	}
	if (wide && i < code.n && (code.p[i] & 0xf0) == 0x40)
		*rex = code.p[i++];
	return i;
}

/* True: it is one of these; in->n is 0 when it is cut off. Intel SDM vol. 2: UD1 is 0f b9 /r, RDPID
 * f3 0f c7 /7. AMD APM vol. 3: VMGEXIT is f3 0f 01 d9. */
static bool x86_fix(struct span code, bool wide, struct insn *in)
{
	static const char *const regs[] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"
	};
	uint8_t rep, rex;
	size_t i = prefixes(code, wide, &rep, &rex), len;

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
		/* with 32 bits it is the same register, of that size: "eax" */
		snprintf(in->operands, sizeof(in->operands), "%%%s%s", wide ? "" : "e",
			 regs[(code.p[i + 2] & 7) + (rex & 1 ? 8 : 0)] + !wide);
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

static void x86_target(const struct dis *d, struct insn *in)
{
	const cs_insn *ci = d->insn;
	const cs_x86 *x = &ci->detail->x86;
	bool wide = d->machine.mode == CS_MODE_64;

	for (unsigned i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];

		if (op->type == X86_OP_IMM && in->branch) {
			in->target = wide ? (uint64_t)op->imm : (uint32_t)op->imm;
			in->has_target = true;
		} else if (op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP &&
			   op->mem.segment == X86_REG_INVALID) { /* else: a per-CPU offset */
			in->target = ci->address + ci->size + (uint64_t)op->mem.disp;
			in->has_target = true;
			in->branch = false;
		} else if (d->arch && op->type == X86_OP_IMM && op->imm < -(int64_t)ERRNO_MAX &&
			   d->arch->is_kernel_va((uint64_t)op->imm)) {
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

/* Where a branch goes is its last operand. Capstone 4 has no group for those of ppc64; of all that
 * begins with b they alone end in a number. */
static void ppc_target(const cs_insn *ci, struct insn *in)
{
	const cs_ppc *x = &ci->detail->ppc;
	const cs_ppc_op *last = &x->operands[x->op_count ? x->op_count - 1 : 0];

	in->branch |= ci->mnemonic[0] == 'b';
	in->has_target = in->branch && x->op_count && last->type == PPC_OP_IMM;
	if (in->has_target)
		in->target = (uint64_t)last->imm;
}

static void mips_target(const cs_insn *ci, struct insn *in)
{
	const cs_mips *x = &ci->detail->mips;
	const cs_mips_op *last = &x->operands[x->op_count ? x->op_count - 1 : 0];

	in->branch |= ci->id == MIPS_INS_J || ci->id == MIPS_INS_JAL || ci->id == MIPS_INS_BAL;
	in->has_target = in->branch && x->op_count && last->type == MIPS_OP_IMM;
	if (in->has_target)
		in->target = (uint32_t)last->imm;
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
	if (d->machine.cs == CS_ARCH_X86) {
		x86_target(d, in);
	} else if (d->machine.cs == CS_ARCH_ARM64) {
		/* capstone 4 has bl and the like in no group of calls */
		in->branch |= ci->id == ARM64_INS_BL || ci->id == ARM64_INS_B ||
			      ci->id == ARM64_INS_CBZ || ci->id == ARM64_INS_CBNZ ||
			      ci->id == ARM64_INS_TBZ || ci->id == ARM64_INS_TBNZ;
		arm64_target(ci, in);
	} else if (d->machine.cs == CS_ARCH_PPC) {
		ppc_target(ci, in);
	} else if (d->machine.cs == CS_ARCH_MIPS) {
		mips_target(ci, in);
	} else if (d->machine.cs == CS_ARCH_ARM) {
		in->branch |= ci->id == ARM_INS_BL || ci->id == ARM_INS_B;
		arm_target(ci, in);
	}
}

static void undecoded(const struct dis *d, struct span code, struct insn *in)
{
	unsigned step = d->arch && d->arch->insn_size ? d->arch->insn_size(code) : d->machine.step;
	size_t at = 0;

	in->bad = true;
	in->n = code.n < step ? (unsigned)code.n : step;
	snprintf(in->mnemonic, sizeof(in->mnemonic), ".byte");
	for (unsigned i = 0; i < in->n; i++)
		at += (size_t)snprintf(in->operands + at, sizeof(in->operands) - at, "%s0x%02x",
				       i ? ", " : "", code.p[i]);
}

/* Where the instruction leads, which its text tells as a distance, is put there as an address. */
static void text_target(const struct dis *d, struct span code, struct insn *in)
{
	const struct insn *before = &d->before;
	struct span known = { 0 };
	enum arch_leads leads;
	size_t at;

	if (!d->arch->insn_leads)
		return;
	if (before->n && before->addr + before->n == in->addr)
		known = SPAN(before->bytes, before->n);
	leads = d->arch->insn_leads(known, code, in->addr, &in->target);
	in->has_target = leads != LEADS_NOWHERE;
	in->branch = leads == LEADS_JUMP || leads == LEADS_CODE;
	if (leads != LEADS_JUMP)
		return;
	for (at = strlen(in->operands); at && in->operands[at - 1] != ' ';)
		at--;
	snprintf(in->operands + at, sizeof(in->operands) - at, "0x%" PRIx64, in->target);
}

static void text_one(struct dis *d, struct span code, struct insn *ret)
{
	struct dis_text_insn in;

	if (d->last.addr != ret->addr) /* else: the same once more */
		d->before = d->last;
	if (dis_text_one(d->text, code, ret->addr, &in)) {
		ret->n = in.n;
		snprintf(ret->mnemonic, sizeof(ret->mnemonic), "%.31s", in.mnemonic);
		snprintf(ret->operands, sizeof(ret->operands), "%.159s", in.operands);
		text_target(d, code, ret);
	} else {
		undecoded(d, code, ret);
	}
	memcpy(ret->bytes, code.p, ret->n);
	d->last = *ret;
}

void dis_one(struct dis *d, struct span code, uint64_t addr, struct insn *ret)
{
	const uint8_t *p = code.p;
	size_t left = code.n < INSN_BYTES_MAX ? code.n : INSN_BYTES_MAX;
	uint64_t at = addr;

	memset(ret, 0, sizeof(*ret));
	ret->addr = addr;
	d->decoded = false;
	if (d->text) {
		text_one(d, code, ret);
		return;
	}
	if (d->machine.cs == CS_ARCH_X86 && x86_fix(code, d->machine.mode == CS_MODE_64, ret)) {
		if (!ret->n)
			undecoded(d, code, ret);
	} else if (cs_disasm_iter(d->cs, &p, &left, &at, d->insn) &&
		   d->insn->size <= INSN_BYTES_MAX) {
		d->decoded = d->insn->detail != NULL;
		ret->n = d->insn->size;
		snprintf(ret->mnemonic, sizeof(ret->mnemonic), "%s", d->insn->mnemonic);
		snprintf(ret->operands, sizeof(ret->operands), "%s", d->insn->op_str);
		find_target(d, ret);
	} else {
		undecoded(d, code, ret);
	}
	memcpy(ret->bytes, code.p, ret->n);
}

/* ---- what an instruction does */

static bool x86_memory(const struct dis *d, struct dis_memory *ret)
{
	const cs_x86 *x = &d->insn->detail->x86;
	bool found = false;

	for (unsigned i = 0; i < x->op_count; i++) {
		const cs_x86_op *o = &x->operands[i];

		if (o->type != X86_OP_MEM || o->mem.segment != X86_REG_INVALID)
			continue;
		ret->base = cs_reg_name(d->cs, o->mem.base);
		ret->index = cs_reg_name(d->cs, o->mem.index);
		ret->scale = (uint64_t)o->mem.scale;
		ret->disp = o->mem.disp;
		ret->writes = o->access & CS_AC_WRITE;
		found = true;
	}
	return found;
}

static bool arm64_memory(const struct dis *d, struct dis_memory *ret)
{
	const cs_arm64 *x = &d->insn->detail->arm64;
	bool found = false;

	for (unsigned i = 0; i < x->op_count; i++) {
		const cs_arm64_op *o = &x->operands[i];

		if (o->type != ARM64_OP_MEM)
			continue;
		ret->base = cs_reg_name(d->cs, o->mem.base);
		ret->index = cs_reg_name(d->cs, o->mem.index);
		ret->disp = o->mem.disp;
		ret->writes = d->insn->mnemonic[0] == 's';
		found = true;
	}
	return found;
}

static bool arm_memory(const struct dis *d, struct dis_memory *ret)
{
	const cs_arm *x = &d->insn->detail->arm;
	bool found = false;

	for (unsigned i = 0; i < x->op_count; i++) {
		const cs_arm_op *o = &x->operands[i];

		if (o->type != ARM_OP_MEM)
			continue;
		ret->base = cs_reg_name(d->cs, o->mem.base);
		ret->index = cs_reg_name(d->cs, o->mem.index);
		ret->disp = o->subtracted ? -(int64_t)o->mem.disp : o->mem.disp;
		ret->writes = d->insn->mnemonic[0] == 's';
		found = true;
	}
	return found;
}

static bool ppc_memory(const struct dis *d, struct dis_memory *ret)
{
	const cs_ppc *x = &d->insn->detail->ppc;

	for (unsigned i = 0; i < x->op_count; i++) {
		if (x->operands[i].type != PPC_OP_MEM)
			continue;
		ret->base = cs_reg_name(d->cs, x->operands[i].mem.base);
		ret->disp = x->operands[i].mem.disp;
		ret->writes = d->insn->mnemonic[0] == 's';
		return true;
	}
	return false;
}

/* RISC-V's "0x8(a5)" and "-0x8(sp)", and "(a5)" of atomic operations. */
static bool text_memory(const struct dis *d, struct dis_memory *ret)
{
	const struct insn *in = &d->last;
	const char *at = strchr(in->operands, '('), *name = in->mnemonic;
	bool minus;
	uint64_t v = 0;

	if (in->bad || !at)
		return false;
	for (unsigned i = 0; i < REGS_MAX && !ret->base; i++) {
		const char *reg = d->arch->reg_names[i];

		if (reg && !strncmp(at + 1, reg, strlen(reg)) && at[1 + strlen(reg)] == ')')
			ret->base = reg;
	}
	while (at > in->operands && at[-1] != ' ')
		at--;
	minus = *at == '-';
	at += minus;
	number_take(&at, NULL, 0, &v);
	ret->disp = (int64_t)(minus ? -v : v);
	name += strncmp(name, "c.", 2) ? 0 : 2;
	ret->writes = strchr("sa", *name + (*name == 'f')) != NULL;
	return ret->base != NULL;
}

bool dis_memory(const struct dis *d, struct dis_memory *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->scale = 1;
	if (d->text)
		return text_memory(d, ret);
	if (!d->decoded)
		return false;
	switch ((int)d->machine.cs) {
	case CS_ARCH_X86:
		return x86_memory(d, ret);
	case CS_ARCH_ARM64:
		return arm64_memory(d, ret);
	case CS_ARCH_ARM:
		return arm_memory(d, ret);
	case CS_ARCH_PPC:
		return ppc_memory(d, ret);
	default:
		return false;
	}
}

/* "eax" is of rax, "w0" of x0, "r8d" of r8. */
static bool same_register(const char *a, const char *b)
{
	if (!a || !b)
		return false;
	if (!strcmp(a, b))
		return true;
	if ((a[0] == 'w' && b[0] == 'x') || (a[0] == 'e' && b[0] == 'r'))
		return !strcmp(a + 1, b + 1);
	return b[0] == 'r' && isdigit((unsigned char)b[1]) && !strncmp(a, b, strlen(b)) &&
	       !isdigit((unsigned char)a[strlen(b)]);
}

/* RISC-V: the first operand is written, but for stores and branches; a call may write all. */
static bool text_writes(const struct dis *d, const char *reg, bool *load)
{
	const struct insn *in = &d->last;
	size_t n = strlen(reg);
	struct dis_memory m;
	bool memory = dis_memory(d, &m);

	if (in->bad || strstr(in->mnemonic, "jal"))
		return true;
	if (in->branch || (memory && m.writes && in->mnemonic[0] != 'a') ||
	    strncmp(in->operands, reg, n) || (in->operands[n] && in->operands[n] != ','))
		return false;
	*load = memory && !m.writes;
	return true;
}

bool dis_writes(const struct dis *d, const char *reg, bool *load)
{
	struct dis_memory from;
	cs_regs read, write;
	uint8_t n_read, n_write;

	*load = false;
	if (d->text)
		return text_writes(d, reg, load);
	if (!d->decoded ||
	    cs_regs_access(d->cs, d->insn, read, &n_read, write, &n_write) != CS_ERR_OK)
		return true;
	for (uint8_t i = 0; i < n_write; i++) {
		if (!same_register(cs_reg_name(d->cs, write[i]), reg))
			continue;
		/* not "add", and not the second register of "ldp" */
		*load = dis_memory(d, &from) && !from.writes &&
			(!strncmp(d->insn->mnemonic, "mov", 3) ||
			 !strncmp(d->insn->mnemonic, "ldr", 3));
		return true;
	}
	return in_group(d->insn, CS_GRP_CALL);
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
