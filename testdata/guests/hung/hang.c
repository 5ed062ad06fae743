// SPDX-License-Identifier: GPL-3.0-or-later
// Starts input and output that never ends. Each process says what it begins before it does, in a
// line: NAME PID DEVICE OPERATION SECTOR BYTES NANOSECONDS, the last by CLOCK_MONOTONIC, - for what
// is not known.
//
// hang prepare   makes what stands on vdd while that answers: dm-0, linear; dm-1, suspended; md0,
//                of which dm-2 and dm-3 are the halves
// hang extents   "OFFSET SECTOR", where what is read of the file behind the loop device lies on vdc
// hang           waits until the disks stop, then begins everything
// hang now       the time
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/major.h>
#include <linux/raid/md_p.h>
#include <linux/raid/md_u.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define SECTOR 512
#define LINEAR_START 4096 // where on vdd each mapping begins, in sectors
#define FIRST_START 40960
#define SECOND_START 53248
#define SUSPENDED_START 65536
#define MAPPED 32768  // of how many sectors it is,
#define MIRRORED 8192 // and each mirror
#define BACKING "/mnt/backing"
#define EXTENT_AT (2 << 20) // in that file

enum how {
	DIRECT,     // past the page cache
	CACHED,     // one page through the page cache
	FSYNC,      // written through the page cache, then fsync()
	DIRTY,      // written to the page cache, and that is all: it does not hang
	FILE_FSYNC, // to a new file of the file system, then fsync()
	STAT,       // an inode that is not in memory
	SYNC,       // sync()
	EXTENT,     // of the file, past the page cache
	RESCAN,     // reads the table of partitions, and keeps others from opening the disk
	OPEN        // the disk, which somebody does that to
};

static const struct job {
	const char *name, *device, *path; // path NULL: /dev/DEVICE
	enum how how;
	char op; // 'R' or 'W'
	unsigned sector, bytes;
} jobs[] = {
	{ "page", "vda", NULL, CACHED, 'R', 2048, 4096 },
	{ "page-too", "vda", NULL, CACHED, 'R', 2048, 4096 },
	{ "write", "vda", NULL, DIRECT, 'W', 4096, 8192 },
	{ "fsync", "vda", NULL, FSYNC, 'W', 6144, 4096 },
	{ "scsi-read", "sda", NULL, DIRECT, 'R', 256, 4096 },
	{ "scsi-write", "sda", NULL, DIRECT, 'W', 1024, 512 },
	{ "nvme-read", "nvme0n1", NULL, DIRECT, 'R', 512, 8192 },
	{ "nvme-write", "nvme0n1", NULL, DIRECT, 'W', 8192, 4096 },
	{ "rescan", "nvme0n1", NULL, RESCAN, 'R', 0, 4096 },
	{ "open", "nvme0n1", NULL, OPEN, 'R', 0, 0 },
	{ "linear", "dm-0", NULL, DIRECT, 'R', 8, 4096 },
	{ "linear-page", "dm-0", NULL, CACHED, 'R', 16384, 4096 },
	{ "deferred", "dm-1", NULL, DIRECT, 'W', 16, 4096 },
	{ "deferred-page", "dm-1", NULL, CACHED, 'R', 1024, 4096 },
	{ "mirror-read", "md0", NULL, DIRECT, 'R', 128, 4096 },
	{ "mirror-write", "md0", NULL, DIRECT, 'W', 4096, 4096 },
	{ "dirty", "vdd", NULL, DIRTY, 'W', 0, 262144 },
	{ "large", "vdd", NULL, DIRECT, 'R', 98304, 2 << 20 },
	{ "extent", "vdc", BACKING, EXTENT, 'R', EXTENT_AT / SECTOR, 8192 },
	{ "stat", "vdc", "/mnt/tree/d29/f7", STAT, 'R', 0, 0 },
	{ "loop", "loop0", NULL, DIRECT, 'R', 1024, 4096 },
	{ "file", "vdc", "/mnt/new", FILE_FSYNC, 'W', 0, 4096 },
	{ "sync", "vdc", NULL, SYNC, 'W', 0, 0 },
	{ "queue-0", "vdb", NULL, DIRECT, 'R', 0, 4096 },
	{ "queue-1", "vdb", NULL, DIRECT, 'R', 4096, 4096 },
	{ "queue-2", "vdb", NULL, DIRECT, 'W', 8192, 4096 },
	{ "queue-3", "vdb", NULL, DIRECT, 'R', 12288, 4096 },
	{ "queue-4", "vdb", NULL, DIRECT, 'R', 16384, 4096 },
	{ "queue-5", "vdb", NULL, DIRECT, 'R', 20480, 4096 },
	{ "queue-6", "vdb", NULL, DIRECT, 'W', 24576, 4096 },
	{ "queue-7", "vdb", NULL, DIRECT, 'R', 28672, 4096 },
	{ "queue-8", "vdb", NULL, DIRECT, 'R', 32768, 4096 },
	{ "queue-9", "vdb", NULL, DIRECT, 'W', 36864, 4096 },
	{ "queue-10", "vdb", NULL, DIRECT, 'R', 40960, 4096 },
	{ "queue-11", "vdb", NULL, DIRECT, 'R', 45056, 4096 },
};

