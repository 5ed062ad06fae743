/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of audit's queues on a kernel that the test lays out, whole and then broken. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/log/audit.h"

#define HOLD (KERNEL_BASE + 0x100)
#define RETRY (KERNEL_BASE + 0x120)
#define QUEUE (KERNEL_BASE + 0x140)
#define SKB (KERNEL_BASE + 0x2000)
#define DATA (KERNEL_BASE + 0x4000)

static struct fake_kernel k;
static struct buf said;
static unsigned flaws;
static struct err first;

/* The three heads are there and empty: each points to itself. */
static void start(void)
{
	struct type *s;

	kernel_init(&k);
	s = kernel_struct(&k, "sk_buff", 64);
	kernel_member(s, "next", &k.ptr, 0);
	kernel_member(s, "len", &k.u32, 16);
	kernel_member(s, "data", &k.ptr, 24);
	kernel_symbol(&k, "audit_hold_queue", HOLD);
	kernel_symbol(&k, "audit_retry_queue", RETRY);
	kernel_symbol(&k, "audit_queue", QUEUE);
	put64(&k, HOLD, HOLD);
	put64(&k, RETRY, RETRY);
	put64(&k, QUEUE, QUEUE);
	buf_reset(&said);
	flaws = 0;
}

/* Record number i: a struct nlmsghdr, and a text behind it. */
static uint64_t record(unsigned i, unsigned type, const char *text, uint64_t next)
{
	uint64_t skb = SKB + i * 64, data = DATA + i * 0x100;
	uint8_t head[2];

	target_store(&k.t, head, 2, type);
	memcpy(&k.mem[data + 4 - KERNEL_BASE], head, 2);
	memcpy(&k.mem[data + 16 - KERNEL_BASE], text, strlen(text));
	put64(&k, skb, next);
	put32(&k, skb + 16, (uint32_t)(16 + strlen(text)));
	put64(&k, skb + 24, data);
	return skb;
}

static bool found(const struct audit_record *r, void *arg)
{
	(void)arg;
	buf_printf(&said, "%s %u %s\n", r->queue, r->type, r->text);
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!flaws++)
		first = *e;
}

static bool each(struct err *err)
{
	return audit_each(&k.t, &k.scratch, found, flaw, NULL, err);
}

TEST(what_could_not_be_sent_comes_first)
{
	struct err err;

	start();
	put64(&k, QUEUE, record(0, 1300, "audit(1.002:3): syscall=59", SKB + 64));
	record(1, 1327, "audit(1.002:3): proctitle=61\n", QUEUE);
	put64(&k, HOLD, record(2, 1403, "audit(1.001:2): policy loaded", HOLD));
	REQUIRE_OK(each(&err), err);
	CHECK_STR(buf_text(&said), "audit_hold_queue 1403 audit(1.001:2): policy loaded\n"
				   "audit_queue 1300 audit(1.002:3): syscall=59\n"
				   "audit_queue 1327 audit(1.002:3): proctitle=61\n");
	CHECK_U64(flaws, 0);
	kernel_release(&k);
}

TEST(empty_queues_are_an_answer)
{
	struct err err;

	start();
	REQUIRE_OK(each(&err), err);
	CHECK_STR(buf_text(&said), "");
	CHECK_U64(flaws, 0);
	kernel_release(&k);
}

/* One record is too short to be true, the next is sound and points back to the first: a walk may
 * take a round to notice. */
TEST(broken_records_are_told_and_walks_end)
{
	struct err err;

	start();
	put64(&k, QUEUE, record(0, 1300, "audit(1.002:3): x", SKB + 64));
	put32(&k, SKB + 16, 8);
	record(1, 1327, "audit(1.002:3): y", SKB);
	REQUIRE_OK(each(&err), err);
	CHECK_STR(buf_text(&said), "audit_queue 1327 audit(1.002:3): y\n");
	CHECK(flaws >= 2 && flaws <= 4);
	CHECK_U64(first.code, ERR_CORRUPT);
	kernel_release(&k);
}

TEST_MAIN
