/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zones by their signatures alone: sizes, order and kinds follow from where the next one is. */
#include <stdlib.h>
#include <string.h>
#include "core/base/mapping.h"

#include "readers/pstore/pstore_record.h"
#include "readers/pstore/ramoops_layout.h"

/* How many zones a damaged header may have hidden before the first one found. */
#define HIDDEN_FRONT 64u
/* A large file is searched by pieces of this size: whole pages. */
#define PIECE ((size_t)32 << 20)

static bool head_fits(struct zone_head h, uint64_t room)
{
	return h.start <= h.size && h.size <= room && h.size <= ZONE_MAX;
}

static struct candidate candidate_at(struct span s, uint64_t off, bool big)
{
	struct zone_head h = zone_head_load(s.p + off, big);

	return (struct candidate){ .off = off,
				   .plain = h.sig == ZONE_SIG,
				   .fits = head_fits(h, s.n - off - ZONE_HEADER),
				   .used = h.size != 0,
				   .code = h.sig ^ ZONE_SIG };
}

/* Does a signature begin in these 64 bytes? Plain enough for compilers to make vectors of it:
 * memmem() takes several times as long. */
static bool block_has(const uint8_t *p, const char *sig)
{
	uint8_t any = 0;

	for (unsigned i = 0; i < 64; i++)
		any |= (p[i] == (uint8_t)sig[0]) & (p[i + 1] == (uint8_t)sig[1]) &
		       (p[i + 2] == (uint8_t)sig[2]) & (p[i + 3] == (uint8_t)sig[3]);
	return any;
}

/* Signatures that begin in [from, to) and have a header's room behind them. */
static bool find_within(struct span s, size_t from, size_t to, struct layout_candidates *ret)
{
	const char *sig = ret->big ? "CGBD" : "DBGC";

	if (s.n < ZONE_HEADER)
		return true;
	if (to > s.n - ZONE_HEADER + 1)
		to = s.n - ZONE_HEADER + 1;
	while (from < to) {
		size_t end = to - from > 64 ? from + 64 : to;

		if (s.n - from >= 67 && !block_has(s.p + from, sig)) {
			from = end;
			continue;
		}
		for (; from < end; from++) {
			if (memcmp(s.p + from, sig, 4) != 0)
				continue;
			if (ret->v.n == CANDIDATES_MAX) {
				ret->many = true;
				return false;
			}
			*vec_push(&ret->v) = candidate_at(s, from, ret->big);
		}
	}
	return true;
}

/* Of a mapped file, pages that were looked at are given back as the search goes on. */
static void find_order(struct span s, bool big, bool mapped, struct layout_candidates *ret)
{
	ret->big = big;
	for (size_t at = 0; at < s.n; at += PIECE) {
		size_t n = s.n - at < PIECE ? s.n - at : PIECE;

		if (!find_within(s, at, at + n, ret))
			return;
		if (mapped && s.n > 2 * PIECE)
			mapping_give_back(s.p + at, n);
	}
}

static size_t fitting(const struct layout_candidates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->v.n; i++)
		n += c->v.p[i].fits;
	return n;
}

void candidates_find(struct span s, bool mapped, struct layout_candidates *ret)
{
	struct layout_candidates other = { 0 };

	*ret = (struct layout_candidates){ 0 };
	find_order(s, false, mapped, ret);
	if (fitting(ret))
		return;
	find_order(s, true, mapped, &other);
	if (fitting(&other) > fitting(ret)) {
		struct layout_candidates swap = *ret;

		*ret = other;
		other = swap;
	}
	vec_release(&other.v);
}

static int by_offset(const void *a, const void *b)
{
	uint64_t x = ((const struct candidate *)a)->off, y = ((const struct candidate *)b)->off;

	return x < y ? -1 : x > y;
}

static bool has(const struct layout_candidates *c, uint64_t off)
{
	struct candidate key = { .off = off };

	return c->v.n && bsearch(&key, c->v.p, c->v.n, sizeof(key), by_offset) != NULL;
}

