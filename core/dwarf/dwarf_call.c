/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call sites: what was passed in registers when a function was entered. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/dwarf/dwarf_frame.h"

#define SIBLINGS_MAX 1000000u

/* ---- call sites of a function */

static bool is_site(int tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static bool attr_addr(Dwarf_Die *die, unsigned name, Dwarf_Addr *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) && dwarf_formaddr(&attr, ret) == 0;
}

/* GNU's of DWARF 4 has the return address as its low_pc. */
static bool returns_to(Dwarf_Die *site, Dwarf_Addr pc)
{
	Dwarf_Addr at;

	return (attr_addr(site, DW_AT_call_return_pc, &at) || attr_addr(site, DW_AT_low_pc, &at)) &&
	       at == pc;
}

bool dwarf_each_site(Dwarf_Die *in, bool (*fn)(Dwarf_Die *site, void *arg), void *arg,
		     unsigned depth)
{
	unsigned siblings = 0;
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(in, &die) != 0)
		return true;
	do {
		int tag = dwarf_tag(&die);

		if (is_site(tag)
			    ? !fn(&die, arg)
			    : (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
				      !dwarf_each_site(&die, fn, arg, depth + 1))
			return false;
	} while (++siblings < SIBLINGS_MAX && dwarf_siblingof(&die, &die) == 0);
	return true;
}

struct wanted_site {
	Dwarf_Addr pc;
	Dwarf_Die site;
	bool found;
};

static bool site_matches(Dwarf_Die *site, void *arg)
{
	struct wanted_site *w = arg;

	if (!returns_to(site, w->pc))
		return true;
	w->site = *site;
	w->found = true;
	return false;
}

/* The call that the caller's frame is in. */
static bool site_of(struct dwarf_frame *caller, Dwarf_Die *ret, struct err *err)
{
	struct wanted_site w = { .pc = caller->at->pc - dwarf_slide(caller->file) };
	struct dwarf_file *f = caller->file;
	uint64_t *known = map_get(&f->sites, w.pc);
	Dwarf_Die *kept = known ? (Dwarf_Die *)(uintptr_t)*known : NULL;

	if (!known) {
		dwarf_each_site(&caller->func, site_matches, &w, 0);
		if (w.found) {
			kept = ARENA_NEW(&f->t->arena, Dwarf_Die);
			*kept = w.site;
		}
		*map_put(&f->sites, w.pc, NULL) = (uintptr_t)kept;
	}
	if (!kept)
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the debug info knows nothing of the call");
	*ret = *kept;
	return true;
}

/* ---- what a call enters */

uint64_t dwarf_direct_target(struct target *t, uint64_t pc)
{
	uint8_t code[8];
	uint64_t target, off;
	struct symbol sym;
	struct err ignored;

	if (!t->arch->call_target ||
	    !mem_read(t, pc - sizeof(code), code, sizeof(code), &ignored) ||
	    !t->arch->call_target(SPAN(code, sizeof(code)), pc, &target))
		return 0;
	return t->arch->local_entry && symbol_at(t, target, &sym, &off, &ignored) &&
			       off == t->arch->local_entry
		       ? sym.addr
		       : target;
}

/* Did the call enter exactly this function? By the code itself; of a call through a pointer by the
 * pointer, where a register that was kept still holds it. */
static bool enters(struct dwarf_frame *caller, Dwarf_Die *site, struct dwarf_expr *asks,
		   uint64_t entry)
{
	Dwarf_Attribute attr;
	uint64_t target;
	struct err ignored;

	if (!entry)
		return false;
	if (dwarf_direct_target(caller->file->t, caller->at->pc) == entry)
		return true;
	return (dwarf_attr(site, DW_AT_call_target, &attr) ||
		dwarf_attr(site, DW_AT_GNU_call_site_target, &attr)) &&
	       dwarf_attr_number(caller, &attr, asks, &target, &ignored) && target == entry;
}

/* ---- entry values */

/* The call site's parameter that was passed in a register. */
static bool passed(Dwarf_Die *site, unsigned reg, Dwarf_Attribute *ret)
{
	unsigned siblings = 0;
	Dwarf_Die die;

	if (dwarf_child(site, &die) != 0)
		return false;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Attribute attr;
		Dwarf_Op *ops;
		size_t n;

		if (tag != DW_TAG_call_site_parameter && tag != DW_TAG_GNU_call_site_parameter)
			continue;
		if (!dwarf_attr(&die, DW_AT_location, &attr) ||
		    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1)
			continue;
		if (reg < 32 ? ops[0].atom != DW_OP_reg0 + reg
			     : ops[0].atom != DW_OP_regx || ops[0].number != reg)
			continue;
		return dwarf_attr(&die, DW_AT_call_value, ret) ||
		       dwarf_attr(&die, DW_AT_GNU_call_site_value, ret);
	} while (++siblings < SIBLINGS_MAX && dwarf_siblingof(&die, &die) == 0);
	return false;
}

bool dwarf_entry_value(struct dwarf_frame *frame, struct dwarf_expr *asks, unsigned reg,
		       uint64_t *ret, struct err *err)
{
	struct target *t = frame->file->t;
	struct dwarf_frame caller;
	struct dwarf_file *file;
	Dwarf_Attribute attr;
	Dwarf_Die site;
	uint64_t entry = dwarf_func_entry(frame->file, &frame->func);

	if (!frame->at->caller)
		return err_set(err, ERR_NOTFOUND, "optimized out");
	if (!dwarf_file_at(t, frame_at_lookup(frame->at->caller), &file, err) ||
	    !dwarf_frame_open(file, frame->at->caller, &caller, err))
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the caller has no debug info");
	if (!site_of(&caller, &site, err))
		return false;
	if (!enters(&caller, &site, asks, entry))
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the call may have entered another function");
	if (dwarf_jumps_back(frame->file, entry))
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the function may have been entered again");
	if (!passed(&site, reg, &attr))
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the call site does not tell what was passed");
	return dwarf_attr_number(&caller, &attr, asks, ret, err);
}
