/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of calls of servers that were not finished. */
#include "core/base/test.h"
#include "core/linux/io/io_fake.h"

#define NETS (KERNEL_BASE + 0x31000) /* net_namespace_list */
#define NET (KERNEL_BASE + 0x31100)
#define GEN (KERNEL_BASE + 0x31200)
#define OWN (KERNEL_BASE + 0x31300) /* struct sunrpc_net */
#define ID (KERNEL_BASE + 0x31400)  /* sunrpc_net_id */
#define CLIENT (KERNEL_BASE + 0x31500)
#define PROGRAM (KERNEL_BASE + 0x31600)
#define PROC (KERNEL_BASE + 0x31700)
#define XPRT (KERNEL_BASE + 0x31800)
#define SLEEP (KERNEL_BASE + 0x31900)
#define CALL(i) (KERNEL_BASE + 0x32000 + (i)*0x100)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

enum {
	N_LIST = 8,
	N_GEN = 24,
	G_PTR = 8,
	S_CLIENTS = 8,
	C_LINK = 8,
	C_TASKS = 24,
	C_VERSION = 40,
	C_PROGRAM = 48,
	X_SERVER = 8,
	X_ADDRESS = 16,
	R_LINK = 8,
	R_CLIENT = 24,
	R_XPRT = 32,
	R_MSG = 40, /* its rpc_proc 8 behind */
	R_START = 56,
	R_QUEUE = 64,
	R_ACTION = 72,
	R_OWNER = 80,
	R_STATUS = 84,
	R_TIMEOUTS = 88
};

static struct fake_kernel k;

struct rpc_seen {
	size_t n, flaws;
	struct rpc_call r[4];
};

static void flaw(const struct err *e, void *arg)
{
	struct rpc_seen *s = arg;

	(void)e;
	s->flaws++;
}

static bool rpc_see(const struct rpc_call *r, void *arg)
{
	struct rpc_seen *s = arg;

	if (CHECK(s->n < ARRAY_SIZE(s->r)))
		s->r[s->n++] = *r;
	return true;
}

static void lay_types(const struct type *list)
{
	struct type *s = kernel_struct(&k, "net", 32);

	kernel_member(s, "list", list, N_LIST);
	kernel_member(s, "gen", &k.ptr, N_GEN);
	s = kernel_struct(&k, "net_generic", 16);
	kernel_member(s, "ptr", kernel_array(&k, &k.ptr, 1), G_PTR);
	s = kernel_struct(&k, "sunrpc_net", 32);
	kernel_member(s, "all_clients", list, S_CLIENTS);
	s = kernel_struct(&k, "rpc_clnt", 64);
	kernel_member(s, "cl_clients", list, C_LINK);
	kernel_member(s, "cl_tasks", list, C_TASKS);
	kernel_member(s, "cl_vers", &k.u32, C_VERSION);
	kernel_member(s, "cl_program", &k.ptr, C_PROGRAM);
	WORDS(&k, "rpc_program", "unused", "name");
	WORDS(&k, "rpc_procinfo", "unused", "p_name");
	WORDS(&k, "rpc_wait_queue", "unused", "name");
	s = kernel_struct(&k, "rpc_xprt", 64);
	kernel_member(s, "servername", &k.ptr, X_SERVER);
	kernel_member(s, "address_strings", kernel_array(&k, &k.ptr, 6), X_ADDRESS);
	s = kernel_struct(&k, "rpc_task", 96);
	kernel_member(s, "tk_task", list, R_LINK);
	kernel_member(s, "tk_client", &k.ptr, R_CLIENT);
	kernel_member(s, "tk_xprt", &k.ptr, R_XPRT);
	kernel_member(s, "tk_msg", INNER(&k, "unused", "rpc_proc"), R_MSG);
	kernel_member(s, "tk_start", &k.s64, R_START);
	kernel_member(s, "tk_waitqueue", &k.ptr, R_QUEUE);
	kernel_member(s, "tk_action", &k.ptr, R_ACTION);
	kernel_member(s, "tk_owner", &k.s32, R_OWNER);
	kernel_member(s, "tk_status", &k.s32, R_STATUS);
	kernel_member(s, "tk_timeouts", &k.u32, R_TIMEOUTS);
}

static void call_put(unsigned i, uint64_t age)
{
	put64(&k, CALL(i) + R_CLIENT, CLIENT);
	put64(&k, CALL(i) + R_XPRT, XPRT);
	put64(&k, CALL(i) + R_MSG + 8, PROC);
	put64(&k, CALL(i) + R_START, IO_NOW - age);
	put64(&k, CALL(i) + R_QUEUE, SLEEP);
	put64(&k, CALL(i) + R_ACTION, IO_TEXT + 0x100);
	put32(&k, CALL(i) + R_OWNER, 100 + i);
	put32(&k, CALL(i) + R_STATUS, (uint32_t)-11);
}

