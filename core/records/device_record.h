/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of devices, the same in every command that shows them. */
#ifndef OBIT_DEVICE_RECORD_H
#define OBIT_DEVICE_RECORD_H

#include "core/linux/device/device.h"
#include "core/shell/command.h"

extern const struct record_kind device_kind, device_tree_kind, device_detail_kind, waiting_kind,
	resource_kind, supplier_kind;

/* Emits a row of a table of devices. */
void emit_device(struct ctx *c, const struct device *d);
/* Emits a line of a tree of devices; depth is how many devices it hangs below. */
void emit_device_tree(struct ctx *c, const struct device *d, unsigned depth);
/* Emits everything that is known of a device. */
void emit_device_detail(struct ctx *c, const struct device *d);
/* Emits why a device's probe was put off, and what it needs. */
void emit_waiting(struct ctx *c, const struct device *d);
/* Emits a range of memory or of I/O ports, its addresses with at least so many digits. */
void emit_resource(struct ctx *c, const struct resource *r, unsigned digits);
/* Called with what a walk returned. A walk that damaged evidence ended did not fail: what it found
 * is shown, and a note says why it ended. */
bool emit_walked(struct ctx *c, bool ok, struct err *err) MUST_CHECK;

#endif
