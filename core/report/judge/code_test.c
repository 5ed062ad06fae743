/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the Code: line's disassembly. What instructions are is what objdump (binutils 2.40) and
 * llvm-mc 14 say of the same bytes, in capstone's spelling; where branches go is reckoned by hand.
 */
#include "core/base/test.h"
#include "core/report/report.h"
#include "core/image/dis.h"

/* A report by that machine whose pc was at offset `off` of the function, and marked in its code. */
static struct report start(const char *arch, uint64_t off, const char *code)
{
	struct report r;
	struct report_frame *pc;

	report_init(&r);
	pc = vec_push(&r.frames);
	*pc = (struct report_frame){ .func = "probe",
				     .has_off = true,
				     .off = off,
				     .size = 0x40,
				     .exact = true,
				     .pc = true };
	r.pc = 0;
	r.arch = arch;
	r.has_code = true;
	r.code = code;
	return r;
}

static void check_text(struct report *r, const char *want, int line)
{
	struct buf b = { 0 };

	test_check(report_disassemble(r, &b), __FILE__, line, "report_disassemble()");
	test_check_str(buf_text(&b), want, __FILE__, line, "its text");
	buf_release(&b);
}

/* RISC-V's instructions as capstone 5 has them, or what stays without it. */
static const char *riscv_text(const char *with, const char *without)
{
	struct arena a = { 0 };
	struct dis *d;
	struct err err;
	bool ok = dis_open_named(&a, "riscv64", false, &d, &err);

	if (ok)
		dis_close(d);
	arena_release(&a);
	return ok ? with : without;
}

#define CHECK_CODE(arch, off, code, ...)                       \
	do {                                                   \
		struct report report = start(arch, off, code); \
		check_text(&report, __VA_ARGS__, __LINE__);    \
		report_release(&report);                       \
	} while (0)

TEST(what_capstone_4_takes_for_something_else)
{
	/* ud1 has four bytes, and not two with which an add begins */
	CHECK_CODE("x86_64", 7, "0f b9 40 05 48 8b 07 <48> 8b 40 20 c3",
		   "        +0x0:   ud1\n"
		   "        +0x4:   movq (%rdi), %rax\n"
		   "        +0x7:=> movq 0x20(%rax), %rax\n"
		   "        +0xb:   retq\n");
	CHECK_CODE("x86_64", 0, "<f3> 41 0f c7 f9 f3 0f 01 d9",
		   "        +0x0:=> rdpid %r9\n"
		   "        +0x5:   vmgexit\n");
	/* with 32 bits 40 is no prefix, but an instruction of its own */
	CHECK_CODE("i386", 1, "40 <0f> b9 c0 f3 0f c7 f8",
		   "        +0x0:   incl %eax\n"
		   "        +0x1:=> ud1\n"
		   "        +0x4:   rdpid %eax\n");
}

TEST(the_function_begins_the_listing)
{
	/* c3 cc cc is of another; and the bytes before 0f are none that an instruction ends with */
	CHECK_CODE("x86_64", 0, "c3 cc cc <0f> 0b", "        +0x0:=> ud2\n");
	CHECK_CODE("x86_64", 3, "e8 48 8b 07 <0f> 0b",
		   "        +0x0:   movq (%rdi), %rax\n"
		   "        +0x3:=> ud2\n");
	CHECK_CODE("aarch64", 4, "d65f03c0 f9401040 (f9400000)",
		   "        +0x0:   ldr x0, [x2, #0x20]\n"
		   "        +0x4:=> ldr x0, [x0]\n");
	CHECK_CODE("riscv64", 2, "8082 0001 <9002>",
		   riscv_text("        +0x0:   c.nop\n"
			      "        +0x2:=> c.ebreak\n",
			      "        +0x0:   .2byte 0x0001\n"
			      "        +0x2:=> .2byte 0x9002\n"));
}

/* The load is c.ld a5,8(a0), and c.ld a0,16(s1) loaded its a0; c.beqz a5 goes 6 on. What they are
 * called is what objdump calls them. Then a parcel that is the second half of an instruction. */
