/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of waits as a picture. */
#ifndef OBIT_WAIT_SVG_H
#define OBIT_WAIT_SVG_H

#include "core/base/buf.h"
#include "core/records/wait_drawing.h"

/* Appends the picture of the waits that show() takes as lines of SVG, an element <svg> with a style
 * of its own and without scripts. */
void wait_svg(struct buf *b, const struct wait_graph *g, wait_shown_fn *show);

#endif
