/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of SipHash. Expectations: the vectors that its authors published for the key 00 01 ... 0f
 * and the messages 00 01 02 03 and 00 01 ... 07.
 */
#include "core/base/siphash.h"
#include "core/base/test.h"

static const struct siphash_key key = { { UINT64_C(0x0706050403020100),
					  UINT64_C(0x0f0e0d0c0b0a0908) } };

TEST(words_of_both_lengths)
{
	CHECK_U64(siphash_word(&key, UINT64_C(0x0706050403020100), 8),
		  UINT64_C(0x93f5f5799a932462));
	CHECK_U64(siphash_word(&key, 0x03020100, 4), UINT64_C(0xcf2794e0277187b7));
	/* of four bytes the rest of the word is not looked at */
	CHECK_U64(siphash_word(&key, UINT64_C(0xdead000003020100), 4),
		  UINT64_C(0xcf2794e0277187b7));
}

TEST_MAIN
