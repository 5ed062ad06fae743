/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine and its end as records. */
#ifndef OBIT_SYSTEM_RECORD_H
#define OBIT_SYSTEM_RECORD_H

#include "core/image/target.h"
#include "core/linux/misc/system.h"
#include "core/shell/command.h"

extern const struct record_kind system_kind, system_taint_kind, dmi_kind;

/* All facts; an unknown one says why in its place, and in JSON is null with a note. */
void emit_system(struct ctx *c, const struct system *s);
/* A record for each reason why the kernel is tainted. */
bool emit_system_taint(struct ctx *c, const struct system *s, struct err *err) MUST_CHECK;
/* A record for each string that the firmware has for the machine (DMI). ERR_NOSYM: this kernel
 * has none. */
bool emit_system_dmi(struct ctx *c, struct err *err) MUST_CHECK;
/* What CONFIG_IKCONFIG keeps. */
extern const struct record_kind config_kind;
bool emit_kernel_config(struct ctx *c, struct err *err) MUST_CHECK;

#endif
