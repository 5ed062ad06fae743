/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a long recording of a short one: writes a trace.dat v6 whose pages come N times, each time
 * later than before. For measuring speed and memory. Every fourth time the pages are filled with
 * the function tracer's events, which the short one need not have. */
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

/* Code that a page's events have to do with: words of it that may be addresses in an x86 kernel,
 * wherever it was moved to. */
#define TEXT 0xffffffff80000000u
#define TEXT_SIZE 0x40000000u
static size_t code_of(const uint8_t *page, uint64_t *ret, size_t max)
{
	size_t n = 0;

	for (size_t i = 16; i + 8 <= PAGE && n < max; i += 4)
		if (load64(page + i) - TEXT < TEXT_SIZE)
			ret[n++] = load64(page + i);
	return n;
}

/* The function tracer's events (kernel/trace/trace_entries.h), which have the number 1 in every
 * kernel: the common fields, ip, parent_ip. They are a page's whose code they call, and end before
 * the next one begins. */
#define CALL 24u
static void fill_calls(uint8_t *page, const uint8_t *from, uint64_t until)
{
	uint64_t code[64], ts = load64(from), n = code_of(from, code, 64);
	uint64_t room = (PAGE - 16) / (4 + CALL), used = room * (4 + CALL);
	uint64_t step = until > ts ? (until - ts) / (room + 1) : 0;

	memset(page, 0, PAGE);
	memcpy(page, from, 8);
	memcpy(page + 8, &used, sizeof(used));
	for (uint64_t i = 0; i < room; i++) {
		uint8_t *at = page + 16 + i * (4 + CALL);
		uint32_t head = CALL / 4 | (uint32_t)(step & 0x7ffffff) << 5;
		uint64_t ip = n ? code[i % n] : TEXT, parent = n ? code[i * 7 % n] : TEXT;

		memcpy(at, &head, sizeof(head));
		at[4] = 1;
		memcpy(at + 8, from + 24, 4); /* the first event's task */
		memcpy(at + 12, &ip, sizeof(ip));
		memcpy(at + 20, &parent, sizeof(parent));
	}
}

static int write_lane(FILE *f, const uint8_t *p, const struct lane *v, uint64_t copies,
		      uint64_t span)
{
	uint8_t page[PAGE];

	for (uint64_t c = 0; c < copies; c++)
		for (uint64_t at = 0; at + PAGE <= v->size; at += PAGE) {
			const uint8_t *from = p + v->at + at;
			uint64_t ts = load64(from) + c * span;

			if (c % 4 == 3)
				fill_calls(page, from,
					   at + 2 * PAGE <= v->size ? load64(from + PAGE) : 0);
			else
				memcpy(page, from, PAGE);
			memcpy(page, &ts, sizeof(ts));
			if (fwrite(page, PAGE, 1, f) != 1)
				return -1;
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
