/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of build-ids: notes as elf.h and the ELF specification lay them out, and as text. */
#include "core/base/test.h"
#include "core/image/build_id.h"

TEST(text_to_bytes_and_back)
{
	static const char text[] = "00ff10a9b8c7d6e5f40123456789abcdef0fedcb";
	static const uint8_t bytes[20] = { 0x00, 0xff, 0x10, 0xa9, 0xb8, 0xc7, 0xd6,
					   0xe5, 0xf4, 0x01, 0x23, 0x45, 0x67, 0x89,
					   0xab, 0xcd, 0xef, 0x0f, 0xed, 0xcb };
	struct arena a = { 0 };
	uint8_t id[BUILD_ID_MAX];
	size_t n = 0;

	REQUIRE(build_id_parse(text, strlen(text), id, &n));
	CHECK_U64(n, sizeof(bytes));
	CHECK_MEM(id, bytes, sizeof(bytes));
	CHECK_STR(build_id_text(&a, id, n), text);
	/* the length counts, not what stands behind it */
	REQUIRE(build_id_parse("abcd]", 4, id, &n));
	CHECK_U64(n, 2);
	CHECK_MEM(id, "\xab\xcd", 2);
	arena_release(&a);
}

TEST(what_is_no_build_id)
{
	static const char *const bad[] = {
		"", "a", "abc", "0g", "g0", "AB", "0x12", " 12 ", "12-4"
	};
	char longest[2 * BUILD_ID_MAX + 3];
	uint8_t id[BUILD_ID_MAX];
	size_t n = 77;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!build_id_parse(bad[i], strlen(bad[i]), id, &n));
	memset(longest, 'e', sizeof(longest));
	CHECK(!build_id_parse(longest, 2 * BUILD_ID_MAX + 2, id, &n));
	REQUIRE(build_id_parse(longest, sizeof(id) * 2, id, &n));
	CHECK_U64(n, BUILD_ID_MAX);
	CHECK_U64(id[BUILD_ID_MAX - 1], 0xee);
}

/* namesz, descsz, type, name, desc; both padded to four bytes */
#define NOTE(name_n, desc_n, type, rest) "" name_n "\0\0\0" desc_n "\0\0\0" type "\0\0\0" rest
#define OTHER NOTE("\4", "\2", "\1", "Xen\0\1\2\0\0")
#define GNU_ABI NOTE("\4", "\4", "\1", "GNU\0\0\0\0\0")
#define BUILD_ID NOTE("\4", "\3", "\3", "GNU\0\xaa\xbb\xcc\0")

static bool find(const char *notes, size_t len, uint8_t id[BUILD_ID_MAX], size_t *n)
{
	return build_id_find(SPAN(notes, len), id, n);
}
#define FIND(notes, id, n) find((notes), sizeof(notes) - 1, (id), (n))

TEST(the_note_among_others)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n = 0;

	REQUIRE(FIND(OTHER GNU_ABI BUILD_ID OTHER, id, &n));
	CHECK_U64(n, 3);
	CHECK_MEM(id, "\xaa\xbb\xcc", 3);
	CHECK(!FIND(OTHER GNU_ABI, id, &n));
	/* type 3 of another owner is something else */
	CHECK(!FIND(NOTE("\4", "\3", "\3", "Xen\0\xaa\xbb\xcc\0"), id, &n));
	CHECK(!FIND(NOTE("\4", "\0", "\3", "GNU\0"), id, &n));
}

/* As s390x has them: the same with numbers of the other order. */
TEST(notes_of_big_endian_files)
{
	static const char notes[] = "\0\0\0\4\0\0\0\2\0\0\0\1Xen\0\1\2\0\0"
				    "\0\0\0\4\0\0\0\3\0\0\0\3GNU\0\xaa\xbb\xcc\0";
	uint8_t id[BUILD_ID_MAX];
	size_t n = 0;

	REQUIRE(FIND(notes, id, &n));
	CHECK_U64(n, 3);
	CHECK_MEM(id, "\xaa\xbb\xcc", 3);
}

TEST(broken_notes_are_none)
{
	static const char whole[] = OTHER BUILD_ID;
	uint8_t id[BUILD_ID_MAX];
	char longer[16 + BUILD_ID_MAX + 4] = NOTE("\4", "\x24", "\3", "GNU\0");
	size_t n;

	/* cut anywhere before its last byte, whose padding may be missing */
	for (size_t len = 0; len < sizeof(whole) - 2; len++)
		CHECK(!find(whole, len, id, &n));
	CHECK(find(whole, sizeof(whole) - 2, id, &n));
	CHECK(!find(longer, sizeof(longer), id, &n));
	CHECK(!FIND("\xff\xff\xff\xff\4\0\0\0\3\0\0\0GNU", id, &n));
}

TEST_MAIN
