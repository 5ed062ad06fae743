// SPDX-License-Identifier: GPL-3.0-or-later
// Locks and watches files in every way that a process can, starts others that wait for the locks,
// and sleeps.

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY(call)                      \
	do {                           \
		if ((call) < 0)        \
			perror(#call); \
	} while (0)

static int file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	if (fd < 0)
		perror(name);
	return fd;
}

static void range(int fd, int cmd, short type, off_t start, off_t length)
{
	struct flock l = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length
	};

	if (fcntl(fd, cmd, &l) < 0)
		perror("fcntl");
}

// One that waits for a byte of /tmp/gate/posix, and one behind it.
static void waiter_of_range(short type, off_t start, off_t length)
{
	if (fork())
		return;
	range(file("/tmp/gate/posix"), F_SETLKW, type, start, length);
	for (;;)
		pause();
}

static void waiter_of_flock(void)
{
	if (fork())
		return;
	flock(file("/tmp/gate/flock"), LOCK_SH);
	for (;;)
		pause();
}

static void locks(void)
{
	int fd = file("/tmp/gate/posix");

	range(fd, F_SETLK, F_RDLCK, 10, 10);
	range(fd, F_SETLK, F_WRLCK, 100, 0);
	range(file("/tmp/gate/ofd"), F_OFD_SETLK, F_WRLCK, 4096, 4096);
	TRY(flock(file("/tmp/gate/flock"), LOCK_EX));
	TRY(fcntl(file("/tmp/gate/lease"), F_SETLEASE, F_WRLCK));
	close(file("/tmp/gate/read"));
	TRY(fcntl(open("/tmp/gate/read", O_RDONLY), F_SETLEASE, F_RDLCK));
	waiter_of_range(F_WRLCK, 12, 2);
	usleep(300000);
	waiter_of_range(F_WRLCK, 13, 1);
	waiter_of_range(F_RDLCK, 200, 8);
	waiter_of_flock();
}

static void watches(void)
{
	int fd = inotify_init1(0);

	TRY(inotify_add_watch(fd, "/tmp/gate", IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR));
	TRY(inotify_add_watch(fd, "/tmp/gate/posix", IN_MODIFY | IN_ONESHOT | IN_EXCL_UNLINK));
	TRY(inotify_add_watch(fd, "/proc/version", IN_OPEN));
	close(file("/tmp/gate/event"));
	TRY(inotify_init1(IN_NONBLOCK));
	fd = fanotify_init(FAN_CLASS_NOTIF | FAN_UNLIMITED_MARKS, O_RDONLY);
	TRY(fd);
	TRY(fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN | FAN_CLOSE_WRITE, AT_FDCWD, "/tmp/gate/ofd"));
	TRY(fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_IGNORED_MASK | FAN_MARK_IGNORED_SURV_MODIFY,
			  FAN_OPEN, AT_FDCWD, "/tmp/gate/flock"));
	TRY(fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_MOUNT, FAN_MODIFY, AT_FDCWD, "/tmp"));
	TRY(fanotify_mark(fd, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_ACCESS, AT_FDCWD, "/dev"));
	fd = fanotify_init(FAN_CLASS_CONTENT, O_RDONLY);
	TRY(fd);
	TRY(fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN_PERM, AT_FDCWD, "/tmp/gate/lease"));
}

int main(void)
{
	int fd = file("/tmp/gate/mapped");

	signal(SIGIO, SIG_IGN);
	locks();
	watches();
	/* no descriptor of it is left */
	TRY(ftruncate(fd, 4096));
	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		perror("mmap");
	close(fd);
	TRY(chdir("/tmp/gate"));
	for (;;)
		pause();
}
