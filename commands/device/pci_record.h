/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PCI devices as records. */
#ifndef OBIT_PCI_RECORD_H
#define OBIT_PCI_RECORD_H

#include "core/linux/device/device.h"
#include "core/shell/command.h"

extern const struct record_kind pci_kind;
void emit_pci(struct ctx *c, const struct device *d);

#endif
