/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build-ids: the linker's own name for what it made, in an ELF note. */
#ifndef OBIT_BUILD_ID_H
#define OBIT_BUILD_ID_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

#define BUILD_ID_MAX 32

/* Among the notes of one section (little-endian); false: none, or none that fits. */
bool build_id_find(struct span notes, uint8_t id[BUILD_ID_MAX], size_t *n);
/* As hexadecimal digits. */
const char *build_id_text(struct arena *a, const uint8_t *id, size_t n);
/* Of so many lower-case hexadecimal digits; false: they are none, or too many. */
bool build_id_parse(const char *text, size_t len, uint8_t id[BUILD_ID_MAX], size_t *n);

#endif
