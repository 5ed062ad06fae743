/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One zone of persistent RAM: its header, its parity, its ring. */
#ifndef OBIT_RAMOOPS_ZONE_H
#define OBIT_RAMOOPS_ZONE_H

#include "core/base/arena.h"
#include "core/base/bytes.h"
#include "core/image/survivor.h"

/*
 * fs/pstore/ram_core.c, struct persistent_ram_buffer: u32 signature, u32 start (where the next byte
 * goes), u32 size (of what is valid), all of the kernel's byte order, then the data, then parity.
 */
#define ZONE_HEADER 12u
#define ZONE_SIG 0x43474244u /* "DBGC" */
#define ZONE_MAX ((uint64_t)16 << 20)
#define ECC_BLOCK 128u
#define ECC_MAX 100u

struct zone_head {
	uint32_t sig, start, size;
};
struct zone_head zone_head_load(const uint8_t *p, bool big);

/* Reed-Solomon over GF(2^8), polynomial 0x11d, first root 0 (include of lib/reed_solomon by
 * ram_core.c): shortened words of up to 128 bytes and `roots` of parity. */
struct rs;
/* Makes the code with so many roots, which rs_close() frees. NULL: there is no such code. */
struct rs *rs_open(unsigned roots);
void rs_close(struct rs *rs);
unsigned rs_roots(const struct rs *rs);
/* Computes the parity of n bytes of data, 1 to 128. */
void rs_parity(const struct rs *rs, const uint8_t *data, size_t n, uint8_t *parity);
/* Corrects the n bytes of data, and returns how many bytes were wrong, those of the parity
 * included; -1: too many were. */
int rs_correct(struct rs *rs, uint8_t *data, size_t n, const uint8_t *parity);

/* How a zone is divided into header, data and parity. */
struct zone_room {
	uint64_t data; /* bytes for data, behind the header */
	uint64_t blocks;
	uint64_t parity, head_parity; /* offsets from the zone's begin */
};
bool zone_divide(uint64_t size, unsigned ecc, struct zone_room *ret);
/* Does the zone's header have parity of the code rs, and is that right? */
bool zone_head_protected(const struct rs *rs, unsigned ecc, struct span zone);

struct ramoops_zone {
	uint64_t off, size; /* in the region */
	enum survivor_type type;
	uint32_t code; /* what its signature differs by, as struct ramoops_layout has it; 0: nothing
			*/
	bool inferred; /* its header is damaged; that it is here follows from where others are */
};

struct zone_data {
	struct zone_head head;
	bool head_ok; /* the header makes sense, perhaps after it was corrected */
	bool empty, stale;
	struct span data; /* corrected, the oldest byte first */
	size_t good; /* how many bytes stand before the first block that is lost; SIZE_MAX: none is
		      */
	unsigned corrected, lost, doubtful;
};
/* Reads a zone of a region. ret->data is in the arena, or points into the region. rs NULL: the zone
 * has no parity. */
void zone_read(struct rs *rs, unsigned ecc, bool big, struct span region,
	       const struct ramoops_zone *z, struct arena *a, struct zone_data *ret);

#endif
