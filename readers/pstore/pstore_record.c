/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of pstore: log, console, user's messages and calls, from their stored bytes. */
#include <limits.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/number.h"
#include "readers/pstore/pstore_codec.h"
#include "readers/pstore/pstore_record.h"

struct survivor *record_add(struct target *t, enum survivor_type type, const char *backend,
			    const char *path)
{
	struct survivors *all = &t->survivors;
	struct survivor *s;

	if (all->v.n >= RECORDS_MAX) {
		if (all->v.n == RECORDS_MAX)
			target_warn(t, ERR_LIMIT,
				    "more than %u records of pstore: the rest is left out",
				    RECORDS_MAX);
		return NULL;
	}
	s = vec_push(&all->v);
	s->type = type;
	s->backend = backend;
	s->path = path;
	return s;
}

void record_damage(struct target *t, struct survivor *s, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	if (s->damage)
		buf_printf(&b, "%s; ", s->damage);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	s->damage = arena_strdup(&t->arena, buf_text(&b));
	buf_release(&b);
}

bool looks_text(struct span s)
{
	size_t n = s.n < 512 ? s.n : 512, odd = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t c = s.p[i];

		odd += c < 0x20 ? c != '\n' && c != '\t' && c != '\r' && c != 0x1b : c >= 0x7f;
	}
	return n && odd * 10 < n;
}

/* 18 and 9 digits; what has more is no time. */
#define SECONDS_MAX UINT64_C(1000000000000000000)
#define FRACTION_MAX 1000000000u

bool dmesg_header(struct span s, int64_t *sec, uint32_t *us, int *compressed, size_t *n)
{
	const char *p = (const char *)s.p + 4, *end = (const char *)s.p + s.n;
	uint64_t whole, part;
	bool minus;

	if (s.n < 8 || memcmp(s.p, "====", 4) != 0)
		return false;
	minus = *p == '-';
	p += minus;
	if (!number_take(&p, end, 10, &whole) || whole >= SECONDS_MAX || p >= end || *p++ != '.' ||
	    !number_take(&p, end, 10, &part) || part >= FRACTION_MAX)
		return false;
	*sec = minus ? -(int64_t)whole : (int64_t)whole;
	*us = (uint32_t)part;
	*compressed = -1;
	if (end - p >= 2 && *p == '-' && (p[1] == 'C' || p[1] == 'D')) {
		*compressed = p[1] == 'C';
		p += 2;
	}
	if (p >= end || *p != '\n')
		return false;
	*n = (size_t)(p - (const char *)s.p) + 1;
	return true;
}

/* "Panic: Total 2 times\n", which the kernel puts before records of pstore-blk (fs/pstore/zone.c).
 */
static void skip_total(struct survivor *s)
{
	const char *nl = memchr(s->text, '\n', s->n < 48 ? s->n : 48);
	size_t n = nl ? (size_t)(nl - s->text) : 0;

	if (n > 14 && memmem(s->text, n, ": Total ", 8) && memcmp(nl - 6, " times", 6) == 0) {
		s->text += n + 1;
		s->n -= n + 1;
	}
}

static void take_head(struct survivor *s)
{
	struct pstore_head head;

	skip_total(s);
	if (!pstore_head_parse(SPAN(s->text, s->n), &head))
		return;
	s->reason = head.reason;
	s->count = head.count;
	s->part = head.part;
	s->head_n = head.n;
	s->text += head.n;
	s->n -= head.n;
}

/* What is to be said of a packed record that did not come out whole. */
static void cut_damage(struct target *t, struct survivor *s, const struct pstore_unpacked *u,
		       size_t packed, size_t good)
{
	if (u->limit)
		record_damage(t, s, "unpacks to more than %zu bytes: the rest is left out",
			      u->text.n);
	else if (good < packed)
		record_damage(t, s,
			      "the text ends where the stored bytes are damaged, %zu of %zu into "
			      "them",
			      good, packed);
	else if (!u->whole)
		record_damage(t, s, "the packed stream is cut or damaged: the text ends there");
}

