/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bytes of a string may be shown as they are, and how the others are. Strings come from dead
 * kernels and damaged files; a terminal obeys escape sequences, and readers take a line for a line.
 */
#ifndef OBIT_TEXT_H
#define OBIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the UTF-8 character at s; 0 when it is none (overlong, surrogate, too large, cut). n is
 * at least 1. */
size_t text_char(const char *s, size_t n);
/* The number of the character at s, of which text_char() said that it has n bytes. */
uint32_t text_number(const char *s, size_t n);
/* The same as text_char(), and 0 as well for characters that do something instead of being seen:
 * controls (U+0000 to U+001F with newline and tab, U+007F to U+009F), the separators of lines and
 * paragraphs, and those that turn the direction of writing. Their bytes are to be escaped, one by
 * one. */
size_t text_shown(const char *s, size_t n);
/* May all of the string s be shown as it is? */
bool text_is_plain(const char *s);
/* Writes the escape of the byte c and a NUL into `to`: "\n", "\r", "\t", or as "\x1b" for any other
 * byte. Returns the escape's length. */
#define TEXT_ESCAPE_SIZE 5
size_t text_escape(unsigned char c, char to[TEXT_ESCAPE_SIZE]);

#endif