TEST(compressed_instructions)
{
	struct report r = start("riscv64", 0x20, "e406 6888 <651c> c399 2783 0104");
	struct report_operand o;

	check_text(&r,
		   riscv_text("       +0x1c:   c.sdsp ra, 8(sp)\n"
			      "       +0x1e:   c.ld a0, 0x10(s1)\n"
			      "       +0x20:=> c.ld a5, 8(a0)\n"
			      "       +0x22:   c.beqz a5, +0x28\n"
			      "       +0x24:   lw a5, 0x10(s0)\n",
			      "       +0x1c:   .2byte 0xe406\n"
			      "       +0x1e:   .2byte 0x6888\n"
			      "       +0x20:=> .2byte 0x651c\n"
			      "       +0x22:   .2byte 0xc399\n"
			      "       +0x24:   .4byte 0x01042783\n"),
		   __LINE__);
	if (report_operand(&r, &o)) {
		CHECK_STR(o.base, "a0");
		CHECK_U64(o.disp, 8);
		CHECK_STR(o.from, "s1");
		CHECK_U64(o.from_disp, 16);
		CHECK_U64(o.back, 2);
	} else {
		CHECK(*riscv_text("", "without"));
	}
	report_release(&r);
	CHECK_CODE("riscv64", 0x20, "0813 <651c> 4501",
		   riscv_text("       +0x20:=> c.ld a5, 8(a0)\n"
			      "       +0x22:   c.li a0, 0\n",
			      "       +0x20:=> .2byte 0x651c\n"
			      "       +0x22:   .2byte 0x4501\n"));
}

TEST(branches_go_where_the_lines_are_labelled)
{
	CHECK_CODE("x86_64", 4, "eb 02 90 90 <0f> 0b e8 f5 ff ff ff e8 00 10 00 00",
		   "        +0x0:   jmp +0x4\n"
		   "        +0x2:   nop\n"
		   "        +0x3:   nop\n"
		   "        +0x4:=> ud2\n"
		   "        +0x6:   callq +0x0\n"
		   "        +0xb:   callq probe+0x1010\n");
	/* jmp at 0x6: 0xb + 0xffb; jmp at 0x10: 2 further than 0x12 */
	CHECK_CODE("i386", 0x5, "e9 f6 ef ff ff <90> e9 fb 0f 00 00 90 90 90 90 90 eb 02",
		   "        +0x0:   jmp probe-0x1005\n"
		   "        +0x5:=> nop\n"
		   "        +0x6:   jmp probe+0x1006\n"
		   "        +0xb:   nop\n"
		   "        +0xc:   nop\n"
		   "        +0xd:   nop\n");
	/* 0 + 12, 8 + 8, 12 + 12 */
	CHECK_CODE("aarch64", 4, "54000060 (f9401040) 94000002 b4000060",
		   "        +0x0:   b.eq +0xc\n"
		   "        +0x4:=> ldr x0, [x2, #0x20]\n"
		   "        +0x8:   bl +0x10\n"
		   "        +0xc:   cbz x0, +0x18\n");
	/* pc is 8 ahead: 0 + 8 - 8, 8 + 8 + 12 */
	CHECK_CODE("arm", 4, "eafffffe (e59a3004) 1b000003",
		   "        +0x0:   b +0x0\n"
		   "        +0x4:=> ldr r3, [sl, #4]\n"
		   "        +0x8:   blne +0x1c\n");
	/* Thumb, 4 ahead: 2 + 4 - 4, 4 + 4 + 4 */
	CHECK_CODE("arm", 2, "6803 (e7fe) f000 f802 4718",
		   "        +0x0:   ldr r3, [r0]\n"
		   "        +0x2:=> b +0x2\n"
		   "        +0x4:   bl +0xc\n"
		   "        +0x8:   bx r3\n");
}

TEST(big_machines_branch_too)
{
	CHECK_CODE("ppc64", 4, "48001001 <e86a0020> 4182fff8",
		   "        +0x0:   bl probe+0x1000\n"
		   "        +0x4:=> ld r3, 0x20(r10)\n"
		   "        +0x8:   beq +0x0\n");
	CHECK_CODE("ppc", 4, "48001001 <806a0020> 4182fff8",
		   "        +0x0:   bl probe+0x1000\n"
		   "        +0x4:=> lwz r3, 0x20(r10)\n"
		   "        +0x8:   beq +0x0\n");
	/* behind the delay slot: 0 + 4 + 4 * 1 */
	CHECK_CODE("mips", 4, "10000001 <8c820010> 00000000",
		   "        +0x0:   b +0x8\n"
		   "        +0x4:=> lw $v0, 0x10($a0)\n"
		   "        +0x8:   nop\n");
}

TEST(a_mips_jump_is_within_the_region_of_pc)
{
	struct report r = start("mips", 0x54, "0c048d15 <8c820010>");

	/* jal 0x123454, and probe is at 0x80123400 */
	r.frames.p[0].addr = UINT64_C(0xffffffff80123454);
	check_text(&r,
		   "       +0x50:   jal probe+0x54\n"
		   "       +0x54:=> lw $v0, 0x10($a0)\n",
		   __LINE__);
	r.frames.p[0].size = 0x100;
	check_text(&r,
		   "       +0x50:   jal +0x54\n"
		   "       +0x54:=> lw $v0, 0x10($a0)\n",
		   __LINE__);
	report_release(&r);
}

