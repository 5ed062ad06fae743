/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of signals: sets, queues and handlers as the kernel's structs have them. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/program/signal.h"

#define TASK (KERNEL_BASE + 0x1000)
#define SIGNAL (KERNEL_BASE + 0x2000)
#define SIGHAND (KERNEL_BASE + 0x3000)
#define QUEUE(n) (KERNEL_BASE + 0x5000 + (n)*0x100)
#define LINK 16 /* offset of the list in this struct sigqueue */
#define INFO 32

static struct fake_kernel k;
static struct err err;
static const struct task task = { .addr = TASK, .pid = 7, .comm = "victim" };

/* 64-bit: a sigset_t is one word, _sifields begins at 16 (asm-generic/siginfo.h). */
static void types(void)
{
	const struct type *list, *set, *pending;
	struct type *s, *fields, *kill, *child, *fault, *inner;

	list = kernel_list_type(&k);
	s = kernel_struct(&k, "sigset", 8);
	kernel_member(s, "sig", kernel_array(&k, &k.u64, 1), 0);
	set = s;
	s = kernel_struct(&k, "sigpending", 24);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "signal", set, 16);
	pending = s;
	s = kernel_struct(&k, "task_struct", 128);
	kernel_member(s, "pending", pending, 8);
	kernel_member(s, "blocked", set, 32);
	kernel_member(s, "real_blocked", set, 40);
	kernel_member(s, "saved_sigmask", set, 48);
	kernel_member(s, "signal", &k.ptr, 56);
	kernel_member(s, "sighand", &k.ptr, 64);
	kernel_member(s, "last_siginfo", &k.ptr, 72);
	s = kernel_struct(&k, "signal_struct", 64);
	kernel_member(s, "nr_threads", &k.s32, 0);
	kernel_member(s, "shared_pending", pending, 8);
	kill = kernel_struct(&k, "kill_info", 8);
	kernel_member(kill, "_pid", &k.s32, 0);
	kernel_member(kill, "_uid", &k.u32, 4);
	child = kernel_struct(&k, "child_info", 12);
	kernel_member(child, "_pid", &k.s32, 0);
	kernel_member(child, "_uid", &k.u32, 4);
	kernel_member(child, "_status", &k.s32, 8);
	fault = kernel_struct(&k, "fault_info", 8);
	kernel_member(fault, "_addr", &k.ptr, 0);
	fields = kernel_struct(&k, "sifields", 32);
	kernel_member(fields, "_kill", kill, 0);
	kernel_member(fields, "_sigchld", child, 0);
	kernel_member(fields, "_sigfault", fault, 0);
	inner = kernel_struct(&k, "kernel_siginfo", 48);
	kernel_member(inner, "si_signo", &k.s32, 0);
	kernel_member(inner, "si_errno", &k.s32, 4);
	kernel_member(inner, "si_code", &k.s32, 8);
	kernel_member(inner, "_sifields", fields, 16);
	s = kernel_struct(&k, "sigqueue", 80);
	kernel_member(s, "list", list, LINK);
	kernel_member(s, "info", inner, INFO);
	inner = kernel_struct(&k, "sigaction", 32);
	kernel_member(inner, "sa_handler", &k.ptr, 0);
	kernel_member(inner, "sa_flags", &k.u64, 8);
	kernel_member(inner, "sa_mask", set, 24);
	s = kernel_struct(&k, "k_sigaction", 32);
	kernel_member(s, "sa", inner, 0);
	inner = s;
	s = kernel_struct(&k, "sighand_struct", 16 + 64 * 32);
	kernel_member(s, "action", kernel_array(&k, inner, 64), 16);
}

static void start(void)
{
	kernel_init(&k);
	types();
	put64(&k, TASK + 56, SIGNAL);
	put64(&k, TASK + 64, SIGHAND);
	put32(&k, SIGNAL, 3);
	put_list(&k, TASK + 8, NULL, 0);
	put_list(&k, SIGNAL + 8, NULL, 0);
}

static void put_info(uint64_t queue, int signo, int code, uint32_t a, uint32_t b, uint32_t c)
{
	put32(&k, queue + INFO, (uint32_t)signo);
	put32(&k, queue + INFO + 8, (uint32_t)code);
	put32(&k, queue + INFO + 16, a);
	put32(&k, queue + INFO + 20, b);
	put32(&k, queue + INFO + 24, c);
}

struct heard {
	struct signal_info i[8];
	size_t n;
};

static bool hear(const struct signal_info *i, void *arg)
{
	struct heard *h = arg;

	if (h->n < ARRAY_SIZE(h->i))
		h->i[h->n++] = *i;
	return true;
}

TEST(sets_of_a_task_and_its_process)
{
	struct task_signals s;

	start();
	put64(&k, TASK + 8 + 16, 1u << 14);
	put64(&k, TASK + 32, 2);
	put64(&k, TASK + 40, 4);
	put64(&k, TASK + 48, 8);
	put64(&k, SIGNAL + 8 + 16, 1u << 8);
	REQUIRE_OK(task_signals(&k.t, &task, &s, &err), err);
	CHECK_U64(s.pending, 1u << 14);
	CHECK_U64(s.shared, 1u << 8);
	CHECK_U64(s.blocked, 2);
	CHECK_U64(s.real_blocked, 4);
	CHECK_U64(s.saved, 8);
	CHECK_U64(s.threads, 3);
	CHECK_U64(s.sighand, SIGHAND);
	kernel_release(&k);
}

