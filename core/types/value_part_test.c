/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of values that are made here: numbers of any width, bits, elements and text, at hand and in
 * memory. */
#include "core/base/test.h"
#include "core/types/value.h"
#include "core/linux/kernel_fake.h"

#define THING (KERNEL_BASE + 0x1000)
#define TEXT (KERNEL_BASE + 0x4000)

static struct fake_kernel k;
static struct err err;

static struct type int_of(uint64_t size, bool is_signed)
{
	return (struct type){
		.kind = TYPE_INT, .size = size, .is_signed = is_signed, .filled = true
	};
}

TEST(numbers_of_any_width)
{
	static const uint64_t sizes[] = { 1, 2, 4, 8, 16, 32, 64, 65, 1000 };

	kernel_init(&k);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (int is_signed = 0; is_signed < 2; is_signed++)
			for (int64_t n = -2; n < 3; n += 2) {
				struct type type = int_of(sizes[i], is_signed);
				struct value v = value_int(&k.t, &type, (uint64_t)n);
				uint64_t got = 0;

				CHECK(v.kind == VALUE_BYTES && !v.addr && v.type == &type);
				for (size_t b = 0; b < (sizes[i] < 64 ? sizes[i] : 64); b++)
					CHECK_U64(v.bytes[b], b < 8 ? (uint64_t)n >> 8 * b & 0xff
							      : is_signed && n < 0 ? 0xff
										   : 0);
				CHECK(value_u64(&k.t, v, &got, &err) == (sizes[i] <= 8));
				if (sizes[i] <= 8 && (is_signed || n >= 0))
					CHECK_U64(got, (uint64_t)n);
				else if (sizes[i] < 8)
					CHECK_U64(got, (uint64_t)n &
							       ((UINT64_C(1) << 8 * sizes[i]) - 1));
			}
	kernel_release(&k);
}

/* Bits from `off` of a byte, n of them, of 9 bytes 0xf0, 0xf1, ...: as a shift tells. */
TEST(bits_of_a_number)
{
	static const uint8_t bytes[] = { 0xf0, 0xa1, 0x52, 0x93, 0x04, 0xc5, 0x36, 0xe7, 0x5a };

	kernel_init(&k);
	for (int is_signed = 0; is_signed < 2; is_signed++)
		for (uint16_t off = 0; off < 10; off++)
			for (uint16_t n = 1; n < 67; n++) {
				struct type type = int_of(8, is_signed);
				struct value v = value_bytes(&type, bytes, 0);
				uint64_t want = 0, got = 0;

				v.bit_off = off;
				v.bit_size = n;
				for (uint16_t b = 0; b < n && b < 64 && off < 8; b++)
					want |= (uint64_t)(bytes[(off + b) / 8] >> (off + b) % 8 &
							   1)
						<< b;
				if (is_signed && n < 64 && want >> (n - 1) & 1)
					want |= ~UINT64_C(0) << n;
				CHECK(value_u64(&k.t, v, &got, &err) == (n <= 64 && off < 8));
				if (n <= 64 && off < 8)
					CHECK_U64(got, want);
				else
					CHECK_CONTAINS(err.msg, "too wide");
			}
	kernel_release(&k);
}

/* Bytes at hand answer for their own part; what lies beyond is asked of memory, if they have a
 * place there. */
