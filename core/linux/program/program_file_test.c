/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the files of a sysroot: whose tables are followed, and which are not used. */
#include "core/base/test.h"
#include "core/dwarf/dwarf_cfi.h"
#include "core/linux/program/program_fake.h"

static struct program_fake f;
static struct program_stack s;
static struct err err;

/* call rel32 in the file, so that `at` is a return address of the code that is mapped from it. */
static void call_before(uint64_t at)
{
	f.file[at - PF_CODE + 0x1000 - 5] = 0xe8;
}

/* The function at 0x1000 has its return address 24 bytes above the stack pointer, and so has its
 * caller, which is itself. */
static void start(void)
{
	program_fake_init(&f);
	call_before(PF_CODE + 0x100);
	call_before(PF_CODE + 0x200);
	put64(&f.k, PF_AT(PF_STACK + 0x10 + 24), PF_CODE + 0x100);
	put64(&f.k, PF_AT(PF_STACK + 0x30 + 24), PF_CODE + 0x200);
}

static void unwind(void)
{
	struct regs r = { .have = 0 };

	regs_set(&r, f.k.arch.pc, PF_CODE + 0x20);
	regs_set(&r, f.k.arch.sp, PF_STACK + 0x10);
	program_unwind(&f.p, &r, 0, &s);
}

static bool rules(uint64_t pc, bool *proven)
{
	static struct cfi_rules r;
	const struct vma *area = program_area_at(&f.p, pc);

	return area && program_rules(&f.p, area, pc, &r, proven, &err);
}

/* DW_CFA_def_cfa_offset 32 of the function: each stack pointer is 32 bytes above the one before. */
TEST(tables_are_followed)
{
	start();
	if (!CHECK(program_fake_root(&f)))
		return;
	unwind();
	CHECK(s.n >= 3);
	if (s.n >= 3) {
		CHECK_U64(s.frames[1].pc, PF_CODE + 0x100);
		CHECK_U64(s.frames[1].sp, PF_STACK + 0x30);
		CHECK_STR(s.frames[1].how, "cfi");
		CHECK(s.frames[1].sure && s.frames[2].sure);
		CHECK_U64(s.frames[2].pc, PF_CODE + 0x200);
		CHECK_U64(s.frames[2].sp, PF_STACK + 0x50);
		CHECK_U64(s.frames[2].offset, 0x1200);
	}
	for (size_t i = 3; i < s.n; i++)
		CHECK(!s.frames[i].sure);
	program_fake_release(&f);
}

TEST(without_a_sysroot)
{
	bool proven;

	start();
	CHECK(!rules(PF_CODE + 0x20, &proven));
	CHECK_ERR(err, ERR_NEED);
	program_fake_release(&f);
}

/* Behind the function no table says anything; code that the dump lacks proves nothing. */
TEST(what_the_tables_cover)
{
	bool proven;

	start();
	if (!CHECK(program_fake_root(&f)))
		return;
	CHECK_OK(rules(PF_CODE + 0xfff, &proven), err);
	CHECK(proven);
	CHECK(!rules(PF_CODE + 0x1000, &proven));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!rules(PF_DATA, &proven));
	CHECK_ERR(err, ERR_NOTFOUND);
	f.k.holes = UINT64_C(1) << (PF_CODE >> 12);
	CHECK_OK(rules(PF_CODE + 0x20, &proven), err);
	CHECK(!proven);
	unwind();
	CHECK(s.n > 1 && !strcmp(s.frames[1].how, "cfi") && !s.frames[1].sure);
	program_fake_release(&f);
}

/* A page of the stack that was never touched has nothing on it, and what lies behind it is looked
 * at; one that is swapped out may have had a return address. */
TEST(a_page_of_the_stack_is_not_there)
{
	start();
	if (!CHECK(program_fake_root(&f)))
		return;
	f.p.sysroot = NULL;
	put64(&f.k, PF_AT(PF_STACK + 0x2040), PF_CODE + 0x100);
	f.pages[(PF_STACK >> 12) + 1] = PAGE_NONE;
	unwind();
	CHECK(s.n > 1 && s.frames[s.n - 1].sp == PF_STACK + 0x2040);
	CHECK(s.end.code != ERR_UNMAPPED);
	f.pages[(PF_STACK >> 12) + 1] = PAGE_SWAPPED;
	unwind();
	CHECK(s.n > 0 && s.frames[s.n - 1].sp < PF_STACK + 0x1000);
	CHECK_ERR(s.end, ERR_UNMAPPED);
	program_fake_release(&f);
}

