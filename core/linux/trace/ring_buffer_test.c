/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of five pages and the reader's, as kernel/trace/ring_buffer.c links them, whole and torn.
 */
#include "core/base/test.h"
#include "core/linux/trace/ring_fake.h"

#define EVENT_SIZE 12u /* a header and 8 bytes of data */

static struct fake_kernel k;
static struct ring_fake f;

/* n events 10 ns apart, from ts on; common_pid is the page's number. */
static void page_put(unsigned i, uint64_t ts, unsigned n)
{
	uint8_t *p = &k.mem[RING_DATA(i) - KERNEL_BASE];
	uint64_t commit = (uint64_t)n * EVENT_SIZE;

	memcpy(p, &ts, 8);
	memcpy(p + 8, &commit, 8);
	for (unsigned e = 0; e < n; e++) {
		uint32_t words[3] = { 10u << 5 | 2, 1, i };

		memcpy(p + 16 + (size_t)e * EVENT_SIZE, words, sizeof(words));
	}
	put64(&k, RING_LINK(i) + 16, commit);
	put64(&k, RING_LINK(i) + 48, RING_DATA(i));
}

static void link_to(unsigned i, unsigned next, unsigned flags)
{
	put64(&k, RING_LINK(i), RING_LINK(next) | flags);
	put64(&k, RING_LINK(next) + 8, RING_LINK(i));
}

/* The head is page 2: time goes 5 (the reader's), 2, 3, 4, 0; page 1 is empty. head_page is behind,
 * as it is after an overwrite. */
static void make(void)
{
	ring_fake_types(&k);
	for (unsigned i = 0; i < RING_PAGES; i++)
		link_to(i, (i + 1) % RING_PAGES, i == 1);
	put64(&k, RING_LINK(5), RING_LINK(2));
	put64(&k, RING_LINK(5) + 8, RING_LINK(1));
	page_put(5, 1000, 2);
	page_put(2, 2000, 2);
	page_put(3, 3000, 2);
	page_put(4, 4000, 2);
	page_put(0, 5000, 2);
	page_put(1, 0, 0);
	put64(&k, RING + RING_NR, RING_PAGES);
	put64(&k, RING + RING_LIST, RING_LINK(0));
	put64(&k, RING + RING_HEAD, RING_LINK(1));
	put64(&k, RING + RING_TAIL, RING_LINK(0));
	put64(&k, RING + RING_COMMIT, RING_LINK(0));
	put64(&k, RING + RING_READER, RING_LINK(5));
	put64(&k, RING + RING_ENTRIES, 20);
	put64(&k, RING + RING_OVERRUN, 10);
}

/* The pages that events come from, a digit each. */
static const char *pages(const struct trace_want *want, unsigned *marks)
{
	static char text[128];
	struct trace_event ev;
	struct err err = { 0 };
	size_t n = 0;

	memset(&f, 0, sizeof(f));
	*marks = 0;
	if (!CHECK_OK(ring_fake_open(&f, &k, want, &err), err))
		return "";
	while (n + 1 < sizeof(text) && trace_next(&f.r, &ev, &err)) {
		text[n++] = (char)('0' + ev.pid);
		*marks |= ev.marks;
	}
	CHECK_ERR(err, ERR_OK);
	text[n] = '\0';
	return text;
}

static void end(void)
{
	arena_release(&f.arena);
	kernel_release(&k);
}

TEST(pages_come_in_order_of_time)
{
	struct trace_want want = { 0 };
	struct trace_lane lane = { 0 };
	unsigned marks;

	make();
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK_U64(marks, 0);
	CHECK_ERR(f.r.damage, ERR_OK);
	ring_counters(&f.ring, &lane);
	CHECK_U64(lane.entries, 20);
	CHECK_U64(lane.overrun, 10);
	CHECK_U64(lane.first_ts, 2000);
	CHECK_U64(lane.dropped, UINT64_MAX); /* this kernel does not count them */
	/* page 4 may hold events of 4500 */
	want.since = 4500;
	CHECK_STR(pages(&want, &marks), "4400");
	want.since = 10;
	CHECK_STR(pages(&want, &marks), "5522334400");
	want.since = UINT64_MAX;
	CHECK_STR(pages(&want, &marks), "00");
	end();
}

/* Type 1 is the only one that this kernel has; its events have 8 bytes. */
static const struct trace_format *only_one(const struct recording *rec, uint16_t id)
{
	static const struct trace_field pid = { .name = "common_pid", .offset = 4, .size = 4 };
	static const struct trace_format one = { .id = 1, .fields = &pid, .n_fields = 1 };

	(void)rec;
	return id == 1 ? &one : NULL;
}

/* How many events a reset left behind in page 1, of n that were there; of these the one of number
 * `odd` is of an unknown type. */
