/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the prompt: the file of lines typed before, which several sessions write at once. */
#ifndef OBIT_HISTORY_H
#define OBIT_HISTORY_H

#include "core/base/buf.h"

/* The file never grows beyond this; when it would, the older half of it goes. */
#define HISTORY_BYTES_MAX (1 << 20)

/* $XDG_STATE_HOME/obit/history, or under ~/.local/state; empty when there is no home. */
void history_file_path(struct buf *path);
/* Calls fn for each line that is kept, the oldest first. None when the file cannot be read. */
void history_file_each(const char *path, void (*fn)(const char *line));
/* Puts a line behind the others, whoever wrote those; it is in the file when this returns. The file
 * and its folder are made for the person alone. That it cannot be written is nobody's concern. */
void history_file_add(const char *path, const char *line);

#endif
