/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the prompt: the file of lines typed before, which several sessions write at once. */
#ifndef OBIT_HISTORY_H
#define OBIT_HISTORY_H

#include "core/base/buf.h"
#include "core/base/err.h"

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

/* Does the line ask for one that was typed before? "!!" and "r" mean the last one, "!12" and "r 12"
 * the one that h numbers so, "!-2" the last but one, "r bt" the last that begins so. Then *ret is
 * set to that line, which lives until the history grows, or to NULL, with the reason in *err.
 * line(i, ret) gives the i-th line from the oldest on; false: there are no more. */
bool history_recall(const char *typed, bool (*line)(size_t i, const char **ret), const char **ret,
		    struct err *err) MUST_CHECK;

#endif
