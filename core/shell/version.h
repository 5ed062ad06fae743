/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to main: which obit this is. */
#ifndef OBIT_VERSION_H
#define OBIT_VERSION_H

/* "0.1", or "0.1 (7bf6c0d1a2b3)" with the commit where it was built from a clone. The Makefile has
 * the number, and makes the file that defines this; what is linked with the program alone may use
 * it, so that a commit compiles one small file and links once. */
extern const char obit_version[];

#endif
