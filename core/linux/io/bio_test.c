/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of bios that wait, of the layers of device-mapper, of the task that waits for a request,
 * and of the commands of drivers. */
#include "core/base/test.h"
#include "core/linux/io/io_fake.h"

#define INIT_TASK (KERNEL_BASE + 0x31000)
#define READER (KERNEL_BASE + 0x31200)
#define STACK (KERNEL_BASE + 0x34000) /* of the reader, 16 KiB */
#define DM (KERNEL_BASE + 0x32000)    /* struct mapped_device */
#define FOPS (KERNEL_BASE + 0x33000)
#define COUNTS (KERNEL_BASE + 0x33800)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

enum {
	T_PID = 16,
	T_STACK = 24,
	T_SIGNAL = 32,
	T_TASKS = 40,
	T_NODE = 56,
	T_COMM = 72,
	T_BIOS = 88
};

static struct fake_kernel k;

struct bio_seen {
	size_t n, flaws;
	struct io_bio b[4];
};

static void flaw(const struct err *e, void *arg)
{
	struct bio_seen *s = arg;

	(void)e;
	s->flaws++;
}

static bool bio_see(const struct io_bio *b, void *arg)
{
	struct bio_seen *s = arg;

	if (CHECK(s->n < ARRAY_SIZE(s->b)))
		s->b[s->n++] = *b;
	return true;
}

static void put_task(uint64_t task, uint32_t pid, const char *comm, uint64_t signal)
{
	uint64_t node = task + T_NODE;

	put32(&k, task + T_PID, pid);
	put32(&k, task + T_PID + 4, pid);
	put_str(&k, task + T_COMM, comm);
	put64(&k, task + T_SIGNAL, signal);
	put_list(&k, signal, &node, 1);
}

/* A disk, and a task of pid 42 beside the first one. */
static void start(bool old)
{
	uint64_t link = READER + T_TASKS;
	struct type *s, *list = NULL;

	io_fake_init(&k, old);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "list_head"))
			list = k.types[i];
	s = kernel_struct(&k, "task_struct", 128);
	kernel_member(s, "__state", &k.u32, 0);
	kernel_member(s, "exit_state", &k.s32, 4);
	kernel_member(s, "flags", &k.u32, 8);
	kernel_member(s, "pid", &k.s32, T_PID);
	kernel_member(s, "tgid", &k.s32, T_PID + 4);
	kernel_member(s, "stack", &k.ptr, T_STACK);
	kernel_member(s, "signal", &k.ptr, T_SIGNAL);
	kernel_member(s, "tasks", list, T_TASKS);
	kernel_member(s, "thread_node", list, T_NODE);
	kernel_member(s, "comm", kernel_array(&k, &k.u8, 16), T_COMM);
	kernel_member(s, "bio_list", &k.ptr, T_BIOS);
	kernel_member(s, "real_parent", &k.ptr, 96);
	kernel_member(s, "mm", &k.ptr, 104);
	kernel_member(kernel_struct(&k, "signal_struct", 16), "thread_head", list, 0);
	WORDS(&k, "bio_list", "head", "tail");
	kernel_symbol(&k, "init_task", INIT_TASK);
	put_task(INIT_TASK, 0, "swapper/0", INIT_TASK + 0x100);
	put_task(READER, 42, "reader", READER + 0x100);
	put64(&k, READER + T_STACK, STACK);
	put_list(&k, INIT_TASK + T_TASKS, &link, 1);
}

static struct io_request look(void)
{
	struct bio_seen s = { .n = 0 };
	struct io_call c = { &k.t, &k.scratch, flaw, &s };
	struct io_all all;
	struct err err;

	if (!CHECK_OK(io_read(&c, &all, &err), err) || !CHECK(all.n_requests == 1))
		return (struct io_request){ .addr = 0 };
	io_command_read(&c, &all.requests[0]);
	CHECK_U64(s.flaws, 0);
	return all.requests[0];
}

static uint64_t one_request(void)
{
	uint64_t rq = io_fake_put(&k, 0, 2, -1, 1);

	put64(&k, IO_TAGS(0) + IT_RQS_AT + 2 * 8, rq);
	io_fake_bits(&k, IO_TAGS(0), false, 1, 0);
	return rq;
}

