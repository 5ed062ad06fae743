/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a process of a fake kernel, with its signals and registers, its areas and pages, and
 * an ELF file that it has mapped, in a folder that stands for its root. */
#ifndef OBIT_PROGRAM_FAKE_H
#define OBIT_PROGRAM_FAKE_H

#include <elf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/linux/kernel_fake.h"
#include "core/linux/program/program.h"

/* The kernel's structs, at these physical addresses; its virtual ones are KERNEL_BASE further. */
#define PF_TASK 0x1000u
#define PF_SIGNAL 0x2000u
#define PF_PIDS 0x2800u
#define PF_MM 0x3000u
#define PF_CRED 0x3800u
#define PF_KSTACK 0x4000u /* 16 KiB */
#define PF_REGS (PF_KSTACK + 0x4000u - 21 * 8)
/* The program's addresses are the physical ones: */
#define PF_CODE 0x10000u
#define PF_STACK 0x20000u
#define PF_DATA 0x30000u
#define PF_AREA 0x4000u
#define PF_AT(pa) (KERNEL_BASE + (pa))

/* What page tables say of each page of the program. */
enum fake_page {
	PAGE_HERE,
	PAGE_NONE,
	PAGE_SWAPPED,
	PAGE_BARRED,
	PAGE_NO_TABLE,
	FAKE_PAGES
};

/* The file: a head, a segment of code at its offset 0x1000, which is linked to 0x1000, too, and a
 * section of frame tables at 0x200. */
#define FAKE_FILE_SIZE 0x5000u
#define FAKE_TABLES 0x200u
#define FAKE_TABLES_SIZE 0x200u
#define FAKE_STRINGS 0x100u
#define FAKE_SECTIONS 0x120u

struct program_fake {
	struct fake_kernel k;
	struct task task;
	struct user_program p;
	uint8_t pages[KERNEL_SIZE / 4096]; /* enum fake_page */
	uint8_t file[FAKE_FILE_SIZE];
	int fd;        /* has the file's bytes */
	char name[40]; /* of the file, below a sysroot of "" */
};

static inline bool program_fake_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret,
				     struct err *err)
{
	const struct program_fake *f = mmu->self;
	enum fake_page page;

	if (va >= KERNEL_BASE)
		return kernel_walk(mmu, va, ret, err);
	*ret = (struct mapping){ .va = va & ~(uint64_t)0xfff, .size = 0x1000 };
	page = f && va < KERNEL_SIZE ? f->pages[va >> 12] % FAKE_PAGES : PAGE_NONE;
	if (page == PAGE_HERE) {
		ret->pa = ret->va;
		return true;
	}
	if (page == PAGE_NO_TABLE)
		return err_set_addr(err, ERR_NOPGTABLE, va, "no page table");
	ret->entry = page == PAGE_SWAPPED  ? UINT64_C(0x1fffffffffdb9600)
		     : page == PAGE_BARRED ? (~ret->va & mmu->phys_mask) | 0x100
					   : 0;
	return err_set_addr(err, ERR_UNMAPPED, va, "not mapped");
}

static inline void program_fake_types(struct fake_kernel *k)
{
	const struct type *list = kernel_list_type(k);
	struct type *set = kernel_struct(k, "sigset", 8), *pending, *s, *inner;

	kernel_member(set, "sig", kernel_array(k, &k->u64, 1), 0);
	pending = kernel_struct(k, "sigpending", 24);
	kernel_member(pending, "list", list, 0);
	kernel_member(pending, "signal", set, 16);
	s = kernel_struct(k, "task_struct", 256);
	kernel_member(s, "pending", pending, 8);
	kernel_member(s, "blocked", set, 32);
	kernel_member(s, "real_blocked", set, 40);
	kernel_member(s, "saved_sigmask", set, 48);
	kernel_member(s, "signal", &k->ptr, 56);
	kernel_member(s, "sighand", &k->ptr, 64);
	kernel_member(s, "last_siginfo", &k->ptr, 72);
	kernel_member(s, "static_prio", &k->s32, 80);
	kernel_member(s, "cred", &k->ptr, 88);
	s = kernel_struct(k, "signal_struct", 96);
	kernel_member(s, "nr_threads", &k->s32, 0);
	kernel_member(s, "shared_pending", pending, 8);
	kernel_member(s, "pids", kernel_array(k, &k->ptr, 4), 32);
	inner = kernel_struct(k, "upid", 16);
	kernel_member(inner, "nr", &k->s32, 0);
	s = kernel_struct(k, "pid", 32);
	kernel_member(s, "numbers", kernel_array(k, inner, 1), 0);
	inner = kernel_struct(k, "kuid", 4);
	kernel_member(inner, "val", &k->u32, 0);
	s = kernel_struct(k, "cred", 16);
	kernel_member(s, "uid", inner, 4);
	kernel_member(s, "gid", inner, 8);
	s = kernel_struct(k, "mm_struct", 256);
	kernel_member(s, "saved_auxv", kernel_array(k, &k->u64, 8), 16);
	kernel_struct(k, "pt_regs", 21 * 8);
}

