/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that wait for each other all the time, each for a short while, and never for ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#define RING 6

/* A family: so many processes that play the same. */
struct family {
	const char *name;
	int n;
	void (*play)(int number);
};

struct shared {
	pthread_mutex_t plain, heir;
	pthread_rwlock_t rwlock;
};
static struct shared *all;
static int pipes[RING][2], semaphores;

static void die(const char *what)
{
	printf("busy: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void rest(void)
{
	usleep(5000 + (unsigned)rand() % 15000);
}

static void play_futex(int number)
{
	pthread_mutex_lock(&all->plain);
	rest();
	pthread_mutex_unlock(&all->plain);
}

static void play_pi(int number)
{
	pthread_mutex_lock(&all->heir);
	rest();
	pthread_mutex_unlock(&all->heir);
}

static void play_rwlock(int number)
{
	if (rand() % 4)
		pthread_rwlock_rdlock(&all->rwlock);
	else
		pthread_rwlock_wrlock(&all->rwlock);
	rest();
	pthread_rwlock_unlock(&all->rwlock);
}

/* A byte goes round. */
static void play_pipe(int number)
{
	char c;

	if (read(pipes[number][0], &c, 1) != 1)
		die("read");
	rest();
	if (write(pipes[(number + 1) % RING][1], &c, 1) != 1)
		die("write");
}

/* Of the process itself, or all would have the same lock. */
static int own_file(const char *path)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(path, O_RDWR | O_CREAT, 0600);
	return fd;
}

static void play_flock(int number)
{
	int fd = own_file("/tmp/flock");

	flock(fd, rand() % 3 ? LOCK_EX : LOCK_SH);
	rest();
	flock(fd, LOCK_UN);
}

static void lock_part(int fd, int how, short type, off_t start)
{
	struct flock l = { .l_type = type, .l_start = start, .l_len = 10 };

	fcntl(fd, how, &l);
}

/* Two parts of a file, always in the same order. */
static void play_posix(int number)
{
	int fd = own_file("/tmp/posix");

	lock_part(fd, F_SETLKW, F_WRLCK, 0);
	rest();
	lock_part(fd, F_SETLKW, F_WRLCK, 100);
	rest();
	lock_part(fd, F_SETLK, F_UNLCK, 100);
	lock_part(fd, F_SETLK, F_UNLCK, 0);
}

static void play_ofd(int number)
{
	int fd = own_file("/tmp/ofd");

	lock_part(fd, F_OFD_SETLKW, F_WRLCK, 0);
	rest();
	lock_part(fd, F_OFD_SETLK, F_UNLCK, 0);
}

/* The same folder, journal and disk. */
static void play_disk(int number)
{
	char from[32], to[32];
	int fd;

	snprintf(from, sizeof(from), "/mnt/from%d", number);
	snprintf(to, sizeof(to), "/mnt/to%d", number % 2);
	fd = open(from, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, all, sizeof(*all)) < 0 || fsync(fd))
		die(from);
	close(fd);
	rename(from, to);
	unlink(to);
	rest();
}

/* Freezes what the others write to. */
static void play_freeze(int number)
{
	int fd = open("/mnt", O_RDONLY);

	if (!ioctl(fd, FIFREEZE, 0)) {
		rest();
		ioctl(fd, FITHAW, 0);
	}
	close(fd);
	usleep(100000);
}

static void *play_pages(void *arg)
{
	for (;;) {
		char *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);

		if (p != MAP_FAILED) {
			memset(p, 1, 1 << 16);
			munmap(p, 1 << 16);
		}
		rest();
	}
	return arg;
}

static void play_mm(int number)
{
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, play_pages, NULL))
			die("pthread_create");
	play_pages(NULL);
}

static void play_fork(int number)
{
	pid_t child = number % 2 ? fork() : vfork();

	if (!child) {
		usleep(20000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void play_semop(int number)
{
	struct sembuf op = { .sem_op = -1 };

	semop(semaphores, &op, 1);
	rest();
	op.sem_op = 1;
	semop(semaphores, &op, 1);
}

static const struct family families[] = {
	{ "futex", 8, play_futex },  { "pi", 6, play_pi },       { "rwlock", 5, play_rwlock },
	{ "pipe", RING, play_pipe }, { "flock", 5, play_flock }, { "posix", 5, play_posix },
	{ "ofd", 4, play_ofd },      { "disk", 6, play_disk },   { "freeze", 1, play_freeze },
	{ "mm", 2, play_mm },        { "fork", 4, play_fork },   { "semop", 3, play_semop },
};

static void shared_init(void)
{
	struct sembuf up = { .sem_op = 1 };
	pthread_mutexattr_t mutex;
	pthread_rwlockattr_t rwlock;

	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	if (all == MAP_FAILED || semop(semaphores, &up, 1))
		die("mmap or semop");
	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&all->plain, &mutex);
	pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&all->heir, &mutex);
	pthread_rwlockattr_init(&rwlock);
	pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&all->rwlock, &rwlock);
	for (int i = 0; i < RING; i++)
		if (pipe(pipes[i]))
			die("pipe");
	/* two bytes, so that most of them wait, and not all */
	if (write(pipes[0][1], "ab", 2) != 2)
		die("pipe");
}

static void family_member(const struct family *f, int number)
{
	char name[16];

	snprintf(name, sizeof(name), "%s/%d", f->name, number);
	prctl(PR_SET_NAME, name);
	srand((unsigned)getpid());
	for (;;)
		f->play(number);
}

int main(void)
{
	FILE *log = fopen("/dev/kmsg", "w");

	if (!log)
		die("/dev/kmsg");
	shared_init();
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		for (int k = 0; k < families[i].n; k++) {
			pid_t child = fork();

			if (!child)
				family_member(&families[i], k);
			fprintf(log, "<6>jam: %d %s/%d plays\n", child, families[i].name, k);
			fflush(log);
		}
	return 0;
}
