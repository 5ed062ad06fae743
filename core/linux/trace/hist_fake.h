/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel with the types that hist triggers are made of, and one small table. */
#ifndef OBIT_HIST_FAKE_H
#define OBIT_HIST_FAKE_H

#include "core/linux/trace/hist.h"
#include "core/linux/container/walk_fake.h"

#define HIST_DATA (KERNEL_BASE + 0x1000) /* struct hist_trigger_data */
#define HIST_MAP (KERNEL_BASE + 0x1800)
#define HIST_ARRAY (KERNEL_BASE + 0x1900)
#define HIST_PAGES (KERNEL_BASE + 0x1a00)
#define HIST_SLOTS (KERNEL_BASE + 0x2000)
#define HIST_FIELD(i) (KERNEL_BASE + 0x3000 + 0x100 * (uint64_t)(i))
#define HIST_ELT(i) (KERNEL_BASE + 0x5000 + 0x100 * (uint64_t)(i))
#define HIST_TEXT (KERNEL_BASE + 0x8000)
#define HIST_ELTS 32

static inline void hist_fake_field_types(struct fake_kernel *k)
{
	struct type *var = kernel_struct(k, "hist_var", 24), *s;

	kernel_member(var, "name", &k->ptr, 0);
	kernel_member(var, "idx", &k->u32, 16);
	s = kernel_struct(k, "hist_field", 160);
	kernel_member(s, "field", &k->ptr, 0);
	kernel_member(s, "flags", &k->u64, 8);
	kernel_member(s, "buckets", &k->u64, 16);
	kernel_member(s, "operands", kernel_array(k, &k->ptr, 2), 32);
	kernel_member(s, "size", &k->u32, 60);
	kernel_member(s, "offset", &k->u32, 64);
	kernel_member(s, "is_signed", &k->u32, 68);
	kernel_member(s, "var", var, 72);
	kernel_member(s, "system", &k->ptr, 104);
	kernel_member(s, "event_name", &k->ptr, 112);
	kernel_member(s, "name", &k->ptr, 120);
	kernel_member(s, "constant", &k->u64, 144);
	s = kernel_struct(k, "ftrace_event_field", 48);
	kernel_member(s, "name", &k->ptr, 16);
	kernel_member(s, "size", &k->u32, 36);
	kernel_member(s, "is_signed", &k->u32, 40);
	s = kernel_struct(k, "tracing_map_sort_key", 8);
	kernel_member(s, "field_idx", &k->u32, 0);
	kernel_member(s, "descending", &k->u8, 4);
}

static inline void hist_fake_map_types(struct fake_kernel *k)
{
	struct type *count = kernel_counter_type(k, "atomic64_t", &k->u64), *s;

	s = kernel_struct(k, "tracing_map", 200);
	kernel_member(s, "map_bits", &k->u32, 4);
	kernel_member(s, "map_size", &k->u32, 8);
	kernel_member(s, "map", &k->ptr, 32);
	kernel_member(s, "hits", count, 184);
	kernel_member(s, "drops", count, 192);
	s = kernel_struct(k, "tracing_map_array", 32);
	kernel_member(s, "entry_size_shift", &k->u32, 4);
	kernel_member(s, "entry_shift", &k->u32, 8);
	kernel_member(s, "entry_mask", &k->u32, 12);
	kernel_member(s, "n_pages", &k->u32, 16);
	kernel_member(s, "pages", &k->ptr, 24);
	s = kernel_struct(k, "tracing_map_entry", 16);
	/* not where kernels have it so far: nothing promises that it comes first */
	kernel_member(s, "key", &k->u32, 4);
	kernel_member(s, "val", &k->ptr, 8);
	s = kernel_struct(k, "tracing_map_elt", 48);
	kernel_member(s, "fields", &k->ptr, 8);
	kernel_member(s, "vars", &k->ptr, 16);
	kernel_member(s, "key", &k->ptr, 32);
	kernel_member(s, "private_data", &k->ptr, 40);
	s = kernel_struct(k, "tracing_map_field", 16);
	kernel_member(s, "sum", &k->u64, 8);
	s = kernel_struct(k, "hist_elt_data", 32);
	kernel_member(s, "comm", &k->ptr, 0);
}

