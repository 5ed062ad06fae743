/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches all of RAM, each page once, or a range of virtual addresses. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/search.h"

#define PAGE 4096u
#define SHOWN_MAX 64u
#define PAGES_TOLD 0xffu /* how far it is, every so many pages */

static bool word_hit(struct memory_search *s, const uint8_t *p, uint64_t addr)
{
	const struct search_needle *n = &s->needle;
	uint64_t w = load_le(p, n->word);

	for (size_t i = 0; i < n->n; i++) {
		struct search_hit hit = { .addr = addr, .value = w };

		if (((w ^ n->values[i]) & ~n->mask) == 0)
			return s->fn(&hit, s->arg);
	}
	return true;
}

/* Is one of the n words at p the value, but for the bits that do not matter? Without an exit from
 * the loop a compiler can take many words at once, and nearly every page has no such word. */
#define DEFINE_HAS_WORD(name, type, load)                                                 \
	static bool name(const uint8_t *p, size_t n, type value, type mask)               \
	{                                                                                 \
		bool any = false;                                                         \
                                                                                          \
		for (size_t i = 0; i < n; i++)                                            \
			any |= ((load(p + i * sizeof(type)) ^ value) & (type)~mask) == 0; \
		return any;                                                               \
	}
DEFINE_HAS_WORD(has_word64, uint64_t, load_le64)
DEFINE_HAS_WORD(has_word32, uint32_t, load_le32)
DEFINE_HAS_WORD(has_word16, uint16_t, load_le16)

/* Is any of the values among the words, which begin with the first byte? */
static bool has_value(const struct search_needle *n, struct span b)
{
	bool any = false;

	for (size_t i = 0; i < n->n && !any; i++) {
		if (n->word == 8)
			any = has_word64(b.p, b.n / 8, n->values[i], n->mask);
		else if (n->word == 4)
			any = has_word32(b.p, b.n / 4, (uint32_t)n->values[i], (uint32_t)n->mask);
		else
			any = has_word16(b.p, b.n / 2, (uint16_t)n->values[i], (uint16_t)n->mask);
	}
	return any;
}

static bool search_words(struct memory_search *s, struct span b, uint64_t addr)
{
	const struct search_needle *n = &s->needle;
	size_t first = (size_t)(-addr & (n->word - 1));

	if (first > b.n || !has_value(n, SPAN(b.p + first, b.n - first)))
		return true;
	for (size_t i = first; i + n->word <= b.n; i += n->word)
		if (!word_hit(s, b.p + i, addr + i))
			return false;
	return true;
}

static bool text_hit(struct memory_search *s, struct span b, size_t at, uint64_t addr)
{
	char shown[SHOWN_MAX + 1];
	struct search_hit hit = { .addr = addr + at, .text = shown };
	size_t n = 0;

	while (n < SHOWN_MAX && at + n < b.n && b.p[at + n] >= ' ' && b.p[at + n] < 0x7f) {
		shown[n] = (char)b.p[at + n];
		n++;
	}
	shown[n] = '\0';
	return s->fn(&hit, s->arg);
}

/* The hits in n bytes, which begin at addr; before the last `keep` bytes only, for text that goes
 * on behind. False: fn stopped it. */
static bool search_bytes(struct memory_search *s, struct span b, uint64_t addr, size_t keep)
{
	const struct search_needle *n = &s->needle;

	if (n->word)
		return search_words(s, b, addr);
	for (size_t i = 0; i < n->n; i++) {
		size_t len = strlen(n->texts[i]), at = 0;
		const uint8_t *p;

		while (len && at + len <= b.n &&
		       (p = memmem(b.p + at, b.n - at, n->texts[i], len))) {
			at = (size_t)(p - b.p);
			if (at + keep >= b.n)
				break; /* found again with what follows */
			if (!text_hit(s, b, at, addr))
				return false;
			at++;
		}
	}
	return true;
}

/* Pages one behind the other, with the end of the one before, where text may begin. */
struct search_stream {
	struct memory_search *s;
	uint8_t room[SEARCH_TEXT_MAX + PAGE];
	size_t kept;     /* bytes of the page before, in front of */
	uint64_t follow; /* the address that would go on with them */
};

static bool stream_page(struct search_stream *st, uint64_t addr, size_t n)
{
	uint8_t *page = st->room + SEARCH_TEXT_MAX;
	size_t before = st->kept && st->follow == addr ? st->kept : 0, keep = 0;
	bool more;

	if (st->s->needle.word)
		before = 0;
	else
		keep = n < SEARCH_TEXT_MAX ? 0 : SEARCH_TEXT_MAX;
	st->s->searched += n;
	more = search_bytes(st->s, SPAN(page - before, n + before), addr - before, keep);
	/* its end is looked at once more, when what follows it is there */
	if (keep)
		memcpy(page - keep, page + n - keep, keep);
	st->kept = keep;
	st->follow = addr + n;
	return more;
}

/* What was kept of the last page is looked at alone when nothing follows it. */
static bool stream_end(struct search_stream *st)
{
	size_t kept = st->kept;

	st->kept = 0;
	return !kept || search_bytes(st->s, SPAN(st->room + SEARCH_TEXT_MAX - kept, kept),
				     st->follow - kept, 0);
}

