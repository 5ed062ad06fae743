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
	uint64_t doubtful; /* registers that debug info tells no truth of */
	struct dwarf_scopes scopes;
};
/* ERR_NOTFOUND: no function's debug info covers it. */
bool dwarf_frame_open(struct dwarf_file *f, const struct frame_at *at, struct dwarf_frame *ret,
		      struct err *err) MUST_CHECK;
/* gcc begins a function behind the instructions that -fpatchable-function-entry reserves; a call
 * goes to the symbol before them, so many bytes at the most. */
#define DWARF_PATCHABLE 16
/* Run-time address of the function's first instruction; 0 unknown. */
uint64_t dwarf_func_entry(struct dwarf_file *f, Dwarf_Die *func);

/* The machine for an attribute's expression in the frame; both must outlive it. */
struct dwarf_expr_at {
	struct dwarf_expr x;
	struct dwarf_frame *frame;
	Dwarf_Attribute *attr;
};
void dwarf_expr_init(struct dwarf_expr_at *e, struct dwarf_frame *frame, Dwarf_Attribute *attr);
/* A number by the attribute's expression. steps and nested are those of the evaluation that asks.
 */
bool dwarf_attr_number(struct dwarf_frame *frame, Dwarf_Attribute *attr, struct dwarf_expr *asks,
		       uint64_t *ret, struct err *err) MUST_CHECK;

/* dwarf_call.c: what a register held when the frame's function was entered. */
bool dwarf_entry_value(struct dwarf_frame *frame, struct dwarf_expr *asks, unsigned reg,
		       uint64_t *ret, struct err *err) MUST_CHECK;

/* Every call site below a function's DIE, inlined functions' among them; depth 0. fn returns false
 * to stop. */
bool dwarf_each_site(Dwarf_Die *in, bool (*fn)(Dwarf_Die *site, void *arg), void *arg,
		     unsigned depth);
/* The function that the instruction before a return address calls directly; 0: none such. */
uint64_t dwarf_direct_target(struct target *t, uint64_t pc);

/* dwarf_doubt.c: are an attribute's offsets from the frame in doubt, and which registers are in a
 * function, by DWARF's numbers? Nothing is but where the architecture says so. */
bool dwarf_frame_doubt(const struct dwarf_file *f, Dwarf_Attribute *attr);
uint64_t dwarf_doubtful(struct dwarf_file *f, Dwarf_Die *func);

/* dwarf_tail.c: can the function that is entered there be entered again by jumps alone? Then nobody
 * knows with which arguments. In doubt it can. */
bool dwarf_jumps_back(struct dwarf_file *f, uint64_t entry);

/* The functions of struct frame_source. */
bool dwarf_frame_caller(struct frame_source *s, const struct frame_at *f, struct regs *ret,
			uint64_t *cfa, struct err *err);
bool dwarf_frame_variables(struct frame_source *s, const struct frame_at *f, struct arena *a,
			   const struct variable **ret, size_t *n, struct err *err);
bool dwarf_frame_tail_calls(struct frame_source *s, const struct frame_at *f, struct tail_call *ret,
			    size_t *n, struct err *err);

#endif
