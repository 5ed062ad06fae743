/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what x86-64 code says against a frame, on functions written byte by byte. */
#include "core/base/test.h"
#include "core/unwind/step.h"
#include "core/unwind/unwind_fake.h"

/* Functions of 0x40 bytes, of nops but for what a test puts there. */
#define SIZE 0x40
#define CALLER 0x1000
#define FRAME 0x2000 /* the function that the call is said to have led to */
#define CALLED 0x3000
#define NEIGHBOUR 0x3060 /* near enough for a jump of two bytes */
#define THUNK 0x3200
#define RETURN 0x3300
#define RETURNS_TO (CALLER + 0x20)

static struct fake_stack_kernel k;

static void put(size_t at, const void *bytes, size_t n)
{
	memcpy(k.mem + at, bytes, n);
}

/* An operation with the distance from behind it to `to`. */
static void jump(size_t at, const char *op, size_t n, unsigned width, size_t to)
{
	put(at, op, n);
	fk_put(&k, at + n, to - (at + n + width), width);
}

static void start(void)
{
	static const struct {
		const char *name;
		size_t at;
	} functions[] = { { "caller", CALLER },
			  { "frame", FRAME },
			  { "called", CALLED },
			  { "neighbour", NEIGHBOUR },
			  { "__x86_indirect_thunk_rax", THUNK },
			  { "__x86_return_thunk", RETURN } };

	fk_init(&k, &arch_x86_64);
	memset(k.mem, 0x90, FK_TEXT_END);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		fk_symbol(&k, functions[i].name, functions[i].at, SIZE, 't');
	jump(RETURNS_TO - 5, "\xe8", 1, 4, CALLED);
}

/* Does the code say that what it calls cannot have led to FRAME? */
static bool contradicts_at(size_t pc)
{
	bool ret;

	fk_ready(&k);
	ret = call_contradicts(&k.t, FK_BASE + pc, FK_BASE + FRAME + 8);
	fk_release(&k);
	return ret;
}

static bool contradicts(void)
{
	return contradicts_at(RETURNS_TO);
}

/* Bytes of the called function that may lead somewhere else, by the processor's manual: jmp and jcc
 * with distances of one and four bytes, jmp by a register or memory; calls come back. */
TEST(what_leads_out_of_a_function)
{
	static const struct {
		const char *op;
		size_t n;
		unsigned width; /* of the distance; 0: none */
		size_t at, to;
		bool contradicts;
	} v[] = {
		{ "\x90", 1, 0, 8, 0, true },
		{ "\xff\xe0", 2, 0, 8, 0, false },         /* jmp *%rax */
		{ "\xff\xe7", 2, 0, 8, 0, false },         /* jmp *%rdi */
		{ "\xff\x20", 2, 0, 8, 0, false },         /* jmp *(%rax) */
		{ "\xff\x25\1\0\0\0", 6, 0, 8, 0, false }, /* jmp *1(%rip) */
		{ "\xff\xd0", 2, 0, 8, 0, true },          /* call *%rax */
		{ "\xff\x10", 2, 0, 8, 0, true },          /* call *(%rax) */
		{ "\xff\xe8", 2, 0, 8, 0, true },          /* no operation */
		{ "\xb0\xe0", 2, 0, 8, 0, true },          /* mov $0xe0, %al */
		{ "\xb0\x20", 2, 0, 8, 0, true },          /* mov $0x20, %al */
		{ "\xcc", 1, 0, 8, 0, false },             /* int3 may stand for anything */
		{ "\xcc\xcc", 2, 0, 0x30, 0, true },       /* but at the end, where it fills */
		{ "\xcc", 1, 0, SIZE - 17, 0, false },
		{ "\xcc", 1, 0, SIZE - 16, 0, true },
		{ "\xe9", 1, 4, 8, FRAME, false },
		{ "\xe9", 1, 4, 8, FRAME + SIZE - 1, false },
		{ "\xe9", 1, 4, 8, FRAME + SIZE, true },
		{ "\xe9", 1, 4, 8, FRAME - 1, true },
		{ "\xe9", 1, 4, SIZE - 5, FRAME, false },
		{ "\xe9", 1, 4, SIZE - 4, FRAME, true }, /* its last byte is not the function's */
		{ "\x0f\x80", 2, 4, 8, FRAME, false },   /* jo */
		{ "\x0f\x8f", 2, 4, 8, FRAME, false },   /* jg */
		{ "\x0f\x8f", 2, 4, SIZE - 6, FRAME, false },
		{ "\x0f\x90", 2, 4, 8, FRAME, true }, /* seto */
		{ "\xe8", 1, 4, 8, FRAME, true },
		{ "\xe8", 1, 4, 0, FRAME, false }, /* a tracer's, which may do more */
		{ "\xe8", 1, 4, 4, FRAME, false }, /* the same behind endbr64 */
		{ "\xe8", 1, 4, 5, FRAME, true },
		{ "\xe9", 1, 4, 8, THUNK, false },
		{ "\xe9", 1, 4, 8, RETURN, true },
		{ "\xe9", 1, 4, 8, 0x3a00, true }, /* to no function */
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		start();
		if (v[i].width)
			jump(CALLED + v[i].at, v[i].op, v[i].n, v[i].width, v[i].to);
		else
			put(CALLED + v[i].at, v[i].op, v[i].n);
		if (!CHECK(contradicts() == v[i].contradicts))
			printf("  of %zu\n", i);
	}
}

