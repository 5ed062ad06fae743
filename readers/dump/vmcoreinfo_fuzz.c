/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: VMCOREINFO's text, and the facts that translation takes from it. */
#include "readers/dump/notes.h"
#include "readers/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All of memory reads as page table entries that lead back to page 0. */
static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)pa;
	(void)err;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)buf)[i] = i % 8 == 0 ? 3 : 0;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const keys[] = { "OSRELEASE",         "PAGESIZE", "SYMBOL(init_top_pgt)",
					    "NUMBER(phys_base)", "",         "KERNELOFFSET" };
	struct target t;
	struct arena scratch = { 0 };
	struct arch_facts facts;
	struct err err;
	const char *s;
	uint64_t u;
	int64_t d;
	size_t n;

	target_init(&t, &scratch);
	t.memory.phys.read = read_phys;
	vmcoreinfo_set(&t, SPAN(data, size), "note");
	t.arch = vmcoreinfo_arch(&t);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (vmcoreinfo_str(&t, keys[i], &s, &n) &&
		    (s < t.vmcoreinfo.text || s + n > t.vmcoreinfo.text + t.vmcoreinfo.n))
			__builtin_trap();
		(void)vmcoreinfo_hex(&t, keys[i], &u);
		(void)vmcoreinfo_num(&t, keys[i], &d);
	}
	facts = target_facts(&t);
	for (uint64_t va = UINT64_C(0xffff000000000000); t.arch && va;
	     va += UINT64_C(0x0000010000201008)) {
		if (va < UINT64_C(0xffff000000000000))
			break;
		(void)t.arch->strip_pac(&facts, va);
		if (!mem_u64(&t, va, &u, &err) && err.code == ERR_OK)
			__builtin_trap();
	}
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
