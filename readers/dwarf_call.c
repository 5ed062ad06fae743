/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call sites: what was passed in registers when a function was entered, and tail calls. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "readers/dwarf_frame.h"

#define SIBLINGS_MAX 1000000u
#define TARGETS_MAX 32 /* different functions that one function jumps to */
#define GRAPH_MAX 64   /* functions looked at for one question */

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

static bool attr_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool flag = false;

	return dwarf_attr(die, name, &attr) && dwarf_formflag(&attr, &flag) == 0 && flag;
}

static bool is_tail(Dwarf_Die *site)
{
	return attr_flag(site, DW_AT_call_tail_call) || attr_flag(site, DW_AT_GNU_tail_call);
}

/* GNU's of DWARF 4 has the return address as its low_pc. */
static bool returns_to(Dwarf_Die *site, Dwarf_Addr pc)
{
	Dwarf_Addr at;

	return (attr_addr(site, DW_AT_call_return_pc, &at) || attr_addr(site, DW_AT_low_pc, &at)) &&
	       at == pc;
}

/* Every call site below a DIE; inner functions are not its own. fn returns false to stop. */
static bool each_site(Dwarf_Die *in, bool (*fn)(Dwarf_Die *site, void *arg), void *arg,
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
				      !each_site(&die, fn, arg, depth + 1))
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

	each_site(&caller->func, site_matches, &w, 0);
	if (!w.found)
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the debug info knows nothing of the call");
	*ret = w.site;
	return true;
}

/* ---- what a call enters */

/* The function that the instruction before a return address calls directly; 0: none such. */
static uint64_t direct_target(struct target *t, uint64_t pc)
{
	uint8_t code[8];
	uint64_t target;
	struct err ignored;

	if (!t->arch->call_target ||
	    !mem_read(t, pc - sizeof(code), code, sizeof(code), &ignored) ||
	    !t->arch->call_target(SPAN(code, sizeof(code)), pc, &target))
		return 0;
	return target;
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
	if (direct_target(caller->file->t, caller->at->pc) == entry)
		return true;
	return (dwarf_attr(site, DW_AT_call_target, &attr) ||
		dwarf_attr(site, DW_AT_GNU_call_site_target, &attr)) &&
	       dwarf_attr_number(caller, &attr, asks, &target, &ignored) && target == entry;
}

/* ---- the graph of tail calls */

/* A function, where it is, and in which file. */
struct node {
	struct dwarf_file *file;
	Dwarf_Die die;
	uint64_t entry;
	const char *name;
};

static bool node_at(struct target *t, uint64_t entry, struct node *ret)
{
	struct frame_at at = { .pc = entry, .exact = true };
	struct dwarf_frame frame;
	struct dwarf_file *file;
	struct err ignored;

	if (!dwarf_file_at(t, entry, &file, &ignored) ||
	    !dwarf_frame_open(file, &at, &frame, &ignored) ||
	    dwarf_func_entry(file, &frame.func) != entry)
		return false;
	*ret = (struct node){
		.file = file, .die = frame.func, .entry = entry, .name = dwarf_diename(&frame.func)
	};
	return ret->name != NULL;
}

/* The code of an abstract function of the unit, where it was not only inlined. */
static bool concrete_of(Dwarf_Die *cu, Dwarf_Off abstract, Dwarf_Die *ret)
{
	unsigned siblings = 0;

	if (dwarf_child(cu, ret) != 0)
		return false;
	do {
		Dwarf_Attribute attr;
		Dwarf_Die origin;
		Dwarf_Addr pc;

		if (dwarf_tag(ret) == DW_TAG_subprogram &&
		    dwarf_attr(ret, DW_AT_abstract_origin, &attr) &&
		    dwarf_formref_die(&attr, &origin) && dwarf_dieoffset(&origin) == abstract &&
		    dwarf_entrypc(ret, &pc) == 0 && pc)
			return true;
	} while (++siblings < SIBLINGS_MAX && dwarf_siblingof(ret, ret) == 0);
	return false;
}

/* Where the function of a call site is; 0: that is not known. */
static uint64_t origin_entry(struct dwarf_file *f, Dwarf_Die *site)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin, cu, code;
	const char *name;
	uint64_t addr;
	bool external;

	if ((!dwarf_attr(site, DW_AT_call_origin, &attr) &&
	     !dwarf_attr(site, DW_AT_abstract_origin, &attr)) ||
	    !dwarf_formref_die(&attr, &origin))
		return 0;
	addr = dwarf_func_entry(f, &origin);
	if (addr)
		return addr;
	external = attr_flag(&origin, DW_AT_external);
	if (dwarf_diecu(&origin, &cu, NULL, NULL) &&
	    concrete_of(&cu, dwarf_dieoffset(&origin), &code))
		return dwarf_func_entry(f, &code);
	name = dwarf_diename(&origin);
	return external && name && symbol_addr(f->t, name, &addr) ? addr : 0;
}

