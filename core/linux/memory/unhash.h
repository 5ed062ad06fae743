/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointers that the kernel hid behind a hash when it printed them, and the search for them. */
#ifndef OBIT_UNHASH_H
#define OBIT_UNHASH_H

#include "core/base/siphash.h"
#include "core/image/target.h"

/* So many hashes are sought at once, and so many pointers are told of each. */
#define UNHASH_MAX 4096u
#define UNHASH_HITS_MAX 16u

/* Sets *ret to the key that "%p" was hashed with since boot (ptr_key in lib/vsprintf.c).
 * ERR_UNSUPPORTED: this kernel printed pointers as they are, or had no key yet when it died. */
bool pointer_key(struct target *t, struct siphash_key *ret, struct err *err) MUST_CHECK;
/* What the kernel printed for a pointer: the low 32 bits of its hash. NULL and the addresses of
 * error numbers are printed as they are, and for those this is not asked. */
uint32_t pointer_hash(const struct target *t, const struct siphash_key *key, uint64_t ptr);
/* Is ptr a pointer that "%p" hides? */
bool pointer_is_hidden(const struct target *t, uint64_t ptr);

/* Where pointers are sought, in this order. */
enum unhash_where {
	UNHASH_IMAGE,  /* every eighth byte of the kernel's image */
	UNHASH_STORED, /* words in memory that could be addresses of the kernel */
	UNHASH_PAGES,  /* struct pages */
	UNHASH_AREAS,  /* every eighth byte of vmalloc areas: stacks, modules */
	UNHASH_SLOTS,  /* every eighth byte of RAM, in the kernel's map of it */
	UNHASH_WHERES
};

struct unhash_hit {
	uint32_t hash;
	uint64_t ptr;
	enum unhash_where where;
	/* How many addresses were hashed before and with this kind of place. One in 2^32 has the
	 * hash by chance. */
	uint64_t tried;
};

struct unhash {
	struct target *t;
	const uint32_t *hashes; /* n of them, at most UNHASH_MAX */
	size_t n;
	bool all; /* goes on through every kind of place when all were found; then slots too that
		   * are so many that chance would find more than it should */
	bool (*fn)(const struct unhash_hit *hit, void *arg); /* false: stop */
	void *arg;
	uint64_t tried;     /* set: how many addresses were hashed */
	uint64_t missing;   /* set: pages that are not in the dump, whose words were not read */
	bool slots_skipped; /* set: see `all` */
};
/* Calls fn for each pointer that has one of the hashes: after each kind of place for those of that
 * kind, and no more once every hash has one. */
bool unhash_run(struct unhash *u, struct err *err) MUST_CHECK;

#endif
