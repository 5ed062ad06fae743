/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libkdumpfile, loaded in the process that reads a dump with it, and nowhere else. */
#ifndef OBIT_LIBKDUMPFILE_LOAD_H
#define OBIT_LIBKDUMPFILE_LOAD_H

#include <libkdumpfile/kdumpfile.h>

#include "core/base/err.h"

/* The functions that are used, each under its name without "kdump_". */
#define LIBKDUMPFILE_FUNCTIONS(F)           \
	F(attr_iter_start, attr_iter_start) \
	F(attr_iter_next, attr_iter_next)   \
	F(attr_iter_end, attr_iter_end)     \
	F(attr_ref_get, attr_ref_get)       \
	F(blob_pin, blob_pin)               \
	F(blob_size, blob_size)             \
	F(bmp_clear, bmp_find_clear)        \
	F(bmp_set, bmp_find_set)            \
	F(create, new)                      \
	F(error, get_err)                   \
	F(destroy, free)                    \
	F(get, get_attr)                    \
	F(open, open_fdset)                 \
	F(read, read)                       \
	F(set, set_attr)

struct libkdumpfile {
#define F(name, function) __typeof__(kdump_##function) *name;
	LIBKDUMPFILE_FUNCTIONS(F)
#undef F
};

/* Fills *ret. ERR_NEED: the library is not installed, or lacks a function. */
bool libkdumpfile_load(struct libkdumpfile *ret, struct err *err) MUST_CHECK;

#endif
