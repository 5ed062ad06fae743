/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SipHash-2-4 of one word, as the kernel hides pointers with it.
 */
#ifndef OBIT_SIPHASH_H
#define OBIT_SIPHASH_H

#include <stdint.h>

struct siphash_key {
	uint64_t key[2];
};
/* The hash of the low `bytes` bytes of word, 4 or 8, the lowest first. Source: Aumasson and
 * Bernstein, "SipHash: a fast short-input PRF", 2012. */
uint64_t siphash_word(const struct siphash_key *key, uint64_t word, unsigned bytes);

#endif