/* Process 7 of session 3 and group 5, child of 2, user 1000 of group 100, which blocks SIGUSR1 and
 * has SIGTERM pending. Its registers are r15 = 0x15, ... as struct pt_regs orders them. */
static inline void program_fake_process(struct fake_kernel *k)
{
	put64(k, PF_AT(PF_TASK + 8 + 16), 1 << 14);
	put64(k, PF_AT(PF_TASK + 32), 1 << 9);
	put64(k, PF_AT(PF_TASK + 56), PF_AT(PF_SIGNAL));
	put32(k, PF_AT(PF_TASK + 80), 125);
	put64(k, PF_AT(PF_TASK + 88), PF_AT(PF_CRED));
	put32(k, PF_AT(PF_SIGNAL), 1);
	put64(k, PF_AT(PF_SIGNAL + 32 + 2 * 8), PF_AT(PF_PIDS));
	put64(k, PF_AT(PF_SIGNAL + 32 + 3 * 8), PF_AT(PF_PIDS + 0x20));
	put32(k, PF_AT(PF_PIDS), 5);
	put32(k, PF_AT(PF_PIDS + 0x20), 3);
	put32(k, PF_AT(PF_CRED + 4), 1000);
	put32(k, PF_AT(PF_CRED + 8), 100);
	put64(k, PF_AT(PF_MM + 16), AT_PAGESZ);
	put64(k, PF_AT(PF_MM + 24), 4096);
	put64(k, PF_AT(PF_REGS), 0x15);
	put64(k, PF_AT(PF_REGS + 15 * 8), UINT64_MAX);      /* orig_rax */
	put64(k, PF_AT(PF_REGS + 16 * 8), PF_CODE + 0x20);  /* rip */
	put64(k, PF_AT(PF_REGS + 17 * 8), 0x33);            /* cs */
	put64(k, PF_AT(PF_REGS + 19 * 8), PF_STACK + 0x10); /* rsp */
	put64(k, PF_AT(PF_REGS + 20 * 8), 0x2b);            /* ss */
}

/* A CIE as gcc writes it for x86-64, and a function of 0x1000 bytes from 0x1000 on, which has
 * pushed 24 bytes: the return address is 24 bytes above the stack pointer. */
static inline void program_fake_tables(uint8_t *at)
{
	static const uint8_t tables[] = {
		20,   0, 0, 0, 0,  0,    0, 0, 1, 'z',  'R', 0, 1, 0x78, 16, 1,
		0x1b,          /* pc-relative */
		0x0c, 7, 8,    /* DW_CFA_def_cfa: rsp + 8 */
		0x90, 1, 0, 0, /* DW_CFA_offset: the return address at CFA - 8; two nops */
		20,   0, 0, 0, 28, 0,    0, 0,                                 /* back to the CIE */
		0,    0, 0, 0, 0,  0x10, 0, 0, 0, 0x0e, 32,  0, 0, 0,    0,  0 /* CFA: rsp + 32 */
	};
	int32_t to = 0x1000 - (int32_t)(FAKE_TABLES + 32);

	memset(at, 0, FAKE_TABLES_SIZE);
	memcpy(at, tables, sizeof(tables));
	memcpy(at + 32, &to, sizeof(to));
}

