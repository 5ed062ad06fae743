/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what values mean: numbers of errors and of the architectures' own registers, which stand
 * in errno(3) and in the manuals that are named beside them. */
#include <errno.h>

#include "core/base/test.h"
#include "core/report/report.h"

static const char *meaning(struct buf *b, uint64_t v, const char *arch)
{
	buf_reset(b);
	return address_meaning(v, arch, b) ? buf_text(b) : "-";
}

/* Errors of a machine's ordinary day by name; what may be any number by its number. */
TEST(errors_in_registers)
{
	static const struct {
		int error;
		const char *says;
	} errors[] = {
		{ EPERM, "-EPERM = -1" },
		{ ENAMETOOLONG, "-ENAMETOOLONG = -36" },
		{ ENOLCK, "-errno 37" },
		{ ENOSYS, "-ENOSYS = -38" },
		{ ENOTEMPTY, "-ENOTEMPTY = -39" },
		{ ENODATA, "-ENODATA = -61" },
		{ EPROTO, "-EPROTO = -71" },
		{ EBADMSG, "-EBADMSG = -74" },
		{ EOVERFLOW, "-EOVERFLOW = -75" },
		{ EILSEQ, "-EILSEQ = -84" },
		{ EMSGSIZE, "-EMSGSIZE = -90" },
		{ EOPNOTSUPP, "-EOPNOTSUPP = -95" },
		{ EADDRINUSE, "-EADDRINUSE = -98" },
		{ ETIMEDOUT, "-ETIMEDOUT = -110" },
		{ EINPROGRESS, "-EINPROGRESS = -115" },
		{ ESTALE, "-ESTALE = -116" },
		{ EUCLEAN, "-EUCLEAN = -117" },
		{ ECANCELED, "-ECANCELED = -125" },
		/* include/linux/errno.h: no program sees these */
		{ 512, "-ERESTARTSYS = -512" },
		{ 517, "-EPROBE_DEFER = -517" },
		{ 4095, "-errno 4095" },
	};
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		CHECK_STR(meaning(&b, (uint64_t)-errors[i].error, "x86_64"), errors[i].says);
		CHECK_STR(meaning(&b, (uint32_t)-errors[i].error, "arm"), errors[i].says);
	}
	/* a member in front of a pointer that was NULL */
	CHECK_STR(meaning(&b, (uint64_t)-4096, "x86_64"), "NULL - 0x1000");
	CHECK_STR(meaning(&b, 24, "x86_64"), "NULL + 0x18");
	buf_release(&b);
}

/* include/linux/poison.h; CONFIG_ILLEGAL_POINTER_VALUE is 0xdead000000000000. */
TEST(poison)
{
	struct buf b = { 0 };

	CHECK_STR(meaning(&b, 0x6b6b6b6b6b6b6b7b, "x86_64"), "poison of freed memory + 0x10");
	CHECK_STR(meaning(&b, 0x6b6b6b63, "arm"), "poison of freed memory - 0x8");
	CHECK_STR(meaning(&b, 0x5a5a5a5a5a5a5a5a, "x86_64"), "poison of memory not yet written");
	CHECK_STR(meaning(&b, 0xa5a5a5a5a5a5a5a5, "x86_64"), "end of slab poison");
	CHECK_STR(meaning(&b, 0xbbbbbbbbbbbbbbbb, "aarch64"), "red zone");
	CHECK_STR(meaning(&b, 0xdead000000000100, "x86_64"), "list poison of next (LIST_POISON1)");
	CHECK_STR(meaning(&b, 0xdead000000000108, "x86_64"),
		  "list poison of next (LIST_POISON1) + 0x8");
	CHECK_STR(meaning(&b, 0xdead000000000122, "x86_64"), "list poison of prev (LIST_POISON2)");
	CHECK_STR(meaning(&b, 0x1234000000000000, "x86_64"), "not canonical");
	CHECK_STR(meaning(&b, 0x7f0000001000, "x86_64"), "an address of user space");
	CHECK_STR(meaning(&b, 0xffff888000001000, "x86_64"), "-");
	buf_release(&b);
}

/* Only a fault at an address is about what a register points to; elsewhere a number that is not
 * marked may be a counter. */
TEST(registers_that_are_explained)
{
	static const struct {
		enum report_kind kind;
		bool user;
	} kinds[] = { { KIND_GPF, true },
		      { KIND_STACK_SEGMENT, true },
		      { KIND_PAGE_FAULT, true },
		      { KIND_WARNING, false } };
	struct report r = { .arch = "x86_64" };
	struct buf b = { 0 };

	*vec_push(&r.regs) = (struct report_reg){ .name = "rax", .value = 0x1234000000000000 };
	*vec_push(&r.regs) = (struct report_reg){ .name = "rbx", .value = 0xdead000000000122 };
	*vec_push(&r.regs) = (struct report_reg){ .name = "rcx", .value = (uint64_t)-ENOMEM };
	*vec_push(&r.regs) = (struct report_reg){ .name = "cr2", .value = (uint64_t)-ENOMEM };
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		r.kind = kinds[i].kind;
		buf_reset(&b);
		report_explain(&r, &b);
		CHECK(!strstr(buf_text(&b), "rax: 0x1234000000000000: not canonical") ==
		      !kinds[i].user);
		CHECK_CONTAINS(buf_text(&b), "rbx: 0xdead000000000122: list poison of prev");
		CHECK_CONTAINS(buf_text(&b), "rcx: 0xfffffffffffffff4: -ENOMEM = -12");
		CHECK(!strstr(buf_text(&b), "cr2"));
	}
	vec_release(&r.regs);
	buf_release(&b);
}