/* submit_bio_wait() and blk_execute_rq() wait for a completion on their own stack. */
TEST(who_waits_has_the_completion_on_the_stack)
{
	struct io_request r;
	uint64_t rq;

	start(false);
	kernel_symbol(&k, "submit_bio_wait_endio", IO_TEXT + 0x100);
	rq = one_request();
	put64(&k, rq + IR_BIO, IO_BIO(0));
	io_fake_bio(&k, 0, IO_BDEV, IO_TEXT + 0x100, STACK + 0x3f00);
	r = look();
	REQUIRE(r.issuer != NULL);
	CHECK_U64((uint64_t)r.issuer->pid, 42);
	CHECK_STR(r.issuer_how, "stack");
	io_fake_bio(&k, 0, IO_BDEV, IO_TEXT + 0x100, STACK + 0x4000); /* behind its end */
	r = look();
	CHECK(!r.issuer && !r.issuer_how);
	put64(&k, rq + IR_END_DATA, STACK + 0x10);
	r = look();
	REQUIRE(r.issuer != NULL);
	CHECK_STR(r.issuer->comm, "reader");
	kernel_release(&k);
}

/* Of a direct read of a block device the waiter and, when nobody waits, a kiocb are in one place:
 * it counts if it is a task. */
TEST(a_direct_read_names_its_task)
{
	struct io_request r;
	uint64_t rq;

	start(false);
	kernel_symbol(&k, "blkdev_bio_end_io", IO_TEXT + 0x100);
	WORDS(&k, "blkdev_dio", "unused", "waiter");
	rq = one_request();
	put64(&k, rq + IR_BIO, IO_BIO(0));
	io_fake_bio(&k, 0, IO_BDEV, IO_TEXT + 0x100, DM);
	put64(&k, DM + 8, READER);
	r = look();
	REQUIRE(r.issuer != NULL);
	CHECK_U64(r.issuer->addr, READER);
	CHECK_STR(r.issuer_how, "waiter");
	put64(&k, DM + 8, READER + 8);
	CHECK(!look().issuer);
	kernel_release(&k);
}

/* drivers/md/dm.c: a clone's end is told to clone_endio(), and the clone stands in a dm_target_io
 * that leads to the bio it was made of. */
TEST(a_clone_of_device_mapper)
{
	struct io_request r;
	uint64_t rq;

	start(false);
	kernel_symbol(&k, "clone_endio", IO_TEXT + 0x100);
	WORDS(&k, "dm_target_io", "unused", "io", "clone");
	WORDS(&k, "dm_io", "unused", "unused2", "orig_bio");
	rq = one_request();
	put64(&k, rq + IR_BIO, IO_BIO(0));
	io_fake_bio(&k, 0, IO_BDEV, IO_TEXT + 0x100, 0);
	put64(&k, IO_BIO(0) - 16 + 8, DM);
	put64(&k, DM + 16, IO_BIO(3));
	r = look();
	REQUIRE(r.n_layers == 2);
	CHECK_U64(r.layers[1].bio, IO_BIO(3));
	kernel_release(&k);
}

/* drivers/md/md.c: of a clone that md counts bi_private is the array, and the clone stands in a
 * struct that has the bio above. */
TEST(a_clone_of_md)
{
	struct io_request r;

	start(false);
	kernel_symbol(&k, "md_end_clone_io", IO_TEXT + 0x100);
	WORDS(&k, "md_io_clone", "mddev", "orig_bio", "start_time", "bio_clone");
	put64(&k, one_request() + IR_BIO, IO_BIO(0));
	io_fake_bio(&k, 0, IO_BDEV, IO_TEXT + 0x100, DM);
	put64(&k, IO_BIO(0) - 24 + 8, IO_BIO(3));
	put64(&k, DM + 8, IO_BIO(2));
	r = look();
	REQUIRE(r.n_layers == 2);
	CHECK_U64(r.layers[1].bio, IO_BIO(3));
	kernel_release(&k);
}

/* What two CPUs counted of a disk that takes bios: of three reads that the first one began one
 * ended on the second. Old kernels have the counters in the disk, later ones in its block_device.
 */
