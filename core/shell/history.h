/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the prompt: the file of lines typed before, which several sessions write at once. */
#ifndef OBIT_HISTORY_H
#define OBIT_HISTORY_H

#include "core/base/buf.h"

/* The largest size of the file; when it would grow beyond that, its older half is dropped. */
#define HISTORY_BYTES_MAX (1 << 20)

/* Appends the file's path: $XDG_STATE_HOME/obit/history, or that below ~/.local/state. Appends
 * nothing when the person has no home. */
void history_file_path(struct buf *path);
/* Calls fn for each line of the file, the oldest first; for none when it cannot be read. */
void history_file_each(const char *path, void (*fn)(const char *line));
/* Adds a line at the file's end, whichever sessions wrote there meanwhile. The file and its folder
 * are made when they are missing, and nobody else may read them. Failures are not told. */
void history_file_add(const char *path, const char *line);

#endif
