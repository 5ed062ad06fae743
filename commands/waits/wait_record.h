/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of who waits for whom. */
#ifndef OBIT_WAIT_RECORD_H
#define OBIT_WAIT_RECORD_H

#include "core/linux/wait/wait.h"
#include "core/shell/command.h"

extern const struct record_kind wait_kind_record, wait_cycle_kind, wait_chain_kind, wait_crowd_kind,
	wait_dot_kind, wait_svg_kind, wait_cpu_kind;

/* Emits a task that waits; people see nothing of it when `quiet`. */
void emit_wait(struct ctx *c, const struct wait_graph *g, const struct wait_edge *e, bool quiet);
/* Emits a cycle, or a chain. */
void emit_wait_path(struct ctx *c, const struct wait_graph *g, const struct record_kind *kind,
		    const struct wait_path *p);
/* Emits an object and how many wait for it. */
void emit_wait_crowd(struct ctx *c, const struct wait_graph *g, const struct wait_object *o);
/* Emits what a CPU was doing; people see it if it is notable. */
void emit_wait_cpu(struct ctx *c, const struct wait_graph *g, const struct wait_cpu_state *s);
/* Emits the graph of the edges that show() takes, in the language of graphviz. */
void emit_wait_dot(struct ctx *c, const struct wait_graph *g,
		   bool (*show)(const struct wait_graph *g, const struct wait_edge *e));

/* The same as lines of SVG. */
void emit_wait_svg(struct ctx *c, const struct wait_graph *g,
		   bool (*show)(const struct wait_graph *g, const struct wait_edge *e));

#endif
