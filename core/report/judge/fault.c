/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trap's error code, syndrome or cause register says, by architecture. */
#include <inttypes.h>
#include <string.h>

#include "core/report/report.h"

/* arch/x86/include/asm/trap_pf.h */
static void x86_error(uint64_t e, struct buf *b)
{
	buf_printf(b, "%s, %s from %s mode", e & 1 ? "protection violation" : "page not present",
		   e & 16  ? "instruction fetch"
		   : e & 2 ? "write"
			   : "read",
		   e & 4 ? "user" : "kernel");
	if (e & 8)
		buf_str(b, ", reserved bits set in a page table");
	if (e & 32)
		buf_str(b, ", protection key");
	if (e & 64)
		buf_str(b, ", shadow stack");
}

/* Arm ARM, ESR_ELx */
static void arm64_error(uint64_t esr, struct buf *b)
{
	static const struct {
		unsigned ec;
		const char *text;
	} classes[] = {
		{ 0x00, "unknown reason" },
		{ 0x0d, "branch target exception" },
		{ 0x0e, "illegal execution state" },
		{ 0x1c, "pointer authentication failure" },
		{ 0x20, "instruction abort from user space" },
		{ 0x21, "instruction abort in the kernel" },
		{ 0x22, "program counter not aligned" },
		{ 0x24, "data abort from user space" },
		{ 0x25, "data abort in the kernel" },
		{ 0x26, "stack pointer not aligned" },
		{ 0x2f, "SError" },
		{ 0x3c, "BRK instruction" },
	};
	static const char *const faults[] = { "address size fault", "translation fault",
					      "access flag fault", "permission fault" };
	unsigned ec = (unsigned)(esr >> 26 & 0x3f), fsc = (unsigned)(esr & 0x3f);
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (classes[i].ec == ec) {
			buf_str(b, classes[i].text);
			known = true;
		}
	if (!known)
		buf_printf(b, "exception class 0x%x", ec);
	if (ec != 0x24 && ec != 0x25 && ec != 0x20 && ec != 0x21)
		return;
	if (ec >= 0x24)
		buf_printf(b, ", %s", esr & 0x40 ? "write" : "read");
	if (fsc < 0x10)
		buf_printf(b, ", %s of level %u", faults[fsc >> 2], fsc & 3);
	else if (fsc == 0x10)
		buf_str(b, ", synchronous external abort");
	else if (fsc == 0x11)
		buf_str(b, ", tag check fault");
	else if (fsc == 0x21)
		buf_str(b, ", alignment fault");
}

/* The RISC-V privileged specification, scause. */
static const char *riscv_cause(uint64_t cause)
{
	static const char *const v[] = {
		"instruction address misaligned",
		"instruction access fault",
		"illegal instruction",
		"breakpoint",
		"load address misaligned",
		"load access fault",
		"store address misaligned",
		"store access fault",
		"system call of a program",
		"system call of the kernel",
		NULL,
		NULL,
		"instruction page fault",
		"load page fault",
		NULL,
		"store page fault",
	};

	return cause < ARRAY_SIZE(v) ? v[cause] : NULL;
}

static bool is(const struct report *r, const char *arch)
{
	return r->arch && !strcmp(r->arch, arch);
}

/* A bit and what it says when it is set. */
struct bit {
	uint64_t mask;
	const char *text;
};

static void bits(struct buf *b, uint64_t v, const struct bit *bit, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v & bit[i].mask)
			buf_printf(b, ", %s", bit[i].text);
}

static const char *named(const char *const *v, size_t n, uint64_t i)
{
	return i < n ? v[i] : NULL;
}

/* Arm ARM, DFSR and IFSR; arch/arm/mm/fault.h. With the large page tables bit 9 is set, and the
 * status is that of arm64. Bit 31 is the kernel's own: an instruction fetch. */
static void arm_error(uint64_t fsr, struct buf *b)
{
	static const char *const v[] = {
		"unknown",
		"alignment fault",
		"debug event",
		"access flag fault of a section",
		"instruction cache maintenance fault",
		"translation fault of a section",
		"access flag fault of a page",
		"translation fault of a page",
		"synchronous external abort",
		"domain fault of a section",
		NULL,
		"domain fault of a page",
		"external abort on a table walk",
		"permission fault of a section",
		"external abort on a table walk",
		"permission fault of a page",
	};
	static const char *const large[] = { "address size fault", "translation fault",
					     "access flag fault", "permission fault" };
	unsigned status = (unsigned)(fsr & 0x3f);
	const char *what;

	buf_str(b, fsr & 0x80000000u ? "instruction fetch" : fsr & 0x800 ? "write" : "read");
	if (fsr & 0x200) {
		if (status < 0x10)
			buf_printf(b, ", %s of level %u", large[status >> 2], status & 3);
		else if (status == 0x10)
			buf_str(b, ", synchronous external abort");
		else if (status == 0x21)
			buf_str(b, ", alignment fault");
		return;
	}
	status = (unsigned)((fsr & 0xf) | (fsr & 0x400 ? 0x10 : 0));
	what = status == 0x16   ? "asynchronous external abort"
	       : status == 0x10 ? "TLB conflict"
				: named(v, ARRAY_SIZE(v), status);
	if (what)
		buf_printf(b, ", %s", what);
}

/* arch/powerpc/include/asm/reg.h */
static void dsisr(uint64_t v, struct buf *b)
{
	static const struct bit set[] = {
		{ 0x40000000, "no translation found" },
		{ 0x20000000, "attributes of process and partition conflict" },
		{ 0x10000000, "no execution, or guarded memory" },
		{ 0x08000000, "protection fault" },
		{ 0x04000000, "bad access to cache-inhibited or guarded memory" },
		{ 0x00400000, "data breakpoint" },
		{ 0x00200000, "storage key fault" },
		{ 0x00080000, "unsupported MMU configuration" },
		{ 0x00040000, "setting of the referenced and changed bits failed" },
		{ 0x00020000, "fault on the process table" },
	};

	buf_str(b, v & 0x02000000 ? "write" : "read");
	bits(b, v, set, ARRAY_SIZE(set));
}

