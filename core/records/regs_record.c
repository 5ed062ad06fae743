/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of saved registers: one kind an architecture, each register a field of its name. */
#include <string.h>

#include "core/records/regs_record.h"
#include "core/image/target.h"

/* Every field from R_FIRST on is named as the architecture's register. */
enum {
	R_PID,
	R_CPU,
	R_N,
	R_USER,
	R_FIRST
};
#define REGS_HEAD                                                                        \
	[R_PID] = { "pid", NULL, CELL_INT, 0, "process id" },                            \
	[R_CPU] = { "cpu", NULL, CELL_INT, 0, "the CPU whose own they are, else null" }, \
	[R_N] = { "n", NULL, CELL_UINT, 0, "number of the frame that saved them" },      \
	[R_USER] = { "user", NULL, CELL_BOOL, 0, "they are of user mode" }
#define REG(name)                                    \
	{                                            \
		name, NULL, CELL_ADDR, 0, "register" \
	}
static const struct record_field x86_fields[] = {
	REGS_HEAD,
	REG("rip"),
	REG("rsp"),
	{ "rflags", NULL, CELL_HEX, 0, "flags" },
	REG("rax"),
	REG("rbx"),
	REG("rcx"),
	REG("rdx"),
	REG("rsi"),
	REG("rdi"),
	REG("rbp"),
	REG("r8"),
	REG("r9"),
	REG("r10"),
	REG("r11"),
	REG("r12"),
	REG("r13"),
	REG("r14"),
	REG("r15"),
	REG("orig_rax"),
	{ "cs", NULL, CELL_HEX, 0, "code segment" },
	{ "ss", NULL, CELL_HEX, 0, "stack segment" },
};
const struct record_kind regs_x86_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (x86_64)",
	.layout = LAYOUT_LINE,
	.line = "    RIP: {rip}  RSP: {rsp}  RFLAGS: {rflags}\n"
		"    RAX: {rax}  RBX: {rbx}  RCX: {rcx}\n"
		"    RDX: {rdx}  RSI: {rsi}  RDI: {rdi}\n"
		"    RBP: {rbp}   R8: {r8}   R9: {r9}\n"
		"    R10: {r10}  R11: {r11}  R12: {r12}\n"
		"    R13: {r13}  R14: {r14}  R15: {r15}\n"
		"    ORIG_RAX: {orig_rax}  CS: {cs}  SS: {ss}",
	.fields = x86_fields,
	.n_fields = sizeof(x86_fields) / sizeof(x86_fields[0]),
};
static const struct record_field arm64_fields[] = {
	REGS_HEAD,  REG("pc"),  REG("sp"),  { "pstate", NULL, CELL_HEX, 0, "processor state" },
	REG("x0"),  REG("x1"),  REG("x2"),  REG("x3"),
	REG("x4"),  REG("x5"),  REG("x6"),  REG("x7"),
	REG("x8"),  REG("x9"),  REG("x10"), REG("x11"),
	REG("x12"), REG("x13"), REG("x14"), REG("x15"),
	REG("x16"), REG("x17"), REG("x18"), REG("x19"),
	REG("x20"), REG("x21"), REG("x22"), REG("x23"),
	REG("x24"), REG("x25"), REG("x26"), REG("x27"),
	REG("x28"), REG("x29"), REG("x30"),
};
const struct record_kind regs_arm64_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (arm64)",
	.layout = LAYOUT_LINE,
	.line = "     PC: {pc}   LR: {x30}   SP: {sp}  PSTATE: {pstate}\n"
		"    X29: {x29}  X28: {x28}  X27: {x27}\n"
		"    X26: {x26}  X25: {x25}  X24: {x24}\n"
		"    X23: {x23}  X22: {x22}  X21: {x21}\n"
		"    X20: {x20}  X19: {x19}  X18: {x18}\n"
		"    X17: {x17}  X16: {x16}  X15: {x15}\n"
		"    X14: {x14}  X13: {x13}  X12: {x12}\n"
		"    X11: {x11}  X10: {x10}   X9: {x9}\n"
		"     X8: {x8}   X7: {x7}   X6: {x6}\n"
		"     X5: {x5}   X4: {x4}   X3: {x3}\n"
		"     X2: {x2}   X1: {x1}   X0: {x0}",
	.fields = arm64_fields,
	.n_fields = sizeof(arm64_fields) / sizeof(arm64_fields[0]),
};
static const struct record_field arm_fields[] = {
	REGS_HEAD, REG("pc"), REG("lr"),      { "cpsr", NULL, CELL_HEX, 0, "processor state" },
	REG("sp"), REG("ip"), REG("fp"),      REG("r10"),
	REG("r9"), REG("r8"), REG("r7"),      REG("r6"),
	REG("r5"), REG("r4"), REG("r3"),      REG("r2"),
	REG("r1"), REG("r0"), REG("orig_r0"),
};
const struct record_kind regs_arm_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (32-bit ARM)",
	.layout = LAYOUT_LINE,
	.line = "     PC: {pc}   LR: {lr}  PSR: {cpsr}\n"
		"     SP: {sp}   IP: {ip}   FP: {fp}\n"
		"    R10: {r10}   R9: {r9}   R8: {r8}\n"
		"     R7: {r7}   R6: {r6}   R5: {r5}   R4: {r4}\n"
		"     R3: {r3}   R2: {r2}   R1: {r1}   R0: {r0}",
	.fields = arm_fields,
	.n_fields = sizeof(arm_fields) / sizeof(arm_fields[0]),
};
static const struct record_field riscv64_fields[] = {
	REGS_HEAD,
	REG("pc"),
	REG("ra"),
	REG("sp"),
	REG("gp"),
	REG("tp"),
	REG("t0"),
	REG("t1"),
	REG("t2"),
	REG("s0"),
	REG("s1"),
	REG("a0"),
	REG("a1"),
	REG("a2"),
	REG("a3"),
	REG("a4"),
	REG("a5"),
	REG("a6"),
	REG("a7"),
	REG("s2"),
	REG("s3"),
	REG("s4"),
	REG("s5"),
	REG("s6"),
	REG("s7"),
	REG("s8"),
	REG("s9"),
	REG("s10"),
	REG("s11"),
	REG("t3"),
	REG("t4"),
	REG("t5"),
	REG("t6"),
	REG("orig_a0"),
	REG("badaddr"),
	{ "status", NULL, CELL_HEX, 0, "processor state" },
	{ "cause", NULL, CELL_HEX, 0, "why it was entered" },
};
const struct record_kind regs_riscv64_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (64-bit RISC-V)",
	.layout = LAYOUT_LINE,
	.line = "     PC: {pc}   RA: {ra}   SP: {sp}\n"
		"     GP: {gp}   TP: {tp}   T0: {t0}\n"
		"     T1: {t1}   T2: {t2}   S0: {s0}\n"
		"     S1: {s1}   A0: {a0}   A1: {a1}\n"
		"     A2: {a2}   A3: {a3}   A4: {a4}\n"
		"     A5: {a5}   A6: {a6}   A7: {a7}\n"
		"     S2: {s2}   S3: {s3}   S4: {s4}\n"
		"     S5: {s5}   S6: {s6}   S7: {s7}\n"
		"     S8: {s8}   S9: {s9}  S10: {s10}\n"
		"    S11: {s11}   T3: {t3}   T4: {t4}\n"
		"     T5: {t5}   T6: {t6}  BADADDR: {badaddr}\n"
		"    ORIG_A0: {orig_a0}  STATUS: {status}  CAUSE: {cause}",
	.fields = riscv64_fields,
	.n_fields = sizeof(riscv64_fields) / sizeof(riscv64_fields[0]),
};
static const struct record_field loongarch64_fields[] = {
	REGS_HEAD,
	REG("era"),
	REG("ra"),
	REG("tp"),
	REG("sp"),
	REG("a0"),
	REG("a1"),
	REG("a2"),
	REG("a3"),
	REG("a4"),
	REG("a5"),
	REG("a6"),
	REG("a7"),
	REG("t0"),
	REG("t1"),
	REG("t2"),
	REG("t3"),
	REG("t4"),
	REG("t5"),
	REG("t6"),
	REG("t7"),
	REG("t8"),
	REG("u0"),
	REG("fp"),
	REG("s0"),
	REG("s1"),
	REG("s2"),
	REG("s3"),
	REG("s4"),
	REG("s5"),
	REG("s6"),
	REG("s7"),
	REG("s8"),
	REG("orig_a0"),
	REG("badv"),
	{ "crmd", NULL, CELL_HEX, 0, "processor state" },
	{ "prmd", NULL, CELL_HEX, 0, "processor state before" },
	{ "estat", NULL, CELL_HEX, 0, "why it was entered" },
};
const struct record_kind regs_loongarch64_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (LoongArch)",
	.layout = LAYOUT_LINE,
	.line = "     ERA: {era}   RA: {ra}   TP: {tp}\n"
		"      SP: {sp}   A0: {a0}   A1: {a1}\n"
		"      A2: {a2}   A3: {a3}   A4: {a4}\n"
		"      A5: {a5}   A6: {a6}   A7: {a7}\n"
		"      T0: {t0}   T1: {t1}   T2: {t2}\n"
		"      T3: {t3}   T4: {t4}   T5: {t5}\n"
		"      T6: {t6}   T7: {t7}   T8: {t8}\n"
		"      U0: {u0}   FP: {fp}   S0: {s0}\n"
		"      S1: {s1}   S2: {s2}   S3: {s3}\n"
		"      S4: {s4}   S5: {s5}   S6: {s6}\n"
		"      S7: {s7}   S8: {s8}  BADV: {badv}\n"
		"    ORIG_A0: {orig_a0}  CRMD: {crmd}  PRMD: {prmd}  ESTAT: {estat}",
	.fields = loongarch64_fields,
	.n_fields = sizeof(loongarch64_fields) / sizeof(loongarch64_fields[0]),
};
static const struct record_field ppc64_fields[] = {
	REGS_HEAD,
	REG("nip"),
	REG("lr"),
	REG("ctr"),
	REG("r0"),
	REG("sp"),
	REG("r2"),
	REG("r3"),
	REG("r4"),
	REG("r5"),
	REG("r6"),
	REG("r7"),
	REG("r8"),
	REG("r9"),
	REG("r10"),
	REG("r11"),
	REG("r12"),
	REG("r13"),
	REG("r14"),
	REG("r15"),
	REG("r16"),
	REG("r17"),
	REG("r18"),
	REG("r19"),
	REG("r20"),
	REG("r21"),
	REG("r22"),
	REG("r23"),
	REG("r24"),
	REG("r25"),
	REG("r26"),
	REG("r27"),
	REG("r28"),
	REG("r29"),
	REG("r30"),
	REG("r31"),
	REG("orig_r3"),
	REG("dar"),
	{ "msr", NULL, CELL_HEX, 0, "machine state" },
	{ "cr", NULL, CELL_HEX, 0, "conditions" },
	{ "xer", NULL, CELL_HEX, 0, "carry and overflow" },
	{ "softe", NULL, CELL_HEX, 0, "which interrupts the kernel held back" },
	{ "trap", NULL, CELL_HEX, 0, "the interrupt's number" },
	{ "dsisr", NULL, CELL_HEX, 0, "what a failed access was" },
};
const struct record_kind regs_ppc64_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (64-bit PowerPC)",
	.layout = LAYOUT_LINE,
	.line = "    NIP: {nip}  LR: {lr}  CTR: {ctr}\n"
		"  GPR00: {r0} {sp} {r2} {r3}\n"
		"  GPR04: {r4} {r5} {r6} {r7}\n"
		"  GPR08: {r8} {r9} {r10} {r11}\n"
		"  GPR12: {r12} {r13} {r14} {r15}\n"
		"  GPR16: {r16} {r17} {r18} {r19}\n"
		"  GPR20: {r20} {r21} {r22} {r23}\n"
		"  GPR24: {r24} {r25} {r26} {r27}\n"
		"  GPR28: {r28} {r29} {r30} {r31}\n"
		"    DAR: {dar}  ORIG_R3: {orig_r3}\n"
		"    MSR: {msr}  CR: {cr}  XER: {xer}\n"
		"    TRAP: {trap}  DSISR: {dsisr}  SOFTE: {softe}",
	.fields = ppc64_fields,
	.n_fields = sizeof(ppc64_fields) / sizeof(ppc64_fields[0]),
};
static const struct record_field s390x_fields[] = {
	REGS_HEAD,  { "psw_mask", NULL, CELL_HEX, 0, "processor state" },
	REG("pc"),  REG("r0"),
	REG("r1"),  REG("r2"),
	REG("r3"),  REG("r4"),
	REG("r5"),  REG("r6"),
	REG("r7"),  REG("r8"),
	REG("r9"),  REG("r10"),
	REG("r11"), REG("r12"),
	REG("r13"), REG("r14"),
	REG("r15"), REG("orig_gpr2"),
};
const struct record_kind regs_s390x_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (s390x)",
	.layout = LAYOUT_LINE,
	.line = "     PC: {pc}  PSW_MASK: {psw_mask}  ORIG_GPR2: {orig_gpr2}\n"
		"     R0: {r0}   R1: {r1}   R2: {r2}   R3: {r3}\n"
		"     R4: {r4}   R5: {r5}   R6: {r6}   R7: {r7}\n"
		"     R8: {r8}   R9: {r9}  R10: {r10}  R11: {r11}\n"
		"    R12: {r12}  R13: {r13}  R14: {r14}  R15: {r15}",
	.fields = s390x_fields,
	.n_fields = sizeof(s390x_fields) / sizeof(s390x_fields[0]),
};
/* What has no layout of its own above. */
enum {
	V_PID,
	V_CPU,
	V_N,
	V_USER,
	V_NAME,
	V_VALUE
};
static const struct record_field value_fields[] = {
	[V_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[V_CPU] = { "cpu", NULL, CELL_INT, 0, "the CPU whose own it is, else null" },
	[V_N] = { "n", NULL, CELL_UINT, 0, "number of the frame that saved it" },
	[V_USER] = { "user", NULL, CELL_BOOL, 0, "it is of user mode" },
	[V_NAME] = { "name", NULL, CELL_STR, 0, "the register" },
	[V_VALUE] = { "value", NULL, CELL_ADDR, 0, "what it holds" },
};
const struct record_kind regs_value_kind = {
	.name = "register_value",
	.doc = "one register that an entry to the kernel saved (other machines)",
	.layout = LAYOUT_LINE,
	.line = "    {name:8}: {value}",
	.fields = value_fields,
	.n_fields = sizeof(value_fields) / sizeof(value_fields[0]),
};

/* NULL: a record for each register. */
static const struct record_kind *const regs_kinds[REGS_LAYOUTS] = {
	[REGS_LAYOUT_X86_64] = &regs_x86_kind,
	[REGS_LAYOUT_ARM64] = &regs_arm64_kind,
	[REGS_LAYOUT_ARM] = &regs_arm_kind,
	[REGS_LAYOUT_RISCV64] = &regs_riscv64_kind,
	[REGS_LAYOUT_LOONGARCH64] = &regs_loongarch64_kind,
	[REGS_LAYOUT_PPC64] = &regs_ppc64_kind,
	[REGS_LAYOUT_S390X] = &regs_s390x_kind,
};

static void emit_values(struct ctx *c, const struct regs *regs, const struct regs_of *of)
{
	for (unsigned i = 0; i < REGS_MAX; i++) {
		const char *name = c->t->arch->reg_names[i];
		struct record r;
		uint64_t value;

		if (!name || !regs_get(regs, i, &value))
			continue;
		record_init(&r, &regs_value_kind);
		if (of->has_pid)
			record_int(&r, V_PID, of->pid);
		if (of->cpu >= 0)
			record_int(&r, V_CPU, of->cpu);
		if (of->n >= 0)
			record_int(&r, V_N, of->n);
		record_bool(&r, V_USER, of->user);
		record_str(&r, V_NAME, name);
		record_uint(&r, V_VALUE, value);
		emit(c, &r);
	}
}

void emit_registers(struct ctx *c, const struct regs *regs, const struct regs_of *of)
{
	const struct record_kind *kind = regs_kinds[c->t->arch->regs_layout];
	struct record r;

	if (!kind) {
		emit_values(c, regs, of);
		return;
	}
	record_init(&r, kind);
	if (of->has_pid)
		record_int(&r, R_PID, of->pid);
	if (of->cpu >= 0)
		record_int(&r, R_CPU, of->cpu);
	if (of->n >= 0)
		record_int(&r, R_N, of->n);
	record_bool(&r, R_USER, of->user);
	for (unsigned i = R_FIRST; i < kind->n_fields; i++)
		for (unsigned k = 0; k < REGS_MAX; k++) {
			const char *name = c->t->arch->reg_names[k];
			uint64_t value;

			if (name && !strcmp(name, kind->fields[i].name) &&
			    regs_get(regs, k, &value))
				record_uint(&r, i, value);
		}
	emit(c, &r);
}
