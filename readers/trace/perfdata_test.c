/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files of perf's, made here as tools/perf/Documentation/perf.data-file-format.txt has them:
 * order, whose event it is, and what is cut or wrong. What perf itself wrote is in
 * testdata/sessions/trace_perf.t. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "readers/trace/perfdata.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_perfdata;

#define SAMPLES (PERF_IDENTIFIER | PERF_IP | PERF_TID | PERF_TIME | PERF_CPU | PERF_PERIOD)
#define IDS_AT 104u
#define ATTRS_AT (IDS_AT + 16u)
#define ENTRY 80u /* an attr of 64 bytes, and where its ids are */
#define DATA_AT (ATTRS_AT + 2 * ENTRY)

static void put(struct buf *b, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_char(b, (char)(v >> 8 * i));
}

static void put_head(struct buf *b, unsigned type, unsigned misc, unsigned size)
{
	put(b, type, 4);
	put(b, misc, 2);
	put(b, size, 2);
}

/* Of event `id`, by thread 12 of process 10 on CPU 1. */
static void put_sample(struct buf *b, uint64_t id, uint64_t ip, uint64_t ts)
{
	put_head(b, PERF_RECORD_SAMPLE, 0, 8 + 48);
	put(b, id, 8);
	put(b, ip, 8);
	put(b, 10, 4);
	put(b, 12, 4);
	put(b, ts, 8);
	put(b, 1, 8);
	put(b, 7, 8);
}

/* With what follows a record that is no sample: pid and tid, time, CPU, id. */
static void put_trailer(struct buf *b, uint64_t ts)
{
	put(b, 0, 8);
	put(b, ts, 8);
	put(b, 1, 8);
	put(b, 100, 8);
}

static void put_comm_of(struct buf *b, unsigned tid, unsigned misc, const char *comm, uint64_t ts)
{
	put_head(b, PERF_RECORD_COMM, misc, 8 + 8 + 8 + 32);
	put(b, 10, 4);
	put(b, tid, 4);
	buf_add(b, comm, strlen(comm));
	buf_pad(b, 0, 8 - strlen(comm));
	put_trailer(b, ts);
}

static void put_comm(struct buf *b, const char *comm, uint64_t ts)
{
	put_comm_of(b, 12, 0, comm, ts);
}

/* A file of 16 bytes at `addr`, that process 10 mapped. */
static void put_map(struct buf *b, uint64_t addr, const char *path, uint64_t ts)
{
	put_head(b, PERF_RECORD_MMAP, 0, 8 + 8 + 24 + 8 + 32);
	put(b, 10, 4);
	put(b, 10, 4);
	put(b, addr, 8);
	put(b, 16, 8);
	put(b, 0, 8);
	buf_add(b, path, strlen(path));
	buf_pad(b, 0, 8 - strlen(path));
	put_trailer(b, ts);
}

static void put_round(struct buf *b)
{
	put_head(b, PERF_RECORD_FINISHED_ROUND, 0, 8);
}

static void put_attr(struct buf *b, uint64_t config, uint64_t ids)
{
	put(b, 1, 4); /* a software event */
	put(b, 64, 4);
	put(b, config, 8);
	put(b, 5000, 8);
	put(b, SAMPLES, 8);
	put(b, 0, 8);
	put(b, 1 << 18, 8); /* sample_id_all */
	buf_pad(b, 0, 16);
	put(b, ids, 8);
	put(b, 8, 8);
}

/* A file of two events, with ids 100 and 101, around records; size 0: perf was killed. */
static void put_file(struct buf *b, const struct buf *records, uint64_t size)
{
	buf_str(b, "PERFILE2");
	put(b, 104, 8);
	put(b, ENTRY, 8);
	put(b, ATTRS_AT, 8);
	put(b, (uint64_t)2 * ENTRY, 8);
	put(b, DATA_AT, 8);
	put(b, size, 8);
	buf_pad(b, 0, 16 + 32);
	put(b, 100, 8);
	put(b, 101, 8);
	put_attr(b, 0, IDS_AT);
	put_attr(b, 1, IDS_AT + 8);
	buf_add(b, records->s, records->n);
}

