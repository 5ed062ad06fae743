/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capstone, which is not linked but loaded by need: its functions may be called after this one. */
#ifndef OBIT_CAPSTONE_H
#define OBIT_CAPSTONE_H

#include <capstone/capstone.h>

#include "core/base/err.h"

/* Loads the library; further calls say what the first found. ERR_NEED: it is not installed, or not
 * in the version that obit was built with. */
bool capstone_load(struct err *err) MUST_CHECK;

#endif
