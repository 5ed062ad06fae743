/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of requests in flight: what counts as one, in the layouts of several kernels, and what
 * damage does. What each member means is the kernel's: block/blk-mq-tag.c, include/linux/blk-mq.h.
 */
#include "core/base/test.h"
#include "core/linux/io/io_fake.h"

#define RQS(set, tag) (IO_TAGS(set) + IT_RQS_AT + (uint64_t)(tag)*8)
#define STATICS(set, tag) (IO_TAGS(set) + IT_STATIC_AT + (uint64_t)(tag)*8)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

static struct fake_kernel k;

struct seen {
	struct io_all all;
	size_t flaws;
	struct err last;
};

static void flaw(const struct err *e, void *arg)
{
	struct seen *s = arg;

	s->flaws++;
	s->last = *e;
}

static struct seen look(void)
{
	struct seen s = { .flaws = 0 };
	struct io_call c = { &k.t, &k.scratch, flaw, &s };
	struct err err;

	CHECK_OK(io_read(&c, &s.all, &err), err);
	return s;
}

/* A tag that was given back is still set in `word` until `cleared` is taken off. Numbers of a
 * bitmap's tags begin behind those of the reserved ones. */
TEST(requests_by_their_tags)
{
	for (unsigned old = 0; old < 2; old++) {
		struct seen s;
		uint64_t rq;

		io_fake_init(&k, old);
		rq = io_fake_put(&k, 0, 5, -1, 1); /* bit 3 behind two reserved tags */
		put64(&k, RQS(0, 5), rq);
		put32(&k, rq + IR_FLAGS, 1 | 1 << 11);
		put64(&k, rq + IR_ISSUED, IO_NOW - 9000000000u);
		rq = io_fake_put(&k, 1, 1, -1, 1); /* a reserved one, older */
		put64(&k, RQS(0, 1), rq);
		put64(&k, rq + IR_START, IO_NOW - 20000000000u);
		put64(&k, rq + IR_SECTOR, UINT64_MAX);
		rq = io_fake_put(&k, 2, 6, -1, 1); /* given back */
		put64(&k, RQS(0, 6), rq);
		io_fake_bits(&k, IO_TAGS(0), false, 1 << 3 | 1 << 4, 1 << 4);
		io_fake_bits(&k, IO_TAGS(0), true, 1 << 1, 0);
		s = look();
		CHECK_U64(s.flaws, 0);
		CHECK_U64(s.all.n_queues, 1);
		REQUIRE(s.all.n_requests == 2);
		CHECK_U64(s.all.requests[0].addr, IO_REQUEST(1));
		CHECK_U64(s.all.requests[0].age_ns, 20000000000u);
		CHECK(!s.all.requests[0].has_sector && !s.all.requests[0].has_issued);
		CHECK_STR(s.all.requests[0].op, "READ");
		CHECK_U64(s.all.requests[1].addr, IO_REQUEST(0));
		CHECK_STR(s.all.requests[1].op, "WRITE");
		CHECK_STR(s.all.requests[1].flags, "SYNC");
		CHECK_STR(s.all.requests[1].state, "in_flight");
		CHECK_STR(s.all.requests[1].where, "driver");
		CHECK_STR(s.all.requests[1].device, "vda");
		CHECK_U64(s.all.requests[1].sector, 8);
		CHECK_U64(s.all.requests[1].bytes, 4096);
		CHECK_U64((uint64_t)s.all.requests[1].cpu, 3);
		CHECK_U64(s.all.requests[1].age_ns, 10000000000u);
		CHECK(s.all.requests[1].has_issued);
		CHECK_U64(s.all.requests[1].issued_ns, 9000000000u);
		CHECK_STR(s.all.queues[0].driver, "test_queue_rq");
		CHECK_U64(s.all.queues[0].major, 254);
		CHECK_U64(s.all.queues[0].requests, 2);
		CHECK_U64(s.all.queues[0].reads, 1);
		CHECK_U64(s.all.queues[0].writes, 1);
		CHECK_U64(s.all.queues[0].oldest_ns, 20000000000u);
		put32(&k, IO_REQUEST(1) + IR_FLAGS, 1);
		s = look();
		CHECK_U64(s.all.queues[0].reads, 0);
		CHECK_U64(s.all.queues[0].writes, 2);
		kernel_release(&k);
	}
}

