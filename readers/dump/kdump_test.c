/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of split dumps: their parts together, in any order, missing, doubled, and of two crashes.
 */
#include <time.h>

#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/reader.h"

static struct made *made_new(void)
{
	struct made *m = malloc(sizeof(*m));

	made_init(m);
	return m;
}

static struct buf make_plain(const struct made *m)
{
	struct buf b = { 0 };

	made_kdump(m, &b, 0);
	return b;
}

/* What a table of descriptors is followed by. */
enum room {
	ROOM_OWN,  /* its own pages at once */
	ROOM_WHOLE /* the room that the whole dump's would take and a page of zeros, as makedumpfile
		      leaves them */
};

/* The part of a plain kdump that has the frames from `first` to before `end`, as makedumpfile's
 * diskdump_mod.h has it: all headers and bitmaps, and of the descriptors and pages its own. */
static struct buf make_part(const struct buf *whole, uint64_t first, uint64_t end, enum room room)
{
	size_t descs = (1 + load_le32(whole->s + 432) + 2) * (size_t)4096, own = 0, all = 0, at;
	struct buf b = { 0 };

	buf_add(&b, whole->s, descs);
	put_le(b.s + 4096 + 12, 1, 4);
	put_le(b.s + 4096 + 80, first, 8);
	put_le(b.s + 4096 + 88, end, 8);
	for (size_t i = 0; i < MADE_PAGES; i++) {
		all += made_is_in(i);
		own += made_is_in(i) && i >= first && i < end;
	}
	at = descs + 24 * (room == ROOM_WHOLE ? all : own) + (room == ROOM_WHOLE ? 4096 : 0);
	for (size_t i = 0, rank = 0; i < MADE_PAGES; rank += made_is_in(i++)) {
		uint8_t desc[24];

		if (!made_is_in(i) || i < first || i >= end)
			continue;
		memcpy(desc, whole->s + descs + 24 * rank, sizeof(desc));
		put_le(desc, at, 8);
		at += 4096;
		buf_add(&b, desc, sizeof(desc));
	}
	if (room == ROOM_WHOLE)
		buf_pad(&b, '\0', 24 * (all - own) + 4096);
	for (size_t i = 0, rank = 0; i < MADE_PAGES; rank += made_is_in(i++))
		if (made_is_in(i) && i >= first && i < end)
			buf_add(&b, whole->s + load_le64(whole->s + descs + 24 * rank), 4096);
	return b;
}

struct set {
	struct target t;
	struct arena scratch;
	struct err err;
	int fd[4];
	bool ok;
};

static void set_open(struct set *s, const struct buf *parts, size_t n)
{
	const char *paths[4];
	char path[4][64];

	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
	for (size_t i = 0; i < n; i++) {
		s->fd[i] = made_file(parts[i].s, parts[i].n, path[i]);
		paths[i] = path[i];
	}
	s->ok = readers_open(&s->t, paths, n, &s->err);
}

static void set_close(struct set *s, size_t n)
{
	target_release(&s->t);
	arena_release(&s->scratch);
	for (size_t i = 0; i < n; i++)
		close(s->fd[i]);
}

static bool set_warned(const struct set *s, const char *part)
{
	for (size_t i = 0; i < s->t.warnings.n; i++)
		if (strstr(s->t.warnings.p[i].text, part))
			return true;
	return false;
}

/* Every page is right; those from `first` to before `end` are in a part that was not given. */
static void check_set(struct set *s, const struct made *m, size_t first, size_t end)
{
	uint8_t got[4096];

	for (size_t i = 0; i < MADE_PAGES; i++) {
		bool ok = mem_read_phys(&s->t, i * 4096, got, sizeof(got), &s->err);

		if (made_is_in(i) && (i < first || i >= end)) {
			if (CHECK_OK(ok, s->err))
				CHECK_MEM(got, m->mem[i], sizeof(got));
			continue;
		}
		CHECK(!ok);
		CHECK_ERR(s->err, !made_is_ram(i) ? ERR_NOTRAM
				  : made_is_in(i) ? ERR_TRUNCATED
						  : ERR_EXCLUDED);
	}
}