/* From function to function, by the start of each; round about it ends. */
TEST(what_leads_there_over_others)
{
	static const struct {
		const char *op;
		size_t n;
		unsigned width;
		size_t to;
		bool contradicts;
	} v[] = {
		{ "\xeb", 1, 1, NEIGHBOUR, false },
		{ "\x75", 1, 1, NEIGHBOUR, false }, /* jne */
		{ "\x7f", 1, 1, NEIGHBOUR, false }, /* jg */
		{ "\x80", 1, 1, NEIGHBOUR, true },  /* add */
		{ "\xe9", 1, 4, NEIGHBOUR, false },
		{ "\xe9", 1, 4, NEIGHBOUR + 4, true }, /* into the middle of it */
		{ "\x90", 1, 0, 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		start();
		jump(CALLED + 0x20, v[i].op, v[i].n, v[i].width, v[i].to);
		jump(NEIGHBOUR + 8, "\xe9", 1, 4, CALLED);
		jump(NEIGHBOUR + 16, "\xe9", 1, 4, FRAME);
		if (!CHECK(contradicts() == v[i].contradicts))
			printf("  of %zu\n", i);
	}
	start();
	jump(CALLED + 0x20, "\xeb", 1, 1, NEIGHBOUR);
	jump(NEIGHBOUR + 8, "\xe9", 1, 4, CALLED);
	CHECK(contradicts());
}

/* A function may run on into one that begins at most 255 bytes behind it. */
TEST(functions_that_run_on)
{
	static const struct {
		size_t at;
		bool contradicts;
	} v[] = { { FRAME - SIZE, false },
		  { FRAME - SIZE - 0xff, false },
		  { FRAME - SIZE - 0x100, true },
		  { FRAME + SIZE, true } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		start();
		fk_symbol(&k, "before", v[i].at, SIZE, 't');
		jump(RETURNS_TO - 5, "\xe8", 1, 4, v[i].at);
		if (!CHECK(contradicts() == v[i].contradicts))
			printf("  of %zu\n", i);
	}
}

/* What is called is known and whole, or nothing is said. */
TEST(calls_that_nothing_is_known_of)
{
	start();
	jump(RETURNS_TO - 5, "\xe8", 1, 4, FRAME);
	CHECK(!contradicts());
	start();
	jump(RETURNS_TO - 5, "\xe8", 1, 4, CALLED + 4); /* no function begins there */
	CHECK(!contradicts());
	start();
	jump(RETURNS_TO - 5, "\xe8", 1, 4, 0x5000); /* not text */
	CHECK(!contradicts());
	start();
	k.hole = 1 + CALLED / 0x1000;
	CHECK(!contradicts());
	start();
	k.hole = 1 + CALLER / 0x1000;
	CHECK(!contradicts());
	for (unsigned which = 0; which < 2; which++) { /* of no size */
		start();
		for (size_t i = 0; i < k.n_syms; i++)
			if (!strcmp(k.syms[i].name, which ? "called" : "frame"))
				k.syms[i].size = 0;
		CHECK(!contradicts());
	}
	start();
	put(RETURNS_TO - 5, "\x90\x90\x90\xff\xd0", 5); /* call *%rax */
	CHECK(!contradicts());
}

/* A return address follows a call, but for what was put on a stack by hand: the start of a
 * function. A breakpoint may hide a call, and a page of zeroes may be none. */
TEST(words_that_follow_no_call)
{
	start();
	CHECK(contradicts_at(RETURNS_TO + 1));
	start();
	CHECK(contradicts_at(CALLED + 8));
	start();
	CHECK(!contradicts_at(CALLED));
	start();
	put(CALLED + 1, "\xcc", 1);
	CHECK(!contradicts_at(CALLED + 8));
	start();
	put(CALLED, "\xcc", 1);
	CHECK(contradicts_at(CALLED + 8)); /* eight bytes before it */
	start();
	memset(k.mem + CALLED + 1, 0, 7);
	CHECK(!contradicts_at(CALLED + 8));
	start();
	memset(k.mem + CALLED + 2, 0, 6);
	CHECK(contradicts_at(CALLED + 8));
	start();
	CHECK(!contradicts_at(0x5000)); /* not text */
	start();
	fk_symbol(&k, "_sinittext", CALLED, 0, 'T'); /* what is gone after boot */
	fk_symbol(&k, "_einittext", CALLED + SIZE, 0, 'T');
	CHECK(!contradicts_at(CALLED + 8));
}

TEST_MAIN