/* What the report of a fault says with that code. */
static void check_code(const char *arch, const char *name, uint64_t code, const char *says)
{
	struct report r = { .arch = arch,
			    .kind = KIND_PAGE_FAULT,
			    .has_error = true,
			    .error = code,
			    .error_name = name };
	struct buf b = { 0 };
	const char *text;

	report_fault(&r, &b);
	text = strstr(buf_text(&b), ": 0x");
	text = text ? strchr(text + 2, ':') : NULL;
	if (!CHECK(text && !strncmp(text + 2, says, strlen(says)) &&
		   text[2 + strlen(says)] == '\n'))
		printf("  %s 0x%llx: %s", arch, (unsigned long long)code, buf_text(&b));
	buf_release(&b);
}

/* Arm's Architecture Reference Manual, ESR_EL1: the class in bits 26 to 31, the state in 0 to 5,
 * WnR in 6; of a data abort alone, and of an instruction abort no more than the state. */
TEST(codes_of_arm64)
{
	check_code("aarch64", NULL, 0x96000004,
		   "data abort in the kernel, read, translation fault of level 0");
	check_code("aarch64", NULL, 0x96000045,
		   "data abort in the kernel, write, translation fault of level 1");
	check_code("aarch64", NULL, 0x92000007,
		   "data abort from user space, read, translation fault of level 3");
	check_code("aarch64", NULL, 0x9600004f,
		   "data abort in the kernel, write, permission fault of level 3");
	check_code("aarch64", NULL, 0x96000009,
		   "data abort in the kernel, read, access flag fault of level 1");
	check_code("aarch64", NULL, 0x96000010,
		   "data abort in the kernel, read, synchronous external abort");
	check_code("aarch64", NULL, 0x96000011, "data abort in the kernel, read, tag check fault");
	check_code("aarch64", NULL, 0x96000021, "data abort in the kernel, read, alignment fault");
	check_code("aarch64", NULL, 0x86000004,
		   "instruction abort in the kernel, translation fault of level 0");
	check_code("aarch64", NULL, 0x8200000e,
		   "instruction abort from user space, permission fault of level 2");
	check_code("aarch64", NULL, 0xf2000800, "BRK instruction");
	check_code("aarch64", NULL, 0xbf000002, "SError");
}

/* The same manual of ARMv7, DFSR: with bit 9 (LPAE) the state is as above, in 0 to 5; bit 11 is
 * WnR. */
TEST(codes_of_arm)
{
	check_code("arm", NULL, 0x817, "write, translation fault of a page");
	check_code("arm", NULL, 0x5, "read, translation fault of a section");
	check_code("arm", NULL, 0x80000005, "instruction fetch, translation fault of a section");
	check_code("arm", NULL, 0xa07, "write, translation fault of level 3");
	check_code("arm", NULL, 0x206, "read, translation fault of level 2");
	check_code("arm", NULL, 0x210, "read, synchronous external abort");
	check_code("arm", NULL, 0x221, "read, alignment fault");
	check_code("arm", NULL, 0x406, "read, asynchronous external abort");
}

/* z/Architecture Principles of Operation: bits 52 and 53 of the identification tell a store (1)
 * from a fetch (2), bits 62 and 63 the address space. */
TEST(codes_of_s390x)
{
	check_code("s390x", "TEID", 0x400, "store, primary address space");
	check_code("s390x", "TEID", 0x803, "fetch, home address space");
	check_code("s390x", "TEID", 0xc02, "secondary address space");
	check_code("s390x", "TEID", 1, "access-register address space");
}

static void check_register(const char *arch, const char *name, uint64_t value, const char *says)
{
	struct report r = { .arch = arch, .kind = KIND_INTERNAL_ERROR };
	struct buf b = { 0 };

	*vec_push(&r.regs) = (struct report_reg){ .name = name, .value = value };
	report_fault(&r, &b);
	if (!CHECK(strstr(buf_text(&b), says) != NULL))
		printf("  %s %s: %s\n", arch, says, buf_text(&b));
	vec_release(&r.regs);
	buf_release(&b);
}

/* The code is in bits 2 to 6 of MIPS's Cause, in 16 to 21 of LoongArch's ESTAT, the whole of
 * RISC-V's scause, and powerpc's vector itself; DSISR's bits are those of the Power ISA. */
TEST(registers_that_tell_a_cause)
{
	check_register("mips", "cause", 2 << 2, ": TLB miss on load or fetch\n");
	check_register("mips", "cause", 1 << 28 | 3 << 2 | 3, ": TLB miss on store\n");
	check_register("mips", "cause", 23 << 2, ": watched address\n");
	check_register("mips", "cause", 24 << 2, ": machine check\n");
	check_register("loongarch64", "estat", 1 << 16, ": page invalid on load\n");
	check_register("loongarch64", "estat", 4 << 16, ": store to a page that is not writable\n");
	check_register("loongarch64", "estat", 13 << 16 | 1, ": instruction does not exist\n");
	check_register("riscv64", "cause", 2, ": illegal instruction\n");
	check_register("riscv64", "cause", 13, ": load page fault\n");
	check_register("riscv64", "cause", 15, ": store page fault\n");
	check_register("ppc64", "trap", 0x300, ": data storage\n");
	check_register("ppc64", "trap", 0x380, ": data segment\n");
	check_register("ppc64", "trap", 0x400, ": instruction storage\n");
	/* the kernel's flag in the lowest bit: not all registers were saved */
	check_register("ppc64", "trap", 0x701, ": program check: trap or illegal instruction\n");
	check_register("ppc64", "dsisr", 0x42000000, ": write, no translation found\n");
	check_register("ppc64", "dsisr", 0x08000000, ": read, protection fault\n");
}

TEST_MAIN
