/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a page frame's number and its address.
 */
#ifndef OBIT_FRAME_NUMBER_RECORD_H
#define OBIT_FRAME_NUMBER_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind frame_number_record;

/* Emits one for each operand: with to_number operands are addresses, else page frame numbers. */
bool emit_frame_numbers(struct ctx *c, bool to_number, struct err *err) MUST_CHECK;

#endif