/* A signature of an ftrace zone differs from the others by the code of the kernel that made it:
 * major, minor and patch level in a byte each. */
static bool code_fits(uint32_t code)
{
	return code >> 24 == 0 && code >> 16 >= 3 && code >> 16 < 32 && (code >> 8 & 0xff) < 64;
}

static bool ftrace_at(struct span s, uint64_t off, bool big)
{
	struct candidate c = { 0 };

	if (off < s.n && s.n - off >= ZONE_HEADER)
		c = candidate_at(s, off, big);
	return c.fits && !c.plain && code_fits(c.code);
}

/* How many zones lie at first, first + d, first + 2d, ...; up to two in a row may be hidden. */
static size_t run_length(struct span s, const struct layout_candidates *c, uint64_t first,
			 uint64_t d)
{
	size_t n = 0, hits = 0, hidden = 0;

	for (uint64_t at = first; at + ZONE_HEADER <= s.n && n < ZONES_MAX; at += d) {
		n++;
		if (has(c, at)) {
			hits = n;
			hidden = 0;
		} else if (++hidden > 2 || ftrace_at(s, at, c->big)) {
			break;
		}
	}
	return hits;
}

/* A distance of equal zones, how many there are, and how many of these can be seen. */
struct stride {
	uint64_t d;
	size_t n, hits;
};

/* Takes d where it explains more zones; for each hidden one `seen` must be there. */
static void stride_try(struct span s, const struct layout_candidates *c, uint64_t first, uint64_t d,
		       size_t seen, struct stride *best)
{
	struct stride x = { .d = d };

	if (d <= ZONE_HEADER || d > ZONE_MAX)
		return;
	x.n = run_length(s, c, first, d);
	for (size_t i = 0; i < x.n; i++)
		x.hits += has(c, first + i * d);
	if (x.hits > best->hits && x.hits >= seen * (x.n - x.hits))
		*best = x;
}

/*
 * The distance of the equal zones at the region's begin: the one that explains the most. It is that
 * of some zone from the first one; or, where the second one is hidden, of two that follow each
 * other, but these may also be smaller zones behind: then few places may be without a zone.
 */
static uint64_t find_stride(struct span s, const struct layout_candidates *c, size_t base,
			    size_t *count)
{
	const struct candidate *v = c->v.p;
	uint64_t first = v[base].off;
	struct stride best = { .n = 1 };

	for (size_t i = base + 1; i < c->v.n && i <= base + 64; i++) {
		stride_try(s, c, first, v[i].off - first, 1, &best);
		stride_try(s, c, first, v[i].off - v[i - 1].off, 4, &best);
	}
	*count = best.n;
	return best.d;
}

static bool add_zone(struct ramoops_layout *l, uint64_t off, enum survivor_type type, uint32_t code,
		     bool inferred)
{
	if (l->n >= ZONES_MAX)
		return false;
	l->zones[l->n++] = (struct ramoops_zone){
		.off = off, .type = type, .code = code, .inferred = inferred
	};
	return true;
}

static bool power_of_two(uint64_t n)
{
	return n && (n & (n - 1)) == 0;
}

/* Ftrace zones between `from` and the end: of one code, each as far from the next. */
static void find_ftrace(struct span region, bool big, uint64_t from, struct layout_candidates *ret)
{
	uint32_t code = 0;

	for (uint64_t at = from; at + ZONE_HEADER <= region.n; at++) {
		/* the byte that all such signatures share is sought first */
		uint64_t key = at + (big ? 0 : 3);
		const uint8_t *p = memchr(region.p + key, ZONE_SIG >> 24, region.n - key);
		struct candidate c;

		if (!p)
			return;
		at = (uint64_t)(p - region.p) - (big ? 0 : 3);
		if (at + ZONE_HEADER > region.n)
			return;
		c = candidate_at(region, at, big);
		if (!c.fits || !code_fits(c.code) || (code && c.code != code))
			continue;
		if (ret->v.n == ZONES_MAX)
			return;
		code = c.code;
		*vec_push(&ret->v) = c;
	}
}

