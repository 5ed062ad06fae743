/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a neighbour. */
#ifndef OBIT_NEIGHBOUR_RECORD_H
#define OBIT_NEIGHBOUR_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind neighbour_kind;
/* Emits all neighbours, or yields them as struct neighbour. */
bool show_neighbours(struct ctx *c, struct err *err) MUST_CHECK;

#endif
