/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tail calls: functions that ended in a jump to another one, and so are on no stack. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/types/frame_info.h"
#include "core/base/map.h"
#include "core/dwarf/dwarf_frame.h"

#define SIBLINGS_MAX 1000000u
#define TARGETS_MAX 1024 /* different functions that one function jumps to */
#define GRAPH_MAX 64     /* functions whose debug info is read for one question */
#define NODES_MAX 2048   /* functions whose code is */
#define CODE_MAX 65536u
#define CODE_TOTAL_MAX (4u << 20)

static bool attr_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool flag = false;

	return dwarf_attr(die, name, &attr) && dwarf_formflag(&attr, &flag) == 0 && flag;
}

/* ---- what debug info tells of a function's jumps */

/* The function's DIE and file. */
static bool func_at(struct target *t, uint64_t entry, struct dwarf_file **file, Dwarf_Die *ret)
{
	struct dwarf_frame frame;
	struct err ignored;

	if (!dwarf_file_at(t, entry, file, &ignored))
		return false;
	/* its DIE may begin a few instructions later, see dwarf_func_entry() */
	for (unsigned later = 0; later <= 16; later += 8) {
		struct frame_at at = { .pc = entry + later, .exact = true };

		if (!dwarf_frame_open(*file, &at, &frame, &ignored) ||
		    dwarf_func_entry(*file, &frame.func) != entry)
			continue;
		*ret = frame.func;
		return true;
	}
	return false;
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
	Dwarf_Die origin, cu, code;
	Dwarf_Attribute attr;
	const char *name;
	uint64_t addr;

	if ((!dwarf_attr(site, DW_AT_call_origin, &attr) &&
	     !dwarf_attr(site, DW_AT_abstract_origin, &attr)) ||
	    !dwarf_formref_die(&attr, &origin))
		return 0;
	addr = dwarf_func_entry(f, &origin);
	if (addr)
		return addr;
	name = dwarf_diename(&origin);
	if (attr_flag(&origin, DW_AT_external) && name && symbol_addr(f->t, name, &addr))
		return addr;
	return dwarf_diecu(&origin, &cu, NULL, NULL) &&
			       concrete_of(&cu, dwarf_dieoffset(&origin), &code)
		       ? dwarf_func_entry(f, &code)
		       : 0;
}

/* What a function jumps to. */
struct jumps {
	struct dwarf_file *file;
	uint64_t wanted; /* stop there; 0: all */
	bool found;
	VEC(uint64_t) to;
	bool unknown; /* and somewhere that cannot be told */
};

static bool jump_add(Dwarf_Die *site, void *arg)
{
	struct jumps *j = arg;
	uint64_t entry;

	if (!attr_flag(site, DW_AT_call_tail_call) && !attr_flag(site, DW_AT_GNU_tail_call))
		return true;
	entry = origin_entry(j->file, site);
	if (j->wanted) {
		j->found = entry == j->wanted;
		return !j->found;
	}
	for (size_t i = 0; i < j->to.n; i++)
		if (j->to.p[i] == entry)
			return true;
	if (!entry || j->to.n == TARGETS_MAX)
		j->unknown = true;
	else
		*vec_push(&j->to) = entry;
	return true;
}

/* Are all of its tail calls told? */
static bool tells_all(Dwarf_Die *func)
{
	return attr_flag(func, DW_AT_call_all_calls) ||
	       attr_flag(func, DW_AT_call_all_tail_calls) ||
	       attr_flag(func, DW_AT_call_all_source_calls) ||
	       attr_flag(func, DW_AT_GNU_all_call_sites) ||
	       attr_flag(func, DW_AT_GNU_all_tail_call_sites);
}

static bool jumps_to(struct target *t, uint64_t from, uint64_t to)
{
	struct jumps j = { .wanted = to };
	Dwarf_Die func;

	if (!func_at(t, from, &j.file, &func))
		return false;
	dwarf_each_site(&func, jump_add, &j, 0);
	return j.found;
}

/* Every function that can be entered from one by jumps alone, itself the first; false: more than
 * max, or some that cannot be told. */
static bool reachable(struct target *t, uint64_t from, uint64_t *ret, size_t max, size_t *n,
		      bool *back)
{
	bool ok = true;

	ret[0] = from;
	*n = 1;
	*back = false;
	for (size_t at = 0; ok && at < *n; at++) {
		struct jumps j = { .wanted = 0 };
		Dwarf_Die func;

		ok = func_at(t, ret[at], &j.file, &func) && tells_all(&func);
		if (ok)
			dwarf_each_site(&func, jump_add, &j, 0);
		ok = ok && !j.unknown;
		for (size_t i = 0; ok && i < j.to.n; i++) {
			size_t k = 0;

			*back = *back || j.to.p[i] == from;
			while (k < *n && ret[k] != j.to.p[i])
				k++;
			if (k < *n)
				continue;
			ok = *n < max;
			if (ok)
				ret[(*n)++] = j.to.p[i];
		}
		vec_release(&j.to);
	}
	return ok;
}

bool dwarf_jumps_back(struct dwarf_file *f, uint64_t entry)
{
	uint64_t seen[GRAPH_MAX], *known = map_get(&f->jumps_back, entry);
	bool back;
	size_t n;

	if (known)
		return *known == 2;
	if (!reachable(f->t, entry, seen, GRAPH_MAX, &n, &back))
		back = true;
	*map_put(&f->jumps_back, entry, NULL) = back ? 2 : 1;
	return back;
}

/* ---- what the code tells: quickly, and perhaps too much */

