/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests registers, program counters and accesses, in each architecture's own layout of lines. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

/* The first column is as the kernel's show_regs() of that architecture lays it out; what follows
 * are the registers, each by the kernel's name, that its line names. */
static const struct {
	const char *line, *regs;
} rows[] = {
	/* x86: a segment may stand before the value, names follow on a line */
	{ "RSP: 0018:ffffc90000d2fa00 EFLAGS: 00010246", "rsp=ffffc90000d2fa00 eflags=10246" },
	{ "RAX: 0000000000000001 RBX: 0000000000000002 RCX: 0000000000000003",
	  "rax=1 rbx=2 rcx=3" },
	{ "R10: 000000000000000a R11: 000000000000000b R12: 000000000000000c",
	  "r10=a r11=b r12=c" },
	{ "FS:  00007f3c1bd2f740(0000) GS:ffff88807dd00000(0000) knlGS:0000000000000000",
	  "fs=7f3c1bd2f740 gs=ffff88807dd00000" },
	{ "CS:  0010 DS: 0000 ES: 0000 CR0: 0000000080050033", "cs=10 ds=0 es=0 cr0=80050033" },
	{ "CR2: 0000000000000020 CR3: 0000000104a3b000 CR4: 00000000000006e0",
	  "cr2=20 cr3=104a3b000 cr4=6e0" },
	{ "EAX: 00000000 EBX: f4a3b000 ECX: 00000001 EDX: 00000000",
	  "eax=0 ebx=f4a3b000 ecx=1 edx=0" },
	{ "DS: 007b ES: 007b FS: 00d8 GS: 0000 SS: 0068 EFLAGS: 00010246",
	  "ds=7b es=7b fs=d8 gs=0 ss=68 eflags=10246" },
	{ "ORIG_RAX: 0000000000000010", "" },
	/* arm64 */
	{ "pstate: 60000005 (nZCv daif -PAN -UAO -TCO -DIT -SSBS BTYPE=--)", "pstate=60000005" },
	{ "sp : ffff80000b2fbc60", "sp=ffff80000b2fbc60" },
	{ "x29: ffff80000b2fbc60 x28: 0000000000000001 x27: 0000000000000002",
	  "x29=ffff80000b2fbc60 x28=1 x27=2" },
	{ "lr : widget_start+0x10/0x20", "" },
	/* arm */
	{ "pc : [<c0123456>]    lr : [<c0abcdef>]    psr: 60000013", "psr=60000013" },
	{ "sp : f0a91e90  ip : 00000002  fp : c1234567", "sp=f0a91e90 ip=2 fp=c1234567" },
	{ "r10: 00000001  r9 : 00000002  r8 : c0000003", "r10=1 r9=2 r8=c0000003" },
	{ "Control: 10c5387d  Table: 42f0406a  DAC: 00000051", "control=10c5387d dac=51" },
	/* riscv: without colons in some, "a0" has its own register */
	{ "epc : ffffffff80001234 ra : ffffffff80001200 sp : ff20000000a13c60",
	  "epc=ffffffff80001234 ra=ffffffff80001200 sp=ff20000000a13c60" },
	{ " t5 : 0000000000000001 t6 : 0000000000000002", "t5=1 t6=2" },
	{ "status: 0000000200000120 badaddr: 0000000000000020 cause: 000000000000000d",
	  "status=200000120 badaddr=20 cause=d" },
	{ "a0 9000000100a3c000 a1 0000000000000001 s0 0000000000000002",
	  "a0=9000000100a3c000 a1=1 s0=2" },
	/* ppc64, mips, s390x: a row names its first register only, or four of them */
	{ "GPR00: c000000000123456 c00000000a2f3b00 c000000001561a00 0000000000000000",
	  "r0=c000000000123456 r1=c00000000a2f3b00 r2=c000000001561a00 r3=0" },
	{ "GPR28: 0000000000000001 0000000000000002 0000000000000003 0000000000000004",
	  "r28=1 r29=2 r30=3 r31=4" },
	{ "GPR28: 0000000000000001 0000000000000002 0000000000000003 0000000000000004 "
	  "0000000000000005",
	  "r28=1 r29=2 r30=3 r31=4" },
	{ "MSR:  8000000000009033 <SF,EE,ME,IR,DR,RI,LE>  CR: 28002228  XER: 20040000",
	  "msr=8000000000009033 xer=20040000" },
	{ "CFAR: c000000000123456 DAR: 0000000000000020 DSISR: 42000000 IRQMASK: 0000",
	  "cfar=c000000000123456 dar=20 dsisr=42000000 irqmask=0" },
	{ "$ 0   : 00000000 00000001 80520000 00000003", "r0=0 r1=1 r2=80520000 r3=3" },
	{ "$12   : 0000000c 0000000d 0000000e 0000000f", "r12=c r13=d r14=e r15=f" },
	{ "$24   : 00000018 0000", "r24=18" },
	{ "Krnl GPRS: 0000000000000001 0000000000000002 0000000000000003 0000000000000004",
	  "r0=1 r1=2 r2=3 r3=4" },
	{ "Hi    : 00000005", "hi=5" },
	{ "BadVA : 81230020", "badva=81230020" },
	/* what is no register, or no value of one */
	{ "R: 12345678", "" },
	{ "widget: 12345678", "" },
	{ "RAX: 123", "" },
	{ "RAX: 00000000000000001234", "" },
	{ "RAX: 12345678!", "" },
	{ "RAX 12345678 abcd 12345678", "rax=12345678" },
	{ "status 12345678", "" },
	{ "0x12345678", "" },
	{ "", "" },
};

