/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of exception index instructions and tables, by the examples and tables of Arm IHI 0038. */
#include "core/base/test.h"
#include "core/unwind/exidx.h"
#include "core/unwind/unwind_fake.h"

/* A stack of words from 0x1000 on: the word at address a is a. */
static bool read(void *self, uint64_t va, uint32_t *ret, struct err *err)
{
	(void)self;
	if (va < 0x1000 || va >= 0x2000 || va & 3)
		return err_set_addr(err, ERR_EXCLUDED, va, "hole");
	*ret = (uint32_t)va;
	return true;
}

static struct exidx_frame frame(void)
{
	struct exidx_frame f = { .known = 1u << 11 | 1u << 13 | 1u << 14 | 1u << 15 };

	f.r[11] = 0x1100;
	f.r[13] = 0x1000;
	f.r[14] = 0xc0100000;
	f.r[15] = 0xc0200000;
	return f;
}

static bool run(const void *code, size_t n, struct exidx_frame *f, struct err *err)
{
	*f = frame();
	return exidx_run(SPAN(code, n), f, read, NULL, err);
}

TEST(pops)
{
	struct exidx_frame f;
	struct err err;

	/* add sp, #44; pop {r4-r11, lr}: start_kernel() of a Debian kernel */
	REQUIRE_OK(run("\x0a\xaf\xb0", 3, &f, &err), err);
	CHECK_U64(f.r[4], 0x102c);
	CHECK_U64(f.r[11], 0x102c + 28);
	CHECK_U64(f.r[15], 0x102c + 32);
	CHECK_U64(f.slot, 0x102c + 32);
	CHECK_U64(f.r[13], 0x102c + 36);
	CHECK(!f.moved);
	/* mov sp, fp; pop {fp, lr}: call_with_stack() */
	REQUIRE_OK(run("\x9b\x84\x80", 3, &f, &err), err);
	CHECK_U64(f.r[11], 0x1100);
	CHECK_U64(f.r[15], 0x1104);
	CHECK_U64(f.r[13], 0x1108);
	CHECK(f.moved);
	/* pop {r0-r3}; pop {r4-r15}: the entry of an exception; sp is the one that was saved */
	REQUIRE_OK(run("\xb1\x0f\x8f\xff\xb0", 5, &f, &err), err);
	CHECK_U64(f.popped, 0xffff);
	CHECK_U64(f.r[0], 0x1000);
	CHECK_U64(f.r[12], 0x1030);
	CHECK_U64(f.r[13], 0x1034);
	CHECK_U64(f.r[15], 0x103c);
	CHECK(f.moved);
	/* r4 alone, by both ways to say so; lr has the return address */
	REQUIRE_OK(run("\xa0\xb0", 2, &f, &err), err);
	CHECK_U64(f.popped, 1 << 4);
	CHECK_U64(f.r[13], 0x1004);
	CHECK_U64(f.r[15], 0xc0100000);
	CHECK_U64(f.known >> 15 & 1, 1);
	REQUIRE_OK(run("\x80\x01\xb0", 3, &f, &err), err);
	CHECK_U64(f.popped, 1 << 4);
	/* r4 to r11, and lr with them; r3 by its mask */
	REQUIRE_OK(run("\xa7\xb0", 2, &f, &err), err);
	CHECK_U64(f.popped, 0xff0);
	REQUIRE_OK(run("\xa9\xb0", 2, &f, &err), err);
	CHECK_U64(f.popped, 0x4030);
	REQUIRE_OK(run("\xb1\x08\xb0", 3, &f, &err), err);
	CHECK_U64(f.popped, 1 << 3);
	/* pc and lr both: pc is the return address */
	REQUIRE_OK(run("\x8c\x00\xb0", 3, &f, &err), err);
	CHECK_U64(f.r[15], 0x1004);
	CHECK_U64(f.slot, 0x1004);
}

