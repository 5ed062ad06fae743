/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations and frees: what stays unfreed, and whose stack it has. */
#include "core/base/test.h"
#include "core/trace/pair.h"

static const struct trace_field alloc_fields[] = {
	{ .name = "call_site", .type = "unsigned long", .offset = 8, .size = 8 },
	{ .name = "ptr", .type = "const void *", .offset = 16, .size = 8 },
	{ .name = "bytes_alloc", .type = "size_t", .offset = 24, .size = 8 },
};
static const struct trace_field free_fields[] = {
	{ .name = "ptr", .type = "const void *", .offset = 8, .size = 8 },
};
static const struct trace_field stack_fields[] = {
	{ .name = "size", .type = "int", .offset = 8, .size = 4 },
	{ .name = "caller", .type = "unsigned long", .offset = 16, .size = 24, .is_array = true },
};
static const struct trace_format formats[] = {
	{ 1, "kmem", "kmalloc", alloc_fields, 3, NULL, NULL },
	{ 2, "kmem", "kfree", free_fields, 1, NULL, NULL },
	{ 3, "ftrace", "kernel_stack", stack_fields, 2, NULL, NULL },
};
static const struct recording_ops no_ops;
static const struct recording rec = { .word_size = 8, .ops = &no_ops };
static const struct trace_buffer buffer = { .recording = &rec, .ns = true };

/* One event of kind 0, 1 or 2 whose fields are words behind the common ones. */
static void show(struct pairs *p, unsigned kind, uint64_t ts, int cpu, const uint64_t *words,
		 size_t n)
{
	uint8_t bytes[64] = { 0 };
	struct trace_event ev = { .ts = ts,
				  .cpu = cpu,
				  .pid = 7,
				  .buffer = &buffer,
				  .format = &formats[kind],
				  .name = formats[kind].name,
				  .system = formats[kind].system,
				  .data = SPAN(bytes, 8 + 8 * n) };

	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < 8; b++)
			bytes[8 + 8 * i + b] = (uint8_t)(words[i] >> 8 * b);
	pairs_event(p, &ev);
}

/* Two CPUs allocate at the same time; CPU 1's stack comes behind CPU 0's event, and is not its.
 * What is freed and allocated anew is open again; a stack behind a free is nobody's. */
TEST(what_is_not_freed_has_its_stack)
{
	const struct pair_spec *spec = pair_spec_find("alloc");
	const struct pair_open *a = NULL, *b = NULL;
	struct arena arena = { 0 };
	struct pairs p;
	size_t open = 0;

	REQUIRE(spec && spec->allocates);
	pairs_init(&p, spec, 10, &arena);
	show(&p, 0, 100, 0, (uint64_t[]){ 0x1000, 0xa0, 64 }, 3);
	show(&p, 0, 101, 1, (uint64_t[]){ 0x2000, 0xb0, 32 }, 3);
	show(&p, 2, 102, 1, (uint64_t[]){ 3, 0x2001, 0x2002, 0x2003 }, 4);
	show(&p, 2, 103, 0, (uint64_t[]){ 2, 0x1001, 0x1002, UINT64_MAX }, 4);
	show(&p, 1, 104, 0, (uint64_t[]){ 0xa0 }, 1);
	show(&p, 2, 105, 0, (uint64_t[]){ 1, 0x9999 }, 2);
	show(&p, 0, 106, 0, (uint64_t[]){ 0x3000, 0xa0, 16 }, 3);
	show(&p, 0, 107, 1, (uint64_t[]){ 0x2000, 0xc0, 8 }, 3);
	show(&p, 1, 109, 0, (uint64_t[]){ 0xc0 }, 1);
	pairs_finish(&p);
	CHECK_U64(p.all.n, 2);
	CHECK_U64((uint64_t)p.all.sum, 4 + 2);
	for (size_t i = 0; i < p.open.n; i++) {
		const struct pair_open *o = &p.open.p[i];

		open += o->is_open;
		if (o->is_open && o->since == 101)
			b = o;
		if (o->is_open && o->since == 106)
			a = o;
	}
	CHECK_U64(open, 2);
	REQUIRE(a && b);
	CHECK_U64(a->size, 16);
	CHECK_U64(a->n_stack, 0);
	CHECK_U64(b->size, 32);
	REQUIRE(b->n_stack == 3);
	for (unsigned i = 0; i < 3; i++)
		CHECK_U64(b->stack[i], 0x2001 + i);
	CHECK_U64(p.unbegun, 0);
	pairs_release(&p);
	arena_release(&arena);
}

TEST_MAIN
