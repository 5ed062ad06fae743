/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of shapes: fields near and far, bit-fields, alternatives, absent pages, long names. */
#include "core/base/test.h"
#include "core/types/shape.h"
#include "core/linux/kernel_fake.h"

#define PLACE (KERNEL_BASE + 0x1000)
#define LARGE (KERNEL_BASE + 0x8000)
#define SMALL_TEXT 20
#define FAR_TEXT 40

static struct fake_kernel k;
static struct err err;

/*
 * struct thing: a at 0, b at 8, gap of 192 bytes: near at 208; one more than that: far at 409.
 * Bit-fields: low is bits 0..2 of the byte at 16, wide 62 bits from bit 7 of the word at 24, whose
 * last ones are in a ninth byte. flags is a signed one of 5 bits.
 */
enum {
	A,
	B,
	NEAR,
	FAR,
	LOW,
	WIDE,
	FLAGS,
	NAME,
	RENAMED,
	GONE,
	NARROW,
	POINTER,
	NAME_FAR,
	FIELDS
};
static const struct shape_field fields[FIELDS] = {
	[A] = FIELD("a"),
	[B] = FIELD("b"),
	[NEAR] = FIELD("near"),
	[FAR] = FIELD("far"),
	[LOW] = FIELD("low"),
	[WIDE] = FIELD("wide"),
	[FLAGS] = FIELD("flags"),
	[NAME] = FIELD("name"),
	[RENAMED] = FIELD_ALT("newest", "newer", "old", "oldest"),
	[GONE] = FIELD_ALT("first_name", "second_name"),
	[NARROW] = FIELD("narrow"),
	[POINTER] = FIELD("pointer"),
	[NAME_FAR] = FIELD("name_far"),
};
static const struct shape shape = SHAPE("struct thing", fields);

static void bits(struct type *s, const char *name, const struct type *type, uint64_t first,
		 uint32_t n)
{
	kernel_member(s, name, type, 0);
	s->members[s->n_members - 1].bit_off = first;
	s->members[s->n_members - 1].bit_size = n;
}

static void start(void)
{
	struct type *s;

	kernel_init(&k);
	s = kernel_struct(&k, "thing", 0x900);
	/* not in the order of their offsets */
	kernel_member(s, "far", &k.u64, 409);
	kernel_member(s, "b", &k.u64, 8);
	kernel_member(s, "a", &k.u64, 0);
	kernel_member(s, "near", &k.u32, 208);
	kernel_member(s, "name", kernel_array(&k, &k.u8, SMALL_TEXT), 64);
	kernel_member(s, "oldest", &k.s32, 56);
	kernel_member(s, "narrow", &k.s32, 60);
	kernel_member(s, "pointer", &k.ptr, 88);
	kernel_member(s, "name_far", kernel_array(&k, &k.u8, FAR_TEXT), 0x800);
	bits(s, "low", &k.u32, 16 * 8, 3);
	bits(s, "wide", &k.u64, 24 * 8 + 7, 62);
	bits(s, "flags", &k.s32, 16 * 8 + 12, 5);
	put64(&k, PLACE, 0x1111222233334444);
	put64(&k, PLACE + 8, 0x5555666677778888);
	put32(&k, PLACE + 16, 5 | 0x13 << 12 | 1u << 3);
	/* 62 bits from bit 7 on: the value's low 57 in this word, 5 in the byte behind it */
	put64(&k, PLACE + 24, UINT64_C(0x0123456789abcdef) << 7 | 0x7f);
	put64(&k, PLACE + 32, 0x15 | 0xe0);
	put32(&k, PLACE + 56, (uint32_t)-3);
	put32(&k, PLACE + 60, (uint32_t)INT32_MIN);
	put_str(&k, PLACE + 64, "twenty bytes, all of");
	put64(&k, PLACE + 88, KERNEL_BASE + 0x3000);
	put32(&k, PLACE + 208, 0xa0b0c0d0);
	put64(&k, PLACE + 409, 0x9999aaaabbbbcccc);
	put_str(&k, PLACE + 0x800, "and another far away");
}

