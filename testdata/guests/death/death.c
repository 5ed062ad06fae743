/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first process of a guest that dies: brings the machine to its end in the way that the command
 * line names, and says so before. No module takes part but those that Debian has. */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/membarrier.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a healthy machine's other half looks: the parent goes on, the child gets a name. */
static bool becomes(const char *name)
{
	if (fork())
		return false;
	prctl(PR_SET_NAME, name);
	return true;
}

/* Writes to a file of /proc or /sys; what this kernel does not have is said, and left alone. */
static bool set(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CREAT, 0600);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (!done)
		printf("obit:missing %s\n", file);
	if (fd >= 0)
		close(fd);
	return done;
}

/* From here on the guest is expected to die. */
static void begin(void)
{
	printf("===== obit:crash begin\n");
	sleep(1);
}

static void sysrq_crash(void)
{
	set("/proc/sysrq-trigger", "c");
}

static void rest(void)
{
	for (;;)
		pause();
}

static void on_cpu(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Takes memory until there is none, by touching every page of what it maps. */
static void devour(void)
{
	const size_t step = 1 << 20;

	for (;;) {
		char *p = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		if (p == MAP_FAILED)
			continue;
		for (size_t i = 0; i < step; i += 4096)
			p[i] = 1;
	}
}

/* ---- init and what it is started from */

static void die_exit(void)
{
	begin();
	exit(3);
}

static void die_segv(void)
{
	volatile int *nowhere = NULL;

	begin();
	*nowhere = 1;
}

/* ---- memory */

static void die_oom(void)
{
	set("/proc/sys/vm/panic_on_oom", "1");
	begin();
	if (becomes("hog"))
		devour();
	rest();
}

/* A file system in memory is filled by a process that has ended; a small one asks last. */
static void die_shmem(void)
{
	static char block[1 << 16];
	int fd;

	set("/proc/sys/vm/panic_on_oom", "1");
	mkdir("/big", 0700);
	if (mount("big", "/big", "tmpfs", 0, "size=100%"))
		err(1, "tmpfs");
	memset(block, 'x', sizeof(block));
	begin();
	if (becomes("filler")) {
		struct stat st;
		long kib = 0;
		FILE *f = fopen("/proc/meminfo", "r");
		char line[128];

		while (f && fgets(line, sizeof(line), f) &&
		       sscanf(line, "MemAvailable: %ld", &kib) != 1)
			;
		fd = open("/big/filling", O_WRONLY | O_CREAT, 0600);
		/* leaves 4 MiB, which the small one is to take */
		while (!fstat(fd, &st) && st.st_size / 1024 < kib - 4096 &&
		       write(fd, block, sizeof(block)) > 0)
			;
		exit(0);
	}
	wait(NULL);
	if (becomes("asker"))
		devour();
	rest();
}

/* The kernel kills one after the other; when all are gone there is no more to do. */
static void die_kills(void)
{
	static const char *const names[] = { "first", "second", "third" };

	begin();
	for (int i = 0; i < 3; i++) {
		if (becomes(names[i]))
			devour();
		wait(NULL);
	}
	exit(0);
}

/* A group of processes may not have more, and a panic is asked for even then. */
static void die_memcg(void)
{
	mkdir("/cg", 0700);
	if (mount("cg", "/cg", "cgroup2", 0, NULL))
		err(1, "cgroup2");
	set("/cg/cgroup.subtree_control", "+memory");
	mkdir("/cg/small", 0700);
	set("/cg/small/memory.max", "16777216");
	set("/proc/sys/vm/panic_on_oom", "2");
	begin();
	if (becomes("hog")) {
		set("/cg/small/cgroup.procs", "0");
		devour();
	}
	rest();
}

/* ---- a server of files that takes connections and never answers */

static void die_filer(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(2049) };
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int s = socket(AF_INET, SOCK_STREAM, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &lo) || bind(s, (struct sockaddr *)&at, sizeof(at)) ||
	    listen(s, 8))
		err(1, "server");
	mkdir("/mnt", 0700);
	begin();
	if (becomes("client")) {
		mount("127.0.0.1:/share", "/mnt", "nfs4", 0,
		      "vers=4.2,proto=tcp,addr=127.0.0.1,clientaddr=127.0.0.1");
		printf("obit:failed the server answered\n");
		rest();
	}
	/* longer than the 30 s after which a request counts as lost */
	sleep(36);
	sysrq_crash();
}

/* ---- a file system in a file */

