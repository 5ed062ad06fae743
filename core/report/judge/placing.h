/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known while a report is placed in the code of a kernel: match.c asks whether the symbols
 * are of the kernel that printed it, address.c where that kernel lay, place.c where its frames are.
 */
#ifndef OBIT_PLACING_H
#define OBIT_PLACING_H

#include "core/image/target.h"
#include "core/report/report.h"

#define FRAMES_COMPARED 4096

/* A frame's function among the symbols. */
struct fit {
	const struct report_frame *frame;
	struct symbol sym;
	unsigned found; /* symbols of that name */
	bool sized;     /* sym has the size that the text says */
};

struct placing {
	struct report *r;
	struct target *t;
	bool symbols;          /* the target has a kernel's */
	unsigned sizes, equal; /* functions whose size the text says, and those that have it */
	/* addresses that the text has no function for: what calls return to, and how many of them
	 * lie behind calls */
	unsigned returns, calls;
	bool renamed; /* frames have another function than the text says */
	bool has_slide, force;
	bool slide_assumed; /* nothing tells it: addresses are taken as they are */
	uint64_t slide;     /* from the addresses of the text to those of the target */
	const char *slide_why;
};

/* The symbol of a frame's name, and of its size where several have the name. */
bool fit_find(struct placing *p, const struct report_frame *f, struct fit *ret);

/* match.c: compares the sizes of functions, and finds the slide where a frame has its address. */
void match_sizes(struct placing *p);
/* Sets r->match and r->match_why. */
void match_judge(struct placing *p);
/* Are the symbols good enough for lines, and for names? */
bool match_holds(const struct placing *p);

/* address.c: finds the slide where match_sizes() did not, and counts what lies behind calls. */
void address_measure(struct placing *p);
/* Names the frames of which the text has the address alone, and sets r->addresses_why. True: some
 * have got one. */
bool address_names(struct placing *p);

#endif
