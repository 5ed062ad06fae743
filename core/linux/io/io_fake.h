/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a kernel with one disk, whose queue, tags and requests a test lays out. */
#ifndef OBIT_IO_FAKE_H
#define OBIT_IO_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/io/io.h"

/* Where things are. Each set of tags has room for 64 tags of either kind. */
#define IO_KSET_AT (KERNEL_BASE + 0x100)
#define IO_KSET (KERNEL_BASE + 0x110)
#define IO_CLOCK (KERNEL_BASE + 0x200)
#define IO_CLOCKSOURCE (KERNEL_BASE + 0x280)
#define IO_JIFFIES (KERNEL_BASE + 0x2a0)
#define IO_CLASS (KERNEL_BASE + 0x2c0)
#define IO_NAMES (KERNEL_BASE + 0x300) /* texts, 32 bytes each */
#define IO_DISK (KERNEL_BASE + 0x1000) /* struct gendisk, in the new layout its bdev behind it */
#define IO_BDEV (KERNEL_BASE + 0x1100)
#define IO_QUEUE (KERNEL_BASE + 0x2000)
#define IO_OPS (KERNEL_BASE + 0x2100)
#define IO_SET (KERNEL_BASE + 0x2200)
#define IO_HCTX_ARRAY (KERNEL_BASE + 0x2300)
#define IO_HCTX(i) (KERNEL_BASE + 0x3000 + (i)*0x100)
#define IO_CTX(i) (KERNEL_BASE + 0x3800 + (i)*0x40)
#define IO_CTXS (KERNEL_BASE + 0x3f00)
#define IO_TAGS(i) (KERNEL_BASE + 0x4000 + (i)*0x1000)
#define IO_REQUEST(i) (KERNEL_BASE + 0x10000 + (i)*0x100)
#define IO_BIO(i) (KERNEL_BASE + 0x20000 + (i)*0x100)
#define IO_TEXT (KERNEL_BASE + 0x30000) /* functions */
#define IO_NOW UINT64_C(100250000000)   /* CLOCK_MONOTONIC */
#define IO_NOW_JIFFIES UINT64_C(0x100000)

enum {
	/* struct device */
	ID_NAME = 0,
	ID_LINK = 8,
	ID_CLASS = 64,
	ID_DEVT = 72,
	ID_BYTES = 80,
	/* struct gendisk */
	IG_QUEUE = 8,
	IG_PART0 = 16,
	IG_FOPS = 160,
	IG_NAME = 168,
	/* struct request_queue */
	IQ_SET = 8,
	IQ_ELEVATOR = 16,
	IQ_OPS = 24,
	IQ_N = 32,
	IQ_HCTX = 40,
	IQ_SETLIST = 48,
	IQ_REQUEUE = 64,
	/* struct blk_mq_hw_ctx */
	IH_NUMBER = 0,
	IH_DISPATCH = 8,
	IH_TAGS = 24,
	IH_SCHED = 32,
	IH_N = 40,
	IH_CTXS = 48,
	/* struct blk_mq_tags; behind it the bitmaps' words and the arrays */
	IT_RESERVED = 4,
	IT_BITMAP = 16, /* struct sbitmap_queue, or a pointer to it */
	IT_RBITMAP = 80,
	IT_RQS = 144,
	IT_STATIC = 152,
	IT_QUEUES = 0x100, /* old: the bitmaps themselves */
	IT_WORDS = 0x200,  /* of tags; of reserved ones 0x40 behind */
	IT_RQS_AT = 0x400,
	IT_STATIC_AT = 0x800,
	/* struct request */
	IR_QUEUE = 8,
	IR_FLAGS = 16,
	IR_TAG = 20,
	IR_SCHED_TAG = 24,
	IR_STATE = 28,
	IR_REF = 32,
	IR_BYTES_N = 36,
	IR_SECTOR = 40,
	IR_BIO = 48,
	IR_PART = 56,
	IR_HCTX = 64,
	IR_CTX = 72,
	IR_START = 80,
	IR_ISSUED = 88,
	IR_DEADLINE = 96,
	IR_TIMEOUT = 104,
	IR_END_DATA = 112,
	IR_LINK = 120,
	IR_SIZE = 144,
	/* struct bio */
	IB_NEXT = 8,
	IB_DEV = 16, /* bi_bdev, or bi_disk */
	IB_OPF = 24,
	IB_PARTNO = 28,
	IB_SECTOR = 32,
	IB_SIZE = 40,
	IB_END = 48,
	IB_DATA = 56
};

