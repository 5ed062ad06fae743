/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the zones of a ramoops region are: found by their signatures, or computed from sizes. */
#ifndef OBIT_RAMOOPS_LAYOUT_H
#define OBIT_RAMOOPS_LAYOUT_H

#include "readers/pstore/ramoops_zone.h"

#define ZONES_MAX 4096u
#define CPUS_LIMIT 1024u

struct ramoops_layout {
	struct ramoops_zone zones[ZONES_MAX]; /* by offset */
	size_t n;
	unsigned ecc; /* bytes of parity a block; 0 none */
	bool big;
	/* what the signatures of ftrace zones differ by, the same for all of one kernel; 0: not
	 * known
	 */
	uint32_t code;
};

/* A place with a signature, and what the header there looks like. */
struct candidate {
	uint64_t off;
	bool plain; /* it is the signature of zones that are not ftrace's */
	bool fits;  /* its start and size are possible */
	bool used;  /* its size is not 0 */
	uint32_t code;
};
struct layout_candidates {
	VEC(struct candidate) v;
	bool big;
	bool many; /* CANDIDATES_MAX was reached */
};
#define CANDIDATES_MAX 65536u

/* Finds the plain signatures in a span of any length, of the byte order that has more of them.
 * `mapped` says that the span is the map of a whole file, whose pages need not stay in memory. */
void candidates_find(struct span s, bool mapped, struct layout_candidates *ret);

/*
 * The layout of one region that begins at its first zone. `whole`: the span is the region and
 * nothing else. False: its zones make no sense.
 */
bool layout_detect(struct span region, bool big, bool whole, struct ramoops_layout *ret);
/* As the driver divides a region (fs/pstore/ram.c, ramoops_probe()). ERR_USAGE. */
bool layout_compute(const struct survivor_layout *given, uint64_t size, bool ftrace_last,
		    struct ramoops_layout *ret, struct err *err) MUST_CHECK;
/* How much of a longer span the region takes. */
uint64_t layout_end(const struct ramoops_layout *l);

#endif