static inline void program_fake_file(struct program_fake *f)
{
	Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = ET_DYN,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_phoff = sizeof(Elf64_Ehdr),
			 .e_shoff = FAKE_SECTIONS,
			 .e_ehsize = sizeof(Elf64_Ehdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 1,
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = 3,
			 .e_shstrndx = 2 };
	Elf64_Phdr p = { .p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_offset = 0x1000,
			 .p_vaddr = 0x1000,
			 .p_filesz = 0x4000,
			 .p_memsz = 0x4000 };
	Elf64_Shdr s[3] = {
		{ .sh_type = SHT_NULL },
		{ .sh_name = 1,
		  .sh_type = SHT_PROGBITS,
		  .sh_addr = FAKE_TABLES,
		  .sh_offset = FAKE_TABLES,
		  .sh_size = FAKE_TABLES_SIZE },
		{ .sh_name = 11, .sh_type = SHT_STRTAB, .sh_offset = FAKE_STRINGS, .sh_size = 0x20 }
	};

	memset(f->file, 0, sizeof(f->file));
	memcpy(f->file, &e, sizeof(e));
	memcpy(f->file + sizeof(e), &p, sizeof(p));
	memcpy(f->file + FAKE_STRINGS, "\0.eh_frame\0.shstrtab", 21);
	memcpy(f->file + FAKE_SECTIONS, s, sizeof(s));
	program_fake_tables(f->file + FAKE_TABLES);
}

/* A process whose areas are code, mapped from the file, a stack, and data that are no file's. */
static inline void program_fake_init(struct program_fake *f)
{
	memset(f, 0, sizeof(*f));
	kernel_init(&f->k);
	f->k.arch.walk = program_fake_walk;
	program_fake_types(&f->k);
	program_fake_process(&f->k);
	program_fake_file(f);
	f->fd = -1;
	f->task = (struct task){ .addr = PF_AT(PF_TASK),
				 .stack = PF_AT(PF_KSTACK),
				 .mm = PF_AT(PF_MM),
				 .pid = 7,
				 .tgid = 7,
				 .ppid = 2,
				 .letter = 'S',
				 .comm = "victim" };
	f->p = (struct user_program){ .t = &f->k.t, .task = &f->task, .arena = &f->k.t.arena };
	f->p.space =
		(struct user_space){ .t = &f->k.t, .mm = PF_AT(PF_MM), .end = UINT64_C(1) << 47 };
	f->p.space.mmu = (struct mmu){ .phys_mask = UINT64_C(0x000ffffffffff000),
				       .page_shift = 12,
				       .va_bits = 48,
				       .low = true,
				       .self = f };
	*vec_push(&f->p.areas) = (struct vma){ .start = PF_CODE,
					       .end = PF_CODE + PF_AREA,
					       .offset = 0x1000,
					       .file = 1,
					       .perms = "r-xp",
					       .name = f->name };
	*vec_push(&f->p.areas) = (struct vma){
		.start = PF_STACK, .end = PF_STACK + PF_AREA, .perms = "rw-p", .name = "[stack]"
	};
	*vec_push(&f->p.areas) =
		(struct vma){ .start = PF_DATA, .end = PF_DATA + PF_AREA, .perms = "rw-p" };
}

/* Puts the file where it is found, as it is then, and in the program's memory its code. */
static inline bool program_fake_root(struct program_fake *f)
{
	memcpy(f->k.mem + PF_CODE, f->file + 0x1000, PF_AREA);
	f->fd = memfd_create("file", 0);
	snprintf(f->name, sizeof(f->name), "/proc/self/fd/%d", f->fd);
	f->p.sysroot = "";
	return f->fd >= 0 && write(f->fd, f->file, sizeof(f->file)) == (ssize_t)sizeof(f->file);
}

static inline void program_fake_release(struct program_fake *f)
{
	program_release(&f->p);
	kernel_release(&f->k);
	if (f->fd >= 0)
		close(f->fd);
}

#endif
