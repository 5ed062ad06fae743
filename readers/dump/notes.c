/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ELF notes of a dump: one set of registers a CPU, VMCOREINFO, QEMU's own. */
#include <string.h>

#include "readers/dump/notes.h"

#define CPUS_LIMIT 65536u

enum {
	NT_PRSTATUS = 1,
	NT_PRPSINFO = 3,
	NT_AUXV = 6,
	NT_VMCOREDD = 0x700 /* include/uapi/linux/elf.h */
};

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

/* By the sizes of notes and their order of bytes, which is all that tells in those of QEMU's
 * kdumps: x86-64 and s390x have notes of one size. */
static void guess_arch(struct target *t, const struct note *note, bool big)
{
	bool core = note->type == NT_PRSTATUS && !strcmp(note->name, "CORE");
	bool qemu = !strcmp(note->name, "QEMU");

	for (size_t i = 0; !t->arch && archs[i]; i++)
		if (archs[i]->big == big &&
		    ((core && note->desc.n == archs[i]->prstatus_size) ||
		     (qemu && archs[i]->qemu_note && note->desc.n == archs[i]->qemu_note_size)))
			t->arch = archs[i];
}

static void take_registers(struct target *t, struct span desc, bool big)
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
	if (!t->arch->regs_of_prstatus(desc, big, &cpu->regs, &err)) {
		target_warn(t, err.code, "registers of CPU %zu: %s", t->cpus.n - 1, err.msg);
		return;
	}
	/* pr_pid: behind pr_info, pr_cursig and two sets of signals of a word each */
	desc.p += t->arch->word == 4 ? 24 : 32;
	cpu->pid = (uint32_t)(big ? load_be(desc.p, 4) : load_le(desc.p, 4));
}

static void notes_found(void *self, const char *name, uint64_t value)
{
	target_add_fact(self, name, value);
}

static void take_qemu(struct target *t, struct span desc)
{
	if (t->arch && t->arch->qemu_note && desc.n >= t->arch->qemu_note_size)
		t->arch->qemu_note(desc, notes_found, t);
}

/* The name has VMCOREDD_MAX_NAME_BYTES, include/uapi/linux/vmcore.h; behind it are the data. */
#define DEVICE_NAME 44u
#define DEVICES_MAX 1024u

static void take_device(struct target *t, struct span desc)
{
	struct device_dump d;

	if (desc.n < DEVICE_NAME || t->dump.devices.n >= DEVICES_MAX)
		return;
	d.name = arena_strndup(&t->arena, (const char *)desc.p,
			       strnlen((const char *)desc.p, DEVICE_NAME));
	d.data = SPAN(desc.p + DEVICE_NAME, desc.n - DEVICE_NAME);
	*vec_push(&t->dump.devices) = d;
}

struct notes_seen notes_read(struct target *t, struct span notes, bool big)
{
	struct notes_seen seen = { 0 };
	struct note note;
	struct cursor c;
	struct err err;

	cursor_init(&c, notes, "notes", &err);
	c.big = big;
	for (size_t n = 0; n < NOTES_LIMIT && note_next(&c, &note); n++)
		guess_arch(t, &note, big);
	cursor_init(&c, notes, "notes", &err);
	c.big = big;
	while (seen.n < NOTES_LIMIT && note_next(&c, &note)) {
		seen.n++;
		if (strcmp(note.name, "VMCOREINFO") == 0) {
			vmcoreinfo_set(t, note.desc, "note");
			seen.vmcoreinfo = true;
		} else if (strcmp(note.name, "QEMU") == 0) {
			take_qemu(t, note.desc);
			seen.qemu = true;
		} else if (strcmp(note.name, "LINUX") == 0 && note.type == NT_VMCOREDD) {
			take_device(t, note.desc);
		} else if (strcmp(note.name, "CORE") == 0) {
			if (note.type == NT_PRSTATUS)
				take_registers(t, note.desc, big);
			seen.process |= note.type == NT_AUXV || note.type == NT_PRPSINFO;
		}
	}
	if (!cursor_ok(&c))
		target_warn(t, ERR_FORMAT, "the dump's %s", err.msg);
	return seen;
}
