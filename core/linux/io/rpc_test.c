/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of calls of servers that were not finished. */
#include "core/base/test.h"
#include "core/linux/io/rpc_fake.h"

#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

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

	rpc_fake_init(&k);
	s = look();
	CHECK_U64(s.flaws, 0);
	REQUIRE(s.n == 2);
	CHECK_U64(s.r[0].task, RPC_CALL(1));
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
	put64(&k, RPC_CALL(0) + RPC_R_XPRT, 0);
	put64(&k, RPC_CALL(0) + RPC_R_QUEUE, 0);
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

	rpc_fake_init(&k);
	put64(&k, RPC_CALL(0) + RPC_R_MSG + 8, NOWHERE); /* the rest of it is still told */
	s = look();
	CHECK_U64(s.flaws, 1);
	REQUIRE(s.n == 2);
	CHECK(!s.r[1].procedure);
	CHECK_STR(s.r[1].server, "filer");
	CHECK_STR(s.r[1].program, "nfs");
	put64(&k, RPC_CALL(1) + RPC_R_LINK, RPC_CALL(1) + RPC_R_LINK); /* leads to itself */
	s = look();
	CHECK(s.flaws >= 2 && s.n >= 2 && s.n <= 4);
	put64(&k, RPC_GEN + RPC_G_PTR + 3 * 8, NOWHERE);
	s = look();
	CHECK_U64(s.flaws, 1);
	CHECK_U64(s.n, 0);
	put32(&k, RPC_ID, 1000000);
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