static void start(void)
{
	uint64_t net = NET + N_LIST, client = CLIENT + C_LINK;
	uint64_t calls[] = { CALL(0) + R_LINK, CALL(1) + R_LINK };
	const struct type *list = NULL;

	io_fake_init(&k, false);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "list_head"))
			list = k.types[i];
	lay_types(list);
	kernel_symbol(&k, "net_namespace_list", NETS);
	kernel_symbol(&k, "sunrpc_net_id", ID);
	kernel_symbol(&k, "call_status", IO_TEXT + 0x100);
	put_list(&k, NETS, &net, 1);
	put64(&k, NET + N_GEN, GEN);
	put32(&k, ID, 3);
	put64(&k, GEN + G_PTR + 3 * 8, OWN);
	put_list(&k, OWN + S_CLIENTS, &client, 1);
	put_list(&k, CLIENT + C_TASKS, calls, 2);
	put32(&k, CLIENT + C_VERSION, 4);
	put64(&k, CLIENT + C_PROGRAM, PROGRAM);
	put64(&k, PROGRAM + 8, io_fake_text(&k, 8, "nfs"));
	put64(&k, PROC + 8, io_fake_text(&k, 9, "READ"));
	put64(&k, SLEEP + 8, io_fake_text(&k, 10, "xprt_pending"));
	put64(&k, XPRT + X_SERVER, io_fake_text(&k, 11, "filer"));
	put64(&k, XPRT + X_ADDRESS, io_fake_text(&k, 12, "192.0.2.7"));
	call_put(0, 3000000000u);
	call_put(1, 60000000000u);
}

static struct rpc_seen look(void)
{
	struct rpc_seen s = { .n = 0 };
	struct io_call c = { &k.t, &k.scratch, flaw, &s };
	struct err err;

	CHECK_OK(rpc_calls(&c, rpc_see, &s, &err), err);
	return s;
}

/* A namespace keeps each subsystem's data at the subsystem's number; the oldest call comes first.
 */
TEST(calls_of_a_server_by_age)
{
	struct rpc_seen s;

	start();
	s = look();
	CHECK_U64(s.flaws, 0);
	REQUIRE(s.n == 2);
	CHECK_U64(s.r[0].task, CALL(1));
	CHECK(s.r[0].has_age);
	CHECK_U64(s.r[0].age_ns, 60000000000u);
	CHECK_U64(s.r[1].age_ns, 3000000000u);
	CHECK_STR(s.r[1].program, "nfs");
	CHECK_U64(s.r[1].version, 4);
	CHECK_STR(s.r[1].procedure, "READ");
	CHECK_STR(s.r[1].server, "filer");
	CHECK_STR(s.r[1].address, "192.0.2.7");
	CHECK_STR(s.r[1].queue, "xprt_pending");
	CHECK_STR(s.r[1].action, "call_status");
	CHECK(s.r[1].owner == 100 && s.r[1].status == -11);
	/* one that has no transport yet sleeps in no queue */
	put64(&k, CALL(0) + R_XPRT, 0);
	put64(&k, CALL(0) + R_QUEUE, 0);
	s = look();
	CHECK_U64(s.flaws, 0);
	CHECK(!s.r[1].server && !s.r[1].address && !s.r[1].queue);
	kernel_release(&k);
}

TEST(damaged_calls)
{
	struct io_call c = { &k.t, &k.scratch, flaw, &(struct rpc_seen){ .n = 0 } };
	struct rpc_seen s;
	struct err err;

	start();
	put64(&k, CALL(0) + R_MSG + 8, NOWHERE); /* the rest of it is still told */
	s = look();
	CHECK_U64(s.flaws, 1);
	REQUIRE(s.n == 2);
	CHECK(!s.r[1].procedure);
	CHECK_STR(s.r[1].server, "filer");
	CHECK_STR(s.r[1].program, "nfs");
	put64(&k, CALL(1) + R_LINK, CALL(1) + R_LINK); /* leads to itself */
	s = look();
	CHECK(s.flaws >= 2 && s.n >= 2 && s.n <= 4);
	put64(&k, GEN + G_PTR + 3 * 8, NOWHERE);
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_U64(s.n, 0);
	put32(&k, ID, 1000000);
	CHECK(!rpc_calls(&c, rpc_see, &s, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
	/* a kernel without such a client */
	io_fake_init(&k, false);
	CHECK(!rpc_calls(&c, rpc_see, &s, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
}

TEST_MAIN
