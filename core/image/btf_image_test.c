/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of BTF's records where they lie, by the kernel's Documentation/bpf/btf.rst. */
#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/image/btf_image.h"

#define HEAD 24

/* A blob that a test puts together: records, then texts. */
struct blob {
	_Alignas(8) uint8_t b[1024];
	size_t types_n, strings_n;
};

static struct arena arena;
static struct err err;

static void put(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* A record of `tail` bytes behind its head; size_or_type is the last word of the head. */
static void add(struct blob *b, uint32_t name, unsigned kind, unsigned vlen, uint32_t size_or_type,
		size_t tail)
{
	uint8_t *p = b->b + HEAD + b->types_n;

	memset(p, 0, 12 + tail);
	put(p, name, 4);
	put(p + 4, vlen | kind << 24, 4);
	put(p + 8, size_or_type, 4);
	b->types_n += 12 + tail;
}

static struct span finish(struct blob *b, const char *strings, size_t n)
{
	put(b->b, 0xeb9f, 2);
	b->b[2] = 1;
	b->b[3] = 0;
	put(b->b + 4, HEAD, 4);
	put(b->b + 8, 0, 4);
	put(b->b + 12, b->types_n, 4);
	put(b->b + 16, b->types_n, 4);
	put(b->b + 20, n, 4);
	memcpy(b->b + HEAD + b->types_n, strings, n);
	b->strings_n = n;
	return SPAN(b->b, HEAD + b->types_n + n);
}

/* Bytes behind a head with two parts, for each kind in the order of their numbers. */
static const uint8_t tails[] = {
	0, 4, 0, 12, 2 * 12, 2 * 12, 2 * 8, 0, 0, 0, 0, 0, 0, 2 * 8, 4, 2 * 12, 0, 4, 0, 2 * 12,
};

TEST(every_kind_of_record)
{
	struct blob b = { .types_n = 0 };
	struct btf_image im;
	struct span all;
	size_t at = HEAD;

	for (unsigned kind = 1; kind < ARRAY_SIZE(tails); kind++)
		add(&b, 1, kind, 2, 0, tails[kind]);
	all = finish(&b, "\0name", 6);
	REQUIRE_OK(btf_image_open(all, NULL, &arena, &im, &err), err);
	CHECK(im.start == 1 && im.n == ARRAY_SIZE(tails));
	CHECK(!btf_image_type(&im, 0) && !btf_image_type(&im, im.n));
	for (uint32_t id = 1; id < im.n; id++) {
		CHECK((const void *)btf_image_type(&im, id) == b.b + at);
		at += 12 + tails[id];
	}
	CHECK_U64(at, HEAD + b.types_n);
	CHECK(im.plain);
	arena_release(&arena);
}

TEST(records_that_are_cut_short)
{
	for (unsigned kind = 1; kind < ARRAY_SIZE(tails); kind++)
		for (size_t less = 0; less <= 12u + tails[kind]; less += 4) {
			struct blob b = { .types_n = 0 };
			struct btf_image im;
			bool whole = !less || less == 12u + tails[kind];

			add(&b, 0, 1, 0, 4, 4); /* an int before it */
			add(&b, 0, kind, 2, 0, tails[kind]);
			b.types_n -= less;
			CHECK(btf_image_open(finish(&b, "", 1), NULL, &arena, &im, &err) == whole);
			if (whole)
				CHECK_U64(im.n, less ? 2 : 3);
			else
				CHECK_CONTAINS(err.msg, "record 2 is cut short");
		}
	for (unsigned kind = 0; kind < 32; kind++) { /* 5 bits of kind; 0 and those from 20 on */
		struct blob b = { .types_n = 0 };
		struct btf_image im;
		bool known = kind && kind < ARRAY_SIZE(tails);

		add(&b, 0, kind, 2, 0, known ? tails[kind] : 0);
		CHECK(btf_image_open(finish(&b, "", 1), NULL, &arena, &im, &err) == known);
	}
	arena_release(&arena);
}

TEST(headers)
{
	static const struct {
		size_t at, n;
		uint32_t value;
		bool good;
	} cases[] = {
		{ 0, 2, 0xeb9f, true }, { 0, 2, 0xeb9e, false },      { 2, 1, 2, false },
		{ 4, 4, 20, false },                         /* shorter than it is */
		{ 4, 4, 24, true },     { 4, 4, 28, false }, /* then all is beyond the end */
		{ 8, 4, 2, false },     { 8, 4, 4, false },  /* types that do not begin so */
		{ 12, 4, 16, true },    { 12, 4, 32, false },         { 12, 4, 0xffffffff, false },
		{ 16, 4, 17, false },   { 16, 4, 0xffffffff, false }, { 20, 4, 1, true },
		{ 20, 4, 2, false }, /* not the end of a text */
		{ 20, 4, 6, true },     { 20, 4, 7, false },          { 20, 4, 0, false },
	};
	struct btf_image im;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct blob b = { .types_n = 0 };
		struct span all;

		add(&b, 0, 1, 0, 4, 4);
		all = finish(&b, "\0name", 6);
		put(b.b + cases[i].at, cases[i].value, cases[i].n);
		if (!CHECK(btf_image_open(all, NULL, &arena, &im, &err) == cases[i].good))
			printf("  %#x at %zu: %s\n", cases[i].value, cases[i].at, err.msg);
		if (!cases[i].good)
			CHECK_ERR(err, ERR_FORMAT);
	}
	for (size_t n = 0; n < HEAD; n++) {
		struct blob b = { .types_n = 0 };
		struct span all = finish(&b, "", 1);

		CHECK(!btf_image_open(SPAN(all.p, n), NULL, &arena, &im, &err));
	}
	arena_release(&arena);
}