void record_dmesg(struct target *t, struct survivor *s, struct span payload, enum packing packing,
		  size_t good)
{
	uint64_t *spent = &t->survivors.text_budget;
	struct pstore_unpacked u = { 0 };
	struct pstore_head head;
	struct span part = payload;

	if (packing != PACKED && (pstore_head_parse(payload, &head) || looks_text(payload))) {
		s->codec = "none";
		s->text = (const char *)payload.p;
		s->n = payload.n;
		take_head(s);
		return;
	}
	if (packing == PLAIN) {
		s->codec = "none";
		record_damage(t, s, "its bytes are no text");
		return;
	}
	if (good < part.n)
		part.n = good;
	if (*spent >= TEXT_BUDGET) {
		record_damage(t, s, "not unpacked: the records before it unpacked to %llu MB",
			      (unsigned long long)(*spent >> 20));
		return;
	}
	if (!pstore_unpack(part, TEXT_BUDGET - *spent, &t->arena, &u)) {
		s->codec = u.codec;
		if (!strcmp(u.codec, "842"))
			record_damage(t, s, "it is packed with 842, which obit does not unpack");
		else
			record_damage(t, s,
				      "none of zlib, deflate, zstd, lzo, lz4 unpacks its %zu bytes",
				      part.n);
		return;
	}
	*spent += u.text.n;
	s->codec = u.codec;
	s->text = (const char *)u.text.p;
	s->n = u.text.n;
	cut_damage(t, s, &u, payload.n, good);
	take_head(s);
}

/* With the header line "====time-C": as ramoops stores it. */
static void record_dmesg_zone(struct target *t, struct survivor *s, size_t good)
{
	struct span payload = s->stored;
	int packed = -1;
	size_t n;

	if (dmesg_header(payload, &s->time_s, &s->time_us, &packed, &n)) {
		s->has_time = s->time_s != 0 || s->time_us != 0;
		s->time_how = "header";
		payload = SPAN(payload.p + n, payload.n - n);
		if (good != SIZE_MAX)
			good = good > n ? good - n : 0;
	} else {
		/* the line is lost, and what follows may not be */
		const uint8_t *nl = memchr(payload.p, '\n', payload.n < 36 ? payload.n : 36);

		record_damage(t, s, "its header line is damaged");
		if (nl && payload.p[0] == '=') {
			n = (size_t)(nl - payload.p) + 1;
			payload = SPAN(nl + 1, payload.n - n);
			if (good != SIZE_MAX)
				good = good > n ? good - n : 0;
		}
	}
	record_dmesg(t, s, payload,
		     packed == 1   ? PACKED
		     : packed == 0 ? PLAIN
				   : PACKED_MAYBE,
		     good);
}

static void record_text(struct target *t, struct survivor *s)
{
	(void)t;
	s->codec = "none";
	s->text = (const char *)s->stored.p;
	s->n = s->stored.n;
}

/* Do Android's frames follow each other somewhere near the front? */
static bool looks_frames(struct span s)
{
	for (size_t i = 0; i + 18 <= s.n && i < 8192; i++) {
		size_t len, next;

		if (s.p[i] != 'l')
			continue;
		len = load_le16(s.p + i + 1);
		next = i + len;
		if (len >= 18 && len <= 5120 && next <= s.n && s.p[i + 7] <= 7 &&
		    load_le32(s.p + i + 14) < 1000000000u && (next == s.n || s.p[next] == 'l'))
			return true;
	}
	return false;
}

static void record_pmsg(struct target *t, struct survivor *s)
{
	if (looks_frames(s->stored)) {
		s->codec = "none";
		s->pmsg = s->stored;
		return;
	}
	record_text(t, s);
}

/* How the records of one zone look: bytes each, word size, whether a stamp follows. */
struct call_form {
	unsigned size, word;
	bool stamp;
};
static const struct call_form call_forms[] = {
	{ 24, 8, true },  /* since 4.10, 64 bits */
	{ 16, 4, true },  /* since 4.10, 32 bits */
	{ 24, 8, false }, /* before: a cpu and padding */
	{ 12, 4, false },
};

