/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads every page of a dump with two readers, and says where their bytes or their reasons differ.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "readers/reader.h"

#define PAGE 4096u
#define SHOWN 8u

struct side {
	struct target t;
	struct arena scratch;
	uint64_t read, ns;
};

struct tally {
	uint64_t pages, equal, bytes, reasons;
	unsigned shown;
};

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static bool side_open(struct side *s, const struct reader *reader, const char *const *paths,
		      size_t n)
{
	struct err err;

	target_init(&s->t, &s->scratch);
	s->t.reader = reader;
	if (readers_open(&s->t, paths, n, &err))
		return true;
	fprintf(stderr, "pages: %s\n", err.msg);
	return false;
}

/* Returns why the page cannot be read; ERR_OK: it can. */
static enum err_code side_read(struct side *s, uint64_t pa, uint8_t *page)
{
	struct phys_source *phys = &s->t.memory.phys;
	struct err err = { 0 };

	s->read++;
	return phys->read(phys->self, pa, page, PAGE, &err) ? ERR_OK : err.code;
}

/* The bytes of two readers agree, and so do their reasons. */
static void compare(struct tally *all, uint64_t pa, const enum err_code why[2],
		    uint8_t page[2][PAGE])
{
	all->pages++;
	if (why[0] == why[1] && (why[0] || !memcmp(page[0], page[1], PAGE))) {
		all->equal++;
	} else {
		all->bytes += !why[0] && !why[1];
		all->reasons += why[0] || why[1];
		if (all->shown++ < SHOWN)
			printf("  page 0x%" PRIx64 ": %s and %s\n", pa,
			       why[0] ? err_code_name(why[0]) : "bytes",
			       why[1] ? err_code_name(why[1]) : "bytes");
	}
}

/* From page to page, as far as either knows of memory, and a little further. */
static void sweep(struct side side[2], struct tally *all)
{
	static uint8_t page[2][PAGE];
	uint64_t end = 0;

	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < side[i].t.ram.n; k++)
			if (side[i].t.ram.p[k].last >= end)
				end = side[i].t.ram.p[k].last + 1;
	end += 16 * PAGE;
	for (uint64_t pa = side[0].t.ram.n ? side[0].t.ram.p[0].first & ~(uint64_t)(PAGE - 1) : 0;
	     pa < end; pa += PAGE) {
		enum err_code why[2];

		for (int i = 0; i < 2; i++)
			why[i] = side_read(&side[i], pa, page[i]);
		compare(all, pa, why, page);
	}
}

/* One reader alone, from a fresh start: how long all pages take that are there. */
static uint64_t time_all(const struct reader *reader, const char *const *paths, size_t n)
{
	static uint8_t page[PAGE];
	struct side s = { 0 };
	uint64_t from = now();

	if (!side_open(&s, reader, paths, n))
		return 0;
	for (size_t k = 0; k < s.t.ram.n; k++)
		for (uint64_t pa = s.t.ram.p[k].first; pa < s.t.ram.p[k].last;) {
			uint64_t next = 0;

			if (side_read(&s, pa, page))
				next = mem_absent_end(&s.t, pa);
			pa = next > pa ? next : pa + PAGE;
		}
	from = now() - from;
	target_release(&s.t);
	arena_release(&s.scratch);
	return from;
}

int main(int argc, char **argv)
{
	bool timed = argc > 1 && !strcmp(argv[1], "-t");
	const char *const *paths = (const char *const *)argv + 1 + timed;
	size_t n = (size_t)(argc - 1 - timed);
	struct side side[2] = { 0 };
	struct tally all = { 0 };
	const struct reader *second;
	struct err err;

	second = reader_of_dumps("libkdumpfile", &err);
	if (argc < 2 + timed || !second) {
		fputs("usage: pages [-t] FILE...\n", stderr);
		return 2;
	}
	if (timed) {
		uint64_t own = time_all(NULL, paths, n), lib = time_all(second, paths, n);

		printf("%.1f %.1f\n", (double)own / 1e6, (double)lib / 1e6);
		return own && lib ? 0 : 1;
	}
	if (!side_open(&side[0], NULL, paths, n) || !side_open(&side[1], second, paths, n))
		return 1;
	sweep(side, &all);
	printf("%" PRIu64 " pages, %" PRIu64 " alike; bytes differ in %" PRIu64
	       ", reasons in %" PRIu64 "\n",
	       all.pages, all.equal, all.bytes, all.reasons);
	return all.pages && all.equal == all.pages ? 0 : 1;
}
