/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libfec, loaded when a zone of persistent RAM has parity: few ever need it, and some systems do
 * not have it. These stand for its functions of the same names. */
#include "readers/pstore/fec.h"

#include <dlfcn.h>
#include <stddef.h>

#define SONAME "libfec.so.0"

static struct {
	bool tried, ok;
	__typeof__(init_rs_char) *init;
	__typeof__(encode_rs_char) *encode;
	__typeof__(decode_rs_char) *decode;
	__typeof__(free_rs_char) *free;
} real;

bool fec_load(struct err *err)
{
	void *lib = real.tried ? NULL : dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);

	real.tried = true;
	if (lib)
		real.ok = (real.init = dlsym(lib, "init_rs_char")) &&
			  (real.encode = dlsym(lib, "encode_rs_char")) &&
			  (real.decode = dlsym(lib, "decode_rs_char")) &&
			  (real.free = dlsym(lib, "free_rs_char"));
	return real.ok ||
	       err_set(err, ERR_NEED,
		       "what the parity of pstore's zones could mend is not mended: " SONAME
		       " is not installed (Debian: libfec0)");
}

void *init_rs_char(int symsize, int gfpoly, int fcr, int prim, int nroots, int pad)
{
	struct err ignored;

	return fec_load(&ignored) ? real.init(symsize, gfpoly, fcr, prim, nroots, pad) : NULL;
}

void encode_rs_char(void *rs, unsigned char *data, unsigned char *parity)
{
	real.encode(rs, data, parity);
}

int decode_rs_char(void *rs, unsigned char *data, int *eras_pos, int no_eras)
{
	return real.decode(rs, data, eras_pos, no_eras);
}

void free_rs_char(void *rs)
{
	real.free(rs);
}
