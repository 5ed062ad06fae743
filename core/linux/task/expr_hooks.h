/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What expressions ask of the kernel. */
#ifndef OBIT_EXPR_HOOKS_H
#define OBIT_EXPR_HOOKS_H

#include "core/types/expr.h"

/* For expr_eval(): per-CPU variables, "$current" and the task that panicked. */
extern const struct expr_hooks expr_percpu;

#endif