static inline void io_fake_enum(struct fake_kernel *k, const char *name, const struct enumerator *e,
				size_t n)
{
	struct type *s = kernel_struct(k, name, 4);

	s->kind = TYPE_ENUM;
	s->enums = ARENA_ARRAY(&k->t.arena, struct enumerator, n);
	memcpy(s->enums, e, n * sizeof(*e));
	s->n_enums = n;
}

static inline void io_fake_device(struct fake_kernel *k, const struct type *list, bool old)
{
	struct type *kobj = kernel_struct(k, "kobject", 32), *device, *s, *disk;

	kernel_member(kobj, "name", &k->ptr, 0);
	kernel_member(kobj, "entry", list, 8);
	kernel_member(kobj, "parent", &k->ptr, 24);
	device = kernel_struct(k, "device", ID_BYTES);
	kernel_member(device, "kobj", kobj, 0);
	kernel_member(device, "init_name", &k->ptr, 32);
	kernel_member(device, "parent", &k->ptr, 40);
	kernel_member(device, "p", &k->ptr, 48);
	kernel_member(device, "bus", &k->ptr, 56);
	kernel_member(device, "class", &k->ptr, ID_CLASS);
	kernel_member(device, "devt", &k->u32, ID_DEVT);
	kernel_member(device, "driver", &k->ptr, 56);
	kernel_member(device, "of_node", &k->ptr, 56);
	s = kernel_struct(k, "kset", 16);
	kernel_member(s, "list", list, 0);
	WORDS(k, "class", "name");
	disk = kernel_struct(k, "gendisk", 256);
	kernel_member(disk, "queue", &k->ptr, IG_QUEUE);
	kernel_member(disk, "fops", &k->ptr, IG_FOPS);
	kernel_member(disk, "disk_name", kernel_array(k, &k->u8, 32), IG_NAME);
	if (old) {
		s = kernel_struct(k, "hd_struct", 120);
		kernel_member(s, "__dev", device, 16);
		kernel_member(disk, "part0", s, IG_PART0);
	} else {
		s = kernel_struct(k, "block_device", 120);
		kernel_member(s, "bd_disk", &k->ptr, 8);
		kernel_member(s, "bd_device", device, 16);
		kernel_member(disk, "part0", &k->ptr, IG_PART0);
	}
}

