/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the process that reads a CTF trace hands to obit: records in a file. */
#ifndef OBIT_CTFWIRE_H
#define OBIT_CTFWIRE_H

#include <stdint.h>

/*
 * Each record is a head, its parts one behind the other, and zeros up to the next multiple of eight
 * bytes. Numbers are of the machine, for both processes are of one. The reader trusts none of it:
 * the process may have died in the middle of a record, and its library is fed by the trace.
 */
enum ctfwire_type {
	CTFWIRE_FORMAT = 1, /* parts: a system's name; an event's format, as tracefs has it */
	CTFWIRE_EVENT =
		2,       /* parts: the task's name; a call chain, 8 bytes each; the event's bytes */
	CTFWIRE_END = 3, /* the last one; parts: why there is no more, when something was wrong */
	CTFWIRE_LOST = 4 /* parts: what is not there of a stream, in words */
};
#define CTFWIRE_PARTS 3u
#define CTFWIRE_LOST_SOME UINT64_MAX /* lost: how many is not known */

struct ctfwire_head {
	uint32_t size; /* of the record, with this and the zeros */
	uint32_t type;
	uint32_t part[CTFWIRE_PARTS]; /* bytes of each part; those that it does not have are 0 */
	int32_t cpu, pid, tgid;       /* -1: not told */
	uint64_t ts, lost;
};

#endif