static unsigned left_behind(unsigned n, unsigned odd)
{
	const struct trace_want want = { .stale = true };
	struct trace_event ev;
	struct err err = { 0 };
	unsigned found = 0;

	make();
	page_put(1, 500, n);
	if (odd < n)
		k.mem[RING_DATA(1) + 16 + odd * EVENT_SIZE + 4 - KERNEL_BASE] = 9;
	/* rb_reset_cpu() */
	put64(&k, RING_DATA(1) + 8, 0);
	put64(&k, RING_LINK(1) + 16, 0);
	memset(&f, 0, sizeof(f));
	if (CHECK_OK(ring_fake_open(&f, &k, &want, &err), err)) {
		f.ops.format = only_one;
		while (trace_next(&f.r, &ev, &err)) {
			CHECK_U64((unsigned)ev.pid, 1);
			CHECK_U64(ev.ts, 510 + 10 * found);
			CHECK_U64(ev.marks, TRACE_STALE);
			found++;
		}
	}
	end();
	return found;
}

/* Three are none by chance, and two may be; behind one that cannot be there is other data. */
TEST(what_a_reset_left_comes_when_asked_for)
{
	CHECK_U64(left_behind(5, 5), 5);
	CHECK_U64(left_behind(3, 3), 3);
	CHECK_U64(left_behind(2, 2), 0);
	CHECK_U64(left_behind(8, 4), 4);
	CHECK_U64(left_behind(8, 2), 0);
	/* a page that is full, up to its last byte */
	CHECK_U64(left_behind(340, 340), 340);
}

/* Of page 0, which had 340 events to its last byte, a new event of 16 bytes took the place of the
 * first one and of a part of the second. make_rest() leaves it so, with the old event of number
 * `odd` of an unknown type. */
#define OLD_AT(e) (RING_DATA(0) + 16 + (uint64_t)(e)*EVENT_SIZE - KERNEL_BASE)
static void make_rest(unsigned odd)
{
	static const uint32_t new_event[4] = { 10u << 5 | 3, 1, 9, 0 };
	uint64_t begun = 7000;

	make();
	page_put(0, 600, 340);
	if (odd < 340)
		k.mem[OLD_AT(odd) + 4] = 9;
	memcpy(&k.mem[OLD_AT(0)], new_event, sizeof(new_event));
	memcpy(&k.mem[RING_DATA(0) - KERNEL_BASE], &begun, 8);
	put64(&k, RING_DATA(0) + 8, sizeof(new_event));
	put64(&k, RING_LINK(0) + 16, sizeof(new_event));
}

/* What comes of it; the last event is left in *last. */
static unsigned rest(bool untimed, struct trace_event *last)
{
	const struct trace_want want = { .stale = true, .untimed = untimed };
	struct trace_event ev;
	struct err err = { 0 };
	unsigned found = 0;

	memset(&f, 0, sizeof(f));
	if (CHECK_OK(ring_fake_open(&f, &k, &want, &err), err)) {
		f.ops.format = only_one;
		for (; trace_next(&f.r, &ev, &err); found++) {
			CHECK_U64((unsigned)ev.pid, 0);
			if (ev.marks & TRACE_UNTIMED) {
				CHECK_U64(ev.marks, TRACE_STALE | TRACE_UNTIMED);
				CHECK_U64(ev.before, 7000);
				CHECK_U64(ev.after, 10 * found);
				CHECK_U64(ev.begins, !found);
			}
			*last = ev;
		}
	}
	end();
	return found;
}

/* Nothing says where an old event begins but that all behind it fit, up to the page's end. */
TEST(what_stands_behind_newer_events_has_lost_its_time)
{
	struct trace_event ev = { 0 };

	make_rest(340);
	CHECK_U64(rest(true, &ev), 338);
	CHECK_U64(ev.after, 3370);
	make_rest(340);
	CHECK_U64(rest(false, &ev), 0);
	/* what is in front of other data need not be of the same time */
	make_rest(100);
	CHECK_U64(rest(true, &ev), 239);
	make_rest(336);
	CHECK_U64(rest(true, &ev), 3);
	make_rest(337);
	CHECK_U64(rest(true, &ev), 0);
	/* the last event would be longer than the page */
	make_rest(340);
	k.mem[OLD_AT(339)] = (10u << 5 | 28) & 0xff;
	CHECK_U64(rest(true, &ev), 0);
	/* words that look like a stamp are none where no event stands in front of them */
	make_rest(340);
	k.mem[OLD_AT(1) + 4] = 31;
	CHECK_U64(rest(true, &ev), 338);
	CHECK_U64(ev.marks & TRACE_UNTIMED, TRACE_UNTIMED);
}

/* A kernel that stamps every event, as for hist triggers, leaves the times, too. */
TEST(a_stamp_among_old_events_is_their_time)
{
	static const uint32_t stamps[6] = { 31 | 3000u << 5, 0, 31 | 3000u << 5, 0,
					    31 | 3000u << 5, 0 };
	struct trace_event ev = { 0 };

	make_rest(340);
	memcpy(&k.mem[OLD_AT(100)], stamps, sizeof(stamps));
	CHECK_U64(rest(true, &ev), 336);
	CHECK_U64(ev.marks, TRACE_STALE);
	CHECK_U64(ev.ts, 3000 + 238 * 10);
	/* and none that is later than the page's new beginning */
	make_rest(340);
	memcpy(&k.mem[OLD_AT(100)], stamps, sizeof(stamps));
	k.mem[OLD_AT(100) + 20] = 1;
	CHECK_U64(rest(true, &ev), 238);
}

