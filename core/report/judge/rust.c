/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rust's names of functions, mangled as RFC 2603 (v0) says, as paths that people write. What every
 * build changes is left out: hashes of crates, numbers of impls and closures, and generic
 * arguments.
 */
#include <ctype.h>
#include <string.h>

#include "core/base/number.h"
#include "core/report/report.h"

#define DEPTH_MAX 64u
#define STEPS_MAX 2000u
#define NAME_MAX_BYTES 1024u

struct rust {
	const char *s; /* behind "_R"; references are counted from here */
	size_t n, at;
	unsigned depth, steps;
	bool quiet; /* what is read now is not printed */
	bool bad;
	struct buf b;
};

static void path(struct rust *r);
static void type(struct rust *r);

static char next(struct rust *r)
{
	r->bad |= r->at >= r->n || ++r->steps > STEPS_MAX || r->b.n > NAME_MAX_BYTES;
	return r->bad ? '\0' : r->s[r->at++];
}

static bool eat(struct rust *r, char c)
{
	if (r->bad || r->at >= r->n || r->s[r->at] != c)
		return false;
	r->at++;
	return true;
}

static void rust_put(struct rust *r, const char *s, size_t n)
{
	if (!r->quiet && !r->bad)
		buf_add(&r->b, s, n);
}

static void put_str(struct rust *r, const char *s)
{
	rust_put(r, s, strlen(s));
}

/* "_" is 0, "0_" 1, "Z_" 62 */
static uint64_t base62(struct rust *r)
{
	uint64_t v = 0;

	if (eat(r, '_'))
		return 0;
	for (char c = next(r); !r->bad && c != '_'; c = next(r)) {
		unsigned digit = isdigit((unsigned char)c)   ? (unsigned)(c - '0')
				 : islower((unsigned char)c) ? (unsigned)(c - 'a') + 10
				 : isupper((unsigned char)c) ? (unsigned)(c - 'A') + 36
							     : 62;

		r->bad |= digit == 62;
		v = v * 62 + digit;
	}
	return v + 1;
}

/* "5_bytes" or "5bytes"; "u" in front says punycode, which is left as it is */
static void plain_identifier(struct rust *r, const char *before)
{
	const char *digits;
	uint64_t n = 0;

	(void)eat(r, 'u');
	digits = r->s + r->at;
	/* a 0 has no digit behind it: what follows is of the name */
	if (!eat(r, '0') && number_take(&digits, r->s + r->n, 10, &n))
		r->at = (size_t)(digits - r->s);
	(void)eat(r, '_');
	if (n > r->n - r->at) {
		r->bad = true;
		return;
	}
	if (n) {
		put_str(r, before);
		rust_put(r, r->s + r->at, n);
	}
	r->at += n;
}

static void disambiguator(struct rust *r)
{
	if (eat(r, 's'))
		base62(r);
}

static void identifier(struct rust *r, const char *before)
{
	disambiguator(r);
	plain_identifier(r, before);
}

/* Reads again what stands further in front. */
static void reference(struct rust *r, void (*what)(struct rust *r))
{
	size_t start = r->at - 1, back, to = (size_t)base62(r);

	if (r->bad || to >= start) {
		r->bad = true;
		return;
	}
	back = r->at;
	r->at = to;
	what(r);
	r->at = back;
}

static void quietly(struct rust *r, void (*what)(struct rust *r))
{
	bool quiet = r->quiet;

	r->quiet = true;
	what(r);
	r->quiet = quiet;
}

static void constant(struct rust *r)
{
	if (eat(r, 'p'))
		return;
	if (eat(r, 'B')) {
		reference(r, constant);
		return;
	}
	type(r);
	(void)eat(r, 'n');
	for (char c = next(r); !r->bad && c != '_'; c = next(r))
		r->bad |= !isxdigit((unsigned char)c);
}

static void generic_arguments(struct rust *r)
{
	while (!r->bad && !eat(r, 'E')) {
		if (eat(r, 'L'))
			base62(r);
		else if (eat(r, 'K'))
			constant(r);
		else
			type(r);
	}
}

static void binder(struct rust *r)
{
	if (eat(r, 'G'))
		base62(r);
}

static void function_type(struct rust *r)
{
	binder(r);
	(void)eat(r, 'U');
	if (eat(r, 'K') && !eat(r, 'C'))
		plain_identifier(r, "");
	while (!r->bad && !eat(r, 'E'))
		type(r);
	type(r);
}

static void dyn_type(struct rust *r)
{
	binder(r);
	while (!r->bad && !eat(r, 'E')) {
		path(r);
		while (eat(r, 'p')) {
			plain_identifier(r, "");
			quietly(r, type);
		}
	}
	if (eat(r, 'L'))
		base62(r);
}

static void tuple(struct rust *r)
{
	while (!r->bad && !eat(r, 'E'))
		type(r);
}

static void type(struct rust *r)
{
	char c = next(r);

	if (++r->depth > DEPTH_MAX)
		r->bad = true;
	if (r->bad) {
		/* no more of it */
	} else if (islower((unsigned char)c)) {
		rust_put(r, &c, 1); /* a basic type, by its letter */
	} else if (c == 'A') {
		put_str(r, "[]");
		quietly(r, type);
		quietly(r, constant);
	} else if (c == 'S') {
		put_str(r, "[]");
		quietly(r, type);
	} else if (c == 'T') {
		put_str(r, "()");
		quietly(r, tuple);
	} else if (c == 'R' || c == 'Q') {
		if (eat(r, 'L'))
			base62(r);
		put_str(r, "&");
		type(r);
	} else if (c == 'P' || c == 'O') {
		put_str(r, "*");
		type(r);
	} else if (c == 'F') {
		put_str(r, "fn");
		quietly(r, function_type);
	} else if (c == 'D') {
		put_str(r, "dyn ");
		dyn_type(r);
	} else if (c == 'B') {
		reference(r, type);
	} else {
		r->at--;
		path(r);
	}
	r->depth--;
}

static void impl_path(struct rust *r)
{
	disambiguator(r);
	path(r);
}

static void path(struct rust *r)
{
	char c = next(r), space;

	if (++r->depth > DEPTH_MAX)
		r->bad = true;
	switch (r->bad ? '\0' : c) {
	case 'C':
		identifier(r, "");
		break;
	case 'N':
		space = next(r);
		path(r);
		if (space == 'C')
			put_str(r, "::{closure}");
		else if (space == 'S')
			put_str(r, "::{shim}");
		identifier(r, "::");
		break;
	case 'M':
		quietly(r, impl_path);
		type(r);
		break;
	case 'X':
		quietly(r, impl_path);
		/* fall through */
	case 'Y':
		put_str(r, "<");
		type(r);
		put_str(r, " as ");
		path(r);
		put_str(r, ">");
		break;
	case 'I':
		path(r);
		quietly(r, generic_arguments);
		break;
	case 'B':
		reference(r, path);
		break;
	default:
		r->bad = true;
	}
	r->depth--;
}

const char *rust_plain(struct arena *a, const char *name, size_t n)
{
	struct rust r = { .s = name + 2, .n = n - 2 };
	const char *ret = NULL;

	if (n < 4 || name[0] != '_' || name[1] != 'R')
		return NULL;
	path(&r);
	/* the crate that had it made may follow */
	if (!r.bad && r.b.n && (r.at == r.n || isupper((unsigned char)r.s[r.at])))
		ret = arena_strndup(a, r.b.s, r.b.n);
	buf_release(&r.b);
	return ret;
}