static inline void io_fake_queue(struct fake_kernel *k, const struct type *list, bool old)
{
	struct type *s = kernel_struct(k, "request_queue", 128), *bits, *queue;

	kernel_member(s, "tag_set", &k->ptr, IQ_SET);
	kernel_member(s, "elevator", &k->ptr, IQ_ELEVATOR);
	kernel_member(s, "mq_ops", &k->ptr, IQ_OPS);
	kernel_member(s, "nr_hw_queues", &k->u32, IQ_N);
	kernel_member(s, "queue_hw_ctx", &k->ptr, IQ_HCTX);
	kernel_member(s, "tag_set_list", list, IQ_SETLIST);
	kernel_member(s, "requeue_list", list, IQ_REQUEUE);
	WORDS(k, "blk_mq_ops", "unused", "queue_rq");
	s = kernel_struct(k, "blk_mq_tag_set", 64);
	kernel_member(s, "cmd_size", &k->u32, 8);
	kernel_member(s, "tag_list", list, 16);
	s = kernel_struct(k, "blk_mq_hw_ctx", 128);
	kernel_member(s, "queue_num", &k->u32, IH_NUMBER);
	kernel_member(s, "dispatch", list, IH_DISPATCH);
	kernel_member(s, "tags", &k->ptr, IH_TAGS);
	kernel_member(s, "sched_tags", &k->ptr, IH_SCHED);
	kernel_member(s, "nr_ctx", &k->u32, IH_N);
	kernel_member(s, "ctxs", &k->ptr, IH_CTXS);
	s = kernel_struct(k, "blk_mq_ctx", 64);
	kernel_member(s, "cpu", &k->u32, 4);
	kernel_member(s, "rq_lists", kernel_array(k, list, 2), 16);
	WORDS(k, "elevator_queue", "unused", "type");
	WORDS(k, "elevator_type", "unused", "elevator_name");
	bits = kernel_struct(k, "sbitmap", 32);
	kernel_member(bits, "depth", &k->u32, 0);
	kernel_member(bits, "shift", &k->u32, 4);
	kernel_member(bits, "map_nr", &k->u32, 8);
	kernel_member(bits, "map", &k->ptr, 16);
	s = kernel_struct(k, "sbitmap_word", 24);
	kernel_member(s, "word", &k->u64, 0);
	kernel_member(s, "cleared", &k->u64, 16);
	queue = kernel_struct(k, "sbitmap_queue", 48);
	kernel_member(queue, "sb", bits, 8);
	s = kernel_struct(k, "blk_mq_tags", 192);
	kernel_member(s, "nr_reserved_tags", &k->u32, IT_RESERVED);
	kernel_member(s, "bitmap_tags", old ? &k->ptr : queue, IT_BITMAP);
	kernel_member(s, "breserved_tags", old ? &k->ptr : queue, IT_RBITMAP);
	kernel_member(s, "rqs", &k->ptr, IT_RQS);
	kernel_member(s, "static_rqs", &k->ptr, IT_STATIC);
}

static inline void io_fake_request(struct fake_kernel *k, const struct type *list, bool old)
{
	struct type *s, *atomic = kernel_counter_type(k, "atomic_t", &k->s32), *ref, *iter;

	ref = kernel_struct(k, "refcount_struct", 4);
	kernel_member(ref, "refs", atomic, 0);
	s = kernel_struct(k, "request", IR_SIZE);
	kernel_member(s, "q", &k->ptr, IR_QUEUE);
	kernel_member(s, "cmd_flags", &k->u32, IR_FLAGS);
	kernel_member(s, "tag", &k->s32, IR_TAG);
	kernel_member(s, "internal_tag", &k->s32, IR_SCHED_TAG);
	kernel_member(s, "state", &k->u32, IR_STATE);
	kernel_member(s, "ref", old ? ref : atomic, IR_REF);
	kernel_member(s, "__sector", &k->u64, IR_SECTOR);
	kernel_member(s, "__data_len", &k->u32, IR_BYTES_N);
	kernel_member(s, "bio", &k->ptr, IR_BIO);
	kernel_member(s, "part", &k->ptr, IR_PART);
	kernel_member(s, "mq_hctx", &k->ptr, IR_HCTX);
	kernel_member(s, "mq_ctx", &k->ptr, IR_CTX);
	kernel_member(s, "start_time_ns", &k->u64, IR_START);
	kernel_member(s, "io_start_time_ns", &k->u64, IR_ISSUED);
	kernel_member(s, "deadline", &k->u64, IR_DEADLINE);
	kernel_member(s, "timeout", &k->u32, IR_TIMEOUT);
	kernel_member(s, "end_io_data", &k->ptr, IR_END_DATA);
	kernel_member(s, "queuelist", list, IR_LINK);
	iter = kernel_struct(k, "bvec_iter", 16);
	kernel_member(iter, "bi_sector", &k->u64, 0);
	kernel_member(iter, "bi_size", &k->u32, 8);
	s = kernel_struct(k, "bio", 64);
	kernel_member(s, "bi_next", &k->ptr, IB_NEXT);
	kernel_member(s, old ? "bi_disk" : "bi_bdev", &k->ptr, IB_DEV);
	if (old)
		kernel_member(s, "bi_partno", &k->u8, IB_PARTNO);
	kernel_member(s, "bi_opf", &k->u32, IB_OPF);
	kernel_member(s, "bi_iter", iter, IB_SECTOR);
	kernel_member(s, "bi_end_io", &k->ptr, IB_END);
	kernel_member(s, "bi_private", &k->ptr, IB_DATA);
}

