/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes LoongArch's unwinding: the input is registers, code of functions, and stacks. */
#include "core/unwind/unwind_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* flags, and the low 16 bits of pc, sp, ra, t0 and fp; then 16 functions of CODE bytes, and what
 * lies on the task's stack */
#define HEAD 11
#define CODE 64
#define FUNCTIONS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[FUNCTIONS] = { "one",
						      "two",
						      "do_syscall",
						      "handle_syscall",
						      "do_vint",
						      "ftrace_common",
						      "ftrace_caller",
						      "return_to_handler",
						      "kernel_entry",
						      "start_kernel",
						      "ret_from_fork_asm",
						      "ret_from_kernel_thread",
						      "three",
						      "four",
						      "five",
						      "six" };
	static const unsigned regs[] = { 33, 3, 1, 12, 22 };
	struct unwind_start start = { .how = "regs", .cpu = 0 };
	struct fake_stack_kernel *k;
	struct unwind_result r;
	size_t code;

	if (size < HEAD)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	fk_init(k, &arch_loongarch64);
	if (data[0] & 8)
		k->hooks.stack_of = NULL;
	start.exact = data[0] & 2;
	start.scan = data[0] & 4;
	start.registers = data[0] & 16;
	start.pc_doubt = data[0] & 32;
	start.task = FK_BASE + FK_TASK;
	for (unsigned i = 0; i < FUNCTIONS; i++)
		fk_symbol(k, names[i], (uint64_t)i * CODE, CODE, 't');
	code = size - HEAD < FUNCTIONS * CODE ? size - HEAD : FUNCTIONS * CODE;
	memcpy(k->mem, data + HEAD, code);
	size -= HEAD + code;
	memcpy(k->mem + FK_STACK, data + HEAD + code, size < 0x8000 ? size : 0x8000);
	fk_ready(k);
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		regs_set(&start.regs, regs[i], FK_BASE + load_le16(data + 1 + 2 * i));
	unwind(&k->t, &start, 0, &r);
	if (r.n > FRAMES_MAX || (!r.complete && r.end.code == ERR_OK))
		__builtin_trap(); /* an end always has its reason */
	fk_release(k);
	free(k);
	return 0;
}
