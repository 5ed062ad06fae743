/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of frames share: a frame with the DIEs around it. */
#ifndef OBIT_DWARF_FRAME_H
#define OBIT_DWARF_FRAME_H

#include "core/dwarf/dwarf.h"
#include "core/dwarf/dwarf_expr.h"

#define SCOPES_MAX 64

/* The DIEs around an address, outermost first: functions, inlined ones, lexical blocks. */
struct dwarf_scopes {
	Dwarf_Die die[SCOPES_MAX];
	size_t n;
};

/* A frame in one file's debug info. */
struct dwarf_frame {
	struct dwarf_file *file;
	const struct frame_at *at;
	Dwarf_Addr pc; /* link-time, to look up */
	Dwarf_Die cu, func;
	uint64_t doubtful; /* registers, a bit each, for which debug info may be wrong */
	struct dwarf_scopes scopes;
};
/* Finds the unit, the function and the scopes of a frame. ERR_NOTFOUND: no function covers it. */
bool dwarf_frame_open(struct dwarf_file *f, const struct frame_at *at, struct dwarf_frame *ret,
		      struct err *err) MUST_CHECK;
/* gcc begins a function behind the instructions that -fpatchable-function-entry reserves; a call
 * goes to the symbol before them, so many bytes at the most. */
#define DWARF_PATCHABLE 16
/* The run-time address of the first instruction of a function; 0: it is not known. */
uint64_t dwarf_func_entry(struct dwarf_file *f, Dwarf_Die *func);

/* The machine that evaluates an attribute's expression in a frame; both must live as long as it. */
struct dwarf_expr_at {
	struct dwarf_expr x;
	struct dwarf_frame *frame;
	Dwarf_Attribute *attr;
};
void dwarf_expr_init(struct dwarf_expr_at *e, struct dwarf_frame *frame, Dwarf_Attribute *attr);
/* Evaluates the attribute's expression to a number. Its steps and its nesting count as those of the
 * evaluation `asks`, which needs the number. */
bool dwarf_attr_number(struct dwarf_frame *frame, Dwarf_Attribute *attr, struct dwarf_expr *asks,
		       uint64_t *ret, struct err *err) MUST_CHECK;

/* dwarf_call.c: sets *ret to what register `reg` held when the frame's function was entered. asks
 * is the evaluation that needs it. */
bool dwarf_entry_value(struct dwarf_frame *frame, struct dwarf_expr *asks, unsigned reg,
		       uint64_t *ret, struct err *err) MUST_CHECK;

/* Calls fn for every call site below a function's DIE, those of inlined functions included, until
 * fn returns false. Callers hand over 0 for depth. */
bool dwarf_each_site(Dwarf_Die *in, bool (*fn)(Dwarf_Die *site, void *arg), void *arg,
		     unsigned depth);
/* The address of the function that is called directly by the instruction before the return address
 * pc; 0: it is no direct call. */
uint64_t dwarf_direct_target(struct target *t, uint64_t pc);

/* dwarf_doubt.c: may the offsets from the frame in this attribute be wrong, and for which
 * registers, a bit each, may the location lists of this function be? Only the architectures that
 * say so have such cases. */
bool dwarf_frame_doubt(const struct dwarf_file *f, Dwarf_Attribute *attr);
uint64_t dwarf_doubtful(struct dwarf_file *f, Dwarf_Die *func);

/* dwarf_tail.c: may the function whose first instruction is at `entry` have been entered again by
 * jumps alone? Then nobody knows its arguments. True when nobody can tell. */
bool dwarf_jumps_back(struct dwarf_file *f, uint64_t entry);

/* The functions of struct frame_source. */
bool dwarf_frame_caller(struct frame_source *s, const struct frame_at *f, struct regs *ret,
			uint64_t *cfa, struct err *err);
bool dwarf_frame_variables(struct frame_source *s, const struct frame_at *f, struct arena *a,
			   const struct variable **ret, size_t *n, struct err *err);
bool dwarf_frame_tail_calls(struct frame_source *s, const struct frame_at *f, struct tail_call *ret,
			    size_t *n, struct err *err);

#endif
