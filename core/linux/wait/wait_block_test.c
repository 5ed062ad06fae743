/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits for queues that are frozen, tags, writeback, and servers of files, FUSE programs
 * or machines. What is expected follows from what each test lays out. */
#include "core/base/test.h"
#include "core/linux/wait/wait_work_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define OBJ(i) (KERNEL_BASE + 0xd000 + (uint64_t)(i)*0x100)
#define ENTRY 24 /* link in struct wait_queue_entry */
#define HEAD 8   /* list in struct wait_queue_head */

/* Task i has a wait_queue_entry at that address in the queue whose head is at `queue`. */
static void put_entry(struct wait_fake *f, int i, uint64_t entry, uint64_t queue)
{
	const uint64_t node = entry + ENTRY;

	put64(&f->k, entry + 8, WAIT_TASK(i));
	put64(&f->k, entry + 16, WAIT_WAKE);
	put_list(&f->k, queue + HEAD, &node, 1);
}

/* ---- queues that are frozen */

enum {
	Q_DISK = 0,
	Q_DEPTH = 8,
	Q_FREEZE = 16,
	D_QUEUE = 0,
	D_NAME = 8
};

static void queue_types(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	struct type *s = kernel_struct(k, "request_queue", 64);

	kernel_member(s, "disk", &k->ptr, Q_DISK);
	kernel_member(s, "mq_freeze_depth", &k->s32, Q_DEPTH);
	kernel_member(s, "mq_freeze_wq", wait_fake_type(f, "wait_queue_head"), Q_FREEZE);
	s = kernel_struct(k, "gendisk", 64);
	kernel_member(s, "queue", &k->ptr, D_QUEUE);
	kernel_member(s, "disk_name", kernel_array(k, &k->u8, 32), D_NAME);
}

/* Task 1 froze the queue of vda and waits until it is drained; task 0 wants to use it. */
TEST(who_froze_a_queue_is_who_drains_it)
{
	for (uint32_t depth = 1; depth < 3; depth++) {
		const uint64_t nodes[] = { WAIT_WAITER(0) + ENTRY, WAIT_WAITER(1) + ENTRY };
		struct wait_fake f;

		wait_fake_init(&f, true);
		queue_types(&f);
		put64(&f.k, OBJ(0) + Q_DISK, OBJ(1));
		put32(&f.k, OBJ(0) + Q_DEPTH, depth);
		put64(&f.k, OBJ(1) + D_QUEUE, OBJ(0));
		put_str(&f.k, OBJ(1) + D_NAME, "vda");
		for (int i = 0; i < 2; i++)
			put_entry(&f, i, WAIT_WAITER(i), OBJ(0) + Q_FREEZE);
		put_list(&f.k, OBJ(0) + Q_FREEZE + HEAD, nodes, 2);
		REQUIRE(wait_fake_look(&f, 0, "__bio_queue_enter"));
		REQUIRE(wait_fake_look(&f, 1, "blk_mq_freeze_queue_wait"));
		wait_block_end(&f.g);
		CHECK_STR(OBJECT(&f, 0)->type, "request_queue_frozen");
		CHECK_STR(OBJECT(&f, 1)->type, "request_queue");
		CHECK_U64(OBJECT(&f, 1)->addr, OBJ(0));
		CHECK_STR(OBJECT(&f, 1)->name, "queue of disk vda");
		CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
		CHECK_U64(OBJECT(&f, 0)->holder_by, depth == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
		CHECK(!OBJECT(&f, 1)->holder);
		wait_fake_release(&f);
	}
}

/* ---- tags */

TEST(all_tags_are_taken)
{
	struct wait_fake f;
	struct type *s;

	wait_fake_init(&f, true);
	s = kernel_struct(&f.k, "sbq_wait", 48);
	kernel_member(s, "sbq", &f.k.ptr, 0);
	kernel_member(s, "wait", wait_fake_type(&f, "wait_queue_entry"), 8);
	s = kernel_struct(&f.k, "sbitmap_queue", 8);
	kernel_member(s, "sb", INNER(&f.k, "depth"), 0);
	put64(&f.k, WAIT_WAITER(0), OBJ(0));
	put64(&f.k, OBJ(0), 64);
	put_entry(&f, 0, WAIT_WAITER(0) + 8, OBJ(1));
	put_entry(&f, 1, WAIT_WAITER(1) + 8, OBJ(2)); /* it names no tags */
	REQUIRE(wait_fake_look_from(&f, 0, "io_schedule", "blk_mq_get_tag"));
	REQUIRE(wait_fake_look_from(&f, 1, "io_schedule", "blk_mq_get_tag"));
	CHECK_STR(OBJECT(&f, 0)->type, "tags");
	CHECK_U64(OBJECT(&f, 0)->addr, OBJ(0));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "all of 64");
	CHECK_STR(OBJECT(&f, 1)->type, "wait_queue");
	wait_fake_release(&f);
}