static inline void hist_fake_types(struct fake_kernel *k)
{
	struct type *s;

	kernel_init(k);
	hist_fake_field_types(k);
	hist_fake_map_types(k);
	s = kernel_struct(k, "hist_trigger_data", 0x700);
	kernel_member(s, "fields", kernel_array(k, &k->ptr, 22), 0);
	kernel_member(s, "n_vals", &k->u32, 176);
	kernel_member(s, "n_keys", &k->u32, 180);
	kernel_member(s, "key_size", &k->u32, 196);
	kernel_member(s, "sort_keys", kernel_array(k, &k->u64, 2), 200);
	kernel_member(s, "n_sort_keys", &k->u32, 216);
	kernel_member(s, "attrs", &k->ptr, 232);
	kernel_member(s, "map", &k->ptr, 240);
	kernel_member(s, "enable_timestamps", &k->u8, 248);
	kernel_member(s, "actions", kernel_array(k, &k->ptr, 8), 392);
	kernel_member(s, "n_actions", &k->u32, 456);
	kernel_member(s, "save_vars", kernel_array(k, &k->ptr, 64), 1504);
	kernel_member(s, "n_save_vars", &k->u32, 2016);
	s = kernel_struct(k, "action_data", 256);
	kernel_member(s, "handler", &k->u32, 0);
	kernel_member(s, "action", &k->u32, 4);
	kernel_member(s, "action_name", &k->ptr, 8);
	kernel_member(s, "n_params", &k->u32, 24);
	kernel_member(s, "params", kernel_array(k, &k->ptr, 8), 32);
	s = kernel_struct(k, "field_var", 16);
	kernel_member(s, "var", &k->ptr, 0);
	kernel_member(s, "val", &k->ptr, 8);
}

/* Two values, the hit count and "bytes"; one key "pid", signed, of four bytes. */
static inline void hist_fake_table(struct fake_kernel *k)
{
	put32(k, HIST_DATA + 176, 2);
	put32(k, HIST_DATA + 180, 1);
	put32(k, HIST_DATA + 196, 8);
	put32(k, HIST_DATA + 200, 1); /* sort by bytes */
	put8(k, HIST_DATA + 204, 1);  /* descending */
	put32(k, HIST_DATA + 208, 2); /* then by pid */
	put32(k, HIST_DATA + 216, 2);
	put64(k, HIST_DATA + 240, HIST_MAP);
	for (unsigned i = 0; i < 3; i++)
		put64(k, HIST_DATA + 8 * i, HIST_FIELD(i));
	put64(k, HIST_FIELD(0) + 8, 1);
	for (unsigned i = 1; i < 3; i++) {
		put64(k, HIST_FIELD(i), HIST_FIELD(4 + i));
		put64(k, HIST_FIELD(4 + i) + 16, HIST_TEXT + 16 * i);
		put32(k, HIST_FIELD(4 + i) + 36, i == 1 ? 8 : 4);
		put32(k, HIST_FIELD(4 + i) + 40, i == 2);
	}
	put32(k, HIST_FIELD(2) + 60, 8);
	put_str(k, HIST_TEXT + 16, "bytes");
	put_str(k, HIST_TEXT + 32, "pid");
	put32(k, HIST_MAP + 4, 3);
	put32(k, HIST_MAP + 8, 16);
	put64(k, HIST_MAP + 32, HIST_ARRAY);
	put64(k, HIST_MAP + 184, 100);
	put64(k, HIST_MAP + 192, 7);
	put32(k, HIST_ARRAY + 4, 4);
	put32(k, HIST_ARRAY + 8, 8);
	put32(k, HIST_ARRAY + 12, 255);
	put32(k, HIST_ARRAY + 16, 1);
	put64(k, HIST_ARRAY + 24, HIST_PAGES);
	put64(k, HIST_PAGES, HIST_SLOTS);
}

static inline void hist_fake_entry(struct fake_kernel *k, unsigned slot, int32_t pid, uint64_t hits,
				   uint64_t bytes)
{
	uint64_t elt = HIST_ELT(slot);

	put32(k, HIST_SLOTS + 16 * slot + 4, slot + 1);
	put64(k, HIST_SLOTS + 16 * slot + 8, elt);
	put64(k, elt + 8, elt + 0x40);
	put64(k, elt + 32, elt + 0x80);
	put64(k, elt + 0x40 + 8, hits);
	put64(k, elt + 0x50 + 8, bytes);
	put64(k, elt + 0x80, (uint64_t)(int64_t)pid);
}

#endif
