/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For fuzz targets of pstore: asks of loaded records what people would. */
#ifndef OBIT_PSTORE_FUZZ_H
#define OBIT_PSTORE_FUZZ_H

#include "core/linux/pstore/story.h"
#include "readers/reader.h"

static inline bool fuzz_line(const struct survivor_line *l, void *arg)
{
	unsigned *sum = arg;

	for (size_t i = 0; i < l->n; i++)
		*sum += (unsigned char)l->text[i];
	for (size_t i = 0; i < l->caller_n; i++)
		*sum += (unsigned char)l->caller[i];
	return true;
}

/* Every byte that a record claims is read; false: a record breaks its own promises. */
static inline bool fuzz_records(struct target *t)
{
	struct arena a = { 0 };
	const struct survivor *const *v;
	const struct story_line *lines;
	bool kept = true;
	struct err err;
	unsigned sum = 0;
	size_t n, n_lines;

	v = survivors_ordered(t, &a, &n);
	for (size_t i = 0; i < n; i++) {
		struct survivor_line line;
		const char *banner;
		uint64_t offset;
		size_t len;

		kept &= v[i]->type < SURVIVOR_TYPES && v[i]->backend != NULL;
		kept &= v[i]->empty || v[i]->stored.n || v[i]->stale || !v[i]->room;
		for (size_t j = 0; j < v[i]->stored.n; j++)
			sum += v[i]->stored.p[j];
		survivor_lines(v[i], fuzz_line, &sum);
		(void)survivor_headline(v[i], &line);
		(void)survivor_kernel_offset(v[i], &offset);
		if (survivor_banner(v[i], &banner, &len))
			sum += (unsigned char)banner[len / 2];
	}
	if (story_read(t, &a, &lines, &n_lines, NULL, NULL, &err))
		for (size_t i = 0; i < n_lines; i++)
			kept &= lines[i].sources != 0;
	(void)story_calls(v, n, &a, &n);
	arena_release(&a);
	(void)*(volatile unsigned *)&sum; /* so that the reads are made */
	return kept;
}

/* The bytes as one file of a reader. */
static inline bool fuzz_pstore(const struct reader *reader, const char *name, const uint8_t *data,
			       size_t size)
{
	struct file file = { .path = name, .fd = -1, .map = { data, size } };
	struct target t;
	struct arena scratch = { 0 };
	struct err err;
	bool kept = true;

	target_init(&t, &scratch);
	if (size && reader->probe(&file) && reader->open(&t, &file, &err))
		kept = fuzz_records(&t);
	target_release(&t);
	arena_release(&scratch);
	return kept;
}

#endif