/* ---- writeback */

enum {
	BDI_WAITQ = 0,
	BDI_LIST = 24,
	WB_NODE = 0,
	WB_WORK = 16
};

static void writeback_types(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	const struct type *list = wait_fake_type(f, "list_head");
	struct type *s = kernel_struct(k, "wb_completion", 16);

	kernel_member(s, "cnt", INNER(k, "counter"), 0);
	kernel_member(s, "waitq", &k->ptr, 8);
	s = kernel_struct(k, "backing_dev_info", 64);
	kernel_member(s, "wb_waitq", wait_fake_type(f, "wait_queue_head"), BDI_WAITQ);
	kernel_member(s, "wb_list", list, BDI_LIST);
	s = kernel_struct(k, "bdi_writeback", 64);
	kernel_member(s, "bdi_node", list, WB_NODE);
	kernel_member(s, "dwork", INNER(k, "work"), WB_WORK);
}

/* Task 0 waits for a device that has `n` writers, the first of which a worker, task 1, is at. */
TEST(the_end_of_writeback)
{
	for (size_t n = 1; n < 3; n++) {
		const uint64_t done = WAIT_WAITER(0) + 0x60;
		const uint64_t wbs[] = { OBJ(2) + WB_NODE, OBJ(3) + WB_NODE };
		struct wait_fake f;

		wait_fake_init(&f, true);
		work_types(&f.k);
		writeback_types(&f);
		put_worker(&f, 0, 1, 0);
		put64(&f.k, WORK_WORKER(0) + WORKER_WORK, OBJ(2) + WB_WORK);
		put64(&f.k, WAIT_BDI_WQ, WORK_WQ);
		put_list(&f.k, OBJ(0) + BDI_LIST, wbs, n);
		put_entry(&f, 0, WAIT_WAITER(0), OBJ(0) + BDI_WAITQ);
		put64(&f.k, done, 1);
		put64(&f.k, done + 8, OBJ(0) + BDI_WAITQ);
		REQUIRE(wait_fake_look(&f, 0, "wb_wait_for_completion"));
		CHECK_STR(OBJECT(&f, 0)->type, "writeback");
		CHECK_U64(OBJECT(&f, 0)->addr, done);
		CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
		CHECK_U64(OBJECT(&f, 0)->holder_by, n == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
		CHECK_CONTAINS(OBJECT(&f, 0)->state, "1 works");
		wait_fake_release(&f);
	}
}

/* ---- FUSE */

enum {
	REQ_FLAGS = 0,
	REQ_IN = 8,
	REQ_WAITQ = 16,
	REQ_OF = 40
};

/* Of v7.2, where a request has a channel, or before, where its mount has a connection. */
static void fuse_types(struct wait_fake *f, bool channel)
{
	static const struct enumerator bits[] = { { "FR_PENDING", 0 }, { "FR_SENT", 1 } };
	struct fake_kernel *k = &f->k;
	struct type *s = kernel_struct(k, "fuse_req", 64), *in = INNER(k, "unused");

	kernel_member(in, "h", INNER(k, "opcode"), 0);
	kernel_member(s, "flags", &k->u64, REQ_FLAGS);
	kernel_member(s, "in", in, REQ_IN);
	kernel_member(s, "waitq", wait_fake_type(f, "wait_queue_head"), REQ_WAITQ);
	kernel_member(s, channel ? "chan" : "fm", &k->ptr, REQ_OF);
	WORDS(k, "fuse_mount", "fc");
	s = kernel_struct(k, channel ? "fuse_chan" : "fuse_conn", 16);
	kernel_member(s, "devices", wait_fake_type(f, "list_head"), 0);
	s = kernel_struct(k, "fuse_dev", 16);
	kernel_member(s, "entry", wait_fake_type(f, "list_head"), 0);
	s = kernel_struct(k, "fuse_req_flag", 4);
	s->kind = TYPE_ENUM;
	s->enums = (struct enumerator *)(uintptr_t)bits;
	s->n_enums = ARRAY_SIZE(bits);
	kernel_member(wait_fake_type(f, "task_struct"), "files", &k->ptr, 0xa0);
	WORDS(k, "files_struct", "fdt");
	WORDS(k, "fdtable", "max_fds", "fd");
	WORDS(k, "file", "private_data");
}

/* Task i has the device, and another file before it. */
static void put_server(struct wait_fake *f, int i)
{
	const uint64_t files = OBJ(8 + i);

	f->tasks[i].mm = OBJ(0);
	put64(&f->k, WAIT_TASK(i) + 0xa0, files);
	put64(&f->k, files, files + 8);
	put64(&f->k, files + 8, 3);
	put64(&f->k, files + 16, files + 24);
	put64(&f->k, files + 32, files + 48); /* descriptors 1 and 2; 0 is closed */
	put64(&f->k, files + 40, files + 56);
	put64(&f->k, files + 56, OBJ(4));
}

TEST(who_serves_a_request_has_its_device_open)
{
	for (int how = 0; how < 4; how++) {
		const bool channel = how & 1, two = how & 2;
		const uint64_t device = OBJ(4);
		struct wait_fake f;

		wait_fake_init(&f, true);
		fuse_types(&f, channel);
		put64(&f.k, OBJ(1) + REQ_FLAGS, 2);
		put64(&f.k, OBJ(1) + REQ_IN, 15);
		put64(&f.k, OBJ(1) + REQ_OF, channel ? OBJ(3) : OBJ(2));
		put64(&f.k, OBJ(2), OBJ(3));
		put_list(&f.k, OBJ(3), &device, 1);
		put_server(&f, 2);
		if (two)
			put_server(&f, 3);
		put_entry(&f, 0, WAIT_WAITER(0), OBJ(1) + REQ_WAITQ);
		REQUIRE(wait_fake_look(&f, 0, "request_wait_answer"));
		CHECK_STR(OBJECT(&f, 0)->type, "fuse_request");
		CHECK_U64(OBJECT(&f, 0)->addr, OBJ(1));
		CHECK(OBJECT(&f, 0)->holder == &f.tasks[2]);
		CHECK_U64(OBJECT(&f, 0)->holder_by, two ? WAIT_BY_CANDIDATE : WAIT_BY_RULE);
		CHECK_CONTAINS(OBJECT(&f, 0)->state, "operation 15, which its server has read");
		wait_fake_release(&f);
	}
}

/* A call of a server is known by the word of bits that is waited for. */
TEST(a_call_of_a_server)
{
	struct wait_fake f;
	struct type *s, *key;

	wait_fake_init(&f, true);
	key = INNER(&f.k, "flags");
	kernel_member(key, "bit_nr", &f.k.s32, 8);
	s = kernel_struct(&f.k, "wait_bit_queue_entry", 56);
	kernel_member(s, "key", key, 0);
	kernel_member(s, "wq_entry", wait_fake_type(&f, "wait_queue_entry"), 16);
	WORDS(&f.k, "rpc_task", "tk_count", "tk_runstate");
	put64(&f.k, WAIT_WAITER(0), OBJ(0) + 8);
	put_entry(&f, 0, WAIT_WAITER(0) + 16, OBJ(1));
	REQUIRE(wait_fake_look_from(&f, 0, "rpc_wait_bit_killable", "__rpc_execute"));
	CHECK_STR(OBJECT(&f, 0)->type, "rpc_task");
	CHECK(!OBJECT(&f, 0)->state); /* of its clients nothing can be read */
	CHECK_U64(OBJECT(&f, 0)->addr, OBJ(0));
	wait_fake_release(&f);
}

#define NETS OBJ(4)
#define NET_ID OBJ(6)
static void rpc_symbols(struct fake_kernel *k)
{
	kernel_symbol(k, "net_namespace_list", NETS);
	kernel_symbol(k, "sunrpc_net_id", NET_ID);
}

/* A namespace whose clients cannot be read may have the call: that no client has it is not known.
 */
TEST(a_call_of_a_client_that_cannot_be_read)
{
	const uint64_t net = OBJ(5);
	struct wait_fake f;
	struct type *s, *key;
	const struct type *list;

	wait_fake_init_with(&f, true, rpc_symbols);
	list = wait_fake_type(&f, "list_head");
	key = INNER(&f.k, "flags");
	kernel_member(key, "bit_nr", &f.k.s32, 8);
	s = kernel_struct(&f.k, "wait_bit_queue_entry", 56);
	kernel_member(s, "key", key, 0);
	kernel_member(s, "wq_entry", wait_fake_type(&f, "wait_queue_entry"), 16);
	s = WORDS(&f.k, "rpc_task", "tk_count", "tk_runstate");
	kernel_member(s, "tk_task", list, 16);
	s = kernel_struct(&f.k, "rpc_clnt", 64);
	kernel_member(s, "cl_clients", list, 8);
	kernel_member(s, "cl_tasks", list, 24);
	s = kernel_struct(&f.k, "net", 32);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "gen", &f.k.ptr, 16);
	put32(&f.k, NET_ID, 3);
	put_list(&f.k, NETS, &net, 1);
	put64(&f.k, net + 16, KERNEL_BASE + KERNEL_SIZE); /* gen */
	put64(&f.k, WAIT_WAITER(0), OBJ(0) + 8);
	put_entry(&f, 0, WAIT_WAITER(0) + 16, OBJ(1));
	REQUIRE(wait_fake_look_from(&f, 0, "rpc_wait_bit_killable", "__rpc_execute"));
	CHECK_STR(OBJECT(&f, 0)->type, "rpc_task");
	CHECK(!OBJECT(&f, 0)->state);
	wait_fake_release(&f);
}

