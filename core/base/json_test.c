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

static size_t elements(const char *s, size_t *last)
{
	const char *value;
	size_t at, n = 0;

	*last = 0;
	if (!json_array(s, strlen(s), "k", &at))
		return SIZE_MAX;
	while (json_element(s, strlen(s), &at, &value, last))
		n++;
	return n;
}

/* An array of its own, or of an object; what is cut has no last element, unless that is whole. */
TEST(arrays_are_walked_over)
{
	static const struct {
		const char *text;
		size_t n, last;
	} arrays[] = { { "[]", 0, 0 },
		       { " [ 1 , \"a]\", {\"b\":[2]} ]", 3, 9 },
		       { "{\"x\":[1,2],\"k\":[3]}", 1, 1 },
		       { "{\"k\":[{},{}", 2, 2 },
		       { "[{\"a\":1},{\"a\":{}", 1, 7 },
		       { "[1,2", 1, 1 },
		       { "{\"k\":1}", SIZE_MAX, 0 },
		       { "{\"j\":[1]}", SIZE_MAX, 0 },
		       { "{\"k", SIZE_MAX, 0 },
		       { "1", SIZE_MAX, 0 },
		       { "", SIZE_MAX, 0 } };

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		size_t last;
		unsigned before = test_state.failures;

		CHECK_U64(elements(arrays[i].text, &last), arrays[i].n);
		if (arrays[i].n && arrays[i].n != SIZE_MAX)
			CHECK_U64(last, arrays[i].last);
		if (test_state.failures != before)
			printf("  in: %s\n", arrays[i].text);
	}
}

TEST(members_come_one_after_the_other)
{
	static const char text[] = "{ \"a\" : 1, \"b\":{\"a\":2} , \"\":\"x\\n\"}";
	struct json_pair p;
	size_t at = 0;
	char to[8];

	CHECK(json_next(text, sizeof(text) - 1, &at, &p));
	CHECK(p.key_n == 1 && *p.key == 'a' && p.value_n == 1 && *p.value == '1');
	CHECK(json_next(text, sizeof(text) - 1, &at, &p));
	CHECK(p.key_n == 1 && *p.key == 'b' && p.value_n == 7);
	CHECK(json_next(text, sizeof(text) - 1, &at, &p));
	CHECK(p.key_n == 0 && p.value_n == 5);
	CHECK_U64(json_string(p.value, p.value_n, to), 2);
	CHECK_STR(to, "x\n");
	CHECK(!json_next(text, sizeof(text) - 1, &at, &p));
	CHECK_U64(json_string("12", 2, to), 0);
	CHECK_U64(json_string("", 0, to), 0);
	at = 0;
	CHECK(!json_next("[1]", 3, &at, &p));
	at = 0;
	CHECK(!json_next("{\"a\"", 4, &at, &p));
}
TEST_MAIN