/* A search for ways from one function to another by jumps. */
struct tail_search {
	struct target *t;
	uint64_t to;
	struct map ways; /* a function -> ways from it to `to`: 1 none, 2 one, 3 several; 4 asked */
	struct tail_call path[TAIL_CALLS_MAX], found[TAIL_CALLS_MAX];
	size_t n_found;
	unsigned n_ways;
	size_t nodes, bytes;
	bool cut;
};

static void search(struct tail_search *s, uint64_t from, size_t depth);

/* Jumps out of [sym.addr, +size); those into a .cold part lead on there. */
static void search_code(struct tail_search *s, const struct symbol *sym, size_t depth, bool cold)
{
	size_t n = sym->size < CODE_MAX ? (size_t)sym->size : CODE_MAX, at = 0;
	const struct arch *arch = s->t->arch;
	struct err ignored;
	uint64_t to, off;
	void *code;

	s->bytes += n;
	if (!n || s->bytes > CODE_TOTAL_MAX || !interrupt_check(&ignored) ||
	    !arena_bytes(s->t->scratch, n, CODE_MAX, &code, &ignored)) {
		s->cut = true;
		return;
	}
	n = mem_read_some(s->t, sym->addr, code, n, &ignored);
	while (s->n_ways < 2 && arch->jump_next &&
	       arch->jump_next(SPAN(code, n), sym->addr, &at, &to)) {
		struct symbol other;

		if (!to || to - sym->addr < sym->size || !symbol_is_text(s->t, to) ||
		    !symbol_at(s->t, to, &other, &off, &ignored))
			continue;
		if (!off && strncmp(other.name, "__x86_", 6) != 0)
			search(s, to, depth + 1);
		else if (!cold && strstr(other.name, ".cold"))
			search_code(s, &other, depth, true);
	}
}

/* Adds the ways from `from`, whose callers are on s->path up to depth. */
static void search(struct tail_search *s, uint64_t from, size_t depth)
{
	unsigned before = s->n_ways;
	struct symbol sym;
	uint64_t off, *seen;
	struct err ignored;

	if (s->n_ways > 1)
		return;
	if (from == s->to) {
		if (!s->n_ways++ && depth)
			memcpy(s->found, s->path, depth * sizeof(*s->found));
		s->n_found = depth;
		return;
	}
	seen = map_get(&s->ways, from);
	if (seen) { /* on the way already, or known to lead nowhere; or a second way to where one is
		     */
		s->n_ways += *seen == 2;
		return;
	}
	if (depth == TAIL_CALLS_MAX || s->nodes++ >= NODES_MAX) {
		s->cut = true;
		return;
	}
	if (!symbol_at(s->t, from, &sym, &off, &ignored) || off)
		return;
	*map_put(&s->ways, from, NULL) = 1;
	s->path[depth] = (struct tail_call){ .func = sym.name, .addr = from };
	search_code(s, &sym, depth, false);
	*map_put(&s->ways, from, NULL) = s->n_ways > before ? 2 : 1;
}

/* Debug info says the same of every jump. */
static bool confirmed(const struct tail_search *s)
{
	for (size_t i = 0; i < s->n_found; i++)
		if (!jumps_to(s->t, s->found[i].addr,
			      i + 1 < s->n_found ? s->found[i + 1].addr : s->to))
			return false;
	return true;
}

/* A retpoline's or a return's detour on x86: where it leads, its code does not say. */
static bool is_thunk(struct target *t, uint64_t called)
{
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	return symbol_at(t, called, &sym, &off, &ignored) && !strncmp(sym.name, "__x86_", 6);
}

bool dwarf_frame_tail_calls(struct frame_source *source, const struct frame_at *f,
			    struct tail_call *ret, size_t *n, struct err *err)
{
	struct tail_search s = { .t = source->t };
	uint64_t called, off, seen[GRAPH_MAX];
	struct dwarf_frame callee;
	struct dwarf_file *file;
	struct symbol sym;
	bool back, all;
	size_t n_seen;

	err_set(err, ERR_NOTFOUND, "no tail call");
	called = f->caller ? dwarf_direct_target(s.t, f->caller->pc) : 0;
	if (called && is_thunk(s.t, called))
		return err_set(err, ERR_NOTFOUND, "no tail call: the call was by a pointer");
	/* nearly always the function called is the one that it is in */
	if (!called || !symbol_at(s.t, frame_at_lookup(f), &sym, &off, err) || sym.addr == called ||
	    !dwarf_file_at(s.t, frame_at_lookup(f), &file, err))
		return err_set(err, ERR_NOTFOUND, "no tail call");
	/* a function's symbol is its entry, but for the part that gcc moved away */
	s.to = sym.addr;
	if (strstr(sym.name, ".cold"))
		s.to = dwarf_frame_open(file, f, &callee, err)
			       ? dwarf_func_entry(file, &callee.func)
			       : 0;
	if (!s.to || s.to == called)
		return err_set(err, ERR_NOTFOUND, "no tail call");
	search(&s, called, 0);
	map_release(&s.ways);
	if (s.n_ways != 1 || !s.n_found || !dwarf_frame_open(file, f, &callee, err) ||
	    !confirmed(&s))
		return err_set(err, ERR_NOTFOUND, "no way from what was called is the only one");
	all = !s.cut && reachable(s.t, called, seen, GRAPH_MAX, &n_seen, &back);
	for (size_t i = 0; i < s.n_found; i++) /* the first was called, whatever came then */
		s.found[i].sure = !i || all;
	memcpy(ret, s.found, s.n_found * sizeof(*ret));
	*n = s.n_found;
	return true;
}