static struct span data_at(struct span region, uint64_t off, uint64_t n)
{
	uint64_t left;

	if (off + ZONE_HEADER >= region.n)
		return SPAN(region.p, 0);
	left = region.n - off - ZONE_HEADER;
	return SPAN(region.p + off + ZONE_HEADER, n < left ? n : left);
}

/*
 * The first zone behind the equal ones may be where one more of them would be. It is smaller when
 * the next header comes too early, or the region's end.
 */
static bool last_is_smaller(struct span region, const struct layout_candidates *c, uint64_t last,
			    uint64_t stride, bool whole)
{
	struct zone_head h = zone_head_load(region.p + last, c->big);
	uint64_t past = last + ZONE_HEADER;

	if (whole && region.n - last < stride)
		return true;
	if (head_fits(h, region.n - past))
		past += h.size;
	for (size_t i = 0; i < c->v.n; i++)
		if (c->v.p[i].off >= past && c->v.p[i].off < last + stride && c->v.p[i].fits)
			return true;
	for (uint64_t size = 512; size < stride; size *= 2)
		if (last + size >= past && ftrace_at(region, last + size, c->big))
			return true;
	return false;
}

/* What a zone's own bytes say it is: dmesg, console (text), or unknown. */
static enum survivor_type by_content(struct span region, const struct ramoops_zone *z)
{
	struct span s = data_at(region, z->off, 512);

	if (s.n >= 4 && memcmp(s.p, "====", 4) == 0)
		return SURVIVOR_DMESG;
	if (looks_text(s))
		return SURVIVOR_CONSOLE;
	if (s.n >= 18 && s.p[0] == 'l' && load_le16(s.p + 1) >= 18)
		return SURVIVOR_PMSG;
	return SURVIVOR_UNKNOWN;
}

static void zone_sizes(struct ramoops_layout *l, uint64_t end, uint64_t stride, bool whole)
{
	for (size_t i = 0; i < l->n; i++) {
		struct ramoops_zone *z = &l->zones[i];
		uint64_t rest = end - z->off;

		if (i + 1 < l->n)
			rest = l->zones[i + 1].off - z->off;
		else if (z->type == SURVIVOR_DMESG && stride && stride <= rest)
			rest = stride;
		else if (i && z->type == SURVIVOR_FTRACE && l->zones[i - 1].size <= rest &&
			 l->zones[i - 1].type == SURVIVOR_FTRACE)
			rest = l->zones[i - 1].size;
		else if (whole || rest < ZONE_MAX)
			while (rest & (rest - 1))
				rest &= rest - 1;
		z->size = rest < ZONE_MAX ? rest : ZONE_MAX;
	}
}

/* Behind the dmesg zones: console, and pmsg before or behind those of ftrace. */
static void find_tail(struct span region, const struct layout_candidates *c,
		      const struct layout_candidates *f, uint64_t from, struct ramoops_layout *l)
{
	size_t i = 0, j = 0;
	uint64_t last = UINT64_MAX;

	while (i < c->v.n && c->v.p[i].off < from)
		i++;
	while (j < f->v.n && f->v.p[j].off < from)
		j++;
	while (i < c->v.n || j < f->v.n) {
		bool plain = j == f->v.n || (i < c->v.n && c->v.p[i].off < f->v.p[j].off);
		const struct candidate *x = plain ? &c->v.p[i++] : &f->v.p[j++];
		struct zone_head h;

		/* what stands within the last zone's data is its text */
		if (last != UINT64_MAX) {
			h = zone_head_load(region.p + last, c->big);
			if (head_fits(h, region.n - last - ZONE_HEADER) &&
			    x->off < last + ZONE_HEADER + h.size)
				continue;
			if (plain && !power_of_two(x->off - last) && !x->fits)
				continue;
		} else if (x->off != from && from != 0 && !x->fits) {
			continue;
		}
		if (!add_zone(l, x->off, plain ? SURVIVOR_UNKNOWN : SURVIVOR_FTRACE,
			      plain ? 0 : x->code, false))
			return;
		last = x->off;
	}
}

