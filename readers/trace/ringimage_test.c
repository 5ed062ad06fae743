/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A persistent ring buffer's memory: chunks, sub-buffers in any order, and what a cut leaves. */
#include "core/base/test.h"
#include "readers/trace/made_tracedat.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_ringimage;

/* One CPU: a head for three sub-buffers of 4096 bytes, the second of them empty, the third older
 * than the first. struct ring_buffer_meta as v6.12 has it. */
static void made_chunk(struct made_dat *m, uint64_t text, uint64_t ts)
{
	size_t at = m->b.n;

	made_int(m, &m->b, 0xbadfeed, 4);
	made_int(m, &m->b, m->word == 8 ? 56 : 36, 4);
	made_int(m, &m->b, text, m->word);
	for (unsigned i = 0; i < 4; i++)
		made_int(m, &m->b, 0, m->word);
	made_int(m, &m->b, 4096, 4);
	made_int(m, &m->b, 3, 4);
	for (unsigned i = 0; i < 3; i++)
		made_int(m, &m->b, i, 4);
	buf_pad(&m->b, 0, 4096 - (m->b.n - at));
	made_page(m, &m->b, ts + 100000, 7, 7);
	made_page(m, &m->b, ts, 0, 0);
	made_page(m, &m->b, ts, 0, 7);
}

/* How many events there are in all, in order of time; of CPU 1 in *second. */
static unsigned count(struct target *t, unsigned *second, struct err *damage)
{
	const struct traces *all;
	struct trace_select sel = { .instance = "persistent" };
	struct arena a = { 0 };
	struct timeline *tl;
	struct trace_event ev;
	uint64_t before = 0;
	unsigned n = 0;
	struct err err;

	*second = 0;
	damage->code = ERR_OK;
	if (!traces_find(t, &all, &err) || !timeline_open(t, &sel, &a, &tl, &err))
		return 0;
	for (; timeline_next(tl, &ev, &err); n++) {
		CHECK(ev.ts >= before);
		before = ev.ts;
		*second += ev.cpu == 1;
		CHECK_U64(ev.id, 300);
		CHECK_U64(ev.marks, TRACE_PREVIOUS);
		CHECK(!ev.format);
	}
	(void)timeline_damage(tl, damage);
	arena_release(&a);
	return n;
}

TEST(chunks_of_each_cpu)
{
	for (unsigned word = 4; word <= 8; word += 4) {
		struct made_dat m = { .word = word, .page = 4096 };
		struct arena scratch = { 0 };
		struct err err, damage;
		struct target t;
		struct file file;
		unsigned second;

		made_chunk(&m, 0x81000000, 1000000);
		made_chunk(&m, 0x81000000, 1000500);
		target_init(&t, &scratch);
		REQUIRE(open_bytes(&t, &reader_ringimage, &file, m.b.s, m.b.n, &err));
		CHECK_U64(count(&t, &second, &damage), 28);
		CHECK_U64(second, 14);
		CHECK_U64(damage.code, ERR_OK);
		target_release(&t);
		/* without the last sub-buffer, which holds the older seven of CPU 1 */
		target_init(&t, &scratch);
		REQUIRE(open_bytes(&t, &reader_ringimage, &file, m.b.s, m.b.n - 1, &err));
		CHECK_U64(count(&t, &second, &damage), 21);
		CHECK_U64(second, 7);
		CHECK_U64(damage.code, ERR_TRUNCATED);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&m.b);
	}
}

/* The next boot makes a chunk that held nothing anew, with its own address; one that holds events
 * of another boot is another recording, for its names are others. */
TEST(chunks_of_two_boots)
{
	struct made_dat m = { .word = 8, .page = 4096 };
	struct arena scratch = { 0 };
	struct target t;
	struct file file;
	struct err err;
	unsigned n = 0;

	made_chunk(&m, 0x81000000, 1000000);
	made_chunk(&m, 0x82000000, 1000500);
	target_init(&t, &scratch);
	REQUIRE(open_bytes(&t, &reader_ringimage, &file, m.b.s, m.b.n, &err));
	for (const struct recording *r = traces_of(&t)->first; r; r = r->next, n++)
		CHECK_U64(r->buffers[0].n_lanes, 1);
	CHECK_U64(n, 2);
	target_release(&t);
	arena_release(&scratch);
	buf_release(&m.b);
}

/* What is left of a head is none, whatever stands behind the end of the bytes. */
TEST(a_head_that_is_cut_is_none)
{
	for (unsigned left = 63; left <= 64; left++) {
		struct made_dat m = { .word = 8, .page = 4096 };
		struct arena scratch = { 0 };
		struct target t;
		struct file file;
		struct err err;
		size_t first;

		made_chunk(&m, 0x81000000, 1000000);
		first = m.b.n;
		made_chunk(&m, 0x81000000, 1000500);
		target_init(&t, &scratch);
		REQUIRE(open_bytes(&t, &reader_ringimage, &file, m.b.s, first + left, &err));
		CHECK_U64(traces_of(&t)->first->buffers[0].n_lanes, left < 64 ? 1 : 2);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&m.b);
	}
}

TEST(other_bytes_are_not)
{
	static const struct {
		size_t at;
		uint8_t value;
	} wrong[] = { { 0, 1 }, { 4, 55 }, { 49, 17 }, { 49, 0 }, { 52, 1 }, { 55, 0xff } };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct made_dat m = { .word = 8, .page = 4096 };
		struct file file = { .path = "x", .fd = -1 };

		made_chunk(&m, 0x81000000, 1000000);
		file.map = SPAN(m.b.s, m.b.n);
		CHECK(reader_ringimage.probe(&file) > 0);
		file.map.n = 63;
		CHECK(!reader_ringimage.probe(&file));
		file.map.n = m.b.n;
		m.b.s[wrong[i].at] = (char)wrong[i].value;
		CHECK(!reader_ringimage.probe(&file));
		buf_release(&m.b);
	}
}

TEST_MAIN
