/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: types that come with a BPF map, and its contents. */
#include "core/base/buf.h"
#include "core/linux/bpf/bpf_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool sum(const struct bpf_element *e, void *arg)
{
	unsigned *n = arg;

	*n += e->value ? e->value[0] + e->key[0] : (unsigned)e->n_stack;
	return true;
}

static void ignore(const struct err *e, void *arg)
{
	(void)e;
	(void)arg;
}

/* Byte 0: 0 to 4 a kind of map, of which the rest are changes, each six bytes a place and what is
 * there; else the number of the type to make of the blob that follows. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kinds[] = { "hash", "percpu_hash", "array", "percpu_array",
					     "stack_trace" };
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	const struct type *type;
	unsigned n = 0;
	struct err err;

	bpf_fake_types(k);
	if (size && data[0] < 5) {
		struct bpf_map m = bpf_fake_map(kinds[data[0]]);

		bpf_fake_hash(k);
		for (data++, size--; size >= 6; data += 6, size -= 6)
			memcpy(&k->mem[0x1000 + ((data[0] | data[1] << 8) & 0x1fff)], data + 2, 4);
		(void)!bpf_elements_each(&k->t, &m, sum, ignore, &n, &err);
	} else if (size && bpf_type_parse(&k->t, (struct span){ data + 1, size - 1 }, data[0] - 4u,
					  &type, &err)) {
		struct buf b = { 0 };

		type_declare(&b, type, "x");
		buf_release(&b);
	}
	kernel_release(k);
	free(k);
	return 0;
}
