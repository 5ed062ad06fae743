/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hashes of pointers in messages of the log, and what they stand for.
 */
#ifndef OBIT_LOG_HASHES_H
#define OBIT_LOG_HASHES_H

#include "core/linux/log/printk.h"
#include "core/shell/command.h"

struct log_hashes;
/* In the command's arena, but for what hashes_release() gives back. */
struct log_hashes *hashes_new(struct ctx *c);
void hashes_release(struct log_hashes *h); /* h may be NULL */
/* Takes the hashes of a message: 16 hexadecimal digits, of which the first 8 are zeros and the
 * next 3 are not, that are no register's. */
void hashes_seek(struct log_hashes *h, const struct log_message *m);
/* Finds what stands behind those that were taken. ERR_UNSUPPORTED: the kernel is one of 32 bits,
 * whose hashes look like any other number, or hashed nothing. */
bool hashes_find(struct log_hashes *h, struct err *err) MUST_CHECK;
/* Appends a line for each pointer behind the hashes of the message, `indent` columns in. */
void hashes_text(struct buf *b, const struct log_hashes *h, const struct log_message *m,
		 size_t indent);
/* Sets a field of *r to the records of these pointers. */
void hashes_record(struct record *r, unsigned field, const struct log_hashes *h,
		   const struct log_message *m);

#endif