TEST(without_a_function_bytes_are_counted)
{
	struct report r = start("x86_64", 0, "90 90 <0f> 0b eb fa");

	r.frames.p[0].func = NULL;
	r.frames.p[0].has_off = false;
	check_text(&r,
		   "           0:   nop\n"
		   "           1:   nop\n"
		   "           2:=> ud2\n"
		   "           4:   jmp 0\n",
		   __LINE__);
	/* nor a single frame */
	r.frames.n = 0;
	r.pc = -1;
	check_text(&r,
		   "           0:   nop\n"
		   "           1:   nop\n"
		   "           2:=> ud2\n"
		   "           4:   jmp 0\n",
		   __LINE__);
	report_release(&r);
}

/* ---- where the trapping instruction's base register came from */

TEST(a_load_before_it)
{
	struct report r = start("x86_64", 7, "0f b9 40 05 48 8b 07 <48> 8b 40 20 c3");
	struct report_operand o;

	REQUIRE(report_operand(&r, &o));
	CHECK_STR(o.base, "rax");
	CHECK_U64((uint64_t)o.disp, 0x20);
	CHECK(!o.indexed);
	CHECK_STR(o.from, "rdi");
	CHECK_U64((uint64_t)o.from_disp, 0);
	CHECK_U64(o.back, 3);
	report_release(&r);
}

TEST(what_else_changed_it_is_no_load)
{
	static const char *const codes[] = {
		/* add (%rdi),%rax: a sum, and no pointer that lies there */
		"48 8b 07 48 03 07 <48> 8b 40 20",
		/* call *0x8(%rdi): it returns another */
		"48 8b 07 ff 57 08 <48> 8b 40 20",
		/* mov %rax,(%rdi) stores it; it came from nowhere */
		"90 90 90 48 89 07 <48> 8b 40 20",
		/* mov (%rdi,%rcx,8),%rax: an array's */
		"90 90 48 8b 04 cf <48> 8b 40 20",
		/* rdpid %rax */
		"48 8b f3 0f c7 f8 <48> 8b 40 20",
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct report r = start("x86_64", 6, codes[i]);
		struct report_operand o;

		r.frames.p[0].off = i == 4 ? 4 : 6;
		if (CHECK(report_operand(&r, &o)))
			CHECK(!o.from);
		report_release(&r);
	}
}

TEST(an_operand_s_address_from_the_registers)
{
	struct report r = start("ppc64", 0, "<91230020>"); /* stw r9,32(r3) */

	*vec_push(&r.regs) = (struct report_reg){ "r3", 0x1000 };
	check_text(&r,
		   "        +0x0:=> stw r9, 0x20(r3)\n"
		   "     OPERAND: r3 = 0x1000, so the address was 0x1020\n",
		   __LINE__);
	r.code = "<e89dfff0>"; /* ld r4,-16(r29), which the report does not have */
	check_text(&r, "        +0x0:=> ld r4, -0x10(r29)\n", __LINE__);
	r.arch = "i386";
	r.regs.p[0].name = "eax";
	r.regs.p[0].value = 0xfffffff0;
	r.code = "<8b> 40 20"; /* mov 0x20(%eax),%eax: 32 bits wrap */
	check_text(&r,
		   "        +0x0:=> movl 0x20(%eax), %eax\n"
		   "     OPERAND: eax = 0xfffffff0, so the address was 0x10; eax is -EBUSY = -16\n",
		   __LINE__);
	report_release(&r);
}

TEST(arm64_has_loads_and_no_memory_of_a_nop)
{
	struct report r = start("aarch64", 4, "f9401040 (b9400801)"); /* ldr w1, [x0, #8] */
	struct report_operand o;

	REQUIRE(report_operand(&r, &o));
	CHECK_STR(o.base, "x0");
	CHECK_U64((uint64_t)o.disp, 8);
	CHECK_STR(o.from, "x2");
	CHECK_U64((uint64_t)o.from_disp, 0x20);
	r.code = "f9401040 (d503201f)";
	CHECK(!report_operand(&r, &o));
	/* ldp x1, x0, [x2]: x0 is not what lies at x2 */
	r.code = "a9400041 (b9400801)";
	REQUIRE(report_operand(&r, &o));
	CHECK(!o.from);
	report_release(&r);
}

TEST_MAIN
