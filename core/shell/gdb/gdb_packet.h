/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of gdb's remote protocol: the GDB manual, appendix E. What comes is hostile: any program
 * of the machine, even a page in a browser, may send it. */
#ifndef OBIT_GDB_PACKET_H
#define OBIT_GDB_PACKET_H

#include "core/base/buf.h"

#define GDB_PACKET_MAX ((size_t)0x4000) /* bytes between '$' and '#' */

enum gdb_event {
	GDB_MORE,      /* nothing whole has come yet */
	GDB_PACKET,    /* a packet */
	GDB_ACK,       /* the last answer came well */
	GDB_RESEND,    /* it did not */
	GDB_INTERRUPT, /* Ctrl-C */
	GDB_DAMAGED,   /* a packet whose checksum is wrong, or that has no end */
	GDB_STRANGE    /* no gdb sends this */
};
/* Finds out what the n bytes at s, which came and were not taken yet, begin with, and sets *taken
 * to how many of them that is. Of a packet *ret and *len are set to what it says, in place, without
 * escapes, and ended by a NUL that does not count. */
enum gdb_event gdb_packet_next(char *s, size_t n, size_t *taken, const char **ret, size_t *len);
/* Appends the packet that says the n bytes at s; none of them may be one of "#$*}". */
void gdb_packet_add(struct buf *b, const char *s, size_t n);
/* Appends n bytes as two digits each. */
void gdb_hex_add(struct buf *b, const void *bytes, size_t n);
/* Appends the bytes that the n digits at s stand for. False: they are no pairs of digits. */
bool gdb_hex_read(struct buf *b, const char *s, size_t n);
/* Reads two hexadecimal numbers, "1f,20". False: that is not all of s, or one is too large. */
bool gdb_two_numbers(const char *s, uint64_t *first, uint64_t *second);

#endif
