/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether one of many strings is in a text, in one pass. */
#ifndef OBIT_CUES_H
#define OBIT_CUES_H

#include <stdbool.h>
#include <stddef.h>

#define CUES_MAX 512u  /* so many strings are taken */
#define CUE_LENGTH 64u /* and so many bytes of each */

/* Strings of at least five bytes, which have to outlive the set. free() releases it. */
struct cues *cues_new(const char *const *texts, size_t n);
/* Is one of them in the n bytes at p? */
bool cues_in(const struct cues *c, const char *p, size_t n);

#endif
