/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build-ids: the linker's own name for what it made, in an ELF note. */
#ifndef OBIT_BUILD_ID_H
#define OBIT_BUILD_ID_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

#define BUILD_ID_MAX 32

/* Finds the build-id among the notes of a section, of either order of bytes, and sets *n to its
 * bytes. False: none is there, or it is longer than BUILD_ID_MAX. */
bool build_id_find(struct span notes, uint8_t id[BUILD_ID_MAX], size_t *n);
/* The build-id as hexadecimal digits; in the arena. */
const char *build_id_text(struct arena *a, const uint8_t *id, size_t n);
/* The build-id of `len` lower-case hexadecimal digits. False: text is something else, or too long.
 */
bool build_id_parse(const char *text, size_t len, uint8_t id[BUILD_ID_MAX], size_t *n);

#endif
