/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What obit and the process that reads a dump with libkdumpfile hand to each other. */
#ifndef OBIT_LIBKDUMPFILE_WIRE_H
#define OBIT_LIBKDUMPFILE_WIRE_H

#include <stddef.h>
#include <stdint.h>

/*
 * First the process writes what it learns of the dump into a file: records, each a head, a name,
 * data, and zeros up to the next multiple of eight bytes. Then it answers requests for pages, whose
 * bytes it leaves in memory that both have. Numbers are of the machine, for both processes are of
 * one. obit trusts none of it: the library is fed by the dump.
 */
enum kd_fact_type {
	KD_TEXT = 1, /* name: an attribute of the library's; data: its text */
	KD_NUMBER,   /* name: an attribute; number */
	KD_NOTES,    /* data: ELF notes, one set of registers a CPU, and VMCOREINFO */
	KD_REGISTER, /* name: of a register; cpu; number */
	KD_PAGES,    /* data: addresses that can be read, pairs of { first, bytes } of 64 bits */
	KD_RAM,      /* data: the same of what was memory */
	KD_FAILED,   /* data: why the dump cannot be opened; number: an enum err_code */
	KD_END       /* the last one */
};

struct kd_fact {
	uint32_t size; /* of the record, with this and the zeros */
	uint32_t type;
	uint32_t name_n, data_n;
	uint32_t cpu, zero;
	uint64_t number;
};

#define KD_PAGE 4096u
#define KD_BATCH 256u /* pages in one request, at most */
#define KD_WINDOWS 2u
#define KD_WHY 124u

/* How reading a page went. */
enum kd_state {
	KD_OK,
	KD_ABSENT,  /* it is not in the file */
	KD_ENDED,   /* the file ended before it */
	KD_DAMAGED, /* anything else; `why` says what */
	KD_DIED     /* obit's own: the library died of it */
};

struct kd_window {
	struct kd_page {
		uint32_t state;
		char why[KD_WHY];
	} page[KD_BATCH];
	uint8_t bytes[KD_BATCH][KD_PAGE];
};

/* A message to the process; its answer is an uint32_t, what was done. */
struct kd_request {
	uint64_t pa;
	uint32_t n, window;
};

#endif