static uint64_t load_word(const uint8_t *p, unsigned n, bool big)
{
	uint64_t x = 0;

	for (unsigned i = 0; i < n; i++)
		x |= (uint64_t)p[i] << 8 * (big ? n - 1 - i : i);
	return x;
}

/* Kernel text: upper half of 64 bits; of 32 bits the upper half too, or above 0x80000000's split.
 */
static bool kernel_word(uint64_t x, unsigned word)
{
	return word == 8 ? x >> 47 == 0x1ffff : x >= 0x40000000;
}

static struct survivor_call call_load(const uint8_t *p, const struct call_form *f, bool big)
{
	struct survivor_call c = { .ip = load_word(p, f->word, big),
				   .parent = load_word(p + f->word, f->word, big) };

	c.has_stamp = f->stamp;
	if (!f->stamp) {
		c.cpu = (unsigned)load_word(p + 2 * f->word, 4, big);
		return c;
	}
	/* include/linux/pstore.h: the cpu is in the stamp's low byte; see calls_in_ip() */
	c.stamp = load_word(p + 2 * f->word, 8, big);
	c.cpu = (unsigned)(c.stamp & 0xff);
	c.stamp >>= 8;
	return c;
}

/* Of n records, how many look like a call. */
static size_t form_score(struct span s, const struct call_form *f, bool big)
{
	size_t n = s.n / f->size, good = 0;
	uint64_t last = 0;

	if (n > 256)
		n = 256;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *p = s.p + s.n % f->size + i * f->size;
		struct survivor_call c = call_load(p, f, big);
		bool ok = kernel_word(c.ip, f->word) && kernel_word(c.parent, f->word);

		/* one cpu's stamps rise, by less than what an address would be */
		if (f->stamp)
			ok = ok && c.stamp >= last && c.stamp < UINT64_C(1) << 48 && c.stamp > 0;
		else
			ok = ok && c.cpu < 8192 &&
			     (f->size != 24 || load_word(p + 20, 4, big) == 0);
		last = c.stamp;
		good += ok;
	}
	return n ? good * 1000 / n : 0;
}

/*
 * Stamps in full and the cpu in the address's low bits: ARM with few CPUs (PSTORE_CPU_IN_IP). From
 * record to record such a stamp rises by little, the generic one by 256 and more.
 */
static void calls_in_ip(struct survivor_call *calls, size_t n)
{
	size_t little = 0;

	for (size_t i = 1; i < n; i++) {
		uint64_t rise = (calls[i].stamp << 8 | calls[i].cpu) -
				(calls[i - 1].stamp << 8 | calls[i - 1].cpu);

		little += rise > 0 && rise < 64;
	}
	if (n < 2 || little * 2 < n)
		return;
	for (size_t i = 0; i < n; i++) {
		calls[i].stamp = calls[i].stamp << 8 | calls[i].cpu;
		calls[i].cpu = (unsigned)(calls[i].ip & 3);
		calls[i].ip &= ~UINT64_C(3);
	}
}

/* Moves *p behind `what` when that stands there. */
static bool take_text(const char **p, const char *end, const char *what)
{
	size_t n = strlen(what);

	if ((size_t)(end - *p) < n || memcmp(*p, what, n) != 0)
		return false;
	*p += n;
	return true;
}

/* The number behind blanks and `before`, within the line; base as of number_take(). */
static bool number_behind(const char **p, const char *end, const char *before, unsigned base,
			  uint64_t *ret)
{
	while (*p < end && **p == ' ')
		++*p;
	return take_text(p, end, before) && number_take(p, end, base, ret);
}

/* "CPU:0 ts:12 ffffffff81001000  ffffffff81002000  f <- g+0x1": as the kernel's own file shows
 * calls, with the names of the kernel that read them (fs/pstore/inode.c). */