/* Wherever the blob lies, records are read at addresses that fit them. */
TEST(blobs_at_any_address)
{
	for (size_t off = 0; off < 5; off++) {
		_Alignas(8) uint8_t moved[1100];
		struct blob b = { .types_n = 0 };
		struct btf_image im;
		struct span all;

		add(&b, 1, BTF_KIND_INT, 0, 4, 4);
		add(&b, 1, BTF_KIND_PTR, 0, 1, 0);
		all = finish(&b, "\0name", 6);
		memcpy(moved + off, all.p, all.n);
		REQUIRE_OK(btf_image_open(SPAN(moved + off, all.n), NULL, &arena, &im, &err), err);
		CHECK_U64((uintptr_t)btf_image_type(&im, 2) % 4, 0);
		CHECK_U64(btf_image_type(&im, 2)->type, 1);
		CHECK_STR(btf_image_name(&im, 1), "name");
	}
	arena_release(&arena);
}

/* A module's ids and texts go on from the kernel's. */
TEST(a_module_goes_on)
{
	struct blob kernel = { .types_n = 0 }, module = { .types_n = 0 }, bare = { .types_n = 0 };
	struct btf_image base, im;
	struct span all;

	add(&kernel, 1, BTF_KIND_INT, 0, 4, 4);
	add(&kernel, 5, BTF_KIND_FWD, 0, 0, 0);
	all = finish(&kernel, "\0int\0abc", 9);
	REQUIRE_OK(btf_image_open(all, NULL, &arena, &base, &err), err);
	add(&module, 9, BTF_KIND_TYPEDEF, 0, 1, 0);
	add(&module, 12, BTF_KIND_PTR, 0, 3, 0);
	all = finish(&module, "xy\0z", 5);
	REQUIRE_OK(btf_image_open(all, &base, &arena, &im, &err), err);
	CHECK(im.start == 3 && im.n == 5);
	CHECK(btf_image_type(&im, 1) == btf_image_type(&base, 1));
	CHECK(btf_image_type(&im, 2) == btf_image_type(&base, 2) && btf_image_type(&im, 2));
	CHECK((const void *)btf_image_type(&im, 3) == module.b + HEAD);
	CHECK((const void *)btf_image_type(&im, 4) == module.b + HEAD + 12);
	CHECK(!btf_image_type(&im, 5) && !btf_image_type(&base, 3) && !btf_image_type(&im, 0));
	CHECK_STR(btf_image_name(&im, 5), "abc");
	CHECK_STR(btf_image_name(&im, 9), "xy");
	CHECK_STR(btf_image_name(&im, 12), "z");
	CHECK(!btf_image_name(&im, 14) && !btf_image_name(&base, 9));
	for (uint32_t off = 0; off < 15; off++)
		CHECK(btf_image_is_name(&im, off) ==
		      (off == 0 || off == 1 || off == 5 || off == 9 || off == 12));
	CHECK(btf_image_sane(&im, 3) && btf_image_sane(&im, 4) && btf_image_sane(&im, 1));
	/* it may have no texts of its own */
	add(&bare, 1, BTF_KIND_TYPEDEF, 0, 1, 0);
	all = finish(&bare, "", 0);
	CHECK_OK(btf_image_open(all, &base, &arena, &im, &err), err);
	arena_release(&arena);
}