/* The part of a region that is searched: its first page and last byte. False: none of it. */
static bool region_part(const struct memory_search *s, const struct ram_region *r, uint64_t *first,
			uint64_t *last)
{
	*first = r->first;
	*last = r->last;
	if (s->ranged && s->physical) {
		if (s->end <= r->first || s->start > r->last)
			return false;
		*first = s->start > r->first ? s->start : r->first;
		*last = s->end - 1 < r->last ? s->end - 1 : r->last;
	}
	*first &= ~(uint64_t)(PAGE - 1);
	return true;
}

static bool search_ram(struct memory_search *s, struct search_stream *st, struct err *err)
{
	struct target *t = s->t;
	uint64_t delta = 0, first, last;
	struct kernel_image image = { 0 };
	struct err why;

	if (!s->physical) {
		if (!linear_delta(t, &delta, err))
			return err_wrap(err, "-p searches physical addresses");
		(void)kernel_image_find(t, &image);
	}
	for (size_t i = 0; i < t->ram.n; i++) {
		if (!region_part(s, &t->ram.p[i], &first, &last))
			continue;
		for (uint64_t pa = first; pa <= last && pa + PAGE > pa; pa += PAGE) {
			uint64_t addr = pa + delta, end;

			if (!interrupt_check(err))
				return false;
			if (!(pa / PAGE & PAGES_TOLD))
				target_tell(t, "search", pa - t->ram.p[0].first,
					    t->ram.p[t->ram.n - 1].last - t->ram.p[0].first);
			if (pa - image.pa < image.size &&
			    !kernel_image_freed(t, image.va + (pa - image.pa)))
				addr = image.va + (pa - image.pa);
			if (st->kept && st->follow != addr && !stream_end(st))
				return true;
			if (!mem_read_phys(t, pa, st->room + SEARCH_TEXT_MAX, PAGE, &why)) {
				end = mem_absent_end(t, pa) - 1;
				if (end > last)
					end = last;
				s->missing += (end - pa) / PAGE + 1;
				pa = end & ~(uint64_t)(PAGE - 1);
			} else if (!stream_page(st, addr, PAGE)) {
				return true;
			}
		}
	}
	(void)stream_end(st); /* nothing is left to be stopped */
	return true;
}

static bool search_range(struct memory_search *s, struct search_stream *st, struct err *err)
{
	struct err why;

	if (s->end - s->start > SEARCH_RANGE_MAX)
		return err_set(err, ERR_LIMIT, "more than %llu GB of addresses",
			       (unsigned long long)(SEARCH_RANGE_MAX >> 30));
	for (uint64_t at = s->start; at < s->end;) {
		size_t n = PAGE - at % PAGE;

		if (n > s->end - at)
			n = (size_t)(s->end - at);
		if (!interrupt_check(err))
			return false;
		if (!mem_read(s->t, at, st->room + SEARCH_TEXT_MAX, n, &why)) {
			s->missing += why.code != ERR_UNMAPPED;
			if (!stream_end(st))
				return true;
		} else if (!stream_page(st, at, n)) {
			return true;
		}
		at += n;
	}
	(void)stream_end(st); /* nothing is left to be stopped */
	return true;
}

/* A walk over what a task's page tables map. */
struct user_search {
	struct search_stream *st;
	struct err *err;
	bool ok, stopped; /* stopped: whom it tells wants no more */
};

/* The next n bytes, which are in RAM at pa. False: no more. */
static bool search_user_bytes(struct user_search *u, uint64_t va, uint64_t pa, size_t n)
{
	struct search_stream *st = u->st;
	struct err why;

	u->ok = interrupt_check(u->err);
	if (!u->ok)
		return false;
	u->stopped = st->kept && st->follow != va && !stream_end(st);
	if (u->stopped)
		return false;
	if (mem_read_phys(st->s->t, pa, st->room + SEARCH_TEXT_MAX, n, &why))
		u->stopped = !stream_page(st, va, n);
	else
		st->s->missing++;
	return !u->stopped;
}

static bool search_user_page(const struct user_page *p, void *arg)
{
	struct user_search *u = arg;

	if (p->state == USER_NONE)
		return true;
	if (p->state == USER_SWAPPED || p->state == USER_LOST) {
		u->st->s->missing += (p->size + PAGE - 1) / PAGE;
		return true;
	}
	for (uint64_t off = 0; off < p->size;) {
		size_t n = PAGE - (p->va + off) % PAGE;

		if (n > p->size - off)
			n = (size_t)(p->size - off);
		if (!search_user_bytes(u, p->va + off, p->pa + off, n))
			return false;
		off += n;
	}
	return true;
}

static bool search_user(struct memory_search *s, struct search_stream *st, struct err *err)
{
	struct user_search u = { .st = st, .err = err, .ok = true };

	if (!user_pages(s->user, s->ranged ? s->start : 0, s->ranged ? s->end : s->user->end,
			search_user_page, &u, err) ||
	    !u.ok)
		return false;
	if (!u.stopped)
		(void)stream_end(st); /* nothing is left to be stopped */
	return true;
}

bool search_run(struct memory_search *s, struct err *err)
{
	struct search_stream st = { .s = s };

	if (s->user)
		return search_user(s, &st, err);
	return s->ranged && !s->physical ? search_range(s, &st, err) : search_ram(s, &st, err);
}