/* In any order, with a part that is empty, and with either way to leave room. */
TEST(the_parts_of_a_split_dump_are_one)
{
	static const uint64_t at[] = { 0, 20, 41, MADE_PAGES, MADE_PAGES };
	static const uint8_t orders[][4] = {
		{ 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 2, 0, 3, 1 }, { 1, 3, 0, 2 }
	};
	struct made *m = made_new();
	struct buf whole = make_plain(m);

	for (enum room room = ROOM_OWN; room <= ROOM_WHOLE; room++)
		for (size_t o = 0; o < ARRAY_SIZE(orders); o++) {
			struct buf parts[4];
			struct set s;

			for (size_t i = 0; i < 4; i++)
				parts[i] = make_part(&whole, at[orders[o][i]], at[orders[o][i] + 1],
						     room);
			set_open(&s, parts, 4);
			if (CHECK_OK(s.ok, s.err)) {
				CHECK_U64(s.t.warnings.n, 0);
				CHECK(!s.t.dump.truncated);
				CHECK_U64(s.t.dump.present_pages, MADE_PAGES - 3);
				CHECK_STR(s.t.dump.format, "split kdump");
				CHECK_U64(s.t.cpus.n, 2);
				CHECK_U64(s.t.ram.n, 2);
				check_set(&s, m, 0, 0);
				CHECK_U64(mem_absent_end(&s.t, 8 * 4096), 10 * 4096);
			}
			set_close(&s, 4);
			for (size_t i = 0; i < 4; i++)
				buf_release(&parts[i]);
		}
	buf_release(&whole);
	free(m);
}

/* makedumpfile leaves the same page of zeros in what --reassemble makes of parts. */
TEST(a_page_of_zeros_before_the_first_is_no_damage)
{
	struct made *m = made_new();
	struct buf whole = make_plain(m), b = make_part(&whole, 0, MADE_PAGES, ROOM_WHOLE);
	struct set s;

	put_le(b.s + 4096 + 12, 0, 4);
	set_open(&s, &b, 1);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_U64(s.t.warnings.n, 0);
		check_set(&s, m, 0, 0);
	}
	set_close(&s, 1);
	buf_release(&b);
	buf_release(&whole);
	free(m);
}

TEST(split_dumps_say_what_is_elsewhere)
{
	static const uint64_t at[] = { 0, 20, 41, MADE_PAGES };
	struct made *m = made_new();
	struct buf whole = make_plain(m);

	for (size_t gone = 0; gone < 3; gone++) {
		struct buf parts[2];
		struct set s;
		uint64_t lost = 0;

		for (size_t i = 0, n = 0; i < 3; i++)
			if (i != gone)
				parts[n++] = make_part(&whole, at[i], at[i + 1], ROOM_OWN);
		for (size_t i = at[gone]; i < at[gone + 1]; i++)
			lost += made_is_in(i);
		set_open(&s, parts, 2);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK(set_warned(&s, "a part of this split dump is missing"));
			CHECK(s.t.dump.truncated);
			CHECK_U64(s.t.dump.missing_pages, lost);
			CHECK_U64(s.t.dump.present_pages, MADE_PAGES - 3 - lost);
			check_set(&s, m, at[gone], at[gone + 1]);
		}
		set_close(&s, 2);
		buf_release(&parts[0]);
		buf_release(&parts[1]);
	}
	buf_release(&whole);
	free(m);
}

