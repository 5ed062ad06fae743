/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the kernel log's ring in a layout that no kernel has: nothing lies at the begin of what
 * it is in, so that every offset that VMCOREINFO tells must be added. */
#include "core/base/test.h"
#include "core/linux/log/printk.h"
#include "core/linux/log/printk_fake.h"

static const char layout[] =
	"SYMBOL(prb)=80000000\n"
	"SIZE(printk_ringbuffer)=184\nOFFSET(printk_ringbuffer.desc_ring)=16\n"
	"OFFSET(printk_ringbuffer.text_data_ring)=120\n"
	"SIZE(prb_desc_ring)=96\nOFFSET(prb_desc_ring.count_bits)=12\nOFFSET(prb_desc_ring.descs)=24\n"
	"OFFSET(prb_desc_ring.infos)=40\nOFFSET(prb_desc_ring.head_id)=72\n"
	"OFFSET(prb_desc_ring.tail_id)=48\n"
	"SIZE(prb_desc)=56\nOFFSET(prb_desc.state_var)=32\nOFFSET(prb_desc.text_blk_lpos)=8\n"
	"SIZE(prb_data_blk_lpos)=24\nOFFSET(prb_data_blk_lpos.begin)=16\n"
	"OFFSET(prb_data_blk_lpos.next)=8\n"
	"SIZE(printk_info)=136\nOFFSET(printk_info.seq)=24\nOFFSET(printk_info.ts_nsec)=8\n"
	"OFFSET(printk_info.text_len)=36\nOFFSET(printk_info.caller_id)=40\n"
	"OFFSET(printk_info.dev_info)=56\n"
	"SIZE(dev_printk_info)=72\nOFFSET(dev_printk_info.subsystem)=8\n"
	"OFFSET(dev_printk_info.device)=32\n"
	"SIZE(prb_data_ring)=56\nOFFSET(prb_data_ring.size_bits)=4\nOFFSET(prb_data_ring.data)=40\n"
	"OFFSET(prb_data_ring.head_lpos)=8\nOFFSET(prb_data_ring.tail_lpos)=24\n"
	"SIZE(atomic_long_t)=24\nOFFSET(atomic_long_t.counter)=16\n";

#define RING 0x100
#define DESCS 0x1000
#define INFOS 0x2000
#define DATA 0x3000
#define FINALIZED UINT64_C(2)

static struct fake f;

static void put(size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f.mem[at + i] = (uint8_t)(v >> 8 * i);
}

/* Record `id` of four, whose text lies at `at` of the data. */
static void record(uint64_t id, uint64_t at, const char *text)
{
	size_t desc = DESCS + (id & 3) * 56, info = INFOS + (id & 3) * 136, n = strlen(text);
	uint64_t next = at + 8 + ((n + 7) & ~(size_t)7);

	put(desc + 32 + 16, id | FINALIZED << 62, 8);
	put(desc + 8 + 16, at, 8);
	put(desc + 8 + 8, next, 8);
	put(info + 24, 1000 + id, 8);
	put(info + 8, 5000 + id, 8);
	put(info + 36, n, 2);
	put(info + 38, 3, 1); /* facility, and the level: between length and caller */
	put(info + 39, 4 << 5 | 2, 1);
	put(info + 40, 77 + id, 4);
	memcpy(f.mem + info + 56 + 8, "usb", 4);
	memcpy(f.mem + info + 56 + 32, "+usb:1-1", 9);
	put(DATA + at, id, 8);
	memcpy(f.mem + DATA + at + 8, text, n);
}

static void start(void)
{
	fake_init(&f, 8, layout);
	memset(f.mem, 0x5a, 0x1000); /* what is not told of is not zero */
	put(0, FAKE_BASE + RING, 8);
	put(RING + 16 + 12, 2, 4);
	put(RING + 16 + 24, FAKE_BASE + DESCS, 8);
	put(RING + 16 + 40, FAKE_BASE + INFOS, 8);
	put(RING + 16 + 72 + 16, 6, 8); /* the newest record's id, and the oldest's */
	put(RING + 16 + 48 + 16, 4, 8);
	put(RING + 120 + 4, 8, 4);
	put(RING + 120 + 40, FAKE_BASE + DATA, 8);
	record(4, 0, "the first");
	record(5, 24, "second");
	record(6, 40, "the third");
}

struct heard {
	char text[128];
	size_t n;
	unsigned notes;
};

static bool hear(const struct log_message *m, void *arg)
{
	struct heard *h = arg;
	uint64_t id = m->seq - 1000;

	h->n += (size_t)snprintf(h->text + h->n, sizeof(h->text) - h->n, "%.*s|", (int)m->n,
				 m->text);
	CHECK_U64(m->time_ns, 5000 + id);
	CHECK_U64(m->level, 4);
	CHECK_U64(m->facility, 3);
	CHECK(m->has_caller && !m->unfinished);
	CHECK_U64(m->caller, 77 + id);
	CHECK(m->dict && m->dict_n == 29 && !memcmp(m->dict, "SUBSYSTEM=usb\nDEVICE=+usb:1-1", 29));
	return true;
}

static void hear_note(const struct err *e, void *arg)
{
	(void)e;
	((struct heard *)arg)->notes++;
}

TEST(every_offset_is_added)
{
	struct heard h = { .n = 0 };
	struct err err;

	start();
	CHECK_OK(log_each(&f.t, hear, hear_note, &h, &err), err);
	CHECK_STR(h.text, "the first|second|the third|");
	CHECK_U64(h.notes, 0);
	fake_release(&f);
}

/* Members that would lie outside of their structs, one of them at a time, make it no layout. */
TEST(layouts_that_do_not_fit)
{
	static const char *const smaller[] = { "printk_ringbuffer)=175", "prb_desc_ring)=95",
					       "prb_desc)=55",           "prb_data_blk_lpos)=23",
					       "printk_info)=127",       "dev_printk_info)=32",
					       "prb_data_ring)=47",      "atomic_long_t)=23" };

	for (size_t i = 0; i < ARRAY_SIZE(smaller); i++) {
		struct heard h = { .n = 0 };
		char text[sizeof(layout) + 64];
		struct err err;

		/* the first of a key is the one that counts */
		snprintf(text, sizeof(text), "SIZE(%s\n%s", smaller[i], layout);
		start();
		f.t.vmcoreinfo.text = text;
		f.t.vmcoreinfo.n = strlen(text);
		if (!CHECK(!log_each(&f.t, hear, hear_note, &h, &err)))
			printf("  of %s\n", smaller[i]);
		CHECK_ERR(err, ERR_CORRUPT);
		CHECK_U64(h.n, 0);
		fake_release(&f);
	}
}

TEST_MAIN