/* The timekeeper of a kernel that is up for 100.25 seconds, and jiffies of 4 milliseconds. */
static inline void io_fake_clock(struct fake_kernel *k)
{
	struct type *s = kernel_struct(k, "timekeeper", 64), *mono = INNER(k, "clock", "base");

	kernel_member(mono, "xtime_nsec", &k->u64, 16);
	kernel_member(mono, "shift", &k->u32, 24);
	kernel_member(s, "xtime_sec", &k->u64, 0);
	kernel_member(s, "tkr_mono", mono, 8);
	kernel_member(s, "offs_real", &k->u64, 40);
	kernel_member(s, "offs_boot", &k->u64, 48);
	kernel_member(kernel_struct(k, "tk_data", 80), "timekeeper", s, 16);
	kernel_symbol(k, "tk_core", IO_CLOCK);
	put64(k, IO_CLOCK + 16, UINT64_C(1700000100));
	put64(k, IO_CLOCK + 16 + 8 + 8, UINT64_C(100000000000));
	put64(k, IO_CLOCK + 16 + 8 + 16, UINT64_C(250000000) << 8);
	put32(k, IO_CLOCK + 16 + 8 + 24, 8);
	put64(k, IO_CLOCK + 16 + 40, UINT64_C(1700000000) * 1000000000);
	s = kernel_struct(k, "clocksource", 16);
	kernel_member(s, "mult", &k->u32, 4);
	kernel_member(s, "shift", &k->u32, 8);
	kernel_symbol(k, "clocksource_jiffies", IO_CLOCKSOURCE);
	kernel_symbol(k, "jiffies_64", IO_JIFFIES);
	put32(k, IO_CLOCKSOURCE + 4, 4000000u << 8);
	put32(k, IO_CLOCKSOURCE + 8, 8);
	put64(k, IO_JIFFIES, IO_NOW_JIFFIES);
}

static inline uint64_t io_fake_text(struct fake_kernel *k, unsigned i, const char *s)
{
	put_str(k, IO_NAMES + i * 32, s);
	return IO_NAMES + i * 32;
}

/* A set of tags without one that is taken. Bitmaps are of one word each. */
static inline void io_fake_tags(struct fake_kernel *k, uint64_t tags, unsigned depth,
				unsigned reserved, bool old)
{
	static const unsigned at[] = { IT_BITMAP, IT_RBITMAP };
	unsigned depths[] = { depth, reserved };

	put32(k, tags + IT_RESERVED, reserved);
	put64(k, tags + IT_RQS, tags + IT_RQS_AT);
	put64(k, tags + IT_STATIC, tags + IT_STATIC_AT);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t queue = old ? tags + IT_QUEUES + i * 0x40 : tags + at[i];

		if (old)
			put64(k, tags + at[i], queue);
		put32(k, queue + 8, depths[i]);
		put32(k, queue + 12, 6);
		put32(k, queue + 16, depths[i] ? 1 : 0);
		put64(k, queue + 24, tags + IT_WORDS + i * 0x40);
	}
}

/* Takes tags: which bits are set, and which of these were given back already. */
static inline void io_fake_bits(struct fake_kernel *k, uint64_t tags, bool reserved, uint64_t word,
				uint64_t cleared)
{
	put64(k, tags + IT_WORDS + (reserved ? 0x40 : 0), word);
	put64(k, tags + IT_WORDS + (reserved ? 0x40 : 0) + 16, cleared);
}