/* release_task() takes both away: what is left of the task has no process and no handlers. */
TEST(a_dead_task)
{
	struct signal_action a[SIGNALS_MAX];
	struct heard h = { .n = 0 };
	struct task_signals s;

	start();
	put64(&k, TASK + 56, 0);
	put64(&k, TASK + 64, 0);
	REQUIRE_OK(task_signals(&k.t, &task, &s, &err), err);
	CHECK(!s.signal && !s.sighand && !s.shared);
	CHECK_OK(signals_queued(&k.t, &task, &s, true, hear, &h, &err), err);
	CHECK_U64(h.n, 0);
	CHECK(!signal_actions(&k.t, &s, a, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
}

/* The union behind the code is read as that code says: kill(2), a child, a fault, the kernel. */
TEST(what_is_queued)
{
	const uint64_t own[] = { QUEUE(0) + LINK, QUEUE(1) + LINK },
		       shared[] = { QUEUE(2) + LINK, QUEUE(3) + LINK };
	struct heard h = { .n = 0 };
	struct task_signals s;

	start();
	put_list(&k, TASK + 8, own, 2);
	put_list(&k, SIGNAL + 8, shared, 2);
	put_info(QUEUE(0), 15, 0, 42, 1000, 0);
	put_info(QUEUE(1), 11, 1, 0xdead0000, 0x7f, 0);
	put_info(QUEUE(2), 17, 2, 43, 1001, 9);
	put_info(QUEUE(3), 9, 0x80, 44, 1002, 0);
	REQUIRE_OK(task_signals(&k.t, &task, &s, &err), err);
	CHECK_OK(signals_queued(&k.t, &task, &s, false, hear, &h, &err), err);
	REQUIRE(h.n == 2);
	CHECK(h.i[0].signo == 15 && h.i[0].has_sender && h.i[0].pid == 42 && !h.i[0].has_fault);
	CHECK_U64(h.i[0].uid, 1000);
	CHECK_U64(h.i[0].addr, QUEUE(0));
	CHECK(h.i[1].has_fault && !h.i[1].has_sender);
	CHECK_U64(h.i[1].fault, UINT64_C(0x7fdead0000));
	h.n = 0;
	CHECK_OK(signals_queued(&k.t, &task, &s, true, hear, &h, &err), err);
	REQUIRE(h.n == 2);
	CHECK(h.i[0].has_status && h.i[0].status == 9 && h.i[0].pid == 43);
	CHECK(!h.i[1].has_sender && !h.i[1].has_status && !h.i[1].has_fault);
	kernel_release(&k);
}

/* A queue that comes back to its middle ends with what was read, and the reason. */
TEST(a_queue_that_loops)
{
	const uint64_t own[] = { QUEUE(0) + LINK, QUEUE(1) + LINK };
	struct heard h = { .n = 0 };
	struct task_signals s;

	start();
	put_list(&k, TASK + 8, own, 2);
	put64(&k, QUEUE(1) + LINK, QUEUE(0) + LINK);
	REQUIRE_OK(task_signals(&k.t, &task, &s, &err), err);
	CHECK(!signals_queued(&k.t, &task, &s, false, hear, &h, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* An entry is in a page that the dump lacks. */
TEST(a_queue_that_is_absent)
{
	const uint64_t own[] = { QUEUE(0) + LINK };
	struct heard h = { .n = 0 };
	struct task_signals s;

	start();
	put_list(&k, TASK + 8, own, 1);
	k.holes = UINT64_C(1) << 5;
	REQUIRE_OK(task_signals(&k.t, &task, &s, &err), err);
	CHECK(!signals_queued(&k.t, &task, &s, false, hear, &h, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	kernel_release(&k);
}

TEST(who_handles_what)
{
	struct signal_action a[SIGNALS_MAX];
	struct task_signals s;

	start();
	put64(&k, SIGHAND + 16 + 1 * 32, 1);
	put64(&k, SIGHAND + 16 + 63 * 32, 0x401000);
	put64(&k, SIGHAND + 16 + 63 * 32 + 8, 0x14000004);
	put64(&k, SIGHAND + 16 + 63 * 32 + 24, 0x100);
	REQUIRE_OK(task_signals(&k.t, &task, &s, &err), err);
	REQUIRE_OK(signal_actions(&k.t, &s, a, &err), err);
	CHECK_U64(a[0].handler, SIGNAL_DEFAULT);
	CHECK_U64(a[1].handler, SIGNAL_IGNORED);
	CHECK_U64(a[63].handler, 0x401000);
	CHECK_U64(a[63].mask, 0x100);
	CHECK_STR(signal_flags_text(k.t.scratch, a[63].flags), "SA_SIGINFO SA_RESTORER SA_RESTART");
	kernel_release(&k);
}

/* kill -l; SIGKILL is bit 8 of a mask as /proc/PID/status prints it. */
TEST(names)
{
	struct arena a = { 0 };

	CHECK_STR(signal_name(&a, 1), "SIGHUP");
	CHECK_STR(signal_name(&a, 31), "SIGSYS");
	CHECK_STR(signal_name(&a, 34), "SIG34");
	CHECK_STR(signal_set_text(&a, 0), "");
	CHECK_STR(signal_set_text(&a, 0x4100), "SIGKILL SIGTERM");
	CHECK_STR(signal_set_text(&a, UINT64_C(1) << 63), "SIG64");
	CHECK_STR(signal_set_text(&a, ~UINT64_C(0x40100)), "all but SIGKILL SIGSTOP");
	CHECK_STR(signal_set_text(&a, UINT64_MAX), "all");
	CHECK_STR(signal_code_name(11, 2), "SEGV_ACCERR");
	CHECK_STR(signal_code_name(17, 2), "CLD_KILLED");
	CHECK_STR(signal_code_name(11, 0), "SI_USER");
	CHECK(!signal_code_name(11, 77));
	arena_release(&a);
}

TEST_MAIN