/* What a function jumps to. */
struct jumps {
	struct dwarf_file *file;
	uint64_t to[TARGETS_MAX];
	size_t n;
	bool unknown; /* and somewhere that cannot be told */
};

static bool jump_add(Dwarf_Die *site, void *arg)
{
	struct jumps *j = arg;
	uint64_t entry;

	if (!is_tail(site))
		return true;
	entry = origin_entry(j->file, site);
	for (size_t i = 0; i < j->n; i++)
		if (j->to[i] == entry)
			return true;
	if (!entry || j->n == TARGETS_MAX)
		j->unknown = true;
	else
		j->to[j->n++] = entry;
	return true;
}

/* Can a function that is entered at `entry` be entered again by jumps alone? Then nobody knows
 * with which arguments. In doubt it can. */
static bool jumps_back(struct target *t, uint64_t entry)
{
	uint64_t seen[GRAPH_MAX] = { entry };
	size_t n = 1;

	for (size_t at = 0; at < n; at++) {
		struct jumps j = { .n = 0 };
		struct node node;

		if (!node_at(t, seen[at], &node))
			return true; /* code without debug info may do anything */
		j.file = node.file;
		each_site(&node.die, jump_add, &j, 0);
		if (j.unknown)
			return true;
		for (size_t i = 0; i < j.n; i++) {
			size_t k = 0;

			if (j.to[i] == entry)
				return true;
			while (k < n && seen[k] != j.to[i])
				k++;
			if (k < n)
				continue;
			if (n == GRAPH_MAX)
				return true;
			seen[n++] = j.to[i];
		}
	}
	return false;
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
	if (!enters(&caller, &site, asks, entry) || jumps_back(t, entry))
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and other functions may have been called between");
	if (!passed(&site, reg, &attr))
		return err_set(err, ERR_NOTFOUND,
			       "optimized out, and the call site does not tell what was passed");
	return dwarf_attr_number(&caller, &attr, asks, ret, err);
}

/* ---- tail calls */

/* A search for ways from one function to another by jumps. */
struct search {
	struct target *t;
	uint64_t to;
	struct tail_call path[TAIL_CALLS_MAX], found[TAIL_CALLS_MAX];
	size_t n_found;
	unsigned ways, looked;
	bool doubt;
};

static void search(struct search *s, uint64_t from, size_t depth)
{
	struct jumps j = { .n = 0 };
	struct node node;

	if (s->ways > 1 || s->doubt)
		return;
	for (size_t i = 0; i < depth; i++)
		if (s->path[i].addr == from) /* round and round is another way */
			s->doubt = true;
	if (depth == TAIL_CALLS_MAX || ++s->looked > GRAPH_MAX || !node_at(s->t, from, &node)) {
		s->doubt = true;
		return;
	}
	s->path[depth] = (struct tail_call){ node.name, from };
	j.file = node.file;
	each_site(&node.die, jump_add, &j, 0);
	s->doubt = s->doubt || j.unknown;
	for (size_t i = 0; i < j.n && !s->doubt; i++) {
		if (j.to[i] != s->to) {
			search(s, j.to[i], depth + 1);
			continue;
		}
		if (s->ways++)
			return;
		s->n_found = depth + 1;
		memcpy(s->found, s->path, s->n_found * sizeof(*s->found));
	}
}

bool dwarf_frame_tail_calls(struct frame_source *source, const struct frame_at *f,
			    struct tail_call *ret, size_t *n, struct err *err)
{
	struct search s = { .t = source->t };
	struct dwarf_frame callee;
	struct dwarf_file *file;
	uint64_t called;

	if (!f->caller || !dwarf_file_at(s.t, frame_at_lookup(f), &file, err) ||
	    !dwarf_frame_open(file, f, &callee, err))
		return err_set(err, ERR_NOTFOUND, "no tail call");
	s.to = dwarf_func_entry(file, &callee.func);
	called = direct_target(s.t, f->caller->pc);
	if (!called || !s.to || called == s.to)
		return err_set(err, ERR_NOTFOUND, "no tail call");
	search(&s, called, 0);
	if (s.ways != 1 || s.doubt)
		return err_set(err, ERR_NOTFOUND, "no way from what was called is the only one");
	memcpy(ret, s.found, s.n_found * sizeof(*ret));
	*n = s.n_found;
	return true;
}