static inline void io_fake_init(struct fake_kernel *k, bool old)
{
	static const struct enumerator ops[] = { { "REQ_OP_READ", 0 },
						 { "REQ_OP_WRITE", 1 },
						 { "REQ_OP_FLUSH", 2 } };
	static const struct enumerator flags[] = { { "__REQ_SYNC", 11 }, { "__REQ_META", 12 } };
	static const struct enumerator states[] = { { "MQ_RQ_IDLE", 0 },
						    { "MQ_RQ_IN_FLIGHT", 1 },
						    { "MQ_RQ_COMPLETE", 2 } };
	uint64_t device = old ? IO_DISK + IG_PART0 + 16 : IO_BDEV + 16, link = device + ID_LINK;
	const struct type *list;

	kernel_init(k);
	list = kernel_list_type(k);
	io_fake_device(k, list, old);
	io_fake_queue(k, list, old);
	io_fake_request(k, list, old);
	io_fake_enum(k, old ? "req_opf" : "req_op", ops, 3);
	io_fake_enum(k, "req_flag_bits", flags, 2);
	io_fake_enum(k, "mq_rq_state", states, 3);
	io_fake_clock(k);
	kernel_symbol(k, "devices_kset", IO_KSET_AT);
	kernel_symbol(k, "test_queue_rq", IO_TEXT);
	put64(k, IO_KSET_AT, IO_KSET);
	put_list(k, IO_KSET, &link, 1);
	put64(k, IO_CLASS, io_fake_text(k, 0, "block"));
	put64(k, device + ID_NAME, io_fake_text(k, 1, "vda"));
	put64(k, device + ID_CLASS, IO_CLASS);
	put32(k, device + ID_DEVT, 254u << 20);
	put64(k, IO_BDEV + 8, IO_DISK);
	put64(k, IO_DISK + IG_QUEUE, IO_QUEUE);
	put_str(k, IO_DISK + IG_NAME, "vda");
	link = IO_QUEUE + IQ_SETLIST;
	put64(k, IO_QUEUE + IQ_SET, IO_SET);
	put64(k, IO_QUEUE + IQ_OPS, IO_OPS);
	put64(k, IO_OPS + 8, IO_TEXT);
	put32(k, IO_QUEUE + IQ_N, 1);
	put64(k, IO_QUEUE + IQ_HCTX, IO_HCTX_ARRAY);
	put_list(k, IO_SET + 16, &link, 1);
	put_list(k, IO_QUEUE + IQ_REQUEUE, NULL, 0);
	for (unsigned i = 0; i < 2; i++) {
		put64(k, IO_HCTX_ARRAY + i * 8, IO_HCTX(i));
		put_list(k, IO_HCTX(i) + IH_DISPATCH, NULL, 0);
		put32(k, IO_HCTX(i) + IH_NUMBER, i);
		put64(k, IO_HCTX(i) + IH_TAGS, IO_TAGS(i));
		put32(k, IO_HCTX(i) + IH_N, 1);
		put64(k, IO_HCTX(i) + IH_CTXS, IO_CTXS + i * 8);
		put64(k, IO_CTXS + i * 8, IO_CTX(i));
		put32(k, IO_CTX(i) + 4, 3 + i);
		put_list(k, IO_CTX(i) + 16, NULL, 0);
		put_list(k, IO_CTX(i) + 32, NULL, 0);
		io_fake_tags(k, IO_TAGS(i), 32, 2, old);
	}
}

/* A request of the disk that was allocated ten seconds before the end, for eight sectors from 8. */
static inline uint64_t io_fake_put(struct fake_kernel *k, unsigned i, int tag, int sched_tag,
				   unsigned state)
{
	uint64_t at = IO_REQUEST(i);

	put64(k, at + IR_QUEUE, IO_QUEUE);
	put32(k, at + IR_TAG, (uint32_t)tag);
	put32(k, at + IR_SCHED_TAG, (uint32_t)sched_tag);
	put32(k, at + IR_STATE, state);
	put32(k, at + IR_REF, 1);
	put64(k, at + IR_SECTOR, 8);
	put32(k, at + IR_BYTES_N, 4096);
	put64(k, at + IR_HCTX, IO_HCTX(0));
	put64(k, at + IR_CTX, IO_CTX(0));
	put64(k, at + IR_START, IO_NOW - UINT64_C(10000000000));
	return at;
}

static inline void io_fake_bio(struct fake_kernel *k, unsigned i, uint64_t dev, uint64_t end,
			       uint64_t data)
{
	put64(k, IO_BIO(i) + IB_DEV, dev);
	put64(k, IO_BIO(i) + IB_END, end);
	put64(k, IO_BIO(i) + IB_DATA, data);
}

#endif
