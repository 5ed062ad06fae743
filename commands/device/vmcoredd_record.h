/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drivers added to a dump. */
#ifndef OBIT_VMCOREDD_RECORD_H
#define OBIT_VMCOREDD_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind device_dump_kind, device_bytes_kind;
/* A row for each, or that there is none. */
void emit_device_dumps(struct ctx *c);
/* The bytes of number i; file, unless it is NULL: written there. */
bool emit_device_dump(struct ctx *c, uint64_t i, const char *file, struct err *err) MUST_CHECK;

#endif