/* pstore/ram: "Move pmsg init earlier" put pmsg before ftrace; the code says which is the case. */
#define CODE_FTRACE_LAST 0x060200u

/* Gives the zones behind the dmesg ones, or the last of equally large ones, their kinds. */
static void name_tail(struct span region, struct ramoops_layout *l, size_t n_dmesg)
{
	size_t first_f = l->n, plain_after = 0, named = 0;
	struct ramoops_zone *z = l->zones;

	for (size_t i = l->n; i-- > 0;)
		if (z[i].type == SURVIVOR_FTRACE)
			first_f = i;
	for (size_t i = first_f; i < l->n; i++)
		if (z[i].type != SURVIVOR_FTRACE)
			plain_after++;
	if (first_f < l->n) {
		size_t want;

		l->code = z[first_f].code;
		want = l->code >= CODE_FTRACE_LAST && !plain_after ? 2 : 1;
		/* of equally large zones the last are no dmesg zones */
		if (first_f == n_dmesg)
			while (n_dmesg > 1 && first_f - n_dmesg < want &&
			       by_content(region, &z[n_dmesg - 1]) != SURVIVOR_DMESG)
				z[--n_dmesg].type = SURVIVOR_UNKNOWN;
	} else if (n_dmesg == l->n) {
		while (n_dmesg > 1 && l->n - n_dmesg < 2) {
			enum survivor_type type = by_content(region, &z[n_dmesg - 1]);

			if (type != SURVIVOR_CONSOLE && type != SURVIVOR_PMSG)
				break;
			z[--n_dmesg].type = SURVIVOR_UNKNOWN;
		}
	}
	for (size_t i = n_dmesg; i < l->n; i++) {
		enum survivor_type type = by_content(region, &z[i]);

		if (z[i].type == SURVIVOR_FTRACE)
			continue;
		if (i > first_f || named == 1 || (named == 0 && type == SURVIVOR_PMSG))
			z[i].type = SURVIVOR_PMSG;
		else
			z[i].type = named == 0 ? SURVIVOR_CONSOLE : SURVIVOR_UNKNOWN;
		named += z[i].type == SURVIVOR_CONSOLE ? 1 : 2;
	}
}

/* Is there anything where the headers' parity of such a code would be? A header is not all zeros,
 * so its parity is not either. */
static bool parity_there(struct span region, const struct ramoops_layout *l, unsigned ecc)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n && n < 64; i++) {
		struct zone_room room;
		struct span s;
		struct err err;

		if (!zone_divide(l->zones[i].size, ecc, &room) ||
		    !span_sub(region, l->zones[i].off + room.head_parity, ecc, "", &s, &err))
			continue;
		n++;
		for (size_t j = 0; j < ecc; j++)
			if (s.p[j])
				return true;
	}
	return false;
}

/* Which code's parity is right in most headers; the last zone's size may be a guess. */
static unsigned detect_ecc(struct span region, const struct ramoops_layout *l)
{
	static const unsigned likely[] = { 16, 8, 4, 32 };
	unsigned best = 0;
	size_t best_hits = 0;

	for (unsigned k = 0; k < ARRAY_SIZE(likely) + 63; k++) {
		unsigned ecc =
			k < ARRAY_SIZE(likely) ? likely[k] : k - (unsigned)ARRAY_SIZE(likely) + 2;
		struct rs *rs = parity_there(region, l, ecc) ? rs_open(ecc) : NULL;
		size_t hits = 0, n = 0;

		for (size_t i = 0; rs && i < l->n && n < 64; i++) {
			struct span s;
			struct err err;

			if (!span_sub(region, l->zones[i].off, l->zones[i].size, "", &s, &err))
				continue;
			n++;
			hits += zone_head_protected(rs, ecc, s);
		}
		rs_close(rs);
		/* by chance a short code fits one zone in 256 or 65536 */
		if (hits > best_hits && (hits > 1 || ecc >= 4)) {
			best_hits = hits;
			best = ecc;
		}
		if (k < ARRAY_SIZE(likely) && hits * 2 > n)
			return ecc;
	}
	return best;
}

