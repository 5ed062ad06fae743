// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps one of everything open that a process can have open, and sleeps.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

static void keep_files(void)
{
	int fd = open("/tmp/shed/rake", O_RDWR);
	int pair[2];

	flock(fd, LOCK_EX);
	mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	dup2(open("/tmp/shed", O_RDONLY | O_DIRECTORY), 60);
	dup2(open("/dev/null", O_WRONLY), 300);
	if (pipe(pair))
		return;
	eventfd(3, 0);
	epoll_create1(0);
	fd = open("/tmp/shed/gone", O_RDWR | O_CREAT, 0600);
	if (write(fd, "gone", 4) == 4)
		unlink("/tmp/shed/gone");
	fd = memfd_create("seeds", 0);
	if (ftruncate(fd, 8192) == 0)
		mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void keep_timer(void)
{
	struct itimerspec when = { .it_value = { .tv_sec = 2000000, .tv_nsec = 77 } };

	timerfd_settime(timerfd_create(CLOCK_MONOTONIC, 0), TFD_TIMER_ABSTIME, &when, NULL);
}

static void keep_inet(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(4711) };
	struct sockaddr_in6 at6 = { .sin6_family = AF_INET6, .sin6_port = htons(4712) };
	int s = socket(AF_INET, SOCK_STREAM, 0), c;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(s, (struct sockaddr *)&at, sizeof(at));
	listen(s, 5);
	c = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(c, (struct sockaddr *)&at, sizeof(at)) == 0)
		accept(s, NULL, NULL);
	s = socket(AF_INET6, SOCK_STREAM, 0);
	bind(s, (struct sockaddr *)&at6, sizeof(at6));
	listen(s, 5);
	s = socket(AF_INET, SOCK_DGRAM, 0);
	at.sin_port = htons(4713);
	bind(s, (struct sockaddr *)&at, sizeof(at));
}

static void keep_unix(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "/tmp/keeper.sock" };
	int s = socket(AF_UNIX, SOCK_STREAM, 0), pair[2];

	bind(s, (struct sockaddr *)&at, sizeof(at));
	listen(s, 5);
	memcpy(at.sun_path, "\0keeper", 7);
	s = socket(AF_UNIX, SOCK_DGRAM, 0);
	bind(s, (struct sockaddr *)&at, offsetof(struct sockaddr_un, sun_path) + 7);
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
	socket(AF_NETLINK, SOCK_RAW, 0);
}

static void keep_ipc(void)
{
	int id = shmget(0x1234, 12345, IPC_CREAT | 0640);
	struct {
		long type;
		char text[20];
	} message = { 1, "water the plants" };

	shmat(id, NULL, 0);
	shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	semget(0x2345, 3, IPC_CREAT | 0600);
	id = msgget(0x3456, IPC_CREAT | 0600);
	msgsnd(id, &message, sizeof(message.text), 0);
}

static void keep_bpf(void)
{
	static const struct bpf_insn program[] = {
		{ .code = 0xb7, .dst_reg = 0, .imm = 7 }, /* r0 = 7 */
		{ .code = 0x95 },                         /* exit */
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = 8;
	attr.max_entries = 4;
	strcpy(attr.map_name, "garden_map");
	syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = 2;
	attr.license = (uintptr_t) "GPL";
	strcpy(attr.prog_name, "garden_prog");
	syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

int main(void)
{
	if (chdir("/tmp/shed"))
		return 1;
	swapon("/dev/loop0", SWAP_FLAG_PREFER | 7);
	keep_files();
	keep_timer();
	keep_inet();
	keep_unix();
	keep_ipc();
	keep_bpf();
	for (;;)
		pause();
}
