/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of devices, the same in every command that shows them. */
#ifndef OBIT_DEVICE_RECORD_H
#define OBIT_DEVICE_RECORD_H

#include "core/linux/device/device.h"
#include "core/shell/command.h"

extern const struct record_kind device_kind, device_tree_kind, device_detail_kind, waiting_kind,
	resource_kind, supplier_kind;

/* A row: what it is, and who drives it. */
void emit_device(struct ctx *c, const struct device *d);
/* The same as a line, indented by its depth. */
void emit_device_tree(struct ctx *c, const struct device *d, unsigned depth);
/* Everything about it. */
void emit_device_detail(struct ctx *c, const struct device *d);
/* What it waits for. */
void emit_waiting(struct ctx *c, const struct device *d);
void emit_resource(struct ctx *c, const struct resource *r, unsigned digits);
/* After a walk: where damage ended it, what it found stays shown, and a note says why it ended. */
bool emit_walked(struct ctx *c, bool ok, struct err *err) MUST_CHECK;

#endif