static void put_counts(bool old)
{
	static const unsigned counts[2][2] = { { 3, 0 }, { -1u, 1 } };
	struct type *s = kernel_struct(&k, "disk_stats", 64),
		    *local = kernel_struct(&k, "local_t", 8);

	kernel_member(local, "a", kernel_counter_type(&k, "atomic64_t", &k.u64), 0);
	kernel_member(s, "in_flight", kernel_array(&k, local, 2), 40);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, old ? "hd_struct" : "block_device"))
			kernel_member(k.types[i], old ? "dkstats" : "bd_stats", &k.ptr,
				      old ? 8 : 0);
	put64(&k, old ? IO_DISK + IG_PART0 + 8 : IO_BDEV, COUNTS);
	if (!old)
		put64(&k, IO_DISK + IG_PART0, IO_BDEV);
	kernel_symbol(&k, "nr_cpu_ids", COUNTS + 0x100);
	kernel_symbol(&k, "__per_cpu_offset", COUNTS + 0x108);
	put32(&k, COUNTS + 0x100, 2);
	put64(&k, COUNTS + 0x110, 0x80);
	for (unsigned cpu = 0; cpu < 2; cpu++)
		for (unsigned i = 0; i < 2; i++)
			put64(&k, COUNTS + cpu * 0x80 + 40 + i * 8,
			      (uint64_t)(int32_t)counts[cpu][i]);
}

TEST(bios_under_way_as_they_were_counted)
{
	for (unsigned old = 0; old < 2; old++) {
		struct bio_seen s = { .n = 0 };
		struct io_call c = { &k.t, &k.scratch, flaw, &s };
		struct io_all all;
		struct err err;

		start(old);
		put64(&k, IO_QUEUE + IQ_OPS, 0);
		WORDS(&k, "block_device_operations", "submit_bio");
		put64(&k, IO_DISK + IG_FOPS, FOPS);
		put_counts(old);
		REQUIRE_OK(io_read(&c, &all, &err), err);
		CHECK_U64(s.flaws, 0);
		REQUIRE(all.n_queues == 1);
		CHECK(all.queues[0].counted && !all.queues[0].set);
		CHECK_U64(all.queues[0].requests, 3);
		CHECK_U64(all.queues[0].reads, 2);
		CHECK_U64(all.queues[0].writes, 1);
		put64(&k, old ? IO_DISK + IG_PART0 + 8 : IO_BDEV, NOWHERE);
		REQUIRE_OK(io_read(&c, &all, &err), err);
		CHECK_U64(s.flaws, 1);
		CHECK(!all.queues[0].counted);
		kernel_release(&k);
	}
}

TEST(bios_of_a_suspended_device_and_of_a_task)
{
	struct bio_seen s = { .n = 0 };
	struct io_call c = { &k.t, &k.scratch, flaw, &s };
	struct type *md;
	struct err err;

	start(true);
	md = kernel_struct(&k, "mapped_device", 32);
	kernel_member(md, "deferred", INNER(&k, "head", "tail"), 8);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "gendisk"))
			kernel_member(k.types[i], "private_data", &k.ptr, 208);
	put64(&k, IO_QUEUE + IQ_OPS, 0); /* it takes bios, and no requests */
	WORDS(&k, "block_device_operations", "submit_bio");
	kernel_symbol(&k, "dm_submit_bio", IO_TEXT + 0x200);
	put64(&k, IO_DISK + IG_FOPS, FOPS);
	put64(&k, FOPS, IO_TEXT + 0x200);
	put_counts(true);
	put64(&k, IO_DISK + 208, DM);
	put64(&k, DM + 8, IO_BIO(0));
	io_fake_bio(&k, 0, IO_DISK, 0, 0);
	put64(&k, IO_BIO(0) + IB_NEXT, IO_BIO(1));
	io_fake_bio(&k, 1, IO_DISK, 0, 0);
	put32(&k, IO_BIO(1) + IB_OPF, 1);
	put64(&k, IO_BIO(1) + IB_SECTOR, 4711);
	put32(&k, IO_BIO(1) + IB_SIZE, 512);
	put32(&k, IO_BIO(1) + IB_PARTNO, 2);
	/* the second of the two lists on the task's stack */
	put64(&k, READER + T_BIOS, STACK + 0x100);
	put64(&k, STACK + 0x110, IO_BIO(2));
	io_fake_bio(&k, 2, IO_DISK, 0, 0);
	CHECK_OK(io_bios(&c, bio_see, &s, &err), err);
	CHECK_U64(s.flaws, 0);
	REQUIRE(s.n == 3);
	CHECK_STR(s.b[0].where, "suspended device");
	CHECK_STR(s.b[0].device, "vda");
	CHECK_U64(s.b[1].addr, IO_BIO(1));
	CHECK_STR(s.b[1].device, "vda2");
	CHECK_STR(s.b[1].op, "WRITE");
	CHECK_U64(s.b[1].sector, 4711);
	CHECK_U64(s.b[1].bytes, 512);
	CHECK(!s.b[1].task);
	CHECK_STR(s.b[2].where, "submission");
	REQUIRE(s.b[2].task != NULL);
	CHECK_U64((uint64_t)s.b[2].task->pid, 42);
	/* a circle ends, and the rest is still told */
	put64(&k, IO_BIO(1) + IB_NEXT, IO_BIO(1));
	s = (struct bio_seen){ .n = 0 };
	put64(&k, READER + T_BIOS, NOWHERE);
	CHECK_OK(io_bios(&c, bio_see, &s, &err), err);
	CHECK(s.n >= 2 && s.n <= 4);
	CHECK_U64(s.flaws, 3); /* the circle, and either list of the task */
	kernel_release(&k);
}

