/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the proofs of variables: the input changes words of a kernel where all of them hold. */
#include <stdlib.h>

#include "core/linux/kernel_fake.h"

static struct fake_kernel k;

#include "core/linux/symbol/prove_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define POKE 11 /* bytes: three of an offset, eight of a word */

static void whole_kernel(void)
{
	const uint64_t nets[] = { INIT_NET + 16, HEAP + 16 };

	start();
	percpu_put();
	nets_put(nets, ARRAY_SIZE(nets));
	modules_put(2);
	queues_put();
	calls_put();
	clock_put();
	kset_put();
	proc_put(PROC);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "timer_bases", "__per_cpu_end", "net_namespace_list",
					     "modules",     "runqueues",     "sys_call_table",
					     "tk_core",     "devices_kset",  "proc_root" };
	struct symbol sym, again;
	bool whole = size < POKE;
	struct err err;

	whole_kernel();
	for (; size >= POKE; data += POKE, size -= POKE)
		put64(&k, KERNEL_BASE + load_le(data, 3) % (KERNEL_SIZE - 8), load_le64(data + 3));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		bool ok = symbol_find(&k.t, names[i], &sym, &err);

		if (whole && !ok)
			abort();
		if (ok != symbol_find(&k.t, names[i], &again, &err) ||
		    (ok && again.addr != sym.addr))
			abort(); /* the same question has the same answer */
	}
	kernel_release(&k);
	return 0;
}
