/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libfec, loaded when it is needed. Few systems have its header, so what is used of it is declared
 * here. */
#ifndef OBIT_FEC_H
#define OBIT_FEC_H

#include "core/base/err.h"

/* False: it is not installed, and init_rs_char() will return NULL. The others of its functions are
 * called only with what that returned. */
bool fec_load(struct err *err) MUST_CHECK;

/*
 * Reed-Solomon over symbols of at most 8 bits; rs_char(3) of libfec describes them. init: the
 * field's polynomial, the first root and the distance of roots, how many there are, and how many
 * symbols a block is shorter than the longest; free_rs_char() frees what it returns. encode: writes
 * the roots' parity of data. decode: mends data in place, and returns how many symbols were wrong,
 * or -1 when they were too many; eras_pos may be NULL.
 */
void *init_rs_char(int symsize, int gfpoly, int fcr, int prim, int nroots, int pad);
void encode_rs_char(void *rs, unsigned char *data, unsigned char *parity);
int decode_rs_char(void *rs, unsigned char *data, int *eras_pos, int no_eras);
void free_rs_char(void *rs);

#endif