static void record_ftrace_text(struct target *t, struct survivor *s)
{
	const char *p = (const char *)s->stored.p, *end = p + s->stored.n, *nl;
	VEC(struct survivor_call) v = { 0 };

	for (; p < end; p = nl + 1) {
		struct survivor_call c = { .has_stamp = true };
		uint64_t cpu;

		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (number_behind(&p, nl, "CPU:", 10, &cpu) &&
		    number_behind(&p, nl, "ts:", 10, &c.stamp) &&
		    number_behind(&p, nl, "", 16, &c.ip) &&
		    number_behind(&p, nl, "", 16, &c.parent)) {
			c.cpu = (unsigned)cpu;
			*vec_push(&v) = c;
		}
	}
	if (v.n) {
		struct survivor_call *calls = ARENA_ARRAY(&t->arena, struct survivor_call, v.n);

		memcpy(calls, v.p, v.n * sizeof(*calls));
		s->calls = calls;
		s->n_calls = v.n;
	}
	vec_release(&v);
}

void record_ftrace(struct target *t, struct survivor *s, bool big)
{
	const struct call_form *f = NULL;
	struct survivor_call *calls;
	size_t best = 0;
	struct err err;
	void *p;

	s->codec = "none";
	for (size_t i = 0; i < ARRAY_SIZE(call_forms); i++) {
		size_t score = form_score(s->stored, &call_forms[i], big);

		if (score > best) {
			best = score;
			f = &call_forms[i];
		}
	}
	if (!f || best < 300) {
		/* what the kernel's own file shows: text of calls */
		if (s->stored.n && looks_text(s->stored))
			record_ftrace_text(t, s);
		else if (s->stored.n)
			record_damage(t, s, "its bytes are no calls of a form obit knows");
		return;
	}
	/* of the form of 16 bytes, 24 bytes are 1.5: the wider is tried first and wins ties */
	s->n_calls = s->stored.n / f->size;
	if (!arena_bytes(&t->arena, s->n_calls * sizeof(*calls), (size_t)1 << 30, &p, &err)) {
		record_damage(t, s, "%s", err.msg);
		s->n_calls = 0;
		return;
	}
	calls = p;
	for (size_t i = 0; i < s->n_calls; i++)
		calls[i] = call_load(s->stored.p + s->stored.n % f->size + i * f->size, f, big);
	if (f->size == 16)
		calls_in_ip(calls, s->n_calls);
	s->calls = calls;
}

void record_fill(struct target *t, struct survivor *s, size_t good)
{
	switch (s->type) {
	case SURVIVOR_DMESG:
		record_dmesg_zone(t, s, good);
		break;
	case SURVIVOR_PMSG:
		record_pmsg(t, s);
		break;
	case SURVIVOR_FTRACE:
		record_ftrace(t, s, false);
		break;
	default:
		if (looks_text(s->stored) || s->type == SURVIVOR_CONSOLE)
			record_text(t, s);
		break;
	}
}

void record_strip_notice(struct survivor *s)
{
	static const char none[] = "\nECC: No errors detected\n", some[] = "\nECC: ";
	const uint8_t *p;
	size_t back = s->stored.n < 80 ? s->stored.n : 80;
	struct span tail = SPAN(s->stored.p + s->stored.n - back, back);
	const char *end = (const char *)tail.p + back, *q;
	uint64_t corrected, lost;

	if (back >= sizeof(none) - 1 &&
	    memcmp(tail.p + back - (sizeof(none) - 1), none, sizeof(none) - 1) == 0) {
		s->stored.n -= sizeof(none) - 1;
		s->ecc_said = true;
		return;
	}
	p = memmem(tail.p, tail.n, some, sizeof(some) - 1);
	if (!p)
		return;
	q = (const char *)p + sizeof(some) - 1;
	if (!number_take(&q, end, 10, &corrected) || !take_text(&q, end, " Corrected bytes, ") ||
	    !number_take(&q, end, 10, &lost) || !take_text(&q, end, " unrecoverable blocks\n") ||
	    q != end || corrected > UINT_MAX || lost > UINT_MAX)
		return;
	s->stored.n = (size_t)(p - s->stored.p);
	s->ecc_said = true;
	s->corrected = (unsigned)corrected;
	s->lost = (unsigned)lost;
}