static void attach_disk(void)
{
	int disk = open("/disk", O_RDWR), loop;

	mknod("/dev/loop0", S_IFBLK | 0600, makedev(7, 0));
	loop = open("/dev/loop0", O_RDWR);
	if (disk < 0 || loop < 0 || ioctl(loop, LOOP_SET_FD, disk))
		err(1, "loop");
}

static void mount_disk(const char *options)
{
	attach_disk();
	mkdir("/mnt", 0700);
	if (mount("/dev/loop0", "/mnt", "ext4", 0, options))
		err(1, "ext4");
}

/* ---- a device that is suspended, and whoever reads it */

/* One request to device-mapper, of which `flags` say what it is. A table of one row, if there is
 * one, follows. */
static void device_ask(int control, unsigned long what, unsigned flags, const char *parameters)
{
	struct {
		struct dm_ioctl dm;
		struct dm_target_spec row;
		char parameters[32];
	} r = { .dm = { .version = { DM_VERSION_MAJOR },
			.data_size = sizeof(r),
			.data_start = sizeof(r.dm),
			.target_count = parameters != NULL,
			.flags = flags,
			.name = "slow" },
		.row = { .length = 8192, .target_type = "linear" } };

	if (parameters)
		snprintf(r.parameters, sizeof(r.parameters), "%s", parameters);
	if (ioctl(control, what, &r))
		err(1, "device-mapper");
}

static void die_suspended(void)
{
	static char block[4096] __attribute__((aligned(4096)));
	int control = open("/dev/mapper/control", O_RDWR);

	attach_disk();
	device_ask(control, DM_DEV_CREATE, 0, NULL);
	device_ask(control, DM_TABLE_LOAD, 0, "7:0 0");
	device_ask(control, DM_DEV_SUSPEND, 0, NULL); /* without the flag this resumes it */
	device_ask(control, DM_DEV_SUSPEND, DM_SUSPEND_FLAG | DM_SKIP_LOCKFS_FLAG, NULL);
	begin();
	if (becomes("reader")) {
		if (pread(open("/dev/dm-0", O_RDONLY | O_DIRECT), block, sizeof(block), 4096) >= 0)
			printf("obit:failed the device answered\n");
		rest();
	}
	sleep(36);
	sysrq_crash();
}

/* Nobody may write any more; the writer wants to. */
static void freeze(void)
{
	int root;

	mount_disk("");
	root = open("/mnt", O_RDONLY);
	if (ioctl(root, FIFREEZE, 0))
		err(1, "FIFREEZE");
	if (becomes("writer")) {
		mkdir("/mnt/never", 0700);
		exit(0);
	}
}

static void die_frozen(void)
{
	set("/proc/sys/kernel/hung_task_timeout_secs", "5");
	set("/proc/sys/kernel/hung_task_panic", "1");
	begin();
	freeze();
	rest();
}

/* The same, and nobody notices but the one who stops the machine. */
static void stand_still(void)
{
	set("/proc/sys/kernel/hung_task_timeout_secs", "10");
	freeze();
	sleep(16);
	begin();
}

static void die_asked(void)
{
	stand_still();
	sysrq_crash();
}

static void die_live(void)
{
	stand_still();
	rest();
}

static void die_fserror(void)
{
	mount_disk("errors=panic");
	begin();
	set("/sys/fs/ext4/loop0/trigger_fs_error", "made on purpose");
	rest();
}

static void die_readonly(void)
{
	mount_disk("errors=remount-ro");
	set("/sys/fs/ext4/loop0/trigger_fs_error", "made on purpose");
	begin();
	sysrq_crash();
}

/* ---- CPUs */

/* Each CPU has a task that is more important than any other and never ends; RCU has something to do
 * when they begin. From 6.12 on the others are given a twentieth of each second even then. */
