/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the disassembler: what objdump -d (binutils 2.40) says of the same bytes. */
#include "core/base/test.h"
#include "core/image/dis.h"
#include "core/image/target.h"

struct expect {
	const char *bytes;
	unsigned n;      /* bytes given */
	unsigned length; /* of the instruction */
	const char *mnemonic, *operands;
	uint64_t target; /* 0: none */
};

#define AT UINT64_C(0xffffffff81000000)

static void check(const struct arch *arch, const struct expect *e, size_t n)
{
	struct arena a = { 0 };
	struct dis *d;
	struct err err;

	REQUIRE_OK(dis_open(&a, arch, &d, &err), err);
	for (; n--; e++) {
		struct insn in;

		dis_one(d, SPAN(e->bytes, e->n), AT, &in);
		CHECK_STR(in.mnemonic, e->mnemonic);
		if (e->operands)
			CHECK_STR(in.operands, e->operands);
		CHECK_U64(in.n, e->length);
		CHECK_U64(in.has_target, e->target != 0);
		if (e->target)
			CHECK_U64(in.target, e->target);
	}
	dis_close(d);
	arena_release(&a);
}

TEST(x86)
{
	static const struct expect cases[] = {
		{ "\xe8\xfb\x0f\x00\x00", 5, 5, "callq", "0xffffffff81001000", AT + 0x1000 },
		{ "\x74\x10", 2, 2, "je", "0xffffffff81000012", AT + 0x12 },
		{ "\x48\x8b\x05\xf9\x0f\x00\x00", 7, 7, "movq", "0xff9(%rip), %rax", AT + 0x1000 },
		{ "\x48\xc7\xc7\x00\x20\x00\x82", 7, 7, "movq", NULL,
		  UINT64_C(0xffffffff82002000) },
		{ "\x48\xc7\xc0\xf4\xff\xff\xff", 7, 7, "movq", "$-0xc, %rax", 0 }, /* -ENOMEM */
		/* decl %gs:...(%rip): of this CPU's, and no address */
		{ "\x65\xff\x0d\x9a\xa1\x99\x78", 7, 7, "decl", "%gs:0x7899a19a(%rip)", 0 },
		{ "\x89\x18", 2, 2, "movl", "%ebx, (%rax)", 0 },
		{ "\x0f\x0b", 2, 2, "ud2", "", 0 },
		/* ud1 0x5(%rax),%eax: 4 bytes, as UBSAN's trap has it */
		{ "\x0f\xb9\x40\x05", 4, 4, "ud1", "", 0 },
		{ "\x67\x0f\xb9\x40\x05", 5, 5, "ud1", "", 0 },
		/* with a SIB byte and four bytes of displacement */
		{ "\x0f\xb9\x84\x24\x01\x02\x03\x04", 8, 8, "ud1", "", 0 },
		{ "\xf3\x0f\xc7\xf8", 4, 4, "rdpid", "%rax", 0 },
		{ "\xf3\x41\x0f\xc7\xf9", 5, 5, "rdpid", "%r9", 0 },
		{ "\xf3\x0f\x01\xd9", 4, 4, "vmgexit", "", 0 },
		/* as rdpid, but /5, which is of memory alone */
		{ "\xf3\x0f\xc7\xe8", 4, 1, ".byte", "0xf3", 0 },
		/* no instruction, and one that is cut off */
		{ "\x06", 1, 1, ".byte", "0x06", 0 },
		{ "\xe8\xfb", 2, 1, ".byte", "0xe8", 0 },
		{ "\x0f\xb9\x84", 3, 1, ".byte", "0x0f", 0 },
	};

	check(&arch_x86_64, cases, sizeof(cases) / sizeof(cases[0]));
}

/* Whether the address that an instruction names is code, by what the instruction is: branches and
 * calls name code; what is loaded from there, jumps and calls by it among them, is data. */
TEST(which_targets_are_code)
{
	static const struct {
		const struct arch *arch;
		const char *bytes;
		unsigned n;
		bool branch;
	} v[] = {
		{ &arch_x86_64, "\xe8\xfb\x0f\x00\x00", 5, true },          /* call */
		{ &arch_x86_64, "\xe9\xfb\x0f\x00\x00", 5, true },          /* jmp */
		{ &arch_x86_64, "\x74\x10", 2, true },                      /* je */
		{ &arch_x86_64, "\xe3\x10", 2, true },                      /* jrcxz */
		{ &arch_x86_64, "\x48\x8b\x05\xf9\x0f\x00\x00", 7, false }, /* mov (%rip) */
		{ &arch_x86_64, "\x48\x8d\x05\xf9\x0f\x00\x00", 7, false }, /* lea (%rip) */
		{ &arch_x86_64, "\xff\x15\xfa\x0f\x00\x00", 6, false },     /* call *(%rip) */
		{ &arch_x86_64, "\xff\x25\xfa\x0f\x00\x00", 6, false },     /* jmp *(%rip) */
		{ &arch_x86_64, "\x48\xc7\xc7\x00\x20\x00\x82", 7, false }, /* mov $, %rdi */
		{ &arch_aarch64, "\x00\x04\x00\x94", 4, true },             /* bl */
		{ &arch_aarch64, "\x00\x04\x00\x14", 4, true },             /* b */
		{ &arch_aarch64, "\x80\x00\x00\x54", 4, true },             /* b.eq */
		{ &arch_aarch64, "\x80\x00\x00\xb4", 4, true },             /* cbz */
		{ &arch_aarch64, "\x81\x00\x00\x36", 4, true },             /* tbz */
		{ &arch_aarch64, "\x80\x00\x00\x10", 4, false },            /* adr */
		{ &arch_aarch64, "\x80\x00\x00\x58", 4, false },            /* ldr */
		{ &arch_arm, "\x02\x00\x00\xeb", 4, true },                 /* bl */
		{ &arch_arm, "\x02\x00\x00\x0a", 4, true },                 /* beq */
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct arena a = { 0 };
		struct insn in;
		struct dis *d;
		struct err err;

		REQUIRE_OK(dis_open(&a, v[i].arch, &d, &err), err);
		dis_one(d, SPAN(v[i].bytes, v[i].n), v[i].arch == &arch_arm ? 0xc0100000 : AT, &in);
		if (!CHECK(in.has_target) || !CHECK(in.branch == v[i].branch))
			printf("  of %zu: %s %s\n", i, in.mnemonic, in.operands);
		dis_close(d);
		arena_release(&a);
	}
}

