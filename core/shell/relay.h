/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command in parts that several processes do: what they emit comes out as if one had done all. */
#ifndef OBIT_RELAY_H
#define OBIT_RELAY_H

#include "core/image/parts.h"
#include "core/shell/command.h"

/*
 * Records are made into text or JSON by whoever does the part, but for the columns of tables, which
 * depend on other rows. Notes and what stderr is told come beside them and are counted in one
 * place. Nothing else that a part changes is there afterwards.
 */
struct relay {
	struct ctx *c;
	struct ctx *inner; /* another one that parts emit with; NULL: none */
	size_t n;          /* parts */
	bool alone;        /* this process does all of them */
	/* Does a part, as a command would: emit(), note(), complain(). False: *err ends it all. */
	bool (*part)(struct relay *r, size_t i, void *arg, struct err *err);
	/* Appends what a part is called, for a note that it was lost: "tasks 1 to 16". */
	void (*name)(struct buf *b, size_t i, void *arg);
	/* The rest may be NULL. May other processes begin, behind the first part? */
	bool (*ready)(void *arg);
	/* Is the record, which another process made, to be printed? */
	bool (*wanted)(const struct record_kind *kind, void *arg);
	/* Is told, in the process that asked, what relay_say() said. */
	void (*said)(uint64_t what, void *arg);
	void *arg;

	/* private */
	struct parts *parts;
	struct sink_ops ops;
	const struct sink_ops *inner_ops;
	struct buf made;
	uint64_t told; /* by the session, before the part at hand */
};
bool relay_run(struct relay *r, struct err *err) MUST_CHECK;
/* Says a number to the process that asked, which may be this one. */
void relay_say(struct relay *r, uint64_t what);
/* Is this the process that asked? */
bool relay_is_here(const struct relay *r);

#endif
