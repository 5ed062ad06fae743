/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug info by build-id in folders that were named with --debug. */
#ifndef OBIT_DEBUGFOLDER_H
#define OBIT_DEBUGFOLDER_H

#include "core/image/target.h"

/* Sets *ret to the path, in the target's arena, of the vmlinux of this build-id: of the links that
 * distributions make in .build-id, or else any file in the folders that is named like one and has
 * it. False: the folders have none. */
bool debugfolder_find(struct target *t, const uint8_t *id, size_t n, const char **ret);

#endif