TEST(stack_pointer)
{
	static const struct {
		const char *code;
		size_t n;
		uint32_t sp;
	} cases[] = {
		{ "\xb0", 1, 0x1000 },
		{ "\x3f\xb0", 2, 0x1100 },
		{ "\x40\xb0", 2, 0xffc },
		{ "\xb2\x00\xb0", 3, 0x1204 },
		{ "\xb2\x80\x01\xb0", 4, 0x1404 },
		{ "\xb3\x01\xb0", 3, 0x1014 },
		{ "\xba\xb0", 2, 0x101c },
		{ "\xc1\xb0", 2, 0x1010 },
		{ "\xc6\x02\xb0", 3, 0x1018 },
		{ "\xc7\x05\xb0", 3, 0x1008 },
		{ "\xc8\x00\xb0", 3, 0x1008 },
		{ "\xc9\x13\xb0", 3, 0x1020 },
		{ "\xd7\xb0", 2, 0x1040 },
		/* the first and the last of each kind, and numbers of two bytes */
		{ "\x00\xb0", 2, 0x1004 },
		{ "\x3f\x7f\xb0", 3, 0x1000 },
		{ "\x3f\x42\xb0", 3, 0x10f4 },
		{ "\xb2\x81\x01\xb0", 4, 0x1408 },
		{ "\xb2\x7f\xb0", 3, 0x1400 },
		{ "\xb3\x2f\xb0", 3, 0x1084 },
		{ "\xb8\xb0", 2, 0x100c },
		{ "\xbf\xb0", 2, 0x1044 },
		{ "\xc0\xb0", 2, 0x1008 },
		{ "\xc5\xb0", 2, 0x1030 },
		{ "\xc6\x30\xb0", 3, 0x1008 },
		{ "\xc7\x0f\xb0", 3, 0x1010 },
		{ "\xd0\xb0", 2, 0x1008 },
		{ "", 0, 0x1000 },
	};
	struct exidx_frame f;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		REQUIRE_OK(run(cases[i].code, cases[i].n, &f, &err), err);
		CHECK_U64(f.r[13], cases[i].sp);
		CHECK_U64(f.r[15], 0xc0100000); /* nothing was popped: lr has it */
		CHECK_U64(f.slot, 0);
	}
}