/* Opens a file and has all its events in a text, a line each: "time comm-pid ip". */
static bool events_of(const struct buf *file, struct buf *ret, unsigned *damaged)
{
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_select all = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file f;
	struct err err;
	bool ok;

	*damaged = 0;
	target_init(&t, &scratch);
	ok = open_bytes(&t, &reader_perfdata, &f, file->s, file->n, &err);
	if (ok && timeline_open(&t, &all, &a, &tl, &err)) {
		while (timeline_next(tl, &ev, &err))
			buf_printf(ret, "%" PRIu64 " %s-%d %s\n", ev.ts, trace_comm(&ev), ev.pid,
				   ev.text);
		*damaged = timeline_damage(tl, &err);
	}
	arena_release(&a);
	target_release(&t);
	arena_release(&scratch);
	return ok;
}

#define CHECK_EVENTS(file, damage, text)                  \
	do {                                              \
		struct buf got_ = { 0 };                  \
		unsigned damaged_;                        \
		CHECK(events_of(file, &got_, &damaged_)); \
		CHECK_STR(buf_text(&got_), text);         \
		CHECK_U64(damaged_, damage);              \
		buf_release(&got_);                       \
	} while (0)

/* What is older than all of the round before is certain only when a round later has ended. */
TEST(rounds_are_put_in_order)
{
	struct buf r = { 0 }, f = { 0 };

	put_sample(&r, 100, 0x30, 30);
	put_round(&r);
	put_sample(&r, 101, 0x20, 20);
	put_sample(&r, 100, 0x40, 40);
	put_round(&r);
	put_sample(&r, 100, 0x35, 35);
	put_file(&f, &r, r.n);
	CHECK_EVENTS(&f, 0,
		     "20 <...>-12 period=7 ip=0x20\n30 <...>-12 period=7 ip=0x30\n"
		     "35 <...>-12 period=7 ip=0x35\n40 <...>-12 period=7 ip=0x40\n");
	buf_release(&r);
	buf_release(&f);
}

/* A name is that of the time, not the last one: between the two samples the task called exec(). */
TEST(names_are_of_their_time)
{
	struct buf r = { 0 }, f = { 0 };

	put_comm(&r, "after", 25);
	put_sample(&r, 100, 0x30, 30);
	put_sample(&r, 100, 0x20, 20);
	put_comm(&r, "before", 10);
	put_file(&f, &r, r.n);
	CHECK_EVENTS(&f, 0, "20 before-12 period=7 ip=0x20\n30 after-12 period=7 ip=0x30\n");
	buf_release(&r);
	buf_release(&f);
}

/* Within execve() the name is the new one's already, but the place that was left is of the old
 * program, until the new one is mapped. */
TEST(a_program_is_left_when_the_next_is_mapped)
{
	struct buf r = { 0 }, f = { 0 };

	put_map(&r, 0x400, "old", 10);
	put_sample(&r, 100, 0x404, 20);
	put_comm_of(&r, 10, PERF_MISC_COMM_EXEC, "new", 30);
	put_sample(&r, 100, 0x405, 40);
	put_map(&r, 0x800, "new", 50);
	put_sample(&r, 100, 0x406, 60);
	put_map(&r, 0x900, "lib", 70);
	put_sample(&r, 100, 0x801, 80);
	put_file(&f, &r, r.n);
	CHECK_EVENTS(&f, 0,
		     "20 <...>-12 period=7 ip=old+0x4\n40 <...>-12 period=7 ip=old+0x5\n"
		     "60 <...>-12 period=7 ip=0x406\n80 <...>-12 period=7 ip=new+0x1\n");
	buf_release(&r);
	buf_release(&f);
}

TEST(what_is_cut_is_read_to_its_end)
{
	struct buf r = { 0 }, f = { 0 };

	put_sample(&r, 100, 0x20, 20);
	put_sample(&r, 100, 0x30, 30);
	put_file(&f, &r, 0);
	CHECK_EVENTS(&f, 0, "20 <...>-12 period=7 ip=0x20\n30 <...>-12 period=7 ip=0x30\n");
	buf_shrink(&f, f.n - 20);
	CHECK_EVENTS(&f, 1, "20 <...>-12 period=7 ip=0x20\n");
	buf_release(&r);
	buf_release(&f);
}

