/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what ends with a request. What is expected follows from what each test lays out: a piece
 * of data of so many bytes, so far behind the begin of a page, lies in these pages. */
#include "core/base/test.h"
#include "core/linux/io/claim_fake.h"

#define END (IO_TEXT + 0x100)
#define TOLD (KERNEL_BASE + 0x37000)

static struct fake_kernel k;

struct claims {
	size_t n, flaws, pages;
	uint64_t page[8], told[8];
	size_t n_told;
	const struct io_request *request;
};

static void flaw(const struct err *e, void *arg)
{
	struct claims *s = arg;

	(void)e;
	s->flaws++;
}

static void claim_see(const struct io_claim *c, void *arg)
{
	struct claims *s = arg;

	s->request = c->request;
	if (c->page && CHECK(s->pages < ARRAY_SIZE(s->page)))
		s->page[s->pages++] = c->addr;
	else if (!c->page && CHECK(s->n_told < ARRAY_SIZE(s->told)))
		s->told[s->n_told++] = c->addr;
}

static struct claims look(void)
{
	struct claims s = { .n = 0 };
	struct io_call c = { &k.t, &k.scratch, flaw, &s };
	struct io_all all;
	struct err err;

	if (!CHECK_OK(io_read(&c, &all, &err), err))
		return s;
	/* there are no tasks, so that none submits a bio: that is told as a failure */
	(void)!io_claims_each(&c, &all, claim_see, &s, &err);
	return s;
}

/* One request of one bio, whose end is told to TOLD. */
static uint64_t start(const char *end)
{
	uint64_t rq;

	io_fake_init(&k, false);
	claim_fake_init(&k);
	kernel_symbol(&k, end, END);
	rq = io_fake_put(&k, 0, 2, -1, 1);
	put64(&k, IO_TAGS(0) + IT_RQS_AT + 2 * 8, rq);
	io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
	put64(&k, rq + IR_BIO, IO_BIO(0));
	io_fake_bio(&k, 0, IO_BDEV, END, TOLD);
	return rq;
}

TEST(data_of_two_pieces)
{
	struct claims s;

	start("mpage_end_io");
	/* half a page behind the begin of page 1, to the end of page 3; and page 8 */
	claim_vec(&k, 0, 1, 0x2800, 0x800);
	claim_vec(&k, 1, 8, 0x1000, 0);
	claim_bio(&k, 0, 0x3800, 0, 0);
	s = look();
	CHECK_U64(s.flaws, 0);
	REQUIRE(s.pages == 4);
	CHECK_U64(s.page[0], CLAIM_PAGE(1));
	CHECK_U64(s.page[1], CLAIM_PAGE(2));
	CHECK_U64(s.page[2], CLAIM_PAGE(3));
	CHECK_U64(s.page[3], CLAIM_PAGE(8));
	REQUIRE(s.n_told == 1);
	CHECK_U64(s.told[0], TOLD);
	REQUIRE(s.request != NULL);
	CHECK_U64(s.request->addr, IO_REQUEST(0));
	/* of a compound page everybody waits for the first */
	put64(&k, CLAIM_PAGE(2) + CP_HEAD, CLAIM_PAGE(1) | 1);
	put64(&k, CLAIM_PAGE(3) + CP_HEAD, CLAIM_PAGE(1) | 1);
	s = look();
	REQUIRE(s.pages == 2);
	CHECK_U64(s.page[0], CLAIM_PAGE(1));
	CHECK_U64(s.page[1], CLAIM_PAGE(8));
	kernel_release(&k);
}

/* A clone shares the array of the bio that it was made of, and begins somewhere in it. */
TEST(a_clone_begins_in_the_middle)
{
	struct claims s;

	start("mpage_end_io");
	claim_vec(&k, 0, 1, 0x2800, 0x800);
	claim_vec(&k, 1, 8, 0x1000, 0);
	claim_bio(&k, 0, 0xe00, 1, 0x200);
	s = look();
	REQUIRE(s.pages == 1);
	CHECK_U64(s.page[0], CLAIM_PAGE(8));
	claim_bio(&k, 0, 0x1000, 0, 0x1800);
	s = look();
	REQUIRE(s.pages == 1);
	CHECK_U64(s.page[0], CLAIM_PAGE(3));
	CHECK_U64(s.flaws, 0);
	kernel_release(&k);
}

/* What has no pages, and pages at whose lock no end does anything. */
TEST(only_the_page_caches_pages)
{
	static const char *const direct[] = { "submit_bio_wait_endio", "bio_wait_end_io",
					      "iomap_dio_bio_end_io" };

	for (size_t i = 0; i < ARRAY_SIZE(direct); i++) {
		struct claims s;

		start(direct[i]);
		claim_vec(&k, 0, 1, 0x1000, 0);
		claim_bio(&k, 0, 0x1000, 0, 0);
		s = look();
		CHECK_U64(s.pages, 0);
		CHECK_U64(s.n_told, 1);
		kernel_release(&k);
	}
	start("mpage_end_io");
	claim_vec(&k, 0, 1, 0x1000, 0);
	claim_bio(&k, 0, 0x1000, 0, 0);
	put32(&k, IO_BIO(0) + IB_OPF, 2); /* REQ_OP_FLUSH of the fake */
	CHECK_U64(look().pages, 0);
	kernel_release(&k);
}

/* Each bio of a request tells its own end, and the request one besides: blk_execute_rq(). */
TEST(everybody_who_is_told)
{
	struct claims s;
	uint64_t rq = start("end_bio_bh_io_sync");

	put64(&k, IO_BIO(0) + IB_NEXT, IO_BIO(1));
	io_fake_bio(&k, 1, IO_BDEV, END, TOLD + 8);
	put64(&k, rq + IR_END_DATA, TOLD + 16);
	s = look();
	REQUIRE(s.n_told == 3);
	CHECK_U64(s.told[0], TOLD + 16);
	CHECK_U64(s.told[1], TOLD);
	CHECK_U64(s.told[2], TOLD + 8);
	/* a ring of bios ends */
	put64(&k, IO_BIO(1) + IB_NEXT, IO_BIO(0));
	s = look();
	CHECK(s.n_told >= 3);
	CHECK(s.flaws >= 1);
	kernel_release(&k);
}

TEST(arrays_that_do_not_fit)
{
	struct claims s;

	start("mpage_end_io");
	claim_vec(&k, 0, 1, 0x1000, 0);
	claim_bio(&k, 0, 0x3000, 0, 0); /* more than the array has: behind it are zeros */
	s = look();
	CHECK_U64(s.pages, 1);
	CHECK_U64(s.flaws, 1);
	claim_bio(&k, 0, 0x1000, 0, 0x1000); /* further on than the piece is long */
	s = look();
	CHECK_U64(s.pages, 0);
	CHECK_U64(s.flaws, 1);
	put64(&k, CLAIM_VECS, KERNEL_BASE + KERNEL_SIZE); /* no struct page */
	claim_bio(&k, 0, 0x1000, 0, 0);
	s = look();
	CHECK_U64(s.pages, 0);
	CHECK_U64(s.flaws, 1);
	kernel_release(&k);
}

TEST_MAIN
