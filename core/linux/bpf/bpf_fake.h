/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel with the types that BPF maps are made of, and a small hash. */
#ifndef OBIT_BPF_FAKE_H
#define OBIT_BPF_FAKE_H

#include "core/linux/bpf/bpf.h"
#include "core/linux/container/walk_fake.h"

#define BPF_MAP (KERNEL_BASE + 0x1000)
#define BPF_BUCKETS (KERNEL_BASE + 0x1400)
#define BPF_ELEM(i) (KERNEL_BASE + 0x2000 + 0x40 * (uint64_t)(i))

static inline void bpf_fake_types(struct fake_kernel *k)
{
	struct type *s;

	kernel_init(k);
	s = kernel_struct(k, "bpf_htab", 64);
	kernel_member(s, "buckets", &k->ptr, 0);
	kernel_member(s, "n_buckets", &k->u32, 8);
	s = kernel_struct(k, "bucket", 16);
	kernel_member(s, "head", &k->ptr, 0);
	s = kernel_struct(k, "htab_elem", 24);
	kernel_member(s, "hash_node", &k->ptr, 0);
	kernel_member(s, "key", kernel_array(k, &k->u8, 0), 24);
	s = kernel_struct(k, "bpf_array", 64);
	kernel_member(s, "elem_size", &k->u32, 0);
	kernel_member(s, "value", kernel_array(k, &k->u8, 0), 16);
	kernel_member(s, "pptrs", kernel_array(k, &k->ptr, 0), 16);
	s = kernel_struct(k, "bpf_stack_map", 64);
	kernel_member(s, "n_buckets", &k->u32, 0);
	kernel_member(s, "buckets", kernel_array(k, &k->ptr, 0), 16);
	s = kernel_struct(k, "stack_map_bucket", 16);
	kernel_member(s, "nr", &k->u32, 0);
	kernel_member(s, "data", kernel_array(k, &k->u64, 0), 8);
}

static inline struct bpf_map bpf_fake_map(const char *type)
{
	return (struct bpf_map){ .addr = BPF_MAP,
				 .id = 1,
				 .name = "fake",
				 .type = type,
				 .key_size = 4,
				 .value_size = 8,
				 .max_entries = 4 };
}

/* Two buckets: one of elements 0 and 1, the other of 2; values are one more. */
static inline void bpf_fake_hash(struct fake_kernel *k)
{
	put64(k, BPF_MAP, BPF_BUCKETS);
	put32(k, BPF_MAP + 8, 2);
	put64(k, BPF_BUCKETS, BPF_ELEM(0));
	put64(k, BPF_ELEM(0), BPF_ELEM(1));
	put64(k, BPF_ELEM(1), 1);
	put64(k, BPF_BUCKETS + 16, BPF_ELEM(2));
	put64(k, BPF_ELEM(2), 3);
	for (unsigned i = 0; i < 3; i++) {
		put32(k, BPF_ELEM(i) + 24, i);
		put64(k, BPF_ELEM(i) + 32, i + 1);
	}
}

#endif
