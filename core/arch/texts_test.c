/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the architectures whose dumps are not read. Instructions are those that binutils'
 * objdump shows in kernels; loongarch's are encoded by its manual (volume 1, 2.2.7). */
#include <stdio.h>

#include "core/arch/arch.h"
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/base/vec.h"

#define MIPS 8, 4
#define MIPS64 8, 8
#define PPC 20, 4
#define PPC64 21, 8
#define S390 22, 8
#define RISCV 243, 8
#define RISCV32 243, 4
#define LOONG 258, 8
#define I386 3, 4

TEST(calls)
{
	static const struct {
		uint16_t machine;
		unsigned word;
		const char *code; /* call_bytes bytes, of which the last lies before pc */
		size_t n;
		uint64_t pc;
		bool call;
		uint64_t target; /* 0: not a direct call */
	} v[] = {
		/* jal 803fe224 <..>; sw ra, in the delay slot */
		{ MIPS, "\x89\xf8\x0f\x0c\x14\x00\xbf\xaf", 8, 0x803ff008, true, 0x803fe224 },
		/* jalr t9; jalr s0,t9: it does not return to ra; j; bal; nop */
		{ MIPS, "\x09\xf8\x20\x03\0\0\0\0", 8, 0x80100010, true, 0 },
		{ MIPS, "\x09\x80\x20\x03\0\0\0\0", 8, 0x80100010, false, 0 },
		{ MIPS, "\x89\xf8\x0f\x08\0\0\0\0", 8, 0x80100010, false, 0 },
		{ MIPS, "\x04\0\x11\x04\0\0\0\0", 8, 0x80100010, true, 0 },
		{ MIPS, "\0\0\0\0\x89\xf8\x0f\x0c", 8, 0x80100010, false, 0 },
		{ MIPS64, "\x00\x00\x04\x0c\0\0\0\0", 8, UINT64_C(0xffffffff80200010), true,
		  UINT64_C(0xffffffff80100000) },
		/* bl back by 0x2c; b; bctrl; bctr; blrl */
		{ PPC, "\xd5\xff\xff\x4b", 4, 0xc0001030, true, 0xc0001000 },
		{ PPC64, "\xd5\xff\xff\x4b", 4, UINT64_C(0xc000000000001030), true,
		  UINT64_C(0xc000000000001000) },
		{ PPC, "\xd4\xff\xff\x4b", 4, 0xc0001030, false, 0 },
		{ PPC, "\x21\x04\x80\x4e", 4, 0xc0001030, true, 0 },
		{ PPC, "\x20\x04\x80\x4e", 4, 0xc0001030, false, 0 },
		{ PPC, "\x21\x00\x80\x4e", 4, 0xc0001030, true, 0 },
		/* brasl %r14,100000; brasl %r1; basr %r14,%r1; basr %r1,%r14; bras %r14 */
		{ S390, "\xc0\xe5\xff\xff\xff\xe8", 6, 0x100036, true, 0x100000 },
		{ S390, "\xc0\x15\xff\xff\xff\xe8", 6, 0x100036, false, 0 },
		{ S390, "\0\0\0\0\x0d\xe1", 6, 0x100036, true, 0 },
		{ S390, "\0\0\0\0\x0d\x1e", 6, 0x100036, false, 0 },
		{ S390, "\0\0\xa7\xe5\0\x10", 6, 0x100036, true, 0 },
		/* jal ra,.-8; jal zero; c.jalr a5; c.jr a5; auipc ra,0xfffff; jalr ra,16(ra) */
		{ RISCV, "\0\0\0\0\xef\xf0\x9f\xff", 8, UINT64_C(0xffffffff80001004), true,
		  UINT64_C(0xffffffff80000ff8) },
		{ RISCV, "\0\0\0\0\x6f\xf0\x9f\xff", 8, UINT64_C(0xffffffff80001004), false, 0 },
		{ RISCV, "\0\0\0\0\0\0\x82\x97", 8, UINT64_C(0xffffffff80001004), true, 0 },
		{ RISCV, "\0\0\0\0\0\0\x82\x87", 8, UINT64_C(0xffffffff80001004), false, 0 },
		{ RISCV, "\x97\xf0\xff\xff\xe7\x80\x00\x01", 8, UINT64_C(0xffffffff80002008), true,
		  UINT64_C(0xffffffff80001010) },
		{ RISCV, "\x97\xf7\xff\xff\xe7\x80\x00\x01", 8, UINT64_C(0xffffffff80002008), true,
		  0 },
		/* bl .-0x10 (offs26 = -4); b; jirl ra,t0,0; jirl zero,ra,0 */
		{ LOONG, "\xff\xf3\xff\x57", 4, UINT64_C(0x9000000000200014), true,
		  UINT64_C(0x9000000000200000) },
		{ LOONG, "\xff\xf3\xff\x53", 4, UINT64_C(0x9000000000200014), false, 0 },
		{ LOONG, "\x81\x01\x00\x4c", 4, UINT64_C(0x9000000000200014), true, 0 },
		{ LOONG, "\x20\x00\x00\x4c", 4, UINT64_C(0x9000000000200014), false, 0 },
		/* call; jmp; call *%eax; call *8(%eax); call *table(,%eax,4); call *0xc0123456 */
		{ I386, "\0\0\xe8\xf0\xff\xff\xff", 7, 0xc0100010, true, 0xc0100000 },
		{ I386, "\0\0\xe9\xf0\xff\xff\xff", 7, 0xc0100010, false, 0 },
		{ I386, "\0\0\0\0\0\xff\xd0", 7, 0xc0100010, true, 0 },
		{ I386, "\0\0\0\0\xff\x50\x08", 7, 0xc0100010, true, 0 },
		{ I386, "\xff\x14\x85\x56\x34\x12\xc0", 7, 0xc0100010, true, 0 },
		{ I386, "\0\xff\x15\x56\x34\x12\xc0", 7, 0xc0100010, true, 0 },
		{ I386, "\0\0\0\0\0\xff\xe0", 7, 0xc0100010, false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct arch *arch = arch_of_texts(v[i].machine, v[i].word, false);
		struct span code = SPAN(v[i].code, v[i].n);
		uint64_t target = 0;
		bool direct;

		REQUIRE(arch);
		CHECK_U64(arch->call_bytes, v[i].n);
		if (!CHECK(arch->call_before(code, v[i].pc) == v[i].call))
			printf("  %s: call %zu\n", arch->name, i);
		direct = arch->call_target(code, v[i].pc, &target);
		if (!CHECK(direct == (v[i].target != 0)))
			printf("  %s: target %zu\n", arch->name, i);
		if (direct)
			CHECK_U64(target, v[i].target);
	}
}

TEST(which_they_are)
{
	struct regs regs;
	struct mmu mmu;
	struct buf b = { 0 };
	const struct arch *mips = arch_of_texts(MIPS, false);
	struct err err;
	uint64_t pa;

	CHECK_STR(arch_report_name(mips), "mips");
	CHECK(arch_of_texts(MIPS64, false) != mips);
	CHECK_STR(arch_report_name(arch_of_texts(MIPS64, false)), "mips");
	CHECK(arch_of_texts(62, 8, false) == &arch_x86_64 &&
	      arch_of_texts(RISCV, false) == &arch_riscv64);
	/* of one machine, which runs in both orders of bytes, and dumps of one order are read */
	CHECK(arch_of_texts(PPC64, false) == &arch_ppc64le);
	CHECK_STR(arch_of_texts(PPC64, true)->name, "ppc64");
	CHECK_STR(arch_report_name(arch_of_texts(PPC64, false)), "ppc64");
	CHECK_STR(arch_of_texts(RISCV32, false)->name, "riscv32");
	CHECK(!arch_of_texts(0, 8, false) && !arch_of_texts(258, 4, false));
	CHECK(arch_of_texts(S390, true) == &arch_s390x);
	CHECK(mips->is_kernel_va(0x80100000) && !mips->is_kernel_va(0x7fffffff) &&
	      !mips->is_kernel_va(UINT64_C(0xffffffff80100000)));
	CHECK(arch_of_texts(S390, true)->is_kernel_va(0x100000));
	/* nothing of a dump is there */
	CHECK(!mips->mmu_init(NULL, &mmu, &err) && err.code == ERR_UNSUPPORTED);
	CHECK(!mips->walk(NULL, 0, NULL, &err) && err.code == ERR_UNSUPPORTED);
	CHECK(!mips->regs_of_prstatus(SPAN(NULL, 0), false, &regs, &err) &&
	      err.code == ERR_UNSUPPORTED);
	CHECK(!mips->image_pa(NULL, 0, &pa));
	CHECK_U64(mips->strip_pac(NULL, 5), 5);
	arch_list_texts(&b);
	CHECK_CONTAINS(buf_text(&b), "ARM");
	CHECK_CONTAINS(buf_text(&b), "PowerPC64 and RISC-V 32");
	buf_release(&b);
	/* R_390_64, R_PPC_REL32; what needs more than a sum is unknown */
	CHECK_U64(arch_reloc_of(arch_of_texts(S390, true), 22)->bytes, 8);
	CHECK(arch_reloc_of(arch_of_texts(PPC, false), 26)->relative);
	CHECK(!arch_reloc_of(arch_of_texts(MIPS64, false), 18));
}

TEST_MAIN
