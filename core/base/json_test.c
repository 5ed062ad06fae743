/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of reading members out of a JSON object. */
#include "core/base/json.h"
#include "core/base/test.h"

#include <string.h>

static const char line[] =
	"{\"record\":\"crash\",\"path\":\"a\\n\\\"b\\\\\\u00e9\\ud83d\\ude00\",\"status\":4,"
	"\"title\":null,\"verdict\":{\"path\":\"inner\",\"x\":[1,{\"y\":\"}\"}]},\"last\":\"z\"}";

TEST(strings_lose_their_escapes)
{
	struct arena a = { 0 };

	CHECK_STR(json_member_str(&a, line, strlen(line), "path"),
		  "a\n\"b\\\xc3\xa9\xf0\x9f\x98\x80");
	CHECK_STR(json_member_str(&a, line, strlen(line), "last"), "z");
	CHECK(!json_member_str(&a, line, strlen(line), "title"));
	CHECK(!json_member_str(&a, line, strlen(line), "status"));
	CHECK(!json_member_str(&a, line, strlen(line), "x"));
	arena_release(&a);
}

TEST(values_are_found_whole)
{
	const char *v;
	uint64_t u;
	size_t n;

	CHECK(json_member(line, strlen(line), "verdict", &v, &n));
	CHECK(n == strlen("{\"path\":\"inner\",\"x\":[1,{\"y\":\"}\"}]}") && *v == '{');
	CHECK(json_member_uint(line, strlen(line), "status", &u) && u == 4);
	CHECK(!json_member_uint(line, strlen(line), "path", &u));
	CHECK(!json_member(line, strlen(line), "y", &v, &n));
}

/* A line that a killed process left half written is no object, wherever it ends. */
TEST(what_is_cut_is_no_object)
{
	CHECK(json_is_object(line, strlen(line)));
	for (size_t n = 0; n < strlen(line); n++) {
		char cut[sizeof(line)];
		const char *v;
		size_t len;

		memcpy(cut, line, n);
		cut[n] = '\0';
		CHECK(!json_is_object(cut, n));
		(void)json_member(cut, n, "last", &v, &len);
	}
	CHECK(json_is_object("{}", 2));
	CHECK(!json_is_object("[1]", 3));
	CHECK(!json_is_object("{\"a\":}", 6));
	CHECK(!json_is_object("{\"a\" 1}", 7));
	CHECK(!json_is_object("{} x", 4));
}

TEST(depth_has_an_end)
{
	char deep[200] = "{\"a\":";
	const char *v;
	size_t n;

	memset(deep + 5, '[', 180);
	CHECK(!json_member(deep, strlen(deep), "a", &v, &n));
}

TEST_MAIN
