/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads single members out of a JSON object that stands on a line, such as obit's own records. */
#ifndef OBIT_JSON_H
#define OBIT_JSON_H

#include "core/base/arena.h"

/* Sets *ret to where the value of the member `key` stands in the object of n bytes at s, and *len
 * to its bytes. Members of objects within it are not looked at, and the key must be spelled without
 * escapes. False: there is no such member, or s is no object. */
bool json_member(const char *s, size_t n, const char *key, const char **ret, size_t *len);
/* The same for a member that is a string: its text, without quotes and escapes, in the arena. NULL:
 * there is none such, or it is no string. */
const char *json_member_str(struct arena *a, const char *s, size_t n, const char *key);
/* The same for one that is a number without sign and fraction. */
bool json_member_uint(const char *s, size_t n, const char *key, uint64_t *ret);
/* Is s, all n bytes of it, one object? Values are not looked into further than their ends. */
bool json_is_object(const char *s, size_t n);

#endif