/* rqs[] has whoever used a tag last: another tag, no reference, no hardware queue or a queue that
 * is not there say that it is not in use; static_rqs[] has the tag's own. */
TEST(a_stale_request_is_none)
{
	static const struct {
		unsigned at;
		uint32_t value;
	} stale[] = { { IR_TAG, 9 },  { IR_TAG, UINT32_MAX }, { IR_REF, 0 },
		      { IR_HCTX, 0 }, { IR_QUEUE, 8 },        { IR_STATE, 7 } };

	for (size_t i = 0; i < ARRAY_SIZE(stale); i++) {
		struct seen s;
		uint64_t rq;

		io_fake_init(&k, false);
		rq = io_fake_put(&k, 0, 2, -1, 1);
		put32(&k, rq + stale[i].at, stale[i].value);
		if (stale[i].at == IR_HCTX)
			put32(&k, rq + IR_HCTX + 4, 0);
		put64(&k, RQS(0, 2), rq);
		io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
		s = look();
		CHECK_U64(s.all.n_requests, 0);
		CHECK_U64(s.flaws, 1);
		CHECK_ERR(s.last, ERR_NOTFOUND);
		CHECK_CONTAINS(s.last.msg, "tag 2");
		/* the tag's own request, which the driver has not got yet */
		put64(&k, STATICS(0, 2), io_fake_put(&k, 1, 2, -1, 0));
		s = look();
		CHECK_U64(s.flaws, 0);
		REQUIRE(s.all.n_requests == 1);
		CHECK_U64(s.all.requests[0].addr, IO_REQUEST(1));
		CHECK_STR(s.all.requests[0].state, "idle");
		CHECK_STR(s.all.requests[0].where, "not dispatched");
		kernel_release(&k);
	}
}

/* An elevator has tags of its own; a request that was dispatched has one of either kind, and is one
 * request all the same. */
TEST(requests_of_a_scheduler)
{
	struct seen s;
	uint64_t rq;

	io_fake_init(&k, false);
	put64(&k, IO_HCTX(0) + IH_SCHED, IO_TAGS(4));
	io_fake_tags(&k, IO_TAGS(4), 32, 0, false);
	put64(&k, STATICS(4, 0), io_fake_put(&k, 0, -1, 0, 0));
	rq = io_fake_put(&k, 1, 7, 1, 1);
	put64(&k, STATICS(4, 1), rq);
	put64(&k, RQS(0, 7), rq);
	/* rqs[] of an elevator's tags says nothing */
	put64(&k, RQS(4, 2), io_fake_put(&k, 2, 2, 2, 1));
	io_fake_bits(&k, IO_TAGS(4), false, 7, 0);
	io_fake_bits(&k, IO_TAGS(0), false, 1 << 5, 0);
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_CONTAINS(s.last.msg, "tag 2");
	REQUIRE(s.all.n_requests == 2);
	CHECK_STR(s.all.requests[0].where, "scheduler");
	CHECK(s.all.requests[0].tag == -1 && s.all.requests[0].sched_tag == 0);
	CHECK_STR(s.all.requests[1].where, "driver");
	CHECK(s.all.requests[1].tag == 7 && s.all.requests[1].sched_tag == 1);
	kernel_release(&k);
}

/* Until v5.16 hardware queues could share a bitmap, while each had requests of its own: a tag is
 * one queue's, and the others' requests of that number are stale. */
TEST(a_bitmap_that_hardware_queues_share)
{
	struct seen s;

	io_fake_init(&k, true);
	put32(&k, IO_QUEUE + IQ_N, 2);
	put64(&k, IO_TAGS(1) + IT_BITMAP, IO_TAGS(0) + IT_QUEUES);
	put64(&k, RQS(1, 2), io_fake_put(&k, 0, 2, -1, 1));
	io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
	s = look();
	CHECK_U64(s.flaws, 0);
	CHECK_U64(s.all.n_requests, 1);
	kernel_release(&k);
}

