/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a struct sbitmap_queue. */
#ifndef OBIT_SBITMAPQ_RECORD_H
#define OBIT_SBITMAPQ_RECORD_H

#include "core/linux/io/sbitmap_queue.h"
#include "core/shell/command.h"

extern const struct record_kind sbitmap_queue_kind;
/* tags NULL: no disk's. */
void emit_sbitmap_queue(struct ctx *c, const struct sbitmap_queue *q, const struct io_tags *tags);

#endif
