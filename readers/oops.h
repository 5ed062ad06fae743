/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as the reader of reports takes them. */
#ifndef OBIT_READERS_OOPS_H
#define OBIT_READERS_OOPS_H

#include "core/base/bytes.h"

/* Are the first bytes of s mostly letters, as of neither a dump nor a program? */
bool text_is(struct span s);

#endif
