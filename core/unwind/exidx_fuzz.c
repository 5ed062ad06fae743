/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes 32-bit ARM's unwinding: the input is exception index tables, stacks and registers. */
#include "core/unwind/exidx.h"
#include "core/unwind/unwind_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* flags, entries, and the low 16 bits of pc, sp, fp and lr; then memory from FK_IP on, which is
 * also a tracer's code */
#define HEAD 10
#define CODE 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_start start = { .how = "regs", .cpu = 0 };
	static const unsigned regs[] = { 15, 13, 11, 14 };
	struct fake_stack_kernel *k;
	struct unwind_result r;
	uint64_t base;

	if (size < HEAD)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	fk_init(k, &arch_arm);
	base = fk_base(k);
	if (data[0] & 8)
		k->hooks.stack_of = NULL;
	start.exact = data[0] & 2;
	start.scan = data[0] & 4;
	start.registers = data[0] & 16;
	start.task = base + FK_TASK;
	fk_symbol(k, "one", 0x100, 0x100, 't');
	fk_symbol(k, "return_to_handler", 0x300, 0x80, 't');
	fk_symbol(k, "ftrace_caller", 0x400, CODE, 't');
	fk_symbol(k, "__entry_text_start", 0x3000, 0, 'T');
	fk_symbol(k, "three", 0x3000, 0x100, 't');
	fk_symbol(k, "__entry_text_end", 0x3200, 0, 'T');
	fk_symbol(k, "__start_unwind_idx", FK_IP, 0, 'R');
	fk_symbol(k, "__stop_unwind_idx", FK_IP + 8 * (uint64_t)data[1], 0, 'R');
	memcpy(k->mem + 0x400, data + HEAD, size - HEAD < CODE ? size - HEAD : CODE);
	memcpy(k->mem + FK_IP, data + HEAD,
	       size - HEAD < FK_SIZE - FK_IP ? size - HEAD : FK_SIZE - FK_IP);
	fk_ready(k);
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		regs_set(&start.regs, regs[i], base + load_le16(data + 2 + 2 * i));
	unwind(&k->t, &start, 0, &r);
	if (r.n > FRAMES_MAX || (!r.complete && r.end.code == ERR_OK))
		__builtin_trap(); /* an end always has its reason */
	fk_release(k);
	free(k);
	return 0;
}
