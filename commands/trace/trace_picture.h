/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a picture in a file. */
#ifndef OBIT_TRACE_PICTURE_FILE_H
#define OBIT_TRACE_PICTURE_FILE_H

#include "core/trace/export/export.h"
#include "commands/trace/trace_select.h"

/* Writes the chosen events as SVG, or as a page of HTML with a legend. Damage is noted. False: as
 * why there is nothing to draw, or ERR_IO. */
bool trace_picture(struct ctx *c, struct trace_choice *ch, bool html, struct export_out *out,
		   struct export_counts *ret, struct err *err) MUST_CHECK;

#endif
