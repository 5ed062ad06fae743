/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A print format for events of recordings that come without one. */
#ifndef OBIT_DAT_FORMAT_H
#define OBIT_DAT_FORMAT_H

#include "core/base/buf.h"
#include "core/trace/format.h"

/* Appends a print format in which each field of the event is printed by its name: libtraceevent
 * calls a format that has none a failure in each row. */
void dat_print_fmt(const struct trace_format *f, struct buf *ret);

#endif
