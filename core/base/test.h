/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The unit tests' harness: cases that register themselves, checks that say what they saw. */
#ifndef OBIT_TEST_H
#define OBIT_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"

/*
 *	TEST(reads_past_the_end_fail)
 *	{
 *		CHECK_U64(load_le16("\1\2"), 0x201);
 *		CHECK(!span_sub(s, 3, 1, "x", &sub, &err));
 *		CHECK_ERR(err, ERR_FORMAT);
 *	}
 *	TEST_MAIN
 *
 * A failed CHECK is printed and the case goes on; a failed REQUIRE ends the case. A program without
 * a case, and a case without a check, fail: a test that tests nothing is a mistake.
 */
struct test_case {
	const char *name;
	void (*fn)(void);
	struct test_case *next;
};

/* The one program-wide state a test may have. */
struct test_state {
	struct test_case *first, **last;
	unsigned checks, failures;
};
static struct test_state test_state;

static inline void test_add(struct test_case *c)
{
	if (!test_state.last)
		test_state.last = &test_state.first;
	*test_state.last = c;
	test_state.last = &c->next;
}

#define TEST(id)                                                           \
	static void test_##id(void);                                       \
	static struct test_case test_case_##id = { #id, test_##id, NULL }; \
	__attribute__((constructor)) static void test_register_##id(void)  \
	{                                                                  \
		test_add(&test_case_##id);                                 \
	}                                                                  \
	static void test_##id(void)

#define TEST_MAIN                             \
	int main(int argc, char **argv)       \
	{                                     \
		return test_main(argc, argv); \
	}

/* Prints where, unless it holds; returns whether it held. */
static inline bool test_check(bool held, const char *file, int line, const char *text)
{
	test_state.checks++;
	if (held)
		return true;
	test_state.failures++;
	printf("%s:%d: failed: %s\n", file, line, text);
	return false;
}

static inline bool test_check_u64(uint64_t got, uint64_t want, const char *file, int line,
				  const char *text)
{
	if (test_check(got == want, file, line, text))
		return true;
	printf("  got  %" PRIu64 " (0x%" PRIx64 ")\n  want %" PRIu64 " (0x%" PRIx64 ")\n", got, got,
	       want, want);
	return false;
}

static inline bool test_check_str(const char *got, const char *want, const char *file, int line,
				  const char *text)
{
	bool same = got && want ? strcmp(got, want) == 0 : got == want;

	if (test_check(same, file, line, text))
		return true;
	printf("  got  \"%s\"\n  want \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
	return false;
}

static inline bool test_check_mem(const void *got, const void *want, size_t n, const char *file,
				  int line, const char *text)
{
	if (test_check(n == 0 || memcmp(got, want, n) == 0, file, line, text))
		return true;
	for (size_t i = 0; i < n; i++) {
		unsigned a = ((const uint8_t *)got)[i], b = ((const uint8_t *)want)[i];

		if (a != b) {
			printf("  byte %zu of %zu: got 0x%02x, want 0x%02x\n", i, n, a, b);
			break;
		}
	}
	return false;
}

/* A call that must succeed: on failure its error is shown. */
static inline bool test_check_ok(bool held, const struct err *err, const char *file, int line,
				 const char *text)
{
	if (test_check(held, file, line, text))
		return true;
	printf("  %s: %s\n", err_code_name(err->code), err->msg);
	return false;
}

static inline bool test_check_err(const struct err *err, enum err_code code, const char *file,
				  int line, const char *text)
{
	if (test_check(err->code == code, file, line, text))
		return true;
	printf("  got  %s: %s\n  want %s\n", err_code_name(err->code), err->msg,
	       err_code_name(code));
	return false;
}

#define CHECK(cond) test_check((cond), __FILE__, __LINE__, #cond)
#define CHECK_U64(got, want) test_check_u64((got), (want), __FILE__, __LINE__, #got " == " #want)
#define CHECK_STR(got, want) test_check_str((got), (want), __FILE__, __LINE__, #got " == " #want)
#define CHECK_MEM(got, want, n) \
	test_check_mem((got), (want), (n), __FILE__, __LINE__, #got " == " #want)
/* err is a struct err, not a pointer to one. */
#define CHECK_OK(call, err) test_check_ok((call), &(err), __FILE__, __LINE__, #call)
#define CHECK_ERR(err, code) test_check_err(&(err), (code), __FILE__, __LINE__, #err " is " #code)
#define CHECK_CONTAINS(text, part) CHECK(strstr((text), (part)) != NULL)
#define REQUIRE(cond)             \
	do {                      \
		if (!CHECK(cond)) \
			return;   \
	} while (0)
#define REQUIRE_OK(call, err)             \
	do {                              \
		if (!CHECK_OK(call, err)) \
			return;           \
	} while (0)

/* An argument runs only the cases whose name contains it. */
static inline int test_main(int argc, char **argv)
{
	unsigned ran = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (struct test_case *c = test_state.first; c; c = c->next) {
		unsigned checks = test_state.checks, failures = test_state.failures;

		if (argc > 1 && !strstr(c->name, argv[1]))
			continue;
		ran++;
		c->fn();
		if (test_state.checks == checks) {
			printf("%s: checked nothing\n", c->name);
			failed++;
		} else if (test_state.failures != failures) {
			printf("not ok: %s\n", c->name);
			failed++;
		}
	}
	if (!ran)
		printf("no test ran\n");
	printf("%u cases, %u checks, %u failed\n", ran, test_state.checks, failed);
	return ran && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