/* deadline is when it was given to the driver and timeout, both in jiffies, of 4 ms here. */
TEST(ages)
{
	struct seen s;
	uint64_t rq;

	io_fake_init(&k, false);
	rq = io_fake_put(&k, 0, 2, -1, 1);
	put64(&k, RQS(0, 2), rq);
	io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
	put64(&k, rq + IR_START, 0);
	put32(&k, rq + IR_TIMEOUT, 7500);
	put64(&k, rq + IR_DEADLINE, IO_NOW_JIFFIES - 250 + 7500);
	s = look();
	REQUIRE(s.all.n_requests == 1 && s.all.requests[0].has_age);
	CHECK_U64(s.all.requests[0].age_ns, 1000000000u);
	CHECK_STR(s.all.requests[0].age_of, "deadline");
	put64(&k, rq + IR_ISSUED, IO_NOW - 3000000000u);
	s = look();
	CHECK_U64(s.all.requests[0].age_ns, 3000000000u);
	CHECK_STR(s.all.requests[0].age_of, "io_start_time_ns");
	/* the clock stands at the last tick, so a time may be a little ahead, but no hour */
	put64(&k, rq + IR_START, IO_NOW + 1000000);
	s = look();
	CHECK_U64(s.flaws, 0);
	CHECK_U64(s.all.requests[0].age_ns, 0);
	CHECK_STR(s.all.requests[0].age_of, "start_time_ns");
	put64(&k, rq + IR_START, IO_NOW + 3600000000000u);
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_ERR(s.last, ERR_CORRUPT);
	CHECK_U64(s.all.requests[0].age_ns, 3000000000u);
	/* what the driver has not got has the deadline of the request before */
	put32(&k, rq + IR_STATE, 0);
	put64(&k, rq + IR_START, 0);
	put64(&k, rq + IR_ISSUED, 0);
	s = look();
	CHECK(!s.all.requests[0].has_age && !s.all.requests[0].age_of);
	kernel_release(&k);
}

TEST(lists_that_requests_wait_in)
{
	static const struct {
		uint64_t head;
		const char *where;
	} lists[] = { { IO_HCTX(0) + IH_DISPATCH, "dispatch list" },
		      { IO_CTX(0) + 32, "software queue" },
		      { IO_QUEUE + IQ_REQUEUE, "requeue list" } };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		uint64_t rq, link;
		struct seen s;

		io_fake_init(&k, false);
		rq = io_fake_put(&k, 0, 2, -1, 0);
		link = rq + IR_LINK;
		put64(&k, STATICS(0, 2), rq);
		io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
		put_list(&k, lists[i].head, &link, 1);
		s = look();
		CHECK_U64(s.flaws, 0);
		REQUIRE(s.all.n_requests == 1);
		CHECK_STR(s.all.requests[0].where, lists[i].where);
		/* a list that leads nowhere: told, and the request stays */
		put64(&k, link, NOWHERE);
		s = look();
		CHECK_U64(s.flaws, 1);
		CHECK_U64(s.all.n_requests, 1);
		kernel_release(&k);
	}
}

