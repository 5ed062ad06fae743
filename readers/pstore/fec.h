/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libfec, loaded when it is needed; <fec.h> has its functions. */
#ifndef OBIT_FEC_H
#define OBIT_FEC_H

#include "core/base/err.h"

/* False: it is not installed, and init_rs_char() will return NULL. The others of its functions are
 * called only with what that returned. */
bool fec_load(struct err *err) MUST_CHECK;

#endif
