/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of input and output that was under way. */
#ifndef OBIT_IO_RECORD_H
#define OBIT_IO_RECORD_H

#include "core/linux/io/io.h"
#include "core/shell/command.h"

extern const struct record_kind io_request_kind, io_layer_kind, io_bio_kind, rpc_call_kind,
	writeback_kind, writeback_work_kind, disk_kind;

void emit_io_request(struct ctx *c, const struct io_request *r);
void emit_io_bio(struct ctx *c, const struct io_bio *b);
void emit_rpc_call(struct ctx *c, const struct rpc_call *r);
void emit_writeback(struct ctx *c, const struct writeback *w);
/* Emits a row for a queue: its disk, its driver, and how much was under way in it. */
void emit_io_queue(struct ctx *c, const struct io_queue *q);
/* How a command calls what reads input and output: what is damaged becomes a note. */
struct io_call io_call_of(struct ctx *c);

#endif
