/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of core files: which segments there are, what is in them, and the notes, read with the
 * structs of elf.h and of sys/procfs.h. */
#include <stdlib.h>
#include <sys/procfs.h>

#include "core/base/test.h"
#include "core/linux/program/program_fake.h"

static struct program_fake f;
static struct core_stats stats;
static struct err err;
static unsigned flaws;
static struct {
	uint8_t p[1 << 20];
	size_t n;
} core;

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	CHECK(*e->msg);
	flaws++;
}

/* Writes a core to a file of its own, and reads it. */
static bool make(void)
{
	char path[200];
	const char *tmp = getenv("TMPDIR");
	FILE *file;
	bool ok;
	int fd;

	snprintf(path, sizeof(path), "%s/obit-core-XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	if (!CHECK(fd >= 0))
		return false;
	close(fd);
	flaws = 0;
	ok = core_file_write(&f.p, path, &stats, flaw, NULL, &err);
	file = fopen(path, "r");
	core.n = file ? fread(core.p, 1, sizeof(core.p), file) : 0;
	if (file)
		fclose(file);
	CHECK(ok == (core.n != 0)); /* nothing is kept of one that failed */
	unlink(path);
	return ok;
}

static const Elf64_Phdr *segment(size_t i)
{
	const Elf64_Ehdr *e = (const void *)core.p;

	return (const void *)(core.p + e->e_phoff + i * sizeof(Elf64_Phdr));
}

/* The segment i has the program's memory from va on; stored: in the file, and it is that memory. */
static void check_segment(size_t i, uint64_t va, uint64_t size, uint32_t flags, bool stored)
{
	const Elf64_Phdr *p = segment(i);

	CHECK_U64(p->p_type, PT_LOAD);
	CHECK_U64(p->p_vaddr, va);
	CHECK_U64(p->p_memsz, size);
	CHECK_U64(p->p_filesz, stored ? size : 0);
	CHECK_U64(p->p_flags, flags);
	CHECK_U64(p->p_offset % 4096, 0);
	if (CHECK(p->p_offset + p->p_filesz <= core.n))
		CHECK_MEM(core.p + p->p_offset, f.k.mem + va, p->p_filesz);
}

/* The first note of a type, where longs may be read, until the next call; NULL: there is none.
 * *size is its bytes. */
static const uint8_t *note(uint32_t type, size_t *size)
{
	static _Alignas(8) uint8_t copy[4096];
	const Elf64_Phdr *p = segment(0);

	for (size_t at = p->p_offset; at + 12 <= p->p_offset + p->p_filesz;) {
		const Elf64_Nhdr *n = (const void *)(core.p + at);
		size_t desc = at + 12 + ((n->n_namesz + 3) & ~3u);

		*size = n->n_descsz;
		if (n->n_type == type && n->n_descsz <= sizeof(copy))
			return memcpy(copy, core.p + desc, n->n_descsz);
		at = desc + ((n->n_descsz + 3) & ~3u);
	}
	return NULL;
}

/* Every page in its own words, so that none is taken for another. */
static void start(void)
{
	program_fake_init(&f);
	for (uint64_t pa = PF_CODE; pa < PF_DATA + PF_AREA; pa += 8)
		put64(&f.k, PF_AT(pa), ~pa);
	snprintf(f.name, sizeof(f.name), "/bin/victim");
	f.task.cpu = 0;
}

TEST(segments_are_what_is_there)
{
	start();
	if (!CHECK_OK(make(), err))
		return;
	CHECK_U64(stats.segments, 3);
	CHECK_U64(stats.bytes, 3 * PF_AREA);
	CHECK_U64(stats.size, core.n);
	check_segment(1, PF_CODE, PF_AREA, PF_R | PF_X, true);
	check_segment(2, PF_STACK, PF_AREA, PF_R | PF_W, true);
	check_segment(3, PF_DATA, PF_AREA, PF_R | PF_W, true);
	program_fake_release(&f);
}

/* What the dump lacks and what was swapped out has no segment; what nobody wrote has one without
 * bytes, but not in a file's area, where the file has it. What PROT_NONE bars is there. */
TEST(segments_of_what_is_not)
{
	start();
	f.k.holes = UINT64_C(1) << ((PF_STACK >> 12) + 1);
	f.pages[(PF_DATA >> 12)] = PAGE_SWAPPED;
	f.pages[(PF_DATA >> 12) + 1] = PAGE_NONE;
	f.pages[(PF_DATA >> 12) + 2] = PAGE_BARRED;
	f.pages[(PF_CODE >> 12) + 3] = PAGE_NONE;
	if (!CHECK_OK(make(), err))
		return;
	check_segment(1, PF_CODE, 0x3000, PF_R | PF_X, true);
	check_segment(2, PF_STACK, 0x1000, PF_R | PF_W, true);
	check_segment(3, PF_STACK + 0x2000, 0x2000, PF_R | PF_W, true);
	check_segment(4, PF_DATA + 0x1000, 0x1000, PF_R | PF_W, false);
	check_segment(5, PF_DATA + 0x2000, 0x2000, PF_R | PF_W, true);
	CHECK_U64(stats.segments, 5);
	CHECK_U64(stats.swapped, 0x1000);
	CHECK_U64(stats.untouched, 0x1000);
	CHECK_U64(stats.of_files, 0x1000);
	CHECK_U64(stats.absent, 0x1000);
	CHECK_ERR(stats.why, ERR_EXCLUDED);
	program_fake_release(&f);
}

TEST(a_lost_page_table)
{
	start();
	f.pages[(PF_DATA >> 12)] = PAGE_NO_TABLE;
	if (!CHECK_OK(make(), err))
		return;
	check_segment(3, PF_DATA + 0x1000, 0x3000, PF_R | PF_W, true);
	CHECK_U64(stats.absent, 0x1000);
	CHECK_ERR(stats.why, ERR_NOPGTABLE);
	program_fake_release(&f);
}

/* Memory of devices is in no core, and zeros are not promised where a program serves its faults. */
TEST(areas_that_are_left_out)
{
	start();
	f.p.areas.p[1].flags = 0x4000; /* VM_IO */
	f.p.areas.p[2].flags = 0x200;  /* VM_UFFD_MISSING */
	f.pages[(PF_DATA >> 12)] = PAGE_NONE;
	if (!CHECK_OK(make(), err))
		return;
	check_segment(2, PF_DATA + 0x1000, 0x3000, PF_R | PF_W, true);
	CHECK_U64(stats.segments, 2);
	CHECK_U64(stats.untouched, 0);
	program_fake_release(&f);
}

TEST(notes_of_a_thread)
{
	const struct elf_prstatus *p;
	const struct elf_prpsinfo *i;
	size_t n;

	start();
	if (!CHECK_OK(make(), err))
		return;
	p = (const void *)note(NT_PRSTATUS, &n);
	if (!CHECK(p && n == sizeof(*p)))
		return;
	CHECK_U64(p->pr_pid, 7);
	CHECK_U64(p->pr_ppid, 2);
	CHECK_U64(p->pr_pgrp, 5);
	CHECK_U64(p->pr_sid, 3);
	CHECK_U64(p->pr_sigpend, 1 << 14);
	CHECK_U64(p->pr_sighold, 1 << 9);
	CHECK_U64(p->pr_reg[0], 0x15);
	CHECK_U64(p->pr_reg[16], PF_CODE + 0x20);
	CHECK_U64(p->pr_reg[19], PF_STACK + 0x10);
	i = (const void *)note(NT_PRPSINFO, &n);
	if (!CHECK(i && n == sizeof(*i)))
		return;
	CHECK_U64(i->pr_pid, 7);
	CHECK_U64(i->pr_ppid, 2);
	CHECK_U64(i->pr_pgrp, 5);
	CHECK_U64(i->pr_sid, 3);
	CHECK_U64(i->pr_uid, 1000);
	CHECK_U64(i->pr_gid, 100);
	CHECK(i->pr_sname == 'S' && i->pr_state == 1 && i->pr_nice == 5);
	CHECK_STR(i->pr_fname, "victim");
	/* of the fake kernel neither the list of tasks nor vector registers are there: both are
	 * told */
	CHECK_U64(stats.threads, 1);
	CHECK(flaws >= 2);
	program_fake_release(&f);
}

TEST(notes_of_the_process)
{
	const uint64_t *words;
	size_t n;

	start();
	f.k.holes = UINT64_C(1) << ((PF_CODE >> 12) + 1);
	if (!CHECK_OK(make(), err))
		return;
	words = (const void *)note(NT_AUXV, &n);
	if (CHECK(words && n == 32)) { /* up to AT_NULL */
		CHECK_U64(words[0], AT_PAGESZ);
		CHECK_U64(words[1], 4096);
		CHECK_U64(words[2], AT_NULL);
	}
	/* fs/binfmt_elf.c: count, page size, then start, end and offset in pages of each; what the
	 * dump lacks is cut out, for a debugger would read the file there */
	words = (const void *)note(NT_FILE, &n);
	if (CHECK(words && n == 8 * 8 + 2 * sizeof("/bin/victim"))) {
		const uint64_t want[] = {
			2, 4096, PF_CODE, PF_CODE + 0x1000, 1, PF_CODE + 0x2000, PF_CODE + PF_AREA,
			3
		};

		CHECK_MEM((const uint8_t *)words, (const uint8_t *)want, sizeof(want));
		CHECK_STR((const char *)(words + 8), "/bin/victim");
	}
	program_fake_release(&f);
}

/* Narrow structs of a machine of 32 bits; cpsr is the 17th word of its registers. */
TEST(a_machine_of_32_bits)
{
	const Elf32_Ehdr *e = (const void *)core.p;
	const Elf32_Phdr *p = (const void *)(core.p + sizeof(*e));
	const Elf32_Nhdr *n;
	const uint32_t *words;
	const uint64_t regs = PF_KSTACK + 0x4000 - 8 - 18 * 4;

	start();
	f.k.arch = arch_arm;
	f.k.arch.is_kernel_va = kernel_is_va;
	f.k.arch.mmu_init = kernel_mmu;
	f.k.arch.walk = program_fake_walk;
	for (size_t i = 0; i < f.k.n_types; i++)
		if (!strcmp(f.k.types[i]->name, "pt_regs"))
			f.k.types[i]->size = 18 * 4;
	/* a set is two words there */
	for (size_t i = 0; i < f.k.n_types; i++)
		if (!strcmp(f.k.types[i]->name, "sigset"))
			f.k.types[i]->members[0].type = kernel_array(&f.k, &f.k.u32, 2);
	put32(&f.k, PF_AT(regs + 4 * 4), 0x44);
	put32(&f.k, PF_AT(regs + 13 * 4), PF_STACK + 0x10);
	put32(&f.k, PF_AT(regs + 15 * 4), PF_CODE + 0x20);
	put32(&f.k, PF_AT(regs + 16 * 4), 0x60000010);
	if (!CHECK_OK(make(), err))
		return;
	CHECK(e->e_ident[EI_CLASS] == ELFCLASS32 && e->e_machine == EM_ARM && e->e_phnum == 4);
	CHECK(p[0].p_type == PT_NOTE && p[1].p_type == PT_LOAD);
	CHECK_U64(p[2].p_vaddr, PF_STACK);
	CHECK_U64(p[2].p_filesz, PF_AREA);
	CHECK_MEM(core.p + p[2].p_offset, f.k.mem + PF_STACK, PF_AREA);
	n = (const void *)(core.p + p[0].p_offset);
	words = (const void *)(core.p + p[0].p_offset + 12 + 8);
	CHECK(n->n_type == NT_PRSTATUS && n->n_descsz == 148);
	CHECK_U64(words[24 / 4], 7);
	CHECK_U64(words[72 / 4 + 4], 0x44);
	CHECK_U64(words[72 / 4 + 13], PF_STACK + 0x10);
	CHECK_U64(words[72 / 4 + 15], PF_CODE + 0x20);
	program_fake_release(&f);
}

/* No registers of a program are on its stack, or those of a kind of which no core is made. */
TEST(what_cannot_be_made)
{
	start();
	put64(&f.k, PF_AT(PF_REGS + 17 * 8), 0x23); /* a 32-bit program's code segment */
	CHECK(!make());
	CHECK_ERR(err, ERR_UNSUPPORTED);
	put64(&f.k, PF_AT(PF_REGS + 17 * 8), 0x10); /* the kernel's */
	CHECK(!make());
	CHECK_ERR(err, ERR_NOTFOUND);
	program_fake_release(&f);
}

TEST_MAIN
