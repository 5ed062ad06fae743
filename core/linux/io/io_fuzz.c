/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what is read of requests and bios: words of a sound kernel's memory are replaced. */
#include <stdlib.h>

#include "core/base/bytes.h"
#include "core/linux/io/claim_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PATCH 10 /* which word, two bytes, and its new value */

static void flaw(const struct err *e, void *arg)
{
	*(size_t *)arg += strlen(e->msg);
}

static bool bio_see(const struct io_bio *b, void *arg)
{
	*(size_t *)arg += strlen(b->op) + strlen(b->flags) + strlen(b->where);
	return true;
}

static void claim_see(const struct io_claim *claim, void *arg)
{
	*(size_t *)arg += claim->addr + claim->page + (claim->end ? strlen(claim->end) : 0);
}

/* A request with two bios, one of them split off another; one that a scheduler has. */
static void fuzz_lay(struct fake_kernel *k, bool old)
{
	uint64_t rq, dev = old ? IO_DISK : IO_BDEV;

	io_fake_init(k, old);
	claim_fake_init(k);
	claim_vec(k, 0, 1, 0x2800, 0x800);
	claim_vec(k, 1, 8, 0x1000, 0);
	for (unsigned i = 0; i < 3; i++)
		claim_bio(k, i, 0x1800, 0, i * 0x1000);
	kernel_symbol(k, "bio_chain_endio", IO_TEXT + 0x100);
	rq = io_fake_put(k, 0, 2, -1, 1);
	put64(k, IO_TAGS(0) + IT_RQS_AT + 16, rq);
	put64(k, rq + IR_BIO, IO_BIO(0));
	io_fake_bio(k, 0, dev, IO_TEXT + 0x100, IO_BIO(2));
	io_fake_bio(k, 1, dev, 0, 0);
	io_fake_bio(k, 2, dev, 0, 0);
	put64(k, IO_BIO(0) + IB_NEXT, IO_BIO(1));
	put64(k, IO_HCTX(0) + IH_SCHED, IO_TAGS(4));
	io_fake_tags(k, IO_TAGS(4), 32, 0, old);
	put64(k, IO_TAGS(4) + IT_STATIC_AT, io_fake_put(k, 1, -1, 0, 0));
	io_fake_bits(k, IO_TAGS(0), false, 1, 0);
	io_fake_bits(k, IO_TAGS(4), false, 1, 0);
}

/* Byte 0: the layout, and which pages are absent; then patches. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k;
	struct io_call c;
	struct io_all all;
	size_t sum = 0;
	struct err err;

	if (size < 1 || size > 1 + 256 * PATCH)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	fuzz_lay(k, data[0] & 1);
	k->holes = (uint64_t)(data[0] >> 1) << 1;
	for (size_t at = 1; at + PATCH <= size; at += PATCH)
		put64(k, KERNEL_BASE + (uint64_t)load_le16(data + at) * 8 % KERNEL_SIZE,
		      load_le64(data + at + 2));
	c = (struct io_call){ &k->t, &k->scratch, flaw, &sum };
	if (!io_read(&c, &all, &err))
		flaw(&err, &sum);
	for (size_t i = 0; i < all.n_requests; i++) {
		io_command_read(&c, &all.requests[i]);
		sum += strlen(all.requests[i].op) + strlen(all.requests[i].where);
	}
	if (!io_claims_each(&c, &all, claim_see, &sum, &err))
		flaw(&err, &sum);
	if (!io_bios(&c, bio_see, &sum, &err))
		flaw(&err, &sum);
	kernel_release(k);
	free(k);
	return 0;
}
