/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that wait for each other in every way that needs no module; each says so before. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fuse.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARTS_MAX 64

/* One that gets something, and then waits for something. */
struct part {
	const char *name;
	int round; /* in which it waits; 0: it only sleeps */
	void (*has)(int arg);
	int has_arg;
	const char *kind, *mode;
	void (*waits)(int arg);
	int arg;
	const char *role, *by; /* as the module has them, testdata/guests/README.md */
};

/* What all of them share. */
struct shared {
	int round;
	int tid[PARTS_MAX];
	int ready[PARTS_MAX], said[PARTS_MAX];
	uint32_t pi[4];
	uint32_t word;
};
static struct shared *all;
static const struct part parts[];
static int files[PARTS_MAX];
static char *mapped;

static int tid(void)
{
	return (int)syscall(SYS_gettid);
}

static void die(const char *what)
{
	printf("programs: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Into the kernel's log, where it gets the time. */
static void say(const char *format, ...)
{
	char line[256] = "<6>jam: ";
	va_list args;
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	va_start(args, format);
	vsnprintf(line + 8, sizeof(line) - 8, format, args);
	va_end(args);
	if (fd < 0 || write(fd, line, strlen(line)) < 0)
		die("/dev/kmsg");
	close(fd);
}

static int part_of(const char *name, size_t len)
{
	for (int i = 0; parts[i].name; i++)
		if (strlen(parts[i].name) == len && !strncmp(parts[i].name, name, len))
			return i;
	printf("programs: no part %.*s\n", (int)len, name);
	exit(1);
}

/* Names become numbers. */
static const char *tids_of(const char *names, char *ret, size_t size)
{
	size_t n = 0;

	ret[0] = '\0';
	while (*names) {
		size_t len = strcspn(names, " ");

		n += (size_t)snprintf(ret + n, size - n, " %d", all->tid[part_of(names, len)]);
		names += len + (names[len] == ' ');
	}
	return ret;
}

static void say_wait(int i, unsigned long addr)
{
	const struct part *p = &parts[i];
	char by[80];

	say("%d %s wants %s 0x%lx %s %s%s", tid(), p->name, p->kind, addr, p->mode, p->role,
	    tids_of(p->by, by, sizeof(by)));
	all->said[i] = 1;
}

/* ---- ways to wait */

static void sleeps(int arg)
{
	for (;;)
		pause();
}

/* A file of its own for every one that opens it. */
static int file_open(int number)
{
	char path[32];

	snprintf(path, sizeof(path), "/tmp/file%d", number);
	return open(path, O_RDWR | O_CREAT, 0600);
}

static void has_flock(int number)
{
	if (flock(files[number] = file_open(number), LOCK_EX))
		die("flock");
}

static void wants_flock(int number)
{
	flock(file_open(number), LOCK_EX);
}

static int lock_whole(int fd, int how)
{
	struct flock l = { .l_type = F_WRLCK };

	return fcntl(fd, how, &l);
}

static void has_posix(int number)
{
	if (lock_whole(file_open(number), F_SETLK))
		die("fcntl");
}

static void wants_posix(int number)
{
	lock_whole(file_open(number), F_SETLKW);
}

static void has_ofd(int number)
{
	if (lock_whole(file_open(number), F_OFD_SETLK))
		die("F_OFD_SETLK");
}

static void wants_ofd(int number)
{
	lock_whole(file_open(number), F_OFD_SETLKW);
}

static void takes_pi(int number)
{
	if (syscall(SYS_futex, &all->pi[number], FUTEX_LOCK_PI, 0, NULL, NULL, 0))
		die("FUTEX_LOCK_PI");
}

/* The first word is its own, the second everyone's. */
static uint32_t private_word;
static void waits_futex(int shared)
{
	syscall(SYS_futex, shared ? &all->word : &private_word,
		shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

/* The child says it of its parent, which sleeps until the child ends. */
static void waits_vfork(int arg)
{
	const int me = part_of("vfork/0", 7), parent = tid();

	if (!vfork()) {
		say("%d vfork/0 wants vfork 0x0 - up-to %d", parent, tid());
		all->said[me] = 1;
		sleeps(0);
	}
}

static void waits_child(int arg)
{
	const int me = part_of("child/0", 7);
	pid_t child = fork();

	if (!child)
		sleeps(0);
	say("%d child/0 wants child 0x0 - perhaps %d", tid(), child);
	all->said[me] = 1;
	waitpid(child, NULL, 0);
}

static void waits_pipe(int arg)
{
	int ends[2];
	char c;

	if (pipe(ends) || read(ends[0], &c, 1) < 0)
		die("pipe");
}

static void waits_semop(int arg)
{
	struct sembuf down = { .sem_op = -1 };

	semop(semget(IPC_PRIVATE, 1, 0600), &down, 1);
}

/* A server of a file system that answers the first request, and no other. */
static void has_fuse(int arg)
{
	struct {
		struct fuse_out_header head;
		struct fuse_init_out init;
	} answer = { .head = { .len = sizeof(answer) } };
	char options[64], request[1 << 17];
	int fd = open("/dev/fuse", O_RDWR);

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	mkdir("/tmp/fuse", 0700);
	if (mount("fuse", "/tmp/fuse", "fuse", 0, options) ||
	    read(fd, request, sizeof(request)) < 0)
		die("fuse");
	answer.head.unique = ((struct fuse_in_header *)request)->unique;
	answer.init.major = FUSE_KERNEL_VERSION;
	answer.init.minor = FUSE_KERNEL_MINOR_VERSION;
	answer.init.max_write = 4096;
	if (write(fd, &answer, sizeof(answer)) < 0)
		die("FUSE_INIT");
}

static void waits_fuse(int arg)
{
	struct stat st;

	stat("/tmp/fuse/nothing", &st);
}

static void makes_in_fuse(int arg)
{
	mkdir("/tmp/fuse/else", 0700);
}

static void makes_folder(int arg)
{
	mkdir("/mnt/folder", 0700);
}

static void faults(int arg)
{
	*(volatile char *)mapped = 1;
}

static void unmaps(int arg)
{
	munmap(mapped, 4096);
}

static void maps(int arg)
{
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* A page of a file is mapped and there, but clean: the first store to it is a fault. */
static void has_page(int arg)
{
	int fd = open("/mnt/page", O_RDWR | O_CREAT, 0600);

	/* nothing but that store shall fault: a thread that does waits before it has said so */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall");
	if (fd < 0 || ftruncate(fd, 4096))
		die("/mnt/page");
	mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED || *(volatile char *)mapped)
		die("mmap");
	fsync(fd);
}

#define THREAD 1000 /* added to a round: it is a thread of the part before */

static const struct part parts[] = {
	/* two that have each other's file */
	{ "flock/0", 1, has_flock, 0, "flock", "-", wants_flock, 1, "held-by", "flock/1" },
	{ "flock/1", 1, has_flock, 1, "flock", "-", wants_flock, 0, "held-by", "flock/0" },
	{ "ofd/0", 1, has_ofd, 2, "posix_lock", "-", wants_ofd, 3, "held-by", "ofd/1" },
	{ "ofd/1", 1, has_ofd, 3, "posix_lock", "-", wants_ofd, 2, "held-by", "ofd/0" },
	/* two behind one */
	{ "posix/0", 0, has_posix, 4, NULL, NULL, sleeps, 0, NULL, "" },
	{ "posix/1", 1, NULL, 0, "posix_lock", "-", wants_posix, 4, "held-by", "posix/0" },
	{ "posix/2", 2, NULL, 0, "posix_lock", "-", wants_posix, 4, "held-by", "posix/0" },
	{ "pi/0", 0, takes_pi, 0, NULL, NULL, sleeps, 0, NULL, "" },
	{ "pi/1", 1, takes_pi, 1, "futex_pi", "-", takes_pi, 0, "held-by", "pi/0" },
	{ "pi/2", 2, NULL, 0, "futex_pi", "-", takes_pi, 1, "held-by", "pi/1" },
	{ "futex/0", 1, NULL, 0, "futex", "-", waits_futex, 0, "nobody", "" },
	{ "futex/1", 1, NULL, 0, "futex", "shared", waits_futex, 1, "nobody", "" },
	{ "vfork/0", 1, NULL, 0, NULL, NULL, waits_vfork, 0, NULL, "" },
	{ "child/0", 1, NULL, 0, NULL, NULL, waits_child, 0, NULL, "" },
	{ "pipe/0", 1, NULL, 0, "pipe", "-", waits_pipe, 0, "nobody", "" },
	{ "semop/0", 1, NULL, 0, "semop", "-", waits_semop, 0, "unsure", "" },
	{ "fuse/0", 0, has_fuse, 0, NULL, NULL, sleeps, 0, NULL, "" },
	{ "fuse/1", 1, NULL, 0, "fuse", "-", waits_fuse, 0, "perhaps", "fuse/0" },
	/* looking a name up reads the folder */
	{ "fuse/2", 2, NULL, 0, "rwsem", "write", makes_in_fuse, 0, "read-by", "fuse/1" },
	/* a frozen file system, one that makes a folder there, and three threads of a process */
	{ "freeze/0", 1, NULL, 0, "freeze", "-", makes_folder, 0, "nobody", "" },
	{ "mm/0", 1, has_page, 0, "fault", "-", faults, 0, "nobody", "" },
	{ "mm/1", 2 + THREAD, NULL, 0, "unmap", "-", unmaps, 0, "perhaps", "mm/0" },
	{ "mm/2", 3 + THREAD, NULL, 0, "map", "-", maps, 0, "perhaps", "mm/0 mm/1" },
	{ NULL }
};
#define LAST_ROUND 3

static const char *const cycles[] = { "flock/0 flock/1", "ofd/0 ofd/1" };

/* ---- the play */

static void *plays(void *arg)
{
	const int i = (int)(intptr_t)arg;
	const struct part *p = &parts[i];
	unsigned long addr = 0;

	prctl(PR_SET_NAME, p->name);
	all->tid[i] = tid();
	if (p->has)
		p->has(p->has_arg);
	if (p[1].name && p[1].round > THREAD) {
		pthread_attr_t attr;
		pthread_t thread;

		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, 1 << 17);
		if (pthread_create(&thread, &attr, plays, (void *)(intptr_t)(i + 1)))
			die("pthread_create");
	}
	__atomic_store_n(&all->ready[i], 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&all->round, __ATOMIC_SEQ_CST) < p->round % THREAD)
		usleep(20000);
	if (p->waits == waits_futex && !p->arg)
		addr = (unsigned long)&private_word;
	if (p->kind)
		say_wait(i, addr);
	p->waits(p->arg);
	if (p->round)
		say("%s lives on", p->name);
	exit(0);
}

/* "S" or "D", when it sleeps. */
static char state_of(int task)
{
	char path[32], text[256] = "", *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", task);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		die(path);
	close(fd);
	end = strrchr(text, ')');
	return end ? end[2] : '?';
}

static void round_wait(int round)
{
	for (int i = 0; parts[i].name; i++)
		while (parts[i].round % THREAD == round &&
		       (!__atomic_load_n(&all->said[i], __ATOMIC_SEQ_CST) ||
			!strchr("SD", state_of(all->tid[i]))))
			usleep(20000);
	usleep(200000);
}

static void standstill(void)
{
	char tids[80];
	int fd;

	for (int i = 0; parts[i].name; i++) {
		if (parts[i].round < THREAD && !fork())
			plays((void *)(intptr_t)i);
		while (!__atomic_load_n(&all->ready[i], __ATOMIC_SEQ_CST))
			usleep(10000);
	}
	fd = open("/mnt", O_RDONLY);
	if (fd < 0 || ioctl(fd, FIFREEZE, 0))
		die("FIFREEZE");
	for (int i = 1; i <= LAST_ROUND; i++) {
		__atomic_store_n(&all->round, i, __ATOMIC_SEQ_CST);
		round_wait(i);
	}
	for (size_t i = 0; i < sizeof(cycles) / sizeof(*cycles); i++)
		say("cycle%s", tids_of(cycles[i], tids, sizeof(tids)));
	say("all wait");
}

int main(int argc, char **argv)
{
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		die("mmap");
	(void)argc, (void)argv;
	standstill();
	return 0;
}
