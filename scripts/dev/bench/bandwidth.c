/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how many bytes a ms one CPU can read: of memory, and of a FILE that is not in memory. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BYTES ((size_t)256 << 20)
#define BLOCK ((size_t)1 << 20)

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* The best of five: what disturbs makes it slower, nothing faster. */
static double memory(const uint64_t *p)
{
	double best = 0;
	uint64_t any = 0;

	for (int run = 0; run < 5; run++) {
		uint64_t a[8] = { 0 };
		double start = now(), rate;

		for (size_t i = 0; i < BYTES / 8; i += 8)
			for (size_t k = 0; k < 8; k++)
				a[k] |= p[i + k];
		for (size_t k = 0; k < 8; k++)
			any |= a[k];
		rate = (double)BYTES / (now() - start);
		best = rate > best ? rate : best;
	}
	return any ? best : 0;
}

static double disk(const char *path, void *room)
{
	int fd = open(path, O_RDONLY);
	double start, n = 0;
	ssize_t got;

	if (fd < 0)
		return 0;
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	start = now();
	while (n < (double)BYTES && (got = read(fd, room, BLOCK)) > 0)
		n += (double)got;
	start = now() - start;
	close(fd);
	return start > 0 ? n / start : 0;
}

int main(int argc, char **argv)
{
	uint64_t *p = malloc(BYTES);

	if (!p)
		return 1;
	memset(p, 0x5a, BYTES);
	printf("%.0f %.0f\n", memory(p), argc > 1 ? disk(argv[1], p) : 0);
	return 0;
}