static void die_starved(void)
{
	struct sched_param top = { .sched_priority = 99 };

	set("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	set("/proc/sys/kernel/panic_on_rcu_stall", "1");
	set("/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout", "5");
	begin();
	for (int i = 0; i < 8; i++)
		if (becomes("reader"))
			for (;;)
				syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	for (long cpu = sysconf(_SC_NPROCESSORS_ONLN); cpu-- > 0;)
		if (becomes("tyrant")) {
			on_cpu((int)cpu);
			sleep(1);
			sched_setscheduler(0, SCHED_FIFO, &top);
			for (volatile unsigned long i = 0;; i++)
				;
		}
	rest();
}

/* Two ask for the crash at the same time, each on a CPU of its own. */
static void die_both(void)
{
	int *go = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	begin();
	for (int cpu = 0; cpu < 2; cpu++)
		if (becomes(cpu ? "one" : "other")) {
			on_cpu(cpu);
			while (!__atomic_load_n(go, __ATOMIC_ACQUIRE))
				;
			sysrq_crash();
			exit(0);
		}
	sleep(1);
	__atomic_store_n(go, 1, __ATOMIC_RELEASE);
	rest();
}

/* ---- from outside */

static void die_idle(void)
{
	begin();
	rest();
}

static void die_nmi(void)
{
	set("/proc/sys/kernel/unknown_nmi_panic", "1");
	die_idle();
}

/* ---- what the module does */

static bool load(const char *name, const char *options)
{
	char path[256];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "/modules/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	done = fd >= 0 && !syscall(SYS_finit_module, fd, options, 0);
	if (!done)
		printf("obit:failed %s: %m\n", name);
	if (fd >= 0)
		close(fd);
	return done;
}

/* What makes the kernel notice soon, and die of it. After an oops that is survived khungtaskd tells
 * nothing any more. */
static void wake_watchdogs(const char *how)
{
	set("/proc/sys/kernel/panic_on_oops", strcmp(how, "heirs") ? "1" : "0");
	set("/proc/sys/kernel/watchdog_thresh", "3");
	set("/proc/sys/kernel/softlockup_panic", "1");
	set("/proc/sys/kernel/hung_task_timeout_secs", "5");
	if (!strcmp(how, "refcount") || !strcmp(how, "atomic"))
		set("/proc/sys/kernel/panic_on_warn", "1");
}

/* How many seconds the harm is to grow before somebody stops the machine; 0: the kernel does. */
static unsigned patience(const char *how)
{
	return !strcmp(how, "poison")   ? 1
	       : !strcmp(how, "heirs")  ? 12
	       : !strcmp(how, "starve") ? 35
					: 0;
}

static void die_by_module(const char *how)
{
	char options[64];

	/* the harm is done on another CPU, whose timers may wake nobody any more */
	on_cpu(0);
	wake_watchdogs(how);
	snprintf(options, sizeof(options), "how=%s", how);
	if (!patience(how))
		begin();
	load("reaper.ko", options);
	if (patience(how)) {
		sleep(patience(how));
		begin();
		sysrq_crash();
	} else if (!strcmp(how, "unloaded")) {
		syscall(SYS_delete_module, "reaper", 0);
	}
	rest();
}

static const struct {
	const char *name;
	void (*die)(void);
} ways[] = {
	{ "exit", die_exit },       { "segv", die_segv },         { "oom", die_oom },
	{ "shmem", die_shmem },     { "kills", die_kills },       { "memcg", die_memcg },
	{ "frozen", die_frozen },   { "asked", die_asked },       { "live", die_live },
	{ "fserror", die_fserror }, { "readonly", die_readonly }, { "starved", die_starved },
	{ "both", die_both },       { "idle", die_idle },         { "mce", die_idle },
	{ "nmi", die_nmi },         { "filer", die_filer },       { "suspended", die_suspended },
};

static void testify(void)
{
	struct utsname u;

	uname(&u);
	printf("===== obit:uname begin\n%s %s %s %s %s\n%s\n%s\n%s\n%s\n%s\n===== obit:uname end\n",
	       u.sysname, u.nodename, u.release, u.version, u.machine, u.sysname, u.release,
	       u.version, u.machine, u.nodename);
}

static void load_all(void)
{
	FILE *f = fopen("/modules/order", "r");
	char line[128];

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		load(line, "");
	}
	if (f)
		fclose(f);
}

int main(void)
{
	static char line[4096];
	char *how;
	FILE *f;

	setvbuf(stdout, NULL, _IOLBF, 0);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	set("/proc/sys/kernel/printk", "8");
	set("/proc/sys/kernel/kptr_restrict", "0");
	set("/proc/sys/kernel/sysrq", "1");
	load_all();
	testify();
	f = fopen("/proc/cmdline", "r");
	how = f && fgets(line, sizeof(line), f) ? strstr(line, "obit.death=") : NULL;
	if (!how)
		errx(1, "nobody said how to die");
	how += strlen("obit.death=");
	how[strcspn(how, " \n")] = 0;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, how)) {
			ways[i].die();
			rest();
		}
	die_by_module(how);
}
