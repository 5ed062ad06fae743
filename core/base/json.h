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
/* Where the elements of an array begin: of s itself, or of its member `key`. The array need not
 * have an end, for files are cut. False: there is no such array. */
bool json_array(const char *s, size_t n, const char *key, size_t *at);
/* Sets *ret and *len to the next element of an array that goes on at *at, and moves *at behind it.
 * False: there is none that is whole. */
bool json_element(const char *s, size_t n, size_t *at, const char **ret, size_t *len);
/* A member of an object: its key, between the quotes, and its value. */
struct json_pair {
	const char *key, *value;
	size_t key_n, value_n;
};
/* The same for the members of an object; *at is 0 at first. */
bool json_next(const char *s, size_t n, size_t *at, struct json_pair *ret);
/* Writes the string at value, which is of n bytes with its quotes, without quotes and escapes and
 * with a NUL to `to`, which has room for n bytes. Returns the bytes without the NUL; 0 as well when
 * it is no string. */
size_t json_string(const char *value, size_t n, char *to);
/* Is s, all n bytes of it, one object? Values are not looked into further than their ends. */
bool json_is_object(const char *s, size_t n);

#endif
