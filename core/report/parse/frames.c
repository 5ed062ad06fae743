/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of call traces, in every architecture's and every tool's spelling. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

static bool hex(char c)
{
	return isxdigit((unsigned char)c);
}

static bool symbol_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

static const char *skip(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* " [module]" or " [module 40hex]"; modules of decode_stacktrace.sh's output have no brackets. */
static void module_at(struct arena *a, const char **at, const char *end, struct report_frame *f)
{
	const char *p = skip(*at, end), *s, *stop;

	if (p >= end || *p != '[')
		return;
	s = ++p;
	while (p < end && (isalnum((unsigned char)*p) || *p == '_' || *p == '-'))
		p++;
	stop = p;
	if (p == s || p >= end)
		return;
	if (*p == ' ') {
		const char *id = p + 1;

		p = id;
		while (p < end && hex(*p))
			p++;
		if (p - id < 8 || p >= end)
			return;
		if (*p == ']' && a)
			f->module_id = arena_strndup(a, id, (size_t)(p - id));
	}
	if (*p != ']' || (stop - s == 6 && !memcmp(s, "inline", 6)))
		return;
	if (a)
		f->module = arena_strndup(a, s, (size_t)(stop - s));
	*at = p + 1;
}

/* ":module:f+0x1/0x2", as amd64 had it up to v2.6.26. */
static const char *module_before(struct arena *a, const char *s, const char *stop,
				 struct report_frame *f)
{
	const char *p = s + 1;

	while (p < stop && (isalnum((unsigned char)*p) || *p == '_' || *p == '-'))
		p++;
	if (p == s + 1 || p >= stop || *p != ':')
		return s;
	if (a)
		f->module = arena_strndup(a, s + 1, (size_t)(p - s - 1));
	return p + 1;
}

bool frame_symbol(struct arena *a, const char *s, const char *stop, struct report_frame *f,
		  const char **end)
{
	const char *p, *name;

	if (s < stop && *s == ':')
		s = module_before(a, s, stop, f);
	p = s;
	while (p < stop && symbol_char(*p))
		p++;
	name = p;
	if (p == s || isdigit((unsigned char)*s) || p + 3 >= stop || *p != '+' || p[1] != '0' ||
	    p[2] != 'x' || !hex(p[3]))
		return false;
	f->off = number_hex(p + 1, stop, &p);
	if (p + 3 < stop && p[0] == '/' && p[1] == '0' && p[2] == 'x' && hex(p[3]))
		f->size = number_hex(p + 1, stop, &p);
	f->has_off = true;
	if (a)
		f->func = arena_strndup(a, s, (size_t)(name - s));
	else
		f->func = s;
	*end = p;
	module_at(a, end, stop, f);
	return true;
}

/* "(ptrval)" or "(____ptrval____)": what %p shows of an address as long as nothing hides it well.
 * Returns its end, or s. */
static const char *hidden_end(const char *s, const char *end)
{
	static const char *const words[] = { "(ptrval)", "(____ptrval____)" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (has_prefix(s, (size_t)(end - s), words[i]))
			return s + strlen(words[i]);
	return s;
}

/* "[<c0123456>]", "[<(ptrval)>]", "[c0123456]" of 8 digits or more, or 16 digits and a blank; else
 * *ret and *at stay.
 */
static bool address_at(const char **at, const char *end, uint64_t *ret, bool *angle)
{
	const char *p = *at, *q;
	uint64_t v;

	*angle = end - p > 3 && p[0] == '[' && p[1] == '<';
	if (*angle) {
		v = number_hex(p + 2, end, &q);
		if (q == p + 2)
			q = hidden_end(p + 2, end);
		if (q + 1 >= end || q == p + 2 || q[0] != '>' || q[1] != ']')
			return false;
		q += 2;
	} else if (p < end && *p == '[') {
		v = number_hex(p + 1, end, &q);
		if (q - p < 9 || q >= end || *q != ']')
			return false;
		q++;
		q += q < end && *q == ':'; /* sparc64: "Caller[...]: f" */
	} else {
		v = number_hex(p, end, &q);
		if (q - p != 16 || q >= end || (*q != ' ' && *q != ':'))
			return false;
		q++;
	}
	*ret = v;
	*at = skip(q, end);
	return true;
}

size_t frame_braced(struct arena *a, const char *s, size_t n, struct report_frame *f)
{
	const char *end = s + n, *p = skip(s, end), *q, *name;
	uint64_t off;

	memset(f, 0, sizeof(*f));
	if (end - p < 12 || *p != '<')
		return 0;
	f->addr = number_hex(p + 1, end, &q);
	if (q - p < 9 || end - q < 5 || q[0] != '>' || q[1] != '{')
		return 0;
	p = q + 2;
	if (*p == ':' && (q = memchr(p + 1, ':', (size_t)(end - p - 1)))) {
		f->module = a ? arena_strndup(a, p + 1, (size_t)(q - p - 1)) : p + 1;
		p = q + 1;
	}
	for (name = p; p < end && symbol_char(*p); p++)
		;
	if (p == name || isdigit((unsigned char)*name) || p >= end || *p != '+' ||
	    !number_dec(p + 1, end, &off, &q) || q >= end || *q != '}')
		return 0;
	f->func = a ? arena_strndup(a, name, (size_t)(p - name)) : name;
	f->off = off;
	f->has_off = f->reliable = true;
	return (size_t)(q + 1 - s);
}

/* "file.c:12": returns its end, or NULL. */
static const char *source_at(const char *s, const char *end, const char **colon)
{
	const char *p = s, *dot = NULL;

	while (p < end && (symbol_char(*p) || *p == '/' || *p == '-' || *p == '+')) {
		if (*p == '.')
			dot = p;
		p++;
	}
	if (!dot || p == s || p + 1 >= end || *p != ':' || !isdigit((unsigned char)p[1]) ||
	    p - dot > 4 || p - dot < 2)
		return NULL;
	*colon = p++;
	while (p < end && isdigit((unsigned char)*p))
		p++;
	return p;
}

/* decode_stacktrace.sh: "f (x.h:4 fs/f.c:77)" is what was inlined first, and the line of f's own
 * last. The first is put before f's frame, without a name. False: there are no two places. */
static bool inline_pair(struct arena *a, const char *s, const char *end, struct report_frame *ret)
{
	const char *p = memchr(s, '(', (size_t)(end - s)), *colon, *q, *last = NULL;
	struct report_frame inner = { .reliable = true, .src_inlined = true };
	uint64_t line;
	size_t n = 0;

	for (p = p ? p + 1 : end; p < end && (q = source_at(p, end, &colon)); p = skip(q, end)) {
		if (!number_dec(colon + 1, q, &line, &last))
			return false;
		if (!n++) {
			inner.src_file = a ? arena_strndup(a, p, (size_t)(colon - p)) : p;
			inner.src_line = (unsigned)line;
			continue;
		}
		ret[0].src_file = a ? arena_strndup(a, p, (size_t)(colon - p)) : p;
		ret[0].src_line = (unsigned)line;
	}
	if (n < 2)
		return false;
	ret[1] = ret[0];
	ret[0] = inner;
	return true;
}

static void take_source(struct arena *a, const char *s, const char *end, struct report_frame *f)
{
	const char *p = skip(s, end), *colon, *q;
	uint64_t line;

	if (p < end && *p == '(')
		p++;
	if (!(q = source_at(p, end, &colon)) || !number_dec(colon + 1, q, &line, &s))
		return;
	if (a)
		f->src_file = arena_strndup(a, p, (size_t)(colon - p));
	f->src_line = (unsigned)line;
	if (find_text(q, (size_t)(end - q), "[inline]"))
		f->src_inlined = true;
	/* decode_stacktrace.sh: "f (file.c:12 file.h:3) module (P)" */
	s = memchr(q, ')', (size_t)(end - q));
	if (s && !f->module) {
		const char *m = skip(s + 1, end), *e = m;

		while (e < end && (isalnum((unsigned char)*e) || *e == '_' || *e == '-'))
			e++;
		if (e > m && a && (e == end || *e == ' '))
			f->module = arena_strndup(a, m, (size_t)(e - m));
	}
}

void frame_source(struct arena *a, const char *s, const char *end, struct report_frame *f)
{
	struct report_frame v[2] = { *f };

	take_source(a, s, end, &v[0]);
	if (v[0].src_line && inline_pair(a, s, end, v))
		v[0] = v[1];
	*f = v[0];
}

bool frame_sourced(struct arena *a, const char *s, const char *end, struct report_frame *f)
{
	const char *p = s, *q, *colon, *name;

	while (p < end && symbol_char(*p))
		p++;
	name = p;
	if (end - p > 2 && p[0] == '(' && p[1] == ')') /* "f() (file.c:12)" */
		p += 2;
	if (name == s || p >= end || *p != ' ' || isdigit((unsigned char)*s))
		return false;
	p = skip(p, end);
	/* "f (??:?)", "f (core.c:?)": where the tool knew no line */
	if (p < end && *p == '(' && (q = memchr(p, ')', (size_t)(end - p))) && q - p > 4 &&
	    q[-1] == '?' && q[-2] == ':' && !memchr(p, ' ', (size_t)(q - p))) {
		f->func = a ? arena_strndup(a, s, (size_t)(name - s)) : s;
		return true;
	}
	q = p < end && *p == '(' ? p + 1 : p;
	q = source_at(q, end, &colon);
	if (!q || memchr(s, '/', (size_t)(name - s)))
		return false;
	/* nothing but what such tools print may follow */
	if (*p != '(' && skip(q, end) < end && !has_prefix(skip(q, end), (size_t)(end - q), "[") &&
	    !has_prefix(skip(q, end), (size_t)(end - q), "("))
		return false;
	f->func = a ? arena_strndup(a, s, (size_t)(name - s)) : s;
	take_source(a, p, end, f);
	return true;
}

static void tail_marks(const char *s, const char *end, struct report_frame *f)
{
	const char *p = memchr(s, '(', (size_t)(end - s));

	if (find_text(s, (size_t)(end - s), "(unreliable)"))
		f->reliable = false;
	/* arm64: C caller, T task, P the pt_regs' own pc, F fgraph, K kretprobe */
	for (; p && p + 2 < end; p = memchr(p + 1, '(', (size_t)(end - p - 1))) {
		const char *q = p + 1;

		while (q < end && strchr("CTPUFK", *q))
			q++;
		if (q < end && *q == ')' && q > p + 1 && memchr(p, 'P', (size_t)(q - p)))
			f->exact = true;
	}
}

/* "(0xc0123456)", or nothing, behind an address: a kernel without kallsyms has no name for it. */
static bool no_name(const char *p, const char *end)
{
	return p >= end || (end - p > 2 && p[0] == '0' && p[1] == 'x');
}

/* arm32: "f from g+0x/0x [mod]", "[<A>] (f) from [<B>] (g+0x/0x [mod])", and without kallsyms
 * "Function entered at [<A>] from [<B>]". The caller is the frame; who is called is given as well,
 * for the first line of a trace. */
static size_t arm_pair(struct arena *a, const char *s, const char *end, struct report_frame *ret)
{
	static const char entered[] = "Function entered at ";
	const char *from = find_text(s, (size_t)(end - s), " from "), *p = s, *q;
	bool angle, addressed;

	if (!from)
		return 0;
	if (has_prefix(s, (size_t)(end - s), entered))
		p += sizeof(entered) - 1;
	addressed = address_at(&p, from, &ret[0].addr, &angle);
	p += p < from && *p == '(';
	if (addressed && no_name(p, from)) {
		ret[0].exact = true; /* where the function begins */
	} else if (!frame_symbol(a, p, from, &ret[0], &q)) {
		q = p;
		while (q < from && symbol_char(*q))
			q++;
		if (q == p || (q < from && *q != ')' && *q != ' ' && *q != '['))
			return 0;
		ret[0].func = a ? arena_strndup(a, p, (size_t)(q - p)) : p;
		module_at(a, &q, from, &ret[0]);
	}
	p = skip(from + 6, end);
	addressed = address_at(&p, end, &ret[1].addr, &angle);
	p += p < end && *p == '(';
	if (!frame_symbol(a, p, end, &ret[1], &q) &&
	    !(addressed && ret[0].exact && no_name(p, end)))
		return 0;
	ret[0].reliable = ret[1].reliable = true;
	return 2;
}

/* ksymoops: "Trace; c011c1ff <do_softirq+6f/d0>", "<[mod]f+1/2>" */
static size_t ksymoops_frame(struct arena *a, const char *s, const char *end,
			     struct report_frame *f)
{
	const char *p = skip(s, end), *q, *stop = memchr(p, '>', (size_t)(end - p)), *close;

	f->addr = number_hex(p, end, &q);
	if (!stop || q == p || stop - q < 4 || q[0] != ' ' || q[1] != '<')
		return 0;
	p = q + 2;
	if (*p == '[' && (close = memchr(p, ']', (size_t)(stop - p)))) {
		if (a)
			f->module = arena_strndup(a, p + 1, (size_t)(close - p - 1));
		p = close + 1;
	}
	for (q = p; q < stop && symbol_char(*q); q++)
		;
	if (q == p || q >= stop || *q != '+')
		return 0;
	f->func = a ? arena_strndup(a, p, (size_t)(q - p)) : p;
	f->off = number_hex(q + 1, stop, &p);
	if (p == q + 1 || p >= stop || *p != '/')
		return 0;
	f->size = number_hex(p + 1, stop, &q);
	f->has_off = f->reliable = true;
	return 1;
}

/* klogd of old: "[schedule+1278/1472]", and what the kernel had printed behind it */
static size_t klogd_frame(struct arena *a, const char *s, const char *end, struct report_frame *f)
{
	const char *p = s + 1, *q, *close = memchr(s, ']', (size_t)(end - s));
	uint64_t off, size;

	while (p < end && symbol_char(*p))
		p++;
	if (!close || p == s + 1 || isdigit((unsigned char)s[1]) || p >= close || *p != '+' ||
	    !number_dec(p + 1, close, &off, &q) || q >= close || *q != '/' ||
	    !number_dec(q + 1, close, &size, &q) || q != close)
		return 0;
	f->func = a ? arena_strndup(a, s + 1, (size_t)(p - s - 1)) : s + 1;
	f->off = off;
	f->size = size;
	f->has_off = f->reliable = true;
	q = skip(close + 1, end);
	if (q < end)
		(void)frame_symbol(a, q, end, f, &p);
	return 1;
}

/* ppc64: "return_to_handler+0x0/0x4c (f+0x1/0x2)" is what function_graph put there, and what it
 * took. s is where the line's name begins, *at where it ends. */
static void take_traced(struct arena *a, const char *s, const char **at, const char *end,
			struct report_frame *f)
{
	static const char taken[] = "return_to_handler+";
	struct report_frame was = { .reliable = f->reliable };
	const char *p = skip(*at, end);

	if (!has_prefix(s, (size_t)(end - s), taken) || p >= end || *p != '(' ||
	    !frame_symbol(a, p + 1, end, &was, &p) || p >= end || *p != ')')
		return;
	*f = was;
	*at = p + 1;
}

size_t frames_parse(struct arena *a, const char *s, size_t n, struct report_frame *ret)
{
	const char *end = s + n, *p = s, *q;
	bool angle, alone = false, addressed = false, open = false;
	struct report_frame *f = ret;
	uint64_t addr;

	memset(ret, 0, 2 * sizeof(*ret));
	if (n < 4)
		return 0;
	if (find_text(s, n, " from ") && (n = arm_pair(a, s, end, ret)))
		return n;
	n = (size_t)(end - s);
	memset(ret, 0, 2 * sizeof(*ret));
	if (has_prefix(s, n, "Trace; "))
		return ksymoops_frame(a, s + 7, end, f);
	if (*s == '[' && n > 6 && (isalpha((unsigned char)s[1]) || s[1] == '_') &&
	    klogd_frame(a, s, end, f))
		return 1;
	f->reliable = true;
	if (*p == '(' && p[1] == '[') { /* s390: a guess */
		f->reliable = false;
		open = true;
		p++;
	}
	if (*p == '#' && isdigit((unsigned char)p[1])) /* s390's and crash's numbering */
		while (p < end && *p != ' ')
			p++;
	p = skip(p, end);
	if (has_prefix(p, (size_t)(end - p), "Caller[")) /* sparc64 */
		p += 6;
	for (int i = 0; i < 2 && address_at(&p, end, &addr, &angle); i++) {
		addressed = true;
		alone |= angle;
		f->addr = addr;
	}
	if (p < end && *p == '?' && p + 1 < end && p[1] == ' ') {
		f->reliable = false;
		p = skip(p + 1, end);
	}
	if (p < end && *p == '.' && end - p > 2 && isalpha((unsigned char)p[1]))
		p++; /* ppc64's function descriptors */
	if (p < end && *p == '(' && addressed)
		p++;
	if (frame_symbol(a, p, end, f, &q)) {
		if (!addressed && !f->size)
			return 0;
		take_traced(a, p, &q, end, f);
		if (open && q < end && *q == ')')
			q++;
		take_source(a, q, end, f);
		tail_marks(q, end, f);
		/* words behind it are no frame's: "f+0x1/0x2 is ..." */
		q = skip(q, end);
		if (f->src_line && inline_pair(a, q, end, ret))
			return 2;
		return q == end || f->src_line || strchr("([", *q) || addressed ? 1 : 0;
	}
	if (p + 2 < end && p[0] == '0' && p[1] == 'x') {
		/* what stands behind "[<A>]" is A - 1 in backtraces of some kernels (3.10) */
		addr = number_hex(p, end, &q);
		if (!addressed)
			f->addr = addr;
		if (q - p < 10)
			return 0;
		tail_marks(q, end, f);
		q = skip(q, end);
		return q >= end - 4 || has_prefix(q, (size_t)(end - q), "(unreliable)") ? 1 : 0;
	}
	if (alone && p >= end)
		return 1;
	if (!frame_sourced(a, p, end, f))
		return 0;
	return f->src_line && inline_pair(a, p, end, ret) ? 2 : 1;
}

bool frame_looks(const char *s, size_t n)
{
	struct report_frame f[2];

	if (n < 6 || n > 1024)
		return false;
	if (!memchr(s, '+', n) && !memchr(s, '<', n) && !memchr(s, ':', n) &&
	    !find_text(s, n, "0x") && !find_text(s, n, " from "))
		return false;
	return frames_parse(NULL, s, n, f) != 0 || frame_braced(NULL, s, n, f) != 0;
}
