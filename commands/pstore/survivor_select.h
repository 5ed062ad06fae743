/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands of the pstore family have in common: which records there are to show. */
#ifndef OBIT_SURVIVOR_SELECT_H
#define OBIT_SURVIVOR_SELECT_H

#include "core/shell/command.h"
#include "core/image/survivor.h"

/* Options; a command's own option struct has one of these in it. */
struct survivor_opts {
	const char *at, *size, *record, *console, *ftrace, *pmsg, *ecc, *cpus;
};
/* The rows of a command's option table; `type` is its struct, `member` its struct survivor_opts. */
#define SURVIVOR_OPTIONS(type, member)                                                           \
	OPT_STR("at", "address", type, member.at,                                                \
		"where the region begins: physical in a dump, else in the file"),                \
		OPT_STR("size", "bytes", type, member.size, "of the region"),                    \
		OPT_STR("record-size", "bytes", type, member.record,                             \
			"of a dmesg zone, as the kernel was given it"),                          \
		OPT_STR("console-size", "bytes", type, member.console, "of the console's zone"), \
		OPT_STR("ftrace-size", "bytes", type, member.ftrace,                             \
			"of all ftrace zones together"),                                         \
		OPT_STR("pmsg-size", "bytes", type, member.pmsg, "of the zone for user space"),  \
		OPT_STR("ecc", "bytes", type, member.ecc, "of parity a block; 0 none"),          \
		OPT_STR("cpus", "count", type, member.cpus, "that share the ftrace zone")

/* The records in the order of their numbers, which begin with 1: an array of *n in the command's
 * arena, never empty. Looks for them again where the options say how a region is divided.
 * ERR_USAGE; ERR_NOTFOUND where there are none. */
bool survivors_select(struct ctx *c, const struct survivor_opts *o,
		      const struct survivor *const **ret, size_t *n, struct err *err) MUST_CHECK;

#endif