static void check_all(const struct shaped *s)
{
	const char *text;
	uint64_t n = 0;
	int64_t sn = 0;

	CHECK(shaped_u64(s, A, &n, &err) && n == 0x1111222233334444);
	CHECK(shaped_u64(s, B, &n, &err) && n == 0x5555666677778888);
	CHECK(shaped_u64(s, NEAR, &n, &err) && n == 0xa0b0c0d0);
	CHECK(shaped_u64(s, FAR, &n, &err) && n == 0x9999aaaabbbbcccc);
	CHECK(shaped_u64(s, LOW, &n, &err) && n == 5);
	/* 57 bits of the word, and 10101 in front of them */
	CHECK(shaped_u64(s, WIDE, &n, &err));
	CHECK_U64(n, UINT64_C(0x0123456789abcdef) | UINT64_C(0x15) << 57);
	CHECK(shaped_s64(s, FLAGS, &sn, &err) && sn == 0x13 - 0x20);
	CHECK(shaped_s64(s, RENAMED, &sn, &err) && sn == -3);
	CHECK(shaped_s64(s, NARROW, &sn, &err) && sn == INT32_MIN);
	CHECK(shaped_u64(s, POINTER, &n, &err) && n == KERNEL_BASE + 0x3000);
	CHECK(shaped_str(s, NAME, &k.scratch, &text, &err));
	CHECK_STR(text, "twenty bytes, all of");
	CHECK(shaped_str(s, NAME_FAR, &k.scratch, &text, &err));
	CHECK_STR(text, "and another far away");
}

TEST(fields_near_and_far)
{
	struct shaped s;

	start();
	REQUIRE_OK(shape_read(&k.t, &shape, PLACE, &s, &err), err);
	CHECK(s.bytes != NULL);
	check_all(&s);
	/* the layout that is kept is of any address */
	memmove(&k.mem[0x5000], &k.mem[0x1000], 0x900);
	memset(&k.mem[0x1000], 0xee, 0x900);
	REQUIRE_OK(shape_read(&k.t, &shape, PLACE + 0x4000, &s, &err), err);
	check_all(&s);
	kernel_release(&k);
}

/* Half of a struct is on a page that the dump lacks: what is on the other is still read. */
#define ASTRIDE (KERNEL_BASE + 0x6000 - 0x300)

static void start_astride(uint64_t holes, struct shaped *s)
{
	start();
	memmove(&k.mem[ASTRIDE - KERNEL_BASE], &k.mem[PLACE - KERNEL_BASE], 0x900);
	k.holes = holes;
	CHECK_OK(shape_read(&k.t, &shape, ASTRIDE, s, &err), err);
}