TEST(elements_at_hand_and_in_memory)
{
	static const uint8_t bytes[] = { 1, 0, 2, 0, 3, 0, 4, 0 };
	struct type u16 = int_of(2, false);
	struct type array = {
		.kind = TYPE_ARRAY, .size = 6, .count = 0, .target = &u16, .filled = true
	};
	struct member last = { .name = "last", .type = &u16, .bit_off = 32 };
	struct value v, m;
	uint64_t n;

	kernel_init(&k);
	array.source = u16.source = &k.source;
	put64(&k, TEXT, UINT64_C(0x0008000700060005));
	v = value_bytes(&array, bytes, TEXT);
	for (int64_t i = 0; i < 4; i++) { /* three at hand, the fourth in memory */
		REQUIRE_OK(value_index(&k.t, v, i, &m, &err), err);
		CHECK_U64(m.kind, i < 3 ? VALUE_BYTES : VALUE_REF);
		CHECK_U64(m.addr, TEXT + 2 * (uint64_t)i);
		REQUIRE_OK(value_u64(&k.t, m, &n, &err), err);
		CHECK_U64(n, i < 3 ? (uint64_t)i + 1 : 8);
	}
	v.addr = 0; /* no place */
	CHECK_OK(value_at_member(&k.t, v, &last, &m, &err), err);
	last.bit_off += 16;
	CHECK(!value_at_member(&k.t, v, &last, &m, &err));
	REQUIRE_OK(value_index(&k.t, v, 2, &m, &err), err);
	CHECK(m.kind == VALUE_BYTES && !m.addr);
	CHECK(!value_index(&k.t, v, 3, &m, &err));
	CHECK_CONTAINS(err.msg, "fewer bytes");
	CHECK(!value_index(&k.t, v, -1, &m, &err));
	v = value_ref(&array, TEXT + 4);
	REQUIRE_OK(value_index(&k.t, v, -2, &m, &err), err);
	REQUIRE_OK(value_u64(&k.t, m, &n, &err), err);
	CHECK_U64(n, 5);
	CHECK(!value_index(&k.t, v, INT64_MAX, &m, &err));
	CHECK_ERR(err, ERR_LIMIT);
	array.count = 3; /* a count that is said is kept to; one of 1 is a struct's end */
	CHECK(!value_index(&k.t, v, 3, &m, &err) && !value_index(&k.t, v, -1, &m, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	array.count = 1;
	CHECK_OK(value_index(&k.t, v, 3, &m, &err), err);
	u16.size = 0;
	CHECK(!value_index(&k.t, v, 0, &m, &err));
	CHECK_CONTAINS(err.msg, "no size");
	CHECK(!value_index(&k.t, value_ref(&u16, TEXT), 0, &m, &err));
	CHECK_CONTAINS(err.msg, "neither array nor pointer");
	CHECK(!value_deref(&k.t, value_ref(&u16, TEXT), &m, &err));
	CHECK_CONTAINS(err.msg, "not a pointer");
	kernel_release(&k);
}

TEST(text_by_pointers_and_of_open_arrays)
{
	struct type letter = { .kind = TYPE_CHAR, .size = 1, .filled = true };
	struct type pointer = {
		.kind = TYPE_POINTER, .size = 8, .target = &letter, .filled = true
	};
	struct type open = { .kind = TYPE_ARRAY, .target = &letter, .filled = true };
	struct type ten = {
		.kind = TYPE_ARRAY, .size = 10, .count = 10, .target = &letter, .filled = true
	};
	uint64_t edge = KERNEL_BASE + 0x5ffb;
	const char *s = NULL;
	struct value v;

	kernel_init(&k);
	put_str(&k, TEXT, "a longer text");
	put64(&k, THING, TEXT);
	put_str(&k, edge, "abcd");
	k.holes = 1 << 6;
	REQUIRE_OK(value_str(&k.t, value_ref(&pointer, THING), 64, &k.scratch, &s, &err), err);
	CHECK_STR(s, "a longer text");
	REQUIRE_OK(value_str(&k.t, value_ref(&pointer, THING), 3, &k.scratch, &s, &err), err);
	CHECK_STR(s, "a l");
	REQUIRE_OK(value_str(&k.t, value_ref(&open, TEXT), 64, &k.scratch, &s, &err), err);
	CHECK_STR(s, "a longer text");
	REQUIRE_OK(value_str(&k.t, value_ref(&ten, TEXT), 64, &k.scratch, &s, &err), err);
	CHECK_STR(s, "a longer t"); /* it needs no end */
	v = value_load(&k.t, value_ref(&ten, TEXT));
	CHECK_U64(v.kind, VALUE_BYTES);
	REQUIRE_OK(value_str(&k.t, v, 64, &k.scratch, &s, &err), err);
	CHECK_STR(s, "a longer t");
	/* what can be read of an array has its end; or not */
	REQUIRE_OK(value_str(&k.t, value_ref(&ten, edge), 64, &k.scratch, &s, &err), err);
	CHECK_STR(s, "abcd");
	CHECK(!value_str(&k.t, value_ref(&ten, edge + 5), 64, &k.scratch, &s, &err));
	k.mem[edge + 4 - KERNEL_BASE] = 'e';
	CHECK(!value_str(&k.t, value_ref(&ten, edge), 64, &k.scratch, &s, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(!value_str(&k.t, value_ref(&pointer, edge + 5), 64, &k.scratch, &s, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(!value_str(&k.t, value_ref(&letter, TEXT), 64, &k.scratch, &s, &err));
	CHECK_CONTAINS(err.msg, "is not text");
	CHECK(!value_str(&k.t, value_absent(&ten, TEXT, ERR_EXCLUDED), 64, &k.scratch, &s, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	kernel_release(&k);
}

/* What is asked for is read, and not a byte more: the next page is not there. */
TEST(bits_at_the_end_of_what_can_be_read)
{
	const uint64_t end = KERNEL_BASE + 0x6000;

	kernel_init(&k);
	k.holes = 1 << 6;
	memset(k.mem + 0x5000, 0xa5, 0x1000);
	for (uint16_t off = 0; off < 8; off++)
		for (uint16_t n = 1; n <= 64; n++) {
			struct type type = int_of(8, false);
			uint64_t bytes = (uint64_t)(off + n + 7) / 8, got = 0, want = 0;
			struct value v = value_ref(&type, end - bytes);

			v.bit_off = off;
			v.bit_size = n;
			for (uint16_t b = 0; b < n; b++)
				want |= (uint64_t)(0xa5 >> (off + b) % 8 & 1) << b;
			if (CHECK_OK(value_u64(&k.t, v, &got, &err), err))
				CHECK_U64(got, want);
			v.addr++;
			CHECK(!value_u64(&k.t, v, &got, &err));
			CHECK_ERR(err, ERR_EXCLUDED);
		}
	kernel_release(&k);
}

/* The last bytes of a struct at hand are its own, a bit-field's too. */
TEST(bits_at_the_end_of_what_is_at_hand)
{
	static const uint8_t bytes[] = { 0x5a, 0xc3 };
	struct member m = { .name = "m", .bit_off = 11, .bit_size = 5 };
	struct type u32 = int_of(4, false);
	struct type packed = { .kind = TYPE_STRUCT,
			       .name = "packed",
			       .size = 2,
			       .members = &m,
			       .n_members = 1,
			       .filled = true };
	struct value v;
	uint64_t n = 0;

	kernel_init(&k);
	m.type = &u32;
	for (int by_name = 0; by_name < 2; by_name++) {
		struct value in = value_bytes(&packed, bytes, 0);

		CHECK_OK(by_name ? value_member(&k.t, in, "m", &v, &err)
				 : value_at_member(&k.t, in, &m, &v, &err),
			 err);
		CHECK_U64(v.kind, VALUE_BYTES);
		CHECK(v.bit_off == 3 && v.bit_size == 5);
		CHECK(value_u64(&k.t, v, &n, &err) && n == 0xc3 >> 3);
	}
	m.bit_size = 6; /* beyond it */
	CHECK(!value_member(&k.t, value_bytes(&packed, bytes, 0), "m", &v, &err));
	CHECK_CONTAINS(err.msg, "fewer bytes");
	kernel_release(&k);
}

/* Why it is absent, and where. */
TEST(absence_says_why)
{
	static const enum err_code codes[] = { ERR_EXCLUDED, ERR_TRUNCATED, ERR_NOTRAM,
					       ERR_UNMAPPED, ERR_NOPGTABLE };
	struct type type = int_of(8, false);
	struct value none = { .type = &type, .kind = VALUE_NONE };
	uint64_t n;

	kernel_init(&k);
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		CHECK(!value_u64(&k.t, value_absent(&type, 0xabcd000, codes[i]), &n, &err));
		CHECK_ERR(err, codes[i]);
		CHECK_U64(err.addr, 0xabcd000);
		CHECK_CONTAINS(err.msg, err_absent_text(codes[i]));
		CHECK_CONTAINS(err.msg, "0xabcd000");
	}
	CHECK(!value_u64(&k.t, value_absent(&type, 0xabcd000, ERR_NOFIELD), &n, &err));
	CHECK_ERR(err, ERR_NOFIELD);
	CHECK_CONTAINS(err.msg, "no value is here");
	CHECK(!value_u64(&k.t, none, &n, &err));
	CHECK_ERR(err, ERR_USAGE);
	kernel_release(&k);
}

TEST_MAIN
