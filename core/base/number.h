/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers out of text: the one place that reads digits. */
#ifndef OBIT_NUMBER_H
#define OBIT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* What a digit stands for, in bases up to 16: 7 for '7', 11 for 'b' and 'B'; 16 for any other
 * character, which is a digit of none. */
unsigned digit_value(char c);

/*
 * Reads the unsigned number whose digits begin at *s, reads no byte at or behind end, and moves *s
 * behind the last digit. end NULL: the text ends with its NUL. Neither blanks nor a sign are taken.
 *
 *   base 10   decimal digits: "12" of "12ab", "0" of "0x12"
 *   base 16   hexadecimal digits, with or without "0x" or "0X": 0x12 of "12", of "0x12"
 *   base 0    hexadecimal behind "0x" or "0X", else decimal: 12 of "12", of "012"; 0x12 of "0x12"
 *
 * False: no digit is there, or the number does not fit 64 bits; *s and *ret stay as they were.
 */
bool number_take(const char **s, const char *end, unsigned base, uint64_t *ret);
/* Is the whole of s such a number? *ret is set when it is. */
bool number_parse(const char *s, unsigned base, uint64_t *ret);

#endif