/* One twice is told, and no harm; of another crash, or a whole dump besides, is refused. */
TEST(parts_that_do_not_belong_together)
{
	struct made *m = made_new();
	struct buf whole = make_plain(m), parts[4];
	struct set s;

	parts[0] = make_part(&whole, 0, 30, ROOM_OWN);
	parts[1] = make_part(&whole, 0, 30, ROOM_OWN);
	parts[2] = make_part(&whole, 30, MADE_PAGES, ROOM_WHOLE);
	set_open(&s, parts, 3);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK(set_warned(&s, "are the same part"));
		CHECK_U64(s.t.dump.present_pages, MADE_PAGES - 3);
		CHECK(!s.t.dump.truncated);
		check_set(&s, m, 0, 0);
	}
	set_close(&s, 3);
	for (size_t wrong = 0; wrong < 3; wrong++) {
		static const size_t places[] = { 408, 150, 3 * 4096 + 4096 + 5 };
		char *p = parts[2].s + places[wrong];

		*p ^= 1; /* the time; the release; a frame that is in the dump */
		set_open(&s, &parts[1], 2);
		CHECK(!s.ok);
		CHECK_ERR(s.err, ERR_MISMATCH);
		CHECK_CONTAINS(s.err.msg, "two crashes");
		set_close(&s, 2);
		*p ^= 1;
	}
	parts[3] = whole;
	set_open(&s, &parts[2], 2);
	CHECK(!s.ok);
	CHECK_ERR(s.err, ERR_USAGE);
	set_close(&s, 2);
	for (size_t i = 0; i < 4; i++)
		buf_release(&parts[i]);
	free(m);
}

/* No dumper writes it, so what it holds is damage: it is told, and the dump has no page twice. */
TEST(parts_that_overlap)
{
	struct made *m = made_new();
	struct buf whole = make_plain(m), parts[2], flipped;
	struct set s;

	parts[0] = make_part(&whole, 0, 40, ROOM_OWN);
	parts[1] = make_part(&whole, 30, MADE_PAGES, ROOM_OWN);
	for (size_t turn = 0; turn < 2; turn++) {
		set_open(&s, parts, 2);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK(set_warned(&s, "claim the same 10 pages, from 0x1e000 to 0x27fff"));
			CHECK_U64(s.t.dump.present_pages, MADE_PAGES - 3);
			check_set(&s, m, 0, 0);
		}
		set_close(&s, 2);
		flipped = parts[0];
		parts[0] = parts[1];
		parts[1] = flipped;
	}
	buf_release(&parts[0]);
	buf_release(&parts[1]);
	buf_release(&whole);
	free(m);
}

/* A file of 32 MB whose bitmaps speak of half a terabyte, each other frame of which is RAM and in
 * the dump, and which ends there: it takes no minutes to say so. 5 seconds of a CPU are ten times
 * as much as it takes with sanitizers. */
TEST(bitmaps_of_more_than_there_is)
{
	uint64_t frames = (uint64_t)4096 * 8 * 4096;
	struct made *m = made_new();
	struct buf b = make_plain(m);
	clock_t began = clock();
	uint8_t byte;
	struct set s;

	buf_shrink(&b, (size_t)3 * 4096);
	put_le(b.s + 436, (size_t)2 * 4096, 4);
	put_le(b.s + 440, frames, 4);
	put_le(b.s + 4096 + 96, frames, 8);
	buf_pad(&b, 0x55, (size_t)2 * 4096 * 4096);
	set_open(&s, &b, 1);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK(s.t.dump.truncated);
		CHECK_U64(s.t.dump.missing_pages, frames / 2);
		/* the last frame that is RAM is the last but one */
		CHECK_U64(s.t.ram.n, 65536);
		CHECK_U64(s.t.ram.p[65535].first, (uint64_t)65535 * 2 * 4096);
		CHECK_U64(s.t.ram.p[65535].last, (frames - 1) * 4096 - 1);
		CHECK(!mem_read_phys(&s.t, 0x2000, &byte, 1, &s.err));
		CHECK_ERR(s.err, ERR_TRUNCATED);
		/* nor does a walk over all of it look at each page */
		CHECK_U64(mem_absent_end(&s.t, 0x2000), frames * 4096);
		CHECK(clock() - began < 5 * CLOCKS_PER_SEC);
	}
	set_close(&s, 1);
	buf_release(&b);
	free(m);
}

TEST_MAIN