TEST(what_was_read_comes_when_asked_for)
{
	struct trace_want want = { 0 };
	unsigned marks;
	struct span s;
	struct err err = { 0 };

	make();
	/* one event of the reader's page, and all of page 1, which was handed back; page 3's `read`
	 * is of the time before it was written again */
	k.mem[RING_LINK(5) + 24 - KERNEL_BASE] = EVENT_SIZE;
	k.mem[RING_LINK(3) + 24 - KERNEL_BASE] = 2 * EVENT_SIZE;
	page_put(1, 500, 3);
	put64(&k, RING_DATA(1) + 8, 0);
	k.mem[RING_LINK(1) + 24 - KERNEL_BASE] = 3 * EVENT_SIZE;
	CHECK_STR(pages(&want, &marks), "522334400");
	CHECK_U64(marks, 0);
	want.consumed = true;
	CHECK_STR(pages(&want, &marks), "1115522334400");
	CHECK_U64(marks, TRACE_CONSUMED);
	/* an export of what was not read begins with the reader's second event, at 1020 */
	want.consumed = false;
	REQUIRE_OK(ring_fake_open(&f, &k, &want, &err), err);
	REQUIRE_OK(ring_page(&f.r, &s, &err), err);
	CHECK_U64(s.n, 4096);
	CHECK_U64(load_le64(s.p), 1010);
	CHECK_U64(load_le64(s.p + 8), EVENT_SIZE);
	CHECK_U64(load_le32(s.p + 16), 10u << 5 | 2);
	CHECK_U64(load_le32(s.p + 16 + EVENT_SIZE), 0);
	end();
}

TEST(what_was_being_written_comes_when_asked_for)
{
	struct trace_want want = { 0 };
	unsigned marks;

	make();
	put64(&k, RING_DATA(0) + 8, EVENT_SIZE); /* the second event is reserved only */
	CHECK_STR(pages(&want, &marks), "552233440");
	want.uncommitted = true;
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK_U64(marks, TRACE_UNCOMMITTED);
	end();
}

TEST(all_is_on_the_readers_page)
{
	struct trace_want want = { 0 };
	unsigned marks;

	make();
	put64(&k, RING + RING_TAIL, RING_LINK(5));
	put64(&k, RING + RING_COMMIT, RING_LINK(5));
	CHECK_STR(pages(&want, &marks), "55");
	end();
}

TEST(a_torn_list_is_walked_from_both_ends)
{
	struct trace_want want = { 0 };
	unsigned marks;

	/* forward: 0, 1, 2 and no further; back from 0: 4, 3 */
	make();
	put64(&k, RING_LINK(2), 0x1234567000);
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK(f.r.damage.code != ERR_OK);
	CHECK_CONTAINS(f.r.damage.msg, "torn");
	end();
	/* a page that leads to itself: what is behind it is found the other way */
	make();
	put64(&k, RING_LINK(2), RING_LINK(2));
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK(f.r.damage.code != ERR_OK);
	end();
	/* and a list that never comes back to its start */
	make();
	put64(&k, RING_LINK(4), RING_LINK(3));
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK(f.r.damage.code != ERR_OK);
	end();
}

TEST(without_a_head_the_oldest_page_is_first)
{
	struct trace_want want = { 0 };
	unsigned marks;

	make();
	link_to(1, 2, 0);
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK_CONTAINS(f.r.damage.msg, "no head");
	end();
}

TEST(numbers_that_cannot_be)
{
	struct trace_want want = { .consumed = true, .uncommitted = true };
	unsigned marks;
	struct err err = { 0 };

	make();
	put64(&k, RING + RING_NR, UINT64_MAX);
	CHECK_STR(pages(&want, &marks), "5522334400");
	end();
	/* fewer than there are: 0, 1, 2 one way, 4, 3 the other */
	make();
	put64(&k, RING + RING_NR, 2);
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK(f.r.damage.code != ERR_OK);
	end();
	make();
	put64(&k, RING + RING_LIST, 0x77);
	CHECK_STR(pages(&want, &marks), "55");
	CHECK(f.r.damage.code != ERR_OK);
	end();
	make();
	put64(&k, RING + RING_LIST, 0x77);
	put64(&k, RING + RING_READER, 0x77);
	memset(&f, 0, sizeof(f));
	CHECK(!ring_fake_open(&f, &k, &want, &err));
	end();
}

TEST(an_absent_page_costs_itself_only)
{
	struct trace_want want = { 0 };
	unsigned marks;

	make();
	k.holes = 1ull << ((RING_DATA(3) - KERNEL_BASE) / 0x1000);
	CHECK_STR(pages(&want, &marks), "55224400");
	CHECK_ERR(f.r.damage, ERR_EXCLUDED);
	end();
	make();
	put64(&k, RING_DATA(3) + 8, 0x7fffffff); /* beyond the page; behind its events is nothing */
	CHECK_STR(pages(&want, &marks), "5522334400");
	CHECK_ERR(f.r.damage, ERR_CORRUPT);
	end();
}

TEST_MAIN
