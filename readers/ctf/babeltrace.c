/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libbabeltrace2, loaded when a CTF trace is read: linked, every start of obit would pay for it. */
#include "readers/ctf/babeltrace.h"

#include <dlfcn.h>

#define SONAME "libbabeltrace2.so.0"

bool babeltrace_load(struct babeltrace *ret, struct err *err)
{
	void *lib = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return err_set(err, ERR_NEED,
			       "no CTF can be read: " SONAME
			       " is not installed (Debian: libbabeltrace2-0)");
#define F(name, function)                                               \
	ret->name = (__typeof__(ret->name))dlsym(lib, "bt_" #function); \
	if (!ret->name)                                                 \
		return err_set(err, ERR_NEED, "no CTF can be read: " SONAME " is too old");
	BABELTRACE_FUNCTIONS(F)
#undef F
	return true;
}
