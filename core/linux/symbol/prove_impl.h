/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the proofs of variables share: each sets addr and size, or is false. */
#ifndef OBIT_PROVE_IMPL_H
#define OBIT_PROVE_IMPL_H

#include "core/image/target.h"

/* The head of a list that is known by an entry, or by code that uses it. */
bool list_prove(struct target *t, const char *name, struct symbol *ret) MUST_CHECK;
/* What there is only once in the image, or what a function is known to use. */
bool image_prove(struct target *t, const char *name, struct symbol *ret) MUST_CHECK;
/* The per-CPU variable "runqueues", by the idle tasks. */
bool runqueues_prove(struct target *t, struct symbol *ret) MUST_CHECK;

#endif