TEST(arm64)
{
	static const struct expect cases[] = {
		{ "\x00\x04\x00\x94", 4, 4, "bl", "#0xffffffff81001000", AT + 0x1000 },
		{ "\x80\x00\x00\x54", 4, 4, "b.eq", NULL, AT + 0x10 },
		{ "\x80\x00\x00\xb4", 4, 4, "cbz", NULL, AT + 0x10 },
		{ "\x81\x00\x00\x36", 4, 4, "tbz", NULL, AT + 0x10 },
		{ "\xfd\x7b\xbf\xa9", 4, 4, "stp", "x29, x30, [sp, #-0x10]!", 0 },
		{ "\x00\x00\x00\x00", 4, 4, ".byte", "0x00, 0x00, 0x00, 0x00", 0 },
		{ "\xfd\x7b", 2, 2, ".byte", "0xfd, 0x7b", 0 },
	};

	check(&arch_aarch64, cases, sizeof(cases) / sizeof(cases[0]));
}

TEST(unknown_architecture)
{
	struct arena a = { 0 };
	struct dis *d;
	struct err err;

	CHECK(!dis_open(&a, NULL, &d, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	arena_release(&a);
}

/* Which register an instruction writes, by Intel's and Arm's manuals; "eax" is the lower half of
 * rax, "w0" of x0, "r8d" of r8. It loads one when it does nothing else with what it read. */
TEST(registers_that_are_written)
{
	static const struct {
		const struct arch *arch;
		const char *bytes;
		unsigned n;
		const char *reg;
		bool writes, load;
	} v[] = {
		{ &arch_x86_64, "\x48\x8b\x07", 3, "rax", true, true },   /* mov (%rdi), %rax */
		{ &arch_x86_64, "\x48\x8b\x07", 3, "rdi", false, false }, /* mov (%rdi), %rax */
		{ &arch_x86_64, "\x8b\x07", 2, "rax", true, true },       /* mov (%rdi), %eax */
		{ &arch_x86_64, "\x8b\x07", 2, "rcx", false, false },     /* mov (%rdi), %eax */
		{ &arch_x86_64, "\x44\x8b\x07", 3, "r8", true, true },    /* mov (%rdi), %r8d */
		{ &arch_x86_64, "\x44\x8b\x17", 3, "r1", false, false },  /* mov (%rdi), %r10d */
		{ &arch_x86_64, "\x48\x89\x07", 3, "rax", false, false }, /* mov %rax, (%rdi) */
		{ &arch_x86_64, "\x48\x03\x07", 3, "rax", true, false },  /* add (%rdi), %rax */
		{ &arch_x86_64, "\x48\x89\xf8", 3, "rax", true, false },  /* mov %rdi, %rax */
		{ &arch_x86_64, "\xe8\x00\x00\x00\x00", 5, "rax", true, false }, /* call */
		{ &arch_aarch64, "\x20\x00\x40\xb9", 4, "x0", true, true },      /* ldr w0, [x1] */
		{ &arch_aarch64, "\x20\x00\x40\xb9", 4, "x1", false, false },    /* ldr w0, [x1] */
		{ &arch_aarch64, "\x20\x00\x40\xf9", 4, "x0", true, true },      /* ldr x0, [x1] */
		{ &arch_aarch64, "\x20\x00\x00\xf9", 4, "x0", false, false },    /* str x0, [x1] */
		{ &arch_aarch64, "\x40\x04\x40\xa9", 4, "x1", true, false }, /* ldp x0, x1, [x2] */
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct arena a = { 0 };
		struct insn in;
		struct dis *d;
		struct err err;
		bool load;

		REQUIRE_OK(dis_open(&a, v[i].arch, &d, &err), err);
		dis_one(d, SPAN(v[i].bytes, v[i].n), AT, &in);
		if (!CHECK(dis_writes(d, v[i].reg, &load) == v[i].writes) |
		    !CHECK(load == v[i].load))
			printf("  of %zu: %s %s\n", i, in.mnemonic, in.operands);
		dis_close(d);
		arena_release(&a);
	}
}

TEST_MAIN