/* The command lies behind the request: 5.2.6 of the virtio standard has type and sector. */
TEST(the_command_of_virtio)
{
	struct type *s, *head;
	struct io_request r;
	uint64_t rq;

	start(false);
	k.n_syms--; /* another driver in place of the fake's, at the same address */
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "test_queue_rq"))
			k.syms[i].name = "virtio_queue_rq";
	kernel_symbol(&k, "init_task", INIT_TASK);
	s = kernel_struct(&k, "virtblk_req", 32);
	head = INNER(&k, "unused", "sector");
	kernel_member(head, "type", &k.u32, 4);
	kernel_member(s, "out_hdr", head, 0);
	put32(&k, IO_SET + 8, 32);
	rq = one_request();
	put32(&k, rq + IR_SIZE + 4, 4);
	put64(&k, rq + IR_SIZE + 8, 24);
	r = look();
	CHECK_U64(r.command, rq + IR_SIZE);
	CHECK_STR(r.command_type, "struct virtblk_req");
	CHECK_STR(r.command_text, "FLUSH, sector 24");
	put32(&k, rq + IR_SIZE + 4, 99);
	CHECK_STR(look().command_text, "type 99, sector 24");
	/* before the driver has it, it is the command of the request before */
	put32(&k, rq + IR_STATE, 0);
	CHECK(!look().command_text);
	kernel_release(&k);
}

/* SPC: 28h is READ(10), whose bytes 2 to 5 are the block and 7 and 8 how many. */
TEST(the_command_of_scsi)
{
	static const uint8_t cdb[] = { 0x28, 0, 0, 0, 0, 16, 0, 0, 8, 0 };

	for (unsigned pointer = 0; pointer < 2; pointer++) {
		struct type *s;
		uint64_t rq, at;

		start(pointer);
		for (size_t i = 0; i < k.n_syms; i++)
			if (!strcmp(k.syms[i].name, "test_queue_rq"))
				k.syms[i].name = "scsi_queue_rq";
		s = kernel_struct(&k, "scsi_cmnd", 64);
		kernel_member(s, "device", &k.ptr, 8);
		kernel_member(s, "cmd_len", &k.u8, 16);
		kernel_member(s, "cmnd", pointer ? &k.ptr : kernel_array(&k, &k.u8, 32), 24);
		WORDS(&k, "scsi_device", "host", "channel", "id", "lun");
		WORDS(&k, "Scsi_Host", "unused", "host_no");
		put32(&k, IO_SET + 8, 64);
		rq = one_request();
		at = rq + IR_SIZE + 24;
		put64(&k, rq + IR_SIZE + 8, DM);
		put64(&k, DM, DM + 0x100);
		put64(&k, DM + 16, 5);
		put64(&k, DM + 24, 1);
		put64(&k, DM + 0x108, 2);
		put32(&k, rq + IR_SIZE + 16, sizeof(cdb));
		if (pointer) {
			put64(&k, at, DM + 0x200);
			at = DM + 0x200;
		}
		memcpy(&k.mem[at - KERNEL_BASE], cdb, sizeof(cdb));
		CHECK_STR(look().command_text, "2:0:5:1 READ(10) 28 00 00 00 00 10 00 00 08 00");
		kernel_release(&k);
	}
}

TEST_MAIN
