/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who built a kernel, and which of their packages has its debug info. */
#ifndef OBIT_DISTRIBUTION_H
#define OBIT_DISTRIBUTION_H

#include "core/base/arena.h"
#include "core/base/err.h"

/* Strings live in the arena, or for ever. */
struct debug_package {
	const char *distribution;
	const char
		*package; /* with the debug info of the kernel and of the modules it comes with */
	const char *command; /* that installs it on that distribution, as root */
	const char *note;    /* what has to be known beside it; NULL: nothing */
};

/* Finds the package by the kernel's release ("uname -r") and its banner, or that part of it that is
 * "uname -v"; banner may be NULL. Distributions mark both: in the banner the version of Debian's
 * package, Ubuntu's "-Ubuntu" behind the build's number, and SUSE's builder; in the release
 * Fedora's
 * ".fc39." and the ".el9." of RHEL and what is built of it. Who builds on one of these systems or
 * for it has other marks, and other packages. ERR_NOTFOUND: none of these built it. ERR_FORMAT: the
 * release has characters that none has, so that nobody should type a command made of it. */
bool debug_package_of(struct arena *a, const char *release, const char *banner,
		      struct debug_package *ret, struct err *err) MUST_CHECK;

#endif
