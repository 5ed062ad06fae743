/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ELF notes of a dump: one set of registers a CPU, VMCOREINFO, QEMU's own. */
#include <string.h>

#include "readers/notes.h"

#define CPUS_LIMIT 65536u
#define NOTES_LIMIT 1000000u

enum {
	NT_PRSTATUS = 1,
	NT_PRPSINFO = 3,
	NT_AUXV = 6
};

/* sizeof(struct elf_prstatus), which is the only thing that tells in notes of QEMU's kdumps */
#define PRSTATUS_X86_64 336
#define PRSTATUS_AARCH64 392
#define PRSTATUS_ARM 148

/* QEMU target/i386/arch_dump.c: struct QEMUCPUState; all little-endian */
#define QEMU_X86_SIZE 440
#define QEMU_CS 152
#define QEMU_CR3 416
#define QEMU_CR4 424
#define CR4_LA57 (1u << 12)

struct note {
	const char *name; /* "" unless NUL-terminated */
	uint32_t type;
	struct span desc;
};

/* The next note; false at the end, or where the notes make no sense any more. */
static bool note_next(struct cursor *c, struct note *ret)
{
	uint32_t name_n, desc_n;
	struct span name;

	for (;;) {
		if (cursor_left(c) < 12)
			return false;
		name_n = cursor_u32(c);
		desc_n = cursor_u32(c);
		ret->type = cursor_u32(c);
		/* all zeros: room that a CPU which was offline never filled */
		if (name_n || desc_n || ret->type)
			break;
	}
	name = cursor_take(c, name_n);
	cursor_align(c, 4);
	ret->desc = cursor_take(c, desc_n);
	ret->name = name.n && name.p[name.n - 1] == '\0' ? (const char *)name.p : "";
	if (!cursor_ok(c))
		return false;
	if (cursor_left(c) >= 4)
		cursor_align(c, 4);
	else
		cursor_skip(c, cursor_left(c));
	return true;
}

static void guess_arch(struct target *t, const struct note *note)
{
	if (t->arch)
		return;
	if (note->type == NT_PRSTATUS && strcmp(note->name, "CORE") == 0) {
		if (note->desc.n == PRSTATUS_X86_64)
			t->arch = &arch_x86_64;
		else if (note->desc.n == PRSTATUS_AARCH64)
			t->arch = &arch_aarch64;
		else if (note->desc.n == PRSTATUS_ARM)
			t->arch = &arch_arm;
	} else if (strcmp(note->name, "QEMU") == 0 && note->desc.n == QEMU_X86_SIZE) {
		t->arch = &arch_x86_64;
	}
}

static void take_registers(struct target *t, struct span desc)
{
	struct cpu_regs *cpu;
	struct err err;
	bool blank = true;

	if (t->cpus.n >= CPUS_LIMIT)
		return;
	cpu = vec_push(&t->cpus);
	for (size_t i = 0; i < desc.n && blank; i++)
		blank = desc.p[i] == 0;
	if (blank || !t->arch) /* kept in its place: the order is the CPUs' */
		return;
	if (!t->arch->regs_of_prstatus(desc, &cpu->regs, &err)) {
		target_warn(t, err.code, "registers of CPU %zu: %s", t->cpus.n - 1, err.msg);
		return;
	}
	/* pr_pid: behind pr_info, pr_cursig and two sets of signals of a word each */
	cpu->pid = load_le32(desc.p + (t->arch->word == 4 ? 24 : 32));
}

/* The page tables of a CPU that was in the kernel are better than those of one in a program. */
static void take_qemu(struct target *t, struct span desc, uint64_t *user_cr3)
{
	uint64_t cr3;

	if (t->arch != &arch_x86_64 || desc.n < QEMU_X86_SIZE)
		return;
	cr3 = load_le64(desc.p + QEMU_CR3);
	if (cr3 == 0)
		return;
	target_add_fact(t, "cr4", load_le64(desc.p + QEMU_CR4));
	if ((load_le32(desc.p + QEMU_CS) & 3) == 0)
		target_add_fact(t, "cr3", cr3);
	else if (*user_cr3 == 0)
		*user_cr3 = cr3;
}

struct notes_seen notes_read(struct target *t, struct span notes)
{
	struct notes_seen seen = { 0 };
	uint64_t user_cr3 = 0;
	struct note note;
	struct cursor c;
	struct err err;

	cursor_init(&c, notes, "notes", &err);
	for (size_t n = 0; n < NOTES_LIMIT && note_next(&c, &note); n++)
		guess_arch(t, &note);
	cursor_init(&c, notes, "notes", &err);
	while (seen.n < NOTES_LIMIT && note_next(&c, &note)) {
		seen.n++;
		if (strcmp(note.name, "VMCOREINFO") == 0) {
			vmcoreinfo_set(t, note.desc, "note");
			seen.vmcoreinfo = true;
		} else if (strcmp(note.name, "QEMU") == 0) {
			take_qemu(t, note.desc, &user_cr3);
			seen.qemu = true;
		} else if (strcmp(note.name, "CORE") == 0) {
			if (note.type == NT_PRSTATUS)
				take_registers(t, note.desc);
			seen.process |= note.type == NT_AUXV || note.type == NT_PRPSINFO;
		}
	}
	if (user_cr3)
		target_add_fact(t, "cr3", user_cr3);
	if (!cursor_ok(&c))
		target_warn(t, ERR_FORMAT, "the dump's %s", err.msg);
	return seen;
}