/* The header at off, mended, if a zone of this size there has one. */
static bool head_mended(struct rs *rs, struct span region, bool big, uint64_t off, uint64_t size,
			uint32_t *code)
{
	uint8_t head[ZONE_HEADER];
	struct zone_room room;
	struct zone_head h;

	if (size > region.n - off || !zone_divide(size, rs_roots(rs), &room))
		return false;
	memcpy(head, region.p + off, sizeof(head));
	if (rs_correct(rs, head, sizeof(head), region.p + off + room.head_parity) < 0)
		return false;
	h = zone_head_load(head, big);
	*code = h.sig ^ ZONE_SIG;
	return (*code == 0 || code_fits(*code)) && h.start <= h.size && h.size <= room.data;
}

/*
 * Zones behind the dmesg ones whose signatures are damaged: their headers' parity tells where they
 * are. Sizes are powers of two, or such parts of one as there are CPUs. Taken only when the zones
 * fill the region, and are more than signatures alone told of.
 */
static void mend_tail(struct span region, struct ramoops_layout *l, size_t n_dmesg, uint64_t from)
{
	struct rs *rs = rs_open(l->ecc);
	struct ramoops_layout *m = xrealloc(NULL, sizeof(*m));
	uint64_t at = from, last = 0;

	m->n = 0;
	while (rs && at < region.n && m->n < ZONES_MAX - n_dmesg) {
		uint64_t size = 512;
		uint32_t code = 0;
		bool found = last && head_mended(rs, region, l->big, at, last, &code) && code;

		if (found)
			size = last;
		while (!found && size <= region.n - at && size <= ZONE_MAX) {
			found = head_mended(rs, region, l->big, at, size, &code);
			size *= found ? 1 : 2;
		}
		if (!found)
			break;
		add_zone(m, at, code ? SURVIVOR_FTRACE : SURVIVOR_UNKNOWN, code, false);
		last = size;
		at += size;
	}
	rs_close(rs);
	if (region.n - (at < region.n ? at : region.n) < 512 && m->n > l->n - n_dmesg) {
		l->n = n_dmesg;
		for (size_t i = 0; i < m->n; i++)
			l->zones[l->n++] = m->zones[i];
	}
	free(m);
}

/* The last zone of a region that is part of something larger: the size at which its parity is. */
static void size_last(struct span region, struct ramoops_layout *l)
{
	struct ramoops_zone *z = &l->zones[l->n - 1];
	struct zone_head h = zone_head_load(region.p + z->off, l->big);
	uint64_t size = 4096;
	struct rs *rs = l->ecc ? rs_open(l->ecc) : NULL;
	bool found = false;

	for (; rs && !found && size <= region.n - z->off && size <= ZONE_MAX; size *= 2)
		if (zone_head_protected(rs, l->ecc, SPAN(region.p + z->off, size))) {
			z->size = size;
			found = true;
		}
	rs_close(rs);
	if (found || !head_fits(h, region.n - z->off - ZONE_HEADER))
		return;
	for (size = 4096; size < h.size + ZONE_HEADER;)
		size *= 2;
	if (size > region.n - z->off)
		size = h.size + ZONE_HEADER;
	if (size < z->size)
		z->size = size;
}

/* Zones before the first signature, whose headers are damaged. */
static uint64_t hidden_front(uint64_t first, uint64_t stride)
{
	if (stride && first && first % stride == 0 && first / stride <= HIDDEN_FRONT)
		return 0;
	return first;
}

