/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SipHash-2-4 of a message that is one word long. */
#include "core/base/siphash.h"

static inline uint64_t rotate(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static inline void sip_rounds(uint64_t v[4], unsigned rounds)
{
	while (rounds--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static inline void sip_block(uint64_t v[4], uint64_t block)
{
	v[3] ^= block;
	sip_rounds(v, 2);
	v[0] ^= block;
}

uint64_t siphash_word(const struct siphash_key *key, uint64_t word, unsigned bytes)
{
	/* the ASCII of "somepseudorandomlygeneratedbytes" */
	uint64_t v[4] = { key->key[0] ^ UINT64_C(0x736f6d6570736575),
			  key->key[1] ^ UINT64_C(0x646f72616e646f6d),
			  key->key[0] ^ UINT64_C(0x6c7967656e657261),
			  key->key[1] ^ UINT64_C(0x7465646279746573) };
	uint64_t last = (uint64_t)bytes << 56;

	if (bytes == 8)
		sip_block(v, word);
	else
		last |= word & UINT32_MAX;
	sip_block(v, last);
	v[2] ^= 0xff;
	sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
