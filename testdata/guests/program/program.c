// SPDX-License-Identifier: GPL-3.0-or-later
// A program of known threads, stacks, registers, memory and signals, which says all of them and
// stays as it is.

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

#define KIB 1024ul
#define MIB (1024 * KIB)

/* How a thread stays. */
enum stay {
	STAY_ASLEEP,     /* in a system call */
	STAY_IN_HANDLER, /* in a system call of a signal handler that interrupted another one */
	STAY_BUSY        /* in the program, for ever */
};
struct life {
	const char *who;
	enum stay stay;
	uint64_t number; /* what it has in a floating point register while it stays */
};

static const char *program;
static pthread_barrier_t begun;
static volatile int ended; /* never */

/* Where the caller will go on, and its stack pointer before it called. */
#define SAY_FRAME(who, function)                                             \
	do {                                                                 \
		printf("frame %s %s %s %#lx %#lx\n", program, who, function, \
		       (unsigned long)__builtin_return_address(0),           \
		       (unsigned long)__builtin_dwarf_cfa());                \
		fflush(stdout);                                              \
	} while (0)

/* Puts a number into a register that system calls and their wrappers leave alone. */
static inline __attribute__((always_inline)) void keep_number(uint64_t number)
{
#if defined(__x86_64__)
	__asm__ volatile("movq %0, %%xmm15" : : "r"(number) : "xmm15");
#elif defined(__aarch64__)
	__asm__ volatile("fmov d8, %0" : : "r"(number));
#elif defined(__riscv)
	__asm__ volatile("fmv.d.x fs11, %0" : : "r"(number));
#else
	__asm__ volatile("vmov d8, %0, %1"
			 :
			 : "r"((uint32_t)number), "r"((uint32_t)(number >> 32)));
#endif
}

static __attribute__((noinline)) int leaf(const struct life *life)
{
	SAY_FRAME(life->who, "leaf");
	pthread_barrier_wait(&begun);
	keep_number(life->number);
	while (!ended)
		if (life->stay != STAY_BUSY)
			pause();
	return 1;
}

/* Nothing follows the call of this one: the return address is behind the end of its caller. */
static __attribute__((noinline, noreturn)) void last_leaf(const struct life *life)
{
	SAY_FRAME(life->who, "last_leaf");
	pthread_barrier_wait(&begun);
	keep_number(life->number);
	for (;;)
		pause();
}

static __attribute__((noinline, noreturn)) void last_branch(const struct life *life)
{
	SAY_FRAME(life->who, "last_branch");
	last_leaf(life);
}

/* A frame of a size that is not known when it is compiled. */
static __attribute__((noinline)) int branch(const struct life *life, unsigned n)
{
	volatile char room[n];

	memset((void *)room, 'b', n);
	SAY_FRAME(life->who, "branch");
	return leaf(life) + room[n - 1];
}

static __attribute__((noinline)) int trunk(const struct life *life, unsigned depth)
{
	int more;

	SAY_FRAME(life->who, "trunk");
	more = depth ? trunk(life, depth - 1) : branch(life, 100 + (unsigned)strlen(life->who));
	return more + (int)depth;
}

static const struct life in_handler = { "handler", STAY_ASLEEP, 0x4048000000000000 };

static void on_signal(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)info;
	(void)context;
	last_branch(&in_handler);
}

static void *live(void *arg)
{
	const struct life *life = arg;

	pthread_setname_np(pthread_self(), life->who);
	printf("thread %s %s %ld %#llx\n", program, life->who, (long)syscall(SYS_gettid),
	       (unsigned long long)life->number);
	fflush(stdout);
	if (life->stay == STAY_IN_HANDLER)
		raise(SIGUSR2);
	trunk(life, 2);
	return NULL;
}

/* ---- memory */

/* Each word has its own address in it, the other way round. */
static void fill(char *at, size_t n)
{
	for (size_t i = 0; i < n; i += sizeof(unsigned long))
		*(unsigned long *)(at + i) = ~(unsigned long)(at + i);
}

static char *region(const char *kind, size_t n, int prot, int flags)
{
	/* room around it keeps each in an area of its own */
	char *all = mmap(NULL, n + 2 * MIB + 128 * KIB, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *at = (char *)(((uintptr_t)all + 64 * KIB + 2 * MIB - 1) & ~(2 * MIB - 1));

	at = mmap(at, n, prot, flags | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	printf("region %s %s %#lx %#lx\n", program, kind, (unsigned long)at, (unsigned long)n);
	return at;
}

static void make_memory(void)
{
	const int rw = PROT_READ | PROT_WRITE;
	char *at = region("written", 64 * KIB, rw, MAP_PRIVATE);

	fill(at, 64 * KIB);
	region("untouched", 64 * KIB, rw, MAP_PRIVATE);
	at = region("barred", 16 * KIB, rw, MAP_PRIVATE);
	fill(at, 16 * KIB);
	mprotect(at, 16 * KIB, PROT_NONE);
	at = region("swapped", 256 * KIB, rw, MAP_PRIVATE);
	fill(at, 256 * KIB);
	madvise(at, 256 * KIB, MADV_PAGEOUT);
	at = region("huge", 2 * MIB, rw, MAP_PRIVATE);
	madvise(at, 2 * MIB, MADV_HUGEPAGE);
	fill(at, 2 * MIB);
	at = region("huge-barred", 2 * MIB, rw, MAP_PRIVATE);
	madvise(at, 2 * MIB, MADV_HUGEPAGE);
	fill(at, 2 * MIB);
	mprotect(at, 2 * MIB, PROT_NONE);
	at = region("shared", 16 * KIB, rw, MAP_SHARED);
	fill(at, 16 * KIB);
	at = region("read", 16 * KIB, rw, MAP_PRIVATE);
	if (((volatile char *)at)[0]) /* maps the page of zeros */
		abort();
}

/* ---- signals */

static void make_signals(void)
{
	struct sigaction handled = { .sa_sigaction = on_signal,
				     .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER };
	sigset_t blocked;

	sigaddset(&handled.sa_mask, SIGTERM);
	sigaddset(&handled.sa_mask, SIGRTMIN + 5);
	sigaction(SIGUSR2, &handled, NULL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, SIGALRM);
	sigaddset(&blocked, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	kill(getpid(), SIGUSR1);
	sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = 77 });
	sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = 78 });
}

static struct life lives[] = {
	{ "sleeper", STAY_ASLEEP, 0x4045000000000000 },     /* 42.0 */
	{ "handled", STAY_IN_HANDLER, 0x4046000000000000 }, /* 44.0, never reached */
	{ "busy", STAY_BUSY, 0x4047000000000000 },          /* 46.0 */
};
static const struct life main_life = { "main", STAY_ASLEEP, 0x4044000000000000 }; /* 40.0 */

int main(int argc, char **argv)
{
	unsigned n = sizeof(lives) / sizeof(*lives);

	program = argc > 1 ? argv[1] : "program";
	make_memory();
	make_signals();
	printf("thread %s main %d %#llx\n", program, getpid(),
	       (unsigned long long)main_life.number);
	pthread_barrier_init(&begun, NULL, n + 1);
	for (unsigned i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, live, &lives[i]))
			return 1;
		if (i == 0)
			pthread_kill(thread, SIGALRM);
	}
	return trunk(&main_life, 1);
}