/* The vectors of 64-bit server processors, arch/powerpc/kernel/exceptions-64s.S */
static const char *ppc_trap(uint64_t trap)
{
	static const struct {
		unsigned vector;
		const char *text;
	} v[] = {
		{ 0x100, "system reset" },
		{ 0x200, "machine check" },
		{ 0x300, "data storage" },
		{ 0x380, "data segment" },
		{ 0x400, "instruction storage" },
		{ 0x480, "instruction segment" },
		{ 0x500, "external interrupt" },
		{ 0x600, "alignment" },
		{ 0x700, "program check: trap or illegal instruction" },
		{ 0x800, "floating point unavailable" },
		{ 0x900, "decrementer" },
		{ 0xc00, "system call" },
		{ 0xd00, "single step" },
		{ 0xf40, "vector unavailable" },
		{ 0xf60, "facility unavailable" },
		{ 0x3000, "system call, vectored" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (v[i].vector == (trap & ~UINT64_C(1)))
			return v[i].text;
	return NULL;
}

/* z/Architecture Principles of Operation, translation-exception identification;
 * arch/s390/mm/fault.c */
static void teid(uint64_t v, struct buf *b)
{
	static const char *const spaces[] = { "primary", "access-register", "secondary", "home" };
	unsigned how = (unsigned)(v >> 10 & 3);

	if (how == 1 || how == 2)
		buf_printf(b, "%s, ", how == 1 ? "store" : "fetch");
	buf_printf(b, "%s address space", spaces[v & 3]);
}

/* The MIPS32 and MIPS64 architectures, Cause.ExcCode; arch/mips/include/asm/mipsregs.h */
static const char *const mips_codes[] = {
	"interrupt",
	"store to a page that is read-only in the TLB",
	"TLB miss on load or fetch",
	"TLB miss on store",
	"address error on load or fetch",
	"address error on store",
	"bus error on fetch",
	"bus error on load or store",
	"system call",
	"breakpoint",
	"reserved instruction",
	"coprocessor unusable",
	"arithmetic overflow",
	"trap instruction",
	"MSA floating point exception",
	"floating point exception",
	NULL,
	NULL,
	NULL,
	"TLB read-inhibit",
	"TLB execute-inhibit",
	"MSA disabled",
	NULL,
	"watched address",
	"machine check",
};

/* The LoongArch reference manual, CSR.ESTAT.Ecode; arch/loongarch/include/asm/loongarch.h */
static const char *const loongarch_codes[] = {
	"interrupt",
	"page invalid on load",
	"page invalid on store",
	"page invalid on fetch",
	"store to a page that is not writable",
	"page not readable",
	"page not executable",
	"page of a higher privilege",
	"address error",
	"address not aligned",
	"bound check",
	"system call",
	"breakpoint",
	"instruction does not exist",
	"instruction of a higher privilege",
	"floating point disabled",
	"128-bit vectors disabled",
	"256-bit vectors disabled",
	"floating point exception",
	"watched address",
};

static void fault_line(struct buf *b, const char *label, uint64_t v, const char *text)
{
	if (text && *text)
		buf_printf(b, "%12s: 0x%" PRIx64 ": %s\n", label, v, text);
}

/* Of the registers' own: the reports of these architectures have no code in their headline. */
static void registers_say(const struct report *r, struct buf *b)
{
	struct buf t = { 0 };
	uint64_t v;

	if ((is(r, "riscv64") || is(r, "riscv32")) && report_reg(r, "cause", &v))
		fault_line(b, "CAUSE", v, riscv_cause(v));
	if (is(r, "mips") && report_reg(r, "cause", &v))
		fault_line(b, "CAUSE", v, named(mips_codes, ARRAY_SIZE(mips_codes), v >> 2 & 31));
	if (is(r, "loongarch64") && report_reg(r, "estat", &v))
		fault_line(b, "ESTAT", v,
			   named(loongarch_codes, ARRAY_SIZE(loongarch_codes), v >> 16 & 63));
	if ((is(r, "ppc64") || is(r, "ppc")) && report_reg(r, "trap", &v))
		fault_line(b, "TRAP", v, ppc_trap(v));
	if ((is(r, "ppc64") || is(r, "ppc")) && report_reg(r, "dsisr", &v) && v) {
		dsisr(v, &t);
		fault_line(b, "DSISR", v, buf_text(&t));
	}
	buf_release(&t);
}

void report_fault(const struct report *r, struct buf *b)
{
	bool fault = report_kind_is(r->kind, KIND_IS_ACCESS);
	struct buf t = { 0 };

	registers_say(r, b);
	if (!r->has_error)
		return;
	if ((is(r, "x86_64") || is(r, "i386")) && fault) {
		x86_error(r->error, &t);
		fault_line(b, "ERROR CODE", r->error, buf_text(&t));
	} else if (is(r, "aarch64") && r->error > 0xffff) {
		arm64_error(r->error, &t);
		fault_line(b, "ESR", r->error, buf_text(&t));
	} else if (is(r, "arm") && fault) {
		arm_error(r->error, &t);
		fault_line(b, "FSR", r->error, buf_text(&t));
	} else if (is(r, "s390x") && r->error_name && !strcmp(r->error_name, "TEID")) {
		teid(r->error, &t);
		fault_line(b, "TEID", r->error, buf_text(&t));
	}
	buf_release(&t);
}
