/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command with files out of the page cache, and prints how much of each it brought back. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES_MAX 64

static const char usage[] = "usage: cold [-v] FILE... -- COMMAND...\n";

struct cached {
	const char *path;
	size_t n;
	void *map;
	unsigned char *before, *after;
	size_t kept; /* bytes that stayed in the cache: another program has them mapped */
};

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t pages_of(const struct cached *f)
{
	return (f->n + page_size() - 1) / page_size();
}

/* Which of the file's pages are in the cache, a byte each. */
static unsigned char *look(const struct cached *f)
{
	unsigned char *v = malloc(pages_of(f) + 1);

	if (!v || mincore(f->map, f->n, v)) {
		perror(f->path);
		exit(1);
	}
	return v;
}

static void evict(struct cached *f)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || st.st_size == 0) {
		perror(f->path);
		exit(1);
	}
	f->n = (size_t)st.st_size;
	fdatasync(fd); /* what is not yet written stays */
	if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		perror(f->path);
	f->map = mmap(NULL, f->n, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (f->map == MAP_FAILED) {
		perror(f->path);
		exit(1);
	}
	f->before = look(f);
	for (size_t i = 0; i < pages_of(f); i++)
		f->kept += (f->before[i] & 1) * page_size();
}

static int run(char **argv, struct rusage *use)
{
	int status = 0, null;
	pid_t pid = fork();

	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, use) < 0) {
		perror(argv[0]);
		exit(1);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The bytes that came, and with -v the stretches of the file that they are. */
static size_t brought(struct cached *f, int verbose)
{
	size_t sum = 0, from = 0, n = pages_of(f);

	f->after = look(f);
	for (size_t i = 0; i <= n; i++) {
		int here = i < n && (f->after[i] & 1) && !(f->before[i] & 1);

		sum += here ? page_size() : 0;
		if (here && !from)
			from = i + 1;
		if (!here && from) {
			if (verbose)
				fprintf(stderr, "%#zx %zu %s\n", (from - 1) * page_size(),
					(i + 1 - from) * page_size(), f->path);
			from = 0;
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	int verbose = argc > 1 && !strcmp(argv[1], "-v"), i = 1 + verbose, n = 0, status;
	struct cached files[FILES_MAX] = { 0 };
	struct rusage use;

	for (; i < argc && strcmp(argv[i], "--") != 0 && n < FILES_MAX; i++)
		files[n++].path = argv[i];
	if (!n || i + 1 >= argc || strcmp(argv[i], "--") != 0) {
		fputs(usage, stderr);
		return 2;
	}
	for (int k = 0; k < n; k++)
		evict(&files[k]);
	status = run(argv + i + 1, &use);
	for (int k = 0; k < n; k++)
		printf("%zu %zu %s\n", brought(&files[k], verbose), files[k].kept, files[k].path);
	printf("%llu %d total\n", (unsigned long long)use.ru_inblock * 512, status);
	return 0;
}
