/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: an ELF file's debug info, and all that is asked of it: types, variables, lines,
 * inlined functions, callers' registers, arguments and locals, tail calls. */
#include <stdlib.h>
#include <string.h>

#include "core/arch/flat_fake.h"
#include "core/types/frame_info.h"
#include "readers/symbol/btf_walk.h"
#include "readers/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const struct reader reader_dwarf;

/* Where the seeds' code is linked to. */
#define TEXT UINT64_C(0x401000)
#define TEXT_SIZE 0x180u

static bool any_va(uint64_t va)
{
	return va >= 4096;
}

/* Memory is the file again: code where code is, and anything elsewhere. */
static bool read_file(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	const struct span *s = self;

	(void)err;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)buf)[i] = s->p[(pa + i) % s->n];
	return true;
}

static bool section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	*ret = *(struct span *)self;
	*addr = 0;
	return strcmp(name, ".debug_info") == 0;
}

/* How much text there was, so that all of it was read. */
static size_t ask(struct target *t, uint64_t pc)
{
	struct frame_at caller = { .pc = TEXT + pc % TEXT_SIZE };
	struct frame_at f = { .pc = pc, .exact = pc & 1, .caller = &caller };
	struct tail_call tails[TAIL_CALLS_MAX];
	const struct variable *v;
	const struct line *line;
	struct regs regs = { 0 };
	size_t sum = 0;
	struct err err;
	uint64_t cfa = 0;
	size_t n;

	for (unsigned r = 0; r < 16; r++)
		regs_set(&f.regs, r, 0x7000 + 0x40 * r);
	if (line_find(t, pc, &line, &n, &err))
		for (size_t i = 0; i < n; i++)
			sum += line[i].func ? strlen(line[i].func) : 0;
	sum += frame_caller(t, &f, &regs, &cfa, &err);
	if (frame_variables(t, &f, t->scratch, &v, &n, &err))
		for (size_t i = 0; i < n; i++)
			sum += v[i].name ? strlen(v[i].name) : 0;
	sum += frame_tail_calls(t, &f, tails, &n, &err);
	arena_reset(t->scratch);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file = { .path = "fuzz", .fd = -1 };
	struct arena scratch = { 0 };
	const struct type *type;
	struct target t;
	struct arch arch = arch_x86_64;
	uint8_t *copy;
	size_t sum = 0;
	struct err err;

	if (size < 64 || size > 64 << 10)
		return 0;
	copy = memcpy(xrealloc(NULL, size), data, size); /* libelf may write to it */
	file.map = SPAN(copy, size);
	target_init(&t, &scratch);
	arch.is_kernel_va = any_va;
	arch.mmu_init = flat_mmu_init;
	arch.walk = flat_walk;
	t.arch = &arch;
	t.memory.phys.read = read_file;
	t.memory.phys.self = &file.map;
	t.vmlinux.file = &file;
	t.vmlinux.self = &file.map;
	t.vmlinux.section = section;
	t.kaslr_known = true;
	if (reader_dwarf.attach(&t, &err)) {
		walk_all(&t, 1000);
		if (type_find(&t, "struct thing", &type, &err))
			(void)type_strip(type);
		for (uint64_t pc = TEXT; pc < TEXT + TEXT_SIZE; pc += 7)
			sum += ask(&t, pc);
	}
	target_release(&t);
	arena_release(&scratch);
	free(copy);
	return sum > SIZE_MAX / 2;
}
