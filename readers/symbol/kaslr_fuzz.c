/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: where a kernel was loaded and where its page tables are, by its vmlinux and memory.
 */
#include <stdlib.h>
#include <string.h>

#include "readers/symbol/kaslr.h"
#include "readers/reader.h"
#include "readers/symbol/vmlinux.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const struct reader reader_vmlinux;

#define RAM UINT64_C(0x40000000)
#define RAM_SIZE 0x10000u

static bool read_ram(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	const uint8_t *mem = self;

	if (pa < RAM || pa - RAM >= RAM_SIZE || n > RAM_SIZE - (pa - RAM))
		return err_set(err, ERR_NOTRAM, "not there");
	memcpy(buf, mem + (pa - RAM), n);
	return true;
}

static void search(struct target *t, uint8_t flags)
{
	struct symbol sym;
	struct err err;
	uint64_t x;

	if (flags & 1) {
		target_add_fact(t, "cr3", RAM + 0x1000);
		target_add_fact(t, "cr4", flags & 2 ? 1 << 12 : 0);
	}
	kaslr_of_vmcoreinfo(t);
	if (!kaslr_search(t, &err))
		return;
	if (!t->kaslr_known)
		abort();
	(void)kaslr_vmcoreinfo(t);
	if (symbol_find(t, "linux_banner", &sym, &err) && !mem_u64(t, sym.addr, &x, &err) &&
	    err.code == ERR_OK)
		abort();
}

/* Byte 0 says what the dump tells of control registers; the length of the vmlinux, 16 bits; the
 * vmlinux; then changes to memory that is zero: where, 16 bits, and eight bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file = { .path = "fuzz", .fd = -1 };
	struct arena scratch = { 0 };
	const uint8_t *at, *end = data + size;
	struct target t;
	uint8_t *mem;
	struct err err;

	if (size < 3 || load_le16(data + 1) > size - 3)
		return 0;
	mem = memset(xrealloc(NULL, RAM_SIZE), 0, RAM_SIZE);
	file.map = SPAN(data + 3, load_le16(data + 1));
	for (at = file.map.p + file.map.n; end - at >= 10; at += 10)
		if (load_le16(at) <= RAM_SIZE - 8)
			memcpy(mem + load_le16(at), at + 2, 8);
	target_init(&t, &scratch);
	t.memory.phys.read = read_ram;
	t.memory.phys.self = mem;
	*vec_push(&t.ram) = (struct ram_region){ .first = RAM, .last = RAM + RAM_SIZE - 1 };
	if (reader_vmlinux.probe(&file) && reader_vmlinux.open(&t, &file, &err)) {
		t.arch = t.vmlinux.arch;
		if (t.arch)
			search(&t, data[0]);
	}
	target_release(&t);
	arena_release(&scratch);
	free(mem);
	return 0;
}