TEST(a_record_of_no_size_ends_them)
{
	struct buf r = { 0 }, f = { 0 };

	put_sample(&r, 100, 0x20, 20);
	put_head(&r, PERF_RECORD_SAMPLE, 0, 4);
	put_sample(&r, 100, 0x30, 30);
	put_file(&f, &r, r.n);
	CHECK_EVENTS(&f, 1, "20 <...>-12 period=7 ip=0x20\n");
	buf_release(&r);
	buf_release(&f);
}

/* Of nobody knows which event, and too short for what its event says. */
TEST(what_is_no_sample_is_left_out)
{
	struct buf r = { 0 }, f = { 0 };

	put_sample(&r, 99, 0x20, 20);
	put_head(&r, PERF_RECORD_SAMPLE, 0, 24);
	put(&r, 100, 8);
	put(&r, 0x30, 8);
	put_sample(&r, 100, 0x40, 40);
	put_file(&f, &r, r.n);
	CHECK_EVENTS(&f, 1, "40 <...>-12 period=7 ip=0x40\n");
	buf_release(&r);
	buf_release(&f);
}

/* Of event 100, with the counters of the group that it leads: n of them are said to be there. */
static void put_group(struct buf *b, uint64_t ts, uint64_t n, uint64_t leader, uint64_t other)
{
	put_head(b, PERF_RECORD_SAMPLE, 0, 8 + 48 + 8 + 32);
	put(b, 100, 8);
	put(b, 0x20, 8);
	put(b, 10, 4);
	put(b, 12, 4);
	put(b, ts, 8);
	put(b, 1, 8);
	put(b, 7, 8);
	put(b, n, 8);
	put(b, leader, 8);
	put(b, 100, 8);
	put(b, other, 8);
	put(b, 101, 8);
}

/* The counters go on from sample to sample: what each event was counted since the one before is
 * what is of this one, and who was not counted has no row (perf's deliver_sample_value()). */
TEST(a_group_is_counted_with_its_first_event)
{
	enum {
		READ_ID = 4,
		READ_GROUP = 8
	};
	struct buf r = { 0 }, f = { 0 };

	put_group(&r, 20, 2, 5, 2);
	put_group(&r, 30, 2, 9, 2);
	put_group(&r, 40, 2, 10, 7);
	put_file(&f, &r, r.n);
	for (unsigned i = 0; i < 2; i++) {
		f.s[ATTRS_AT + i * ENTRY + 24] |= PERF_READ;
		f.s[ATTRS_AT + i * ENTRY + 32] = READ_ID | READ_GROUP;
	}
	CHECK_EVENTS(&f, 0,
		     "20 <...>-12 period=5 ip=0x20\n20 <...>-12 period=2 read_with=sample\n"
		     "30 <...>-12 period=4 ip=0x20\n40 <...>-12 period=1 ip=0x20\n"
		     "40 <...>-12 period=5 read_with=sample\n");
	/* more counters than there are */
	buf_reset(&r);
	put_group(&r, 50, UINT64_MAX, 11, 9);
	memcpy(f.s + DATA_AT, r.s, r.n);
	CHECK_EVENTS(&f, 1,
		     "30 <...>-12 period=9 ip=0x20\n30 <...>-12 period=2 read_with=sample\n"
		     "40 <...>-12 period=1 ip=0x20\n40 <...>-12 period=5 read_with=sample\n");
	buf_release(&r);
	buf_release(&f);
}

TEST(headers_that_lead_nowhere_are_refused)
{
	static const struct {
		unsigned at;
		uint64_t value;
	} wrong[] = { { 8, 12 },       { 16, 8 },       { 16, 1 << 20 }, { 24, 1 << 20 },
		      { 32, 1 << 20 }, { 40, 1 << 20 }, { 32, 0 } };
	struct buf r = { 0 }, f = { 0 }, got = { 0 };
	unsigned damaged;

	put_sample(&r, 100, 0x20, 20);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		buf_reset(&f);
		put_file(&f, &r, r.n);
		for (unsigned k = 0; k < 8; k++)
			f.s[wrong[i].at + k] = (char)(wrong[i].value >> 8 * k);
		CHECK(!events_of(&f, &got, &damaged));
	}
	buf_release(&got);
	buf_release(&r);
	buf_release(&f);
}
TEST_MAIN