TEST(every_register_of_a_line_is_read)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b = { 0 };
		struct report r;

		report_init(&r);
		registers_read(&r, rows[i].line, strlen(rows[i].line));
		for (size_t k = 0; k < r.regs.n; k++)
			buf_printf(&b, "%s%s=%" PRIx64, k ? " " : "", r.regs.p[k].name,
				   r.regs.p[k].value);
		if (!CHECK_STR(buf_text(&b), rows[i].regs))
			printf("  of '%s'\n", rows[i].line);
		buf_release(&b);
		report_release(&r);
	}
}

/* What a register has is said first where the fault was; an interrupted context's comes later. */
TEST(the_first_value_stays)
{
	static const char line[] = "RAX: 00000001 RBX: 00000003 RBX: 00000004 RAX: 00000002";
	struct report r;
	uint64_t v = 0;

	report_init(&r);
	registers_read(&r, line, strlen(line));
	CHECK_U64(r.regs.n, 2);
	CHECK(report_reg(&r, "rax", &v));
	CHECK_U64(v, 1);
	CHECK(report_reg(&r, "rbx", &v));
	CHECK_U64(v, 3);
	report_release(&r);
}

TEST(lines_of_registers_are_known_by_their_heads)
{
	static const char *const yes[] = {
		"RSP: 0018:ffffc90000d2fa00 EFLAGS: 00010246",
		"RAX: 0000000000000001",
		"x29: ffff80000b2fbc60 x28: 0000000000000001",
		"r10: 00000001  r9 : 00000002",
		"LR is at widget_start+0x10/0x20",
		"GPR04: c000000000123456",
		"$16   : 00000000 00000001",
		"Krnl GPRS: 0000000000000001",
		"a0 9000000100a3c000 a1 0000000000000001",
		"t5 : 0000000000000001",
		"eflags: 00010246",
		"BadVA : 81230020",
	};
	static const char *const no[] = {
		"widget: 12345678", "R: 12345678",       "to: 1234",     "Call Trace:",
		"a+0x1/0x20",       "address: 12345678", "b0: 00000001",
	};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (!CHECK(registers_look(yes[i], strlen(yes[i]))))
			printf("  of '%s'\n", yes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (!CHECK(!registers_look(no[i], strlen(no[i]))))
			printf("  of '%s'\n", no[i]);
}

/* The program counter: "name+off @address architecture"; "-": the line names none; "user": a
 * program's. */
TEST(program_counters_are_read)
{
	static const struct {
		const char *line, *pc;
	} v[] = {
		{ "RIP: 0010:widget_read+0x1a/0x2b0 [widget]", "widget_read+1a x86_64" },
		{ "RIP: 0010:[<ffffffff81234567>]  [<ffffffff81234567>] widget_read+0x1a/0x2b0",
		  "widget_read+1a @ffffffff81234567 x86_64" },
		{ "RIP  [<ffffffff81234567>] widget_read+0x1a/0x2b0",
		  "widget_read+1a @ffffffff81234567 x86_64" },
		{ "RIP: 0010:0x0", "? x86_64" },
		{ "RIP: 0010:0xffffffffc0123456", "? @ffffffffc0123456 x86_64" },
		{ "RIP: 0033:0x7f3c1be3a9a7", "user x86_64" },
		{ "RIP: 0023:0x7f3c1be3a9a7", "user x86_64" },
		{ "EIP: 0073:0xb7f3c1be", "user i386" },
		{ "RIP: 0010:widget_read (drivers/misc/widget.c:12)", "widget_read x86_64" },
		{ "EIP is at widget_read+0x10/0x20", "widget_read+10 i386" },
		{ "EIP: 0060:[<c1000010>] EFLAGS: 00010246 CPU: 1", "? @c1000010 i386" },
		{ "EIP: widget_read+0x10/0x20", "widget_read+10 i386" },
		{ "IP: widget_read+0x10/0x20", "widget_read+10" },
		{ "IP: [<ffffffff81234567>] widget_read+0x10/0x20",
		  "widget_read+10 @ffffffff81234567" },
		{ "IP: 10.0.0.1", "-" },
		{ "IP: 0x00001234", "-" },
		{ "IP: 0x10000", "? @10000" },
		{ "PC is at widget_read+0x10/0x20 [widget]", "widget_read+10" },
		{ "pc : widget_read+0x10/0x20", "widget_read+10" },
		{ "pc : [<c0123456>]    lr : [<c0abcdef>]    psr: 60000013", "? @c0123456" },
		{ "pc : widget_read", "widget_read" },
		{ "pc : widget", "-" },
		{ "pc : 3widget_read", "-" },
		{ "pc : widget_read!", "-" },
		{ "epc : widget_read+0x10/0x20", "widget_read+10 riscv64" },
		{ "epc : ffffffff80001234 ra : ffffffff80001200", "? @ffffffff80001234 riscv64" },
		{ "NIP [c000000000123456] .widget_read+0x10/0x20",
		  "widget_read+10 @c000000000123456 ppc64" },
		{ "NIP:  c000000000123456 LR: c000000000123400", "? @c000000000123456 ppc64" },
		{ "Krnl PSW : 0704e00180000000 0000000080102030 (a+0x1/0x20)",
		  "a+1 @80102030 s390x" },
		{ "epc   : 80102030 widget_read+0x10/0x20", "widget_read+10 @80102030 mips" },
		{ "pc is at widget_read+0x10/0x20", "widget_read+10 alpha" },
		{ "pc = [<fffffc0000322810>]  ra = [<fffffc0000322800>]  ps = 0007    Not tainted",
		  "? @fffffc0000322810 alpha" },
		{ "pc: c00000000047d72c: widget_read+0x10/0x20",
		  "widget_read+10 @c00000000047d72c" },
		{ "NIP:  c0622060 LR: c0626710 CTR: 00000000", "? @c0622060 ppc" },
		{ "NIP [c0622060] widget_read+0x10/0x20", "widget_read+10 @c0622060 ppc" },
		{ "ERA: 9000000000223344 widget_read+0x10/0x20",
		  "widget_read+10 @9000000000223344 loongarch64" },
		{ "Call Trace:", "-" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct arena a = { 0 };
		struct buf b = { 0 };
		struct report_frame f;
		const char *arch;
		bool user, any = pc_parse(&a, v[i].line, strlen(v[i].line), &f, &arch, &user);

		buf_str(&b, user ? "user" : !any ? "-" : f.func ? f.func : "?");
		if (any && f.has_off)
			buf_printf(&b, "+%" PRIx64, f.off);
		if (any && f.addr)
			buf_printf(&b, " @%" PRIx64, f.addr);
		if (arch && (any || user))
			buf_printf(&b, " %s", arch);
		if (!CHECK_STR(buf_text(&b), v[i].pc) | !CHECK(!any || (f.exact && f.reliable)))
			printf("  of '%s'\n", v[i].line);
		buf_release(&b);
		arena_release(&a);
	}
}

/* What a fault's register says, by the architectures' manuals: riscv's scause (privileged
 * architecture, table of causes: 12, 13, 15), mips' ExcCode in bits 2 to 6 of Cause (1 Mod, 2 TLBL,
 * 3 TLBS, 4 AdEL, 5 AdES), loongarch's Ecode in bits 16 to 21 of ESTAT (1 PIL, 2 PIS, 3 PIF, 4 PME,
 * 5 PNR, 6 PNX), ppc64's vectors 300 and 400 with ISSTORE (02000000) of DSISR. */
TEST(accesses_are_by_the_manuals)
{
	static const struct {
		const char *arch, *line, *access;
	} v[] = {
		{ "riscv64", "cause: 000000000000000c", "execute" },
		{ "riscv64", "cause: 000000000000000d", "read" },
		{ "riscv64", "cause: 000000000000000f", "write" },
		{ "riscv64", "cause: 0000000000000002", NULL },
		{ "riscv64", "cause: 0000000000000010", NULL },
		{ "mips", "Cause : 00800004", "write" },
		{ "mips", "Cause : 00800008", "read" },
		{ "mips", "Cause : 0080000c", "write" },
		{ "mips", "Cause : 00800010", "read" },
		{ "mips", "Cause : 00800014", "write" },
		{ "mips", "Cause : 00800024", NULL },
		{ "mips", "Cause : 00800020", NULL },
		{ "mips", "Cause : 00800088", "read" },
		{ "loongarch64", "ESTAT: 00010000", "read" },
		{ "loongarch64", "ESTAT: 00020000", "write" },
		{ "loongarch64", "ESTAT: 00030000", "execute" },
		{ "loongarch64", "ESTAT: 00040000", "write" },
		{ "loongarch64", "ESTAT: 00050000", "read" },
		{ "loongarch64", "ESTAT: 00060000", "execute" },
		{ "loongarch64", "ESTAT: 00080000", NULL },
		{ "loongarch64", "ESTAT: 00410000", "read" },
		{ "ppc64", "TRAP: 0400 DSISR: 42000000", "execute" },
		{ "ppc64", "TRAP: 0300 DSISR: 42000000", "write" },
		{ "ppc64", "TRAP: 0300 DSISR: 40000000", "read" },
		{ "ppc64", "TRAP: 0700 DSISR: 42000000", NULL },
		{ "ppc", "TRAP: 0300 DSISR: 42000000", "write" },
		{ "x86_64", "cause: 000000000000000d", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct report r;

		report_init(&r);
		r.arch = v[i].arch;
		r.pc = -1;
		registers_read(&r, v[i].line, strlen(v[i].line));
		if (!CHECK_STR(registers_access(&r), v[i].access))
			printf("  of %s, '%s'\n", v[i].arch, v[i].line);
		report_release(&r);
	}
}

/* Names alone do not tell OpenRISC's rows from powerpc's, nor powerpc of 32 bits from that of 64.
 */
TEST(rows_tell_the_architecture)
{
	static const struct {
		const char *line, *arch;
	} v[] = {
		{ "GPR00: 00000000 GPR01: d6f09b9c GPR02: d6f09bb8 GPR03: d6f09bc4", "openrisc" },
		{ "GPR00: c0626ca4 c900c008 c783c000 c07335cc", "ppc" },
		{ "GPR00: c000000000123456 c00000000a2f3b00 c000000001561a00 0000000000000000",
		  "ppc64" },
		{ "REGS: c0895f48 TRAP: 0300   Not tainted  (5.3.0)", "ppc" },
		{ "REGS: c000000000895f48 TRAP: 0300   Not tainted  (5.3.0)", "ppc64" },
		{ "GPR", "ppc64" },
		{ "v0 = fffffc00c58e6300  t0 = fffffffffffffff2  t1 = 000002000025e000", "alpha" },
		{ "v0 = fffffc00c58e63  t0 = 1", NULL },
		{ "EFLAGS: 00010246   (2.6.9)", "i386" },
		{ "RBP: ffffffff827ee190 R08: 0000000000000000", "x86_64" },
		{ "a0 : 0000000000000001", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		size_t n = strlen(v[i].line);
		char *s = malloc(n);

		memcpy(s, v[i].line, n);
		if (!CHECK_STR(registers_arch(s, n), v[i].arch))
			printf("  of '%s'\n", v[i].line);
		free(s);
	}
}

TEST(lines_may_be_cut_anywhere)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t n = 1; n <= strlen(rows[i].line); n++) {
			char *s = malloc(n);
			struct report_frame f;
			const char *arch;
			struct report r;
			bool user;

			memcpy(s, rows[i].line, n);
			report_init(&r);
			registers_read(&r, s, n);
			CHECK(r.regs.n <= n / 3);
			if (registers_look(s, n))
				pc_parse(&r.arena, s, n, &f, &arch, &user);
			report_release(&r);
			free(s);
		}
}

TEST_MAIN