bool layout_detect(struct span region, bool big, bool whole, struct ramoops_layout *ret)
{
	struct layout_candidates c = { 0 }, f = { 0 };
	size_t count = 0, n_dmesg, base = 0;
	uint64_t stride, first, from;

	ret->n = 0;
	ret->ecc = 0;
	ret->code = 0;
	ret->big = big;
	find_order(region, big, false, &c);
	while (base < c.v.n && !c.v.p[base].fits)
		base++;
	if (base == c.v.n) {
		vec_release(&c.v);
		return false;
	}
	from = c.v.p[base].off;
	stride = find_stride(region, &c, base, &count);
	while (count > 1 && last_is_smaller(region, &c, from + (count - 1) * stride, stride, whole))
		count--;
	first = whole ? hidden_front(from, stride) : from;
	for (uint64_t at = first; at < from; at += stride)
		add_zone(ret, at, SURVIVOR_DMESG, 0, true);
	for (size_t i = 0; i < count; i++)
		add_zone(ret, from + i * stride, SURVIVOR_DMESG, 0, !has(&c, from + i * stride));
	n_dmesg = ret->n;
	first = ret->zones[ret->n - 1].off + (stride ? stride : ZONE_HEADER);
	find_ftrace(region, big, first, &f);
	find_tail(region, &c, &f, first, ret);
	zone_sizes(ret, region.n, stride, whole);
	ret->ecc = detect_ecc(region, ret);
	if (ret->ecc && whole)
		mend_tail(region, ret, n_dmesg, first);
	name_tail(region, ret, n_dmesg);
	zone_sizes(ret, region.n, stride, whole);
	if (!whole)
		size_last(region, ret);
	vec_release(&c.v);
	vec_release(&f.v);
	return ret->n > 0;
}

/* A size's highest bit, as rounddown_pow_of_two() leaves it. */
static uint64_t round_down(uint64_t n)
{
	while (n & (n - 1))
		n &= n - 1;
	return n;
}

bool layout_compute(const struct survivor_layout *given, uint64_t size, bool ftrace_last,
		    struct ramoops_layout *ret, struct err *err)
{
	uint64_t record = round_down(given->record), console = round_down(given->console),
		 ftrace = round_down(given->ftrace), pmsg = round_down(given->pmsg), at = 0, n = 0,
		 stride = 0, other;
	unsigned cpus = given->cpus ? given->cpus : 1;

	ret->n = 0;
	ret->ecc = given->ecc;
	if (console > size || ftrace > size || pmsg > size || console + ftrace + pmsg > size)
		return err_set(err, ERR_USAGE,
			       "the sizes add up to more than the region's %llu bytes",
			       (unsigned long long)size);
	other = size - console - ftrace - pmsg;
	if (record && other >= record) {
		n = other / record;
		stride = other / n;
	}
	if (n > ZONES_MAX - CPUS_LIMIT - 2 || cpus > CPUS_LIMIT)
		return err_set(err, ERR_LIMIT, "more zones than %u", ZONES_MAX);
	for (uint64_t i = 0; i < n; i++, at += stride) {
		add_zone(ret, at, SURVIVOR_DMESG, 0, false);
		ret->zones[ret->n - 1].size = stride;
	}
	for (int step = 0; step < 4; step++) {
		bool is_pmsg = step == (ftrace_last ? 1 : 3), is_ftrace = step == 2;
		uint64_t each = step == 0   ? console
				: is_pmsg   ? pmsg
				: is_ftrace ? ftrace / cpus
					    : 0;

		for (unsigned i = 0; each && i < (is_ftrace ? cpus : 1); i++, at += each) {
			add_zone(ret, at,
				 step == 0 ? SURVIVOR_CONSOLE
				 : is_pmsg ? SURVIVOR_PMSG
					   : SURVIVOR_FTRACE,
				 0, false);
			ret->zones[ret->n - 1].size = each;
		}
	}
	return true;
}

uint64_t layout_end(const struct ramoops_layout *l)
{
	return l->n ? l->zones[l->n - 1].off + l->zones[l->n - 1].size : 0;
}
