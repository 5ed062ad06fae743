/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives files, and the files of folders, one by one to a fuzz target; for builds without libFuzzer.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* An input that takes longer than this is a hang as far as a prompt is concerned. */
#define SLOW_SECONDS 10

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* A block of exactly the file's size, so that a sanitizer sees the first byte too many; NULL: errno
 * says why. */
static uint8_t *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	struct stat st;

	if (f && fstat(fileno(f), &st) == 0) {
		*n = (size_t)st.st_size;
		data = malloc(*n ? *n : 1);
	}
	if (data && fread(data, 1, *n, f) != *n) {
		free(data);
		data = NULL;
	}
	if (f)
		fclose(f);
	return data;
}

static int replay_file(const char *path)
{
	size_t n = 0;
	uint8_t *data = read_file(path, &n);
	double start = now();

	if (!data) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	/* before it runs: the last name printed is the one that crashed */
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	if (now() - start > SLOW_SECONDS) {
		fprintf(stderr, "%s: took %.1f s\n", path, now() - start);
		return -1;
	}
	return 1;
}

/* The number of inputs run, or -1. */
static int replay(const char *path, unsigned depth)
{
	struct dirent **names;
	struct stat st;
	int count, total = 0;

	if (stat(path, &st) < 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	if (!S_ISDIR(st.st_mode))
		return replay_file(path);
	count = depth ? scandir(path, &names, NULL, alphasort) : -1;
	if (count < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		char sub[4096];
		int ran = 0;

		if (names[i]->d_name[0] != '.') {
			snprintf(sub, sizeof(sub), "%s/%s", path, names[i]->d_name);
			ran = replay(sub, depth - 1);
		}
		total = total < 0 || ran < 0 ? -1 : total + ran;
		free(names[i]);
	}
	free(names);
	return total;
}

int main(int argc, char **argv)
{
	int total = 0, bad = 0;

	for (int i = 1; i < argc; i++) {
		int ran = replay(argv[i], 4);

		if (ran < 0)
			bad = 1;
		else
			total += ran;
	}
	fprintf(stderr, "%d inputs\n", total);
	return bad || total == 0;
}
