/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a long recording of a short one: writes a trace.dat v6 whose pages come N times, each time
 * later than before. For measuring speed and memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Only what that needs of the format: the u32 in front of "options  " is the number of CPUs, behind
 * "flyrecord\0" stand { u64 offset, u64 size } of each, and a page begins with its time. Its input
 * is a file of one buffer, of a little-endian kernel, on a machine of that kind.
 */
#define PAGE 4096u
#define CPUS_MAX 256u

struct lane {
	uint64_t at, size;
};

static uint64_t load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static int fail(const char *why)
{
	fprintf(stderr, "more_events: %s\n", why);
	return 1;
}

static uint8_t *read_all(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p = NULL;
	long size;

	if (f && !fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0) {
		rewind(f);
		p = malloc((size_t)size);
		*n = p ? fread(p, 1, (size_t)size, f) : 0;
	}
	if (f)
		fclose(f);
	return p;
}

/* Time of the first page and of what may be the last event: two neighbours of a page are as far
 * from each other, at least, as the last page is long. */
static uint64_t span_of(const uint8_t *p, const struct lane *v, unsigned n)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (unsigned i = 0; i < n; i++)
		for (uint64_t at = 0; at + PAGE <= v[i].size; at += PAGE) {
			uint64_t ts = load64(p + v[i].at + at);

			first = ts < first ? ts : first;
			last = ts > last ? ts : last;
		}
	return last - first + 1000000000u;
}

static int write_lane(FILE *f, uint8_t *p, const struct lane *v, uint64_t copies, uint64_t span)
{
	for (uint64_t c = 0; c < copies; c++)
		for (uint64_t at = 0; at + PAGE <= v->size; at += PAGE) {
			uint8_t *page = p + v->at + at;
			uint64_t was = load64(page), ts = was + c * span;

			memcpy(page, &ts, sizeof(ts));
			if (fwrite(page, PAGE, 1, f) != 1)
				return -1;
			memcpy(page, &was, sizeof(was));
		}
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t copies = argc == 4 ? strtoull(argv[2], NULL, 10) : 0, at, span;
	struct lane v[CPUS_MAX];
	uint8_t *p, *table, *options;
	uint32_t cpus;
	size_t n = 0;
	FILE *f;

	if (!copies)
		return fail("usage: more_events FROM.dat COPIES TO.dat");
	p = read_all(argv[1], &n);
	options = p ? memmem(p, n, "options  ", 10) : NULL;
	table = options ? memmem(options, n - (size_t)(options - p), "flyrecord", 10) : NULL;
	if (!table)
		return fail("no trace.dat of version 6");
	memcpy(&cpus, options - 4, sizeof(cpus));
	table += 10;
	if (!cpus || cpus > CPUS_MAX || (size_t)(table - p) + cpus * 16 > n)
		return fail("no CPUs");
	at = ((uint64_t)(table - p) + cpus * 16 + PAGE - 1) / PAGE * PAGE;
	for (unsigned i = 0; i < cpus; i++) {
		v[i] = (struct lane){ load64(table + 16 * i), load64(table + 16 * i + 8) };
		if (v[i].at > n || v[i].size > n - v[i].at)
			return fail("it is cut off");
		v[i].size -= v[i].size % PAGE;
	}
	span = span_of(p, v, cpus);
	for (unsigned i = 0; i < cpus; i++) {
		uint64_t size = v[i].size * copies;

		memcpy(table + 16 * i, &at, sizeof(at));
		memcpy(table + 16 * i + 8, &size, sizeof(size));
		at += size;
	}
	f = fopen(argv[3], "wb");
	if (!f || fwrite(p, (size_t)(table - p) + cpus * 16, 1, f) != 1)
		return fail("cannot write");
	fseek(f, (long)(((uint64_t)(table - p) + cpus * 16 + PAGE - 1) / PAGE * PAGE), SEEK_SET);
	for (unsigned i = 0; i < cpus; i++)
		if (write_lane(f, p, &v[i], copies, span))
			return fail("cannot write");
	return fclose(f) ? fail("cannot write") : 0;
}