/* Names are of characters that are printed; wherever in the texts another one stands, it is found.
 */
TEST(texts_that_are_no_names)
{
	static const uint8_t odd[] = { 1, 0x1f, 0x7f, 0x80, 0xff }, plain[] = { ' ', '~', 'a' };
	char text[50];

	for (size_t at = 1; at < sizeof(text) - 1; at++)
		for (size_t c = 0; c < ARRAY_SIZE(odd) + ARRAY_SIZE(plain); c++) {
			bool is_odd = c < ARRAY_SIZE(odd);
			struct blob b = { .types_n = 0 };
			struct btf_image im;

			memset(text, 'x', sizeof(text));
			text[0] = text[sizeof(text) - 1] = '\0';
			text[at] = (char)(is_odd ? odd[c] : plain[c - ARRAY_SIZE(odd)]);
			if (at > 5)
				text[3] = '\0'; /* "xx", before the one with it */
			REQUIRE_OK(btf_image_open(finish(&b, text, sizeof(text)), NULL, &arena, &im,
						  &err),
				   err);
			CHECK_U64(im.plain, !is_odd);
			CHECK(btf_image_is_name(&im, 1) == (at > 5 || !is_odd));
			if (at > 5)
				CHECK(btf_image_is_name(&im, 4) == !is_odd);
		}
	arena_release(&arena);
}

TEST(what_refers_to_no_type)
{
	/* kinds whose head names a type, and those whose does not: a size, or what is not asked */
	static const struct {
		unsigned kind;
		bool refers;
	} kinds[] = {
		{ BTF_KIND_PTR, true },      { BTF_KIND_TYPEDEF, true },
		{ BTF_KIND_VOLATILE, true }, { BTF_KIND_CONST, true },
		{ BTF_KIND_RESTRICT, true }, { BTF_KIND_FUNC, true },
		{ BTF_KIND_VAR, true },      { BTF_KIND_INT, false },
		{ BTF_KIND_STRUCT, false },  { BTF_KIND_UNION, false },
		{ BTF_KIND_ENUM, false },    { BTF_KIND_FLOAT, false },
		{ BTF_KIND_DATASEC, false },
	};
	struct btf_image im;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (uint32_t type = 0; type < 4; type++) {
			struct blob b = { .types_n = 0 };

			add(&b, 1, BTF_KIND_INT, 0, 4, 4);
			add(&b, 1, kinds[i].kind, 2, type, tails[kinds[i].kind]);
			REQUIRE_OK(btf_image_open(finish(&b, "\0name", 6), NULL, &arena, &im, &err),
				   err);
			CHECK(btf_image_sane(&im, 2) == (!kinds[i].refers || type < 3));
			put(b.b + HEAD + 16, 2, 4); /* the middle of a text */
			CHECK(!btf_image_sane(&im, 2));
			put(b.b + HEAD + 16, 0, 4); /* none */
			CHECK(btf_image_sane(&im, 2) == (!kinds[i].refers || type < 3));
		}
	for (uint32_t type = 0; type < 4; type++) { /* what an array is of is behind its head */
		struct blob b = { .types_n = 0 };

		add(&b, 0, BTF_KIND_INT, 0, 4, 4);
		add(&b, 0, BTF_KIND_ARRAY, 0, 0, 12);
		put(b.b + HEAD + 16 + 12, type, 4);
		REQUIRE_OK(btf_image_open(finish(&b, "", 1), NULL, &arena, &im, &err), err);
		CHECK(btf_image_sane(&im, 2) == (type < 3));
	}
	CHECK(!btf_image_sane(&im, 0) && !btf_image_sane(&im, 3));
	arena_release(&arena);
}

/* Parts that lie within the blob: records that begin in its header, or at no multiple of 4. */
TEST(parts_that_begin_where_none_can)
{
	static const struct {
		size_t at;
		uint32_t value;
	} cases[] = { { 4, 20 }, { 8, 2 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct blob b = { .types_n = 0 };
		struct btf_image im;
		struct span all;

		add(&b, 0, 1, 0, 4, 4);
		all = finish(&b, "\0\0\0\0", 5);
		put(b.b + cases[i].at, cases[i].value, 4);
		CHECK(!btf_image_open(all, NULL, &arena, &im, &err));
		CHECK_CONTAINS(err.msg, "its parts");
	}
	arena_release(&arena);
}

TEST_MAIN
