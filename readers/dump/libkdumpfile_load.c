/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libkdumpfile, loaded when a dump needs it: linked, every start of obit would pay for it. */
#include "readers/dump/libkdumpfile_load.h"

#include <dlfcn.h>

/* The Makefile asks the library that obit is built with. */
#ifndef LIBKDUMPFILE_SONAME
#define LIBKDUMPFILE_SONAME "libkdumpfile.so.10"
#endif

bool libkdumpfile_load(struct libkdumpfile *ret, struct err *err)
{
	void *lib = dlopen(LIBKDUMPFILE_SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return err_set(
			err, ERR_NEED,
			LIBKDUMPFILE_SONAME
			" is not installed, which reads dumps of this form (Debian: libkdumpfile-dev "
			"has it)");
#define F(name, function)                                                  \
	ret->name = (__typeof__(ret->name))dlsym(lib, "kdump_" #function); \
	if (!ret->name)                                                    \
		return err_set(err, ERR_NEED, LIBKDUMPFILE_SONAME " is too old");
	LIBKDUMPFILE_FUNCTIONS(F)
#undef F
	return true;
}