TEST(refusals)
{
	/* refuse to unwind, and what the document calls spare or reserved */
	static const char *const spare[] = { "\x9d", "\x9f", "\xb1\x00", "\xb1\x10", "\xb4",
					     "\xb7", "\xca", "\xcf",     "\xd8",     "\xff" };
	uint8_t endless[EXIDX_CODE_MAX * 8];
	struct exidx_frame f;
	struct err err;

	CHECK(!run("\x80\x00", 2, &f, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	for (size_t i = 0; i < ARRAY_SIZE(spare); i++) {
		CHECK(!run(spare[i], 2, &f, &err));
		CHECK_ERR(err, ERR_CORRUPT);
	}
	CHECK(!run("\x94", 1, &f, &err)); /* r4 is not known */
	CHECK_ERR(err, ERR_NEED);
	CHECK(!run("\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\xa8", 17, &f,
		   &err)); /* beyond the stack */
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(!run("\xb2\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11, &f, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	memset(endless, 0, sizeof(endless));
	CHECK(!run(endless, sizeof(endless), &f, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	f = frame();
	f.known = 1u << 13;
	CHECK(!exidx_run(SPAN("\xb0", 1), &f, read, NULL, &err)); /* not even lr */
	CHECK_ERR(err, ERR_CORRUPT);
}

/* A table in memory: prel31 to functions, then inline instructions, 1, or prel31 to more. */
TEST(tables)
{
	struct fake_stack_kernel *k = xrealloc(NULL, sizeof(*k));
	const uint32_t base = FK_BASE & UINT32_MAX, idx = 0x5000, tab = 0x6000;
	static const struct {
		uint32_t func, word;
	} entries[] = { { 0x100, 0x80aab0b0 }, { 0x200, 1 }, { 0x300, 0 }, { 0x400, 0x85000000 } };
	struct exidx x;
	struct err err;

	fk_init(k, &arch_arm);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		uint32_t at = idx + 8 * (uint32_t)i;

		fk_put(k, at, (entries[i].func - at) & 0x7fffffff, 4);
		fk_put(k, at + 4, entries[i].word ? entries[i].word : tab - (at + 4), 4);
	}
	fk_put(k, tab, 0x8101b10f, 4); /* one more word */
	fk_put(k, tab + 4, 0x8fffb0b0, 4);
	fk_symbol(k, "__start_unwind_idx", idx, 0, 'R');
	fk_symbol(k, "__stop_unwind_idx", idx + sizeof(entries), 0, 'R');
	fk_ready(k);
	REQUIRE_OK(exidx_find(&k->t, base + 0x1ff, &x, &err), err);
	CHECK_U64(x.func, base + 0x100);
	CHECK_U64(x.n, 3);
	CHECK_U64(x.code[0], 0xaa);
	REQUIRE_OK(exidx_find(&k->t, base + 0x200, &x, &err), err);
	CHECK(x.cantunwind);
	REQUIRE_OK(exidx_find(&k->t, base + 0x3fe, &x, &err), err);
	CHECK_U64(x.n, 6);
	CHECK(memcmp(x.code, "\xb1\x0f\x8f\xff\xb0\xb0", 6) == 0);
	CHECK(!exidx_find(&k->t, base + 0x400, &x, &err)); /* model 5 */
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(!exidx_find(&k->t, base + 0xff, &x, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	fk_release(k);
	free(k);
}

/* Tables as sections of the vmlinux: they go before the dump's memory, which has none here. */
static struct {
	uint8_t idx[8 * 4], tab[40];
	size_t tab_n;
	const char *idx_name, *tab_name;
} sections;
#define IDX 0x5000
#define TAB 0x4f00 /* before the index: distances are negative */

static bool section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	const uint64_t base = FK_BASE & UINT32_MAX;

	(void)self;
	if (!strcmp(name, sections.idx_name)) {
		*ret = SPAN(sections.idx, sizeof(sections.idx));
		*addr = base + IDX;
		return true;
	}
	if (!strcmp(name, sections.tab_name)) {
		*ret = SPAN(sections.tab, sections.tab_n);
		*addr = base + TAB;
		return true;
	}
	return false;
}

static void put(uint8_t *p, uint32_t word)
{
	for (size_t i = 0; i < 4; i++)
		p[i] = (uint8_t)(word >> 8 * i);
}

/* Functions at 0x100, 0x200, ...: of the personalities __aeabi_unwind_cpp_pr0 to pr2. */
static void check_sections(const char *idx_name, const char *tab_name)
{
	static const uint32_t tab[] = {
		0x80a8b0b0,                                       /* model 0: three bytes */
		0x8101b10f, 0x8fffb0b0,                           /* model 1, and a word more */
		0x8200b0b0,                                       /* model 2, and none */
		0x8306b0b0,                                       /* no model */
		0x8102b10f, 0x8fffb0b0, 0x01020304, 0, 0x8101b0b0 /* the last is cut short */
	};
	static const struct {
		uint32_t word, n;
		uint8_t first;
	} cases[] = { { 0, 3, 0xa8 }, { 4, 6, 0xb1 }, { 12, 2, 0xb0 }, { 20, 10, 0xb1 } };
	struct fake_stack_kernel *k = xrealloc(NULL, sizeof(*k));
	const uint32_t base = FK_BASE & UINT32_MAX;
	struct exidx x;
	struct err err;

	fk_init(k, &arch_arm);
	fk_ready(k);
	sections.idx_name = idx_name;
	sections.tab_name = tab_name;
	sections.tab_n = sizeof(tab);
	for (size_t i = 0; i < ARRAY_SIZE(tab); i++)
		put(sections.tab + 4 * i, tab[i]);
	for (uint32_t i = 0; i < 4; i++) {
		put(sections.idx + 8 * i, (0x100 * (i + 1) - (IDX + 8 * i)) & 0x7fffffff);
		put(sections.idx + 8 * i + 4,
		    (TAB + cases[i].word - (IDX + 8 * i + 4)) & 0x7fffffff);
	}
	k->t.vmlinux.file = (struct file *)k; /* there is one; it is not looked at */
	k->t.vmlinux.section = section;
	for (uint32_t i = 0; i < 4; i++) {
		REQUIRE_OK(exidx_find(&k->t, base + 0x100 * (i + 1), &x, &err), err);
		CHECK_U64(x.func, base + 0x100 * (i + 1));
		CHECK_U64(x.n, cases[i].n);
		CHECK_U64(x.code[0], cases[i].first);
	}
	/* a personality of its own, then what lies beyond the section */
	put(sections.idx + 4, (TAB + 16 - (IDX + 4)) & 0x7fffffff);
	CHECK(!exidx_find(&k->t, base + 0x100, &x, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	k->hole = TAB / 0x1000 + 1;
	put(sections.idx + 4, (TAB + 36 - (IDX + 4)) & 0x7fffffff);
	CHECK(!exidx_find(&k->t, base + 0x100, &x, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "exception table");
	for (sections.tab_n = 0; sections.tab_n < 4; sections.tab_n++) {
		put(sections.idx + 4, (TAB - (IDX + 4)) & 0x7fffffff);
		CHECK(!exidx_find(&k->t, base + 0x100, &x, &err));
		CHECK_ERR(err, ERR_EXCLUDED);
	}
	REQUIRE_OK(exidx_find(&k->t, base + 0x100, &x, &err), err);
	k->t.vmlinux.file = NULL;
	fk_release(k);
	free(k);
}

TEST(tables_of_the_vmlinux)
{
	check_sections(".ARM.unwind_idx", ".ARM.unwind_tab");
	check_sections(".ARM.exidx", ".ARM.extab"); /* as other linkers call them */
}

static struct {
	uint64_t start, stop;
} of_module;

static bool module_exidx(struct target *t, uint64_t pc, uint64_t *start, uint64_t *stop)
{
	(void)t;
	*start = of_module.start;
	*stop = of_module.stop;
	return pc >= (FK_BASE & UINT32_MAX) + 0x800;
}

/* A module's code has its own index; one that ends before it begins holds nothing. */
TEST(tables_of_modules)
{
	struct fake_stack_kernel *k = xrealloc(NULL, sizeof(*k));
	const uint32_t base = FK_BASE & UINT32_MAX;
	struct exidx x;
	struct err err;

	fk_init(k, &arch_arm);
	fk_symbol(k, "__start_unwind_idx", 0x5000, 0, 'R');
	fk_symbol(k, "__stop_unwind_idx", 0x5000, 0, 'R');
	fk_ready(k);
	k->hooks.module_exidx = module_exidx;
	of_module.start = base + 0x5800;
	of_module.stop = base + 0x5810;
	for (uint32_t i = 0; i < 2; i++) {
		fk_put(k, 0x5800 + 8 * i, (0x800 + 0x100 * i - (0x5800 + 8 * i)) & 0x7fffffff, 4);
		fk_put(k, 0x5804 + 8 * i, i ? 1 : 0x80a8b0b0, 4);
	}
	for (uint32_t i = 2; i < 64; i++) /* what lies behind it is not of it */
		fk_put(k, 0x5800 + 8 * i, (0x8f0 - (0x5800 + 8 * i)) & 0x7fffffff, 4);
	REQUIRE_OK(exidx_find(&k->t, base + 0x8ff, &x, &err), err);
	CHECK_U64(x.func, base + 0x800);
	CHECK(!x.cantunwind && x.n == 3);
	REQUIRE_OK(exidx_find(&k->t, base + 0x900, &x, &err), err);
	CHECK(x.cantunwind);
	of_module.stop = of_module.start - 8;
	CHECK(!exidx_find(&k->t, base + 0x900, &x, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(!exidx_find(&k->t, base + 0x100, &x, &err)); /* nor does the kernel's */
	CHECK_ERR(err, ERR_NOTFOUND);
	fk_release(k);
	free(k);
}

/* What Debian's 6.1 has there (arch/arm/kernel/entry-ftrace.S), without the instructions that only
 * prepare a call. */
static const uint32_t graph_caller[] = {
	0xe28d0014, /* add r0, sp, #20 */
	0xe59d1010, /* ldr r1, [sp, #16] */
	0xeb000109, /* bl prepare_ftrace_return */
	0xe8bd000f, /* pop {r0-r3} */
	0xe59de004, /* ldr lr, [sp, #4] */
	0xe49df008, /* ldr pc, [sp], #8 */
};
static const uint32_t to_handler[] = {
	0xe92d000f, /* push {r0-r3} */
	0xe28d0010, /* add r0, sp, #16 */
	0xeb0594b3, /* bl ftrace_return_to_handler */
	0xe1a0e000, /* mov lr, r0 */
	0xe8bd000f, /* pop {r0-r3} */
	0xe12fff1e, /* bx lr */
};

/* A function at 0x100 that pushed r4 and lr, and the first of its thread, at 0x200. */
static struct fake_stack_kernel *tracing(void)
{
	struct fake_stack_kernel *k = xrealloc(NULL, sizeof(*k));
	static const uint32_t entries[][2] = { { 0x100, 0x80a8b0b0 }, { 0x200, 1 } };
	const uint32_t idx = FK_IP;

	fk_init(k, &arch_arm);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		uint32_t at = idx + 8 * (uint32_t)i;

		fk_put(k, at, (entries[i][0] - at) & 0x7fffffff, 4);
		fk_put(k, at + 4, entries[i][1], 4);
	}
	for (size_t i = 0; i < ARRAY_SIZE(graph_caller); i++)
		fk_put(k, 0x400 + 4 * i, graph_caller[i], 4);
	for (size_t i = 0; i < ARRAY_SIZE(to_handler); i++)
		fk_put(k, 0x500 + 4 * i, to_handler[i], 4);
	fk_symbol(k, "one", 0x100, 0x100, 't');
	fk_symbol(k, "two", 0x200, 0x100, 't');
	fk_symbol(k, "ftrace_graph_caller", 0x400, 0x18, 'T');
	fk_symbol(k, "return_to_handler", 0x500, 0x18, 'T');
	fk_symbol(k, "__start_unwind_idx", idx, 0, 'R');
	fk_symbol(k, "__stop_unwind_idx", idx + sizeof(entries), 0, 'R');
	fk_ready(k);
	return k;
}

/* From pc with the stack at its last n words. */
static struct unwind_result from(struct fake_stack_kernel *k, uint64_t pc, const uint32_t *words,
				 size_t n, bool exact, uint64_t lr)
{
	struct unwind_start start = { .how = "regs", .exact = exact, .registers = true };
	const uint64_t sp = FK_STACK_END - 4 * n;
	struct unwind_result r;

	for (size_t i = 0; i < n; i++)
		fk_put(k, sp + 4 * i, words[i], 4);
	regs_set(&start.regs, 15, fk_base(k) + pc);
	regs_set(&start.regs, 13, fk_base(k) + sp);
	regs_set(&start.regs, 4, 44);
	regs_set(&start.regs, 11, 11);
	if (lr)
		regs_set(&start.regs, 14, lr);
	unwind(&k->t, &start, 0, &r);
	return r;
}

/* From within the tracer of one, which two called, with this as the copy of one's return address;
 * *last is where the chain ends. */
static struct unwind_result while_taken(uint32_t copy, uint64_t *last)
{
	struct fake_stack_kernel *k = tracing();
	const uint32_t base = (uint32_t)fk_base(k);
	const uint32_t stack[] = { 0, 1, 2, 3, base + 0x110, base + copy, 4, base + 0x500 };
	struct unwind_result r;

	fk_put(k, 0x208, 0xeb000000, 4); /* two calls */
	r = from(k, 0x40c, stack, 8, false, 0);
	*last = r.n ? r.frames[r.n - 1].pc - base : 0;
	fk_release(k);
	free(k);
	return r;
}

/* prepare_ftrace_return() has put the handler there, and has not recorded what it took. */
TEST(an_address_that_is_being_taken)
{
	uint64_t last;
	struct unwind_result r = while_taken(0x20c, &last);

	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	CHECK_U64(last, 0x20c);
	/* the copy is the handler as well, or follows no call: nothing is made up */
	r = while_taken(0x500, &last);
	CHECK(!r.complete);
	CHECK_U64(r.n, 2);
	CHECK_ERR(r.end, ERR_NOTFOUND);
	r = while_taken(0x210, &last);
	CHECK(!r.complete);
	CHECK_U64(last, 0x110);
}

TEST(tracing_code)
{
	struct fake_stack_kernel *k = tracing();
	const uint32_t base = (uint32_t)fk_base(k), one = base + 0x110, two = base + 0x20c;
	/* r0 to r3 and lr by ftrace_caller, lr by one for its tracer, r4 and lr by one itself */
	const uint32_t stack[] = { 0, 1, 2, 3, one, two, 4, two };
	const uint32_t leaving[] = { 0, 1, 2, 3, 0x77 };
	struct unwind_result r;

	fk_put(k, 0x208, 0xeb000000, 4);      /* two calls */
	for (unsigned at = 2; at < 4; at++) { /* interrupted before the call, and in it */
		r = from(k, 0x400 + 4 * at, stack, 8, at == 2, 0);
		REQUIRE(r.n == 3);
		CHECK(r.complete);
		CHECK_U64(r.frames[1].pc, one);
		CHECK(!strcmp(r.frames[1].how, "code"));
		CHECK_U64(r.frames[2].pc, two);
		CHECK(!strcmp(r.frames[2].how, "exidx"));
		CHECK_U64(r.frames[2].known->r[4], 4); /* one saved it */
	}
	/* the address is function_graph's to tell, by the stack pointer that one left */
	k->shadow[0][0] = base + FK_STACK_END - 4;
	k->shadow[0][1] = two;
	r = from(k, 0x50c, leaving, 5, false, 0);
	REQUIRE(r.n == 2);
	CHECK(r.complete);
	CHECK_U64(r.frames[1].pc, two);
	CHECK(!strcmp(r.frames[1].how, "fgraph"));
	/* it has told: two's address is in lr */
	r = from(k, 0x510, leaving, 5, true, two);
	REQUIRE(r.n == 2);
	CHECK_U64(r.frames[1].pc, two);
	CHECK(!strcmp(r.frames[1].how, "code"));
	/* another stack pointer: it is not the entry of this frame */
	k->shadow[0][0] += 4;
	r = from(k, 0x50c, leaving, 5, false, 0);
	CHECK_U64(r.n, 1);
	CHECK(!r.complete);
	CHECK_ERR(r.end, ERR_NOTFOUND);
	fk_release(k);
	free(k);

	k = tracing();
	fk_put(k, 0x40c, 0xf57ff05f, 4); /* no code of this kind */
	r = from(k, 0x40c, stack, 8, false, 0);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_UNSUPPORTED);
	fk_release(k);
	free(k);
}

TEST_MAIN
