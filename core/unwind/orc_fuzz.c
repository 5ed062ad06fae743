/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the unwinder: the input is text, ORC tables, stacks and the registers to start from. */
#include "core/unwind/unwind_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* flags, entries, and the low 16 bits of pc, sp and fp; then memory from FK_IP on */
#define HEAD 8

static void start_regs(const struct fake_stack_kernel *k, const uint8_t *head, struct regs *regs)
{
	regs_set(regs, k->arch.pc, FK_BASE + load_le16(head + 2));
	regs_set(regs, k->arch.sp, FK_BASE + load_le16(head + 4));
	regs_set(regs, k->arch.fp, FK_BASE + load_le16(head + 6));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_start start = { .how = "regs", .cpu = 0, .task = FK_BASE + FK_TASK };
	struct fake_stack_kernel *k;
	struct unwind_result r;

	if (size < HEAD)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	fk_init(k, data[0] & 1 ? &arch_aarch64 : &arch_x86_64);
	if (data[0] & 8)
		k->hooks.stack_of = NULL;
	if (data[0] & 16)
		k->hooks.fgraph_ret = NULL;
	start.exact = data[0] & 2;
	start.scan = data[0] & 4;
	fk_symbol(k, "one", 0x100, 0x100, 't');
	fk_symbol(k, "two", 0x200, 0x100, 't');
	fk_symbol(k, "return_to_handler", 0x300, 0x80, 't');
	fk_symbol(k, "__entry_text_start", 0x3000, 0, 'T');
	fk_symbol(k, "three", 0x3000, 0x100, 't');
	fk_symbol(k, "__entry_text_end", 0x3200, 0, 'T');
	for (unsigned i = 0; i < 4; i++) {
		k->shadow[i][0] = FK_BASE + FK_STACK + 0x100 * (i + 1);
		k->shadow[i][1] = FK_BASE + 0x120 + 0x80 * (uint64_t)i;
	}
	k->n_orc = data[1];
	memcpy(k->mem + FK_IP, data + HEAD,
	       size - HEAD < FK_SIZE - FK_IP ? size - HEAD : FK_SIZE - FK_IP);
	fk_ready(k);
	start_regs(k, data, &start.regs);
	unwind(&k->t, &start, 0, &r);
	if (r.n > FRAMES_MAX || (!r.complete && r.end.code == ERR_OK))
		__builtin_trap();        /* an end always has its reason */
	for (size_t i = 1; i < r.n; i++) /* no guess that nobody asked for but between calls */
		if (!start.scan && !r.frames[i].sure && r.frames[i - 1].sure &&
		    strcmp(r.frames[i].how, "call") != 0 && strcmp(r.frames[i].how, "fgraph") != 0)
			__builtin_trap();
	fk_release(k);
	free(k);
	return 0;
}
