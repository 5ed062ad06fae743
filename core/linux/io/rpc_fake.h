/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: calls of a server, in one network namespace. */
#ifndef OBIT_RPC_FAKE_H
#define OBIT_RPC_FAKE_H

#include "core/linux/io/io_fake.h"

#define RPC_NETS (KERNEL_BASE + 0x31000) /* net_namespace_list */
#define RPC_NET (KERNEL_BASE + 0x31100)
#define RPC_GEN (KERNEL_BASE + 0x31200)
#define RPC_OWN (KERNEL_BASE + 0x31300) /* struct sunrpc_net */
#define RPC_ID (KERNEL_BASE + 0x31400)  /* sunrpc_net_id */
#define RPC_CLIENT (KERNEL_BASE + 0x31500)
#define RPC_PROGRAM (KERNEL_BASE + 0x31600)
#define RPC_PROC (KERNEL_BASE + 0x31700)
#define RPC_XPRT (KERNEL_BASE + 0x31800)
#define RPC_SLEEP (KERNEL_BASE + 0x31900)
#define RPC_CALL(i) (KERNEL_BASE + 0x32000 + (i)*0x100)

/* Offsets of the fake's own. */
enum {
	RPC_N_LIST = 8,
	RPC_N_GEN = 24,
	RPC_G_PTR = 8,
	RPC_S_CLIENTS = 8,
	RPC_C_LINK = 8,
	RPC_C_TASKS = 24,
	RPC_C_VERSION = 40,
	RPC_C_PROGRAM = 48,
	RPC_X_SERVER = 8,
	RPC_X_ADDRESS = 16,
	RPC_R_LINK = 8,
	RPC_R_CLIENT = 24,
	RPC_R_XPRT = 32,
	RPC_R_MSG = 40, /* its rpc_proc 8 behind */
	RPC_R_START = 56,
	RPC_R_QUEUE = 64,
	RPC_R_ACTION = 72,
	RPC_R_OWNER = 80,
	RPC_R_STATUS = 84,
	RPC_R_TIMEOUTS = 88
};

static inline void rpc_fake_types(struct fake_kernel *k, const struct type *list)
{
	struct type *s = kernel_struct(k, "net", 32);

	kernel_member(s, "list", list, RPC_N_LIST);
	kernel_member(s, "gen", &k->ptr, RPC_N_GEN);
	s = kernel_struct(k, "net_generic", 16);
	kernel_member(s, "ptr", kernel_array(k, &k->ptr, 1), RPC_G_PTR);
	s = kernel_struct(k, "sunrpc_net", 32);
	kernel_member(s, "all_clients", list, RPC_S_CLIENTS);
	s = kernel_struct(k, "rpc_clnt", 64);
	kernel_member(s, "cl_clients", list, RPC_C_LINK);
	kernel_member(s, "cl_tasks", list, RPC_C_TASKS);
	kernel_member(s, "cl_vers", &k->u32, RPC_C_VERSION);
	kernel_member(s, "cl_program", &k->ptr, RPC_C_PROGRAM);
	WORDS(k, "rpc_program", "unused", "name");
	WORDS(k, "rpc_procinfo", "unused", "p_name");
	WORDS(k, "rpc_wait_queue", "unused", "name");
	s = kernel_struct(k, "rpc_xprt", 64);
	kernel_member(s, "servername", &k->ptr, RPC_X_SERVER);
	kernel_member(s, "address_strings", kernel_array(k, &k->ptr, 6), RPC_X_ADDRESS);
	s = kernel_struct(k, "rpc_task", 96);
	kernel_member(s, "tk_task", list, RPC_R_LINK);
	kernel_member(s, "tk_client", &k->ptr, RPC_R_CLIENT);
	kernel_member(s, "tk_xprt", &k->ptr, RPC_R_XPRT);
	kernel_member(s, "tk_msg", INNER(k, "unused", "rpc_proc"), RPC_R_MSG);
	kernel_member(s, "tk_start", &k->s64, RPC_R_START);
	kernel_member(s, "tk_waitqueue", &k->ptr, RPC_R_QUEUE);
	kernel_member(s, "tk_action", &k->ptr, RPC_R_ACTION);
	kernel_member(s, "tk_owner", &k->s32, RPC_R_OWNER);
	kernel_member(s, "tk_status", &k->s32, RPC_R_STATUS);
	kernel_member(s, "tk_timeouts", &k->u32, RPC_R_TIMEOUTS);
}

/* A call of that age in nanoseconds. */
static inline void rpc_fake_call(struct fake_kernel *k, unsigned i, uint64_t age)
{
	put64(k, RPC_CALL(i) + RPC_R_CLIENT, RPC_CLIENT);
	put64(k, RPC_CALL(i) + RPC_R_XPRT, RPC_XPRT);
	put64(k, RPC_CALL(i) + RPC_R_MSG + 8, RPC_PROC);
	put64(k, RPC_CALL(i) + RPC_R_START, IO_NOW - age);
	put64(k, RPC_CALL(i) + RPC_R_QUEUE, RPC_SLEEP);
	put64(k, RPC_CALL(i) + RPC_R_ACTION, IO_TEXT + 0x100);
	put32(k, RPC_CALL(i) + RPC_R_OWNER, 100 + i);
	put32(k, RPC_CALL(i) + RPC_R_STATUS, (uint32_t)-11);
}

/* Two calls of an NFS server, 3 and 60 s old, in a kernel with the disk of io_fake.h. */
static inline void rpc_fake_init(struct fake_kernel *k)
{
	uint64_t net = RPC_NET + RPC_N_LIST, client = RPC_CLIENT + RPC_C_LINK;
	uint64_t calls[] = { RPC_CALL(0) + RPC_R_LINK, RPC_CALL(1) + RPC_R_LINK };
	const struct type *list = NULL;

	io_fake_init(k, false);
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "list_head"))
			list = k->types[i];
	rpc_fake_types(k, list);
	kernel_symbol(k, "net_namespace_list", RPC_NETS);
	kernel_symbol(k, "sunrpc_net_id", RPC_ID);
	kernel_symbol(k, "call_status", IO_TEXT + 0x100);
	put_list(k, RPC_NETS, &net, 1);
	put64(k, RPC_NET + RPC_N_GEN, RPC_GEN);
	put32(k, RPC_ID, 3);
	put64(k, RPC_GEN + RPC_G_PTR + 3 * 8, RPC_OWN);
	put_list(k, RPC_OWN + RPC_S_CLIENTS, &client, 1);
	put_list(k, RPC_CLIENT + RPC_C_TASKS, calls, 2);
	put32(k, RPC_CLIENT + RPC_C_VERSION, 4);
	put64(k, RPC_CLIENT + RPC_C_PROGRAM, RPC_PROGRAM);
	put64(k, RPC_PROGRAM + 8, io_fake_text(k, 8, "nfs"));
	put64(k, RPC_PROC + 8, io_fake_text(k, 9, "READ"));
	put64(k, RPC_SLEEP + 8, io_fake_text(k, 10, "xprt_pending"));
	put64(k, RPC_XPRT + RPC_X_SERVER, io_fake_text(k, 11, "filer"));
	put64(k, RPC_XPRT + RPC_X_ADDRESS, io_fake_text(k, 12, "192.0.2.7"));
	rpc_fake_call(k, 0, 3000000000u);
	rpc_fake_call(k, 1, 60000000000u);
}

#endif
