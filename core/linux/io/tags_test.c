/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the tags of a disk with two hardware queues. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/io/io_fake.h"
#include "core/linux/io/sbitmap_queue.h"

static struct fake_kernel k;
static struct buf said;

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	buf_printf(&said, "(%s) ", e->msg);
}

/* Numbers 3 and 4 of each bitmap, by the number of their request. */
static bool saw(const struct io_tags *tags, void *arg)
{
	struct err err;
	uint64_t rq;

	(void)arg;
	buf_printf(&said, "%s of %s %u:", tags->of, tags->disk, tags->hctx);
	for (uint64_t n = 3; n < 5; n++) {
		if (!io_tags_request(&k.t, tags, n, &rq, &err))
			buf_printf(&said, " (%s)", err.msg);
		else if (rq)
			buf_printf(&said, " %u", (unsigned)((rq - IO_REQUEST(0)) / 0x100));
		else
			buf_printf(&said, " none");
	}
	buf_printf(&said, "; ");
	return true;
}

static const char *all(void)
{
	struct io_call c = { &k.t, &k.scratch, flaw, NULL };
	const char *ret;
	struct err err;

	if (!io_tags_each(&c, "vda", saw, NULL, &err))
		buf_printf(&said, "%s", err.msg);
	ret = arena_strdup(&k.scratch, buf_text(&said));
	buf_release(&said);
	said = (struct buf){ 0 };
	return ret;
}

static void put_rq(unsigned set, unsigned tag, unsigned request, uint64_t hctx)
{
	uint64_t rq = io_fake_put(&k, request, (int)tag, -1, 1);

	put64(&k, rq + IR_HCTX, hctx);
	put64(&k, IO_TAGS(set) + IT_RQS_AT + tag * 8, rq);
}

/* Two tags are reserved: number 3 is tag 5. The first queue has request 0 as tag 5, the second
 * request 1 as tag 6, and in its place of tag 5 request 2, which ended: __blk_mq_free_request()
 * clears mq_hctx. */
static void put_requests(bool old)
{
	io_fake_init(&k, old);
	put32(&k, IO_QUEUE + IQ_N, 2);
	put_rq(0, 5, 0, IO_HCTX(0));
	put_rq(1, 6, 1, IO_HCTX(1));
	put_rq(1, 5, 2, 0);
}

TEST(tags_of_each_hardware_queue)
{
	for (int old = 0; old < 2; old++) {
		put_requests(old);
		CHECK_CONTAINS(all(), "driver of vda 0: 0 none; ");
		CHECK_CONTAINS(all(), "driver of vda 1: 2 1; ");
		kernel_release(&k);
	}
}

/* BLK_MQ_F_TAG_HCTX_SHARED before v5.16: the sets of tags are two, and point to one bitmap. */
TEST(a_bitmap_that_two_sets_share_comes_once)
{
	put_requests(true);
	put64(&k, IO_TAGS(1) + IT_BITMAP, IO_TAGS(0) + IT_QUEUES);
	put64(&k, IO_TAGS(1) + IT_RBITMAP, IO_TAGS(0) + IT_QUEUES + 0x40);
	CHECK_STR(all(), "reserved of vda 0: none none; driver of vda 0: 0 1; ");
	/* an array that is lost leaves the other's */
	put64(&k, IO_TAGS(0) + IT_RQS, KERNEL_BASE + KERNEL_SIZE);
	CHECK_CONTAINS(all(), "driver of vda 0: (not mapped) 1; ");
	kernel_release(&k);
}

TEST_MAIN
