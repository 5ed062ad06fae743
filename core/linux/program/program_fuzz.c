/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what reads a program: hostile page tables, stacks, signal frames, files of a sysroot with
 * their frame tables, and the structs of which a core file is made. */
#include <stdlib.h>

#include "core/linux/program/program_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define AREA_MAX ((uint64_t)16 << 20)

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* A guess is no fact, and where there is none no more frames are told of. */
static void check_stack(const struct program_stack *s, size_t max)
{
	if (!s->n || s->n > max)
		abort();
	for (size_t i = 0; i < s->n; i++) {
		const struct program_frame *f = &s->frames[i];

		if (!f->how || (f->sure && (!strcmp(f->how, "scan") || !strcmp(f->how, "lr"))))
			abort();
	}
}

static void fuzz_areas(struct program_fake *f, const uint8_t *at)
{
	for (size_t i = 0; i < f->p.areas.n; i++, at += 4) {
		struct vma *v = &f->p.areas.p[i];

		v->start += (uint64_t)at[0] << 4;
		v->end = v->start + 1 + ((uint64_t)load_le16(at + 1) << 8) % AREA_MAX;
		if (i && v->start < v[-1].end)
			v[-1].end = v->start;
		v->offset ^= (uint64_t)at[3] << 8;
	}
}

/*
 * Byte 0: bit 0 another architecture, bit 1 areas that are moved, by 12 bytes then; bits 2 to 7
 * absent pages. Then 11 bytes each: what is written to (the program's memory and the kernel's, the
 * file, page tables), where in 2 bytes, and 8 of value.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program_fake *f;
	struct program_regs regs;
	struct program_stack s;
	struct core_stats stats;
	struct err err;
	size_t at = 1;

	if (size < 13)
		return 0;
	f = xrealloc(NULL, sizeof(*f));
	program_fake_init(f);
	if (data[0] & 2) {
		fuzz_areas(f, data + 1);
		at += 12;
	}
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = at; i + 11 <= size; i += 11) {
			size_t place = load_le16(data + i + 1);

			if (data[i] % 4 == 3 && !pass)
				memcpy(f->file + place % (sizeof(f->file) - 8), data + i + 3, 8);
			else if (data[i] % 4 == 2 && !pass)
				f->pages[place % sizeof(f->pages)] = data[i + 3];
			else if (data[i] % 4 < 2 && pass) /* after the file's code is there */
				memcpy(f->k.mem + place * 4u % (KERNEL_SIZE - 8), data + i + 3, 8);
		}
		if (!pass && !program_fake_root(f))
			abort();
	}
	f->k.holes = (uint64_t)(data[0] >> 2) << (PF_CODE >> 12);
	if (data[0] & 1)
		f->k.arch.elf_machine = EM_AARCH64;
	if (!program_regs(&f->k.t, &f->task, &regs, &err)) {
		if (!*err.msg)
			abort();
		regs.regs = (struct regs){ .have = 0 };
		regs_set(&regs.regs, f->k.arch.pc, PF_CODE + 0x20);
		regs_set(&regs.regs, f->k.arch.sp, PF_STACK + 0x10);
	}
	program_unwind(&f->p, &regs.regs, data[0] & 4 ? 3 : 0, &s);
	check_stack(&s, data[0] & 4 ? 3 : PROGRAM_FRAMES_MAX);
	if (core_file_write(&f->p, "/dev/null", &stats, flaw, NULL, &err)) {
		if (stats.size < stats.bytes)
			abort();
	} else if (!*err.msg) {
		abort();
	}
	program_fake_release(f);
	free(f);
	return 0;
}
