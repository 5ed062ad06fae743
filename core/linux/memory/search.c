/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches all of RAM, each page once, or a range of virtual addresses. */
#include <string.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/image/parts.h"
#include "core/image/ram_part.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/search.h"

#define PAGE 4096u
#define SHOWN_MAX 64u
#define BLOCK ((uint64_t)256 << 10) /* fits a CPU's own cache for the further values */

static bool word_hit(struct memory_search *s, const uint8_t *p, uint64_t addr)
{
	const struct search_needle *n = &s->needle;
	uint64_t w = target_uint(s->t, p, n->word);

	for (size_t i = 0; i < n->n; i++) {
		struct search_hit hit = { .addr = addr, .value = w };

		if (((w ^ n->values[i]) & ~n->mask) == 0)
			return s->fn(&hit, s->arg);
	}
	return true;
}

/*
 * Whether a block has any of the values at all is asked first, by loops that a compiler turns into
 * instructions for many words at once: they go over pieces of one size, and have no exit within.
 * Nearly every block of memory has none, and is done with that.
 */
#define PIECE 512u
#define LINE 64u    /* of a CPU's cache */
#define AHEAD 2048u /* so far in front, what is asked for is there when its turn comes */

/* Is one of the words of a piece the value, but for the bits that do not matter? Where one differs,
 * the highest bit of what differs or of its negative is set: not every machine can compare many
 * words of 64 bits at once, but each can subtract them. */
#define DEFINE_HAS_WORD(name, type, load)                                     \
	static bool name(const uint8_t *p, type value, type mask)             \
	{                                                                     \
		type all = (type) ~(type)0;                                   \
                                                                              \
		for (size_t i = 0; i < PIECE; i += sizeof(type)) {            \
			type x = (type)((load(p + i) ^ value) & (type)~mask); \
                                                                              \
			all &= (type)(x | (type)(0 - x));                     \
		}                                                             \
		return !(all >> (sizeof(type) * 8 - 1));                      \
	}
DEFINE_HAS_WORD(has_word64, uint64_t, load_le64)
DEFINE_HAS_WORD(has_word32, uint32_t, load_le32)
DEFINE_HAS_WORD(has_word16, uint16_t, load_le16)

static bool piece_has_word(const struct search_needle *n, const uint8_t *p)
{
	bool any = false;

	for (size_t i = 0; i < n->n && !any; i++)
		any = n->word == 8   ? has_word64(p, n->values[i], n->mask)
		      : n->word == 4 ? has_word32(p, (uint32_t)n->values[i], (uint32_t)n->mask)
				     : has_word16(p, (uint16_t)n->values[i], (uint16_t)n->mask);
	return any;
}

/* Asks for what follows a piece soon: a CPU that fetches ahead by itself ends at each page. */
static void fetch_ahead(const uint8_t *p)
{
	for (size_t k = 0; k < PIECE; k += LINE)
		__builtin_prefetch(p + AHEAD + k);
}

static bool has_word(const struct search_needle *n, struct span b)
{
	size_t i = 0;

	for (; i + PIECE <= b.n; i += PIECE) {
		fetch_ahead(b.p + i);
		if (piece_has_word(n, b.p + i))
			return true;
	}
	for (; i + n->word <= b.n; i += n->word)
		for (size_t k = 0; k < n->n; k++)
			if (!((load_le(b.p + i, n->word) ^ n->values[k]) & ~n->mask))
				return true;
	return false;
}

/* Are there, within a piece and `far` bytes on, the first and the last character of a text? */
static bool piece_has_ends(const uint8_t *p, uint8_t first, uint8_t last, size_t far)
{
	uint8_t any = 0;

	for (size_t i = 0; i < PIECE; i++)
		any |= (uint8_t)((p[i] == first) & (p[i + far] == last));
	return any;
}

