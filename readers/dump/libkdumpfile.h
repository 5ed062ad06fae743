/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps that libkdumpfile reads: what is known of one. */
#ifndef OBIT_LIBKDUMPFILE_H
#define OBIT_LIBKDUMPFILE_H

#include "core/image/target.h"
#include "readers/dump/image.h"
#include "readers/dump/libkdumpfile_link.h"

struct kd_dump {
	struct kd_link link;
	struct extents x; /* what can be read, and what was memory and cannot */
	bool mapped;      /* the library says which pages there are; else each is asked for */
	bool ended;       /* all facts were there */
	uint64_t page_size, frames;
	/* Where the file is cut the library shows zeros. What obit's own reader knows of it, if
	 * there is one, says which pages these are; NULL: the file is whole. */
	struct target *own;
	struct arena own_scratch;
	bool cut; /* there is none; `torn` is the page that the end of the file is in */
	uint64_t torn;
	uint64_t end; /* behind the last page that obit saw in it; 0: unknown */
	const char *format;
};

/* What the library calls an architecture; NULL: it does not know it. */
const char *kd_name_of_arch(const struct arch *arch);
/* Takes what the process wrote of the dump into t and d; path stands in messages. The library's own
 * error when it could not open the dump; ERR_CORRUPT: the facts make no sense. */
bool kd_take_facts(struct target *t, struct kd_dump *d, const char *path, struct span facts,
		   struct err *err) MUST_CHECK;

#endif