/* bio_chain_endio() is given the bio that the first was split from. */
TEST(layers_of_bios)
{
	for (unsigned old = 0; old < 2; old++) {
		uint64_t dev = old ? IO_DISK : IO_BDEV, rq;
		const struct io_request *r;
		struct seen s;

		io_fake_init(&k, old);
		kernel_symbol(&k, "bio_chain_endio", IO_TEXT + 0x100);
		kernel_symbol(&k, "their_endio", IO_TEXT + 0x200);
		rq = io_fake_put(&k, 0, 2, -1, 1);
		put64(&k, RQS(0, 2), rq);
		put64(&k, rq + IR_BIO, IO_BIO(0));
		io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
		io_fake_bio(&k, 0, dev, IO_TEXT + 0x100, IO_BIO(2));
		io_fake_bio(&k, 1, dev, 0, 0);
		io_fake_bio(&k, 2, dev, IO_TEXT + 0x200, 0x1234);
		put64(&k, IO_BIO(0) + IB_NEXT, IO_BIO(1));
		s = look();
		CHECK_U64(s.flaws, 0);
		REQUIRE(s.all.n_requests == 1);
		r = &s.all.requests[0];
		CHECK_U64(r->bios, 2);
		REQUIRE(r->n_layers == 2);
		CHECK_STR(r->layers[0].end, "bio_chain_endio");
		CHECK_STR(r->layers[0].device, "vda");
		CHECK_U64(r->layers[1].bio, IO_BIO(2));
		CHECK_STR(r->layers[1].end, "their_endio");
		CHECK_U64(r->layers[1].end_data, 0x1234);
		CHECK(!r->issuer);
		/* a bio that is above itself, and a list of bios in a circle */
		io_fake_bio(&k, 2, dev, IO_TEXT + 0x100, IO_BIO(0));
		s = look();
		CHECK_U64(s.flaws, 1);
		CHECK_ERR(s.last, ERR_CORRUPT);
		CHECK_U64(s.all.requests[0].n_layers, 2);
		io_fake_bio(&k, 2, dev, 0, 0);
		put64(&k, IO_BIO(1) + IB_NEXT, IO_BIO(0));
		s = look();
		CHECK_U64(s.flaws, 1);
		CHECK_ERR(s.last, ERR_CORRUPT);
		/* one that is not there */
		put64(&k, IO_BIO(1) + IB_NEXT, 0);
		put64(&k, IO_BIO(0) + IB_DATA, NOWHERE);
		s = look();
		CHECK_U64(s.flaws, 1);
		CHECK_U64(s.all.requests[0].n_layers, 1);
		kernel_release(&k);
	}
}

/* Damage takes away what it damages, and is told. */
TEST(damaged_queues)
{
	struct seen s;

	io_fake_init(&k, false);
	put32(&k, IO_QUEUE + IQ_N, 1000000);
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_ERR(s.last, ERR_CORRUPT);
	CHECK_U64(s.all.n_queues, 1);
	put32(&k, IO_QUEUE + IQ_N, 1);
	put32(&k, IO_TAGS(0) + IT_BITMAP + 8, 1u << 31); /* depth */
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_CONTAINS(s.last.msg, "more than any has");
	put32(&k, IO_TAGS(0) + IT_BITMAP + 8, 32);
	put64(&k, IO_HCTX_ARRAY, NOWHERE);
	s = look();
	CHECK_U64(s.flaws, 1);
	put64(&k, IO_HCTX_ARRAY, IO_HCTX(0));
	put64(&k, IO_DISK + IG_QUEUE, NOWHERE);
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_U64(s.all.n_queues, 0);
	kernel_release(&k);
}

/* What the page of a request would say is not known: that is told, and not that no request fits. */
TEST(a_request_that_was_left_out)
{
	struct seen s;

	io_fake_init(&k, false);
	put64(&k, IO_TAGS(0) + IT_RQS_AT + 2 * 8, io_fake_put(&k, 0, 2, -1, 1));
	io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
	k.holes = UINT64_C(1) << (IO_REQUEST(0) - KERNEL_BASE) / 0x1000;
	s = look();
	CHECK_U64(s.all.n_requests, 0);
	CHECK_U64(s.flaws, 1);
	CHECK_CONTAINS(s.last.msg, "of tag 2: ");
	CHECK_CONTAINS(s.last.msg, "request 0xffff800000010000");
	k.holes = 0;
	CHECK_U64(look().all.n_requests, 1);
	kernel_release(&k);
}

/* More tags than can be told one by one: eight, and how many there are besides. */
TEST(many_tags_of_nobody)
{
	struct seen s;

	io_fake_init(&k, false);
	io_fake_bits(&k, IO_TAGS(0), false, 0xffff, 0);
	s = look();
	CHECK_U64(s.flaws, 9);
	CHECK_CONTAINS(s.last.msg, "8 more tags");
	CHECK_U64(s.all.n_requests, 0);
	kernel_release(&k);
}

TEST_MAIN