/* A file of the same name with other code is not what was mapped. */
TEST(another_file)
{
	bool proven;

	start();
	if (!CHECK(program_fake_root(&f)))
		return;
	f.k.mem[PF_CODE + 0x21] ^= 1;
	CHECK(!rules(PF_CODE + 0x20, &proven));
	CHECK_ERR(err, ERR_MISMATCH);
	unwind();
	CHECK_ERR(s.file, ERR_MISMATCH);
	for (size_t i = 1; i < s.n; i++)
		CHECK_STR(s.frames[i].how, "scan");
	program_fake_release(&f);
}

TEST(a_file_that_ends_early)
{
	bool proven;

	start();
	if (!CHECK(program_fake_root(&f) && ftruncate(f.fd, 0x1030) == 0))
		return;
	CHECK(!rules(PF_CODE + 0x20, &proven));
	CHECK_ERR(err, ERR_MISMATCH);
	program_fake_release(&f);
}

/* What a damaged dump says is a file's name leads nowhere but below the sysroot. */
TEST(names_that_lead_out)
{
	static const char *const names[] = { "/../etc/passwd", "/lib/..", "bin/sh", "",
					     "/lib/../../x",   "/x/../y", "..",     "/.." };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		bool proven;

		start();
		if (!CHECK(program_fake_root(&f)))
			return;
		f.p.areas.p[0].name = names[i];
		CHECK(!rules(PF_CODE + 0x20, &proven));
		CHECK_ERR(err, ERR_USAGE);
		program_fake_release(&f);
	}
}

static void refused(enum err_code code, const char *why)
{
	bool proven;

	if (!CHECK(program_fake_root(&f)))
		return;
	CHECK(!rules(PF_CODE + 0x20, &proven));
	CHECK_ERR(err, code);
	CHECK_CONTAINS(err.msg, why);
	/* and again, without opening it */
	CHECK(!rules(PF_CODE + 0x30, &proven));
	CHECK_ERR(err, code);
	program_fake_release(&f);
}

/* Has section i of the file be at another offset. */
static void put_section(size_t i, uint64_t offset, uint64_t size)
{
	uint8_t *to = f.file + FAKE_SECTIONS + i * sizeof(Elf64_Shdr);

	memcpy(to + offsetof(Elf64_Shdr, sh_offset), &offset, sizeof(offset));
	memcpy(to + offsetof(Elf64_Shdr, sh_size), &size, sizeof(size));
}

TEST(files_that_are_none)
{
	start();
	f.file[0] = 'x';
	refused(ERR_FORMAT, "no ELF file of this machine");
	start();
	f.file[offsetof(Elf64_Ehdr, e_machine)] = EM_ARM;
	refused(ERR_FORMAT, "no ELF file of this machine");
	start();
	f.file[FAKE_STRINGS + 1] = '_'; /* no section is called .eh_frame */
	refused(ERR_NOTFOUND, "no .eh_frame");
	start();
	f.file[FAKE_SECTIONS + sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size) + 4] = 1;
	refused(ERR_FORMAT, ".eh_frame");
	start(); /* the table of names is 8 KB of code without a zero */
	memset(f.file + 0x1000, 'x', 0x2000);
	put_section(2, 0x1000, 0x2000);
	refused(ERR_FORMAT, "the names of its sections");
	start(); /* without sections there is nothing to damage */
	f.file[offsetof(Elf64_Ehdr, e_shnum)] = 0;
	f.file[offsetof(Elf64_Ehdr, e_shstrndx)] = 0;
	refused(ERR_NOTFOUND, "no .eh_frame");
}

TEST(a_file_that_is_not_there)
{
	bool proven;

	start();
	snprintf(f.name, sizeof(f.name), "/nowhere/at/all");
	f.p.sysroot = "";
	CHECK(!rules(PF_CODE + 0x20, &proven));
	CHECK_ERR(err, ERR_IO);
	program_fake_release(&f);
}

TEST_MAIN