TEST(half_of_a_struct)
{
	const char *text;
	struct shaped s;
	uint64_t n;

	start_astride(0, &s);
	CHECK(s.bytes != NULL);
	check_all(&s);
	kernel_release(&k);
	start_astride(1 << 6, &s); /* name_far alone */
	CHECK(!s.bytes);
	CHECK(shaped_u64(&s, A, &n, &err) && n == 0x1111222233334444);
	CHECK(shaped_u64(&s, FAR, &n, &err) && n == 0x9999aaaabbbbcccc);
	CHECK(shaped_u64(&s, WIDE, &n, &err));
	CHECK_U64(n, UINT64_C(0x0123456789abcdef) | UINT64_C(0x15) << 57);
	CHECK(!shaped_str(&s, NAME_FAR, &k.scratch, &text, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(shaped_str(&s, NAME, &k.scratch, &text, &err));
	CHECK_STR(text, "twenty bytes, all of");
	kernel_release(&k);
	start_astride(1 << 5, &s);
	CHECK(!shaped_u64(&s, A, &n, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_U64(shaped_u64_or(&s, A, 7), 7);
	kernel_release(&k);
}

TEST(what_a_field_is_and_is_not)
{
	struct value v;
	struct shaped s;
	const char *text;
	uint64_t n;
	int64_t sn;

	start();
	REQUIRE_OK(shape_read(&k.t, &shape, PLACE, &s, &err), err);
	/* known under the last of its names; under none: the newest is told */
	CHECK(shaped_has(&s, RENAMED) && !shaped_has(&s, GONE) && !shaped_has(&s, FIELDS));
	CHECK(!shaped_u64(&s, GONE, &n, &err) && !shaped_s64(&s, GONE, &sn, &err));
	CHECK(!shaped_str(&s, GONE, &k.scratch, &text, &err) && !shaped_value(&s, GONE, &v, &err) &&
	      !shaped_addr(&s, GONE, &n, &err));
	CHECK_ERR(err, ERR_NOFIELD);
	CHECK_CONTAINS(err.msg, "first_name");
	CHECK_U64(shaped_u64_or(&s, GONE, 99), 99);
	CHECK_U64(shaped_u64_or(&s, A, 99), 0x1111222233334444);
	/* behind the last */
	CHECK(!shaped_u64(&s, FIELDS, &n, &err));
	CHECK_CONTAINS(err.msg, "has no field 13");
	/* text is no number: such a kernel lacks what is asked for */
	CHECK(!shaped_u64(&s, NAME, &n, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	CHECK_CONTAINS(err.msg, "'struct thing.name' is not a number");
	REQUIRE(shaped_addr(&s, NEAR, &n, &err) && n == PLACE + 208);
	REQUIRE(shaped_value(&s, WIDE, &v, &err));
	CHECK(v.bit_off == 7 && v.bit_size == 62);
	REQUIRE(value_u64(&k.t, v, &n, &err));
	CHECK_U64(n, UINT64_C(0x0123456789abcdef) | UINT64_C(0x15) << 57);
	REQUIRE_OK(shape_offset(&k.t, &shape, FAR, &n, &err), err);
	CHECK_U64(n, 409);
	CHECK(!shape_offset(&k.t, &shape, GONE, &n, &err));
	kernel_release(&k);
}

/* Whatever the order in which a shape names them, near and far. */
TEST(fields_in_any_order)
{
	static const struct shape_field all[] = { FIELD("a"), FIELD("near"), FIELD("far"),
						  FIELD("name_far") };
	static const uint64_t wants[] = { 0x1111222233334444, 0xa0b0c0d0, 0x9999aaaabbbbcccc };

	for (unsigned code = 0; code < 256; code++) { /* two bits say which is next */
		struct shape_field some[4];
		const struct shape in_order = SHAPE("struct thing", some);
		unsigned which[4], seen = 0;
		struct shaped s;

		for (unsigned i = 0; i < 4; i++) {
			which[i] = code >> 2 * i & 3;
			seen |= 1u << which[i];
			some[i] = all[which[i]];
		}
		if (seen != 15)
			continue;
		start();
		REQUIRE_OK(shape_read(&k.t, &in_order, PLACE, &s, &err), err);
		CHECK(s.bytes != NULL);
		for (unsigned i = 0; i < 4; i++) {
			const char *text = "";
			uint64_t n = 0;

			if (which[i] < 3)
				CHECK(shaped_u64(&s, i, &n, &err) && n == wants[which[i]]);
			else
				CHECK(shaped_str(&s, i, &k.scratch, &text, &err) &&
				      !strcmp(text, "and another far away"));
		}
		kernel_release(&k);
	}
}

/* Bits of every width from every bit of a byte on; not a byte more is read than holds them. */
TEST(bits_at_the_end_of_what_can_be_read)
{
	static const struct shape_field one[] = { FIELD("m") };
	static const struct shape bit_shape = SHAPE("struct bits", one);
	const uint64_t end = KERNEL_BASE + 0x6000;

	for (uint16_t off = 0; off < 8; off++)
		for (uint32_t width = 1; width <= 64; width++)
			for (int is_signed = 0; is_signed < 2; is_signed++) {
				uint64_t bytes = (uint64_t)(off + width + 7) / 8, got = 0, want = 0;
				struct type *type;
				struct shaped s;

				kernel_init(&k);
				k.holes = 1 << 6;
				memset(k.mem + 0x5000, 0xa5, 0x1000);
				type = kernel_struct(&k, "bits", 16);
				bits(type, "m", is_signed ? &k.s64 : &k.u64, 64 + off, width);
				for (uint32_t b = 0; b < width; b++)
					want |= (uint64_t)(0xa5 >> (off + b) % 8 & 1) << b;
				if (is_signed && width < 64 && want >> (width - 1) & 1)
					want |= ~UINT64_C(0) << width;
				REQUIRE_OK(shape_read(&k.t, &bit_shape, end - bytes - 8, &s, &err),
					   err);
				CHECK(s.bytes != NULL);
				CHECK(shaped_u64(&s, 0, &got, &err));
				CHECK_U64(got, want);
				REQUIRE_OK(shape_read(&k.t, &bit_shape, end - bytes - 7, &s, &err),
					   err);
				CHECK(!shaped_u64(&s, 0, &got, &err));
				kernel_release(&k);
			}
}

/* A field of more than 64 KiB is not read for the others' sake, and they still are. */
TEST(a_large_field)
{
	enum {
		HEAD,
		BULK,
		TAIL
	};
	static const struct shape_field parts[] = { FIELD("head"), FIELD("bulk"), FIELD("tail") };
	static const struct shape large = SHAPE("struct large", parts);
	const uint64_t sizes[] = { 65535, 65536, 65537 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct type *type;
		struct shaped s;
		uint64_t n = 0;

		kernel_init(&k);
		type = kernel_struct(&k, "large", 16 + sizes[i]);
		kernel_member(type, "head", &k.u64, 0);
		kernel_member(type, "bulk", kernel_array(&k, &k.u8, sizes[i]), 8);
		kernel_member(type, "tail", &k.u64, 8 + sizes[i]);
		put64(&k, LARGE, 123);
		put64(&k, LARGE + 8 + sizes[i], 456);
		put_str(&k, LARGE + 8, "bulk");
		REQUIRE_OK(shape_read(&k.t, &large, LARGE, &s, &err), err);
		CHECK(!!s.bytes == (sizes[i] <= 65536));
		CHECK(shaped_u64(&s, HEAD, &n, &err) && n == 123);
		CHECK(shaped_u64(&s, TAIL, &n, &err) && n == 456);
		kernel_release(&k);
	}
}

TEST(one_member_at_a_time)
{
	char path[300], type[300];
	uint64_t n = 0;

	start();
	CHECK(field_u64(&k.t, "struct thing", PLACE, "nothing|b", &n, &err));
	CHECK_U64(n, 0x5555666677778888);
	/* the same again, of another place: what is kept is where, not what */
	CHECK(field_u64(&k.t, "struct thing", PLACE - 8, "nothing|b", &n, &err));
	CHECK_U64(n, 0x1111222233334444);
	/* members of like names and types of like names are not taken for each other */
	CHECK(field_u64(&k.t, "struct thing", PLACE, "a", &n, &err) && n == 0x1111222233334444);
	CHECK(field_u64(&k.t, "struct thing", PLACE, "wide", &n, &err));
	CHECK_U64(n, UINT64_C(0x0123456789abcdef) | UINT64_C(0x15) << 57);
	CHECK(field_offset(&k.t, "struct thing", "far", &n, &err) && n == 409);
	CHECK(!field_u64(&k.t, "struct thing", PLACE, "name", &n, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	CHECK_CONTAINS(err.msg, "'struct thing.name': ");
	CHECK(!field_u64(&k.t, "struct thing", PLACE, "nothing|none", &n, &err));
	CHECK_CONTAINS(err.msg, "nothing");
	CHECK(!field_offset(&k.t, "struct thing", "none", &n, &err));
	CHECK(!field_u64(&k.t, "struct none", PLACE, "a", &n, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	/* the longest path is 255 bytes; longer ones are refused, wherever their second name begins
	 */
	memset(path, 'x', sizeof(path));
	for (size_t len = 254; len <= 257; len++) {
		memcpy(path + len, "|b", 3);
		err.msg[0] = '\0';
		CHECK(field_u64(&k.t, "struct thing", PLACE, path, &n, &err) == (len < 256));
		CHECK((strstr(err.msg, "too long") != NULL) == (len >= 256));
		path[len] = path[len + 1] = path[len + 2] = 'x';
	}
	/* what does not fit what is kept is looked for each time, and found */
	memset(type, ' ', sizeof(type));
	memset(path, 'x', sizeof(path));
	memcpy(path + 250, "|b", 3);
	for (size_t len = 256; len <= 262; len++) {
		memcpy(type, "struct ", 7);
		memset(type + 7, 't', len - 7);
		type[len] = '\0';
		k.types[0]->name = type + 7;
		for (unsigned again = 0; again < 2; again++) {
			n = 0;
			CHECK_OK(field_u64(&k.t, type, PLACE, path, &n, &err), err);
			CHECK_U64(n, 0x5555666677778888);
		}
	}
	kernel_release(&k);
}

TEST_MAIN