static void say(const char *format, ...)
{
	char line[256];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n > 0 && write(1, line, (size_t)n) != n)
		_exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int failed(const char *what)
{
	say("obit:failed %s: %s\n", what, strerror(errno));
	return 1;
}

// ---- mappings

static struct dm_ioctl *dm_request(void *room, size_t size, const char *name)
{
	struct dm_ioctl *dm = memset(room, 0, size);

	dm->version[0] = DM_VERSION_MAJOR;
	dm->data_size = (uint32_t)size;
	dm->data_start = sizeof(*dm);
	snprintf(dm->name, sizeof(dm->name), "%s", name);
	return dm;
}

static int dm_make(int control, const char *name, unsigned start, unsigned sectors)
{
	union {
		struct dm_ioctl dm;
		char room[sizeof(struct dm_ioctl) + sizeof(struct dm_target_spec) + 64];
	} u;
	struct dm_target_spec *spec = (void *)(u.room + sizeof(struct dm_ioctl));
	struct dm_ioctl *dm = dm_request(&u, sizeof(u), name);

	if (ioctl(control, DM_DEV_CREATE, dm))
		return failed("DM_DEV_CREATE");
	dm = dm_request(&u, sizeof(u), name);
	dm->target_count = 1;
	spec->length = sectors;
	strcpy(spec->target_type, "linear");
	snprintf((char *)(spec + 1), 64, "/dev/vdd %u", start);
	if (ioctl(control, DM_TABLE_LOAD, dm))
		return failed("DM_TABLE_LOAD");
	dm = dm_request(&u, sizeof(u), name);
	return ioctl(control, DM_DEV_SUSPEND, dm) ? failed("resume") : 0;
}

// A mirror without a super block, whose halves are taken to be alike.
static int md_make(void)
{
	mdu_array_info_t array = { .major_version = 0,
				   .minor_version = 90,
				   .level = 1,
				   .size = MIRRORED / 2,
				   .nr_disks = 2,
				   .raid_disks = 2,
				   .not_persistent = 1,
				   .state = 1 };
	int fd = open("/sys/module/md_mod/parameters/new_array", O_WRONLY);

	if (fd < 0 || write(fd, "md0", 3) != 3)
		return failed("new_array");
	close(fd);
	mknod("/dev/md0", S_IFBLK | 0600, makedev(MD_MAJOR, 0));
	fd = open("/dev/md0", O_RDWR);
	if (fd < 0 || ioctl(fd, SET_ARRAY_INFO, &array))
		return failed("SET_ARRAY_INFO");
	for (int i = 0; i < 2; i++) {
		mdu_disk_info_t disk = { .number = i,
					 .raid_disk = i,
					 .state = 1 << MD_DISK_ACTIVE | 1 << MD_DISK_SYNC };
		struct stat st;

		if (stat(i ? "/dev/dm-3" : "/dev/dm-2", &st))
			return failed("/dev/dm-2");
		disk.major = (int)major(st.st_rdev);
		disk.minor = (int)minor(st.st_rdev);
		if (ioctl(fd, ADD_NEW_DISK, &disk))
			return failed("ADD_NEW_DISK");
	}
	if (ioctl(fd, RUN_ARRAY, NULL))
		return failed("RUN_ARRAY");
	close(fd);
	// Who opens it first looks for partitions.
	fd = open("/dev/md0", O_RDWR);
	return fd < 0 || close(fd) ? failed("/dev/md0") : 0;
}

static int prepare(void)
{
	struct dm_ioctl room, *dm;
	int control = open("/dev/mapper/control", O_RDWR);

	if (control < 0)
		return failed("/dev/mapper/control");
	if (dm_make(control, "obit-linear", LINEAR_START, MAPPED) ||
	    dm_make(control, "obit-suspended", SUSPENDED_START, MAPPED) ||
	    dm_make(control, "obit-first", FIRST_START, MIRRORED) ||
	    dm_make(control, "obit-second", SECOND_START, MIRRORED) || md_make())
		return 1;
	dm = dm_request(&room, sizeof(room), "obit-suspended");
	dm->flags = DM_SUSPEND_FLAG | DM_SKIP_LOCKFS_FLAG;
	return ioctl(control, DM_DEV_SUSPEND, dm) ? failed("suspend") : 0;
}