/* Is the text in b, and does it begin before the last `far` bytes? */
static bool has_text(struct span b, const char *text)
{
	size_t far = strlen(text) - 1, i = 0;

	for (; i + PIECE + far <= b.n; i += PIECE) {
		fetch_ahead(b.p + i);
		if (piece_has_ends(b.p + i, (uint8_t)text[0], (uint8_t)text[far], far) &&
		    memmem(b.p + i, PIECE + far, text, far + 1))
			return true;
	}
	return i < b.n && memmem(b.p + i, b.n - i, text, far + 1);
}

bool search_block_has(const struct search_needle *n, struct span b)
{
	if (n->word)
		return has_word(n, b);
	for (size_t i = 0; i < n->n; i++)
		if (has_text(b, n->texts[i]))
			return true;
	return false;
}

/* What is sought as a little-endian load finds it in the target's memory. */
static struct search_needle stored(const struct memory_search *s)
{
	struct search_needle n = s->needle;

	if (!n.word || !target_big(s->t))
		return n;
	n.mask = __builtin_bswap64(n.mask) >> (64 - 8 * n.word);
	for (size_t i = 0; i < n.n; i++)
		n.values[i] = __builtin_bswap64(n.values[i]) >> (64 - 8 * n.word);
	return n;
}

static bool search_words(struct memory_search *s, struct span b, uint64_t addr)
{
	const struct search_needle *n = &s->needle;
	const struct search_needle sought = stored(s);
	size_t first = (size_t)(-addr & (n->word - 1));

	if (first > b.n || !search_block_has(&sought, SPAN(b.p + first, b.n - first)))
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
	uint64_t paged;  /* RAM before it is looked at page by page: its block has a hit */
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

/* What a text that begins in the kept bytes goes on with: the next page, or as much of it as
 * counts. It is another part's, and what begins in it is not looked for. */
static void stream_peek(struct search_stream *st, uint64_t addr, size_t n)
{
	uint8_t *page = st->room + SEARCH_TEXT_MAX;
	size_t kept = st->kept;

	if (!kept || st->follow != addr)
		return;
	st->kept = 0;
	n = n < SEARCH_TEXT_MAX ? n : SEARCH_TEXT_MAX;
	(void)search_bytes(st->s, SPAN(page - kept, kept + n), addr - kept, n);
}

/* ---- parts, which several processes search */

struct search_plan {
	struct memory_search *s;
	size_t part;                /* the one that something was heard of last */
	uint64_t searched, missing; /* in the parts before it */
	/* all of RAM */
	const struct ram_part *parts;
	size_t n;
	uint64_t delta; /* from a physical address to that in the map of all memory */
	struct kernel_image image;
	uint64_t size; /* a range of virtual addresses: of a part of it */
};

/* What a part tells of each hit, and at its end. */
struct search_message {
	bool hit;
	uint64_t addr, value, searched, missing; /* the last two: of the part, so far */
	char shown[SHOWN_MAX + 1];
};

/* A part that is searched. */
struct search_part {
	struct memory_search s;
	struct parts *parts;
};

static bool part_tell(struct search_part *p, const struct search_hit *hit)
{
	struct search_message m = { .hit = hit,
				    .searched = p->s.searched,
				    .missing = p->s.missing };

	if (hit) {
		m.addr = hit->addr;
		m.value = hit->value;
		if (hit->text)
			memcpy(m.shown, hit->text, strlen(hit->text));
	}
	return parts_send(p->parts, &m, sizeof(m));
}

static bool part_hit(const struct search_hit *hit, void *arg)
{
	return part_tell(arg, hit);
}

/* The address by which the kernel knows a page. */
static uint64_t page_addr(const struct search_plan *p, uint64_t pa)
{
	const struct kernel_image *image = &p->image;
	uint64_t va = image->va + (pa - image->pa);

	if (p->s->physical)
		return pa;
	return pa - image->pa < image->size && !kernel_image_freed(p->s->t, va) ? va
										: pa + p->delta;
}

/* The RAM from pa on that lies in place, as far as the end of its block, if nothing that is sought
 * is in it or across its start: how many bytes, all of whole pages. 0: look at the page at pa. */
static uint64_t bare_block(struct search_stream *st, uint64_t pa, uint64_t last,
			   const uint8_t **ret)
{
	const struct search_needle needle = stored(st->s);
	const struct phys_source *phys = &st->s->t->memory.phys;
	uint64_t n = BLOCK - pa % BLOCK;
	uint8_t *page = st->room + SEARCH_TEXT_MAX;

	if (last - pa < n)
		n = (last - pa + 1) & ~(uint64_t)(PAGE - 1);
	if (pa < st->paged)
		return 0;
	st->paged = pa + n; /* unless it is found bare */
	if (!n || !phys->map || !(*ret = phys->map(phys->self, pa, n)) ||
	    search_block_has(&needle, SPAN(*ret, n)))
		return 0;
	if (st->kept) {
		memcpy(page, *ret, SEARCH_TEXT_MAX);
		if (search_block_has(&needle, SPAN(page - st->kept, st->kept + SEARCH_TEXT_MAX)))
			return 0;
	}
	if (mapping_lost(*ret, n))
		return 0;
	st->paged = pa;
	return n;
}

/* Goes on behind a block of n bytes in place; `follow` is where its last page ends. */
static void pass_block(struct search_stream *st, const uint8_t *p, uint64_t n, uint64_t follow)
{
	st->s->searched += n;
	st->kept = st->s->needle.word ? 0 : SEARCH_TEXT_MAX;
	memcpy(st->room, p + n - SEARCH_TEXT_MAX, SEARCH_TEXT_MAX);
	st->follow = follow;
}

/* The page at pa, or what is absent with it. Sets *next to what follows, behind `last` at most by a
 * page. False: whom it tells wants no more. */
static bool search_page(struct search_stream *st, uint64_t pa, uint64_t last, uint64_t addr,
			uint64_t *next)
{
	struct err why;
	uint64_t end;

	*next = pa + PAGE;
	if (st->kept && st->follow != addr && !stream_end(st))
		return false;
	if (mem_scan_page(st->s->t, pa, st->room + SEARCH_TEXT_MAX, &why))
		return stream_page(st, addr, PAGE);
	end = mem_absent_end(st->s->t, pa) - 1;
	if (end > last)
		end = last;
	st->s->missing += (end - pa) / PAGE + 1;
	*next = (end & ~(uint64_t)(PAGE - 1)) + PAGE;
	return true;
}

static bool search_pages(const struct search_plan *p, const struct ram_part *part,
			 struct search_stream *st, struct err *err)
{
	const uint8_t *bytes;
	uint64_t next, n;

	for (uint64_t pa = part->first; pa <= part->last && pa + PAGE > pa; pa = next) {
		if (!interrupt_check(err))
			return false;
		n = bare_block(st, pa, part->last, &bytes);
		next = pa + n;
		if (n)
			pass_block(st, bytes, n,
				   p->s->needle.word ? 0 : page_addr(p, next - PAGE) + PAGE);
		else if (!search_page(st, pa, part->last, page_addr(p, pa), &next))
			return true;
		if (next <= pa)
			break; /* the end of the address space */
	}
	return true;
}

static bool search_ram_part(const struct search_plan *p, size_t i, struct search_stream *st,
			    struct err *err)
{
	const struct ram_part *part = &p->parts[i];
	struct err why;

	if (!search_pages(p, part, st, err))
		return false;
	if (st->kept && i + 1 < p->n && part[1].first == part->last + 1 &&
	    mem_read_phys(p->s->t, part[1].first, st->room + SEARCH_TEXT_MAX, PAGE, &why))
		stream_peek(st, page_addr(p, part[1].first), PAGE);
	return true;
}

static bool search_range_part(const struct search_plan *p, size_t i, struct search_stream *st,
			      struct err *err)
{
	struct memory_search *s = st->s;
	uint64_t from = p->s->start + i * p->size, end = p->s->end;
	struct err why;

	end = end - from > p->size ? from + p->size : end;
	for (uint64_t at = from; at < end;) {
		size_t n = PAGE - at % PAGE;

		if (n > end - at)
			n = (size_t)(end - at);
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
	if (st->kept && end < p->s->end) {
		size_t n = p->s->end - end < PAGE ? (size_t)(p->s->end - end) : PAGE;

		if (mem_read(s->t, end, st->room + SEARCH_TEXT_MAX, n, &why))
			stream_peek(st, end, n);
	}
	return true;
}

static bool search_part(struct parts *parts, size_t i, void *arg, struct err *err)
{
	const struct search_plan *p = arg;
	struct search_part part = { .s = *p->s, .parts = parts };
	struct search_stream st = { .s = &part.s };

	part.s.fn = part_hit;
	part.s.arg = &part;
	part.s.searched = part.s.missing = 0;
	if (p->parts ? !search_ram_part(p, i, &st, err) : !search_range_part(p, i, &st, err))
		return false;
	(void)stream_end(&st);
	(void)part_tell(&part, NULL);
	return true;
}

static bool search_take(size_t i, const void *message, size_t n, void *arg)
{
	struct search_plan *p = arg;
	struct memory_search *s = p->s;
	struct search_message m;
	struct search_hit hit;

	if (n != sizeof(m))
		return true;
	memcpy(&m, message, n);
	m.shown[SHOWN_MAX] = '\0';
	if (i != p->part) {
		p->part = i;
		p->searched = s->searched;
		p->missing = s->missing;
	}
	s->searched = p->searched + m.searched;
	s->missing = p->missing + m.missing;
	hit = (struct search_hit){ .addr = m.addr, .value = m.value, .text = m.shown };
	return !m.hit || s->fn(&hit, s->arg);
}

static void search_name(struct buf *b, size_t i, void *arg)
{
	const struct search_plan *p = arg;
	uint64_t at = p->parts ? p->parts[i].first : p->s->start + i * p->size;
	uint64_t last = p->parts ? p->parts[i].last : at + p->size - 1;

	buf_printf(b, "memory from 0x%llx to 0x%llx was not all searched", (unsigned long long)at,
		   (unsigned long long)last);
}

static bool search_parts(struct search_plan *p, struct err *err)
{
	struct parts parts = { .t = p->s->t,
			       .what = "search",
			       .n = p->n,
			       .work = search_part,
			       .take = search_take,
			       .name = search_name,
			       .arg = p };

	return parts_run(&parts, err);
}

static bool search_ram(struct memory_search *s, struct err *err)
{
	struct search_plan p = { .s = s };
	bool all = !s->ranged || !s->physical;

	if (!s->physical) {
		if (!linear_delta(s->t, &p.delta, err))
			return err_wrap(err, "-p searches physical addresses");
		(void)kernel_image_find(s->t, &p.image);
	}
	p.parts = ram_parts(s->t, all ? 0 : s->start, all ? UINT64_MAX : s->end - 1, s->t->scratch,
			    &p.n);
	return search_parts(&p, err);
}

static bool search_range(struct memory_search *s, struct err *err)
{
	struct search_plan p = { .s = s, .size = RAM_PART_SIZE };

	if (s->end - s->start > SEARCH_RANGE_MAX)
		return err_set(err, ERR_LIMIT, "more than %llu GB of addresses",
			       (unsigned long long)(SEARCH_RANGE_MAX >> 30));
	while (p.size < (s->end - s->start) / RAM_PARTS)
		p.size *= 2;
	p.n = (size_t)((s->end - s->start + p.size - 1) / p.size);
	return search_parts(&p, err);
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
	return s->ranged && !s->physical ? search_range(s, err) : search_ram(s, err);
}