/* Too many requests of a kind are under way. */
TEST(a_kind_of_requests_that_is_held_back)
{
	struct wait_fake f;
	struct type *s;

	wait_fake_init(&f, true);
	s = kernel_struct(&f.k, "rq_qos_wait_data", 64);
	kernel_member(s, "wq", wait_fake_type(&f, "wait_queue_entry"), 0);
	kernel_member(s, "rqw", &f.k.ptr, 40);
	s = kernel_struct(&f.k, "rq_wait", 32);
	kernel_member(s, "wait", wait_fake_type(&f, "wait_queue_head"), 0);
	kernel_member(s, "inflight", INNER(&f.k, "counter"), 24);
	put_entry(&f, 0, WAIT_WAITER(0), OBJ(0));
	put64(&f.k, WAIT_WAITER(0) + 40, OBJ(0));
	put64(&f.k, OBJ(0) + 24, 3);
	put_entry(&f, 1, WAIT_WAITER(1), OBJ(1)); /* in another queue than it names */
	put64(&f.k, WAIT_WAITER(1) + 40, OBJ(2));
	REQUIRE(wait_fake_look(&f, 0, "rq_qos_wait"));
	CHECK_STR(OBJECT(&f, 0)->type, "rq_wait");
	CHECK_U64(OBJECT(&f, 0)->addr, OBJ(0));
	CHECK_STR(OBJECT(&f, 0)->state, "3 of its kind under way");
	REQUIRE(wait_fake_look(&f, 1, "rq_qos_wait"));
	CHECK_STR(OBJECT(&f, 1)->type, "wait_queue");
	wait_fake_release(&f);
}

TEST_MAIN
