/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a counter of /proc/vmstat. */
#ifndef OBIT_VMSTAT_RECORD_H
#define OBIT_VMSTAT_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind vmstat_kind;

/* Emits every counter; what cannot be read is noted. */
bool emit_vmstat(struct ctx *c, struct err *err) MUST_CHECK;

#endif
