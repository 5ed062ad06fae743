/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CTF streams that are cut off, of which the library reads nothing: a trace is made of what is
 * whole. In the process that reads it. */
#ifndef OBIT_CTFMEND_H
#define OBIT_CTFMEND_H

#include "readers/ctf/babeltrace.h"

/*
 * Makes a trace, in the empty folder `to`, of what is whole of the one in the folder `from`: its
 * packets, and of a packet that is cut the events in front of the cut. lost() is called with a
 * sentence, and arg, for each stream that is not all there. Nothing but the library knows where an
 * event ends, so it is asked. Returns the folder of the new trace, in ret; false: none could be
 * made.
 */
#define CTF_MEND_PATH 512u
bool ctf_mend(const struct babeltrace *bt, const char *from, const char *to,
	      void (*lost)(void *arg, const char *text), void *arg, char ret[CTF_MEND_PATH]);
/* Removes the folder and what ctf_mend() put into it. */
void ctf_mend_remove(const char *to);

#endif