// ---- jobs

static int job_open(const struct job *j)
{
	char path[64];
	int flags = j->op == 'W' ? O_RDWR : O_RDONLY, fd;

	snprintf(path, sizeof(path), "/dev/%s", j->device);
	if (j->how == DIRECT || j->how == EXTENT)
		flags |= O_DIRECT;
	if (j->how == FILE_FSYNC)
		flags |= O_CREAT;
	fd = open(j->path ? j->path : path, flags, 0600);
	if (fd < 0)
		exit(failed(j->name));
	// one page and no more
	if (j->how == CACHED)
		posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return fd;
}

static void job_say(const struct job *j, int known)
{
	if (known)
		say("%s %d %s %s %u %u %llu\n", j->name, getpid(), j->device,
		    j->op == 'R' ? "READ" : "WRITE", j->sector, j->bytes,
		    (unsigned long long)now());
	else
		say("%s %d %s %s - - %llu\n", j->name, getpid(), j->device,
		    j->op == 'R' ? "READ" : "WRITE", (unsigned long long)now());
}

static void job_run(const struct job *j, char *room)
{
	char name[16];
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "hang/%s", j->name);
	prctl(PR_SET_NAME, name);
	memset(room, 'h', j->bytes);
	if (j->bytes == SECTOR)
		room += SECTOR; // not where a page begins
	if (j->how == SYNC || j->how == STAT) {
		job_say(j, 0);
		if (j->how == SYNC)
			sync();
		else if (stat(j->path, &st))
			exit(failed(j->path));
		say("obit:failed %s: it came back\n", j->name);
		exit(0);
	}
	// The first write must not read the page from the disk, so it is a whole one.
	job_say(j, j->how != FILE_FSYNC && j->how != EXTENT);
	fd = job_open(j);
	if (j->how == RESCAN && ioctl(fd, BLKRRPART))
		exit(failed(j->name));
	if (j->op == 'R' ? pread(fd, room, j->bytes, (off_t)j->sector * SECTOR) < 0
			 : pwrite(fd, room, j->bytes, (off_t)j->sector * SECTOR) < 0)
		exit(failed(j->name));
	if ((j->how == FSYNC || j->how == FILE_FSYNC) && fsync(fd))
		exit(failed(j->name));
	if (j->how == DIRTY)
		for (;;)
			pause();
	say("obit:failed %s: it came back\n", j->name);
	exit(0);
}

// Reads until it is not answered, and says in shared memory when it began.
static void probe(volatile uint64_t *began, char *room)
{
	int fd = open("/dev/vda", O_RDONLY | O_DIRECT);

	prctl(PR_SET_NAME, "hang/probe");
	if (fd < 0)
		exit(failed("/dev/vda"));
	for (;;) {
		*began = now();
		if (pread(fd, room, 4096, 0) != 4096)
			exit(failed("probe"));
		usleep(50000);
	}
}

// Where a part of the file lies on its disk; the loop device's job reads from the first.
static int extents(void)
{
	static const unsigned offsets[] = { 1024 * SECTOR, EXTENT_AT };
	union {
		struct fiemap map;
		char room[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
	} u;
	struct fiemap_extent *e = (void *)(u.room + sizeof(struct fiemap));
	int fd = open(BACKING, O_RDONLY);

	for (size_t i = 0; i < 2; i++) {
		memset(&u, 0, sizeof(u));
		u.map.fm_start = offsets[i];
		u.map.fm_length = 4096;
		u.map.fm_extent_count = 1;
		if (ioctl(fd, FS_IOC_FIEMAP, &u.map) || u.map.fm_mapped_extents != 1)
			return failed(BACKING);
		say("%u %llu\n", offsets[i],
		    (unsigned long long)(e->fe_physical + offsets[i] - e->fe_logical) / SECTOR);
	}
	return 0;
}

static int hang(char *room)
{
	volatile uint64_t *began =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();

	if (pid == 0)
		probe(began, room);
	while (!*began || now() - *began < 3000000000ull)
		usleep(100000);
	say("probe %d vda READ 0 4096 %llu\n", pid, (unsigned long long)*began);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (fork() == 0)
			job_run(&jobs[i], room);
		usleep(200000);
	}
	sleep(2);
	return 0;
}

int main(int argc, char **argv)
{
	static char room[2 << 20] __attribute__((aligned(4096)));

	if (argc > 1 && !strcmp(argv[1], "now")) {
		say("%llu\n", (unsigned long long)now());
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "extents"))
		return extents();
	return argc > 1 && !strcmp(argv[1], "prepare") ? prepare() : hang(room);
}
