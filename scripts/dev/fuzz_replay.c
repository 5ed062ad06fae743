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

#define INPUT_MAX ((size_t)64 << 20)

/* An input that takes longer than this is a hang as far as a prompt is concerned. */
#define SLOW_SECONDS 10

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *all = malloc(INPUT_MAX), *data;
	double start = now();
	size_t n;

	if (!f || !all) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		free(all);
		if (f)
			fclose(f);
		return -1;
	}
	n = fread(all, 1, INPUT_MAX, f);
	fclose(f);
	/* a block of exactly the input's size, so that a sanitizer sees the first byte too many */
	data = malloc(n ? n : 1);
	if (data)
		memcpy(data, all, n);
	free(all);
	if (!data)
		return -1;
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
